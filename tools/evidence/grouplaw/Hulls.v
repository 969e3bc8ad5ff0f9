(* The polygons for Divsteps.v, for 591 divsteps in the half-delta form and for 726 from delta = 1, and the
   consequences for the code. coqchk accepts this file without checking it, because coqchk has no virtual machine and
   would take long. *)
Require Import ZArith Lia List Bool Constants Divsteps.
Import ListNotations.
Open Scope Z_scope.

(* hulls.go prints polygons, in the unit 2^40, for the counters from -12 on. The polygons for lower and higher counters
   are rectangles in the unit 2^600. From each rectangle to the next, away from the printed polygons, one side is
   multiplied by 1/ratio and the other by 1/(2 ratio). *)
Definition extent (i : Z * Z -> Z) (polygon : list (Z * Z)) := fold_right (fun v m => Z.max (Z.abs (i v)) m) 0 polygon.
Definition enlarged (inverse x : Z) := Z.shiftr (inverse * x) 30 + 1.
Fixpoint rectangles (inverse : Z) (count : nat) (f g : Z) : list (Z * Z) :=
  match count with
  | O => []
  | S count => let f := enlarged inverse f in let g := enlarged inverse (Z.shiftr g 1) in (f, g) :: rectangles inverse count f g
  end.
Definition rectangle (v : Z * Z) : Z * list (Z * Z) := (2 ^ 600, [v; (fst v, - snd v)]).
Definition table (ratio : Z) (polygons : list (list (Z * Z))) (steps : nat) : list (Z * list (Z * Z)) :=
  let first := hd [] polygons in
  let inverse := 2 ^ 60 / ratio + 1 in
  let outer := rectangles inverse (steps + 1) (extent fst first * 2 ^ 560) (extent snd first * 2 ^ 560) in
  rev (map rectangle (firstn (steps - 10) outer)) ++ map (fun p => (2 ^ 40, p)) polygons ++
  map (fun v => rectangle (enlarged inverse (snd v), fst v)) outer.
Definition in_table (table : list (Z * list (Z * Z))) (steps : nat) (z : Z) : Z * list (Z * Z) :=
  nth (Z.to_nat (z + 2 + Z.of_nat steps)) table (0, []).

Lemma table_right_2 : test 2 ratio_2 30 591 (in_table (table ratio_2 polygons_2 591) 591) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma table_right_1 : test 1 ratio_1 30 726 (in_table (table ratio_1 polygons_1 726) 726) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma turn_range turn : turn = 1 \/ turn = 2 -> 1 <= turn <= 2.
Proof. lia. Qed.

(* I4 in the half-delta form, with one divstep more than the hulls need, and I5 for the divsteps that the code runs, in
   digits of 62 and of 30 bits. *)
Theorem I4_half_delta f g m : Z.odd f = true -> 0 <= g <= f -> f <= 2 ^ 256 -> (591 <= m)%nat -> snd (divsteps 2 m f g) = 0.
Proof.
  exact (I4 2 ratio_2 30 591 (in_table (table ratio_2 polygons_2 591) 591) eq_refl (turn_range 2 (or_intror eq_refl)) f g m table_right_2).
Qed.

Theorem I5_p x : 0 <= x < p -> snd (divsteps 2 (divsteps_62 * batches_62) p x) = 0 /\ snd (divsteps 2 (divsteps_30 * batches_30) p x) = 0.
Proof. intros H. split; apply I4_half_delta; (lia || reflexivity || discriminate). Qed.

Theorem I5_n x : 0 <= x < n -> snd (divsteps 2 (divsteps_62 * batches_62) n x) = 0 /\ snd (divsteps 2 (divsteps_30 * batches_30) n x) = 0.
Proof. intros H. split; apply I4_half_delta; (lia || reflexivity || discriminate). Qed.

(* I4 from delta = 1, with two divsteps more than the hulls need. *)
Theorem I4_delta_1 f g m : Z.odd f = true -> 0 <= g <= f -> f <= 2 ^ 256 -> (726 <= m)%nat -> snd (divsteps 1 m f g) = 0.
Proof.
  exact (I4 1 ratio_1 30 726 (in_table (table ratio_1 polygons_1 726) 726) eq_refl (turn_range 1 (or_introl eq_refl)) f g m table_right_1).
Qed.

(* The loops of inversion in variable time stop when g is 0, so they stop after at most 12 batches of 62 divsteps, or 25
   batches of 30. *)
Theorem I4_batches f g : Z.odd f = true -> 0 <= g <= f -> f <= 2 ^ 256 ->
  snd (divsteps 1 (divsteps_vartime * 12) f g) = 0 /\ snd (divsteps 1 (divsteps_30 * 25) f g) = 0.
Proof. intros O G F. split; apply I4_delta_1; (assumption || lia). Qed.
