(* The map of RFC 9380, section 6.6.2, to the curve E', y^2 = x^3 + A' x + B': the code maps all u to the point that the
   RFC defines. *)
Require Import ZArith Bool Base Constants.

(* The constants have the properties that the proof needs. The exceptional x is B'/(Z A'), at which the cubic is a
   square. *)
Lemma swu_root_right : (swu_root * swu_root - swu_z) mod p = 0.
Proof. vm_compute. reflexivity. Qed.

Definition exceptional_x := 84696452356521335330109137840758697432857528317706937927279952333543666418577.
Definition exceptional_y := 18364601681750688294657986852423245333803871022936718218329797708983130841480.
Lemma exceptional_right : (exceptional_x * (- swu_z * isogenous_A) - isogenous_B) mod p = 0 /\
  (exceptional_y * exceptional_y - (exceptional_x * exceptional_x * exceptional_x + isogenous_A * exceptional_x + isogenous_B)) mod p = 0.
Proof. split; vm_compute; reflexivity. Qed.

Open Scope field_scope.

Section Swu.
Context {K : field}.
Add Field F : (laws K).
Implicit Types a d e g n r t u v x y : K.

(* minus_Z is 11, and the Z of the RFC is -11. *)
Variables A B minus_Z root_minus_Z : K.
Hypothesis A_nz : A <> 0.
Hypothesis Z_nz : minus_Z <> 0.
Hypothesis root_right : root_minus_Z * root_minus_Z = minus_Z.
Definition curve' x := x * x * x + A * x + B.
Hypothesis exceptional : exists r, r * r = curve' (B / (- minus_Z * A)).

(* Square roots, with the properties that Roots.v proves, and parities. *)
Variables (Sqrt : K -> K * bool) (odd : K -> bool).
Hypothesis Sqrt_right : forall a, let '(v, isSquare) := Sqrt a in
  if isSquare then v * v = a else v * v = - a /\ forall r, r * r <> a.
Hypothesis parity : forall a, a <> 0 -> odd (- a) = negb (odd a).

(* internal/group/swu.go
func swu(x, y, u *field.Element) {
	var z, zu2, d, n, t, g field.Element
	z.SetUint64(params.SWUZ).Negate(&z)
	zu2.Square(u).Mul(&zu2, &z)
	d.Square(&zu2).Add(&d, &zu2)

	// x₁ is −B′/A′·(1 + 1/d), or B′/(Z·A′) if d ≡ 0, computed as numerator and denominator.
	n.Add(&d, t.SetUint64(1)).Mul(&n, &isogenousB)
	noInverse := d.IsZero()
	d.Negate(&d)
	d.Select(&z, &d, noInverse)
	d.Mul(&d, &isogenousA)
	x.Mul(&n, d.Invert(&d))

	// y₁ is a root of g(x₁) or, if g(x₁) is not a square, of −g(x₁). In the second case g(x₂) = (Z·u²)³·g(x₁) has the
	// root u³·Z·√−Z·y₁, since (√−Z·y₁)² = Z·g(x₁).
	g.Square(x).Add(&g, &isogenousA).Mul(&g, x).Add(&g, &isogenousB)
	first := y.Sqrt(&g)
	t.Mul(&zu2, u).Mul(&t, &swuRoot).Mul(&t, y)
	y.Select(y, &t, first)
	t.Mul(&zu2, x)
	x.Select(x, &t, first)

	y.CondNegate(y, u.IsOdd()^y.IsOdd())
}
*)
Definition swu u : K * K :=
  let z := - minus_Z in
  let zu2 := u * u * z in
  let d := zu2 * zu2 + zu2 in
  let n := (d + 1) * B in
  let noInverse := if dec d 0 then true else false in
  let d := - d in
  let d := if noInverse then z else d in
  let d := d * A in
  let x := n * (1 / d) in
  let g := (x * x + A) * x + B in
  let '(y, first) := Sqrt g in
  let t := zu2 * u * root_minus_Z * y in
  let y := if first then y else t in
  let t := zu2 * x in
  let x := if first then x else t in
  (x, if xorb (odd u) (odd y) then - y else y).

(* The x coordinates as the RFC defines them, with inv0(0) = 0. *)
Definition rfc_x1 u : K :=
  let Z := - minus_Z in
  let d := Z * Z * (u * u * (u * u)) + Z * (u * u) in
  if dec d 0 then B / (Z * A) else - B / A * (1 + 1 / d).
