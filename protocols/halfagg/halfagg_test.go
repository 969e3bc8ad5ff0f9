package halfagg

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/schnorr"
)

// rows calls f for each line of a file of vectors, with a map from the names of the columns to the values in the line.
func rows(t *testing.T, name string, f func(t *testing.T, row map[string]string)) {
	file := vectors.Open(t, "bip458/"+name)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil || len(lines) < 9 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for _, line := range lines[1:] {
		row := make(map[string]string)
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		t.Run(row["comment"], func(t *testing.T) { f(t, row) })
	}
}

// arrays returns the values in a list that is separated by semicolons, each of which must have n bytes.
func arrays(t *testing.T, list string, n int) (all [][]byte) {
	for s := range strings.SplitSeq(list, ";") {
		if b := libtest.Unhex(s); len(b) == n {
			all = append(all, b)
		} else if len(b) > 0 {
			t.Fatalf("%d bytes, want %d", len(b), n)
		}
	}
	return all
}

func claimsOf(t *testing.T, keys, messages string) (claims []Claim) {
	k, m := arrays(t, keys, 32), arrays(t, messages, 32)
	for i := range k {
		claims = append(claims, Claim{[32]byte(k[i]), [32]byte(m[i])})
	}
	return claims
}

func signaturesOf(t *testing.T, list string) (sigs [][64]byte) {
	for _, b := range arrays(t, list, 64) {
		sigs = append(sigs, [64]byte(b))
	}
	return sigs
}

func TestVectors(t *testing.T) {
	aggregated := func(t *testing.T, row map[string]string, got []byte, err error) {
		if want := row["expected_result"] == "TRUE"; (err == nil) != want {
			t.Fatalf("error %v, want success %t", err, want)
		} else if want && !bytes.Equal(got, libtest.Unhex(row["expected_aggsig"])) {
			t.Errorf("%x, want %s", got, row["expected_aggsig"])
		}
	}
	rows(t, "test_vectors_aggregate.csv", func(t *testing.T, row map[string]string) {
		claims, sigs := claimsOf(t, row["pubkeys"], row["messages"]), signaturesOf(t, row["signatures"])
		got, err := add(make([]byte, 32), nil, claims, sigs)
		aggregated(t, row, got, err)
		valid := true
		for i, c := range claims {
			valid = valid && schnorr.VerifyBytes(c.PublicKey[:], c.Message[:], sigs[i][:])
		}
		got, err = Aggregate(claims, sigs)
		if valid {
			aggregated(t, row, got, err)
		} else if !errors.Is(err, ErrSignature) {
			t.Errorf("signatures that are not valid: %v", err)
		}
		if valid && !Verify(got, claims) {
			t.Error("the aggregate is not valid")
		}
	})
	rows(t, "test_vectors_incaggregate.csv", func(t *testing.T, row map[string]string) {
		old := claimsOf(t, row["pm_aggd_pubkeys"], row["pm_aggd_messages"])
		claims, sigs := claimsOf(t, row["pms_pubkeys"], row["pms_messages"]), signaturesOf(t, row["pms_signatures"])
		aggregate := libtest.Unhex(row["aggsig"])
		got, err := Add(aggregate, old, claims, sigs)
		aggregated(t, row, got, err)
		got, err = add(aggregate, old, claims, sigs)
		aggregated(t, row, got, err)
	})
	rows(t, "test_vectors_verify.csv", func(t *testing.T, row map[string]string) {
		want := row["expected_result"] == "TRUE"
		if got := Verify(libtest.Unhex(row["aggsig"]), claimsOf(t, row["pubkeys"], row["messages"])); got != want {
			t.Errorf("%t, want %t", got, want)
		}
	})
}

// signed returns n claims with signatures. Claims 2 and 3 have the same key, and so do claims 5 and 6, and so on,
// unless different is given.
func signed(t testing.TB, r *oracle.Rand, n int, different ...bool) (claims []Claim, sigs [][64]byte) {
	var key *p256k1.PrivateKey
	for i := range n {
		if key == nil || i%3 > 0 || len(different) > 0 {
			b := oracle.Bytes(r.ValidScalar())
			var err error
			if key, err = p256k1.ParsePrivateKey(b[:]); err != nil {
				t.Fatal(err)
			}
		}
		c := Claim{PublicKey: [32]byte(key.PublicKey().XOnly().Bytes()), Message: [32]byte(r.Bytes(32))}
		sig, err := schnorr.Sign(key, c.Message[:], nil)
		if err != nil {
			t.Fatal(err)
		}
		claims, sigs = append(claims, c), append(sigs, sig)
	}
	return claims, sigs
}

