(* The number of divsteps after which g = 0 follows from polygons that contain the pairs (f, g). Hulls.v has the
   polygons and the computation that remains. *)
Require Import ZArith Lia List Bool Constants.
Import ListNotations.
Open Scope Z_scope.

Section Divsteps.
(* A divstep of docs/inversion.md on the counter z, f and g. In the half-delta form, z is zeta and turn is 2. In the
   form that starts with delta = 1, z is eta and turn is 1. *)
Variable turn : Z.
Definition divstep (s : Z * Z * Z) : Z * Z * Z :=
  let '(z, f, g) := s in
  if Z.even g then (z - 1, f, g / 2) else if z <? 0 then (- z - turn, g, (g - f) / 2) else (z - 1, f, (g + f) / 2).
Definition divsteps (m : nat) (f g : Z) := Nat.iter m divstep (first_counter, f, g).

(* Polygons are symmetric about 0. A polygon is given by its upper vertices, from left to right, whose coordinates are
   integers in a unit that is given separately. *)
Definition size (a b : Z) (v : Z * Z) := Z.abs (a * fst v + b * snd v).
Definition support (polygon : list (Z * Z)) (a b : Z) := fold_right (fun v m => Z.max (size a b v) m) 0 polygon.
Definition cross (v w : Z * Z) := fst v * snd w - snd v * fst w.

Lemma support_above polygon a b v : In v polygon -> size a b v <= support polygon a b.
Proof. induction polygon as [|u l IH]; [contradiction|]. intros [<-|I]; unfold support in *; cbn [fold_right]; [lia|specialize (IH I); lia]. Qed.

Lemma support_least polygon a b B : 0 <= B -> (forall v, In v polygon -> size a b v <= B) -> support polygon a b <= B.
Proof.
  intros HB H. induction polygon as [|u l IH]; [exact HB|]. unfold support. cbn [fold_right]. apply Z.max_lub; [apply H; left; reflexivity|].
  apply IH. intros. apply H. right. assumption.
Qed.

Lemma support_nonneg polygon a b : 0 <= support polygon a b.
Proof. induction polygon as [|u l IH]; unfold support in *; cbn [fold_right]; lia. Qed.

(* If inside holds, R |a w| <= r |a| for every linear map a, where |a| is the largest |a v| over the vertices v. The
   test uses two vertices of the polygon, or all sides if the polygon is a rectangle. *)
