(* secp256k1: its points are a cyclic group of order n, which the generator generates, and (beta x, y) is lambda (x, y).
   So the statements about groups hold for the points of the curve. *)
Require Import ZArith Znumtheory Lia Bool List Eqdep_dec.
Require Import Base Law Operations Group Constants Certificates Prime Instances Swift Generator.
Require Sums Lanes PublicLanes VariableLanes LanePlaces ListSums Buckets.
Import ListNotations.
Open Scope Z_scope.
Delimit Scope field_scope with field.
Add Field Fp_field : (laws Fp).

(* The points of the curve. *)
Definition on_curve (A : point Fp) : bool :=
  match A with Law.O _ => true | P _ x y => if @dec Fp (y * y)%field (x * x * x + b)%field then true else false end.
Record curve := { at_point :> point Fp; holds : on_curve at_point = true }.

Lemma on_curve_right A : on_curve A = true <-> on Fp b A.
Proof. destruct A as [|x y]; unfold on_curve, on; [tauto|]. destruct (dec (y * y)%field (x * x * x + b)%field); split; auto; congruence. Qed.
Lemma on_b (A : curve) : on Fp b A.
Proof. apply on_curve_right, holds. Qed.
Lemma curve_eq (A B : curve) : at_point A = at_point B -> A = B.
Proof. destruct A as [A HA], B as [B HB]. cbn. intros <-. f_equal. apply UIP_dec, bool_dec. Qed.

Definition infinity : curve := {| at_point := Law.O Fp; holds := eq_refl |}.
Definition plus (A B : curve) : curve :=
  {| at_point := law Fp A B; holds := proj2 (on_curve_right _) (law_closed Fp b A B (on_b A) (on_b B)) |}.
Definition minus (A : curve) : curve := {| at_point := opposite Fp A; holds := proj2 (on_curve_right _) (opposite_on Fp b A (on_b A)) |}.

Theorem plus_assoc A B C : plus A (plus B C) = plus (plus A B) C.
Proof. apply curve_eq. exact (law_assoc Fp b no_order_2 A B C (on_b A) (on_b B) (on_b C)). Qed.
Theorem plus_comm A B : plus A B = plus B A.
Proof. apply curve_eq. exact (law_comm Fp A B). Qed.
Theorem plus_O A : plus infinity A = A.
Proof. apply curve_eq. reflexivity. Qed.
Theorem plus_minus A : plus A (minus A) = infinity.
Proof. apply curve_eq. exact (law_opposite Fp A). Qed.

Lemma eq_dec (A B : curve) : {A = B} + {A <> B}.
Proof.
  destruct (point_dec Fp A B) as [E|N]; [left; apply curve_eq; exact E|right; congruence].
Qed.

Notation times := (Sums.times curve infinity plus minus).
Lemma times_add j k A : times (j + k) A = plus (times j A) (times k A).
Proof. exact (Sums.times_add _ _ _ _ plus_assoc plus_comm plus_O plus_minus j k A). Qed.
Lemma times_mul j k A : times (j * k) A = times j (times k A).
Proof. exact (Sums.times_mul _ _ _ _ plus_assoc plus_comm plus_O plus_minus j k A). Qed.
Lemma times_1 A : times 1 A = A.
Proof. exact (Sums.times_1 _ _ _ _ plus_comm plus_O A). Qed.
Lemma times_O k : times k infinity = infinity.
Proof. exact (Sums.times_O _ _ _ _ plus_assoc plus_comm plus_O plus_minus k). Qed.
Lemma times_plus k A B : times k (plus A B) = plus (times k A) (times k B).
Proof. exact (Sums.times_plus _ _ _ _ plus_assoc plus_comm plus_O plus_minus k A B). Qed.
Lemma swap A B C D : plus (plus A B) (plus C D) = plus (plus A C) (plus B D).
Proof. exact (Sums.swap _ _ plus_assoc plus_comm A B C D). Qed.
Lemma times_minus k A : times (- k) A = minus (times k A).
Proof. exact (Sums.times_minus _ _ _ _ plus_assoc plus_comm plus_O plus_minus k A). Qed.