// reference checks BIP-458's equation s·G = Σ zᵢ·(Rᵢ + eᵢ·Pᵢ) in math/big.
func reference(aggregate []byte, claims []Claim) bool {
	s := oracle.Int(aggregate[32*len(claims):])
	if s.Cmp(oracle.Fn.M) >= 0 {
		return false
	}
	var sum oracle.Point
	var all []byte
	for i, c := range claims {
		r := aggregate[32*i:][:32]
		all = slices.Concat(all, r, c.PublicKey[:], c.Message[:])
		e := oracle.TaggedHash("BIP0340/challenge", r, c.PublicKey[:], c.Message[:])
		z := oracle.TaggedHash("HalfAgg/randomizer", all)
		if i == 0 {
			z = oracle.Bytes(big.NewInt(1))
		}
		capital, ok1 := oracle.LiftX(oracle.Int(r))
		p, ok2 := oracle.LiftX(oracle.Int(c.PublicKey[:]))
		if !ok1 || !ok2 {
			return false
		}
		sum = sum.Add(capital.Add(p.Mul(oracle.Fn.Reduce(oracle.Int(e[:])))).Mul(oracle.Fn.Reduce(oracle.Int(z[:]))))
	}
	return sum.Equal(oracle.G.Mul(s))
}

// TestForged changes every part of an aggregate, including changes that cancel in a plain sum. The package and the
// reference must refuse every change.
func TestForged(t *testing.T) {
	r := oracle.New(t)
	sizes := []int{1, 2, 5, 17}
	if testing.Short() {
		sizes = sizes[:3]
	}
	for _, n := range sizes {
		claims, sigs := signed(t, r, n)
		aggregate, err := Aggregate(claims, sigs)
		if err != nil || !Verify(aggregate, claims) || !reference(aggregate, claims) {
			t.Fatalf("%d signatures: %v", n, err)
		}
		refused := func(what string, aggregate []byte, claims []Claim) {
			t.Helper()
			if Verify(aggregate, claims) || (len(aggregate) == Size(len(claims)) && reference(aggregate, claims)) {
				t.Errorf("%d signatures, %s: valid", n, what)
			}
		}
		for i := range n {
			changed := bytes.Clone(aggregate)
			changed[32*i+r.IntN(32)] ^= 1 << r.IntN(8)
			refused("a bit of R changed", changed, claims)
			other := slices.Clone(claims)
			other[i].Message[r.IntN(32)] ^= 1 << r.IntN(8)
			refused("a bit of a message changed", aggregate, other)
			other = slices.Clone(claims)
			other[i].PublicKey[r.IntN(32)] ^= 1 << r.IntN(8)
			refused("a bit of a key changed", aggregate, other)
		}
		s := oracle.Int(aggregate[32*n:])
		for what, other := range map[string]*big.Int{
			"s + 1": oracle.Fn.Add(s, big.NewInt(1)), "n − s": oracle.Fn.Neg(s), "s = 0": new(big.Int), "s + n": new(big.Int).Add(s, oracle.Fn.M),
		} {
			if other.BitLen() <= 256 {
				b := oracle.Bytes(other)
				refused(what, append(bytes.Clone(aggregate[:32*n]), b[:]...), claims)
			}
		}
		refused("a byte less", aggregate[1:], claims)
		refused("a byte more", append(bytes.Clone(aggregate), 0), claims)
		refused("a claim less", aggregate, claims[1:])
		refused("nil", nil, claims)
		if n == 1 {
			continue
		}
		swapped := slices.Clone(claims)
		swapped[0], swapped[1] = swapped[1], swapped[0]
		refused("two claims swapped", aggregate, swapped)
		// Without the coefficients, the errors of these signatures would cancel.
		forged := slices.Clone(sigs)
		delta := r.ValidScalar()
		for i, d := range []*big.Int{delta, oracle.Fn.Neg(delta)} {
			b := oracle.Bytes(oracle.Fn.Add(oracle.Int(sigs[i][32:]), d))
			copy(forged[i][32:], b[:])
		}
		spoiled, err := add(make([]byte, 32), nil, claims, forged)
		if err != nil {
			t.Fatal(err)
		}
		refused("s₀ + δ and s₁ − δ", spoiled, claims)
		var invalid p256k1.Failures
		_, err = Aggregate(claims, forged)
		if !errors.As(err, &invalid) || len(invalid) != 2 || invalid[0].Index != 0 || invalid[1].Index != 1 || !errors.Is(err, ErrSignature) {
			t.Errorf("s₀ + δ and s₁ − δ: %v", err)
		}
	}
}

