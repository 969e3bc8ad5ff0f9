(* Odd digits, the split of scalars, and digits in Z[lambda] (docs/digits.md), over the integers, for the code of
   internal/recode and internal/scalar. *)
Require Import ZArith Lia List Bool Constants.
Import ListNotations.
Open Scope Z_scope.

(* Digits of w bits from the lowest place on. *)
Fixpoint sum (w : Z) (d : list Z) : Z := match d with [] => 0 | x :: d => x + 2 ^ w * sum w d end.

(* Odd digits: a window b of w bits stands for 2b - (2^w - 1). *)
Fixpoint windows (w : Z) (k : nat) (m : Z) : list Z :=
  match k with O => [] | S k => (2 * (m mod 2 ^ w) - (2 ^ w - 1)) :: windows w k (m / 2 ^ w) end.

Lemma pow_pos w : 0 <= w -> 0 < 2 ^ w.
Proof. intros. apply Z.pow_pos_nonneg; lia. Qed.

Theorem S10_sum w k : 0 < w -> forall m, 0 <= m < 2 ^ (w * Z.of_nat k) ->
  sum w (windows w k m) = 2 * m - (2 ^ (w * Z.of_nat k) - 1).
Proof.
  intros Hw. induction k as [|k IH]; intros m Hm.
  - replace (w * Z.of_nat 0) with 0 in * by lia. change (2 ^ 0) with 1 in *. cbn [sum windows]. lia.
  - cbn [sum windows]. pose proof (pow_pos w ltac:(lia)) as P.
    assert (E : 2 ^ (w * Z.of_nat (S k)) = 2 ^ w * 2 ^ (w * Z.of_nat k)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    rewrite E in *. rewrite IH.
    + pose proof (Z.div_mod m (2 ^ w) ltac:(lia)). lia.
    + split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia].
Qed.

