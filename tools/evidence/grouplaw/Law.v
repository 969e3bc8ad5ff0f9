(* The group law of SEC 1, section 2.2.1, and proofs that the formulas of internal/group/formulas.go compute it. *)
Require Import Base Formulas.

Section Law.
Variable K : field.
Add Field F : (laws K).
Implicit Types b l h r x y z X Y Z ZZ ZZZ : K.

Inductive point := O | P (x y : K).

(* third gives the third point on a line of slope l, reflected in the x axis. The line is a chord through two points,
   or a tangent to the curve y^2 = x^3 + b. *)
Definition third (l x1 y1 x2 : K) := let x3 := l * l - x1 - x2 in P x3 (l * (x1 - x3) - y1).
Definition chord (x1 y1 x2 y2 : K) := third ((y2 - y1) / (x2 - x1)) x1 y1 x2.
Definition tangent (x y : K) := third (3 * (x * x) / (2 * y)) x y x.

Definition law (A B : point) : point :=
  match A, B with
  | O, _ => B
  | _, O => A
  | P x1 y1, P x2 y2 =>
      if dec x1 x2
      then if dec y1 y2 then if dec y1 0 then O else tangent x1 y1 else O
      else chord x1 y1 x2 y2
  end.
Definition opposite (A : point) := match A with O => O | P x y => P x (- y) end.

Definition on (b : K) (A : point) := match A with O => True | P x y => y * y = x * x * x + b end.

(* In SEC 1, the sum of two finite points is O only if they are opposite. law agrees, because two different points of a
   curve with the same x are opposite. *)
Theorem same_x b x y1 y2 : on b (P x y1) -> on b (P x y2) -> y1 <> y2 -> P x y2 = opposite (P x y1).
Proof.
  simpl. intros E1 E2 N. f_equal. rewrite <- E2 in E1. symmetry in E1. destruct (roots _ _ E1); congruence.
Qed.

Theorem law_opposite A : law A (opposite A) = O.
Proof.
  destruct A as [|x y]; auto. simpl. destruct (dec x x); [|congruence]. destruct (dec y (- y)) as [E|]; auto.
  destruct (dec y 0) as [|N]; auto. exfalso. apply N.
  assert (H : 2 * y = 0). { replace (2 * y) with (y - - y) by ring. apply sub_0. exact E. }
  destruct (mul_0 _ _ H) as [H2|]; auto. exfalso. revert H2. apply two_nz.
Qed.

Theorem law_closed b A B : on b A -> on b B -> on b (law A B).
Proof.
  destruct A as [|x1 y1], B as [|x2 y2]; simpl; auto. intros E1 E2.
  destruct (dec x1 x2) as [<-|X].
  - destruct (dec y1 y2) as [<-|]; [|exact I]. destruct (dec y1 0) as [|Y]; [exact I|].
    unfold tangent, third, on. assert (Eb : b = y1 * y1 - x1 * x1 * x1) by (rewrite E1; ring).
    rewrite Eb. field. nz.
  - unfold chord, third, on. assert (N : x2 - x1 <> 0) by (apply sub_nz; congruence).
    assert (Eb : b = y1 * y1 - x1 * x1 * x1) by (rewrite E1; ring). rewrite Eb in E2 |- *. clear Eb E1.
    apply sub_0. apply (cancel _ _ ((x2 - x1) * (x2 - x1) * (x2 - x1))); [nz|].
    match goal with |- ?e * _ = _ => replace (e * ((x2 - x1) * (x2 - x1) * (x2 - x1))) with
      ((y2 * y2 - (x2 * x2 * x2 + (y1 * y1 - x1 * x1 * x1))) *
       ((y2 - y1) * (y2 - y1) - 2 * (x1 * x1 * x1) + 3 * (x1 * x1 * x2) - x2 * x2 * x2)) by (field; exact N) end.
    rewrite E2. ring.
Qed.

(* The points that Jacobian and XYZZ coordinates stand for. over gives the point for Jacobian X and Y whose Z is z and
   is not stored. *)
Definition jacobian (p : K * K * K) :=
  let '(X, Y, Z) := p in if dec Z 0 then O else P (X / (Z * Z)) (Y / (Z * Z * Z)).
