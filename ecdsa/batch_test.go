package ecdsa

import (
	"bytes"
	"errors"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
)

// item holds the arguments of Batch.Add.
type item struct {
	pub, digest []byte
	sig         Signature
}

// valid parses the item and returns the verdict of Verify or, with lowSOnly, of VerifyLowS.
func (c item) valid(lowSOnly bool) bool {
	p, err := p256k1.ParsePublicKey(c.pub)
	return err == nil && Verify(p, c.digest, c.sig) && (!lowSOnly || c.sig.IsLowS())
}

// signed returns a valid signature by a random key.
func signed(t testing.TB, r *oracle.Rand) item {
	d, digest := r.ValidScalar(), r.Digest()
	sig, ok := oracle.SignRFC6979(d, digest[:], nil)
	if !ok {
		t.Fatal("not signed")
	}
	return item{oracle.G.Mul(d).Compressed(), digest[:], raw(sig.R, sig.S)}
}

// constructed returns a signature with R = u₁·G + u₂·q by the key q, which is valid unless R is infinity.
func constructed(q oracle.Point, u1, u2 *big.Int) (item, bool) {
	R := oracle.G.Mul(u1).Add(q.Mul(u2))
	r := big.NewInt(1)
	if !R.IsInfinity() {
		r = oracle.Fn.Reduce(R.X)
	}
	s := oracle.Fn.Mul(r, oracle.Fn.Inv(u2))
	digest := oracle.Bytes(oracle.Fn.Mul(u1, s))
	return item{q.Compressed(), digest[:], raw(r, s)}, !R.IsInfinity() && r.Sign() != 0
}

