(* Verification without a square root: statements R1 to R8 of docs/rootless.md, except R7 (Prime.v), for the code of
   internal/ecmult/rootless.go. *)
Require Import Base Formulas Law Operations.

Section Rootless.
Context {K : field}.
Add Field F : (laws K).
Variable b : K.
Implicit Types c d e f h n r s t v w x y : K.

(* R1. The isomorphism with the factor y maps P to a point that can be computed without y. By image_law it maps sums to
   sums. *)
(* internal/group/group.go
func (p *Affine) SetUnlifted(x *field.Element) (c field.Element) {
	setC(&c, x)
	p.X.Mul(&c, x)
	p.Y.Square(&c)
	return c
}
*)
Definition SetUnlifted x : K * K * K := let c := x * x * x + b in (c * x, c * c, c).

Theorem R1 x y : on K b (P K x y) ->
  let '(X, Y, c) := SetUnlifted x in c = y * y /\ P K X Y = image K y (P K x y).
Proof.
  unfold on, SetUnlifted, image. cbv zeta. intros E. split; [symmetry; exact E|].
  f_equal; rewrite <- E; ring.
Qed.

(* internal/ecmult/rootless.go
func (u *unlifted) setVartime(k *scalar.Scalar, x *field.Element, g *scalar.Scalar, r *field.Element) Verdict {
	u.partsVartime(k, x, g)

	// Setting m² − x₁ − x₂ = r and multiplying by (x₂ − x₁)² gives an equation that is linear in y, because y² = c. The
	// equation is R2:
	//
	//	D·y = N for D = 2·t·y₁ and N = t²·c + y₁² − (x₁ + x₂ + r)·(x₂ − x₁)².
	//
	// Multiplying N and D by w³·ZZ³, where ZZ³ = ZZZ², removes all divisions:
	//
	//	N·w³·ZZ³ = e² + f²·w − s·h², where s = (x₁ + x₂ + r)·w·ZZ = X₁·w + X·ZZ + r·w·ZZ,
	//	D·w³·ZZ³ = 2·e·f·Z.
	a, b := &u.a, &u.b
	var w, s, t, v field.Element
	w.Square(&b.Z).Mul(&w, &u.c)
	u.h.Mul(&b.X, &a.ZZ)
	t.Mul(&a.X, &w)
	s.Mul(&w, &a.ZZ).Mul(&s, r)
	s.Add(&s, &u.h).Add(&s, &t) // h is still X·ZZ
	u.h.Sub(&u.h, &t)
	u.e.Mul(&b.Y, &a.ZZZ)
	u.f.Mul(&a.Y, &w)
	v.Square(&u.h)
	s.Mul(&s, &v)
	u.n.Square(&u.f).Mul(&u.n, &w)
	t.Square(&u.e)
	u.n.Add(&u.n, &t).Sub(&u.n, &s)
	u.d.Mul(&u.e, &u.f).Mul(&u.d, &b.Z)
	u.d.Add(&u.d, &u.d)
	// h is 0 for equal x coordinates. d is 0 if g·G is infinity, because then ZZZ = 0 and so e = 0, or if k·P is
	// infinity, because then Z = 0. Otherwise, if there is a point P, d is not 0. Y and Y₁ are not 0, because the order
	// n is odd and so no point of the curve has y = 0. c is not 0, because −7 is not a cube (R6).
	if u.h.IsZeroVartime() || u.d.IsZeroVartime() {
		return Unknown
	}
	// y = n/d is one of the two roots of c exactly if n² = d²·c (R3). If c is not a square, there is no P, and d²·c is
	// not a square for d ≠ 0, so the answer is No for all n and d ≠ 0 (R4).
	t.Square(&u.d).Mul(&t, &u.c)
	return verdict(v.Square(&u.n).Equal(&t) != 0)
}
*)
Definition h_of (aX aZZ bX bZ c : K) := bX * aZZ - aX * (bZ * bZ * c).
Definition e_of (bY aZZZ : K) := bY * aZZZ.
Definition f_of (aY bZ c : K) := aY * (bZ * bZ * c).
Definition n_of (aX aY aZZ aZZZ bX bY bZ c r : K) :=
  let w := bZ * bZ * c in
  let h := bX * aZZ in
  let t := aX * w in
  let s := w * aZZ * r in
  let s := s + h + t in
  let h := h - t in
  let e := bY * aZZZ in
  let f := aY * w in
  let v := h * h in
  let s := s * v in
  let n := f * f * w in
  let t := e * e in
  n + t - s.