(* phi maps (x, y) to (beta x, y). *)
Lemma root_1_nz : root_1 <> zero Fp.
Proof. intros E. apply (f_equal value) in E. vm_compute in E. discriminate E. Qed.

Definition phi (A : curve) : curve := {| at_point := endomorphism Fp root_1 A;
  holds := proj2 (on_curve_right _) (endomorphism_on Fp b root_1 root_1_right A (on_b A)) |}.

Lemma phi_plus A B : phi (plus A B) = plus (phi A) (phi B).
Proof. apply curve_eq. exact (endomorphism_law Fp root_1 root_1_right root_1_nz A B). Qed.

Lemma phi_times k A : phi (times k A) = times k (phi A).
Proof.
  assert (M : forall A, phi (minus A) = minus (phi A)) by (intros B; apply curve_eq; cbn; destruct (at_point B); reflexivity).
  assert (T : forall m, phi (Sums.times_nat _ infinity plus m A) = Sums.times_nat _ infinity plus m (phi A)).
  { induction m as [|m IH]; cbn [Sums.times_nat]; [apply curve_eq; reflexivity|]. rewrite phi_plus, IH. reflexivity. }
  unfold Sums.times. destruct (k <? 0); rewrite ?M, T; reflexivity.
Qed.
Lemma generator_on : on_curve (P Fp g_x g_y) = true.
Proof. vm_compute. reflexivity. Qed.
Definition generator : curve := {| at_point := P Fp g_x g_y; holds := generator_on |}.

Lemma joint_right m : forall j k, 0 <= j < 2 ^ Z.of_nat m -> 0 <= k < 2 ^ Z.of_nat m ->
  jacobian Fp (joint m j k) = plus (times j generator) (times k (phi generator)).
Proof.
  induction m as [|m IH]; intros j k Hj Hk.
  - change (2 ^ Z.of_nat 0) with 1 in *. replace j with 0 by lia. replace k with 0 by lia. apply jacobian_O. reflexivity.
  - assert (H : forall i, 0 <= i < 2 ^ Z.of_nat (S m) -> 0 <= i / 2 < 2 ^ Z.of_nat m /\ i = i / 2 + i / 2 + Z.b2z (Z.odd i)).
    { intros i Hi. rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hi by lia. pose proof (Z.div_mod i 2 ltac:(lia)) as D. rewrite Zmod_odd in D.
      split; [split; [apply Z.div_pos|apply Z.div_lt_upper_bound]; lia|]. destruct (Z.odd i); cbn [Z.b2z]; lia. }
    destruct (H j Hj) as [Bj Ej]. destruct (H k Hk) as [Bk Ek]. clear H Hj Hk. specialize (IH _ _ Bj Bk).
    cbn [joint]. set (s := joint m (j / 2) (k / 2)) in *. set (A := plus _ _) in IH.
    assert (E : plus (times j generator) (times k (phi generator)) =
      plus (plus (plus A A) (times (Z.b2z (Z.odd j)) generator)) (times (Z.b2z (Z.odd k)) (phi generator))).
    { rewrite Ej at 1. rewrite Ek at 1. rewrite !times_add. unfold A. set (u := times (j / 2) _). set (v := times (k / 2) _).
      rewrite (swap (plus u u)), (swap u u v v). apply plus_assoc. }
    rewrite E. clear E.
    assert (D : jacobian Fp (twice Fp s) = plus A A) by (rewrite twice_is_law, IH; reflexivity).
    assert (M : forall s A (t : bool) (B : curve) x y, jacobian Fp s = at_point A -> at_point B = P Fp x y ->
      jacobian Fp (if t then AddMixedVartime s x y else s) = plus A (times (Z.b2z t) B)).
    { clear. intros s A t B x y E EB. destruct t; cbn [Z.b2z].
      - rewrite AddMixedVartime_is_law, E, times_1, <- EB. reflexivity.
      - rewrite E, (plus_comm A). change (times 0 B) with infinity. rewrite plus_O. reflexivity. }
    apply M; [apply M; [exact D|reflexivity]|reflexivity].