// batchItems returns items of many kinds: valid items with edge cases of u₁, u₂ and keys, items that are invalid for
// several reasons, and malformed items.
func batchItems(t testing.TB, r *oracle.Rand) (all []item) {
	good := signed(t, r)
	for range 4 {
		c := signed(t, r)
		high := oracle.ParseCompact(c.sig.rs).Negate()
		q, _ := oracle.DecodePoint(c.pub)
		all = append(all, c, item{c.pub, c.digest, raw(high.R, high.S)}, item{q.Uncompressed(), c.digest, c.sig}, item{q.Neg().Compressed(), c.digest, c.sig})
		for _, part := range []int{0, 1, 2} { // flip one bit
			b := [][]byte{bytes.Clone(c.pub), bytes.Clone(c.digest), c.sig.Bytes()}
			b[part][r.IntN(len(b[part]))] ^= 1 << r.IntN(8)
			all = append(all, item{b[0], b[1], Signature{[64]byte(b[2])}})
		}
		all = append(all, item{c.pub, good.digest, c.sig}, item{good.pub, c.digest, c.sig}, item{c.pub, c.digest, good.sig})
	}
	all = append(all, good, good, good) // the same item three times
	// Add two forged signatures whose errors cancel in the sum.
	a, b := signed(t, r), signed(t, r)
	delta := r.ValidScalar()
	sa, sb := oracle.ParseCompact(a.sig.rs), oracle.ParseCompact(b.sig.rs)
	all = append(all, item{a.pub, a.digest, raw(sa.R, oracle.Fn.Add(sa.S, delta))}, item{b.pub, b.digest, raw(sb.R, oracle.Fn.Sub(sb.S, delta))})
	for _, v := range []*big.Int{new(big.Int).Add(sa.R, oracle.N), new(big.Int).Sub(oracle.N, sa.R)} {
		if v.BitLen() <= 256 {
			all = append(all, item{a.pub, a.digest, raw(v, sa.S)})
		}
	}

	points := oracle.EdgePoints()
	if testing.Short() {
		points = points[:60]
	}
	for i, q := range points {
		u1, u2 := r.Scalar(), r.ValidScalar()
		switch i % 6 {
		case 0:
			u1 = new(big.Int)
		case 1:
			u1 = u2
		case 2:
			u1 = oracle.Fn.Neg(u2)
		case 3:
			u1 = oracle.Fn.Mul(oracle.Lambda, u2)
		case 4:
			u2 = big.NewInt(int64(1 + i%5))
		}
		c, _ := constructed(q, u1, u2)
		all = append(all, c)
		if i < 40 {
			for _, b := range oracle.BadEncodingsOf(q) { // with a signature that is valid for the point
				all = append(all, item{b, c.digest, c.sig})
			}
		}
	}
	for _, d := range []*big.Int{big.NewInt(1), add(oracle.N, -1), oracle.Lambda, big.NewInt(2), r.ValidScalar()} { // R is infinity
		u2 := r.ValidScalar()
		if c, ok := constructed(oracle.G.Mul(d), oracle.Fn.Neg(oracle.Fn.Mul(u2, d)), u2); ok {
			t.Fatal("R is not infinity")
		} else {
			all = append(all, c)
		}
	}

	// If r is below p − n, the x coordinate of R can be r or r + n. Otherwise r + n is not below p, and the signature
	// must be invalid if the x coordinate of R is r + n − p.
	wrap := new(big.Int).Sub(oracle.P, oracle.N)
	for i := range 2 {
		for _, rb := range oracle.WrapR() {
			small := oracle.Int(rb[:])
			for _, x := range []*big.Int{new(big.Int).Add(small, oracle.N), small} {
				if R, ok := oracle.LiftX(x); ok {
					s, digest := r.ValidScalar(), r.Bytes(32)
					if i == 1 {
						R = R.Neg()
					}
					q := solve(t, R, small, s, digest).Compressed()
					all = append(all, item{q, digest, raw(small, s)}, item{q, digest, raw(add(small, 1), s)})
				}
			}
		}
		for _, x := range []int64{1, 2, 3, 4, 6, 8} {
			R, _ := oracle.LiftX(big.NewInt(x))
			s, digest := r.ValidScalar(), r.Bytes(32)
			all = append(all, item{solve(t, R, add(wrap, x), s, digest).Compressed(), digest, raw(add(wrap, x), s)})
			all = append(all, item{solve(t, R, R.X, s, digest).Compressed(), digest, raw(R.X, s)})
		}
	}
	all = append(all, item{good.pub, good.digest, raw(wrap, big.NewInt(1))})

	// The parsers refuse most of the following signatures, and all keys in oracle.BadEncodings and oracle.BadX.
	for _, rb := range oracle.RangeEdges() {
		for _, sb := range oracle.RangeEdges() {
			all = append(all, item{good.pub, good.digest, raw(oracle.Int(rb[:]), oracle.Int(sb[:]))})
		}
	}
	for _, b := range oracle.BadEncodings() {
		all = append(all, item{b, good.digest, good.sig})
	}
	for _, x := range oracle.BadX() {
		all = append(all, item{append([]byte{2}, x[:]...), good.digest, good.sig}, item{append([]byte{3}, x[:]...), good.digest, good.sig})
	}
	for n := range 67 {
		all = append(all, item{good.pub[:min(n, 32)], good.digest, good.sig}, item{good.pub, bytes.Repeat(good.digest, 3)[:n], good.sig})
	}
	return append(all, item{}, item{good.pub, good.digest, Signature{}}, item{nil, good.digest, good.sig}, item{good.pub, nil, good.sig})
}

// addTo adds the item to b, by Add, AddDER or AddKey, and then overwrites the arguments.
func (c item) addTo(b *Batch, r *oracle.Rand) {
	pub, digest := bytes.Clone(c.pub), bytes.Clone(c.digest)
	if p, err := p256k1.ParsePublicKey(pub); err == nil && r.IntN(2) == 0 {
		if r.IntN(16) == 0 {
			p = p.Precomputed()
		}
		b.AddKey(p, digest, c.sig)
		*p = p256k1.PublicKey{}
	} else if r.IntN(2) == 0 {
		der := c.sig.DER()
		b.AddDER(pub, digest, der)
		clear(der)
	} else {
		b.Add(pub, digest, c.sig)
	}
	for i := range pub {
		pub[i] ^= 0x55
	}
	for i := range digest {
		digest[i] ^= 0x55
	}
}

