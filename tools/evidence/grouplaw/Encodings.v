(* Encodings of elements and points (SEC 1, section 2.3; BIP-340, lift_x): every encoding decodes to the value that was
   encoded, and no other bytes are accepted. *)
Require Import ZArith Lia Bool List Base Constants.
Import ListNotations.
Open Scope Z_scope.

(* Bytes, with the most significant byte first. *)
Definition is_byte x := 0 <= x < 256.
Definition number (b : list Z) : Z := fold_left (fun v x => 256 * v + x) b 0.
Fixpoint to_bytes (n : nat) (x : Z) : list Z := match n with O => [] | S n => to_bytes n (x / 256) ++ [x mod 256] end.

Lemma number_snoc b x : number (b ++ [x]) = 256 * number b + x.
Proof. unfold number. rewrite fold_left_app. reflexivity. Qed.

Lemma to_bytes_length n : forall x, length (to_bytes n x) = n.
Proof. induction n as [|n IH]; intros x; cbn [to_bytes]; [reflexivity|]. rewrite app_length, IH. cbn. lia. Qed.

Lemma to_bytes_number : forall b, Forall is_byte b -> to_bytes (length b) (number b) = b.
Proof.
  induction b as [|x b IH] using rev_ind; intros B; [reflexivity|]. apply Forall_app in B. destruct B as [B X].
  inversion X as [|? ? H]. subst. unfold is_byte in H. rewrite app_length, Nat.add_1_r. cbn [to_bytes]. rewrite number_snoc.
  replace (256 * number b + x) with (x + number b * 256) by ring.
  rewrite Z.div_add, Z.mod_add, Z.div_small, Z.mod_small, Z.add_0_l, IH by (lia || assumption). reflexivity.
Qed.

Lemma number_to_bytes n : forall x, 0 <= x < 256 ^ Z.of_nat n -> number (to_bytes n x) = x.
Proof.
  induction n as [|n IH]; intros x H; [cbn in *; lia|]. cbn [to_bytes]. rewrite Nat2Z.inj_succ, Z.pow_succ_r in H by lia.
  rewrite number_snoc, IH; [symmetry; apply Z.div_mod; lia|]. split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia].
Qed.

Lemma to_bytes_bytes n : forall x, Forall is_byte (to_bytes n x).
Proof.
  induction n as [|n IH]; intros x; cbn [to_bytes]; [constructor|]. apply Forall_app. split; [apply IH|].
  constructor; [apply Z.mod_pos_bound; reflexivity|constructor].
Qed.

Lemma number_range b : Forall is_byte b -> 0 <= number b < 256 ^ Z.of_nat (length b).
Proof.
  induction b as [|x b IH] using rev_ind; intros B; [cbn; lia|]. apply Forall_app in B. destruct B as [B X].
  inversion X as [|? ? H]. subst. unfold is_byte in H. specialize (IH B).
  rewrite app_length, Nat.add_1_r, number_snoc, Nat2Z.inj_succ, Z.pow_succ_r by lia. lia.
Qed.

Lemma to_bytes_mod n : forall x, to_bytes n (x mod 256 ^ Z.of_nat n) = to_bytes n x.
Proof.
  induction n as [|n IH]; intros x; [reflexivity|]. cbn [to_bytes]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  set (m := 256 ^ Z.of_nat n). assert (0 < m) by (apply Z.pow_pos_nonneg; lia).
  rewrite Z.rem_mul_r by lia. replace (x mod 256 + 256 * (x / 256 mod m)) with (x mod 256 + x / 256 mod m * 256) by ring.
  rewrite Z.div_add, Z.mod_add, (Z.div_small (x mod 256)), Z.mod_mod, Z.add_0_l by (lia || apply Z.mod_pos_bound; lia).
  unfold m. rewrite IH. reflexivity.
Qed.

Lemma to_bytes_add m n : forall x, to_bytes (m + n) x = to_bytes m (x / 256 ^ Z.of_nat n) ++ to_bytes n x.
Proof.
  induction n as [|n IH]; intros x.
  - rewrite Nat.add_0_r. cbn [to_bytes]. rewrite app_nil_r. f_equal. symmetry. apply Z.div_1_r.
  - rewrite Nat.add_succ_r. cbn [to_bytes]. rewrite IH, app_assoc, Z.div_div by lia. do 4 f_equal.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Lemma number_app b b' : number (b ++ b') = number b * 256 ^ Z.of_nat (length b') + number b'.
Proof.
  induction b' as [|x b' IH] using rev_ind; [rewrite app_nil_r; cbn; lia|].
  rewrite app_assoc, !number_snoc, IH, app_length, Nat.add_1_r, Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

(* An element has four limbs, which this model combines into one integer v from 0 to 2^256 - 1. *)
(* internal/field/element.go
	c = 1<<32 + 977
*)
Definition c := 2 ^ 32 + 977.
Lemma c_right : p = 2 ^ 256 - c.
Proof. reflexivity. Qed.

Definition limb (i : Z) (v : Z) := v / 2 ^ (64 * i) mod 2 ^ 64.
Definition limbs (l0 l1 l2 l3 : Z) := l0 + 2 ^ 64 * (l1 + 2 ^ 64 * (l2 + 2 ^ 64 * l3)).

