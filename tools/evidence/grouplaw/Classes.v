(* The code writes scalars with the digits of Tables.v: in each form the digits, at their places, sum to the scalar. *)
Require Import ZArith Lia List Bool Constants Digits Tables.
Import ListNotations.
Open Scope Z_scope.

(* S1: a number that 2 does not divide is congruent modulo 2 to a power of lambda, whose exponent the code computes. *)
(* internal/recode/eisenstein.go
func powerModulo2(x, y uint64) uint64 {
	return (y & 1) << (x & 1)
}
*)
Definition congruent_2 (z d : Z * Z) : bool := Z.even (fst z - fst d) && Z.even (snd z - snd d).
Theorem S1 x y : odd_class (x, y) = true -> forall p, 0 <= p <= 2 ->
  congruent_2 (x, y) (pick p (1, 0) (0, 1) (-1, -1)) = (p =? power_modulo_2 x y).
Proof.
  intros O p Hp. unfold odd_class in O. cbn [fst snd] in O. rewrite <- !Z.negb_even in O.
  assert (C : p = 0 \/ p = 1 \/ p = 2) by lia. unfold congruent_2, power_modulo_2.
  destruct C as [->|[->| ->]]; cbn [pick Z.eqb Pos.eqb fst snd]; rewrite !Z.even_sub;
  destruct (Z.even x), (Z.even y); try discriminate O; reflexivity.
Qed.

(* S3 and S7. Digits at places at least w apart sum to the scalar, and no digit is at place 131 or above. *)
Lemma M_halves x y : Z.abs x < 2 ^ 128 -> Z.abs y < 2 ^ 128 -> M (x, y) <= 3 * 2 ^ 128.
Proof. intros. apply (M_cases (fun m => m <= 3 * 2 ^ 128)); lia. Qed.

Lemma high w H M0 t : 0 < w -> 0 <= t -> 0 <= H < 2 * (2 ^ w - 1) -> (2 ^ w - 1) * M0 < 2 ^ t * (2 * (2 ^ w - 1) - H) ->
  forall i, t <= i -> (2 ^ w - 1) * M0 + 2 ^ i * H < 2 ^ i * ((2 ^ w - 1) * 2).
Proof.
  intros Hw Ht HH E i Hi. assert (P : 2 ^ t <= 2 ^ i) by (apply Z.pow_le_mono_r; lia).
  assert (2 ^ t * (2 * (2 ^ w - 1) - H) <= 2 ^ i * (2 * (2 ^ w - 1) - H)) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma apart_length w digit top d : 0 < w -> forall i, i <= top + w - 1 -> apart w digit top i d ->
  w * Z.of_nat (length d) <= top - i + w - 1.
Proof.
  intros Hw. induction d as [|[j u] d IH]; intros i Hi A.
  - cbn [length]. lia.
  - cbn [apart] in A. destruct A as (B & _ & A). specialize (IH (j + w) ltac:(lia) A). cbn [length]. lia.
Qed.

Definition naf_of w digit z := naf w digit 131 0 z.
Definition total (d : list (Z * (Z * Z))) := value fst d + value snd d * lambda.

Lemma naf_sum w H digit top M0 z : 0 < w -> 0 <= H < 2 * (2 ^ w - 1) -> 0 <= top <= 131 ->
  (2 ^ w - 1) * M0 < 2 ^ top * (2 * (2 ^ w - 1) - H) -> M z <= M0 ->
  (forall z, odd_class z = true -> congruent w digit z /\ M (digit z) <= H) ->
  total (naf_of w digit z) = fst z + snd z * lambda /\ apart w digit top 0 (naf_of w digit z).