// check compares the verdicts on all items with want.
func (b *Batch) check(t testing.TB, want []int) {
	t.Helper()
	for range 2 { // the second time all items are already verified
		if got := b.Invalid(nil); !slices.Equal(got, want) {
			t.Fatalf("of %d items these are invalid: %v, want %v", b.Len(), got, want)
		}
		if b.Verify() != (len(want) == 0) {
			t.Fatalf("%d of %d items are invalid, and Verify is %v", len(want), b.Len(), b.Verify())
		}
	}
	if got := b.Invalid([]int{-1, 1 << 30}); !slices.Equal(got, append([]int{-1, 1 << 30}, want...)) {
		t.Fatalf("appended %v, want %v", got, want)
	}
}

// TestBatch compares the verdicts of batches with the results of Verify and VerifyLowS, for many sizes and all kinds of
// items, in random order.
func TestBatch(t *testing.T) {
	r := oracle.New(t)
	all := batchItems(t, r)
	verdicts := make(map[[2]bool]int)
	want := make([][2]bool, len(all)) // the verdicts with any s, and with low s only
	for i, c := range all {
		want[i] = [2]bool{c.valid(false), c.valid(true)}
		verdicts[want[i]]++
	}
	if verdicts[[2]bool{true, true}] < 30 || verdicts[[2]bool{true, false}] < 10 || verdicts[[2]bool{}] < 100 {
		t.Fatalf("items by verdict: %v", verdicts)
	}

	var b Batch
	b.check(t, nil)
	sizes := []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 255, 256, 257, len(all), 2*len(all) + 3}
	for _, size := range sizes {
		b.Reset()
		order := make([]int, 0, size)
		for range size {
			order = append(order, r.IntN(len(all)))
		}
		if size >= len(all) {
			for i := range all {
				order[i] = i
			}
		}
		var invalid [2][]int
		judge := r.IntN(size) // the verdicts are also checked right after this item
		for place, i := range order {
			all[i].addTo(&b, r)
			if b.Len() != place+1 {
				t.Fatalf("%d items have length %d", place+1, b.Len())
			}
			for j, ok := range want[i] {
				if !ok {
					invalid[j] = append(invalid[j], place)
				}
			}
			if place == judge {
				b.check(t, invalid[0])
			}
		}
		b.LowSOnly = true
		b.check(t, invalid[1])
		b.LowSOnly = false
		b.check(t, invalid[0])
	}
}

// TestBatchValid verifies batches of valid items, and batches with one invalid item at each position.
func TestBatchValid(t *testing.T) {
	r := oracle.New(t)
	bad := batchItems(t, r)
	bad = slices.DeleteFunc(bad, func(c item) bool { return c.valid(false) })
	var good []item
	for range 20 {
		good = append(good, signed(t, r))
	}
	var b Batch
	for n := range len(good) + 1 {
		for place := -1; place < n; place++ {
			b.Reset()
			var want []int
			for i, c := range good[:n] {
				if i == place {
					c, want = bad[r.IntN(len(bad))], []int{i}
				}
				c.addTo(&b, r)
			}
			b.check(t, want)
		}
	}
}

