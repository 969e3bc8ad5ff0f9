(* Variable of internal/lanes, in a commutative group, for one secret scalar and a finite point in each lane (S24). *)
Require Import ZArith Znumtheory Lia List Bool Constants Digits Tables Classes Sums Lanes.
Import ListNotations.
Open Scope Z_scope.

(* internal/lanes/variable.go
var variableException = scalar.FromLimbs(0xa7b054343fef338c, 0x0338a491d2df6668, 0xc5ded841d1de3130, 0x781f99cb895cf6d0)
*)
Definition variable_exception := limbs 0xa7b054343fef338c 0x0338a491d2df6668 0xc5ded841d1de3130 0x781f99cb895cf6d0.

(* The digits of each half sum to twice the half of S12, plus a constant. So the two sums satisfy the bound that near
   tests. *)
Definition near (a b : Z) : bool := M (a + (2 ^ 129 - 1), b + (2 ^ 129 - 1)) <=? 2 * scalar_bound + 186.

Lemma near_right k c d : 0 <= k < n -> Z.abs c <= 62 -> Z.abs d <= 62 -> let '(d1, d2) := variable_digits k in
  near (sum variable_width d1 - c) (sum variable_width d2 - d) = true.
Proof.
  intros Hk Hc Hd. unfold variable_digits. pose proof (half_range (k + offset130)) as R. change (half _) with (half_of k) in R.
  pose proof (split_bounds _ R) as [B1 B2]. pose proof (S6_hexagon _ R) as H.
  assert (P : 2 ^ (variable_width * Z.of_nat variable_places) = 4 * 2 ^ 128) by reflexivity.
  rewrite !S10_sum, P by (try reflexivity; rewrite P; lia).
  unfold near. apply Z.leb_le. set (x := k1 (half_of k)) in *. set (y := k2 (half_of k)) in *.
  destruct (M_parts x y) as (P1 & P2 & P3). change (2 ^ 129) with (2 * 2 ^ 128).
  apply (M_cases (fun m => m <= 2 * scalar_bound + 186)); lia.
Qed.

(* If n divides a + b lambda, and |a| and |b| are below 2^130, then a + b lambda is z v with v as in S6, for one of a
   few z in Z[lambda]. *)
Definition multiples := list_prod (map (fun i => i - 8) (interval 17)) (map (fun i => i - 8) (interval 17)).
Definition of_v (z : Z * Z) := (fst z * A1 - snd z * B1, fst z * B1 + snd z * A1 - snd z * B1).

Lemma few_multiples a b : Z.abs a < 2 ^ 130 -> Z.abs b < 2 ^ 130 -> (a + b * lambda) mod n = 0 ->
  exists z, In z multiples /\ of_v z = (a, b).
Proof.
  intros Ba Bb D. destruct (multiple_of_v _ _ D) as (x & y & -> & -> & E). exists (x, y). split; [|reflexivity].
  set (a := x * A1 - y * B1) in *. set (b := x * B1 + y * A1 - y * B1) in *.
  assert (N48 : N (x, y) <= 48).
  { assert (N (a, b) <= 3 * (2 ^ 130 * 2 ^ 130)).
    { unfold N. assert (Sq : forall u v, Z.abs u < 2 ^ 130 -> Z.abs v < 2 ^ 130 -> Z.abs (u * v) <= 2 ^ 130 * 2 ^ 130).
      { intros u v Hu Hv. rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg; lia. }
      pose proof (Sq a a Ba Ba). pose proof (Sq a b Ba Bb). pose proof (Sq b b Bb Bb). lia. }
    assert (Q : 3 * (2 ^ 130 * 2 ^ 130) < 49 * n) by reflexivity. apply Z.lt_succ_r. apply Z.mul_lt_mono_pos_r with n; [reflexivity|].
    rewrite <- E. change (Z.succ 48) with 49. lia. }
  assert (XY : -8 <= x <= 8 /\ -8 <= y <= 8).
  { clear -N48. unfold N in N48. assert (Sx : 3 * (x * x) <= 4 * 48) by (assert (0 <= (x - 2 * y) * (x - 2 * y)) by apply Z.square_nonneg; lia).
    assert (Sy : 3 * (y * y) <= 4 * 48) by (assert (0 <= (2 * x - y) * (2 * x - y)) by apply Z.square_nonneg; lia). nia. }
  apply in_prod; apply in_map_iff; [exists (x + 8)|exists (y + 8)]; (split; [lia|apply in_interval; lia]).
