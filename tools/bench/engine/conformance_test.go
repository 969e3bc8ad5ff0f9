package engine

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/ecdsa"

	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

// sessions opens all engines that there are. p256k1 is always the first. In CI,
// a libsecp256k1 that the environment names must be there.
func sessions(t *testing.T) []named {
	t.Helper()
	found, err := Find(Names()...)
	if err != nil {
		t.Fatal(err)
	}
	var all []named
	for _, f := range found {
		if f.Err != nil {
			if !errors.Is(f.Err, ErrAbsent) || f.Provide == "" {
				t.Errorf("%s: %v, to be had by %q", f.Name, f.Err, f.Provide)
			}
			if f.Name == "libsecp256k1" && os.Getenv("CI") == "true" && os.Getenv(libsecp.EnvPath) != "" {
				t.Errorf("$%s is set: %v", libsecp.EnvPath, f.Err)
			}
			t.Logf("NOT TESTED: %s: %v", f.Name, f.Err)
			continue
		}
		s, err := f.Engine.NewSession()
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		t.Cleanup(s.Close)
		all = append(all, named{f.Name, s})
	}
	return all
}

type named struct {
	name string
	Session
}

// deviations are how engines differ on purpose.
var deviations = map[string]struct {
	randomNonce bool // signs otherwise each time, with either s
	onlyLowS    bool // refuses s > n/2
}{
	"libsecp256k1":     {onlyLowS: true},
	"libsecp256k1-cgo": {onlyLowS: true},
	"openssl":          {randomNonce: true},
}

// supported reports whether there was an operation, and fails for other errors.
func supported(t *testing.T, name, op string, err error) bool {
	t.Helper()
	if err != nil && !errors.Is(err, ErrNotSupported) {
		t.Fatalf("%s: %s: %v", name, op, err)
	}
	return err == nil
}

// Every engine computes what p256k1, the first, does, and accepts what each of
// the others signed.
func TestConformance(t *testing.T) {
	all := sessions(t)
	random := rand.NewChaCha8([32]byte{1})
	for round := range 40 {
		var d, e, digest, aux [32]byte
		for _, b := range []*[32]byte{&d, &e, &digest, &aux} {
			random.Read(b[:])
		}
		pub, err := all[0].Derive(&d)
		if err != nil {
			t.Fatal(err)
		}
		peer, _ := all[0].Derive(&e)
		loaded, _ := all[0].LoadSecret(&d)
		der, err := all[0].ECDSASign(nil, loaded, &digest)
		if err != nil {
			t.Fatal(err)
		}
		rsig, _ := all[0].SignRecoverable(loaded, &digest)
		public, _ := all[0].LoadPublic(peer[:])
		x, _ := all[0].ECDHX(loaded, public)
		sum, _ := all[0].ECDHSHA256(loaded, public)

		var ecdsas [][]byte
		for _, s := range all {
			if got, err := s.Derive(&d); supported(t, s.name, "Derive", err) && got != pub {
				t.Fatalf("%s: Derive(%x) = %x, want %x", s.name, d, got, pub)
			}
			secret, err := s.LoadSecret(&d)
			if supported(t, s.name, "LoadSecret", err) {
				got, err := s.ECDSASign([]byte{7}, secret, &digest)
				if supported(t, s.name, "ECDSASign", err) {
					if got[0] != 7 {
						t.Fatalf("%s: ECDSASign does not append", s.name)
					}
					if got = got[1:]; !deviations[s.name].randomNonce && !bytes.Equal(got, der) {
						t.Fatalf("%s: ECDSASign(%x, %x) = %x, want %x", s.name, d, digest, got, der)
					}
					ecdsas = append(ecdsas, got)
				}
				if got, err := s.SignRecoverable(secret, &digest); supported(t, s.name, "SignRecoverable", err) && got != rsig {
					t.Fatalf("%s: SignRecoverable = %x, want %x", s.name, got, rsig)
				}
				for _, a := range []*[32]byte{nil, &aux} {
					want, _ := all[0].SchnorrSign(loaded, &digest, a)
					if got, err := s.SchnorrSign(secret, &digest, a); supported(t, s.name, "SchnorrSign", err) && got != want {
						t.Fatalf("%s: SchnorrSign(%x, %x, %x) = %x, want %x", s.name, d, digest, a, got, want)
					}
				}
			}
			if got, err := s.Recover(&digest, &rsig); supported(t, s.name, "Recover", err) && got != pub {
				t.Fatalf("%s: Recover = %x, want %x", s.name, got, pub)
			}
			if public, err := s.LoadPublic(peer[:]); supported(t, s.name, "LoadPublic", err) {
				if got, err := s.ECDHX(secret, public); supported(t, s.name, "ECDHX", err) && got != x {
					t.Fatalf("%s: ECDHX = %x, want %x", s.name, got, x)
				}
				if got, err := s.ECDHSHA256(secret, public); supported(t, s.name, "ECDHSHA256", err) && got != sum {
					t.Fatalf("%s: ECDHSHA256 = %x, want %x", s.name, got, sum)
				}
			}
		}
		schnorr, _ := all[0].SchnorrSign(loaded, &digest, &aux)
		for _, s := range all {
			for _, der := range ecdsas {
				verifyECDSA(t, s, &pub, &digest, der, round)
			}
			verifySchnorr(t, s, (*[32]byte)(pub[1:]), &digest, &schnorr, round)
		}
	}
}

