(* A relation between the generator G of secp256k1 and phi(G) = (beta x, y), by computation. *)
Require Import ZArith Base Law Operations Group Constants Prime Instances.
Open Scope Z_scope.

(* a + c omega = 0 modulo n, for the cube root omega of 1. The sum a G + c phi(G) is infinity, by computation. *)
Definition a := - B1.
Definition c := A1 - B1.
Definition g_x : Fp := residue generator_x.
Definition g_y : Fp := residue generator_y.
Fixpoint joint (m : nat) (j k : Z) : Fp * Fp * Fp :=
  match m with
  | Datatypes.O => (one Fp, one Fp, zero Fp)
  | S m =>
      let s := twice Fp (joint m (j / 2) (k / 2)) in
      let s := if Z.odd j then AddMixedVartime s g_x g_y else s in
      if Z.odd k then AddMixedVartime s (mul Fp root_1 g_x) g_y else s
  end.

Lemma joint_O : value (Z3 (joint 130 a c)) = 0.
Proof. vm_cast_no_check (eq_refl 0). Qed.
