(* Square roots modulo p. Since p is 3 modulo 4, the power a^((p + 1)/4) of a square a is one of its square roots. *)
Require Import ZArith Lia Bool List Base Constants.
Import ListNotations.
Open Scope field_scope.

Ltac positive := apply Z.leb_le; vm_compute; reflexivity.

Section Roots.
Context {K : field}.
Add Field F : (laws K).
Implicit Types a r v : K.

(* Powers, and Fermat's theorem. *)
Variable pow : K -> Z -> K.
Hypothesis pow_1 : forall a, pow a 1 = a.
Hypothesis pow_add : forall a k l, (0 <= k)%Z -> (0 <= l)%Z -> pow a k * pow a l = pow a (k + l)%Z.
Hypothesis pow_mul : forall a c k, (0 <= k)%Z -> pow (a * c) k = pow a k * pow c k.
Hypothesis fermat : forall a, a <> 0 -> pow a (p - 1) = 1.

(* SquareN of power.go: n squarings in sequence. *)
Definition SquareN a (n : nat) : K := Nat.iter n (fun x : K => x * x) a.

Lemma SquareN_pow a k n : (0 <= k)%Z -> SquareN (pow a k) n = pow a (k * 2 ^ Z.of_nat n)%Z.
Proof.
  intros Hk. unfold SquareN, Nat.iter. induction n as [|n IH]; cbn [nat_rect].
  - f_equal. change (2 ^ Z.of_nat 0)%Z with 1%Z. lia.
  - rewrite IH, pow_add by (apply Z.mul_nonneg_nonneg; [exact Hk|apply Z.pow_nonneg; lia]). f_equal.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

(* internal/field/power.go
func rootChain(t, x2, a *Element) {
	// xₖ is a^(2ᵏ−1), whose exponent is k ones.
	var x3, x22, x44, x88 Element
	x2.Square(a).Mul(x2, a)
	x3.Square(x2).Mul(&x3, a)
	t.SquareN(&x3, 3).Mul(t, &x3)   // x6
	t.SquareN(t, 3).Mul(t, &x3)     // x9
	t.SquareN(t, 2).Mul(t, x2)      // x11
	x22.SquareN(t, 11).Mul(&x22, t) // x22
	x44.SquareN(&x22, 22).Mul(&x44, &x22)
	x88.SquareN(&x44, 44).Mul(&x88, &x44)
	t.SquareN(&x88, 88).Mul(t, &x88) // x176
	t.SquareN(t, 44).Mul(t, &x44)    // x220
	t.SquareN(t, 3).Mul(t, &x3)      // x223
	t.SquareN(t, 23).Mul(t, &x22)    // x223, a zero, x22
}
*)
Definition rootChain a : K * K :=
  let x2 := a * a * a in
  let x3 := x2 * x2 * a in
  let t := SquareN x3 3 * x3 in
  let t := SquareN t 3 * x3 in
  let t := SquareN t 2 * x2 in
  let x22 := SquareN t 11 * t in
  let x44 := SquareN x22 22 * x22 in
  let x88 := SquareN x44 44 * x44 in
  let t := SquareN x88 88 * x88 in
  let t := SquareN t 44 * x44 in
  let t := SquareN t 3 * x3 in
  (SquareN t 23 * x22, x2).

(* internal/field/power.go
func rootPower(v, a *Element) {
	var x2, t Element
	rootChain(&t, &x2, a)
	t.SquareN(&t, 6).Mul(&t, &x2) // the exponent continues with 000011
	v.SquareN(&t, 2)              // and ends with 00
}
*)
(* internal/field/power.go
func (v *pair) rootPower(a *pair) {
	var t, x2, x3, x22, x44, x88 pair
	x2.power(a, 1, a)
	x3.power(&x2, 1, a)
	t.power(&x3, 3, &x3)
	t.power(&t, 3, &x3)
	t.power(&t, 2, &x2)
	x22.power(&t, 11, &t)
	x44.power(&x22, 22, &x22)
	x88.power(&x44, 44, &x44)
	t.power(&x88, 88, &x88)
	t.power(&t, 44, &x44)
	t.power(&t, 3, &x3)
	t.power(&t, 23, &x22)
	t.power(&t, 6, &x2)
	v.squareN(&t, 2)
}
*)
(* The two functions run the same steps, for one element and for two elements. *)
Definition rootPower a : K :=
  let '(t, x2) := rootChain a in
  let t := SquareN t 6 * x2 in
  SquareN t 2.

(* internal/lanes/lift.go
var rootSteps = [...]struct{ to, from, n, factor int }{
	{x2, x1, 1, x1},
	{x3, x2, 1, x1},
	{rest, x3, 3, x3},   // x6
	{rest, rest, 3, x3}, // x9
	{rest, rest, 2, x2}, // x11
	{x22, rest, 11, rest},
	{x44, x22, 22, x22},
	{x88, x44, 44, x44},
	{rest, x88, 88, x88},  // x176
	{rest, rest, 44, x44}, // x220
	{rest, rest, 3, x3},   // x223
	{rest, rest, 23, x22},
	{rest, rest, 6, x2},
}
*)
(* The powers of lift and the steps, with numbers in place of the names x1, x2, x3, x22, x44, x88 and rest. *)
Definition lane_steps : list (nat * nat * nat * nat) :=
  [(1, 0, 1, 0); (2, 1, 1, 0); (6, 2, 3, 2); (6, 6, 3, 2); (6, 6, 2, 1); (3, 6, 11, 6); (4, 3, 22, 3); (5, 4, 44, 4);
   (6, 5, 88, 5); (6, 6, 44, 4); (6, 6, 3, 2); (6, 6, 23, 3); (6, 6, 6, 1)]%nat.
Definition lane_step (powers : nat -> K) s : nat -> K :=
  let '(to, from, n, factor) := s in
  fun i => if Nat.eqb i to then SquareN (powers from) n * powers factor else powers i.
Theorem lane_root a : SquareN (fold_left lane_step lane_steps (fun _ => a) 6%nat) 2 = rootPower a.
Proof. reflexivity. Qed.

(* internal/field/power.go
func (v *Element) Sqrt(a *Element) (isSquare uint64) {
	var x, t Element
	x.Set(a)
	rootPower(v, a)
	return t.Square(v).Equal(&x)
}
*)
(* internal/field/power.go
func SqrtPair(v, a *[2]Element) (areSquares [2]uint64) {
	x, r := pair( *a), ( *pair)(v)
	var t pair
	r.rootPower(&x)
	t.squareN(r, 1)
	for i := range t {
		areSquares[i] = t[i].Equal(&x[i])
	}
	return areSquares
}
*)
(* SqrtPair does the same as Sqrt for each of two elements. *)
Definition equal a c : bool := if dec a c then true else false.
Definition Sqrt a : K * bool := let v := rootPower a in (v, equal (v * v) a).

(* internal/field/power.go
func (v *Element) InvertSqrt(a *Element) (isSquare uint64) {
	var x, x2, t, one Element
	x.Set(a)
	rootChain(&t, &x2, a)
	// The exponent continues with the bits 00001 and 011.
	t.SquareN(&t, 5).Mul(&t, &x)
	t.SquareN(&t, 3)
	v.Mul(&t, &x2)
	one.SetUint64(1)
	return t.Square(v).Mul(&t, &x).Equal(&one)
}
*)
Definition InvertSqrt a : K * bool :=
  let '(t, x2) := rootChain a in
  let t := SquareN t 5 * a in
  let t := SquareN t 3 in
  let v := t * x2 in
  (v, equal (v * v * a) 1).

(* The exponent, in binary, has 223 ones, a zero and 22 ones. *)
Lemma rootChain_power a : rootChain a = (pow a (2 ^ 246 - 2 ^ 22 - 1), pow a 3).
Proof.
  transitivity (rootChain (pow a 1)); [rewrite pow_1; reflexivity|]. unfold rootChain. cbv zeta.
  assert (S : forall k l n m, (0 <=? k)%Z && (0 <=? l)%Z && (k * 2 ^ Z.of_nat n + l =? m)%Z = true ->
    SquareN (pow a k) n * pow a l = pow a m).
  { intros k l n m E. apply andb_prop in E. destruct E as [E E2]. apply andb_prop in E. destruct E as [E0 E1].
    apply Z.leb_le in E0, E1. apply Z.eqb_eq in E2. rewrite SquareN_pow by exact E0.
    rewrite pow_add; [f_equal; exact E2| |exact E1]. apply Z.mul_nonneg_nonneg; [exact E0|apply Z.pow_nonneg; discriminate]. }
  assert (P2 : pow a 1 * pow a 1 * pow a 1 = pow a 3) by (rewrite !pow_add by positive; reflexivity). rewrite P2.
  assert (P3 : pow a 3 * pow a 3 * pow a 1 = pow a 7) by (rewrite !pow_add by positive; reflexivity). rewrite P3.
  rewrite (S 7 7 3%nat 63)%Z by reflexivity.
  rewrite (S 63 7 3%nat 511)%Z by reflexivity.
  rewrite (S 511 3 2%nat (2 ^ 11 - 1))%Z by reflexivity.
  rewrite (S _ _ 11%nat (2 ^ 22 - 1))%Z by reflexivity.
  rewrite (S _ _ 22%nat (2 ^ 44 - 1))%Z by reflexivity.
  rewrite (S _ _ 44%nat (2 ^ 88 - 1))%Z by reflexivity.
  rewrite (S _ _ 88%nat (2 ^ 176 - 1))%Z by reflexivity.
  rewrite (S _ _ 44%nat (2 ^ 220 - 1))%Z by reflexivity.
  rewrite (S _ _ 3%nat (2 ^ 223 - 1))%Z by reflexivity.
  rewrite (S _ _ 23%nat (2 ^ 246 - 2 ^ 22 - 1))%Z by reflexivity. reflexivity.
Qed.

Theorem rootPower_power a : rootPower a = pow a ((p + 1) / 4).
Proof.
  unfold rootPower. rewrite rootChain_power. cbv zeta iota. rewrite SquareN_pow, pow_add, SquareN_pow by positive. f_equal.
Qed.

Theorem InvertSqrt_power a : fst (InvertSqrt a) = pow a ((p - 3) / 4).
Proof.
  unfold InvertSqrt. rewrite rootChain_power. cbv zeta iota. cbn [fst].
  transitivity (SquareN (SquareN (pow a (2 ^ 246 - 2 ^ 22 - 1)) 5 * pow a 1) 3 * pow a 3); [rewrite pow_1; reflexivity|].
  rewrite SquareN_pow, pow_add, SquareN_pow, pow_add by positive. f_equal.
Qed.

(* Euler's criterion. *)
Definition character a := pow a ((p - 1) / 2).

Lemma character_cases a : a <> 0 -> character a = 1 \/ character a = - (1).
Proof.
  intros N. apply roots. unfold character. rewrite pow_add by positive. change ((p - 1) / 2 + (p - 1) / 2)%Z with (p - 1)%Z.
  rewrite fermat by exact N. ring.
Qed.

Lemma character_square r : r <> 0 -> character (r * r) = 1.
Proof. intros N. rewrite <- (fermat r N). unfold character. rewrite pow_mul, pow_add by positive. reflexivity. Qed.

Lemma root_character a : rootPower a * rootPower a = a * character a.
Proof.
  rewrite rootPower_power. unfold character. rewrite pow_add by positive. rewrite <- (pow_1 a) at 2. rewrite pow_add by positive.
  reflexivity.
Qed.

Theorem Sqrt_right a : let '(v, isSquare) := Sqrt a in
  if isSquare then v * v = a else v * v = - a /\ forall r, r * r <> a.
Proof.
  unfold Sqrt, equal. cbv zeta iota. destruct (dec _ _) as [E|N]; [exact E|]. rewrite root_character in *.
  assert (N0 : a <> 0) by (intros E; apply N; rewrite E; ring).
  destruct (character_cases a N0) as [E|E]; [exfalso; apply N; rewrite E; ring|].
  split; [rewrite E; ring|]. intros r R. apply N. rewrite <- R, character_square; [ring|].
  intros E0. apply N0. rewrite <- R, E0. ring.
Qed.

Theorem rootPower_right a : rootPower a * rootPower a = a \/ forall r, r * r <> a.
Proof.
  pose proof (Sqrt_right a) as S. unfold Sqrt, equal in S. destruct (dec _ _) as [E|_]; [left; exact E|right; exact (proj2 S)].
Qed.

Theorem InvertSqrt_right a : let '(v, isSquare) := InvertSqrt a in
  if isSquare then v * v * a = 1 else (a = 0 /\ v = 0) \/ v * v * a = - (1) /\ forall r, r * r <> a.
Proof.
  pose proof (InvertSqrt_power a) as P. unfold InvertSqrt, equal in *. destruct (rootChain a) as [t x2]. cbv zeta iota in *.
  cbn [fst] in P. rewrite P. clear P. destruct (dec _ _) as [E|N]; [exact E|]. destruct (dec a 0) as [E0|N0].
  - left. split; [exact E0|]. change ((p - 3) / 4)%Z with ((p - 7) / 4 + 1)%Z. rewrite <- pow_add, pow_1, E0 by positive. ring.
  - right. assert (C : pow a ((p - 3) / 4) * pow a ((p - 3) / 4) * a = character a).
    { rewrite <- (pow_1 a) at 3. rewrite !pow_add by positive. reflexivity. }
    rewrite C in *. destruct (character_cases a N0) as [E|E]; [contradiction|]. split; [exact E|].
    intros r R. apply N. rewrite <- R. apply character_square. intros E0. apply N0. rewrite <- R, E0. ring.
Qed.
End Roots.
