(* The statements of Roots.v, Swift.v, Swu.v and Encodings.v for the integers modulo p. *)
Require Import ZArith Znumtheory Zpow_facts Lia Bool List.
Require Operations.
Require Import Base Law Constants Pocklington Certificates Prime Maps Roots Swift Swu Encodings.
Open Scope field_scope.
Add Field Fp_field : (laws Fp).

Lemma reduced_value (a : Fp) : (value a mod p = value a)%Z.
Proof. apply Z.eqb_eq. exact (reduced a). Qed.

Definition residue (x : Z) : Fp := of_Z x.

Lemma residue_value (a : Fp) : residue (value a) = a.
Proof. exact (of_value a). Qed.

(* residue maps sums to sums, products to products, and multiples of p to 0. *)
Lemma residue_add x y : residue (x + y) = residue x + residue y.
Proof. apply fp_eq. unfold residue. cbn [value of_Z add Fp]. apply Zplus_mod. Qed.

Lemma residue_sub x y : residue (x - y) = residue x - residue y.
Proof. apply fp_eq. unfold residue. cbn [value of_Z sub Fp]. apply Zminus_mod. Qed.

Lemma residue_mul x y : residue (x * y) = residue x * residue y.
Proof. apply fp_eq. unfold residue. cbn [value of_Z mul Fp]. apply Zmult_mod. Qed.

Lemma residue_0 x : (p | x)%Z <-> residue x = 0.
Proof.
  split.
  - intros D. apply fp_eq. unfold residue. cbn [value of_Z zero Fp]. apply Z.mod_divide in D; [|discriminate]. rewrite D. reflexivity.
  - intros E. apply (f_equal value) in E. cbn [residue value of_Z zero Fp] in E. apply Z.mod_divide; [discriminate|]. exact E.
Qed.

Lemma residue_1 x : residue x = 1 -> (x mod p = 1)%Z.
Proof. intros E. apply (f_equal value) in E. exact E. Qed.

(* Powers. *)
Definition pow (a : Fp) (k : Z) : Fp := residue (value a ^ k).

Lemma pow_1 a : pow a 1 = a.
Proof. apply fp_eq. unfold pow, residue. cbn [value of_Z]. rewrite Z.pow_1_r. apply reduced_value. Qed.

Lemma pow_add a k l : (0 <= k)%Z -> (0 <= l)%Z -> pow a k * pow a l = pow a (k + l)%Z.
Proof. intros Hk Hl. unfold pow. rewrite <- residue_mul, Z.pow_add_r by assumption. reflexivity. Qed.

Lemma pow_of x k : (0 <= k)%Z -> pow (residue x) k = residue (x ^ k).
Proof. intros Hk. apply fp_eq. unfold pow, residue. cbn [value of_Z]. symmetry. apply Zpower_mod. reflexivity. Qed.

Lemma pow_mul a c k : (0 <= k)%Z -> pow (a * c) k = pow a k * pow c k.
Proof.
  intros Hk. rewrite <- (residue_value a), <- (residue_value c), <- residue_mul, !pow_of by exact Hk.
  rewrite <- residue_mul, Z.pow_mul_l. reflexivity.
Qed.

Lemma pow_fermat a : a <> 0 -> pow a (p - 1) = 1.
Proof.
  intros N. assert (D : ~ (p | value a)%Z) by (intros D; apply N; apply residue_0 in D; rewrite residue_value in D; exact D).
  pose proof (fermat p (value a) p_prime D) as E. apply Z.mod_divide in E; [|discriminate]. apply residue_0 in E.
  apply (proj1 (sub_0 _ _)). rewrite <- E. unfold pow. rewrite residue_sub. f_equal.
Qed.

(* Roots. *)
Definition rootPower : Fp -> Fp := Roots.rootPower.
Definition Sqrt : Fp -> Fp * bool := Roots.Sqrt.
Definition InvertSqrt : Fp -> Fp * bool := Roots.InvertSqrt.

Theorem Sqrt_secp256k1 a : let '(v, isSquare) := Sqrt a in
  if isSquare then v * v = a else v * v = - a /\ forall r, r * r <> a.
Proof. exact (Sqrt_right pow pow_1 pow_add pow_mul pow_fermat a). Qed.

Theorem rootPower_secp256k1 a : rootPower a * rootPower a = a \/ forall r, r * r <> a.
Proof. exact (rootPower_right pow pow_1 pow_add pow_mul pow_fermat a). Qed.

Theorem InvertSqrt_secp256k1 a : let '(v, isSquare) := InvertSqrt a in
  if isSquare then v * v * a = 1 else (a = 0 /\ v = 0) \/ v * v * a = - (1) /\ forall r, r * r <> a.
Proof. exact (InvertSqrt_right pow pow_1 pow_add pow_mul pow_fermat a). Qed.

