(* Additions of affine points that share an inversion, in internal/batch: each result is the sum by the group law, for
   all pairs of finite points of the curve, including equal and opposite points. *)
Require Import Base Formulas Law Operations Bool List.
Import ListNotations.

Section Alike.
Context {K : field}.
Add Field F : (laws K).

(* The denominator of the slope through two points, and whether the points are different, equal or opposite. *)
(* internal/batch/lists.go
func denominatorVartime(d *field.Element, p, q *group.Affine) int {
	if !d.Sub(&q.X, &p.X).IsZeroVartime() {
		return different
	}
	if d.Add(&p.Y, &q.Y).IsZeroVartime() { // Y₂ = ±Y₁, so d is 0 or 2·Y₁
		d.SetUint64(1)
		return opposite
	}
	return equal
}
*)
Inductive relation := different | equal | opposite.
Definition denominator (p q : K * K) : K * relation :=
  let d := fst q - fst p in
  if negb (is_zero d) then (d, different) else
  let d := snd p + snd q in
  if is_zero d then (1, opposite) else (d, equal).

(* internal/batch/lists.go
func addAlikeVartime(sum, p, q *group.Affine, before, inverse *field.Element) bool {
	var d, slope, t field.Element
	kind := denominatorVartime(&d, p, q)
	if kind == different {
		sum.AddAffine(p, q, before, inverse)
		return true
	}
	field.Remove(inverse, &slope, before, &d)
	if kind == opposite {
		return false
	}
	// For equal points the tangent has the slope L = 3·X²/(2·Y), and the sum is X₃ = L² − 2·X, Y₃ = L·(X − X₃) − Y.
	t.Square(&p.X)
	d.Add(&t, &t).Add(&d, &t)
	slope.Mul(&slope, &d)
	d.Square(&slope).Sub(&d, &p.X).Sub(&d, &p.X)
	t.Sub(&p.X, &d)
	t.Mul(&t, &slope)
	sum.Y.Sub(&t, &p.Y)
	sum.X.Set(&d)
	return true
}
*)
(* addAlike returns whether the sum is finite, the sum, and the inverse of before. If the sum is infinity, addAlike
   returns the argument sum unchanged. *)
Definition addAlike (sum p q : K * K) (before inverse : K) : bool * (K * K) * K :=
  let '(d, kind) := denominator p q in
  match kind with
  | different => let '(sum, inverse) := addAffine K (fst p) (snd p) (fst q) (snd q) before inverse in (true, sum, inverse)
  | opposite => (false, sum, inverse * d)
  | equal =>
      let slope := inverse * before in
      let inverse := inverse * d in
      let t := fst p * fst p in
      let d := t + t + t in
      let slope := slope * d in
      let d := slope * slope - fst p - fst p in
      let t := (fst p - d) * slope in
      (true, (d, t - snd p), inverse)
  end.

(* A finite point of the curve y^2 = x^3 + b with y <> 0. On secp256k1 no point has y = 0, since the number of points
   is odd. *)
Definition finite_on (b : K) (p : K * K) := on K b (P K (fst p) (snd p)) /\ snd p <> 0.

Lemma denominator_nz b p q : finite_on b p -> finite_on b q -> fst (denominator p q) <> 0.
Proof.
  intros [_ Np] _. unfold denominator. destruct (dec (fst q - fst p) 0) as [E|N].
  - rewrite (is_zero_true (fst q - fst p)) by exact E. cbn [negb]. destruct (dec (snd p + snd q) 0) as [E2|N2].
    + rewrite is_zero_true by exact E2. apply one_nz.
    + rewrite is_zero_false by exact N2. exact N2.
  - rewrite is_zero_false by exact N. exact N.
Qed.

Theorem addAlike_is_law b sum p q before : finite_on b p -> finite_on b q -> before <> 0 ->
  let '(finite, s, inverse) := addAlike sum p q before (1 / (before * fst (denominator p q))) in
  inverse = 1 / before /\
  law K (P K (fst p) (snd p)) (P K (fst q) (snd q)) = (if finite then P K (fst s) (snd s) else O K) /\
  (finite = false -> s = sum).
