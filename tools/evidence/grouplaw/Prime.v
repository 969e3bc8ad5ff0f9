(* The field of secp256k1: the integers modulo p. *)
Require Import ZArith Znumtheory Lia Eqdep_dec Bool.
Require Import Base Constants Certificates.
Open Scope Z_scope.

Record fp := { value :> Z; reduced : (value mod p =? value) = true }.

Lemma fp_eq (a b : fp) : value a = value b -> a = b.
Proof. destruct a as [a Ha], b as [b Hb]. simpl. intros <-. f_equal. apply UIP_dec. apply bool_dec. Qed.

Lemma mod_reduced x : (x mod p mod p =? x mod p) = true.
Proof. apply Z.eqb_eq. apply Zmod_mod. Qed.

Definition of_Z (x : Z) : fp := {| value := x mod p; reduced := mod_reduced x |}.

Lemma of_value (a : fp) : of_Z a = a.
Proof. apply fp_eq. simpl. apply Z.eqb_eq. exact (reduced a). Qed.

(* The inverse, by the extended Euclidean algorithm. *)
Definition inverse (a : Z) : Z :=
  match euclid a p with Euclid_intro _ _ u _ d _ _ => if d =? 1 then u else - u end.

Lemma inverse_right a : a mod p <> 0 -> (inverse a * a) mod p = 1.
Proof.
  intros N. unfold inverse. destruct (euclid a p) as [u v d E G].
  assert (R : rel_prime a p).
  { apply rel_prime_sym, prime_rel_prime; [exact p_prime|]. intros D. apply N. apply Z.mod_divide; [discriminate|exact D]. }
  assert (D : d = 1 \/ d = - 1).
  { destruct (Zis_gcd_unique a p d 1 G R); auto. }
  assert (H : forall k q, k * a = 1 + q * p -> (k * a) mod p = 1).
  { intros k q ->. rewrite Z.mod_add by discriminate. reflexivity. }
  destruct D as [-> | ->].
  - simpl. apply (H u (- v)). lia.
  - change (- (1) =? 1) with false. cbv iota. apply (H (- u) v). lia.
Qed.

Lemma eq_dec (a b : fp) : {a = b} + {a <> b}.
Proof.
  destruct (Z.eq_dec a b) as [E|N].
  - left. apply fp_eq. exact E.
  - right. congruence.
Defined.

Lemma fp_theory :
  field_theory (of_Z 0) (of_Z 1) (fun a b => of_Z (a + b)) (fun a b => of_Z (a * b)) (fun a b => of_Z (a - b))
    (fun a => of_Z (- a)) (fun a b => of_Z (a * of_Z (inverse b))) (fun a => of_Z (inverse a)) eq.
Proof.
  constructor.
  - constructor; intros; apply fp_eq; cbn [value of_Z].
    + rewrite <- (of_value x) at 2. reflexivity.
    + f_equal. lia.
    + rewrite Zplus_mod_idemp_l, Zplus_mod_idemp_r. f_equal. lia.
    + rewrite Zmult_mod_idemp_l. rewrite <- (of_value x) at 2. cbn [value of_Z]. f_equal. lia.
    + f_equal. lia.
    + rewrite Zmult_mod_idemp_l, Zmult_mod_idemp_r. f_equal. lia.
    + rewrite Zmult_mod_idemp_l, <- Zplus_mod. f_equal. ring.
    + rewrite Zplus_mod_idemp_r. reflexivity.
    + rewrite Zplus_mod_idemp_r. f_equal. lia.
  - intros E. apply (f_equal value) in E. discriminate E.
  - reflexivity.
  - intros a N. apply fp_eq. cbn [value of_Z]. rewrite Zmult_mod_idemp_l. rewrite inverse_right; [reflexivity|].
    intros E. apply N. rewrite <- (of_value a). apply fp_eq. exact E.
Qed.

Definition Fp : field.
Proof.
  refine {| laws := fp_theory; dec := eq_dec |}. intros E. apply (f_equal value) in E. discriminate E.
Defined.

(* Examples for secp256k1. Every theorem that is proved for any field holds for Fp in the same way. *)
Require Import Law Operations.

Theorem Add_secp256k1 (a b : Fp * Fp * Fp) : jacobian Fp (Add a b) = law Fp (jacobian Fp a) (jacobian Fp b).
Proof. apply Add_is_law. Qed.

Theorem AddMixedVartime_secp256k1 (a : Fp * Fp * Fp) (x y : Fp) :
  jacobian Fp (AddMixedVartime a x y) = law Fp (jacobian Fp a) (P Fp x y).
Proof. apply AddMixedVartime_is_law. Qed.

(* The hypothesis about parities that R3 and R8 need. *)
Theorem parity (a : Fp) : a <> zero Fp -> Z.odd (value (opp Fp a)) = negb (Z.odd (value a)).
Proof.
  intros N. cbn [opp Fp value of_Z].
  assert (E : value a mod p = value a) by (apply Z.eqb_eq; exact (reduced a)).
  assert (B : 0 <= value a < p) by (rewrite <- E; apply Z.mod_pos_bound; reflexivity).
  assert (N0 : value a <> 0). { intros E0. apply N. apply fp_eq. exact E0. }
  replace (- value a) with (p - value a + (-1) * p) by ring. rewrite Z.mod_add by discriminate.
  rewrite Z.mod_small by lia. rewrite Z.odd_sub. reflexivity.
Qed.

(* R7. If r + n is not below p, an x coordinate is r modulo n only if it is r. *)
Theorem R7 x r : 0 <= x < p -> p - n <= r < n -> x mod n = r <-> x = r.
Proof.
  intros Hx Hr. assert (Hp : n < p < 2 * n) by (split; reflexivity). split; intros E.
  - pose proof (Z.div_mod x n ltac:(discriminate)). pose proof (Z.mod_pos_bound x n ltac:(reflexivity)).
    assert (Hq : 0 <= x / n) by (apply Z.div_pos; lia). destruct (Z.eq_dec (x / n) 0) as [E0|N0].
    + rewrite E0 in H. lia.
    + assert (n * 1 <= n * (x / n)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - rewrite E. apply Z.mod_small. assert (0 < p - n) by lia. lia.
Qed.
