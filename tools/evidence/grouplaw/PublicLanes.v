(* The loops of internal/lanes for public scalars and points, in a commutative group: for all points and scalars, the
   sum is right wherever Z is not 0 at the end. *)
Require Import ZArith Lia List Bool Constants Digits Tables Classes Sums Lanes.
Import ListNotations.
Open Scope Z_scope.

Section PublicLanes.
(* The group of Sums.v. *)
Variable G : Type.
Variable O : G.
Variable plus : G -> G -> G.
Variable minus : G -> G.
Hypothesis plus_assoc : forall a b c, plus a (plus b c) = plus (plus a b) c.
Hypothesis plus_comm : forall a b, plus a b = plus b a.
Hypothesis plus_O : forall a, plus O a = a.
Hypothesis plus_minus : forall a, plus a (minus a) = O.
Hypothesis eq_dec : forall a b : G, {a = b} + {a <> b}.
Notation times := (Sums.times G O plus minus).
Notation lane_add := (Lanes.lane_add G O plus eq_dec).
Notation right_or_O := (Lanes.right_or_O G O).
Let lane_add_right := Lanes.lane_add_right G O plus eq_dec.
Let add_all_right := Sums.add_all_right G O plus plus_assoc plus_comm plus_O.
Let swap := Sums.swap G plus plus_assoc plus_comm.
Let times_add := Sums.times_add G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_mul := Sums.times_mul G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_minus := Sums.times_minus G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_plus := Sums.times_plus G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_O := Sums.times_O G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_1 := Sums.times_1 G O plus minus plus_comm plus_O.
Let times_0 := Sums.times_0 G O plus minus.
Let minus_O := Sums.minus_O G O plus minus plus_assoc plus_comm plus_O plus_minus.
Notation sum_terms := (Sums.sum_terms G O plus minus).
Notation total_of := (Sums.total_of G O plus minus).
Let sum_terms_add := Sums.sum_terms_add G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let plus_O_r := Lanes.plus_O_r G O plus plus_comm plus_O.
Notation total := (Sums.add_all G plus O).

(* AddUpVartime: eight or more points, each with its unit. Lane i adds up points i, i + 8, ... The last block may have
   fewer than eight points, and then only the lanes with a point add. *)
(* internal/lanes/lists.go
func AddUpVartime(p *group.XYZZ, points []*group.Affine, ends *[6]int) {
	w := workspaceVartime()
	x, y, factor, sum := &w.temporary[0], &w.temporary[1], &w.temporary[2], &w.lists[0]
	var block pointers
	for first := 0; first < len(points); first += N {
		n := copy(block[:], points[first:]) // in the last block, lanes from n on keep old points, which are ignored
		gatherVartime(x, y, &block)
		between := func(i, j int) uint8 { return uint8(below(ends[j]-first) &^ below(ends[i]-first)) }
		if power := [2]uint8{between(1, 3), between(3, 5)}; power != [2]uint8{} {
			blendVartime(factor, &w.beta, &w.one, power[0])
			blendVartime(factor, &w.beta2, factor, power[1])
			mulVartime(x, x, factor)
		}
		minus := between(0, 1) | between(2, 3) | between(4, 5)
		if first == 0 {
			sum.X = *x
			negateVartime(&sum.Y, y, minus)
			sum.ZZ, sum.ZZZ = w.one, w.one
			continue
		}
		addMixedXYZZVartime(sum, x, y, minus, uint8(below(n)))
	}
	for n := N / 2; n > 0; n /= 2 {
		turn(&w.lists[1], sum, n)
		addXYZZVartime(sum, &w.lists[1])
	}
	sum.X.laneVartime(0, &p.X)
	sum.Y.laneVartime(0, &p.Y)
	sum.ZZ.laneVartime(0, &p.ZZ)
	sum.ZZZ.laneVartime(0, &p.ZZZ)
	workspaces.Put(w)
}
*)
Fixpoint add_block (acc block : list G) : list G :=
  match acc, block with a :: acc, b :: block => lane_add a b :: add_block acc block | acc, _ => acc end.
Fixpoint add_blocks (fuel : nat) (acc points : list G) : list G :=
  match fuel with Datatypes.O => acc | S fuel => add_blocks fuel (add_block acc (firstn lane_count points)) (skipn lane_count points) end.
