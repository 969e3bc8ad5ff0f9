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
)

const hardened = 1 << 31

// An extendedKey is the chain code and the key of an extended key of BIP-32, without its place in the tree. The private
// key is nil if the extended key is public.
type extendedKey struct {
	chain []byte
	priv  *p256k1.PrivateKey
	pub   *p256k1.PublicKey
}

// parseExtended parses the 78 bytes of an extended key: its place, 32 bytes of chain code, and 33 bytes of key.
func parseExtended(b []byte) (k extendedKey, err error) {
	k.chain = b[13:45]
	if !bytes.HasPrefix(b, []byte{0x04, 0x88, 0xad, 0xe4}) || b[45] != 0 { // not a private key
		k.pub, err = p256k1.ParsePublicKey(b[45:])
		return k, err
	}
	if k.priv, err = p256k1.ParsePrivateKey(b[46:]); err == nil {
		k.pub = k.priv.PublicKey()
	}
	return k, err
}

// hmacSHA512 returns the two halves of HMAC-SHA512: a tweak or a key, and a chain code.
func hmacSHA512(key []byte, data ...[]byte) (left, right []byte) {
	h := hmac.New(sha512.New, key)
	h.Write(slices.Concat(data...))
	sum := h.Sum(nil)
	return sum[:32], sum[32:]
}

// decodeBase58Check returns the payload of a Base58Check text, without its checksum.
func decodeBase58Check(s string) ([]byte, error) {
	rest, first, err := base58.CheckDecode(s)
	return append([]byte{first}, rest...), err
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
	for _, test := range file.Valid {
		keys := map[string]extendedKey{} // by path
		for _, chain := range test.Chains {
			r.begin("chains", "%+v", chain)
			k := must(parseExtended(must(decodeBase58Check(chain.Xprv))))
			r.same("public key", must(parseExtended(must(decodeBase58Check(chain.Xpub)))).pub, k.pub)
			keys[chain.Path] = k
			slash := strings.LastIndex(chain.Path, "/")
			if slash < 0 {
				secret, code := hmacSHA512([]byte("Bitcoin seed"), unhex(test.Seed))
				r.same("master key", privateKey(secret), k.priv)
				r.same("chain code", code, k.chain)
				continue
			}
			parent, step := keys[chain.Path[:slash]], chain.Path[slash+1:]
			number := strings.TrimRight(step, "'hH")
			index, data := uint32(must(strconv.ParseUint(number, 10, 31))), parent.pub.Bytes()
			if number == step {
				r.add("derived from the public parent")
			} else {
				index, data = index+hardened, append([]byte{0}, parent.priv.Bytes()...)
			}
			tweak, code := hmacSHA512(parent.chain, data, binary.BigEndian.AppendUint32(nil, index))
			r.same("chain code", code, k.chain)
			r.same("private child", result(parent.priv.TweakAdd(tweak)), k.priv)
			r.same("public child", result(parent.pub.TweakAdd(tweak)), k.pub)
		}
	}
	for _, test := range file.Invalid {
		b, err := decodeBase58Check(test.Key)
		if err == nil {
			_, err = parseExtended(b)
		}
		// The mistakes in versions, in the place in the tree and in checksums are not the library's business.
		r.verdict(isOneOf(err, slices.Concat(scalarErrors, publicKeyErrors)...), "keys refused", "mistakes elsewhere")
	}
	r.want("17 chains, 6 derived from the public parent, 9 keys refused, 7 mistakes elsewhere")
}