(* No point of the curve has y = 0, because -7 is not a cube. So no point has order 2. *)
Definition b : Fp := residue curve_b.

Theorem no_order_2 (x : Fp) : x * x * x + b <> 0.
Proof.
  intros E. assert (C : x * x * x = residue (p - 7)).
  { replace (x * x * x) with (x * x * x + b - b) by ring. rewrite E. apply fp_eq. reflexivity. }
  assert (N : x <> 0). { intros E0. rewrite E0 in C. apply (f_equal value) in C. vm_compute in C. discriminate C. }
  pose proof minus_seven_power as Q. apply Z.eqb_neq in Q. apply Q. rewrite power_right, Z2Pos.id by reflexivity.
  assert (P : residue ((p - 7) ^ ((p - 1) / 3)) = 1).
  { rewrite <- pow_of, <- C, !pow_mul, !pow_add by positive. rewrite <- (pow_fermat x N). reflexivity. }
  exact (residue_1 _ P).
Qed.

Theorem no_point_of_order_2 (A : point Fp) : on Fp b A -> forall x, A <> P Fp x 0.
Proof. intros O x E. rewrite E in O. apply (no_order_2 x). cbn [on] in O. rewrite <- O. ring. Qed.

Theorem DoubleAddVartime_secp256k1 (a : Fp * Fp * Fp) (x y : Fp) : on Fp b (jacobian Fp a) ->
  jacobian Fp (Operations.DoubleAddVartime a x y) = law Fp (law Fp (jacobian Fp a) (jacobian Fp a)) (P Fp x y).
Proof.
  intros O. apply Operations.DoubleAddVartime_is_law. intros N. destruct (jacobian Fp a) as [|x1 y1]; [contradiction N; reflexivity|].
  unfold law. destruct (dec x1 x1); [|congruence]. destruct (dec y1 y1); [|congruence]. destruct (dec y1 0) as [E|_].
  - exfalso. apply (no_point_of_order_2 _ O x1). rewrite E. reflexivity.
  - discriminate.
Qed.

(* Parities. *)
Definition is_odd (a : Fp) : bool := Z.odd (value a).

Lemma three_nz : 3 <> (0 : Fp).
Proof. intros E. apply (f_equal value) in E. vm_compute in E. discriminate E. Qed.

(* ElligatorSwift. IsSquareVartime computes a Jacobi symbol in the code. In this model it reports whether there is a
   root. *)
Definition IsSquareVartime (a : Fp) : bool := snd (Sqrt a).

Lemma IsSquareVartime_right a : IsSquareVartime a = true <-> exists r, r * r = a.
Proof.
  unfold IsSquareVartime. pose proof (Sqrt_secp256k1 a) as S. destruct (Sqrt a) as [v [|]]; cbn [snd]; split; try discriminate.
  - intros _. exists v. exact S.
  - intros _. reflexivity.
  - intros [r R]. exfalso. exact (proj2 S r R).
Qed.

Definition root_1 : Fp := residue beta.
Lemma root_1_right : root_1 * root_1 = - root_1 - 1.
Proof.
  apply sub_0. replace (_ - _) with (root_1 * root_1 + root_1 + 1) by ring. unfold root_1. change 1 with (residue 1).
  rewrite <- residue_mul, <- !residue_add. apply residue_0, Z.mod_divide; [discriminate|exact beta_right].
Qed.

(* The square root of -3 that BIP-324 uses. *)
Theorem XSwiftEC_root : - root3 root_1 = residue 0xa2d2ba93507f1df233770c2a797962cc61f6d15da14ecd47d8d27ae1cd5f852.
Proof. apply fp_eq. etransitivity; [|exact root3_right]. vm_compute. reflexivity. Qed.

Definition SetElligatorSwiftVartime (u t : Fp) : Fp * Fp :=
  Swift.SetElligatorSwiftVartime b root_1 InvertSqrt IsSquareVartime is_odd u t.
Definition XSwiftEC (u t : Fp) : option Fp := Swift.XSwiftEC b root_1 IsSquareVartime u t.

Theorem ElligatorSwift_decoded (u t : Fp) : let '(x, y) := SetElligatorSwiftVartime u t in
  on Fp b (P Fp x y) /\ XSwiftEC u t = Some x /\ is_odd y = is_odd t.
Proof.
  exact (SetElligatorSwift_right b root_1 root_1_right three_nz no_order_2 Sqrt InvertSqrt IsSquareVartime is_odd
    Sqrt_secp256k1 InvertSqrt_secp256k1 IsSquareVartime_right parity u t).
Qed.

