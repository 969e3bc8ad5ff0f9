(* Fields in which 2 is not 0 and equality is decidable. The statements about points are proved for all such fields. *)
Require Export Coq.setoid_ring.Ring Coq.setoid_ring.Field.

Record field := {
  carrier :> Type;
  zero : carrier;
  one : carrier;
  add : carrier -> carrier -> carrier;
  mul : carrier -> carrier -> carrier;
  sub : carrier -> carrier -> carrier;
  opp : carrier -> carrier;
  div : carrier -> carrier -> carrier;
  inv : carrier -> carrier;
  laws : field_theory zero one add mul sub opp div inv eq;
  two_nz : add one one <> zero;
  dec : forall a b : carrier, {a = b} + {a <> b}
}.

Declare Scope field_scope.
Notation "0" := (zero _) : field_scope.
Notation "1" := (one _) : field_scope.
Notation "2" := (add _ (one _) (one _)) : field_scope.
Notation "3" := (add _ (add _ (one _) (one _)) (one _)) : field_scope.
Infix "+" := (add _) : field_scope.
Infix "*" := (mul _) : field_scope.
Infix "-" := (sub _) : field_scope.
Infix "/" := (div _) : field_scope.
Notation "- x" := (opp _ x) : field_scope.
Arguments dec {_} _ _.
Open Scope field_scope.

Section Facts.
Context {K : field}.
Add Field F : (laws K).
Implicit Types a b c : K.

Lemma mul_nz a b : a <> 0 -> b <> 0 -> a * b <> 0.
Proof.
  intros Ha Hb E. apply Ha. replace a with (a * b / b) by (field; auto). rewrite E. field; auto.
Qed.

Lemma mul_0 a b : a * b = 0 -> a = 0 \/ b = 0.
Proof.
  intros E. destruct (dec a 0); auto. destruct (dec b 0); auto. exfalso. revert E. apply mul_nz; auto.
Qed.

Lemma factor_l a b : a * b <> 0 -> a <> 0.
Proof. intros H E. apply H. rewrite E. ring. Qed.

Lemma factor_r a b : a * b <> 0 -> b <> 0.
Proof. intros H E. apply H. rewrite E. ring. Qed.

Lemma square_0 a : a * a = 0 -> a = 0.
Proof. intros E. destruct (mul_0 _ _ E); auto. Qed.

Lemma sub_0 a b : a - b = 0 <-> a = b.
Proof.
  split; intros E.
  - replace a with (a - b + b) by ring. rewrite E. ring.
  - rewrite E. ring.
Qed.

Lemma sub_nz a b : a <> b -> a - b <> 0.
Proof. intros N E. apply N. apply sub_0. exact E. Qed.

Lemma one_nz : 1 <> (0 : K).
Proof. exact (F_1_neq_0 (laws K)). Qed.

Lemma cancel a b c : c <> 0 -> a * c = b * c -> a = b.
Proof.
  intros N E. replace a with (a * c / c) by (field; auto). rewrite E. field; auto.
Qed.

(* Two elements with equal squares are equal or opposite. *)
Lemma roots a b : a * a = b * b -> a = b \/ a = - b.
Proof.
  intros E. assert (H : (a - b) * (a + b) = 0). { replace ((a - b) * (a + b)) with (a * a - b * b) by ring. apply sub_0. exact E. }
  destruct (mul_0 _ _ H) as [H1|H1].
  - left. apply sub_0. exact H1.
  - right. replace a with (a + b - b) by ring. rewrite H1. ring.
Qed.
End Facts.

(* nz shows that products are not 0 because their factors are not. *)
Ltac nz := repeat split; repeat first
  [ assumption | apply two_nz | apply one_nz | apply sub_nz; solve [congruence] | apply mul_nz ].

(* differ proves that the difference of two different elements is not 0. scaled proves that a sum is not 0 by writing
   it as a product. tuples splits an equation of tuples into equations of their components. *)
Ltac differ x1 x2 := assert (x2 - x1 <> 0) by (apply sub_nz; congruence).
Ltac tuples := repeat match goal with |- (_, _) = (_, _) => apply f_equal2 end.
Tactic Notation "scaled" constr(e) constr(f) := assert (e <> 0) by (replace e with f by ring; nz).
