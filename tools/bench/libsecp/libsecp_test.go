package libsecp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
)

// newContext skips the test on a machine without libsecp256k1, unless CI meant
// the library to be there.
func newContext(tb testing.TB) *Context {
	tb.Helper()
	l, err := Default()
	if err != nil {
		if os.Getenv("CI") == "true" && os.Getenv(EnvPath) != "" {
			tb.Fatalf("%s is set, so the library must load: %v", EnvPath, err)
		}
		tb.Skipf("NOT TESTED: %v", err)
	}
	c, err := l.NewContext()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c
}

func unhex(tb testing.TB, s string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// order is n, and generator the compressed G.
const (
	order     = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
	generator = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
)

// random32 yields bytes that are a valid secret key but for a probability of
// 2^-128.
func random32(r *rand.Rand) (b [32]byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func TestOpenNamesWhatIsMissing(t *testing.T) {
	const path = "/nonexistent/libsecp256k1.so"
	_, err := Open(path)
	if err == nil || errors.Is(err, ErrNotFound) || !bytes.Contains([]byte(err.Error()), []byte(path)) {
		t.Errorf("Open(%q): error %v, want one that names the file", path, err)
	}
	t.Setenv(EnvPath, path)
	if _, err := Open(""); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("Open with %s naming a missing file: error %v, want one from the loader", EnvPath, err)
	}
}

func TestKeys(t *testing.T) {
	c := newContext(t)
	one := [32]byte{31: 1}
	if pub, ok := c.PubkeyCreate(&one); !ok || !bytes.Equal(pub[:], unhex(t, generator)) {
		t.Errorf("PubkeyCreate(1) = %x, %v", pub, ok)
	}
	zero, n := [32]byte{}, [32]byte(unhex(t, order))
	for _, bad := range [][32]byte{zero, n} {
		if c.SeckeyVerify(&bad) {
			t.Errorf("SeckeyVerify(%x) = true", bad)
		}
		if _, ok := c.PubkeyCreate(&bad); ok {
			t.Errorf("PubkeyCreate(%x) accepted", bad)
		}
		if _, ok := c.LoadKeypair(&bad); ok {
			t.Errorf("LoadKeypair(%x) accepted", bad)
		}
		if _, ok := c.ECDSASign(&bad, &one, nil); ok {
			t.Errorf("ECDSASign with key %x accepted", bad)
		}
	}
	if _, ok := c.SeckeyTweakAdd(&one, &n); ok {
		t.Error("SeckeyTweakAdd accepted n")
	}

	r := newRand()
	for range 50 {
		d, tweak := random32(r), random32(r)
		p33, ok33 := c.PubkeyCreate(&d)
		p65, ok65 := c.PubkeyCreateUncompressed(&d)
		if !ok33 || !ok65 || !bytes.Equal(p33[1:], p65[1:33]) {
			t.Fatalf("PubkeyCreate(%x) = %x and %x", d, p33, p65)
		}
		hybrid := p65
		hybrid[0] = 6 | p65[64]&1
		for _, encoded := range [][]byte{p33[:], p65[:], hybrid[:]} {
			if got, ok := c.PubkeyParse(encoded); !ok || got != p33 {
				t.Fatalf("PubkeyParse(%x) = %x, %v", encoded, got, ok)
			}
			if got, ok := c.PubkeyParseUncompressed(encoded); !ok || got != p65 {
				t.Fatalf("PubkeyParseUncompressed(%x) = %x, %v", encoded, got, ok)
			}
			if _, ok := c.PubkeyParse(encoded[:len(encoded)-1]); ok {
				t.Fatalf("PubkeyParse accepted %x without its last byte", encoded)
			}
		}
		if _, ok := c.PubkeyParse(nil); ok {
			t.Fatal("PubkeyParse(nil) accepted")
		}

		// What is done to the secret key must give what is done to the public one.
		check := func(what string, secret [32]byte, ok1 bool, public [33]byte, ok2 bool) {
			t.Helper()
			if want, ok := c.PubkeyCreate(&secret); !ok || !ok1 || !ok2 || public != want {
				t.Fatalf("%s: %x, public key %x, want %x", what, secret, public, want)
			}
		}
		sa, ok1 := c.SeckeyTweakAdd(&d, &tweak)
		pa, ok2 := c.PubkeyTweakAdd(p33[:], &tweak)
		check("tweak add", sa, ok1, pa, ok2)
		sm, ok1 := c.SeckeyTweakMul(&d, &tweak)
		pm, ok2 := c.PubkeyTweakMul(p65[:], &tweak)
		check("tweak mul", sm, ok1, pm, ok2)
		sn, ok1 := c.SeckeyNegate(&d)
		pn, ok2 := c.PubkeyNegate(p33[:])
		check("negate", sn, ok1, pn, ok2)
		q33, _ := c.PubkeyCreate(&tweak)
		sum, ok2 := c.PubkeyCombine(p33[:], q33[:])
		check("combine", sa, true, sum, ok2)
		if _, ok := c.PubkeyCombine(p33[:], pn[:]); ok {
			t.Fatal("PubkeyCombine of a key and its negative accepted")
		}
		even := d
		if p33[0] == 3 {
			even = sn
		}
		x := [32]byte(p33[1:])
		se, ok1 := c.SeckeyTweakAdd(&even, &tweak)
		pe, ok2 := c.XOnlyTweakAdd(&x, &tweak)
		check("x-only tweak add", se, ok1, pe, ok2)
	}
	if _, ok := c.PubkeyCombine(); ok {
		t.Error("PubkeyCombine of nothing accepted")
	}
}

func TestECDSA(t *testing.T) {
	c := newContext(t)
	r := newRand()
	for range 50 {
		d, digest, entropy := random32(r), random32(r), random32(r)
		pub, _ := c.PubkeyCreate(&d)
		sig, ok := c.ECDSASign(&d, &digest, nil)
		if !ok || !c.ECDSAVerify(pub[:], &digest, &sig) {
			t.Fatalf("ECDSASign(%x, %x) = %x, %v: does not verify", d, digest, sig, ok)
		}
		der, n, ok := c.ECDSASignDER(&d, &digest, nil)
		if !ok || !c.ECDSAVerifyDER(pub[:], &digest, der[:n]) {
			t.Fatalf("ECDSASignDER(%x, %x) = %x, %v: does not verify", d, digest, der[:n], ok)
		}
		if c.ECDSAVerifyDER(pub[:], &digest, der[:n-1]) {
			t.Fatal("ECDSAVerifyDER accepted a cut signature")
		}
		if got, ok := c.ECDSAParseDER(der[:n]); !ok || got != sig {
			t.Fatalf("ECDSAParseDER(%x) = %x, %v, want %x", der[:n], got, ok, sig)
		}
		if got, m, ok := c.ECDSASerializeDER(&sig); !ok || !bytes.Equal(got[:m], der[:n]) {
			t.Fatalf("ECDSASerializeDER(%x) = %x, %v, want %x", sig, got[:m], ok, der[:n])
		}
		other, ok := c.ECDSASign(&d, &digest, &entropy)
		if !ok || other == sig || !c.ECDSAVerify(pub[:], &digest, &other) {
			t.Fatalf("ECDSASign with entropy = %x, %v", other, ok)
		}

		s := [32]byte(sig[32:])
		high, _ := c.SeckeyNegate(&s)
		mirrored := sig
		copy(mirrored[32:], high[:])
		if c.ECDSAVerify(pub[:], &digest, &mirrored) {
			t.Fatal("ECDSAVerify accepted s in the upper half")
		}
		if got, wasHigh, ok := c.ECDSANormalize(&mirrored); !ok || !wasHigh || got != sig {
			t.Fatalf("ECDSANormalize(%x) = %x, %v, %v", mirrored, got, wasHigh, ok)
		}
		if got, wasHigh, ok := c.ECDSANormalize(&sig); !ok || wasHigh || got != sig {
			t.Fatalf("ECDSANormalize(%x) = %x, %v, %v", sig, got, wasHigh, ok)
		}

		rsig, ok := c.RecoverableSign(&d, &digest, nil)
		if !ok || [64]byte(rsig[:64]) != sig {
			t.Fatalf("RecoverableSign = %x, %v, want %x", rsig, ok, sig)
		}
		if got, ok := c.Recover(&digest, &rsig); !ok || got != pub {
			t.Fatalf("Recover = %x, %v, want %x", got, ok, pub)
		}
		rsig[64] ^= 1
		if got, _ := c.Recover(&digest, &rsig); got == pub {
			t.Fatal("Recover with the other recovery id gave the same key")
		}
		rsig[64] = 4
		if _, ok := c.Recover(&digest, &rsig); ok {
			t.Fatal("Recover accepted recovery id 4")
		}

		digest[0] ^= 1
		if c.ECDSAVerify(pub[:], &digest, &sig) {
			t.Fatal("ECDSAVerify accepted another digest")
		}
	}
	overflow := [64]byte{63: 1}
	copy(overflow[:], unhex(t, order))
	if c.ECDSAParseCompact(&overflow) {
		t.Error("ECDSAParseCompact accepted r = n")
	}
}

// Row 1 of the vectors of BIP-340.
func TestSchnorrVector(t *testing.T) {
	c := newContext(t)
	d := [32]byte(unhex(t, "b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfef"))
	pub := [32]byte(unhex(t, "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"))
	aux := [32]byte{31: 1}
	msg := [32]byte(unhex(t, "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"))
	want := [64]byte(unhex(t, "6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de3341"+
		"8906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a"))
	pair, ok := c.LoadKeypair(&d)
	if !ok {
		t.Fatal("LoadKeypair refused the key")
	}
	if sig, ok := c.SchnorrSign(&pair, &msg, &aux); !ok || sig != want {
		t.Errorf("SchnorrSign = %x, %v, want %x", sig, ok, want)
	}
	if sig, ok := c.SchnorrSignCustom(&pair, msg[:], &aux); !ok || sig != want {
		t.Errorf("SchnorrSignCustom = %x, %v, want %x", sig, ok, want)
	}
	if !c.SchnorrVerify(&pub, msg[:], &want) {
		t.Error("SchnorrVerify refused the signature")
	}
	// Row 5: no point has this x.
	pub = [32]byte(unhex(t, "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34"))
	if c.XOnlyParse(&pub) || c.SchnorrVerify(&pub, msg[:], &want) {
		t.Error("an x that is not on the curve was accepted")
	}
}

func TestSchnorr(t *testing.T) {
	c := newContext(t)
	r := newRand()
	msg := make([]byte, 5001)
	for i := range msg {
		msg[i] = byte(r.Uint32())
	}
	for _, n := range []int{0, 1, 31, 32, 33, 64, 65, 1000, 5000, 100} {
		d, aux := random32(r), random32(r)
		pair, ok := c.LoadKeypair(&d)
		if !ok {
			t.Fatal("LoadKeypair refused the key")
		}
		p33, _ := c.PubkeyCreate(&d)
		pub := [32]byte(p33[1:])
		for _, a := range []*[32]byte{nil, {}, &aux} {
			sig, ok := c.SchnorrSignCustom(&pair, msg[:n], a)
			if !ok || !c.SchnorrVerify(&pub, msg[:n], &sig) {
				t.Fatalf("SchnorrSignCustom over %d bytes = %x, %v: does not verify", n, sig, ok)
			}
			if c.SchnorrVerify(&pub, msg[:n+1], &sig) {
				t.Fatalf("SchnorrVerify accepted a signature over %d bytes for %d", n, n+1)
			}
			if n == 32 {
				if got, ok := c.SchnorrSign(&pair, (*[32]byte)(msg), a); !ok || got != sig {
					t.Fatalf("SchnorrSign = %x, %v, want %x as SchnorrSignCustom", got, ok, sig)
				}
			}
		}
	}
}

func TestECDH(t *testing.T) {
	c := newContext(t)
	r := newRand()
	for range 20 {
		a, b := random32(r), random32(r)
		pa, _ := c.PubkeyCreate(&a)
		pb, _ := c.PubkeyCreate(&b)
		ka, _ := c.LoadPubkey(pa[:])
		kb, _ := c.LoadPubkey(pb[:])
		ab, ok1 := c.ECDH(&kb, &a)
		ba, ok2 := c.ECDH(&ka, &b)
		product, _ := c.PubkeyTweakMul(pb[:], &a)
		if x, ok := c.ECDHX(&kb, &a); !ok || x != [32]byte(product[1:]) {
			t.Fatalf("ECDHX = %x, %v, want %x", x, ok, product[1:])
		}
		if want := sha256.Sum256(product[:]); !ok1 || !ok2 || ab != want || ba != want {
			t.Fatalf("ECDH = %x and %x, want %x", ab, ba, want)
		}
	}
}

// One context per goroutine is all it takes.
func TestConcurrent(t *testing.T) {
	var group sync.WaitGroup
	for i := range 4 {
		c := newContext(t)
		group.Go(func() {
			r := rand.New(rand.NewPCG(3, uint64(i)))
			for range 200 {
				d, digest := random32(r), random32(r)
				pub, _ := c.PubkeyCreate(&d)
				sig, ok := c.ECDSASign(&d, &digest, nil)
				if !ok || !c.ECDSAVerify(pub[:], &digest, &sig) {
					t.Error("signature does not verify")
					return
				}
			}
		})
	}
	group.Wait()
}

// fixture holds valid arguments for every operation.
type fixture struct {
	d, tweak, digest, aux, x [32]byte
	pub                      [33]byte
	sig, schnorr             [64]byte
	rsig                     [65]byte
	der                      []byte
	key                      Pubkey
	pair                     Keypair
	long                     []byte
}

func newFixture(c *Context) *fixture {
	r := newRand()
	f := &fixture{d: random32(r), tweak: random32(r), digest: random32(r), aux: random32(r), long: make([]byte, 300)}
	f.pub, _ = c.PubkeyCreate(&f.d)
	f.x = [32]byte(f.pub[1:])
	f.sig, _ = c.ECDSASign(&f.d, &f.digest, nil)
	f.rsig, _ = c.RecoverableSign(&f.d, &f.digest, nil)
	der, n, _ := c.ECDSASignDER(&f.d, &f.digest, nil)
	f.der = der[:n]
	f.key, _ = c.LoadPubkey(f.pub[:])
	f.pair, _ = c.LoadKeypair(&f.d)
	f.schnorr, _ = c.SchnorrSignCustom(&f.pair, f.long, &f.aux)
	return f
}

func (f *fixture) operations(c *Context) map[string]func() bool {
	return map[string]func() bool{
		"SeckeyVerify":             func() bool { return c.SeckeyVerify(&f.d) },
		"SeckeyNegate":             func() bool { _, ok := c.SeckeyNegate(&f.d); return ok },
		"SeckeyTweakAdd":           func() bool { _, ok := c.SeckeyTweakAdd(&f.d, &f.tweak); return ok },
		"SeckeyTweakMul":           func() bool { _, ok := c.SeckeyTweakMul(&f.d, &f.tweak); return ok },
		"PubkeyCreate":             func() bool { _, ok := c.PubkeyCreate(&f.d); return ok },
		"PubkeyCreateUncompressed": func() bool { _, ok := c.PubkeyCreateUncompressed(&f.d); return ok },
		"PubkeyParse":              func() bool { _, ok := c.PubkeyParse(f.pub[:]); return ok },
		"PubkeyParseUncompressed":  func() bool { _, ok := c.PubkeyParseUncompressed(f.pub[:]); return ok },
		"PubkeyNegate":             func() bool { _, ok := c.PubkeyNegate(f.pub[:]); return ok },
		"PubkeyTweakAdd":           func() bool { _, ok := c.PubkeyTweakAdd(f.pub[:], &f.tweak); return ok },
		"PubkeyTweakMul":           func() bool { _, ok := c.PubkeyTweakMul(f.pub[:], &f.tweak); return ok },
		"PubkeyCombine":            func() bool { _, ok := c.PubkeyCombine(f.pub[:], f.pub[:]); return ok },
		"LoadPubkey":               func() bool { _, ok := c.LoadPubkey(f.pub[:]); return ok },
		"LoadKeypair":              func() bool { _, ok := c.LoadKeypair(&f.d); return ok },
		"ECDH":                     func() bool { _, ok := c.ECDH(&f.key, &f.d); return ok },
		"ECDSASign":                func() bool { _, ok := c.ECDSASign(&f.d, &f.digest, nil); return ok },
		"ECDSASignEntropy":         func() bool { _, ok := c.ECDSASign(&f.d, &f.digest, &f.aux); return ok },
		"ECDSASignDER":             func() bool { _, _, ok := c.ECDSASignDER(&f.d, &f.digest, nil); return ok },
		"ECDSAVerify":              func() bool { return c.ECDSAVerify(f.pub[:], &f.digest, &f.sig) },
		"ECDSAVerifyDER":           func() bool { return c.ECDSAVerifyDER(f.pub[:], &f.digest, f.der) },
		"ECDSAParseCompact":        func() bool { return c.ECDSAParseCompact(&f.sig) },
		"ECDSAParseDER":            func() bool { _, ok := c.ECDSAParseDER(f.der); return ok },
		"ECDSASerializeDER":        func() bool { _, _, ok := c.ECDSASerializeDER(&f.sig); return ok },
		"ECDSANormalize":           func() bool { _, _, ok := c.ECDSANormalize(&f.sig); return ok },
		"RecoverableSign":          func() bool { _, ok := c.RecoverableSign(&f.d, &f.digest, nil); return ok },
		"Recover":                  func() bool { _, ok := c.Recover(&f.digest, &f.rsig); return ok },
		"SchnorrSign":              func() bool { _, ok := c.SchnorrSign(&f.pair, &f.digest, &f.aux); return ok },
		"SchnorrSignCustom":        func() bool { _, ok := c.SchnorrSignCustom(&f.pair, f.long, &f.aux); return ok },
		"SchnorrVerify":            func() bool { return c.SchnorrVerify(&f.x, f.long, &f.schnorr) },
		"XOnlyParse":               func() bool { return c.XOnlyParse(&f.x) },
		"XOnlyTweakAdd":            func() bool { _, ok := c.XOnlyTweakAdd(&f.x, &f.tweak); return ok },
	}
}

func BenchmarkOperations(b *testing.B) {
	c := newContext(b)
	f := newFixture(c)
	operations := f.operations(c)
	for _, name := range []string{"SeckeyVerify", "PubkeyCreate", "ECDSASignDER", "ECDSAVerifyDER", "Recover", "ECDH", "SchnorrSign", "SchnorrVerify"} {
		op := operations[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				op()
			}
		})
	}
}