Theorem ElligatorSwift_encoded (x y r u t : Fp) chosen : on Fp b (P Fp x y) ->
  ElligatorSwiftVartime b root_1 Sqrt InvertSqrt IsSquareVartime is_odd (x, y) r chosen = Some (u, t) ->
  u <> 0 /\ t <> 0 /\ u * u * u + t * t + b <> 0 /\ SetElligatorSwiftVartime u t = (x, y).
Proof.
  exact (ElligatorSwift_right b root_1 root_1_right three_nz no_order_2 Sqrt InvertSqrt IsSquareVartime is_odd
    Sqrt_secp256k1 InvertSqrt_secp256k1 IsSquareVartime_right parity x y r chosen u t).
Qed.

Theorem ElligatorSwift_isomorphic (u t : Fp) :
  let '(X, Y, w) := SetElligatorSwiftIsomorphicVartime b root_1 IsSquareVartime u t in
  on Fp (b * (w * w * w)) (P Fp X Y) /\
  exists x y z, on Fp b (P Fp x y) /\ XSwiftEC u t = Some x /\ z <> 0 /\ z * z = w /\ P Fp X Y = image Fp z (P Fp x y).
Proof.
  exact (E7 b root_1 root_1_right three_nz no_order_2 Sqrt IsSquareVartime Sqrt_secp256k1 IsSquareVartime_right u t).
Qed.

(* The map to E', and the map from E' to the curve. *)
Definition A' : Fp := residue isogenous_A.
Definition B' : Fp := residue isogenous_B.
Definition minus_Z : Fp := residue swu_z.

Lemma A'_nz : A' <> 0.
Proof. intros E. apply (f_equal value) in E. vm_compute in E. discriminate E. Qed.

Lemma minus_Z_nz : minus_Z <> 0.
Proof. intros E. apply (f_equal value) in E. vm_compute in E. discriminate E. Qed.

Lemma root_minus_Z_right : residue swu_root * residue swu_root = minus_Z.
Proof.
  apply sub_0. unfold minus_Z. rewrite <- residue_mul, <- residue_sub. apply residue_0, Z.mod_divide; [discriminate|exact swu_root_right].
Qed.