Definition xyzz (p : K * K * K * K) :=
  let '(X, Y, ZZ, ZZZ) := p in if dec ZZ 0 then O else P (X / ZZ) (Y / ZZZ).
Definition valid (p : K * K * K * K) := let '(X, Y, ZZ, ZZZ) := p in ZZ * ZZ * ZZ = ZZZ * ZZZ.
Definition over (z : K) (p : K * K) := let '(X, Y) := p in P (X / (z * z)) (Y / (z * z * z)).

Lemma jacobian_finite X Y Z : Z <> 0 -> jacobian (X, Y, Z) = P (X / (Z * Z)) (Y / (Z * Z * Z)).
Proof. intros N. simpl. destruct (dec Z 0); congruence. Qed.

Lemma jacobian_O X Y Z : Z = 0 -> jacobian (X, Y, Z) = O.
Proof. intros N. simpl. destruct (dec Z 0); congruence. Qed.

Lemma xyzz_finite X Y ZZ ZZZ : ZZ <> 0 -> xyzz (X, Y, ZZ, ZZZ) = P (X / ZZ) (Y / ZZZ).
Proof. intros N. simpl. destruct (dec ZZ 0); congruence. Qed.

Lemma xyzz_O X Y ZZ ZZZ : ZZ = 0 -> xyzz (X, Y, ZZ, ZZZ) = O.
Proof. intros N. simpl. destruct (dec ZZ 0); congruence. Qed.

(* Finite points have the form (x z^2, y z^3, z) in Jacobian coordinates, and (x z^2, y z^3, z^2, z^3) in XYZZ. *)
Lemma jacobian_form X Y Z : Z <> 0 -> exists x y, X = x * (Z * Z) /\ Y = y * (Z * Z * Z).
Proof. intros N. exists (X / (Z * Z)), (Y / (Z * Z * Z)). split; field; exact N. Qed.

Lemma xyzz_form X Y ZZ ZZZ : ZZ <> 0 -> valid (X, Y, ZZ, ZZZ) ->
  exists x y z, z <> 0 /\ X = x * (z * z) /\ Y = y * (z * z * z) /\ ZZ = z * z /\ ZZZ = z * z * z.
Proof.
  unfold valid. intros N V. assert (M : ZZZ <> 0).
  { intros E. rewrite E in V. apply N. destruct (mul_0 (ZZ * ZZ) ZZ) as [H|H].
    - rewrite V. ring.
    - apply square_0. exact H.
    - exact H. }
  assert (E1 : ZZ = ZZZ / ZZ * (ZZZ / ZZ)).
  { replace (ZZZ / ZZ * (ZZZ / ZZ)) with (ZZZ * ZZZ / (ZZ * ZZ)) by (field; exact N). rewrite <- V. field. exact N. }
  assert (E2 : ZZZ = ZZZ / ZZ * (ZZZ / ZZ) * (ZZZ / ZZ)).
  { rewrite <- E1. field. exact N. }
  exists (X / ZZ), (Y / ZZZ), (ZZZ / ZZ). split; [|split; [|split; [|split]]].
  - intros E. rewrite E in E1. apply N. rewrite E1. ring.
  - rewrite <- E1. field. exact N.
  - rewrite <- E2. field. exact M.
  - exact E1.
  - exact E2.
Qed.

(* Doubling is right for all points, including infinity and points of order 2. *)
Theorem double_is_law X Y Z : jacobian (double K X Y Z) = law (jacobian (X, Y, Z)) (jacobian (X, Y, Z)).
Proof.
  unfold double. cbv zeta. destruct (dec Z 0) as [->|NZ].
  - rewrite !jacobian_O; [reflexivity|ring..].
  - destruct (jacobian_form X Y Z NZ) as (x & y & -> & ->).
    rewrite (jacobian_finite (x * _)) by exact NZ.
    replace (x * (Z * Z) / (Z * Z)) with x by (field; nz). replace (y * (Z * Z * Z) / (Z * Z * Z)) with y by (field; nz).
    simpl law. destruct (dec x x); [|congruence]. destruct (dec y y); [|congruence]. destruct (dec y 0) as [->|NY].
    + apply jacobian_O. ring.
    + rewrite jacobian_finite by nz. unfold tangent, third. f_equal; field; nz.
Qed.

