package conformance

import (
	"encoding/hex"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// TestHaskoinDER parses signatures of Bitcoin's transactions, with a hash type after the DER. Lines that are not
// hexadecimal are comments, as the first comment says.
func TestHaskoinDER(t *testing.T) {
	for _, f := range []struct {
		name   string
		strict bool
		want   string
	}{
		{"sig_strict.json", true, "3 strict"},
		{"sig_nonstrict.json", false, "14 not strict, 1 of a hash type that does not exist, 2 of high s, 18 comments"},
	} {
		t.Run(f.name, func(t *testing.T) {
			var file []string
			vectors.JSON(t, "haskoin/"+f.name, &file)
			count := tally{}
			about := ""
			for _, text := range file {
				b, err := hex.DecodeString(text)
				if err != nil {
					count.add("comments")
					about = text
					continue
				}
				sig, ok := parseDER(t, b[:len(b)-1])
				switch {
				case !ok:
					count.add("not strict")
				case b[len(b)-1]&^0x80 > 3: // 0x80 is SIGHASH_ANYONECANPAY, 3 is SIGHASH_SINGLE
					count.add("of a hash type that does not exist")
				case !sig.IsLowS():
					count.add("of high s")
				default:
					count.add("strict")
					if !f.strict {
						t.Errorf("%s %x is accepted", about, b)
					}
				}
			}
			count.want(t, f.want)
		})
	}
}

// TestVoiBIP66 tests secp256k1-voi's copy of the vectors of the JavaScript package bip66.
func TestVoiBIP66(t *testing.T) {
	var file struct {
		Valid   []struct{ DER, R, S string }
		Invalid struct {
			Decode []struct{ Exception, DER string }
			Encode []struct{ Exception, R, S string }
		}
	}
	vectors.JSON(t, "secp256k1-voi/bip-0066-test-vectors.json", &file)
	count := tally{}
	for _, test := range file.Valid {
		count.add("valid")
		// BIP-66 specifies only the encoding, in which r and s may have any value below 2²⁵⁶, but r and s of a
		// signature must be from 1 to n − 1.
		r, s := pad32(unhex(test.R)), pad32(unhex(test.S))
		want, inRange := parseCompact(t, append(r, s...))
		if sig, ok := parseDER(t, unhex(test.DER)); ok != inRange || sig != want {
			t.Errorf("%s: parsed %v, %x, want %v, %x", test.DER, ok, sig.Bytes(), inRange, want.Bytes())
		}
		if !inRange {
			count.add("of them out of range")
		}
	}
	for _, test := range file.Invalid.Decode {
		count.add("invalid")
		if _, err := ecdsa.ParseDER(unhex(test.DER)); !isOneOf(err, ecdsa.ErrDER) {
			t.Errorf("%s (%s): %v", test.DER, test.Exception, err)
		}
	}
	// Integers that bip66 refuses to encode must also be refused by the parser, if they are written in DER unchanged.
	for _, test := range file.Invalid.Encode {
		count.add("integers that have no encoding")
		var der []byte
		for _, v := range [][]byte{unhex(test.R), unhex(test.S)} {
			der = append(append(der, 0x02, byte(len(v))), v...)
		}
		der = append([]byte{0x30, byte(len(der))}, der...)
		if _, err := ecdsa.ParseDER(der); !isOneOf(err, ecdsa.ErrDER) && !isOneOf(err, p256k1.ErrRange) {
			t.Errorf("%x (%s): %v", der, test.Exception, err)
		}
	}
	count.want(t, "9 valid, 1 of them out of range, 16 invalid, 8 integers that have no encoding")
}
