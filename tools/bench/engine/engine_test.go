package engine

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

// engines opens all engines that the machine has. In CI, the tests of package libsecp want a library that the
// environment names.
func engines(t *testing.T) (all []Engine) {
	t.Helper()
	found := libtest.Must(Find(Names()...))
	for _, f := range found {
		if f.Err == nil {
			all = append(all, f.Engine)
			continue
		}
		if !errors.Is(f.Err, ErrAbsent) || f.Provide == "" {
			t.Errorf("%s: %v, added by %q", f.Name, f.Err, f.Provide)
		}
		t.Logf("NOT TESTED: %s: %v", f.Name, f.Err)
	}
	return all
}

// TestInvalidKeys checks that all engines refuse bytes that do not encode a key.
func TestInvalidKeys(t *testing.T) {
	good := NewInputs("test", 1)
	ones := bytes.Repeat([]byte{0xff}, 33)
	refuses := func(e Engine, op string, in Input) {
		t.Helper()
		s := libtest.Must(e.NewSession())
		defer s.Close()
		p, err := s.Prepare(op, 0, []Input{in})
		if err == nil {
			err = p.Run(0, new(Result))
		}
		if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrNotSupported) {
			t.Errorf("%s: %s of %x, %x: %v", e.Info().Name, op, in.Secret, in.Pub, err)
		}
	}
	for _, e := range engines(t) {
		for _, bad := range [][32]byte{{}, order, [32]byte(ones)} {
			in := good[0]
			in.Secret = bad
			for _, op := range []string{"derive", "ecdsa-sign", "schnorr-sign", "ecdh-x"} {
				refuses(e, op, in)
			}
		}
		for _, bad := range [][33]byte{{}, {2}, {0: 2, 32: 5}, [33]byte(ones)} { // 5³ + 7 is not a square
			in := good[0]
			in.Pub = bad
			for _, op := range []string{"parse", "ecdsa-verify"} {
				refuses(e, op, in)
			}
			in = good[0]
			in.Peer = bad
			refuses(e, "ecdh-x", in)
		}
	}
}

func TestOrder(t *testing.T) {
	found, err := Find("btcec", "p256k1")
	if err != nil || len(found) != 2 || found[0].Name != "p256k1" || found[0].Engine.Info().Name != "p256k1" {
		t.Errorf("Find = %+v, %v", found, err)
	}
}

func TestProvenance(t *testing.T) {
	for _, e := range engines(t) {
		i := e.Info()
		t.Logf("%+v", i)
		if !slices.Contains(Names(), i.Name) || i.Backend == "" || i.Version == "" || filepath.IsAbs(i.Path) != (i.SHA256 != "") {
			t.Errorf("%+v", i)
		}
	}
}

// TestHits checks that checkHits accepts the right number of payments, and refuses one payment more.
func TestHits(t *testing.T) {
	for _, c := range []struct{ first, size, hits int }{{0, 1, 1}, {1, 4, 0}, {1, 5, 1}, {4, 1, 0}, {4, 2, 1}, {5, 1, 1}, {0, 11, 3}, {12, 3, 0}} {
		if err := checkHits(c.hits, c.first, c.size, 5); err != nil {
			t.Errorf("%v: %v", c, err)
		}
		if checkHits(c.hits+1, c.first, c.size, 5) == nil {
			t.Errorf("%v: one more", c)
		}
	}
}

// TestAbsent checks that the report says once that a library is absent, and once how to add it.
func TestAbsent(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, home)
	}
	t.Setenv(libsecp.EnvPath, "")
	found := libtest.Must(Find("libsecp256k1"))
	if found[0].Err == nil {
		t.Skip("NOT TESTED: the system has libsecp256k1")
	}
	if s := found[0].String(); !strings.HasPrefix(s, "absent: libsecp256k1 (none on this machine). To add it:\n") || strings.Count(s, "native/build") != 1 {
		t.Errorf("%s", s)
	}
}