Qed.

(* The first addition in the last window can meet equal or opposite points only if 32 divides b. No multiple of n
   satisfies this and the other conditions. *)
Definition first_meets (z : Z * Z) : bool := let '(a, b) := of_v z in Z.odd a && (b mod 32 =? 0) && near a b.
Lemma first_meets_none : forallb (fun z => negb (first_meets z)) multiples = true.
Proof. vm_compute. reflexivity. Qed.

(* The second addition in the last window meets equal points only if b + y is an odd multiple of 32, where y is the
   last digit, and the scalar is 2 y lambda. *)
Definition last_digits := map (fun i => 2 * i - 31) (interval 32).
Definition second_meets (z : Z * Z) : bool :=
  let '(a, b) := of_v z in
  if Z.odd a then if near a b then
    existsb (fun y => if (b + y) mod 64 =? 32 then
      let '(d1, d2) := variable_digits (2 * y * lambda mod n) in
      negb (2 * y * lambda mod n =? variable_exception) && (sum variable_width d1 =? a) && (sum variable_width d2 =? b + 2 * y)
    else false) last_digits
  else false else false.
Lemma second_meets_none : forallb (fun z => negb (second_meets z)) multiples = true.
Proof. vm_compute. reflexivity. Qed.

Section VariableLanes.
(* The group of Sums.v, and the finite point A of a lane. *)
Variable G : Type.
Variable O : G.
Variable plus : G -> G -> G.
Variable minus : G -> G.
Hypothesis plus_assoc : forall a b c, plus a (plus b c) = plus (plus a b) c.
Hypothesis plus_comm : forall a b, plus a b = plus b a.
Hypothesis plus_O : forall a, plus O a = a.
Hypothesis plus_minus : forall a, plus a (minus a) = O.
Hypothesis eq_dec : forall a b : G, {a = b} + {a <> b}.
Variable A : G.
Hypothesis A_finite : A <> O.
Hypothesis n_times : Sums.times G O plus minus n A = O.
Notation times := (Sums.times G O plus minus).
Notation at_ := (Sums.at_ G O plus minus A).
Notation lane_add := (Lanes.lane_add G O plus eq_dec).
Let times_add := Sums.times_add G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_mul := Sums.times_mul G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_minus := Sums.times_minus G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let modulo := Sums.modulo G O plus minus plus_assoc plus_comm plus_O plus_minus A A_finite n_times.
Let lane_at := Lanes.lane_at G O plus minus plus_assoc plus_comm plus_O plus_minus eq_dec A A_finite n_times.