// TestBatchFewKeys verifies many signatures by each of a few keys, in random order. They include invalid signatures,
// signatures whose R is infinity, and signatures by opposite and by invalid keys.
func TestBatchFewKeys(t *testing.T) {
	r := oracle.New(t)
	q := r.Point()
	keys := []oracle.Point{q, q.Neg(), oracle.G, oracle.G.Neg().Endo(), r.Point()}
	bad := oracle.BadX()
	var all []item
	for i := range 60 {
		q := keys[i%len(keys)]
		u1, u2 := r.Scalar(), r.ValidScalar()
		switch r.IntN(8) {
		case 0:
			u1 = new(big.Int)
		case 1:
			u1 = oracle.Fn.Neg(u2) // R is infinity if the key is G
		case 2:
			u1 = oracle.Fn.Mul(oracle.Lambda, u2)
		case 3:
			u2 = big.NewInt(int64(1 + i%5))
		}
		c, _ := constructed(q, u1, u2)
		all = append(all, c, item{q.Uncompressed(), c.digest, c.sig}, item{q.Neg().Compressed(), c.digest, c.sig})
		wrong := bytes.Clone(c.digest)
		wrong[r.IntN(32)] ^= 1 << r.IntN(8)
		all = append(all, item{c.pub, wrong, c.sig}, item{append([]byte{2}, bad[i%2][:]...), c.digest, c.sig},
			item{append([]byte{5}, c.pub[1:]...), c.digest, c.sig})
	}
	verdict := make([]bool, len(all))
	for i, c := range all {
		verdict[i] = c.valid(false)
	}
	var b Batch
	for _, size := range []int{2, 3, 5, 9, 16, 40, 100, 255, 256, 257, 600} {
		b.Reset()
		var want []int
		for j := range size {
			i := r.IntN(len(all))
			if !verdict[i] {
				want = append(want, j)
			}
			all[i].addTo(&b, r)
		}
		b.check(t, want)
	}
}

// TestBatchDifferential compares batches of new signatures with Verify. One item in eight is damaged, and another one
// is of a kind that may have no verdict in lanes: u₁·G = ±u₂·Q, small u₁ or u₂, small keys, or malformed input.
func TestBatchDifferential(t *testing.T) {
	r := oracle.New(t)
	special := batchItems(t, r)
	for range 200 {
		d, u2 := r.ValidScalar(), r.ValidScalar()
		if r.IntN(2) == 0 {
			d = big.NewInt(1 + r.Int64N(8))
		}
		if r.IntN(4) == 0 {
			u2 = big.NewInt(1 + r.Int64N(8))
		}
		same := oracle.Fn.Mul(d, u2)
		u1 := []*big.Int{same, oracle.Fn.Neg(same), oracle.Fn.Mul(oracle.Lambda, same), new(big.Int), big.NewInt(1), u2}[r.IntN(6)]
		c, _ := constructed(oracle.G.Mul(d), u1, u2)
		special = append(special, c)
	}
	n, invalid := oracle.Cases(5000), 0
	var b Batch
	for done := 0; done < n; {
		size := 1 + r.IntN(40)
		if r.IntN(8) == 0 {
			size = parts.Sums - 20 + r.IntN(300)
		}
		b.Reset()
		var want []int
		for i := range size {
			c := special[r.IntN(len(special))]
			if kind := r.IntN(8); kind != 0 {
				key := libtest.Must(p256k1.ParsePrivateKey(r.Bytes(32)))
				digest := r.Bytes(32)
				c = item{key.PublicKey().Bytes(), digest, libtest.Must(Sign(key, digest, nil))}
				damaged := [][]byte{c.digest, c.pub, c.sig.rs[:]}[r.IntN(3)]
				if kind == 1 {
					damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
				}
			}
			if !c.valid(false) {
				want = append(want, i)
			}
			c.addTo(&b, r)
		}
		if got := b.Invalid(nil); !slices.Equal(got, want) {
			t.Fatalf("of %d items these are invalid: %v, want %v", size, got, want)
		}
		done, invalid = done+size, invalid+len(want)
	}
	t.Logf("result: %d signatures in batches with Verify, of which %d are invalid", n, invalid)
}