Definition rfc_x2 u : K := - minus_Z * (u * u) * rfc_x1 u.

Lemma opposite_nz a : a <> 0 -> - a <> 0.
Proof. intros N E. apply N. replace a with (- - a) by ring. rewrite E. ring. Qed.

(* Except for the exceptional u, the value of the cubic at the second x is the value at the first x times (Z u^2)^3. *)
Lemma second_value u : let Z := - minus_Z in let w := Z * (u * u) in w * w + w <> 0 ->
  curve' (rfc_x2 u) = w * w * w * curve' (rfc_x1 u).
Proof.
  cbv zeta. set (Z := - minus_Z). intros N. unfold rfc_x2, rfc_x1. cbv zeta. fold Z. set (w := Z * (u * u)) in *.
  replace (Z * Z * (u * u * (u * u)) + w) with (w * w + w) by (unfold w; ring). destruct (dec _ 0) as [|_]; [contradiction|].
  assert (Nw : w <> 0) by (intros E; apply N; rewrite E; ring).
  assert (N1 : w + 1 <> 0) by (intros E; apply N; replace (w * w + w) with (w * (w + 1)) by ring; rewrite E; ring).
  unfold curve'. replace (w * w + w) with (w * (w + 1)) by ring. field. auto.
Qed.

Theorem swu_right u : let '(x, y) := swu u in
  y * y = curve' x /\
  ((exists r, r * r = curve' (rfc_x1 u)) /\ x = rfc_x1 u \/ ~ (exists r, r * r = curve' (rfc_x1 u)) /\ x = rfc_x2 u) /\
  (odd y = odd u \/ y = 0).
Proof.
  pose proof (opposite_nz _ Z_nz) as Nz. unfold swu. cbv zeta. set (z := - minus_Z) in *.
  set (zu2 := u * u * z). set (d := zu2 * zu2 + zu2). set (x := (d + 1) * B * _).
  assert (X : x = rfc_x1 u).
  { unfold x, rfc_x1. cbv zeta. fold z. replace (z * z * (u * u * (u * u)) + z * (u * u)) with d by (unfold d, zu2; ring).
    destruct (dec d 0) as [E|N]; [rewrite E|]; field; repeat split; auto using opposite_nz. }
  replace ((x * x + A) * x + B) with (curve' x) by (unfold curve'; ring).
  pose proof (Sqrt_right (curve' x)) as S. destruct (Sqrt (curve' x)) as [y0 first].
  set (y := if first then y0 else _).
  assert (Y : y * y = curve' (if first then x else zu2 * x)).
  { unfold y. destruct first; [exact S|]. destruct S as [S NS].
    assert (N : d <> 0).
    { intros E. destruct exceptional as [r R]. apply (NS r). rewrite R, X. unfold rfc_x1. cbv zeta. fold z.
      replace (z * z * (u * u * (u * u)) + z * (u * u)) with d by (unfold d, zu2; ring). destruct (dec d 0); [reflexivity|contradiction]. }
    pose proof (second_value u) as V. cbv zeta in V. fold z in V. unfold rfc_x2 in V. fold z in V.
    replace (z * (u * u)) with zu2 in V by (unfold zu2; ring). rewrite X, V by exact N. rewrite <- X.
    transitivity (zu2 * zu2 * (u * u) * (root_minus_Z * root_minus_Z) * (y0 * y0)); [ring|]. rewrite S, root_right.
    unfold zu2, z. ring. }
  split; [|split].
  - destruct (xorb _ _); [replace (- y * - y) with (y * y) by ring|]; exact Y.
  - rewrite <- X. destruct first.
    + left. split; [exists y0; exact S|reflexivity].
    + right. destruct S as [_ S]. split; [intros [r R]; exact (S r R)|]. unfold rfc_x2. fold z. rewrite <- X. unfold zu2. ring.
  - destruct (dec y 0) as [E|N].
    + right. rewrite E. destruct (xorb _ _); ring.
    + left. destruct (odd u) eqn:Eu, (odd y) eqn:Ey; cbn [xorb]; rewrite ?parity, ?Ey by exact N; reflexivity.
Qed.
End Swu.
