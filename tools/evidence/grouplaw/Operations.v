(* The operations of internal/group that are right in more cases than one formula: each computes the group law for all
   points that its comment names. The source of each function is quoted above its model, and the command compares the
   quotation with the source. *)
Require Import Base Formulas Law Bool List.
Import ListNotations.

Section Operations.
Context {K : field}.
Add Field F : (laws K).

Definition is_zero (x : K) := if dec x 0 then true else false.

(* The formulas, with points as arguments. *)
Definition double3 (a : K * K * K) := let '(X, Y, Z) := a in double K X Y Z.
Definition addDistinct3 (a b : K * K * K) :=
  let '(X1, Y1, Z1) := a in let '(X2, Y2, Z2) := b in addDistinct K X1 Y1 Z1 X2 Y2 Z2.
Definition addMixed3 (a : K * K * K) (x y : K) := let '(X, Y, Z) := a in addMixed K X Y Z x y.
Definition doubleAdd3 (a : K * K * K) (x y : K) := let '(X, Y, Z) := a in doubleAdd K X Y Z x y.
Definition addMixedXYZZ4 (a : K * K * K * K) (b : K * K) :=
  let '(X, Y, ZZ, ZZZ) := a in addMixedXYZZ K X Y ZZ ZZZ (fst b) (snd b).
Definition X3 (a : K * K * K) := let '(X, _, _) := a in X.
Definition Z3 (a : K * K * K) := let '(_, _, Z) := a in Z.
Definition X4 (a : K * K * K * K) := let '(X, _, _, _) := a in X.
Definition ZZ4 (a : K * K * K * K) := let '(_, _, ZZ, _) := a in ZZ.

(* internal/group/add.go
func (p *Jacobian) Add(a, b *Jacobian) {
	// Compute the sum for different points (12M + 4S) and twice a (3M + 4S), and select without a branch. In the terms
	// of formulas.go, the points are equal if H ≡ 0 and X₃ ≡ R² ≡ 0. For opposite points only H ≡ 0, and the sum
	// already has Z₃ ≡ 0.
	var h field.Element
	var sum, twice Jacobian
	addDistinct(&sum, a, b, &h)
	twice.Double(a)
	sum.Select(&twice, &sum, h.IsZero()&sum.X.IsZero())
	sum.Select(b, &sum, a.IsInfinity())
	p.Select(a, &sum, b.IsInfinity())
}
*)
Definition Add (a b : K * K * K) :=
  let '(sum, h) := addDistinct3 a b in
  let twice := double3 a in
  let sum := if is_zero h && is_zero (X3 sum) then twice else sum in
  let sum := if is_zero (Z3 a) then b else sum in
  if is_zero (Z3 b) then a else sum.

(* internal/group/add.go
func (p *Jacobian) AddVartime(a, b *Jacobian) {
	if a.Z.IsZeroVartime() {
		p.Set(b)
		return
	}
	if b.Z.IsZeroVartime() {
		p.Set(a)
		return
	}
	var h field.Element
	var sum Jacobian
	addDistinct(&sum, a, b, &h)
	if h.IsZeroVartime() && sum.X.IsZeroVartime() {
		p.Double(a)
		return
	}
	p.Set(&sum)
}
*)
Definition AddVartime (a b : K * K * K) :=
  if is_zero (Z3 a) then b else
  if is_zero (Z3 b) then a else
  let '(sum, h) := addDistinct3 a b in
  if is_zero h && is_zero (X3 sum) then double3 a else sum.

(* internal/group/add.go
func (p *Jacobian) fixVartime(x, y, h *field.Element) {
	if h.IsZeroVartime() && p.X.IsZeroVartime() {
		p.SetAffine(&Affine{*x, *y})
		p.Double(p)
	}
}
*)
Definition fixVartime (p : K * K * K) (x y h : K) :=
  if is_zero h && is_zero (X3 p) then double3 (x, y, 1) else p.

(* internal/group/add.go
func (p *Jacobian) AddMixedVartime(a *Jacobian, x, y *field.Element) {
	if a.Z.IsZeroVartime() {
		p.SetAffine(&Affine{*x, *y})
		return
	}
	var h field.Element
	addMixed(p, a, x, y, &h)
	p.fixVartime(x, y, &h)
}
*)
Definition AddMixedVartime (a : K * K * K) (x y : K) :=
  if is_zero (Z3 a) then (x, y, 1) else
  let '(p, h) := addMixed3 a x y in fixVartime p x y h.

