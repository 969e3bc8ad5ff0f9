package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/pty"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/nostr/nip19"
)

// typing marks an input that is typed at a terminal.
const typing = "typing: "

// remains runs the command, and returns its output and the places in its memory that contain one of the needles.
func remains(t *testing.T, in string, needles func(out string) map[string][]byte, args ...string) []string {
	t.Helper()
	var out bytes.Buffer
	c := exec.CommandContext(t.Context(), self(t), args...)
	c.Env = []string{"GOGC=off", "GODEBUG=asyncpreemptoff=1"}
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &out, os.Stderr
	if typed, ok := strings.CutPrefix(in, typing); ok {
		person, terminal, err := pty.Open()
		libtest.Check(t, err)
		defer person.Close()
		defer terminal.Close()
		c.Stdin = terminal
		libtest.Must(person.WriteString(typed))
	}
	status, end := hold(t, c)
	if status != 0 {
		t.Fatalf("%s: status %d", args, status)
	}
	memory := make(map[string][]byte)
	libtest.Memory(t, c.Process.Pid, func(region string, address uint64, b []byte) {
		memory[fmt.Sprintf("%s at %#x", region, address)] = b
	})
	end()
	var found []string
	for name, needle := range needles(out.String()) {
		for region, b := range memory {
			if i := bytes.Index(b, needle); i >= 0 {
				found = append(found, fmt.Sprintf("%s in %s after %q", name, region, b[max(0, i-16):i]))
			}
		}
	}
	slices.Sort(found)
	return found
}

// quarters returns parts of a 32-byte secret as bytes, limbs, hexadecimal digits and characters of an nsec. Each part
// is long enough to recognize the secret.
func quarters(what string, secret []byte) map[string][]byte {
	limbs := bytes.Clone(secret)
	slices.Reverse(limbs)
	digits := hex.EncodeToString(secret)
	nsec := string(nip19.AppendEncode(nil, nip19.Secret, (*[32]byte)(secret)))
	parts := make(map[string][]byte)
	for i := range 4 {
		for form, part := range map[string][]byte{
			"bytes": secret[8*i:][:8], "limbs": limbs[8*i:][:8],
			"digits": []byte(digits[16*i:][:16]), "DIGITS": []byte(strings.ToUpper(digits[16*i:][:16])),
			"nsec": []byte(nsec[5+14*i:][:14]), "NSEC": []byte(strings.ToUpper(nsec[5+14*i:][:14])),
		} {
			parts[fmt.Sprintf("%s as %s, part %d", what, form, i)] = part
		}
	}
	return parts
}

// TestResidue searches the memory of the command for a secret.
func TestResidue(t *testing.T) {
	const (
		digits = "5f1d83c2a94e07b6d2385a6c90e1f4478b3d6217ce5089fa1674c3db2e90a58d"
		peer   = "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"
	)
	secret := libtest.Must(hex.DecodeString(digits))
	nsec := string(nip19.AppendEncode(nil, nip19.Secret, (*[32]byte)(secret)))
	key := filepath.Join(t.TempDir(), "key")
	libtest.Check(t, os.WriteFile(key, []byte(digits+"\n"), 0o600))
	message := filepath.Join(t.TempDir(), "message")
	libtest.Check(t, os.WriteFile(message, []byte("a message"), 0o600))
	ofKey := func(string) map[string][]byte { return quarters("key", secret) }
	ofText := func(what, text string) map[string][]byte {
		return quarters(what, libtest.Must(hex.DecodeString(strings.TrimSpace(text))))
	}
	ofNew := func(out string) map[string][]byte {
		var f struct{ Secret string }
		libtest.Check(t, json.Unmarshal([]byte(out), &f))
		return ofText("new key", f.Secret)
	}
	path := filepath.Join(t.TempDir(), "new")
	ofFile := func(string) map[string][]byte { return ofText("new key", string(libtest.Must(os.ReadFile(path)))) }
	ofAgreement := func(out string) map[string][]byte {
		all := ofText("shared secret", out)
		maps.Copy(all, ofKey(""))
		return all
	}
	// An argument cannot be wiped, so the search must find it.
	if found := remains(t, "", ofKey, "sample", "-n", "1", "--seed", digits); len(found) < 4 {
		t.Errorf("of an argument only %q is found", found)
	}
	for _, c := range []struct {
		in, args string
		needles  func(string) map[string][]byte
	}{
		{digits, "key show", ofKey},
		{strings.ToUpper(digits) + "\n", "key show --json", ofKey},
		{"0x" + digits, "key show", ofKey},
		{nsec, "key show", ofKey},
		{strings.ToUpper(nsec), "key show", ofKey},
		{"", "key show " + key, ofKey},
		{typing + digits + "\r", "key show", ofKey},
		{typing + "7\x7f" + nsec + "\r", "key show", ofKey},
		{digits, "key show --secret", ofKey},
		{nsec, "key show --secret --json", ofKey},
		{"", "key new --json", ofNew},
		{"", "key new --out " + path, ofFile},
		{"", "sign --key " + key + " --file " + message, ofKey},
		{nsec, "sign --scheme schnorr --json --digest " + strings.Repeat("07", 32), ofKey},
		{digits, "sign --recoverable --digest " + strings.Repeat("07", 32), ofKey},
		{digits, "ecdh --form x --pub " + peer, ofAgreement},
		{digits, "ecdh --form sha256 --pub " + peer, ofAgreement},
		{digits, "ecdh --form nip44 --pub " + peer, ofAgreement},
	} {
		for _, found := range remains(t, c.in, c.needles, strings.Fields(c.args)...) {
			t.Errorf("%s: %s", c.args, found)
		}
	}
}
