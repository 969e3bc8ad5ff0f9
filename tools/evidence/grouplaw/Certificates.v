(* Certificates that p and n are prime, in the form that Pocklington.v defines. *)
Require Import ZArith Znumtheory List Constants Pocklington.
Import ListNotations.
Open Scope Z_scope.

Definition certificates := [
  (107590001, 2, [53; 29; 7]);
  (20113, 2, [419]);
  (1206781, 2, [20113]);
  (7240687, 2, [1206781]);
  (96557, 2, [239; 101]);
  (255515944373312847190720520512484175977, 2, [107590001; 7240687; 96557]);
  (205115282021455665897114700593932402728804164701536103180137503955397371, 2, [255515944373312847190720520512484175977]);
  (p, 2, [205115282021455665897114700593932402728804164701536103180137503955397371]);
  (1627771, 2, [1871]);
  (297159362677, 2, [1627771]);
  (28181, 2, [1409]);
  (545358713, 2, [28181]);
  (29047611873442575647497758179, 2, [297159362677; 545358713]);
  (341948486974166000522343609283189, 2, [29047611873442575647497758179]);
  (9349, 2, [41; 19]);
  (44706919, 2, [9349]);
  (120233, 2, [113; 19]);
  (174723607534414371449, 2, [44706919; 120233]);
  (n, 2, [341948486974166000522343609283189; 174723607534414371449])].

Lemma certificates_right : all_certified [] certificates = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma has_certificate N : existsb (fun c => fst (fst c) =? N) certificates = true -> prime N.
Proof.
  intros E. apply existsb_exists in E. destruct E as (c & I & E). apply Z.eqb_eq in E. subst N.
  pose proof (all_prime certificates [] (Forall_nil _) certificates_right) as F. rewrite Forall_forall in F. exact (F c I).
Qed.

Theorem p_prime : prime p.
Proof. apply has_certificate. vm_compute. reflexivity. Qed.

Theorem n_prime : prime n.
Proof. apply has_certificate. vm_compute. reflexivity. Qed.

(* 7 is not a square modulo p, because 7^((p - 1)/2) is -1 (Euler's criterion). *)
Lemma seven_power : power 7 (Z.to_pos ((p - 1) / 2)) p = p - 1.
Proof. vm_cast_no_check (eq_refl (p - 1)). Qed.

(* -7 is not a cube modulo p, because (-7)^((p - 1)/3) is not 1. *)
Lemma minus_seven_power : (power (p - 7) (Z.to_pos ((p - 1) / 3)) p =? 1) = false.
Proof. vm_cast_no_check (eq_refl false). Qed.
