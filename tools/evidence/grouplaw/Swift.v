(* ElligatorSwift (BIP-324): all u and t decode to the point that the specification defines, and an encoding decodes to
   the point that was encoded. docs/ellswift.md has the statements E1 to E7. *)
Require Import ZArith Bool Base Law Constants.

(* The constants have the properties that the proof needs: beta is a root of x^2 + x + 1, and -(1 + 2 beta) is the
   square root of -3 that BIP-324 uses. *)
Lemma beta_right : (beta * beta + beta + 1) mod p = 0.
Proof. vm_compute. reflexivity. Qed.

Lemma root3_right : (- (1 + 2 * beta)) mod p = 0xa2d2ba93507f1df233770c2a797962cc61f6d15da14ecd47d8d27ae1cd5f852.
Proof. vm_compute. reflexivity. Qed.

Open Scope field_scope.

Section Swift.
Context {K : field}.
Add Field F : (laws K).
Implicit Types a c d e f g m n q r s t u v w x y : K.

(* The code needs a field with a cube root of 1 in which 3 is not 0. No point of the curve has y = 0. *)
Variables b beta : K.
Hypothesis beta_root : beta * beta = - beta - 1.
Hypothesis three_nz : 3 <> (0 : K).
(* 3 is not 0, in the form 1 + 2 that tactics produce. *)
Lemma three_nz' : 1 + 2 <> (0 : K).
Proof. replace (1 + 2) with (3 : K) by ring. exact three_nz. Qed.

Definition curve x := x * x * x + b.
Hypothesis curve_nz : forall x, curve x <> 0.

(* Square roots, with the properties that Roots.v proves, and parities. IsSquareVartime computes a Jacobi symbol, which
   has no model. This file assumes that IsSquareVartime reports whether there is a root. *)
Variables (Sqrt InvertSqrt : K -> K * bool) (IsSquareVartime odd : K -> bool).
Hypothesis Sqrt_right : forall a, let '(v, isSquare) := Sqrt a in
  if isSquare then v * v = a else v * v = - a /\ forall r, r * r <> a.
Hypothesis InvertSqrt_right : forall a, let '(v, isSquare) := InvertSqrt a in
  if isSquare then v * v * a = 1 else (a = 0 /\ v = 0) \/ v * v * a = - (1) /\ forall r, r * r <> a.
Hypothesis IsSquareVartime_right : forall a, IsSquareVartime a = true <-> exists r, r * r = a.
Hypothesis parity : forall a, a <> 0 -> odd (- a) = negb (odd a).

Lemma opp_nz a : a <> 0 -> - a <> 0.
Proof. intros N E. apply N. replace a with (- - a) by ring. rewrite E. ring. Qed.

Ltac nonzero := repeat split; repeat first [assumption | apply two_nz | apply one_nz | apply opp_nz | apply mul_nz].

Definition square a := exists r, r * r = a.

Lemma not_square a : IsSquareVartime a = false <-> ~ square a.
Proof.
  unfold square. rewrite <- IsSquareVartime_right. destruct (IsSquareVartime a); split; congruence.
Qed.

Lemma square_times r a : r <> 0 -> square (r * r * a) <-> square a.
Proof.
  intros N. split; intros [v V].
  - exists (v / r). replace (v / r * (v / r)) with (v * v / (r * r)) by (field; exact N). rewrite V. field. exact N.
  - exists (r * v). rewrite <- V. ring.
Qed.

Lemma is_square a : IsSquareVartime a = true <-> square a.
Proof. exact (IsSquareVartime_right a). Qed.

(* The product of two elements without square roots has a square root, because the negatives of both elements have
   square roots. *)
Lemma square_product a c : ~ square a -> ~ square c -> square (a * c).
Proof.
  intros Na Nc. pose proof (Sqrt_right a) as Ha. pose proof (Sqrt_right c) as Hc.
  destruct (Sqrt a) as [v [|]]; [exfalso; apply Na; exists v; exact Ha|].
  destruct (Sqrt c) as [w [|]]; [exfalso; apply Nc; exists w; exact Hc|]. destruct Ha as [Ha _], Hc as [Hc _].
  exists (v * w). replace (v * w * (v * w)) with ((v * v) * (w * w)) by ring. rewrite Ha, Hc. ring.
Qed.

(* E1. *)
Theorem E1 u x1 x2 : let q := u * u + u * x1 + x1 * x1 in let x3 := u - curve u / q in x1 + x2 + u = 0 -> q <> 0 ->
  curve x1 * curve x2 * curve x3 = (curve x1 * curve x2 / q) * (curve x1 * curve x2 / q) * (x3 - u).
Proof.
  cbv zeta. intros S N. assert (E : x2 = - u - x1). { replace x2 with (x1 + x2 + u - u - x1) by ring. rewrite S. ring. }
  rewrite E. unfold curve. field. exact N.
Qed.

Definition root3 := 1 + 2 * beta.

Lemma root3_square : root3 * root3 = - (3).
Proof. unfold root3. ring [beta_root]. Qed.

Lemma root3_nz : root3 <> 0.
Proof. intros E. apply three_nz. replace 3 with (- - (3) : K) by ring. rewrite <- root3_square, E. ring. Qed.

(* internal/group/elligatorswift.go
func (x *ratio) complete() {
	x.c.Square(&x.d).Mul(&x.c, &x.d).Mul(&x.c, &b)
	x.w.Square(&x.n).Mul(&x.w, &x.n)
	x.c.Add(&x.c, &x.w)
	x.w.Mul(&x.c, &x.d)
}
*)
Definition complete n d : K * K * K * K :=
  let c := d * d * d * b in
  let w := n * n * n in
  let c := c + w in
  let w := c * d in
  (n, d, c, w).