// TestReduced passes p + 1 as R and as a key, where 1 is the x coordinate of a point. Nobody can sign for p + 1,
// because the challenge hashes these bytes, so the test checks that p + 1 is not decoded to that point.
func TestReduced(t *testing.T) {
	high := oracle.Bytes(new(big.Int).Add(oracle.Fp.M, big.NewInt(1)))
	claims, sigs := signed(t, oracle.New(t), 1)
	aggregate, err := Aggregate(claims, sigs)
	if err != nil {
		t.Fatal(err)
	}
	w := works.Get().(*work)
	defer works.Put(w)
	for i, try := range []struct {
		aggregate []byte
		claim     Claim
	}{{slices.Concat(high[:], aggregate[32:]), claims[0]}, {aggregate, Claim{high, claims[0].Message}}} {
		if w.verify(try.aggregate, []Claim{try.claim}) || w.points[i].IsInfinity() == 0 || w.points[1-i].IsInfinity() == 1 {
			t.Errorf("value %d: p + 1 is taken for a point", i)
		}
	}
	// Everybody could sign for a key that is taken for infinity: R = G and s = 1. No point has the x coordinate 5.
	forged := slices.Concat(oracle.G.Compressed()[1:], make([]byte, 31), []byte{1})
	if w.verify(forged, []Claim{{[32]byte{31: 5}, [32]byte{}}}) {
		t.Error("an aggregate for no key is valid")
	}
}

