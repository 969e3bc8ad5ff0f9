(* Sums of products by buckets, in internal/batch: points are put into buckets by the digits of their scalars, and the
   sums of rows of buckets give the sum of all products. Every addition may meet equal or opposite points. *)
Require Import ZArith Lia List Bool Constants Digits Tables Classes Sums Lanes PublicLanes LanePlaces ListSums.
Import ListNotations.
Open Scope nat_scope.

Section Buckets.
(* The group of Sums.v, in which n P is infinity for every point P. *)
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
Hypothesis n_times : forall P, times n P = O.
(* The additions of ListSums.v. *)
Variable add_affine : G -> G -> G.
Variable add_alike : G -> G -> G.
Hypothesis add_affine_right : forall a b, a <> O -> b <> O -> a <> b -> a <> minus b -> add_affine a b = plus a b.
Hypothesis add_alike_right : forall a b, a <> O -> b <> O -> add_alike a b = plus a b.
Variable memory : nat -> list G.
Hypothesis memory_length : forall c, length (memory c) = c.
Variable stale : nat -> list nat.
Hypothesis stale_length : forall c, length (stale c) = c.
Let times_add := Sums.times_add G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_mul := Sums.times_mul G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_minus := Sums.times_minus G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_plus := Sums.times_plus G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_O := Sums.times_O G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_1 := Sums.times_1 G O plus minus plus_comm plus_O.
Let times_0 := Sums.times_0 G O plus minus.
Let modulo_of := Sums.modulo_of G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let plus_O_r := Lanes.plus_O_r G O plus plus_comm plus_O.
Notation total := (ListSums.total G O plus).
Notation point := (ListSums.point G O minus).
Notation value := (ListSums.value G O plus minus).
Notation good := (ListSums.good G O).
Notation good_term := (ListSums.good_term G O).
Notation sum_lists := (ListSums.sum_lists G O minus eq_dec add_affine add_alike memory stale).
Let total_app := ListSums.total_app G O plus plus_assoc plus_O.
Let total_plus T := @ListSums.total_plus G O plus plus_assoc plus_comm plus_O T.
Let total_O T := @ListSums.total_O G O plus plus_O T.
Let total_times T := @ListSums.total_times G O plus minus plus_assoc plus_comm plus_O plus_minus T.
Let total_ext T := @ListSums.total_ext G O plus T.
Let total_one := ListSums.total_one G O plus plus_comm plus_O.
Let total_swap T U := @ListSums.total_swap G O plus plus_assoc plus_comm plus_O T U.
Let total_flat_map T U := @ListSums.total_flat_map G O plus plus_assoc plus_O T U.
Let value_more := ListSums.value_more G O plus minus.
Let point_new := ListSums.point_new G O minus.
Let point_finite := ListSums.point_finite G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let put_right := ListSums.put_right G O plus minus plus_assoc plus_comm plus_O.
Let puts_right := ListSums.puts_right G O plus minus plus_assoc plus_comm plus_O.
Let sum_lists_right := ListSums.sum_lists_right G O plus minus plus_assoc plus_comm plus_O plus_minus eq_dec
  add_affine add_alike add_affine_right add_alike_right memory memory_length stale stale_length.

(* A digit consists of two numbers. The first is 1 + the index of the pair (u, v), or 0 if there is no digit. The
   second is the unit, as 2 power + sign. *)
(* internal/recode/windows.go
func (d WindowDigit) Pair() int { return int(d>>3) - 1 }
*)
(* internal/recode/windows.go
func (d WindowDigit) Power() int { return int(d >> 1 & 3) }
*)
(* internal/recode/windows.go
func (d WindowDigit) Sign() uint64 { return -uint64(d & 1) }
*)
Section Digits.
Variable pairs : list (nat * nat). (* u and v *)
Variable most : nat.
Variable width : nat.
Hypothesis pairs_right : Forall (fun p => 1 <= fst p <= most /\ snd p <= most) pairs.
Hypothesis most_right : most < 2 ^ width.
Variable digits : list (list (nat * nat)). (* the digits of each scalar, from the lowest place on *)
Variable a : list G.
Hypothesis a_finite : Forall (fun P => P <> O) a.
Hypothesis digits_length : length digits = length a.
Hypothesis digits_right : Forall (Forall (fun d => fst d <= length pairs /\ snd d <= 5)) digits.
Definition digit (place i : nat) : nat * nat := nth place (nth i digits []) (0, 0).

Lemma digit_right place i : fst (digit place i) <= length pairs /\ snd (digit place i) <= 5.
Proof.
  unfold digit. rewrite Forall_forall in digits_right. destruct (Nat.lt_ge_cases i (length digits)) as [L|L].
  - specialize (digits_right _ (nth_In digits [] L)). rewrite Forall_forall in digits_right.
    destruct (Nat.lt_ge_cases place (length (nth i digits []))) as [L2|L2]; [apply digits_right; apply nth_In; exact L2|].
    rewrite (nth_overflow (nth i digits [])) by lia. cbn. lia.
  - rewrite (nth_overflow digits) by lia. destruct place; cbn; lia.
Qed.

(* The products of each point and 1, lambda and lambda^2. *)
(* internal/batch/buckets.go
func (b *buckets) turn(a []group.Affine) {
	s := &b.bucket
	s.points = withRoom(s.points[:0], 3*len(a))[:3*len(a)]
	for i := range a {
		t := s.points[3*i:][:3]
		for j := range t {
			t[j].Y.Set(&a[i].Y)
		}
		t[0].X.Set(&a[i].X)
		t[1].X.Mul(&a[i].X, &group.Beta)
		t[2].X.Add(&t[0].X, &t[1].X).Negate(&t[2].X) // 1 + β + β² = 0
	}
}
*)
Definition images : list G := flat_map (fun P => [P; times lambda P; times lambda (times lambda P)]) a.
Definition image (power : nat) (P : G) : G := match power with 0 => P | 1 => times lambda P | _ => times lambda (times lambda P) end.

Lemma nth_three (f g : G -> G) power : power < 3 -> forall l i, i < length l -> nth (3 * i + power) (flat_map (fun P => [P; f P; g P]) l) O =
  match power with 0 => nth i l O | 1 => f (nth i l O) | _ => g (nth i l O) end.
Proof.
  intros Hp. induction l as [|P l IH]; intros i Hi; cbn [length] in Hi; [lia|]. destruct i as [|i]; cbn [flat_map app].
  - destruct power as [|[|[|]]]; try lia; reflexivity.
  - replace (3 * S i + power) with (S (S (S (3 * i + power)))) by lia. cbn [nth]. apply IH. lia.
Qed.

Lemma nth_images power i : power < 3 -> i < length a -> nth (3 * i + power) images O = image power (nth i a O).
Proof. intros Hp Hi. exact (nth_three (times lambda) (fun P => times lambda (times lambda P)) power Hp a i Hi). Qed.

Lemma image_finite power P : P <> O -> image power P <> O.
Proof.
  assert (H2 : forall Q, times lambda Q = O -> Q = O).
  { intros Q E. rewrite <- (times_1 Q). assert (C : (1 mod n = (lambda * lambda * lambda) mod n)%Z) by (vm_compute; reflexivity).
    rewrite <- (Sums.modulo_of G O plus minus plus_assoc plus_comm plus_O plus_minus Q 1 (n_times Q)), C.
    rewrite (Sums.modulo_of G O plus minus plus_assoc plus_comm plus_O plus_minus Q _ (n_times Q)).
    rewrite times_mul, E. apply times_O. }
  intros Np. destruct power as [|[|]]; cbn [image]; intros E; [exact (Np E)|exact (Np (H2 _ E))|exact (Np (H2 _ (H2 _ E)))].
Qed.

(* The product of the unit of a digit and a point. *)
Definition unit_times (unit : nat) (P : G) : G := let Q := image (Nat.div2 unit) P in if Nat.odd unit then minus Q else Q.
Definition image_term (i unit : nat) : nat := 2 * (3 * i + Nat.div2 unit) + Nat.b2n (Nat.odd unit).

Lemma image_term_right i unit : unit <= 5 -> i < length a ->
  good_term images (image_term i unit) /\ point images (image_term i unit) = unit_times unit (nth i a O).
Proof.
  intros Hu Hi. unfold image_term, good_term, point, unit_times.
  assert (Hp : Nat.div2 unit < 3) by (do 6 (destruct unit as [|unit]; [cbn; lia|]); lia).
  set (x := 3 * i + Nat.div2 unit). assert (D : Nat.div2 (2 * x + Nat.b2n (Nat.odd unit)) = x /\ Nat.odd (2 * x + Nat.b2n (Nat.odd unit)) = Nat.odd unit).
  { destruct (Nat.odd unit); cbn [Nat.b2n].
    - rewrite Nat.add_1_r, Nat.div2_succ_double, Nat.odd_succ, Nat.even_mul. auto.
    - rewrite Nat.add_0_r, Nat.div2_double, Nat.odd_mul. auto. }
  destruct D as [-> ->]. unfold x. rewrite nth_images by assumption. split; [|reflexivity]. apply image_finite.
  rewrite Forall_forall in a_finite. apply a_finite. apply nth_In. exact Hi.
Qed.

(* The buckets of count places, of which from is the lowest. List i * (number of pairs) + m is the bucket of place from
   + i and pair m. *)
