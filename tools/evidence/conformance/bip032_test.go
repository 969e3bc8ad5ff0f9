package conformance

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/address/v2/base58"

	"p256k1.mleku.dev/v2"
)

// An extended key of BIP-32 has 78 bytes: version, depth, fingerprint of the parent, index, chain code and key.
const (
	versionXprv = 0x0488ADE4
	versionXpub = 0x0488B21E
	hardened    = 1 << 31
)

// extend returns the private or public extended key.
func extend(depth byte, fingerprint []byte, index uint32, chain []byte, priv *p256k1.PrivateKey, pub *p256k1.PublicKey) []byte {
	version, key := uint32(versionXpub), pub.Bytes()
	if priv != nil {
		version, key = versionXprv, append([]byte{0}, priv.Bytes()...)
	}
	b := append(binary.BigEndian.AppendUint32(nil, version), depth)
	b = binary.BigEndian.AppendUint32(append(b, fingerprint...), index)
	return slices.Concat(b, chain, key)
}

// extendedKeys returns the private and the public key of an extended key. The private key is nil if the extended key is
// public. If the library refuses the key, the error is one of scalarErrors or publicKeyErrors.
func extendedKeys(b []byte) (priv *p256k1.PrivateKey, pub *p256k1.PublicKey, err error) {
	if len(b) != 78 {
		return nil, nil, errors.New("not 78 bytes")
	}
	if b[4] == 0 && !bytes.Equal(b[5:13], make([]byte, 8)) {
		return nil, nil, errors.New("a master key with a parent or an index")
	}
	key := b[45:]
	switch version := binary.BigEndian.Uint32(b); {
	case version == versionXpub:
		pub, err = p256k1.ParsePublicKey(key)
	case version == versionXprv && key[0] == 0:
		if priv, err = p256k1.ParsePrivateKey(key[1:]); err == nil {
			pub = priv.PublicKey()
		}
	default:
		err = fmt.Errorf("version %08x and a key that begins with %02x", version, key[0])
	}
	return priv, pub, err
}

// hmacSHA512 returns the two halves of HMAC-SHA512.
func hmacSHA512(key []byte, data ...[]byte) (left, right []byte) {
	h := hmac.New(sha512.New, key)
	for _, d := range data {
		h.Write(d)
	}
	sum := h.Sum(nil)
	return sum[:32], sum[32:]
}

// master returns the extended private key of a seed.
func master(seed []byte) []byte {
	secret, chain := hmacSHA512([]byte("Bitcoin seed"), seed)
	priv := privateKey(secret)
	return extend(0, make([]byte, 4), 0, chain, priv, priv.PublicKey())
}

// derive returns the private and the public child of an extended key, by CKDpriv. If the parent is public, it returns
// only the public child, by CKDpub.
func derive(r *report, parent []byte, index uint32) (xprv, xpub []byte) {
	priv, pub, err := extendedKeys(parent)
	r.same("error of the parent", err, nil)
	data := pub.Bytes()
	if index >= hardened {
		data = append([]byte{0}, priv.Bytes()...)
	}
	tweak, chain := hmacSHA512(parent[13:45], data, binary.BigEndian.AppendUint32(nil, index))
	hash, depth := address.Hash160(pub.Bytes()), parent[4]+1
	child := must(pub.TweakAdd(tweak))
	if priv != nil {
		childPriv := must(priv.TweakAdd(tweak))
		r.is(childPriv.PublicKey().Equal(child), "both keys, tweaked, belong together")
		xprv = extend(depth, hash[:4], index, chain, childPriv, child)
	}
	return xprv, extend(depth, hash[:4], index, chain, nil, child)
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
		keys := map[string][2][]byte{} // private and public keys by path
		for _, chain := range test.Chains {
			r.begin("chains", "%+v", chain)
			var want [2][]byte
			var pubs [2]*p256k1.PublicKey
			for i, text := range []string{chain.Xprv, chain.Xpub} {
				b := must(decodeBase58Check(text))
				priv, pub, err := extendedKeys(b)
				r.same("error of the key", err, nil)
				r.same("key, parsed", extend(b[4], b[5:9], binary.BigEndian.Uint32(b[9:]), b[13:45], priv, pub), b)
				want[i], pubs[i] = b, pub
			}
			r.is(pubs[0].Equal(pubs[1]), "the public key belongs to the private key")
			keys[chain.Path] = want
			if chain.Path == "m" {
				r.same("master key", master(unhex(test.Seed)), want[0])
				continue
			}
			slash := strings.LastIndex(chain.Path, "/")
			step, parent := chain.Path[slash+1:], keys[chain.Path[:slash]]
			number := strings.TrimRight(step, "'hH")
			index := uint32(must(strconv.ParseUint(number, 10, 31)))
			if number != step {
				index += hardened
			}
			xprv, xpub := derive(r, parent[0], index)
			r.same("private key", xprv, want[0])
			r.same("public key", xpub, want[1])
			if index < hardened {
				r.add("derived from the public parent")
				_, xpub = derive(r, parent[1], index)
				r.same("public key from the public parent", xpub, want[1])
			}
		}
	}
	for _, test := range file.Invalid {
		r.given("%+v", test)
		b, err := decodeBase58Check(test.Key)
		if err == nil {
			_, _, err = extendedKeys(b)
		}
		r.is(err != nil, "the key is refused")
		r.verdict(isOneOf(err, slices.Concat(scalarErrors, publicKeyErrors)...),
			"invalid keys refused by the library", "invalid keys refused before")
	}
	r.want("17 chains, 6 derived from the public parent, " +
		"6 invalid keys refused by the library, 10 invalid keys refused before")
}
