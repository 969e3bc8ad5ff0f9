(* Products of a point by a scalar, in a group of prime order n: the sums of multiples that internal/ecmult computes
   equal k P, and additions that are wrong for equal or opposite points do not meet such points. *)
Require Import ZArith Znumtheory Lia List Bool Constants Certificates Digits Tables Classes.
Import ListNotations.
Open Scope Z_scope.

Section Sums.
(* A commutative group, and a finite point. Curve.v proves that the points of secp256k1 are such a group. *)
Variable G : Type.
Variable O : G.
Variable plus : G -> G -> G.
Variable minus : G -> G.
Hypothesis plus_assoc : forall a b c, plus a (plus b c) = plus (plus a b) c.
Hypothesis plus_comm : forall a b, plus a b = plus b a.
Hypothesis plus_O : forall a, plus O a = a.
Hypothesis plus_minus : forall a, plus a (minus a) = O.

Fixpoint times_nat (m : nat) (a : G) : G := match m with Datatypes.O => O | S m => plus a (times_nat m a) end.
Definition times (k : Z) (a : G) : G := if k <? 0 then minus (times_nat (Z.to_nat (- k)) a) else times_nat (Z.to_nat k) a.

Lemma minus_unique a b : plus a b = O -> b = minus a.
Proof.
  intros E. rewrite <- (plus_O (minus a)), <- E, <- plus_assoc, (plus_comm b), plus_assoc, plus_minus, plus_O. reflexivity.
Qed.

Lemma minus_O : minus O = O.
Proof. symmetry. apply minus_unique. apply plus_O. Qed.

Lemma times_succ k a : times (k + 1) a = plus a (times k a).
Proof.
  unfold times. destruct (Z.ltb_spec k 0); destruct (Z.ltb_spec (k + 1) 0); try lia.
  - replace (Z.to_nat (- k)) with (S (Z.to_nat (- (k + 1)))) by lia. cbn [times_nat].
    symmetry. apply minus_unique. set (t := times_nat _ a).
    (* t + (a + -(a + t)) = O *)
    rewrite plus_assoc, (plus_comm t a), plus_minus. reflexivity.
  - assert (k = -1) by lia. subst k. change (O = plus a (minus (plus a O))).
    rewrite (plus_comm a O), plus_O, plus_minus. reflexivity.
  - replace (Z.to_nat (k + 1)) with (S (Z.to_nat k)) by lia. reflexivity.
Qed.

Lemma times_add j k a : times (j + k) a = plus (times j a) (times k a).
Proof.
  assert (P : forall m : nat, forall k, times (Z.of_nat m + k) a = plus (times (Z.of_nat m) a) (times k a)).
  { induction m as [|m IH]; intros k'.
    - cbn. rewrite plus_O. reflexivity.
    - replace (Z.of_nat (S m) + k') with ((Z.of_nat m + k') + 1) by lia. rewrite times_succ, IH, plus_assoc.
      replace (Z.of_nat (S m)) with (Z.of_nat m + 1) by lia. rewrite times_succ. reflexivity. }
  destruct (Z_le_gt_dec 0 j) as [H|H].
  - rewrite <- (Z2Nat.id j) by exact H. apply P.
  - assert (Q : times k a = plus (times (- j) a) (times (j + k) a)).
    { rewrite <- (Z2Nat.id (- j)) by lia. rewrite <- P. f_equal. lia. }
    assert (R : plus (times j a) (times (- j) a) = O).
    { replace (times j a) with (minus (times (- j) a)).
      - rewrite plus_comm. apply plus_minus.
      - unfold times. destruct (Z.ltb_spec (- j) 0); [lia|]. destruct (Z.ltb_spec j 0); [reflexivity|lia]. }
    rewrite Q, plus_assoc, R, plus_O. reflexivity.
Qed.

Lemma times_1 a : times 1 a = a.
Proof. change (plus a O = a). rewrite plus_comm. apply plus_O. Qed.

Lemma times_0 a : times 0 a = O.
Proof. reflexivity. Qed.

Lemma times_minus k a : times (- k) a = minus (times k a).
Proof. apply minus_unique. rewrite <- times_add, Z.add_opp_diag_r. reflexivity. Qed.

Lemma times_O k : times k O = O.
Proof.
  assert (P : forall m, times_nat m O = O) by (induction m; cbn [times_nat]; [reflexivity|rewrite IHm; apply plus_O]).
  unfold times. rewrite !P. destruct (k <? 0); [apply minus_O|reflexivity].
Qed.

Lemma times_mul j k a : times (j * k) a = times j (times k a).
Proof.
  assert (P : forall m : nat, times (Z.of_nat m * k) a = times (Z.of_nat m) (times k a)).
  { induction m as [|m IH]; [reflexivity|]. replace (Z.of_nat (S m)) with (Z.of_nat m + 1) by lia.
    rewrite times_succ, <- IH, <- times_add. f_equal. lia. }
  destruct (Z_le_gt_dec 0 j) as [H|H].
  - rewrite <- (Z2Nat.id j) by exact H. apply P.
  - replace (j * k) with (- (- j * k)) by ring. rewrite times_minus. replace (times j (times k a)) with (minus (times (- j) (times k a))).
    + f_equal. rewrite <- (Z2Nat.id (- j)) by lia. apply P.
    + rewrite <- times_minus. f_equal. lia.
Qed.

(* The group has n points, so n P is infinity for every point P. Because n is prime, a finite point has the order n, so
   k times the point is infinity only if n divides k. *)
Variable A : G.
Hypothesis finite : A <> O.
Hypothesis n_times : times n A = O.

Lemma order k : times k A = O <-> k mod n = 0.
Proof.
  split; intros E.
  - destruct (Zdivide_dec n k) as [D|D]; [apply Z.mod_divide; [discriminate|exact D]|]. exfalso. apply finite.
    destruct (rel_prime_bezout n k (prime_rel_prime n n_prime k D)) as [u v B].
    rewrite <- (times_1 A), <- B, times_add, !times_mul, E, n_times, !times_O. apply plus_O.
  - apply Z.mod_divide in E; [|discriminate]. destruct E as [q ->]. rewrite times_mul, n_times. apply times_O.
Qed.

Lemma equal_multiples j k : times j A = times k A <-> (j - k) mod n = 0.
Proof.
  rewrite <- order. replace (j - k) with (j + - k) by ring. rewrite times_add, times_minus. split; intros E.
  - rewrite E. apply plus_minus.
  - rewrite <- (times_1 (times j A)), <- times_mul, Z.mul_1_l. apply (f_equal (fun x => plus x (times k A))) in E.
    rewrite <- plus_assoc, (plus_comm (minus _)), plus_minus, plus_O, plus_comm, plus_O in E. exact E.
Qed.

Lemma modulo k : times (k mod n) A = times k A.
Proof. apply equal_multiples. rewrite Zminus_mod_idemp_l, Z.sub_diag. reflexivity. Qed.