Proof.
  destruct p as [x1 y1], q as [x2 y2]. intros Fp Fq NB. pose proof (denominator_nz b _ _ Fp Fq) as ND.
  destruct Fp as [Ep Np], Fq as [Eq Nq]. cbn [fst snd] in *. unfold addAlike, denominator in *. cbn [fst snd] in *.
  destruct (dec x1 x2) as [<-|N].
  - rewrite (is_zero_true (x1 - x1)) in * by ring. cbn [negb] in *. destruct (dec (y1 + y2) 0) as [E|NE].
    + rewrite is_zero_true in * by exact E. cbn [fst] in *. split; [field; nz|]. split; [|reflexivity].
      assert (y2 = - y1) by (replace y2 with (y1 + y2 - y1) by ring; rewrite E; ring). subst y2. apply (law_opposite K (P K x1 y1)).
    + rewrite is_zero_false in * by exact NE. cbn [fst] in *.
      assert (E : y1 = y2).
      { destruct (dec y1 y2) as [|N12]; [assumption|exfalso]. pose proof (same_x K b x1 y1 y2 Ep Eq N12) as Q. simpl in Q.
        injection Q as Q. apply NE. rewrite Q. ring. }
      subst y2. cbn [fst snd]. split; [field; nz|]. split; [|discriminate].
      simpl law. destruct (dec x1 x1); [|congruence]. destruct (dec y1 y1); [|congruence]. destruct (dec y1 0); [contradiction|].
      unfold tangent, third. f_equal; field; nz.
  - assert (N' : x2 - x1 <> 0) by (apply sub_nz; congruence). rewrite is_zero_false in * by exact N'. cbn [negb fst] in *.
    generalize (addAffine_is_chord K x1 y1 x2 y2 before N NB).
    destruct (addAffine K x1 y1 x2 y2 before (1 / (before * (x2 - x1)))) as [s inverse]. intros [E1 E2].
    split; [exact E2|]. split; [|discriminate]. rewrite law_other_x by exact N. symmetry. exact E1.
Qed.

(* Montgomery's trick for all pairs. One pass, from the first pair to the last, multiplies the denominators. A second
   pass, from the last pair to the first, computes the sums. A sum that is infinity becomes (0, 0). *)
(* internal/batch/lists.go
func (s *adder) addOneByOneVartime(dst, points []group.Affine, pairs []lanes.Pair, places []int) (finite bool) {
	s.before = withRoom(s.before[:0], len(s.pairs))[:len(pairs)]
	// All divisors share an inversion. No divisor is 0, because denominatorVartime returns 2·Y for equal points and 1
	// for opposite points.
	var product, d field.Element
	var p, q group.Affine // scratch memory for the opposites of points
	product.SetUint64(1)
	different, either := true, lanes.Term(0) // whether all X₂ − X₁ ≠ 0; bit 0 tells whether any term has a minus sign
	for i, pair := range pairs {
		either |= pair.P | pair.Q
		if d.Sub(&points[pair.Q>>1].X, &points[pair.P>>1].X).IsZeroVartime() {
			different = false
			denominatorVartime(&d, pointOf(pair.P, points, &p, true), pointOf(pair.Q, points, &q, true))
		}
		field.Append(&product, &s.before[i], &d)
	}
	// The second loop runs backwards. Before step i, product = 1/(d₀·…·dᵢ), so that 1/dᵢ = product·before[i]. Each
	// addition multiplies product by its dᵢ.
	product.InvertVartime(&product)
	finite = true
	signs := either&1 != 0
	for i := len(pairs) - 1; i >= 0; i-- {
		to := &dst[i]
		if places != nil {
			to = &dst[places[i]]
		}
		first, second := pointOf(pairs[i].P, points, &p, signs), pointOf(pairs[i].Q, points, &q, signs)
		if different {
			to.AddAffine(first, second, &s.before[i], &product)
		} else if !addAlikeVartime(to, first, second, &s.before[i], &product) {
			*to = group.Affine{}
			finite = false
		}
	}
	return finite
}
*)
Fixpoint forward (product : K) (diff : bool) (pairs : list ((K * K) * (K * K))) : list K * K * bool :=
  match pairs with
  | [] => ([], product, diff)
  | (p, q) :: pairs =>
      let d := fst q - fst p in
      let '(d, diff) := if is_zero d then (fst (denominator p q), false) else (d, diff) in
      let '(before, all, diff) := forward (product * d) diff pairs in
      (product :: before, all, diff)
  end.
Fixpoint back (diff : bool) (inverse : K) (dst : list (K * K)) (pairs : list ((K * K) * (K * K))) (before : list K) :
  list (K * K) * bool * K :=
  match dst, pairs, before with
  | to :: dst, (p, q) :: pairs, before_i :: before =>
      let '(sums, finite, inverse) := back diff inverse dst pairs before in
      if diff then
        let '(to, inverse) := addAffine K (fst p) (snd p) (fst q) (snd q) before_i inverse in (to :: sums, finite, inverse)
      else
        let '(ok, to, inverse) := addAlike to p q before_i inverse in
        if ok then (to :: sums, finite, inverse) else ((0, 0) :: sums, false, inverse)
  | _, _, _ => ([], true, inverse)
  end.
Definition addOneByOne (dst : list (K * K)) (pairs : list ((K * K) * (K * K))) : list (K * K) * bool :=
  let '(before, product, diff) := forward 1 true pairs in
  let '(sums, finite, _) := back diff (1 / product) dst pairs before in (sums, finite).

(* The point that the coordinates p stand for: infinity for (0, 0). *)
Definition stands (p : K * K) : point K := if is_zero (fst p) && is_zero (snd p) then O K else P K (fst p) (snd p).
Definition sum_of (pq : (K * K) * (K * K)) : point K :=
  let '(p, q) := pq in law K (P K (fst p) (snd p)) (P K (fst q) (snd q)).
Definition is_finite (A : point K) : bool := match A with O _ => false | P _ _ _ => true end.
Definition x_differ (pq : (K * K) * (K * K)) : bool := negb (is_zero (fst (snd pq) - fst (fst pq))).

Lemma stands_on b p : b <> 0 -> on K b (P K (fst p) (snd p)) -> stands p = P K (fst p) (snd p).
Proof.
  destruct p as [x y]. simpl. intros Nb E. unfold stands. cbn [fst snd]. destruct (dec x 0) as [->|Nx].
  - destruct (dec y 0) as [->|Ny].
    + exfalso. apply Nb. replace b with (0 * 0 * 0 + b) by ring. rewrite <- E. ring.
    + rewrite (is_zero_false y), andb_false_r by exact Ny. reflexivity.
  - rewrite is_zero_false by exact Nx. reflexivity.
Qed.

Lemma forward_different pairs : forall product diff, snd (forward product diff pairs) = diff && forallb x_differ pairs.
Proof.
  induction pairs as [|[p q] pairs IH]; intros product diff; cbn [forward forallb].
  - rewrite andb_true_r. reflexivity.
  - unfold x_differ at 1. cbn [fst snd]. destruct (is_zero (fst q - fst p)); cbn [negb andb].
    + rewrite andb_false_r. specialize (IH (product * fst (denominator p q)) false).
      destruct (forward (product * fst (denominator p q)) false pairs) as [[bs all] d]. exact IH.
    + specialize (IH (product * (fst q - fst p)) diff).
      destruct (forward (product * (fst q - fst p)) diff pairs) as [[bs all] d]. exact IH.
Qed.

Lemma one_by_one b pairs : b <> 0 -> Forall (fun pq => finite_on b (fst pq) /\ finite_on b (snd pq)) pairs ->
  forall dst product diff diff', length dst = length pairs -> product <> 0 -> (diff' = true -> forallb x_differ pairs = true) ->
  let '(before, all, _) := forward product diff pairs in
  all <> 0 /\
  let '(sums, finite, inverse) := back diff' (1 / all) dst pairs before in
  inverse = 1 / product /\ map stands sums = map sum_of pairs /\ finite = forallb (fun pq => is_finite (sum_of pq)) pairs.
