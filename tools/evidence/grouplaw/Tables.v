(* The code's digits in Z[lambda], from tables and from rules, checked by computation for every class. coqchk accepts
   this file without checking it, because coqchk has no virtual machine and would take long. *)
Require Import ZArith Lia List Bool Constants Digits.
Import ListNotations.
Open Scope Z_scope.

(* If a digit depends only on the class modulo 2^w, a computation can check the digits of all classes. *)
Definition reduce (w : Z) (z : Z * Z) := (fst z mod 2 ^ w, snd z mod 2 ^ w).
Definition of_class (w : Z) (f : Z * Z -> Z * Z) (z : Z * Z) := f (reduce w z).
Definition interval (size : Z) := map Z.of_nat (seq 0 (Z.to_nat size)).
Definition classes (w : Z) := list_prod (interval (2 ^ w)) (interval (2 ^ w)).

Lemma in_interval x size : 0 <= x < size -> In x (interval size).
Proof.
  intros H. unfold interval. rewrite <- (Z2Nat.id x) by lia. apply in_map. apply in_seq. lia.
Qed.

Lemma all_classes w (check : Z * Z -> bool) : 0 < w -> forallb check (classes w) = true ->
  forall z, check (reduce w z) = true.
Proof.
  intros Hw E z. rewrite forallb_forall in E. apply E. pose proof (pow_pos w ltac:(lia)).
  apply in_prod; apply in_interval; apply Z.mod_pos_bound; lia.
Qed.

Definition good (w H : Z) (f : Z * Z -> Z * Z) (z : Z * Z) : bool :=
  let d := f z in ((fst z - fst d) mod 2 ^ w =? 0) && ((snd z - snd d) mod 2 ^ w =? 0) && (M d <=? H).

Lemma good_class w H f z : 0 < w -> good w H f (reduce w z) = true ->
  congruent w (of_class w f) z /\ M (of_class w f z) <= H.
Proof.
  intros Hw G. pose proof (pow_pos w ltac:(lia)). unfold good in G. apply andb_prop in G. destruct G as [G G3]. apply andb_prop in G. destruct G as [G1 G2].
  apply Z.eqb_eq in G1. apply Z.eqb_eq in G2. apply Z.leb_le in G3. unfold reduce in G1, G2. cbn [fst snd] in G1, G2.
  rewrite Zminus_mod_idemp_l in G1, G2. split; [split; assumption|exact G3].
Qed.

Lemma odd_reduce w z : 0 < w -> odd_class (reduce w z) = odd_class z.
Proof.
  intros Hw. unfold odd_class, reduce. cbn [fst snd].
  assert (E : forall x, Z.odd (x mod 2 ^ w) = Z.odd x).
  { intros x. rewrite <- !Z.bit0_odd. apply Z.mod_pow2_bits_low. lia. }
  rewrite !E. reflexivity.
Qed.

Definition nth_class (w : Z) (table : list (Z * Z)) (z : Z * Z) :=
  nth (Z.to_nat (fst z * 2 ^ w + snd z)) table (0, 0).

(* S2, S4: digits of width 3 for points. *)
Definition point_digit := of_class point_width (nth_class 3 point_digits).

Theorem S2_point z : odd_class z = true -> congruent 3 point_digit z /\ M (point_digit z) <= 9.
Proof.
  intros O. apply good_class; [reflexivity|].
  assert (C : (negb (odd_class (reduce 3 z)) || good 3 9 (nth_class 3 point_digits) (reduce 3 z)) = true).
  { apply (all_classes 3 (fun z => negb (odd_class z) || good 3 9 (nth_class 3 point_digits) z)); [reflexivity|vm_cast_no_check (eq_refl true)]. }
  rewrite odd_reduce, O in C by reflexivity. exact C.
Qed.

