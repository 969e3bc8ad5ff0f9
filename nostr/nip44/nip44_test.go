package nip44

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/chacha20"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// published holds the vectors of NIP-44.
type published struct {
	V2 struct {
		Valid struct {
			MessageKeys struct {
				ConversationKey string `json:"conversation_key"`
				Keys            []struct {
					Nonce       string
					ChachaKey   string `json:"chacha_key"`
					ChachaNonce string `json:"chacha_nonce"`
					HMACKey     string `json:"hmac_key"`
				}
			} `json:"get_message_keys"`
			PaddedLen [][2]int `json:"calc_padded_len"`
			Encrypt   []struct {
				Sec1, Sec2, Nonce, Plaintext, Payload string
				ConversationKey                       string `json:"conversation_key"`
			} `json:"encrypt_decrypt"`
			Long []struct {
				ConversationKey string `json:"conversation_key"`
				Nonce, Pattern  string
				Repeat          int
				PlaintextSHA256 string `json:"plaintext_sha256"`
				PayloadSHA256   string `json:"payload_sha256"`
			} `json:"encrypt_decrypt_long_msg"`
		}
		Invalid struct {
			Lengths      []int                               `json:"encrypt_msg_lengths"`
			Conversation []struct{ Sec1, Pub2, Note string } `json:"get_conversation_key"`
			Decrypt      []struct {
				ConversationKey string `json:"conversation_key"`
				Payload, Note   string
			}
		}
	}
}

func fromHex(t testing.TB, text string) *Conversation {
	return FromKey((*[32]byte)(libtest.Unhex(text)))
}

func read(t testing.TB) *published {
	p := new(published)
	vectors.JSON(t, "nip44/nip44.vectors.json", p)
	return p
}