Qed.

Lemma relation : plus (times a generator) (times c (phi generator)) = infinity.
Proof.
  apply curve_eq. rewrite <- (joint_right 130) by (vm_compute; split; congruence). pose proof joint_O as E.
  destruct (joint 130 a c) as [[X Y] Z]. apply jacobian_O. apply fp_eq. exact E.
Qed.
Lemma generator_finite : generator <> infinity.
Proof. intros E. apply (f_equal at_point) in E. discriminate E. Qed.
Lemma phi_O : phi infinity = infinity.
Proof. apply curve_eq. reflexivity. Qed.

Lemma three_terms A : plus (phi A) (phi (phi A)) = minus A.
Proof.
  rewrite <- phi_plus. assert (E : plus A (phi A) = minus (phi (phi A))).
  { apply curve_eq. exact (endomorphism_sum Fp b no_order_2 root_1 root_1_right root_1_nz A (on_b A) three_nz). }
  rewrite E. apply curve_eq. cbn [phi minus at_point]. destruct (at_point A) as [|x y]; [reflexivity|]. cbn [opposite endomorphism]. f_equal.
  ring [root_1_right].
Qed.

(* The norm a^2 - a c + c^2 is n. *)
Theorem n_times_generator : times n generator = infinity.
Proof.
  set (G1 := phi generator). set (G2 := phi G1).
  assert (E2 : plus (times a G2) (times c generator) = infinity).
  { transitivity (phi (phi (plus (times a generator) (times c G1)))); [|unfold G1; rewrite relation, !phi_O; reflexivity].
    assert (Q : phi (phi G1) = generator).
    { assert (C : forall x : Fp, (root_1 * (root_1 * (root_1 * x)))%field = x) by (intros x; ring [root_1_right]).
      apply curve_eq. unfold G1. cbn [phi at_point generator endomorphism]. rewrite C. reflexivity. }
    rewrite !phi_plus, !phi_times, Q. reflexivity. }
  assert (F1 : times a (plus (times a generator) (times c G1)) = infinity) by (unfold G1; rewrite relation; apply times_O).
  assert (F2 : times c (plus (times a G2) (times c generator)) = infinity) by (rewrite E2; apply times_O).
  rewrite times_plus, <- !times_mul in F1, F2. rewrite (Z.mul_comm c a) in F2.
  replace n with (a * a + (- (a * c) + c * c)) by reflexivity. rewrite !times_add, times_minus.
  replace (minus (times (a * c) generator)) with (plus (times (a * c) G1) (times (a * c) G2)).
  - rewrite <- (plus_assoc (times (a * c) G1)), plus_assoc, F1, F2. apply plus_O.
  - rewrite <- times_plus. unfold G2, G1. rewrite three_terms, <- (times_1 generator), <- !times_minus, <- !times_mul. f_equal.
Qed.
Lemma order k : times k generator = infinity <-> k mod n = 0.
Proof. exact (Sums.order _ _ _ _ plus_assoc plus_comm plus_O plus_minus _ generator_finite n_times_generator k). Qed.
Lemma modulo k : times (k mod n) generator = times k generator.
Proof. exact (Sums.modulo _ _ _ _ plus_assoc plus_comm plus_O plus_minus _ generator_finite n_times_generator k). Qed.

(* If a point were no multiple of G, its opposite and the point plus all multiples of G would be 2 n more points. But an
   x coordinate has at most two points, so there are no more than 2 p + 1 points, which is less than 3 n. *)
Lemma pigeonhole (f : Z -> Z) a c : 0 <= c -> (forall i, 0 <= i < a -> 0 <= f i < c) ->
  (forall i j, 0 <= i < a -> 0 <= j < a -> f i = f j -> i = j) -> a <= c.