(* internal/field/arith.go
func (v *Element) plusC() (r Element, carry uint64) {
	r.l0, carry = bits.Add64(v.l0, c, 0)
	r.l1, carry = bits.Add64(v.l1, 0, carry)
	r.l2, carry = bits.Add64(v.l2, 0, carry)
	r.l3, carry = bits.Add64(v.l3, 0, carry)
	return r, carry
}
*)
Definition Add64 x y carry := ((x + y + carry) mod 2 ^ 64, (x + y + carry) / 2 ^ 64).
Definition plusC (v : Z) : Z * Z :=
  let '(l0, carry) := Add64 (limb 0 v) c 0 in
  let '(l1, carry) := Add64 (limb 1 v) 0 carry in
  let '(l2, carry) := Add64 (limb 2 v) 0 carry in
  let '(l3, carry) := Add64 (limb 3 v) 0 carry in
  (limbs l0 l1 l2 l3, carry).

Lemma limbs_right v : 0 <= v < 2 ^ 256 -> v = limbs (limb 0 v) (limb 1 v) (limb 2 v) (limb 3 v).
Proof.
  intros H. unfold limbs, limb. change (64 * 0) with 0. change (64 * 1) with 64. change (64 * 2) with 128. change (64 * 3) with 192.
  rewrite Z.div_1_r by lia.
  assert (E : forall x, x = x mod 2 ^ 64 + 2 ^ 64 * (x / 2 ^ 64)) by (intros x; rewrite (Z.div_mod x (2 ^ 64)) at 1 by lia; ring).
  rewrite (E v) at 1. do 2 f_equal. rewrite (E (v / 2 ^ 64)) at 1. do 2 f_equal. rewrite Z.div_div by lia.
  change (2 ^ 64 * 2 ^ 64) with (2 ^ 128). rewrite (E (v / 2 ^ 128)) at 1. do 2 f_equal. rewrite Z.div_div by lia.
  change (2 ^ 128 * 2 ^ 64) with (2 ^ 192). symmetry. apply Z.mod_small. split; [apply Z.div_pos; lia|].
  apply Z.div_lt_upper_bound; lia.
Qed.

Lemma plusC_right v : 0 <= v < 2 ^ 256 ->
  let '(r, carry) := plusC v in r = v mod p /\ carry = 1 /\ p <= v \/ r = v + c /\ carry = 0 /\ v < p.
Proof.
  intros H. pose proof (limbs_right v H) as E. unfold plusC, Add64.
  assert (B : forall i, 0 <= limb i v < 2 ^ 64) by (intros i; apply Z.mod_pos_bound; reflexivity).
  pose proof (B 0) as B0. pose proof (B 1) as B1. pose proof (B 2) as B2. pose proof (B 3) as B3. clear B.
  set (v0 := limb 0 v) in *. set (v1 := limb 1 v) in *. set (v2 := limb 2 v) in *. set (v3 := limb 3 v) in *.
  unfold limbs in *. pose proof c_right as Ec. unfold c in *.
  pose proof (Z.div_mod (v0 + (2 ^ 32 + 977) + 0) (2 ^ 64) ltac:(lia)) as D0.
  pose proof (Z.mod_pos_bound (v0 + (2 ^ 32 + 977) + 0) (2 ^ 64) ltac:(lia)).
  set (r0 := _ mod _) in *. set (c0 := _ / _) in *.
  pose proof (Z.div_mod (v1 + 0 + c0) (2 ^ 64) ltac:(lia)) as D1. pose proof (Z.mod_pos_bound (v1 + 0 + c0) (2 ^ 64) ltac:(lia)).
  set (r1 := (v1 + _ + _) mod _) in *. set (c1 := (v1 + _ + _) / _) in *.
  pose proof (Z.div_mod (v2 + 0 + c1) (2 ^ 64) ltac:(lia)) as D2. pose proof (Z.mod_pos_bound (v2 + 0 + c1) (2 ^ 64) ltac:(lia)).
  set (r2 := (v2 + _ + _) mod _) in *. set (c2 := (v2 + _ + _) / _) in *.
  pose proof (Z.div_mod (v3 + 0 + c2) (2 ^ 64) ltac:(lia)) as D3. pose proof (Z.mod_pos_bound (v3 + 0 + c2) (2 ^ 64) ltac:(lia)).
  set (r3 := (v3 + _ + _) mod _) in *. set (c3 := (v3 + _ + _) / _) in *.
  assert (S : r0 + 2 ^ 64 * (r1 + 2 ^ 64 * (r2 + 2 ^ 64 * r3)) + 2 ^ 256 * c3 = v + (2 ^ 32 + 977)) by lia.
  assert (R : 0 <= r0 + 2 ^ 64 * (r1 + 2 ^ 64 * (r2 + 2 ^ 64 * r3)) < 2 ^ 256) by lia.
  assert (C : c3 = 0 \/ c3 = 1) by lia. destruct C as [C|C]; rewrite C in *.
  - right. lia.
  - left. assert (L : p <= v) by lia. split; [|split; [reflexivity|exact L]].
    apply (Z.mod_unique_pos v p 1); lia.
Qed.

(* internal/field/element.go
func (v *Element) SetBytes(b *[32]byte) (canonical uint64) {
	v.l3 = binary.BigEndian.Uint64(b[0:8])
	v.l2 = binary.BigEndian.Uint64(b[8:16])
	v.l1 = binary.BigEndian.Uint64(b[16:24])
	v.l0 = binary.BigEndian.Uint64(b[24:32])
	_, carry := v.plusC() // carry is 1 if b ≥ p
	return carry - 1
}
*)
Definition part (i j : nat) (b : list Z) := firstn (j - i) (skipn i b).
Definition SetBytes (b : list Z) : Z * bool :=
  let v := limbs (number (part 24 32 b)) (number (part 16 24 b)) (number (part 8 16 b)) (number (part 0 8 b)) in
  let '(_, carry) := plusC v in
  (v, carry =? 0).