Proof.
  intros Hw HH Ht E B C. pose proof (pow_pos w ltac:(lia)).
  assert (2 ^ 1 <= 2 ^ w) by (apply Z.pow_le_mono_r; lia). change (2 ^ 1) with 2 in *.
  destruct (naf_right w H digit Hw top M0 (high w H M0 top Hw ltac:(lia) HH E) (fun z O => proj1 (C z O))
    (fun z O => proj2 (C z O)) ltac:(lia) 131 0 z) as (V1 & V2 & A); [lia|cbn; lia| |].
  - change (2 ^ 0) with 1. assert ((2 ^ w - 1) * M z <= (2 ^ w - 1) * M0) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - unfold total, naf_of. rewrite V1, V2. change (2 ^ 0) with 1. split; [ring|exact A].
Qed.

(* internal/recode/eisenstein.go
func (d *Digits) setVartime(k1, k2 scalar.Signed128, generator bool) {
	// The numbers k1 and k2 are cut into five pieces of 32 bits each. x and y hold the pieces that the loop is working
	// on. After subtracting the digits so far, k1 + k2·λ is
	//
	//	2ᵃᵗ·(x + y·λ + 2ᵃʰᵉᵃᵈ·(the pieces from next on)).
	//
	// So the lowest ahead bits of x and y are final. At the top of the loop ahead becomes 24 or more. At most 15 zeros
	// are then shifted out, so at least 9 final bits remain, enough for the 8 bits of a class. Because ahead < 24
	// before a piece is added, |x| and |y| stay below 2⁵⁷.
	//
	// The fifth piece is enough up to place 136. No sixth piece is needed, because no digit is above MaxPlace.
	a, b := pieces(k1), pieces(k2)
	var x, y int64
	next, ahead := 0, uint(0)
	n, place := 0, uint(0)
	for {
		if ahead < 24 {
			x += a[next] << (ahead & 63)
			y += b[next] << (ahead & 63)
			ahead += 32
			next++
		}
		zeros := uint(bits.TrailingZeros64(uint64(x|y) | 1<<15)) // how often 2 divides x + y·λ, at most 15
		x >>= zeros & 63
		y >>= zeros & 63
		place += zeros
		ahead -= zeros
		if (x|y)&1 == 0 { // there are more than 15 zeros, or nothing is left
			if x|y == 0 && next == len(a) {
				break
			}
			continue
		}
		digit := &d.Digit[n]
		n++
		var u, v int64
		if generator {
			u, v = digit.setGenerator(uint64(x), uint64(y))
		} else {
			c := &pointClasses[uint64(x)%(1<<PointWidth)][uint64(y)%(1<<PointWidth)]
			u, v = int64(c.a), int64(c.b)
			*digit = c.Digit
		}
		digit.At = uint8(place)
		x -= u
		y -= v
	}
	d.N = n
}
*)
Theorem S7_point x y : Z.abs x < 2 ^ 128 -> Z.abs y < 2 ^ 128 -> let d := naf_of point_width point_digit (x, y) in
  total d = x + y * lambda /\ apart 3 point_digit (max_place + 1) 0 d /\ (length d <= max_point_digits)%nat.
Proof.
  intros Hx Hy. destruct (naf_sum 3 9 point_digit (max_place + 1) (3 * 2 ^ 128) (x, y)) as [T A];
    [lia|lia|unfold max_place; lia|reflexivity|apply M_halves; assumption|exact S2_point|].
  cbv zeta. split; [exact T|]. split; [exact A|]. pose proof (apart_length 3 point_digit (max_place + 1) _ ltac:(lia) 0 ltac:(unfold max_place; lia) A).
  unfold max_place in *. lia.
Qed.

Theorem S7_generator x y : Z.abs x < 2 ^ 128 -> Z.abs y < 2 ^ 128 -> let d := naf_of generator_width generator_digit (x, y) in
  total d = x + y * lambda /\ apart 8 generator_digit (max_place + 1) 0 d /\ (length d <= max_generator_digits)%nat.
Proof.
  intros Hx Hy. destruct (naf_sum 8 383 generator_digit (max_place + 1) (3 * 2 ^ 128) (x, y)) as [T A];
    [lia|lia|unfold max_place; lia|reflexivity|apply M_halves; assumption|exact S2_generator|].
  cbv zeta. split; [exact T|]. split; [exact A|]. pose proof (apart_length 8 generator_digit (max_place + 1) _ ltac:(lia) 0 ltac:(unfold max_place; lia) A).
  unfold max_place in *. lia.