(* Variable multiplies all points by the same digits, in blocks of eight lanes, and each lane has a point of its own. *)
(* internal/lanes/variable.go
func Variable(p []*group.Jacobian, k *scalar.Scalar, a []*group.Jacobian) {
	if len(a) == 0 {
		return
	}
	w := secretWorkspaces.Get().(*secretWorkspace)
	var d scalar.Scalar
	negated := avoidException(&d, k, &variableException)
	k1, k2 := recode.Variable(&d)
	for from, to := range parts.Of(len(a), parts.Secrets) {
		w.multiplyVariable(p[from:to], &k1, &k2, uint8(negated), a[from:to])
	}
	// The fields are wiped one by one, because a composite value of both would first be built on the stack.
	w.variable = variableStep{}
	w.variables = variableSums{}
	secretWorkspaces.Put(w)
}
*)*)
(* internal/lanes/variable.go
func (w *secretWorkspace) multiplyVariable(p []*group.Jacobian, k1, k2 *recode.Odd, negated uint8, a []*group.Jacobian) {
	s, g := &w.variable, &w.variables
	blocks := (len(a) + N - 1) / N
	for i := range blocks {
		w.load(a[N*i : min(N*(i+1), len(a))])
		w.multiply(&g.sum[i], k1, k2)
	}
	// Z is 0 in the lanes whose sum is infinity. In these lanes 1 takes the place of Z, because the product of all Z
	// must not be 0.
	for i := range blocks {
		z := &g.sum[i].Z
		g.infinite[i] = isZero(z)
		blend(&g.z[i], &w.one, z, g.infinite[i])
	}
	invertBlocks(g.inverse[:blocks], g.z[:blocks], &s.x)
	for i := range blocks {
		sum := &g.sum[i]
		sum.toAffine(&g.inverse[i], &w.half, &s.t)
		negate(&sum.Y, &sum.Y, negated)
		storeAffine(p[N*i:min(N*(i+1), len(p))], &sum.X, &sum.Y, g.infinite[i], &s.packed[0])
	}
}
*)
(* internal/lanes/variable.go
func (w *secretWorkspace) multiply(sum *Jacobian2Y, k1, k2 *recode.Odd) {
	s := &w.variable
	const last = recode.VariableDigits - 1
	for i := last; i >= 0; i-- {
		// A doubling returns the opposite of the double, and a window has five doublings, so the sign of the sum
		// changes with each window. The points to be added have the same sign as the sum.
		minus := uint8(last-i) & 1
		s.lookup(k1.VariableWindow(i), minus)
		if i == last {
			sum.X = s.x
			negate(&sum.Y, &s.y, 0xFF)
			sum.Z = w.one
		} else {
			doubleNegateN(sum, recode.VariableWidth)
			addMixed(sum, &s.x, &s.y, 0xFF)
		}
		s.lookup(k2.VariableWindow(i), minus)
		mul(&s.x, &s.x, &w.beta)
		addMixed(sum, &s.x, &s.y, 0xFF)
	}
	negate(&sum.Y, &sum.Y, 0xFF*(last&1))
	mul(&sum.Z, &sum.Z, &s.z)
}
*)
(* internal/lanes/variable.go
func (s *variableStep) lookup(window uint64, minus uint8) {
	index, negative := baseIndex(window, recode.VariableEntries)
	variableLookup(&s.x, &s.y, &s.table, index)
	negate(&s.y, &s.y, uint8(negative)^-minus)
}
*)
(* The digits from window i on, with the lowest first. If last is the highest window, last - i digits follow the digit
   of window i. *)
Definition lookup (d : Z) (minus_ : bool) := let P := times d A in if minus_ then minus P else P.
Definition double_negate (c : nat) (P : G) := Nat.iter c (fun P => minus (plus P P)) P.
Fixpoint windows_from (d1 d2 : list Z) : G :=
  match d1, d2 with
  | x :: d1, y :: d2 =>
      let minus_ := Nat.odd (length d1) in
      let sum := match d1 with
        | [] => lookup x minus_
        | _ => lane_add (double_negate (Z.to_nat variable_width) (windows_from d1 d2)) (lookup x minus_)
        end in
      lane_add sum (times lambda (lookup y minus_))
  | _, _ => O
  end.
Definition multiply (d1 d2 : list Z) : G :=
  let sum := windows_from d1 d2 in if Nat.odd (variable_places - 1) then minus sum else sum.
Definition lanes_variable (k : Z) : G := let '(d1, d2) := variable_digits k in multiply d1 d2.

(* The sign of a window. *)
Definition sg (m : nat) : Z := if Nat.odd m then -1 else 1.

Lemma sg_succ m : sg (S m) = - sg m.
Proof. unfold sg. rewrite Nat.odd_succ, <- Nat.negb_odd. destruct (Nat.odd m); reflexivity. Qed.

Lemma minus_at a b : minus (at_ (a, b)) = at_ (- a, - b).
Proof. unfold Sums.at_. cbn [fst snd]. rewrite <- times_minus. f_equal. ring. Qed.

Lemma lookup_1 x m : lookup x (Nat.odd m) = at_ (sg m * x, sg m * 0).
Proof.
  unfold lookup, sg. replace (times x A) with (at_ (x, 0)) by (unfold Sums.at_; cbn [fst snd]; f_equal; ring).
  destruct (Nat.odd m); rewrite ?minus_at; do 2 f_equal; ring.
Qed.