(* internal/field/element.go
func (v *Element) FillBytes(b *[32]byte) {
	r, carry := v.plusC() // if v ≥ p, r is v − p and carry is 1
	r.Select(&r, v, -carry)
	binary.BigEndian.PutUint64(b[0:8], r.l3)
	binary.BigEndian.PutUint64(b[8:16], r.l2)
	binary.BigEndian.PutUint64(b[16:24], r.l1)
	binary.BigEndian.PutUint64(b[24:32], r.l0)
}
*)
Definition FillBytes (v : Z) : list Z :=
  let '(r, carry) := plusC v in
  let r := if carry =? 1 then r else v in
  to_bytes 8 (limb 3 r) ++ to_bytes 8 (limb 2 r) ++ to_bytes 8 (limb 1 r) ++ to_bytes 8 (limb 0 r).

(* internal/field/element.go
func (v *Element) IsOdd() uint64 {
	// If v ≥ p the residue is v − p. As p is odd, v − p and v have opposite parities.
	_, carry := v.plusC()
	return -(v.l0&1 ^ carry)
}
*)
Definition IsOdd (v : Z) : bool := let '(_, carry) := plusC v in Z.lxor (Z.land (limb 0 v) 1) carry =? 1.

Lemma part_length i j b : (i <= j <= length b)%nat -> length (part i j b) = (j - i)%nat.
Proof. intros H. unfold part. rewrite firstn_length, skipn_length. lia. Qed.

Lemma part_bytes i j b : Forall is_byte b -> Forall is_byte (part i j b).
Proof.
  intros H. unfold part. rewrite Forall_forall in *. intros x I. apply H. rewrite <- (firstn_skipn i b). apply in_or_app. right.
  rewrite <- (firstn_skipn (j - i) (skipn i b)). apply in_or_app. left. exact I.
Qed.

Theorem SetBytes_right b : Forall is_byte b -> length b = 32%nat ->
  let '(v, canonical) := SetBytes b in v = number b /\ 0 <= v < 2 ^ 256 /\ canonical = (number b <? p).
Proof.
  intros B L. unfold SetBytes. set (v := limbs _ _ _ _).
  assert (E : number b = v).
  { assert (S : b = part 0 8 b ++ part 8 16 b ++ part 16 24 b ++ part 24 32 b).
    { do 33 (destruct b as [|? b]; try discriminate L). reflexivity. }
    rewrite S at 1. rewrite !number_app, !app_length, !part_length by lia. unfold v, limbs.
    change (256 ^ Z.of_nat (16 - 8 + (24 - 16 + (32 - 24)))) with (2 ^ 192). change (256 ^ Z.of_nat (24 - 16 + (32 - 24))) with (2 ^ 128).
    change (256 ^ Z.of_nat (32 - 24)) with (2 ^ 64). ring. }
  assert (R : 0 <= v < 2 ^ 256). { rewrite <- E. pose proof (number_range b B) as R. rewrite L in R. exact R. }
  pose proof (plusC_right v R) as C. destruct (plusC v) as [r carry]. split; [symmetry; exact E|split; [exact R|]]. rewrite E.
  destruct C as [(_ & -> & C)|(_ & -> & C)]; symmetry; [apply Z.ltb_ge|apply Z.ltb_lt]; exact C.
Qed.

Theorem FillBytes_right v : 0 <= v < 2 ^ 256 -> FillBytes v = to_bytes 32 (v mod p).
Proof.
  intros H. pose proof (plusC_right v H) as C. unfold FillBytes. destruct (plusC v) as [r carry].
  assert (E : (if carry =? 1 then r else v) = v mod p).
  { destruct C as [(-> & -> & _)|(_ & -> & C)]; [reflexivity|]. rewrite Z.mod_small by (split; [apply H|exact C]). reflexivity. }
  rewrite E. set (x := v mod p). assert (X : 0 <= x < 2 ^ 256).
  { pose proof (Z.mod_pos_bound v p eq_refl) as X. fold x in X. pose proof c_right. unfold c in *. lia. }
  unfold limb. change (2 ^ 64) with (256 ^ Z.of_nat 8). rewrite !to_bytes_mod.
  change (2 ^ (64 * 3)) with (256 ^ Z.of_nat 24). change (2 ^ (64 * 2)) with (256 ^ Z.of_nat 16).
  change (2 ^ (64 * 1)) with (256 ^ Z.of_nat 8). change (2 ^ (64 * 0)) with 1. rewrite Z.div_1_r.
  rewrite <- (to_bytes_add 8 8 x). change (8 + 8)%nat with 16%nat. rewrite <- (to_bytes_add 8 16 x). change (8 + 16)%nat with 24%nat.
  rewrite <- (to_bytes_add 8 24 x). reflexivity.
Qed.

Theorem IsOdd_right v : 0 <= v < 2 ^ 256 -> IsOdd v = Z.odd (v mod p).
Proof.
  intros H. pose proof (plusC_right v H) as C. unfold IsOdd. destruct (plusC v) as [r carry].
  assert (L : Z.land (limb 0 v) 1 = Z.b2z (Z.odd v)).
  { unfold limb. change (2 ^ (64 * 0)) with 1. rewrite Z.div_1_r. change 1 with (Z.ones 1). rewrite Z.land_ones by discriminate.
    change (2 ^ 1) with 2. rewrite <- Znumtheory.Zmod_div_mod by (reflexivity || exists (2 ^ 63); reflexivity).
    apply Zmod_odd. }
  rewrite L. destruct C as [(_ & -> & C)|(_ & -> & C)].
  - assert (E : v mod p = v - p) by (symmetry; apply (Z.mod_unique_pos v p 1); pose proof c_right; unfold c in *; lia).
    rewrite E, Z.odd_sub. change (Z.odd p) with true. destruct (Z.odd v); reflexivity.
  - rewrite Z.mod_small by lia. destruct (Z.odd v); reflexivity.