// stride is how many rounds it takes until each byte was flipped.
const stride = 16

// verifyECDSA checks both forms of a signature, and that it does not verify once
// a byte of it, of the digest or of the key is another one.
func verifyECDSA(t *testing.T, s named, pub *[33]byte, digest *[32]byte, der []byte, round int) {
	t.Helper()
	sig, err := ecdsa.ParseDER(der)
	if err != nil {
		t.Fatal(err)
	}
	r := sig.NormalizeS()
	if ok, err := s.ECDSAVerify(pub, digest, r.DER()); supported(t, s.name, "ECDSAVerify", err) && !ok {
		t.Fatalf("%s refuses %x of %x over %x", s.name, r.DER(), pub, digest)
	} else if err != nil {
		return
	}
	if !sig.IsLowS() {
		if ok, _ := s.ECDSAVerify(pub, digest, der); ok == deviations[s.name].onlyLowS {
			t.Fatalf("%s on a high s: %v", s.name, ok)
		}
	}
	der = r.DER()
	for _, flip := range []byte{1, 0x80} {
		for i := round % stride; i < len(der); i += stride {
			bad := bytes.Clone(der)
			bad[i] ^= flip
			if ok, _ := s.ECDSAVerify(pub, digest, bad); ok {
				t.Fatalf("%s accepts %x instead of %x", s.name, bad, der)
			}
		}
		for i := round % stride; i < len(digest); i += stride {
			bad := *digest
			bad[i] ^= flip
			if ok, _ := s.ECDSAVerify(pub, &bad, der); ok {
				t.Fatalf("%s accepts the digest %x instead of %x", s.name, bad, digest)
			}
		}
		for i := round % stride; i < len(pub); i += stride {
			bad := *pub
			bad[i] ^= flip
			if ok, _ := s.ECDSAVerify(&bad, digest, der); ok {
				t.Fatalf("%s accepts the key %x instead of %x", s.name, bad, pub)
			}
		}
	}
	for n := round % stride; n < len(der); n += stride {
		if ok, _ := s.ECDSAVerify(pub, digest, der[:n]); ok {
			t.Fatalf("%s accepts %d bytes of %x", s.name, n, der)
		}
	}
}