Lemma exceptional : exists r, r * r = curve' A' B' (B' / (- minus_Z * A')).
Proof.
  destruct exceptional_right as [X Y]. exists (residue exceptional_y). assert (N : - minus_Z * A' <> 0) by
    (apply mul_nz; [apply opposite_nz; exact minus_Z_nz|exact A'_nz]).
  apply Z.mod_divide, residue_0 in X, Y; [|discriminate..]. rewrite residue_sub in X, Y. apply (proj1 (sub_0 _ _)) in X, Y.
  assert (E : B' / (- minus_Z * A') = residue exceptional_x).
  { unfold B'. rewrite <- X, !residue_mul. replace (residue (- swu_z)) with (- minus_Z) by (apply fp_eq; vm_compute; reflexivity).
    fold A'. generalize (residue exceptional_x). intros x. revert N. generalize (- minus_Z * A'). intros d N. field. exact N. }
  rewrite E, <- residue_mul, Y, !residue_add, !residue_mul. reflexivity.
Qed.

Definition swu (u : Fp) : Fp * Fp := Swu.swu A' B' minus_Z (residue swu_root) Sqrt is_odd u.

(* RFC 9380, section 6.6.2: the point is on E'. Its x is the first of two candidates if the cubic has a root there, and
   otherwise the second. y has the parity of u. *)
Theorem swu_secp256k1 (u : Fp) : let '(x, y) := swu u in
  y * y = curve' A' B' x /\
  ((exists r, r * r = curve' A' B' (rfc_x1 A' B' minus_Z u)) /\ x = rfc_x1 A' B' minus_Z u \/
   ~ (exists r, r * r = curve' A' B' (rfc_x1 A' B' minus_Z u)) /\ x = rfc_x2 A' B' minus_Z u) /\
  (is_odd y = is_odd u \/ y = 0).
Proof.
  exact (swu_right A' B' minus_Z (residue swu_root) A'_nz minus_Z_nz root_minus_Z_right exceptional Sqrt is_odd Sqrt_secp256k1 parity u).
Qed.

(* internal/group/swu.go
func (p *Jacobian) MapToCurve(u *field.Element) {
	var x, y field.Element
	swu(&x, &y, u)
	p.setIsogenous(&x, &y)
}
*)
Definition MapToCurve (u : Fp) : Fp * Fp * Fp :=
  let '(x, y) := swu u in
  let '(X, Y, Z) := setIsogenous (value x) (value y) in
  (residue X, residue Y, residue Z).

Lemma finite_on_curve (X Y Z : Fp) : Z <> 0 -> Y * Y = X * X * X + b * (Z * Z * Z * Z * Z * Z) ->
  exists x y, jacobian Fp (X, Y, Z) = P Fp x y /\ on Fp b (P Fp x y).
Proof.
  intros N E. exists (X / (Z * Z)), (Y / (Z * Z * Z)). rewrite jacobian_finite by exact N. split; [reflexivity|]. unfold on.
  replace (Y / (Z * Z * Z) * (Y / (Z * Z * Z))) with (Y * Y / (Z * Z * Z * Z * Z * Z)) by (field; exact N). rewrite E. field. exact N.
Qed.

(* MapToCurve never returns infinity. *)
Theorem MapToCurve_on_curve (u : Fp) : exists x y, jacobian Fp (MapToCurve u) = P Fp x y /\ on Fp b (P Fp x y).
Proof.
  pose proof (swu_secp256k1 u) as S. unfold MapToCurve. destruct (swu u) as [x y]. destruct S as [S _].
  assert (D : (p | value y * value y - (value x * value x * value x + isogenous_A * value x + isogenous_B))%Z).
  { apply residue_0. rewrite residue_sub, !residue_add, !residue_mul, !residue_value. apply sub_0. exact S. }
  pose proof (isogeny_on_curve _ _ D) as C. pose proof (isogeny_finite _ _ D) as N. destruct (setIsogenous _ _) as [[X Y] Z].
  apply finite_on_curve.
  - intros E. apply N. apply residue_0. exact E.
  - apply residue_0 in C. rewrite residue_sub, residue_add, !residue_mul in C. apply (proj1 (sub_0 _ _)) in C. exact C.
Qed.

Definition integer (a : Fp) : Z := value a.

(* Encodings, for all limbs rep that represent an element, below p or not. *)
Section Encoded.
Variable rep : Fp -> Z.
Hypothesis rep_range : forall x, (0 <= rep x < 2 ^ 256)%Z.
Hypothesis rep_value : forall x, (rep x mod p = value x)%Z.

Let bytes := Encodings.bytes rep.
Let bytesUncompressed := Encodings.bytesUncompressed rep.
Let bytesX := Encodings.bytesX rep.
Let PointSetBytes := Encodings.PointSetBytes rep residue b Sqrt.
Let PointLiftX := Encodings.PointLiftX rep residue b Sqrt.

Lemma parity_here (a : Fp) : a <> 0 -> Z.odd (integer (- a)) = negb (Z.odd (integer a)).
Proof. exact (parity a). Qed.

Lemma integer_residue z : integer (residue z) = (z mod p)%Z.
Proof. reflexivity. Qed.

Theorem decoded_bytes (x y : Fp) : on Fp b (P Fp x y) ->
  PointSetBytes (bytes (x, y)) = inl (x, y) /\ PointSetBytes (bytesUncompressed (x, y)) = inl (x, y).
Proof.
  intros O. split.
  - exact (PointSetBytes_bytes integer rep residue rep_range rep_value residue_value parity_here b Sqrt Sqrt_secp256k1 no_order_2 x y O).
  - exact (PointSetBytes_bytesUncompressed integer rep residue rep_range rep_value residue_value b Sqrt x y O).
Qed.

Theorem decoded_only s (x y : Fp) : Forall is_byte s -> PointSetBytes s = inl (x, y) ->
  on Fp b (P Fp x y) /\ (s = bytes (x, y) \/ s = bytesUncompressed (x, y)).
Proof.
  exact (PointSetBytes_only integer rep residue rep_range rep_value residue_value integer_residue parity_here b Sqrt
    Sqrt_secp256k1 no_order_2 s x y).
Qed.

Theorem lift_x s (x y : Fp) : Forall is_byte s ->
  PointLiftX s = inl (x, y) <-> s = bytesX (x, y) /\ on Fp b (P Fp x y) /\ odd rep y = false.
Proof.
  exact (PointLiftX_right integer rep residue rep_range rep_value residue_value integer_residue parity_here b Sqrt
    Sqrt_secp256k1 no_order_2 s x y).
Qed.

Theorem lift_x_errors s : Forall is_byte s -> length s = 32%nat ->
  (PointLiftX s = inr ErrRange <-> (p <= number s)%Z) /\
  (PointLiftX s = inr ErrNotOnCurve <-> (number s < p)%Z /\ forall y, ~ on Fp b (P Fp (residue (number s)) y)).
Proof.
  exact (PointLiftX_errors integer rep residue rep_range rep_value parity_here b Sqrt Sqrt_secp256k1 no_order_2 s).
Qed.

Theorem lane_lift_x (x : Fp) : let '(y, ok) := lane_liftX rep b rootPower x in
  if ok then on Fp b (P Fp x y) /\ odd rep y = false else forall y', ~ on Fp b (P Fp x y').
Proof.
  exact (lane_liftX_right integer rep rep_range rep_value parity_here b rootPower rootPower_secp256k1 no_order_2 x).
Qed.
End Encoded.