(* internal/batch/buckets.go
func (b *buckets) fillBuckets(w *recode.Windows, points, from, n int) {
	s := &b.bucket
	// Remove the sums of the earlier places, and keep the multiples of a.
	s.points, s.terms, s.lists = s.points[:3*points], s.terms[:0], s.lists[:0]
	pairs := len(w.U)
	s.add(n * pairs)
	for i := range n {
		lists := s.lists[i*pairs:][:pairs]
		for _, d := range b.digits[(from+i)*b.stride:][:points] {
			if d != 0 {
				lists[d.Pair()].n++
			}
		}
	}
	s.place(s.lists)
	for i := range n {
		lists := s.lists[i*pairs:][:pairs]
		for j, d := range b.digits[(from+i)*b.stride:][:points] {
			if d != 0 { // the term of ±λᵖ·a[j], for p = d.Power()
				s.put(&lists[d.Pair()], lanes.Term(2*(3*j+d.Power()))|lanes.Term(d.Sign()&1))
			}
		}
	}
}
*)
Definition bucket_puts (from count : nat) : list (nat * nat) :=
  flat_map (fun i => flat_map (fun j =>
    match digit (from + i) j with (0, _) => [] | (S m, unit) => [(i * length pairs + m, image_term j unit)] end)
    (seq 0 (length a))) (seq 0 count).
Definition fill_buckets (from count : nat) := puts (bucket_puts from count) (repeat [] (count * length pairs)).