Definition add_up (points : list G) : G :=
  fold_lanes G O plus eq_dec (add_blocks (length points) (firstn lane_count points) (skipn lane_count points)).

Lemma total_cons a l : total (a :: l) = plus a (total l).
Proof. cbn [Sums.add_all]. rewrite add_all_right, plus_O. reflexivity. Qed.

Lemma total_app l m : total (l ++ m) = plus (total l) (total m).
Proof.
  induction l as [|a l IH]; [cbn [app Sums.add_all]; rewrite plus_O; reflexivity|].
  cbn [app]. rewrite !total_cons, IH. apply plus_assoc.
Qed.

(* If every lane is right, the sums of all lanes add up to the sum of all points. *)
Lemma add_block_right acc : forall s block, Forall2 right_or_O acc s -> (length block <= length acc)%nat ->
  exists s', Forall2 right_or_O (add_block acc block) s' /\ total s' = plus (total s) (total block).
Proof.
  induction acc as [|a acc IH]; intros s block F L; inversion F as [|? t ? s0 H F']; subst; destruct block as [|b block].
  - exists []. split; [constructor|]. cbn. rewrite plus_O. reflexivity.
  - cbn [length] in L. lia.
  - exists (t :: s0). split; [exact F|]. change (total []) with O. rewrite plus_O_r. reflexivity.
  - cbn [length] in L. destruct (IH s0 block F' ltac:(lia)) as (s' & F2 & E). exists (plus t b :: s'). cbn [add_block]. split.
    + constructor; [|exact F2]. apply lane_add_right; [exact H|right; reflexivity].
    + rewrite !total_cons, E. apply swap.
Qed.

Lemma add_blocks_right fuel : forall acc s points, length acc = 8%nat -> (length points <= 8 * fuel)%nat -> Forall2 right_or_O acc s ->
  exists s', length s' = 8%nat /\ Forall2 right_or_O (add_blocks fuel acc points) s' /\ total s' = plus (total s) (total points).
Proof.
  induction fuel as [|fuel IH]; intros acc s points L Lp F; cbn [add_blocks].
  - destruct points; [|cbn [length] in Lp; lia]. exists s. split; [rewrite <- L; symmetry; clear -F; induction F; cbn [length]; auto|]. split; [exact F|].
    change (total []) with O. rewrite plus_O_r. reflexivity.
  - destruct (add_block_right acc s (firstn 8 points) F) as (s1 & F1 & E1); [rewrite firstn_length; lia|].
    assert (L1 : forall acc block, length (add_block acc block) = length acc).
    { clear. induction acc as [|a acc IH]; intros [|b block]; cbn [add_block length]; auto. }
    destruct (IH (add_block acc (firstn 8 points)) s1 (skipn 8 points)) as (s' & L' & F' & E').
    + rewrite L1. exact L.
    + rewrite skipn_length. lia.
    + exact F1.
    + exists s'. split; [exact L'|]. split; [exact F'|]. rewrite E', E1, <- plus_assoc, <- total_app, firstn_skipn. reflexivity.
Qed.

Theorem add_up_right points : (least_terms <= length points)%nat -> right_or_O (add_up points) (total points).
Proof.
  intros L. unfold add_up.
  destruct (add_blocks_right (length points) (firstn 8 points) (firstn 8 points) (skipn 8 points)) as (s & Ls & F & E).
  - rewrite firstn_length. lia.
  - rewrite skipn_length. lia.
  - generalize (firstn 8 points). induction l; constructor; auto. right. reflexivity.
  - rewrite <- total_app, firstn_skipn in E. rewrite <- E. clear E L.
    revert F. generalize (add_blocks (length points) (firstn 8 points) (skipn 8 points)). intros acc F.
    do 8 (destruct s as [|? s]; [discriminate Ls|]). destruct s; [|discriminate Ls].
    repeat match goal with F : Forall2 _ _ (_ :: _) |- _ => inversion F; clear F; subst end.
    match goal with F : Forall2 _ _ [] |- _ => inversion F; subst end.
    match goal with |- right_or_O _ (total [?a;?b;?c;?d;?e;?f;?g;?h]) =>
      replace (total [a;b;c;d;e;f;g;h]) with (plus (plus (plus a e) (plus c g)) (plus (plus b f) (plus d h)));
      [|rewrite !total_cons; change (total []) with O; rewrite plus_O_r;
        rewrite (swap (plus a e) (plus c g) (plus b f) (plus d h)), (swap a e b f), (swap c g d h),
          (swap (plus a b) (plus e f) (plus c d) (plus g h)); rewrite <- !plus_assoc; reflexivity] end.
    unfold fold_lanes. cbn [firstn skipn pairwise hd]. repeat apply lane_add_right; assumption.
Qed.

(* The sum over tables for all places ends here: lanes add the entries with their units, and if ZZ is 0 at the end, the
   entries are added one after the other (sumPrecomputedVartime in Sums.v). *)
(* internal/ecmult/precomputed.go
func sumInLanesVartime(p *group.XYZZ, terms []precomputedTerm) bool {
	var points [2 * recode.MaxPrecomputedPlaces]*group.Affine
	var ends [6]int // the entries of unit i end before points[ends[i]]
	n := 0
	for unit := range ends {
		for i := range terms {
			t := &terms[i]
			for _, entry := range t.digits.Entry[unit][:t.digits.N[unit]] {
				points[n] = &t.table[entry]
				n++
			}
		}
		ends[unit] = n
	}
	lanes.AddUpVartime(p, points[:n], &ends)
	return !p.ZZ.IsZeroVartime()
}
*)
Notation difference := (Sums.difference G O plus minus).
Definition of_unit (k : Z) (m p : list G) := map (times k) p ++ map (fun a => minus (times k a)) m.
Definition entries (m2 p2 m1 p1 m0 p0 : list G) := of_unit 1 m0 p0 ++ of_unit lambda m1 p1 ++ of_unit (lambda * lambda) m2 p2.
Definition sum_precomputed_vartime (in_lanes : bool) (m2 p2 m1 p1 m0 p0 : list G) : G :=
  let one_by_one := Sums.sum_precomputed G O plus minus m2 p2 m1 p1 m0 p0 in
  if in_lanes then Lanes.or_else G O eq_dec (add_up (entries m2 p2 m1 p1 m0 p0)) one_by_one else one_by_one.

Lemma of_unit_total k m p : total (of_unit k m p) = times k (difference m p).
Proof.
  assert (M : forall f, f O = O -> (forall a b, f (plus a b) = plus (f a) (f b)) -> forall l, total (map f l) = f (total l)).
  { intros f F0 F. induction l as [|a l IH]; [symmetry; exact F0|]. cbn [map]. rewrite !total_cons, IH, F. reflexivity. }
  unfold of_unit, Sums.difference. rewrite total_app, times_plus, plus_comm, !M; auto using times_O, times_plus.
  - f_equal. rewrite <- times_minus. replace (minus (total m)) with (times (-1) (total m)); [|change (-1) with (- (1)); rewrite times_minus, times_1; reflexivity].
    rewrite <- times_mul. f_equal. ring.
  - rewrite times_O. apply minus_O.
  - intros a b. rewrite times_plus. apply (Sums.minus_plus G O plus minus plus_assoc plus_comm plus_O plus_minus).
Qed.

Theorem precomputed_right in_lanes m2 p2 m1 p1 m0 p0 :
  (in_lanes = true -> least_terms <= length (entries m2 p2 m1 p1 m0 p0))%nat ->
  sum_precomputed_vartime in_lanes m2 p2 m1 p1 m0 p0 =
  plus (times (lambda * lambda) (difference m2 p2)) (plus (times lambda (difference m1 p1)) (difference m0 p0)).
Proof.
  intros L. pose proof (Sums.precomputed_is_sum G O plus minus plus_assoc plus_comm plus_O plus_minus m2 p2 m1 p1 m0 p0) as E.
  unfold sum_precomputed_vartime. destruct in_lanes; [|exact E]. apply Lanes.or_else_right; [|exact E].
  replace (plus _ _) with (total (entries m2 p2 m1 p1 m0 p0)); [apply add_up_right; auto|].
  unfold entries. rewrite !total_app, !of_unit_total, times_1, plus_assoc, plus_comm. f_equal. apply plus_comm.
Qed.

(* DoubleScalarVartime: from the highest place down. A sum to which nothing has been added yet is marked, and the first
   addition sets it to the point. A doubling gives the opposite of the double, so digits at odd places are negated. *)
(* internal/lanes/double.go
func (w *workspace) addVartime(j int, x, ny *Element, k uint8) {
	sum := &w.sum[j]
	first := k & w.infinity[j]
	if k &^= first; k != 0 {
		addMixedVartime(sum, x, ny, k)
	}
	if first != 0 {
		y := &w.temporary[2]
		negateVartime(y, ny, 0xFF)
		blendVartime(&sum.X, x, &sum.X, first)
		blendVartime(&sum.Y, y, &sum.Y, first)
		blendVartime(&sum.Z, &w.one, &sum.Z, first)
		w.infinity[j] &^= first
	}
}
*)
Definition add_one (s : bool * G) (t : G) : bool * G := (false, if fst s then t else lane_add (snd s) t).

(* internal/lanes/double.go
func (w *workspace) addUpVartime(blocks int) {
	for j := range blocks {
		p := &w.products[j]
		w.sum[j] = Jacobian2Y{}
		w.infinity[j] = 0xFF
		p.toTable.setVartime(&p.z, &w.beta)
	}
	due := 0 // doublings that are delayed until the next addition
	for place := recode.RegularTop; place >= 0; place-- {
		ofPoint := place%recode.PointWidth == 0
		ofG := place%recode.GeneratorWidth == 0 || place == recode.RegularTop
		if due > 0 && (ofPoint || ofG) {
			if blocks == 2 {
				doubleNegatePairNVartime(&w.sum, due)
			} else {
				doubleNegateNVartime(&w.sum[0], due)
			}
			due = 0
		}
		for j := range blocks {
			if ofPoint {
				w.addPointDigitVartime(j, place/recode.PointWidth)
			}
			if ofG {
				w.addGeneratorDigitVartime(j, (place+recode.GeneratorWidth-1)/recode.GeneratorWidth)
			}
		}
		due++
	}
	// Map the sum back from the curve of the table.
	for j := range blocks {
		mulVartime(&w.sum[j].Z, &w.sum[j].Z, &w.products[j].z)
	}
}
*)
Definition sign (i x : Z) := if Z.odd i then - x else x.
Fixpoint add_digits (i : Z) (s : bool * G) (P : G) (d : list (Z * (Z * Z))) : bool * G :=
  match d with
  | [] => s
  | (j, u) :: d =>
      let nonzero := negb ((fst u =? 0) && (snd u =? 0)) in
      add_digits i (if (j =? i) && nonzero then add_one s (times (sign i (fst u + snd u * lambda)) P) else s) P d
  end.
Fixpoint add_terms (i : Z) (s : bool * G) (terms : list (G * list (Z * (Z * Z)))) : bool * G :=
  match terms with [] => s | (P, d) :: terms => add_terms i (add_digits i s P d) terms end.
Fixpoint add_places (c : nat) (s : bool * G) (terms : list (G * list (Z * (Z * Z)))) : bool * G := (* places c - 1 to 0 *)
  match c with
  | Datatypes.O => s
  | S c => add_places c (add_terms (Z.of_nat c) (fst s, minus (plus (snd s) (snd s))) terms) terms
  end.

Definition right (s : bool * G) (T : G) := right_or_O (snd s) T /\ (fst s = true -> T = O).

Lemma add_one_right s T t : right s T -> right (add_one s t) (plus T t).
Proof.
  intros [R F]. split; cbn [add_one fst snd]; [|discriminate]. destruct (fst s).
  - rewrite (F eq_refl), plus_O. right. reflexivity.
  - apply lane_add_right; [exact R|right; reflexivity].
Qed.

Lemma sign_add i x y : sign i (x + y) = sign i x + sign i y.
Proof. unfold sign. destruct (Z.odd i); ring. Qed.

Lemma add_digits_right i d : forall s T P, right s T -> right (add_digits i s P d) (plus T (times (sign i (here i d)) P)).
Proof.
  induction d as [|[j [u v]] d IH]; intros s T P R; cbn [add_digits here fst snd].
  - replace (sign i 0) with 0 by (unfold sign; destruct (Z.odd i); reflexivity). rewrite times_0, plus_O_r. exact R.
  - rewrite (sign_add i (if j =? i then u + v * lambda else 0)), (times_add (sign i (if j =? i then u + v * lambda else 0))), plus_assoc.
    apply IH. destruct (j =? i); cbn [andb].
    + destruct (Z.eqb_spec u 0); destruct (Z.eqb_spec v 0); cbn [andb negb]; try (apply add_one_right; exact R).
      subst u v. replace (sign i (0 + 0 * lambda)) with 0 by (unfold sign; destruct (Z.odd i); reflexivity). rewrite times_0, plus_O_r. exact R.
    + replace (sign i 0) with 0 by (unfold sign; destruct (Z.odd i); reflexivity). rewrite times_0, plus_O_r. exact R.
Qed.

Lemma add_terms_right i terms : forall s T, right s T -> right (add_terms i s terms) (plus T (sum_terms (fun d => sign i (here i d)) terms)).
Proof.
  induction terms as [|[P d] terms IH]; intros s T R; cbn [add_terms Sums.sum_terms].
  - rewrite plus_O_r. exact R.
  - rewrite plus_assoc. apply IH. apply add_digits_right. exact R.
Qed.

Lemma add_places_right terms c : Forall (fun t => Forall (fun t => 0 <= fst t) (snd t)) terms -> forall s T, right s T ->
  right (add_places c s terms) (plus (times (sign (Z.of_nat c) (2 ^ Z.of_nat c)) T) (sum_terms (low (Z.of_nat c)) terms)).
Proof.
  intros F. induction c as [|c IH]; intros s T R; cbn [add_places].
  - change (sign (Z.of_nat 0) (2 ^ Z.of_nat 0)) with 1. rewrite times_1.
    replace (sum_terms (low (Z.of_nat 0)) terms) with O; [rewrite plus_O_r; exact R|].
    clear -F plus_O. induction F as [|[P d] terms H F IH]; cbn [Sums.sum_terms]; [reflexivity|]. rewrite <- IH. cbn [snd] in H.
    change (Z.of_nat 0) with 0. rewrite (low_none d H). symmetry. apply plus_O.
  - assert (R' : right (fst s, minus (plus (snd s) (snd s))) (minus (plus T T))).
    { destruct R as [R F0]. split; cbn [fst snd].
      - destruct R as [->| ->]; [left; rewrite plus_O; apply minus_O|right; reflexivity].
      - intros E. rewrite (F0 E), plus_O. apply minus_O. }
    specialize (IH _ _ (add_terms_right (Z.of_nat c) terms _ _ R')).
    set (i := Z.of_nat c) in *. replace (Z.of_nat (S c)) with (i + 1) by lia.
    assert (Si : sign (i + 1) (2 ^ (i + 1)) = sign i (2 ^ i) * (-2)).
    { unfold sign. rewrite Z.odd_add. change (Z.odd 1) with true. rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2.
      destruct (Z.odd i); cbn [xorb]; ring. }
    rewrite (sum_terms_add (low (i + 1)) (fun d => sign i (here i d)) (low i) (sign i (2 ^ i))).
    + rewrite times_plus, <- plus_assoc in IH. rewrite Si, times_mul.
      replace (times (-2) T) with (minus (plus T T)); [exact IH|].
      change (-2) with (- (1 + 1)). rewrite times_minus, times_add, times_1. reflexivity.
    + revert F. apply Forall_impl. intros [P d] H. cbn [snd] in *. rewrite low_succ by (auto; lia).
      unfold sign. destruct (Z.odd i); ring.
Qed.

(* L6: a sum of products in a lane is right, or Z is 0, which marks the lane as failed. *)
Theorem lanes_sum_right terms : Forall (fun t => Forall (fun t => 0 <= fst t <= 126) (snd t)) terms ->
  right_or_O (snd (add_places 127 (true, O) terms)) (total_of terms).
Proof.
  intros F. assert (F0 : Forall (fun t => Forall (fun t => 0 <= fst t) (snd t)) terms).
  { revert F. apply Forall_impl. intros t. apply Forall_impl. intros u. lia. }
  destruct (add_places_right terms 127 F0 (true, O) O) as [R _]; [split; [left|]; reflexivity|].
  rewrite times_O, plus_O in R. replace (total_of terms) with (sum_terms (low (Z.of_nat 127)) terms); [exact R|].
  clear -F. induction F as [|[P d] terms H F IH]; cbn [Sums.sum_terms Sums.total_of]; [reflexivity|]. rewrite IH. cbn [snd] in H.
  do 2 f_equal. apply low_all. revert H. apply Forall_impl. intros t. cbn. lia.
Qed.
End PublicLanes.
