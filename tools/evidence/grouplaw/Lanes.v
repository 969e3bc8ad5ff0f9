(* The loops of internal/lanes for secret scalars and G, in a commutative group: a sum in lanes is right wherever Z is
   not 0 at the end, and the exceptional cases are the scalars that S11 and S21 of docs/digits.md name. *)
Require Import ZArith Znumtheory Lia List Bool Constants Digits Tables Classes Sums.
Import ListNotations.
Open Scope Z_scope.

Section Lanes.
(* The group of Sums.v. *)
Variable G : Type.
Variable O : G.
Variable plus : G -> G -> G.
Variable minus : G -> G.
Hypothesis plus_assoc : forall a b c, plus a (plus b c) = plus (plus a b) c.
Hypothesis plus_comm : forall a b, plus a b = plus b a.
Hypothesis plus_O : forall a, plus O a = a.
Hypothesis plus_minus : forall a, plus a (minus a) = O.
Hypothesis eq_dec : forall a b : G, {a = b} + {a <> b}.
Notation times := (Sums.times G O plus minus).
Let times_add := Sums.times_add G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_mul := Sums.times_mul G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_minus := Sums.times_minus G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let minus_minus := Sums.minus_minus G O plus minus plus_assoc plus_comm plus_O plus_minus.

Lemma plus_O_r a : plus a O = a.
Proof. rewrite plus_comm. apply plus_O. Qed.

(* An addition in lanes gives the sum of two different finite points, which is infinity for opposite points. It gives
   infinity (Z = 0) if one of the points is infinity or the points are equal. Law.v proves this: addMixed_is_chord,
   addMixed_same_x, addMixed_infinity, the same theorems for XYZZ, addXYZZ_otherwise, and
   lanes_addMixed_is_addMixed. *)
Definition lane_add (a b : G) : G :=
  if eq_dec a O then O else if eq_dec b O then O else if eq_dec a b then O else plus a b.

(* A sum in a lane is infinity, or it is right. *)
Definition right_or_O (a s : G) := a = O \/ a = s.

Lemma lane_add_right a b s t : right_or_O a s -> right_or_O b t -> right_or_O (lane_add a b) (plus s t).
Proof.
  unfold right_or_O, lane_add. intros Ha Hb. destruct (eq_dec a O); [auto|]. destruct (eq_dec b O); [auto|].
  destruct (eq_dec a b); [auto|]. destruct Ha as [|<-]; [contradiction|]. destruct Hb as [|<-]; [contradiction|]. auto.
Qed.

(* A sum that is infinity is computed again, by formulas that are right for all points. *)
Definition or_else (a again : G) : G := if eq_dec a O then again else a.

Lemma or_else_right a again s : right_or_O a s -> again = s -> or_else a again = s.
Proof. unfold or_else. intros [->| ->] E; destruct (eq_dec _ O); congruence. Qed.

Lemma lane_add_sum a b : a <> O -> b <> O -> a <> b -> lane_add a b = plus a b.
Proof.
  unfold lane_add. intros. destruct (eq_dec a O); [contradiction|]. destruct (eq_dec b O); [contradiction|].
  destruct (eq_dec a b); [contradiction|reflexivity].
Qed.

(* A finite point, which has order n. *)
Variable A : G.
Hypothesis A_finite : A <> O.
Hypothesis n_times : times n A = O.
Let order := Sums.order G O plus minus plus_assoc plus_comm plus_O plus_minus A A_finite n_times.
Let equal_multiples := Sums.equal_multiples G O plus minus plus_assoc plus_comm plus_O plus_minus A A_finite n_times.
Let modulo := Sums.modulo G O plus minus plus_assoc plus_comm plus_O plus_minus A A_finite n_times.
Notation at_ := (Sums.at_ G O plus minus A).

Lemma lane_multiples s t : s mod n <> 0 -> t mod n <> 0 -> (s - t) mod n <> 0 ->
  lane_add (times s A) (times t A) = times (s + t) A.
Proof.
  intros. rewrite times_add. apply lane_add_sum; rewrite ?order, ?equal_multiples; assumption.
Qed.

(* The one scalar for which equal points would be added is replaced by its negative, and the product is negated. *)
(* internal/lanes/base.go
func avoidException(d, k, exception *scalar.Scalar) (negated uint64) {
	negated = k.Equal(exception)
	d.CondNegate(k, negated)
	return negated
}
*)
Definition avoid (exception : Z) (product : Z -> G) (k : Z) : G :=
  if k =? exception then minus (product (- k mod n)) else product k.

Lemma avoid_right e product : 0 < e < n -> - e mod n <> e -> (forall k, 0 <= k < n -> k <> e -> product k = times k A) ->
  forall k, 0 <= k < n -> avoid e product k = times k A.
Proof.
  intros He Ne R k Hk. unfold avoid. destruct (Z.eqb_spec k e) as [-> |N].
  - rewrite R; [|apply Z.mod_pos_bound; reflexivity|exact Ne]. rewrite modulo, times_minus. apply minus_minus.
  - apply R; assumption.
Qed.

(* Base: 37 windows of 7 bits, from the lowest on. Each window selects a multiple from a table. All lanes do the
   same. *)
(* internal/lanes/base.go
func (w *secretWorkspace) addWindows(blocks int) {
	s, g, table := &w.base, &w.bases, tables.BaseLanes()
	for window := range recode.LanesDigits {
		shift := window * recode.LanesWidth
		for i := range blocks {
			baseLookup(&s.x, &s.y, &s.minus, &table[window], (*baseWords)(g.words[i][shift/64:]), shift%64)
			if window == 0 {
				s.start(&g.sum[i], &w.one)
			} else {
				addMixedXYZZ(&g.sum[i], &s.x, &s.y, s.minus, 0xFF)
			}
		}
	}
}
*)*)
(* internal/lanes/base.go
var baseException = scalar.FromLimbs(0x7d812bb362f7918e, 0x3590149d95f8c344, 0xffffffffffffffee, 0x1fffffffffffffff)
*)
Definition limbs (a b c d : Z) := a + 2 ^ 64 * b + 2 ^ 128 * c + 2 ^ 192 * d.
Definition base_exception := limbs 0x7d812bb362f7918e 0x3590149d95f8c344 0xffffffffffffffee 0x1fffffffffffffff.
Fixpoint add_windows (i : Z) (acc : G) (d : list Z) : G :=
  match d with
  | [] => acc
  | x :: d => add_windows (i + 1) (lane_add acc (times (x * 2 ^ (lanes_width * i)) A)) d
  end.
