(* Chord and tangent make the points of a curve y^2 = x^3 + b a commutative group, if no point has y = 0. Complete
   formulas give the sum in every case, so associativity is one identity of polynomials. *)
Require Import Base Formulas Law Operations.

Section Group.
Variable K : field.
Add Field F : (laws K).
Implicit Types k l x y z : K.
Variable b : K.
Hypothesis no_order_2 : forall x, x * x * x + b <> 0.
Notation O := (O K).
Notation P := (P K).
Notation law := (law K).
Notation on := (on K b).

(* The complete formulas of J. Renes, C. Costello and L. Batina (2016), algorithm 7, for points (X : Y : Z). *)
Definition complete (A B : K * K * K) : K * K * K :=
  let '(x1, y1, z1) := A in let '(x2, y2, z2) := B in
  let t0 := x1 * x2 in let t1 := y1 * y2 in let t2 := 3 * b * (z1 * z2) in
  let xy := x1 * y2 + x2 * y1 in let yz := y1 * z2 + y2 * z1 in let xz := 3 * b * (x1 * z2 + x2 * z1) in
  (xy * (t1 - t2) - yz * xz, (t1 + t2) * (t1 - t2) + 3 * t0 * xz, yz * (t1 + t2) + 3 * t0 * xy).
Definition scaled k A : K * K * K := match A with Law.O _ => (0, k, 0) | Law.P _ x y => (k * x, k * y, k) end.

Lemma y_nz x y : on (P x y) -> y <> 0.
Proof. intros E ->. apply (no_order_2 x). cbn [Law.on] in E. rewrite <- E. ring. Qed.

Ltac at_scale k := exists k; split; [nz|unfold complete, scaled; tuples].

Lemma complete_is_law A B : on A -> on B -> forall k l, k <> 0 -> l <> 0 ->
  exists m, m <> 0 /\ complete (scaled k A) (scaled l B) = scaled m (law A B).
Proof.
  intros EA EB k l Nk Nl. pose proof (law_closed K b A (opposite K B) EA) as Closed.
  destruct A as [|x1 y1], B as [|x2 y2]; cbn [Law.law].
  - at_scale (k * l * (k * l)); ring.
  - pose proof (y_nz x2 y2 EB). at_scale (k * k * (l * l) * y2); ring.
  - pose proof (y_nz x1 y1 EA). at_scale (k * k * (l * l) * y1); ring.
  - pose proof (y_nz x1 y1 EA) as N1. pose proof (law_closed K b _ _ EA EA) as Twice. cbn [Law.on Law.law opposite] in *.
    destruct (dec x1 x2) as [<-|X].
    + destruct (dec x1 x1) as [_|]; [|congruence]. destruct (dec y1 y1) as [_|]; [|congruence].
      destruct (dec y1 0) as [|_]; [contradiction|]. destruct (dec y1 y2) as [<-|Y].
      * clear Closed Twice EB. unfold tangent, third. at_scale (k * k * (l * l) * ((2 * 2 * 2) * (y1 * y1 * y1))).
        all: field [EA]; nz.
      * assert (E : y2 = - y1).
        { rewrite <- EB in EA. destruct (roots _ _ EA) as [->|E]; [congruence|]. rewrite E. ring. }
        rewrite E in *. apply y_nz in Twice.
        destruct (dec y1 0) as [|_]; [contradiction|]. at_scale (k * k * (l * l) * 
          (x1 * x1 * x1 * (x1 * x1 * x1) + (2 * 2 * (2 * 2 + 1) * b) * (x1 * x1 * x1) - 2 * 2 * 2 * b * b)).
        2-4: ring [EA].
        intros Z. apply Twice. apply (cancel _ _ (2 * y1 * (2 * y1) * (2 * y1))); [nz|]. 
        transitivity (x1 * x1 * x1 * (x1 * x1 * x1) + (2 * 2 * (2 * 2 + 1) * b) * (x1 * x1 * x1) - 2 * 2 * 2 * b * b).
        field [EA]; nz. rewrite Z. ring.
    + destruct (dec x1 x2) as [|_]; [contradiction|]. apply y_nz in Closed. differ x1 x2. unfold chord, third in Closed |- *.
      match type of Closed with ?e <> _ => at_scale (k * k * (l * l) * ((x2 - x1) * (x2 - x1) * (x2 - x1) * e)) end.
      all: field [EA EB]; nz.
Qed.