Theorem S10_odd w k m : 0 < w -> Forall (fun d => Z.odd d = true /\ Z.abs d < 2 ^ w) (windows w k m).
Proof.
  intros Hw. revert m. induction k as [|k IH]; intros m; cbn [windows]; constructor; auto.
  pose proof (pow_pos w ltac:(lia)). pose proof (Z.mod_pos_bound m (2 ^ w) ltac:(lia)). split; [|lia].
  replace (2 * (m mod 2 ^ w) - (2 ^ w - 1)) with (1 + 2 * (m mod 2 ^ w - 2 ^ (w - 1))).
  - now rewrite Z.odd_add_mul_2.
  - replace (2 ^ w) with (2 * 2 ^ (w - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia). lia.
Qed.

(* Half of x modulo n, as scalar.Half computes it. *)
Definition half (x : Z) := (if Z.even x then x / 2 else (x + n) / 2) mod n.

Lemma half_right x : (2 * half x) mod n = x mod n.
Proof.
  unfold half. rewrite Zmult_mod_idemp_r. destruct (Z.even x) eqn:E.
  - apply Z.even_spec in E. destruct E as [q ->]. rewrite (Z.mul_comm 2 q), Z.div_mul by discriminate. f_equal. lia.
  - assert (O : Z.even (x + n) = true) by (rewrite Z.even_add, E; reflexivity).
    apply Z.even_spec in O. destruct O as [q E2]. rewrite E2, (Z.mul_comm 2 q), Z.div_mul by discriminate.
    replace (2 * q) with (x + 1 * n) by lia. apply Z.mod_add. discriminate.
Qed.

Lemma half_range x : 0 <= half x < n.
Proof. apply Z.mod_pos_bound. reflexivity. Qed.

(* internal/recode/odd.go
const offset258 = (1<<(BaseWidth*BaseDigits) - 1) % params.N
*)
Definition offset258 := (2 ^ (base_width * Z.of_nat base_places) - 1) mod n.

(* internal/recode/odd.go
const offset259 = (1<<(LanesWidth*LanesDigits) - 1) % params.N
*)
Definition offset259 := (2 ^ (lanes_width * Z.of_nat lanes_places) - 1) mod n.

(* internal/recode/odd.go
func Base(k *scalar.Scalar) Odd {
	// Solve 2b − (2²⁵⁸ − 1) ≡ k modulo n. Because b < n < 2²⁵⁶, the two highest of the 258 bits are 0.
	var b scalar.Scalar
	b.Add(k, &baseOffset).Half(&b)
	return b.Limbs()
}
*)
Definition base_digits (k : Z) := windows base_width base_places (half (k + offset258)).

(* internal/recode/odd.go
func Lanes(k *scalar.Scalar) Odd {
	// Solve 2b − (2²⁵⁹ − 1) ≡ k modulo n.
	var b scalar.Scalar
	b.Add(k, &lanesOffset).Half(&b)
	return b.Limbs()
}
*)
Definition lanes_digits (k : Z) := windows lanes_width lanes_places (half (k + offset259)).

Lemma odd_right w c off k : 0 < w -> n <= 2 ^ (w * Z.of_nat c) -> off = (2 ^ (w * Z.of_nat c) - 1) mod n ->
  sum w (windows w c (half (k + off))) mod n = k mod n.
Proof.
  intros Hw Hn ->. rewrite S10_sum; [|exact Hw|pose proof (half_range (k + (2 ^ (w * Z.of_nat c) - 1) mod n)); lia].
  set (m := 2 ^ (w * Z.of_nat c) - 1). rewrite Zminus_mod, half_right, <- Zminus_mod.
  rewrite <- Zminus_mod_idemp_l, Zplus_mod_idemp_r, Zminus_mod_idemp_l. f_equal. lia.
Qed.

Theorem S10_base k : sum base_width (base_digits k) mod n = k mod n /\ length (base_digits k) = base_places.
Proof.
  split; [|reflexivity]. apply odd_right; [reflexivity| |reflexivity]. vm_compute. discriminate.
Qed.

Theorem S10_lanes k : sum lanes_width (lanes_digits k) mod n = k mod n /\ length (lanes_digits k) = lanes_places.
Proof.
  split; [|reflexivity]. apply odd_right; [reflexivity| |reflexivity]. vm_compute. discriminate.
Qed.

(* The split into halves with k1 + k2 lambda = v modulo n, rounded as in the code. *)
(* internal/scalar/split.go
func (v *Scalar) Split() (k1, k2 Signed128) {
	q1lo, q1hi := mulShift384(v, &g1)
	q2lo, q2hi := mulShift384(v, &g2)

	// k1 and k2 fit in 128 bits and a sign, so it is enough to compute all terms modulo 2¹⁹². k1 = v − q1·a1 − q2·a2,
	// where a2 = 2¹²⁸ + (a2hi, a2lo).
	t0, t1, t2 := mul2x2(q1lo, q1hi, a1lo, a1hi)
	r0, cy := bits.Sub64(v.l0, t0, 0)
	r1, cy := bits.Sub64(v.l1, t1, cy)
	r2, _ := bits.Sub64(v.l2, t2, cy)
	t0, t1, t2 = mul2x2(q2lo, q2hi, a2lo, a2hi)
	r0, cy = bits.Sub64(r0, t0, 0)
	r1, cy = bits.Sub64(r1, t1, cy)
	r2, _ = bits.Sub64(r2, t2+q2lo, cy)
	k1 = signed(r0, r1, r2)

	// k2 = −q1·b1 − q2·b2 = q1·m1 − q2·a1.
	r0, r1, r2 = mul2x2(q1lo, q1hi, m1lo, m1hi)
	t0, t1, t2 = mul2x2(q2lo, q2hi, a1lo, a1hi)
	r0, cy = bits.Sub64(r0, t0, 0)
	r1, cy = bits.Sub64(r1, t1, cy)
	r2, _ = bits.Sub64(r2, t2, cy)
	return k1, signed(r0, r1, r2)
}
*)
Definition round384 (x : Z) := (x + 2 ^ 383) / 2 ^ 384.
Definition a1 := A1.
Definition m1 := - B1.
Definition a2 := a1 + m1.
Definition q1 v := round384 (v * g1).
Definition q2 v := round384 (v * g2).
Definition k1 v := v - q1 v * a1 - q2 v * a2.
Definition k2 v := q1 v * m1 - q2 v * a1.

Theorem split_right v : (k1 v + k2 v * lambda) mod n = v mod n.
Proof.
  replace (k1 v + k2 v * lambda) with
    (v + (- q1 v * ((a1 - m1 * lambda) / n) - q2 v * ((a2 + a1 * lambda) / n)) * n).
  - apply Z.mod_add. discriminate.
  - assert (E1 : (a1 - m1 * lambda) / n * n = a1 - m1 * lambda) by (vm_compute; reflexivity).
    assert (E2 : (a2 + a1 * lambda) / n * n = a2 + a1 * lambda) by (vm_compute; reflexivity).
    unfold k1, k2. rewrite Z.mul_sub_distr_r, <- !Z.mul_assoc, E1, E2. ring.
Qed.

Lemma round_error x : Z.abs (round384 x * 2 ^ 384 - x) <= 2 ^ 383.
Proof.
  unfold round384. pose proof (Z.div_mod (x + 2 ^ 383) (2 ^ 384) ltac:(discriminate)).
  pose proof (Z.mod_pos_bound (x + 2 ^ 383) (2 ^ 384) ltac:(reflexivity)).
  change (2 ^ 384) with (2 * 2 ^ 383) in *. lia.
Qed.

(* A bound for the errors of rounding, times n: n/2 + n 2^-129, and 2 more. *)
Definition worst := n / 2 + n / 2 ^ 129 + 2.
Definition e1 v := v * a1 - q1 v * n.
Definition e2 v := v * m1 - q2 v * n.

Lemma error v a g : 0 <= v < n -> Z.abs (g * n - a * 2 ^ 384) <= n / 2 + 1 ->
  Z.abs (v * a - round384 (v * g) * n) <= worst.
Proof.
  intros Hv Hg. pose proof (round_error (v * g)) as R. set (q := round384 (v * g)) in *.
  assert (A : Z.abs ((v * a - q * n) * 2 ^ 384) <= 2 ^ 383 * n + n * (n / 2 + 1)).
  { replace ((v * a - q * n) * 2 ^ 384) with (- (q * 2 ^ 384 - v * g) * n - v * (g * n - a * 2 ^ 384)) by ring.
    assert (H1 : Z.abs (- (q * 2 ^ 384 - v * g) * n) <= 2 ^ 383 * n).
    { rewrite Z.abs_mul, Z.abs_opp, (Z.abs_eq n) by (vm_compute; discriminate). apply Z.mul_le_mono_nonneg_r; [vm_compute; discriminate|exact R]. }
    assert (H2 : Z.abs (v * (g * n - a * 2 ^ 384)) <= n * (n / 2 + 1)).
    { rewrite Z.abs_mul, (Z.abs_eq v) by lia. apply Z.mul_le_mono_nonneg; lia. }
    lia. }
  rewrite Z.abs_mul, (Z.abs_eq (2 ^ 384)) in A by (vm_compute; discriminate).
  assert (W : 2 ^ 383 * n + n * (n / 2 + 1) < (worst + 1) * 2 ^ 384) by (vm_compute; reflexivity).
  assert (P : 0 < 2 ^ 384) by reflexivity. nia.
Qed.

Lemma e1_bound v : 0 <= v < n -> Z.abs (e1 v) <= worst.
Proof. intros H. apply error; [exact H|]. vm_compute. discriminate. Qed.

Lemma e2_bound v : 0 <= v < n -> Z.abs (e2 v) <= worst.
Proof. intros H. apply error; [exact H|]. vm_compute. discriminate. Qed.

Lemma determinant : n = a1 * a1 + m1 * a2.
Proof. vm_compute. reflexivity. Qed.

Lemma k1_form v : n * k1 v = e1 v * a1 + e2 v * a2.
Proof. unfold k1, e1, e2. rewrite determinant at 1. rewrite (Z.mul_comm (a1 * a1 + m1 * a2)). 
  replace ((v * a1 - q1 v * n) * a1 + (v * m1 - q2 v * n) * a2) with (v * (a1 * a1 + m1 * a2) - (q1 v * a1 + q2 v * a2) * n) by ring.
  rewrite <- determinant. ring. Qed.

Lemma k2_form v : n * k2 v = - e1 v * m1 + e2 v * a1.
Proof. unfold k2, e1, e2. ring. Qed.

(* M z is 2 ||z|| of docs/digits.md. The numbers of Z[lambda] with M <= h fill a hexagon. *)
Definition M (z : Z * Z) :=
  let '(a, b) := z in Z.max (Z.abs (2 * a - b)) (Z.max (Z.abs (a + b)) (Z.abs (a - 2 * b))).
Definition N (z : Z * Z) := let '(a, b) := z in a * a - a * b + b * b.

Theorem S5 z : z <> (0, 0) -> 2 <= M z.
Proof. destruct z as [a b]. unfold M. intros E. assert (a <> 0 \/ b <> 0) by (destruct (Z.eq_dec a 0); destruct (Z.eq_dec b 0); subst; tauto || lia). lia. Qed.

Lemma M_parts a b : Z.abs (2 * a - b) <= M (a, b) /\ Z.abs (a + b) <= M (a, b) /\ Z.abs (a - 2 * b) <= M (a, b).
Proof.
  unfold M. set (x := Z.abs (2 * a - b)). set (y := Z.abs (a + b)). set (z := Z.abs (a - 2 * b)).
  pose proof (Z.le_max_l x (Z.max y z)). pose proof (Z.le_max_r x (Z.max y z)).
  pose proof (Z.le_max_l y z). pose proof (Z.le_max_r y z). lia.
Qed.

Lemma M_cases (Pr : Z -> Prop) a b :
  Pr (Z.abs (2 * a - b)) -> Pr (Z.abs (a + b)) -> Pr (Z.abs (a - 2 * b)) -> Pr (M (a, b)).
Proof.
  intros. unfold M. destruct (Z.max_dec (Z.abs (a + b)) (Z.abs (a - 2 * b))) as [-> | ->];
  match goal with |- Pr (Z.max ?x ?y) => destruct (Z.max_dec x y) as [-> | ->] end; assumption.
Qed.

Lemma M_double a b : M (2 * a, 2 * b) = 2 * M (a, b).
Proof.
  unfold M. replace (2 * (2 * a) - 2 * b) with (2 * (2 * a - b)) by ring. replace (2 * a + 2 * b) with (2 * (a + b)) by ring.
  replace (2 * a - 2 * (2 * b)) with (2 * (a - 2 * b)) by ring. rewrite !Z.abs_mul. change (Z.abs 2) with 2.
  rewrite !Z.mul_max_distr_nonneg_l by lia. reflexivity.
Qed.

Lemma combine v (x y c : Z) : 0 <= v < n -> worst * (Z.abs x + Z.abs y) < n * c -> Z.abs (e1 v * x + e2 v * y) < n * c.
Proof.
  intros H L. pose proof (e1_bound v H). pose proof (e2_bound v H).
  assert (Z.abs (e1 v * x) <= worst * Z.abs x) by (rewrite Z.abs_mul; apply Z.mul_le_mono_nonneg_r; lia).
  assert (Z.abs (e2 v * y) <= worst * Z.abs y) by (rewrite Z.abs_mul; apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma cancel_n x c : Z.abs (n * x) < n * c -> Z.abs x < c.
Proof. rewrite Z.abs_mul, (Z.abs_eq n) by (vm_compute; discriminate). apply Z.mul_lt_mono_pos_l. reflexivity. Qed.

Theorem split_bounds v : 0 <= v < n -> Z.abs (k1 v) < 2 ^ 128 /\ Z.abs (k2 v) < 2 ^ 128.
Proof.
  intros H. split; apply cancel_n.
  - rewrite k1_form. apply combine; [exact H|reflexivity].
  - rewrite k2_form. replace (- e1 v * m1 + e2 v * a1) with (e1 v * (- m1) + e2 v * a1) by ring.
    apply combine; [exact H|reflexivity].
Qed.

(* S6 in terms of M: M (k1, k2) <= 1.63 2^128. *)
Definition scalar_bound := 163 * 2 ^ 128 / 100.

Theorem S6_hexagon v : 0 <= v < n -> M (k1 v, k2 v) <= scalar_bound.
Proof.
  intros H. unfold M. assert (A : Z.abs (2 * k1 v - k2 v) < scalar_bound /\ Z.abs (k1 v + k2 v) < scalar_bound /\
    Z.abs (k1 v - 2 * k2 v) < scalar_bound); [|lia].
  split; [|split]; apply cancel_n.
  - replace (n * (2 * k1 v - k2 v)) with (2 * (n * k1 v) - n * k2 v) by ring. rewrite k1_form, k2_form.
    replace (2 * (e1 v * a1 + e2 v * a2) - (- e1 v * m1 + e2 v * a1)) with (e1 v * (2 * a1 + m1) + e2 v * (2 * a2 - a1)) by ring.
    apply combine; [exact H|reflexivity].
  - replace (n * (k1 v + k2 v)) with (n * k1 v + n * k2 v) by ring. rewrite k1_form, k2_form.
    replace (e1 v * a1 + e2 v * a2 + (- e1 v * m1 + e2 v * a1)) with (e1 v * (a1 - m1) + e2 v * (a2 + a1)) by ring.
    apply combine; [exact H|reflexivity].
  - replace (n * (k1 v - 2 * k2 v)) with (n * k1 v - 2 * (n * k2 v)) by ring. rewrite k1_form, k2_form.
    replace (e1 v * a1 + e2 v * a2 - 2 * (- e1 v * m1 + e2 v * a1)) with (e1 v * (a1 + 2 * m1) + e2 v * (a2 - 2 * a1)) by ring.
    apply combine; [exact H|reflexivity].
Qed.

Theorem S6 v : 0 <= v < n -> 10000 * N (k1 v, k2 v) < 7501 * n.
Proof.
  intros H. assert (E : n * N (k1 v, k2 v) = e1 v * e1 v + e1 v * e2 v + e2 v * e2 v).
  { apply Z.mul_reg_l with n; [discriminate|].
    replace (n * (n * N (k1 v, k2 v))) with (n * k1 v * (n * k1 v) - n * k1 v * (n * k2 v) + n * k2 v * (n * k2 v)) by (unfold N; ring).
    rewrite k1_form, k2_form. rewrite determinant. unfold a2. ring. }
  pose proof (e1_bound v H). pose proof (e2_bound v H).
  assert (W : 0 <= worst) by (vm_compute; discriminate).
  assert (B : e1 v * e1 v + e1 v * e2 v + e2 v * e2 v <= 3 * (worst * worst)).
  { assert (S : forall x y, Z.abs x <= worst -> Z.abs y <= worst -> x * y <= worst * worst).
    { intros x y Hx Hy. apply Z.le_trans with (Z.abs x * Z.abs y); [rewrite <- Z.abs_mul; lia|].
      apply Z.mul_le_mono_nonneg; lia. }
    pose proof (S _ _ H0 H0). pose proof (S _ _ H0 H1). pose proof (S _ _ H1 H1). lia. }
  apply Z.mul_lt_mono_pos_l with n; [reflexivity|].
  replace (n * (10000 * N (k1 v, k2 v))) with (10000 * (n * N (k1 v, k2 v))) by ring. rewrite E.
  apply Z.le_lt_trans with (10000 * (3 * (worst * worst))); [lia|reflexivity].
Qed.

(* S12. The odd digits of both halves, for the product of a scalar and any point. *)
(* internal/recode/odd.go
const offset130 = (1<<130 - 1<<129 - 1) * (1 + params.Lambda) % params.N
*)
Definition offset130 := (2 ^ 130 - 2 ^ 129 - 1) * (1 + lambda) mod n.

(* internal/recode/odd.go
func Variable(k *scalar.Scalar) (k1, k2 Odd) {
	// Split s = (k + (2¹³⁰ − 2¹²⁹ − 1)·(1 + λ))/2 into s1 + s2·λ. As |sᵢ| < 2¹²⁸, bᵢ = sᵢ + 2¹²⁸ is positive and below
	// 2¹²⁹, so its 130 bits stand for kᵢ = 2bᵢ − (2¹³⁰ − 1) = 2sᵢ + 2¹²⁹ − 2¹³⁰ + 1. Then k1 + k2·λ = 2s − (2¹³⁰ − 2¹²⁹
	// − 1)·(1 + λ) ≡ k (S12; the idea is from libsecp256k1's ecmult_const_impl.h).
	var s scalar.Scalar
	s.Add(k, &variableOffset).Half(&s)
	s1, s2 := s.Split()
	return offset128(&s1), offset128(&s2)
}
*)
Definition half_of k := half (k + offset130).
Definition variable_digits k :=
  (windows variable_width variable_places (k1 (half_of k) + 2 ^ 128),
   windows variable_width variable_places (k2 (half_of k) + 2 ^ 128)).

Theorem S12 k : let '(d1, d2) := variable_digits k in
  (sum variable_width d1 + sum variable_width d2 * lambda) mod n = k mod n /\
  length d1 = variable_places /\ length d2 = variable_places.
Proof.
  unfold variable_digits. split; [|split; reflexivity].
  pose proof (half_range (k + (2 ^ 130 - 2 ^ 129 - 1) * (1 + lambda) mod n)) as R. change (half _) with (half_of k) in R.
  pose proof (split_bounds _ R) as [B1' B2']. pose proof (split_right (half_of k)) as S.
  assert (P : 2 ^ (variable_width * Z.of_nat variable_places) = 4 * 2 ^ 128) by reflexivity.
  rewrite !S10_sum, P by (try reflexivity; rewrite P; lia). 
  set (s1 := k1 (half_of k)) in *. set (s2 := k2 (half_of k)) in *. set (off := (2 ^ 130 - 2 ^ 129 - 1) * (1 + lambda)).
  replace (2 * (s1 + 2 ^ 128) - (4 * 2 ^ 128 - 1) + (2 * (s2 + 2 ^ 128) - (4 * 2 ^ 128 - 1)) * lambda)
    with (2 * (s1 + s2 * lambda) - off) by (unfold off; ring).
  rewrite <- Zminus_mod_idemp_l, <- Zmult_mod_idemp_r, S, Zmult_mod_idemp_r. unfold half_of. rewrite half_right.
  unfold offset130. fold off. rewrite <- Zminus_mod_idemp_l, Zmod_mod, Zminus_mod_idemp_l. rewrite Zminus_mod, Zplus_mod_idemp_r, <- Zminus_mod. f_equal. ring.
Qed.

(* A digit from Z[lambda] depends only on the class of the number modulo 2^w. *)
Section Classes.
Variable w : Z.
Variable H : Z.
Variable digit : Z * Z -> Z * Z.
Hypothesis w_pos : 0 < w.
Definition rest (z : Z * Z) := ((fst z - fst (digit z)) / 2 ^ w, (snd z - snd (digit z)) / 2 ^ w).
Definition congruent (z : Z * Z) := (fst z - fst (digit z)) mod 2 ^ w = 0 /\ (snd z - snd (digit z)) mod 2 ^ w = 0.

Lemma rest_right z : congruent z ->
  fst z = fst (digit z) + 2 ^ w * fst (rest z) /\ snd z = snd (digit z) + 2 ^ w * snd (rest z).
Proof.
  pose proof (pow_pos w ltac:(lia)). intros [E1 E2]. unfold rest. cbn [fst snd].
  pose proof (Z.div_mod (fst z - fst (digit z)) (2 ^ w) ltac:(lia)).
  pose proof (Z.div_mod (snd z - snd (digit z)) (2 ^ w) ltac:(lia)). lia.
Qed.

Lemma rest_M z : congruent z -> M (digit z) <= H -> 2 ^ w * M (rest z) <= M z + H.
Proof.
  intros C B. destruct (rest_right z C) as [E1 E2]. pose proof (pow_pos w ltac:(lia)) as P.
  destruct z as [x y]. destruct (digit (x, y)) as [u v]. destruct (rest (x, y)) as [r s]. cbn [fst snd] in *.
  destruct (M_parts x y) as (A1' & A2' & A3'). destruct (M_parts u v) as (B1' & B2' & B3').
  apply (M_cases (fun m => 2 ^ w * m <= M (x, y) + H)); rewrite <- (Z.abs_eq (2 ^ w)) at 1 by lia; rewrite <- Z.abs_mul.
  - replace (2 ^ w * (2 * r - s)) with ((2 * x - y) - (2 * u - v)) by (rewrite E1, E2; ring). lia.
  - replace (2 ^ w * (r + s)) with ((x + y) - (u + v)) by (rewrite E1, E2; ring). lia.
  - replace (2 ^ w * (r - 2 * s)) with ((x - 2 * y) - (u - 2 * v)) by (rewrite E1, E2; ring). lia.
Qed.

(* One digit at every w-th place. *)
Fixpoint places (c : nat) (z : Z * Z) : list (Z * Z) * (Z * Z) :=
  match c with
  | O => ([], z)
  | S c => let '(d, r) := places c (rest z) in (digit z :: d, r)
  end.

Theorem places_right (every : forall z, congruent z) c : forall z, let '(d, r) := places c z in
  length d = c /\
  fst z = sum w (map fst d) + 2 ^ (w * Z.of_nat c) * fst r /\ snd z = sum w (map snd d) + 2 ^ (w * Z.of_nat c) * snd r.
Proof.
  induction c as [|c IH]; intros z.
  - replace (w * Z.of_nat 0) with 0 by lia. cbn [places map sum length]. lia.
  - cbn [places]. specialize (IH (rest z)). destruct (places c (rest z)) as [d r]. destruct IH as (L & E1 & E2).
    destruct (rest_right z (every z)) as [R1 R2]. cbn [map sum length].
    assert (E : 2 ^ (w * Z.of_nat (S c)) = 2 ^ w * 2 ^ (w * Z.of_nat c)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    rewrite E. split; [lia|]. split.
    + rewrite R1 at 1. rewrite E1. ring.
    + rewrite R2 at 1. rewrite E2. ring.
Qed.

Theorem places_bound (every : forall z, congruent z) (bound : forall z, M (digit z) <= H) c : forall z,
  (2 ^ w - 1) * (2 ^ (w * Z.of_nat c) * M (snd (places c z))) <= (2 ^ w - 1) * M z + (2 ^ (w * Z.of_nat c) - 1) * H.
Proof.
  pose proof (pow_pos w ltac:(lia)) as P. induction c as [|c IH]; intros z.
  - replace (w * Z.of_nat 0) with 0 by lia. cbn [places snd]. change (2 ^ 0) with 1. lia.
  - cbn [places]. specialize (IH (rest z)). destruct (places c (rest z)) as [d r]. cbn [snd] in *.
    pose proof (rest_M z (every z) (bound z)) as R.
    assert (E : 2 ^ (w * Z.of_nat (S c)) = 2 ^ w * 2 ^ (w * Z.of_nat c)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    rewrite E. set (W := 2 ^ w) in *. set (C := 2 ^ (w * Z.of_nat c)) in *.
    assert (A : W * ((W - 1) * (C * M r)) <= W * ((W - 1) * M (rest z) + (C - 1) * H)) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (B : (W - 1) * (W * M (rest z)) <= (W - 1) * (M z + H)) by (apply Z.mul_le_mono_nonneg_l; lia).
    lia.
Qed.

(* Digits at places at least w apart, found in the same order as in the code, which skips zeros and then takes the
   digit of the class. Only a class that 2 does not divide has a digit. *)
Definition odd_class (z : Z * Z) := Z.odd (fst z) || Z.odd (snd z).

Fixpoint naf (fuel : nat) (at_ : Z) (z : Z * Z) : list (Z * (Z * Z)) :=
  match fuel with
  | O => []
  | S fuel =>
      if (fst z =? 0) && (snd z =? 0) then [] else
      if odd_class z then (at_, digit z) :: naf fuel (at_ + w) (rest z)
      else naf fuel (at_ + 1) (fst z / 2, snd z / 2)
  end.
Fixpoint value (part : Z * Z -> Z) (d : list (Z * (Z * Z))) : Z :=
  match d with [] => 0 | (i, u) :: d => 2 ^ i * part u + value part d end.

Variable top : Z. (* a place that no digit reaches *)
Variable M0 : Z.
Hypothesis top_high : forall i, top <= i -> (2 ^ w - 1) * M0 + 2 ^ i * H < 2 ^ i * ((2 ^ w - 1) * 2).
Hypothesis naf_congruent : forall z, odd_class z = true -> congruent z.
Hypothesis naf_bound : forall z, odd_class z = true -> M (digit z) <= H.
Hypothesis H_pos : 0 <= H.

Fixpoint apart (from : Z) (d : list (Z * (Z * Z))) : Prop :=
  match d with [] => True | (i, u) :: d => from <= i < top /\ (exists z, odd_class z = true /\ u = digit z) /\ apart (i + w) d end.

Lemma apart_less from from' d : from <= from' -> apart from' d -> apart from d.
Proof. destruct d as [|[i u] d]; simpl; intuition lia. Qed.

Theorem naf_right fuel : forall i z, 0 <= i -> top <= i + Z.of_nat fuel ->
  (2 ^ w - 1) * (2 ^ i * M z) <= (2 ^ w - 1) * M0 + 2 ^ i * H ->
  value fst (naf fuel i z) = 2 ^ i * fst z /\ value snd (naf fuel i z) = 2 ^ i * snd z /\ apart i (naf fuel i z).
Proof.
  pose proof (pow_pos w ltac:(lia)) as P. induction fuel as [|fuel IH]; intros i z Hi Hf B.
  - assert (E : z = (0, 0)).
    { destruct (Z.eq_dec (fst z) 0) as [E1|N1]; [destruct (Z.eq_dec (snd z) 0) as [E2|N2]|].
      - destruct z; cbn in *; congruence.
      - exfalso. assert (Nz : z <> (0, 0)) by (intros ->; cbn in N2; lia). pose proof (S5 z Nz). pose proof (top_high i ltac:(lia)).
        pose proof (pow_pos i Hi). assert ((2 ^ w - 1) * (2 ^ i * 2) <= (2 ^ w - 1) * (2 ^ i * M z)).
        { apply Z.mul_le_mono_nonneg_l; [lia|]. apply Z.mul_le_mono_nonneg_l; lia. } lia.
      - exfalso. assert (Nz : z <> (0, 0)) by (intros ->; cbn in N1; lia). pose proof (S5 z Nz). pose proof (top_high i ltac:(lia)).
        pose proof (pow_pos i Hi). assert ((2 ^ w - 1) * (2 ^ i * 2) <= (2 ^ w - 1) * (2 ^ i * M z)).
        { apply Z.mul_le_mono_nonneg_l; [lia|]. apply Z.mul_le_mono_nonneg_l; lia. } lia. }
    rewrite E. cbn [naf value apart fst snd]. rewrite Z.mul_0_r. auto.
  - cbn [naf]. destruct ((fst z =? 0) && (snd z =? 0)) eqn:E0.
    { apply andb_prop in E0. destruct E0 as [E1 E2]. apply Z.eqb_eq in E1. apply Z.eqb_eq in E2.
      rewrite E1, E2. cbn [value apart]. rewrite Z.mul_0_r. auto. }
    assert (Nz : z <> (0, 0)) by (intros ->; discriminate E0). pose proof (pow_pos i Hi) as Pi.
    assert (Ti : i < top).
    { destruct (Z_lt_ge_dec i top) as [|G]; [assumption|exfalso]. pose proof (S5 z Nz). pose proof (top_high i ltac:(lia)).
      assert ((2 ^ w - 1) * (2 ^ i * 2) <= (2 ^ w - 1) * (2 ^ i * M z)).
      { apply Z.mul_le_mono_nonneg_l; [lia|]. apply Z.mul_le_mono_nonneg_l; lia. } lia. }
    destruct (odd_class z) eqn:O.
    + pose proof (naf_congruent z O) as C. destruct (rest_right z C) as [R1 R2].
      pose proof (rest_M z C (naf_bound z O)) as RM.
      assert (Ew : 2 ^ (i + w) = 2 ^ i * 2 ^ w) by (apply Z.pow_add_r; lia).
      destruct (IH (i + w) (rest z)) as (V1 & V2 & A); [lia|lia| |].
      { rewrite Ew. set (W := 2 ^ w) in *. set (I := 2 ^ i) in *.
        assert ((W - 1) * (I * (W * M (rest z))) <= (W - 1) * (I * (M z + H))).
        { apply Z.mul_le_mono_nonneg_l; [lia|]. apply Z.mul_le_mono_nonneg_l; lia. } lia. }
      cbn [value apart]. rewrite V1, V2, Ew. split; [|split; [|split; [|split]]].
      * rewrite R1. ring.
      * rewrite R2. ring.
      * lia.
      * exists z. auto.
      * exact A.
    + unfold odd_class in O. apply orb_false_elim in O. destruct O as [O1 O2]. destruct z as [x y]. cbn [fst snd] in *.
      assert (X : x = 2 * (x / 2)).
      { rewrite <- Z.negb_even in O1. apply negb_false_iff in O1. apply Z.even_spec in O1. destruct O1 as [q ->].
        rewrite (Z.mul_comm 2 q), Z.div_mul by discriminate. ring. }
      assert (Y : y = 2 * (y / 2)).
      { rewrite <- Z.negb_even in O2. apply negb_false_iff in O2. apply Z.even_spec in O2. destruct O2 as [q ->].
        rewrite (Z.mul_comm 2 q), Z.div_mul by discriminate. ring. }
      assert (E1 : 2 ^ (i + 1) = 2 * 2 ^ i) by (rewrite Z.pow_add_r by lia; change (2 ^ 1) with 2; ring).
      assert (ME : M (x, y) = 2 * M (x / 2, y / 2)) by (rewrite <- M_double, <- X, <- Y; reflexivity).
      destruct (IH (i + 1) (x / 2, y / 2)) as (V1 & V2 & A); [lia|lia| |].
      { rewrite E1. rewrite ME in B. set (I := 2 ^ i) in *. set (W := 2 ^ w) in *.
        assert (0 <= I * H) by (apply Z.mul_nonneg_nonneg; lia). lia. }
      cbn [fst snd] in V1, V2. rewrite V1, V2, E1. split; [|split].
      * rewrite X at 2. ring.
      * rewrite Y at 2. ring.
      * apply apart_less with (i + 1); [lia|exact A].
Qed.
End Classes.
