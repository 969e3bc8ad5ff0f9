(* The definitions that theorems are about, evaluated for the tests of the code: the split of scalars, their digits, and
   divsteps. A row of the output is a list of lists of integers. *)
Require Import ZArith List Constants Divsteps Digits Tables Classes.
Import ListNotations.
Open Scope Z_scope.

Fixpoint draw (c : nat) (k : Z) : list Z := match c with O => [] | S c => k :: draw c ((k * k + 7) mod n) end.
Definition edges := [0; 1; 2; n - 1; n - 2; lambda; n - lambda; n / 2; n / 2 + 1].
(* Scalars around which a rounded quotient of the split changes: (m + 1/2) 2^384/g, with one scalar below and one above. *)
Definition turns (g : Z) (c : nat) : list Z :=
  flat_map (fun i => let k := ((2 * (2 ^ 120 + i * 2 ^ 121 + i * i) + 1) * 2 ^ 383) / g in [k - 1; k; k + 1]) (map Z.of_nat (seq 0 c)).
(* Scalars whose halves have long runs of equal bits. *)
Definition runs := map (fun z => (fst z + snd z * lambda) mod n)
  [(2 ^ 127, 0); (0, 2 ^ 127); (2 ^ 100, 2 ^ 60); (2 ^ 120 - 2 ^ 20, - 2 ^ 64); (1 - 2 ^ 126, 2 ^ 126); (2 ^ 33, - 2 ^ 97)].

Definition split_row k := [[k]; [k1 k; k2 k]].

Definition flat (d : list (Z * Z)) := flat_map (fun z => [fst z; snd z]) d.
Definition digits_row k :=
  let z := (k1 k, k2 k) in
  let sparse := fun w digit => flat_map (fun t => [fst t; fst (snd t); snd (snd t)]) (naf_of w digit z) in
  let windows := fun w table c => flat (all_places w (nth_class w table) c z) in
  let '(first, second) := variable_digits k in
  let '(point, point_rest) := places point_width regular_digit 42 z in
  let '(generator, rest) := places generator_width regular_generator_digit 16 z in
  [[k]; base_digits k; lanes_digits k; first; second; sparse point_width point_digit; sparse generator_width generator_digit;
   flat (point ++ [point_rest]); flat (generator ++ [(4 * fst rest, 4 * snd rest)]);
   windows 3 window_digits_3 max_windows; windows 4 window_digits_4 key_places; windows 5 window_digits_5 generator_places;
   windows 6 window_digits_6 22%nat].