Qed.

(* Points. *)
Inductive error := ErrLength | ErrPrefix | ErrRange | ErrNotOnCurve.

Section Points.
Context {K : field}.
Add Field F : (laws K).
Implicit Types x y : K.

(* An element is a residue. value gives its integer below p, and rep the integer that its limbs hold, which need not be
   below p. *)
Variables (value rep : K -> Z) (of_Z : Z -> K).
Hypothesis rep_range : forall x, 0 <= rep x < 2 ^ 256.
Hypothesis rep_value : forall x, rep x mod p = value x.
Hypothesis of_value : forall x, of_Z (value x) = x.
Hypothesis value_of : forall z, value (of_Z z) = z mod p.
Definition odd x : bool := IsOdd (rep x).
Hypothesis parity : forall x, x <> zero K -> Z.odd (value (opp K x)) = negb (Z.odd (value x)).

Open Scope field_scope.

(* Square roots, with the properties that Roots.v proves. No point of the curve has y = 0. *)
Variables (b : K) (Sqrt : K -> K * bool) (rootPower : K -> K).
Hypothesis Sqrt_right : forall a, let '(v, isSquare) := Sqrt a in
  if isSquare then v * v = a else v * v = - a /\ forall r, r * r <> a.
Hypothesis rootPower_right : forall a, rootPower a * rootPower a = a \/ forall r, r * r <> a.
Hypothesis curve_nz : forall x, x * x * x + b <> 0.
Definition equal x y : bool := if dec x y then true else false.
Definition CondNegate (negate : bool) x : K := if negate then - x else x.

(* internal/group/group.go
func (p *Affine) LiftX(x *field.Element) (ok uint64) {
	var y2 field.Element
	setC(&y2, x)
	ok = p.Y.Sqrt(&y2)
	p.setEven(x)
	return ok
}
*)
(* internal/group/group.go
func setC(c, x *field.Element) {
	var t field.Element
	t.Square(x).Mul(&t, x)
	c.Add(&t, &b)
}
*)
(* internal/group/group.go
func (p *Affine) setEven(x *field.Element) {
	p.X.Set(x)
	p.Y.CondNegate(&p.Y, p.Y.IsOdd())
}
*)
(* internal/group/group.go
func LiftXPair(p *[2]Affine, x *[2]field.Element) (ok [2]uint64) {
	var y, y2 [2]field.Element
	for i := range y2 {
		setC(&y2[i], &x[i])
	}
	ok = field.SqrtPair(&y, &y2)
	for i := range p {
		p[i].Y.Set(&y[i])
		p[i].setEven(&x[i])
	}
	return ok
}
*)
(* LiftXPair does the same as LiftX for each of two elements. *)
Definition setC x : K := let t := x * x * x in t + b.
Definition setEven x y : K * K := (x, CondNegate (odd y) y).
Definition LiftX x : K * K * bool := let '(y, ok) := Sqrt (setC x) in (setEven x y, ok).

(* internal/group/group.go
func (p *Affine) IsOnCurve() uint64 {
	var y2, t field.Element
	y2.Square(&p.X).Mul(&y2, &p.X).Add(&y2, &b)
	return t.Square(&p.Y).Equal(&y2)
}
*)
Definition IsOnCurve (p : K * K) : bool := let '(x, y) := p in equal (y * y) (x * x * x + b).

(* curve/point.go
func liftX(a *group.Affine, b *[32]byte) error {
	var x field.Element
	if x.SetBytes(b) == 0 {
		return pointError("x %w: not below the field order", ErrRange)
	}
	if a.LiftX(&x) == 0 {
		return pointError("x is %w", ErrNotOnCurve)
	}
	return nil
}
*)
Definition liftX (s : list Z) : K * K + error :=
  let '(x, canonical) := SetBytes s in
  if negb canonical then inr ErrRange else
  let '(a, ok) := LiftX (of_Z x) in
  if negb ok then inr ErrNotOnCurve else inl a.

(* curve/point.go
func (p *Point) LiftX(b []byte) ( *Point, error) {
	if len(b) != 32 {
		return nil, fmt.Errorf("curve: x coordinate: %w", fmt.Errorf("%w: %d bytes, want 32", ErrLength, len(b)))
	}
	var a group.Affine
	if err := liftX(&a, ( *[32]byte)(b)); err != nil {
		return nil, err
	}
	return p.setAffine(&a), nil
}
*)
Definition PointLiftX (s : list Z) : K * K + error := if negb (length s =? 32)%nat then inr ErrLength else liftX s.