func TestVectors(t *testing.T) {
	v := read(t)
	cases := 0
	for _, c := range v.V2.Valid.MessageKeys.Keys {
		var k keys
		k.derive(fromHex(t, v.V2.Valid.MessageKeys.ConversationKey).get(), libtest.Unhex(c.Nonce))
		if got := fmt.Sprintf("%x %x %x", k.okm[:32], k.okm[32:44], k.mac); got != c.ChachaKey+" "+c.ChachaNonce+" "+c.HMACKey {
			t.Errorf("message keys of %s: %s", c.Nonce, got)
		}
		cases++
	}
	for _, c := range v.V2.Valid.PaddedLen {
		if got := paddedSize(c[0]); got != c[1] {
			t.Errorf("padded size of %d: %d, want %d", c[0], got, c[1])
		}
		cases++
	}
	for _, c := range v.V2.Valid.Encrypt {
		one, other := private(t, c.Sec1), private(t, c.Sec2)
		a, err := New(one, other.PublicKey().XOnly())
		if err != nil {
			t.Fatal(err)
		}
		b, err := New(other, one.PublicKey().XOnly())
		if err != nil {
			t.Fatal(err)
		}
		for _, conversation := range []*Conversation{a, b, fromHex(t, c.ConversationKey)} {
			payload, err := conversation.encrypt([]byte("x"), []byte(c.Plaintext), (*[32]byte)(libtest.Unhex(c.Nonce)))
			if string(payload) != "x"+c.Payload || err != nil {
				t.Errorf("%q: %s, %v, want %s", c.Plaintext, payload, err, c.Payload)
			}
			message, err := conversation.Decrypt([]byte("y"), []byte(c.Payload))
			if string(message) != "y"+c.Plaintext || err != nil {
				t.Errorf("%s: %q, %v, want %q", c.Payload, message, err, c.Plaintext)
			}
		}
		cases++
	}
	for _, c := range v.V2.Valid.Long {
		message := strings.Repeat(c.Pattern, c.Repeat)
		conversation := fromHex(t, c.ConversationKey)
		payload, err := conversation.encrypt(nil, []byte(message), (*[32]byte)(libtest.Unhex(c.Nonce)))
		if got := fmt.Sprintf("%x %x", sha256.Sum256([]byte(message)), sha256.Sum256(payload)); got != c.PlaintextSHA256+" "+c.PayloadSHA256 || err != nil {
			t.Errorf("%d times %q: %s, %v", c.Repeat, c.Pattern, got, err)
		}
		if got, err := conversation.Decrypt(nil, payload); string(got) != message || err != nil {
			t.Errorf("%d times %q: %v", c.Repeat, c.Pattern, err)
		}
		cases++
	}
	for _, n := range v.V2.Invalid.Lengths {
		cases++
		if n >= longSize { // the file is older than NIP-44's longer messages, see TestLong
			continue
		}
		if got, err := FromKey(new([32]byte)).Encrypt([]byte("x"), make([]byte, n)); !errors.Is(err, ErrSize) || string(got) != "x" {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for _, c := range v.V2.Invalid.Conversation {
		priv, err := p256k1.ParsePrivateKey(libtest.Unhex(c.Sec1))
		if err == nil {
			_, err = p256k1.ParseXOnlyPublicKey(libtest.Unhex(c.Pub2))
		}
		if err == nil {
			t.Errorf("%s: %v", c.Note, priv)
		}
		cases++
	}
	for _, c := range v.V2.Invalid.Decrypt {
		kind := ErrPayload
		if strings.Contains(c.Note, "version") {
			kind = ErrVersion
		}
		if got, err := fromHex(t, c.ConversationKey).Decrypt([]byte("x"), []byte(c.Payload)); !errors.Is(err, kind) || string(got) != "x" {
			t.Errorf("%s: %q, %v", c.Note, got, err)
		}
		cases++
	}
	if cases != 32+24+10+3+4+8+12 {
		t.Errorf("%d cases: is the file whole?", cases)
	}
}

// TestLong runs the vectors in the text of NIP-44 for its change of 2026-06-28, which allows messages of 65,536 bytes
// and more. The file nip44.vectors.json, whose checksum NIP-44 still states, calls the lengths 65,536, 100,000 and
// 10,000,000 invalid. TestVectors does not use these three cases.
func TestLong(t *testing.T) {
	conversation := fromHex(t, "c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d")
	for _, c := range []struct {
		n    int
		want string // SHA-256 of the payload
	}{
		{65535, "6d8c2810d1e870fbaa1f0a0937126cca837a15f9260e27060c331d70a3c0bc84"},
		{65536, "b7b4edb36ba92e267d322d56d9aebc22e7fa96ff52e3c12adc07f07a43cbc616"},
		{65537, "eeb7c7c5373894ea2c1547cfd3ccb15d5a0b2d619da852e5c79df792dcc9e435"},
	} {
		message := bytes.Repeat([]byte("a"), c.n)
		payload, err := conversation.encrypt(nil, message, &[32]byte{31: 1})
		if got := fmt.Sprintf("%x", sha256.Sum256(payload)); got != c.want || err != nil {
			t.Errorf("%d bytes: %s, %v, want %s", c.n, got, err, c.want)
		}
		if got, err := conversation.Decrypt(nil, payload); !bytes.Equal(got, message) || cap(got) != len(got) || err != nil {
			t.Errorf("%d bytes: %d bytes with capacity %d, %v", c.n, len(got), cap(got), err)
		}
	}
}

// TestLongest compares the payloads of long messages with payloads made by packages hkdf, chacha20 and hmac. In its
// long form, the length of the longest message has four bytes.
func TestLongest(t *testing.T) {
	key, nonce := [32]byte{1}, [32]byte{2}
	for _, n := range []int{0x010203, 0x090203, 0x01000203} {
		if n > 1<<20 && testing.Short() {
			continue
		}
		message := bytes.Repeat([]byte("0123456789abc"), n/13+1)[:n]
		keys, err1 := hkdf.Expand(sha256.New, key[:], string(nonce[:]), 76)
		stream, err2 := chacha20.NewUnauthenticatedCipher(keys[:32], keys[32:44])
		text := make([]byte, 6+paddedSize(n))
		binary.BigEndian.PutUint32(text[2:], uint32(n))
		copy(text[6:], message)
		stream.XORKeyStream(text, text)
		mac, err3 := hmacOf(keys[44:], nonce[:], text)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		want := base64.StdEncoding.EncodeToString(slices.Concat([]byte{2}, nonce[:], text, mac))
		got, err := FromKey(&key).encrypt(nil, message, &nonce)
		if err != nil || string(got) != want {
			t.Errorf("%d bytes: another payload, or %v", n, err)
		}
		if got, err := FromKey(&key).Decrypt(nil, []byte(want)); err != nil || !bytes.Equal(got, message) {
			t.Errorf("%d bytes: decrypted to %d bytes, %v", n, len(got), err)
		}
	}
}

// TestSizes compares padded sizes with a model in 64 bits, up to the largest size, whose payload fits in an int.
func TestSizes(t *testing.T) {
	model := func(n uint64) uint64 { // the least multiple of an eighth of the next power of two
		next := uint64(256)
		for next < n {
			next *= 2
		}
		chunk := next / 8
		return (n + chunk - 1) / chunk * chunk
	}
	for power := uint64(256); power <= 1<<32; power *= 2 {
		for part := uint64(1); part <= 16; part++ {
			for _, n := range []uint64{power/16*part - 1, power / 16 * part, power/16*part + 1} {
				if n <= MaxSize && n > 0 && uint64(paddedSize(int(n))) != model(n) {
					t.Errorf("padded size of %d: %d, want %d", n, paddedSize(int(n)), model(n))
				}
			}
		}
	}
	size := overhead + 6 + paddedSize(MaxSize)
	if base64Strict.EncodedLen(size) < size || (bits.UintSize == 64 && uint64(MaxSize) != math.MaxUint32) {
		t.Errorf("%d bytes of message are %d of payload", uint64(MaxSize), base64Strict.EncodedLen(size))
	}
}

// TestPlaces encrypts into dst at all distances from a message in the same array, and counts allocations.
func TestPlaces(t *testing.T) {
	conversation := FromKey(&[32]byte{1})
	for _, n := range []int{1, 40, 600, 70_000} {
		message := bytes.Repeat([]byte("0123456789"), n)[:n]
		want, err := conversation.encrypt(nil, message, new([32]byte))
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range []int{0, 1, 7, 98, 99, 100, n / 2, len(want) - n, len(want)} {
			array := bytes.Repeat([]byte{0xaa}, 2*len(want))
			copy(array[1+place:], message)
			if got, err := conversation.encrypt(array[:1], array[1+place:][:n], new([32]byte)); string(got) != "\xaa"+string(want) || err != nil || &got[0] != &array[0] {
				t.Errorf("%d bytes at %d: another payload, %v", n, place, err)
			}
		}
		if got := testing.AllocsPerRun(10, func() { _, _ = conversation.encrypt(nil, message, new([32]byte)) }); got > 4 {
			t.Errorf("%d bytes: %v allocations", n, got)
		}
	}
}

// TestNIP04 decrypts messages of NIP-04, whose error names it.
func TestNIP04(t *testing.T) {
	iv := "?iv=" + base64.StdEncoding.EncodeToString(make([]byte, 16))
	for _, n := range []int{0, 16, 128, 1 << 20} {
		text := base64.StdEncoding.EncodeToString(make([]byte, n)) + iv
		if got, err := FromKey(new([32]byte)).Decrypt(nil, []byte(text)); !errors.Is(err, ErrPayload) || got != nil || !strings.Contains(err.Error(), "NIP-04") {
			t.Errorf("%d bytes: %q, %v", n, got, err)
		}
	}
}

func private(t testing.TB, text string) *p256k1.PrivateKey {
	t.Helper()
	key, err := p256k1.ParsePrivateKey(libtest.Unhex(text))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestFlippedBits flips each bit of the vectors' payloads, in the bytes and in the base64 text.
func TestFlippedBits(t *testing.T) {
	for _, c := range read(t).V2.Valid.Encrypt {
		conversation := fromHex(t, c.ConversationKey)
		refuse := func(what string, payload []byte) {
			if got, err := conversation.Decrypt(nil, payload); (!errors.Is(err, ErrPayload) && !errors.Is(err, ErrVersion)) || got != nil {
				t.Fatalf("%s of %s: %q, %v", what, c.Payload, got, err)
			}
		}
		raw, err := base64.StdEncoding.DecodeString(c.Payload)
		if err != nil {
			t.Fatal(err)
		}
		for bit := range 8 * len(raw) {
			raw[bit/8] ^= 1 << (bit % 8)
			refuse(fmt.Sprintf("bit %d", bit), []byte(base64.StdEncoding.EncodeToString(raw)))
			raw[bit/8] ^= 1 << (bit % 8)
		}
		text := []byte(c.Payload)
		for bit := range 8 * len(text) {
			text[bit/8] ^= 1 << (bit % 8)
			refuse(fmt.Sprintf("bit %d of the text", bit), text)
			text[bit/8] ^= 1 << (bit % 8)
		}
		for i := range text {
			refuse("a line feed", append(append(bytes.Clone(text[:i]), '\n'), text[i:]...))
			refuse("the beginning", text[:i])
		}
		for _, more := range []string{"A", "=", "====", "\r\n", " "} {
			refuse("more", append(bytes.Clone(text), more...))
		}
	}
}

// TestPadding makes authentic payloads in which the length does not fit the padding, or the prefix.
func TestPadding(t *testing.T) {
	conversation := FromKey(new([32]byte))
	for _, c := range []struct {
		prefix string // in hexadecimal digits
		size   int
	}{
		{"0000", 32}, {"0021", 32}, {"0020", 64}, {"ffff", 32}, {"0001", 64}, {"0041", 64}, {"001f", 31}, {"0001", 65536},
		{"0000" + "00000000", 32}, {"0000" + "00000001", 32}, {"0000" + "00000020", 32}, {"0000" + "0000ffff", 65536},
		{"0000" + "00010001", 65536}, {"0000" + "00010000", 65535}, {"0000" + "00010000", 81920}, {"0000" + "00010000", 32},
		{"0000" + "7fffffff", 32}, {"0000" + "80000000", 65536}, {"0000" + "ffffffff", 65536}, {"0000" + "fffffffb", 32}, {"0000" + "ffffffff", 0},
	} {
		prefix := libtest.Unhex(c.prefix)
		raw := make([]byte, overhead+len(prefix)+c.size)
		raw[0] = version
		text := raw[1+nonceSize : len(raw)-macSize]
		copy(text, prefix)
		var k keys
		k.derive(conversation.get(), raw[1:1+nonceSize])
		k.cipher(text)
		mac, err := hmacOf(k.mac[:], raw[1:1+nonceSize], text)
		if err != nil {
			t.Fatal(err)
		}
		copy(raw[len(raw)-macSize:], mac)
		if got, err := conversation.Decrypt(nil, []byte(base64.StdEncoding.EncodeToString(raw))); !errors.Is(err, ErrPayload) || got != nil {
			t.Errorf("%s in %d: %q, %v", c.prefix, c.size, got, err)
		}
	}
}

// TestAuthentication changes each byte of a nonce, a ciphertext and an authentication code. The error must be the error
// for a wrong code, because an error for wrong padding shows that Decrypt has ignored the code. Half of the ciphertexts
// are padded messages that are not encrypted, which Decrypt would return if it neither verified nor decrypted them.
func TestAuthentication(t *testing.T) {
	conversation := FromKey(&[32]byte{1})
	state, nonce, message := conversation.get(), bytes.Repeat([]byte{5}, nonceSize), "sixteen bytes, m"
	for _, encrypted := range []bool{true, false} {
		for _, size := range []int{1, 16} {
			text := append([]byte{0, byte(size)}, message[:size]...)
			text = append(text, make([]byte, 34-len(text))...)
			var k keys
			k.derive(state, nonce)
			if encrypted {
				k.cipher(text)
			}
			mac, err := hmacOf(k.mac[:], nonce, text)
			if err != nil {
				t.Fatal(err)
			}
			raw := slices.Concat([]byte{version}, nonce, text, mac)
			decrypt := func() ([]byte, error) {
				return conversation.Decrypt([]byte("x"), []byte(base64.StdEncoding.EncodeToString(raw)))
			}
			if got, err := decrypt(); encrypted && (err != nil || string(got) != "x"+message[:size]) {
				t.Errorf("%d bytes, unchanged: %q, %v", size, got, err)
			}
			for i := 1; i < len(raw); i++ {
				for _, change := range []byte{1, 128, 255} {
					raw[i] ^= change
					got, err := decrypt()
					if !errors.Is(err, ErrPayload) || !strings.Contains(err.Error(), "wrong authentication code") || string(got) != "x" {
						t.Errorf("%d bytes, encrypted %v, byte %d: %q, %v", size, encrypted, i, got, err)
					}
					raw[i] ^= change
				}
			}
		}
	}
}

// TestLimits decrypts payloads of the least and the largest lengths, and of lengths beyond them.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		text string
		kind error
		want string
	}{
		{"", ErrPayload, "0 characters"},
		{"#", ErrVersion, "begins with #"},
		{strings.Repeat("A", 128), ErrPayload, "128 characters"},
		{strings.Repeat("A", 131), ErrPayload, "131 characters"},
		{"Ag" + strings.Repeat("A", 128) + "==", ErrPayload, "97 bytes"},
		{"Ag" + strings.Repeat("A", 129) + "=", ErrPayload, "98 bytes"},
		{"Ag" + strings.Repeat("A", 130), ErrPayload, "wrong authentication code"},
		{"AQ" + strings.Repeat("A", 130), ErrVersion, "1, want 2"},
		{"Aw" + strings.Repeat("A", 130), ErrVersion, "3, want 2"},
		{"Ag" + strings.Repeat("A", 130) + "\r", ErrPayload, "not base64"},
		{"Ag" + strings.Repeat("A", 130) + "\n", ErrPayload, "not base64"},
		{"Ag" + strings.Repeat("A", 129) + "B=", ErrPayload, "not base64"}, // the last bits are not zero
	} {
		got, err := FromKey(&[32]byte{1}).Decrypt([]byte("x"), []byte(c.text))
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || string(got) != "x" {
			t.Errorf("%.40s, %d characters: %q, %v, want %s", c.text, len(c.text), got, err, c.want)
		}
	}
}

// hmacOf computes HMAC-SHA256 by hkdf.Extract, which is the same function.
func hmacOf(key []byte, parts ...[]byte) ([]byte, error) {
	return hkdf.Extract(sha256.New, bytes.Join(parts, nil), key)
}

func TestRoundTrip(t *testing.T) {
	conversation := FromKey(&[32]byte{1})
	var seen [][]byte
	for _, n := range []int{1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000, 65534, 65535, 65536, 65537, 81920, 81921, 200_000} {
		message := bytes.Repeat([]byte("ü\x00"), n)[:n]
		payload, err := conversation.Encrypt(nil, message)
		if err != nil {
			t.Fatal(err)
		}
		first := bytes.Clone(payload)
		if got, err := conversation.Decrypt(payload[:0], payload); !bytes.Equal(got, message) || err != nil { // in place
			t.Errorf("%d bytes: %q, %v", n, got, err)
		}
		again, err := conversation.Encrypt(nil, message)
		if err != nil || bytes.Equal(again[:40], first[:40]) { // the nonces
			t.Errorf("%d bytes: twice the same payload, %v", n, err)
		}
		if got, err := FromKey(&[32]byte{2}).Decrypt(nil, again); !errors.Is(err, ErrPayload) || got != nil {
			t.Errorf("%d bytes, another key: %q, %v", n, got, err)
		}
		seen = append(seen, again)
	}
	var wait sync.WaitGroup
	for _, payload := range seen {
		wait.Go(func() {
			if _, err := conversation.Decrypt(nil, payload); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

// TestHKDF compares the message keys with the output of package hkdf.
func TestHKDF(t *testing.T) {
	for i := range 100 {
		key, nonce := sha256.Sum256([]byte{byte(i)}), sha256.Sum256([]byte{byte(i), 1})
		want, err := hkdf.Expand(sha256.New, key[:], string(nonce[:]), 76)
		if err != nil {
			t.Fatal(err)
		}
		var k keys
		k.derive(FromKey(&key).get(), nonce[:])
		if !bytes.Equal(k.okm[:76], want) || !bytes.Equal(k.mac[:], want[44:]) {
			t.Fatalf("%x, want %x", k.okm, want)
		}
	}
}

func TestNoKey(t *testing.T) {
	wiped := FromKey(&[32]byte{1})
	copied := *wiped
	wiped.Zero()
	wiped.Zero()
	(*Conversation)(nil).Zero()
	new(Conversation).Zero()
	for name, c := range map[string]*Conversation{"nil": nil, "zero": new(Conversation), "wiped": wiped, "copy of what was wiped": &copied} {
		if got, err := c.Encrypt([]byte("x"), []byte("m")); !errors.Is(err, p256k1.ErrNoKey) || string(got) != "x" {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		if got, err := c.Decrypt([]byte("x"), []byte("m")); !errors.Is(err, p256k1.ErrNoKey) || string(got) != "x" {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if (*wiped.key).key != [32]byte{} {
		t.Error("the key is still there")
	}
	key := private(t, strings.Repeat("01", 32))
	for name, c := range map[string]struct {
		priv *p256k1.PrivateKey
		pub  *p256k1.XOnlyPublicKey
		want error
	}{
		"nil":         {nil, key.PublicKey().XOnly(), p256k1.ErrNoKey},
		"zero":        {new(p256k1.PrivateKey), key.PublicKey().XOnly(), p256k1.ErrNoKey},
		"nil, public": {key, nil, p256k1.ErrNoKey},
		"zero public": {key, new(p256k1.XOnlyPublicKey), p256k1.ErrNoKey},
	} {
		if got, err := New(c.priv, c.pub); !errors.Is(err, c.want) || got != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestHidden checks that printing does not show the key.
func TestHidden(t *testing.T) {
	key := sha256.Sum256([]byte("secret"))
	c := FromKey(&key)
	type holder struct{ c Conversation }
	type pointer struct{ c *Conversation }
	var out bytes.Buffer
	for _, v := range []any{c, *c, holder{*c}, &holder{*c}, pointer{c}, []*Conversation{c}, map[string]Conversation{"": *c}} {
		for _, verb := range "vsxXdqobcUeEfFgGtTp" {
			for _, flags := range []string{"", "+", "#", " ", "0"} {
				fmt.Fprintf(&out, "%"+flags+string(verb)+"\n", v)
			}
		}
		slog.New(slog.NewTextHandler(&out, nil)).Info("", "v", v)
		text, _ := json.Marshal(v)
		out.Write(text)
	}
	for _, shown := range []string{
		string(key[:8]), fmt.Sprintf("%x", key[:8]), fmt.Sprintf("%X", key[:8]), strings.Trim(fmt.Sprint(key[:8]), "[]"), fmt.Sprintf("% x", key[:8]),
	} {
		if strings.Contains(out.String(), shown) {
			t.Errorf("shown: %s", shown)
		}
	}
	if fmt.Sprint(c) != conversationText || fmt.Sprintf("%#v %d", *c, c) != conversationText+" "+conversationText {
		t.Error(fmt.Sprint(c))
	}
	for _, c := range []*Conversation{c, nil} {
		want := slog.StringValue(conversationText)
		if c == nil {
			want = slog.Value{}
		}
		if v, ok := any(c).(slog.LogValuer); ok && !v.LogValue().Equal(want) { // WebAssembly builds lack it
			t.Errorf("logged as %v", v.LogValue())
		}
	}
	if _, err := json.Marshal(c); !errors.Is(err, p256k1.ErrMarshal) {
		t.Errorf("JSON: %v", err)
	}
	if err := json.Unmarshal([]byte(`"x"`), c); !errors.Is(err, p256k1.ErrMarshal) {
		t.Errorf("JSON: %v", err)
	}
	if err := gob.NewEncoder(io.Discard).Encode(c); !errors.Is(err, p256k1.ErrMarshal) {
		t.Errorf("gob: %v", err)
	}
	if err := c.UnmarshalBinary(nil); !errors.Is(err, p256k1.ErrMarshal) {
		t.Errorf("gob: %v", err)
	}
}

// FuzzDecrypt decrypts valid payloads and arbitrary text.
func FuzzDecrypt(f *testing.F) {
	for _, n := range []int{1, 32, 33, 1000} {
		payload, err := FromKey(&[32]byte{1}).encrypt(nil, make([]byte, n), new([32]byte))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload, make([]byte, n))
		f.Add(append(payload, '\n'), []byte(nil))
		f.Add(payload[:len(payload)-4], []byte("x"))
	}
	f.Add([]byte("#"), []byte(nil))
	f.Fuzz(func(t *testing.T, payload, message []byte) {
		c := FromKey(&[32]byte{1})
		if got, err := c.Decrypt(nil, payload); err == nil {
			raw, err := base64.StdEncoding.DecodeString(string(payload))
			if err != nil {
				t.Fatalf("%s: %v", payload, err)
			}
			again, err := c.encrypt(nil, got, (*[32]byte)(raw[1:33]))
			if err != nil || !bytes.Equal(again, payload) {
				t.Fatalf("%s is %q, whose payload is %s, %v", payload, got, again, err)
			}
		} else if got != nil || (!errors.Is(err, ErrPayload) && !errors.Is(err, ErrVersion)) {
			t.Fatalf("%s: %q, %v", payload, got, err)
		}
		encrypted, err := c.Encrypt(nil, message)
		if len(message) < 1 || len(message) > MaxSize {
			if !errors.Is(err, ErrSize) {
				t.Fatalf("%d bytes: %v", len(message), err)
			}
			return
		}
		if got, err2 := c.Decrypt(nil, encrypted); err != nil || err2 != nil || !bytes.Equal(got, message) {
			t.Fatalf("%q: %v, %v", message, err, err2)
		}
	})
}
