package conformance

import (
	"encoding/hex"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// TestHaskoinDER parses signatures of Bitcoin's transactions, with a hash type after the DER. Lines that are not
// hexadecimal are comments, as the first comment says.
func TestHaskoinDER(t *testing.T) {
	for name, want := range map[string]string{
		"sig_strict.json":    "3 strict",
		"sig_nonstrict.json": "14 not strict, 1 of a hash type that does not exist, 2 of high s, 18 comments",
	} {
		each(t, "haskoin/"+name, want, func(r *report, text string) {
			b, err := hex.DecodeString(text)
			if err != nil {
				r.add("comments")
				return
			}
			sig, ok := parseDER(r, b[:len(b)-1])
			switch {
			case !ok:
				r.add("not strict")
			case b[len(b)-1]&^0x80 > 3: // 0x80 is SIGHASH_ANYONECANPAY, 3 is SIGHASH_SINGLE
				r.add("of a hash type that does not exist")
			case !sig.IsLowS():
				r.add("of high s")
			default:
				r.add("strict")
			}
		})
	}
}

// TestVoiBIP66 tests secp256k1-voi's copy of the vectors of the JavaScript package bip66.
func TestVoiBIP66(t *testing.T) {
	type integers struct{ Exception, DER, R, S string }
	file := read[struct {
		Valid   []integers
		Invalid struct{ Decode, Encode []integers }
	}](t, "secp256k1-voi/bip-0066-test-vectors.json")
	r := newReport(t)
	for _, c := range file.Valid {
		r.begin("valid", "%+v", c)
		// BIP-66 specifies only the encoding, in which r and s may have any value below 2²⁵⁶, but r and s of a
		// signature must be from 1 to n − 1.
		want, inRange := parseCompact(r, pad64(c.R, c.S))
		sig, ok := parseDER(r, unhex(c.DER))
		r.same("whether it is parsed", ok, inRange)
		r.same("signature", sig, want)
		r.addIf(!inRange, "of them out of range")
	}
	for _, c := range file.Invalid.Decode {
		r.begin("invalid", "%+v", c)
		_, err := ecdsa.ParseDER(unhex(c.DER))
		r.fails("ParseDER", err, ecdsa.ErrDER)
	}
	// Integers that bip66 refuses to encode must also be refused by the parser, if they are written in DER unchanged.
	for _, c := range file.Invalid.Encode {
		r.begin("integers that have no encoding", "%+v", c)
		var der []byte
		for _, v := range [][]byte{unhex(c.R), unhex(c.S)} {
			der = append(append(der, 0x02, byte(len(v))), v...)
		}
		_, err := ecdsa.ParseDER(append([]byte{0x30, byte(len(der))}, der...))
		r.fails("ParseDER", err, ecdsa.ErrDER, p256k1.ErrRange)
	}
	r.want("9 valid, 1 of them out of range, 16 invalid, 8 integers that have no encoding")
}
