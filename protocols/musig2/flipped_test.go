package musig2

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/vectors"
)

// TestFlipped runs the vector tests with a bit of an expected result flipped. They must fail.
func TestFlipped(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("WebAssembly starts no programs")
	}
	from := vectors.Path(t, "bip327")
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "bip327"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	expected := regexp.MustCompile(`"(?:expected\w*|sorted_pubkeys)":\s*\[?\s*"[0-9A-F]{8}`)
	for name, test := range map[string]string{"key_sort": "KeySort", "key_agg": "KeyAgg", "nonce_gen": "NonceGen", "nonce_agg": "NonceAgg",
		"sign_verify": "SignVerify", "tweak": "Tweaks", "sig_agg": "SigAgg", "det_sign": "DetSign"} {
		file := filepath.Join(dir, "bip327", name+"_vectors.json")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		places := expected.FindAllIndex(text, -1)
		if len(places) == 0 {
			t.Fatalf("%s expects nothing", name)
		}
		for _, place := range places {
			flipped := append([]byte(nil), text...)
			digit := &flipped[place[1]-1]
			*digit = "0123456789ABCDEF"[strings.IndexByte("0123456789ABCDEF", *digit)^1]
			if err := os.WriteFile(file, flipped, 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run", "^Test"+test+"$")
			cmd.Env = append(os.Environ(), vectors.Env+"="+dir)
			if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "--- FAIL: Test"+test) {
				t.Errorf("%s with a flipped bit at %d passes: %s", name, place[1], out)
			}
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