(* The sums have Z = z H with H = (x2 - x1) z^2, where z is the common denominator of both points. If the x coordinates
   are equal, X = R^2 with R = (y2 - y1) z^3. *)

Theorem addMixed_is_chord x1 y1 z x2 y2 : z <> 0 -> x1 <> x2 ->
  jacobian (fst (addMixed K (x1 * (z * z)) (y1 * (z * z * z)) z x2 y2)) = chord x1 y1 x2 y2.
Proof.
  intros NZ N. differ x1 x2. scaled (x2 * (z * z) - x1 * (z * z)) ((x2 - x1) * (z * z)).
  unfold addMixed, fst. cbv zeta. rewrite jacobian_finite by nz. unfold chord, third. f_equal; field; nz.
Qed.

Theorem addMixed_h x1 y1 z x2 y2 : z <> 0 ->
  snd (addMixed K (x1 * (z * z)) (y1 * (z * z * z)) z x2 y2) = 0 <-> x1 = x2.
Proof.
  intros NZ. unfold addMixed, snd. cbv zeta. split; intros E.
  - apply (cancel _ _ (z * z)); [nz|]. symmetry. apply sub_0. exact E.
  - rewrite E. ring.
Qed.

Theorem addMixed_same_x x y1 z y2 :
  let '(p_X, p_Y, p_Z, h) := addMixed K (x * (z * z)) (y1 * (z * z * z)) z x y2 in
  h = 0 /\ p_Z = 0 /\ p_X = (y2 - y1) * (z * z * z) * ((y2 - y1) * (z * z * z)).
Proof. unfold addMixed. cbv zeta. repeat split; ring. Qed.

(* doubleAdd computes double and then addMixed. *)
Theorem doubleAdd_steps X Y Z x y :
  doubleAdd K X Y Z x y = let '(X2, Y2, Z2) := double K X Y Z in addMixed K X2 Y2 Z2 x y.
Proof. reflexivity. Qed.

Theorem doubleN_step X Y Z : doubleN K X Y Z = double K X Y Z.
Proof. reflexivity. Qed.

Theorem addDistinct_is_chord x1 y1 z1 x2 y2 z2 : z1 <> 0 -> z2 <> 0 -> x1 <> x2 ->
  jacobian (fst (addDistinct K (x1 * (z1 * z1)) (y1 * (z1 * z1 * z1)) z1 (x2 * (z2 * z2)) (y2 * (z2 * z2 * z2)) z2)) =
  chord x1 y1 x2 y2.
Proof.
  intros N1 N2 N. differ x1 x2.
  scaled (x2 * (z2 * z2) * (z1 * z1) - x1 * (z1 * z1) * (z2 * z2)) ((x2 - x1) * (z1 * z1 * (z2 * z2))).
  unfold addDistinct, fst. cbv zeta. rewrite jacobian_finite by nz. unfold chord, third. f_equal; field; nz.
Qed.

Theorem addDistinct_h x1 y1 z1 x2 y2 z2 : z1 <> 0 -> z2 <> 0 ->
  snd (addDistinct K (x1 * (z1 * z1)) (y1 * (z1 * z1 * z1)) z1 (x2 * (z2 * z2)) (y2 * (z2 * z2 * z2)) z2) = 0 <-> x1 = x2.
Proof.
  intros N1 N2. unfold addDistinct, snd. cbv zeta. split; intros E.
  - apply (cancel _ _ (z1 * z1 * (z2 * z2))); [nz|]. symmetry. apply sub_0. rewrite <- E. ring.
  - rewrite E. ring.
Qed.

Theorem addDistinct_same_x x y1 z1 y2 z2 :
  let '(p_X, p_Y, p_Z, h) :=
    addDistinct K (x * (z1 * z1)) (y1 * (z1 * z1 * z1)) z1 (x * (z2 * z2)) (y2 * (z2 * z2 * z2)) z2 in
  h = 0 /\ p_Z = 0 /\
  p_X = (y2 - y1) * (z1 * z1 * z1) * (z2 * z2 * z2) * ((y2 - y1) * (z1 * z1 * z1) * (z2 * z2 * z2)).
Proof. unfold addDistinct. cbv zeta. repeat split; ring. Qed.

