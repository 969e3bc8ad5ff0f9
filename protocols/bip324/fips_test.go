package bip324

import (
	"bytes"
	"crypto/fips140"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestFIPS runs this program once more with GODEBUG=fips140=only, which disables ChaCha20-Poly1305. A handshake must
// end with an error that names FIPS. A direction that got its keys without FIPS enforcement must end at the next change
// of keys.
func TestFIPS(t *testing.T) {
	const only = "fips140=only"
	if !strings.Contains(os.Getenv("GODEBUG"), only) {
		if runtime.GOARCH == "wasm" {
			t.Skip("WebAssembly starts no programs")
		}
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFIPS$")
		cmd.Env = append(os.Environ(), "GODEBUG="+only)
		out, err := cmd.CombinedOutput()
		if bytes.Contains(out, []byte("fips140: FIPS 140-3 mode is incompatible with")) {
			t.Skip("Go has no FIPS 140 mode with the build tag purego and with sanitizers")
		}
		if err != nil || !bytes.Contains(out, []byte("PASS")) {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	if !fips140.Enforced() {
		t.Fatal("FIPS 140 is not enforced")
	}
	forbidden := func(err error) bool {
		return err != nil && strings.HasPrefix(err.Error(), "bip324: ") && strings.Contains(err.Error(), "FIPS")
	}
	i, r := handshakes(t, nil, nil)
	err := pump(t, i, r, 1000)
	if !forbidden(err) || i.Session() != nil || r.Session() != nil {
		t.Error(err)
	}
	for _, change := range []func(a, b *Session) error{
		func(a, b *Session) error { return second(a.Sealer.Seal([]byte("before"), nil, false)) },
		func(a, b *Session) error {
			var packet []byte
			fips140.WithoutEnforcement(func() { packet, err = a.Sealer.Seal(nil, nil, false) })
			if err != nil {
				t.Fatal(err)
			}
			n, err := b.Opener.Length(packet[:3])
			if n != len(packet)-3 || err != nil {
				t.Fatal(n, err)
			}
			contents, _, err := b.Opener.Open(packet[3:])
			if contents != nil {
				t.Error("contents with an error")
			}
			return err
		},
	} {
		var a, b *Session
		fips140.WithoutEnforcement(func() {
			a, b = sessions(t, nil, nil)
			for range rekeyInterval - 2 { // after the version packet
				if err := pass(t, a.Sealer, b.Opener, nil, false); err != nil {
					t.Fatal(err)
				}
			}
		})
		err := change(a, b)
		if !forbidden(err) {
			t.Error(err)
		}
		_, sealed := a.Sealer.Seal(nil, nil, false)
		_, opened := b.Opener.Length(make([]byte, 3))
		if !errors.Is(sealed, err) && !errors.Is(opened, err) {
			t.Errorf("then %v, %v", sealed, opened)
		}
	}
}