(* An addition that fails if the points are equal or the first is infinity: AddMixed, or the addition in DoubleAdd. *)
Variable incomplete : G -> G -> G.
Hypothesis incomplete_right : forall a b, a <> O -> a <> b -> a <> minus b -> incomplete a b = plus a b.

Lemma nonzero x : x <> 0 -> Z.abs x < n -> x mod n <> 0.
Proof.
  intros N L E. apply Z.mod_divide in E; [|discriminate]. destruct E as [q ->]. assert (Q : q <> 0) by lia.
  rewrite Z.abs_mul, (Z.abs_eq n) in L by (vm_compute; discriminate).
  assert (1 * n <= Z.abs q * n) by (apply Z.mul_le_mono_nonneg_r; [vm_compute; discriminate|lia]). lia.
Qed.

Lemma incomplete_multiples s d : s <> 0 -> s <> d -> s <> - d -> Z.abs s + Z.abs d < n ->
  incomplete (times s A) (times d A) = times (s + d) A.
Proof.
  intros N0 N1 N2 L. rewrite times_add. apply incomplete_right.
  - rewrite order. apply nonzero; lia.
  - rewrite equal_multiples. apply nonzero; lia.
  - rewrite <- times_minus, equal_multiples. apply nonzero; lia.
Qed.

(* Base: the windows from the lowest on. Each d_i 2^(6 i) G comes from a table. The last is added by a complete
   addition. *)
(* internal/ecmult/base.go
func base(p *group.Jacobian, k *scalar.Scalar) {
	table := tables.Base()
	digits := recode.Base(k)

	var acc group.XYZZ
	var t group.Affine
	baseLookup(&t, table, &digits, 0)
	acc.SetAffine(&t)
	// Before step i, acc is s·G, where s is the sum of dⱼ·2⁶ʲ over all j < i. So s is odd, and |s| < 2⁶ⁱ. The step adds
	// d·2⁶ⁱ·G for the odd digit d = dᵢ. If the two points were equal or opposite, n would divide d·2⁶ⁱ − s or d·2⁶ⁱ +
	// s. Neither number is 0, since |d·2⁶ⁱ| > |s|. In absolute value both numbers are below 2⁶ⁱ⁺⁶, which for i ≤ 41 is
	// at most 2²⁵² < n. So only the last step, which adds d·2²⁵²·G, needs the complete addition. Its points are
	// opposite for the scalar 0 and equal for one other scalar (S11).
	for i := 1; i < recode.BaseDigits-1; i++ {
		baseLookup(&t, table, &digits, i)
		acc.AddMixed(&acc, &t)
	}
	baseLookup(&t, table, &digits, recode.BaseDigits-1)
	acc.AddMixedComplete(&acc, &t)
	p.SetXYZZ(&acc)
}
*)
Fixpoint base_loop (c : nat) (i : Z) (acc : G) (d : list Z) : G :=
  match d with
  | [] => acc
  | x :: d =>
      let t := times (x * 2 ^ (base_width * i)) A in
      match c with
      | Datatypes.O => plus acc t
      | S c => base_loop c (i + 1) (incomplete acc t) d
      end
  end.
Definition base (k : Z) : G :=
  match base_digits k with
  | [] => O
  | x :: d => base_loop 41 1 (times x A) d
  end.

Lemma base_loop_right c : forall i s d, 1 <= i -> i + Z.of_nat c <= 42 -> length d = S c -> Z.odd s = true ->
  Z.abs s < 2 ^ (base_width * i) -> Forall (fun x => Z.odd x = true /\ Z.abs x < 2 ^ base_width) d ->
  base_loop c i (times s A) d = times (s + 2 ^ (base_width * i) * sum base_width d) A.
