package libsecp

import (
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// What the functions compute is compared with this library by package engine and,
// with edge cases, by evidence/differential.

// newContexts returns a context for each way to call C. It skips the test on a
// machine without libsecp256k1, unless CI meant the library to be there.
func newContexts(t *testing.T) map[string]*Context {
	t.Helper()
	l, err := Default()
	if err != nil {
		if os.Getenv("CI") == "true" && os.Getenv(EnvPath) != "" {
			t.Fatalf("%s is set, so the library must load: %v", EnvPath, err)
		}
		t.Skipf("NOT TESTED: %v", err)
	}
	libraries := map[string]*Library{"without cgo": l}
	if dl.ViaCgo != nil {
		if libraries["cgo"], err = l.ViaCgo(); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]*Context{}
	for name, l := range libraries {
		c, err := l.NewContext()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		all[name] = c
	}
	return all
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOpenNamesWhatIsMissing(t *testing.T) {
	const path = "/nonexistent/libsecp256k1.so"
	_, err := Open(path)
	if err == nil || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), path) {
		t.Errorf("Open(%q): error %v, want one that names the file", path, err)
	}
	t.Setenv(EnvPath, path)
	if _, err := Open(""); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("Open with %s naming a missing file: error %v, want one from the loader", EnvPath, err)
	}
}

// Row 1 of the vectors of BIP-340.
func TestSchnorrVector(t *testing.T) {
	d := [32]byte(unhex(t, "b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfef"))
	pub := [32]byte(unhex(t, "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"))
	aux := [32]byte{31: 1}
	msg := [32]byte(unhex(t, "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"))
	want := [64]byte(unhex(t, "6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de3341"+
		"8906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a"))
	for how, c := range newContexts(t) {
		pair, ok := c.LoadKeypair(&d)
		if !ok {
			t.Fatal("LoadKeypair refused the key")
		}
		if sig, ok := c.SchnorrSign(&pair, &msg, &aux); !ok || sig != want {
			t.Errorf("%s: SchnorrSign = %x, %v, want %x", how, sig, ok, want)
		}
		if sig, ok := c.SchnorrSignCustom(&pair, msg[:], &aux); !ok || sig != want {
			t.Errorf("%s: SchnorrSignCustom = %x, %v, want %x", how, sig, ok, want)
		}
		if !c.SchnorrVerify(&pub, msg[:], &want) {
			t.Errorf("%s: SchnorrVerify refused the signature", how)
		}
		want[9] ^= 1
		if c.SchnorrVerify(&pub, msg[:], &want) {
			t.Errorf("%s: SchnorrVerify accepted another signature", how)
		}
		want[9] ^= 1
	}
}

// TestRefusals is about what to C would be mistakes of the caller, or crashes.
func TestRefusals(t *testing.T) {
	for how, c := range newContexts(t) {
		zero := [32]byte{}
		if _, ok := c.PubkeyCombine(); ok {
			t.Errorf("%s: PubkeyCombine of nothing", how)
		}
		if _, ok := c.PubkeyParse(nil); ok {
			t.Errorf("%s: PubkeyParse of nothing", how)
		}
		if _, ok := c.Recover(&zero, &[65]byte{31: 1, 63: 1, 64: 4}); ok {
			t.Errorf("%s: Recover with the id 4", how)
		}
		if _, ok := c.LoadKeypair(&zero); ok {
			t.Errorf("%s: LoadKeypair of 0", how)
		}
		if c.call(0) {
			t.Errorf("%s: a function that the library lacks", how)
		}
	}
}

var raceDetector bool // set in race_test.go

// No operation allocates: that would be timed, too.
func TestAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector makes sync.Pool, and so purego, allocate")
	}
	for how, c := range newContexts(t) {
		d, aux, long := [32]byte{9, 31: 5}, [32]byte{7}, make([]byte, 300)
		pub, _ := c.PubkeyCreate(&d)
		x := [32]byte(pub[1:])
		der, n, _ := c.ECDSASignDER(&d, &aux, nil)
		rsig, _ := c.RecoverableSign(&d, &aux, nil)
		key, _ := c.LoadPubkey(pub[:])
		pair, _ := c.LoadKeypair(&d)
		schnorr, _ := c.SchnorrSignCustom(&pair, long, &aux)
		for name, op := range map[string]func() bool{
			"SeckeyTweakAdd":    func() bool { _, ok := c.SeckeyTweakAdd(&d, &aux); return ok },
			"PubkeyCreate":      func() bool { _, ok := c.PubkeyCreate(&d); return ok },
			"PubkeyCombine":     func() bool { _, ok := c.PubkeyCombine(pub[:], pub[:]); return ok },
			"LoadPubkey":        func() bool { _, ok := c.LoadPubkey(pub[:]); return ok },
			"ECDH":              func() bool { _, ok := c.ECDH(&key, &d); return ok },
			"ECDSASignDER":      func() bool { _, _, ok := c.ECDSASignDER(&d, &aux, &aux); return ok },
			"ECDSAVerifyDER":    func() bool { return c.ECDSAVerifyDER(pub[:], &aux, der[:n]) },
			"RecoverableSign":   func() bool { _, ok := c.RecoverableSign(&d, &aux, nil); return ok },
			"Recover":           func() bool { _, ok := c.Recover(&aux, &rsig); return ok },
			"SchnorrSign":       func() bool { _, ok := c.SchnorrSign(&pair, &aux, nil); return ok },
			"SchnorrSignCustom": func() bool { _, ok := c.SchnorrSignCustom(&pair, long, &aux); return ok },
			"SchnorrVerify":     func() bool { return c.SchnorrVerify(&x, long, &schnorr) },
		} {
			if !op() {
				t.Errorf("%s: %s refused its input", how, name)
			}
			if n := testing.AllocsPerRun(100, func() { op() }); n != 0 {
				t.Errorf("%s: %s: %v allocations, want 0", how, name, n)
			}
		}
	}
}