(* If the first point is infinity and no code checks for this, as in lanes, the result is infinity. *)
Theorem addMixed_infinity X Y x y : let '(p_X, p_Y, p_Z, h) := addMixed K X Y 0 x y in p_Z = 0.
Proof. unfold addMixed. cbv zeta. ring. Qed.

Theorem addMixedXYZZ_infinity X Y x y : let '(p_X, p_Y, p_ZZ, p_ZZZ, h) := addMixedXYZZ K X Y 0 0 x y in p_ZZ = 0 /\ p_ZZZ = 0.
Proof. unfold addMixedXYZZ. cbv zeta. split; ring. Qed.

Theorem addMixedXYZZ_is_chord x1 y1 z x2 y2 : z <> 0 -> x1 <> x2 ->
  let p := fst (addMixedXYZZ K (x1 * (z * z)) (y1 * (z * z * z)) (z * z) (z * z * z) x2 y2) in
  xyzz p = chord x1 y1 x2 y2 /\ valid p.
Proof.
  intros NZ N. differ x1 x2. scaled (x2 * (z * z) - x1 * (z * z)) ((x2 - x1) * (z * z)).
  unfold addMixedXYZZ, fst. cbv zeta. split.
  - rewrite xyzz_finite by nz. unfold chord, third. f_equal; field; nz.
  - unfold valid. ring.
Qed.

Theorem addMixedXYZZ_h x1 y1 z x2 y2 : z <> 0 ->
  snd (addMixedXYZZ K (x1 * (z * z)) (y1 * (z * z * z)) (z * z) (z * z * z) x2 y2) = 0 <-> x1 = x2.
Proof.
  intros NZ. unfold addMixedXYZZ, snd. cbv zeta. split; intros E.
  - apply (cancel _ _ (z * z)); [nz|]. symmetry. apply sub_0. exact E.
  - rewrite E. ring.
Qed.

Theorem addMixedXYZZ_same_x x y1 z y2 :
  let '(p_X, p_Y, p_ZZ, p_ZZZ, h) := addMixedXYZZ K (x * (z * z)) (y1 * (z * z * z)) (z * z) (z * z * z) x y2 in
  h = 0 /\ p_ZZ = 0 /\ p_ZZZ = 0 /\ p_X = (y2 - y1) * (z * z * z) * ((y2 - y1) * (z * z * z)).
Proof. unfold addMixedXYZZ. cbv zeta. repeat split; ring. Qed.

Theorem addXYZZ_is_chord x1 y1 z1 x2 y2 z2 : z1 <> 0 -> z2 <> 0 -> x1 <> x2 ->
  let p := fst (addXYZZ K (x1 * (z1 * z1)) (y1 * (z1 * z1 * z1)) (z1 * z1) (z1 * z1 * z1)
                          (x2 * (z2 * z2)) (y2 * (z2 * z2 * z2)) (z2 * z2) (z2 * z2 * z2)) in
  xyzz p = chord x1 y1 x2 y2 /\ valid p.
Proof.
  intros N1 N2 N. differ x1 x2.
  scaled (x2 * (z2 * z2) * (z1 * z1) - x1 * (z1 * z1) * (z2 * z2)) ((x2 - x1) * (z1 * z1 * (z2 * z2))).
  unfold addXYZZ, fst. cbv zeta. split.
  - rewrite xyzz_finite by nz. unfold chord, third. f_equal; field; nz.
  - unfold valid. ring.
Qed.

(* The comment of XYZZ.Add says "Otherwise p.ZZ = 0". p.ZZ is 0 if the x coordinates are equal or one of the points is
   infinity. *)
Theorem addXYZZ_otherwise X1 Y1 ZZ1 ZZZ1 X2 Y2 ZZ2 ZZZ2 : ZZ1 = 0 \/ ZZ2 = 0 \/ X1 * ZZ2 = X2 * ZZ1 ->
  let '(p_X, p_Y, p_ZZ, p_ZZZ, h) := addXYZZ K X1 Y1 ZZ1 ZZZ1 X2 Y2 ZZ2 ZZZ2 in p_ZZ = 0.
Proof.
  unfold addXYZZ. cbv zeta. intros [E|[E|E]]; rewrite E; ring.
Qed.

(* Two points with the same denominator z, which the formula does not need. The sum and the first point get the
   denominator z H. *)
