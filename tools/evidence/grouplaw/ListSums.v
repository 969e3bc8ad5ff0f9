(* The adder of internal/batch, in a commutative group: it adds lists of points pair by pair, all lists at the same
   time, and gives the sum of each list. Every addition may meet equal or opposite points. *)
Require Import ZArith Lia List Bool Constants Digits Tables Classes Sums Lanes.
Import ListNotations.
Open Scope nat_scope.

(* set writes x to element i of a list. *)
Fixpoint set {T} (i : nat) (x : T) (l : list T) : list T :=
  match l, i with [], _ => [] | _ :: l, 0 => x :: l | y :: l, S i => y :: set i x l end.

Lemma set_length {T} i (x : T) l : length (set i x l) = length l.
Proof. revert i. induction l; intros [|i]; cbn [set length]; auto. Qed.

Lemma nth_set {T} i (x : T) l j d : nth j (set i x l) d = if (i =? j) && (j <? length l) then x else nth j l d.
Proof.
  revert i j. induction l as [|y l IH]; intros [|i] [|j]; cbn [set nth length]; try reflexivity; rewrite ?andb_false_r; try reflexivity.
  rewrite IH. reflexivity.
Qed.

Lemma set_same {T} i (l : list T) d : set i (nth i l d) l = l.
Proof. revert i. induction l as [|y l IH]; intros [|i]; cbn [set nth]; auto. rewrite IH. reflexivity. Qed.

Lemma map_nth_seq {T} (l : list T) d : map (fun i => nth i l d) (seq 0 (length l)) = l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [length seq map nth]. rewrite <- seq_shift, map_map, IH. reflexivity.
Qed.

Lemma combine_map {S T} (g : S -> T) (l : list S) : List.combine l (map g l) = map (fun i => (i, g i)) l.
Proof. induction l; cbn [map List.combine]; [reflexivity|]. rewrite IHl. reflexivity. Qed.

Lemma last_in {T} (a d : T) l : In (last (a :: l) d) (a :: l).
Proof.
  destruct (@exists_last T (a :: l)) as (front & x & E); [discriminate|]. rewrite E, last_last. apply in_app_iff. right. left. reflexivity.
Qed.

(* The order in which the adder visits the lists. *)
Section Order.
Variable stale : nat -> list nat. (* memory for the order, with any contents *)
Hypothesis stale_length : forall c, length (stale c) = c.
(* A counting sort. At first, entry c + 1 of the array to counts the lists of length c. Later, entry c is the place in
   the order at which the lists of length c begin. *)
(* internal/batch/lists.go
func (s *adder) sortLists() {
	// This is a counting sort. First, to[n+1] counts the lists of length n. Adding up the counts then makes to[n] the
	// index in order at which the lists of length n begin.
	const long = 63
	var to [long + 2]int32
	for _, l := range s.lists {
		to[min(l.n, long)+1]++
	}
	to[2] = 0 // lists of one term have nothing to add, and are left out
	for n := 2; n < long; n++ {
		to[n+1] += to[n]
	}
	s.order = withRoom(s.order[:0], len(s.lists))[:to[long]+to[long+1]]
	for i, l := range s.lists {
		if n := min(l.n, long); n > 1 {
			s.order[to[n]] = int32(i)
			to[n]++
		}
	}
}
*)
Definition key (l : list nat) := Nat.min (length l) 63.
Definition count_up (to : list nat) (l : list nat) := set (key l + 1) (nth (key l + 1) to 0 + 1) to.
Definition sum_up (to : list nat) (c : nat) := set (c + 1) (nth (c + 1) to 0 + nth c to 0) to.
Definition place_one (s : list nat * list nat) (il : nat * list nat) : list nat * list nat :=
  let '(to, order) := s in
  let '(i, l) := il in
  let c := key l in
  if 1 <? c then (set c (nth c to 0 + 1) to, set (nth c to 0) i order) else (to, order).
Definition sort_lists (lists : list (list nat)) : list nat :=
  let to := fold_left count_up lists (repeat 0 65) in
  let to := set 2 0 to in
  let to := fold_left sum_up (seq 2 61) to in
  let order := stale (nth 63 to 0 + nth 64 to 0) in
  snd (fold_left place_one (List.combine (seq 0 (length lists)) lists) (to, order)).

(* The number of lists with a given length, and the number of shorter lists that have two terms or more. *)
Definition count (c : nat) (lists : list (list nat)) := length (filter (fun l => key l =? c) lists).
Definition shorter (c : nat) (lists : list (list nat)) := length (filter (fun l => (2 <=? key l) && (key l <? c)) lists).

Lemma key_most l : key l <= 63.
Proof. unfold key. lia. Qed.

Lemma shorter_succ c lists : 2 <= c -> shorter (S c) lists = shorter c lists + count c lists.
Proof.
  intros Hc. unfold shorter, count. induction lists as [|l lists IH]; cbn [filter]; [reflexivity|].
  destruct (Nat.leb_spec 2 (key l)); destruct (Nat.ltb_spec (key l) (S c)); destruct (Nat.ltb_spec (key l) c); destruct (Nat.eqb_spec (key l) c);
  cbn [andb]; try lia; cbn [length]; lia.
Qed.

Lemma counted lists : forall to, length to = 65 -> length (fold_left count_up lists to) = 65 /\
  forall c, c <= 63 -> nth (c + 1) (fold_left count_up lists to) 0 = nth (c + 1) to 0 + count c lists.
Proof.
  induction lists as [|l lists IH]; intros to L; cbn [fold_left]; [split; [exact L|intros; unfold count; cbn; lia]|].
  destruct (IH (count_up to l)) as [L' V]; [unfold count_up; rewrite set_length; exact L|]. split; [exact L'|]. intros c Hc. rewrite V by exact Hc.
  unfold count_up, count. rewrite nth_set, L. cbn [filter]. destruct (Nat.ltb_spec (c + 1) 65); [|lia].
  destruct (Nat.eqb_spec (key l) c) as [E|]; destruct (Nat.eqb_spec (key l + 1) (c + 1)) as [E1|]; try lia; cbn [andb length]; rewrite ?E; lia.
Qed.

Lemma summed lists m : forall to, m <= 61 -> length to = 65 -> nth 2 to 0 = 0 -> (forall c, 2 <= c <= 63 -> nth (c + 1) to 0 = count c lists) ->
  let to' := fold_left sum_up (seq 2 m) to in length to' = 65 /\ (forall c, 2 <= c <= m + 2 -> nth c to' 0 = shorter c lists) /\
  (forall c, m + 2 < c -> nth c to' 0 = nth c to 0).
