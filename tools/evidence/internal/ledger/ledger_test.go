package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	open := func(seed string) (*Ledger[int], error) { return Open[int](path, seed) }
	l, err := open("a")
	if err != nil {
		t.Fatal(err)
	}
	*l.Of("x") += 3
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	if l, err = open("a"); err != nil || *l.Of("x") != 3 || *l.Of("y") != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := open("b"); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("another seed: %v", err)
	}
	l.Program = "other"
	if err := l.Save(); err != nil {
		t.Fatal(err)
	}
	if _, err := open("a"); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("another program: %v", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := open("a"); err == nil {
		t.Error("half a file is read")
	}
	if l, err := Open[int]("", "a"); err != nil || l.Save() != nil {
		t.Errorf("without a file: %v", err)
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1: "-1", -123: "-123", -1234: "-1,234"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