(* States after some divsteps, and the number of divsteps after which g is 0. *)
Definition needed (turn : Z) (c : nat) (m x : Z) : Z :=
  fst (Nat.iter c (fun s => let '(i, t) := s in if snd t =? 0 then s else (i + 1, divstep turn t)) (0, (first_counter, m, x))).
(* Rare inputs, found by a search: in inversion in variable time the highest digits of f and g, when they could be
   dropped, are near or beyond the numbers 0 and -1, which only hold a sign, and d ends outside of (-m, 0). *)
Definition rare_p := [
   0x76b100572985510484b7239ad76897d8d00a5217fde70f098b8d57b0ccf031f5;
   0x3573eb7bba9a0ea9523ccf20e699462fd30957c2e301259b9891ff6792372ed5;
   0x3def3ba75e11e2e0e815f5c1aed3f83b10d8d9672fe0552228d743369e2d2c94;
   0x6b1b4a7367d66eac90cbc705f7463ce6d73830130354ba09dc36881e25e1a1f4;
   0x31e0a265483eba4c94a5ff05cd1263829d933e26df7128729ab7c42b84c209ac;
   0x1db3345ad1a60e6c7117c8cd05ff367307e70eb5ab58aa63edcb3197bedb0b25;
   0xbbaf38d2ca76cdc337a68e6d8c276595dfaf58a08b2ec346;
   0x2a4c8ad7c580a672f5503c4f229d0ef7d63c9ee6049088c35d3773927553350;
   0xa3cab6c4831450c433cd8789905c531cf4dfc798fbb016db;
   0x7a967b8068cf68e9904fcff8377915c235ed5b33f061e957e7327df91ac30b3d;
   0x35c997ca3c5fcfafef00efba0042280fb7fc8ec0caba4fea343b6e5664a2d291;
   0x4d9cd18e5c6f0bc2190e0d5e0625534c3521672abd8ac972e997b6b5394ac848;
   0x2545571a627c4da5d41cc373dfae0f1ba29149940c2bf282e9361df8f6bbc805;
   0x154460dc2159e1f7f1fefd991317f85d8462fc7877b20befffe7f4fc233b1bb7;
   0x295463d138ea4e7ce5accbf0e781638c726fee1aa19a2871cf95be56019db3c6;
   0x682781475c975361a74b8c44d8847ca2474f5e6669eca45649a6d2773abc5441;
   0x68bfd3fd174141afe383a7c78e78b5a7e60abc9b5a7e70c76999a08984b2ca6b;
   0x1f5e29f88101ecc2f6e856eeeebe68103e01bf07d163e93441ccc3a8aafb4863;
   0x4d7601111a8f387f8a2443abbaa1a30e52d8cd411aeef757470165d2c17afb0b;
   0x58252ed6304f3765c41ae9283f433e1a0161ef53639c1490f07d30e220470cc4].
Definition rare_n := [
   0x5e2f0a565e832ef2eb5696c690ed2c751f80644f2f13f0ddaecf774096b9aa6a;
   0x61ae0bd534416881f2769c9a90066b52c4a9e1408e2cbc41fd9b901bf383a8d3;
   0x4106df901e9bcd44efe5b12bd4750513d789da1023fc58104c5181e940a62d94;
   0x5f00f304132b28f421125184912dfcbd6c2c44fed3c5cf07882a6701b7d13428;
   0x2d35dca9437c1cd33f8eb11ac41c730f7278643ee0d57343;
   0x4e8e811f476a3290fe658c9a6452012468c5e5372fb3534182e7aa19d76fec29;
   0x6edba6cd56e49ed066445fb58d2cc75076a9529e98111c79176df30b81c713ce;
   0x2d9c4b6bb2c17376e6ed81f58999d7c4ccca8916fe7c70bef1c3f50ac13ae7ff;
   0x4d8db7c1ce9d24c06b7101d15f1f5970ca3dd9f931a20131c298e28337977a65;
   0x5b9353f8a2f2de75a623966fe3b020fe6fd12a0ed0227c0f;
   0xea629aed23c2453b734dbaa1e55b53ad0e48fb730c933f65;
   0x3dcd83c90b35a2936ac02568b751daafdfc8d310a726ed25bda379a79042ea78;
   0x26c4d9b0f054b5f772a8270b2f1879193b21963fa3cf6c583a90e4ad089eb713;
   0x2e7f8411f7f7fa767dabc6ef3514c451d3f9d94fb86a2ebfc872227e6269b0a9;
   0x2ecea737a75a36aefcc6cca3e8ecf17d24ff59ec60e345624818c1714598fb8e;
   0x4c43abab2e168ce0a975bb06b23435e8558d056bb89a14341a9637aa2bbfc1bb;
   0x36ac1c4d17cbad4613a268290031fd3c62ed11d1e339d32fc3e43cb955f613bb;
   0x788fa1497fd8117cb89d9fbc74a0267b424216b99ea01a7e79aa127f1e6363a3;
   0x7d66cb55b108c5fbbc928ed2a4cf3b0a6bbf9ae9e6cef52c2ed1c6227a708925;
   0x25aa76e32410ef4510469f64e5ac0c11212b6bad6b344a45].
(* Made by divsteps that run backwards: after a batch only the highest digit of g is not 0. *)
Definition last_digit := (0xeadd26cc3e802f216974a467a92d315e477a5141e4118a8c3c71442232b48157, 0x3c44625e02831210aef1e8a902e7c77ec389b342cfdafa0e9f415bb4041cc6d1).
Definition divsteps_row t :=
  let '(m, x) := t in
  let after := fun turn c => let '(z, f, g) := divsteps turn c m x in [z; f; g] in
  [[m; x]; after 2 divsteps_30; after 2 divsteps_62; after 2 (divsteps_62 * 5)%nat; after 2 (divsteps_62 * batches_62)%nat;
   after 1 divsteps_30; after 1 divsteps_vartime; after 1 (divsteps_vartime * 5)%nat; [needed 2 600 m x; needed 1 726 m x]].

Set Printing Width 1000000.
Set Printing Depth 1000000.
Eval vm_compute in map split_row (edges ++ turns g1 16 ++ turns g2 16 ++ draw 100 lambda).
Eval vm_compute in map digits_row (edges ++ runs ++ turns g1 2 ++ turns g2 2 ++ draw 24 lambda).
Eval vm_compute in map divsteps_row (flat_map (fun x => [(p, x); (n, x)]) (tl edges ++ draw 3 lambda) ++
  map (pair p) rare_p ++ map (pair n) rare_n ++ [last_digit]).