(* S2, S4: digits of width 8 for G, where the code computes the entry and the unit. *)
(* internal/recode/eisenstein.go
func (d *Digit) setGenerator(x, y uint64) (u, v int64) {
	const mask = 1<<GeneratorWidth - 1
	power := powerModulo2(x, y)
	a := [4]uint64{x, y - x, -y}[power&3] // (x + y·λ)/λᵖᵒʷᵉʳ = a + b·λ, with odd a and even b
	b := [4]uint64{y, -x, x - y}[power&3]
	// Either a or −a, modulo 2ʷ, is below 2ʷ⁻¹. It is a if the top bit of a is 0.
	minus := -(a >> (GeneratorWidth - 1) & 1)
	a, b = (a^minus-minus)&mask, (b^minus-minus)&mask
	*d = Digit{Power: uint8(power), Entry: generatorEntry(a, b), Sign: minus}

	// Compute the digit as a number: b gets its sign from the top of its 8 bits, and then a + b·λ is multiplied by the
	// unit.
	a, b = a^minus-minus, uint64(int64(b<<(64-GeneratorWidth))>>(64-GeneratorWidth))^minus-minus
	u = int64([4]uint64{a, -b, b - a}[power&3]) // (a + b·λ)·λᵖᵒʷᵉʳ
	v = int64([4]uint64{b, a - b, -a}[power&3])
	return u, v
}
*)
(* internal/recode/eisenstein.go
func generatorEntry(a, b uint64) uint16 {
	return uint16(a>>1*GeneratorRow | b>>1)
}
*)
(* internal/recode/eisenstein.go
func GeneratorMultiple(i int) (a, b int) {
	a, b = 2*(i/GeneratorRow)+1, 2*(i%GeneratorRow)
	if b >= GeneratorRow { // the second half of a row has the negative b
		b -= 2 * GeneratorRow
	}
	return a, b
}
*)
Definition times_lambda (z : Z * Z) := (- snd z, fst z - snd z).
Definition power_modulo_2 (x y : Z) := if Z.even y then 0 else if Z.even x then 1 else 2.
Definition pick {A} (power : Z) (a b c : A) := if power =? 0 then a else if power =? 1 then b else c.
Definition turn (power : Z) (minus : bool) (z : Z * Z) :=
  let '(a, b) := pick power z (times_lambda z) (times_lambda (times_lambda z)) in if minus then (- a, - b) else (a, b).

(* For a class modulo 2^w, the index of the multiple in the table and its unit; and for an index, the multiple. *)
Definition generator_entry (w : Z) (z : Z * Z) : Z * Z * bool :=
  let '(x, y) := z in
  let power := power_modulo_2 x y in
  let a := pick power x (y - x) (- y) mod 2 ^ w in
  let b := pick power y (- x) (x - y) mod 2 ^ w in
  let minus := 2 ^ (w - 1) <=? a in
  let a := if minus then - a mod 2 ^ w else a in
  let b := if minus then - b mod 2 ^ w else b in
  (a / 2 * 2 ^ (w - 1) + b / 2, power, minus).
Definition generator_multiple (w i : Z) : Z * Z :=
  let b := 2 * (i mod 2 ^ (w - 1)) in
  (2 * (i / 2 ^ (w - 1)) + 1, if 2 ^ (w - 1) <=? b then b - 2 ^ w else b).
Definition generator_class (w : Z) (z : Z * Z) :=
  let '(i, power, minus) := generator_entry w z in turn power minus (generator_multiple w i).
Definition generator_digit := of_class generator_width (generator_class generator_width).

Theorem S2_generator z : odd_class z = true -> congruent 8 generator_digit z /\ M (generator_digit z) <= 383.
Proof.
  intros O. apply good_class; [reflexivity|].
  assert (C : (negb (odd_class (reduce 8 z)) || good 8 383 (generator_class 8) (reduce 8 z)) = true).
  { apply (all_classes 8 (fun z => negb (odd_class z) || good 8 383 (generator_class 8) z)); [reflexivity|vm_cast_no_check (eq_refl true)]. }
  rewrite odd_reduce, O in C by reflexivity. exact C.
Qed.

(* S19: digits of w bits in the hexagon, for every class. *)
Lemma window_class w table : 0 < w -> forallb (good w (2 ^ w) (nth_class w table)) (classes w) = true ->
  forall z, congruent w (of_class w (nth_class w table)) z /\ M (of_class w (nth_class w table) z) <= 2 ^ w.
Proof. intros Hw E z. apply good_class; [exact Hw|]. apply (all_classes w); assumption. Qed.

Theorem S19_3 z : congruent 3 (of_class 3 (nth_class 3 window_digits_3)) z /\ M (of_class 3 (nth_class 3 window_digits_3) z) <= 8.
Proof. apply (window_class 3); [reflexivity|vm_cast_no_check (eq_refl true)]. Qed.

Theorem S19_4 z : congruent 4 (of_class 4 (nth_class 4 window_digits_4)) z /\ M (of_class 4 (nth_class 4 window_digits_4) z) <= 16.
Proof. apply (window_class 4); [reflexivity|vm_cast_no_check (eq_refl true)]. Qed.

Theorem S19_5 z : congruent 5 (of_class 5 (nth_class 5 window_digits_5)) z /\ M (of_class 5 (nth_class 5 window_digits_5) z) <= 32.
Proof. apply (window_class 5); [reflexivity|vm_cast_no_check (eq_refl true)]. Qed.

Theorem S19_6 z : congruent 6 (of_class 6 (nth_class 6 window_digits_6)) z /\ M (of_class 6 (nth_class 6 window_digits_6) z) <= 64.
Proof. apply (window_class 6); [reflexivity|vm_cast_no_check (eq_refl true)]. Qed.