Definition between (r R : Z) (w v v' : Z * Z) :=
  (cross v v' =? 0) = false /\ R * (Z.abs (cross w v') + Z.abs (cross v w)) <= r * Z.abs (cross v v').
Definition between_test (r R : Z) (w v v' : Z * Z) :=
  negb (cross v v' =? 0) && (R * (Z.abs (cross w v') + Z.abs (cross v w)) <=? r * Z.abs (cross v v')).
Fixpoint search (r R : Z) (w v : Z * Z) (l : list (Z * Z)) : bool :=
  match l with [] => false | v' :: l => between_test r R w v v' || search r R w v' l end.
Definition inside (r R : Z) (w : Z * Z) (polygon : list (Z * Z)) : bool :=
  match polygon with
  | [(f, g); (f', g')] => (f =? f') && (g =? - g') && (R * Z.abs (fst w) <=? r * f) && (R * Z.abs (snd w) <=? r * g)
  | _ => search r R w (last polygon (0, 0)) polygon
  end.

Lemma between_size r R w v v' a b N : 0 <= R -> between_test r R w v v' = true -> size a b v <= N -> size a b v' <= N ->
  R * size a b w <= r * N.
Proof.
  intros HR T H H'. apply andb_prop in T. destruct T as [T1 T2]. apply negb_true_iff, Z.eqb_neq in T1. apply Z.leb_le in T2.
  set (D := Z.abs (cross v v')) in *. assert (0 < D) by (unfold D; lia).
  assert (E : size a b w * D <= N * (Z.abs (cross w v') + Z.abs (cross v w))).
  { unfold D, size. rewrite <- Z.abs_mul.
    replace ((a * fst w + b * snd w) * cross v v') with
      ((a * fst v + b * snd v) * cross w v' + (a * fst v' + b * snd v') * cross v w) by (unfold cross; ring).
    rewrite Z.mul_add_distr_l. eapply Z.le_trans; [apply Z.abs_triangle|]. rewrite !Z.abs_mul. unfold size in H, H'.
    apply Z.add_le_mono; apply Z.mul_le_mono_nonneg_r; [lia|exact H|lia|exact H']. }
  apply Z.mul_le_mono_pos_r with (p := D); [assumption|].
  assert (N0 : 0 <= N) by (unfold size in H; lia).
  apply Z.le_trans with (N * (R * (Z.abs (cross w v') + Z.abs (cross v w)))).
  - replace (R * size a b w * D) with (R * (size a b w * D)) by ring.
    replace (N * (R * (Z.abs (cross w v') + Z.abs (cross v w)))) with (R * (N * (Z.abs (cross w v') + Z.abs (cross v w)))) by ring.
    apply Z.mul_le_mono_nonneg_l; assumption.
  - replace (r * N * D) with (N * (r * D)) by ring. apply Z.mul_le_mono_nonneg_l; assumption.
Qed.

Lemma search_size r R w a b N : 0 <= R -> forall l v, search r R w v l = true -> size a b v <= N ->
  (forall u, In u l -> size a b u <= N) -> R * size a b w <= r * N.
Proof.
  intros HR. induction l as [|v' l IH]; intros v T H H'; [discriminate|]. cbn in T. apply orb_prop in T. destruct T as [T|T].
  - apply (between_size r R w v v'); auto. apply H'. left. reflexivity.
  - apply (IH v'); auto; intros; apply H'; [left; reflexivity|right; assumption].
Qed.

Lemma last_in (l : list (Z * Z)) d : l <> [] -> In (last l d) l.
Proof. induction l as [|x [|y l] IH]; intros N; [contradiction|left; reflexivity|right; apply IH; discriminate]. Qed.

Lemma rectangle_size r R w f g a b : 0 <= R -> 0 <= r -> R * Z.abs (fst w) <= r * f -> R * Z.abs (snd w) <= r * g ->
  R * size a b w <= r * Z.max (size a b (f, g)) (size a b (f, - g)).
Proof.
  intros HR Hr Hf Hg. assert (E : Z.abs a * f + Z.abs b * g <= Z.max (size a b (f, g)) (size a b (f, - g))).
  { unfold size. cbn [fst snd]. destruct (Z.abs_eq_or_opp a) as [-> | ->], (Z.abs_eq_or_opp b) as [-> | ->]; lia. }
  eapply Z.le_trans; [|apply Z.mul_le_mono_nonneg_l; [exact Hr|exact E]].
  assert (S : size a b w <= Z.abs a * Z.abs (fst w) + Z.abs b * Z.abs (snd w)).
  { unfold size. rewrite <- !Z.abs_mul. apply Z.abs_triangle. }
  eapply Z.le_trans; [apply Z.mul_le_mono_nonneg_l; [exact HR|exact S]|].
  apply (Z.mul_le_mono_nonneg_l _ _ (Z.abs a)) in Hf; [|lia]. apply (Z.mul_le_mono_nonneg_l _ _ (Z.abs b)) in Hg; [|lia]. lia.
Qed.

Lemma inside_size r R w polygon a b : 0 <= R -> 0 <= r -> inside r R w polygon = true ->
  R * size a b w <= r * support polygon a b.
Proof.
  intros HR Hr T.
  assert (Other : search r R w (last polygon (0, 0)) polygon = true -> R * size a b w <= r * support polygon a b).
  { intros S. apply (search_size r R w a b _ HR _ _ S); [|intros; apply support_above; assumption].
    apply support_above, last_in. intros ->. discriminate S. }
  destruct polygon as [|[f g] [|[f' g'] [|? ?]]]; try (apply Other; exact T).
  cbn [inside] in T. apply andb_prop in T. destruct T as [T T4]. apply andb_prop in T. destruct T as [T T3].
  apply andb_prop in T. destruct T as [T1 T2]. apply Z.eqb_eq in T1, T2. apply Z.leb_le in T3, T4. subst f'.
  assert (g' = - g) by lia. subst g'. eapply Z.le_trans; [apply (rectangle_size r R w f g); assumption|].
  apply Z.mul_le_mono_nonneg_l; [exact Hr|]. cbn [support fold_right]. lia.
Qed.

(* For each counter, a polygon with its unit. A divstep maps the polygon of a counter into the polygon of the next
   counter, scaled by r/R, where R is a power of 2. *)
Variables (r : Z) (bits steps : nat).
Let R := 2 ^ Z.of_nat bits.
Variable polygon : Z -> Z * list (Z * Z).
Definition into (unit z : Z) (w : Z * Z) := let '(u, p) := polygon z in inside (2 * r * unit) (R * u) w p.
Definition step_test (z : Z) : bool :=
  let '(u, p) := polygon z in (0 <? u) &&
  forallb (fun v => into u (z - 1) (2 * fst v, snd v) &&
    if z <? 0 then into u (- z - turn) (2 * snd v, snd v - fst v) else into u (z - 1) (2 * fst v, snd v + fst v)) p.

Definition bounded (M : Z) (m : nat) (s : Z * Z * Z) :=
  let '(z, f, g) := s in let '(u, p) := polygon z in
  forall a b, size a b (f, g) * u * R ^ Z.of_nat m <= M * r ^ Z.of_nat m * support p a b.

Hypothesis r_pos : 0 < r.
Let R_pos : 0 < R.
Proof. apply Z.pow_pos_nonneg; lia. Qed.

(* A linear map takes the old pair (f, g) to twice the new pair, and the old vertices to twice the new vertices. *)
Lemma bounded_map M m z z' f g f' g' (map : Z * Z -> Z * Z) : 0 <= M -> 0 < fst (polygon z) -> 0 <= fst (polygon z') ->
  (forall a b, exists c d, (forall v, size a b (map v) = size c d v)) -> (2 * f', 2 * g') = map (f, g) ->
  forallb (fun v => into (fst (polygon z)) z' (map v)) (snd (polygon z)) = true ->
  bounded M m (z, f, g) -> bounded M (S m) (z', f', g').
Proof.
  unfold bounded, into. destruct (polygon z) as [u p], (polygon z') as [u' p']. cbn [fst snd]. intros HM Hu Hu' L E T B a b.
  destruct (L a b) as (c & d & L'). specialize (B c d). rewrite <- L', <- E in B.
  rewrite forallb_forall in T.
  assert (Sup : R * u' * support p c d <= 2 * r * u * support p' a b).
  { assert (0 <= support p' a b) by apply support_nonneg.
    destruct (Z.eq_dec (R * u') 0) as [-> | N0]; [nia|].
    assert (P : 0 < R * u') by nia. clear N0.
    assert (Q : 0 <= 2 * r * u * support p' a b) by nia.
    assert (support p c d <= 2 * r * u * support p' a b / (R * u')).
    { apply support_least; [apply Z.div_pos; assumption|]. intros v I. rewrite <- L'. apply Z.div_le_lower_bound; [exact P|].
      apply inside_size; [lia|nia|]. apply T. exact I. }
    eapply Z.le_trans; [apply Z.mul_le_mono_nonneg_l; [lia|eassumption]|]. apply Z.mul_div_le. exact P. }
  replace (size a b (2 * f', 2 * g')) with (2 * size a b (f', g')) in B by (unfold size; cbn [fst snd]; lia).
  rewrite Nat2Z.inj_succ, !Z.pow_succ_r by lia.
  set (X := size a b (f', g')) in *. set (Rm := R ^ Z.of_nat m) in *. set (rm := r ^ Z.of_nat m) in *.
  assert (Hrm : 0 <= M * rm) by (apply Z.mul_nonneg_nonneg; [exact HM|apply Z.pow_nonneg; lia]).
  apply Z.mul_le_mono_pos_r with (p := 2 * u); [lia|].
  apply Z.le_trans with (M * rm * (R * u' * support p c d)).
  - replace (X * u' * (R * Rm) * (2 * u)) with ((2 * X * u * Rm) * (R * u')) by ring.
    replace (M * rm * (R * u' * support p c d)) with ((M * rm * support p c d) * (R * u')) by ring.
    apply Z.mul_le_mono_nonneg_r; [nia|exact B].
  - replace (M * (r * rm) * support p' a b * (2 * u)) with (M * rm * (2 * r * u * support p' a b)) by ring.
    apply Z.mul_le_mono_nonneg_l; assumption.
Qed.

Lemma halve x : Z.even x = true -> 2 * (x / 2) = x.
Proof. intros E. apply Zeven_bool_iff, Zeven_ex in E. destruct E as [k ->]. rewrite (Z.mul_comm 2 k), Z.div_mul by discriminate. ring. Qed.

Lemma bounded_step M m s : 0 <= M -> Z.even (snd (fst s)) = false -> let z := fst (fst s) in let z' := fst (fst (divstep s)) in
  step_test z = true -> step_test z' = true -> bounded M m s -> bounded M (S m) (divstep s).
Proof.
  destruct s as [[z f] g]. intros HM Ef z0 z' T T'. subst z0. cbn [fst snd] in T, Ef.
  assert (U : forall z, step_test z = true -> 0 < fst (polygon z)).
  { intros y Y. unfold step_test in Y. destruct (polygon y) as [u p]. apply andb_prop in Y. apply Z.ltb_lt, (proj1 Y). }
  pose proof (U z T) as Uz. pose proof (U z' T') as Uz'. unfold step_test in T.
  rewrite (surjective_pairing (polygon z)) in T. apply andb_prop in T. destruct T as [_ T].
  subst z'. unfold divstep in *. destruct (Z.even g) eqn:Eg; [|destruct (z <? 0) eqn:Ez].
  - apply (bounded_map M m z _ f g _ _ (fun v => (2 * fst v, snd v))); [assumption|assumption|cbn [fst] in Uz'; lia|..].
    + intros a b. exists (2 * a), b. intros v. unfold size. cbn [fst snd]. f_equal. ring.
    + cbn [fst snd]. rewrite halve by exact Eg. reflexivity.
    + rewrite forallb_forall in T |- *. intros v I. specialize (T v I). apply andb_prop in T. apply T.
  - apply (bounded_map M m z _ f g _ _ (fun v => (2 * snd v, snd v - fst v))); [assumption|assumption|cbn [fst] in Uz'; lia|..].
    + intros a b. exists (- b), (2 * a + b). intros v. unfold size. cbn [fst snd]. f_equal. ring.
    + cbn [fst snd]. rewrite halve by (rewrite Z.even_sub, Eg, Ef; reflexivity). reflexivity.
    + rewrite forallb_forall in T |- *. intros v I. specialize (T v I). apply andb_prop in T. apply T.
  - apply (bounded_map M m z _ f g _ _ (fun v => (2 * fst v, snd v + fst v))); [assumption|assumption|cbn [fst] in Uz'; lia|..].
    + intros a b. exists (2 * a + b), b. intros v. unfold size. cbn [fst snd]. f_equal. ring.
    + cbn [fst snd]. rewrite halve by (rewrite Z.even_add, Eg, Ef; reflexivity). reflexivity.
    + rewrite forallb_forall in T |- *. intros v I. specialize (T v I). apply andb_prop in T. apply T.
Qed.

(* After the last divstep, |g| < 1 for all pairs in a polygon, or |f| < 1 for all of them. The test uses an upper bound
   for 2^276 (r/R)^steps. *)
Definition counters := map (fun i => Z.of_nat i - 1 - Z.of_nat steps) (seq 0 (2 * steps + 2)).
Definition bound := Z.shiftr (2 ^ 276 * r ^ Z.of_nat steps) (Z.of_nat bits * Z.of_nat steps) + 1.
Definition end_test (bound z : Z) : bool :=
  let '(u, p) := polygon z in (bound * support p 0 1 <? 2 ^ 20 * u) || (bound * support p 1 0 <? 2 ^ 20 * u).
Definition start_test : bool := let '(u, p) := polygon (-1) in inside 1 1 (u, 0) p && inside 1 1 (u, u) p.
Definition test : bool := start_test && forallb step_test counters && let b := bound in forallb (end_test b) counters.

Lemma in_counters z : -1 - Z.of_nat steps <= z <= Z.of_nat steps -> In z counters.
Proof.
  intros H. unfold counters. apply in_map_iff. exists (Z.to_nat (z + 1 + Z.of_nat steps)). split; [lia|]. apply in_seq. lia.
Qed.

Lemma divsteps_succ m f g : divsteps (S m) f g = divstep (divsteps m f g).
Proof. reflexivity. Qed.

Hypothesis turns : 1 <= turn <= 2.

Lemma counter_range m f g : -1 - Z.of_nat m <= fst (fst (divsteps m f g)) <= Z.of_nat m.
Proof.
  induction m as [|m IH]; [cbn; lia|]. rewrite divsteps_succ. destruct (divsteps m f g) as [[z f'] g']. cbn [fst] in IH.
  unfold divstep. destruct (Z.even g'); [|destruct (Z.ltb_spec z 0)]; cbn [fst]; lia.
Qed.

(* f stays odd, and |f| and |g| never exceed the larger of their first values. *)
Theorem I1_odd m f g : Z.odd f = true -> Z.odd (snd (fst (divsteps m f g))) = true.
Proof.
  intros E. induction m as [|m IH]; [exact E|]. rewrite divsteps_succ. destruct (divsteps m f g) as [[z f'] g'].
  cbn [fst snd] in IH. unfold divstep. destruct (Z.even g') eqn:Eg; [|destruct (z <? 0)]; cbn [fst snd]; [exact IH| |exact IH].
  rewrite <- Z.negb_even, Eg. reflexivity.
Qed.

Lemma halve_abs x B : Z.abs x <= 2 * B -> Z.abs (x / 2) <= B.
Proof.
  intros H. pose proof (Z.div_le_mono x (B * 2) 2 ltac:(lia) ltac:(lia)). pose proof (Z.div_le_mono (- B * 2) x 2 ltac:(lia) ltac:(lia)).
  rewrite Z.div_mul in * by discriminate. lia.
Qed.

Theorem I1_bound m f g B : Z.abs f <= B -> Z.abs g <= B ->
  Z.abs (snd (fst (divsteps m f g))) <= B /\ Z.abs (snd (divsteps m f g)) <= B.
Proof.
  intros Hf Hg. induction m as [|m IH]; [split; assumption|]. rewrite divsteps_succ. destruct (divsteps m f g) as [[z f'] g'].
  cbn [fst snd] in IH. unfold divstep.
  destruct (Z.even g'); [|destruct (z <? 0)]; cbn [fst snd]; (split; [lia|apply halve_abs; lia]).
Qed.

Theorem I1_zero m k f g : snd (divsteps m f g) = 0 -> snd (fst (divsteps (k + m) f g)) = snd (fst (divsteps m f g)) /\
  snd (divsteps (k + m) f g) = 0.
Proof.
  intros E. induction k as [|k IH]; [split; [reflexivity|exact E]|]. cbn [Nat.add]. rewrite divsteps_succ.
  destruct (divsteps (k + m) f g) as [[z f'] g']. cbn [fst snd] in IH. destruct IH as [IH ->]. split; [exact IH|reflexivity].
Qed.

Lemma gcd_half f x : Z.odd f = true -> Z.gcd f x = Z.gcd f (2 * x).
Proof.
  intros O. symmetry. apply Z.gcd_unique; [apply Z.gcd_nonneg|apply Z.gcd_divide_l| |].
  - apply Z.divide_mul_r, Z.gcd_divide_r.
  - intros q Hf Hx. apply Z.gcd_greatest; [exact Hf|]. apply Z.gauss with 2; [exact Hx|]. apply Z.gcd_unique; [lia|apply Z.divide_1_l|apply Z.divide_1_l|].
    intros d Dq D2. destruct Hf as [c ->], Dq as [e ->]. destruct D2 as [h D2]. 
    assert (Z.abs d <= 2) by (apply Z.divide_pos_le; [lia|]; apply Z.divide_abs_l; exists h; exact D2).
    assert (E : d = 2 \/ d = -2 \/ d = 1 \/ d = -1) by (assert (d <> 0) by (intros ->; lia); lia).
    destruct E as [-> | [-> | [-> | ->]]]; rewrite ?Z.odd_mul in O; cbn in O; rewrite ?andb_false_r in O; try discriminate.
    + exists 1. reflexivity.
    + exists (-1). reflexivity.
Qed.

(* The greatest common divisor of f and g stays the same. *)
Theorem I1_gcd m f g : Z.odd f = true -> Z.gcd (snd (fst (divsteps m f g))) (snd (divsteps m f g)) = Z.gcd f g.
Proof.
  intros O. induction m as [|m IH]; [reflexivity|]. pose proof (I1_odd m f g O) as Of. pose proof (I1_odd (S m) f g O) as Of'.
  rewrite divsteps_succ in *. destruct (divsteps m f g) as [[z f'] g']. cbn [fst snd] in IH, Of. rewrite <- IH.
  unfold divstep in *. destruct (Z.even g') eqn:Eg; [|destruct (z <? 0)]; cbn [fst snd] in *; rewrite gcd_half by exact Of'; rewrite halve.
  - reflexivity.
  - exact Eg.
  - replace (g' - f') with (- f' + 1 * g') by ring. rewrite Z.gcd_add_mult_diag_r, Z.gcd_opp_r. apply Z.gcd_comm.
  - rewrite Z.even_sub, Eg, <- Z.negb_odd, Of. reflexivity.
  - replace (g' + f') with (g' + 1 * f') by ring. apply Z.gcd_add_mult_diag_r.
  - rewrite Z.even_add, Eg, <- Z.negb_odd, Of. reflexivity.
Qed.

(* Once g is 0, f is 1 or -1 if the first f and g have no common divisor. *)
Theorem I1_unit m f g : Z.odd f = true -> Z.gcd f g = 1 -> snd (divsteps m f g) = 0 -> Z.abs (snd (fst (divsteps m f g))) = 1.
Proof. intros O E Z0. rewrite <- E, <- (I1_gcd m f g O), Z0, Z.gcd_0_r. reflexivity. Qed.

Lemma bounded_divsteps f g M m : test = true -> Z.odd f = true -> 0 <= g <= f -> f <= M -> (m <= steps)%nat ->
  bounded M m (divsteps m f g).
Proof.
  intros T O Hg HM. unfold test in T. apply andb_prop in T. destruct T as [T _]. apply andb_prop in T. destruct T as [T0 T].
  rewrite forallb_forall in T. induction m as [|m IH]; intros L.
  - unfold start_test in T0. unfold bounded. cbn [divsteps Nat.iter nat_rect]. destruct (polygon (-1)) as [u p] eqn:P.
    assert (Hu : 0 < u).
    { specialize (T (-1) (in_counters (-1) ltac:(lia))). unfold step_test in T. rewrite P in T. apply andb_prop in T.
      apply Z.ltb_lt, (proj1 T). }
    intros a b. apply andb_prop in T0. destruct T0 as [T1 T2].
    apply (inside_size _ _ _ _ a b) in T1, T2; [|lia|lia|lia|lia]. pose proof (support_nonneg p a b).
    rewrite Z.mul_1_r, Z.mul_1_r. unfold size in *. cbn [fst snd] in *.
    (* a f + b g is (f - g) a + g (a + b) *)
    assert (L1 : Z.abs (a * f + b * g) <= f * Z.max (Z.abs a) (Z.abs (a + b))).
    { replace (a * f + b * g) with ((f - g) * a + g * (a + b)) by ring. eapply Z.le_trans; [apply Z.abs_triangle|].
      rewrite !Z.abs_mul, (Z.abs_eq (f - g)), (Z.abs_eq g) by lia. set (x := Z.max (Z.abs a) (Z.abs (a + b))).
      replace (f * x) with ((f - g) * x + g * x) by ring. apply Z.add_le_mono; apply Z.mul_le_mono_nonneg_l; lia. }
    assert (S : Z.max (Z.abs a) (Z.abs (a + b)) * u <= support p a b).
    { replace (a * u + b * 0) with (a * u) in T1 by ring. replace (a * u + b * u) with ((a + b) * u) in T2 by ring.
      rewrite Z.abs_mul, (Z.abs_eq u) in T1, T2 by lia.
      destruct (Z.max_dec (Z.abs a) (Z.abs (a + b))) as [-> | ->]; lia. }
    apply Z.le_trans with (f * (Z.max (Z.abs a) (Z.abs (a + b)) * u)).
    + rewrite Z.mul_assoc. apply Z.mul_le_mono_nonneg_r; lia.
    + apply Z.mul_le_mono_nonneg; [lia|exact HM| |exact S]. apply Z.mul_nonneg_nonneg; lia.
  - rewrite divsteps_succ. apply bounded_step; [lia| | | |apply IH; lia].
    + rewrite <- Z.negb_odd, I1_odd by exact O. reflexivity.
    + apply T, in_counters. pose proof (counter_range m f g). lia.
    + rewrite <- divsteps_succ. apply T, in_counters. pose proof (counter_range (S m) f g). lia.
Qed.

Theorem I4 f g m : test = true -> Z.odd f = true -> 0 <= g <= f -> f <= 2 ^ 256 -> (steps <= m)%nat ->
  snd (divsteps m f g) = 0.
Proof.
  intros T O Hg HM L. replace m with (m - steps + steps)%nat by lia. apply I1_zero.
  pose proof (bounded_divsteps f g (2 ^ 256) steps T O Hg HM (le_n _)) as B. pose proof (I1_odd steps f g O) as Of.
  pose proof (in_counters _ (counter_range steps f g)) as I.
  unfold test in T. apply andb_prop in T. destruct T as [T E]. apply andb_prop in T. destruct T as [_ T].
  rewrite forallb_forall in E, T. specialize (E _ I). specialize (T _ I). unfold end_test in E. unfold step_test in T.
  unfold bounded in B. destruct (divsteps steps f g) as [[z f'] g']. cbn [fst snd] in *.
  destruct (polygon z) as [u p]. apply andb_prop in T. destruct T as [T _]. apply Z.ltb_lt in T.
  set (Rs := R ^ Z.of_nat steps) in *. set (rs := r ^ Z.of_nat steps) in *.
  assert (HR : 0 < Rs) by (apply Z.pow_pos_nonneg; lia).
  assert (Hb : 2 ^ 20 * (2 ^ 256 * rs) <= bound * Rs).
  { unfold bound. rewrite Z.shiftr_div_pow2, Z.pow_mul_r by lia. fold R. fold Rs rs. replace (2 ^ 20 * (2 ^ 256 * rs)) with (2 ^ 276 * rs) by ring.
    rewrite (Z.mul_comm _ Rs). apply Z.lt_le_incl, Z.mul_succ_div_gt, HR. }
  assert (Small : forall x s, Z.abs x * u * Rs <= 2 ^ 256 * rs * s -> 0 <= s -> bound * s < 2 ^ 20 * u -> x = 0).
  { intros x s H Hs Hlt. destruct (Z.eq_dec x 0) as [|N]; [assumption|exfalso].
    assert (H1 : 1 * (u * Rs) <= Z.abs x * (u * Rs)) by (apply Z.mul_le_mono_nonneg_r; nia).
    assert (H2 : 2 ^ 20 * (2 ^ 256 * rs) * s <= bound * Rs * s) by (apply Z.mul_le_mono_nonneg_r; assumption).
    assert (H3 : bound * s * Rs < 2 ^ 20 * u * Rs) by (apply Z.mul_lt_mono_pos_r; assumption).
    assert (H4 : 2 ^ 20 * (Z.abs x * u * Rs) <= 2 ^ 20 * (2 ^ 256 * rs * s)) by (apply Z.mul_le_mono_nonneg_l; [discriminate|exact H]).
    clear - H1 H2 H3 H4. set (t := 2 ^ 256 * rs) in *. lia. }
  apply orb_prop in E. destruct E as [E|E]; apply Z.ltb_lt in E.
  - apply (Small g' (support p 0 1)); [|apply support_nonneg|exact E]. specialize (B 0 1). unfold size in B.
    cbn [fst snd] in B. replace (0 * f' + 1 * g') with g' in B by ring. exact B.
  - exfalso. assert (f' = 0); [|subst f'; discriminate].
    apply (Small f' (support p 1 0)); [|apply support_nonneg|exact E]. specialize (B 1 0). unfold size in B.
    cbn [fst snd] in B. replace (1 * f' + 0 * g') with f' in B by ring. exact B.
Qed.
End Divsteps.