(* The sum of the bucket of a place and a pair. *)
Definition bucket (place m : nat) : G :=
  total (map (fun j => let '(e, unit) := digit place j in if e =? S m then unit_times unit (nth j a O) else O) (seq 0 (length a))).

Lemma fill_buckets_right from count : length (fill_buckets from count) = count * length pairs /\
  (forall j, good images (nth j (fill_buckets from count) [])) /\
  forall i m, i < count -> m < length pairs -> value images (nth (i * length pairs + m) (fill_buckets from count) []) = bucket (from + i) m.
Proof.
  assert (Gt : Forall (fun it => good_term images (snd it)) (bucket_puts from count)).
  { apply Forall_forall. intros it H. unfold bucket_puts in H. apply in_flat_map in H. destruct H as (i & _ & H). apply in_flat_map in H.
    destruct H as (j & Hj & H). apply in_seq in Hj. pose proof (digit_right (from + i) j) as [_ Hu]. destruct (digit (from + i) j) as [[|m] unit]; [destruct H|].
    destruct H as [<-|[]]. cbn [snd] in *. apply image_term_right; lia. }
  destruct (puts_right images _ Gt (repeat [] (count * length pairs))) as [L P]; [intros j; rewrite nth_repeat_nil; constructor|].
  fold (fill_buckets from count) in L, P. rewrite repeat_length in *. split; [exact L|]. split; [intros j; apply P|].
  intros i m Hi Hm. assert (Hr : i * length pairs + m < count * length pairs) by nia. destruct (P (i * length pairs + m)) as [_ V]. rewrite (V Hr).
  rewrite nth_repeat_nil. unfold value. cbn [map total]. rewrite plus_O. unfold bucket_puts. rewrite total_flat_map.
  transitivity (total (map (fun i' => if i =? i' then bucket (from + i') m else O) (seq 0 count))).
  2: { rewrite total_one. destruct (Nat.ltb_spec i (0 + count)); [reflexivity|lia]. }
  apply total_ext. intros i' Hi'. rewrite total_flat_map. unfold bucket. destruct (Nat.eqb_spec i i') as [<-|N].
  - apply total_ext. intros j Hj. apply in_seq in Hj. pose proof (digit_right (from + i) j) as [He Hu].
    destruct (digit (from + i) j) as [[|m'] unit]; cbn [map total fst snd] in *; [reflexivity|]. rewrite plus_O_r.
    destruct (image_term_right j unit Hu ltac:(lia)) as [_ ->].
    destruct (Nat.eqb_spec (i * length pairs + m') (i * length pairs + m)); destruct (Nat.eqb_spec (S m') (S m)); try lia; reflexivity.
  - apply total_O. intros j Hj. pose proof (digit_right (from + i') j) as [He Hu].
    destruct (digit (from + i') j) as [[|m'] unit]; cbn [map total fst snd] in *; [reflexivity|]. rewrite plus_O_r.
    destruct (Nat.eqb_spec (i' * length pairs + m') (i * length pairs + m)); [|reflexivity]. exfalso. apply N. nia.
Qed.

(* The rows of a place: first the rows for the values of u, then the rows for the values of v. *)
(* internal/batch/buckets.go
func (b *buckets) fillRows(w *recode.Windows) {
	s := &b.row
	for buckets := b.bucket.lists; len(buckets) > 0; buckets = buckets[len(w.U):] {
		rows := s.add(2 * w.Max)
		ofU, ofV := rows[:w.Max], rows[w.Max:]
		for j, l := range buckets[:len(w.U)] {
			ofU[w.U[j]-1].n += l.n
			if v := w.V[j]; v > 0 {
				ofV[v-1].n += l.n
			}
		}
		s.place(rows)
		for j, l := range buckets[:len(w.U)] {
			if l.n == 0 {
				continue
			}
			// Copy the sum, because the next places overwrite the points of bucket.
			var sum group.Affine
			b.bucket.terms[l.start].Point(&sum, b.bucket.points)
			t := lanes.Term(2 * len(s.points))
			s.points = append(s.points, sum)
			s.put(&ofU[w.U[j]-1], t)
			if v := w.V[j]; v > 0 {
				s.put(&ofV[v-1], t)
			}
		}
	}
}
*)
Definition fill_row (bp : list G) (state : list G * list (list nat)) (entry : (nat * nat) * list nat) : list G * list (list nat) :=
  let '(points, rows) := state in
  let '((u, v), l) := entry in
  match l with
  | [] => state
  | t :: _ =>
      let term := 2 * length points in
      let rows := put rows (u - 1, term) in
      let rows := if 0 <? v then put rows (most + (v - 1), term) else rows in
      (points ++ [point bp t], rows)
  end.
Definition fill_place (bp : list G) (lists : list (list nat)) (points : list G) : list G * list (list nat) :=
  fold_left (fill_row bp) (List.combine pairs lists) (points, repeat [] (2 * most)).
Fixpoint fill_rows (count : nat) (bp : list G) (lists : list (list nat)) (points : list G) (rows : list (list nat)) : list G * list (list nat) :=
  match count with
  | 0 => (points, rows)
  | S count =>
      let '(points, more) := fill_place bp (firstn (length pairs) lists) points in
      fill_rows count bp (skipn (length pairs) lists) points (rows ++ more)
  end.

(* The part of row r that comes from a bucket with the pair uv and the sum B. *)
Definition part (r : nat) (uv : nat * nat) (B : G) : G :=
  plus (if fst uv - 1 =? r then B else O) (if (0 <? snd uv) && (most + (snd uv - 1) =? r) then B else O).

Lemma fill_place_right bp entries : Forall (fun e => good bp (snd e) /\ length (snd e) <= 1 /\ 1 <= fst (fst e) <= most /\ snd (fst e) <= most) entries ->
  forall points rows, (forall r, good points (nth r rows [])) -> length rows = 2 * most ->
  let '(points', rows') := fold_left (fill_row bp) entries (points, rows) in
  (exists more, points' = points ++ more) /\ length rows' = 2 * most /\ (forall r, good points' (nth r rows' [])) /\
  forall r, r < 2 * most -> value points' (nth r rows' []) =
    plus (value points (nth r rows [])) (total (map (fun e => part r (fst e) (value bp (snd e))) entries)).
Proof.
  induction 1 as [|[[u v] l] entries (Gl & Ll & Hu & Hv) F IH]; intros points rows Gr Lr; cbn [fold_left map total].
  - split; [exists []; symmetry; apply app_nil_r|]. split; [exact Lr|]. split; [exact Gr|]. intros r _. symmetry. apply plus_O_r.
  - cbn [fst snd] in *. destruct l as [|t [|]]; [| |cbn [length] in Ll; lia].
    + cbn [fill_row]. specialize (IH points rows Gr Lr). destruct (fold_left (fill_row bp) entries (points, rows)) as [points' rows'].
      destruct IH as (E & L & Gd & V). split; [exact E|]. split; [exact L|]. split; [exact Gd|]. intros r Hr. rewrite (V r Hr). f_equal.
      unfold part, value. cbn [map total fst snd]. destruct (u - 1 =? r), ((0 <? v) && (most + (v - 1) =? r)); rewrite !plus_O; reflexivity.
    + cbn [fill_row]. set (points1 := points ++ [point bp t]). set (term := 2 * length points).
      assert (Pt : point points1 term = point bp t) by apply point_new.
      assert (Gt : good_term points1 term).
      { unfold good_term, term, points1. rewrite Nat.div2_double, app_nth2, Nat.sub_diag by lia. cbn [nth]. inversion Gl as [|? ? Ht _]; subst.
        apply point_finite. exact Ht. }
      assert (G1 : forall r, good points1 (nth r rows [])) by (intros r; apply value_more; apply Gr).
      assert (V1 : forall r, value points1 (nth r rows []) = value points (nth r rows [])) by (intros r; apply value_more; apply Gr).
      destruct (put_right points1 rows (u - 1, term) Gt G1) as [L2 P2].
      set (rows2 := put rows (u - 1, term)) in *. set (rows3 := if 0 <? v then put rows2 (most + (v - 1), term) else rows2).
      assert (P3 : length rows3 = 2 * most /\ forall r, good points1 (nth r rows3 []) /\ (r < 2 * most ->
        value points1 (nth r rows3 []) = plus (value points1 (nth r rows2 [])) (if (0 <? v) && (most + (v - 1) =? r) then point bp t else O))).
      { unfold rows3. destruct (0 <? v); cbn [andb].
        - destruct (put_right points1 rows2 (most + (v - 1), term) Gt (fun r => proj1 (P2 r))) as [L3 P3]. cbn [fst snd] in P3. rewrite Pt in P3.
          split; [congruence|]. intros r. destruct (P3 r) as [A B]. split; [exact A|]. intros Hr. apply B. congruence.
        - split; [congruence|]. intros r. split; [apply P2|]. intros _. symmetry. apply plus_O_r. }
      destruct P3 as [L3 P3]. specialize (IH points1 rows3 (fun r => proj1 (P3 r)) L3).
      destruct (fold_left (fill_row bp) entries (points1, rows3)) as [points' rows']. destruct IH as ((more & ->) & L & Gd & V).
      split; [exists (point bp t :: more); unfold points1; rewrite <- app_assoc; reflexivity|]. split; [exact L|]. split; [exact Gd|]. intros r Hr.
      rewrite (V r Hr). destruct (P3 r) as [_ ->]; [|exact Hr]. destruct (P2 r) as [_ ->]; [|congruence]. cbn [fst snd]. rewrite Pt, V1.
      replace (value bp [t]) with (point bp t) by (symmetry; exact (plus_O_r (point bp t))).
      unfold part. cbn [fst snd]. rewrite !plus_assoc. reflexivity.
Qed.

(* The sum of row r of a place. *)
Definition row_sum (place r : nat) : G := total (map (fun m => part r (nth m pairs (0, 0)) (bucket place m)) (seq 0 (length pairs))).

Lemma combine_seq {T} (l : list T) d : List.combine pairs l = map (fun m => (nth m pairs (0, 0), nth m l d)) (seq 0 (Nat.min (length pairs) (length l))).
Proof.
  generalize pairs. intros ps. revert l. induction ps as [|p ps IH]; intros [|x l]; cbn [List.combine length Nat.min seq map nth]; try reflexivity.
  rewrite <- seq_shift, map_map. f_equal. apply IH.
Qed.

Lemma fill_place_sums bp lists points place : length lists = length pairs ->
  (forall m, m < length pairs -> good bp (nth m lists []) /\ length (nth m lists []) <= 1 /\ value bp (nth m lists []) = bucket place m) ->
  let '(points', rows') := fill_place bp lists points in
  (exists more, points' = points ++ more) /\ length rows' = 2 * most /\ (forall r, good points' (nth r rows' [])) /\
  forall r, r < 2 * most -> value points' (nth r rows' []) = row_sum place r.
Proof.
  intros L H. unfold fill_place. rewrite (combine_seq lists []), L, Nat.min_id.
  pose proof (fill_place_right bp (map (fun m => (nth m pairs (0, 0), nth m lists [])) (seq 0 (length pairs)))) as R.
  specialize (R ltac:(apply Forall_forall; intros e He; apply in_map_iff in He; destruct He as (m & <- & Hm); apply in_seq in Hm; cbn [fst snd];
    destruct (H m ltac:(lia)) as (H1 & H2 & _); split; [exact H1|]; split; [exact H2|]; rewrite Forall_forall in pairs_right; apply pairs_right; apply nth_In; lia)).
  specialize (R points (repeat [] (2 * most)) ltac:(intros r; rewrite nth_repeat_nil; constructor) (repeat_length _ _)).
  destruct (fold_left (fill_row bp) _ (points, repeat [] (2 * most))) as [points' rows']. destruct R as (E & Lr & Gd & V).
  split; [exact E|]. split; [exact Lr|]. split; [exact Gd|]. intros r Hr. rewrite (V r Hr), nth_repeat_nil. unfold value at 1. cbn [map total]. rewrite plus_O.
  rewrite map_map. cbn [fst snd]. apply total_ext. intros m Hm. apply in_seq in Hm. destruct (H m ltac:(lia)) as (_ & _ & ->). reflexivity.
Qed.

(* The rows of all places below a given place have the right sums. *)
Definition rows_ok (place : nat) (points : list G) (rows : list (list nat)) :=
  length rows = place * (2 * most) /\ (forall r, good points (nth r rows [])) /\
  forall i r, i < place -> r < 2 * most -> value points (nth (i * (2 * most) + r) rows []) = row_sum i r.

Lemma rows_more place points more rows : rows_ok place points rows -> rows_ok place (points ++ more) rows.
Proof.
  intros (L & Gd & V). split; [exact L|]. split; [intros r; apply value_more; apply Gd|].
  intros i r Hi Hr. rewrite <- (V i r Hi Hr). apply value_more. apply Gd.
Qed.

Lemma rows_app place points rows new : rows_ok place points rows -> length new = 2 * most -> (forall r, good points (nth r new [])) ->
  (forall r, r < 2 * most -> value points (nth r new []) = row_sum place r) -> rows_ok (S place) points (rows ++ new).
Proof.
  intros (L & Gd & V) Ln Gn Vn. split; [rewrite app_length; lia|]. split.
  - intros r. destruct (Nat.lt_ge_cases r (length rows)); [rewrite app_nth1 by lia; apply Gd|rewrite app_nth2 by lia; apply Gn].
  - intros i r Hi Hr. destruct (Nat.eq_dec i place) as [->|N].
    + rewrite app_nth2 by lia. rewrite L. replace (place * (2 * most) + r - place * (2 * most)) with r by lia. apply Vn. exact Hr.
    + rewrite app_nth1 by nia. apply V; lia.
Qed.

Lemma fill_rows_right bp count : forall lists points rows place, length lists = count * length pairs -> rows_ok place points rows ->
  (forall i m, i < count -> m < length pairs ->
    let l := nth (i * length pairs + m) lists [] in good bp l /\ length l <= 1 /\ value bp l = bucket (place + i) m) ->
  let '(points', rows') := fill_rows count bp lists points rows in rows_ok (place + count) points' rows'.
Proof.
  induction count as [|count IH]; intros lists points rows place L Ok H; cbn [fill_rows].
  - rewrite Nat.add_0_r. exact Ok.
  - assert (Hf : forall m, m < length pairs -> nth m (firstn (length pairs) lists) [] = nth m lists []).
    { intros m Hm. rewrite <- (firstn_skipn (length pairs) lists) at 2. rewrite app_nth1; [reflexivity|]. rewrite firstn_length. lia. }
    assert (Hs : forall i, nth i (skipn (length pairs) lists) [] = nth (length pairs + i) lists []).
    { intros i. rewrite <- (firstn_skipn (length pairs) lists) at 2. rewrite app_nth2; rewrite firstn_length; [f_equal; lia|lia]. }
    pose proof (fill_place_sums bp (firstn (length pairs) lists) points place) as R.
    specialize (R ltac:(rewrite firstn_length; lia) ltac:(intros m Hm; rewrite (Hf m Hm); pose proof (H 0 m ltac:(lia) Hm) as Q; rewrite Nat.add_0_r in Q; exact Q)).
    destruct (fill_place bp (firstn (length pairs) lists) points) as [points1 new]. destruct R as ((more & ->) & Ln & Gn & Vn).
    specialize (IH (skipn (length pairs) lists) (points ++ more) (rows ++ new) (S place)).
    destruct (fill_rows count bp (skipn (length pairs) lists) (points ++ more) (rows ++ new)) as [points' rows'].
    replace (place + S count) with (S place + count) by lia. apply IH.
    + rewrite skipn_length. lia.
    + apply rows_app; [apply rows_more; exact Ok|exact Ln|exact Gn|exact Vn].
    + intros i m Hi Hm. rewrite Hs. replace (length pairs + (i * length pairs + m)) with (S i * length pairs + m) by lia.
      replace (S place + i) with (place + S i) by lia. apply H; lia.
Qed.

(* The rows of all places. The buckets of several places are filled and added up together. *)
Definition together := Z.to_nat bucketed.
Fixpoint fill_all (in_lanes : bool) (fuel from places : nat) (points : list G) (rows : list (list nat)) : list G * list (list nat) :=
  match fuel with
  | 0 => (points, rows)
  | S fuel =>
      if from <? places then
        let count := Nat.min (places - from) (Nat.max 1 (together / length a)) in
        let '(bp, lists) := sum_lists in_lanes images (fill_buckets from count) in
        let '(points, rows) := fill_rows count bp lists points rows in
        fill_all in_lanes fuel (from + count) places points rows
      else (points, rows)
  end.

Lemma fill_all_right in_lanes places fuel : forall from points rows, from <= places -> places - from <= fuel -> rows_ok from points rows ->
  let '(points', rows') := fill_all in_lanes fuel from places points rows in rows_ok places points' rows'.
Proof.
  induction fuel as [|fuel IH]; intros from points rows Hf Hu Ok; cbn [fill_all].
  - replace places with from by lia. exact Ok.
  - destruct (Nat.ltb_spec from places); [|replace places with from by lia; exact Ok].
    set (count := Nat.min (places - from) (Nat.max 1 (together / length a))). assert (Hc : 1 <= count <= places - from) by lia. clearbody count.
    destruct (fill_buckets_right from count) as (L & Gd & V).
    pose proof (sum_lists_right in_lanes images (fill_buckets from count) Gd) as R.
    destruct (sum_lists in_lanes images (fill_buckets from count)) as [bp lists]. destruct R as (_ & Ll & R).
    pose proof (fill_rows_right bp count lists points rows from ltac:(congruence) Ok) as F.
    specialize (F ltac:(intros i m Hi Hm; destruct (R (i * length pairs + m)) as (R1 & R2 & R3); rewrite V in R3 by assumption; auto)).
    destruct (fill_rows count bp lists points rows) as [points1 rows1]. apply IH; [lia|lia|exact F].
Qed.

(* The lists of bits. The sum of row i counts (i mod most) + 1 times, so it is put into the list of each bit that is
   set in this number. The sum of a row for v is first multiplied by omega = 1 + lambda = -lambda^2. *)
(* internal/batch/buckets.go
func (b *buckets) fillBits(w *recode.Windows) []list {
	s := &b.row
	count := len(s.lists)
	places := count / (2 * w.Max)
	s.add(places * w.Width)
	rows, all := s.lists[:count], s.lists[count:]
	for ; len(rows) > 0; rows = rows[2*w.Max:] {
		// ω·S = −λ²·S = (β²·x, −y).
		for _, l := range rows[w.Max:][:w.Max] {
			if l.n > 0 {
				var p group.Affine
				s.terms[l.start].Point(&p, s.points)
				p.X.Mul(&p.X, &beta2)
				p.Y.Negate(&p.Y)
				s.terms[l.start] = lanes.Term(2 * len(s.points))
				s.points = append(s.points, p)
			}
		}
		// bits are the lists of this place. Row i, whether it belongs to R or to S, counts m = i%w.Max + 1 times.
		bits := all[len(all)-len(rows)/(2*w.Max)*w.Width:][:w.Width]
		for i := range 2 * w.Max {
			for bit := range bits {
				if (i%w.Max+1)>>bit&1 != 0 {
					bits[bit].n += rows[i].n
				}
			}
		}
		s.place(bits)
		for i := range 2 * w.Max {
			for bit := range bits {
				if (i%w.Max+1)>>bit&1 != 0 && rows[i].n > 0 {
					s.put(&bits[bit], s.terms[rows[i].start])
				}
			}
		}
	}
	return all
}
*)
Definition omega_times (P : G) := minus (times lambda (times lambda P)).
Definition turn_row (state : list G * list (list nat)) (l : list nat) : list G * list (list nat) :=
  let '(points, rows) := state in
  match l with
  | [] => (points, rows ++ [[]])
  | t :: _ => (points ++ [omega_times (point points t)], rows ++ [[2 * length points]])
  end.
Definition bit_puts (rows : list (list nat)) : list (nat * nat) :=
  flat_map (fun i => flat_map (fun b =>
    if Nat.testbit (i mod most + 1) b then match nth i rows [] with t :: _ => [(b, t)] | [] => [] end else [])
    (seq 0 width)) (seq 0 (2 * most)).
Fixpoint fill_bits (count : nat) (points : list G) (rows : list (list nat)) : list G * list (list nat) * list (list nat) :=
  match count with
  | 0 => (points, [], [])
  | S count =>
      let '(points, of_v) := fold_left turn_row (firstn most (skipn most rows)) (points, []) in
      let here := firstn most rows ++ of_v in
      let bits := puts (bit_puts here) (repeat [] width) in
      let '(points, rows, more) := fill_bits count points (skipn (2 * most) rows) in
      (points, here ++ rows, bits ++ more)
  end.

(* The whole sum. Its additions by DoubleAddVartime follow the group law: DoubleAddVartime_is_law in Operations.v. *)
(* internal/batch/buckets.go
func (b *buckets) sumVartime(p *group.Jacobian, width int, k []scalar.Scalar, a []group.Affine) {
	w := recode.WindowsOf(width)
	inLanes := platform.BucketsInLanes()
	places := b.recodeVartime(w, k)
	b.turn(a)
	b.row.reset()
	// Fill and add up the buckets of several places at a time. The buckets of these places share the inversions in the
	// adder's rounds.
	for from := 0; from < places; {
		n := min(places-from, max(1, parts.Bucketed/len(a)))
		b.fillBuckets(w, len(a), from, n)
		b.bucket.sumVartime(inLanes)
		b.fillRows(w)
		from += n
	}
	b.row.sumVartime(inLanes) // R and S of all places
	bits := b.fillBits(w)
	b.row.sumVartime(inLanes) // T of all places
	// Horner's rule: bits has T(j, b) at index w·j + b, so p becomes 2·p + T for each T from the last to the first.
	// DoubleAddVartime is correct for all points, including infinity and equal points.
	*p = group.Jacobian{}
	for _, l := range slices.Backward(bits) {
		if l.n > 0 {
			var sum group.Affine
			b.row.terms[l.start].Point(&sum, b.row.points)
			p.DoubleAddVartime(p, &sum.X, &sum.Y)
		} else {
			p.Double(p)
		}
	}
}
*)
Definition horner (points : list G) (bits : list (list nat)) : G :=
  fold_right (fun l p => match l with t :: _ => plus (plus p p) (point points t) | [] => plus p p end) O bits.
Definition sum_vartime (in_lanes : bool) (places : nat) : G :=
  let '(points, rows) := fill_all in_lanes places 0 places [] [] in
  let '(points, rows) := sum_lists in_lanes points rows in
  let '(points, rows, bits) := fill_bits places points rows in
  let '(points, lists) := sum_lists in_lanes points (rows ++ bits) in
  horner points (skipn (length rows) lists).

Lemma omega_right P : omega_times P = times (1 + lambda) P.
Proof.
  unfold omega_times. rewrite <- times_mul, <- times_minus. apply (LanePlaces.congruent_times G O plus minus plus_assoc plus_comm plus_O plus_minus); [apply n_times|].
  vm_compute. reflexivity.
Qed.

Lemma omega_O : omega_times O = O.
Proof. rewrite omega_right. apply times_O. Qed.

Lemma omega_finite P : P <> O -> omega_times P <> O.
Proof.
  intros Np E. apply (image_finite 2 P Np). cbn [image]. unfold omega_times in E.
  rewrite <- (times_1 (times lambda (times lambda P))), <- (Z.opp_involutive 1), times_minus, times_minus, times_1, E.
  rewrite <- (times_1 O) at 1. rewrite <- times_minus. apply times_O.
Qed.

Lemma value_one points t : value points [t] = point points t.
Proof. exact (plus_O_r (point points t)). Qed.

Lemma turn_rows_right rows : forall points done, (forall l, In l rows -> good points l /\ length l <= 1) ->
  let '(points', rows') := fold_left turn_row rows (points, done) in
  exists more new, points' = points ++ more /\ rows' = done ++ new /\ length new = length rows /\
  forall r, good points' (nth r new []) /\ length (nth r new []) <= 1 /\ value points' (nth r new []) = omega_times (value points (nth r rows [])).
Proof.
  induction rows as [|l rows IH]; intros points done H; cbn [fold_left].
  - exists [], []. rewrite !app_nil_r. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|].
    intros [|r]; (split; [constructor|]; split; [cbn; lia|]; symmetry; exact omega_O).
  - destruct (H l (or_introl eq_refl)) as [Gl Ll]. destruct l as [|t [|]]; [| |cbn [length] in Ll; lia]; cbn [turn_row].
    + specialize (IH points (done ++ [[]]) (fun l Hl => H l (or_intror Hl))).
      destruct (fold_left turn_row rows (points, done ++ [[]])) as [points' rows']. destruct IH as (more & new & -> & -> & L & V).
      exists more, ([] :: new). split; [reflexivity|]. split; [rewrite <- app_assoc; reflexivity|]. split; [cbn [length]; lia|].
      intros [|r]; cbn [nth]; [split; [constructor|]; split; [cbn; lia|]; symmetry; exact omega_O|apply V].
    + set (P := omega_times (point points t)). assert (Gm : forall l, In l rows -> good (points ++ [P]) l /\ length l <= 1).
      { intros l Hl. destruct (H l (or_intror Hl)) as [A B]. split; [|exact B]. apply value_more. exact A. }
      specialize (IH (points ++ [P]) (done ++ [[2 * length points]]) Gm).
      destruct (fold_left turn_row rows (points ++ [P], done ++ [[2 * length points]])) as [points' rows']. destruct IH as (more & new & -> & -> & L & V).
      exists (P :: more), ([2 * length points] :: new). split; [rewrite <- app_assoc; reflexivity|]. split; [rewrite <- app_assoc; reflexivity|].
      split; [cbn [length]; lia|]. intros [|r].
      * cbn [nth]. assert (Gt : good (points ++ [P]) [2 * length points]).
        { constructor; [|constructor]. rewrite Nat.div2_double, app_nth2, Nat.sub_diag by lia. cbn [nth]. inversion Gl as [|? ? Ht _]; subst.
          apply omega_finite. apply point_finite. exact Ht. }
        destruct (value_more (points ++ [P]) more _ Gt) as [E1 E2]. split; [exact E2|]. split; [cbn; lia|]. rewrite E1, !value_one.
        apply point_new.
      * cbn [nth]. destruct (V r) as (V1 & V2 & V3). split; [exact V1|]. split; [exact V2|]. rewrite V3. f_equal.
        destruct (Nat.lt_ge_cases r (length rows)) as [Lr|Lr]; [|rewrite nth_overflow by lia; reflexivity].
        apply value_more. apply (H (nth r rows []) (or_intror (nth_In rows [] Lr))).
Qed.

(* turned_row is the sum of a row, multiplied by omega if the row is for v. bit_sum is the sum of the list of a bit. *)
Definition turned_row (place r : nat) : G := if r <? most then row_sum place r else omega_times (row_sum place r).
Definition bit_sum (place b : nat) : G :=
  total (map (fun i => if Nat.testbit (i mod most + 1) b then turned_row place i else O) (seq 0 (2 * most))).

Lemma bits_right points rows place : (forall r, good points (nth r rows []) /\ length (nth r rows []) <= 1) ->
  (forall r, r < 2 * most -> value points (nth r rows []) = turned_row place r) ->
  length (puts (bit_puts rows) (repeat [] width)) = width /\ (forall b, good points (nth b (puts (bit_puts rows) (repeat [] width)) [])) /\
  forall b, b < width -> value points (nth b (puts (bit_puts rows) (repeat [] width)) []) = bit_sum place b.
Proof.
  intros H V. assert (Gt : Forall (fun it => good_term points (snd it)) (bit_puts rows)).
  { apply Forall_forall. intros it Hi. unfold bit_puts in Hi. apply in_flat_map in Hi. destruct Hi as (i & _ & Hi). apply in_flat_map in Hi.
    destruct Hi as (b & _ & Hi). destruct (Nat.testbit (i mod most + 1) b); [|destruct Hi]. destruct (H i) as [Gi _].
    destruct (nth i rows []) as [|t l]; [destruct Hi|]. destruct Hi as [<-|[]]. inversion Gi; assumption. }
  destruct (puts_right points _ Gt (repeat [] width)) as [L P]; [intros j; rewrite nth_repeat_nil; constructor|]. rewrite repeat_length in *.
  split; [exact L|]. split; [intros b; apply P|]. intros b Hb. destruct (P b) as [_ E]. rewrite (E Hb), nth_repeat_nil.
  change (value points []) with O. rewrite plus_O. unfold bit_puts, bit_sum. rewrite total_flat_map. apply total_ext. intros i Hi. apply in_seq in Hi.
  rewrite total_flat_map.
  transitivity (total (map (fun b' => if b =? b' then (if Nat.testbit (i mod most + 1) b' then turned_row place i else O) else O) (seq 0 width))).
  2: { rewrite total_one. destruct (Nat.ltb_spec b (0 + width)); [reflexivity|lia]. }
  apply total_ext. intros b' _. destruct (Nat.testbit (i mod most + 1) b'); [|destruct (b =? b'); reflexivity].
  rewrite <- (V i) by lia. destruct (H i) as [_ Li]. destruct (nth i rows []) as [|t [|]]; [destruct (b =? b'); reflexivity| |cbn [length] in Li; lia].
  cbn [map ListSums.total fst snd]. rewrite value_one, plus_O_r, Nat.eqb_sym. reflexivity.
Qed.

Lemma fill_bits_right count : forall points rows place, length rows = count * (2 * most) ->
  (forall r, good points (nth r rows []) /\ length (nth r rows []) <= 1) ->
  (forall i r, i < count -> r < 2 * most -> value points (nth (i * (2 * most) + r) rows []) = row_sum (place + i) r) ->
  let '(points', rows', bits) := fill_bits count points rows in
  (exists more, points' = points ++ more) /\ length bits = count * width /\
  (forall r, good points' (nth r rows' [])) /\ (forall r, good points' (nth r bits [])) /\
  forall i b, i < count -> b < width -> value points' (nth (i * width + b) bits []) = bit_sum (place + i) b.
Proof.
  induction count as [|count IH]; intros points rows place L H V; cbn [fill_bits].
  - split; [exists []; symmetry; apply app_nil_r|]. split; [reflexivity|]. split; [intros [|]; constructor|]. split; [intros [|]; constructor|lia].
  - set (of_v := firstn most (skipn most rows)).
    assert (Hv : forall r, r < most -> nth r of_v [] = nth (most + r) rows []).
    { intros r Hr. unfold of_v. rewrite <- (firstn_skipn most rows) at 2. rewrite app_nth2; rewrite firstn_length; [|lia].
      replace (most + r - Nat.min most (length rows)) with r by lia. rewrite <- (firstn_skipn most (skipn most rows)) at 2.
      rewrite app_nth1; [reflexivity|]. rewrite firstn_length, skipn_length. lia. }
    assert (Lv : length of_v = most) by (unfold of_v; rewrite firstn_length, skipn_length; lia).
    assert (Hu : forall r, r < most -> nth r (firstn most rows) [] = nth r rows []).
    { intros r Hr. rewrite <- (firstn_skipn most rows) at 2. rewrite app_nth1; [reflexivity|]. rewrite firstn_length. lia. }
    assert (Lu : length (firstn most rows) = most) by (rewrite firstn_length; lia).
    assert (Hs : forall r, nth r (skipn (2 * most) rows) [] = nth (2 * most + r) rows []).
    { intros r. rewrite <- (firstn_skipn (2 * most) rows) at 2. rewrite app_nth2; rewrite firstn_length; [f_equal; lia|lia]. }
    pose proof (turn_rows_right of_v points []) as T. specialize (T ltac:(intros l Hl; apply (In_nth _ _ []) in Hl;
      destruct Hl as (r & Hr & <-); rewrite Lv in Hr; rewrite (Hv r Hr); apply H)).
    destruct (fold_left turn_row of_v (points, [])) as [points1 turned_v]. destruct T as (more1 & new & -> & -> & Ln & T). cbn [app].
    set (here := firstn most rows ++ new).
    assert (Here : forall r, good (points ++ more1) (nth r here []) /\ length (nth r here []) <= 1).
    { intros r. unfold here. destruct (Nat.lt_ge_cases r most) as [Lr|Lr].
      - rewrite app_nth1 by lia. rewrite Hu by lia. destruct (H r) as [A B]. split; [apply value_more; exact A|exact B].
      - rewrite app_nth2 by lia. split; apply T. }
    assert (Vh : forall r, r < 2 * most -> value (points ++ more1) (nth r here []) = turned_row place r).
    { intros r Hr. unfold here, turned_row. pose proof (V 0 r ltac:(lia) Hr) as V0. cbn [Nat.mul Nat.add] in V0. rewrite Nat.add_0_r in V0.
      destruct (Nat.ltb_spec r most) as [Lr|Lr].
      - rewrite app_nth1 by lia. rewrite Hu by lia. rewrite <- V0. apply value_more. apply H.
      - rewrite app_nth2 by lia. rewrite Lu. destruct (T (r - most)) as (_ & _ & ->). rewrite Hv by lia.
        replace (most + (r - most)) with r by lia. rewrite <- V0. reflexivity. }
    destruct (bits_right (points ++ more1) here place Here Vh) as (Lb & Gb & Vb). set (bits := puts (bit_puts here) (repeat [] width)) in *.
    specialize (IH (points ++ more1) (skipn (2 * most) rows) (S place)). rewrite skipn_length in IH. specialize (IH ltac:(lia)).
    specialize (IH ltac:(intros r; rewrite (Hs r); destruct (H (2 * most + r)) as [A B]; split; [apply value_more; exact A|exact B])).
    specialize (IH ltac:(intros i r Hi Hr; rewrite Hs; replace (2 * most + (i * (2 * most) + r)) with (S i * (2 * most) + r) by lia;
      replace (S place + i) with (place + S i) by lia; rewrite <- (V (S i) r ltac:(lia) Hr); apply value_more; apply H)).
    destruct (fill_bits count (points ++ more1) (skipn (2 * most) rows)) as [[points' rows'] bits'].
    destruct IH as ((more2 & ->) & L' & Gr & Gb' & V').
    split; [exists (more1 ++ more2); symmetry; apply app_assoc|]. split; [rewrite app_length; lia|]. split; [|split].
    + intros r. destruct (Nat.lt_ge_cases r (length here)); [rewrite app_nth1 by lia; apply value_more; apply Here|rewrite app_nth2 by lia; apply Gr].
    + intros r. destruct (Nat.lt_ge_cases r (length bits)); [rewrite app_nth1 by lia; apply value_more; apply Gb|rewrite app_nth2 by lia; apply Gb'].
    + intros [|i] b Hi Hb.
      * cbn [Nat.mul Nat.add]. rewrite Nat.add_0_r, app_nth1 by lia. rewrite <- (Vb b Hb). apply value_more. apply Gb.
      * rewrite app_nth2 by nia. rewrite Lb. replace (S i * width + b - width) with (i * width + b) by lia.
        replace (place + S i) with (S place + i) by lia. apply V'; lia.
Qed.

(* Horner's rule gives the sum of 2^x times list x. total_blocks splits a sum over p c numbers into p blocks of c. *)
Lemma horner_right points bits : (forall r, length (nth r bits []) <= 1) ->
  horner points bits = total (map (fun x => times (2 ^ Z.of_nat x) (value points (nth x bits []))) (seq 0 (length bits))).
Proof.
  induction bits as [|l bits IH]; intros H; [reflexivity|]. cbn [horner fold_right length seq map ListSums.total nth].
  change (2 ^ Z.of_nat 0)%Z with 1%Z. rewrite times_1, <- seq_shift, map_map. fold (horner points bits). rewrite IH by (intros r; apply (H (S r))).
  assert (E : total (map (fun x => times (2 ^ Z.of_nat (S x)) (value points (nth (S x) (l :: bits) []))) (seq 0 (length bits))) =
    times 2 (total (map (fun x => times (2 ^ Z.of_nat x) (value points (nth x bits []))) (seq 0 (length bits))))).
  { rewrite total_times. apply total_ext. intros x _. rewrite <- times_mul. cbn [nth]. f_equal. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. }
  match type of E with _ = times 2 ?t => set (h := t) in * end.
  transitivity (plus (value points l) (times 2 h)); [|apply (f_equal (plus (value points l))); symmetry; exact E].
  replace (times 2 h) with (plus h h) by (change 2%Z with (1 + 1)%Z; rewrite times_add, times_1; reflexivity).
  pose proof (H 0) as L. cbn [nth] in L. destruct l as [|t [|]]; [| |cbn [length] in L; lia].
  - change (value points []) with O. rewrite plus_O. reflexivity.
  - rewrite value_one. apply plus_comm.
Qed.

Lemma seq_from s c : seq s c = map (fun b => s + b) (seq 0 c).
Proof.
  induction c as [|c IH]; [reflexivity|]. rewrite !seq_S, map_app, IH. reflexivity.
Qed.

Lemma total_blocks (f : nat -> G) p c : total (map f (seq 0 (p * c))) = total (map (fun i => total (map (fun b => f (i * c + b)) (seq 0 c))) (seq 0 p)).
Proof.
  induction p as [|p IH]; [reflexivity|]. rewrite seq_S, map_app, total_app, <- IH. cbn [map ListSums.total Nat.add]. rewrite plus_O_r.
  replace (S p * c) with (p * c + c) by lia. rewrite seq_app, map_app, total_app. f_equal. rewrite Nat.add_0_l, seq_from, map_map. reflexivity.
Qed.

(* The sum of 2^b P over the bits b that are set in m is m P. *)
Lemma bits_of P c : forall m, m < 2 ^ c ->
  total (map (fun b => times (2 ^ Z.of_nat b) (if Nat.testbit m b then P else O)) (seq 0 c)) = times (Z.of_nat m) P.
Proof.
  induction c as [|c IH]; intros m Hm.
  - cbn in Hm. replace m with 0 by lia. reflexivity.
  - cbn [seq map ListSums.total]. rewrite <- seq_shift, map_map. change (2 ^ Z.of_nat 0)%Z with 1%Z. rewrite times_1.
    pose proof (Nat.div2_odd m) as D. assert (Hd : Nat.div2 m < 2 ^ c) by (cbn [Nat.pow] in Hm; destruct (Nat.odd m); cbn [Nat.b2n] in D; lia).
    replace (total (map (fun x => times (2 ^ Z.of_nat (S x)) (if Nat.testbit m (S x) then P else O)) (seq 0 c)))
      with (times 2 (times (Z.of_nat (Nat.div2 m)) P)).
    + change (Nat.testbit m 0) with (Nat.odd m). rewrite <- times_mul. rewrite D at 3. destruct (Nat.odd m); cbn [Nat.b2n].
      * rewrite <- (times_1 P) at 1. rewrite <- times_add. f_equal. lia.
      * rewrite plus_O. f_equal. lia.
    + rewrite <- (IH _ Hd), total_times. apply total_ext. intros x _. rewrite <- times_mul. change (Nat.testbit m (S x)) with (Nat.testbit (Nat.div2 m) x).
      f_equal. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity.
Qed.

(* The sum of (u + v omega) B over all buckets B, computed from the sums of rows. *)
Definition weight (uv : nat * nat) (B : G) : G := plus (times (Z.of_nat (fst uv)) B) (times (Z.of_nat (snd uv)) (omega_times B)).
Definition linear (r : nat) (P : G) : G := if r <? most then P else omega_times P.

Lemma linear_right r : exists k, forall P, linear r P = times k P.
Proof. unfold linear. destruct (r <? most); [exists 1%Z; intros; symmetry; apply times_1|exists (1 + lambda)%Z; apply omega_right]. Qed.

Lemma rows_of_bucket uv B : 1 <= fst uv <= most /\ snd uv <= most ->
  total (map (fun r => times (Z.of_nat (r mod most + 1)) (linear r (part r uv B))) (seq 0 (2 * most))) = weight uv B.
Proof.
  destruct uv as [u v]. cbn [fst snd]. intros [Hu Hv]. unfold part, weight. cbn [fst snd].
  transitivity (total (map (fun r => plus
    (if u - 1 =? r then times (Z.of_nat (r mod most + 1)) (linear r B) else O)
    (if (most + (v - 1)) =? r then (if 0 <? v then times (Z.of_nat (r mod most + 1)) (linear r B) else O) else O)) (seq 0 (2 * most)))).
  - apply total_ext. intros r _. destruct (linear_right r) as [k K]. rewrite !K, times_plus, times_plus.
    f_equal; [destruct (u - 1 =? r)|destruct (0 <? v), (most + (v - 1) =? r); cbn [andb]]; rewrite ?times_O; reflexivity.
  - rewrite (total_plus _ (fun r => if u - 1 =? r then times (Z.of_nat (r mod most + 1)) (linear r B) else O)).
    rewrite (total_one (fun r => times (Z.of_nat (r mod most + 1)) (linear r B)) (u - 1)).
    rewrite (total_one (fun r => if 0 <? v then times (Z.of_nat (r mod most + 1)) (linear r B) else O) (most + (v - 1))). cbn [Nat.leb andb].
    destruct (Nat.ltb_spec (u - 1) (0 + 2 * most)); [|lia]. f_equal.
    + unfold linear. destruct (Nat.ltb_spec (u - 1) most); [|lia]. rewrite Nat.mod_small by lia. do 2 f_equal. lia.
    + destruct (Nat.ltb_spec 0 v) as [V0|V0].
      * destruct (Nat.ltb_spec (most + (v - 1)) (0 + 2 * most)); [|lia]. unfold linear. destruct (Nat.ltb_spec (most + (v - 1)) most); [lia|].
        replace (most + (v - 1)) with (v - 1 + 1 * most) by lia. rewrite Nat.mod_add, Nat.mod_small by lia. do 2 f_equal. lia.
      * replace v with 0 by lia. change (Z.of_nat 0) with 0%Z. rewrite times_0. destruct (most + (0 - 1) <? 0 + 2 * most); reflexivity.
Qed.

(* The product of a digit and a point. *)
Definition digit_times (d : nat * nat) (P : G) : G :=
  match fst d with 0 => O | S m => weight (nth m pairs (0, 0)) (unit_times (snd d) P) end.

Lemma weight_right uv B : weight uv B = times (number (Z.of_nat (fst uv) + Z.of_nat (snd uv), Z.of_nat (snd uv))%Z) B.
Proof. unfold weight, number. rewrite omega_right, <- times_mul, <- times_add. cbn [fst snd]. f_equal. ring. Qed.

Lemma place_right place : total (map (fun b => times (2 ^ Z.of_nat b) (bit_sum place b)) (seq 0 width)) =
  total (map (fun j => digit_times (digit place j) (nth j a O)) (seq 0 (length a))).
Proof.
  transitivity (total (map (fun r => times (Z.of_nat (r mod most + 1)) (turned_row place r)) (seq 0 (2 * most)))).
  { unfold bit_sum. transitivity (total (map (fun b => total (map (fun r => times (2 ^ Z.of_nat b) (if Nat.testbit (r mod most + 1) b then turned_row place r else O))
      (seq 0 (2 * most)))) (seq 0 width))).
    - apply total_ext. intros b _. apply total_times.
    - rewrite total_swap. apply total_ext. intros r Hr. apply in_seq in Hr. apply bits_of.
      pose proof (Nat.mod_upper_bound r most ltac:(lia)). lia. }
  transitivity (total (map (fun r => total (map (fun m => times (Z.of_nat (r mod most + 1)) (linear r (part r (nth m pairs (0, 0)) (bucket place m))))
    (seq 0 (length pairs)))) (seq 0 (2 * most)))).
  { apply total_ext. intros r _. unfold turned_row. change (if r <? most then row_sum place r else omega_times (row_sum place r)) with (linear r (row_sum place r)).
    destruct (linear_right r) as [k K]. rewrite K. unfold row_sum. rewrite !total_times. apply total_ext. intros m _. rewrite K. reflexivity. }
  rewrite total_swap.
  transitivity (total (map (fun m => total (map (fun j =>
    if fst (digit place j) =? S m then weight (nth m pairs (0, 0)) (unit_times (snd (digit place j)) (nth j a O)) else O) (seq 0 (length a)))) (seq 0 (length pairs)))).
  { apply total_ext. intros m Hm. apply in_seq in Hm. rewrite rows_of_bucket by (rewrite Forall_forall in pairs_right; apply pairs_right; apply nth_In; lia).
    rewrite weight_right. unfold bucket. rewrite total_times. apply total_ext. intros j _. rewrite weight_right.
    destruct (digit place j) as [e unit]. cbn [fst snd]. destruct (e =? S m); [reflexivity|apply times_O]. }
  rewrite total_swap. apply total_ext. intros j _. pose proof (digit_right place j) as [He _]. unfold digit_times.
  destruct (digit place j) as [e unit]. cbn [fst snd] in *. destruct e as [|e].
  - apply total_O. intros m _. reflexivity.
  - pose proof (total_one (fun m => weight (nth m pairs (0, 0)) (unit_times unit (nth j a O))) e (length pairs) 0) as T.
    destruct (Nat.ltb_spec e (0 + length pairs)); [|lia]. exact T.
Qed.

(* The integer that a digit stands for. *)
Definition digit_value (d : nat * nat) : Z :=
  match fst d with
  | 0 => 0%Z
  | S m => let '(u, v) := nth m pairs (0, 0) in
      number (turn (Z.of_nat (Nat.div2 (snd d))) (Nat.odd (snd d)) (Z.of_nat u + Z.of_nat v, Z.of_nat v)%Z)
  end.

Lemma unit_turned unit P : unit <= 5 -> unit_times unit P = LanePlaces.turned G O plus minus (Z.of_nat (Nat.div2 unit)) (Nat.odd unit) P.
Proof.
  intros H. assert (P3 : forall (T : Type) p (x y z : T), p < 3 -> match p with 0 => x | 1 => y | _ => z end = pick (Z.of_nat p) x y z).
  { intros T p x y z Hp. destruct p as [|[|[|]]]; [reflexivity..|lia]. }
  unfold unit_times, LanePlaces.turned, image. rewrite P3; [reflexivity|]. do 6 (destruct unit as [|unit]; [cbn; lia|]). lia.
Qed.

Lemma turned_times k power minus_ P :
  times k (LanePlaces.turned G O plus minus power minus_ P) = LanePlaces.turned G O plus minus power minus_ (times k P).
Proof.
  assert (Mn : forall Q, minus Q = times (-1) Q) by (intros Q; change (-1)%Z with (- (1))%Z; rewrite times_minus, times_1; reflexivity).
  unfold LanePlaces.turned, pick. destruct (power =? 0)%Z; [|destruct (power =? 1)%Z]; destruct minus_; rewrite ?Mn, <- ?times_mul; f_equal; ring.
Qed.

Lemma digit_times_right d P : snd d <= 5 -> digit_times d P = times (digit_value d) P.
Proof.
  intros H. unfold digit_times, digit_value. destruct (fst d) as [|m]; [symmetry; apply times_0|].
  rewrite weight_right, unit_turned, turned_times by exact H. destruct (nth m pairs (0, 0)) as [u v].
  apply (LanePlaces.turned_right G O plus minus plus_assoc plus_comm plus_O plus_minus). apply n_times.
Qed.

Definition zsum (f : nat -> Z) (l : list nat) : Z := fold_right (fun i z => f i + z)%Z 0%Z l.

Lemma total_zsum f P l : total (map (fun i => times (f i) P) l) = times (zsum f l) P.
Proof. induction l as [|i l IH]; cbn [map ListSums.total zsum fold_right]; [reflexivity|]. fold (zsum f l). rewrite IH, times_add. reflexivity. Qed.

Theorem buckets_are_sum in_lanes places : sum_vartime in_lanes places =
  total (map (fun j => times (zsum (fun i => 2 ^ Z.of_nat (i * width) * digit_value (digit i j))%Z (seq 0 places)) (nth j a O)) (seq 0 (length a))).
Proof.
  unfold sum_vartime. pose proof (fill_all_right in_lanes places places 0 [] [] ltac:(lia) ltac:(lia)) as F.
  destruct (fill_all in_lanes places 0 places [] []) as [points1 rows1]. destruct F as (L1 & G1 & V1).
  { split; [reflexivity|]. split; [intros [|]; constructor|lia]. }
  pose proof (sum_lists_right in_lanes points1 rows1 G1) as F. destruct (sum_lists in_lanes points1 rows1) as [points2 rows2].
  destruct F as (_ & L2 & F). pose proof (fill_bits_right places points2 rows2 0) as B. rewrite L2 in B. specialize (B L1).
  specialize (B ltac:(intros r; destruct (F r) as (A1 & A2 & _); auto)).
  specialize (B ltac:(intros i r Hi Hr; destruct (F (i * (2 * most) + r)) as (_ & _ & ->); apply V1; assumption)).
  destruct (fill_bits places points2 rows2) as [[points3 rows3] bits]. destruct B as (_ & Lb & Gr & Gb & Vb).
  assert (G3 : forall j, good points3 (nth j (rows3 ++ bits) [])).
  { intros j. destruct (Nat.lt_ge_cases j (length rows3)); [rewrite app_nth1 by lia; apply Gr|rewrite app_nth2 by lia; apply Gb]. }
  pose proof (sum_lists_right in_lanes points3 (rows3 ++ bits) G3) as E. destruct (sum_lists in_lanes points3 (rows3 ++ bits)) as [points4 lists].
  destruct E as (_ & L4 & E). rewrite app_length in L4.
  assert (Hs : forall r, nth r (skipn (length rows3) lists) [] = nth (length rows3 + r) lists []).
  { intros r. rewrite <- (firstn_skipn (length rows3) lists) at 2. rewrite app_nth2; rewrite firstn_length; [f_equal; lia|lia]. }
  rewrite horner_right by (intros r; rewrite Hs; apply E). rewrite skipn_length, L4. replace (length rows3 + length bits - length rows3) with (places * width) by lia.
  rewrite total_blocks.
  transitivity (total (map (fun i => total (map (fun j => times (2 ^ Z.of_nat (i * width) * digit_value (digit i j)) (nth j a O)) (seq 0 (length a)))) (seq 0 places))).
  - apply total_ext. intros i Hi. apply in_seq in Hi.
    transitivity (times (2 ^ Z.of_nat (i * width)) (total (map (fun b => times (2 ^ Z.of_nat b) (bit_sum i b)) (seq 0 width)))).
    + rewrite total_times. apply total_ext. intros b Hb. apply in_seq in Hb. rewrite <- times_mul, Hs. destruct (E (length rows3 + (i * width + b))) as (_ & _ & ->).
      rewrite app_nth2_plus. rewrite (Vb i b) by lia. f_equal. rewrite Nat2Z.inj_add, Z.pow_add_r by lia. reflexivity.
    + rewrite place_right, total_times. apply total_ext. intros j _. rewrite digit_times_right by apply digit_right. symmetry. apply times_mul.
  - rewrite total_swap. apply total_ext. intros j _. apply (total_zsum (fun i => 2 ^ Z.of_nat (i * width) * digit_value (digit i j))%Z).
Qed.
End Digits.

(* The digits that the code computes for a width. *)
Definition record (w : Z) (entries : list (Z * Z)) (z : Z * Z) : nat * nat :=
  let '(e, unit) := nth_class w entries (reduce w z) in (Z.to_nat e, Z.to_nat unit).
Definition digits_of (w : Z) (entries table : list (Z * Z)) (c : nat) (k : Z) : list (nat * nat) :=
  map (record w entries) (states w (of_class w (nth_class w table)) c (k1 k, k2 k)).
Definition pairs_of (pairs : list (Z * Z)) : list (nat * nat) := map (fun p => (Z.to_nat (fst p), Z.to_nat (snd p))) pairs.
(* 1 more than the highest place with a digit, or 0 if there is no digit. *)
Fixpoint used (d : list (nat * nat)) : nat :=
  match d with [] => 0 | x :: d => match used d with 0 => if fst x =? 0 then 0 else 1 | S c => S (S c) end end.

(* internal/batch/buckets.go
func (b *buckets) recodeVartime(w *recode.Windows, k []scalar.Scalar) (places int) {
	// The stride is an odd number of cache lines of 64 bytes. If the stride were a power of two, the digits of one
	// scalar would all be in the same few sets of the cache. Because they are written one after the other, they would
	// then evict each other.
	const line = 64 / 2 // digits in a cache line
	b.stride = ((len(k)+line-1)/line | 1) * line
	if n := recode.MaxWindows * b.stride; len(b.digits) < n {
		b.digits = make([]recode.WindowDigit, n)
	} else {
		clear(b.digits[:n])
	}
	var k1, k2 [lanes.N]scalar.Signed128
	for from := 0; from < len(k); from += lanes.N {
		block := k[from:min(from+lanes.N, len(k))]
		if platform.ScalarsInLanes() {
			lanes.SplitVartime(k1[:len(block)], k2[:len(block)], block)
		} else {
			for i := range block {
				k1[i], k2[i] = block[i].Split()
			}
		}
		for i := range block {
			places = max(places, w.DigitsVartime(b.digits[from+i:], b.stride, k1[i], k2[i]))
		}
	}
	return places
}
*)
Definition sum_of_products (w : Z) (entries table pairs : list (Z * Z)) (most c : nat) (in_lanes : bool) (k : list Z) (a : list G) : G :=
  let digits := map (digits_of w entries table c) k in
  sum_vartime (pairs_of pairs) most (Z.to_nat w) digits a in_lanes (list_max (map used digits)).

Section Width.
Variable w : Z.
Variable entries table pairs : list (Z * Z).
Variable most c : nat.
Hypothesis w_pos : (0 < w)%Z.
Hypothesis entries_right : forall z, window_entry w pairs entries table (reduce w z) = true.
Hypothesis rows_right : in_rows w most pairs = true.
Hypothesis all_right : forall v, (0 <= v < n)%Z -> length (all_places w (nth_class w table) c (k1 v, k2 v)) = c /\
  (sums w (all_places w (nth_class w table) c (k1 v, k2 v)) mod n)%Z = v.

Lemma rows_bounds : most < 2 ^ Z.to_nat w /\ Forall (fun p => (1 <= fst p <= Z.of_nat most /\ 0 <= snd p <= Z.of_nat most)%Z) pairs.
Proof.
  unfold in_rows in rows_right. apply andb_prop in rows_right. destruct rows_right as [R1 R2]. apply Z.ltb_lt in R1. split.
  - apply Nat2Z.inj_lt. rewrite Nat2Z.inj_pow, Z2Nat.id by lia. exact R1.
  - apply Forall_forall. intros p Hp. rewrite forallb_forall in R2. specialize (R2 p Hp). apply andb_prop in R2. destruct R2 as [R2 P4].
    apply andb_prop in R2. destruct R2 as [R2 P3]. apply andb_prop in R2. destruct R2 as [P1 P2]. apply Z.leb_le in P1, P2, P3, P4. auto.
Qed.

Lemma record_right z : fst (record w entries z) <= length (pairs_of pairs) /\ snd (record w entries z) <= 5 /\
  digit_value (pairs_of pairs) (record w entries z) = number (of_class w (nth_class w table) z).
Proof.
  pose proof (entries_right z) as E. unfold window_entry in E. unfold record, of_class. destruct (nth_class w entries (reduce w z)) as [e unit].
  unfold window_value in E. destruct (nth (Z.to_nat (e - 1)) pairs (0, 0)%Z) as [u v] eqn:Euv.
  set (value := if (e =? 0)%Z then _ else _) in E. destruct value as [x y] eqn:Ev. destruct (nth_class w table (reduce w z)) as [x' y'].
  apply andb_prop in E. destruct E as [E E6]. apply andb_prop in E. destruct E as [E E5]. apply andb_prop in E. destruct E as [E E4].
  apply andb_prop in E. destruct E as [E E3]. apply andb_prop in E. destruct E as [E1 E2].
  apply Z.leb_le in E1, E2, E3, E4. apply Z.eqb_eq in E5, E6. subst x' y'. unfold pairs_of. rewrite map_length. cbn [fst snd].
  split; [lia|]. split; [lia|]. unfold digit_value. cbn [fst snd]. subst value. destruct (Z.eqb_spec e 0) as [->|Ne].
  - injection Ev as <- <-. reflexivity.
  - replace (Z.to_nat e) with (S (Z.to_nat (e - 1))) by lia.
    assert (Hn : nth (Z.to_nat (e - 1)) (map (fun p : Z * Z => (Z.to_nat (fst p), Z.to_nat (snd p))) pairs) (0, 0) = (Z.to_nat u, Z.to_nat v)).
    { pose proof (map_nth (fun p : Z * Z => (Z.to_nat (fst p), Z.to_nat (snd p))) pairs (0, 0)%Z (Z.to_nat (e - 1))) as Q. rewrite Euv in Q. exact Q. }
    rewrite Hn. destruct rows_bounds as [_ F]. rewrite Forall_forall in F. specialize (F (u, v)). rewrite <- Euv in F. specialize (F ltac:(apply nth_In; lia)).
    rewrite Euv in F. cbn [fst snd] in F. rewrite !Z2Nat.id by lia.
    assert (C : (unit = 0 \/ unit = 1 \/ unit = 2 \/ unit = 3 \/ unit = 4 \/ unit = 5)%Z) by lia.
    rewrite <- Ev. destruct C as [->|[->|[->|[->|[->| ->]]]]]; reflexivity.
Qed.

(* Sums of digits by Horner's rule. *)
Definition by_horner (d : list (nat * nat)) : Z := fold_right (fun x r => digit_value (pairs_of pairs) x + 2 ^ w * r)%Z 0%Z d.

Lemma digit_0 unit : digit_value (pairs_of pairs) (0, unit) = 0%Z.
Proof. reflexivity. Qed.

Lemma used_sum d : forall places, used d <= places ->
  zsum (fun i => 2 ^ Z.of_nat (i * Z.to_nat w) * digit_value (pairs_of pairs) (nth i d (0, 0)%nat))%Z (seq 0 places) = by_horner d.
Proof.
  assert (Sh : forall f m, zsum (fun i => 2 ^ Z.of_nat (i * Z.to_nat w) * f i)%Z (seq 0 (S m)) =
    (f 0%nat + 2 ^ w * zsum (fun i => 2 ^ Z.of_nat (i * Z.to_nat w) * f (S i)) (seq 0 m))%Z).
  { intros f m. cbn [seq zsum fold_right Nat.mul]. change (2 ^ Z.of_nat 0)%Z with 1%Z. rewrite Z.mul_1_l. f_equal. rewrite <- seq_shift.
    induction (seq 0 m) as [|i l IH]; cbn [map fold_right zsum]; [ring|]. unfold zsum in IH. rewrite IH.
    replace (2 ^ Z.of_nat (S i * Z.to_nat w))%Z with (2 ^ w * 2 ^ Z.of_nat (i * Z.to_nat w))%Z; [ring|].
    rewrite <- Z.pow_add_r by lia. f_equal. lia. }
  assert (Zr : forall l, zsum (fun i => 2 ^ Z.of_nat (i * Z.to_nat w) * 0)%Z l = 0%Z).
  { induction l as [|i l IH]; cbn [zsum fold_right]; [reflexivity|]. unfold zsum in IH. rewrite IH. ring. }
  induction d as [|x d IH]; intros places H.
  - cbn [by_horner fold_right]. transitivity (zsum (fun i => 2 ^ Z.of_nat (i * Z.to_nat w) * 0)%Z (seq 0 places)); [|apply Zr]. unfold zsum.
    assert (E : forall l, fold_right (fun i z => 2 ^ Z.of_nat (i * Z.to_nat w) * digit_value (pairs_of pairs) (nth i [] (0, 0)%nat) + z)%Z 0%Z l =
      fold_right (fun i z => 2 ^ Z.of_nat (i * Z.to_nat w) * 0 + z)%Z 0%Z l).
    { induction l as [|i l IHl]; cbn [fold_right]; [reflexivity|]. rewrite IHl. replace (nth i [] (0, 0)) with (0, 0) by (destruct i; reflexivity). reflexivity. }
    apply E.
  - cbn [by_horner fold_right]. fold (by_horner d). cbn [used] in H. destruct places as [|places].
    + assert (U : used d = 0) by (destruct (used d); [reflexivity|lia]). rewrite U in H. specialize (IH 0 ltac:(lia)). rewrite <- IH.
      destruct x as [[|e] unit]; cbn [fst Nat.eqb] in H; [|lia]. rewrite digit_0. cbn [seq zsum fold_right]. ring.
    + rewrite Sh. cbn [nth]. rewrite (IH places); [reflexivity|]. destruct (used d); lia.
Qed.

Lemma horner_states c' : forall z, by_horner (map (record w entries) (states w (of_class w (nth_class w table)) c' z)) =
  sums w (map (of_class w (nth_class w table)) (states w (of_class w (nth_class w table)) c' z)).
Proof.
  induction c' as [|c' IH]; intros z; [reflexivity|]. cbn [states map by_horner fold_right].
  fold (by_horner (map (record w entries) (states w (of_class w (nth_class w table)) c' (rest w (of_class w (nth_class w table)) z)))).
  rewrite IH. destruct (record_right z) as (_ & _ & ->). unfold sums, number. cbn [map sum]. ring.
Qed.

Lemma digits_sum k places : (0 <= k < n)%Z -> used (digits_of w entries table c k) <= places ->
  (zsum (fun i => 2 ^ Z.of_nat (i * Z.to_nat w) * digit_value (pairs_of pairs) (nth i (digits_of w entries table c k) (0, 0)%nat)) (seq 0 places) mod n)%Z = k.
Proof.
  intros Hk H. rewrite used_sum by exact H. unfold digits_of. rewrite horner_states, states_places. apply all_right. exact Hk.
Qed.

Theorem buckets_width in_lanes k a : length k = length a -> Forall (fun k => 0 <= k < n)%Z k -> Forall (fun P => P <> O) a ->
  sum_of_products w entries table pairs most c in_lanes k a = total (map (fun kP => times (fst kP) (snd kP)) (List.combine k a)).
Proof.
  intros L Fk Fa. unfold sum_of_products. destruct rows_bounds as [M F].
  rewrite (buckets_are_sum (pairs_of pairs) most (Z.to_nat w)).
  - assert (E : List.combine k a = map (fun j => (nth j k 0%Z, nth j a O)) (seq 0 (length a))).
    { clear -L. revert a L. induction k as [|x k IH]; intros [|P a] L; try discriminate L; [reflexivity|]. cbn [List.combine length seq map nth].
      rewrite <- seq_shift, map_map, (IH a) by (injection L; auto). reflexivity. }
    rewrite E, (map_map (fun j => (nth j k 0%Z, nth j a O))). apply total_ext. intros j Hj. apply in_seq in Hj. cbn [fst snd].
    assert (Hd : nth j (map (digits_of w entries table c) k) [] = digits_of w entries table c (nth j k 0%Z)).
    { rewrite (nth_indep _ [] (digits_of w entries table c 0%Z)) by (rewrite map_length; lia). apply map_nth. }
    unfold digit. rewrite Hd. rewrite <- (modulo_of (nth j a O) (zsum _ _) (n_times _)). rewrite digits_sum; [reflexivity|..].
    + rewrite Forall_forall in Fk. apply Fk. apply nth_In. lia.
    + rewrite map_map. set (us := map _ k). pose proof (proj1 (list_max_le us _) (Nat.le_refl _)) as Q. rewrite Forall_forall in Q. apply Q.
      apply in_map_iff. exists (nth j k 0%Z). split; [reflexivity|apply nth_In; lia].
  - apply Forall_forall. intros p Hp. unfold pairs_of in Hp. apply in_map_iff in Hp. destruct Hp as (q & <- & Hq). rewrite Forall_forall in F. specialize (F q Hq).
    cbn [fst snd]. lia.
  - exact M.
  - exact Fa.
  - rewrite map_length. exact L.
  - apply Forall_forall. intros d Hd. apply in_map_iff in Hd. destruct Hd as (x & <- & _). unfold digits_of. apply Forall_forall. intros y Hy.
    apply in_map_iff in Hy. destruct Hy as (z & <- & _). destruct (record_right z) as (A1 & A2 & _). auto.
Qed.
End Width.

(* For each width, the sum over the buckets is the sum of all products k P. *)
Theorem buckets_3 in_lanes k a : length k = length a -> Forall (fun k => 0 <= k < n)%Z k -> Forall (fun P => P <> O) a ->
  sum_of_products 3 window_entries_3 window_digits_3 window_pairs_3 window_max_3 44 in_lanes k a = total (map (fun kP => times (fst kP) (snd kP)) (List.combine k a)).
Proof. apply buckets_width; [reflexivity|exact digit_entries_3|vm_compute; reflexivity|exact S22_3]. Qed.

Theorem buckets_4 in_lanes k a : length k = length a -> Forall (fun k => 0 <= k < n)%Z k -> Forall (fun P => P <> O) a ->
  sum_of_products 4 window_entries_4 window_digits_4 window_pairs_4 window_max_4 33 in_lanes k a = total (map (fun kP => times (fst kP) (snd kP)) (List.combine k a)).
Proof. apply buckets_width; [reflexivity|exact digit_entries_4|vm_compute; reflexivity|exact S22_4]. Qed.

Theorem buckets_5 in_lanes k a : length k = length a -> Forall (fun k => 0 <= k < n)%Z k -> Forall (fun P => P <> O) a ->
  sum_of_products 5 window_entries_5 window_digits_5 window_pairs_5 window_max_5 26 in_lanes k a = total (map (fun kP => times (fst kP) (snd kP)) (List.combine k a)).
Proof. apply buckets_width; [reflexivity|exact digit_entries_5|vm_compute; reflexivity|exact S22_5]. Qed.

Theorem buckets_6 in_lanes k a : length k = length a -> Forall (fun k => 0 <= k < n)%Z k -> Forall (fun P => P <> O) a ->
  sum_of_products 6 window_entries_6 window_digits_6 window_pairs_6 window_max_6 22 in_lanes k a = total (map (fun kP => times (fst kP) (snd kP)) (List.combine k a)).
Proof. apply buckets_width; [reflexivity|exact digit_entries_6|vm_compute; reflexivity|exact S22_6]. Qed.
End Buckets.
