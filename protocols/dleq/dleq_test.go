package dleq

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"math/big"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// rows returns the rows of a file of vectors, each as a map from the names of the columns to the values.
func rows(t testing.TB, name string) (all []map[string]string) {
	t.Helper()
	lines, err := csv.NewReader(vectors.Open(t, "bip374/"+name)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		row := make(map[string]string)
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		all = append(all, row)
	}
	return all
}

func array(t testing.TB, s string) *[32]byte {
	t.Helper()
	if s == "" {
		return nil
	}
	return (*[32]byte)(libtest.Unhex(s))
}

func publicKey(t testing.TB, s string) *p256k1.PublicKey {
	t.Helper()
	k, err := p256k1.ParsePublicKey(libtest.Unhex(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return k
}

func TestGenerateVectors(t *testing.T) {
	good, bad := 0, 0
	for _, row := range rows(t, "test_vectors_generate_proof.csv") {
		a, err := p256k1.ParsePrivateKey(libtest.Unhex(row["scalar_a"]))
		if row["result_proof"] == "INVALID" { // one of the values is not a key
			bad++
			if err == nil && row["point_B"] != "INFINITY" {
				t.Errorf("%s: both are keys", row["comment"])
			}
			continue
		}
		b, err2 := p256k1.ParsePublicKey(libtest.Unhex(row["point_B"]))
		if err = errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		good++
		opts := &Options{Generator: publicKey(t, row["point_G"]), Message: array(t, row["message"]), AuxRand: array(t, row["auxrand_r"])}
		c, proof, err := Prove(a, b, opts)
		if err != nil || hex.EncodeToString(proof[:]) != row["result_proof"] {
			t.Errorf("%s: %x, %v, want %s", row["comment"], proof, err, row["result_proof"])
		}
		opts.Checked = true
		if c2, again, err := Prove(a, b, opts); err != nil || again != proof || !c2.Equal(c) {
			t.Errorf("%s, checked: %x, %v, want %x", row["comment"], again, err, proof)
		}
		if opts.Generator.Point().Equal(new(curve.Point).SetGenerator()) == 1 { // also with the default generator
			opts.Generator = nil
			if _, again, err := Prove(a, b, opts); err != nil || again != proof || !Verify(a.PublicKey(), b, c, proof[:], opts) {
				t.Errorf("%s: %x, %v, want %x", row["comment"], again, err, proof)
			}
		}
	}
	if good != 8 || bad != 3 {
		t.Errorf("%d good, %d bad", good, bad)
	}
}

func TestVerifyVectors(t *testing.T) {
	var items []Item
	var want []bool
	for _, row := range rows(t, "test_vectors_verify_proof.csv") {
		it := Item{
			publicKey(t, row["point_A"]), publicKey(t, row["point_B"]), publicKey(t, row["point_C"]), libtest.Unhex(row["proof"]),
			&Options{Generator: publicKey(t, row["point_G"]), Message: array(t, row["message"])},
		}
		items, want = append(items, it), append(want, row["result_success"] == "TRUE")
		if got := Verify(it.A, it.B, it.C, it.Proof, it.Options); got != want[len(want)-1] {
			t.Errorf("%s: %v", row["comment"], got)
		}
		if row["result_success"] != "TRUE" {
			continue
		}
		for bit := range 8 * Size {
			proof := bytes.Clone(it.Proof)
			proof[bit/8] ^= 1 << (bit % 8)
			items, want = append(items, Item{it.A, it.B, it.C, proof, it.Options}), append(want, false)
		}
		for bit := range 256 {
			opts := *it.Options
			if opts.Message == nil {
				break
			}
			m := *opts.Message
			m[bit/8] ^= 1 << (bit % 8)
			opts.Message = &m
			items, want = append(items, Item{it.A, it.B, it.C, it.Proof, &opts}), append(want, false)
		}
		one := Item{it.A, it.B, it.C, it.Proof, it.Options}
		for _, k := range []**p256k1.PublicKey{&one.A, &one.B, &one.C} {
			key := *k
			*k = key.Negate()
			items, want = append(items, one), append(want, false)
			*k = key
		}
	}
	if len(items) < 5000 {
		t.Errorf("%d items", len(items))
	}
	check(t, items, want)
}

// verdicts returns whether each item is valid, by Invalid.
func verdicts(items []Item) []bool {
	valid := slices.Repeat([]bool{true}, len(items))
	all := Invalid([]int{-1, 1 << 30}, items)
	for _, i := range all[2:] {
		valid[i] = false
	}
	if all[0] != -1 || all[1] != 1<<30 || !slices.IsSorted(all[2:]) {
		panic("Invalid changes what dst held, or the indexes do not ascend")
	}
	return valid
}

// check compares the results of Invalid with want, and so the results of Verify, for some items only if there are 100
// or more.
func check(t *testing.T, items []Item, want []bool) {
	t.Helper()
	valid := verdicts(items)
	for i, it := range items {
		if valid[i] != want[i] {
			t.Fatalf("item %d of %d in a batch: %v, want %v", i, len(items), valid[i], want[i])
		}
		if i%97 == 0 || len(items) < 100 {
			if got := Verify(it.A, it.B, it.C, it.Proof, it.Options); got != want[i] {
				t.Fatalf("item %d alone: %v, want %v", i, got, want[i])
			}
		}
	}
}

func key(t testing.TB, r *oracle.Rand) *p256k1.PrivateKey {
	t.Helper()
	b := oracle.Bytes(r.ValidScalar())
	k, err := p256k1.ParsePrivateKey(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestBatch verifies valid proofs for several generators together with invalid proofs, in batches of many sizes.
func TestBatch(t *testing.T) {
	r := oracle.New(t)
	var unset p256k1.PublicKey
	var items []Item
	var want []bool
	add := func(valid bool, it Item) { items, want = append(items, it), append(want, valid) }
	for i := range 80 {
		a, b := key(t, r), key(t, r).PublicKey()
		opts := &Options{}
		switch i % 4 {
		case 0:
			opts = nil
		case 1:
			opts.Message = &[32]byte{byte(i)}
		case 2:
			opts.Generator = key(t, r).PublicKey()
		}
		c, proof, err := Prove(a, b, opts)
		if err != nil {
			t.Fatal(err)
		}
		g := new(curve.Point)
		setGenerator(g, opts)
		d, _ := a.Scalar()
		pubA, err := p256k1.NewPublicKey(g.ScalarMult(d, g))
		if err != nil {
			t.Fatal(err)
		}
		// The reference computes R₁ = s·G − e·A, R₂ = s·B − e·C and the hash of BIP-374.
		p := func(k *p256k1.PublicKey) oracle.Point { q, _ := oracle.DecodePoint(k.Bytes()); return q }
		rest := func(base, a oracle.Point) []byte {
			return base.Mul(oracle.Int(proof[32:])).Add(a.Mul(oracle.Fn.Reduce(oracle.Int(proof[:32]))).Neg()).Compressed()
		}
		var claim statement
		claim.set(pubA, b, c, opts)
		base, _ := oracle.DecodePoint(claim.g[:])
		if want := oracle.TaggedHash("BIP0374/challenge", pubA.Bytes(), b.Bytes(), c.Bytes(), base.Compressed(), rest(base, p(pubA)), rest(p(b), p(c)), claim.m); !bytes.Equal(proof[:32], want[:]) {
			t.Errorf("%d: e = %x, want %x", i, proof[:32], want)
		}
		good := Item{pubA, b, c, proof[:], opts}
		add(true, good)
		bad := good
		bad.A, bad.C = good.C, good.A
		add(good.A.Equal(good.C), bad)
		bad = good
		bad.Proof = proof[:63]
		add(false, bad)
		bad.Proof = append(proof[:], 0)
		add(false, bad)
		bad.Proof = slices.Concat(proof[:32], oracle.N.FillBytes(make([]byte, 32)))
		add(false, bad)
		// If s + n fits into 32 bytes, it is congruent to s, and must be refused.
		if s := oracle.Int(proof[32:]); s.Add(s, oracle.N).BitLen() <= 256 {
			bad.Proof = slices.Concat(proof[:32], s.FillBytes(make([]byte, 32)))
			add(false, bad)
		}
		bad = good
		bad.B = &unset
		add(false, bad)
		bad = good
		bad.Options = &Options{Message: &[32]byte{31: byte(i + 1)}}
		add(false, bad)
		bad.Options = &Options{Generator: &unset}
		add(false, bad)
	}
	// If s = e·a, then R₁ is infinity, and the proof is refused before hashes are compared.
	a := key(t, r)
	e := oracle.Bytes(big.NewInt(3))
	d := oracle.Fn.Mul(oracle.Int(a.Bytes()), big.NewInt(3))
	s := oracle.Bytes(d)
	add(false, Item{a.PublicKey(), a.PublicKey(), must(t)(a.PublicKey().TweakMul(a.Bytes())), slices.Concat(e[:], s[:]), nil})
	for n := range len(items) {
		if n > 70 && n != len(items)-1 {
			continue
		}
		check(t, items[len(items)-n:], want[len(want)-n:])
	}
}

func must(t *testing.T) func(*p256k1.PublicKey, error) *p256k1.PublicKey {
	return func(k *p256k1.PublicKey, err error) *p256k1.PublicKey {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
}

func TestRefused(t *testing.T) {
	r := oracle.New(t)
	a, b := key(t, r), key(t, r).PublicKey()
	var unset p256k1.PublicKey
	wiped := key(t, r)
	wiped.Zero()
	for _, c := range []struct {
		a    *p256k1.PrivateKey
		b    *p256k1.PublicKey
		opts *Options
		want error
		text string
	}{
		{nil, b, nil, p256k1.ErrNoKey, "a"},
		{wiped, b, nil, p256k1.ErrNoKey, "a"},
		{new(p256k1.PrivateKey), b, nil, p256k1.ErrNoKey, "a"},
		{a, nil, nil, p256k1.ErrNoKey, "B"},
		{a, &unset, nil, p256k1.ErrNoKey, "B"},
		{a, b, &Options{Generator: &unset}, p256k1.ErrNoKey, "the generator"},
	} {
		for _, checked := range []bool{false, true} {
			opts := Options{Checked: checked}
			if c.opts != nil {
				opts.Generator = c.opts.Generator
			}
			point, proof, err := Prove(c.a, c.b, &opts)
			if point != nil || proof != [Size]byte{} || !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), "dleq: "+c.text+": ") {
				t.Errorf("%x, %v, want %s: %v", proof, err, c.text, c.want)
			}
		}
	}
	// A fault in any bit of the proof, or in one of the points, is noticed before the proof leaves.
	pubA, c, proof, err := newProof(a, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := checked(pubA, b, c, &proof, nil); err != nil || same == c || !same.Equal(c) {
		t.Errorf("a valid proof, checked: %v, %v", same, err)
	}
	for bit := range 8 * Size {
		proof[bit/8] ^= 1 << (bit % 8)
		if none, err := checked(pubA, b, c, &proof, nil); none != nil || !errors.Is(err, p256k1.ErrFault) {
			t.Errorf("bit %d of the proof flipped: %v, %v", bit, none, err)
		}
		proof[bit/8] ^= 1 << (bit % 8)
	}
	for _, points := range [][2]*p256k1.PublicKey{{c, c}, {pubA, pubA}, {pubA, c.Negate()}, {nil, c}, {pubA, nil}} {
		if none, err := checked(points[0], b, points[1], &proof, nil); none != nil || !errors.Is(err, p256k1.ErrFault) {
			t.Errorf("wrong points: %v, %v", none, err)
		}
	}
	// The randomness is fresh, unless the options give it.
	_, p, _ := Prove(a, b, nil)
	_, q, _ := Prove(a, b, nil)
	if p == q {
		t.Error("two proofs are the same")
	}
}

// TestAllocations checks that verification does not allocate.
func TestAllocations(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector allocates")
	}
	r := oracle.New(t)
	a, b := key(t, r), key(t, r).PublicKey()
	g := &Options{Generator: key(t, r).PublicKey(), Message: &[32]byte{}}
	c, proof, err := Prove(a, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	pub := a.PublicKey()
	items := slices.Repeat([]Item{{pub, b, c, proof[:], nil}, {pub, b, c, proof[:], g}}, 20)
	items[7].Proof = nil
	invalid := make([]int, 0, len(items))
	for name, f := range map[string]func(){
		"Verify":            func() { Verify(pub, b, c, proof[:], nil) },
		"Verify by a point": func() { Verify(pub, b, c, proof[:], g) },
		"Invalid of 40":     func() { Invalid(invalid, items) },
		"Invalid of one":    func() { Invalid(invalid, items[:1]) },
	} {
		f()
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func FuzzVerify(f *testing.F) {
	r := oracle.NewSeeded("dleq")
	a, b := key(f, r), key(f, r).PublicKey()
	c, proof, err := Prove(a, b, &Options{AuxRand: &[32]byte{}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(proof[:], c.Bytes(), []byte(nil))
	f.Add(proof[:63], c.Bytes(), []byte("m"))
	f.Add(append(proof[:], 0), c.Bytes(), []byte(nil))
	f.Add(proof[:], c.Negate().Bytes(), []byte(nil))
	f.Add(proof[:], c.Bytes(), make([]byte, 32))
	f.Add(append(append(proof[:31:31], proof[31]^1), proof[32:]...), c.Bytes(), []byte(nil))
	f.Fuzz(func(t *testing.T, p, point, message []byte) {
		third, err := p256k1.ParsePublicKey(point)
		if err != nil {
			return
		}
		opts := new(Options)
		if len(message) == 32 {
			opts.Message = (*[32]byte)(message)
		}
		valid := verdicts([]Item{{a.PublicKey(), b, c, proof[:], nil}, {a.PublicKey(), b, third, p, opts}, {a.PublicKey(), b, third, p, nil}})
		if !valid[0] {
			t.Fatal("a proof is valid no more")
		}
		if one := Verify(a.PublicKey(), b, third, p, opts); valid[1] != one || (one && (!bytes.Equal(p, proof[:]) || !third.Equal(c) || opts.Message != nil)) {
			t.Fatalf("%x of %x: %v alone, %v in a batch", p, point, one, valid[1])
		}
	})
}

func BenchmarkProve(b *testing.B) {
	r := oracle.NewSeeded("dleq")
	priv, pub := key(b, r), key(b, r).PublicKey()
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Prove(priv, pub, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	r := oracle.NewSeeded("dleq")
	priv, pub := key(b, r), key(b, r).PublicKey()
	c, proof, err := Prove(priv, pub, nil)
	if err != nil {
		b.Fatal(err)
	}
	items := slices.Repeat([]Item{{priv.PublicKey(), pub, c, proof[:], nil}}, 64)
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Verify(priv.PublicKey(), pub, c, proof[:], nil)
		}
	})
	b.Run("batch", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Invalid(nil, items)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(items)), "ns/proof")
	})
}

// TestWithoutKeys tries public keys that are nil, which can result from JSON that lacks the keys.
func TestWithoutKeys(t *testing.T) {
	priv, err := p256k1.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	b := priv.PublicKey()
	if _, _, err := Prove(priv, nil, nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("Prove: %v", err)
	}
	c, proof, err := Prove(priv, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	items := []Item{{b, b, c, proof[:], nil}, {nil, b, c, proof[:], nil}, {b, nil, c, proof[:], nil}, {b, b, nil, proof[:], nil}, {}}
	check(t, items, []bool{true, false, false, false, false})
	// These batches contain valid proofs only, and end with an incomplete part.
	for _, n := range []int{1, 2, part - 1, part, part + 1, 2*part + 1} {
		check(t, slices.Repeat(items[:1], n), slices.Repeat([]bool{true}, n))
	}
}

// TestChosenGenerator makes the proof that the documentation of Options.Generator describes, for a public key, without
// its private key.
func TestChosenGenerator(t *testing.T) {
	r := oracle.New(t)
	victim, b, a := key(t, r).PublicKey(), key(t, r).PublicKey(), key(t, r)
	inverse := oracle.Bytes(oracle.Fn.Inv(oracle.Int(a.Bytes())))
	opts := &Options{Generator: must(t)(victim.TweakMul(inverse[:]))}
	c, proof, err := Prove(a, b, opts)
	if err != nil {
		t.Fatal(err)
	}
	items := []Item{{victim, b, c, proof[:], opts}, {victim, b, c, proof[:], nil}, {a.PublicKey(), b, c, proof[:], opts}}
	check(t, items, []bool{true, false, false})
}

// TestOrder passes the points of a proof and their negatives in every order.
func TestOrder(t *testing.T) {
	r := oracle.New(t)
	a, b := key(t, r), key(t, r).PublicKey()
	g := key(t, r).PublicKey()
	for _, opts := range []*Options{nil, {Generator: g}} {
		c, proof, err := Prove(a, b, opts)
		if err != nil {
			t.Fatal(err)
		}
		pub := a.PublicKey()
		if opts != nil {
			pub = must(t)(g.TweakMul(a.Bytes()))
		}
		points := []*p256k1.PublicKey{pub, b, c, g, a.PublicKey(), pub.Negate(), b.Negate(), c.Negate()}
		var items []Item
		var want []bool
		for i := range points {
			for j := range points {
				for k := range points {
					items = append(items, Item{points[i], points[j], points[k], proof[:], opts})
					want = append(want, points[i].Equal(pub) && points[j].Equal(b) && points[k].Equal(c))
				}
			}
		}
		check(t, items, want)
	}
}

// TestInfinity tries proofs with s = e·a, for which R₁ and R₂ are infinity, and with the correct hash of these points.
// BIP-374 requires that verifiers refuse such proofs.
func TestInfinity(t *testing.T) {
	r := oracle.New(t)
	a, b := key(t, r), key(t, r).PublicKey()
	c := must(t)(b.TweakMul(a.Bytes()))
	var claim statement
	claim.set(a.PublicKey(), b, c, nil)
	e := claim.challenge(new(curve.Point), new(curve.Point))
	s := oracle.Bytes(oracle.Fn.Mul(oracle.Int(e[:]), oracle.Int(a.Bytes())))
	check(t, []Item{{a.PublicKey(), b, c, slices.Concat(e[:], s[:]), nil}}, []bool{false})
	// If A and C are infinity, everybody can make a proof, for a = 0.
	var k curve.Scalar
	var r1, r2 curve.Point
	k.SetUint64(7)
	r1.ScalarBaseMult(&k).Normalize()
	r2.ScalarMult(&k, b.Point()).Normalize()
	claim = statement{}
	claim.set(nil, b, nil, nil)
	e = claim.challenge(&r1, &r2)
	check(t, []Item{{nil, b, nil, slices.Concat(e[:], k.Bytes()), nil}}, []bool{false})
}

// TestParse tries encodings of both parts of a proof that are valid, too large, or of a wrong length, independently of
// the hash.
func TestParse(t *testing.T) {
	good := make([]byte, Size)
	n := oracle.N.FillBytes(make([]byte, 32))
	for i, c := range []struct {
		proof []byte
		want  bool
	}{
		{good, true}, {nil, false}, {good[:32:32], false}, {good[:63:63], false}, {make([]byte, 65), false},
		{slices.Concat(good[:32], n), false}, {slices.Concat(n, good[:32]), true},
	} {
		var e, s curve.Scalar
		if got := parse(&e, &s, c.proof); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
		if len(c.proof) != Size { // a proof of wrong length must be refused before it is read
			check(t, []Item{{must(t)(p256k1.NewPublicKey(new(curve.Point).SetGenerator())), nil, nil, c.proof, nil}}, []bool{false})
			g := must(t)(p256k1.NewPublicKey(new(curve.Point).SetGenerator()))
			check(t, []Item{{g, g, g, c.proof, nil}, {g, g, g, c.proof, nil}}, []bool{false, false})
		}
	}
}
