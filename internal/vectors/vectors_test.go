package vectors

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
)

// probe stands in for a test and records how the tested function ended it. The embedded interface is nil, so any other
// call panics.
type probe struct {
	testing.TB
	verdict string
}

func (p *probe) Helper() {}
func (p *probe) Fatalf(f string, a ...any) {
	p.verdict = "fatal: " + fmt.Sprintf(f, a...)
	runtime.Goexit()
}
func (p *probe) Skipf(f string, a ...any) {
	p.verdict = "skip: " + fmt.Sprintf(f, a...)
	runtime.Goexit()
}

func verdict(f func(t testing.TB)) string {
	p := new(probe)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(p)
	}()
	<-done
	return p.verdict
}

func TestMissing(t *testing.T) {
	for _, c := range []struct{ root, ci, name, want string }{
		{"", "", "a", "skip"},
		{"", "false", "a", "skip"},
		{"", "true", "a", "fatal"},
		{t.TempDir(), "", "a", "fatal"},
		{t.TempDir(), "true", "a", "fatal"},
		{t.TempDir(), "true", ".", ""},
	} {
		t.Setenv(Env, c.root)
		t.Setenv("CI", c.ci)
		got := verdict(func(t testing.TB) { Path(t, c.name) })
		if len(got) < len(c.want) || got[:len(c.want)] != c.want || (c.want == "" && got != "") {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestReaders(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(Env, dir)
	for name, text := range map[string]string{"a": "one\r\n\ntwo\nthree", "b.json": `{"x": [1, 2]}`, "c.json": `{} {}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	var got []string
	Lines(t, "a", func(n int, line []byte) { got = append(got, fmt.Sprint(n, string(line))) })
	if want := []string{"1one", "3two", "4three"}; !reflect.DeepEqual(got, want) {
		t.Errorf("Lines: %q, want %q", got, want)
	}

	var v struct{ X []int }
	JSON(t, "b.json", &v)
	if !reflect.DeepEqual(v.X, []int{1, 2}) {
		t.Errorf("JSON: %v", v)
	}
	if got := verdict(func(t testing.TB) { JSON(t, "c.json", &v) }); got == "" {
		t.Error("JSON: trailing data accepted")
	}
}