(* The w of complete is a square if and only if n/d is the x coordinate of a point. *)
Lemma complete_w n d : d <> 0 -> let '(_, _, c, w) := complete n d in
  w = d * d * (d * d) * curve (n / d) /\ c = d * d * d * curve (n / d).
Proof. intros N. unfold complete, curve. split; field; exact N. Qed.

Lemma complete_square n d : d <> 0 -> let '(_, _, _, w) := complete n d in square w <-> square (curve (n / d)).
Proof.
  intros N. pose proof (complete_w n d N) as C. unfold complete in *. destruct C as [-> _]. apply square_times. nz.
Qed.

(* internal/group/elligatorswift.go
func (x *ratio) setSwiftVartime(u, t *field.Element) {
	var v, s, g, sum, m field.Element
	v.Set(u)
	if v.IsZeroVartime() {
		v.SetUint64(1)
	}
	s.Square(t)
	if s.IsZeroVartime() {
		s.SetUint64(1)
	}
	m.Square(&v)
	g.Mul(&m, &v).Add(&g, &b)
	sum.Add(&g, &s)
	if sum.IsZeroVartime() {
		s.Add(&s, &s).Add(&s, &s)
		sum.Add(&g, &s)
	}

	m.Mul(&m, &s)
	x.d.Add(&m, &m).Add(&x.d, &m) // 3su²
	x.n.Mul(&x.d, &v).Sub(&x.n, m.Square(&sum))
	x.complete()
	if x.w.IsSquareVartime() {
		return
	}
	x.d.Set(&sum)
	g.Sub(&g, &s)
	x.n.Mul(&g, &Beta).Sub(&x.n, &s).Mul(&x.n, &v) // u·(βg + β²s)
	x.complete()
	if x.w.IsSquareVartime() {
		return
	}
	m.Mul(&v, &sum)
	x.n.Add(&x.n, &m).Negate(&x.n)
	x.complete()
}
*)
Definition inputs u t : K * K * K * K :=
  let v := if dec u 0 then 1 else u in
  let s := t * t in
  let s := if dec s 0 then 1 else s in
  let m := v * v in
  let g := m * v + b in
  let sum := g + s in
  if dec sum 0 then let s := s + s in let s := s + s in (v, s, g, g + s) else (v, s, g, sum).
Definition setSwiftVartime u t : K * K * K * K :=
  let '(v, s, g, sum) := inputs u t in
  let m := v * v * s in
  let d := m + m + m in
  let n := d * v - sum * sum in
  let '(n, d, c, w) := complete n d in
  if IsSquareVartime w then (n, d, c, w) else
  let d := sum in
  let g := g - s in
  let n := (g * beta - s) * v in
  let '(n, d, c, w) := complete n d in
  if IsSquareVartime w then (n, d, c, w) else
  let m := v * sum in
  let n := - (n + m) in
  complete n d.

(* XSwiftEC of BIP-324, with the square root of -3 that BIP-324 uses. *)
Definition replacement u t : K * K :=
  let u := if dec u 0 then 1 else u in
  let t := if dec t 0 then 1 else t in
  if dec (u * u * u + t * t + b) 0 then (u, 2 * t) else (u, t).
Definition XSwiftEC u t : option K :=
  let '(u, t) := replacement u t in
  let X := (u * u * u + b - t * t) / (2 * t) in
  let Y := (X + t) / (- root3 * u) in
  let first x (rest : option K) := if IsSquareVartime (x * x * x + b) then Some x else rest in
  first (u + 2 * 2 * (Y * Y)) (first ((- X / Y - u) / 2) (first ((X / Y - u) / 2) None)).

(* The three candidates for the x coordinate, for given u and t that are not 0. *)
Section Candidates.
Variables u t : K.
Hypothesis Nu : u <> 0.
Hypothesis Nt : t <> 0.
Let g := curve u.
Let s := t * t.
Let sum := g + s.
Hypothesis Ns : sum <> 0.
Let d3 := u * u * s + u * u * s + u * u * s.
Let x3 := (d3 * u - sum * sum) / d3.
Let x2 := ((g - s) * beta - s) * u / sum.
Let x1 := - (((g - s) * beta - s) * u + u * sum) / sum.

Lemma d3_nz : d3 <> 0.
Proof. replace d3 with (3 * (u * u * s)) by (unfold d3; ring). unfold s. nz. Qed.

