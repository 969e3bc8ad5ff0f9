package hextext

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

// TestKind calls Kind with texts and with bytes of every length that keys and signatures have.
func TestKind(t *testing.T) {
	for n := 20; n < 150; n++ {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i*i*i + 7*i + n)
		}
		digits, b64 := hex.EncodeToString(b), base64.StdEncoding.EncodeToString(b)
		for text, want := range map[string]string{
			string(b): "", digits: "hexadecimal", "0x" + digits: "hexadecimal", strings.ToUpper(digits): "hexadecimal", "\t" + digits + "\r\n": "hexadecimal",
			b64: "base64", b64 + "\n": "base64", "npub1" + digits: "nip19", "NSEC1" + digits: "nip19", "-----BEGIN X-----" + b64: "PEM", "{" + b64: aText, "é" + b64: "",
		} {
			if n := len(strings.TrimSpace(text)); n == 111 || n == 52 {
				continue
			}
			if got := Kind([]byte(text)); !strings.Contains(got, want) || (want == "" && got != "") {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
	for text, want := range map[string]string{
		"": "", "x": "", strings.Repeat("a", 15): "", strings.Repeat("a", 16): "hexadecimal", "5" + strings.Repeat("K", 50): aText, "L" + strings.Repeat("z", 51): aText,
		"xpub" + strings.Repeat("6", 107): aText, strings.Repeat("z", 26): aText, strings.Repeat("z", 27) + "=": "base64", strings.Repeat("z", 28) + "=": aText,
		strings.Repeat("z", 28) + "-_": "base64", strings.Repeat("z", 28) + "-/": aText, "0x": "", strings.Repeat("a", 4096): "hexadecimal", strings.Repeat("a", 4097): "", "0x" + strings.Repeat("0", 14): "hexadecimal",
	} {
		if got := Kind([]byte(text)); !strings.Contains(got, want) || (want == "" && got != "") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
