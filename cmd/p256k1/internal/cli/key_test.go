package cli

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/decred/dcrd/bech32"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/keyformat"
	"p256k1.mleku.dev/v2/nostr/nip19"
)

// The first three constants are the secret key 3 and two forms of its public key, which is the first one in BIP-340's
// vectors. The last two are 0 and the group order n.
const (
	three       = "0000000000000000000000000000000000000000000000000000000000000003"
	threePublic = "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"
	threeNpub   = "npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266"
	zeros       = "0000000000000000000000000000000000000000000000000000000000000000"
	order       = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"

	// coffee is the secret key of usage.txt that no output may repeat, and coffeeNsec is a part of its nsec.
	coffee     = "c0ffee0000000000000000000000000000000000000000000000000000000003"
	coffeeNsec = "crl7uqqqqqqqqqqqqqqq"
)

// keyForms is the JSON that the command key prints.
type keyForms struct {
	Secret, Nsec string
	publicKey
}

func keyObject(t *testing.T, r result) (f keyForms) {
	t.Helper()
	if r.status != 0 || r.err != "" {
		t.Fatalf("%+v", r)
	}
	libtest.Check(t, json.Unmarshal([]byte(r.out), &f))
	return f
}

// TestKeyShow shows a key in files and in the forms that usage.txt cannot hold. That file has the other forms.
func TestKeyShow(t *testing.T) {
	for _, in := range []string{strings.ToUpper(three) + "\r\n", strings.Repeat(" ", maxSecret-1-len(three)) + three} { // the longest input
		run(t, in, "key", "show").expect(t, 0, "public        "+threePublic+"\n", "")
	}
	run(t, "", "key", "show", "--key", file(t, three), file(t, three)).expect(t, 2, "", "show takes one file")
}

// TestReaders gives commands standard input, and readLine a line, in pieces. The results must be the same.
func TestReaders(t *testing.T) {
	for command, in := range map[string]string{
		"key show --secret": three + "\n", "sign --file - --key " + file(t, three): "a message",
		"verify --json": sampleLines(t, "-n", "9", "--seed", "a"), "sign --digest " + order: "0x" + three,
	} {
		want := run(t, in, strings.Fields(command)...)
		want.expect(t, 0, want.out, "")
		for way, r := range libtest.Readers([]byte(in)) {
			got, _, _ := strings.Cut(runIn(t.Context(), r, strings.Fields(command)...).out, `"seconds"`)
			if !strings.HasPrefix(want.out, got) || got == "" {
				t.Errorf("%s, %s: %s, want %s", command, way, got, want.out)
			}
		}
	}
	for way, r := range libtest.Readers([]byte("ab\x7fc\r")) {
		var line [9]byte
		if n, err := readLine(r, line[:]); err != nil || string(line[:n]) != "ac" {
			t.Errorf("%s: %q, %v", way, line[:n], err)
		}
	}
	if _, err := readLine(strings.NewReader("ab"), make([]byte, 9)); err != io.EOF {
		t.Errorf("a line without an end: %v", err)
	}
}

func TestKeyNew(t *testing.T) {
	a := keyObject(t, run(t, "", "key", "new", "--json"))
	if again := keyObject(t, run(t, a.Secret, "key", "show", "--secret", "--json")); again != a {
		t.Errorf("%+v, then %+v", a, again)
	}
	if ok, err := regexp.MatchString(`^secret +[0-9a-f]{64}\nnsec +nsec1\w+\npublic +0[23][0-9a-f]{64}\nuncompressed +04[0-9a-f]{128}\nx-only +[0-9a-f]{64}\nnpub +npub1\w+\n$`, run(t, "", "key", "new").out); !ok || err != nil {
		t.Error("not the expected lines")
	}

	path := filepath.Join(t.TempDir(), "new.key")
	r := run(t, "", "key", "new", "--out", path, "--json")
	f := keyObject(t, r)
	text, err := os.ReadFile(path)
	if err != nil || f.Secret != "" || f.Nsec != "" || strings.Contains(r.out, strings.TrimSpace(string(text))) {
		t.Errorf("%s, %v", r.out, err)
	}
	info, err := os.Stat(path)
	if err != nil || (runtime.GOOS != "windows" && info.Mode().Perm() != 0o600) {
		t.Errorf("%v, %v", info, err)
	}
	if again := keyObject(t, run(t, "", "key", "show", path, "--json")); again != f {
		t.Errorf("%+v, then %+v", f, again)
	}
	run(t, "", "key", "new", "--out", path).expect(t, 2, "", "exists")
	if after, err := os.ReadFile(path); err != nil || string(after) != string(text) {
		t.Error("the key was overwritten")
	}
}

// TestTooLong gives more input than a secret key can have. The file usage.txt has other wrong secret keys.
func TestTooLong(t *testing.T) {
	for _, in := range []string{strings.Repeat(coffee, 100), strings.Repeat(" ", maxSecret) + coffee} {
		r := run(t, in, "key", "show")
		r.expect(t, 2, "", "the secret key from standard input: more than 1023 bytes")
		r.withhold(t, coffee[:20])
	}
}

// TestSecretInterrupt cancels the context, as Ctrl-C does, while a command waits for input.
func TestSecretInterrupt(t *testing.T) {
	for _, args := range []string{
		"key show", "sign --digest " + three, "sign --file - --key " + file(t, three), "ecdh --form x --pub " + threePublic,
		"recover --file - --sig " + hex.EncodeToString(append(make([]byte, 31), append(append([]byte{1}, make([]byte, 31)...), 1, 0)...)),
	} {
		in, feed := io.Pipe()
		defer feed.Close()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Millisecond, cancel)
		runIn(ctx, in, strings.Fields(args)...).expect(t, StatusInterrupted, "", "")
	}
}