Lemma candidates_product : exists r, r <> 0 /\ r * r = curve x1 * curve x2 * curve x3.
Proof.
  pose proof three_nz'. assert (Ng : g <> 0) by apply curve_nz.
  assert (Nss : s <> 0) by (unfold s; nz).
  assert (Q : u * u + u * x2 + x2 * x2 = 3 * g * s * (u * u) / (sum * sum)).
  { unfold x2, sum. field [beta_root]. exact Ns. }
  assert (X3 : x3 = u - g / (u * u + u * x2 + x2 * x2)).
  { rewrite Q. unfold x3; replace d3 with (3 * (u * u * s)) by (unfold d3; ring); field; nz. }
  assert (NQ : u * u + u * x2 + x2 * x2 <> 0).
  { rewrite Q. intros E. apply (mul_nz (3 * g * s * (u * u)) (1 / (sum * sum))).
    - nz.
    - intros E1. apply (@one_nz K). replace 1 with (1 / (sum * sum) * (sum * sum)) by (field; exact Ns). rewrite E1. ring.
    - rewrite <- E. field. exact Ns. }
  pose proof (E1 u x2 x1) as E. cbv zeta in E. fold g in E. rewrite <- X3 in E.
  assert (S : x2 + x1 + u = 0) by (unfold x1, x2; field; exact Ns). specialize (E S NQ).
  set (q := u * u + u * x2 + x2 * x2) in *. set (f := curve x2 * curve x1) in *.
  exists (f / q * (sum / (root3 * t * u))). pose proof root3_nz as Nr. split.
  - intros E0. apply (mul_nz f sum); [unfold f; apply mul_nz; apply curve_nz|exact Ns|].
    replace (f * sum) with (f / q * (sum / (root3 * t * u)) * (q * (root3 * t * u))) by (field; nz). rewrite E0. ring.
  - transitivity (f * curve x3); [|unfold f; ring]. rewrite E.
    assert (E3 : 3 = - (root3 * root3)) by (rewrite root3_square; ring).
    replace (x3 - u) with (sum * sum / (root3 * root3 * (t * t) * (u * u))) by
      (unfold x3; replace d3 with (3 * (u * u * s)) by (unfold d3; ring); rewrite E3; fold s; field; nonzero).
    field. nz.
Qed.

(* After the exceptional u and t are replaced, the code tries the third, the second and the first. *)
Definition tried : K * K * K * K :=
  let '(n, d, c, w) := complete (d3 * u - sum * sum) d3 in
  if IsSquareVartime w then (n, d, c, w) else
  let '(n, d, c, w) := complete (((g - s) * beta - s) * u) sum in
  if IsSquareVartime w then (n, d, c, w) else
  complete (- (((g - s) * beta - s) * u + u * sum)) sum.

Lemma IsSquare_complete n d : d <> 0 -> let '(_, _, _, w) := complete n d in
  IsSquareVartime w = IsSquareVartime (curve (n / d)).
Proof.
  intros N. pose proof (complete_square n d N) as Q. unfold complete in *. rewrite <- !is_square in Q.
  destruct (IsSquareVartime _), (IsSquareVartime (curve _)); tauto || (symmetry; tauto).
Qed.

Lemma tried_right : exists n d,
  tried = complete n d /\ d <> 0 /\ square (curve (n / d)) /\
  n / d = if IsSquareVartime (curve x3) then x3 else if IsSquareVartime (curve x2) then x2 else x1.
Proof.
  unfold tried. pose proof (IsSquare_complete (d3 * u - sum * sum) d3 d3_nz) as H3.
  pose proof (IsSquare_complete (((g - s) * beta - s) * u) sum Ns) as H2.
  destruct candidates_product as (r & Nr & R).
  fold x3 in H3. fold x2 in H2.
  destruct (IsSquareVartime (curve x3)) eqn:S3; [|destruct (IsSquareVartime (curve x2)) eqn:S2].
  - exists (d3 * u - sum * sum), d3. unfold complete in *. rewrite H3. split; [reflexivity|]. split; [exact d3_nz|].
    split; [apply is_square; exact S3|reflexivity].
  - exists (((g - s) * beta - s) * u), sum. unfold complete in *. rewrite H3, H2. split; [reflexivity|]. split; [exact Ns|].
    split; [apply is_square; exact S2|reflexivity].
  - exists (- (((g - s) * beta - s) * u + u * sum)), sum. unfold complete in *. rewrite H3, H2. split; [reflexivity|].
    split; [exact Ns|]. split; [|reflexivity]. fold x1. apply not_square in S2, S3.
    destruct (square_product _ _ S2 S3) as [v V]. assert (Nv : v <> 0).
    { intros E. apply (mul_nz (curve x2) (curve x3)); [apply curve_nz..|]. rewrite <- V, E. ring. }
    exists (r / v). replace (r / v * (r / v)) with (r * r / (v * v)) by (field; exact Nv). rewrite R, V. field.
    split; apply curve_nz.
Qed.
End Candidates.

Lemma XSwiftEC_candidates u t : u <> 0 -> t <> 0 -> curve u + t * t <> 0 ->
  let g := curve u in let s := t * t in let sum := g + s in let d3 := u * u * s + u * u * s + u * u * s in
  let X := (g - s) / (2 * t) in let Y := (X + t) / (- root3 * u) in
  u + 2 * 2 * (Y * Y) = (d3 * u - sum * sum) / d3 /\
  (- X / Y - u) / 2 = ((g - s) * beta - s) * u / sum /\
  (X / Y - u) / 2 = - (((g - s) * beta - s) * u + u * sum) / sum.
Proof.
  intros Nu Nt Ns. cbv zeta. set (g := curve u) in *. pose proof root3_nz as Nr. pose proof two_nz K as N2. pose proof three_nz'.
  assert (EY : ((g - t * t) / (2 * t) + t) / (- root3 * u) = - ((g + t * t) / (2 * t * root3 * u))) by (field; nonzero).
  rewrite EY. repeat split.
  - assert (E3 : 3 = - (root3 * root3)) by (rewrite root3_square; ring).
    replace (u * u * (t * t) + u * u * (t * t) + u * u * (t * t)) with (3 * (u * u * (t * t))) by ring. rewrite E3. field. nonzero.
  - transitivity (((g - t * t) * root3 - (g + t * t)) * u / (2 * (g + t * t))); [field; nonzero|]. unfold root3. field. nonzero.
  - transitivity ((- (g - t * t) * root3 - (g + t * t)) * u / (2 * (g + t * t))); [field; nonzero|]. unfold root3. field. nonzero.