Lemma lookup_2 y m : times lambda (lookup y (Nat.odd m)) = at_ (sg m * 0, sg m * y).
Proof. rewrite lookup_1. unfold Sums.at_. cbn [fst snd]. rewrite <- times_mul. f_equal. ring. Qed.

Lemma double_negate_right m a b : double_negate (Z.to_nat variable_width) (at_ (sg m * a, sg m * b)) = at_ (sg (S m) * (32 * a), sg (S m) * (32 * b)).
Proof.
  change (Z.to_nat variable_width) with 5%nat. unfold double_negate, Nat.iter. cbn [nat_rect].
  assert (D : forall x y, minus (plus (at_ (x, y)) (at_ (x, y))) = at_ (-2 * x, -2 * y)).
  { intros x y. unfold Sums.at_. cbn [fst snd]. rewrite <- times_add, <- times_minus. f_equal. ring. }
  rewrite !D, sg_succ. do 2 f_equal; ring.
Qed.

Lemma opposite_finite z : z mod n <> 0 -> (- z) mod n <> 0.
Proof.
  intros H E. apply H. apply Z.mod_divide in E; [|discriminate]. apply Z.mod_divide; [discriminate|]. apply Z.divide_opp_r. exact E.
Qed.

Lemma lane_signed m a b c d : (a + b * lambda) mod n <> 0 -> (c + d * lambda) mod n <> 0 -> (a - c + (b - d) * lambda) mod n <> 0 ->
  lane_add (at_ (sg m * a, sg m * b)) (at_ (sg m * c, sg m * d)) = at_ (sg m * (a + c), sg m * (b + d)).
Proof.
  intros H1 H2 H3. assert (R : forall z, z mod n <> 0 -> (sg m * z) mod n <> 0).
  { intros z Hz. unfold sg. destruct (Nat.odd m); [|rewrite Z.mul_1_l; exact Hz].
    replace (-1 * z) with (- z) by ring. apply opposite_finite. exact Hz. }
  rewrite lane_at.
  - do 2 f_equal; ring.
  - apply R in H1. replace (sg m * a + sg m * b * lambda) with (sg m * (a + b * lambda)) by ring. exact H1.
  - apply R in H2. replace (sg m * c + sg m * d * lambda) with (sg m * (c + d * lambda)) by ring. exact H2.
  - apply R in H3. replace (sg m * a - sg m * c + (sg m * b - sg m * d) * lambda) with (sg m * (a - c + (b - d) * lambda)) by ring. exact H3.
Qed.

(* In all windows except the last, no addition meets equal or opposite points (S13). *)
Lemma windows_from_right d1 : forall x y d2, length d2 = length d1 -> (length d1 <= 24)%nat -> odd_digits (x :: d1) -> odd_digits (y :: d2) ->
  windows_from (x :: d1) (y :: d2) =
  at_ (sg (length d1) * sum variable_width (x :: d1), sg (length d1) * sum variable_width (y :: d2)).