Proof.
  intros Hc R I. assert (N : forall l, (forall i, In i l -> 0 <= i < a) -> NoDup l -> NoDup (map f l)).
  { induction l as [|x l IH]; intros H N; [constructor|]. inversion N; subst. constructor.
    - intros M. apply in_map_iff in M. destruct M as (y & E & M). apply I in E; [congruence|apply H; right; exact M|apply H; left; reflexivity].
    - apply IH; auto. intros i M. apply H. right. exact M. }
  assert (In_ : forall i, In i (map Z.of_nat (seq 0 (Z.to_nat a))) -> 0 <= i < a).
  { intros i M. apply in_map_iff in M. destruct M as (k & <- & M). apply in_seq in M. lia. }
  specialize (N _ In_). assert (D : NoDup (map Z.of_nat (seq 0 (Z.to_nat a)))).
  { apply FinFun.Injective_map_NoDup; [intros i j; apply Nat2Z.inj|apply seq_NoDup]. }
  assert (L : incl (map f (map Z.of_nat (seq 0 (Z.to_nat a)))) (map Z.of_nat (seq 0 (Z.to_nat c)))).
  { intros y M. apply in_map_iff in M. destruct M as (i & <- & M). apply in_map_iff. exists (Z.to_nat (f i)).
    specialize (R i (In_ i M)). split; [lia|apply in_seq; lia]. }
  pose proof (NoDup_incl_length (N D) L) as Q. rewrite !map_length, !seq_length in Q. lia.
Qed.

Definition code (A : curve) : Z := match at_point A with Law.O _ => 2 * p | P _ x y => 2 * value x + Z.b2z (is_odd y) end.

Lemma value_range (x : Fp) : 0 <= value x < p.
Proof. rewrite <- (reduced_value x). apply Z.mod_pos_bound. reflexivity. Qed.
Lemma b2z_range t : 0 <= Z.b2z t <= 1.
Proof. destruct t; cbn; lia. Qed.

Lemma code_range A : 0 <= code A < 2 * p + 1.
Proof.
  unfold code. assert (0 < p) by reflexivity. destruct (at_point A) as [|x y]; [lia|].
  pose proof (value_range x). pose proof (b2z_range (is_odd y)). lia.
Qed.