// TestKeyPEM reads PEM that package keyformat has written: a private key, and a public key, which is refused.
func TestKeyPEM(t *testing.T) {
	secret := libtest.Must(hex.DecodeString(three))
	priv := libtest.Must(p256k1.ParsePrivateKey(secret))
	pem := libtest.Must(keyformat.MarshalPrivateKeyPEM(priv))
	run(t, string(pem), "key", "show").expect(t, 0, threePublic, "")
	run(t, "", "key", "show", file(t, "\nPrivate-Key: (256 bit)\n"+string(pem)+"\n")).expect(t, 0, threePublic, "")
	public := libtest.Must(keyformat.MarshalPublicKeyPEM(priv.PublicKey()))
	r := run(t, string(public), "key", "show")
	r.expect(t, 2, "", "the secret key from standard input: ")
	if len(r.err) > 300 {
		t.Error(r.err)
	}
}

// FuzzParseSecret checks that only secret keys in one of the forms are accepted, and that errors do not repeat other
// inputs.
func FuzzParseSecret(f *testing.F) {
	for _, b := range append(oracle.RangeEdges(), oracle.NewSeeded("secret").ScalarBytes()) {
		text := hex.EncodeToString(b[:])
		nsec := string(nip19.AppendEncode(nil, nip19.Secret, &b))
		f.Add([]byte(text))
		f.Add([]byte("0x" + text))
		f.Add([]byte("0X" + text[2:]))
		f.Add([]byte(strings.ToUpper(nsec)))
		f.Add([]byte(" " + strings.ToUpper(text) + "\r\n"))
		f.Add([]byte(text[1:]))
		f.Add([]byte(text[:63] + "g"))
		f.Add([]byte(nsec + "\n"))
		f.Add([]byte(nsec[:60]))
	}
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, text []byte) {
		trimmed := bytes.TrimSpace(text)
		want, err := decodeText("nsec", string(trimmed))
		d := oracle.Int(want)
		ok := err == nil && len(want) == 32 && d.Sign() > 0 && d.Cmp(oracle.N) < 0
		key, err := parseSecret(bytes.Clone(text), "here")
		if (err == nil) != ok || (ok && !bytes.Equal(key.Bytes(), want)) {
			t.Fatalf("%q: %v, want %x, %v", text, err, want, ok)
		}
		if err == nil || len(trimmed) <= 20 {
			return
		}
		part := string(trimmed)
		repeated := strings.Contains(err.Error(), part)
		// An error may show the label of a PEM block. Its own words of 8 letters have no digits, as a key has.
		for i := 0; !repeated && i+8 <= len(trimmed) && !bytes.Contains(trimmed, []byte("-----BEGIN")); i++ {
			part = string(trimmed[i : i+8])
			repeated = digitsAndLetters.MatchString(part) && strings.ContainsAny(part, "0123456789") && strings.Contains(err.Error(), part)
		}
		if repeated {
			t.Fatalf("%q: the error repeats %q: %v", text, part, err)
		}
	})
}

var digitsAndLetters = regexp.MustCompile(`^[0-9A-Za-z]+$`)

// decodeText returns the bytes that text encodes, in hexadecimal or in bech32 with the given prefix.
func decodeText(prefix, text string) ([]byte, error) {
	if lower := strings.ToLower(text); !strings.HasPrefix(lower, prefix+"1") {
		if strings.HasPrefix(lower, "0x") {
			text = text[2:]
		}
		return hex.DecodeString(text)
	}
	found, b, err := bech32.DecodeToBase256(text)
	if err == nil && (found != prefix || len(b) != 32) {
		err = errors.New("another prefix or length")
	}
	return b, err
}

// FuzzParsePublic checks with the oracle whether parsePublic accepts exactly the texts that are public keys.
func FuzzParsePublic(f *testing.F) {
	for _, p := range append(oracle.EdgePoints()[:20], oracle.G) {
		npub := string(nip19.AppendEncode(nil, nip19.Public, (*[32]byte)(p.Compressed()[1:])))
		f.Add(npub)
		f.Add(strings.ToUpper(npub))
		f.Add("0x" + hex.EncodeToString(p.Compressed()))
		f.Add(hex.EncodeToString(p.Compressed()))
		f.Add(strings.ToUpper(hex.EncodeToString(p.Uncompressed())))
		f.Add(hex.EncodeToString(p.Compressed()[1:]))
	}
	for _, x := range oracle.BadX() {
		f.Add(hex.EncodeToString(x[:]))
	}
	for _, b := range oracle.BadEncodings() {
		f.Add(hex.EncodeToString(b))
	}
	f.Add("npub1")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := decodeText("npub", text)
		var want oracle.Point // infinity for bytes that are not a key
		switch {
		case err != nil:
		case len(b) == 32:
			want, _ = oracle.LiftX(oracle.Int(b))
		default:
			want, _ = oracle.DecodePoint(b)
		}
		pub, xOnly, err := parsePublic(text)
		if (err == nil) == want.IsInfinity() || (pub != nil) != (err == nil && len(b) != 32) || (xOnly != nil) != (err == nil) {
			t.Fatalf("%q: %v, %v, %v, want %x", text, pub, xOnly, err, want)
		}
		if (pub != nil && !bytes.Equal(pub.BytesUncompressed(), want.Uncompressed())) || (xOnly != nil && !bytes.Equal(xOnly.Bytes(), want.Compressed()[1:])) {
			t.Fatalf("%q: %v, %v, want %x", text, pub, xOnly, want)
		}
	})
}
