package bulk

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/unpack"
)

func gz(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCompressed(t *testing.T) {
	lines := samples(t, 1000, 4)
	cut := strings.Index(lines, "\n") - 10 // in a line
	packed := gz(t, lines[:cut]) + gz(t, lines[cut:])
	short := packed[:len(packed)-100]
	wrong := []byte(packed)
	wrong[len(wrong)-5] ^= 1 // in the checksum
	inputs := []Input{text("good", packed), text("plain", lines), text("short", short), text("wrong", string(wrong)), text("zip", "PK\x03\x04..."), text("empty", gz(t, ""))}
	var r recorder
	counts, err := Verify(t.Context(), slices.Values(inputs), options(), &r)
	if err != nil || counts.Unreadable != 0 || counts.Failed != 3 || counts.Empty != 1 || counts.Signatures.Bad < 4+4+3+4 {
		t.Errorf("%+v, %v", counts, err)
	}
	if len(r.failures) != 4 || !strings.HasPrefix(r.failures[0], "short: the gzip data are cut off") || !strings.HasPrefix(r.failures[1], "wrong: the gzip data are corrupt") ||
		r.failures[2] != "zip: zip, which is not read: use unzip -p FILE | p256k1 verify" || r.failures[3] != "empty: "+ErrEmpty.Error() {
		t.Errorf("%q", r.failures)
	}
	for i, f := range r.findings[:8] {
		if want := fmt.Sprintf("%s:%d", []string{"good", "plain"}[i/4], i%4*250+250); fmt.Sprintf("%s:%d", f.File, f.Line) != want {
			t.Errorf("%+v, want %s", f, want)
		}
	}
}

// TestBomb checks that memory does not depend on what is in a compressed file.
func TestBomb(t *testing.T) {
	for name, c := range map[string]struct {
		members int // of 1 MiB each
		text    string
		want    Counts
	}{
		"one line":    {256, strings.Repeat("x", 1<<20), Counts{Unreadable: 1}},
		"empty lines": {8, strings.Repeat("\n", 1<<20), Counts{Empty: 1}},
		"spaces":      {256, strings.Repeat(" ", 1<<20-1) + "\n", Counts{Empty: 1}},
	} {
		member := gz(t, c.text)
		members := make([]io.Reader, c.members)
		for i := range members {
			members[i] = strings.NewReader(member)
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		counts, err := Verify(t.Context(), slices.Values([]Input{reader1("bomb", io.MultiReader(members...))}), options(), new(recorder))
		runtime.ReadMemStats(&after)
		if err != nil || counts != c.want {
			t.Errorf("%s: %+v, %v", name, counts, err)
		}
		if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 64<<20 {
			t.Errorf("%s: memory grew by %d MiB", name, grown>>20)
		}
	}
	bomb := gz(t, gz(t, strings.Repeat("x", 1<<20)))
	var r recorder
	if counts, err := Verify(t.Context(), slices.Values([]Input{text("bomb", bomb)}), options(), &r); err != nil || counts != (Counts{Failed: 1}) {
		t.Errorf("%+v, %v", counts, err)
	}
	if want := "bomb: gzip with gzip in it, which is " + unpack.ErrFormat.Error(); fmt.Sprint(r.failures) != "["+want+"]" {
		t.Errorf("%q", r.failures)
	}
}

// TestCutOff checks that a line of which the rest cannot be read is no line.
func TestCutOff(t *testing.T) {
	var r recorder
	broken := io.MultiReader(strings.NewReader("{}\n{\"t\":"), failing{errors.New("wrong")})
	counts, err := Verify(t.Context(), slices.Values([]Input{reader1("broken", broken)}), options(), &r)
	if err != nil || counts != (Counts{Unreadable: 1, Failed: 1}) || fmt.Sprint(r.failures) != "[broken: wrong]" {
		t.Errorf("%+v, %v, %q", counts, err, r.failures)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
