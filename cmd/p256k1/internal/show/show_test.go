package show

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestName checks which names are in quotation marks. FuzzName has names with characters that are not printable.
func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"a.jsonl":                 "a.jsonl",
		"/tmp/ünïcødé 日本 🗝.jsonl": "/tmp/ünïcødé 日本 🗝.jsonl",
		`C:\data\a b.jsonl`:       `C:\data\a b.jsonl`,
		"-":                       "-",
		"a:1":                     "a:1",
		"":                        `""`,
		" a":                      `" a"`,
		"a ":                      `"a "`,
		`"a"`:                     `"\"a\""`,
		"a:1: bad ecdsa: forged":  `"a:1: bad ecdsa: forged"`,
		"a\nb:1: good":            `"a\nb:1: good"`,
		"a\ufffd":                 "a\ufffd",
		strings.Repeat("x", 5000): strings.Repeat("x", 5000),
	} {
		if got := Name(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestShell(t *testing.T) {
	for word, want := range map[string]string{
		"-dropreplace=a.b/c/v4@v4.4.1-x.0+y": "-dropreplace=a.b/c/v4@v4.4.1-x.0+y",
		"C:/a_b%,":                           "C:/a_b%,",
		"":                                   "''",
		"a b":                                "'a b'",
		"$(a) `b` $c ~ * \\ \"":              "'$(a) `b` $c ~ * \\ \"'",
		"it's":                               `'it'\''s'`,
		"ünï":                                "'ünï'",
		"a\nb":                               `'a\nb'`,
	} {
		if got := Shell(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

func TestError(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "a\n\x1b[1m", Err: os.ErrNotExist}
	for _, c := range []struct {
		err  error
		want string
	}{
		{path, `open "a\n\x1b[1m": file does not exist`},
		{fmt.Errorf("while \x00: %w", path), `while \x00: open "a\n\x1b[1m": file does not exist`},
		{&fs.PathError{Op: "open", Path: "plain", Err: os.ErrExist}, "open plain: file already exists"},
		{&fs.PathError{Op: "open", Path: "", Err: os.ErrNotExist}, `open "": file does not exist`},
		{&fs.PathError{Op: "open", Path: " ", Err: os.ErrNotExist}, `open " ": file does not exist`},
		{fmt.Errorf("unknown flag: --\u202ea\\b\xff"), `unknown flag: --\u202ea\b\xff`},
	} {
		if got := Error(c.err); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestRedact(t *testing.T) {
	const hex = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa"
	groups := hex[:2]
	for i := 2; i < len(hex); i += 2 {
		groups += ":" + hex[i:i+2]
	}
	for _, secret := range []string{
		hex, strings.ToUpper(hex), "0x" + hex, "0X" + hex, hex[:40],
		"nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", "NSEC1VL029MG", "nsec1",
		"5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss", "L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1", // WIF
		"xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
		"46991645820951029130958239475829304751928374650192837465019283746501928374651", // in decimal
		"Z96i7QGActZ19UFez67X0ll1VeIC2Fs9ZepOWNLZL/o=", "Z96i7QGActZ19UFez67X0ll1VeIC2Fs9ZepOWNLZL_o=",
		groups, strings.ReplaceAll(groups, ":", " "), strings.ToUpper(groups),
	} {
		for _, format := range []string{"%s", "open %s: no such file", "unknown shorthand flag: 'x' in -%s", `p256k1 has no command "%s"`} {
			want := fmt.Sprintf(format, Withheld)
			if got := Redact(fmt.Sprintf(format, secret)); (got != want && !strings.Contains(format, "-%s")) || (strings.Contains(got, secret[5:]) && len(secret) > 5) {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
	for _, text := range []string{
		"open events-2026-11-22-from-relay.example.com-part-00001.jsonl.gz: no such file or directory",
		"/home/user/go/src/example.com/some/quite/long/path/that/goes/on/and/on/a.jsonl",
		"123e4567-e89b-12d3-a456-426614174000", "00:1b:44:11:3a:b7", hex[:32],
	} {
		if got := Redact(text); got != text {
			t.Errorf("%s becomes %s", text, got)
		}
	}
}

func fuzzSeeds(f *testing.F) {
	for _, text := range []string{
		"", "a.jsonl", "\x1b[2J", "\u202e", "\xff", "\u2028", "a\nb", `"`, `\u202e`, "\xc2\x9b half of it: \xc2", "a\u00a0b\u200b\x7f\t\u2066", "\U000e0041", "\ufffd", "\u009b",
		"open 67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa: no such file",
		"nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", "NSEC1" + strings.Repeat("aF", 20),
		strings.Repeat("0", 39) + "." + strings.Repeat("A", 40),
	} {
		f.Add(text)
	}
}

// FuzzName checks that a name can be read back, and that no two names look the same.
func FuzzName(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, name string) {
		got := Name(name)
		back := got
		if strings.HasPrefix(got, `"`) {
			var err error
			if back, err = strconv.Unquote(got); err != nil {
				t.Fatalf("%q: %s: %v", name, got, err)
			}
		}
		if back != name {
			t.Fatalf("%q becomes %s", name, got)
		}
		for _, shown := range []string{got, Text(name)} {
			for _, r := range shown {
				if !strconv.IsPrint(r) || !utf8.ValidString(shown) {
					t.Fatalf("%q becomes %q", name, shown)
				}
			}
		}
	})
}

func FuzzJSON(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		encoded := libtest.Must(json.Marshal(map[string]string{"a": text}))
		var want, got map[string]string
		libtest.Check(t, json.Unmarshal(encoded, &want))
		shown := JSON(append(encoded, '\n'))
		if err := json.Unmarshal(shown, &got); err != nil || got["a"] != want["a"] {
			t.Fatalf("%q becomes %s, %v", text, shown, err)
		}
		for _, r := range strings.TrimSuffix(string(shown), "\n") {
			if !strconv.IsPrint(r) {
				t.Fatalf("%q becomes %q", text, shown)
			}
		}
	})
}

// TestCount writes numbers of up to 19 digits.
func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0 lines", 1: "1 line", 999: "999 lines", 1000: "1,000 lines", 1<<63 - 1: "9,223,372,036,854,775,807 lines"} {
		if got := Count(n, "line"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// FuzzRedact looks for remains of a key.
func FuzzRedact(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, message string) {
		got := Redact(message)
		run := 0
		for _, char := range []byte(got) {
			run++
			if '0' > char || (char > '9' && 'A' > char) || (char > 'Z' && 'a' > char) || char > 'z' {
				run = 0
			}
			if run >= 40 {
				t.Fatalf("%q becomes %q", message, got)
			}
		}
		if strings.Contains(strings.ToLower(got), "nsec1") {
			t.Fatalf("%q becomes %q", message, got)
		}
	})
}
