package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestSign(t *testing.T) {
	key := file(t, three)
	message := file(t, "a message")
	sum := sha256.Sum256([]byte("a message"))
	digest := hex.EncodeToString(sum[:])

	for _, flags := range []string{"", "--scheme ecdsa", "--encoding compact", "--scheme schnorr", "--recoverable"} {
		args := func(more ...string) []string {
			return append(append([]string{"sign"}, strings.Fields(flags)...), more...)
		}
		rows := run(t, three, args("--json", "--digest", digest)...).out +
			run(t, "", args("--json", "--digest", strings.ToUpper(digest), "--key", key)...).out +
			run(t, "", args("--json", "--file", message, "-k", key)...).out +
			run(t, "a message", args("--json", "--file", "-", "-k", key)...).out
		if strings.Count(rows, `"h":"`+digest+`"`) != 4 {
			t.Errorf("%s: %s", flags, rows)
		}
		run(t, rows, "verify").expect(t, 0, "4 signatures good, 0 bad", "")
	}

	// The signature of a file must not verify for the same file with one more byte.
	longer := file(t, "a message\n")
	for _, flags := range []string{"", "--encoding compact", "--recoverable", "--scheme schnorr"} {
		sign := append([]string{"sign", "--file", message, "--key", key}, strings.Fields(flags)...)
		sig := strings.TrimSpace(run(t, "", sign...).out)
		kind, pubs := "ecdsa", []string{threePublic, strings.ToUpper(threePublic)}
		switch flags {
		case "--recoverable":
			kind = "recoverable"
		case "--scheme schnorr":
			kind, pubs = "schnorr", append(pubs, threePublic[2:], threeNpub)
		}
		for _, pub := range pubs {
			verify := func(signed ...string) result {
				scheme := strings.Replace(kind, "recoverable", "ecdsa", 1)
				return run(t, "a message", append([]string{"verify", "--pub", pub, "--sig", sig, "--scheme", scheme}, signed...)...)
			}
			verify("--file", message).expect(t, 0, "good "+kind+" signature of "+message+" by ", "")
			verify("--file", "-").expect(t, 0, "good "+kind, "")
			verify("--digest", "0x"+digest).expect(t, 0, "good "+kind+" signature of "+digest, "")
			verify("--file", longer).expect(t, 1, "bad "+kind+" signature of "+longer+": the signature ", "")
		}
		row := run(t, "", append(sign, "--json")...).out
		run(t, row, "verify").expect(t, 0, "no file was hashed", "")
	}
	one := run(t, three, "sign", "--digest", digest, "--scheme", "schnorr").out
	if two := run(t, three, "sign", "--digest", digest, "--scheme", "schnorr").out; len(one) != 129 || one == two {
		t.Errorf("%s%s", one, two)
	}
}