Definition lanes_base (k : Z) : G :=
  match lanes_digits k with [] => O | x :: d => add_windows 1 (times x A) d end.

Lemma add_windows_app x d : forall i acc, add_windows i acc (d ++ [x]) =
  lane_add (add_windows i acc d) (times (x * 2 ^ (lanes_width * (i + Z.of_nat (length d)))) A).
Proof.
  induction d as [|y d IH]; intros i acc; cbn [add_windows app length].
  - replace (i + Z.of_nat 0) with i by lia. reflexivity.
  - rewrite IH. do 5 f_equal. lia.
Qed.

Definition odd7 (d : list Z) := Forall (fun x => Z.odd x = true /\ Z.abs x < 2 ^ lanes_width) d.

Lemma add_windows_right d : forall i s, 1 <= i -> i + Z.of_nat (length d) <= 36 -> Z.odd s = true ->
  Z.abs s < 2 ^ (lanes_width * i) -> odd7 d ->
  let s' := s + 2 ^ (lanes_width * i) * sum lanes_width d in
  add_windows i (times s A) d = times s' A /\ Z.odd s' = true /\ Z.abs s' < 2 ^ (lanes_width * (i + Z.of_nat (length d))).
Proof.
  induction d as [|x d IH]; intros i s Hi Hc Os Bs F; cbn [add_windows sum length].
  - cbv zeta. rewrite Z.mul_0_r, Z.add_0_r. replace (i + Z.of_nat 0) with i by lia. auto.
  - inversion F as [|? ? [Ox Bx] F']; subst. assert (P : 0 < 2 ^ (lanes_width * i)) by (apply Z.pow_pos_nonneg; unfold lanes_width in *; lia).
    assert (X : x <> 0) by (intros ->; discriminate Ox). assert (S0 : s <> 0) by (intros ->; discriminate Os).
    assert (E : 2 ^ (lanes_width * (i + 1)) = 128 * 2 ^ (lanes_width * i)).
    { change 128 with (2 ^ lanes_width). rewrite <- Z.pow_add_r by (unfold lanes_width in *; lia). f_equal. ring. }
    assert (BN : 2 ^ (lanes_width * i) <= 2 ^ 245).
    { apply Z.pow_le_mono_r; unfold lanes_width in *; cbn [length] in Hc; lia. }
    change (2 ^ lanes_width) with 128 in *.
    destruct (IH (i + 1) (s + x * 2 ^ (lanes_width * i))) as (R1 & R2 & R3).
    { lia. } { cbn [length] in Hc. lia. }
    { rewrite Z.odd_add, Os, Z.odd_mul, Z.odd_pow by (unfold lanes_width in *; lia). cbn. rewrite andb_false_r. reflexivity. }
    { rewrite E. set (B := 2 ^ (lanes_width * i)) in *. assert (Z.abs (x * B) <= 127 * B).
      { rewrite Z.abs_mul, (Z.abs_eq B) by lia. apply Z.mul_le_mono_nonneg_r; lia. } lia. }
    { exact F'. }
    cbv zeta. replace (s + 2 ^ (lanes_width * i) * (x + 128 * sum lanes_width d))
      with (s + x * 2 ^ (lanes_width * i) + 2 ^ (lanes_width * (i + 1)) * sum lanes_width d) by (rewrite E; ring).
    split; [|split].
    + rewrite lane_multiples; [exact R1|..]; set (B := 2 ^ (lanes_width * i)) in *;
      (assert (XB : B <= Z.abs (x * B) <= 127 * B);
       [rewrite Z.abs_mul, (Z.abs_eq B) by lia; split; [assert (1 * B <= Z.abs x * B) by (apply Z.mul_le_mono_nonneg_r; lia); lia|apply Z.mul_le_mono_nonneg_r; lia]|]);
      assert (LN : 128 * 2 ^ 245 < n) by reflexivity; apply nonzero; lia.
    + exact R2.
    + replace (i + Z.of_nat (S (length d))) with (i + 1 + Z.of_nat (length d)) by lia. exact R3.
Qed.

(* The last addition meets equal points for only one scalar. *)
Lemma base_last b s x : 0 <= b < n -> Z.odd x = true -> Z.abs x < 128 -> Z.abs s < 2 ^ 252 ->
  s + 2 ^ 252 * x = 2 * b - (2 ^ 259 - 1) ->
  (x * 2 ^ 252) mod n <> 0 /\ ((s - x * 2 ^ 252) mod n = 0 -> (s + 2 ^ 252 * x) mod n = base_exception).
Proof.
  intros Hb Ox Bx Bs E. rewrite Z.odd_spec in Ox. destruct Ox as [y ->].
  assert (Nn : n = 2 ^ 256 - 432420386565659656852420866394968145599) by reflexivity.
  change (2 ^ 252) with 7237005577332262213973186563042994240829374041602535252466099000494570602496 in *.
  change (2 ^ 259) with (128 * 7237005577332262213973186563042994240829374041602535252466099000494570602496) in *.
  change (2 ^ 256) with (16 * 7237005577332262213973186563042994240829374041602535252466099000494570602496) in *.
  split.
  - intros D. apply Z.mod_divide in D; [|discriminate]. destruct D as [j D].
    assert (J : -8 < j < 8) by lia. assert (C : j = -7 \/ j = -6 \/ j = -5 \/ j = -4 \/ j = -3 \/ j = -2 \/ j = -1 \/ j = 0 \/
      j = 1 \/ j = 2 \/ j = 3 \/ j = 4 \/ j = 5 \/ j = 6 \/ j = 7) by lia.
    rewrite Nn in D. clear E J. repeat (destruct C as [->|C]; [lia|]). subst j. lia.
  - intros D. apply Z.mod_divide in D; [|discriminate]. destruct D as [j D].
    assert (J : -9 < j < 9) by lia.
    assert (T : s + 7237005577332262213973186563042994240829374041602535252466099000494570602496 * (2 * y + 1) =
      -111 * 7237005577332262213973186563042994240829374041602535252466099000494570602496 * 2 + 7 * n).
    { assert (C : j = 7 \/ j <> 7) by lia. destruct C as [->|C].
      - assert (y = -56) by lia. subst y. lia.
      - exfalso. assert (C2 : j = -8 \/ j = -7 \/ j = -6 \/ j = -5 \/ j = -4 \/ j = -3 \/ j = -2 \/ j = -1 \/ j = 0 \/
          j = 1 \/ j = 2 \/ j = 3 \/ j = 4 \/ j = 5 \/ j = 6 \/ j = 8) by lia.
        rewrite Nn in *. clear J C. repeat (destruct C2 as [->|C2]; [lia|]). subst j. lia. }
    rewrite T. vm_compute. reflexivity.
Qed.

(* S11 in lanes. *)
Theorem S11_lanes k : 0 <= k < n -> avoid base_exception lanes_base k = times k A.
Proof.
  revert k. apply avoid_right; [split; reflexivity|vm_compute; discriminate|]. intros k Hk Ne.
  pose proof (S10_lanes k) as [S L]. pose proof (S10_odd lanes_width lanes_places (half (k + offset259)) ltac:(reflexivity)) as F.
  pose proof (S10_sum lanes_width lanes_places ltac:(reflexivity) (half (k + offset259))) as T.
  pose proof (half_range (k + offset259)) as B.
  specialize (T ltac:(split; [lia|]; apply Z.lt_trans with n; [lia|reflexivity])).
  change (windows lanes_width lanes_places (half (k + offset259))) with (lanes_digits k) in F, T.
  unfold lanes_base. destruct (lanes_digits k) as [|x0 d] eqn:E; [discriminate L|].
  assert (Nd : d <> []) by (intros ->; discriminate L). destruct (exists_last Nd) as (front & x & ->).
  inversion F as [|? ? [Ox Bx] F']; subst. apply Forall_app in F'. destruct F' as [Ff Fx]. inversion Fx as [|? ? [Oy By] _]; subst.
  assert (Lf : length front = 35%nat).
  { cbn [length] in L. rewrite app_length in L. cbn [length] in L. unfold lanes_places in L. lia. }
  destruct (add_windows_right front 1 x0 ltac:(lia) ltac:(rewrite Lf; cbn; lia) Ox Bx Ff) as (R & Os & Bs).
  rewrite add_windows_app, R. rewrite Lf in *. change (lanes_width * (1 + Z.of_nat 35)) with 252 in *.
  assert (Tx : sum lanes_width (x0 :: front ++ [x]) = x0 + 2 ^ (lanes_width * 1) * sum lanes_width front + 2 ^ 252 * x).
  { clear -Lf. cbn [sum]. assert (Q : forall l, sum lanes_width (l ++ [x]) = sum lanes_width l + 2 ^ (lanes_width * Z.of_nat (length l)) * x).
    { induction l as [|a l IH]; cbn [app sum length]; [change (2 ^ (lanes_width * Z.of_nat 0)) with 1; ring|]. rewrite IH.
      replace (2 ^ (lanes_width * Z.of_nat (S (length l)))) with (2 ^ lanes_width * 2 ^ (lanes_width * Z.of_nat (length l))).
      - ring.
      - rewrite <- Z.pow_add_r by (unfold lanes_width; lia). f_equal. unfold lanes_width. lia. }
    rewrite Q, Lf. change (2 ^ 252) with (2 ^ lanes_width * 2 ^ (lanes_width * Z.of_nat 35)). change (lanes_width * 1) with lanes_width. ring. }
  set (s := x0 + 2 ^ (lanes_width * 1) * sum lanes_width front) in *.
  rewrite Tx in T, S. change (2 ^ (lanes_width * Z.of_nat lanes_places)) with (2 ^ 259) in T.
  destruct (base_last _ s x B Oy By Bs T) as [N1 N2].
  rewrite lane_multiples.
  - replace (s + x * 2 ^ 252) with (s + 2 ^ 252 * x) by ring. rewrite <- modulo, S, modulo. reflexivity.
  - apply nonzero; [intros E0; rewrite E0 in Os; discriminate Os|]. apply Z.lt_trans with (2 ^ 252); [exact Bs|reflexivity].
  - exact N1.
  - intros D. apply Ne. rewrite <- (N2 D), S. symmetry. apply Z.mod_small. exact Hk.
Qed.

(* If n divides 2^e z, then n divides z. If a and b are small and not both 0, n does not divide a + b lambda. *)
Lemma scaled e z : (e = 0 \/ e = 5 \/ e = 10 \/ e = 15) -> (2 ^ e * z) mod n = 0 -> z mod n = 0.
Proof.
  intros He D. apply Z.mod_divide in D; [|discriminate]. apply Z.mod_divide; [discriminate|].
  apply Gauss with (2 ^ e); [exact D|]. apply Zgcd_1_rel_prime. destruct He as [->|[->|[->| ->]]]; vm_compute; reflexivity.
Qed.

Lemma finite a b : a <> 0 \/ b <> 0 -> Z.abs a <= 2 ^ 126 -> Z.abs b <= 2 ^ 126 -> (a + b * lambda) mod n <> 0.
Proof. intros. apply finite_multiple. apply (norm_range a b (2 ^ 126)); auto; [lia|reflexivity]. Qed.

Lemma lane_at a b c d : (a + b * lambda) mod n <> 0 -> (c + d * lambda) mod n <> 0 ->
  ((a - c) + (b - d) * lambda) mod n <> 0 -> lane_add (at_ (a, b)) (at_ (c, d)) = at_ (a + c, b + d).
Proof.
  intros N1 N2 N3. unfold Sums.at_. cbn [fst snd]. rewrite lane_multiples.
  - f_equal. ring.
  - exact N1.
  - exact N2.
  - replace (a + b * lambda - (c + d * lambda)) with ((a - c) + (b - d) * lambda) by ring. exact N3.
Qed.

Lemma finite_scaled e a b : (e = 0 \/ e = 5 \/ e = 10 \/ e = 15) -> a <> 0 \/ b <> 0 -> Z.abs a <= 2 ^ 126 -> Z.abs b <= 2 ^ 126 ->
  (2 ^ e * a + 2 ^ e * b * lambda) mod n <> 0.
Proof.
  intros He Nz Ba Bb D. apply (finite a b Nz Ba Bb). apply (scaled e); [exact He|]. rewrite <- D. f_equal. ring.
Qed.

(* BaseOne: one scalar, whose windows are spread over the lanes. *)
(* internal/lanes/base.go
func BaseOne(p *group.Jacobian, k *scalar.Scalar) {
	table := tables.BaseLanesOne()
	w := secretWorkspaces.Get().(*secretWorkspace)
	s := &w.base
	var d scalar.Scalar
	negated := avoidException(&d, k, &baseOneException)
	k1, k2 := recode.Variable(&d)
	const perStep = N / 2
	for i := 0; i < recode.VariableDigits; i += perStep {
		n := min(perStep, recode.VariableDigits-i) // the last iteration has fewer windows, so some lanes add nothing
		windows := k1.VariableWindows(i, perStep) | k2.VariableWindows(i, perStep)<<(perStep*recode.VariableWidth)
		baseLookupOne(&s.x, &s.y, &s.minus, (*baseOneRows)(table[i:]), windows, n)
		if i == 0 {
			s.start(&s.p, &w.one)
		} else {
			addMixedXYZZ(&s.p, &s.x, &s.y, s.minus, 0x11*(1<<n-1))
		}
	}
	mul(&s.x, &s.p.X, &w.beta) // times λ
	blend(&s.p.X, &s.x, &s.p.X, 0xF0)
	for n := N / 2; n > 0; n /= 2 {
		turn(&s.q, &s.p, n)
		addXYZZ(&s.p, &s.q)
	}
	sum := s.p.get(0)
	sum.Y.CondNegate(&sum.Y, negated)
	p.SetXYZZ(&sum)
	w.base = baseStep{}
	secretWorkspaces.Put(w)
}
*)*)*)
(* internal/lanes/base.go
var baseOneException = scalar.FromLimbs(0x10062a7471dd118a, 0xe1a3b275347dca84, 0xfd9e9cb5450ae590, 0xf985643ee90f61da)
*)
Definition base_one_exception := limbs 0x10062a7471dd118a 0xe1a3b275347dca84 0xfd9e9cb5450ae590 0xf985643ee90f61da.

(* add_four adds up to four windows, from window i on, one in each of four lanes. The next function adds all windows,
   four at a time. *)
Fixpoint add_four (i : Z) (acc : list G) (d : list Z) : list G :=
  match acc, d with
  | a :: acc, x :: d => lane_add a (times (x * 2 ^ (variable_width * i)) A) :: add_four (i + 1) acc d
  | acc, _ => acc
  end.
Fixpoint add_fours (c : nat) (i : Z) (acc : list G) (d : list Z) : list G :=
  match c with Datatypes.O => acc | S c => add_fours c (i + 4) (add_four i acc d) (skipn 4 d) end.
Fixpoint first_four (i : Z) (d : list Z) : list G :=
  match d with [] => [] | x :: d => times (x * 2 ^ (variable_width * i)) A :: first_four (i + 1) d end.
Definition four_lanes (d : list Z) := add_fours 6 4 (first_four 0 (firstn 4 d)) (skipn 4 d).
(* The lanes from n on are added to the lanes below n, for n = 4, 2 and 1. Lane 0 has the sum. *)
Fixpoint pairwise (p q : list G) : list G := match p, q with a :: p, b :: q => lane_add a b :: pairwise p q | _, _ => [] end.
Definition fold_lanes (p : list G) : G :=
  let p := pairwise (firstn 4 p) (skipn 4 p) in let p := pairwise (firstn 2 p) (skipn 2 p) in
  hd O (pairwise (firstn 1 p) (skipn 1 p)).
Definition base_one (k : Z) : G :=
  let '(d1, d2) := variable_digits k in fold_lanes (four_lanes d1 ++ map (times lambda) (four_lanes d2)).

(* The sum in one lane, of windows i, i + 4, ... *)
Fixpoint add_lane (i : Z) (acc : G) (d : list Z) : G :=
  match d with [] => acc | x :: d => add_lane (i + 4) (lane_add acc (times (x * 2 ^ (variable_width * i)) A)) d end.
Definition odd5 (d : list Z) := Forall (fun x => Z.odd x = true /\ Z.abs x < 2 ^ variable_width) d.

Lemma add_lane_right d : forall i s, 0 <= i -> i + 4 * Z.of_nat (length d) <= 29 -> s <> 0 -> Z.abs s < 2 ^ (5 * i) -> odd5 d ->
  add_lane i (times s A) d = times (s + 2 ^ (5 * i) * sum 20 d) A.
Proof.
  induction d as [|x d IH]; intros i s Hi Hc S0 Bs F; cbn [add_lane sum].
  - f_equal. ring.
  - inversion F as [|? ? [Ox Bx] F']; subst. change (variable_width * i) with (5 * i). change (2 ^ variable_width) with 32 in Bx.
    assert (P : 0 < 2 ^ (5 * i)) by (apply Z.pow_pos_nonneg; lia). assert (X : x <> 0) by (intros ->; discriminate Ox).
    assert (E : 2 ^ (5 * (i + 4)) = 1048576 * 2 ^ (5 * i)).
    { change 1048576 with (2 ^ 20). rewrite <- Z.pow_add_r by lia. f_equal. ring. }
    assert (BN : 2 ^ (5 * i) <= 2 ^ 125) by (apply Z.pow_le_mono_r; cbn [length] in Hc; lia).
    assert (LN : 33 * 2 ^ 125 < n) by reflexivity.
    set (B := 2 ^ (5 * i)) in *. assert (XB : B <= Z.abs (x * B) <= 31 * B).
    { rewrite Z.abs_mul, (Z.abs_eq B) by lia. split; [assert (1 * B <= Z.abs x * B) by (apply Z.mul_le_mono_nonneg_r; lia); lia|apply Z.mul_le_mono_nonneg_r; lia]. }
    rewrite lane_multiples by (apply nonzero; lia). rewrite IH.
    + f_equal. rewrite E. change (2 ^ 20) with 1048576. ring.
    + lia.
    + cbn [length] in Hc. lia.
    + lia.
    + rewrite E. lia.
    + exact F'.
Qed.

Lemma lane_right i x d : 0 <= i <= 3 -> i + 4 + 4 * Z.of_nat (length d) <= 29 -> odd5 (x :: d) ->
  add_lane (i + 4) (times (x * 2 ^ (variable_width * i)) A) d = times (2 ^ (5 * i) * sum 20 (x :: d)) A.
Proof.
  intros Hi Hc F. inversion F as [|? ? [Ox Bx] F']; subst. change (variable_width * i) with (5 * i). change (2 ^ variable_width) with 32 in Bx.
  assert (P : 0 < 2 ^ (5 * i)) by (apply Z.pow_pos_nonneg; lia). assert (X : x <> 0) by (intros ->; discriminate Ox).
  assert (E : 2 ^ (5 * (i + 4)) = 1048576 * 2 ^ (5 * i)).
  { change 1048576 with (2 ^ 20). rewrite <- Z.pow_add_r by lia. f_equal. ring. }
  assert (XB : Z.abs (x * 2 ^ (5 * i)) <= 31 * 2 ^ (5 * i)).
  { rewrite Z.abs_mul, (Z.abs_eq (2 ^ (5 * i))) by lia. apply Z.mul_le_mono_nonneg_r; lia. }
  rewrite add_lane_right.
  - f_equal. rewrite E. cbn [sum]. change (2 ^ 20) with 1048576. ring.
  - lia.
  - exact Hc.
  - nia.
  - rewrite E. lia.
  - exact F'.
Qed.

Lemma odd_sum20 x d : odd5 (x :: d) -> Z.odd (sum 20 (x :: d)) = true /\ Z.abs (sum 20 (x :: d)) < 2 ^ (20 * Z.of_nat (length d) + 5).
Proof.
  revert x. induction d as [|y d IH]; intros x F; inversion F as [|? ? [Ox Bx] F']; subst; change (2 ^ variable_width) with 32 in Bx.
  - cbn [sum length]. rewrite Z.mul_0_r, Z.add_0_r. split; [exact Ox|]. change (2 ^ (20 * Z.of_nat 0 + 5)) with 32. exact Bx.
  - destruct (IH y F') as [O' B']. change (sum 20 (x :: y :: d)) with (x + 2 ^ 20 * sum 20 (y :: d)).
    assert (E : 2 ^ (20 * Z.of_nat (length (y :: d)) + 5) = 2 ^ 20 * 2 ^ (20 * Z.of_nat (length d) + 5)).
    { rewrite <- Z.pow_add_r by lia. f_equal. cbn [length]. lia. }
    rewrite E. change (2 ^ 20) with (2 * 524288). split.
    + rewrite <- Z.mul_assoc, Z.odd_add_mul_2. exact Ox.
    + lia.
Qed.

(* alternate negates every second digit. Odd digits are determined by their sum. *)
Fixpoint alternate (d : list Z) : list Z := match d with x :: y :: d => x :: - y :: alternate d | d => d end.

Lemma windows_unique w d : 0 < w -> Forall (fun x => Z.odd x = true /\ Z.abs x < 2 ^ w) d ->
  exists m, 0 <= m < 2 ^ (w * Z.of_nat (length d)) /\ 2 * m = sum w d + (2 ^ (w * Z.of_nat (length d)) - 1) /\ windows w (length d) m = d.
Proof.
  intros Hw F. pose proof (pow_pos w ltac:(lia)) as P. assert (E2 : 2 ^ w = 2 * 2 ^ (w - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
  induction F as [|x d [Ox Bx] F (m & Bm & Em & Wm)].
  - exists 0. cbn [length sum windows]. replace (w * Z.of_nat 0) with 0 by lia. change (2 ^ 0) with 1. repeat split; lia.
  - apply Z.odd_spec in Ox. destruct Ox as [y ->]. exists (y + 2 ^ (w - 1) + 2 ^ w * m).
    assert (E : 2 ^ (w * Z.of_nat (length (2 * y + 1 :: d))) = 2 ^ w * 2 ^ (w * Z.of_nat (length d))).
    { rewrite <- Z.pow_add_r by lia. f_equal. cbn [length]. lia. }
    rewrite E. cbn [sum length windows]. set (W := 2 ^ w) in *. set (V := 2 ^ (w * Z.of_nat (length d))) in *.
    assert (R : 0 <= y + 2 ^ (w - 1) < W) by lia.
    assert (D : (y + 2 ^ (w - 1) + W * m) mod W = y + 2 ^ (w - 1)).
    { rewrite Z.mul_comm, Z.mod_add by lia. apply Z.mod_small. exact R. }
    assert (Q : (y + 2 ^ (w - 1) + W * m) / W = m).
    { rewrite Z.mul_comm, Z.div_add, Z.div_small by lia. lia. }
    split; [|split].
    + split; [nia|]. assert (W * m + W <= W * V) by nia. lia.
    + nia.
    + rewrite D, Q, Wm. f_equal. lia.
Qed.

Lemma alternate_odd d : odd5 d -> odd5 (alternate d) /\ length (alternate d) = length d.
Proof.
  intros F. assert (P : forall m d, (length d <= m)%nat -> odd5 d -> odd5 (alternate d) /\ length (alternate d) = length d); [|eauto].
  clear. induction m as [|m IH]; intros d L F; destruct d as [|x [|y d]]; cbn [alternate length] in *; auto; try lia.
  inversion F as [|? ? Hx F']; subst. inversion F' as [|? ? [Oy By] F'']; subst.
  destruct (IH d ltac:(lia) F'') as [F3 L3]. split; [|lia].
  constructor; [exact Hx|]. constructor; [|exact F3]. rewrite Z.odd_opp, Z.abs_opp. auto.
Qed.

Lemma alternate_twice d : alternate (alternate d) = d.
Proof.
  assert (P : forall m d, (length d <= m)%nat -> alternate (alternate d) = d); [|eauto].
  induction m as [|m IH]; intros e L; destruct e as [|x [|y e]]; cbn [alternate length] in *; auto; try lia.
  rewrite Z.opp_involutive, IH by lia. reflexivity.
Qed.

(* If n divides a + b lambda, then a + b lambda is a multiple of v = A1 + B1 lambda in Z[lambda]. *)
Lemma multiple_of_v a b : (a + b * lambda) mod n = 0 -> exists x y, a = x * A1 - y * B1 /\ b = x * B1 + y * A1 - y * B1 /\
  N (a, b) = N (x, y) * n.
Proof.
  intros D. apply Z.mod_divide in D; [|discriminate]. destruct D as [t D].
  assert (V1 : exists u, A1 + B1 * lambda = u * n) by (exists ((A1 + B1 * lambda) / n); vm_compute; reflexivity).
  assert (V2 : exists u, B1 - lambda * (A1 - B1) = u * n) by (exists ((B1 - lambda * (A1 - B1)) / n); vm_compute; reflexivity).
  assert (NV : A1 * A1 - A1 * B1 + B1 * B1 = n) by (vm_compute; reflexivity).
  destruct V1 as [u1 V1], V2 as [u2 V2].
  (* (a + b lambda) times the conjugate of v, which is (A1 - B1) - B1 lambda, over n *)
  set (x := b * u2 + t * (A1 - B1)). set (y := b * u1 - t * B1). exists x, y.
  assert (Ea : a = t * n - b * lambda) by lia.
  assert (X : n * x = a * (A1 - B1) + b * B1).
  { unfold x. replace (n * (b * u2 + t * (A1 - B1))) with (b * (u2 * n) + t * n * (A1 - B1)) by ring. rewrite <- V2, Ea. ring. }
  assert (Y : n * y = - a * B1 + b * A1).
  { unfold y. replace (n * (b * u1 - t * B1)) with (b * (u1 * n) - t * n * B1) by ring. rewrite <- V1, Ea. ring. }
  clearbody x y. clear V1 V2 Ea D.
  assert (Na : a = x * A1 - y * B1).
  { apply Z.mul_reg_l with n; [discriminate|]. replace (n * (x * A1 - y * B1)) with (n * x * A1 - n * y * B1) by ring.
    rewrite X, Y. rewrite <- NV at 1. ring. }
  assert (Nb : b = x * B1 + y * A1 - y * B1).
  { apply Z.mul_reg_l with n; [discriminate|]. replace (n * (x * B1 + y * A1 - y * B1)) with (n * x * B1 + n * y * A1 - n * y * B1) by ring.
    rewrite X, Y. rewrite <- NV at 1. ring. }
  split; [exact Na|]. split; [exact Nb|]. rewrite Na, Nb, <- NV. unfold N. ring.
Qed.

Definition same_digits (d e : list Z) : bool := if list_eq_dec Z.eq_dec d e then true else false.
Definition met (z : Z * Z) : bool :=
  let '(x, y) := z in
  let a := x * A1 - y * B1 in let b := x * B1 + y * A1 - y * B1 in
  if Z.odd a && Z.odd b && (Z.abs a <? 2 ^ 130) && (Z.abs b <? 2 ^ 130) then
    let d1 := alternate (windows 5 26 ((a + (2 ^ 130 - 1)) / 2)) in
    let d2 := alternate (windows 5 26 ((b + (2 ^ 130 - 1)) / 2)) in
    let k := (sum 5 d1 + sum 5 d2 * lambda) mod n in
    negb (k =? base_one_exception) && same_digits d1 (fst (variable_digits k)) && same_digits d2 (snd (variable_digits k))
  else false.

Lemma none_met : forallb (fun z => negb (met z)) (list_prod (map (fun i => i - 8) (interval 17)) (map (fun i => i - 8) (interval 17))) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma four_lanes_right d : length d = 26%nat -> odd5 d -> exists s0 s1 s2 s3,
  four_lanes d = [times s0 A; times (2 ^ 5 * s1) A; times (2 ^ 10 * s2) A; times (2 ^ 15 * s3) A] /\
  s0 + 2 ^ 5 * s1 + 2 ^ 10 * s2 + 2 ^ 15 * s3 = sum 5 d /\ s0 - 2 ^ 5 * s1 + 2 ^ 10 * s2 - 2 ^ 15 * s3 = sum 5 (alternate d) /\
  (Z.odd s0 = true /\ Z.odd s1 = true /\ Z.odd s2 = true /\ Z.odd s3 = true) /\
  Z.abs s0 < 2 ^ 125 /\ Z.abs s1 < 2 ^ 125 /\ Z.abs s2 < 2 ^ 105 /\ Z.abs s3 < 2 ^ 105.
Proof.
  intros L F. do 26 (destruct d as [|? d]; [discriminate L|]). destruct d; [|discriminate L]. clear L.
  unfold odd5 in F. repeat match goal with F : Forall _ (_ :: _) |- _ => inversion F; clear F; subst end.
  match goal with |- exists _ _ _ _, four_lanes [?x0;?x1;?x2;?x3;?x4;?x5;?x6;?x7;?x8;?x9;?x10;?x11;?x12;?x13;?x14;?x15;?x16;?x17;?x18;?x19;?x20;?x21;?x22;?x23;?x24;?x25] = _ /\ _ =>
    set (e0 := [x0;x4;x8;x12;x16;x20;x24]); set (e1 := [x1;x5;x9;x13;x17;x21;x25]);
    set (e2 := [x2;x6;x10;x14;x18;x22]); set (e3 := [x3;x7;x11;x15;x19;x23]) end.
  exists (sum 20 e0), (sum 20 e1), (sum 20 e2), (sum 20 e3).
  assert (F0 : odd5 e0) by (repeat constructor; intuition). assert (F1 : odd5 e1) by (repeat constructor; intuition).
  assert (F2 : odd5 e2) by (repeat constructor; intuition). assert (F3 : odd5 e3) by (repeat constructor; intuition).
  pose proof (odd_sum20 _ _ F0) as [O0 B0]. pose proof (odd_sum20 _ _ F1) as [O1 B1]. pose proof (odd_sum20 _ _ F2) as [O2 B2].
  pose proof (odd_sum20 _ _ F3) as [O3 B3].
  split; [|split; [|split; [|split; [auto|repeat split; assumption]]]].
  - pose proof (lane_right 0 _ (tl e0) ltac:(lia) ltac:(cbn; lia) F0) as R0. pose proof (lane_right 1 _ (tl e1) ltac:(lia) ltac:(cbn; lia) F1) as R1.
    pose proof (lane_right 2 _ (tl e2) ltac:(lia) ltac:(cbn; lia) F2) as R2. pose proof (lane_right 3 _ (tl e3) ltac:(lia) ltac:(cbn; lia) F3) as R3.
    change (2 ^ (5 * 0) * ?s) with (1 * s) in R0. rewrite Z.mul_1_l in R0.
    change (5 * 1) with 5 in R1. change (5 * 2) with 10 in R2. change (5 * 3) with 15 in R3.
    unfold e0, e1, e2, e3 in *. cbn [tl] in R0, R1, R2, R3. rewrite <- R0, <- R1, <- R2, <- R3. reflexivity.
  - unfold e0, e1, e2, e3. cbn [sum]. ring.
  - unfold e0, e1, e2, e3. cbn [sum alternate]. ring.
Qed.

Lemma odd_nonzero x : Z.odd x = true -> x <> 0.
Proof. intros H ->. discriminate H. Qed.

Lemma lane_first e a b : (e = 0 \/ e = 5 \/ e = 10 \/ e = 15) -> a <> 0 -> b <> 0 -> Z.abs a < 2 ^ 125 -> Z.abs b < 2 ^ 125 ->
  lane_add (at_ (2 ^ e * a, 2 ^ e * 0)) (at_ (2 ^ e * 0, 2 ^ e * b)) = at_ (2 ^ e * a, 2 ^ e * b).
Proof.
  intros He Na Nb Ba Bb. assert (B126 : 2 ^ 126 = 2 * 2 ^ 125) by reflexivity. rewrite lane_at.
  - f_equal. f_equal; ring.
  - apply finite_scaled; [exact He|left; exact Na|lia|lia].
  - apply finite_scaled; [exact He|right; exact Nb|lia|lia].
  - replace (2 ^ e * a - 2 ^ e * 0 + (2 ^ e * 0 - 2 ^ e * b) * lambda) with (2 ^ e * a + 2 ^ e * (- b) * lambda) by ring.
    apply finite_scaled; [exact He|left; exact Na|lia|lia].
Qed.

Lemma near a c : Z.abs a < 2 ^ 125 -> Z.abs c < 2 ^ 105 -> Z.abs (a + 2 ^ 10 * c) <= 2 ^ 126 /\ Z.abs (a - 2 ^ 10 * c) <= 2 ^ 126.
Proof. change (2 ^ 126) with (2 * (1048576 * 2 ^ 105)). change (2 ^ 125) with (1048576 * 2 ^ 105). change (2 ^ 10) with 1024. lia. Qed.

Lemma lane_second e a b c d : (e = 0 \/ e = 5) -> Z.odd a = true -> c <> 0 ->
  Z.abs a < 2 ^ 125 -> Z.abs b < 2 ^ 125 -> Z.abs c < 2 ^ 105 -> Z.abs d < 2 ^ 105 ->
  lane_add (at_ (2 ^ e * a, 2 ^ e * b)) (at_ (2 ^ (e + 10) * c, 2 ^ (e + 10) * d)) = at_ (2 ^ e * (a + 2 ^ 10 * c), 2 ^ e * (b + 2 ^ 10 * d)).
Proof.
  intros He Oa Nc Ba Bb Bc Bd. assert (E10 : 2 ^ (e + 10) = 2 ^ e * 2 ^ 10) by (destruct He as [->| ->]; reflexivity).
  assert (L : forall x y, Z.abs x < y -> y <= 2 ^ 126 -> Z.abs x <= 2 ^ 126) by (clear; intros; lia).
  destruct (near a c Ba Bc) as [_ B1']. destruct (near b d Bb Bd) as [_ B2']. rewrite lane_at.
  - f_equal. f_equal; rewrite E10; ring.
  - apply finite_scaled; [destruct He; auto|left; intros ->; discriminate Oa|apply (L _ _ Ba); discriminate|apply (L _ _ Bb); discriminate].
  - apply finite_scaled; [destruct He as [->| ->]; auto|left; exact Nc|apply (L _ _ Bc); discriminate|apply (L _ _ Bd); discriminate].
  - rewrite E10. replace (2 ^ e * a - 2 ^ e * 2 ^ 10 * c + (2 ^ e * b - 2 ^ e * 2 ^ 10 * d) * lambda)
      with (2 ^ e * (a - 2 ^ 10 * c) + 2 ^ e * (b - 2 ^ 10 * d) * lambda) by ring.
    apply finite_scaled; [destruct He; auto| |assumption|assumption].
    left. clear -Oa. apply Z.odd_spec in Oa. destruct Oa as [q ->]. change (2 ^ 10) with 1024. lia.
Qed.

Lemma base_one_sum d1 d2 : length d1 = 26%nat -> length d2 = 26%nat -> odd5 d1 -> odd5 d2 ->
  (sum 5 (alternate d1) + sum 5 (alternate d2) * lambda) mod n <> 0 ->
  fold_lanes (four_lanes d1 ++ map (times lambda) (four_lanes d2)) = times (sum 5 d1 + sum 5 d2 * lambda) A.
Proof.
  intros L1 L2 F1 F2 Ne.
  destruct (four_lanes_right d1 L1 F1) as (a0 & a1 & a2 & a3 & -> & <- & Ea & (Oa0 & Oa1 & Oa2 & Oa3) & Ba0 & Ba1 & Ba2 & Ba3).
  destruct (four_lanes_right d2 L2 F2) as (b0 & b1 & b2 & b3 & -> & <- & Eb & (Ob0 & Ob1 & Ob2 & Ob3) & Bb0 & Bb1 & Bb2 & Bb3).
  rewrite <- Ea, <- Eb in Ne. clear Ea Eb L1 L2 F1 F2.
  pose proof (odd_nonzero _ Oa1). pose proof (odd_nonzero _ Oa2). pose proof (odd_nonzero _ Oa3).
  pose proof (odd_nonzero _ Ob1). pose proof (odd_nonzero _ Ob2). pose proof (odd_nonzero _ Ob3).
  assert (Pl : forall e a, 0 <= e -> times (2 ^ e * a) A = at_ (2 ^ e * a, 2 ^ e * 0)).
  { intros e a _. unfold Sums.at_. cbn [fst snd]. f_equal. ring. }
  assert (Pr : forall e b, times lambda (times (2 ^ e * b) A) = at_ (2 ^ e * 0, 2 ^ e * b)).
  { intros e b. unfold Sums.at_. cbn [fst snd]. rewrite <- times_mul. f_equal. ring. }
  replace (times a0 A) with (times (2 ^ 0 * a0) A) by (f_equal; ring).
  replace (times b0 A) with (times (2 ^ 0 * b0) A) by (f_equal; ring).
  unfold fold_lanes. cbn [app map firstn skipn pairwise hd]. rewrite !Pr, !Pl by discriminate.
  pose proof (odd_nonzero _ Oa0) as Na0. pose proof (odd_nonzero _ Ob0) as Nb0.
  assert (L : forall x, Z.abs x < 2 ^ 105 -> Z.abs x < 2 ^ 125) by (clear; change (2 ^ 125) with (1048576 * 2 ^ 105); lia).
  rewrite (lane_first 0), (lane_first 5), (lane_first 10), (lane_first 15) by (assumption || (apply L; assumption) || auto).
  assert (O10 : forall a c, Z.odd a = true -> Z.odd (a + 2 ^ 10 * c) = true).
  { intros a c Oa. change (2 ^ 10) with (2 * 512). rewrite <- Z.mul_assoc, Z.odd_add_mul_2. exact Oa. }
  change 10 with (0 + 10) at 1 2. change 15 with (5 + 10).
  rewrite (lane_second 0), (lane_second 5) by (assumption || (left; reflexivity) || (right; reflexivity)).
  set (e1 := a0 + 2 ^ 10 * a2) in *. set (e2 := b0 + 2 ^ 10 * b2) in *.
  set (o1 := a1 + 2 ^ 10 * a3) in *. set (o2 := b1 + 2 ^ 10 * b3) in *.
  assert (Be : Z.abs e1 <= 2 ^ 126 /\ Z.abs e2 <= 2 ^ 126 /\ Z.abs o1 <= 2 ^ 126 /\ Z.abs o2 <= 2 ^ 126).
  { unfold e1, e2, o1, o2. repeat split; apply near; assumption. }
  assert (Oe : e1 <> 0 /\ o1 <> 0) by (split; apply odd_nonzero; apply O10; assumption).
  destruct Be as (Be1 & Be2 & Be3 & Be4). destruct Oe as [Oe1 Oe2].
  rewrite lane_at.
  - unfold Sums.at_. cbn [fst snd]. f_equal. unfold e1, e2, o1, o2. change (5 + 10) with 15. change (0 + 10) with 10. change (2 ^ 15) with (2 ^ 5 * 2 ^ 10). change (2 ^ 0) with 1. ring.
  - apply finite_scaled; [auto|left; assumption|assumption|assumption].
  - apply finite_scaled; [auto|left; assumption|assumption|assumption].
  - intros D. apply Ne. etransitivity; [|exact D]. f_equal. unfold e1, e2, o1, o2. change (5 + 10) with 15. change (0 + 10) with 10. change (2 ^ 15) with (2 ^ 5 * 2 ^ 10). change (2 ^ 0) with 1. ring.
Qed.

(* S21: the last addition meets equal points for one scalar, and no other addition meets equal or opposite ones. *)
Theorem S21 k : 0 <= k < n -> avoid base_one_exception base_one k = times k A.
Proof.
  revert k. apply avoid_right; [split; reflexivity|vm_compute; discriminate|]. intros k Hk Nk. unfold base_one.
  pose proof (S12 k) as S.
  assert (F1 : odd5 (fst (variable_digits k))) by (apply S10_odd; reflexivity).
  assert (F2 : odd5 (snd (variable_digits k))) by (apply S10_odd; reflexivity).
  destruct (variable_digits k) as [d1 d2] eqn:E. cbn [fst snd] in F1, F2. destruct S as (S & L1 & L2).
  change variable_places with 26%nat in L1, L2. change variable_width with 5 in S.
  rewrite base_one_sum; [|assumption..|].
  - rewrite <- (modulo k), <- S, modulo. reflexivity.
  - intros D. apply Nk. clear Nk.
    destruct (alternate_odd d1 F1) as [G1 M1]. destruct (alternate_odd d2 F2) as [G2 M2].
    destruct (windows_unique 5 _ ltac:(lia) G1) as (m1 & B1' & E1 & W1). destruct (windows_unique 5 _ ltac:(lia) G2) as (m2 & B2' & E2 & W2).
    rewrite M1, L1 in *. rewrite M2, L2 in *. change (2 ^ (5 * Z.of_nat 26)) with (2 ^ 130) in *.
    destruct (multiple_of_v _ _ D) as (x & y & X & Y & Nz).
    set (a := sum 5 (alternate d1)) in *. set (b := sum 5 (alternate d2)) in *.
    assert (Ba : Z.abs a < 2 ^ 130) by lia. assert (Bb : Z.abs b < 2 ^ 130) by lia.
    assert (Oa : Z.odd a = true). { apply Z.odd_spec. exists (m1 - 2 ^ 129). change (2 ^ 130) with (2 * 2 ^ 129) in *. lia. }
    assert (Ob : Z.odd b = true). { apply Z.odd_spec. exists (m2 - 2 ^ 129). change (2 ^ 130) with (2 * 2 ^ 129) in *. lia. }
    assert (N48 : N (x, y) <= 48).
    { assert (N (a, b) <= 3 * (2 ^ 130 * 2 ^ 130)).
      { unfold N. assert (Sq : forall u v, Z.abs u < 2 ^ 130 -> Z.abs v < 2 ^ 130 -> Z.abs (u * v) <= 2 ^ 130 * 2 ^ 130).
        { intros u v Hu Hv. rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg; lia. }
        pose proof (Sq a a Ba Ba). pose proof (Sq a b Ba Bb). pose proof (Sq b b Bb Bb). lia. }
      assert (Q : 3 * (2 ^ 130 * 2 ^ 130) < 49 * n) by reflexivity. apply Z.lt_succ_r. apply Z.mul_lt_mono_pos_r with n; [reflexivity|]. rewrite <- Nz. change (Z.succ 48) with 49. lia. }
    assert (XY : -8 <= x <= 8 /\ -8 <= y <= 8).
    { clear -N48. unfold N in N48. assert (Sx : 3 * (x * x) <= 4 * 48) by (assert (0 <= (x - 2 * y) * (x - 2 * y)) by apply Z.square_nonneg; lia).
      assert (Sy : 3 * (y * y) <= 4 * 48) by (assert (0 <= (2 * x - y) * (2 * x - y)) by apply Z.square_nonneg; lia). nia. }
    pose proof none_met as P. rewrite forallb_forall in P. specialize (P (x, y)). 
    assert (I : forall i, -8 <= i <= 8 -> In i (map (fun i => i - 8) (interval 17))).
    { intros i Hi. apply in_map_iff. exists (i + 8). split; [lia|apply in_interval; lia]. }
    specialize (P ltac:(apply in_prod; apply I; lia)). apply negb_true_iff in P. unfold met in P.
    rewrite <- X, <- Y in P. rewrite Oa, Ob in P. apply Z.ltb_lt in Ba, Bb. rewrite Ba, Bb in P. cbn [andb] in P.
    replace ((a + (2 ^ 130 - 1)) / 2) with m1 in P by (rewrite <- E1, Z.mul_comm, Z.div_mul; [reflexivity|discriminate]).
    replace ((b + (2 ^ 130 - 1)) / 2) with m2 in P by (rewrite <- E2, Z.mul_comm, Z.div_mul; [reflexivity|discriminate]).
    rewrite W1, W2, !alternate_twice in P. rewrite S, (Z.mod_small k n Hk), E in P. cbn [fst snd] in P.
    unfold same_digits in P. destruct (list_eq_dec Z.eq_dec d1 d1); [|congruence]. destruct (list_eq_dec Z.eq_dec d2 d2); [|congruence].
    destruct (Z.eqb_spec k base_one_exception) as [->|]; [reflexivity|discriminate P].
Qed.
End Lanes.