Definition d_of (aY aZZZ bY bZ c : K) :=
  let d := bY * aZZZ * (aY * (bZ * bZ * c)) * bZ in d + d.

Inductive verdict := Unknown | No | Yes.

Definition setVartime (aX aY aZZ aZZZ bX bY bZ c r : K) : verdict :=
  let h := h_of aX aZZ bX bZ c in
  let n := n_of aX aY aZZ aZZZ bX bY bZ c r in
  let d := d_of aY aZZZ bY bZ c in
  if dec h 0 then Unknown else if dec d 0 then Unknown else
  if dec (n * n) (d * d * c) then Yes else No.

(* In the rest of this file, a stands for the point A = g G. b stands for the image of B = k P on the isomorphic curve,
   where P has the y coordinate y, a root of c. *)
Section Sum.
Variables aX aY aZZ aZZZ bX bY bZ c y : K.
Hypothesis Ea : valid K (aX, aY, aZZ, aZZZ).
Hypothesis Ec : y * y = c.
Hypothesis Ny : y <> 0. (* -b is not a cube *)
Variables A B : point K.
Hypothesis EA : xyzz K (aX, aY, aZZ, aZZZ) = A.
Hypothesis EB : jacobian K (bX, bY, bZ) = image K y B.
Hypothesis NA : forall x, A <> P K x 0. (* no point has order 2 *)
Hypothesis NB : forall x, B <> P K x 0.

Lemma c_nz : c <> 0.
Proof. rewrite <- Ec. nz. Qed.

(* With w = c Z^2, k P is (X/w, t y) for t = Y/(w c Z). *)
Lemma finite : A <> O K -> B <> O K -> exists x1 y1 z x2 t,
  z <> 0 /\ y1 <> 0 /\ bZ <> 0 /\ t <> 0 /\ A = P K x1 y1 /\ B = P K x2 (t * y) /\
  aX = x1 * (z * z) /\ aY = y1 * (z * z * z) /\ aZZ = z * z /\ aZZZ = z * z * z /\
  bX = x2 * (bZ * bZ * c) /\ bY = t * (bZ * bZ * c) * (bZ * c).
Proof.
  intros FA FB. assert (NZ : aZZ <> 0). { intros E. apply FA. rewrite <- EA. apply xyzz_O. exact E. }
  destruct (xyzz_form K aX aY aZZ aZZZ NZ Ea) as (x1 & y1 & z & Nz & E1 & E2 & E3 & E4).
  assert (E : A = P K x1 y1).
  { rewrite <- EA, xyzz_finite by exact NZ. rewrite E1, E2, E4, E3. f_equal; field; nz. }
  assert (N1 : y1 <> 0). { intros E0. apply (NA x1). rewrite E, E0. reflexivity. }
  destruct B as [|x2 y2] eqn:EB'; [congruence|]. destruct (dec bZ 0) as [E0|Nb].
  { rewrite jacobian_O in EB by exact E0. discriminate EB. }
  rewrite jacobian_finite in EB by exact Nb. simpl in EB. injection EB as F1 F2.
  exists x1, y1, z, x2, (y2 / y). repeat split; auto.
  - intros E0. apply (NB x2). f_equal. replace y2 with (y2 / y * y) by (field; exact Ny). rewrite E0. ring.
  - f_equal. field. exact Ny.
  - rewrite <- Ec. replace bX with (bX / (bZ * bZ) * (bZ * bZ)) by (field; exact Nb). rewrite F1. ring.
  - rewrite <- Ec. replace bY with (bY / (bZ * bZ * bZ) * (bZ * bZ * bZ)) by (field; exact Nb). rewrite F2. field. exact Ny.
Qed.

(* The pairs of points for which the code returns no verdict. *)
Definition excluded := match A, B with P _ x1 _, P _ x2 _ => x1 = x2 | _, _ => True end.