Lemma scaled_inj k l A B : k <> 0 -> l <> 0 ->
  (let '(x, y, z) := scaled k A in let '(x', y', z') := scaled l B in x * z' = x' * z /\ y * z' = y' * z) -> A = B.
Proof.
  destruct A as [|x y], B as [|x' y']; cbn; intros Nk Nl [E1 E2]; [reflexivity|..].
  - exfalso. apply (mul_nz k l Nk Nl). rewrite E2. ring.
  - exfalso. apply (mul_nz l k Nl Nk). rewrite <- E2. ring.
  - f_equal; apply (cancel _ _ (k * l)); try nz; [transitivity (k * x * l)|transitivity (k * y * l)];
    (ring || (rewrite E1; ring) || (rewrite E2; ring)).
Qed.

Theorem law_assoc A B C : on A -> on B -> on C -> law A (law B C) = law (law A B) C.
Proof.
  intros EA EB EC. destruct A as [|x1 y1]; [reflexivity|]. destruct B as [|x2 y2]; [reflexivity|].
  assert (R : forall A, law A O = A) by (intros []; reflexivity).
  destruct C as [|x3 y3]; [rewrite !R; reflexivity|]. clear R.
  destruct (complete_is_law _ _ EB EC 1 1 one_nz one_nz) as (k & Nk & Ek).
  destruct (complete_is_law _ _ EA (law_closed K b _ _ EB EC) 1 k one_nz Nk) as (m & Nm & Em).
  destruct (complete_is_law _ _ EA EB 1 1 one_nz one_nz) as (l & Nl & El).
  destruct (complete_is_law _ _ (law_closed K b _ _ EA EB) EC l 1 Nl one_nz) as (j & Nj & Ej).
  apply (scaled_inj m j _ _ Nm Nj). rewrite <- Em, <- Ej, <- Ek, <- El.
  cbn [Law.on] in *. clear -EA EB EC. unfold complete, scaled. split; ring [EA EB EC].
Qed.

Theorem law_comm A B : law A B = law B A.
Proof.
  destruct A as [|x1 y1], B as [|x2 y2]; try reflexivity. cbn [Law.law].
  destruct (dec x1 x2) as [<-|X].
  - destruct (dec x1 x1); [|congruence]. destruct (dec y1 y2) as [<-|Y].
    + destruct (dec y1 y1); [reflexivity|congruence].
    + destruct (dec y2 y1); [congruence|reflexivity].
  - destruct (dec x2 x1); [congruence|]. differ x1 x2. differ x2 x1. unfold chord, third. f_equal; field; nz.
Qed.

(* Doubling without halves, for computations in Rocq. *)
Definition twice (a : K * K * K) : K * K * K :=
  let '(X, Y, Z) := a in
  let m := X * X + X * X + X * X in let s := Y * Y + Y * Y in let t := X * s + X * s in
  let X' := m * m - (t + t) in (X', m * (t - X') - (s * s + s * s), Y * Z + Y * Z).

Lemma twice_is_law a : jacobian K (twice a) = law (jacobian K a) (jacobian K a).
Proof.
  destruct a as [[X Y] Z]. rewrite <- double_is_law. unfold double, twice. cbv zeta.
  symmetry. rewrite <- (scaled_is_same K _ _ _ 2 (two_nz K)). f_equal. tuples; field; nz.
Qed.

Lemma point_dec (A B : point K) : {A = B} + {A <> B}.
Proof.
  destruct A as [|x y], B as [|x' y']; [left; reflexivity|right; discriminate..|].
  destruct (dec x x'); [|right; congruence]. destruct (dec y y'); [left|right]; congruence.
Defined.

Lemma opposite_on A : on A -> on (opposite K A).
Proof. destruct A; simpl; auto. intros <-. ring. Qed.

(* What an addition without special cases gives, for points of the curve: infinity if a point is infinity or the x
   coordinates are equal, and otherwise the sum. *)
Definition lane_law (A B : point K) : point K :=
  match A, B with Law.P _ x1 _, Law.P _ x2 _ => if dec x1 x2 then O else law A B | _, _ => O end.

Theorem addMixed_lane a x y : jacobian K (fst (addMixed3 a x y)) = lane_law (jacobian K a) (P x y).
Proof.
  destruct a as [[X Y] Z]. unfold addMixed3. destruct (dec Z 0) as [->|N].
  - rewrite (jacobian_O K X Y 0) by reflexivity. pose proof (addMixed_infinity K X Y x y) as E. destruct (addMixed K X Y 0 x y) as [[[pX pY] pZ] h].
    apply jacobian_O. exact E.
  - destruct (form X Y Z N) as (x1 & y1 & -> & -> & ->). cbn [lane_law Law.law]. destruct (dec x1 x) as [<-|X].
    + pose proof (addMixed_same_x K x1 y1 Z y) as E. destruct (addMixed K _ _ Z x1 y) as [[[pX pY] pZ] h]. apply jacobian_O. apply E.
    + apply addMixed_is_chord; assumption.
Qed.

Theorem doubleAdd_lane a x y : jacobian K (fst (doubleAdd3 a x y)) = lane_law (law (jacobian K a) (jacobian K a)) (P x y).
Proof.
  destruct a as [[X Y] Z]. unfold doubleAdd3. rewrite doubleAdd_steps, <- double_is_law.
  pose proof (addMixed_lane (double K X Y Z) x y) as E. unfold addMixed3 in E. destruct (double K X Y Z) as [[X2 Y2] Z2]. exact E.
Qed.

Theorem addMixedXYZZ_lane a x y : valid K a ->
  xyzz K (fst (addMixedXYZZ4 a (x, y))) = lane_law (xyzz K a) (P x y) /\ valid K (fst (addMixedXYZZ4 a (x, y))).
Proof.
  destruct a as [[[X Y] ZZ] ZZZ]. unfold addMixedXYZZ4. cbn [fst snd]. intros V. destruct (dec ZZ 0) as [E0|N].
  - assert (ZZZ = 0) by (apply square_0; unfold valid in V; rewrite <- V, E0; ring). subst ZZ ZZZ.
    rewrite (xyzz_O K X Y 0 0) by reflexivity. pose proof (addMixedXYZZ_infinity K X Y x y) as E.
    destruct (addMixedXYZZ K X Y 0 0 x y) as [[[[pX pY] pZZ] pZZZ] h]. destruct E as [-> ->]. split; [apply xyzz_O; reflexivity|]. unfold valid. cbn [fst]. ring.
  - destruct (xyzz_form K X Y ZZ ZZZ N V) as (x1 & y1 & z & Nz & -> & -> & -> & ->). rewrite (xyzz_finite K (x1 * _)) by exact N.
    replace (x1 * (z * z) / (z * z)) with x1 by (field; nz). replace (y1 * (z * z * z) / (z * z * z)) with y1 by (field; nz).
    cbn [lane_law Law.law]. destruct (dec x1 x) as [<-|X].
    + pose proof (addMixedXYZZ_same_x K x1 y1 z y) as E. destruct (addMixedXYZZ K _ _ _ _ x1 y) as [[[[pX pY] pZZ] pZZZ] h].
      destruct E as (_ & E1 & E2 & _). cbn [fst]. split; [apply xyzz_O; exact E1|]. unfold valid. rewrite E1, E2. ring.
    + apply addMixedXYZZ_is_chord; assumption.
Qed.

(* If r is a cube root of 1, (r x, y) is on the curve, and this map is a homomorphism. *)
Variable r : K.
Hypothesis root : r * r = - r - 1.
Hypothesis r_nz : r <> 0.
Definition endomorphism (A : point K) := match A with Law.O _ => O | Law.P _ x y => P (r * x) y end.

Lemma endomorphism_on A : on A -> on (endomorphism A).
Proof. destruct A; simpl; auto. intros ->. ring [root]. Qed.

Theorem endomorphism_law A B : endomorphism (law A B) = law (endomorphism A) (endomorphism B).
Proof.
  destruct A as [|x1 y1], B as [|x2 y2]; try reflexivity. cbn [Law.law endomorphism].
  destruct (dec x1 x2) as [<-|X].
  - destruct (dec (r * x1) (r * x1)); [|congruence]. destruct (dec y1 y2) as [<-|]; [|reflexivity].
    destruct (dec y1 0); [reflexivity|]. unfold tangent, third. cbn [endomorphism]. f_equal; field [root]; nz.
  - destruct (dec (r * x1) (r * x2)) as [E|_].
    + exfalso. apply X. apply (cancel _ _ r r_nz). transitivity (r * x1); [ring|]. rewrite E. ring.
    + differ x1 x2. scaled (r * x2 - r * x1) (r * (x2 - x1)).
      unfold chord, third. cbn [endomorphism]. f_equal; field [root]; nz.
Qed.

Theorem endomorphism_sum A : on A -> 3 <> (0 : K) -> law A (endomorphism A) = opposite K (endomorphism (endomorphism A)).
Proof.
  intros EA N3. destruct A as [|x y]; [reflexivity|]. pose proof (y_nz x y EA). cbn [Law.law endomorphism opposite].
  assert (N1 : 1 - r <> 0).
  { intros E. apply N3. assert (r = 1) by (transitivity (1 - (1 - r)); [ring|rewrite E; ring]). subst r.
    transitivity (1 * 1 - (- (1) - 1) : K); [ring|]. rewrite root. ring. }
  destruct (dec x (r * x)) as [E|N].
  - assert (x = 0) by (apply (cancel _ _ (1 - r) N1); transitivity (x - r * x); [ring|]; rewrite <- E; ring). subst x.
    destruct (dec y y); [|congruence]. destruct (dec y 0); [contradiction|]. unfold tangent, third. f_equal; field; nz.
  - assert (r * x - x <> 0) by (apply sub_nz; congruence). unfold chord, third. f_equal; field [root]; nz.
Qed.
End Group.