(* internal/group/add.go
func (p *Jacobian) DoubleAddVartime(a *Jacobian, x, y *field.Element) {
	if a.Z.IsZeroVartime() {
		p.SetAffine(&Affine{*x, *y})
		return
	}
	var h field.Element
	doubleAdd(p, a, x, y, &h)
	p.fixVartime(x, y, &h)
}
*)
Definition DoubleAddVartime (a : K * K * K) (x y : K) :=
  if is_zero (Z3 a) then (x, y, 1) else
  let '(p, h) := doubleAdd3 a x y in fixVartime p x y h.

(* internal/group/xyzz.go
func (p *XYZZ) AddMixedComplete(a *XYZZ, b *Affine) {
	var h field.Element
	var twice XYZZ
	doubleAffine(&twice, b)
	addMixedXYZZ(p, a, b, &h)
	equal := h.IsZero() & p.X.IsZero()
	p.X.Select(&twice.X, &p.X, equal)
	p.Y.Select(&twice.Y, &p.Y, equal)
	p.ZZ.Select(&twice.ZZ, &p.ZZ, equal)
	p.ZZZ.Select(&twice.ZZZ, &p.ZZZ, equal)
}
*)
Definition AddMixedComplete (a : K * K * K * K) (b : K * K) :=
  let twice := doubleAffine K (fst b) (snd b) in
  let '(p, h) := addMixedXYZZ4 a b in
  if is_zero h && is_zero (X4 p) then twice else p.

(* internal/group/xyzz.go
func (p *XYZZ) AddMixedVartime(a *XYZZ, b *Affine) {
	if a.ZZ.IsZeroVartime() {
		p.SetAffine(b)
		return
	}
	var h field.Element
	addMixedXYZZ(p, a, b, &h)
	if h.IsZeroVartime() && p.X.IsZeroVartime() { // equal points
		doubleAffine(p, b)
	}
}
*)
Definition AddMixedVartimeXYZZ (a : K * K * K * K) (b : K * K) :=
  if is_zero (ZZ4 a) then (fst b, snd b, 1, 1) else
  let '(p, h) := addMixedXYZZ4 a b in
  if is_zero h && is_zero (X4 p) then doubleAffine K (fst b) (snd b) else p.

(* internal/group/xyzz.go
func (p *Jacobian) SetXYZZ(a *XYZZ) {
	// With Z = ZZ: X/ZZ = X·ZZ/Z² and Y/ZZZ = Y·ZZZ/Z³, since ZZZ² = ZZ³.
	p.X.Mul(&a.X, &a.ZZ)
	p.Y.Mul(&a.Y, &a.ZZZ)
	p.Z.Set(&a.ZZ)
}
*)
Definition SetXYZZ (a : K * K * K * K) : K * K * K :=
  let '(X, Y, ZZ, ZZZ) := a in (X * ZZ, Y * ZZZ, ZZ).

Lemma is_zero_true (x : K) : x = 0 -> is_zero x = true.
Proof. intros E. unfold is_zero. destruct (dec x 0); congruence. Qed.

Lemma is_zero_false (x : K) : x <> 0 -> is_zero x = false.
Proof. intros E. unfold is_zero. destruct (dec x 0); congruence. Qed.

Lemma affine_one (x y : K) : jacobian K (x, y, 1) = P K x y.
Proof. rewrite jacobian_finite by nz. f_equal; field; nz. Qed.

Lemma law_O_r (A : point K) : law K A (O K) = A.
Proof. destruct A; reflexivity. Qed.

Lemma form (X Y Z : K) : Z <> 0 ->
  exists x y, X = x * (Z * Z) /\ Y = y * (Z * Z * Z) /\ jacobian K (X, Y, Z) = P K x y.
Proof.
  intros N. destruct (jacobian_form K X Y Z N) as (x & y & EX & EY). exists x, y. split; [|split]; auto.
  rewrite jacobian_finite by exact N. rewrite EX, EY. f_equal; field; exact N.
Qed.

(* H = 0 and X = 0 if and only if the points are equal. *)
Lemma equal_points (y1 y2 c h X : K) : c <> 0 -> h = 0 -> X = (y2 - y1) * c * ((y2 - y1) * c) ->
  is_zero h && is_zero X = if dec y1 y2 then true else false.