Lemma d_infinite : A = O K \/ B = O K -> d_of aY aZZZ bY bZ c = 0.
Proof.
  unfold d_of. cbv zeta. intros [E|E].
  - assert (Z : aZZZ = 0).
    { destruct (dec aZZ 0) as [E0|N0].
      - unfold valid in Ea. rewrite E0 in Ea. apply square_0. rewrite <- Ea. ring.
      - rewrite xyzz_finite in EA by exact N0. congruence. }
    rewrite Z. ring.
  - rewrite E in EB. simpl in EB. destruct (dec bZ 0) as [Z|]; [rewrite Z; ring|discriminate EB].
Qed.

(* H, D and N of the code. H is the difference x2 - x1 times z^2 w, and D and N are D and N of R2 times w^3 z^6. *)
Lemma values x1 y1 z x2 t r : let w := bZ * bZ * c in let m := w * w * w * (z * z * z * (z * z * z)) in
  aX = x1 * (z * z) -> aY = y1 * (z * z * z) -> aZZ = z * z -> aZZZ = z * z * z ->
  bX = x2 * w -> bY = t * w * (bZ * c) ->
  h_of aX aZZ bX bZ c = (x2 - x1) * (z * z * w) /\
  d_of aY aZZZ bY bZ c = m * (2 * t * y1) /\
  n_of aX aY aZZ aZZZ bX bY bZ c r = m * (t * t * c + y1 * y1 - (x1 + x2 + r) * ((x2 - x1) * (x2 - x1))).
Proof.
  cbv zeta. intros -> -> -> -> -> ->. unfold h_of, d_of, n_of. cbv zeta. repeat split; ring.
Qed.

Lemma cases (S : point K) : S = O K \/ S <> O K.
Proof. destruct S; [left; reflexivity|right; discriminate]. Qed.

Theorem R6 r : setVartime aX aY aZZ aZZZ bX bY bZ c r = Unknown <-> excluded.
Proof.
  pose proof c_nz as Nc. unfold setVartime, excluded. cbv zeta.
  destruct (cases A) as [EO|FA]; [|destruct (cases B) as [EO|FB]].
  - rewrite EO, d_infinite by auto. destruct (dec (h_of aX aZZ bX bZ c) 0); [tauto|].
    destruct (dec 0 0); [tauto|congruence].
  - rewrite d_infinite by auto. rewrite EO. destruct A; destruct (dec (h_of aX aZZ bX bZ c) 0); try tauto;
    destruct (dec 0 0); tauto || congruence.
  - destruct (finite FA FB) as (x1 & y1 & z & x2 & t & Nz & N1 & Nb & Nt & E1 & E2 & F). rewrite E1, E2.
    destruct F as (F1 & F2 & F3 & F4 & F5 & F6).
    destruct (values x1 y1 z x2 t r F1 F2 F3 F4 F5 F6) as (H & D & N). rewrite H, D, N.
    destruct (dec ((x2 - x1) * (z * z * (bZ * bZ * c))) 0) as [E|NE].
    + destruct (mul_0 _ _ E) as [E0|E0]; [|exfalso; revert E0; nz]. apply (proj1 (sub_0 _ _)) in E0. split; intros; [symmetry; exact E0|reflexivity].
    + assert (x1 <> x2). { intros E. apply NE. rewrite E. ring. }
      match goal with |- context [dec ?d 0] => destruct (dec d 0) as [E|_]; [exfalso; revert E; nz|] end.
      match goal with |- context [dec ?u ?v] => destruct (dec u v) end; split; intros; congruence.
Qed.

Definition x_is (S : point K) r := match S with O _ => False | P _ x _ => x = r end.

(* R2. The x coordinate of the sum is r if and only if D y = N. *)
Theorem R2 r : ~ excluded ->
  x_is (law K A B) r <-> d_of aY aZZZ bY bZ c * y = n_of aX aY aZZ aZZZ bX bY bZ c r.