(* The value of a digit is its unit times u + v omega, for the pair (u, v) that the code stores for its class. The
   number 0 means that there is no digit and no pair. *)
Definition window_value (pairs : list (Z * Z)) (digit : Z * Z) : Z * Z :=
  let '(number, unit) := digit in
  let '(u, v) := nth (Z.to_nat (number - 1)) pairs (0, 0) in
  if number =? 0 then (0, 0) else turn (unit / 2) (Z.odd unit) (u + v, v).
Definition window_entry (w : Z) (pairs entries table : list (Z * Z)) (z : Z * Z) : bool :=
  let '(number, unit) := nth_class w entries z in
  let '(a, b) := window_value pairs (number, unit) in
  let '(c, d) := nth_class w table z in
  (0 <=? number) && (number <=? Z.of_nat (length pairs)) && (0 <=? unit) && (unit <=? 5) && (a =? c) && (b =? d).
Definition in_rows (w : Z) (most : nat) (pairs : list (Z * Z)) : bool :=
  (Z.of_nat most <? 2 ^ w) &&
  forallb (fun p => (1 <=? fst p) && (fst p <=? Z.of_nat most) && (0 <=? snd p) && (snd p <=? Z.of_nat most)) pairs.

Theorem digit_entries_3 z : window_entry 3 window_pairs_3 window_entries_3 window_digits_3 (reduce 3 z) = true.
Proof. apply (all_classes 3); [reflexivity|vm_cast_no_check (eq_refl true)]. Qed.

Theorem digit_entries_4 z : window_entry 4 window_pairs_4 window_entries_4 window_digits_4 (reduce 4 z) = true.
Proof. apply (all_classes 4); [reflexivity|vm_cast_no_check (eq_refl true)]. Qed.

Theorem digit_entries_5 z : window_entry 5 window_pairs_5 window_entries_5 window_digits_5 (reduce 5 z) = true.
Proof. apply (all_classes 5); [reflexivity|vm_cast_no_check (eq_refl true)]. Qed.

Theorem digit_entries_6 z : window_entry 6 window_pairs_6 window_entries_6 window_digits_6 (reduce 6 z) = true.
Proof. apply (all_classes 6); [reflexivity|vm_cast_no_check (eq_refl true)]. Qed.

(* S14 and S15: digits for even classes too. *)
(* internal/recode/regular.go
func RegularGeneratorClass(x, y uint64) (d RegularDigit) {
	const classes = 1 << GeneratorWidth
	x, y = x%classes, y%classes
	if x|y == 0 {
		return d
	}
	v := bits.TrailingZeros64(x | y)
	x, y = x>>v, y>>v
	width := GeneratorWidth - v
	mask := uint64(1)<<width - 1
	power := powerModulo2(x, y)
	a := [4]uint64{x, y - x, -y}[power&3] // (x + y·λ)/λᵖᵒʷᵉʳ = a + b·λ, with odd a and even b
	b := [4]uint64{y, -x, x - y}[power&3]
	minus := -(a >> (width - 1) & 1) // so that 0 < a < 2^(width−1), or a = 1 for width 1
	a, b = (a^minus-minus)&mask, (b^minus-minus)&mask
	d.Entry = uint16(RegularGeneratorRow(v)) + uint16(a>>1<<(width-1)|b>>1)
	d.Power = uint8(power)

	// Compute the digit as a number: b gets its sign, and then a + b·λ is multiplied by the power of λ, by 2ᵛ and by
	// the sign.
	u, w := int16(a), int16(b)
	if b>>(width-1) != 0 {
		w -= 1 << width
	}
	for range power {
		u, w = -w, u-w // times λ
	}
	d.A, d.B = u<<v, w<<v
	if minus != 0 {
		d.negate()
	}
	return d
}
*)
Definition regular_digit := of_class point_width (nth_class 3 regular_digits).
Fixpoint regular_generator_class (v : nat) (w : Z) (z : Z * Z) : Z * Z :=
  if odd_class z then generator_class w z else
  match v with
  | O => (0, 0)
  | S v => let '(a, b) := regular_generator_class v (w - 1) (fst z / 2, snd z / 2) in (2 * a, 2 * b)
  end.
Definition regular_generator_digit := of_class generator_width (regular_generator_class 7 generator_width).

Theorem S14_point z : congruent 3 regular_digit z /\ M (regular_digit z) <= 8.
Proof. exact (window_class 3 regular_digits ltac:(reflexivity) ltac:(vm_compute; reflexivity) z). Qed.

Theorem S14_generator z : congruent 8 regular_generator_digit z /\ M (regular_generator_digit z) <= 384.
Proof.
  apply good_class; [reflexivity|]. apply (all_classes 8 (good 8 384 (regular_generator_class 7 8))); [reflexivity|vm_cast_no_check (eq_refl true)].
Qed.