// TestBatchAddDER compares verdicts on damaged DER with the results of VerifyDER. AddDER does not allocate, even for
// malformed signatures, which a peer can send without end.
func TestBatchAddDER(t *testing.T) {
	c := signed(t, oracle.New(t))
	der := c.sig.DER()
	ders := [][]byte{nil, {}, der, der[:len(der)-1], append(der[:len(der):len(der)], 1), c.sig.Bytes(), append([]byte{0x30, 6, 2, 1, 0, 2, 1}, 1), make([]byte, 100)}
	for i := range der {
		for bit := range 8 {
			d := bytes.Clone(der)
			d[i] ^= 1 << bit
			ders = append(ders, d)
		}
	}
	high := raw(oracle.Int(c.sig.rs[:32]), oracle.Fn.Neg(oracle.Int(c.sig.rs[32:])))
	ders = append(ders, high.DER())
	var b Batch
	var want []int
	fill := func() {
		b.Reset()
		for _, d := range ders {
			b.AddDER(c.pub, c.digest, d)
		}
	}
	fill()
	for i, d := range ders {
		if !VerifyDER(c.pub, c.digest, d) {
			want = append(want, i)
		}
	}
	b.check(t, want)
	b.LowSOnly = true
	b.check(t, append(want, len(ders)-1))
	if len(want) != len(ders)-2 {
		t.Errorf("%d of %d are invalid", len(want), len(ders))
	}
	if allocs := testing.AllocsPerRun(5, fill); allocs != 0 {
		t.Errorf("AddDER allocates: %v for %d signatures", allocs, len(ders))
	}
}

// TestBatchNoKey adds keys that are nil or were never set. The last signature has R = z/s·G, so it would be valid if an
// unset key counted as infinity.
func TestBatchNoKey(t *testing.T) {
	good := signed(t, oracle.New(t))
	p, err := p256k1.ParsePublicKey(good.pub)
	if err != nil {
		t.Fatal(err)
	}
	var b Batch
	b.AddKey(nil, good.digest, good.sig)
	b.AddKey(p, good.digest, good.sig)
	b.AddKey(new(p256k1.PublicKey), good.digest, good.sig)
	z := oracle.Fn.Reduce(oracle.Int(good.digest))
	b.AddKey(new(p256k1.PublicKey), good.digest, raw(oracle.G.X, z))
	b.check(t, []int{0, 2, 3})
}