Proof.
  intros Nb F. induction F as [|[p q] pairs [Fp Fq] F IH]; intros dst product diff diff' L Np Hd; cbn [forward].
  - destruct dst; [|discriminate L]. cbn [back map forallb]. auto.
  - destruct dst as [|to dst]; [discriminate L|]. injection L as L. cbn [fst snd] in *.
    pose proof (denominator_nz b p q Fp Fq) as ND.
    assert (Nd : (if is_zero (fst q - fst p) then fst (denominator p q) else fst q - fst p) = fst (denominator p q)).
    { unfold denominator. destruct (is_zero (fst q - fst p)) eqn:E; reflexivity. }
    assert (W : forall diff0, let '(before, all, _) := forward (product * fst (denominator p q)) diff0 pairs in
      all <> 0 /\
      let '(sums, finite, inverse) := back diff' (1 / all) (to :: dst) ((p, q) :: pairs) (product :: before) in
      inverse = 1 / product /\ map stands sums = map sum_of ((p, q) :: pairs) /\
      finite = forallb (fun pq => is_finite (sum_of pq)) ((p, q) :: pairs)).
    { intros diff0. assert (Hd' : diff' = true -> forallb x_differ pairs = true).
      { intros E. specialize (Hd E). cbn [forallb] in Hd. apply andb_prop in Hd. apply Hd. }
      specialize (IH dst (product * fst (denominator p q)) diff0 diff' L ltac:(nz) Hd').
      destruct (forward (product * fst (denominator p q)) diff0 pairs) as [[bs all] d']. destruct IH as [Na IH].
      split; [exact Na|]. cbn [back]. destruct (back diff' (1 / all) dst pairs bs) as [[sums finite] inverse].
      destruct IH as (-> & E2 & ->). cbn [map forallb]. rewrite <- E2.
      pose proof (law_closed K b _ _ (proj1 Fp) (proj1 Fq)) as C.
      assert (Law : forall (s : K * K) (ok : bool), sum_of (p, q) = (if ok then P K (fst s) (snd s) else O K) ->
        stands (if ok then s else (0, 0)) = sum_of (p, q) /\ is_finite (sum_of (p, q)) = ok).
      { intros s ok E. change (law K (P K (fst p) (snd p)) (P K (fst q) (snd q))) with (sum_of (p, q)) in C. rewrite E in *. destruct ok; split; auto.
        - apply (stands_on b); assumption.
        - unfold stands. cbn [fst snd]. rewrite is_zero_true by reflexivity. reflexivity. }
      destruct diff'.
      - specialize (Hd eq_refl). cbn [forallb] in Hd. apply andb_prop in Hd. destruct Hd as [Hx _]. unfold x_differ in Hx. cbn [fst snd] in Hx.
        apply negb_true_iff in Hx.
        assert (N : fst p <> fst q). { intros E. rewrite E in Hx. rewrite is_zero_true in Hx by ring. discriminate Hx. }
        assert (Dd : fst (denominator p q) = fst q - fst p). { unfold denominator. rewrite Hx. reflexivity. }
        rewrite Dd. generalize (addAffine_is_chord K (fst p) (snd p) (fst q) (snd q) product N Np).
        destruct (addAffine K (fst p) (snd p) (fst q) (snd q) product (1 / (product * (fst q - fst p)))) as [s inv]. intros [E1 E3].
        destruct (Law s true) as [L1 L2]; [unfold sum_of; rewrite law_other_x by exact N; symmetry; exact E1|].
        cbn [map]. rewrite L1, L2. auto.
      - generalize (addAlike_is_law b to p q product Fp Fq Np).
        destruct (addAlike to p q product (1 / (product * fst (denominator p q)))) as [[ok s] inv]. intros (E3 & E1 & _).
        destruct (Law s ok E1) as [L1 L2]. rewrite L2. destruct ok; cbn [map]; rewrite L1; auto. }
    destruct (is_zero (fst q - fst p)) eqn:Ez.
    + specialize (W false). destruct (forward (product * fst (denominator p q)) false pairs) as [[bs all] d']. exact W.
    + cbn [negb] in Nd. rewrite Nd. specialize (W diff). destruct (forward (product * fst (denominator p q)) diff pairs) as [[bs all] d']. exact W.
Qed.

(* Since b is not 0, (0, 0) is not on the curve, so it can stand for infinity. *)
Theorem addOneByOne_is_law b dst pairs : b <> 0 -> Forall (fun pq => finite_on b (fst pq) /\ finite_on b (snd pq)) pairs ->
  length dst = length pairs ->
  map stands (fst (addOneByOne dst pairs)) = map sum_of pairs /\
  snd (addOneByOne dst pairs) = forallb (fun pq => is_finite (sum_of pq)) pairs.
Proof.
  intros Nb F L. unfold addOneByOne. pose proof (forward_different pairs 1 true) as D.
  destruct (forward 1 true pairs) as [[before product] diff] eqn:E. cbn [snd andb] in D.
  pose proof (one_by_one b pairs Nb F dst 1 true diff L ltac:(nz)) as W. rewrite E in W.
  destruct W as [_ W]; [intros H; congruence|]. destruct (back diff (1 / product) dst pairs before) as [[sums finite] inverse].
  cbn [fst snd]. tauto.
Qed.
End Alike.