Proof.
  intros NC -> ->. rewrite is_zero_true by reflexivity. simpl. destruct (dec y1 y2) as [->|N].
  - apply is_zero_true. ring.
  - apply is_zero_false. assert (y2 - y1 <> 0) by (apply sub_nz; congruence). nz.
Qed.

Lemma law_same_x (x y1 y2 : K) :
  law K (P K x y1) (P K x y2) = if dec y1 y2 then law K (P K x y1) (P K x y1) else O K.
Proof.
  simpl. destruct (dec x x); [|congruence]. destruct (dec y1 y1); [|congruence]. destruct (dec y1 y2); reflexivity.
Qed.

Lemma law_other_x (x1 y1 x2 y2 : K) : x1 <> x2 -> law K (P K x1 y1) (P K x2 y2) = chord K x1 y1 x2 y2.
Proof. intros N. simpl. destruct (dec x1 x2); [contradiction|reflexivity]. Qed.

Lemma sum_finite (a b : K * K * K) : Z3 a <> 0 -> Z3 b <> 0 ->
  jacobian K (let '(sum, h) := addDistinct3 a b in if is_zero h && is_zero (X3 sum) then double3 a else sum) =
  law K (jacobian K a) (jacobian K b).
Proof.
  destruct a as [[X1 Y1] Z1], b as [[X2 Y2] Z2]. unfold Z3. intros N1 N2.
  destruct (form X1 Y1 Z1 N1) as (x1 & y1 & -> & -> & E1). destruct (form X2 Y2 Z2 N2) as (x2 & y2 & -> & -> & E2).
  unfold addDistinct3, double3. destruct (dec x1 x2) as [<-|N].
  - generalize (addDistinct_same_x K x1 y1 Z1 y2 Z2).
    destruct (addDistinct K _ _ Z1 _ _ Z2) as [[[pX pY] pZ] h]. intros (Eh & EZ & EX). unfold X3.
    rewrite (equal_points y1 y2 (Z1 * Z1 * Z1 * (Z2 * Z2 * Z2)) h pX); [|nz|exact Eh|rewrite EX; ring].
    rewrite E1, E2, law_same_x. destruct (dec y1 y2).
    + rewrite double_is_law. rewrite E1. reflexivity.
    + apply jacobian_O. exact EZ.
  - generalize (addDistinct_is_chord K x1 y1 Z1 x2 y2 Z2 N1 N2 N). generalize (addDistinct_h K x1 y1 Z1 x2 y2 Z2 N1 N2).
    destruct (addDistinct K _ _ Z1 _ _ Z2) as [sum h]. unfold fst, snd. intros H E.
    rewrite is_zero_false by (rewrite H; exact N). cbn [andb]. rewrite E1, E2, law_other_x by exact N. exact E.
Qed.

Theorem Add_is_law a b : jacobian K (Add a b) = law K (jacobian K a) (jacobian K b).
Proof.
  unfold Add. destruct (dec (Z3 b) 0) as [E|N2].
  - destruct (addDistinct3 a b) as [sum h]. rewrite (is_zero_true (Z3 b)) by exact E.
    destruct b as [[X Y] Z]. rewrite (jacobian_O K X Y Z) by exact E. symmetry. apply law_O_r.
  - destruct (dec (Z3 a) 0) as [E|N1].
    + destruct (addDistinct3 a b) as [sum h]. rewrite (is_zero_false (Z3 b)), (is_zero_true (Z3 a)) by assumption.
      destruct a as [[X Y] Z]. rewrite (jacobian_O K X Y Z) by exact E. reflexivity.
    + rewrite <- sum_finite by assumption. destruct (addDistinct3 a b) as [sum h].
      rewrite (is_zero_false (Z3 b)), (is_zero_false (Z3 a)) by assumption. reflexivity.
Qed.

Theorem AddVartime_is_law a b : jacobian K (AddVartime a b) = law K (jacobian K a) (jacobian K b).
Proof.
  unfold AddVartime. destruct (dec (Z3 a) 0) as [E|N1].
  - rewrite is_zero_true by exact E. destruct a as [[X Y] Z]. rewrite (jacobian_O K X Y Z) by exact E. reflexivity.
  - rewrite (is_zero_false (Z3 a)) by exact N1. destruct (dec (Z3 b) 0) as [E|N2].
    + rewrite is_zero_true by exact E. destruct b as [[X Y] Z]. rewrite (jacobian_O K X Y Z) by exact E.
      symmetry. apply law_O_r.
    + rewrite is_zero_false by exact N2. apply sum_finite; assumption.
Qed.

Lemma mixed_finite (X Y Z x y : K) : Z <> 0 ->
  jacobian K (let '(p, h) := addMixed K X Y Z x y in fixVartime p x y h) = law K (jacobian K (X, Y, Z)) (P K x y).
Proof.
  intros N1. destruct (form X Y Z N1) as (x1 & y1 & -> & -> & E1). unfold fixVartime.
  destruct (dec x1 x) as [<-|N].
  - generalize (addMixed_same_x K x1 y1 Z y). destruct (addMixed K _ _ Z _ _) as [[[pX pY] pZ] h].
    intros (Eh & EZ & EX). unfold X3. rewrite (equal_points y1 y (Z * Z * Z) h pX); [|nz|exact Eh|exact EX].
    rewrite E1, law_same_x. destruct (dec y1 y) as [<-|].
    + unfold double3. rewrite double_is_law. rewrite affine_one. reflexivity.
    + apply jacobian_O. exact EZ.
  - generalize (addMixed_is_chord K x1 y1 Z x y N1 N). generalize (addMixed_h K x1 y1 Z x y N1).
    destruct (addMixed K _ _ Z _ _) as [sum h]. unfold fst, snd. intros H E.
    rewrite is_zero_false by (rewrite H; exact N). cbn [andb]. rewrite E1, law_other_x by exact N. exact E.
Qed.

Theorem AddMixedVartime_is_law a x y : jacobian K (AddMixedVartime a x y) = law K (jacobian K a) (P K x y).
Proof.
  unfold AddMixedVartime. destruct a as [[X Y] Z]. unfold Z3. destruct (dec Z 0) as [E|N].
  - rewrite is_zero_true by exact E. rewrite affine_one, (jacobian_O K X Y Z) by exact E. reflexivity.
  - rewrite is_zero_false by exact N. apply mixed_finite. exact N.
Qed.

(* The hypothesis holds if there is no point of order 2, that is, if x^3 + b has no root. On secp256k1 there is none,
   because its order is odd. *)
Theorem DoubleAddVartime_is_law a x y : (jacobian K a <> O K -> law K (jacobian K a) (jacobian K a) <> O K) ->
  jacobian K (DoubleAddVartime a x y) = law K (law K (jacobian K a) (jacobian K a)) (P K x y).
Proof.
  unfold DoubleAddVartime. destruct a as [[X Y] Z]. unfold Z3. intros NO. destruct (dec Z 0) as [E|N].
  - rewrite is_zero_true by exact E. rewrite affine_one, (jacobian_O K X Y Z) by exact E. reflexivity.
  - rewrite is_zero_false by exact N. unfold doubleAdd3. rewrite doubleAdd_steps. rewrite <- double_is_law in NO |- *.
    destruct (double K X Y Z) as [[X2 Y2] Z2]. apply mixed_finite. intros E. apply NO.
    + rewrite jacobian_finite by exact N. discriminate.
    + apply jacobian_O. exact E.
Qed.

Lemma xyzz_sum (X Y ZZ ZZZ x y : K) : ZZ <> 0 -> valid K (X, Y, ZZ, ZZZ) ->
  let s := let '(p, h) := addMixedXYZZ K X Y ZZ ZZZ x y in
           if is_zero h && is_zero (X4 p) then doubleAffine K x y else p in
  xyzz K s = law K (xyzz K (X, Y, ZZ, ZZZ)) (P K x y) /\ valid K s.
Proof.
  intros N V. destruct (xyzz_form K X Y ZZ ZZZ N V) as (x1 & y1 & z & NZ & -> & -> & -> & ->).
  assert (E1 : xyzz K (x1 * (z * z), y1 * (z * z * z), z * z, z * z * z) = P K x1 y1).
  { rewrite xyzz_finite by exact N. f_equal; field; nz. }
  rewrite E1. destruct (dec x1 x) as [<-|NX].
  - generalize (addMixedXYZZ_same_x K x1 y1 z y). destruct (addMixedXYZZ K _ _ (z * z) _ _ _) as [[[[pX pY] pZZ] pZZZ] h].
    intros (Eh & E2 & E3 & EX). unfold X4. cbv zeta. rewrite (equal_points y1 y (z * z * z) h pX); [|nz|exact Eh|exact EX].
    rewrite law_same_x. destruct (dec y1 y) as [<-|].
    + apply doubleAffine_is_law.
    + split; [apply xyzz_O; exact E2|]. unfold valid. rewrite E2, E3. ring.
  - generalize (addMixedXYZZ_is_chord K x1 y1 z x y NZ NX). generalize (addMixedXYZZ_h K x1 y1 z x y NZ).
    destruct (addMixedXYZZ K _ _ (z * z) _ _ _) as [p h]. unfold fst, snd. cbv zeta. intros H E.
    rewrite is_zero_false by (rewrite H; exact NX). cbn [andb]. rewrite law_other_x by exact NX. exact E.
Qed.

Theorem AddMixedComplete_is_law a b : ZZ4 a <> 0 -> valid K a ->
  xyzz K (AddMixedComplete a b) = law K (xyzz K a) (P K (fst b) (snd b)) /\ valid K (AddMixedComplete a b).
Proof. destruct a as [[[X Y] ZZ] ZZZ]. intros N V. exact (xyzz_sum X Y ZZ ZZZ (fst b) (snd b) N V). Qed.

Theorem AddMixedVartimeXYZZ_is_law a b : valid K a ->
  xyzz K (AddMixedVartimeXYZZ a b) = law K (xyzz K a) (P K (fst b) (snd b)) /\ valid K (AddMixedVartimeXYZZ a b).
Proof.
  unfold AddMixedVartimeXYZZ. destruct a as [[[X Y] ZZ] ZZZ]. unfold ZZ4. intros V. destruct (dec ZZ 0) as [E|N].
  - rewrite is_zero_true by exact E. split.
    + rewrite (xyzz_O K X Y ZZ ZZZ) by exact E. rewrite xyzz_finite by nz. simpl. f_equal; field; nz.
    + unfold valid. ring.
  - rewrite is_zero_false by exact N. exact (xyzz_sum X Y ZZ ZZZ (fst b) (snd b) N V).
Qed.

Theorem SetXYZZ_is_same a : valid K a -> jacobian K (SetXYZZ a) = xyzz K a.
Proof.
  destruct a as [[[X Y] ZZ] ZZZ]. intros V. unfold SetXYZZ. destruct (dec ZZ 0) as [E|N].
  - rewrite jacobian_O, xyzz_O by exact E. reflexivity.
  - destruct (xyzz_form K X Y ZZ ZZZ N V) as (x1 & y1 & z & NZ & -> & -> & -> & ->).
    rewrite jacobian_finite, xyzz_finite by exact N. f_equal; field; nz.
Qed.
End Operations.

(* Montgomery's trick: one inversion gives all inverses, in any set with a commutative product in which the elements to
   be inverted have inverses: elements modulo p, scalars modulo n, and vectors of eight of either, which lanes multiply
   lane by lane. before[i] is the product of the elements before i. *)
Section Montgomery.
Variable T : Type.
Variables (one : T) (mul : T -> T -> T) (inv : T -> T) (good : T -> Prop).
Hypothesis mul_assoc : forall a b c, mul a (mul b c) = mul (mul a b) c.
Hypothesis mul_comm : forall a b, mul a b = mul b a.
Hypothesis mul_one : forall a, mul one a = a.
Hypothesis good_mul : forall a b, good a -> good b -> good (mul a b).
Hypothesis inv_right : forall a, good a -> mul (inv a) a = one.

(* internal/field/together.go
func Append(product, before, d *Element) {
	before.Set(product)
	product.Mul(product, d)
}
*)
(* internal/scalar/batch.go
func Append(product, before, d *Scalar) {
	*before = *product
	product.Mul(product, d)
}
*)
Definition append (product d : T) : T * T := (product, mul product d).
(* internal/field/together.go
func Remove(product, inverse, before, d *Element) {
	inverse.Mul(product, before)
	product.Mul(product, d)
}
*)
(* internal/scalar/batch.go
func Remove(product, inverse, before, d *Scalar) {
	inverse.Mul(product, before)
	product.Mul(product, d)
}
*)
Definition remove (product before d : T) : T * T := (mul product before, mul product d).
(* internal/group/batch.go
func BatchToAffineVartime(dst []Affine, src []Jacobian) {
	var all, zInv field.Element
	all.SetUint64(1)
	for i := range src {
		field.Append(&all, &dst[i].X, &src[i].Z)
	}
	all.InvertVartime(&all)
	for i := len(src) - 1; i >= 0; i-- {
		field.Remove(&all, &zInv, &dst[i].X, &src[i].Z)
		dst[i].scale(&src[i], &zInv)
	}
}
*)
(* internal/lanes/invert.go
func invertBlocks(inverse, z []Element, all *Element) {
	before := inverse // first, before[i] becomes z[0]·…·z[i−1] for i > 0
	*all = z[0]
	for i := 1; i < len(z); i++ {
		before[i] = *all
		mul(all, all, &z[i])
	}
	invert(all)
	// Before the step for block i, all is 1/(z[0]·…·z[i]).
	for i := len(z) - 1; i > 0; i-- {
		mul(&inverse[i], &before[i], all)
		mul(all, all, &z[i])
	}
	inverse[0] = *all
}
*)
(* internal/lanes/invert.go
func invertBlocksVartime(m modulus, inverse, z []Element, all *Element) {
	before := inverse
	*all = z[0]
	for i := 1; i < len(z); i++ {
		before[i] = *all
		m.mulVartime(all, all, &z[i])
	}
	invertVartime(m, all)
	for i := len(z) - 1; i > 0; i-- {
		m.mulVartime(&inverse[i], &before[i], all)
		m.mulVartime(all, all, &z[i])
	}
	inverse[0] = *all
}
*)
Fixpoint products (acc : T) (zs : list T) : list T * T :=
  match zs with
  | [] => ([], acc)
  | z :: zs => let '(b, acc) := append acc z in let '(before, all) := products acc zs in (b :: before, all)
  end.
Fixpoint backward (acc : T) (zs before : list T) : list T * T :=
  match zs, before with
  | z :: zs, b :: before =>
      let '(inverses, acc) := backward acc zs before in let '(i, acc) := remove acc b z in (i :: inverses, acc)
  | _, _ => ([], acc)
  end.
(* The product begins with one, or with the first element, whose inverse is then what remains in the end. *)
Definition batch_inverses (zs : list T) : list T := let '(before, all) := products one zs in fst (backward (inv all) zs before).
Definition block_inverses (zs : list T) : list T :=
  match zs with
  | [] => []
  | z :: zs => let '(before, all) := products z zs in let '(inverses, first) := backward (inv all) zs before in first :: inverses
  end.

Lemma inv_unique a b : good a -> mul b a = one -> b = inv a.
Proof. intros G E. rewrite <- (mul_one b), <- (inv_right a G), <- mul_assoc, (mul_comm a), E, mul_comm. apply mul_one. Qed.

Lemma batch_invariant zs : Forall good zs -> forall acc, good acc ->
  let '(before, all) := products acc zs in good all /\ backward (inv all) zs before = (map inv zs, inv acc).
Proof.
  induction 1 as [|z zs Gz _ IH]; intros acc Ga; cbn [products append]; [auto|].
  specialize (IH (mul acc z) (good_mul _ _ Ga Gz)). destruct (products (mul acc z) zs) as [before all]. destruct IH as [Gall E].
  split; [exact Gall|]. cbn [backward map]. rewrite E. unfold remove. pose proof (inv_right _ (good_mul _ _ Ga Gz)) as R.
  f_equal; [f_equal|]; apply inv_unique; auto; rewrite <- R, <- mul_assoc; f_equal. apply mul_comm.
Qed.

Theorem batch_inverses_right zs : Forall good zs -> good one -> batch_inverses zs = map inv zs /\ block_inverses zs = map inv zs.
Proof.
  intros F G. split.
  - unfold batch_inverses. pose proof (batch_invariant zs F one G) as I. destruct (products one zs). destruct I as [_ ->]. reflexivity.
  - destruct F as [|z zs Gz F]; [reflexivity|]. unfold block_inverses. pose proof (batch_invariant zs F z Gz) as I.
    destruct (products z zs). destruct I as [_ ->]. reflexivity.
Qed.
End Montgomery.

Section Field.
Context {K : field}.
Add Field F2 : (laws K).
Theorem field_inverses (zs : list K) : Forall (fun z => z <> 0) zs -> batch_inverses K 1 (mul K) (fun z => 1 / z) zs = map (fun z => 1 / z) zs.
Proof.
  intros F. apply (batch_inverses_right K 1 (mul K) (fun z => 1 / z) (fun z => z <> 0)); try exact F; intros; try ring; try nz. field. assumption.
Qed.
End Field.