Qed.

(* For the halves of a scalar, the highest place of a digit is at most 129. *)
Theorem S7_scalar v : 0 <= v < n ->
  total (naf_of 3 point_digit (k1 v, k2 v)) mod n = v /\ apart 3 point_digit 130 0 (naf_of 3 point_digit (k1 v, k2 v)) /\
  total (naf_of 8 generator_digit (k1 v, k2 v)) mod n = v /\
  apart 8 generator_digit 130 0 (naf_of 8 generator_digit (k1 v, k2 v)).
Proof.
  intros Hv. assert (E : (k1 v + k2 v * lambda) mod n = v) by (rewrite split_right; apply Z.mod_small; exact Hv).
  destruct (naf_sum 3 9 point_digit 130 scalar_bound (k1 v, k2 v)) as [T3 A3];
    [lia|lia|lia|reflexivity|apply S6_hexagon; exact Hv|exact S2_point|].
  destruct (naf_sum 8 383 generator_digit 130 scalar_bound (k1 v, k2 v)) as [T8 A8];
    [lia|lia|lia|reflexivity|apply S6_hexagon; exact Hv|exact S2_generator|].
  rewrite T3, T8. cbn [fst snd]. auto.
Qed.

(* A bound for what is left of z after c digits. *)
Lemma left w H digit c M0 h z : 0 < w ->
  (forall z, congruent w digit z /\ M (digit z) <= H) -> M z <= M0 ->
  (2 ^ w - 1) * M0 + (2 ^ (w * Z.of_nat c) - 1) * H < (2 ^ w - 1) * (2 ^ (w * Z.of_nat c) * (h + 1)) ->
  M (snd (places w digit c z)) <= h.
Proof.
  intros Hw C B E. pose proof (pow_pos w ltac:(lia)). pose proof (pow_pos (w * Z.of_nat c) ltac:(lia)).
  pose proof (places_bound w H digit Hw (fun z => proj1 (C z)) (fun z => proj2 (C z)) c z) as P.
  destruct (Z_le_gt_dec (M (snd (places w digit c z))) h) as [|G]; [assumption|exfalso].
  assert (2 ^ 1 <= 2 ^ w) by (apply Z.pow_le_mono_r; lia). change (2 ^ 1) with 2 in *.
  assert ((2 ^ w - 1) * M z <= (2 ^ w - 1) * M0) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert ((2 ^ w - 1) * (2 ^ (w * Z.of_nat c) * (h + 1)) <= (2 ^ w - 1) * (2 ^ (w * Z.of_nat c) * M (snd (places w digit c z)))).
  { apply Z.mul_le_mono_nonneg_l; [lia|]. apply Z.mul_le_mono_nonneg_l; lia. }
  lia.
Qed.

(* The numbers with M <= h, so that a property can be checked for each of them. *)
Definition hexagon h := filter (fun z => M z <=? h) (list_prod (map (fun i => i - h) (interval (2 * h + 1))) (map (fun i => i - h) (interval (2 * h + 1)))).

Lemma in_hexagon h check : forallb check (hexagon h) = true -> forall z, M z <= h -> check z = true.
Proof.
  intros E [x y] B. rewrite forallb_forall in E. apply E. apply filter_In. split; [|apply Z.leb_le; exact B].
  destruct (M_parts x y) as (P1 & P2 & P3).
  apply in_prod; apply in_map_iff; [exists (x + h)|exists (y + h)]; (split; [lia|apply in_interval; lia]).
Qed.

Definition sums w (d : list (Z * Z)) := sum w (map fst d) + sum w (map snd d) * lambda.
Definition all_places w f c z := fst (places w (of_class w f) c z).