Theorem addCoZ_is_chord x1 y1 x2 y2 z : z <> 0 -> x1 <> x2 ->
  let '(p, a, h) := addCoZ K (x1 * (z * z)) (y1 * (z * z * z)) (x2 * (z * z)) (y2 * (z * z * z)) in
  z * h <> 0 /\ over (z * h) p = chord x1 y1 x2 y2 /\ over (z * h) a = P x1 y1.
Proof.
  intros NZ N. differ x1 x2. assert (x1 - x2 <> 0) by (apply sub_nz; congruence).
  scaled (x1 * (z * z) - x2 * (z * z)) ((x1 - x2) * (z * z)).
  unfold addCoZ, over. cbv zeta. split; [nz|split].
  - unfold chord, third. f_equal; field; nz.
  - f_equal; field; nz.
Qed.

(* inverse is 1/(before h) with h = x2 - x1, and becomes 1/before. *)
Theorem addAffine_is_chord x1 y1 x2 y2 before : x1 <> x2 -> before <> 0 ->
  let '(p, inverse) := addAffine K x1 y1 x2 y2 before (1 / (before * (x2 - x1))) in
  P (fst p) (snd p) = chord x1 y1 x2 y2 /\ inverse = 1 / before.
Proof.
  intros N B. differ x1 x2. unfold addAffine, fst, snd. cbv zeta. split.
  - unfold chord, third. f_equal; field; nz.
  - field. nz.
Qed.

Theorem rescale_is_same X Y c z : z <> 0 -> c <> 0 -> over (z * c) (rescale K X Y c) = over z (X, Y).
Proof. intros NZ NC. unfold rescale, over. cbv zeta. f_equal; field; nz. Qed.

Theorem doubleAffine_is_law x y : let p := doubleAffine K x y in xyzz p = law (P x y) (P x y) /\ valid p.
Proof.
  unfold doubleAffine. cbv zeta. split; [|unfold valid; ring].
  simpl law. destruct (dec x x); [|congruence]. destruct (dec y y); [|congruence]. destruct (dec y 0) as [->|NY].
  - apply xyzz_O. ring.
  - assert (y + y <> 0) by (replace (y + y) with (2 * y) by ring; nz).
    rewrite xyzz_finite by nz. unfold tangent, third. f_equal; field; nz.
Qed.

(* Lanes hold 2Y in place of Y. The formulas of lanes compute the same points as the other formulas, with twice the
   denominator. *)
Theorem lanes_double_is_double X Y Z :
  let '(p_X, p_Y, p_Z) := double K X Y Z in
  lanes_doubleNegateN K X (2 * Y) Z = (2 * 2 * p_X, 2 * (2 * 2 * 2 * p_Y), 2 * p_Z).
Proof. unfold double, lanes_doubleNegateN. cbv zeta. tuples; field; nz. Qed.

Theorem lanes_addMixed_is_addMixed X Y Z x y :
  let '(p_X, p_Y, p_Z, h) := addMixed K X Y Z x y in
  lanes_addMixed K X (2 * Y) Z x (2 * y) = (2 * 2 * p_X, 2 * (2 * 2 * 2 * p_Y), 2 * p_Z, h).
Proof. unfold addMixed, lanes_addMixed. cbv zeta. tuples; ring. Qed.

Theorem scaled_is_same X Y Z c : c <> 0 -> jacobian (c * c * X, c * c * c * Y, c * Z) = jacobian (X, Y, Z).
Proof.
  intros NC. destruct (dec Z 0) as [->|NZ].
  - rewrite !jacobian_O; [reflexivity|ring|ring].
  - rewrite !jacobian_finite by nz. f_equal; field; nz.
Qed.

(* The map (x, y) -> (c^2 x, c^3 y) is an isomorphism from y^2 = x^3 + b to y^2 = x^3 + b c^6. It preserves the law,
   which does not depend on b. *)
Definition image (c : K) (A : point) := match A with O => O | P x y => P (x * (c * c)) (y * (c * c * c)) end.

Theorem image_on b c A : on b A -> on (b * (c * c * c * c * c * c)) (image c A).
Proof. destruct A; simpl; auto. intros E. ring [E]. Qed.