// verifySchnorr is verifyECDSA for BIP-340.
func verifySchnorr(t *testing.T, s named, pub, msg *[32]byte, sig *[64]byte, round int) {
	t.Helper()
	ok, err := s.SchnorrVerify(pub, msg, sig)
	if !supported(t, s.name, "SchnorrVerify", err) {
		return
	}
	if !ok {
		t.Fatalf("%s refuses %x of %x over %x", s.name, sig, pub, msg)
	}
	for i := round % stride; i < 128; i += stride {
		p, m, g := *pub, *msg, *sig
		flat := slices.Concat(p[:], m[:], g[:])
		flat[i] ^= 1 << (i % 8)
		copy(p[:], flat)
		copy(m[:], flat[32:])
		copy(g[:], flat[64:])
		if ok, _ := s.SchnorrVerify(&p, &m, &g); ok {
			t.Fatalf("%s accepts key %x, message %x, signature %x", s.name, p, m, g)
		}
	}
}

// All refuse what is not a key.
func TestInvalidKeys(t *testing.T) {
	offCurve := append([]byte{2}, bytes.Repeat([]byte{0}, 31)...)
	for _, s := range sessions(t) {
		for _, bad := range [][32]byte{{}, order, [32]byte(bytes.Repeat([]byte{0xff}, 32))} {
			if _, err := s.LoadSecret(&bad); !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: LoadSecret(%x): %v", s.name, bad, err)
			}
			if _, err := s.Derive(&bad); !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrNotSupported) {
				t.Errorf("%s: Derive(%x): %v", s.name, bad, err)
			}
		}
		for _, bad := range [][]byte{nil, {2}, append(offCurve, 5), bytes.Repeat([]byte{0xff}, 33), bytes.Repeat([]byte{4}, 65)} {
			if _, err := s.LoadPublic(bad); !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrNotSupported) {
				t.Errorf("%s: LoadPublic(%x): %v", s.name, bad, err)
			}
		}
	}
}

// Every high s has its own say: see deviations.
func TestHighS(t *testing.T) {
	all := sessions(t)
	d, digest := [32]byte{31: 9}, [32]byte{5}
	pub, _ := all[0].Derive(&d)
	secret, _ := all[0].LoadSecret(&d)
	der, _ := all[0].ECDSASign(nil, secret, &digest)
	sig, err := ecdsa.ParseDER(der)
	if err != nil {
		t.Fatal(err)
	}
	b := sig.Bytes()
	var borrow int
	for i := 31; i >= 0; i-- {
		v := int(order[i]) - int(b[32+i]) - borrow
		borrow = 0
		if v < 0 {
			v, borrow = v+256, 1
		}
		b[32+i] = byte(v)
	}
	high, err := ecdsa.ParseCompact(b)
	if err != nil || high.IsLowS() {
		t.Fatalf("%x: %v", b, err)
	}
	for _, s := range all {
		if ok, _ := s.ECDSAVerify(&pub, &digest, high.DER()); ok == deviations[s.name].onlyLowS {
			t.Errorf("%s on a high s: %v", s.name, ok)
		}
	}
}

func TestAbsentAndUnknown(t *testing.T) {
	if _, err := Find("p256k1", "nosuch"); err == nil || errors.Is(err, ErrAbsent) {
		t.Errorf("Find of an engine that does not exist: %v", err)
	}
	if _, err := (Unsupported{}).Derive(nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Unsupported.Derive: %v", err)
	}
	found, err := Find("btcec", "p256k1")
	if err != nil || len(found) != 2 || found[0].Name != "p256k1" || found[0].Engine.Info().Name != "p256k1" {
		t.Errorf("Find = %+v, %v", found, err)
	}
}

func TestProvenance(t *testing.T) {
	found, _ := Find(Names()...)
	for _, f := range found {
		if f.Err != nil {
			continue
		}
		i := f.Engine.Info()
		t.Logf("%+v", i)
		if i.Name != f.Name || i.Backend == "" || i.Version == "" || (i.Path == "") != (i.SHA256 == "") {
			t.Errorf("%+v", i)
		}
	}
}
