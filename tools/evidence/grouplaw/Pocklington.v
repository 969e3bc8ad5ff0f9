(* Certificates that a number is prime. H. Pocklington ("The determination of the prime or composite nature of large
   numbers by Fermat's theorem", 1914): N is prime if there are distinct primes q that divide N - 1, whose product F has
   F^2 >= N, and a number a with a^(N-1) = 1 modulo N such that each a^((N-1)/q) - 1 is coprime to N. *)
Require Import ZArith Znumtheory Zpow_facts Lia List Bool Permutation Constants.
Import ListNotations.
Open Scope Z_scope.

(* Fermat's theorem: multiplication by a permutes the numbers from 1 to r - 1 modulo r. *)
Definition product := fold_right Z.mul 1.

Lemma product_permutation l l' : Permutation l l' -> product l = product l'.
Proof. induction 1; simpl; lia. Qed.

Lemma product_map a r l : (product (map (fun x => a * x mod r) l) - a ^ Z.of_nat (length l) * product l) mod r = 0.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [map product fold_right length]. fold (product l).
  fold (product (map (fun x => a * x mod r) l)). set (m := product (map _ l)) in *.
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite Zminus_mod, Zmult_mod_idemp_l, <- Zminus_mod.
  replace (a * x * m - a * a ^ Z.of_nat (length l) * (x * product l)) with
    (a * x * (m - a ^ Z.of_nat (length l) * product l)) by ring.
  rewrite Zmult_mod, IH, Z.mul_0_r. reflexivity.
Qed.

Lemma divides_mod r x : prime r -> x mod r = 0 <-> (r | x).
Proof. intros P. pose proof (prime_ge_2 r P). apply Z.mod_divide. lia. Qed.

Lemma fermat r a : prime r -> ~ (r | a) -> (a ^ (r - 1) - 1) mod r = 0.
Proof.
  intros P Na. pose proof (prime_ge_2 r P) as R. set (l := map Z.of_nat (seq 1 (Z.to_nat (r - 1)))).
  assert (In_l : forall x, In x l <-> 1 <= x < r).
  { intros x. unfold l. rewrite in_map_iff. split.
    - intros (i & <- & H). apply in_seq in H. lia.
    - intros H. exists (Z.to_nat x). split; [lia|]. apply in_seq. lia. }
  assert (Nd : NoDup l) by (apply FinFun.Injective_map_NoDup; [intros i j; lia|apply seq_NoDup]).
  assert (Len : Z.of_nat (length l) = r - 1) by (unfold l; rewrite map_length, seq_length; lia).
  assert (N0 : forall x, 1 <= x < r -> ~ (r | x)).
  { intros x H D. apply Z.divide_pos_le in D; lia. }
  assert (Perm : Permutation l (map (fun x => a * x mod r) l)).
  { symmetry. apply NoDup_Permutation_bis; [|rewrite map_length; lia|].
    - clear Len. assert (Sub : forall x, In x l -> 1 <= x < r) by (intros x; apply In_l). clear In_l.
      induction Nd as [|x l' Nx _ IH]; [constructor|]. cbn [map]. constructor; [|apply IH; intros; apply Sub; right; assumption].
      intros I. apply in_map_iff in I. destruct I as (y & E & Iy).
      assert (D : (r | a * (y - x))).
      { apply Z.mod_divide; [lia|]. rewrite Z.mul_sub_distr_l, Zminus_mod, E, Z.sub_diag. reflexivity. }
      apply prime_mult in D; [|exact P]. destruct D as [D|D]; [exact (Na D)|].
      pose proof (Sub x (or_introl eq_refl)). pose proof (Sub y (or_intror Iy)). apply Nx.
      replace x with y; [exact Iy|]. destruct (Z.lt_total x y) as [L|[L|L]]; [exfalso|lia|exfalso].
      + apply Z.divide_pos_le in D; lia.
      + apply Z.divide_opp_r in D. apply Z.divide_pos_le in D; lia.
    - intros x I. apply in_map_iff in I. destruct I as (y & <- & Iy). apply In_l in Iy. apply In_l.
      pose proof (Z.mod_pos_bound (a * y) r ltac:(lia)). assert (a * y mod r <> 0); [|lia].
      rewrite divides_mod by exact P. intros D. apply prime_mult in D; [|exact P]. destruct D as [D|D]; [exact (Na D)|].
      exact (N0 y Iy D). }
  pose proof (product_map a r l) as E. rewrite <- (product_permutation _ _ Perm), Len in E.
  rewrite divides_mod in E by exact P. replace (product l - a ^ (r - 1) * product l) with (- (a ^ (r - 1) - 1) * product l) in E by ring.
  apply prime_mult in E; [|exact P]. destruct E as [E|E].
  - apply divides_mod; [exact P|]. apply (Z.divide_opp_r r). exact E.
  - exfalso. revert E. clear - P In_l N0. assert (Sub : forall x, In x l -> ~ (r | x)) by (intros x I; apply N0, In_l, I).
    clear In_l. induction l as [|x l' IH]; cbn [product fold_right].
    + intros D. apply Z.divide_pos_le in D; [|lia]. pose proof (prime_ge_2 r P). lia.
    + intros D. apply prime_mult in D; [|exact P]. destruct D as [D|D]; [exact (Sub x (or_introl eq_refl) D)|].
      apply IH; [intros y I; apply Sub; right; exact I|exact D].
Qed.

Lemma pow_one a k r : 0 <= k -> (a - 1) mod r = 0 -> (a ^ k - 1) mod r = 0.
Proof.
  intros K E. revert k K. apply natlike_ind; [reflexivity|]. intros k K IH. rewrite Z.pow_succ_r by exact K.
  replace (a * a ^ k - 1) with (a * (a ^ k - 1) + (a - 1)) by ring. rewrite Zplus_mod, Zmult_mod, IH, E, Z.mul_0_r. reflexivity.
Qed.

(* q divides r - 1. Otherwise m + s (r - 1) = t (N - 1) for m = (N - 1)/q and some s and t, so a^m = 1 modulo r. *)
Lemma divides q r a m : prime q -> prime r -> 0 < m -> (a ^ (m * q) - 1) mod r = 0 -> (a ^ m - 1) mod r <> 0 -> (q | r - 1).
Proof.
  intros Pq Pr M E N. pose proof (prime_ge_2 q Pq). pose proof (prime_ge_2 r Pr).
  destruct (Zdivide_dec q (r - 1)) as [D|D]; [exact D|]. exfalso. apply N.
  assert (Na : ~ (r | a)).
  { intros Da. apply divides_mod in E; [|exact Pr]. assert (D1 : (r | a ^ (m * q) - (a ^ (m * q) - 1))).
    { apply Z.divide_sub_r; [|exact E]. replace (m * q) with (Z.succ (m * q - 1)) by lia. rewrite Z.pow_succ_r by nia.
      apply Z.divide_mul_l. exact Da. }
    apply Z.divide_pos_le in D1; lia. }
  destruct (rel_prime_bezout q (r - 1) (prime_rel_prime q Pq (r - 1) D)) as [u v B].
  set (k := Z.abs u + Z.abs v). set (t := u + k * (r - 1)). set (s := k * (q * m) - v * m).
  assert (T : 0 <= t).
  { assert (K : k * 1 <= k * (r - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). unfold t. lia. }
  assert (S : 0 <= s).
  { assert (K : k * 1 <= k * q) by (apply Z.mul_le_mono_nonneg_l; lia). unfold s.
    replace (k * (q * m) - v * m) with ((k * q - v) * m) by ring. apply Z.mul_nonneg_nonneg; lia. }
  assert (Q : m + s * (r - 1) = m * q * t).
  { unfold s, t. replace m with (m * (u * q + v * (r - 1))) at 1 by (rewrite B; ring). ring. }
  assert (Mq : 0 <= m * q) by (apply Z.mul_nonneg_nonneg; lia).
  pose proof (pow_one _ t r T E) as E1. rewrite <- Z.pow_mul_r, <- Q in E1 by assumption.
  pose proof (pow_one _ s r S (fermat r a Pr Na)) as E2. rewrite <- Z.pow_mul_r, (Z.mul_comm (r - 1)) in E2 by lia.
  rewrite Z.pow_add_r in E1 by (try apply Z.mul_nonneg_nonneg; lia).
  replace (a ^ m - 1) with ((a ^ m * a ^ (s * (r - 1)) - 1) - a ^ m * (a ^ (s * (r - 1)) - 1)) by ring.
  rewrite Zminus_mod, E1, Zmult_mod, E2, Z.mul_0_r. reflexivity.
Qed.

Lemma prime_divisor x : 1 < x -> exists r, prime r /\ (r | x).
Proof.
  intros H. assert (H0 : 0 <= x) by lia. revert H. pattern x. apply Zlt_0_ind; [|exact H0]. clear x H0. intros x IH _ H.
  destruct (prime_dec x) as [P|N]; [exists x; split; [exact P|apply Z.divide_refl]|].
  destruct (not_prime_divide x H N) as (y & Hy & D). destruct (IH y ltac:(lia) ltac:(lia)) as (r & P & R).
  exists r. split; [exact P|]. exact (Z.divide_trans _ _ _ R D).
Qed.

Lemma product_divides qs x : Forall prime qs -> NoDup qs -> Forall (fun q => (q | x)) qs -> (product qs | x).
Proof.
  intros P N. revert x. induction qs as [|q qs IH]; intros x D; [apply Z.divide_1_l|]. inversion P. inversion N. inversion D. subst.
  cbn [product fold_right]. fold (product qs). destruct (IH ltac:(assumption) ltac:(assumption) x ltac:(assumption)) as [y Y].
  assert (R : (q | y * product qs)) by (rewrite <- Y; assumption). apply prime_mult in R; [|assumption]. destruct R as [[z Z]|R].
  - exists z. rewrite Y, Z. ring.
  - exfalso. clear - R H1 H2 H5. induction qs as [|q' qs IH]; cbn [product fold_right] in R.
    + apply Z.divide_pos_le in R; [|lia]. pose proof (prime_ge_2 q H1). lia.
    + inversion H2. subst. apply prime_mult in R; [|assumption]. destruct R as [R|R].
      * apply H5. left. symmetry. apply prime_div_prime; assumption.
      * apply IH; [assumption|intros I; apply H5; right; exact I|exact R].
Qed.

Theorem pocklington N a qs : 1 < N -> Forall prime qs -> NoDup qs -> N <= product qs * product qs ->
  Forall (fun q => exists m, N - 1 = m * q /\ (N | a ^ (m * q) - 1) /\ rel_prime (a ^ m - 1) N) qs -> prime N.
Proof.
  intros N1 P D L F.
  assert (R : forall r, prime r -> (r | N) -> product qs < r).
  { intros r Pr Dr. pose proof (prime_ge_2 r Pr). assert (X : (product qs | r - 1)); [|apply Z.divide_pos_le in X; lia].
    apply product_divides; [assumption..|]. rewrite Forall_forall in *. intros q I. destruct (F q I) as (m & M & E & G).
    pose proof (prime_ge_2 q (P q I)).
    apply (divides q r a m); [auto|exact Pr|apply (Z.mul_pos_cancel_r m q); lia| |]; rewrite divides_mod by exact Pr.
    - exact (Z.divide_trans _ _ _ Dr E).
    - intros X. apply (Zis_gcd_gcd _ _ 1 ltac:(lia)) in G. assert (Y : (r | 1)) by (rewrite <- G; apply Z.gcd_greatest; assumption).
      apply Z.divide_pos_le in Y; lia. }
  destruct (prime_dec N) as [|C]; [assumption|]. exfalso. destruct (not_prime_divide N N1 C) as (x & Hx & [y ->]).
  assert (1 < y) by nia. destruct (prime_divisor x ltac:(lia)) as (r & Pr & Dr). destruct (prime_divisor y ltac:(lia)) as (s & Ps & Ds).
  pose proof (R r Pr (Z.divide_mul_r _ _ _ Dr)). pose proof (R s Ps (Z.divide_mul_l _ _ _ Ds)).
  apply Z.divide_pos_le in Dr, Ds; [|lia..]. assert (0 <= product qs); [|nia].
  clear - P. induction P as [|q qs Q _ IH]; simpl; [lia|]. pose proof (prime_ge_2 q Q). apply Z.mul_nonneg_nonneg; lia.
Qed.

(* A certificate consists of N, a and the primes q. Each q is below 2000 or is the N of an earlier certificate. *)
Fixpoint power a (k : positive) N :=
  match k with
  | xH => a mod N
  | xO k => let h := power a k N in h * h mod N
  | xI k => let h := power a k N in a * (h * h) mod N
  end.

Lemma power_right a k N : power a k N = a ^ Zpos k mod N.
Proof.
  induction k as [k IH|k IH|]; cbn [power]; rewrite ?IH.
  - rewrite Pos2Z.inj_xI, Z.pow_add_r, Z.pow_1_r, Z.mul_comm by lia. rewrite (Z.mul_comm 2), Z.pow_mul_r, Z.pow_2_r by lia.
    rewrite <- Zmult_mod_idemp_l, <- Zmult_mod, Zmult_mod_idemp_l. reflexivity.
  - rewrite Pos2Z.inj_xO, (Z.mul_comm 2), Z.pow_mul_r, Z.pow_2_r by lia. rewrite <- Zmult_mod. reflexivity.
  - rewrite Z.pow_1_r. reflexivity.
Qed.

Definition small q :=
  if (1 <? q) && (q <? 2000) then forallb (fun d => negb (q mod d =? 0)) (map Z.of_nat (seq 2 (Z.to_nat q - 2))) else false.

Lemma small_prime q : small q = true -> prime q.
Proof.
  unfold small. destruct (Z.ltb_spec 1 q) as [L|]; [|discriminate]. destruct (q <? 2000); [|discriminate]. cbn [andb].
  rewrite forallb_forall. intros F. apply prime_alt. split; [exact L|].
  intros d Hd D. specialize (F d). rewrite (proj2 (Z.mod_divide q d ltac:(lia)) D) in F. discriminate F.
  apply in_map_iff. exists (Z.to_nat d). split; [lia|]. apply in_seq. lia.
Qed.

Fixpoint distinct qs := match qs with [] => true | q :: qs => forallb (fun x => negb (q =? x)) qs && distinct qs end.

Definition certified known '(N, a, qs) :=
  (1 <? N) && distinct qs && (N <=? product qs * product qs) && (power a (Z.to_pos (N - 1)) N =? 1) &&
  forallb (fun q => let m := (N - 1) / q in (existsb (Z.eqb q) known || small q) && (N - 1 =? m * q) && (0 <? m) &&
    (Z.gcd (power a (Z.to_pos m) N - 1) N =? 1)) qs.

Lemma certified_prime known N a qs : Forall prime known -> certified known (N, a, qs) = true -> prime N.
Proof.
  unfold certified. rewrite !andb_true_iff, !Z.ltb_lt, Z.leb_le, Z.eqb_eq, forallb_forall. intros K [[[[L D] F] E] A].
  assert (B : forall q, In q qs -> prime q /\ exists m, N - 1 = m * q /\ (N | a ^ (m * q) - 1) /\ rel_prime (a ^ m - 1) N).
  { intros q I. specialize (A q I). set (m := (N - 1) / q) in *. cbv zeta in A.
    rewrite !andb_true_iff, orb_true_iff, !Z.ltb_lt, !Z.eqb_eq in A. destruct A as [[[P M] Q] G].
    assert (Pq : prime q).
    { destruct P as [P|P]; [|exact (small_prime q P)]. apply existsb_exists in P. destruct P as (x & I' & X).
      apply Z.eqb_eq in X. subst x. rewrite Forall_forall in K. exact (K q I'). }
    split; [exact Pq|]. pose proof (prime_ge_2 q Pq). exists m.
    rewrite power_right, Z2Pos.id in E, G by lia. split; [exact M|split].
    - apply Z.mod_divide; [lia|]. rewrite <- M, <- Zminus_mod_idemp_l, E. reflexivity.
    - apply Zgcd_1_rel_prime. etransitivity; [|exact G]. rewrite !(Z.gcd_comm _ N).
      rewrite <- (Z.gcd_mod (_ mod N - 1) N), <- (Z.gcd_mod (a ^ _ - 1) N), Zminus_mod_idemp_l by lia. reflexivity. }
  apply (pocklington N a qs); [exact L| | |exact F|].
  - apply Forall_forall. intros q I. exact (proj1 (B q I)).
  - clear - D. induction qs as [|q qs IH]; [constructor|]. cbn [distinct] in D. apply andb_true_iff in D. destruct D as [D1 D2].
    constructor; [|exact (IH D2)]. intros I. rewrite forallb_forall in D1. specialize (D1 q I). rewrite Z.eqb_refl in D1. discriminate D1.
  - apply Forall_forall. intros q I. exact (proj2 (B q I)).
Qed.

Fixpoint all_certified known cs := match cs with
  | [] => true
  | c :: cs => certified known c && all_certified (fst (fst c) :: known) cs
  end.

Lemma all_prime cs known : Forall prime known -> all_certified known cs = true -> Forall (fun c => prime (fst (fst c))) cs.
Proof.
  revert known. induction cs as [|[[N a] qs] cs IH]; intros known K E; [constructor|]. cbn [all_certified fst] in E.
  apply andb_true_iff in E. destruct E as [E1 E2]. pose proof (certified_prime known N a qs K E1). constructor; [assumption|].
  apply (IH (N :: known)); [constructor; assumption|exact E2].
Qed.