Lemma no_rest w H f c z M0 : 0 < w -> (forall z, congruent w (of_class w f) z /\ M (of_class w f z) <= H) -> M z <= M0 ->
  (2 ^ w - 1) * M0 + (2 ^ (w * Z.of_nat c) - 1) * H < (2 ^ w - 1) * (2 ^ (w * Z.of_nat c) * 2) ->
  length (all_places w f c z) = c /\ sums w (all_places w f c z) = fst z + snd z * lambda.
Proof.
  intros Hw C B E. pose proof (left w H (of_class w f) c M0 1 z Hw C B E) as L.
  pose proof (places_right w (of_class w f) Hw (fun z => proj1 (C z)) c z) as R.
  unfold all_places, sums. destruct (places w (of_class w f) c z) as [d r]. cbn [fst snd] in *.
  destruct R as (L1 & E1 & E2). split; [exact L1|].
  assert (r = (0, 0)).
  { destruct r as [a b]. destruct (Z.eq_dec a 0) as [-> |]; [destruct (Z.eq_dec b 0) as [-> |]; [reflexivity|]|];
    exfalso; match type of L with M ?r <= 1 => assert (X : r <> (0, 0)) by congruence; pose proof (S5 r X) end; lia. }
  subst r. cbn [fst snd] in *. rewrite E1, E2. ring.
Qed.

(* S22: a scalar is the sum of 44, 33, 26 or 22 digits of 3, 4, 5 or 6 bits. *)
(* internal/recode/windows.go
func (w *Windows) DigitsVartime(digits []WindowDigit, stride int, k1, k2 scalar.Signed128) (n int) {
	a, b := pieces(k1), pieces(k2)
	end := len(a)
	for end > 0 && a[end-1]|b[end-1] == 0 {
		end--
	}
	// After subtracting the digits so far, k1 + k2·λ is
	//
	//	2^(at·w)·(x + y·λ + 2ᵃʰᵉᵃᵈ·(the pieces from next on)).
	//
	// A piece is added whenever fewer than w bits of x and y are final, so that the class is always known. The pieces
	// above the last nonzero piece are left out, so that short numbers have fewer digits.
	var x, y int64
	next, ahead := 0, 0
	for place := 0; ; place++ {
		if ahead < w.Width && next < end {
			x += a[next] << (ahead & 63)
			y += b[next] << (ahead & 63)
			ahead += 32
			next++
		}
		if x|y == 0 && next == end {
			return n
		}
		c := w.class(int(x), int(y))
		digits[place*stride] = c.digit
		if c.digit != 0 {
			n = place + 1
		}
		x = (x - int64(c.a)) >> (w.Width & 63)
		y = (y - int64(c.b)) >> (w.Width & 63)
		ahead -= w.Width
	}
}
*)
Ltac windows := intros Hv; match goal with |- _ /\ sums ?w (all_places ?w (nth_class ?w ?t) ?c _) mod n = ?v =>
  destruct (no_rest w (2 ^ w) (nth_class w t) c (k1 v, k2 v) scalar_bound) as [L S];
  [reflexivity|first [exact S19_3|exact S19_4|exact S19_5|exact S19_6]|apply S6_hexagon; exact Hv|vm_compute; reflexivity|];
  split; [exact L|]; rewrite S; cbn [fst snd]; rewrite split_right; apply Z.mod_small; exact Hv end.

Theorem S22_3 v : 0 <= v < n -> length (all_places 3 (nth_class 3 window_digits_3) max_windows (k1 v, k2 v)) = max_windows /\
  sums 3 (all_places 3 (nth_class 3 window_digits_3) max_windows (k1 v, k2 v)) mod n = v.
Proof. windows. Qed.

Theorem S22_4 v : 0 <= v < n -> length (all_places 4 (nth_class 4 window_digits_4) 33 (k1 v, k2 v)) = 33%nat /\
  sums 4 (all_places 4 (nth_class 4 window_digits_4) 33 (k1 v, k2 v)) mod n = v.
Proof. windows. Qed.