(* curve/point.go
func (p *Point) SetBytes(b []byte) ( *Point, error) {
	var a group.Affine
	switch len(b) {
	case 33:
		if b[0]&^1 != 2 { // compares with 2 and 3 at once, because the parity of a point may be secret
			return nil, pointError("%w %02x of 33 bytes, want 02 or 03", ErrPrefix, b[0])
		}
		if err := liftX(&a, ( *[32]byte)(b[1:])); err != nil {
			return nil, err
		}
		a.Y.CondNegate(&a.Y, mask(int(b[0]&1)))
	case 65:
		if b[0] != 4 {
			return nil, pointError("%w %02x of 65 bytes, want 04", ErrPrefix, b[0])
		}
		if a.X.SetBytes(( *[32]byte)(b[1:33])) == 0 {
			return nil, pointError("x %w: not below the field order", ErrRange)
		}
		if a.Y.SetBytes(( *[32]byte)(b[33:])) == 0 {
			return nil, pointError("y %w: not below the field order", ErrRange)
		}
		if a.IsOnCurve() == 0 {
			return nil, pointError("(x, y) is %w", ErrNotOnCurve)
		}
	default:
		return nil, pointError("%w: %d bytes, want 33 or 65", ErrLength, len(b))
	}
	return p.setAffine(&a), nil
}
*)
Definition PointSetBytes (s : list Z) : K * K + error :=
  let first := hd 0%Z s in
  if (length s =? 33)%nat then
    if negb (Z.land first (Z.lnot 1) =? 2)%Z then inr ErrPrefix else
    match liftX (skipn 1 s) with
    | inr err => inr err
    | inl (x, y) => inl (x, CondNegate (Z.land first 1 =? 1)%Z y)
    end
  else if (length s =? 65)%nat then
    if negb (first =? 4)%Z then inr ErrPrefix else
    let '(x, canonical) := SetBytes (part 1 33 s) in
    if negb canonical then inr ErrRange else
    let '(y, canonical) := SetBytes (skipn 33 s) in
    if negb canonical then inr ErrRange else
    if negb (IsOnCurve (of_Z x, of_Z y)) then inr ErrNotOnCurve else inl (of_Z x, of_Z y)
  else inr ErrLength.

(* curve/point.go
func (p *Point) bytes(b *[33]byte) []byte {
	var a group.Affine
	if !p.affine(&a) {
		return b[:1]
	}
	b[0] = 2 | byte(a.Y.IsOdd()&1)
	a.X.FillBytes(( *[32]byte)(b[1:]))
	return b[:]
}
*)
Definition bytes '(x, y) : list Z := Z.lor 2 (Z.b2z (odd y)) :: FillBytes (rep x).

(* curve/point.go
func (p *Point) bytesUncompressed(b *[65]byte) []byte {
	var a group.Affine
	if !p.affine(&a) {
		return b[:1]
	}
	b[0] = 4
	a.X.FillBytes(( *[32]byte)(b[1:33]))
	a.Y.FillBytes(( *[32]byte)(b[33:]))
	return b[:]
}
*)
Definition bytesUncompressed '(x, y) : list Z := 4%Z :: FillBytes (rep x) ++ FillBytes (rep y).

(* curve/point.go
func (p *Point) bytesX(b *[32]byte) ([]byte, error) {
	var a group.Affine
	if !p.affine(&a) {
		return nil, fmt.Errorf("curve: x coordinate of the %w", ErrInfinity)
	}
	a.X.FillBytes(b)
	return b[:], nil
}
*)
Definition bytesX (p : K * K) : list Z := FillBytes (rep (fst p)).

Definition on_curve (p : K * K) : Prop := let '(x, y) := p in y * y = x * x * x + b.

Lemma odd_value x : odd x = Z.odd (value x).
Proof. unfold odd. rewrite IsOdd_right by apply rep_range. rewrite rep_value. reflexivity. Qed.

Lemma odd_opposite x : x <> 0 -> odd (- x) = negb (odd x).
Proof. intros N. rewrite !odd_value. apply parity. exact N. Qed.

Lemma value_range x : (0 <= value x < p)%Z.
Proof. rewrite <- rep_value. apply Z.mod_pos_bound. reflexivity. Qed.

Lemma on_nz x y : on_curve (x, y) -> y <> 0.
Proof. intros E N. apply (curve_nz x). rewrite <- E, N. ring. Qed.

(* The bytes of an element are the bytes of its value, and no other canonical bytes decode to the element. *)
Lemma FillBytes_value x : FillBytes (rep x) = to_bytes 32 (value x).
Proof. rewrite FillBytes_right by apply rep_range. rewrite rep_value. reflexivity. Qed.

Lemma SetBytes_FillBytes x : SetBytes (FillBytes (rep x)) = (value x, true).
Proof.
  rewrite FillBytes_value. pose proof (value_range x) as R.
  pose proof (SetBytes_right (to_bytes 32 (value x)) (to_bytes_bytes _ _) (to_bytes_length _ _)) as S.
  destruct (SetBytes _) as [v canonical]. destruct S as (-> & _ & ->).
  rewrite number_to_bytes by (change (256 ^ Z.of_nat 32)%Z with (2 ^ 256)%Z; pose proof c_right; unfold c in *; lia).
  f_equal. apply Z.ltb_lt, R.
Qed.

Lemma SetBytes_canonical s v : Forall is_byte s -> length s = 32%nat -> SetBytes s = (v, true) -> s = FillBytes (rep (of_Z v)).
Proof.
  intros B L E. pose proof (SetBytes_right s B L) as S. rewrite E in S. destruct S as (-> & R & C). symmetry in C. apply Z.ltb_lt in C.
  rewrite FillBytes_value, value_of, Z.mod_small by lia. rewrite <- L. symmetry. apply to_bytes_number. exact B.
Qed.