Proof.
  induction d1 as [|x' d1 IH]; intros x y d2 L C F1 F2;
  inversion F1 as [|? ? [Ox Bx] F1']; subst; inversion F2 as [|? ? [Oy By] F2']; subst;
  pose proof (odd_nonzero x Ox) as X; pose proof (odd_nonzero y Oy) as Y; change (2 ^ variable_width) with 32 in *.
  - destruct d2; [|discriminate L]. cbn [windows_from]. rewrite lookup_2, lookup_1, lane_signed.
    + do 2 f_equal; cbn [sum]; ring.
    + apply finite; lia.
    + apply finite; lia.
    + apply finite; lia.
  - destruct d2 as [|y' d2]; [discriminate L|].
    assert (R : forall x y, windows_from (x :: x' :: d1) (y :: y' :: d2) =
      lane_add (lane_add (double_negate (Z.to_nat variable_width) (windows_from (x' :: d1) (y' :: d2))) (lookup x (Nat.odd (length (x' :: d1)))))
        (times lambda (lookup y (Nat.odd (length (x' :: d1)))))) by reflexivity.
    rewrite R, (IH x' y' d2); [|cbn in *; lia|cbn in *; lia|exact F1'|exact F2']. clear R.
    destruct (odd_sum (x' :: d1) F1' ltac:(discriminate)) as [O1 B1]. destruct (odd_sum (y' :: d2) F2' ltac:(discriminate)) as [O2 B2].
    assert (P : forall m, (m <= 24)%nat -> 2 ^ (variable_width * Z.of_nat m) <= 2 ^ 120).
    { intros m Hm. apply Z.pow_le_mono_r; unfold variable_width; lia. }
    pose proof (P (length (x' :: d1)) ltac:(cbn in *; lia)) as P1. pose proof (P (length (y' :: d2)) ltac:(cbn in *; lia)) as P2.
    change (sum variable_width (x :: x' :: d1)) with (x + 32 * sum variable_width (x' :: d1)).
    change (sum variable_width (y :: y' :: d2)) with (y + 32 * sum variable_width (y' :: d2)).
    set (s1 := sum variable_width (x' :: d1)) in *. set (s2 := sum variable_width (y' :: d2)) in *.
    pose proof (odd_nonzero s1 O1) as S1. pose proof (odd_nonzero s2 O2) as S2.
    assert (Odd : 32 * s1 + x <> 0).
    { intros E. assert (Q : Z.odd (x + 2 * (16 * s1)) = true) by (rewrite Z.odd_add_mul_2; exact Ox).
      replace (x + 2 * (16 * s1)) with 0 in Q by lia. discriminate Q. }
    rewrite double_negate_right. change (S (length d1)) with (length (x' :: d1)).
    rewrite lookup_2, lookup_1. rewrite lane_signed by (apply finite; change (2 ^ 126) with (64 * 2 ^ 120); lia).
    rewrite lane_signed by (apply finite; change (2 ^ 126) with (64 * 2 ^ 120); lia).
    do 2 f_equal; ring.
Qed.

(* The last window, for a scalar k and its digits. *)
Lemma in_last_digits x : Z.odd x = true -> Z.abs x < 32 -> In x last_digits.
Proof.
  intros H B. apply Z.odd_spec in H. destruct H as [q ->]. apply in_map_iff. exists (q + 16). split; [ring|apply in_interval; lia].
Qed.

Lemma first_finite k x y d1 d2 c : 0 <= k < n -> variable_digits k = (x :: d1, y :: d2) -> Z.odd x = true -> Z.abs x < 32 -> Z.abs y < 32 ->
  Z.abs (sum variable_width d1) < 2 ^ 125 -> Z.abs (sum variable_width d2) < 2 ^ 125 -> c = x \/ c = - x ->
  (32 * sum variable_width d1 - c + 32 * sum variable_width d2 * lambda) mod n <> 0.
Proof.
  intros Hk E Ox Bx By B1 B2 Hc D. set (s1 := sum variable_width d1) in *. set (s2 := sum variable_width d2) in *.
  change (2 ^ 125) with 42535295865117307932921825928971026432 in *.
  destruct (few_multiples (32 * s1 - c) (32 * s2) ltac:(change (2 ^ 130) with (32 * 42535295865117307932921825928971026432); lia)
    ltac:(change (2 ^ 130) with (32 * 42535295865117307932921825928971026432); lia) D) as (z & I & Ez).
  pose proof first_meets_none as F. rewrite forallb_forall in F. specialize (F z I). apply negb_true_iff in F. unfold first_meets in F.
  rewrite Ez in F. pose proof (near_right k (x + c) y Hk ltac:(lia) ltac:(lia)) as Nr. rewrite E in Nr.
  change (sum variable_width (x :: d1)) with (x + 32 * s1) in Nr. change (sum variable_width (y :: d2)) with (y + 32 * s2) in Nr.
  replace (x + 32 * s1 - (x + c)) with (32 * s1 - c) in Nr by ring. replace (y + 32 * s2 - y) with (32 * s2) in Nr by ring.
  rewrite Nr, andb_true_r, (Z.mul_comm 32 s2), Z.mod_mul, andb_true_r in F by discriminate.
  apply Z.odd_spec in Ox. destruct Ox as [q Q]. assert (O' : Z.odd (32 * s1 - c) = true); [|rewrite O' in F; discriminate F].
  apply Z.odd_spec. destruct Hc as [->| ->]; [exists (16 * s1 - q - 1)|exists (16 * s1 + q)]; lia.
Qed.

Lemma second_finite k x y d1 d2 : 0 <= k < n -> k <> variable_exception -> variable_digits k = (x :: d1, y :: d2) ->
  Z.odd x = true -> Z.odd y = true -> Z.odd (sum variable_width d2) = true -> Z.abs x < 32 -> Z.abs y < 32 ->
  Z.abs (sum variable_width d1) < 2 ^ 125 -> Z.abs (sum variable_width d2) < 2 ^ 125 ->
  (32 * sum variable_width d1 + x + (32 * sum variable_width d2 - y) * lambda) mod n <> 0.
Proof.
  intros Hk Ne E Ox Oy Os Bx By B1 B2 D. pose proof (S12 k) as S. rewrite E in S. destruct S as [S _].
  pose proof (near_right k 0 (2 * y) Hk ltac:(lia) ltac:(lia)) as Nr. rewrite E in Nr.
  change (sum variable_width (x :: d1)) with (x + 32 * sum variable_width d1) in *.
  change (sum variable_width (y :: d2)) with (y + 32 * sum variable_width d2) in *.
  set (s1 := sum variable_width d1) in *. set (s2 := sum variable_width d2) in *.
  assert (K : 2 * y * lambda mod n = k).
  { rewrite <- (Z.mod_small k n Hk), <- S.
    replace (x + 32 * s1 + (y + 32 * s2) * lambda) with (2 * y * lambda + (32 * s1 + x + (32 * s2 - y) * lambda)) by ring.
    rewrite (Z.add_mod (2 * y * lambda)), D, Z.add_0_r, Z.mod_mod by discriminate. reflexivity. }
  change (2 ^ 125) with 42535295865117307932921825928971026432 in *.
  destruct (few_multiples (32 * s1 + x) (32 * s2 - y) ltac:(change (2 ^ 130) with (32 * 42535295865117307932921825928971026432); lia)
    ltac:(change (2 ^ 130) with (32 * 42535295865117307932921825928971026432); lia) D) as (z & I & Ez).
  pose proof second_meets_none as F. rewrite forallb_forall in F. specialize (F z I). apply negb_true_iff in F. unfold second_meets in F. rewrite Ez in F.
  change (sum variable_width (x :: d1)) with (x + 32 * s1) in Nr. change (sum variable_width (y :: d2)) with (y + 32 * s2) in Nr.
  replace (x + 32 * s1 - 0) with (32 * s1 + x) in Nr by ring. replace (y + 32 * s2 - 2 * y) with (32 * s2 - y) in Nr by ring.
  assert (O' : Z.odd (32 * s1 + x) = true).
  { apply Z.odd_spec in Ox. destruct Ox as [q ->]. apply Z.odd_spec. exists (16 * s1 + q). lia. }
  assert (O2 : (32 * s2 - y + y) mod 64 = 32).
  { apply Z.odd_spec in Os. destruct Os as [q ->]. replace (32 * (2 * q + 1) - y + y) with (32 + q * 64) by ring. apply Z.mod_add. discriminate. }
  rewrite O', Nr in F. apply not_true_iff_false in F. apply F. apply existsb_exists. exists y. split; [apply in_last_digits; assumption|].
  rewrite O2, K, E. change (sum variable_width (x :: d1)) with (x + 32 * s1). change (sum variable_width (y :: d2)) with (y + 32 * s2).
  rewrite (Z.add_comm x). replace (32 * s2 - y + 2 * y) with (y + 32 * s2) by ring. rewrite !Z.eqb_refl.
  destruct (Z.eqb_spec k variable_exception); [contradiction|reflexivity].
Qed.

(* S24: Variable in lanes is right for all scalars. No addition meets equal points or infinity. Only the last addition
   can meet opposite points, and only for the scalar 0. *)
Theorem S24 k : 0 <= k < n -> avoid G minus variable_exception lanes_variable k = times k A.
Proof.
  revert k. apply (avoid_right G O plus minus plus_assoc plus_comm plus_O plus_minus A A_finite n_times); [split; reflexivity|vm_compute; discriminate|].
  intros k Hk Ne. unfold lanes_variable. pose proof (S12 k) as S.
  assert (F1 : odd_digits (fst (variable_digits k))) by (apply S10_odd; reflexivity).
  assert (F2 : odd_digits (snd (variable_digits k))) by (apply S10_odd; reflexivity).
  destruct (variable_digits k) as [e1 e2] eqn:E. cbn [fst snd] in F1, F2. destruct S as (S & L1 & L2).
  change variable_places with 26%nat in L1, L2.
  destruct e1 as [|x [|x' d1]]; [discriminate L1..|]. destruct e2 as [|y [|y' d2]]; [discriminate L2..|].
  inversion F1 as [|? ? [Ox Bx] F1']; subst. inversion F2 as [|? ? [Oy By] F2']; subst. change (2 ^ variable_width) with 32 in *.
  cbn [length] in L1, L2. destruct (odd_sum (x' :: d1) F1' ltac:(discriminate)) as [O1 B1]. destruct (odd_sum (y' :: d2) F2' ltac:(discriminate)) as [O2 B2].
  cbn [length] in B1, B2. injection L1 as L1. injection L2 as L2.
  rewrite L1 in B1. rewrite L2 in B2. change (2 ^ (variable_width * Z.of_nat 25)) with (2 ^ 125) in *.
  unfold multiply.
  assert (R : windows_from (x :: x' :: d1) (y :: y' :: d2) =
    lane_add (lane_add (double_negate (Z.to_nat variable_width) (windows_from (x' :: d1) (y' :: d2))) (lookup x (Nat.odd (length (x' :: d1)))))
      (times lambda (lookup y (Nat.odd (length (x' :: d1)))))) by reflexivity.
  rewrite R, windows_from_right by (assumption || lia). clear R.
  rewrite double_negate_right, lookup_2, lookup_1. cbn [length]. rewrite L1.
  pose proof (odd_nonzero x Ox) as X. pose proof (odd_nonzero y Oy) as Y. pose proof (odd_nonzero _ O1) as S1.
  pose proof (first_finite k x y (x' :: d1) (y' :: d2) x Hk E Ox Bx By B1 B2 (or_introl eq_refl)) as Ff.
  pose proof (first_finite k x y (x' :: d1) (y' :: d2) (- x) Hk E Ox Bx By B1 B2 (or_intror eq_refl)) as Fs.
  pose proof (second_finite k x y (x' :: d1) (y' :: d2) Hk Ne E Ox Oy O2 Bx By B1 B2) as Fe.
  set (s1 := sum variable_width (x' :: d1)) in *. set (s2 := sum variable_width (y' :: d2)) in *.
  rewrite lane_signed; [rewrite lane_signed|..].
  - change (Nat.odd (variable_places - 1)) with true. cbv iota. rewrite minus_at. change (sg (Datatypes.S 24)) with (-1).
    rewrite <- (modulo k), <- S, modulo. unfold Sums.at_. cbn [fst snd].
    change (sum variable_width (x :: x' :: d1)) with (x + 32 * s1). change (sum variable_width (y :: y' :: d2)) with (y + 32 * s2). f_equal. ring.
  - replace (32 * s1 + x + (32 * s2 + 0) * lambda) with (32 * s1 - - x + 32 * s2 * lambda) by ring. exact Fs.
  - apply finite; [right; exact Y|lia|lia].
  - replace (32 * s1 + x - 0 + (32 * s2 + 0 - y) * lambda) with (32 * s1 + x + (32 * s2 - y) * lambda) by ring. exact Fe.
  - change (32 * s1 + 32 * s2 * lambda) with (2 ^ 5 * s1 + 2 ^ 5 * s2 * lambda).
    apply finite_scaled; [auto|left; exact S1|change (2 ^ 126) with (2 * 2 ^ 125); lia|change (2 ^ 126) with (2 * 2 ^ 125); lia].
  - apply finite; [left; exact X|lia|lia].
  - replace (32 * s1 - x + (32 * s2 - 0) * lambda) with (32 * s1 - x + 32 * s2 * lambda) by ring. exact Ff.
Qed.
End VariableLanes.
