package conformance

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	//lint:ignore SA1019 BIP-32 identifies keys by RIPEMD-160
	"golang.org/x/crypto/ripemd160"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// extendedKey is an extended key of BIP-32; priv is nil in a public one.
type extendedKey struct {
	depth       byte
	fingerprint [4]byte
	child       uint32
	chain       [32]byte
	priv        *p256k1.PrivateKey
	pub         *p256k1.PublicKey
}

const (
	versionXprv = 0x0488ADE4
	versionXpub = 0x0488B21E
	hardened    = 1 << 31
)

// hmacSHA512 returns the two halves of HMAC-SHA512.
func hmacSHA512(key []byte, data ...[]byte) (left, right [32]byte) {
	h := hmac.New(sha512.New, key)
	for _, d := range data {
		h.Write(d)
	}
	sum := h.Sum(nil)
	return [32]byte(sum[:32]), [32]byte(sum[32:])
}

func masterKey(seed []byte) (k extendedKey, err error) {
	var secret [32]byte
	secret, k.chain = hmacSHA512([]byte("Bitcoin seed"), seed)
	if k.priv, err = p256k1.NewPrivateKey(secret[:]); err == nil {
		k.pub = k.priv.PublicKey()
	}
	return k, err
}

// derive returns a child key: CKDpriv, or CKDpub for a public key.
func (k *extendedKey) derive(child uint32) (c extendedKey, err error) {
	var index [4]byte
	binary.BigEndian.PutUint32(index[:], child)
	var tweak [32]byte
	switch {
	case child < hardened:
		tweak, c.chain = hmacSHA512(k.chain[:], k.pub.Bytes(), index[:])
	case k.priv == nil:
		return c, errors.New("a hardened child of a public key")
	default:
		tweak, c.chain = hmacSHA512(k.chain[:], []byte{0}, k.priv.Bytes(), index[:])
	}
	c.depth, c.child = k.depth+1, child
	copy(c.fingerprint[:], hash160(k.pub.Bytes()))
	if c.pub, err = k.pub.TweakAdd(tweak[:]); err != nil || k.priv == nil {
		return c, err
	}
	if c.priv, err = k.priv.TweakAdd(tweak[:]); err == nil && !c.priv.PublicKey().Equal(c.pub) {
		err = errors.New("PrivateKey.TweakAdd and PublicKey.TweakAdd lead to different keys")
	}
	return c, err
}

// public returns k without its private key.
func (k extendedKey) public() extendedKey {
	k.priv = nil
	return k
}

func (k *extendedKey) String() string {
	version, key := uint32(versionXpub), k.pub.Bytes()
	if k.priv != nil {
		version, key = versionXprv, append([]byte{0}, k.priv.Bytes()...)
	}
	b := binary.BigEndian.AppendUint32(nil, version)
	b = append(append(b, k.depth), k.fingerprint[:]...)
	b = binary.BigEndian.AppendUint32(b, k.child)
	return encodeBase58Check(append(append(b, k.chain[:]...), key...))
}

// parseExtendedKey is the inverse of String. That the key itself is refused, and not something around it, is the library's
// part of the work: the error is then one of scalarErrors or publicKeyErrors.
func parseExtendedKey(s string) (k extendedKey, err error) {
	b, err := decodeBase58Check(s)
	if err != nil {
		return k, err
	}
	if len(b) != 78 {
		return k, errors.New("not 78 bytes")
	}
	k.depth, k.fingerprint, k.child = b[4], [4]byte(b[5:9]), binary.BigEndian.Uint32(b[9:13])
	k.chain = [32]byte(b[13:45])
	if k.depth == 0 && (k.fingerprint != [4]byte{} || k.child != 0) {
		return k, errors.New("a master key with a parent or an index")
	}
	key := b[45:]
	switch version := binary.BigEndian.Uint32(b); {
	case version == versionXpub:
		k.pub, err = p256k1.NewPublicKey(key)
		return k, err
	case version == versionXprv && key[0] == 0:
		if k.priv, err = p256k1.NewPrivateKey(key[1:]); err == nil {
			k.pub = k.priv.PublicKey()
		}
		return k, err
	default:
		return k, fmt.Errorf("version %08x and a key that begins with %02x", version, key[0])
	}
}

func hash160(b []byte) []byte {
	h := sha256.Sum256(b)
	r := ripemd160.New()
	r.Write(h[:])
	return r.Sum(nil)
}

func TestBIP032(t *testing.T) {
	var file struct {
		Valid []struct {
			Seed   string
			Chains []struct{ Path, Xpub, Xprv string }
		}
		Invalid []struct{ Key, Why string }
	}
	vectors.JSON(t, "bip032/bip32-vectors.json", &file)
	count := newTally(t)
	for _, test := range file.Valid {
		keys := map[string]extendedKey{}
		for _, chain := range test.Chains {
			count.add("chains")
			var key extendedKey
			var err error
			if chain.Path == "m" {
				key, err = masterKey(unhex(t, test.Seed))
			} else {
				slash := strings.LastIndex(chain.Path, "/")
				step := chain.Path[slash+1:]
				index, parseErr := strconv.ParseUint(strings.TrimRight(step, "'hH"), 10, 31)
				parent, ok := keys[chain.Path[:slash]]
				if !ok || parseErr != nil {
					t.Fatalf("path %q: no parent or no number: %v", chain.Path, parseErr)
				}
				if strings.ContainsAny(step, "'hH") {
					index += hardened
				}
				key, err = parent.derive(uint32(index))
				if index < hardened && err == nil {
					count.add("derived from the public parent")
					public := parent.public()
					child, err := public.derive(uint32(index))
					if err != nil || child.String() != chain.Xpub {
						t.Errorf("%s from the public parent: %v (%v), want %s", chain.Path, &child, err, chain.Xpub)
					}
				}
			}
			if err != nil {
				t.Fatalf("%s: %v", chain.Path, err)
			}
			keys[chain.Path] = key
			public := key.public()
			if key.String() != chain.Xprv || public.String() != chain.Xpub {
				t.Errorf("%s: %v and %v, want %s and %s", chain.Path, &key, &public, chain.Xprv, chain.Xpub)
			}
			for _, s := range []string{chain.Xprv, chain.Xpub} {
				parsed, err := parseExtendedKey(s)
				if err != nil || parsed.String() != s || !bytes.Equal(parsed.pub.Bytes(), key.pub.Bytes()) {
					t.Errorf("%s: %s becomes %v (%v)", chain.Path, s, &parsed, err)
				}
			}
		}
	}
	byLibrary := append(append([]error{}, scalarErrors...), publicKeyErrors...)
	for _, test := range file.Invalid {
		_, err := parseExtendedKey(test.Key)
		switch {
		case err == nil:
			t.Errorf("%s is accepted: %s", test.Key, test.Why)
		case isOneOf(err, byLibrary...):
			count.add("invalid keys refused by the library")
		default:
			count.add("invalid keys refused before")
		}
	}
	count.want("17 chains, 6 derived from the public parent, 6 invalid keys refused by the library, 10 invalid keys refused before")
}
