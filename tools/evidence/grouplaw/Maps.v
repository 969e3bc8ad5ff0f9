(* The isogeny of the map to the curve (RFC 9380, section 8.7) maps the points of E', y^2 = x^3 + A' x + B', to finite
   points of y^2 = x^3 + 7, modulo p. *)
Require Import ZArith Znumtheory Lia Constants Pocklington Certificates.
Open Scope Z_scope.

(* internal/group/swu.go
func (p *Jacobian) setIsogenous(x, y *field.Element) {
	const u = 28
	var w, w2, tw, c, s field.Element
	w.Sub(x, &kernelX)
	w2.Square(&w)
	tw.Mul(&w, &kernelT)

	s.Add(&w, &kernelX).Mul(&s, &w2)
	p.X.Add(&s, &tw).Add(&p.X, c.SetUint64(u))

	s.Mul(&w2, &w).Sub(&s, &tw)
	p.Y.Sub(&s, c.SetUint64(2*u)).Mul(&p.Y, y)

	p.Z.Add(&w, &w).Add(&p.Z, &w)
}
*)
Definition setIsogenous x y :=
  let w := x - kernel_x in
  let w2 := w * w in
  let tw := w * kernel_t in
  let X := (w + kernel_x) * w2 + tw + 28 in
  let s := w2 * w - tw in
  let Y := (s - 2 * 28) * y in
  (X, Y, w + w + w).

Ltac multiple := match goal with |- (p | ?c) => apply Z.mod_divide; [discriminate|vm_compute; reflexivity] end.

Theorem isogeny_on_curve x y : (p | y * y - (x * x * x + isogenous_A * x + isogenous_B)) ->
  let '(X, Y, Z) := setIsogenous x y in (p | Y * Y - (X * X * X + 7 * (Z * Z * Z * Z * Z * Z))).
Proof.
  intros E. unfold setIsogenous. cbv zeta. set (w := x - kernel_x). set (m := w * w * w - kernel_t * w - 56).
  replace (_ - _) with
    (m * m * (y * y - (x * x * x + isogenous_A * x + isogenous_B)) +
     m * m * (w + kernel_x) * (isogenous_A - 5 * kernel_t) +
     m * m * (kernel_x * kernel_x * kernel_x + 5 * kernel_t * kernel_x + isogenous_B - 7) +
     w * w * w * w * w * w * (- (kernel_x * kernel_x * kernel_x) - 12 * kernel_x * kernel_t - 5292) +
     w * w * w * w * w * (- 9 * kernel_x * kernel_x * kernel_t - 504 * kernel_x - 12 * kernel_t * kernel_t) +
     w * w * w * w * (- 420 * kernel_x * kernel_x - 630 * kernel_t) +
     w * w * w * (3 * kernel_x * kernel_x * kernel_t * kernel_t + 168 * kernel_x * kernel_t +
       4 * kernel_t * kernel_t * kernel_t) +
     w * w * (336 * kernel_x * kernel_x * kernel_t + 7056 * kernel_x + 483 * kernel_t * kernel_t) +
     w * (9408 * kernel_x * kernel_x + 14112 * kernel_t)) by (unfold m, w; ring).
  repeat apply Z.divide_add_r; apply Z.divide_mul_r; try exact E; multiple.
Qed.

(* The claim of the code's comment that w and Z are not 0. *)
Theorem isogeny_finite x y : (p | y * y - (x * x * x + isogenous_A * x + isogenous_B)) ->
  let '(_, _, Z) := setIsogenous x y in ~ (p | Z).
Proof.
  intros E. unfold setIsogenous. cbv zeta. intros D.
  replace (_ + _ + _) with (3 * (x - kernel_x)) in D by ring. apply prime_mult in D; [|exact p_prime].
  destruct D as [D|D]; [apply Z.divide_pos_le in D; [exact (D eq_refl)|reflexivity]|].
  assert (S : (p | y * y - 7)).
  { replace (y * y - 7) with (y * y - (x * x * x + isogenous_A * x + isogenous_B) +
      (x * x + x * kernel_x + kernel_x * kernel_x + isogenous_A) * (x - kernel_x) +
      (kernel_x * kernel_x * kernel_x + isogenous_A * kernel_x + isogenous_B - 7)) by ring.
    apply Z.divide_add_r; [apply Z.divide_add_r; [exact E|apply Z.divide_mul_r; exact D]|multiple]. }
  assert (N : ~ (p | y)).
  { intros Y. assert (H : (p | 7)) by (replace 7 with (y * y - (y * y - 7)) by ring; apply Z.divide_sub_r; [apply Z.divide_mul_l|]; assumption).
    apply Z.divide_pos_le in H; [exact (H eq_refl)|reflexivity]. }
  (* e stands for the exponent, so that nothing evaluates powers. *)
  assert (H : exists e, 0 <= e /\ p - 1 = 2 * e /\ 7 ^ e mod p = p - 1).
  { exists ((p - 1) / 2). split; [apply Z.div_pos; [discriminate|reflexivity]|split; [vm_compute; reflexivity|]].
    pose proof seven_power as Q. rewrite power_right, Z2Pos.id in Q by reflexivity. exact Q. }
  destruct H as (e & E0 & H & Q). pose proof (fermat p y p_prime N) as F. rewrite H in F.
  assert (S' : (y * y) mod p = 7 mod p).
  { apply Z.mod_divide in S; [|discriminate]. replace (y * y) with ((y * y - 7) + 7) by ring. rewrite Zplus_mod, S. reflexivity. }
  rewrite Z.pow_mul_r in F by (discriminate || exact E0).
  rewrite Z.pow_2_r, <- Zminus_mod_idemp_l, Zpow_facts.Zpower_mod, S', <- Zpow_facts.Zpower_mod, Q in F by reflexivity.
  rewrite Z.mod_small in F by (split; [discriminate|reflexivity]). discriminate F.
Qed.