Proof.
  induction c as [|c IH]; intros i s d Hi Hc L Os Bs F; destruct d as [|x d]; try discriminate L; inversion F as [|? ? [Ox Bx] F']; subst.
  - destruct d; [|discriminate L]. cbn [base_loop sum]. rewrite <- times_add. f_equal. ring.
  - cbn [base_loop]. assert (P : 0 < 2 ^ (base_width * i)) by (apply Z.pow_pos_nonneg; unfold base_width in *; lia).
    assert (X : x <> 0) by (intros ->; discriminate Ox). assert (S0 : s <> 0) by (intros ->; discriminate Os).
    set (B := 2 ^ (base_width * i)) in *.
    assert (E : 2 ^ (base_width * (i + 1)) = 2 ^ base_width * B).
    { unfold B. rewrite <- Z.pow_add_r by (unfold base_width; lia). f_equal. ring. }
    assert (XB : B <= Z.abs (x * B) <= (2 ^ base_width - 1) * B).
    { rewrite Z.abs_mul, (Z.abs_eq B) by lia. split.
      - assert (1 * B <= Z.abs x * B) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
      - apply Z.mul_le_mono_nonneg_r; lia. }
    assert (BN : 2 ^ base_width * B < n).
    { apply Z.le_lt_trans with (2 ^ base_width * 2 ^ (base_width * 41)); [|reflexivity]. apply Z.mul_le_mono_nonneg_l; [vm_compute; discriminate|].
      unfold B. apply Z.pow_le_mono_r; unfold base_width in *; lia. }
    rewrite incomplete_multiples; [|exact S0|lia|lia|lia].
    rewrite (IH (i + 1)); [| lia | lia | cbn in L; lia | | | exact F'].
    + cbn [sum]. f_equal. rewrite E. ring.
    + rewrite Z.odd_add, Os, Z.odd_mul. unfold B. rewrite Z.odd_pow by (unfold base_width in *; lia). rewrite andb_false_r. reflexivity.
    + rewrite E. assert (Z.abs (s + x * B) <= Z.abs s + Z.abs (x * B)) by lia. lia.
Qed.

(* S11: Base is right for all scalars, and only the last addition of Base can meet equal or opposite points. *)
Theorem S11_base k : base k = times k A.
Proof.
  unfold base. pose proof (S10_base k) as [S L]. pose proof (S10_odd base_width base_places (half (k + offset258)) ltac:(reflexivity)) as F.
  change (windows base_width base_places (half (k + offset258))) with (base_digits k) in F.
  destruct (base_digits k) as [|x d] eqn:E; [discriminate L|]. inversion F as [|? ? [Ox Bx] F']; subst.
  rewrite (base_loop_right 41 1 x d); [|lia|lia|cbn in L; unfold base_places in L; lia|exact Ox| |exact F'].
  - rewrite <- (modulo k), <- S, modulo. reflexivity.
  - change (base_width * 1) with base_width. exact Bx.
Qed.
(* Multiples by numbers of Z[lambda]: if n divides a + b lambda, n divides the norm of a + b lambda. *)
Lemma norm_0 a b : (a + b * lambda) mod n = 0 -> N (a, b) mod n = 0.
Proof.
  intros E. apply Z.mod_divide in E; [|discriminate]. destruct E as [q E]. apply Z.mod_divide; [discriminate|].
  assert (L : exists m, lambda * lambda + lambda + 1 = m * n).
  { exists ((lambda * lambda + lambda + 1) / n). vm_compute. reflexivity. }
  destruct L as [m L]. exists (q * (a - b - b * lambda) + b * b * m). unfold N.
  replace ((q * (a - b - b * lambda) + b * b * m) * n) with (q * n * (a - b - b * lambda) + b * b * (m * n)) by ring.
  rewrite <- E, <- L. ring.
Qed.

Lemma finite_multiple a b : 0 < N (a, b) < n -> (a + b * lambda) mod n <> 0.
Proof. intros H E. apply norm_0 in E. rewrite Z.mod_small in E by lia. lia. Qed.

Lemma norm_range a b c : 0 <= c -> 3 * (c * c) < n -> Z.abs a <= c -> Z.abs b <= c -> a <> 0 \/ b <> 0 -> 0 < N (a, b) < n.
Proof.
  intros Hc L Ha Hb Nz. unfold N. split.
  - assert (0 < a * a + b * b) by nia. assert (0 <= (a - b) * (a - b)) by apply Z.square_nonneg.
    assert (2 * (a * a - a * b + b * b) = (a - b) * (a - b) + (a * a + b * b)) by ring. lia.
  - assert (Sq : forall x y, Z.abs x <= c -> Z.abs y <= c -> Z.abs (x * y) <= c * c).
    { intros x y Hx Hy. rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg; lia. }
    pose proof (Sq a a Ha Ha). pose proof (Sq a b Ha Hb). pose proof (Sq b b Hb Hb). lia.
Qed.

Definition at_ (z : Z * Z) := times (fst z + snd z * lambda) A.

Lemma incomplete_at a b c d : (a <> 0 \/ b <> 0) -> (a - c <> 0 \/ b - d <> 0) -> (a + c <> 0 \/ b + d <> 0) ->
  Z.abs a + Z.abs c <= 2 ^ 126 -> Z.abs b + Z.abs d <= 2 ^ 126 ->
  incomplete (at_ (a, b)) (at_ (c, d)) = at_ (a + c, b + d).
Proof.
  intros N0 N1 N2 L1 L2. unfold at_. cbn [fst snd].
  assert (R : forall x y, x <> 0 \/ y <> 0 -> Z.abs x <= 2 ^ 126 -> Z.abs y <= 2 ^ 126 -> (x + y * lambda) mod n <> 0).
  { intros x y Nz Hx Hy. apply finite_multiple. apply (norm_range x y (2 ^ 126)); auto; [lia|reflexivity]. }
  replace (a + c + (b + d) * lambda) with ((a + b * lambda) + (c + d * lambda)) by ring.
  rewrite (times_add (a + b * lambda) (c + d * lambda)).
  apply incomplete_right.
  - rewrite order. apply R; [exact N0|lia|lia].
  - rewrite equal_multiples. replace (a + b * lambda - (c + d * lambda)) with ((a - c) + (b - d) * lambda) by ring.
    apply R; [exact N1|lia|lia].
  - rewrite <- times_minus, equal_multiples.
    replace (a + b * lambda - - (c + d * lambda)) with ((a + c) + (b + d) * lambda) by ring. apply R; [exact N2|lia|lia].
Qed.

(* Variable: both halves of the scalar, from the highest windows on. *)
(* internal/ecmult/variable.go
func Variable(p *group.Jacobian, k *scalar.Scalar, a *group.Jacobian) {
	var odd [recode.VariableEntries]group.Affine
	var ratio [recode.VariableEntries]field.Element
	// If a is infinity, all values from here on are meaningless, and the last line replaces the result.
	oddMultiples(odd[:], ratio[:], a)
	// From here on, all multiples and r are on the curve E_z (odd.go).
	z := commonDenominator(odd[:], ratio[:], nil)
	var t1, t2 [recode.VariableEntries]entry // multiples of a and of λ·a
	for i := range odd {
		t1[i].Set(&odd[i])
		odd[i].X.Mul(&odd[i].X, &group.Beta) // λ·(x, y) = (β·x, y)
		t2[i].Set(&odd[i])
	}

	k1, k2 := recode.Variable(k)

	var r, sum group.Jacobian
	var t group.Affine
	variableLookup(&t, &t1, &k1, recode.VariableDigits-1)
	r.SetAffine(&t)
	variableLookup(&t, &t2, &k2, recode.VariableDigits-1)
	r.AddMixed(&r, &t)
	// After each round r = (x + y·λ)·a for odd x and y. The absolute values of x and y have at most as many bits as the
	// rounds have read of each half of k. A round adds d·a to 2⁵·(x + y·λ)·a, and d′·λ·a to the result, where d and d′
	// are digits of k1 and k2. If the points of an addition were equal or opposite, their difference or sum (u + v·λ)·a
	// would be infinity, and n would divide the norm u² − uv + v². This is impossible, except in the last round:
	//
	//   - |u| and |v| are below 2¹²⁶, so the norm is below 3·2²⁵² < n.
	//   - The norm is not 0. When d·a is added, v = 2⁵·y is not 0. When d′·λ·a is added, also in the top round, u is
	//     odd.
	//
	// In the last round |u| and |v| may reach 2¹³⁰, so its two additions are complete (S13).
	for i := recode.VariableDigits - 2; i > 0; i-- {
		r.DoubleN(&r, recode.VariableWidth-1) // the fifth doubling is part of DoubleAdd
		variableLookup(&t, &t1, &k1, i)
		r.DoubleAdd(&r, &t)
		variableLookup(&t, &t2, &k2, i)
		r.AddMixed(&r, &t)
	}
	r.DoubleN(&r, recode.VariableWidth)
	variableLookup(&t, &t1, &k1, 0)
	sum.SetAffine(&t)
	r.Add(&r, &sum)
	variableLookup(&t, &t2, &k2, 0)
	sum.SetAffine(&t)
	r.Add(&r, &sum)

	r.Z.Mul(&r.Z, &z) // back to the curve E
	p.Select(&group.Jacobian{}, &r, a.IsInfinity())
}
*)
Fixpoint high (d1 d2 : list Z) : G :=
  match d1, d2 with
  | [x], [y] => incomplete (times x A) (times (y * lambda) A)
  | x :: d1, y :: d2 =>
      let r := times (2 ^ variable_width) (high d1 d2) in
      let r := incomplete r (times x A) in
      incomplete r (times (y * lambda) A)
  | _, _ => O
  end.
Definition variable (k : Z) : G :=
  let '(d1, d2) := variable_digits k in
  match d1, d2 with
  | x :: d1, y :: d2 => plus (plus (times (2 ^ variable_width) (high d1 d2)) (times x A)) (times (y * lambda) A)
  | _, _ => O
  end.

Definition odd_digits (d : list Z) := Forall (fun x => Z.odd x = true /\ Z.abs x < 2 ^ variable_width) d.

Lemma odd_sum d : odd_digits d -> d <> [] ->
  Z.odd (sum variable_width d) = true /\ Z.abs (sum variable_width d) < 2 ^ (variable_width * Z.of_nat (length d)).
Proof.
  intros F. induction F as [|x d [Ox Bx] F IH]; [congruence|]. intros _. cbn [sum length].
  assert (E : 2 ^ (variable_width * Z.of_nat (S (length d))) = 2 ^ variable_width * 2 ^ (variable_width * Z.of_nat (length d))).
  { rewrite <- Z.pow_add_r by (unfold variable_width; lia). f_equal. lia. }
  rewrite E. split.
  - rewrite Z.odd_add, Ox, Z.odd_mul. reflexivity.
  - change (2 ^ variable_width) with 32 in *. destruct d as [|y d]; [cbn [sum length]; change (2 ^ (variable_width * Z.of_nat 0)) with 1; lia|].
    destruct (IH ltac:(discriminate)) as [_ B]. lia.
Qed.

Lemma high_right d1 : forall d2, length d2 = length d1 -> (length d1 <= 25)%nat -> d1 <> [] -> odd_digits d1 -> odd_digits d2 ->
  high d1 d2 = at_ (sum variable_width d1, sum variable_width d2).
Proof.
  induction d1 as [|x d1 IH]; intros d2 L C Nz F1 F2; [congruence|]. destruct d2 as [|y d2]; [discriminate L|].
  inversion F1 as [|? ? [Ox Bx] F1']; subst. inversion F2 as [|? ? [Oy By] F2']; subst.
  assert (X : x <> 0) by (intros ->; discriminate Ox). assert (Y : y <> 0) by (intros ->; discriminate Oy).
  assert (Ex : times x A = at_ (x, 0)) by (unfold at_; cbn [fst snd]; f_equal; ring).
  assert (Ey : times (y * lambda) A = at_ (0, y)) by (unfold at_; cbn [fst snd]; f_equal; ring).
  change (2 ^ variable_width) with 32 in *.
  destruct d1 as [|x' d1], d2 as [|y' d2]; try discriminate L.
  - cbn [high sum]. rewrite Ex, Ey. rewrite incomplete_at by lia. f_equal. f_equal; ring.
  - assert (R : high (x :: x' :: d1) (y :: y' :: d2) =
      incomplete (incomplete (times 32 (high (x' :: d1) (y' :: d2))) (times x A)) (times (y * lambda) A)) by reflexivity.
    rewrite R. rewrite (IH (y' :: d2)); [|cbn in *; lia|cbn in *; lia|discriminate|exact F1'|exact F2'].
    destruct (odd_sum (x' :: d1) F1' ltac:(discriminate)) as [O1 B1]. destruct (odd_sum (y' :: d2) F2' ltac:(discriminate)) as [O2 B2].
    assert (P : forall m, (m <= 24)%nat -> 2 ^ (variable_width * Z.of_nat m) <= 2 ^ 120).
    { intros m Hm. apply Z.pow_le_mono_r; unfold variable_width; lia. }
    pose proof (P (length (x' :: d1)) ltac:(cbn in *; lia)) as P1. pose proof (P (length (y' :: d2)) ltac:(cbn in *; lia)) as P2.
    set (s1 := sum variable_width (x' :: d1)) in *. set (s2 := sum variable_width (y' :: d2)) in *.
    assert (S1 : s1 <> 0) by (intros E; rewrite E in O1; discriminate O1).
    assert (S2 : s2 <> 0) by (intros E; rewrite E in O2; discriminate O2).
    assert (D : times 32 (at_ (s1, s2)) = at_ (32 * s1, 32 * s2)).
    { unfold at_. cbn [fst snd]. rewrite <- times_mul. f_equal. ring. }
    assert (Odd : 32 * s1 + x <> 0).
    { intros E. assert (Q : Z.odd (x + 2 * (16 * s1)) = true) by (rewrite Z.odd_add_mul_2; exact Ox).
      replace (x + 2 * (16 * s1)) with 0 in Q by lia. discriminate Q. }
    change (2 ^ 126) with (64 * 2 ^ 120) in *.
    rewrite D, Ex, Ey. rewrite incomplete_at by (change (2 ^ 126) with (64 * 2 ^ 120); lia).
    rewrite incomplete_at by (change (2 ^ 126) with (64 * 2 ^ 120); lia).
    change (sum variable_width (x :: x' :: d1)) with (x + 32 * s1). change (sum variable_width (y :: y' :: d2)) with (y + 32 * s2).
    f_equal. f_equal; ring.
Qed.

(* S13: Variable is right for all scalars, and only additions in the last window can meet equal or opposite points. *)
Theorem S13_variable k : variable k = times k A.
Proof.
  unfold variable. pose proof (S12 k) as S.
  assert (F1 : odd_digits (fst (variable_digits k))) by (apply S10_odd; reflexivity).
  assert (F2 : odd_digits (snd (variable_digits k))) by (apply S10_odd; reflexivity).
  destruct (variable_digits k) as [d1 d2]. cbn [fst snd] in F1, F2. destruct S as (S & L1 & L2).
  unfold variable_places in *. destruct d1 as [|x d1]; [discriminate L1|]. destruct d2 as [|y d2]; [discriminate L2|].
  cbn [length] in L1, L2. inversion F1; subst. inversion F2; subst.
  rewrite high_right; [|lia|lia|intros ->; discriminate L1|assumption|assumption].
  rewrite <- (modulo k), <- S, modulo. unfold at_. cbn [fst snd sum]. rewrite <- times_mul, <- !times_add. f_equal. ring.
Qed.

(* Straus's method, from the highest place down. Each place takes one doubling, and then the multiples of all points
   that have a digit at this place are added, by additions that are right for all points. A term is a point with its
   digits. *)
(* internal/ecmult/strauss.go
func SumVartime(p *group.Jacobian, g *scalar.Scalar, terms []Term) {
	var ofG generatorTerm
	if g != nil {
		ofG.setVartime(g)
	}

	// All tables, the multiples of G and the sum s are on the curve E_z of odd.go.
	z := buildTablesVartime(terms)
	ofG.gatherVartime(&z)

	// The bits of the variable places say at which places any scalar has a digit. The places are visited from the
	// highest down, and the digits of each scalar are consumed from the end, so a scalar has a digit at a place exactly
	// if its last remaining digit is at this place.
	//
	// After a place has been visited, s is the sum of digit·2^(place of digit − place)·point over all digits at this
	// place and above. No doublings are due then: s.behind is 0, since at least one digit was added.
	var places [3]uint64
	ofG.digits.Mark(&places)
	for i := range terms {
		terms[i].digits.Mark(&places)
	}
	var s sum
	last := -1 // the place visited before, or −1 at the first place
	for word := len(places) - 1; word >= 0; word-- {
		for places[word] != 0 {
			bit := bits.Len64(places[word]) - 1
			places[word] ^= 1 << bit
			place := word*64 + bit
			if last >= 0 {
				s.behind = last - place // the number of doublings that addVartime makes
			}
			last = place
			for i := range terms {
				t := &terms[i]
				if d, ok := t.digits.Last(place); ok {
					t.digits.N--
					s.addVartime(t.multipleVartime(d))
				}
			}
			if _, ok := ofG.digits.Last(place); ok {
				ofG.digits.N--
				a := &ofG.multiple[ofG.digits.N]
				s.addVartime(&a.X, &a.Y)
			}
		}
	}
	if last > 0 { // doublings from the lowest place with a digit to place 0
		s.r.DoubleN(&s.r, last)
	}
	s.r.Z.Mul(&s.r.Z, &z) // back to the curve E
	p.Set(&s.r)
}
*)
Fixpoint add_digits (i : Z) (acc : G) (P : G) (d : list (Z * (Z * Z))) : G :=
  match d with
  | [] => acc
  | (j, u) :: d => add_digits i (if j =? i then plus acc (times (fst u + snd u * lambda) P) else acc) P d
  end.
Fixpoint add_terms (i : Z) (acc : G) (terms : list (G * list (Z * (Z * Z)))) : G :=
  match terms with [] => acc | (P, d) :: terms => add_terms i (add_digits i acc P d) terms end.
Fixpoint straus (c : nat) (acc : G) (terms : list (G * list (Z * (Z * Z)))) : G := (* places c - 1 to 0 *)
  match c with
  | Datatypes.O => acc
  | S c => straus c (add_terms (Z.of_nat c) (plus acc acc) terms) terms
  end.
Fixpoint total_of (terms : list (G * list (Z * (Z * Z)))) : G :=
  match terms with [] => O | (P, d) :: terms => plus (times (total d) P) (total_of terms) end.

(* low is the value of the digits below a place, and here the value of the digit at a place. *)
Fixpoint low (c : Z) (d : list (Z * (Z * Z))) : Z :=
  match d with [] => 0 | (j, u) :: d => (if j <? c then 2 ^ j * (fst u + snd u * lambda) else 0) + low c d end.
Fixpoint here (i : Z) (d : list (Z * (Z * Z))) : Z :=
  match d with [] => 0 | (j, u) :: d => (if j =? i then fst u + snd u * lambda else 0) + here i d end.

Lemma low_succ c d : Forall (fun t => 0 <= fst t) d -> 0 <= c -> low (c + 1) d = 2 ^ c * here c d + low c d.
Proof.
  intros F Hc. induction F as [|[j u] d Hj F IH]; cbn [low here]; [ring|]. cbn [fst] in Hj. rewrite IH.
  destruct (Z.ltb_spec j (c + 1)); destruct (Z.ltb_spec j c); destruct (Z.eqb_spec j c); subst; try lia; ring.
Qed.

Lemma low_all c d : Forall (fun t => fst t < c) d -> low c d = total d.
Proof.
  unfold total. induction 1 as [|[j u] d Hj F IH]; cbn [low value]; [ring|]. cbn [fst] in Hj. rewrite IH.
  destruct (Z.ltb_spec j c); [ring|lia].
Qed.

Lemma low_none d : Forall (fun t => 0 <= fst t) d -> low 0 d = 0.
Proof. induction 1 as [|[j u] d Hj F IH]; cbn [low]; [reflexivity|]. cbn [fst] in Hj. rewrite IH. destruct (Z.ltb_spec j 0); lia. Qed.

Lemma add_digits_right i d : forall acc P, add_digits i acc P d = plus acc (times (here i d) P).
Proof.
  induction d as [|[j u] d IH]; intros acc P; cbn [add_digits here].
  - rewrite times_0, plus_comm, plus_O. reflexivity.
  - rewrite IH. destruct (j =? i).
    + rewrite (times_add (fst u + snd u * lambda)), plus_assoc. reflexivity.
    + rewrite Z.add_0_l. reflexivity.
Qed.

Fixpoint sum_terms (f : list (Z * (Z * Z)) -> Z) (terms : list (G * list (Z * (Z * Z)))) : G :=
  match terms with [] => O | (P, d) :: terms => plus (times (f d) P) (sum_terms f terms) end.

Lemma add_terms_right i terms : forall acc, add_terms i acc terms = plus acc (sum_terms (here i) terms).
Proof.
  induction terms as [|[P d] terms IH]; intros acc; cbn [add_terms sum_terms].
  - rewrite plus_comm, plus_O. reflexivity.
  - rewrite IH, add_digits_right, plus_assoc. reflexivity.
Qed.

Lemma swap a b c d : plus (plus a b) (plus c d) = plus (plus a c) (plus b d).
Proof. rewrite <- !plus_assoc. f_equal. rewrite !plus_assoc, (plus_comm b c). reflexivity. Qed.

Lemma minus_plus a b : minus (plus a b) = plus (minus a) (minus b).
Proof. symmetry. apply minus_unique. rewrite swap, !plus_minus. apply plus_O. Qed.

Lemma times_plus m x y : times m (plus x y) = plus (times m x) (times m y).
Proof.
  assert (Dn : forall k, times_nat k (plus x y) = plus (times_nat k x) (times_nat k y)).
  { induction k as [|k IHk]; cbn [times_nat]; [rewrite plus_O; reflexivity|]. rewrite IHk. apply swap. }
  unfold times. rewrite !Dn. destruct (m <? 0); [apply minus_plus|reflexivity].
Qed.

Lemma sum_terms_add f g h m terms : Forall (fun t => f (snd t) = m * g (snd t) + h (snd t)) terms ->
  sum_terms f terms = plus (times m (sum_terms g terms)) (sum_terms h terms).
Proof.
  induction 1 as [|[P d] terms E F IH]; cbn [sum_terms].
  - rewrite times_O, plus_O. reflexivity.
  - cbn [snd] in E. rewrite E, IH. rewrite (times_add (m * g d) (h d)), (times_mul m (g d)). rewrite swap. f_equal.
    rewrite times_plus. reflexivity.
Qed.

Lemma straus_right terms c : Forall (fun t => Forall (fun t => 0 <= fst t) (snd t)) terms -> forall acc,
  straus c acc terms = plus (times (2 ^ Z.of_nat c) acc) (sum_terms (low (Z.of_nat c)) terms).
Proof.
  intros F. induction c as [|c IH]; intros acc.
  - cbn [straus]. change (2 ^ Z.of_nat 0) with 1. rewrite times_1.
    assert (E : sum_terms (low (Z.of_nat 0)) terms = O).
    { change (Z.of_nat 0) with 0. clear -F plus_O. induction F as [|[P d] terms H F IH]; cbn [sum_terms]; [reflexivity|]. rewrite IH. cbn [snd] in H.
      rewrite (low_none d H), times_0. apply plus_O. }
    rewrite E, plus_comm, plus_O. reflexivity.
  - cbn [straus]. rewrite IH, add_terms_right.
    rewrite (sum_terms_add (low (Z.of_nat (S c))) (here (Z.of_nat c)) (low (Z.of_nat c)) (2 ^ Z.of_nat c)).
    + replace (2 ^ Z.of_nat (S c)) with (2 ^ Z.of_nat c * 2) by (rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia; ring).
      rewrite times_mul. replace (times 2 acc) with (plus acc acc) by (change 2 with (1 + 1); rewrite times_add, times_1; reflexivity).
      rewrite plus_assoc. f_equal.
      assert (D : forall m x y, times m (plus x y) = plus (times m x) (times m y)).
      { intros m x y. assert (Dn : forall k, times_nat k (plus x y) = plus (times_nat k x) (times_nat k y)).
        { induction k as [|k IHk]; cbn [times_nat]; [rewrite plus_O; reflexivity|]. rewrite IHk. apply swap. }
        unfold times. rewrite !Dn. destruct (m <? 0); [|reflexivity]. symmetry. apply minus_unique.
        rewrite swap, !plus_minus. apply plus_O. }
      apply D.
    + clear IH. induction F as [|[P d] terms H F IHF]; constructor; auto. cbn [snd] in *.
      rewrite Nat2Z.inj_succ, <- Z.add_1_r. apply low_succ; [exact H|lia].
Qed.

Theorem straus_is_sum terms : Forall (fun t => Forall (fun t => 0 <= fst t <= max_place) (snd t)) terms ->
  straus 131 O terms = total_of terms.
Proof.
  intros F. rewrite straus_right.
  - rewrite times_O, plus_O. induction F as [|[P d] terms H F IH]; cbn [sum_terms total_of]; [reflexivity|].
    rewrite IH. cbn [snd] in H. f_equal. f_equal. apply low_all. revert H. apply Forall_impl. intros [j u] B. cbn [fst] in *.
    unfold max_place in B. cbn. lia.
  - revert F. apply Forall_impl. intros [P d]. cbn [snd]. apply Forall_impl. intros [j u]. cbn [fst]. lia.
Qed.

(* DoubleScalarVartime computes k P + g A, where A is G, for every P with n P infinity. *)
Lemma modulo_of P k : times n P = O -> times (k mod n) P = times k P.
Proof.
  intros E. rewrite (Z.div_mod k n) at 2 by discriminate. rewrite times_add, (Z.mul_comm n), times_mul, E, times_O, plus_O. reflexivity.
Qed.

Lemma apart_range w digit top d : 0 < w -> forall i, 0 <= i -> apart w digit top i d -> Forall (fun t => 0 <= fst t <= top - 1) d.
Proof.
  intros Hw. induction d as [|[j u] d IH]; intros i Hi B; constructor; cbn [apart fst] in *; destruct B as (R & _ & B).
  - lia.
  - apply (IH (j + w)); [lia|exact B].
Qed.

Theorem double_scalar P k g : times n P = O -> 0 <= k < n -> 0 <= g < n ->
  straus 131 O [(P, naf_of 3 point_digit (k1 k, k2 k)); (A, naf_of 8 generator_digit (k1 g, k2 g))] =
  plus (times k P) (times g A).
Proof.
  intros EP Hk Hg. destruct (S7_scalar k Hk) as (T3 & A3 & _ & _). destruct (S7_scalar g Hg) as (_ & _ & T8 & A8).
  rewrite straus_is_sum.
  - cbn [total_of]. rewrite (plus_comm (times _ A) O), plus_O. f_equal.
    + rewrite <- (modulo_of P _ EP), T3. reflexivity.
    + rewrite <- modulo, T8. reflexivity.
  - constructor; [|constructor; [|constructor]]; cbn [snd].
    + apply (apart_range 3 point_digit 130 _ ltac:(lia) 0 ltac:(lia)) in A3. revert A3. apply Forall_impl. intros t. unfold max_place. lia.
    + apply (apart_range 8 generator_digit 130 _ ltac:(lia) 0 ltac:(lia)) in A8. revert A8. apply Forall_impl. intros t. unfold max_place. lia.
Qed.

(* S9 and S18: the walks through the tables. Each step adds a unit to an entry. The entry equals neither the unit nor
   its opposite, because their sum and their difference have norms from 1 to 28. *)
Fixpoint steps (walk : list (Z * Z)) : list ((Z * Z) * (Z * Z)) :=
  match walk with
  | (a, b) :: ((c, d) :: _ as walk) => ((a, b), (c - a, d - b)) :: steps walk
  | _ => []
  end.
Definition apart_step (s : (Z * Z) * (Z * Z)) : bool :=
  let '((a, b), (u, v)) := s in
  (N (u, v) =? 1) && (1 <=? N (a - u, b - v)) && (N (a - u, b - v) <=? 28) && (1 <=? N (a + u, b + v)) && (N (a + u, b + v) <=? 28).

Lemma walk_right walk : forallb apart_step (steps walk) = true -> forall s, In s (steps walk) ->
  at_ (fst s) <> at_ (snd s) /\ at_ (fst s) <> minus (at_ (snd s)).
Proof.
  intros E [[a b] [u v]] Hin. rewrite forallb_forall in E. specialize (E _ Hin). unfold apart_step in E.
  apply andb_prop in E. destruct E as [E E4]. apply andb_prop in E. destruct E as [E E3].
  apply andb_prop in E. destruct E as [E E2]. apply andb_prop in E. destruct E as [_ E1].
  apply Z.leb_le in E1, E2, E3, E4. assert (L : 28 < n) by reflexivity.
  unfold at_. cbn [fst snd]. rewrite <- times_minus, !equal_multiples. split.
  - replace (a + b * lambda - (u + v * lambda)) with ((a - u) + (b - v) * lambda) by ring. apply finite_multiple. lia.
  - replace (a + b * lambda - - (u + v * lambda)) with ((a + u) + (b + v) * lambda) by ring. apply finite_multiple. lia.
Qed.

Theorem S9 s : In s (steps point_walk) -> at_ (fst s) <> at_ (snd s) /\ at_ (fst s) <> minus (at_ (snd s)).
Proof. apply walk_right. vm_compute. reflexivity. Qed.

Theorem S18 s : In s (steps regular_walk) -> at_ (fst s) <> at_ (snd s) /\ at_ (fst s) <> minus (at_ (snd s)).
Proof. apply walk_right. vm_compute. reflexivity. Qed.

(* S9 for oddMultiples: the odd multiples up to 29 are neither equal nor opposite to the double. *)
Theorem S9_odd i : 0 <= i <= variable_entries - 2 -> times (2 * i + 1) A <> times 2 A /\ times (2 * i + 1) A <> minus (times 2 A).
Proof.
  intros H. assert (L : 32 < n) by reflexivity. rewrite <- times_minus, !equal_multiples. split; apply nonzero; lia.
Qed.

(* The sum of multiples from tables for all places. The multiples for each unit are added up by a sum that is right for
   all points. For the powers 2, 1 and 0 of lambda, the lists m have the multiples for units with a minus sign, and the
   lists p the multiples for the other units. *)
(* internal/ecmult/precomputed.go
func sumPrecomputedVartime(p *group.XYZZ, terms []precomputedTerm) {
	if platform.TermsInLanes(termsOf(terms)) && sumInLanesVartime(p, terms) {
		return
	}
	// A digit stands for a unit, which is ±λᵏ, times an entry. The entries are sorted by their units, so that one
	// multiplication by a unit serves all entries with that unit. Let Σₖ be the sum of the entries with the unit ±λᵏ,
	// with their signs but without the factor λᵏ. Then the result is λ·(λ·Σ₂ + Σ₁) + Σ₀, which takes two products by β
	// for all digits.
	//
	// Signs are treated in the same way. For each power k, the sum is negated and the entries with a minus sign are
	// added. Then the sum is negated again and the entries with a plus sign are added.
	*p = group.XYZZ{}
	for power := 2; ; power-- {
		for minus := 1; minus >= 0; minus-- {
			unit := 2*power + minus
			p.Y.Negate(&p.Y)
			for i := range terms {
				t := &terms[i]
				for _, entry := range t.digits.Entry[unit][:t.digits.N[unit]] {
					p.AddMixedVartime(p, &t.table[entry])
				}
			}
		}
		if power == 0 {
			break
		}
		p.X.Mul(&p.X, &group.Beta) // λ·(x, y) = (β·x, y)
	}
}
*)
Fixpoint add_all (acc : G) (list : list G) : G := match list with [] => acc | a :: list => add_all (plus acc a) list end.
Definition both (acc : G) (m p : list G) := add_all (minus (add_all (minus acc) m)) p.
Definition sum_precomputed (m2 p2 m1 p1 m0 p0 : list G) :=
  both (times lambda (both (times lambda (both O m2 p2)) m1 p1)) m0 p0.

Lemma add_all_right l : forall acc, add_all acc l = plus acc (add_all O l).
Proof.
  induction l as [|a l IH]; intros acc; cbn [add_all].
  - rewrite plus_comm, plus_O. reflexivity.
  - rewrite IH, (IH (plus O a)), plus_O, plus_assoc. reflexivity.
Qed.

Lemma minus_minus a : minus (minus a) = a.
Proof. symmetry. apply minus_unique. rewrite plus_comm. apply plus_minus. Qed.

Definition difference (m p : list G) := plus (minus (add_all O m)) (add_all O p).

Theorem precomputed_is_sum m2 p2 m1 p1 m0 p0 : sum_precomputed m2 p2 m1 p1 m0 p0 =
  plus (times (lambda * lambda) (difference m2 p2)) (plus (times lambda (difference m1 p1)) (difference m0 p0)).
Proof.
  assert (B : forall acc m p, both acc m p = plus acc (difference m p)).
  { intros acc m p. unfold both, difference. rewrite (add_all_right p), (add_all_right m), minus_plus, minus_minus.
    symmetry. apply plus_assoc. }
  unfold sum_precomputed. rewrite !B, plus_O, !times_plus, <- times_mul, <- plus_assoc. reflexivity.
Qed.

(* Shared: the digits of piece c are at places 17 c to 17 c + 16, and multiply 2^(17 c) P. *)
(* internal/ecmult/shared.go
func (t *Shared) DoubleScalarVartime(p *group.Jacobian, k, g *scalar.Scalar) {
	var ofG [1]precomputedTerm
	ofG[0].setGeneratorVartime(g)

	var digits recode.Digits
	digits.SetPointVartime(k)
	// Sort the digits by their place in their piece: digits due[j][:n[j]] are at place j. A place of a piece has at
	// most one digit, so due[j] has at most 8.
	var due [span][Pieces]uint8
	var n [span]uint8
	for i := range digits.Digit[:digits.N] {
		place := digits.Digit[i].At % span
		due[place][n[place]] = uint8(i)
		n[place]++
	}
	// Before a place is visited, s is the sum of digit·2^(place of digit − place)·point over the digits at higher
	// places, counted within their pieces. Doublings are left out while s is infinity.
	var s sum
	for place := span - 1; place >= 0; place-- {
		for _, i := range due[place][:n[place]] {
			d := &digits.Digit[i]
			s.addVartime(t.piece[d.At/span].multipleVartime(d))
		}
		if place > 0 && !s.r.Z.IsZeroVartime() {
			s.behind++
		}
	}
	if s.behind > 0 {
		s.r.DoubleN(&s.r, s.behind)
	}
	s.r.Z.Mul(&s.r.Z, &t.z) // back to the curve E

	// G has tables for all places, so g·G needs no doublings and is added at the end.
	var sumOfG group.XYZZ
	var q group.Jacobian
	sumPrecomputedVartime(&sumOfG, ofG[:])
	q.SetXYZZ(&sumOfG)
	p.AddVartime(&s.r, &q)
}
*)
Definition span := max_place / shared_pieces + 1.
Definition piece (c : Z) (d : list (Z * (Z * Z))) :=
  map (fun t => (fst t - span * c, snd t)) (filter (fun t => fst t / span =? c) d).
Definition shared_terms (P : G) (d : list (Z * (Z * Z))) :=
  map (fun c => (times (2 ^ (span * c)) P, piece c d)) (interval shared_pieces).

Lemma total_cons j u d : total ((j, u) :: d) = 2 ^ j * (fst u + snd u * lambda) + total d.
Proof. unfold total. cbn [value]. ring. Qed.

Lemma piece_cons c j u d : piece c ((j, u) :: d) = if j / span =? c then (j - span * c, u) :: piece c d else piece c d.
Proof. unfold piece. cbn [filter fst]. destruct (j / span =? c); reflexivity. Qed.

Lemma pieces_total d : Forall (fun t => 0 <= fst t <= max_place) d ->
  total (piece 0 d) + 2 ^ (span * 1) * total (piece 1 d) + 2 ^ (span * 2) * total (piece 2 d) +
  2 ^ (span * 3) * total (piece 3 d) + 2 ^ (span * 4) * total (piece 4 d) + 2 ^ (span * 5) * total (piece 5 d) +
  2 ^ (span * 6) * total (piece 6 d) + 2 ^ (span * 7) * total (piece 7 d) = total d.
Proof.
  induction 1 as [|[j u] d H F IH]; [reflexivity|]. cbn [fst] in H. rewrite total_cons, <- IH. clear IH.
  assert (Q : 0 <= j / span <= 7).
  { change span with 17. unfold max_place in H. split; [apply Z.div_pos; lia|]. assert (j / 17 < 8) by (apply Z.div_lt_upper_bound; lia). lia. }
  assert (J : forall c, j / span = c -> 2 ^ (span * c) * 2 ^ (j - span * c) = 2 ^ j).
  { intros c E. change span with 17 in *. pose proof (Z.div_mod j 17 ltac:(discriminate)). pose proof (Z.mod_pos_bound j 17 ltac:(reflexivity)).
    rewrite <- Z.pow_add_r by lia. f_equal. lia. }
  rewrite !piece_cons.
  assert (C : j / span = 0 \/ j / span = 1 \/ j / span = 2 \/ j / span = 3 \/ j / span = 4 \/ j / span = 5 \/
    j / span = 6 \/ j / span = 7) by lia.
  destruct C as [E|[E|[E|[E|[E|[E|[E|E]]]]]]]; pose proof (J _ E) as JE; rewrite E; cbn [Z.eqb Pos.eqb];
  rewrite total_cons, <- JE; try ring. change (span * 0) with 0. change (2 ^ 0) with 1. ring.
Qed.

Theorem shared_is_product P d : Forall (fun t => 0 <= fst t <= max_place) d ->
  straus (Z.to_nat span) O (shared_terms P d) = times (total d) P.
Proof.
  unfold shared_terms. change (interval shared_pieces) with [0; 1; 2; 3; 4; 5; 6; 7]. intros F. assert (R : forall c, Forall (fun t => 0 <= fst t < span) (piece c d)).
  { intros c. unfold piece. apply Forall_map. induction F as [|[j u] d H F IH]; [constructor|]. cbn [filter fst] in *.
    destruct (Z.eqb_spec (j / span) c) as [E|]; [constructor|]; auto. cbn [fst].
    change span with 17 in *. pose proof (Z.div_mod j 17 ltac:(discriminate)). pose proof (Z.mod_pos_bound j 17 ltac:(reflexivity)). lia. }
  rewrite straus_right.
  - rewrite times_O, plus_O. change (Z.of_nat (Z.to_nat span)) with span.
    assert (L : forall c, low span (piece c d) = total (piece c d)).
    { intros c. apply low_all. generalize (R c). apply Forall_impl. intros t. lia. }
    cbn [map sum_terms]. rewrite !L, <- !times_mul, <- (pieces_total d F).
    rewrite !times_add. change (2 ^ (span * 0)) with 1. rewrite Z.mul_1_r.
    rewrite (plus_comm _ O), plus_O. rewrite !(Z.mul_comm (2 ^ _)). rewrite !plus_assoc. reflexivity.
  - apply Forall_map. repeat constructor; cbn [snd];
    match goal with |- Forall _ (piece ?c _) => generalize (R c) end; apply Forall_impl; intros t; lia.
Qed.

(* S23. The sum of (u + v omega) B over all buckets B, by rows. R of a number is the sum of the buckets whose u is the
   number, and S the sum of the buckets whose v is the number. *)
Definition omega := 1 + lambda.
Definition bucket_terms := list (Z * Z * G). (* u, v and the bucket *)
Fixpoint weighted (b : bucket_terms) : G :=
  match b with [] => O | (u, v, B) :: b => plus (times (u + v * omega) B) (weighted b) end.
Fixpoint row (part : Z * Z * G -> Z) (i : Z) (b : bucket_terms) : G :=
  match b with [] => O | t :: b => if part t =? i then plus (snd t) (row part i b) else row part i b end.
Fixpoint rows (c : nat) (b : bucket_terms) : G := (* the rows of the numbers below c *)
  match c with
  | Datatypes.O => O
  | S c => let i := Z.of_nat c in
      plus (times i (plus (row (fun t => fst (fst t)) i b) (times omega (row (fun t => snd (fst t)) i b)))) (rows c b)
  end.

Lemma rows_cons c u v B b : 0 <= u -> 0 <= v -> rows c ((u, v, B) :: b) =
  plus (times ((if u <? Z.of_nat c then u else 0) + (if v <? Z.of_nat c then v else 0) * omega) B) (rows c b).
Proof.
  intros Hu Hv. induction c as [|c IH].
  - cbn [rows]. change (Z.of_nat 0) with 0. destruct (Z.ltb_spec u 0); destruct (Z.ltb_spec v 0); try lia.
    rewrite plus_O. reflexivity.
  - cbn [rows row fst snd]. rewrite IH. clear IH. set (i := Z.of_nat c). replace (Z.of_nat (S c)) with (i + 1) by lia.
    set (R := row _ i b). set (T := row _ i b).
    assert (E : forall x, 0 <= x -> (if x <? i + 1 then x else 0) = (if x =? i then i else 0) + (if x <? i then x else 0)).
    { intros x Hx. destruct (Z.ltb_spec x (i + 1)); destruct (Z.eqb_spec x i); destruct (Z.ltb_spec x i); lia. }
    rewrite (E u Hu), (E v Hv).
    set (u' := if u <? i then u else 0). set (v' := if v <? i then v else 0).
    assert (X : times i (plus (if u =? i then plus B R else R) (times omega (if v =? i then plus B T else T))) =
      plus (times ((if u =? i then i else 0) + (if v =? i then i else 0) * omega) B) (times i (plus R (times omega T)))).
    { set (eu := if u =? i then 1 else 0). set (ev := if v =? i then 1 else 0).
      replace (if u =? i then plus B R else R) with (plus (times eu B) R)
        by (unfold eu; destruct (u =? i); [rewrite times_1|rewrite times_0, plus_O]; reflexivity).
      replace (if v =? i then plus B T else T) with (plus (times ev B) T)
        by (unfold ev; destruct (v =? i); [rewrite times_1|rewrite times_0, plus_O]; reflexivity).
      replace (if u =? i then i else 0) with (i * eu) by (unfold eu; destruct (u =? i); ring).
      replace (if v =? i then i else 0) with (i * ev) by (unfold ev; destruct (v =? i); ring).
      rewrite (times_plus omega), swap, (times_plus i). f_equal.
      rewrite <- times_mul, <- times_add, <- times_mul. f_equal. ring. }
    rewrite X. rewrite swap. f_equal. rewrite <- times_add. f_equal. ring.
Qed.

Theorem S23 c b : Forall (fun t => 0 <= fst (fst t) < Z.of_nat c /\ 0 <= snd (fst t) < Z.of_nat c) b -> weighted b = rows c b.
Proof.
  induction 1 as [|[[u v] B] b [Hu Hv] F IH].
  - cbn [weighted]. induction c as [|c IH]; [reflexivity|]. cbn [rows row]. rewrite <- IH. repeat rewrite ?times_O, ?plus_O. reflexivity.
  - cbn [fst snd] in *. cbn [weighted]. rewrite rows_cons by lia. rewrite IH.
    destruct (Z.ltb_spec u (Z.of_nat c)); [|lia]. destruct (Z.ltb_spec v (Z.of_nat c)); [|lia]. reflexivity.
Qed.
End Sums.