// TestAdd splits a list in every way, adds the second part to the aggregate of the first part, and compares the result
// with the aggregate of all signatures.
func TestAdd(t *testing.T) {
	claims, sigs := signed(t, oracle.New(t), 6)
	all, err := Aggregate(claims, sigs)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(claims) + 1 {
		part, err := Aggregate(claims[:i], sigs[:i])
		if err != nil {
			t.Fatal(err)
		}
		before := bytes.Clone(part)
		if got, err := Add(part, claims[:i], claims[i:], sigs[i:]); err != nil || !bytes.Equal(got, all) || !bytes.Equal(part, before) {
			t.Errorf("%d and the rest: %x, %v, want %x", i, got, err, all)
		}
		if _, err := Add(append(part, 0), claims[:i], nil, nil); !errors.Is(err, p256k1.ErrLength) {
			t.Errorf("a byte too many: %v", err)
		}
		copy(part[32*i:], bytes.Repeat([]byte{0xff}, 32))
		if _, err := Add(part, claims[:i], nil, nil); !errors.Is(err, p256k1.ErrRange) {
			t.Errorf("s = 2²⁵⁶ − 1: %v", err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("slices of unequal length: no panic")
		}
	}()
	Aggregate(claims, sigs[1:])
}

// TestCoefficients computes s of many signatures again, each with its own coefficient.
func TestCoefficients(t *testing.T) {
	claims, sigs := signed(t, oracle.New(t), 7)
	claims, sigs = slices.Repeat(claims, 200), slices.Repeat(sigs, 200)
	tag, hash, s := sha256.Sum256([]byte("HalfAgg/randomizer")), sha256.New(), new(big.Int)
	hash.Write(append(tag[:], tag[:]...))
	for i, c := range claims {
		hash.Write(slices.Concat(sigs[i][:32], c.PublicKey[:], c.Message[:]))
		z := big.NewInt(1)
		if i > 0 {
			z = oracle.Int(hash.Sum(nil))
		}
		s = oracle.Fn.Add(s, oracle.Fn.Mul(z, oracle.Int(sigs[i][32:])))
	}
	got, err := add(make([]byte, 32), nil, claims, sigs)
	if want := oracle.Bytes(s); err != nil || !bytes.Equal(got[32*len(sigs):], want[:]) || !Verify(got, claims) {
		t.Errorf("s of %d signatures is not %x, %v", len(sigs), want, err)
	}
}

// TestSizes verifies aggregates of many sizes in several goroutines, and checks that each aggregate with a changed bit
// in s is refused.
func TestSizes(t *testing.T) {
	claims, sigs := signed(t, oracle.New(t), 300)
	var all sync.WaitGroup
	for _, n := range []int{0, 1, 2, 7, 8, 9, 23, 24, 25, 64, 100, 299, 300} {
		all.Go(func() {
			aggregate, err := Aggregate(claims[:n], sigs[:n])
			if err != nil || !Verify(aggregate, claims[:n]) {
				t.Errorf("%d signatures: %v", n, err)
				return
			}
			aggregate[len(aggregate)-1] ^= 1
			if Verify(aggregate, claims[:n]) {
				t.Errorf("%d signatures, a bit of s changed: valid", n)
			}
		})
	}
	all.Wait()
}

func TestAllocs(t *testing.T) {
	claims, sigs := signed(t, oracle.New(t), 64)
	aggregate, err := Aggregate(claims, sigs)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(10, func() { Verify(aggregate, claims) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzVerify compares aggregates for none to three claims with the equation in math/big.
func FuzzVerify(f *testing.F) {
	claims, sigs := signed(f, oracle.NewSeeded("halfagg"), 3)
	for n := range byte(4) {
		aggregate, err := Aggregate(claims[:n], sigs[:n])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(n, aggregate)
		f.Add(n, aggregate[:len(aggregate)-1])
		f.Add(n, append(bytes.Clone(aggregate), 0))
		f.Add((n+1)%4, aggregate)
		for place := 0; place < len(aggregate); place += 32 {
			for _, v := range []*big.Int{new(big.Int), oracle.N, oracle.P, new(big.Int).Add(oracle.P, big.NewInt(1))} {
				changed, b := bytes.Clone(aggregate), oracle.Bytes(v)
				copy(changed[place:], b[:])
				f.Add(n, changed)
			}
			changed := bytes.Clone(aggregate)
			changed[place+31] ^= 1
			f.Add(n, changed)
		}
		if n == 0 {
			b := oracle.Bytes(oracle.N)
			f.Add(n, b[:])
		}
	}
	f.Fuzz(func(t *testing.T, n byte, aggregate []byte) {
		claims := claims[:n%4]
		if got, want := Verify(aggregate, claims), len(aggregate) == Size(len(claims)) && reference(aggregate, claims); got != want {
			t.Errorf("%x for %d claims: %v, want %v", aggregate, len(claims), got, want)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	claims, sigs := signed(b, oracle.NewSeeded("halfagg"), 1000, true)
	aggregate, err := Aggregate(claims, sigs)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("aggregate", func(b *testing.B) {
		for b.Loop() {
			Verify(aggregate, claims)
		}
	})
	b.Run("schnorr.Batch", func(b *testing.B) {
		var batch schnorr.Batch
		for b.Loop() {
			batch.Reset()
			for i := range claims {
				batch.Add(claims[i].PublicKey[:], claims[i].Message[:], sigs[i][:])
			}
			batch.Verify()
		}
	})
}

// TestClaimText stores claims as JSON.
func TestClaimText(t *testing.T) {
	in := map[string]Claim{"a": {[32]byte{1}, [32]byte{31: 2}}}
	want := `{"a":"01` + strings.Repeat("0", 124) + `02"}`
	text, err := json.Marshal(in)
	var out map[string]Claim
	if err != nil || string(text) != want || json.Unmarshal(text, &out) != nil || out["a"] != in["a"] {
		t.Errorf("%s, want %s, %v", text, want, err)
	}
	c := in["a"]
	for _, bad := range []string{"", want[6:132], want[6:134] + "00", strings.Repeat("A", 128), "0x" + want[8:134]} {
		if err := c.UnmarshalText([]byte(bad)); (!errors.Is(err, p256k1.ErrLength) && !errors.Is(err, p256k1.ErrHex)) || c != in["a"] {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