Proof.
  pose proof c_nz as Nc. intros NE. assert (FA : A <> O K) by (intros E; apply NE; unfold excluded; rewrite E; exact I).
  assert (FB : B <> O K). { intros E. apply NE. unfold excluded. rewrite E. destruct A; exact I. }
  destruct (finite FA FB) as (x1 & y1 & z & x2 & t & Nz & N1 & Nb & Nt & E1 & E2 & F1 & F2 & F3 & F4 & F5 & F6).
  destruct (values x1 y1 z x2 t r F1 F2 F3 F4 F5 F6) as (_ & D & N). rewrite D, N, E1, E2.
  assert (NX : x1 <> x2). { intros E. apply NE. unfold excluded. rewrite E1, E2. exact E. }
  rewrite law_other_x by exact NX. unfold chord, third, x_is. differ x1 x2.
  set (m := bZ * bZ * c * (bZ * bZ * c) * (bZ * bZ * c) * (z * z * z * (z * z * z))).
  assert (Nm : m <> 0) by (unfold m; nz). rewrite <- Ec.
  split; intros E.
  - rewrite <- E. field. exact H.
  - apply sub_0. apply (cancel _ _ ((x2 - x1) * (x2 - x1) * m)); [nz|].
    transitivity (m * (t * t * (y * y) + y1 * y1 - (x1 + x2 + r) * ((x2 - x1) * (x2 - x1))) - m * (2 * t * y1) * y).
    + field. exact H.
    + rewrite E. ring.
Qed.

(* R3. The equation without y says that N/D is one of the two roots, and the parity of N/D says which one. *)
Variable odd : K -> bool.
Hypothesis parity : forall x, x <> 0 -> odd (- x) = negb (odd x).

Theorem R3 r : setVartime aX aY aZZ aZZZ bX bY bZ c r <> Unknown ->
  (setVartime aX aY aZZ aZZZ bX bY bZ c r = Yes /\
   odd (n_of aX aY aZZ aZZZ bX bY bZ c r / d_of aY aZZZ bY bZ c) = odd y) <-> x_is (law K A B) r.