Theorem S22_5 v : 0 <= v < n -> length (all_places 5 (nth_class 5 window_digits_5) 26 (k1 v, k2 v)) = 26%nat /\
  sums 5 (all_places 5 (nth_class 5 window_digits_5) 26 (k1 v, k2 v)) mod n = v.
Proof. windows. Qed.

Theorem S22_6 v : 0 <= v < n -> length (all_places 6 (nth_class 6 window_digits_6) 22 (k1 v, k2 v)) = 22%nat /\
  sums 6 (all_places 6 (nth_class 6 window_digits_6) 22 (k1 v, k2 v)) mod n = v.
Proof. windows. Qed.

(* S20: the same digits, for tables with multiples for every place. There are 33 digits of w = 4 for keys, the last of
   which is a unit or 0, and 26 digits of w = 5 for G. *)
(* internal/recode/precomputed.go
func (d *PrecomputedDigits) SetVartime(k *scalar.Scalar, form *PrecomputedForm) {
	windows := WindowsOf(form.Width)
	width, entries := windows.Width&63, uint16(form.Entries())
	d.N = [6]int{}
	k1, k2 := k.Split()
	a, b := pieces(k1), pieces(k2)
	// x, y, next and ahead are as in Windows.DigitsVartime, except that the number of places is fixed: 33 places of 4
	// bits or 26 places of 5 bits, which read no more than five pieces.
	var x, y int64
	next, ahead := 0, 0
	for place := range uint16(form.Places) {
		if ahead < width {
			x += a[next] << (ahead & 63)
			y += b[next] << (ahead & 63)
			ahead += 32
			next++
		}
		c := windows.class(int(x), int(y))
		if c.digit != 0 {
			unit := c.digit & 7 // the power and the sign
			n := &d.N[unit]
			d.Entry[unit][*n] = place*entries + uint16(c.digit.Pair())
			*n++
		}
		x, y = (x-int64(c.a))>>width, (y-int64(c.b))>>width
		ahead -= width
	}
}
*)
Theorem S20_places : key_places = 33%nat /\ generator_places = 26%nat.
Proof. split; reflexivity. Qed.

Theorem S20_last v : 0 <= v < n ->
  M (of_class 4 (nth_class 4 window_digits_4) (snd (places 4 (of_class 4 (nth_class 4 window_digits_4)) 32 (k1 v, k2 v)))) <= 2.
Proof.
  intros Hv. assert (L := left 4 16 (of_class 4 (nth_class 4 window_digits_4)) 32 scalar_bound 2 (k1 v, k2 v) ltac:(reflexivity)
    S19_4 (S6_hexagon v Hv) ltac:(vm_compute; reflexivity)).
  apply Z.leb_le. apply (in_hexagon 2 (fun z => M (of_class 4 (nth_class 4 window_digits_4) z) <=? 2)); [vm_compute; reflexivity|exact L].
Qed.

(* S14 to S17: digits at regular places, for even classes too. *)
(* internal/recode/regular.go
func regularVartime(digits []RegularDigit, k1, k2 scalar.Signed128, generator bool) (fits bool) {
	width, top := PointWidth, RegularTop
	if generator {
		width, top = GeneratorWidth, generatorTopBits
	}
	var a, b [3]uint64
	a[0], a[1], a[2] = k1.Limbs()
	b[0], b[1], b[2] = k2.Limbs()
	// Before digit i, k1 + k2·λ minus the digits so far is 2ⁱʷ·(x + y·λ + the number in the bits from i·w on). The
	// coefficients of a digit are below 2ʷ in absolute value, so x and y stay between −2 and 2.
	var x, y int64
	for i := 0; i*width < top; i++ {
		x += bitsAt(&a, i*width) & (1<<width - 1)
		y += bitsAt(&b, i*width) & (1<<width - 1)
		d := &digits[i]
		*d = regularDigit(x, y, generator)
		x, y = (x-int64(d.A))>>width, (y-int64(d.B))>>width
	}
	// The last digit must equal the number that remains. Another number of the same class does not suffice.
	x += bitsAt(&a, top)
	y += bitsAt(&b, top)
	if generator {
		x, y = 4*x, 4*y
	}
	d := &digits[len(digits)-1]
	*d = regularDigit(x, y, generator)
	if int64(d.A) == x && int64(d.B) == y {
		return true
	}
	if int64(d.A) == -x && int64(d.B) == -y && !generator {
		d.negate() // 4 times a unit: 4 and −4 are in one class modulo 8, which has one digit (S15)
		return true
	}
	return false
}
*)
Definition same (z d : Z * Z) := (fst z =? fst d) && (snd z =? snd d).

