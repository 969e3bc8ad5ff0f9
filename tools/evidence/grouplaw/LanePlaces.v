(* The digits of public scalars in lanes and their places: with the digits that the loop of DoubleScalarVartime finds
   for each lane and place, it computes k P + g A in each lane, or Z is 0 in that lane. The same holds for SumsVartime and
   sums of several products. *)
Require Import ZArith Lia List Bool Constants Digits Tables Classes Sums Lanes PublicLanes.
Import ListNotations.
Open Scope Z_scope.

(* The numbers whose classes determine the digits, from the lowest place on. *)
Fixpoint states (w : Z) (digit : Z * Z -> Z * Z) (c : nat) (z : Z * Z) : list (Z * Z) :=
  match c with Datatypes.O => [] | S c => z :: states w digit c (rest w digit z) end.

Lemma states_places w digit c : forall z, map digit (states w digit c z) = fst (places w digit c z).
Proof.
  induction c as [|c IH]; intros z; cbn [states places map]; [reflexivity|]. rewrite IH.
  destruct (places w digit c (rest w digit z)). reflexivity.
Qed.

Lemma states_length w digit c : forall z, length (states w digit c z) = c.
Proof. induction c; intros z; cbn [states length]; auto. Qed.

(* For points, digit i is at place 3 i. The last number is what is left at place 126. *)
Definition point_states (z : Z * Z) := states 3 regular_digit 42 z ++ [snd (places 3 regular_digit 42 z)].
(* For G, digit i is at place 8 i, except for the last. The last number is 4 times what is left at place 128, so its
   digit is at place 126. *)
Definition generator_states (z : Z * Z) :=
  let r := snd (places 8 regular_generator_digit 16 z) in
  states 8 regular_generator_digit 16 z ++ [(4 * fst r, 4 * snd r)].

(* The entry of a class for points. Constants.v lists the entries with their units, as 2 power + minus. *)
Definition point_entry (z : Z * Z) : Z * Z * bool :=
  let '(entry, unit) := nth_class 3 regular_entries (reduce 3 z) in (entry, unit / 2, Z.odd unit).
Definition nonzero (u : Z * Z) : bool := negb ((fst u =? 0) && (snd u =? 0)).
Definition multiple_of (walk : list (Z * Z)) (i : Z) := nth (Z.to_nat i) walk (0, 0).

Definition point_entry_right (z : Z * Z) : bool :=
  let '(entry, power, minus) := point_entry z in
  negb (nonzero (regular_digit z)) ||
  (0 <=? entry) && (0 <=? power) && (power <=? 2) && same (turn power minus (multiple_of regular_walk entry)) (regular_digit z).

Lemma reduce_twice w z : 0 < w -> reduce w (reduce w z) = reduce w z.
Proof. intros Hw. pose proof (pow_pos w ltac:(lia)). unfold reduce. cbn [fst snd]. rewrite !Z.mod_mod by lia. reflexivity. Qed.

Theorem point_entries z : let '(entry, power, minus) := point_entry z in nonzero (regular_digit z) = true ->
  0 <= entry /\ 0 <= power <= 2 /\ turn power minus (multiple_of regular_walk entry) = regular_digit z.
Proof.
  assert (E : point_entry_right z = true).
  { transitivity (point_entry_right (reduce 3 z)).
    - unfold point_entry_right, point_entry, regular_digit, of_class. rewrite reduce_twice by reflexivity. reflexivity.
    - apply (all_classes 3 point_entry_right); [reflexivity|vm_compute; reflexivity]. }
  unfold point_entry_right in E. destruct (point_entry z) as [[entry power] minus]. intros Nz. rewrite Nz in E. cbn [negb orb] in E.
  apply andb_prop in E. destruct E as [E E4]. apply andb_prop in E. destruct E as [E E3]. apply andb_prop in E. destruct E as [E1 E2].
  apply Z.leb_le in E1, E2, E3. apply same_eq in E4. auto.
Qed.

(* The entry of a class for G: a row of entries for each power of 2 that divides the class. *)
(* internal/recode/regular.go
func RegularGeneratorRow(v int) int {
	return RegularGeneratorEntries - (1<<(2*(GeneratorWidth-v))/2+1)/3
}
*)
(* internal/recode/regular.go
func RegularGeneratorMultiple(i int) (a, b int) {
	v := 0
	for v < GeneratorWidth-1 && i >= RegularGeneratorRow(v+1) {
		v++
	}
	i -= RegularGeneratorRow(v)
	row := 1 << (GeneratorWidth - v - 1)
	a, b = 2*(i/row)+1, 2*(i%row)
	if b >= row {
		b -= 2 * row
	}
	return a << v, b << v
}
*)
Definition row (w : Z) := regular_generator_entries - (2 ^ (2 * w) / 2 + 1) / 3. (* of 2^(8 - w) *)
Fixpoint generator_multiple_at (c : nat) (w i : Z) : Z * Z := (* from 2^(8 - w) on *)
  match c with
  | S c => if row (w - 1) <=? i then let '(a, b) := generator_multiple_at c (w - 1) i in (2 * a, 2 * b) else generator_multiple w (i - row w)
  | Datatypes.O => generator_multiple w (i - row w)
  end.
Fixpoint generator_record (c : nat) (w : Z) (z : Z * Z) : Z * Z * bool :=
  if odd_class z then let '(i, power, minus) := generator_entry w z in (row w + i, power, minus) else
  match c with
  | Datatypes.O => (0, 0, false)
  | S c => generator_record c (w - 1) (fst z / 2, snd z / 2)
  end.

Lemma rows : row 8 = 0 /\ row 7 = 8192 /\ row 6 = 10240 /\ row 5 = 10752 /\ row 4 = 10880 /\ row 3 = 10912 /\ row 2 = 10920 /\ row 1 = 10922.
Proof. repeat split; reflexivity. Qed.

Lemma odd_mod w x : 0 < w -> Z.odd (x mod 2 ^ w) = Z.odd x.
Proof. intros Hw. rewrite <- !Z.bit0_odd. apply Z.mod_pow2_bits_low. lia. Qed.

Lemma generator_entry_range w z : 1 < w -> odd_class z = true ->
  let '(i, power, minus) := generator_entry w z in 0 <= i < 2 ^ (w - 2) * 2 ^ (w - 1) /\ 0 <= power <= 2.