Proof.
  intros NU. assert (NE : ~ excluded) by (rewrite <- (R6 r); exact NU). rewrite (R2 r NE). revert NU.
  unfold setVartime. cbv zeta. set (n := n_of _ _ _ _ _ _ _ _ _). set (d := d_of _ _ _ _ _).
  destruct (dec (h_of aX aZZ bX bZ c) 0); [congruence|]. destruct (dec d 0) as [|Nd]; [congruence|]. intros _.
  destruct (dec (n * n) (d * d * c)) as [E|N]; split.
  - intros [_ Ep]. assert (E' : n * n = d * y * (d * y)) by (rewrite E, <- Ec; ring).
    destruct (roots _ _ E') as [R|R]; [congruence|]. exfalso.
    replace (n / d) with (- y) in Ep by (rewrite R; field; exact Nd). rewrite parity in Ep by exact Ny.
    destruct (odd y); discriminate Ep.
  - intros E'. split; [reflexivity|]. f_equal. rewrite <- E'. field. exact Nd.
  - intros [E' _]. discriminate E'.
  - intros E'. exfalso. apply N. rewrite <- E', <- Ec. ring.
Qed.

(* internal/ecmult/rootless.go
func (u *unlifted) isEvenVartime(odd uint64, r *field.Element) Verdict {
	var inverse, y, s, t, v field.Element
	t.Mul(&u.c, &u.h)
	inverse.InvertVartime(v.Mul(&u.d, &t))
	y.Mul(&inverse, &t).Mul(&y, &u.n)
	if y.IsOdd() != odd {
		return No
	}
	v.Mul(&u.c, &u.b.Z)
	t.Mul(&u.a.ZZ, r)
	t.Sub(&u.a.X, &t) // X₁ − r·ZZ
	y.Mul(&u.e, &y)
	s.Mul(&u.f, &v)
	y.Sub(&y, &s) // e·y − f·c·Z
	y.Mul(&y, &t)
	v.Mul(&v, &u.h).Mul(&v, &u.a.Y)
	y.Sub(&y, &v) // the numerator
	s.Mul(&u.f, &u.b.Y).Add(&s, &s)
	y.Mul(&y, s.Mul(&s, &inverse))
	return verdict(y.IsOdd() == 0)
}
*)
Definition y_of (aX aY aZZ aZZZ bX bY bZ c r : K) : K * K :=
  let h := h_of aX aZZ bX bZ c in
  let n := n_of aX aY aZZ aZZZ bX bY bZ c r in
  let d := d_of aY aZZZ bY bZ c in
  let e := e_of bY aZZZ in
  let f := f_of aY bZ c in
  let t := c * h in
  let inverse := 1 / (d * t) in
  let y := inverse * t * n in
  let v := c * bZ in
  let t := aZZ * r in
  let t := aX - t in
  let y' := e * y in
  let s := f * v in
  let y' := y' - s in
  let y' := y' * t in
  let v := v * h * aY in
  let y' := y' - v in
  let s := f * bY in
  let s := s + s in
  (y, y' * (s * inverse)).

(* R5. If the x coordinate of the sum is r, the code computes the y coordinates of P and of the sum. *)
Theorem R5 r : ~ excluded -> x_is (law K A B) r ->
  let '(y', yR) := y_of aX aY aZZ aZZZ bX bY bZ c r in y' = y /\ law K A B = P K r yR.
Proof.
  intros NE X. pose proof (proj1 (R2 r NE) X) as E. pose proof c_nz as Nc. unfold y_of. cbv zeta. rewrite <- E. clear E.
  assert (FA : A <> O K) by (intros E; apply NE; unfold excluded; rewrite E; exact I).
  assert (FB : B <> O K). { intros E. apply NE. unfold excluded. rewrite E. destruct A; exact I. }
  destruct (finite FA FB) as (x1 & y1 & z & x2 & t & Nz & N1 & Nb & Nt & E1 & E2 & F1 & F2 & F3 & F4 & F5 & F6).
  destruct (values x1 y1 z x2 t r F1 F2 F3 F4 F5 F6) as (H & D & _). rewrite H, D. revert X. rewrite E1, E2.
  assert (NX : x1 <> x2). { intros E. apply NE. unfold excluded. rewrite E1, E2. exact E. }
  rewrite law_other_x by exact NX. unfold chord, third, x_is. differ x1 x2. intros X. split.
  - field. nz.
  - rewrite X. f_equal. rewrite F1, F2, F3, F6. unfold e_of, f_of. rewrite F4. field. nz.
Qed.

(* The answer, with the sum computed again if there is no verdict. y is odd if odd y is true. again is what the code then
   finds with the y of P: whether the sum has the x coordinate r and, for BIP-340, even y. *)
(* internal/ecmult/rootless.go
func SumHasXVartime(k *scalar.Scalar, x *field.Element, odd uint64, g *scalar.Scalar, r *field.Element, even bool) Verdict {
	var u unlifted
	if v := u.setVartime(k, x, g, r); v != Yes {
		return v
	}
	if even {
		return u.isEvenVartime(odd, r)
	}
	// By R2 the sum has the x coordinate r if the y of P is n/d, and does not have it if the y of P is −n/d. So the sum
	// has the x coordinate r exactly if n/d has the parity that odd gives.
	var y field.Element
	y.InvertVartime(&u.d)
	return verdict(y.Mul(&y, &u.n).IsOdd() == odd)
}
*)
(* internal/schemes/verify/verify.go
func XModNOfBytesVartime(k *curve.Scalar, a []byte, g, r *curve.Scalar) bool {
	var q ecmult.XQuestion
	ks, gs, rs := scalarOf(k), scalarOf(g), scalarOf(r)
	if len(a) == 33 && ask(&q, ks, ( *[33]byte)(a), gs, rs) {
		if v := ecmult.SumHasXVartime(&q.K, &q.X, q.Odd, &q.G, &q.R, false); v != ecmult.Unknown {
			return v == ecmult.Yes
		}
	}
	return liftedXModNVartime(ks, a, gs, rs)
}
*)
(* internal/schemes/verify/verify.go
func isEvenYOfXVartime(k *scalar.Scalar, x *field.Element, g *scalar.Scalar, r *field.Element) bool {
	if v := ecmult.SumHasXVartime(k, x, 0, g, r, true); v != ecmult.Unknown {
		return v == ecmult.Yes
	}
	var lifted group.Affine
	var p opaque.Value
	if lifted.LiftX(x) == 0 {
		return false
	}
	p.SetAffine(&lifted)
	return isEvenYVartime(k, &p, g, r)
}
*)
Definition has_x (even again : bool) r : bool :=
  match setVartime aX aY aZZ aZZZ bX bY bZ c r with
  | Unknown => again
  | No => false
  | Yes =>
      if even then let '(y', yR) := y_of aX aY aZZ aZZZ bX bY bZ c r in Bool.eqb (odd y') (odd y) && negb (odd yR)
      else Bool.eqb (odd (n_of aX aY aZZ aZZZ bX bY bZ c r / d_of aY aZZZ bY bZ c)) (odd y)
  end.
Definition claim (even : bool) (S : point K) r := match S with O _ => False | P _ x yR => x = r /\ (even = true -> odd yR = false) end.

Theorem has_x_right even again r : (again = true <-> claim even (law K A B) r) ->
  has_x even again r = true <-> claim even (law K A B) r.
Proof.
  intros Again. pose proof (R3 r) as H. pose proof (R6 r) as E6. unfold has_x.
  destruct (setVartime aX aY aZZ aZZZ bX bY bZ c r) eqn:V; [exact Again|..].
  - specialize (H ltac:(discriminate)). split; [discriminate|]. intros C. exfalso.
    assert (X : x_is (law K A B) r) by (unfold claim in C; unfold x_is; destruct (law K A B); tauto).
    apply H in X. destruct X as [X _]. discriminate X.
  - specialize (H ltac:(discriminate)). assert (NE : ~ excluded) by (intros E; apply E6 in E; discriminate E).
    assert (C : claim even (law K A B) r -> x_is (law K A B) r) by (unfold claim, x_is; destruct (law K A B); tauto).
    destruct even.
    + pose proof (R5 r NE) as H5. assert (Ey : fst (y_of aX aY aZZ aZZZ bX bY bZ c r) = n_of aX aY aZZ aZZZ bX bY bZ c r / d_of aY aZZZ bY bZ c).
      { pose proof c_nz. unfold setVartime in V. cbv zeta in V. unfold y_of, fst. cbv zeta.
        destruct (dec (h_of aX aZZ bX bZ c) 0); [discriminate V|]. destruct (dec (d_of aY aZZZ bY bZ c) 0); [discriminate V|]. field. nz. }
      destruct (y_of aX aY aZZ aZZZ bX bY bZ c r) as [y' yR]. cbn [fst] in Ey. rewrite <- Ey in H.
      rewrite Bool.andb_true_iff, Bool.eqb_true_iff, Bool.negb_true_iff. split.
      * intros [P1 P2]. destruct (H5 (proj1 H (conj eq_refl P1))) as [_ L]. rewrite L. split; auto.
      * intros Cl. pose proof (C Cl) as X. split; [apply H; exact X|]. destruct (H5 X) as [_ L]. rewrite L in Cl. apply Cl. reflexivity.
    + rewrite Bool.eqb_true_iff. split.
      * intros P1. pose proof (proj1 H (conj eq_refl P1)) as X. unfold claim, x_is in *. destruct (law K A B); [exact X|]. split; [exact X|discriminate].
      * intros Cl. apply H. exact (C Cl).
Qed.

(* internal/ecmult/rootless.go
func SumOfXVartime(p *group.Affine, k *scalar.Scalar, x *field.Element, odd uint64, g *scalar.Scalar) bool {
	var u unlifted
	u.partsVartime(k, x, g)

	// The denominators of x₁, y₁, x₂ and of the slope all follow from D = c·Z·ZZZ·h, as shown below. With root² =
	// 1/(c·D²), root is 1/(±y·D), so ±y = root·c·D, and 1/D = root·(root·c·D), in which the signs cancel. There is no
	// such root if c is not a square, or if D is 0. D is 0 if g·G or k·P is infinity or if their x coordinates are
	// equal, as in setVartime.
	a, b := &u.a, &u.b
	var w, cZ, rest, d, cD, root, y field.Element
	cZ.Mul(&u.c, &b.Z)
	w.Mul(&cZ, &b.Z)
	u.h.Mul(&b.X, &a.ZZ)
	u.h.Sub(&u.h, rest.Mul(&a.X, &w))
	rest.Mul(&cZ, &u.h)
	d.Mul(&rest, &a.ZZZ)
	cD.Mul(&u.c, &d)
	if root.InvertSqrt(y.Mul(&cD, &d)) == 0 {
		return false
	}
	y.Mul(&cD, &root)
	d.Mul(&root, &y) // from here on d is 1/D
	y.CondNegate(&y, y.IsOdd()^odd)

	// x₁ = X₁/ZZ and y₁ = Y₁/ZZZ, where 1/ZZZ = c·Z·h/D, and 1/ZZ = (ZZ/ZZZ)² since ZZ³ = ZZZ².
	var x1, y1, x2, m, t field.Element
	y1.Mul(&d, &rest) // 1/ZZZ
	x1.Mul(&y1, &a.ZZ)
	x1.Square(&x1).Mul(&x1, &a.X)
	y1.Mul(&y1, &a.Y)
	// x₂ = X/(c·Z²) = (1/(c·Z))²·c·X.
	x2.Mul(&d, &a.ZZZ).Mul(&x2, &u.h) // 1/(c·Z)
	x2.Square(&x2).Mul(&x2, &u.c).Mul(&x2, &b.X)
	// The slope (t·y − y₁)/(x₂ − x₁) is (Y·ZZZ·y − Y₁·w·c·Z)·ZZ/D.
	m.Mul(&b.Y, &a.ZZZ).Mul(&m, &y)
	t.Mul(&a.Y, &w).Mul(&t, &cZ)
	m.Sub(&m, &t).Mul(&m, &a.ZZ).Mul(&m, &d)
	// p = (m² − x₁ − x₂, m·(x₁ − p.X) − y₁).
	p.X.Square(&m)
	p.X.Sub(&p.X, &x1).Sub(&p.X, &x2)
	t.Sub(&x1, &p.X)
	p.Y.Mul(&m, &t)
	p.Y.Sub(&p.Y, &y1)
	return true
}
*)
(* InvertSqrt sets root to a square root of 1/v, and fails if v is 0 or not a square. *)
Definition sum_of (aX aY aZZ aZZZ bX bY bZ c root : K) (negate : K -> bool) : K * K :=
  let cZ := c * bZ in
  let w := cZ * bZ in
  let h := bX * aZZ in
  let rest := aX * w in
  let h := h - rest in
  let rest := cZ * h in
  let d := rest * aZZZ in
  let cD := c * d in
  let y := cD * root in
  let d := root * y in
  let y := if negate y then - y else y in
  let y1 := d * rest in
  let x1 := y1 * aZZ in
  let x1 := x1 * x1 * aX in
  let y1 := y1 * aY in
  let x2 := d * aZZZ * h in
  let x2 := x2 * x2 * c * bX in
  let m := bY * aZZZ * y in
  let t := aY * w * cZ in
  let m := (m - t) * aZZ * d in
  let pX := m * m - x1 - x2 in
  let t := x1 - pX in
  (pX, m * t - y1).
Definition root_of (aX aZZ aZZZ bX bZ c : K) := (* root is to be an inverse square root of this value *)
  let d := c * bZ * (bX * aZZ - aX * (c * bZ * bZ)) * aZZZ in c * d * d.

(* R8. The exponentiation gives the y of the wanted parity and the sum. It fails in the cases in which R6 has no
   verdict. *)
Theorem R8 root : root * root * root_of aX aZZ aZZZ bX bZ c = 1 ->
  ~ excluded /\
  let p := sum_of aX aY aZZ aZZZ bX bY bZ c root (fun x => xorb (odd x) (odd y)) in
  law K A B = P K (fst p) (snd p).
Proof.
  intros R. pose proof c_nz as Nc.
  assert (NR : root_of aX aZZ aZZZ bX bZ c <> 0). { intros E. rewrite E in R. apply (@one_nz K). rewrite <- R. ring. }
  assert (Nr : root <> 0). { intros E. rewrite E in R. apply (@one_nz K). rewrite <- R. ring. }
  assert (FA : A <> O K).
  { intros E. apply NR. assert (Z : aZZZ = 0).
    { destruct (dec aZZ 0) as [E0|N0].
      - unfold valid in Ea. rewrite E0 in Ea. apply square_0. rewrite <- Ea. ring.
      - rewrite xyzz_finite in EA by exact N0. congruence. }
    unfold root_of. cbv zeta. rewrite Z. ring. }
  assert (FB : B <> O K).
  { intros E. apply NR. rewrite E in EB. simpl in EB. unfold root_of. cbv zeta.
    destruct (dec bZ 0) as [Z|]; [rewrite Z; ring|discriminate EB]. }
  destruct (finite FA FB) as (x1 & y1 & z & x2 & t & Nz & N1 & Nb & Nt & E1 & E2 & F1 & F2 & F3 & F4 & F5 & F6).
  assert (NX : x1 <> x2).
  { intros E. apply NR. unfold root_of. cbv zeta. rewrite F1, F3, F4, F5, E. ring. }
  split; [unfold excluded; rewrite E1, E2; exact NX|]. cbv zeta. rewrite E1, E2, law_other_x by exact NX.
  differ x1 x2.
  set (D := c * bZ * ((x2 - x1) * (bZ * bZ * c) * (z * z)) * (z * z * z)).
  assert (ND : D <> 0) by (unfold D; nz).
  assert (ER : root_of aX aZZ aZZZ bX bZ c = y * y * D * D).
  { unfold root_of, D. cbv zeta. rewrite F1, F3, F4, F5, Ec. ring. }
  assert (Er : root = 1 / (y * D) \/ root = - (1 / (y * D))).
  { apply roots. rewrite ER in R. apply (cancel _ _ (y * y * D * D)); [nz|]. rewrite R. field. nz. }
  assert (Ed : root * (c * D * root) = 1 / D). { destruct Er as [-> | ->]; rewrite <- Ec; field; nz. }
  assert (Ey : (let v := c * D * root in if xorb (odd v) (odd y) then - v else v) = y).
  { cbv zeta. destruct Er as [-> | ->].
    - replace (c * D * (1 / (y * D))) with y by (rewrite <- Ec; field; nz). destruct (odd y); reflexivity.
    - replace (c * D * - (1 / (y * D))) with (- y) by (rewrite <- Ec; field; nz). rewrite parity by exact Ny.
      destruct (odd y); simpl; ring. }
  assert (EH : bX * aZZ - aX * (c * bZ * bZ) = (x2 - x1) * (bZ * bZ * c) * (z * z)).
  { rewrite F1, F3, F5. ring. }
  assert (ED : c * bZ * (bX * aZZ - aX * (c * bZ * bZ)) * aZZZ = D). { rewrite EH, F4. reflexivity. }
  unfold sum_of, fst, snd. cbv zeta. cbv zeta in Ey. rewrite ED, Ed, Ey, EH, F1, F2, F3, F4, F5, F6.
  unfold chord, third, D. f_equal; field; nz.
Qed.
End Sum.

(* R4. If c has no square root, the verdict is not Yes and InvertSqrt finds no root, whatever the multiplication
   gives. *)
Theorem R4 aX aY aZZ aZZZ bX bY bZ c r :
  setVartime aX aY aZZ aZZZ bX bY bZ c r = Yes -> exists y, y * y = c.
Proof.
  unfold setVartime. cbv zeta. set (n := n_of _ _ _ _ _ _ _ _ _). set (d := d_of _ _ _ _ _).
  destruct (dec (h_of aX aZZ bX bZ c) 0); [discriminate|]. destruct (dec d 0) as [|Nd]; [discriminate|].
  destruct (dec (n * n) (d * d * c)) as [E|]; [|discriminate]. intros _. exists (n / d).
  replace (n / d * (n / d)) with (n * n / (d * d)) by (field; nz). rewrite E. field. nz.
Qed.

Theorem R4_sum aX aZZ aZZZ bX bZ c root :
  root * root * root_of aX aZZ aZZZ bX bZ c = 1 -> exists y, y * y = c.
Proof.
  unfold root_of. cbv zeta. set (d := c * bZ * _ * aZZZ). intros R. exists (c * d * root).
  replace (c * d * root * (c * d * root)) with (c * (root * root * (c * d * d))) by ring. rewrite R. ring.
Qed.
End Rootless.