// TestRecoverBatch compares the keys with the results of Recover.
func TestRecoverBatch(t *testing.T) {
	r := oracle.New(t)
	var digests [][]byte
	var sigs []RecoverableSignature
	for _, c := range batchItems(t, r) {
		ids := []byte{byte(r.IntN(2)), 2, 3}
		if oracle.Int(c.sig.rs[:16]).Sign() == 0 {
			ids = append(ids, 0, 1, 4, 255)
		}
		for _, id := range ids {
			digests = append(digests, c.digest)
			sigs = append(sigs, RecoverableSignature{[65]byte(append(c.sig.rs[:], id))})
		}
	}
	order := make([]int, len(sigs))
	for i := range order {
		order[i] = i
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	count := 0
	for from, size := 0, 0; from < len(order); from, size = from+size, size*2+1 {
		part := order[from:min(from+size, len(order))]
		d, s, keys := make([][]byte, len(part)), make([]RecoverableSignature, len(part)), make([]p256k1.PublicKey, len(part))
		for i, place := range part {
			d[i], s[i], keys[i] = digests[place], sigs[place], *libtest.Private(t, big.NewInt(5)).PublicKey()
		}
		libtest.CheckFailures(t, RecoverBatch(keys, d, s), checkRecovered(t, keys, d, s))
		for i := range keys {
			if keys[i].Bytes() != nil {
				count++
			}
		}
	}
	if count < 50 || count > len(sigs)-200 {
		t.Errorf("recovered %d of %d", count, len(sigs))
	}
}

// checkRecovered compares keys with the results of Recover, and returns the reasons of the items without a key.
func checkRecovered(t *testing.T, keys []p256k1.PublicKey, digests [][]byte, sigs []RecoverableSignature) map[int]error {
	t.Helper()
	reasons := make(map[int]error)
	for i := range keys {
		want, err := Recover(digests[i], sigs[i])
		switch {
		case (err == nil && !keys[i].Equal(want)) || (err != nil && keys[i].Bytes() != nil):
			t.Fatalf("item %d of %d, digest %x, signature %x: %v, want %v (%v)", i, len(keys), digests[i], sigs[i].Bytes(), keys[i], want, err)
		case errors.Is(err, ErrRecover):
			reasons[i] = ErrRecover
		case err != nil:
			reasons[i] = p256k1.ErrLength
		}
	}
	return reasons
}

// TestSignBatch compares the signatures with the oracle's signatures, with all options.
func TestSignBatch(t *testing.T) {
	r := oracle.New(t)
	digests := [][]byte{make([]byte, 32), bytes.Repeat([]byte{0xff}, 32)}
	for _, v := range []*big.Int{big.NewInt(1), add(oracle.N, -1), oracle.N, add(oracle.N, 1)} {
		b := oracle.Bytes(v)
		digests = append(digests, b[:])
	}
	all := []*big.Int{big.NewInt(1), add(oracle.N, -1)}
	for range 8 {
		all = append(all, r.ValidScalar())
		digests = append(digests, r.Bytes(32))
	}
	for i, size := range []int{0, 1, 2, 3, 7, 8, 9, 17, 64, 255, 256, 257, 300} {
		opts := everyOption(r)[i%6]
		keys, d, want := make([]*p256k1.PrivateKey, size), make([][]byte, size), make([]RecoverableSignature, size)
		dst, recoverable := make([]Signature, size), make([]RecoverableSignature, size)
		for i := range size {
			key := all[r.IntN(len(all))]
			keys[i], d[i] = libtest.Private(t, key), digests[r.IntN(len(digests))]
			want[i] = wantSign(key, d[i], opts)
		}
		if err := errors.Join(SignBatch(dst, keys, d, opts), SignRecoverableBatch(recoverable, keys, d, opts)); err != nil {
			t.Fatal(err)
		}
		for i := range size {
			if dst[i] != want[i].Signature() || recoverable[i] != want[i] {
				t.Fatalf("item %d of %d, %+v: %x and %x, want %x", i, size, opts, dst[i], recoverable[i], want[i])
			}
		}
		if size == 0 {
			continue
		}
		// Item at has an invalid key or digest, and in the end the last item too.
		place := r.IntN(size)
		wiped := libtest.Private(t, big.NewInt(5))
		wiped.Zero()
		check := func(reasons map[int]error) {
			t.Helper()
			for _, err := range []error{SignBatch(dst, keys, d, opts), SignRecoverableBatch(recoverable, keys, d, opts)} {
				libtest.CheckFailures(t, err, reasons)
			}
			for i := range size {
				want := want[i]
				if reasons[i] != nil {
					want = RecoverableSignature{}
				}
				if dst[i] != want.Signature() || recoverable[i] != want {
					t.Fatalf("item %d of %d: %x and %x, want %x", i, size, dst[i], recoverable[i], want)
				}
			}
		}
		for _, none := range []*p256k1.PrivateKey{nil, new(p256k1.PrivateKey), wiped} {
			k := keys[place]
			keys[place] = none
			check(map[int]error{place: p256k1.ErrNoKey})
			keys[place] = k
		}
		for _, n := range []int{0, 31, 33} {
			digest := d[place]
			d[place] = make([]byte, n)
			check(map[int]error{place: p256k1.ErrLength})
			d[place] = digest
		}
		keys[size-1], d[place] = nil, nil
		reasons := map[int]error{size - 1: p256k1.ErrNoKey}
		reasons[place] = p256k1.ErrLength
		check(reasons)
	}
}

// TestSigning checks signing.sign without the calls of SignRecoverable that follow in signBatch for rejected nonces,
// because the results of SignRecoverable would hide errors in signing.sign.
func TestSigning(t *testing.T) {
	r := oracle.New(t)
	var s signing
	for _, n := range []int{1, 9, 3} {
		keys, digests, want := make([]*p256k1.PrivateKey, n), make([][]byte, n), make([]RecoverableSignature, n)
		entropy := [32]byte(r.Bytes(32))
		for i := range n {
			d := r.ValidScalar()
			keys[i], digests[i] = libtest.Private(t, d), r.Bytes(32)
			want[i] = wantSign(d, digests[i], &Options{Entropy: &entropy})
		}
		keys[n/2] = nil
		s.sign(keys, digests, &entropy)
		for i := range n {
			if s.ok[i] != (i != n/2) || (s.ok[i] && s.sigs[i] != want[i]) {
				t.Errorf("item %d of %d: %x, %v, want %x", i, n, s.sigs[i], s.ok[i], want[i])
			}
		}
		for i := range s.k {
			if s.d[i].IsZero()&s.k[i].IsZero()&s.inverse[i].IsZero() == 0 {
				t.Fatal("a key, a nonce or its inverse was left")
			}
		}
	}
	// A pair with r = 0 or s = 0 is not a signature.
	one, R := libtest.Scalar(t, big.NewInt(1)), new(curve.Point).SetGenerator()
	x := oracle.Fn.Reduce(oracle.G.X)
	var sig RecoverableSignature
	if sig.set(one, libtest.Scalar(t, oracle.Fn.Neg(x)), one, R) || !sig.set(one, libtest.Scalar(t, x), one, R) {
		t.Error("s = 0 is not refused, or another is")
	}
	ofN, ok := oracle.LiftX(oracle.N) // r would be 0
	if !ok {
		t.Fatal("no such point")
	}
	for _, R := range []*curve.Point{libtest.Public(t, ofN).Point(), new(curve.Point)} {
		if sig.set(one, one, one, R) {
			t.Error("r = 0 is not refused")
		}
	}
}

// TestBatchReset resets a batch before Verify or Invalid is called.
func TestBatchReset(t *testing.T) {
	r := oracle.New(t)
	good, bad := signed(t, r), signed(t, r)
	bad.digest[5] ^= 1
	key, err := p256k1.ParsePublicKey(good.pub)
	if err != nil {
		t.Fatal(err)
	}
	var b Batch
	for range 3 {
		b.Add(good.pub, good.digest, good.sig)
		b.AddKey(key, good.digest, good.sig)
		b.Reset()
		b.Add(bad.pub, bad.digest, bad.sig)
		b.Add(bad.pub, bad.digest, bad.sig)
		b.check(t, []int{0, 1})
		b.Reset()
	}
}

// TestRecoverMany recovers as many keys as are computed at a time, and more.
func TestRecoverMany(t *testing.T) {
	key := libtest.Private(t, big.NewInt(5))
	digest := bytes.Repeat([]byte{7}, 32)
	sig, err := SignRecoverable(key, digest, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{parts.Sums, parts.Sums + 1, 2*parts.Sums + 3} {
		keys, digests, sigs := make([]p256k1.PublicKey, n), slices.Repeat([][]byte{digest}, n), slices.Repeat([]RecoverableSignature{sig}, n)
		allocs := testing.AllocsPerRun(10, func() { err = RecoverBatch(keys, digests, sigs) })
		if err != nil {
			t.Error(err)
		}
		if allocs >= 100 { // n allocations would be one for each key; the pool's scratch memory may be allocated again
			t.Errorf("RecoverBatch allocates %v times for %d keys", allocs, n)
		}
		for i := range keys {
			if !keys[i].Equal(key.PublicKey()) {
				t.Fatalf("key %d of %d is %v", i, n, keys[i])
			}
		}
	}
}

// TestBatchMany verifies items of more keys than the other tests have, as points and as bytes, and finds two that are
// invalid among the last.
func TestBatchMany(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 100
	}
	private := libtest.Must(p256k1.GenerateKeys(n))
	sigs, digests := make([]Signature, n), slices.Repeat([][]byte{bytes.Repeat([]byte{7}, 32)}, n)
	libtest.Check(t, SignBatch(sigs, private, digests, nil))
	sigs[n-30], sigs[n-3] = sigs[0], Signature{}
	for _, encoded := range []bool{false, true} {
		var b Batch
		for i, key := range private {
			if encoded {
				b.Add(key.PublicKey().Bytes(), digests[0], sigs[i])
			} else {
				b.AddKey(key.PublicKey(), digests[0], sigs[i])
			}
		}
		if bad := b.Invalid(nil); !slices.Equal(bad, []int{n - 30, n - 3}) {
			t.Errorf("%d invalid ones, the first of which are %v", len(bad), bad[:min(9, len(bad))])
		}
	}
}
