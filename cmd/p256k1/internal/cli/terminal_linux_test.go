package cli

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/term"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/pty"
)

// TestHidden types a secret key at a terminal, and checks that the terminal does not show the key and keeps its mode.
func TestHidden(t *testing.T) {
	nsec := keyObject(t, run(t, three, "key", "show", "--secret", "--json")).Nsec
	for typed, want := range map[string]result{
		three + "\r":                          {0, threePublic, ""},
		"0x" + strings.ToUpper(three) + "\n":  {0, threePublic, ""},
		nsec + "\r":                           {0, threePublic, ""},
		three[:63] + "45\x7f\b3\r":            {0, threePublic, ""},
		"\x7f" + nsec + "\x15" + three + "\r": {0, threePublic, ""},
		three + "\x04":                        {0, threePublic, ""},
		"\x04":                                {2, "", "the secret key that was typed: 0 characters"},
		"\r":                                  {2, "", "the secret key that was typed: 0 characters"},
		three[:20] + "\x03":                   {StatusInterrupted, "", ""},
		three + three + "\r":                  {2, "", "the secret key that was typed: 128 characters"},
		strings.Repeat("7", maxSecret) + "\r": {2, "", "the secret key that was typed: more than 1023 bytes"},
		nsec[:5] + "\x1b[D" + nsec[5:] + "\r": {2, "", "the secret key that was typed: nip19: malformed: nsec of 66 characters"},
	} {
		person, terminal, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		before, err := term.GetState(int(terminal.Fd()))
		if err != nil {
			t.Fatal(err)
		}
		seen := make(chan string, 1)
		go func() {
			var all bytes.Buffer
			b := make([]byte, 1000)
			for {
				n, err := person.Read(b)
				all.Write(b[:n])
				if err != nil {
					seen <- all.String()
					return
				}
			}
		}()
		var out bytes.Buffer
		errs := &watcher{seen: "not shown", then: func() { person.WriteString(typed) }}
		status := Run(t.Context(), []string{"key", "show"}, Streams{terminal, &out, errs})
		after, err := term.GetState(int(terminal.Fd()))
		if err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%q: the terminal is in another mode, %v", typed, err)
		}
		terminal.Close()
		select {
		case text := <-seen:
			if text != "" {
				t.Errorf("%q: the terminal shows %q", typed, text)
			}
		case <-time.After(10 * time.Second):
			t.Error("the terminal does not close")
		}
		person.Close()
		asked, said, _ := strings.Cut(errs.String(), "\n")
		if status != want.status || !strings.Contains(out.String(), want.out) || !strings.HasPrefix(asked, "Secret key") || !strings.Contains(said, want.err) || want.err == "" && said != "" {
			t.Errorf("%q: status %d, %s, %s", typed, status, out.String(), errs.String())
		}
	}
}
