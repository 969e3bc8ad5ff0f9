package conformance

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/address/v2/base58"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
)

const hardened = 1 << 31

// hmacSHA512 returns the two halves of HMAC-SHA512: a tweak or a key, and a chain code.
func hmacSHA512(key []byte, data ...[]byte) (left, right []byte) {
	h := hmac.New(sha512.New, key)
	h.Write(slices.Concat(data...))
	sum := h.Sum(nil)
	return sum[:32], sum[32:]
}

func TestBIP032(t *testing.T) {
	file := read[struct {
		Valid []struct {
			Seed   string
			Chains []struct{ Path, Xpub, Xprv string }
		}
		Invalid []struct{ Key, Why string }
	}](t, "bip032/bip32-vectors.json")
	r := newReport(t)
	// decode returns the chain code and the key of an extended key, after one byte that b lacks and 12 of its place.
	decode := func(text string) (code, key []byte) {
		b, _, err := base58.CheckDecode(text)
		libtest.Check(t, err)
		return b[12:44], b[44:]
	}
	type node struct {
		code []byte
		priv *p256k1.PrivateKey
	}
	for _, test := range file.Valid {
		nodes := map[string]node{} // by path
		for _, chain := range test.Chains {
			r.begin("chains", "%+v", chain)
			code, private := decode(chain.Xprv)
			_, public := decode(chain.Xpub)
			priv := privateKey(private[1:])
			r.same("public key", priv.PublicKey(), public)
			nodes[chain.Path] = node{code, priv}
			slash := strings.LastIndex(chain.Path, "/")
			if slash < 0 {
				secret, right := hmacSHA512([]byte("Bitcoin seed"), unhex(test.Seed))
				r.same("master key", privateKey(secret), priv)
				r.same("chain code", right, code)
				continue
			}
			parent, step := nodes[chain.Path[:slash]], chain.Path[slash+1:]
			number := strings.TrimRight(step, "'hH")
			index, data := uint32(must(strconv.ParseUint(number, 10, 31))), parent.priv.PublicKey().Bytes()
			if number == step {
				r.add("derived from the public parent")
			} else {
				index, data = index+hardened, append([]byte{0}, parent.priv.Bytes()...)
			}
			tweak, right := hmacSHA512(parent.code, data, binary.BigEndian.AppendUint32(nil, index))
			r.same("chain code", right, code)
			r.same("private child", result(parent.priv.TweakAdd(tweak)), priv)
			r.same("public child", result(parent.priv.PublicKey().TweakAdd(tweak)), public)
		}
	}
	for _, test := range file.Invalid {
		b, _, err := base58.CheckDecode(test.Key)
		switch {
		case err != nil:
		case bytes.HasPrefix(b, []byte{0x88, 0xad, 0xe4}) && b[44] == 0: // a private key
			_, err = p256k1.ParsePrivateKey(b[45:])
		default:
			_, err = p256k1.ParsePublicKey(b[44:])
		}
		// The mistakes in versions, in the place in the tree and in checksums are not the library's business.
		r.verdict(isOneOf(err, slices.Concat(scalarErrors, publicKeyErrors)...), "keys refused", "mistakes elsewhere")
	}
	r.want("17 chains, 6 derived from the public parent, 9 keys refused, 7 mistakes elsewhere")
}