Proof.
  intros Hw Oz. destruct z as [x y]. unfold generator_entry. set (power := power_modulo_2 x y).
  assert (Hp : power = 0 \/ power = 1 \/ power = 2).
  { unfold power, power_modulo_2. destruct (Z.even y); [auto|]. destruct (Z.even x); auto. }
  assert (Oa : Z.odd (pick power x (y - x) (- y)) = true).
  { unfold odd_class in Oz. cbn [fst snd] in Oz. unfold power, power_modulo_2. rewrite <- !Z.negb_odd.
    destruct (Z.odd x) eqn:Ox; destruct (Z.odd y) eqn:Oy; try discriminate Oz; cbn [negb pick Z.eqb Pos.eqb];
    rewrite ?Z.odd_sub, ?Z.odd_opp, ?Ox, ?Oy; reflexivity. }
  set (a := pick power x (y - x) (- y)) in *. set (b := pick power y (- x) (x - y)).
  assert (P : 2 ^ w = 2 * 2 ^ (w - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
  assert (P2 : 2 ^ (w - 1) = 2 * 2 ^ (w - 2)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
  pose proof (pow_pos (w - 2) ltac:(lia)) as Pp. rewrite <- (odd_mod w a) in Oa by lia.
  set (A := a mod 2 ^ w) in *. assert (BA : 0 <= A < 2 ^ w) by (apply Z.mod_pos_bound; lia).
  set (minus := 2 ^ (w - 1) <=? A). set (A' := if minus then - A mod 2 ^ w else A). set (B' := if minus then _ else _).
  assert (BB : 0 <= B' < 2 ^ w) by (unfold B'; destruct minus; apply Z.mod_pos_bound; lia).
  assert (BA' : 0 <= A' < 2 ^ (w - 1)).
  { apply Z.odd_spec in Oa. destruct Oa as [q Q]. unfold A', minus. destruct (Z.leb_spec (2 ^ (w - 1)) A); [|lia].
    replace (- A) with (2 ^ w - A + -1 * 2 ^ w) by ring. rewrite Z.mod_add, Z.mod_small by lia. lia. }
  split; [|lia].
  assert (DA : 0 <= A' / 2 <= 2 ^ (w - 2) - 1).
  { split; [apply Z.div_pos; lia|]. assert (A' / 2 < 2 ^ (w - 2)) by (apply Z.div_lt_upper_bound; lia). lia. }
  assert (DB : 0 <= B' / 2 < 2 ^ (w - 1)) by (split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia]).
  assert (A' / 2 * 2 ^ (w - 1) <= (2 ^ (w - 2) - 1) * 2 ^ (w - 1)) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (0 <= A' / 2 * 2 ^ (w - 1)) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

Lemma turn_double power minus a b : turn power minus (2 * a, 2 * b) = let '(u, v) := turn power minus (a, b) in (2 * u, 2 * v).
Proof.
  unfold turn, pick, times_lambda. cbn [fst snd]. destruct (power =? 0); [|destruct (power =? 1)]; destruct minus; f_equal; ring.
Qed.

Lemma generator_record_right c : forall w z, (c <= 7)%nat -> w = Z.of_nat c + 1 -> 0 <= fst z < 2 ^ w -> 0 <= snd z < 2 ^ w ->
  nonzero z = true -> let '(i, power, minus) := generator_record c w z in
  row w <= i /\ 0 <= power <= 2 /\ turn power minus (generator_multiple_at c w i) = regular_generator_class c w z.
Proof.
  induction c as [|c IH]; intros w z C -> B1 B2 Nz.
  - destruct z as [x y]. cbn [fst snd] in *. change (2 ^ (Z.of_nat 0 + 1)) with 2 in *.
    assert (Cx : x = 0 \/ x = 1) by lia. assert (Cy : y = 0 \/ y = 1) by lia.
    destruct Cx as [->| ->], Cy as [->| ->]; try discriminate Nz; vm_compute; repeat split; discriminate.
  - set (w := Z.of_nat (S c) + 1) in *. assert (W : w - 1 = Z.of_nat c + 1) by lia.
    assert (R : row (w - 1) = row w + 2 ^ (w - 2) * 2 ^ (w - 1)).
    { unfold w. clear -C. do 7 (destruct c as [|c]; [reflexivity|]). lia. }
    cbn [generator_record regular_generator_class generator_multiple_at]. destruct (odd_class z) eqn:Oz.
    + unfold generator_class. pose proof (generator_entry_range w z ltac:(lia) Oz) as G. destruct (generator_entry w z) as [[i power] minus].
      destruct (Z.leb_spec (row (w - 1)) (row w + i)); [lia|]. replace (row w + i - row w) with i by ring. split; [lia|]. split; [lia|reflexivity].
    + unfold odd_class in Oz. apply orb_false_elim in Oz. destruct Oz as [O1 O2]. destruct z as [x y]. cbn [fst snd] in *.
      assert (H : forall x, Z.odd x = false -> x = 2 * (x / 2)).
      { intros t Ht. rewrite <- Z.negb_even in Ht. apply negb_false_iff in Ht. apply Z.even_spec in Ht. destruct Ht as [q ->].
        rewrite (Z.mul_comm 2 q), Z.div_mul by discriminate. ring. }
      pose proof (H x O1). pose proof (H y O2).
      assert (P : 2 ^ w = 2 * 2 ^ (w - 1)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
      specialize (IH (w - 1) (x / 2, y / 2) ltac:(lia) W). cbn [fst snd] in IH.
      assert (Nz' : nonzero (x / 2, y / 2) = true).
      { unfold nonzero in *. cbn [fst snd] in *. destruct (Z.eqb_spec (x / 2) 0); [|reflexivity]. destruct (Z.eqb_spec (y / 2) 0); [|reflexivity].
        destruct (Z.eqb_spec x 0); [|lia]. destruct (Z.eqb_spec y 0); [discriminate Nz|lia]. }
      specialize (IH ltac:(lia) ltac:(lia) Nz'). destruct (generator_record c (w - 1) (x / 2, y / 2)) as [[i power] minus].
      destruct IH as (I1 & I2 & I3). assert (0 <= 2 ^ (w - 2) * 2 ^ (w - 1)) by (apply Z.mul_nonneg_nonneg; apply Z.pow_nonneg; lia).
      destruct (Z.leb_spec (row (w - 1)) i); [|lia].
      destruct (generator_multiple_at c (w - 1) i) as [a b]. rewrite turn_double, I3.
      split; [lia|]. split; [exact I2|reflexivity].
Qed.

Theorem generator_entries z : nonzero (regular_generator_digit z) = true ->
  let '(entry, power, minus) := generator_record 7 8 (reduce 8 z) in
  0 <= entry /\ 0 <= power <= 2 /\ turn power minus (generator_multiple_at 7 8 entry) = regular_generator_digit z.
Proof.
  intros Nz. assert (Nr : nonzero (reduce 8 z) = true).
  { destruct (nonzero (reduce 8 z)) eqn:E; [reflexivity|exfalso]. unfold nonzero in E. apply negb_false_iff in E. apply andb_prop in E.
    destruct E as [E1 E2]. apply Z.eqb_eq in E1, E2. unfold regular_generator_digit, of_class in Nz.
    replace (reduce 8 z) with (0, 0) in Nz by (destruct (reduce 8 z); cbn [fst snd] in *; congruence). discriminate Nz. }
  pose proof (generator_record_right 7 8 (reduce 8 z) ltac:(lia) eq_refl) as R.
  specialize (R ltac:(apply Z.mod_pos_bound; reflexivity) ltac:(apply Z.mod_pos_bound; reflexivity) Nr).
  destruct (generator_record 7 8 (reduce 8 z)) as [[i power] minus]. exact R.
Qed.

Section LanePlaces.
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
Notation right_or_O := (Lanes.right_or_O G O).
Notation add_one := (PublicLanes.add_one G O plus eq_dec).
Let times_mul := Sums.times_mul G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_minus := Sums.times_minus G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let times_1 := Sums.times_1 G O plus minus plus_comm plus_O.
Let modulo_of := Sums.modulo_of G O plus minus plus_assoc plus_comm plus_O plus_minus.
Let plus_O_r := Lanes.plus_O_r G O plus plus_comm plus_O.

Definition number (z : Z * Z) := fst z + snd z * lambda.

(* The product of a unit and a multiple of a point: x, beta x or beta^2 x, and y or -y. *)
Definition turned (power : Z) (minus_ : bool) (P : G) : G :=
  let P := pick power P (times lambda P) (times lambda (times lambda P)) in if minus_ then minus P else P.

Lemma congruent_times P j k : times n P = O -> j mod n = k mod n -> times j P = times k P.
Proof. intros E C. rewrite <- (modulo_of P j E), C. apply modulo_of. exact E. Qed.

Lemma times_lambda_right P z : times n P = O -> times lambda (times (number z) P) = times (number (times_lambda z)) P.
Proof.
  intros E. rewrite <- times_mul. apply congruent_times; [exact E|].
  assert (L : exists m, lambda * lambda + lambda + 1 = m * n).
  { exists ((lambda * lambda + lambda + 1) / n). vm_compute. reflexivity. }
  destruct L as [m L]. destruct z as [a b]. unfold number, times_lambda. cbn [fst snd].
  replace (lambda * (a + b * lambda)) with (- b + (a - b) * lambda + b * m * n); [apply Z.mod_add; discriminate|].
  rewrite <- Z.mul_assoc, <- L. ring.
Qed.

Lemma turned_right power minus_ P z : times n P = O ->
  turned power minus_ (times (number z) P) = times (number (turn power minus_ z)) P.
Proof.
  intros E. unfold turned, turn, pick. rewrite !times_lambda_right by exact E.
  assert (Mn : forall u, minus (times (number u) P) = times (number (- fst u, - snd u)) P).
  { intros u. rewrite <- times_minus. f_equal. unfold number. cbn [fst snd]. ring. }
  destruct (power =? 0); [|destruct (power =? 1)]; destruct minus_; rewrite ?Mn; destruct z; reflexivity.
Qed.

(* The distances in bytes to x and to -2y of a multiple of a point, for digit i of a lane. *)
(* internal/lanes/digits.go
const (
	rowPlus   = 1 // 2y
	rowMinus  = 4 // −2y
	entryRows = 5
	rowBytes  = 5 * 8 * N
)
*)
(* internal/lanes/digits.go
var rowX = [3]uint8{0, 2, 3}
*)
(* internal/lanes/genericdigits.go
func recodePointVartimeGeneric(d *pointDigits, k *halves, c *classes) {
	const last, width = recode.RegularPointDigits - 1, recode.PointWidth
	var x, y [N]int64 // what remains of the bits below the place, as in recode
	for i := range last {
		word, shift := i*width/64, uint(i*width%64)
		nonzero := uint8(0)
		for lane := range N {
			x[lane] += int64((k.k1[word][lane]>>shift | k.k1[word+1][lane]<<1<<(63-shift)) % (1 << width))
			y[lane] += int64((k.k2[word][lane]>>shift | k.k2[word+1][lane]<<1<<(63-shift)) % (1 << width))
			class := (x[lane] & 7) | (y[lane]&7)<<3
			d.x[i][lane] = uint64(c.x[class])*rowBytes + 8*uint64(lane)
			d.y[i][lane] = uint64(c.y[i&1][class])*rowBytes + 8*uint64(lane)
			x[lane] = (x[lane] - int64(c.u[class]) + 8) >> width
			y[lane] = (y[lane] - int64(c.v[class]) + 8) >> width
			if class != 0 {
				nonzero |= 1 << lane
			}
		}
		d.nonzero[i] = nonzero
	}
	d.nonzero[last], d.fits = 0, 0
	for lane := range N {
		// What remains must be the last digit, or its opposite: 4 times a unit is in the class of −4 times this unit.
		x, y := x[lane]+topBits(&k.k1, lane), y[lane]+topBits(&k.k2, lane)
		class := x&7 | y&7<<3
		u, v, sign := int64(c.u[class])-8, int64(c.v[class])-8, last&1
		fits := x == u && y == v
		if !fits && x == -u && y == -v {
			fits, sign = true, 1-sign
		}
		d.x[last][lane] = uint64(c.x[class])*rowBytes + 8*uint64(lane)
		d.y[last][lane] = uint64(c.y[sign][class])*rowBytes + 8*uint64(lane)
		setBit(&d.fits, lane, fits)
		setBit(&d.nonzero[last], lane, class != 0)
	}
}
*)
(* internal/lanes/digits.go
func buildClasses() {
	c := &digitClasses
	for i := range c.u {
		d := recode.RegularPointClass(uint64(i%8), uint64(i/8))
		c.u[i], c.v[i] = uint8(d.A+8), uint8(d.B+8)
		row := uint8(entryRows * d.Entry)
		c.x[i] = row + rowX[d.Power]
		c.y[0][i], c.y[1][i] = row+rowMinus, row+rowPlus
		if d.Minus {
			c.y[0][i], c.y[1][i] = c.y[1][i], c.y[0][i]
		}
	}
	for v := range c.rows {
		c.rows[v] = uint64(recode.RegularGeneratorRow(v))
	}
}
*)
(* The last number equals the digit of its class (Classes.v), so its sign is last&1. *)
Definition row_bytes := 5 * 8 * 8.
Definition class_x (z : Z * Z) := let '(entry, power, _) := point_entry z in 5 * entry + pick power 0 2 3.
Definition class_y (i : Z) (z : Z * Z) :=
  let '(entry, _, minus_) := point_entry z in 5 * entry + (if Bool.eqb minus_ (negb (Z.even i)) then 4 else 1).
Definition recode_point (lane i : Z) (z : Z * Z) : Z * Z := (class_x z * row_bytes + 8 * lane, class_y i z * row_bytes + 8 * lane).

(* Only class 0 has the digit 0, so its lanes are the lanes that are not in nonzero. *)
Lemma class_nonzero z : nonzero (reduce 3 z) = nonzero (regular_digit z).
Proof.
  apply Bool.eqb_prop. transitivity (Bool.eqb (nonzero (reduce 3 (reduce 3 z))) (nonzero (regular_digit (reduce 3 z)))).
  - unfold regular_digit, of_class. rewrite !reduce_twice by reflexivity. reflexivity.
  - apply (all_classes 3 (fun z => Bool.eqb (nonzero (reduce 3 z)) (nonzero (regular_digit z)))); [reflexivity|vm_compute; reflexivity].
Qed.

(* Rows 0, 2 and 3 have x, beta x and beta^2 x, and rows 1 and 4 have 2y and -2y. *)
(* internal/lanes/digits.go
func (m *multiple) row(i uint64) *Element {
	return [entryRows]*Element{&m.X, &m.Y, &m.turned[0], &m.turned[1], &m.minus}[i]
}
*)
(* internal/lanes/genericdigits.go
func gatherPointVartimeGeneric(x, ny *Element, table *multiples, d *pointDigits, i int) {
	for lane := range N {
		a, b := d.x[i][lane]/rowBytes, d.y[i][lane]/rowBytes
		for k := range x {
			x[k][lane] = table[a/entryRows].row(a % entryRows)[k][lane]
			ny[k][lane] = table[b/entryRows].row(b % entryRows)[k][lane]
		}
	}
}
*)
Definition gather_point (P : G) (at_ : Z * Z) : G :=
  let a := fst at_ / row_bytes in let b := snd at_ / row_bytes in
  turned (if a mod 5 =? 0 then 0 else if a mod 5 =? 2 then 1 else 2) (b mod 5 =? 1) (times (number (multiple_of regular_walk (a / 5))) P).

Lemma address entry r lane : 0 <= r < 5 -> 0 <= lane < 8 ->
  ((5 * entry + r) * row_bytes + 8 * lane) / row_bytes = 5 * entry + r /\ (5 * entry + r) / 5 = entry /\ (5 * entry + r) mod 5 = r.
Proof.
  intros Hr Hl. change row_bytes with 320. split; [|split].
  - symmetry. apply (Z.div_unique _ 320 _ (8 * lane)); lia.
  - symmetry. apply (Z.div_unique _ 5 _ r); lia.
  - symmetry. apply (Z.mod_unique _ 5 entry r); lia.
Qed.

Lemma gather_point_right P lane i z : times n P = O -> 0 <= lane < 8 -> nonzero (regular_digit z) = true ->
  gather_point P (recode_point lane i z) = times (sign i (number (regular_digit z))) P.
Proof.
  intros E Hl Nz. pose proof (point_entries z) as Pe. unfold recode_point, class_x, class_y. destruct (point_entry z) as [[entry power] minus_].
  destruct (Pe Nz) as (H1 & H2 & H3). unfold gather_point. cbn [fst snd].
  set (y := if Bool.eqb minus_ (negb (Z.even i)) then 4 else 1). set (x := pick power 0 2 3).
  assert (Hx : 0 <= x < 5). { unfold x, pick. destruct (power =? 0); [|destruct (power =? 1)]; lia. }
  assert (Hy : 0 <= y < 5). { unfold y. destruct (Bool.eqb minus_ (negb (Z.even i))); lia. }
  destruct (address entry x lane Hx Hl) as (-> & -> & ->). destruct (address entry y lane Hy Hl) as (-> & _ & ->).
  rewrite turned_right by exact E.
  replace (if x =? 0 then 0 else if x =? 2 then 1 else 2) with power
    by (unfold x; assert (C : power = 0 \/ power = 1 \/ power = 2) by lia; destruct C as [->|[->| ->]]; reflexivity).
  f_equal. rewrite <- H3. unfold sign. rewrite <- Z.negb_even. unfold y.
  assert (T : forall z, number (turn power true z) = - number (turn power false z)).
  { intros u. unfold turn. destruct (pick power u (times_lambda u) (times_lambda (times_lambda u))). unfold number. cbn [fst snd]. ring. }
  destruct minus_, (Z.even i); cbn [negb Bool.eqb]; change (4 =? 1) with false; change (1 =? 1) with true; rewrite ?T; ring.
Qed.

(* For G, the distance in bytes to the entry, and the unit in three bits. No digit is negated. *)
(* internal/lanes/genericdigits.go
func recodeGeneratorVartimeGeneric(d *generatorDigits, k *halves, _ *classes) {
	const last, width = recode.RegularGeneratorDigits - 1, recode.GeneratorWidth
	var x, y [N]int64 // what remains of the bits below the place
	for i := range last {
		word, shift := i*width/64, uint(i*width%64)
		d.clear(i)
		for lane := range N {
			x[lane] += int64(k.k1[word][lane] >> shift % (1 << width))
			y[lane] += int64(k.k2[word][lane] >> shift % (1 << width))
			g := recode.RegularGeneratorClass(uint64(x[lane]), uint64(y[lane]))
			d.set(i, lane, &g)
			x[lane], y[lane] = (x[lane]-int64(g.A))>>width, (y[lane]-int64(g.B))>>width
		}
	}
	d.clear(last)
	d.fits = 0
	for lane := range N {
		// The last digit is 4 times what remains, because its place is two below.
		x, y := 4*(x[lane]+int64(k.k1[2][lane])), 4*(y[lane]+int64(k.k2[2][lane]))
		g := recode.RegularGeneratorClass(uint64(x), uint64(y))
		d.set(last, lane, &g)
		setBit(&d.fits, lane, x == int64(g.A) && y == int64(g.B))
	}
}
*)
(* internal/lanes/genericdigits.go
func (d *generatorDigits) set(i, lane int, g *recode.RegularDigit) {
	d.offset[i][lane] = 64 * uint64(g.Entry)
	one := uint8(1) << lane
	if !g.IsZero() {
		d.nonzero[i] |= one
	}
	if g.Minus {
		d.minus[i] |= one
	}
	if g.Power > 0 {
		d.power[g.Power-1][i] |= one
	}
}
*)
(* internal/lanes/genericdigits.go
func gatherGeneratorVartimeGeneric(x, ny *Element, table *tables.Generator, d *generatorDigits, i int, f *isomorphism) {
	for lane := range N {
		power, minus := 0, 0
		switch {
		case has(d.power[0][i], lane):
			power = 1
		case has(d.power[1][i], lane):
			power = 2
		}
		if has(d.minus[i], lane) {
			minus = 1
		}
		p, byX, byY := table[d.offset[i][lane]/64], f.x[power].get(lane), f.y[minus].get(lane)
		x.set(lane, p.X.Mul(&p.X, &byX))
		ny.set(lane, p.Y.Mul(&p.Y, &byY))
	}
}
*)
Definition recode_generator (z : Z * Z) : Z * bool * bool * bool :=
  let '(entry, power, minus_) := generator_record 7 8 (reduce 8 z) in (64 * entry, power =? 1, power =? 2, minus_).
Definition gather_generator (A : G) (at_ : Z * bool * bool * bool) : G :=
  let '(at_, power1, power2, minus_) := at_ in
  turned (if power1 then 1 else if power2 then 2 else 0) minus_ (times (number (generator_multiple_at 7 8 (at_ / 64))) A).

Lemma gather_generator_right A z : times n A = O -> nonzero (regular_generator_digit z) = true ->
  gather_generator A (recode_generator z) = times (number (regular_generator_digit z)) A.
Proof.
  intros E Nz. pose proof (generator_entries z Nz) as R. unfold recode_generator.
  destruct (generator_record 7 8 (reduce 8 z)) as [[entry power] minus_]. destruct R as (H1 & H2 & H3). unfold gather_generator.
  replace (64 * entry / 64) with entry by (rewrite Z.mul_comm, Z.div_mul; [reflexivity|discriminate]).
  replace (if power =? 1 then 1 else if power =? 2 then 2 else 0) with power
    by (assert (C : power = 0 \/ power = 1 \/ power = 2) by lia; destruct C as [->|[->| ->]]; reflexivity).
  rewrite turned_right by exact E. rewrite H3. reflexivity.
Qed.

(* The loop in one lane, with the digits of k for the multiples of P, and the digits of g for the multiples of A.
   PublicLanes.v quotes addUpVartime and add. *)
(* internal/lanes/double.go
func (w *workspace) addPointDigitVartime(j, i int) {
	x, ny, p := &w.temporary[0], &w.temporary[1], &w.products[j]
	gatherPointVartime(x, ny, &p.table, &p.ofPoint, i)
	w.addVartime(j, x, ny, p.ofPoint.nonzero[i])
}
*)
(* internal/lanes/double.go
func (w *workspace) addGeneratorDigitVartime(j, i int) {
	x, ny, p := &w.temporary[0], &w.temporary[1], &w.products[j]
	if p.ofG.nonzero[i] == 0 {
		return // for example, if all g are 0
	}
	gatherGeneratorVartime(x, ny, tables.RegularGeneratorVartime(), &p.ofG, i, &p.toTable)
	w.addVartime(j, x, ny, p.ofG.nonzero[i])
}
*)
Definition add_point_digit (lane : Z) (P : G) (zs : list (Z * Z)) (i : Z) (s : bool * G) : bool * G :=
  let z := nth (Z.to_nat i) zs (0, 0) in
  if nonzero (regular_digit z) then add_one s (gather_point P (recode_point lane i z)) else s.
Definition add_generator_digit (A : G) (zs : list (Z * Z)) (i : Z) (s : bool * G) : bool * G :=
  let z := nth (Z.to_nat i) zs (0, 0) in
  if nonzero (regular_generator_digit z) then add_one s (gather_generator A (recode_generator z)) else s.
Definition double_negate (due : nat) (P : G) := Nat.iter due (fun P => minus (plus P P)) P.
Fixpoint add_up (c : nat) (due : nat) (s : bool * G) (lane : Z) (P A : G) (ks gs : list (Z * Z)) : bool * G := (* places c - 1 to 0 *)
  match c with
  | Datatypes.O => s
  | S c =>
      let place := Z.of_nat c in
      let of_point := place mod 3 =? 0 in
      let of_g := (place mod 8 =? 0) || (place =? 126) in
      let '(s, due) := if of_point || of_g then ((fst s, double_negate due (snd s)), 0%nat) else (s, due) in
      let s := if of_point then add_point_digit lane P ks (place / 3) s else s in
      let s := if of_g then add_generator_digit A gs ((place + 7) / 8) s else s in
      add_up c (due + 1) s lane P A ks gs
  end.

(* The same digits with their places, as in PublicLanes.v. *)
Fixpoint placed (w i : Z) (d : list (Z * Z)) : list (Z * (Z * Z)) :=
  match d with [] => [] | u :: d => (w * i, u) :: placed w (i + 1) d end.
Definition point_digits_of (zs : list (Z * Z)) := placed 3 0 (map regular_digit zs).
Definition generator_digits_of (zs : list (Z * Z)) :=
  placed 8 0 (map regular_generator_digit (firstn 16 zs)) ++ [(126, regular_generator_digit (nth 16 zs (0, 0)))].
Notation add_digits := (PublicLanes.add_digits G O plus minus eq_dec).
Definition one_digit (i : Z) (P : G) (u : Z * Z) (s : bool * G) : bool * G :=
  if nonzero u then add_one s (times (sign i (number u)) P) else s.

Lemma placed_none w P d : forall i0 i s, (forall j, i <> w * j) -> add_digits i s P (placed w i0 d) = s.
Proof.
  induction d as [|u d IH]; intros i0 i s H; cbn [placed PublicLanes.add_digits]; [reflexivity|].
  destruct (Z.eqb_spec (w * i0) i) as [E|]; [exfalso; apply (H i0); auto|]. cbn [andb]. apply IH. exact H.
Qed.

Lemma placed_one w P d : 0 < w -> forall i0 j s, add_digits (w * j) s P (placed w i0 d) =
  if (i0 <=? j) && (j <? i0 + Z.of_nat (length d)) then one_digit (w * j) P (nth (Z.to_nat (j - i0)) d (0, 0)) s else s.
Proof.
  intros Hw. induction d as [|u d IH]; intros i0 j s; cbn [placed PublicLanes.add_digits length].
  - destruct (Z.leb_spec i0 j); [|reflexivity]. destruct (Z.ltb_spec j (i0 + Z.of_nat 0)); [lia|reflexivity].
  - rewrite IH. change (negb ((fst u =? 0) && (snd u =? 0))) with (nonzero u). destruct (Z.eqb_spec (w * i0) (w * j)) as [E|N].
    + assert (i0 = j) by nia. subst i0. cbn [andb]. destruct (Z.leb_spec (j + 1) j); [lia|]. cbn [andb].
      destruct (Z.leb_spec j j); [|lia]. destruct (Z.ltb_spec j (j + Z.of_nat (S (length d)))); [|lia]. cbn [andb].
      rewrite Z.sub_diag. reflexivity.
    + cbn [andb]. assert (i0 <> j) by congruence.
      destruct (Z.leb_spec (i0 + 1) j); destruct (Z.leb_spec i0 j); try lia; cbn [andb]; [|reflexivity].
      destruct (Z.ltb_spec j (i0 + 1 + Z.of_nat (length d))); destruct (Z.ltb_spec j (i0 + Z.of_nat (S (length d)))); try lia; [|reflexivity].
      replace (Z.to_nat (j - i0)) with (S (Z.to_nat (j - (i0 + 1)))) by lia. reflexivity.
Qed.

Lemma add_digits_app i P d e : forall s, add_digits i s P (d ++ e) = add_digits i (add_digits i s P d) P e.
Proof. induction d as [|[j u] d IH]; intros s; cbn [app PublicLanes.add_digits]; [reflexivity|]. apply IH. Qed.

Lemma nth_digit digit zs i : digit (0, 0) = (0, 0) -> nth i (map digit zs) (0, 0) = digit (nth i zs (0, 0)).
Proof. intros E. rewrite <- E at 1. apply map_nth. Qed.

Lemma mod_form w i : 0 < w -> i mod w <> 0 -> forall j, i <> w * j.
Proof. intros Hw H j ->. apply H. rewrite Z.mul_comm. apply Z.mod_mul. lia. Qed.

Lemma point_digit_step lane P zs i s : times n P = O -> 0 <= lane < 8 -> length zs = 43%nat -> 0 <= i <= 126 ->
  add_digits i s P (point_digits_of zs) = if i mod 3 =? 0 then add_point_digit lane P zs (i / 3) s else s.
Proof.
  intros E Hl L Hi. unfold point_digits_of. destruct (Z.eqb_spec (i mod 3) 0) as [M0|M0].
  - set (j := i / 3). assert (I : i = 3 * j) by (pose proof (Z.div_mod i 3 ltac:(discriminate)); unfold j; lia).
    rewrite I. rewrite placed_one by reflexivity. rewrite map_length, L.
    destruct (Z.leb_spec 0 j); [|lia]. destruct (Z.ltb_spec j (0 + Z.of_nat 43)); [|lia]. cbn [andb]. rewrite Z.sub_0_r.
    unfold add_point_digit, one_digit. rewrite nth_digit by reflexivity. set (z := nth (Z.to_nat j) zs (0, 0)).
    destruct (nonzero (regular_digit z)) eqn:Nz; [|reflexivity].
    rewrite gather_point_right by assumption. do 2 f_equal. unfold sign. rewrite Z.odd_mul. reflexivity.
  - apply placed_none. apply mod_form; [reflexivity|exact M0].
Qed.

Lemma generator_digit_step A zs i s : times n A = O -> length zs = 17%nat -> 0 <= i <= 126 ->
  add_digits i s A (generator_digits_of zs) =
  if (i mod 8 =? 0) || (i =? 126) then add_generator_digit A zs ((i + 7) / 8) s else s.
Proof.
  intros E L Hi. unfold generator_digits_of. rewrite add_digits_app. cbn [PublicLanes.add_digits].
  change (negb ((fst ?u =? 0) && (snd ?u =? 0))) with (nonzero u).
  assert (Ev : forall i z s, Z.odd i = false -> one_digit i A (regular_generator_digit z) s =
    if nonzero (regular_generator_digit z) then add_one s (gather_generator A (recode_generator z)) else s).
  { intros i' z s' Oi. unfold one_digit. destruct (nonzero (regular_generator_digit z)) eqn:Nz; [|reflexivity].
    rewrite gather_generator_right by assumption. unfold sign. rewrite Oi. reflexivity. }
  destruct (Z.eqb_spec 126 i) as [<-|N126].
  - change ((126 mod 8 =? 0) || (126 =? 126)) with true. cbv iota. rewrite placed_none.
    + cbn [andb]. change ((126 + 7) / 8) with 16. apply (Ev 126). reflexivity.
    + apply mod_form; [reflexivity|discriminate].
  - cbn [andb]. destruct (Z.eqb_spec i 126) as [|_]; [congruence|]. rewrite orb_false_r. destruct (Z.eqb_spec (i mod 8) 0) as [M0|M0].
    + set (j := i / 8). assert (I : i = 8 * j) by (pose proof (Z.div_mod i 8 ltac:(discriminate)); unfold j; lia).
      replace ((i + 7) / 8) with j by (apply (Z.div_unique _ 8 _ 7); lia).
      rewrite I, placed_one by reflexivity. rewrite map_length, firstn_length, L.
      change (Z.of_nat (Nat.min 16 17)) with 16.
      destruct (Z.leb_spec 0 j); [|lia]. destruct (Z.ltb_spec j (0 + 16)); [|lia]. cbn [andb]. rewrite Z.sub_0_r.
      rewrite nth_digit by reflexivity. rewrite Ev by (rewrite Z.odd_mul; reflexivity). unfold add_generator_digit.
      replace (nth (Z.to_nat j) (firstn 16 zs) (0, 0)) with (nth (Z.to_nat j) zs (0, 0)); [reflexivity|].
      assert (Hj : (Z.to_nat j < 16)%nat) by lia. clear -Hj. revert Hj. generalize (Z.to_nat j). clear j. generalize 16%nat.
      induction zs as [|z zs IH]; intros [|m] [|j] H; try lia; cbn; auto. apply IH. lia.
    + apply placed_none. apply mod_form; [reflexivity|exact M0].
Qed.

(* This loop agrees with the loop of PublicLanes.v, although it makes the doublings that are due only before the next
   addition. *)
Lemma add_up_right lane P A ks gs : times n P = O -> times n A = O -> 0 <= lane < 8 -> length ks = 43%nat -> length gs = 17%nat ->
  forall c due s s', (c <= 127)%nat -> fst s = fst s' -> double_negate due (snd s) = minus (plus (snd s') (snd s')) ->
  (c = 0%nat -> s = s') ->
  add_up c due s lane P A ks gs = PublicLanes.add_places G O plus minus eq_dec c s' [(P, point_digits_of ks); (A, generator_digits_of gs)].
Proof.
  intros EP EA Hl Lk Lg. induction c as [|c IH]; intros due s s' Hc Ef Ed E0; cbn [add_up PublicLanes.add_places].
  - apply E0. reflexivity.
  - cbn [PublicLanes.add_terms]. set (i := Z.of_nat c). assert (Hi : 0 <= i <= 126) by lia.
    rewrite (point_digit_step lane P ks i _ EP Hl Lk Hi), (generator_digit_step A gs i _ EA Lg Hi).
    rewrite <- Ed, <- Ef.
    assert (I0 : c = 0%nat -> i mod 3 =? 0 = true) by (intros ->; reflexivity).
    destruct (i mod 3 =? 0) eqn:E3; [|destruct ((i mod 8 =? 0) || (i =? 126)) eqn:E8]; cbn [orb];
    (apply IH; [lia|reflexivity| |]); cbn [Nat.add].
    + destruct ((i mod 8 =? 0) || (i =? 126)); reflexivity.
    + auto.
    + reflexivity.
    + auto.
    + rewrite Nat.add_1_r. unfold double_negate in *. cbn [Nat.iter nat_rect fst snd]. reflexivity.
    + intros Z0. discriminate (I0 Z0).
Qed.

(* The value of the digits at their places. *)
Lemma value_placed part w d : 0 <= w -> forall i, 0 <= i -> value part (placed w i d) = 2 ^ (w * i) * sum w (map part d).
Proof.
  intros Hw. induction d as [|u d IH]; intros i Hi; cbn [placed value map sum]; [ring|].
  rewrite IH by lia. replace (w * (i + 1)) with (w * i + w) by ring. rewrite Z.pow_add_r by nia. ring.
Qed.

Lemma sum_app w d u : 0 < w -> sum w (d ++ [u]) = sum w d + 2 ^ (w * Z.of_nat (length d)) * u.
Proof.
  intros Hw. induction d as [|a d IH]; cbn [app sum length]; [replace (w * Z.of_nat 0) with 0 by lia; change (2 ^ 0) with 1; ring|].
  rewrite IH. replace (w * Z.of_nat (S (length d))) with (w + w * Z.of_nat (length d)) by lia. rewrite Z.pow_add_r by lia. ring.
Qed.

Lemma placed_range w d : 0 <= w -> forall i, 0 <= i -> Forall (fun t => 0 <= fst t <= w * (i + Z.of_nat (length d) - 1)) (placed w i d).
Proof.
  intros Hw. induction d as [|u d IH]; intros i Hi; cbn [placed length]; constructor.
  - cbn [fst]. nia.
  - specialize (IH (i + 1) ltac:(lia)). revert IH. apply Forall_impl. intros t. nia.
Qed.

Lemma point_total k : 0 <= k < n -> total (point_digits_of (point_states (k1 k, k2 k))) mod n = k.
Proof.
  intros Hk. pose proof (S16 k Hk) as S. unfold point_digits_of, point_states, total. rewrite map_app, states_places.
  destruct (places 3 regular_digit 42 (k1 k, k2 k)) as [d r]. cbn [fst snd map]. destruct S as (R & S & L). rewrite R.
  rewrite !value_placed by lia. rewrite !map_app. cbn [map]. rewrite !sum_app, !map_length by lia.
  replace (length d) with 42%nat by (unfold regular_point_digits in L; lia). change (3 * Z.of_nat 42) with 126. change (2 ^ (3 * 0)) with 1.
  etransitivity; [|exact S]. f_equal. unfold sums. ring.
Qed.

Lemma generator_total k : 0 <= k < n -> total (generator_digits_of (generator_states (k1 k, k2 k))) mod n = k.
Proof.
  intros Hk. destruct (split_bounds k Hk) as [B1 B2]. pose proof (S17 (k1 k) (k2 k) B1 B2) as S.
  unfold generator_digits_of, generator_states.
  rewrite firstn_app, states_length, Nat.sub_diag, firstn_O, app_nil_r, firstn_all2 by (rewrite states_length; lia).
  rewrite app_nth2 by (rewrite states_length; lia). rewrite states_length, Nat.sub_diag. cbn [nth]. rewrite states_places.
  destruct (places 8 regular_generator_digit 16 (k1 k, k2 k)) as [d r]. cbn [fst snd]. destruct S as (R & S & L). rewrite R.
  unfold total. assert (V : forall part d e, value part (d ++ e) = value part d + value part e).
  { intros part d0 e. induction d0 as [|[j u] d0 IH]; cbn [app value]; [ring|]. rewrite IH. ring. }
  rewrite !V, !value_placed by lia. cbn [value fst snd]. change (2 ^ (8 * 0)) with 1.
  etransitivity; [|apply (Z.mod_small k n Hk)]. rewrite <- (split_right k), <- S. f_equal. unfold sums. ring.
Qed.

(* DoubleScalarVartime in lanes: in each lane Z is 0 at the end, or the sum is k P + g A, where A is G. *)
Theorem lanes_double_scalar lane P A k g : 0 <= lane < 8 -> times n P = O -> times n A = O -> 0 <= k < n -> 0 <= g < n ->
  right_or_O (snd (add_up 127 0 (true, O) lane P A (point_states (k1 k, k2 k)) (generator_states (k1 g, k2 g))))
    (plus (times k P) (times g A)).
Proof.
  intros Hl EP EA Hk Hg.
  assert (Lk : length (point_states (k1 k, k2 k)) = 43%nat) by (unfold point_states; rewrite app_length, states_length; reflexivity).
  assert (Lg : length (generator_states (k1 g, k2 g)) = 17%nat) by (unfold generator_states; rewrite app_length, states_length; reflexivity).
  rewrite (add_up_right lane P A _ _ EP EA Hl Lk Lg 127 0 (true, O) (true, O)); [|lia|reflexivity| |discriminate].
  2: { cbn. rewrite plus_O. rewrite <- (times_1 O) at 2. rewrite <- times_minus, (Sums.times_O G O plus minus plus_assoc plus_comm plus_O plus_minus). reflexivity. }
  pose proof (PublicLanes.lanes_sum_right G O plus minus plus_assoc plus_comm plus_O plus_minus eq_dec
    [(P, point_digits_of (point_states (k1 k, k2 k))); (A, generator_digits_of (generator_states (k1 g, k2 g)))]) as R.
  cbn [Sums.total_of] in R. rewrite plus_O_r in R.
  rewrite <- (modulo_of P (total _) EP), <- (modulo_of A (total _) EA), point_total, generator_total in R by assumption. apply R.
  constructor; [|constructor; [|constructor]]; cbn [snd].
  - unfold point_digits_of. pose proof (placed_range 3 (map regular_digit (point_states (k1 k, k2 k))) ltac:(lia) 0 ltac:(lia)) as F.
    rewrite map_length, Lk in F. exact F.
  - unfold generator_digits_of. apply Forall_app. split; [|constructor; [cbn [fst]; lia|constructor]].
    pose proof (placed_range 8 (map regular_generator_digit (firstn 16 (generator_states (k1 g, k2 g)))) ltac:(lia) 0 ltac:(lia)) as F.
    rewrite map_length, firstn_length, Lg in F. revert F. apply Forall_impl. intros t. cbn. lia.
Qed.

(* The items of a batch end here: a sum whose Z is 0 in its lane is computed again by Straus's algorithm
   (double_scalar in Sums.v), or with a table or shared tables, which give the same (precomputed_right in PublicLanes.v,
   shared_is_product in Sums.v). *)
(* internal/batch/sums.go
func DoubleScalarVartime(items []Item, divided bool) {
	divided = divideVartime(items, divided)
	first := inLanes(items)
	if len(first) > 0 && lanes.DoubleScalarVartime(first, divided) {
		items = items[len(first):]
		first = nil
	}
	restVartime(items, len(first), divided)
}
*)
(* internal/batch/sums.go
func restVartime(items []Item, n int, divided bool) {
	for i := n; i < len(items); i++ {
		items[i].Done = false
	}
	if divided {
		DivideVartime(items)
	}
	for from := 0; from < len(items); {
		to := run(items, from)
		switch first := &items[from]; {
		case !isDue(first):
		case first.Table.Multiples != nil:
			first.K.CondNegate(&first.K, first.Table.Minus)
			ecmult.DoubleScalarPrecomputedVartime(&first.Sum, &first.K, first.Table.Multiples, &first.G)
		case platform.Shared(to - from):
			sharedVartime(items[from:to])
		default:
			for i := from; i < to; i++ {
				var p group.Jacobian
				p.SetAffine(&items[i].A)
				ecmult.DoubleScalarVartime(&items[i].Sum, &items[i].K, &p, &items[i].G)
			}
		}
		from = to
	}
}
*)
Definition batch_item (lane : Z) (P A again : G) (k g : Z) : G :=
  Lanes.or_else G O eq_dec (snd (add_up 127 0 (true, O) lane P A (point_states (k1 k, k2 k)) (generator_states (k1 g, k2 g)))) again.

Theorem batch_item_right lane P A k g : 0 <= lane < 8 -> times n P = O -> times n A = O -> A <> O -> 0 <= k < n -> 0 <= g < n ->
  batch_item lane P A (Sums.straus G O plus minus 131 O [(P, naf_of 3 point_digit (k1 k, k2 k)); (A, naf_of 8 generator_digit (k1 g, k2 g))]) k g =
  plus (times k P) (times g A).
Proof.
  intros. apply Lanes.or_else_right; [apply lanes_double_scalar; assumption|].
  apply (Sums.double_scalar G O plus minus plus_assoc plus_comm plus_O plus_minus); assumption.
Qed.

(* SumsVartime: a sum of several products in each lane. The digits of all products stand at the same places, so the
   products share the doublings. *)
(* In each lane the halves are k1 and k2 of Digits.v, with or without lanes for integers modulo n. *)
(* internal/lanes/double.go
func (w *workspace) splitVartime(a []scalar.Scalar, inverse *Element) {
	if inverse == nil && !platform.ScalarsInLanes() {
		for lane := range N {
			k1, k2 := a[inLane(lane, len(a))].Split()
			w.halves.set(lane, k1, k2)
		}
		return
	}
	s := &w.temporary[0]
	loadScalars(s, a)
	if inverse != nil {
		mulN(s, s, inverse)
	}
	split(&w.halves, s)
}
*)
(* internal/lanes/sums.go
func SumsVartime(products *SumsMemory, dst []group.Jacobian, done []bool, k []scalar.Scalar, a []group.Affine) {
	n := len(dst)
	terms, blocks := len(k)/n, (n+N-1)/N
	w := workspaceVartime()
	var fits [2]uint8
	for b := range blocks {
		fits[b] = 0xFF
		for j := range terms {
			p, lo, hi := &products[b][j], j*n+N*b, j*n+min(N*(b+1), n)
			w.splitVartime(k[lo:hi], nil)
			p.ofPoint.setVartime(&w.halves)
			fits[b] &= p.ofPoint.fits
			loadPointsVartime(&p.point, a[lo:hi])
		}
		w.fillVartime(products[b][:terms])
		w.sum[b], w.infinity[b] = Jacobian2Y{}, 0xFF
	}
	x, ny := &w.temporary[0], &w.temporary[1]
	for i := recode.RegularPointDigits - 1; i >= 0; i-- {
		for j := range terms {
			for b := range blocks {
				p := &products[b][j]
				if nonzero := p.ofPoint.nonzero[i]; nonzero != 0 {
					gatherPointVartime(x, ny, &p.table, &p.ofPoint, i)
					w.addVartime(b, x, ny, nonzero)
				}
			}
		}
		switch {
		case i == 0:
		case blocks == 2:
			doubleNegatePairNVartime(&w.sum, recode.PointWidth)
		default:
			doubleNegateNVartime(&w.sum[0], recode.PointWidth)
		}
	}
	for b := range blocks {
		lo, hi := N*b, min(N*(b+1), n)
		mulVartime(&w.sum[b].Z, &w.sum[b].Z, &products[b][0].z)
		report(done[lo:hi], fits[b]&^isZeroVartime(&w.sum[b].Z))
		w.sum[b].storeVartime(dst[lo:hi])
	}
	workspaces.Put(w)
}
*)
Fixpoint add_products (lane i : Z) (s : bool * G) (l : list (G * list (Z * Z))) : bool * G :=
  match l with [] => s | (P, zs) :: l => add_products lane i (add_point_digit lane P zs i s) l end.
Fixpoint add_up_products (c : nat) (s : bool * G) (lane : Z) (l : list (G * list (Z * Z))) : bool * G := (* digits c - 1 to 0 *)
  match c with
  | Datatypes.O => s
  | S c =>
      let s := add_products lane (Z.of_nat c) s l in
      add_up_products c (match c with Datatypes.O => s | _ => (fst s, double_negate 3 (snd s)) end) lane l
  end.
Fixpoint products (l : list (G * Z)) : G :=
  match l with [] => O | (P, k) :: l => plus (times k P) (products l) end.

(* The same products with the places of their digits, as in PublicLanes.v. *)
Definition with_places (l : list (G * list (Z * Z))) := map (fun t => (fst t, point_digits_of (snd t))) l.
Definition all_digits (l : list (G * list (Z * Z))) := Forall (fun t => times n (fst t) = O /\ length (snd t) = 43%nat) l.
Notation add_terms := (PublicLanes.add_terms G O plus minus eq_dec).
Notation add_places := (PublicLanes.add_places G O plus minus eq_dec).

Lemma products_step lane i l : all_digits l -> 0 <= lane < 8 -> 0 <= i <= 126 -> forall s,
  add_terms i s (with_places l) = if i mod 3 =? 0 then add_products lane (i / 3) s l else s.
Proof.
  intros F Hl Hi. induction F as [|[P zs] l [E L] F IH]; intros s; cbn [with_places map PublicLanes.add_terms add_products fst snd] in *.
  - destruct (i mod 3 =? 0); reflexivity.
  - fold (with_places l). rewrite (point_digit_step lane P zs i s E Hl L Hi), IH. destruct (i mod 3 =? 0); reflexivity.
Qed.

Lemma products_digit_step c s lane l : add_up_products (S (S c)) s lane l =
  let u := add_products lane (Z.of_nat (S c)) s l in add_up_products (S c) (fst u, double_negate 3 (snd u)) lane l.
Proof. reflexivity. Qed.

Lemma places_step c s l : add_places (S c) s l =
  add_places c (add_terms (Z.of_nat c) (fst s, minus (plus (snd s) (snd s))) l) l.
Proof. reflexivity. Qed.

(* The loops agree: after a digit there are three doublings, for two places without digits and the next place with one. *)
Lemma add_up_products_right lane l : all_digits l -> 0 <= lane < 8 -> forall c s s', (c <= 42)%nat ->
  fst s = fst s' -> snd s = minus (plus (snd s') (snd s')) ->
  add_up_products (S c) s lane l = add_places (S (3 * c)) s' (with_places l).
Proof.
  intros F Hl. induction c as [|c IH]; intros s s' Hc Ef Es.
  - cbn [add_up_products Nat.mul PublicLanes.add_places]. rewrite (products_step lane _ l F Hl) by (cbn; lia).
    rewrite <- Ef, <- Es, <- surjective_pairing. reflexivity.
  - replace (S (3 * S c)) with (S (S (S (S (3 * c))))) by lia. rewrite products_digit_step.
    rewrite 3 places_step. cbn [fst snd].
    rewrite <- Ef, <- Es, <- surjective_pairing.
    rewrite (products_step lane (Z.of_nat (S (S (S (3 * c))))) l F Hl) by lia.
    replace (Z.of_nat (S (S (S (3 * c)))) mod 3) with 0 by (apply (Z.mod_unique _ 3 (Z.of_nat (S c))); lia).
    replace (Z.of_nat (S (S (S (3 * c)))) / 3) with (Z.of_nat (S c)) by (apply (Z.div_unique _ 3 _ 0); lia).
    cbn [Z.eqb]. cbv iota. set (u := add_products lane (Z.of_nat (S c)) s l).
    rewrite (products_step lane (Z.of_nat (S (S (3 * c)))) l F Hl) by lia.
    replace (Z.of_nat (S (S (3 * c))) mod 3) with 2 by (apply (Z.mod_unique _ 3 (Z.of_nat c)); lia).
    rewrite (products_step lane (Z.of_nat (S (3 * c))) l F Hl) by lia.
    replace (Z.of_nat (S (3 * c)) mod 3) with 1 by (apply (Z.mod_unique _ 3 (Z.of_nat c)); lia).
    cbn [Z.eqb fst snd]. cbv iota. rewrite (IH _ (fst u, minus (plus (minus (plus (snd u) (snd u))) (minus (plus (snd u) (snd u)))))).
    + cbn [PublicLanes.add_places]. reflexivity.
    + lia.
    + reflexivity.
    + reflexivity.
Qed.

(* SumsVartime: in each lane Z is 0 at the end, or the sum is right. *)
Theorem lanes_sums lane l : 0 <= lane < 8 -> Forall (fun t => times n (fst t) = O /\ 0 <= snd t < n) l ->
  right_or_O (snd (add_up_products 43 (true, O) lane (map (fun t => (fst t, point_states (k1 (snd t), k2 (snd t)))) l))) (products l).
Proof.
  intros Hl F. set (m := map _ l). assert (L : forall k, length (point_states (k1 k, k2 k)) = 43%nat).
  { intros k. unfold point_states. rewrite app_length, states_length. reflexivity. }
  assert (A : all_digits m).
  { unfold m. clear m. induction F as [|[P k] l [E Hk] F IH]; constructor; [|exact IH]. cbn [fst snd]. auto. }
  rewrite (add_up_products_right lane m A Hl 42 (true, O) (true, O)); [|lia|reflexivity|].
  2: { cbn [snd]. rewrite plus_O. symmetry. apply (Sums.minus_O G O plus minus plus_assoc plus_comm plus_O plus_minus). }
  change (S (3 * 42)) with 127%nat.
  replace (products l) with (Sums.total_of G O plus minus (with_places m)).
  - apply (PublicLanes.lanes_sum_right G O plus minus plus_assoc plus_comm plus_O plus_minus eq_dec).
    unfold with_places. clear -A. induction A as [|[P zs] m [E L] A IH]; constructor; [|exact IH]. cbn [fst snd] in *.
    pose proof (placed_range 3 (map regular_digit zs) ltac:(lia) 0 ltac:(lia)) as R. rewrite map_length, L in R. exact R.
  - unfold m. clear m A. induction F as [|[P k] l [E Hk] F IH]; cbn [map with_places Sums.total_of products fst snd]; [reflexivity|].
    cbn [fst snd] in E, Hk. f_equal; [|exact IH]. rewrite <- (modulo_of P (total _) E), point_total by exact Hk. reflexivity.
Qed.
(* A sum whose Z is 0 in its lane is computed again, by Straus's algorithm or by buckets (straus_is_sum, Buckets.v). *)
(* curve/batch.go
func MultiScalarMultBatchVartime(p []Point, k [][]*Scalar, a [][]*Point) {
	const name = "MultiScalarMultBatchVartime"
	sameLength(name, len(p), len(k), len(a))
	for i := range p {
		sameLength(name, len(k[i]), len(a[i]))
	}
	inLanes := platform.InLanesVartime(len(p))
	var done [parts.ProductSums]bool
	for from, to := range parts.Of(len(p), parts.ProductSums) {
		m, terms := max(0, min(to, inLanes)-from), 0
		for _, products := range k[from : from+m] {
			if len(products) <= parts.Terms {
				terms = max(terms, len(products))
			}
		}
		clear(done[:])
		if terms > 0 {
			s := batch.Sums.Get().( *batch.Sum)
			w := s.Products()
			w.Reset(m, terms)
			for i, products := range k[from : from+m] {
				if len(products) > terms {
					continue // sum i of w stays infinity, so SumsVartime leaves it to the loop below
				}
				for j := range products {
					setProduct(w, i, j, products[j], a[from+i][j])
				}
			}
			sumsVartime(p[from:from+m], done[:m], w)
			batch.Sums.Put(s)
		}
		for i := range to - from {
			if !done[i] {
				p[from+i].MultiScalarMultVartime(k[from+i], a[from+i])
			}
		}
	}
}
*)
Theorem lanes_sums_again lane l again : 0 <= lane < 8 -> Forall (fun t => times n (fst t) = O /\ 0 <= snd t < n) l -> again = products l ->
  Lanes.or_else G O eq_dec (snd (add_up_products 43 (true, O) lane (map (fun t => (fst t, point_states (k1 (snd t), k2 (snd t)))) l))) again = products l.
Proof. intros. apply Lanes.or_else_right; [apply lanes_sums; assumption|assumption]. Qed.
End LanePlaces.