Qed.

Lemma replaced u t : let '(v, r) := replacement u t in
  v <> 0 /\ r <> 0 /\ curve v + r * r <> 0 /\ inputs u t = (v, r * r, curve v, curve v + r * r).
Proof.
  unfold replacement, inputs. cbv zeta. set (v := if dec u 0 then 1 else u). set (t1 := if dec t 0 then 1 else t).
  assert (Nv : v <> 0) by (unfold v; destruct (dec u 0); [apply one_nz|assumption]).
  assert (Nt : t1 <> 0) by (unfold t1; destruct (dec t 0); [apply one_nz|assumption]).
  assert (Es : (if dec (t * t) 0 then 1 else t * t) = t1 * t1).
  { unfold t1. destruct (dec t 0) as [->|N], (dec (_ * _) 0) as [E|N']; try reflexivity; try ring.
    - exfalso. apply N'. ring.
    - exfalso. apply N. apply square_0. exact E. }
  rewrite Es. fold (curve v). replace (v * v * v + t1 * t1 + b) with (curve v + t1 * t1) by (unfold curve; ring).
  clearbody v t1. destruct (dec (curve v + t1 * t1) 0) as [E|N].
  - assert (N4 : curve v + 2 * t1 * (2 * t1) = 3 * (t1 * t1)).
    { replace (curve v) with (curve v + t1 * t1 - t1 * t1) by ring. rewrite E. ring. }
    replace (t1 * t1 + t1 * t1 + (t1 * t1 + t1 * t1)) with (2 * t1 * (2 * t1)) by ring.
    repeat split; [exact Nv|nz|rewrite N4; nz].
  - repeat split; assumption.
Qed.

Lemma replacement_none u t : u <> 0 -> t <> 0 -> curve u + t * t <> 0 -> replacement u t = (u, t).
Proof.
  intros Nu Nt N. unfold replacement. destruct (dec u 0); [contradiction|]. destruct (dec t 0); [contradiction|]. cbv zeta.
  replace (u * u * u + t * t + b) with (curve u + t * t) by (unfold curve; ring). destruct (dec _ 0); [contradiction|reflexivity].
Qed.

(* E1 and E2: all u and t lead to the x coordinate of a point, and this x coordinate is XSwiftEC of BIP-324. *)
Theorem decoded_is_XSwiftEC u t : exists n d,
  setSwiftVartime u t = complete n d /\ d <> 0 /\ square (curve (n / d)) /\ XSwiftEC u t = Some (n / d).
Proof.
  pose proof (replaced u t) as R. unfold setSwiftVartime, XSwiftEC. destruct (replacement u t) as [v r].
  destruct R as (Nv & Nr & Ns & ->). destruct (tried_right v r Nv Nr Ns) as (n & d & T & Nd & S & E). exists n, d.
  destruct (XSwiftEC_candidates v r Nv Nr Ns) as (E3 & E2 & E1').
  split; [exact T|split; [exact Nd|split; [exact S|]]].
  cbv zeta. fold (curve v). rewrite E3, E2, E1'. apply is_square in S. clear - E S. revert E S.
  set (c3 := _ / (_ + _ + _)). set (c2 := _ * v / _). set (c1 := - _ / _). generalize c1, c2, c3. clear. intros c1 c2 c3 E S.
  fold (curve c1) (curve c2) (curve c3). rewrite E in *. destruct (IsSquareVartime (curve c3)); [reflexivity|].
  destruct (IsSquareVartime (curve c2)); [reflexivity|]. rewrite S. reflexivity.
Qed.

Definition CondNegate (negate : bool) a := if negate then - a else a.

Lemma CondNegate_parity a t : a <> 0 -> odd (CondNegate (xorb (odd a) (odd t)) a) = odd t.
Proof. intros N. unfold CondNegate. destruct (odd a) eqn:E, (odd t); cbn [xorb]; rewrite ?parity, ?E by exact N; reflexivity. Qed.

Lemma CondNegate_square (e : bool) a : CondNegate e a * CondNegate e a = a * a.
Proof. destruct e; cbn [CondNegate]; ring. Qed.

Lemma odd_unique x y : x <> 0 -> x * x = y * y -> odd x = odd y -> x = y.
Proof.
  intros N E O. destruct (roots _ _ E) as [H|H]; [exact H|]. exfalso. assert (Ny : y <> 0) by (intros E0; apply N; rewrite H, E0; ring).
  rewrite H, parity in O by exact Ny. destruct (odd y); discriminate O.
Qed.

(* internal/group/elligatorswift.go
func (x *ratio) lift(p *Affine) {
	var root, inverse field.Element
	root.InvertSqrt(&x.w)
	inverse.Square(&root).Mul(&inverse, &x.c)
	p.X.Mul(&x.n, &inverse)
	p.Y.Square(&inverse).Mul(&p.Y, &x.w).Mul(&p.Y, &root)
}
*)
Definition lift (x : K * K * K * K) : K * K :=
  let '(n, d, c, w) := x in
  let root := fst (InvertSqrt w) in
  let inverse := root * root * c in
  (n * inverse, inverse * inverse * w * root).

(* internal/group/elligatorswift.go
func (p *Affine) SetElligatorSwiftVartime(u, t *field.Element) {
	var x ratio
	x.setSwiftVartime(u, t)
	x.lift(p)
	p.Y.CondNegate(&p.Y, p.Y.IsOdd()^t.IsOdd())
}
*)
Definition SetElligatorSwiftVartime u t : K * K :=
  let '(x, y) := lift (setSwiftVartime u t) in
  (x, CondNegate (xorb (odd y) (odd t)) y).

(* E6. *)
Theorem E6 n d : d <> 0 -> square (curve (n / d)) ->
  let '(x, y) := lift (complete n d) in x = n / d /\ y * y = curve x.
Proof.
  intros N S. pose proof (complete_square n d N) as Q. pose proof (complete_w n d N) as W. unfold lift.
  destruct (complete n d) as [[[n' d'] c] w] eqn:C. assert (En : n' = n) by (unfold complete in C; congruence). rewrite En.
  apply Q in S. destruct W as [W1 W2]. pose proof (curve_nz (n / d)) as Ny. pose proof (InvertSqrt_right w) as R.
  destruct (InvertSqrt w) as [root [|]].
  - cbn [fst]. assert (E : root * root * c = 1 / d).
    { apply (cancel _ _ (d * c)); [rewrite W2; nz|]. transitivity (root * root * w * c).
      - rewrite W1, W2. ring.
      - rewrite R. field. exact N. }
    assert (X : n * (root * root * c) = n / d) by (rewrite E; field; exact N). split; [exact X|]. rewrite X, E.
    transitivity (root * root * w * w * (1 / (d * d * (d * d)))); [field; exact N|]. rewrite R, W1. field. exact N.
  - exfalso. destruct S as [v V]. destruct R as [[R _]|[_ R]]; [|exact (R v V)]. revert R. rewrite W1. nz.
Qed.

(* All u and t decode to a point of the curve. Its x coordinate is XSwiftEC of BIP-324, and its y coordinate has the
   parity of t. *)
Theorem SetElligatorSwift_right u t : let '(x, y) := SetElligatorSwiftVartime u t in
  on K b (P K x y) /\ XSwiftEC u t = Some x /\ odd y = odd t.
Proof.
  unfold SetElligatorSwiftVartime. destruct (decoded_is_XSwiftEC u t) as (n & d & -> & N & S & ->).
  pose proof (E6 n d N S) as L. destruct (lift _) as [x y]. destruct L as [-> L]. unfold on. fold (curve (n / d)). split; [|split].
  - rewrite CondNegate_square. exact L.
  - reflexivity.
  - apply CondNegate_parity. intros E. apply (curve_nz (n / d)). rewrite <- L, E. ring.
Qed.

(* internal/group/elligatorswift.go
func (p *Affine) SetElligatorSwiftIsomorphicVartime(w, u, t *field.Element) {
	var x ratio
	x.setSwiftVartime(u, t)
	p.X.Mul(&x.n, &x.c)
	p.Y.Square(&x.c)
	w.Set(&x.w)
}
*)
Definition SetElligatorSwiftIsomorphicVartime u t : K * K * K :=
  let '(n, d, c, w) := setSwiftVartime u t in
  (n * c, c * c, w).

(* E7, where z is a square root of w. *)
Theorem E7 u t : let '(X, Y, w) := SetElligatorSwiftIsomorphicVartime u t in
  on K (b * (w * w * w)) (P K X Y) /\
  exists x y z, on K b (P K x y) /\ XSwiftEC u t = Some x /\ z <> 0 /\ z * z = w /\ P K X Y = image K z (P K x y).
Proof.
  unfold SetElligatorSwiftIsomorphicVartime. destruct (decoded_is_XSwiftEC u t) as (n & d & -> & N & S & ->).
  pose proof (complete_square n d N) as Q. pose proof (complete_w n d N) as W. pose proof (curve_nz (n / d)) as Ny.
  destruct (complete n d) as [[[n' d'] c] w] eqn:C. apply Q in S. destruct S as [z Z]. destruct W as [W1 W2].
  assert (En : n' = n) by (unfold complete in C; congruence). rewrite En. clear C Q En.
  assert (Nz : z <> 0). { intros E. apply (mul_nz (d * d * (d * d)) (curve (n / d))); [nz|exact Ny|]. rewrite <- W1, <- Z, E. ring. }
  assert (X : n * c = n / d * (z * z)) by (rewrite Z, W1, W2; field; exact N).
  assert (Y : exists y, y * y = curve (n / d) /\ c * c = y * (z * z * z)).
  { exists (z / (d * d)). split.
    - replace (z / (d * d) * (z / (d * d))) with (z * z / (d * d * (d * d))) by (field; exact N). rewrite Z, W1. field. exact N.
    - replace (z / (d * d) * (z * z * z)) with (z * z * (z * z) / (d * d)) by (field; exact N). rewrite Z, W1, W2. field. exact N. }
  destruct Y as (y & Y1 & Y2). split.
  - unfold on. rewrite X, Y2, <- Z. replace (y * (z * z * z) * (y * (z * z * z))) with (y * y * (z * z * z * (z * z * z))) by ring.
    rewrite Y1. unfold curve. ring.
  - exists (n / d), y, z. cbn [image]. rewrite X, Y2. repeat split; assumption.
Qed.

(* internal/group/elligatorswift.go
func (p *Affine) ElligatorSwiftVartime(u, t, r *field.Element, way int) bool {
	var g, root, v field.Element
	if way == ElligatorSwiftThird {
		// E4: x = u + w², for w = r.
		v.Square(r)
		u.Sub(&p.X, &v)
		g.Square(u)
		v.Mul(&v, &g)
		g.Mul(&g, u).Add(&g, &b)
		g.Add(&g, &g).Add(&g, &g)
		g.Add(&g, &v).Add(&g, &v).Add(&g, &v) // 4(u³ + 7) + 3u²w²
		isSquare := root.Sqrt(g.Negate(&g)) != 0
		if !isSquare || u.IsZeroVartime() || r.IsZeroVartime() || (root.IsZeroVartime() && r.IsOdd() != 0) {
			return false
		}
		t.Mul(u, r).Mul(t, &rootMinus3).Add(t, &root).Half(t)
	} else {
		// E3: of the first two candidates, one is x and the other is −u − x.
		var other, q field.Element
		other.Add(r, &p.X).Negate(&other)
		v.Square(&other)
		q.Mul(r, &p.X)
		q.Sub(&v, &q) // u² + ux + x²
		v.Mul(&v, &other).Add(&v, &b)
		if v.IsSquareVartime() || r.IsZeroVartime() {
			return false
		}
		u.Set(r)
		g.Square(u).Mul(&g, u).Add(&g, &b).Negate(&g)
		if root.InvertSqrt(v.Mul(&g, &q)) == 0 {
			return false
		}
		root.Mul(&root, &g) // root is now w, because w² = −(u³ + 7)/q
		t.Mul(u, &Beta)
		if way == ElligatorSwiftFirst {
			t.Add(t, u).Add(t, &p.X)
		} else {
			t.Sub(&p.X, t)
		}
		t.Mul(t, &root)
	}
	t.CondNegate(t, t.IsOdd()^p.Y.IsOdd())
	return true
}
*)
Inductive way := First | Second | Third.
Definition is_zero a := if dec a 0 then true else false.
Definition ElligatorSwiftVartime (p : K * K) r (chosen : way) : option (K * K) :=
  let '(x, y) := p in
  let found u t := Some (u, CondNegate (xorb (odd t) (odd y)) t) in
  match chosen with
  | Third =>
      let v := r * r in
      let u := x - v in
      let g := u * u in
      let v := v * g in
      let g := g * u + b in
      let g := g + g in
      let g := g + g in
      let g := g + v + v + v in
      let '(root, isSquare) := Sqrt (- g) in
      if negb isSquare || is_zero u || is_zero r || is_zero root && odd r then None else
      found u ((u * r * root3 + root) / 2)
  | _ =>
      let other := - (r + x) in
      let v := other * other in
      let q := r * x in
      let q := v - q in
      let v := v * other + b in
      if IsSquareVartime v || is_zero r then None else
      let u := r in
      let g := - (u * u * u + b) in
      let '(root, isSquare) := InvertSqrt (g * q) in
      if negb isSquare then None else
      let root := root * g in
      let t := u * beta in
      let t := match chosen with First => t + u + x | _ => x - t end in
      found u (t * root)
  end.

(* The x coordinate to which u and t decode, if they need no replacement. *)
Lemma XSwiftEC_first u t : u <> 0 -> t <> 0 -> curve u + t * t <> 0 ->
  let g := curve u in let s := t * t in let sum := g + s in let d3 := u * u * s + u * u * s + u * u * s in
  let x3 := (d3 * u - sum * sum) / d3 in
  let x2 := ((g - s) * beta - s) * u / sum in
  let x1 := - (((g - s) * beta - s) * u + u * sum) / sum in
  XSwiftEC u t = Some (if IsSquareVartime (curve x3) then x3 else if IsSquareVartime (curve x2) then x2 else x1).
Proof.
  intros Nu Nt N. cbv zeta. destruct (decoded_is_XSwiftEC u t) as (n & d & T & Nd & S & ->).
  destruct (tried_right u t Nu Nt N) as (n' & d' & T' & Nd' & S' & <-).
  pose proof (replaced u t) as R. rewrite replacement_none in R by assumption. destruct R as (_ & _ & _ & R).
  unfold setSwiftVartime in T. rewrite R in T. assert (E : complete n d = complete n' d') by (rewrite <- T; exact T').
  unfold complete in E. injection E as -> -> _ _. reflexivity.
Qed.

Lemma third_invalid r a c d : r * r = curve a * curve c * curve d -> square (curve a) -> ~ square (curve c) -> ~ square (curve d).
Proof.
  intros R [m M] N [v V]. apply N. pose proof (curve_nz a). pose proof (curve_nz d).
  assert (Nm : m <> 0) by (intros E; apply (curve_nz a); rewrite <- M, E; ring).
  assert (Nv : v <> 0) by (intros E; apply (curve_nz d); rewrite <- V, E; ring).
  exists (r / (m * v)). replace (r / (m * v) * (r / (m * v))) with (r * r / (m * m * (v * v))) by (field; nz).
  rewrite R, M, V. field. nz.
Qed.

Lemma quotient a c d : d <> 0 -> a = c * d -> a / d = c.
Proof. intros N ->. field. exact N. Qed.

(* E3 and E4: an encoding that the code finds decodes to the point. *)
Lemma decodes x y u t (negate : bool) : on K b (P K x y) -> u <> 0 -> t <> 0 -> XSwiftEC u (CondNegate negate t) = Some x ->
  odd (CondNegate negate t) = odd y -> SetElligatorSwiftVartime u (CondNegate negate t) = (x, y).
Proof.
  intros E Nu Nt X O. pose proof (SetElligatorSwift_right u (CondNegate negate t)) as D. destruct (SetElligatorSwiftVartime _ _) as [x' y'].
  destruct D as (D1 & D2 & D3). assert (Ex : x' = x) by congruence. rewrite Ex in *. f_equal. unfold on in *. rewrite O in D3.
  assert (Ny : y <> 0). { intros E0. apply (curve_nz x). unfold curve. rewrite <- E, E0. ring. }
  apply odd_unique; [|congruence|exact D3]. intros E0. apply Ny. apply square_0. rewrite E, <- D1, E0. ring.
Qed.

Theorem ElligatorSwift_right x y r chosen u t : on K b (P K x y) -> ElligatorSwiftVartime (x, y) r chosen = Some (u, t) ->
  u <> 0 /\ t <> 0 /\ u * u * u + t * t + b <> 0 /\ SetElligatorSwiftVartime u t = (x, y).
Proof.
  intros E. pose proof root3_nz as Nr. pose proof (two_nz K) as N2.
  (* it is enough to consider t0, the t before its sign is chosen *)
  assert (Enough : forall u0 t0, u0 <> 0 -> t0 <> 0 -> curve u0 + t0 * t0 <> 0 ->
    (forall t1, t1 <> 0 -> t1 * t1 = t0 * t0 -> XSwiftEC u0 t1 = Some x) ->
    Some (u0, CondNegate (xorb (odd t0) (odd y)) t0) = Some (u, t) ->
    u <> 0 /\ t <> 0 /\ u * u * u + t * t + b <> 0 /\ SetElligatorSwiftVartime u t = (x, y)).
  { intros u0 t0 Nu Nt Ns X I. injection I as <- <-. set (t1 := CondNegate _ t0).
    assert (S1 : t1 * t1 = t0 * t0) by apply CondNegate_square.
    assert (N1 : t1 <> 0). { intros E0. apply Nt. apply square_0. rewrite <- S1, E0. ring. }
    split; [exact Nu|split; [exact N1|split]].
    - replace (_ + _ + b) with (curve u0 + t1 * t1) by (unfold curve; ring). rewrite S1. exact Ns.
    - apply decodes; [exact E|exact Nu|exact Nt|apply X; assumption|apply CondNegate_parity; exact Nt]. }
  assert (Sx : square (curve x)) by (exists y; exact E).
  (* the first and the second candidate: A B is q, and w^2 q is -g *)
  assert (Pair : forall u0 w A B, u0 <> 0 -> A * B <> 0 -> w * w * (A * B) = - curve u0 -> B - A = root3 * u0 \/ A - B = root3 * u0 ->
    w * A <> 0 /\ w * A * (w * A) * B = - curve u0 * A /\ curve u0 + w * A * (w * A) <> 0).
  { intros u0 w A B Nu Nq W D. pose proof (factor_l _ _ Nq). pose proof (factor_r _ _ Nq). pose proof (curve_nz u0).
    assert (Nw : w <> 0). { intros E0. apply (curve_nz u0). replace (curve u0) with (- - curve u0) by ring. rewrite <- W, E0. ring. }
    assert (S : w * A * (w * A) = - curve u0 * A / B). { rewrite <- W. field. assumption. }
    assert (S' : curve u0 + w * A * (w * A) = curve u0 * (B - A) / B) by (rewrite S; field; assumption).
    split; [nz|split; [rewrite <- W; ring|]]. rewrite S'. intros E0. apply (mul_nz (curve u0) (B - A)); [assumption| |].
    - destruct D as [-> | D]; [nz|]. replace (B - A) with (- (A - B)) by ring. rewrite D. nonzero.
    - replace (curve u0 * (B - A)) with (curve u0 * (B - A) / B * B) by (field; assumption). rewrite E0. ring. }
  unfold ElligatorSwiftVartime. destruct chosen.
  3: {
    cbv zeta. set (u0 := x - r * r). set (g := u0 * u0 * u0 + b).
    pose proof (Sqrt_right (- (g + g + (g + g) + r * r * (u0 * u0) + r * r * (u0 * u0) + r * r * (u0 * u0)))) as R.
    destruct (Sqrt _) as [root [|]]; [|discriminate]. unfold is_zero. cbn [negb orb]. destruct (dec u0 0) as [|Nu]; [discriminate|].
    destruct (dec r 0) as [|Nw]; [discriminate|]. cbn [orb]. destruct (_ && _); [discriminate|].
    set (t0 := (u0 * r * root3 + root) / 2). assert (Er : root = 2 * t0 - u0 * r * root3) by (unfold t0; field; exact N2).
    assert (S : curve u0 + t0 * t0 = t0 * root3 * u0 * r).
    { fold g. unfold curve. fold g. apply (cancel _ _ (2 * 2)); [nz|]. rewrite Er in R.
      transitivity ((2 * t0 - u0 * r * root3) * (2 * t0 - u0 * r * root3) + (g + g + (g + g)) -
        u0 * r * (u0 * r) * (root3 * root3) + t0 * root3 * u0 * r * (2 * 2)); [ring|].
      rewrite R, root3_square. ring. }
    assert (Nt : t0 <> 0).
    { intros E0. apply (curve_nz u0). replace (curve u0) with (curve u0 + t0 * t0 - t0 * t0) by ring. rewrite S, E0. ring. }
    assert (Ns : curve u0 + t0 * t0 <> 0) by (rewrite S; nz).
    apply Enough; [exact Nu|exact Nt|exact Ns|]. intros t1 N1 S1. rewrite XSwiftEC_first by (rewrite ?S1; assumption). cbv zeta. rewrite S1.
    set (s := t0 * t0) in *. assert (Nss : s <> 0) by (unfold s; nz).
    assert (X3 : ((u0 * u0 * s + u0 * u0 * s + u0 * u0 * s) * u0 - (curve u0 + s) * (curve u0 + s)) /
      (u0 * u0 * s + u0 * u0 * s + u0 * u0 * s) = x).
    { rewrite S. replace (u0 * u0 * s + u0 * u0 * s + u0 * u0 * s) with (- (root3 * root3) * (u0 * u0 * s)) by
        (rewrite root3_square; ring).
      transitivity (u0 + r * r); [unfold s; field; nonzero|unfold u0; ring]. }
    rewrite X3. apply is_square in Sx. rewrite Sx. reflexivity. }
  all: cbv zeta; set (other := - (r + x)); fold (curve other); destruct (IsSquareVartime (curve other)) eqn:So; [discriminate|];
    unfold is_zero; destruct (dec r 0) as [|Nu]; [discriminate|]; cbn [orb]; set (q := other * other - r * x);
    fold (curve r); pose proof (InvertSqrt_right (- curve r * q)) as R; destruct (InvertSqrt _) as [root [|]]; [|discriminate];
    cbn [negb]; set (w := root * - curve r); apply not_square in So.
  all: assert (EQ : (x - r * beta) * (r * beta + r + x) = q) by (unfold q, other; ring [beta_root]).
  all: assert (Nq : (x - r * beta) * (r * beta + r + x) <> 0) by
    (rewrite EQ; intros E0; apply (@one_nz K); rewrite <- R, E0; ring).
  all: assert (W : w * w * ((x - r * beta) * (r * beta + r + x)) = - curve r) by
    (rewrite EQ; transitivity (root * root * (- curve r * q) * - curve r); [unfold w; ring|rewrite R; ring]).
  all: pose proof (factor_l _ _ Nq) as NA; pose proof (factor_r _ _ Nq) as NB; pose proof (curve_nz r) as Ng.
  - assert (W' : w * w * ((r * beta + r + x) * (x - r * beta)) = - curve r) by (rewrite <- W; ring).
    replace ((r * beta + r + x) * w) with (w * (r * beta + r + x)) by ring.
    destruct (Pair r w (r * beta + r + x) (x - r * beta) Nu ltac:(nz) W') as (Nt & S & Ns); [right; unfold root3; ring|].
    apply Enough; [exact Nu|exact Nt|exact Ns|]. intros t1 N1 S1.
    destruct (candidates_product r t1 Nu N1 ltac:(rewrite S1; exact Ns)) as (m & _ & M). revert M.
    rewrite XSwiftEC_first by (rewrite ?S1; assumption). cbv zeta. rewrite S1.
    set (s := w * (r * beta + r + x) * (w * (r * beta + r + x))) in *.
    assert (X2 : ((curve r - s) * beta - s) * r / (curve r + s) = other).
    { apply quotient; [exact Ns|]. apply (cancel _ _ (x - r * beta)); [exact NA|].
      transitivity (((curve r * (x - r * beta) - s * (x - r * beta)) * beta - s * (x - r * beta)) * r); [ring|].
      transitivity (other * (curve r * (x - r * beta) + s * (x - r * beta))); [|ring]. rewrite S. unfold other. ring [beta_root]. }
    assert (X1 : - (((curve r - s) * beta - s) * r + r * (curve r + s)) / (curve r + s) = x).
    { transitivity (- (((curve r - s) * beta - s) * r / (curve r + s)) - r); [field; exact Ns|]. rewrite X2. unfold other. ring. }
    rewrite X1, X2. intros M. apply third_invalid in M; [|exact Sx|exact So]. apply not_square in M, So. rewrite M, So. reflexivity.
  - replace ((x - r * beta) * w) with (w * (x - r * beta)) by ring.
    destruct (Pair r w (x - r * beta) (r * beta + r + x) Nu Nq W) as (Nt & S & Ns); [left; unfold root3; ring|].
    apply Enough; [exact Nu|exact Nt|exact Ns|]. intros t1 N1 S1.
    destruct (candidates_product r t1 Nu N1 ltac:(rewrite S1; exact Ns)) as (m & _ & M). revert M.
    rewrite XSwiftEC_first by (rewrite ?S1; assumption). cbv zeta. rewrite S1.
    set (s := w * (x - r * beta) * (w * (x - r * beta))) in *.
    assert (X2 : ((curve r - s) * beta - s) * r / (curve r + s) = x).
    { apply quotient; [exact Ns|]. apply (cancel _ _ (r * beta + r + x)); [exact NB|].
      transitivity (((curve r * (r * beta + r + x) - s * (r * beta + r + x)) * beta - s * (r * beta + r + x)) * r); [ring|].
      transitivity (x * (curve r * (r * beta + r + x) + s * (r * beta + r + x))); [|ring]. rewrite S. ring [beta_root]. }
    assert (X1 : - (((curve r - s) * beta - s) * r + r * (curve r + s)) / (curve r + s) = other).
    { transitivity (- (((curve r - s) * beta - s) * r / (curve r + s)) - r); [field; exact Ns|]. rewrite X2. unfold other. ring. }
    rewrite X1, X2. intros M. rewrite (Rmul_comm (F_R (laws K)) (curve other)) in M.
    apply third_invalid in M; [|exact Sx|exact So]. apply not_square in M. apply is_square in Sx. rewrite M, Sx. reflexivity.
Qed.
End Swift.