Proof.
  induction m as [|m IH]; intros to Hm L T2 Tc; cbv zeta.
  - cbn [seq fold_left]. split; [exact L|]. split; [|reflexivity]. intros c Hc. replace c with 2 by lia. rewrite T2. unfold shorter.
    clear. induction lists as [|l lists IH]; cbn [filter]; [reflexivity|]. destruct (Nat.leb_spec 2 (key l)); destruct (Nat.ltb_spec (key l) 2); try lia; exact IH.
  - rewrite seq_S, fold_left_app. destruct (IH to ltac:(lia) L T2 Tc) as (L' & V & W). cbn [fold_left Nat.add]. set (to' := fold_left sum_up (seq 2 m) to) in *.
    unfold sum_up. rewrite set_length. split; [exact L'|]. split.
    + intros c Hc. rewrite nth_set, L'. destruct (Nat.eqb_spec (S (S m) + 1) c) as [<-|N]; cbn [andb].
      * destruct (Nat.ltb_spec (S (S m) + 1) 65); [|lia]. rewrite W, Tc by lia. rewrite V by lia. replace (S (S m) + 1) with (S (S (S m))) by lia.
        rewrite (shorter_succ (S (S m))) by lia. lia.
      * apply V. lia.
    + intros c Hc. rewrite nth_set. destruct (Nat.eqb_spec (S (S m) + 1) c); [lia|]. apply W. lia.
Qed.

(* The place of list i in the order. *)
Definition place_of (lists : list (list nat)) (i : nat) := let c := key (nth i lists []) in shorter c lists + count c (firstn i lists).

Lemma firstn_more {T} (l : list T) i d : i < length l -> firstn (S i) l = firstn i l ++ [nth i l d].
Proof. revert i. induction l as [|x l IH]; intros [|i] H; cbn [length] in H; try lia; cbn [firstn app nth]; [reflexivity|]. rewrite <- IH by lia. reflexivity. Qed.

Lemma count_more c lists i : i < length lists -> count c (firstn (S i) lists) = count c (firstn i lists) + if key (nth i lists []) =? c then 1 else 0.
Proof.
  intros H. rewrite (firstn_more lists i []) by exact H. unfold count. rewrite filter_app, app_length. cbn [filter].
  destruct (key (nth i lists []) =? c); reflexivity.
Qed.

Lemma count_less c lists i j : i <= j -> count c (firstn i lists) <= count c (firstn j lists).
Proof.
  intros H. replace (firstn i lists) with (firstn i (firstn j lists)) by (rewrite firstn_firstn; f_equal; lia).
  unfold count. rewrite <- (firstn_skipn i (firstn j lists)) at 2. rewrite filter_app, app_length. lia.
Qed.

Lemma count_all c lists i : count c (firstn i lists) <= count c lists.
Proof. unfold count. rewrite <- (firstn_skipn i lists) at 2. rewrite filter_app, app_length. lia. Qed.

Lemma shorter_less c d lists : 2 <= c -> c <= d -> shorter c lists <= shorter d lists.
Proof. intros Hc H. induction H as [|d H IH]; [lia|]. rewrite shorter_succ by lia. lia. Qed.

Lemma place_range lists i : i < length lists -> 2 <= key (nth i lists []) ->
  shorter (key (nth i lists [])) lists <= place_of lists i < shorter (S (key (nth i lists []))) lists.
Proof.
  intros H K. unfold place_of. rewrite shorter_succ by exact K. pose proof (count_more (key (nth i lists [])) lists i H) as C. rewrite Nat.eqb_refl in C.
  pose proof (count_all (key (nth i lists [])) lists (S i)). lia.
Qed.

Lemma place_once lists i j : i < j -> j < length lists -> 2 <= key (nth i lists []) -> 2 <= key (nth j lists []) -> place_of lists i <> place_of lists j.
Proof.
  intros H Lj Ki Kj. pose proof (place_range lists i ltac:(lia) Ki) as Ri. pose proof (place_range lists j Lj Kj) as Rj.
  destruct (Nat.lt_trichotomy (key (nth i lists [])) (key (nth j lists []))) as [C|[C|C]].
  - pose proof (shorter_less (S (key (nth i lists []))) (key (nth j lists [])) lists ltac:(lia) ltac:(lia)). lia.
  - unfold place_of. rewrite <- C. pose proof (count_more (key (nth i lists [])) lists i ltac:(lia)) as Q. rewrite Nat.eqb_refl in Q.
    pose proof (count_less (key (nth i lists [])) lists (S i) j ltac:(lia)). lia.
  - pose proof (shorter_less (S (key (nth j lists []))) (key (nth i lists [])) lists ltac:(lia) ltac:(lia)). lia.
Qed.

Lemma placed_all lists to order : length to = 65 -> (forall c, 2 <= c <= 63 -> nth c to 0 = shorter c lists) -> length order = shorter 64 lists ->
  forall i, i <= length lists -> let '(to', order') := fold_left place_one (List.combine (seq 0 i) (firstn i lists)) (to, order) in
  length to' = 65 /\ length order' = shorter 64 lists /\ (forall c, 2 <= c <= 63 -> nth c to' 0 = shorter c lists + count c (firstn i lists)) /\
  forall j, j < i -> 2 <= key (nth j lists []) -> nth (place_of lists j) order' 0 = j.
Proof.
  intros Lt Vt Lo. induction i as [|i IH]; intros H.
  - cbn [seq firstn List.combine fold_left]. split; [exact Lt|]. split; [exact Lo|]. split; [|lia]. intros c Hc. rewrite Vt by exact Hc. unfold count. cbn. lia.
  - specialize (IH ltac:(lia)). rewrite (firstn_more lists i []) by lia. rewrite seq_S.
    assert (Cm : forall (S T : Type) (l1 l2 : list S) (m1 m2 : list T), length l1 = length m1 -> List.combine (l1 ++ l2) (m1 ++ m2) = List.combine l1 m1 ++ List.combine l2 m2).
    { clear. intros S T l1. induction l1 as [|x l1 IH]; intros l2 [|y m1] m2 H; cbn [length] in H; try lia; cbn [app List.combine]; [reflexivity|]. rewrite IH by lia. reflexivity. }
    rewrite Cm by (rewrite seq_length, firstn_length; lia). rewrite fold_left_app.
    destruct (fold_left place_one (List.combine (seq 0 i) (firstn i lists)) (to, order)) as [to1 order1]. destruct IH as (L1 & L2 & V & W).
    rewrite <- (firstn_more lists i []) by lia. cbn [List.combine fold_left place_one Nat.add]. set (l := nth i lists []). pose proof (key_most l) as Km.
    destruct (Nat.ltb_spec 1 (key l)) as [K|K].
    + rewrite !set_length. split; [exact L1|]. split; [exact L2|].
      assert (P : nth (key l) to1 0 = place_of lists i) by (rewrite V by lia; reflexivity). rewrite P.
      assert (R : place_of lists i < shorter 64 lists).
      { pose proof (place_range lists i ltac:(lia) K) as R. fold l in R. pose proof (shorter_less (S (key l)) 64 lists ltac:(lia) ltac:(lia)). lia. }
      split.
      * intros c Hc. rewrite nth_set, L1, count_more by lia. fold l. destruct (Nat.ltb_spec c 65); [|lia]. rewrite andb_true_r.
        destruct (Nat.eqb_spec (key l) c) as [<-|]; [rewrite <- P, V by lia; lia|]. rewrite V by exact Hc. lia.
      * intros j Hj Kj. rewrite nth_set, L2. destruct (Nat.eqb_spec (place_of lists i) (place_of lists j)) as [E|N]; cbn [andb].
        -- destruct (Nat.eq_dec j i) as [->|Nj]; [destruct (Nat.ltb_spec (place_of lists i) (shorter 64 lists)); [reflexivity|lia]|].
           exfalso. apply (place_once lists j i); [lia|lia|exact Kj|exact K|symmetry; exact E].
        -- destruct (Nat.eq_dec j i) as [->|Nj]; [congruence|]. apply W; [lia|exact Kj].
    + split; [exact L1|]. split; [exact L2|]. split.
      * intros c Hc. rewrite count_more by lia. fold l. destruct (Nat.eqb_spec (key l) c); [lia|]. rewrite V by exact Hc. lia.
      * intros j Hj Kj. destruct (Nat.eq_dec j i) as [->|Nj]; [fold l in Kj; lia|]. apply W; [lia|exact Kj].
Qed.

(* The order contains every list of two terms or more exactly once, and no other list. *)
Theorem sort_lists_right lists : NoDup (sort_lists lists) /\ forall j, In j (sort_lists lists) <-> 2 <= length (nth j lists []).
Proof.
  unfold sort_lists. destruct (counted lists (repeat 0 65) eq_refl) as [L1 V1]. set (to1 := fold_left count_up lists (repeat 0 65)) in *.
  destruct (summed lists 61 (set 2 0 to1) ltac:(lia)) as (L2 & V2 & W2).
  { rewrite set_length. exact L1. } { rewrite nth_set, L1. reflexivity. }
  { intros c Hc. rewrite nth_set. destruct (Nat.eqb_spec 2 (c + 1)); [lia|]. cbn [andb]. rewrite V1 by lia.
    rewrite nth_repeat. reflexivity. }
  set (to2 := fold_left sum_up (seq 2 61) (set 2 0 to1)) in *.
  assert (T : nth 63 to2 0 + nth 64 to2 0 = shorter 64 lists).
  { rewrite (shorter_succ 63) by lia. rewrite V2, W2 by lia. f_equal. rewrite nth_set. cbn [Nat.eqb andb]. change 64 with (63 + 1). rewrite V1 by lia.
    rewrite nth_repeat. reflexivity. }
  rewrite T. pose proof (placed_all lists to2 (stale (shorter 64 lists)) L2 (fun c Hc => V2 c ltac:(lia)) (stale_length _) (length lists) (Nat.le_refl _)) as P.
  rewrite firstn_all in P. destruct (fold_left place_one (List.combine (seq 0 (length lists)) lists) (to2, stale (shorter 64 lists))) as [to3 order].
  destruct P as (_ & Lo & _ & P). cbn [snd].
  set (long := filter (fun i => 2 <=? key (nth i lists [])) (seq 0 (length lists))).
  assert (In_long : forall j, In j long <-> j < length lists /\ 2 <= key (nth j lists [])).
  { intros j. unfold long. rewrite filter_In, in_seq, Nat.leb_le. intuition lia. }
  assert (Ll : length long = shorter 64 lists).
  { unfold shorter. rewrite <- (map_nth_seq lists []) at 1. unfold long. generalize (seq 0 (length lists)). intros is. induction is as [|i is IH]; [reflexivity|].
    cbn [map filter]. pose proof (key_most (nth i lists [])). destruct (Nat.ltb_spec (key (nth i lists [])) 64); [|lia].
    destruct (2 <=? key (nth i lists [])); cbn [andb length]; rewrite IH; reflexivity. }
  assert (N : NoDup (map (place_of lists) long)).
  { assert (Nl : NoDup long) by (apply NoDup_filter; apply seq_NoDup). clear -Nl In_long.
    assert (Sub : forall x, In x long -> x < length lists /\ 2 <= key (nth x lists [])) by (intros x Hx; apply In_long; exact Hx). clear In_long.
    induction Nl as [|x l Nx Nl IH]; cbn [map]; constructor.
    - intros Hx. apply in_map_iff in Hx. destruct Hx as (y & E & Hy). assert (Ny : x <> y) by (intros ->; contradiction).
      destruct (Sub x (or_introl eq_refl)), (Sub y (or_intror Hy)). destruct (Nat.lt_total x y) as [C|[C|C]]; [|contradiction|].
      + apply (place_once lists x y); auto.
      + apply (place_once lists y x); auto.
    - apply IH. intros y Hy. apply Sub. right. exact Hy. }
  assert (Onto : forall p, p < length order -> exists j, In j long /\ place_of lists j = p).
  { intros p Hp. assert (I : incl (seq 0 (length order)) (map (place_of lists) long)).
    { apply (NoDup_length_incl N); [rewrite seq_length, map_length; lia|]. intros q Hq. apply in_map_iff in Hq. destruct Hq as (j & <- & Hj).
      apply In_long in Hj. destruct Hj as [Lj Kj]. apply in_seq. pose proof (place_range lists j Lj Kj). pose proof (key_most (nth j lists [])).
      pose proof (shorter_less (S (key (nth j lists []))) 64 lists ltac:(lia) ltac:(lia)). lia. }
    specialize (I p ltac:(apply in_seq; lia)). apply in_map_iff in I. destruct I as (j & E & Hj). exists j. auto. }
  assert (At : forall j, In j long -> nth (place_of lists j) order 0 = j /\ place_of lists j < length order).
  { intros j Hj. apply In_long in Hj. destruct Hj as [Lj Kj]. split; [apply P; assumption|].
    pose proof (place_range lists j Lj Kj). pose proof (key_most (nth j lists [])). pose proof (shorter_less (S (key (nth j lists []))) 64 lists ltac:(lia) ltac:(lia)). lia. }
  split.
  - apply (NoDup_nth order 0). intros p q Hp Hq E. destruct (Onto p Hp) as (j & Hj & <-). destruct (Onto q Hq) as (j' & Hj' & <-).
    destruct (At j Hj) as [Ej _]. destruct (At j' Hj') as [Ej' _]. congruence.
  - intros j. split.
    + intros Hj. apply (In_nth _ _ 0) in Hj. destruct Hj as (p & Hp & <-). destruct (Onto p Hp) as (j & Hj & <-). destruct (At j Hj) as [-> _].
      apply In_long in Hj. unfold key in Hj. lia.
    + intros Hj. assert (Lj : j < length lists) by (destruct (Nat.lt_ge_cases j (length lists)); [assumption|rewrite nth_overflow in Hj by lia; cbn in Hj; lia]).
      assert (I : In j long) by (apply In_long; unfold key; lia). destruct (At j I) as [E Hp]. rewrite <- E. apply nth_In. exact Hp.
Qed.
End Order.

Section ListSums.
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
Let times_plus := Sums.times_plus G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_O := Sums.times_O G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let minus_O := Sums.minus_O G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let minus_minus := Sums.minus_minus G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let swap := Sums.swap G plus plus_assoc plus_comm.
Let plus_O_r := Lanes.plus_O_r G O plus plus_comm plus_O.

(* Additions of finite points. add_affine is the formula that fails for equal and opposite points (addAffine_is_chord
   in Law.v). add_alike is right for all finite points (addAlike_is_law in Alike.v), and its sum (0, 0) stands for
   infinity. *)
Variable add_affine : G -> G -> G.
Variable add_alike : G -> G -> G.
Hypothesis add_affine_right : forall a b, a <> O -> b <> O -> a <> b -> a <> minus b -> add_affine a b = plus a b.
Hypothesis add_alike_right : forall a b, a <> O -> b <> O -> add_alike a b = plus a b.

(* Sums of lists. *)
Fixpoint total (l : list G) : G := match l with [] => O | a :: l => plus a (total l) end.

Lemma total_app l m : total (l ++ m) = plus (total l) (total m).
Proof. induction l; cbn [app total]; [rewrite plus_O; reflexivity|]. rewrite IHl. apply plus_assoc. Qed.

Section Sum.
Context {T : Type}.
Implicit Types l : list T.
Lemma total_plus (f g : T -> G) l : total (map (fun x => plus (f x) (g x)) l) = plus (total (map f l)) (total (map g l)).
Proof. induction l; cbn [map total]; [rewrite plus_O; reflexivity|]. rewrite IHl. apply swap. Qed.

Lemma total_O (f : T -> G) l : (forall x, In x l -> f x = O) -> total (map f l) = O.
Proof.
  induction l as [|x l IH]; intros H; cbn [map total]; [reflexivity|]. rewrite H by (left; reflexivity).
  rewrite plus_O. apply IH. intros y Hy. apply H. right. exact Hy.
Qed.

Lemma total_times k (f : T -> G) l : times k (total (map f l)) = total (map (fun x => times k (f x)) l).
Proof. induction l; cbn [map total]; [apply times_O|]. rewrite times_plus, IHl. reflexivity. Qed.

End Sum.

Lemma total_swap {S T} (f : S -> T -> G) (l : list S) (m : list T) :
  total (map (fun x => total (map (f x) m)) l) = total (map (fun y => total (map (fun x => f x y) l)) m).
Proof.
  induction l as [|x l IH]; cbn [map total].
  - symmetry. apply total_O. reflexivity.
  - rewrite IH. symmetry. apply (total_plus (f x) (fun y => total (map (fun x => f x y) l)) m).
Qed.

Lemma total_ext {S} (f g : S -> G) l : (forall x, In x l -> f x = g x) -> total (map f l) = total (map g l).
Proof. intros H. f_equal. apply map_ext_in. exact H. Qed.

(* A sum in which only the term with index i may differ from O. *)
Lemma total_one (f : nat -> G) i c : forall a, total (map (fun m => if i =? m then f m else O) (seq a c)) =
  if (a <=? i) && (i <? a + c) then f i else O.
Proof.
  induction c as [|c IH]; intros a; cbn [seq map total].
  - destruct (Nat.leb_spec a i); [|reflexivity]. destruct (Nat.ltb_spec i (a + 0)); [lia|reflexivity].
  - rewrite IH. destruct (Nat.eqb_spec i a) as [->|N].
    + destruct (Nat.leb_spec (S a) a); [lia|]. destruct (Nat.leb_spec a a); [|lia]. destruct (Nat.ltb_spec a (a + S c)); [|lia].
      cbn [andb]. apply plus_O_r.
    + rewrite plus_O. destruct (Nat.leb_spec (S a) i); destruct (Nat.leb_spec a i); try lia; [|reflexivity]. cbn [andb].
      destruct (Nat.ltb_spec i (S a + c)); destruct (Nat.ltb_spec i (a + S c)); try lia; reflexivity.
Qed.

(* A term is twice the index of a point, plus 1 for its opposite. *)
(* internal/lanes/lists.go
func (t Term) Point(p *group.Affine, points []group.Affine) {
	a := &points[t>>1]
	p.X.Set(&a.X)
	p.Y.CondNegate(&a.Y, -uint64(t&1))
}
*)
Definition point (points : list G) (t : nat) : G := let a := nth (Nat.div2 t) points O in if Nat.odd t then minus a else a.
Definition value (points : list G) (l : list nat) : G := total (map (point points) l).
(* The terms of a list stand for finite points. *)
Definition good (points : list G) (l : list nat) := Forall (fun t => nth (Nat.div2 t) points O <> O) l.

Lemma in_range points i : nth i points O <> O -> i < length points.
Proof. intros H. destruct (Nat.lt_ge_cases i (length points)); [assumption|]. exfalso. apply H. apply nth_overflow. lia. Qed.

Lemma nth_more points more i : nth i points O <> O -> nth i (points ++ more) O = nth i points O.
Proof. intros H. apply app_nth1. apply in_range. exact H. Qed.

Lemma value_more points more l : good points l -> value (points ++ more) l = value points l /\ good (points ++ more) l.
Proof.
  intros H. split.
  - apply total_ext. intros t Ht. unfold good in H. rewrite Forall_forall in H. unfold point. rewrite nth_more by auto. reflexivity.
  - revert H. apply Forall_impl. intros t H. rewrite nth_more by exact H. exact H.
Qed.

Lemma point_new points a more : point (points ++ a :: more) (2 * length points) = a.
Proof.
  unfold point. rewrite Nat.div2_double, Nat.odd_mul. cbn [Nat.odd Nat.even negb andb]. rewrite app_nth2, Nat.sub_diag by lia. reflexivity.
Qed.

Lemma point_finite points t : nth (Nat.div2 t) points O <> O -> point points t <> O.
Proof. unfold point. destruct (Nat.odd t); [|auto]. intros H E. apply H. rewrite <- (minus_minus (nth _ _ _)), E. apply minus_O. Qed.

(* A round pairs the first and the second term of a list, the third and the fourth, and so on. The new terms refer to
   the points that will be appended, from index next on. *)
(* internal/batch/lists.go
func (s *adder) pair() bool {
	// The shortest lists, most of which are at the front of order, are finished first.
	order := s.order
	for len(order) > 0 && s.lists[order[0]].n < 2 {
		order = order[1:]
	}
	s.pairs = withRoom(s.pairs[:0], len(s.terms)/2)
	sum := lanes.Term(2 * len(s.points)) // the term of the next sum
	for _, i := range order {
		l := &s.lists[i]
		t := s.terms[l.start:][:l.n]
		for j := range l.n / 2 {
			s.pairs = append(s.pairs, lanes.Pair{P: t[2*j], Q: t[2*j+1]})
			t[j] = sum // term j was read for pair j or an earlier pair
			sum += 2
		}
		if l.n%2 != 0 {
			t[l.n/2] = t[l.n-1]
		}
		l.n = (l.n + 1) / 2
	}
	return len(s.pairs) > 0
}
*)
Fixpoint pair_list (next : nat) (l : list nat) : list (nat * nat) * list nat :=
  match l with
  | p :: q :: l => let '(pairs, terms) := pair_list (S next) l in ((p, q) :: pairs, 2 * next :: terms)
  | l => ([], l)
  end.
Fixpoint pair_lists (next : nat) (order : list nat) (lists : list (list nat)) : list (nat * nat) * list (list nat) :=
  match order with
  | [] => ([], lists)
  | i :: order =>
      let '(pairs, terms) := pair_list next (nth i lists []) in
      let '(more, lists) := pair_lists (next + length pairs) order (set i terms lists) in
      (pairs ++ more, lists)
  end.
Fixpoint skip_short (order : list nat) (lists : list (list nat)) : list nat :=
  match order with i :: rest => if length (nth i lists []) <? 2 then skip_short rest lists else order | [] => [] end.

Definition pair_sum (points : list G) (pq : nat * nat) : G := plus (point points (fst pq)) (point points (snd pq)).
Definition good_pair (points : list G) (pq : nat * nat) := nth (Nat.div2 (fst pq)) points O <> O /\ nth (Nat.div2 (snd pq)) points O <> O.

Lemma pairs_of_list (Pr : list nat -> Prop) : Pr [] -> (forall t, Pr [t]) -> (forall p q l, Pr l -> Pr (p :: q :: l)) -> forall l, Pr l.
Proof.
  intros H0 H1 H2. assert (A : forall m l, length l <= m -> Pr l); [|intros l; apply (A (length l)); lia].
  induction m as [|m IH]; intros l L; destruct l as [|p [|q l]]; cbn [length] in L; auto; try lia. apply H2. apply IH. lia.
Qed.

Lemma pair_list_right points l : good points l -> forall before after,
  let '(pairs, terms) := pair_list (length points + length before) l in
  value (points ++ before ++ map (pair_sum points) pairs ++ after) terms = value points l /\
  Forall (good_pair points) pairs /\
  Forall (fun t => nth (Nat.div2 t) points O <> O \/
    exists m, m < length pairs /\ Nat.div2 t = length points + length before + m) terms /\
  length terms + length pairs = length l.
Proof.
  induction l as [|t|p q l IH] using pairs_of_list.
  - intros _ before after. cbn. auto.
  - intros H before after. cbn [pair_list map app]. destruct (value_more points (before ++ after) [t] H) as [E _]. split; [exact E|].
    split; [constructor|]. split; [|reflexivity]. revert H. apply Forall_impl. auto.
  - intros H before after. inversion H as [|? ? Hp H']; subst. inversion H' as [|? ? Hq H'']; subst.
    specialize (IH H'' (before ++ [pair_sum points (p, q)]) after). cbn [pair_list].
    rewrite app_length in IH. cbn [length] in IH. replace (length points + (length before + 1)) with (S (length points + length before)) in IH by lia.
    destruct (pair_list (S (length points + length before)) l) as [pairs terms]. destruct IH as (E & Fp & Ft & Ln).
    cbn [map length]. split; [|split; [|split]].
    + unfold value in *. cbn [map total]. rewrite plus_assoc. rewrite <- app_assoc in E. cbn [app] in *. f_equal; [|exact E].
      rewrite app_assoc, <- app_length. apply point_new.
    + constructor; [split; assumption|exact Fp].
    + constructor.
      * right. exists 0. split; [lia|]. rewrite Nat.div2_double. lia.
      * revert Ft. apply Forall_impl. intros t [Ht|(m & Hm & Ht)]; [auto|]. right. exists (S m). split; lia.
    + lia.
Qed.

Lemma pair_lists_other next order j : forall lists, ~ In j order -> nth j (snd (pair_lists next order lists)) [] = nth j lists [].
Proof.
  revert next. induction order as [|i order IH]; intros next lists N; cbn [pair_lists]; [reflexivity|].
  destruct (pair_list next (nth i lists [])) as [pairs terms]. specialize (IH (next + length pairs) (set i terms lists) ltac:(intros H; apply N; right; exact H)).
  destruct (pair_lists (next + length pairs) order (set i terms lists)) as [more lists']. cbn [snd] in *. rewrite IH, nth_set.
  destruct (Nat.eqb_spec i j); [exfalso; apply N; left; assumption|reflexivity].
Qed.

Lemma pair_lists_length order : forall next lists, length (snd (pair_lists next order lists)) = length lists.
Proof.
  induction order as [|i order IH]; intros next lists; cbn [pair_lists]; [reflexivity|].
  destruct (pair_list next (nth i lists [])) as [pairs terms]. specialize (IH (next + length pairs) (set i terms lists)).
  destruct (pair_lists (next + length pairs) order (set i terms lists)). cbn [snd] in *. rewrite IH. apply set_length.
Qed.

Lemma pair_lists_right points order : NoDup order -> forall lists before after, (forall j, In j order -> good points (nth j lists [])) ->
  let '(pairs, lists') := pair_lists (length points + length before) order lists in
  Forall (good_pair points) pairs /\
  (forall j, In j order ->
    value (points ++ before ++ map (pair_sum points) pairs ++ after) (nth j lists' []) = value points (nth j lists []) /\
    Forall (fun t => nth (Nat.div2 t) points O <> O \/
      exists m, m < length pairs /\ Nat.div2 t = length points + length before + m) (nth j lists' []) /\
    length (nth j lists' []) <= length (nth j lists []) /\
    (2 <= length (nth j lists []) -> length (nth j lists' []) < length (nth j lists []) /\ pairs <> [])).
Proof.
  induction 1 as [|i order Ni N IH]; intros lists before after H; cbn [pair_lists]; [split; [constructor|intros j []]|].
  pose proof (pair_list_right points (nth i lists []) (H i (or_introl eq_refl)) before) as P1.
  assert (P2 := pair_lists_other).
  destruct (pair_list (length points + length before) (nth i lists [])) as [pairs terms] eqn:E1.
  assert (Ep : 2 <= length (nth i lists []) -> pairs <> []).
  { intros L. destruct (nth i lists []) as [|p [|q l]]; cbn [length] in L; try lia. cbn [pair_list] in E1.
    destruct (pair_list (S (length points + length before)) l). injection E1 as <- _. discriminate. }
  specialize (IH (set i terms lists) (before ++ map (pair_sum points) pairs) after).
  rewrite app_length, map_length, Nat.add_assoc in IH.
  specialize (P2 (length points + length before + length pairs) order i (set i terms lists) Ni).
  destruct (pair_lists (length points + length before + length pairs) order (set i terms lists)) as [more lists'] eqn:E2. cbn [snd] in P2.
  assert (S' : forall j, In j order -> nth j (set i terms lists) [] = nth j lists []).
  { intros j Hj. rewrite nth_set. destruct (Nat.eqb_spec i j) as [->|]; [contradiction|reflexivity]. }
  destruct IH as [Fm IH].
  { intros j Hj. rewrite S' by exact Hj. apply H. right. exact Hj. }
  specialize (P1 (map (pair_sum points) more ++ after)). destruct P1 as (V & Fp & Ft & Ln).
  split; [apply Forall_app; auto|]. intros j [<-|Hj].
  - rewrite P2, nth_set, Nat.eqb_refl. cbn [andb]. destruct (Nat.ltb_spec i (length lists)) as [Li|Li].
    + rewrite map_app, <- app_assoc. split; [exact V|]. split; [|split; [lia|]].
      * revert Ft. apply Forall_impl. intros t [Ht|(m & Hm & Ht)]; [auto|]. right. exists m. rewrite app_length. split; [lia|exact Ht].
      * intros L2. specialize (Ep L2). destruct pairs; [contradiction|]. cbn [length] in Ln. split; [lia|discriminate].
    + rewrite nth_overflow by lia. cbn. repeat split; auto; lia.
  - destruct (IH j Hj) as (V' & Ft' & L1 & L2). rewrite S' in V', L1, L2 by exact Hj. rewrite map_app, <- !app_assoc in *.
    split; [exact V'|]. split; [|split; [exact L1|]].
    + revert Ft'. apply Forall_impl. intros t [Ht|(m & Hm & Ht)]; [auto|]. right. exists (length pairs + m). rewrite app_length. split; lia.
    + intros L. destruct (L2 L) as [L3 L4]. split; [exact L3|]. destruct pairs; [exact L4|discriminate].
Qed.

Lemma skip_short_right next lists order : pair_lists next (skip_short order lists) lists = pair_lists next order lists.
Proof.
  induction order as [|i order IH]; cbn [skip_short]; [reflexivity|]. destruct (Nat.ltb_spec (length (nth i lists [])) 2) as [L|]; [|reflexivity].
  rewrite IH. cbn [pair_lists]. assert (E : pair_list next (nth i lists []) = ([], nth i lists [])).
  { destruct (nth i lists []) as [|p [|q l]]; cbn [length] in L; try lia; reflexivity. }
  rewrite E, set_same. cbn [length]. rewrite Nat.add_0_r. destruct (pair_lists next order lists). reflexivity.
Qed.

(* The sums of a round. The memory that is appended to the points may have any contents at first. *)
Variable memory : nat -> list G.
Hypothesis memory_length : forall c, length (memory c) = c.
Variable stale : nat -> list nat.
Hypothesis stale_length : forall c, length (stale c) = c.

Definition alike (points : list G) (pq : nat * nat) : bool :=
  let a := point points (fst pq) in let b := point points (snd pq) in
  if eq_dec a b then true else if eq_dec a (minus b) then true else false.
Definition with_formula (points : list G) (pq : nat * nat) := add_affine (point points (fst pq)) (point points (snd pq)).
Definition with_care (points : list G) (pq : nat * nat) := add_alike (point points (fst pq)) (point points (snd pq)).
Definition is_O (a : G) : bool := if eq_dec a O then true else false.

(* Lanes add all pairs or none, because the product of all X2 - X1 is 0 if any of them is 0. Lanes run Montgomery's
   trick with two chains of products in each lane, which have no model in this file. *)
(* internal/lanes/lists.go
func (w *Pairs) AddVartime(dst, points []group.Affine, pairs []Pair) bool {
	// This is Montgomery's trick (docs/inversion.md, I12) with two chains of products in each of the eight lanes: one
	// for block j = 0 of each pairBlocks, and one for block j = 1. The first pass goes from the last pairBlocks to the
	// first, and the second pass in the other direction, so that it begins with points that are still in the cache.
	if len(pairs) == 0 {
		return true
	}
	n := (len(pairs) + pairsTogether - 1) / pairsTogether
	if len(w.blocks) <= n {
		w.blocks = make([]pairBlocks, max(2*n, 16))
	}
	// The last element of blocks, which holds no pairs, serves as aligned scratch memory.
	spare := &w.blocks[len(w.blocks)-1]
	d, t, inverse := &spare.p[0].X, &spare.p[0].Y, &spare.before
	w.blocks[n-1].before[0].setVartime(&one)
	w.blocks[n-1].before[1] = w.blocks[n-1].before[0]
	for i := n - 1; i >= 0; i-- {
		g := &w.blocks[i]
		products := inverse // the products over blocks i and all later blocks, which for i = 0 are the products over all blocks
		if i > 0 {
			products = &w.blocks[i-1].before
		}
		for j := range g.before {
			g.loadVartime(j, points, pairs, pairsTogether*i+N*j)
			subVartime(d, &g.q[j].X, &g.p[j].X)
			mulVartime(&products[j], &g.before[j], d)
		}
	}
	// One inversion for both chains: 1/A = B/(A·B), and 1/B = A/(A·B).
	mulVartime(d, &inverse[0], &inverse[1])
	if isZeroVartime(d) != 0 {
		return false
	}
	invertVartime(modP, d)
	*t = inverse[0]
	mulVartime(&inverse[0], d, &inverse[1])
	mulVartime(&inverse[1], d, t)
	for i := range n {
		g := &w.blocks[i]
		addAffinePairVartime(&g.p, &g.q, &g.before, inverse)
		for j := range g.p {
			from := pairsTogether*i + N*j
			if to := min(from+N, len(pairs)); from < to {
				storeVartime(dst[from:to], &g.p[j].X, &g.p[j].Y)
			}
		}
	}
	return true
}
*)
Definition lanes_add (dst points : list G) (pairs : list (nat * nat)) : bool * list G :=
  if existsb (alike points) pairs then (false, dst) else (true, map (with_formula points) pairs).

(* internal/batch/lists.go
func (s *adder) setAlikeVartime(points []group.Affine) bool {
	s.alike, s.alikeAt = withRoom(s.alike[:0], len(s.pairs)), withRoom(s.alikeAt[:0], len(s.pairs))
	other := -1
	for i, pair := range s.pairs {
		var d field.Element // P and −P have the same x coordinate, so the signs of the terms do not matter here
		if !d.Sub(&points[pair.P>>1].X, &points[pair.Q>>1].X).IsZeroVartime() {
			other = i
		} else {
			s.alike, s.alikeAt = append(s.alike, pair), append(s.alikeAt, i)
		}
	}
	if other >= 0 {
		for _, i := range s.alikeAt {
			s.pairs[i] = s.pairs[other]
		}
	}
	return other >= 0
}
*)
Definition set_alike (points : list G) (pairs : list (nat * nat)) : bool * list (nat * nat) * list (nat * nat) * list nat :=
  let all := seq 0 (length pairs) in
  let at_ := filter (fun i => alike points (nth i pairs (0, 0))) all in
  let others := filter (fun i => negb (alike points (nth i pairs (0, 0)))) all in
  let copy := fold_right (fun i to => set i (nth (last others 0) pairs (0, 0)) to) pairs at_ in
  match others with
  | [] => (false, pairs, map (fun i => nth i pairs (0, 0)) at_, at_)
  | _ => (true, copy, map (fun i => nth i pairs (0, 0)) at_, at_)
  end.

(* A model of addOneByOneVartime, which Alike.v quotes. The sum of pair i is written to place at[i]. *)
Definition one_by_one (dst points : list G) (pairs : list (nat * nat)) (at_ : list nat) : list G * bool :=
  let different := forallb (fun pq => negb (alike points pq)) pairs in
  let add := if different then with_formula points else with_care points in
  (fold_right (fun to dst => set (fst to) (add (snd to)) dst) dst (List.combine at_ pairs),
   different || forallb (fun pq => negb (is_O (with_care points pq))) pairs).

(* internal/batch/lists.go
func (s *adder) addPairsVartime(inLanes bool) {
	n := len(s.points)
	s.points = withRoom(s.points, len(s.pairs))[:n+len(s.pairs)]
	points, sums := s.points[:n], s.points[n:]
	pairs, places := s.pairs, []int(nil)
	if inLanes {
		if s.lanes.AddVartime(sums, points, pairs) {
			return
		}
		if s.setAlikeVartime(points) {
			s.lanes.AddVartime(sums, points, pairs)
			pairs, places = s.alike, s.alikeAt
		}
	}
	if !s.addOneByOneVartime(sums, points, pairs, places) {
		s.removeInfinitiesVartime()
	}
}
*)
Definition add_pairs (in_lanes : bool) (points : list G) (pairs : list (nat * nat)) : list G * bool :=
  let sums := memory (length pairs) in
  let nil := seq 0 (length pairs) in (* the places at, if at is nil in the code *)
  if in_lanes then
    let '(done, sums) := lanes_add sums points pairs in
    if done then (sums, true) else
    let '(some, others, pairs_alike, at_alike) := set_alike points pairs in
    if some then
      let '(_, sums) := lanes_add sums points others in one_by_one sums points pairs_alike at_alike
    else one_by_one sums points pairs nil
  else one_by_one sums points pairs nil.

Lemma formula_right points pq : good_pair points pq -> alike points pq = false -> with_formula points pq = pair_sum points pq /\ pair_sum points pq <> O.
Proof.
  intros [Hp Hq] A. apply point_finite in Hp, Hq. unfold alike in A. unfold with_formula, pair_sum.
  destruct (eq_dec (point points (fst pq)) (point points (snd pq))); [discriminate A|].
  destruct (eq_dec (point points (fst pq)) (minus (point points (snd pq)))) as [|N]; [discriminate A|].
  split; [apply add_affine_right; assumption|]. intros E. apply N. rewrite <- (plus_O_r (point points (fst pq))), <- (plus_minus (point points (snd pq))), plus_assoc, E.
  apply plus_O.
Qed.

Lemma care_right points pq : good_pair points pq -> with_care points pq = pair_sum points pq.
Proof. intros [Hp Hq]. apply add_alike_right; apply point_finite; assumption. Qed.

(* writes puts value f i at place i, for each place in at_. *)
Definition writes {T} (f : nat -> T) (at_ : list nat) (dst : list T) := fold_right (fun i to => set i (f i) to) dst at_.

Lemma writes_length {T} (f : nat -> T) at_ dst : length (writes f at_ dst) = length dst.
Proof. induction at_; cbn [writes fold_right]; [reflexivity|]. rewrite set_length. exact IHat_. Qed.

Lemma nth_writes {T} (f : nat -> T) at_ dst j d : j < length dst ->
  nth j (writes f at_ dst) d = if existsb (Nat.eqb j) at_ then f j else nth j dst d.
Proof.
  intros L. induction at_ as [|i at_ IH]; cbn [writes fold_right existsb]; [reflexivity|]. fold (writes f at_ dst).
  rewrite nth_set, writes_length. destruct (Nat.ltb_spec j (length dst)); [|lia]. rewrite andb_true_r, Nat.eqb_sym.
  destruct (Nat.eqb_spec j i) as [->|]; [reflexivity|]. exact IH.
Qed.

Lemma one_by_one_writes dst points pairs at_ g : pairs = map g at_ -> Forall (good_pair points) pairs ->
  let '(sums, finite) := one_by_one dst points pairs at_ in
  sums = writes (fun i => pair_sum points (g i)) at_ dst /\ (finite = true -> forall i, In i at_ -> pair_sum points (g i) <> O).
Proof.
  intros -> F. unfold one_by_one. set (different := forallb _ (map g at_)). split.
  - rewrite combine_map. unfold writes. assert (E : forall i, In i at_ -> (if different then with_formula points else with_care points) (g i) = pair_sum points (g i)).
    { intros i Hi. rewrite Forall_forall in F. specialize (F (g i) (in_map g _ _ Hi)). destruct different eqn:D; [|apply care_right; exact F].
      unfold different in D. rewrite forallb_forall in D. specialize (D (g i) (in_map g _ _ Hi)). apply negb_true_iff in D. apply formula_right; assumption. }
    clear F. clearbody different. induction at_ as [|i at_ IH]; cbn [map fold_right fst snd]; [reflexivity|].
    rewrite E by (left; reflexivity). rewrite IH; [reflexivity|]. intros j Hj. apply E. right. exact Hj.
  - intros H i Hi. rewrite Forall_forall in F. specialize (F (g i) (in_map g _ _ Hi)). apply orb_prop in H. destruct H as [D|D].
    + unfold different in D. rewrite forallb_forall in D. specialize (D (g i) (in_map g _ _ Hi)). apply negb_true_iff in D. apply formula_right; assumption.
    + rewrite forallb_forall in D. specialize (D (g i) (in_map g _ _ Hi)). rewrite care_right in D by exact F. unfold is_O in D.
      destruct (eq_dec (pair_sum points (g i)) O); [discriminate D|assumption].
Qed.

Lemma existsb_eqb j l : existsb (Nat.eqb j) l = true <-> In j l.
Proof. rewrite existsb_exists. split; [intros (x & H & E); apply Nat.eqb_eq in E; subst; exact H|intros H; exists j; rewrite Nat.eqb_refl; auto]. Qed.

Lemma all_writes (f : nat -> G) dst c : length dst = c -> writes f (seq 0 c) dst = map f (seq 0 c).
Proof.
  intros L. apply nth_ext with O O; rewrite writes_length, ?map_length, ?seq_length; [exact L|]. intros j Hj.
  rewrite nth_writes by exact Hj. assert (E : existsb (Nat.eqb j) (seq 0 c) = true) by (apply existsb_eqb; apply in_seq; lia).
  rewrite E. symmetry. rewrite (nth_indep _ O (f 0)) by (rewrite map_length, seq_length; lia). rewrite map_nth, seq_nth by lia. reflexivity.
Qed.

Theorem add_pairs_right in_lanes points pairs : Forall (good_pair points) pairs ->
  let '(sums, finite) := add_pairs in_lanes points pairs in
  sums = map (pair_sum points) pairs /\ (finite = true -> Forall (fun a => a <> O) sums).
Proof.
  intros F. set (pr := fun i => nth i pairs (0, 0)).
  assert (Ap : map pr (seq 0 (length pairs)) = pairs) by apply map_nth_seq.
  assert (Ms : map (pair_sum points) pairs = map (fun i => pair_sum points (pr i)) (seq 0 (length pairs))).
  { rewrite <- Ap at 1. apply map_map. }
  assert (All : forall dst, length dst = length pairs -> let '(sums, finite) := one_by_one dst points pairs (seq 0 (length pairs)) in
    sums = map (pair_sum points) pairs /\ (finite = true -> Forall (fun a => a <> O) sums)).
  { intros dst L. pose proof (one_by_one_writes dst points pairs (seq 0 (length pairs)) pr (eq_sym Ap) F) as W.
    destruct (one_by_one dst points pairs (seq 0 (length pairs))) as [sums finite]. destruct W as [-> W]. rewrite all_writes by exact L.
    rewrite Ms. split; [reflexivity|]. intros H. apply Forall_forall. intros a Ha. apply in_map_iff in Ha. destruct Ha as (i & <- & Hi). apply W; assumption. }
  unfold add_pairs. destruct in_lanes; [|apply All; apply memory_length].
  unfold lanes_add at 1. destruct (existsb (alike points) pairs) eqn:Ex.
  2: { assert (N : forall pq, In pq pairs -> alike points pq = false).
       { intros pq H. destruct (alike points pq) eqn:E; [|reflexivity]. rewrite <- Ex. symmetry. apply existsb_exists. exists pq. auto. }
       rewrite Forall_forall in F. split.
       - apply map_ext_in. intros pq H. apply formula_right; auto.
       - intros _. apply Forall_forall. intros a Ha. apply in_map_iff in Ha. destruct Ha as (pq & <- & H).
         destruct (formula_right points pq) as [-> ?]; auto. }
  unfold set_alike. set (at_ := filter (fun i => alike points (nth i pairs (0, 0))) (seq 0 (length pairs))).
  set (others := filter (fun i => negb (alike points (nth i pairs (0, 0)))) (seq 0 (length pairs))).
  destruct others as [|o others'] eqn:Eo; [apply All; apply memory_length|].
  change (fold_right (fun i to => set i (nth (last (o :: others') 0) pairs (0, 0)) to) pairs at_) with (writes (fun _ => pr (last (o :: others') 0)) at_ pairs).
  set (other := last (o :: others') 0). set (copy := writes _ at_ pairs).
  assert (Io : In other others) by (rewrite Eo; apply last_in). apply filter_In in Io. destruct Io as [Ir Io]. apply negb_true_iff in Io. apply in_seq in Ir.
  fold (pr other) in Io. clear Eo. rewrite Forall_forall in F.
  assert (Fp : forall i, i < length pairs -> good_pair points (pr i)) by (intros i Hi; apply F; apply nth_In; exact Hi).
  assert (Lc : length copy = length pairs) by apply writes_length.
  assert (Cp : forall i, i < length pairs -> nth i copy (0, 0) = if existsb (Nat.eqb i) at_ then pr other else pr i).
  { intros i Hi. unfold copy. rewrite nth_writes by exact Hi. reflexivity. }
  assert (At : forall i, i < length pairs -> existsb (Nat.eqb i) at_ = alike points (pr i)).
  { intros i Hi. destruct (existsb (Nat.eqb i) at_) eqn:E.
    - apply existsb_eqb in E. apply filter_In in E. symmetry. apply E.
    - destruct (alike points (pr i)) eqn:E2; [|reflexivity]. rewrite <- E. apply existsb_eqb. apply filter_In. split; [apply in_seq; lia|exact E2]. }
  assert (Ca : existsb (alike points) copy = false).
  { destruct (existsb (alike points) copy) eqn:E; [|reflexivity]. apply existsb_exists in E. destruct E as (pq & H & E).
    apply (In_nth _ _ (0, 0)) in H. destruct H as (i & Hi & <-). rewrite Lc in Hi. rewrite Cp, At in E by exact Hi.
    destruct (alike points (pr i)) eqn:E2; congruence. }
  change (map (fun i => nth i pairs (0, 0)) at_) with (map pr at_). unfold lanes_add. rewrite Ca.
  pose proof (one_by_one_writes (map (with_formula points) copy) points (map pr at_) at_ pr eq_refl) as W.
  assert (Ra : forall i, In i at_ -> i < length pairs) by (intros i Hi; apply filter_In in Hi; destruct Hi as [Hi _]; apply in_seq in Hi; lia).
  specialize (W ltac:(apply Forall_forall; intros pq H; apply in_map_iff in H; destruct H as (i & <- & Hi); auto)).
  destruct (one_by_one (map (with_formula points) copy) points (map pr at_) at_) as [sums finite]. destruct W as [-> W].
  assert (Lm : length (map (with_formula points) copy) = length pairs) by (rewrite map_length; exact Lc).
  assert (Nth : forall i, i < length pairs -> nth i (writes (fun i => pair_sum points (pr i)) at_ (map (with_formula points) copy)) O = pair_sum points (pr i)).
  { intros i Hi. rewrite nth_writes by (rewrite Lm; exact Hi). destruct (existsb (Nat.eqb i) at_) eqn:E; [reflexivity|].
    rewrite (nth_indep _ O (with_formula points (0, 0))) by (rewrite Lm; exact Hi). rewrite map_nth, Cp, E by exact Hi.
    rewrite At in E by exact Hi. apply formula_right; auto. }
  split.
  - apply nth_ext with O O; [rewrite writes_length, Lm, map_length; reflexivity|]. rewrite writes_length, Lm. intros i Hi. rewrite Nth by exact Hi.
    rewrite (nth_indep _ O (pair_sum points (0, 0))) by (rewrite map_length; exact Hi). rewrite map_nth. reflexivity.
  - intros H. apply Forall_forall. intros a Ha. apply (In_nth _ _ O) in Ha. destruct Ha as (i & Hi & <-).
    rewrite writes_length, Lm in Hi. rewrite Nth by exact Hi. destruct (alike points (pr i)) eqn:E.
    + apply W; [exact H|]. apply existsb_eqb. rewrite At by exact Hi. exact E.
    + apply formula_right; auto.
Qed.

(* All rounds. Every list of two terms or more is in the order once, and the rounds read no other lists. *)
(* internal/batch/lists.go
func (s *adder) removeInfinitiesVartime() {
	for _, i := range s.order {
		l := &s.lists[i]
		t := s.terms[l.start:][:l.n]
		l.n = 0 // put overwrites only terms that the loop has read
		for _, term := range t {
			if p := &s.points[term>>1]; !p.X.IsZeroVartime() || !p.Y.IsZeroVartime() {
				s.put(l, term)
			}
		}
	}
}
*)
Definition remove_infinities (points : list G) (order : list nat) (lists : list (list nat)) :=
  writes (fun i => filter (fun t => negb (is_O (nth (Nat.div2 t) points O))) (nth i lists [])) order lists.

(* internal/batch/lists.go
func (s *adder) sumVartime(inLanes bool) {
	s.sortLists()
	for s.pair() {
		s.addPairsVartime(inLanes)
	}
}
*)
Fixpoint rounds (in_lanes : bool) (fuel : nat) (order : list nat) (points : list G) (lists : list (list nat)) : list G * list (list nat) :=
  match fuel with
  | 0 => (points, lists)
  | S fuel =>
      let '(pairs, lists) := pair_lists (length points) (skip_short order lists) lists in
      match pairs with
      | [] => (points, lists)
      | _ =>
          let '(sums, finite) := add_pairs in_lanes points pairs in
          let points := points ++ sums in
          rounds in_lanes fuel order points (if finite then lists else remove_infinities points order lists)
      end
  end.

Lemma rounds_right in_lanes order : NoDup order -> forall fuel points lists,
  (forall j, In j order -> good points (nth j lists []) /\ length (nth j lists []) <= S fuel) ->
  let '(points', lists') := rounds in_lanes fuel order points lists in
  (exists more, points' = points ++ more) /\ length lists' = length lists /\
  (forall j, ~ In j order -> nth j lists' [] = nth j lists []) /\
  (forall j, In j order -> good points' (nth j lists' []) /\ length (nth j lists' []) <= 1 /\
    value points' (nth j lists' []) = value points (nth j lists [])).
Proof.
  intros N. induction fuel as [|fuel IH]; intros points lists H; cbn [rounds].
  - split; [exists []; symmetry; apply app_nil_r|]. split; [reflexivity|]. split; [reflexivity|]. intros j Hj. destruct (H j Hj). auto.
  - rewrite skip_short_right. pose proof (pair_lists_length order (length points) lists) as Ll.
    pose proof (fun j => pair_lists_other (length points) order j lists) as Po.
    pose proof (fun after => pair_lists_right points order N lists [] after (fun j Hj => proj1 (H j Hj))) as Pr.
    cbn [length app] in Pr. rewrite Nat.add_0_r in Pr.
    destruct (pair_lists (length points) order lists) as [pairs lists1]. cbn [snd] in *. specialize (Pr []). destruct Pr as [Fp Pr]. rewrite app_nil_r in Pr.
    assert (Len : forall j, In j order -> length (nth j lists1 []) <= S fuel).
    { intros j Hj. destruct (Pr j Hj) as (_ & _ & L1 & L2). destruct (H j Hj) as [_ L]. destruct (Nat.le_gt_cases 2 (length (nth j lists []))) as [C|C].
      - destruct (L2 C). lia.
      - lia. }
    destruct pairs as [|pq pairs].
    + split; [exists []; symmetry; apply app_nil_r|]. split; [exact Ll|]. split; [exact Po|]. intros j Hj.
      destruct (Pr j Hj) as (V & Ft & L1 & L2). cbn [map] in V. rewrite app_nil_r in V. split; [|split; [|exact V]].
      * revert Ft. apply Forall_impl. intros t [Ht|(m & Hm & _)]; [exact Ht|cbn in Hm; lia].
      * destruct (Nat.le_gt_cases 2 (length (nth j lists []))) as [C|C]; [destruct (L2 C); congruence|lia].
    + pose proof (add_pairs_right in_lanes points (pq :: pairs) Fp) as A.
      destruct (add_pairs in_lanes points (pq :: pairs)) as [sums finite]. destruct A as [-> A].
      set (sums := map (pair_sum points) (pq :: pairs)) in *. set (lists2 := if finite then lists1 else _).
      assert (Good : forall j, In j order -> good (points ++ sums) (nth j lists2 []) /\ length (nth j lists2 []) <= S fuel /\
        value (points ++ sums) (nth j lists2 []) = value points (nth j lists [])).
      { intros j Hj. destruct (Pr j Hj) as (V & Ft & _). specialize (Len j Hj). unfold lists2. destruct finite.
        - split; [|auto]. revert Ft. apply Forall_impl. intros t [Ht|(m & Hm & ->)]; [rewrite nth_more; exact Ht|].
          rewrite app_nth2_plus. specialize (A eq_refl). rewrite Forall_forall in A. apply A. apply nth_In. unfold sums. rewrite map_length. exact Hm.
        - unfold remove_infinities. destruct (Nat.lt_ge_cases j (length lists1)) as [Lj|Lj].
          + rewrite nth_writes by exact Lj. assert (E : existsb (Nat.eqb j) order = true) by (apply existsb_eqb; exact Hj). rewrite E.
            split; [|split].
            * apply Forall_forall. intros t Ht. apply filter_In in Ht. destruct Ht as [_ Ht]. apply negb_true_iff in Ht. unfold is_O in Ht.
              destruct (eq_dec (nth (Nat.div2 t) (points ++ sums) O) O); [discriminate Ht|assumption].
            * assert (Fl : forall (f : nat -> bool) l, length (filter f l) <= length l).
              { intros f l. induction l as [|t l IHl]; cbn [filter length]; [lia|]. destruct (f t); cbn [length]; lia. }
              specialize (Fl (fun t => negb (is_O (nth (Nat.div2 t) (points ++ sums) O))) (nth j lists1 [])). lia.
            * rewrite <- V. generalize (nth j lists1 []). intros l. induction l as [|t l IHl]; [reflexivity|]. unfold value in *. cbn [filter map total].
              unfold is_O at 1. destruct (eq_dec (nth (Nat.div2 t) (points ++ sums) O) O) as [E0|]; cbn [negb].
              -- rewrite IHl. unfold point at 2. rewrite E0. destruct (Nat.odd t); rewrite ?minus_O, plus_O; reflexivity.
              -- cbn [map total]. rewrite IHl. reflexivity.
          + rewrite nth_overflow by (rewrite writes_length; lia). rewrite nth_overflow in V by lia. split; [constructor|]. cbn [length]. split; [lia|exact V]. }
      assert (Other : forall j, ~ In j order -> nth j lists2 [] = nth j lists []).
      { intros j Hj. rewrite <- (Po j Hj). unfold lists2. destruct finite; [reflexivity|]. unfold remove_infinities.
        destruct (Nat.lt_ge_cases j (length lists1)) as [Lj|Lj]; [|rewrite !nth_overflow by (rewrite ?writes_length; lia); reflexivity].
        rewrite nth_writes by exact Lj. destruct (existsb (Nat.eqb j) order) eqn:E; [apply existsb_eqb in E; contradiction|reflexivity]. }
      assert (L2 : length lists2 = length lists) by (unfold lists2; destruct finite; [exact Ll|unfold remove_infinities; rewrite writes_length; exact Ll]).
      specialize (IH (points ++ sums) lists2 (fun j Hj => conj (proj1 (Good j Hj)) (proj1 (proj2 (Good j Hj))))).
      destruct (rounds in_lanes fuel order (points ++ sums) lists2) as [points' lists']. destruct IH as ((more & ->) & Ln & Io & Ii).
      split; [exists (sums ++ more); symmetry; apply app_assoc|]. split; [congruence|]. split.
      * intros j Hj. rewrite Io, Other by exact Hj. reflexivity.
      * intros j Hj. destruct (Ii j Hj) as (I1 & I2 & I3). destruct (Good j Hj) as (_ & _ & E). rewrite I3, E. auto.
Qed.

Definition sum_lists (in_lanes : bool) (points : list G) (lists : list (list nat)) : list G * list (list nat) :=
  rounds in_lanes (list_max (map (@length nat) lists)) (sort_lists stale lists) points lists.

(* Every list is added up: afterwards it has its sum as its only term, or no term if the sum is infinity. *)
Theorem sum_lists_right in_lanes points lists : (forall j, good points (nth j lists [])) ->
  let '(points', lists') := sum_lists in_lanes points lists in
  (exists more, points' = points ++ more) /\ length lists' = length lists /\
  (forall j, good points' (nth j lists' []) /\ length (nth j lists' []) <= 1 /\ value points' (nth j lists' []) = value points (nth j lists [])).
Proof.
  intros H. unfold sum_lists. destruct (sort_lists_right stale stale_length lists) as [Once All].
  pose proof (rounds_right in_lanes (sort_lists stale lists) Once (list_max (map (@length nat) lists)) points lists) as R.
  destruct (rounds in_lanes _ (sort_lists stale lists) points lists) as [points' lists']. destruct R as (E & L & Ro & Ri).
  - intros j _. split; [apply H|]. destruct (Nat.lt_ge_cases j (length lists)) as [Lj|Lj]; [|rewrite nth_overflow by lia; cbn; lia].
    pose proof (proj1 (list_max_le (map (@length nat) lists) _) (Nat.le_refl _)) as F. rewrite Forall_forall in F.
    specialize (F (length (nth j lists []))). rewrite F; [lia|]. apply in_map. apply nth_In. exact Lj.
  - split; [exact E|]. split; [exact L|]. intros j. destruct (in_dec Nat.eq_dec j (sort_lists stale lists)) as [I|I]; [apply Ri; exact I|].
    rewrite (Ro j I). destruct E as [more ->]. destruct (value_more points more (nth j lists []) (H j)) as [Ev Eg]. split; [exact Eg|].
    split; [|exact Ev]. rewrite All in I. lia.
Qed.

(* put appends a term to a list. The model does not say where in memory the terms of a list are. *)
(* internal/batch/lists.go
func (s *adder) put(l *list, t lanes.Term) {
	s.terms[l.start+l.n] = t
	l.n++
}
*)
Definition put (lists : list (list nat)) (it : nat * nat) := set (fst it) (nth (fst it) lists [] ++ [snd it]) lists.
Definition puts (l : list (nat * nat)) (lists : list (list nat)) := fold_left put l lists.
Definition good_term (points : list G) (t : nat) := nth (Nat.div2 t) points O <> O.

Lemma put_right points lists it : good_term points (snd it) -> (forall j, good points (nth j lists [])) ->
  length (put lists it) = length lists /\ forall j, good points (nth j (put lists it) []) /\ (j < length lists ->
  value points (nth j (put lists it) []) = plus (value points (nth j lists [])) (if fst it =? j then point points (snd it) else O)).
Proof.
  intros Gt Gl. destruct it as [i t]. cbn [fst snd] in *. unfold put. cbn [fst snd]. split; [apply set_length|]. intros j. rewrite nth_set.
  destruct (Nat.eqb_spec i j) as [->|N]; cbn [andb].
  - destruct (Nat.ltb_spec j (length lists)).
    + split; [apply Forall_app; split; [apply Gl|constructor; [exact Gt|constructor]]|]. intros _.
      unfold value. rewrite map_app, total_app. cbn [map total]. rewrite plus_O_r. reflexivity.
    + split; [apply Gl|lia].
  - split; [apply Gl|]. intros _. rewrite plus_O_r. reflexivity.
Qed.

Lemma puts_right points l : Forall (fun it => good_term points (snd it)) l -> forall lists, (forall j, good points (nth j lists [])) ->
  length (puts l lists) = length lists /\ forall j, good points (nth j (puts l lists) []) /\ (j < length lists ->
  value points (nth j (puts l lists) []) = plus (value points (nth j lists [])) (total (map (fun it => if fst it =? j then point points (snd it) else O) l))).
Proof.
  induction 1 as [|it l Gt F IH]; intros lists Gl; cbn [puts fold_left map total].
  - split; [reflexivity|]. intros j. split; [apply Gl|]. intros _. rewrite plus_O_r. reflexivity.
  - destruct (put_right points lists it Gt Gl) as [L1 P1]. destruct (IH (put lists it) (fun j => proj1 (P1 j))) as [L2 P2].
    fold (puts l (put lists it)). split; [congruence|]. intros j. destruct (P1 j) as [_ V1]. destruct (P2 j) as [G2 V2]. split; [exact G2|].
    intros Hj. rewrite V2, V1, plus_assoc by congruence. reflexivity.
Qed.

Lemma nth_repeat_nil {T} c j : nth j (repeat (@nil T) c) [] = [].
Proof. revert j. induction c; intros [|j]; cbn [repeat nth]; auto. Qed.

Lemma total_flat_map {S T} (f : T -> G) (g : S -> list T) l : total (map f (flat_map g l)) = total (map (fun x => total (map f (g x))) l).
Proof. induction l as [|x l IH]; cbn [flat_map map total]; [reflexivity|]. rewrite map_app, total_app, IH. reflexivity. Qed.
End ListSums.