Lemma code_inj A B : code A = code B -> A = B.
Proof.
  unfold code. intros E. apply curve_eq. pose proof (on_b A) as EA. pose proof (on_b B) as EB.
  destruct (at_point A) as [|x y], (at_point B) as [|x' y']; auto;
    [pose proof (value_range x'); pose proof (b2z_range (is_odd y')); lia|pose proof (value_range x); pose proof (b2z_range (is_odd y)); lia|].
  pose proof (b2z_range (is_odd y)). pose proof (b2z_range (is_odd y')).
  assert (X : x = x') by (apply fp_eq; lia). subst x'. f_equal. assert (S : is_odd y = is_odd y') by (apply Z.b2z_inj; lia).
  pose proof (y_nz Fp b no_order_2 x y' EB) as N. cbn [on] in EA, EB. rewrite <- EB in EA.
  destruct (roots _ _ EA) as [R|R]; [exact R|]. exfalso. rewrite R in S. unfold is_odd in S. rewrite parity in S by exact N.
  destruct (Z.odd (value y')); discriminate S.
Qed.

Lemma cancel A B C : plus A C = plus B C -> A = B.
Proof.
  intros E. rewrite <- (plus_O A), <- (plus_O B), <- (plus_minus C), (plus_comm C), <- !plus_assoc, !(plus_comm C), E. reflexivity.
Qed.

Lemma twice_finite A : times 2 A = infinity -> A = infinity.
Proof.
  intros E. apply (f_equal at_point) in E. change (times 2 A) with (plus A (plus A infinity)) in E. rewrite (plus_comm A infinity), plus_O in E.
  apply curve_eq. pose proof (on_b A) as EA. cbn [plus at_point infinity] in *. destruct (at_point A) as [|x y]; [reflexivity|].
  pose proof (y_nz Fp b no_order_2 x y EA). cbn [law] in E. destruct (dec x x); [|congruence]. destruct (dec y y); [|congruence].
  destruct (dec y 0%field); [contradiction|]. discriminate E.
Qed.

Lemma half_multiple A q : times 2 A = times q generator -> exists k, A = times k generator.
Proof.
  intros E. set (h := q * ((n + 1) / 2)). exists h. assert (H : times 2 (times h generator) = times q generator).
  { rewrite <- times_mul. replace (2 * h) with (q * n + q) by (unfold h; change ((n + 1) / 2 * 2 = n + 1) with True || assert ((n + 1) / 2 * 2 = n + 1) by reflexivity; nia).
    rewrite times_add, times_mul, n_times_generator, times_O. apply plus_O. }
  apply (cancel _ _ (minus (times h generator))). rewrite plus_minus. apply twice_finite.
  rewrite times_plus, E, <- H, <- times_plus, plus_minus. apply times_O.
Qed.

Theorem generated A : exists k, A = times k generator.
Proof.
  assert (D : forall m, (exists i, A = times (Z.of_nat i) generator) \/ forall i, (i < m)%nat -> A <> times (Z.of_nat i) generator).
  { induction m as [|m [H|H]]; [right; lia|auto|]. destruct (eq_dec A (times (Z.of_nat m) generator)) as [E|N]; [eauto|].
    right. intros i Hi. destruct (Nat.eq_dec i m) as [->|]; [exact N|apply H; lia]. }
  destruct (D (Z.to_nat n)) as [(i & E)|N]; [eauto|]. exfalso. assert (N' : forall k, A <> times k generator).
  { intros k. rewrite <- modulo. pose proof (Z.mod_pos_bound k n ltac:(reflexivity)). rewrite <- (Z2Nat.id (k mod n)) by lia. apply N. lia. }
  clear D N. assert (L : 2 * p + 1 < 3 * n) by reflexivity. assert (P0 : 0 < n) by reflexivity. assert (P1 : 0 < p) by reflexivity.
  enough (3 * n <= 2 * p + 1) by lia. clear L.
  apply (pigeonhole (fun i => code (plus (times (i / n - 1) A) (times (i mod n) generator)))); [lia|intros; apply code_range|].
  intros i j Hi Hj E. apply code_inj in E.
  assert (Q : forall i, 0 <= i < 3 * n -> 0 <= i / n < 3) by (intros x Hx; split; [apply Z.div_pos|apply Z.div_lt_upper_bound]; lia).
  apply Q in Hi, Hj. clear Q. pose proof (Z.div_mod i n ltac:(lia)) as Di. pose proof (Z.div_mod j n ltac:(lia)) as Dj.
  pose proof (Z.mod_pos_bound i n P0) as Mi. pose proof (Z.mod_pos_bound j n P0) as Mj.
  revert E Di Dj Mi Mj Hi Hj. generalize (i / n) (j / n) (i mod n) (j mod n). intros d e k l E Di Dj Mi Mj Hi Hj.
  assert (T : times (d - e) A = times (l - k) generator).
  { apply (cancel _ _ (plus (times (e - 1) A) (times k generator))). rewrite plus_assoc, <- times_add.
    replace (d - e + (e - 1)) with (d - 1) by ring. rewrite E, (plus_comm (times (e - 1) A) (times k generator)), plus_assoc, <- times_add.
    replace (l - k + k) with l by ring. apply plus_comm. }
  assert (C : d - e = 0 \/ d - e = 1 \/ d - e = -1 \/ d - e = 2 \/ d - e = -2) by lia. destruct C as [C|C].
  - rewrite C in T. symmetry in T. apply order, Z.mod_divide in T; [|lia]. destruct T as [q T].
    assert (q = 0) by nia. subst q. assert (d = e) by lia. subst e. lia.
  - exfalso. assert (Hq : exists q, times 2 A = times q generator).
    { destruct C as [C|[C|[C|C]]]; rewrite C in T;
      [exists (2 * (l - k))|exists (-2 * (l - k))|exists (l - k)|exists (-1 * (l - k))]; rewrite ?times_mul, <- T, <- ?times_mul; reflexivity. }
    destruct Hq as [q Eq]. destruct (half_multiple A q Eq) as [h Eh]. exact (N' h Eh).
Qed.

Theorem n_times A : times n A = infinity.
Proof.
  destruct (generated A) as [k ->]. rewrite <- times_mul, Z.mul_comm, times_mul, n_times_generator. apply times_O.
Qed.

(* (beta x, y) is lambda (x, y). *)
Theorem lambda_times A : times lambda A = phi A.
Proof.
  assert (E : times lambda generator = phi generator).
  { set (D := plus (phi generator) (minus (times lambda generator))).
    assert (C : times c D = infinity).
    { unfold D. rewrite times_plus, <- times_minus, <- times_mul.
      replace (times (c * - lambda) generator) with (times a generator).
      - rewrite plus_comm. exact relation.
      - rewrite <- (modulo a), <- (modulo (c * - lambda)). f_equal. }
    destruct (eq_dec D infinity) as [E|N].
    - symmetry. apply (cancel _ _ (minus (times lambda generator))). rewrite plus_minus. exact E.
    - exfalso. apply (Sums.order _ _ _ _ plus_assoc plus_comm plus_O plus_minus D N (n_times D)) in C. discriminate C. }
  destruct (generated A) as [k ->]. rewrite <- times_mul, Z.mul_comm, times_mul, E. symmetry. apply phi_times.
Qed.

(* The formulas that are right only in general compute lane_add, in all cases. So lane_add stands for them below. *)
Notation lane_add := (Lanes.lane_add curve infinity plus eq_dec).
Theorem lane_add_is_lane_law A B : at_point (lane_add A B) = lane_law Fp A B.
Proof.
  unfold Lanes.lane_add. destruct (eq_dec A infinity) as [->|NA]; [reflexivity|]. destruct (eq_dec B infinity) as [->|NB].
  - cbn [infinity at_point]. destruct (at_point A); reflexivity.
  - pose proof (on_b A) as EA. pose proof (on_b B) as EB. destruct (eq_dec A B) as [<-|N].
    + cbn [infinity at_point]. destruct (at_point A) as [|x y]; [reflexivity|]. cbn [lane_law]. destruct (dec x x); [reflexivity|congruence].
    + cbn [plus at_point]. assert (M : at_point A <> at_point B) by (intros E; apply N, curve_eq, E).
      assert (FA : at_point A <> Law.O Fp) by (intros E; apply NA, curve_eq, E). assert (FB : at_point B <> Law.O Fp) by (intros E; apply NB, curve_eq, E).
      destruct (at_point A) as [|x y], (at_point B) as [|x' y']; try congruence. cbn [lane_law]. destruct (dec x x') as [<-|]; [|reflexivity].
      rewrite law_same_x. destruct (dec y y') as [<-|]; [congruence|reflexivity].
Qed.

(* The point B that addMixed adds has affine coordinates, so it is never infinity. *)
Definition add_mixed (A B : curve) : curve := if eq_dec B infinity then A else lane_add A B.

Lemma add_mixed_right A B : A <> infinity -> A <> B -> A <> minus B -> add_mixed A B = plus A B.
Proof.
  intros NA N _. unfold add_mixed. destruct (eq_dec B infinity) as [->|NB].
  - rewrite plus_comm. symmetry. apply plus_O.
  - apply Lanes.lane_add_sum; assumption.
Qed.
Lemma lane_add_right A B : A <> infinity -> B <> infinity -> A <> B -> A <> minus B -> lane_add A B = plus A B.
Proof. intros. apply Lanes.lane_add_sum; assumption. Qed.

(* Every multiplication gives the product on secp256k1, for all scalars and points. *)
Section Products.
Let group {T} (f : (forall A B C, plus A (plus B C) = plus (plus A B) C) -> (forall A B, plus A B = plus B A) ->
  (forall A, plus infinity A = A) -> (forall A, plus A (minus A) = infinity) -> T) : T := f plus_assoc plus_comm plus_O plus_minus.

Theorem base_secp256k1 k : Sums.base curve infinity plus minus generator add_mixed k = times k generator.
Proof. exact (group (Sums.S11_base _ _ _ _) _ generator_finite n_times_generator _ add_mixed_right k). Qed.

Theorem variable_secp256k1 A k : A <> infinity -> Sums.variable curve infinity plus minus A add_mixed k = times k A.
Proof. intros N. exact (group (Sums.S13_variable _ _ _ _) _ N (n_times A) _ add_mixed_right k). Qed.

Theorem double_scalar_secp256k1 A k g : 0 <= k < n -> 0 <= g < n ->
  Sums.straus curve infinity plus minus 131 infinity
    [(A, Classes.naf_of 3 Tables.point_digit (Digits.k1 k, Digits.k2 k)); (generator, Classes.naf_of 8 Tables.generator_digit (Digits.k1 g, Digits.k2 g))] =
  plus (times k A) (times g generator).
Proof. exact (group (Sums.double_scalar _ _ _ _) _ generator_finite n_times_generator A k g (n_times A)). Qed.

Theorem shared_secp256k1 A k : 0 <= k < n ->
  Sums.straus curve infinity plus minus (Z.to_nat Sums.span) infinity
    (Sums.shared_terms curve infinity plus minus A (Classes.naf_of 3 Tables.point_digit (Digits.k1 k, Digits.k2 k))) = times k A.
Proof.
  intros Hk. destruct (Classes.S7_scalar k Hk) as (T & R & _). rewrite (group (Sums.shared_is_product _ _ _ _)).
  - rewrite <- (group (Sums.modulo_of _ _ _ _) A _ (n_times A)), T. reflexivity.
  - apply (Sums.apart_range 3 Tables.point_digit 130 _ ltac:(lia) 0 ltac:(lia)) in R. revert R. apply Forall_impl. intros t. unfold max_place. lia.
Qed.

Theorem precomputed_secp256k1 in_lanes m2 p2 m1 p1 m0 p0 :
  (in_lanes = true -> least_terms <= length (PublicLanes.entries curve infinity plus minus m2 p2 m1 p1 m0 p0))%nat ->
  let difference m p := Sums.difference curve infinity plus minus m p in
  PublicLanes.sum_precomputed_vartime curve infinity plus minus eq_dec in_lanes m2 p2 m1 p1 m0 p0 =
  plus (phi (phi (difference m2 p2))) (plus (phi (difference m1 p1)) (difference m0 p0)).
Proof.
  intros L. cbv zeta. rewrite (group (PublicLanes.precomputed_right _ _ _ _) eq_dec in_lanes m2 p2 m1 p1 m0 p0 L).
  rewrite times_mul, !lambda_times. reflexivity.
Qed.

Theorem lanes_base_secp256k1 k : 0 <= k < n ->
  Lanes.avoid curve minus Lanes.base_exception (Lanes.lanes_base curve infinity plus minus eq_dec generator) k = times k generator.
Proof. exact (group (Lanes.S11_lanes _ _ _ _) eq_dec _ generator_finite n_times_generator k). Qed.

Theorem lanes_base_one_secp256k1 k : 0 <= k < n ->
  Lanes.avoid curve minus Lanes.base_one_exception (Lanes.base_one curve infinity plus minus eq_dec generator) k = times k generator.
Proof. exact (group (Lanes.S21 _ _ _ _) eq_dec _ generator_finite n_times_generator k). Qed.

Theorem lanes_variable_secp256k1 A k : A <> infinity -> 0 <= k < n ->
  Lanes.avoid curve minus VariableLanes.variable_exception (VariableLanes.lanes_variable curve infinity plus minus eq_dec A) k = times k A.
Proof. intros N. exact (group (VariableLanes.S24 _ _ _ _) eq_dec A N (n_times A) k). Qed.

Theorem batch_item_secp256k1 lane A k g : 0 <= lane < 8 -> 0 <= k < n -> 0 <= g < n ->
  LanePlaces.batch_item curve infinity plus minus eq_dec lane A generator
    (Sums.straus curve infinity plus minus 131 infinity
      [(A, Classes.naf_of 3 Tables.point_digit (Digits.k1 k, Digits.k2 k)); (generator, Classes.naf_of 8 Tables.generator_digit (Digits.k1 g, Digits.k2 g))]) k g =
  plus (times k A) (times g generator).
Proof.
  intros Hl. exact (group (LanePlaces.batch_item_right _ _ _ _) eq_dec lane A generator k g Hl (n_times A) n_times_generator generator_finite).
Qed.

Theorem sums_secp256k1 lane l again : 0 <= lane < 8 -> Forall (fun t => 0 <= snd t < n) l ->
  again = LanePlaces.products curve infinity plus minus l ->
  Lanes.or_else curve infinity eq_dec (snd (LanePlaces.add_up_products curve infinity plus minus eq_dec 43 (true, infinity) lane
    (map (fun t => (fst t, LanePlaces.point_states (Digits.k1 (snd t), Digits.k2 (snd t)))) l))) again = LanePlaces.products curve infinity plus minus l.
Proof.
  intros Hl F. apply (group (LanePlaces.lanes_sums_again _ _ _ _) eq_dec lane l again Hl). revert F. apply Forall_impl. intros t. split; [apply n_times|assumption].
Qed.

(* Buckets, for each width. The contents of memory before the sum do not matter. *)
Variable memory : nat -> list curve.
Hypothesis memory_length : forall c, length (memory c) = c.
Variable stale : nat -> list nat.
Hypothesis stale_length : forall c, length (stale c) = c.
Let plus_right A B (_ : A <> infinity) (_ : B <> infinity) : plus A B = plus A B := eq_refl.

Theorem buckets_secp256k1 in_lanes k a : length k = length a -> Forall (fun k => 0 <= k < n) k -> Forall (fun A => A <> infinity) a ->
  let sum := Buckets.sum_of_products curve infinity plus minus eq_dec lane_add plus memory stale in
  let right s := s = ListSums.total curve infinity plus (map (fun kA => times (fst kA) (snd kA)) (combine k a)) in
  right (sum 3 window_entries_3 window_digits_3 window_pairs_3 window_max_3 44%nat in_lanes k a) /\
  right (sum 4 window_entries_4 window_digits_4 window_pairs_4 window_max_4 33%nat in_lanes k a) /\
  right (sum 5 window_entries_5 window_digits_5 window_pairs_5 window_max_5 26%nat in_lanes k a) /\
  right (sum 6 window_entries_6 window_digits_6 window_pairs_6 window_max_6 22%nat in_lanes k a).
Proof.
  intros L Fk Fa. cbv zeta. repeat split; apply group; intros H1 H2 H3 H4.
  - exact (Buckets.buckets_3 _ _ _ _ H1 H2 H3 H4 eq_dec n_times _ _ lane_add_right plus_right memory memory_length stale stale_length in_lanes k a L Fk Fa).
  - exact (Buckets.buckets_4 _ _ _ _ H1 H2 H3 H4 eq_dec n_times _ _ lane_add_right plus_right memory memory_length stale stale_length in_lanes k a L Fk Fa).
  - exact (Buckets.buckets_5 _ _ _ _ H1 H2 H3 H4 eq_dec n_times _ _ lane_add_right plus_right memory memory_length stale stale_length in_lanes k a L Fk Fa).
  - exact (Buckets.buckets_6 _ _ _ _ H1 H2 H3 H4 eq_dec n_times _ _ lane_add_right plus_right memory memory_length stale stale_length in_lanes k a L Fk Fa).
Qed.
End Products.