Theorem image_law c A B : c <> 0 -> law (image c A) (image c B) = image c (law A B).
Proof.
  intros NC. destruct A as [|x1 y1], B as [|x2 y2]; try reflexivity. simpl.
  destruct (dec x1 x2) as [<-|N].
  - destruct (dec (x1 * (c * c)) (x1 * (c * c))); [|congruence].
    destruct (dec y1 y2) as [<-|NY].
    + destruct (dec (y1 * (c * c * c)) (y1 * (c * c * c))); [|congruence].
      destruct (dec y1 0) as [->|Y].
      * destruct (dec (0 * (c * c * c)) 0) as [|E]; [reflexivity|]. exfalso. apply E. ring.
      * destruct (dec (y1 * (c * c * c)) 0) as [E|_]; [exfalso; revert E; nz|].
        unfold tangent, third, image. f_equal; field; nz.
    + destruct (dec (y1 * (c * c * c)) (y2 * (c * c * c))) as [E|]; [|reflexivity].
      exfalso. apply NY. apply (cancel _ _ (c * c * c)); [nz|exact E].
  - destruct (dec (x1 * (c * c)) (x2 * (c * c))) as [E|_].
    + exfalso. apply N. apply (cancel _ _ (c * c)); [nz|exact E].
    + differ x1 x2. scaled (x2 * (c * c) - x1 * (c * c)) ((x2 - x1) * (c * c)).
      unfold chord, third, image. f_equal; field; nz.
Qed.

(* The table of odd multiples (oddMultiples of internal/ecmult/odd.go). Let a = (X, Y, Z), and let (d_X, d_Y, d_Z) be
   the double of (X, Y, 1). Then 2a has the denominator Z d_Z. The table's first entry is a, rescaled to this
   denominator. Each addCoZ then gives 2a and the next entry a common denominator. *)
Theorem odd_start X Y Z : Z <> 0 -> Y <> 0 ->
  let '(d_X, d_Y, d_Z) := double K X Y 1 in
  let a := jacobian (X, Y, Z) in
  Z * d_Z <> 0 /\ over (Z * d_Z) (d_X, d_Y) = law a a /\ over (Z * d_Z) (rescale K X Y d_Z) = a.
Proof.
  intros NZ NY. destruct (double K X Y 1) as [[d_X d_Y] d_Z] eqn:D.
  assert (E : d_Z = Y). { unfold double in D. cbv zeta in D. injection D as _ _ <-. ring. }
  cbv zeta. split; [rewrite E; nz|]. rewrite <- double_is_law. split.
  - unfold double in *. cbv zeta in *. injection D as <- <- <-. rewrite jacobian_finite by nz.
    unfold over. assert (Y * 1 <> 0) by nz. f_equal; field; nz.
  - rewrite rescale_is_same by (rewrite ?E; assumption). simpl. destruct (dec Z 0); congruence.
Qed.

Theorem odd_step z u q A B : z <> 0 -> over z u = A -> over z q = B ->
  (match A, B with P x1 _, P x2 _ => x1 <> x2 | _, _ => False end) ->
  let '(p, u', h) := addCoZ K (fst u) (snd u) (fst q) (snd q) in
  z * h <> 0 /\ over (z * h) u' = A /\ over (z * h) p = law A B.
Proof.
  intros NZ EA EB N. destruct u as [X1 Y1], q as [X2 Y2]. unfold over in EA, EB. subst A B.
  set (x1 := X1 / (z * z)) in *. set (y1 := Y1 / (z * z * z)). set (x2 := X2 / (z * z)) in *. set (y2 := Y2 / (z * z * z)).
  unfold fst, snd.
  replace X1 with (x1 * (z * z)) by (unfold x1; field; nz). replace Y1 with (y1 * (z * z * z)) by (unfold y1; field; nz).
  replace X2 with (x2 * (z * z)) by (unfold x2; field; nz). replace Y2 with (y2 * (z * z * z)) by (unfold y2; field; nz).
  generalize (addCoZ_is_chord x1 y1 x2 y2 z NZ N).
  destruct (addCoZ K (x1 * (z * z)) (y1 * (z * z * z)) (x2 * (z * z)) (y2 * (z * z * z))) as [[p u'] h].
  intros (H1 & H2 & H3). simpl law. destruct (dec x1 x2); [contradiction|]. auto.
Qed.
End Law.
