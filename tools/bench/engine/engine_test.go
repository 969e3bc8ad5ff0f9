package engine

import (
	"bytes"
	"errors"
	"os"
	"testing"

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