Lemma same_eq z d : same z d = true -> d = z.
Proof.
  destruct z, d. unfold same. cbn [fst snd]. intros E. apply andb_prop in E. destruct E as [E1 E2].
  apply Z.eqb_eq in E1. apply Z.eqb_eq in E2. congruence.
Qed.

(* The number that is left at place 126 equals the digit of its class, so RegularPointVartime reports true. *)
Theorem S16 v : 0 <= v < n -> let '(d, r) := places 3 regular_digit 42 (k1 v, k2 v) in
  regular_digit r = r /\ (sums 3 d + 2 ^ regular_top * (fst r + snd r * lambda)) mod n = v /\ (length d + 1 = regular_point_digits)%nat.
Proof.
  intros Hv. pose proof (left 3 8 regular_digit 42 scalar_bound 7 (k1 v, k2 v) ltac:(reflexivity) S14_point (S6_hexagon v Hv) ltac:(vm_compute; reflexivity)) as L.
  pose proof (places_right 3 regular_digit ltac:(reflexivity) (fun z => proj1 (S14_point z)) 42 (k1 v, k2 v)) as R.
  destruct (places 3 regular_digit 42 (k1 v, k2 v)) as [d r]. cbn [fst snd] in *. destruct R as (L1 & E1 & E2).
  split; [|split].
  - apply same_eq. apply (in_hexagon 7 (fun z => same z (regular_digit z))); [vm_compute; reflexivity|exact L].
  - change (2 ^ (3 * Z.of_nat 42)) with (2 ^ 126) in *. unfold sums.
    replace (sum 3 (map fst d) + sum 3 (map snd d) * lambda + 2 ^ 126 * (fst r + snd r * lambda))
      with (k1 v + k2 v * lambda) by (rewrite E1, E2; ring).
    rewrite split_right. apply Z.mod_small. exact Hv.
  - rewrite L1. reflexivity.
Qed.

Theorem S17 x y : Z.abs x < 2 ^ 128 -> Z.abs y < 2 ^ 128 -> let '(d, r) := places 8 regular_generator_digit 16 (x, y) in
  regular_generator_digit (4 * fst r, 4 * snd r) = (4 * fst r, 4 * snd r) /\
  sums generator_width d + 2 ^ regular_top * (4 * fst r + 4 * snd r * lambda) = x + y * lambda /\ (length d + 1 = regular_generator_digits)%nat.
Proof.
  intros Hx Hy. pose proof (left 8 384 regular_generator_digit 16 (3 * 2 ^ 128) 4 (x, y) ltac:(reflexivity) S14_generator (M_halves x y Hx Hy) ltac:(vm_compute; reflexivity)) as L.
  pose proof (places_right 8 regular_generator_digit ltac:(reflexivity) (fun z => proj1 (S14_generator z)) 16 (x, y)) as R.
  destruct (places 8 regular_generator_digit 16 (x, y)) as [d r]. cbn [fst snd] in *. destruct R as (L1 & E1 & E2).
  split; [|split].
  - apply same_eq. apply (in_hexagon 4 (fun r => same (4 * fst r, 4 * snd r) (regular_generator_digit (4 * fst r, 4 * snd r)))); [vm_compute; reflexivity|exact L].
  - change (2 ^ (8 * Z.of_nat 16)) with (4 * 2 ^ 126) in *. unfold sums. rewrite E1, E2. ring.
  - rewrite L1. reflexivity.
Qed.