(* LiftX finds the point with the given x and an even y, if there is one. *)
Theorem LiftX_right x : let '(a, ok) := LiftX x in
  if ok then exists y, a = (x, y) /\ on_curve (x, y) /\ odd y = false else forall y, ~ on_curve (x, y).
Proof.
  unfold LiftX, setC, on_curve. pose proof (Sqrt_right (x * x * x + b)) as S. destruct (Sqrt _) as [y [|]].
  - exists (CondNegate (odd y) y). split; [reflexivity|]. split.
    + rewrite <- S. destruct (odd y); cbn [CondNegate]; ring.
    + destruct (odd y) eqn:E; cbn [CondNegate]; [|exact E]. rewrite odd_opposite by (apply (on_nz x); exact S). rewrite E. reflexivity.
  - intros y' E. apply (proj2 S y'). exact E.
Qed.

(* A point is determined by x and the parity of y. *)
Lemma same_parity x y y' : on_curve (x, y) -> on_curve (x, y') -> odd y = odd y' -> y = y'.
Proof.
  intros E E' O. pose proof (on_nz x y' E') as N. unfold on_curve in *. rewrite <- E' in E. destruct (roots _ _ E) as [R|R]; [exact R|].
  rewrite R, odd_opposite in O by exact N. destruct (odd y'); discriminate O.
Qed.

Theorem PointLiftX_right s x y : Forall is_byte s ->
  PointLiftX s = inl (x, y) <-> s = bytesX (x, y) /\ on_curve (x, y) /\ odd y = false.
Proof.
  intros B. unfold PointLiftX, bytesX, liftX. cbn [fst]. split.
  - destruct (length s =? 32)%nat eqn:L; [|discriminate]. apply Nat.eqb_eq in L. cbn [negb].
    destruct (SetBytes s) as [v [|]] eqn:E; [|discriminate]. cbn [negb]. pose proof (LiftX_right (of_Z v)) as R.
    destruct (LiftX _) as [a [|]]; [|discriminate]. cbn [negb]. intros I. injection I as ->. destruct R as (y' & I & R).
    injection I as -> ->. split; [apply SetBytes_canonical; assumption|exact R].
  - intros (-> & O & P). rewrite FillBytes_value, to_bytes_length. cbn [Nat.eqb negb]. rewrite <- FillBytes_value, SetBytes_FillBytes.
    cbn [negb]. rewrite of_value. pose proof (LiftX_right x) as R. destruct (LiftX x) as [a [|]].
    + destruct R as (y' & -> & O' & P'). cbn [negb]. f_equal. f_equal. apply (same_parity x); [exact O'|exact O|congruence].
    + exfalso. exact (R y O).
Qed.

(* PointLiftX returns one error for an x that is not below p, and another error for an x that no point has. *)
Theorem PointLiftX_errors s : Forall is_byte s -> length s = 32%nat ->
  (PointLiftX s = inr ErrRange <-> (p <= number s)%Z) /\
  (PointLiftX s = inr ErrNotOnCurve <-> (number s < p)%Z /\ forall y, ~ on_curve (of_Z (number s), y)).
Proof.
  intros B L. unfold PointLiftX, liftX. rewrite L. cbn [Nat.eqb negb]. pose proof (SetBytes_right s B L) as S.
  destruct (SetBytes s) as [v canonical]. destruct S as (-> & _ & ->). destruct (Z.ltb_spec (number s) p) as [H|H]; cbn [negb].
  - pose proof (LiftX_right (of_Z (number s))) as R. destruct (LiftX _) as [a [|]]; cbn [negb].
    + destruct R as (y & _ & O & _). split; split; try discriminate; [lia|]. intros [_ N]. exfalso. exact (N y O).
    + split; split; try discriminate; try reflexivity; [lia|]. intros _. split; [exact H|exact R].
  - split; split; try discriminate; try reflexivity; [intros _; exact H|lia].
Qed.

Lemma PointSetBytes_33 h s : length s = 32%nat -> PointSetBytes (h :: s) =
  if negb (Z.land h (Z.lnot 1) =? 2)%Z then inr ErrPrefix else
  match liftX s with inr err => inr err | inl (x, y) => inl (x, CondNegate (Z.land h 1 =? 1)%Z y) end.
Proof. intros L. unfold PointSetBytes. cbn [length hd skipn]. rewrite L. reflexivity. Qed.

Lemma PointSetBytes_65 h s s' : length s = 32%nat -> length s' = 32%nat -> PointSetBytes (h :: s ++ s') =
  if negb (h =? 4)%Z then inr ErrPrefix else
  let '(x, canonical) := SetBytes s in
  if negb canonical then inr ErrRange else
  let '(y, canonical) := SetBytes s' in
  if negb canonical then inr ErrRange else
  if negb (IsOnCurve (of_Z x, of_Z y)) then inr ErrNotOnCurve else inl (of_Z x, of_Z y).
Proof.
  intros L L'. assert (E : part 1 33 (h :: s ++ s') = s).
  { unfold part. change (skipn 1 (h :: s ++ s')) with (s ++ s'). change (33 - 1)%nat with 32%nat.
    rewrite <- L, firstn_app, Nat.sub_diag, firstn_all.
    apply app_nil_r. }
  assert (E' : skipn 33 (h :: s ++ s') = s').
  { change (skipn 33 (h :: s ++ s')) with (skipn 32 (s ++ s')). rewrite <- L, skipn_app, Nat.sub_diag, skipn_all. reflexivity. }
  unfold PointSetBytes. rewrite E, E'. cbn [length hd]. rewrite app_length, L, L'. reflexivity.
Qed.

(* The encodings of a point, compressed and uncompressed, decode to the point, for both parities of y. *)
Theorem PointSetBytes_bytes x y : on_curve (x, y) -> PointSetBytes (bytes (x, y)) = inl (x, y).
Proof.
  intros O. unfold bytes. rewrite PointSetBytes_33 by (rewrite FillBytes_value; apply to_bytes_length).
  assert (P : negb (Z.land (Z.lor 2 (Z.b2z (odd y))) (Z.lnot 1) =? 2)%Z = false) by (destruct (odd y); reflexivity). rewrite P.
  unfold liftX. rewrite SetBytes_FillBytes. cbn [negb]. rewrite of_value. pose proof (LiftX_right x) as R. destruct (LiftX x) as [a [|]].
  - destruct R as (y' & -> & O' & P'). cbn [negb]. f_equal. f_equal. pose proof (on_nz x y' O') as N. apply (same_parity x); [|exact O|].
    + unfold on_curve in *. destruct (_ =? 1)%Z; cbn [CondNegate]; rewrite <- O'; ring.
    + assert (E : (Z.land (Z.lor 2 (Z.b2z (odd y))) 1 =? 1)%Z = odd y) by (destruct (odd y); reflexivity). rewrite E.
      destruct (odd y); cbn [CondNegate]; [rewrite odd_opposite, P' by exact N; reflexivity|exact P'].
  - exfalso. exact (R y O).
Qed.

Theorem PointSetBytes_bytesUncompressed x y : on_curve (x, y) -> PointSetBytes (bytesUncompressed (x, y)) = inl (x, y).
Proof.
  intros O. assert (L : forall a, length (FillBytes (rep a)) = 32%nat) by (intros a; rewrite FillBytes_value; apply to_bytes_length).
  unfold bytesUncompressed. rewrite PointSetBytes_65 by apply L. rewrite !SetBytes_FillBytes. cbn [Z.eqb Pos.eqb negb].
  rewrite !of_value. unfold IsOnCurve, equal. unfold on_curve in O. destruct (dec _ _); [reflexivity|contradiction].
Qed.

(* Only the two encodings of each point are accepted. *)
Lemma cut (s : list Z) : length s = 65%nat -> exists h s1 s2, s = h :: s1 ++ s2 /\ length s1 = 32%nat /\ length s2 = 32%nat.
Proof.
  intros L. destruct s as [|h s]; [discriminate L|]. injection L as L. exists h, (firstn 32 s), (skipn 32 s).
  rewrite firstn_skipn, firstn_length, skipn_length, L. auto.
Qed.

Lemma prefix h : is_byte h -> (Z.land h (Z.lnot 1) =? 2)%Z = true <-> (h = 2 \/ h = 3)%Z.
Proof.
  intros H. split; [|intros [-> | ->]; reflexivity]. intros P. apply Z.eqb_eq in P. rewrite <- Z.ldiff_land in P.
  change 1%Z with (Z.ones 1) in P. rewrite Z.ldiff_ones_r, Z.shiftl_mul_pow2, Z.shiftr_div_pow2 in P by discriminate.
  change (2 ^ 1)%Z with 2%Z in P. pose proof (Z.div_mod h 2 ltac:(discriminate)). pose proof (Z.mod_pos_bound h 2 eq_refl). lia.
Qed.

Theorem PointSetBytes_only s x y : Forall is_byte s -> PointSetBytes s = inl (x, y) ->
  on_curve (x, y) /\ (s = bytes (x, y) \/ s = bytesUncompressed (x, y)).
Proof.
  intros B E. destruct (Nat.eqb_spec (length s) 33) as [L|N].
  - destruct s as [|h s]; [discriminate L|]. injection L as L. inversion B as [|? ? H B']. subst.
    rewrite PointSetBytes_33 in E by exact L. destruct (Z.land h (Z.lnot 1) =? 2)%Z eqn:P; [|discriminate E]. cbn [negb] in E.
    apply prefix in P; [|exact H]. pose proof (PointLiftX_right s) as R. unfold PointLiftX in R. rewrite L in R. cbn [Nat.eqb negb] in R.
    destruct (liftX s) as [[x' y']|]; [|discriminate E]. injection E as -> <-.
    destruct (proj1 (R x y' B') eq_refl) as (-> & O & Ev). pose proof (on_nz x y' O) as Ny. split.
    + unfold on_curve in *. destruct (_ =? 1)%Z; cbn [CondNegate]; rewrite <- O; ring.
    + left. unfold bytes, bytesX. cbn [fst]. destruct P as [-> | ->].
      * change (Z.land 2 1 =? 1)%Z with false. cbn [CondNegate]. rewrite Ev. reflexivity.
      * change (Z.land 3 1 =? 1)%Z with true. cbn [CondNegate]. rewrite odd_opposite, Ev by exact Ny. reflexivity.
  - destruct (Nat.eqb_spec (length s) 65) as [L|N'].
    + destruct (cut s L) as (h & s1 & s2 & -> & L1 & L2). inversion B as [|? ? H B']. subst. apply Forall_app in B'. destruct B' as [B1 B2].
      rewrite PointSetBytes_65 in E by assumption. destruct (Z.eqb_spec h 4) as [->|]; [|discriminate E]. cbn [negb] in E.
      destruct (SetBytes s1) as [v [|]] eqn:E1; [|discriminate E]. cbn [negb] in E.
      destruct (SetBytes s2) as [w [|]] eqn:E2; [|discriminate E]. cbn [negb] in E.
      destruct (IsOnCurve _) eqn:C; [|discriminate E]. cbn [negb] in E. injection E as <- <-. split.
      * unfold on_curve. unfold IsOnCurve, equal in C. destruct (dec _ _) as [E|]; [exact E|discriminate C].
      * right. unfold bytesUncompressed. rewrite <- (SetBytes_canonical _ _ B1 L1 E1), <- (SetBytes_canonical _ _ B2 L2 E2). reflexivity.
    + exfalso. unfold PointSetBytes in E. rewrite (proj2 (Nat.eqb_neq _ _) N), (proj2 (Nat.eqb_neq _ _) N') in E. discriminate E.
Qed.

(* A coordinate that is not below p is refused, in each position. *)
Theorem PointSetBytes_range h s s' : Forall is_byte s -> Forall is_byte s' -> length s = 32%nat -> length s' = 32%nat ->
  (h = 2 \/ h = 3 -> p <= number s -> PointSetBytes (h :: s) = inr ErrRange)%Z /\
  (p <= number s \/ p <= number s' -> PointSetBytes (4 :: s ++ s') = inr ErrRange)%Z.
Proof.
  intros B B' L L'. split.
  - intros H R. rewrite PointSetBytes_33 by exact L.
    assert (E : negb (Z.land h (Z.lnot 1) =? 2)%Z = false) by (destruct H as [-> | ->]; reflexivity). rewrite E.
    destruct (PointLiftX_errors s B L) as [X _]. apply X in R. unfold PointLiftX in R. rewrite L in R. cbn [Nat.eqb negb] in R.
    rewrite R. reflexivity.
  - intros R. rewrite PointSetBytes_65 by assumption. cbn [Z.eqb Pos.eqb negb].
    pose proof (SetBytes_right s B L) as S1. pose proof (SetBytes_right s' B' L') as S2.
    destruct (SetBytes s) as [v cv]. destruct (SetBytes s') as [w cw]. destruct S1 as (_ & _ & ->), S2 as (_ & _ & ->).
    destruct (Z.ltb_spec (number s) p); cbn [negb]; [|reflexivity]. destruct (Z.ltb_spec (number s') p); cbn [negb]; [lia|reflexivity].
Qed.

(* internal/lanes/lift.go
func (l *lift) liftX(blocks int) (ok [most]uint8) {
	squares := &l.powers[x1]
	l.t.squareN(&l.x, 1, blocks)
	for i := range blocks {
		mul(&l.t[i], &l.t[i], &l.x[i])
		add(&squares[i], &l.t[i], &l.b)
	}
	for _, s := range rootSteps {
		power := &l.powers[s.to]
		power.squareN(&l.powers[s.from], s.n, blocks)
		for i := range blocks {
			mul(&power[i], &power[i], &l.powers[s.factor][i])
		}
	}
	l.y.squareN(&l.powers[rest], 2, blocks)
	l.t.squareN(&l.y, 1, blocks)
	for i := range blocks {
		sub(&l.t[i], &l.t[i], &squares[i])
		ok[i] = isZero(&l.t[i])
		normalize(&l.y[i], &l.y[i])
		negate(&l.y[i], &l.y[i], isOdd(&l.y[i]))
	}
	return ok
}
*)
(* internal/lanes/lift.go
func (l *lift) liftXVartime(blocks int) (ok [most]uint8) {
	squares := &l.powers[x1]
	l.t.squareNVartime(&l.x, 1, blocks)
	for i := range blocks {
		mulVartime(&l.t[i], &l.t[i], &l.x[i])
		addVartime(&squares[i], &l.t[i], &l.b)
	}
	for _, s := range rootSteps {
		power := &l.powers[s.to]
		power.squareNVartime(&l.powers[s.from], s.n, blocks)
		for i := range blocks {
			mulVartime(&power[i], &power[i], &l.powers[s.factor][i])
		}
	}
	l.y.squareNVartime(&l.powers[rest], 2, blocks)
	l.t.squareNVartime(&l.y, 1, blocks)
	for i := range blocks {
		subVartime(&l.t[i], &l.t[i], &squares[i])
		ok[i] = isZeroVartime(&l.t[i])
		negateVartime(&l.y[i], &l.y[i], isOddVartime(&l.y[i]))
	}
	return ok
}
*)
(* Both functions in one lane. The steps of rootSteps and the last two squarings compute rootPower, as lane_root of Roots.v says. *)
Definition lane_liftX x : K * bool :=
  let t := x * x * x in
  let y2 := t + b in
  let y := rootPower y2 in
  let t := y * y - y2 in
  (CondNegate (odd y) y, equal t 0).

Theorem lane_liftX_right x : let '(y, ok) := lane_liftX x in
  if ok then on_curve (x, y) /\ odd y = false else forall y', ~ on_curve (x, y').
Proof.
  unfold lane_liftX. cbv zeta. pose proof (rootPower_right (x * x * x + b)) as S. set (y := rootPower _) in *. unfold equal.
  destruct (dec (y * y - _) 0) as [E|N].
  - assert (O : on_curve (x, y)) by (apply sub_0; exact E). pose proof (on_nz x y O) as Ny. split.
    + unfold on_curve in *. rewrite <- O. destruct (odd y); cbn [CondNegate]; ring.
    + destruct (odd y) eqn:Ey; cbn [CondNegate]; rewrite ?odd_opposite, ?Ey by exact Ny; reflexivity.
  - destruct S as [S|S]; [exfalso; apply N; apply sub_0; exact S|]. intros y' O. apply (S y'). exact O.
Qed.
End Points.
