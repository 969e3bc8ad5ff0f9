package ecdh_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// The tests of tools/evidence/operations check that nil, wiped and unset keys are refused.

// nip44 returns the conversation key of NIP-44 for x, computed with the standard library's HKDF.
func nip44(t testing.TB, x []byte) [32]byte {
	t.Helper()
	key, err := hkdf.Extract(sha256.New, x, []byte("nip44-v2"))
	if err != nil {
		t.Fatal(err)
	}
	return [32]byte(key)
}

// check compares all functions with the oracle.
func check(t *testing.T, d *big.Int, p oracle.Point) {
	t.Helper()
	k, pub := libtest.Private(t, d), libtest.Public(t, p)
	shared := p.Mul(d)
	x := oracle.Bytes(shared.X)
	for _, c := range []struct {
		name string
		got  func() ([32]byte, error)
		want [32]byte
	}{
		{"X", func() ([32]byte, error) { return ecdh.X(k, pub) }, x},
		{"XFromXOnly", func() ([32]byte, error) { return ecdh.XFromXOnly(k, pub.XOnly()) }, x},
		{"XFromXOnly of −P", func() ([32]byte, error) { return ecdh.XFromXOnly(k, pub.Negate().XOnly()) }, x},
		{"XFromXOnly with −d", func() ([32]byte, error) { return ecdh.XFromXOnly(k.Negate(), pub.XOnly()) }, x},
		{"SHA256", func() ([32]byte, error) { return ecdh.SHA256(k, pub) }, sha256.Sum256(shared.Compressed())},
		{"SHA256 of −P", func() ([32]byte, error) { return ecdh.SHA256(k, pub.Negate()) }, sha256.Sum256(shared.Neg().Compressed())},
		{"NIP44ConversationKey", func() ([32]byte, error) { return ecdh.NIP44ConversationKey(k, pub.XOnly()) }, nip44(t, x[:])},
		{"NIP44ConversationKeyBatch", func() ([32]byte, error) {
			dst := make([][32]byte, 2)
			err := ecdh.NIP44ConversationKeyBatch(dst, k, []*p256k1.XOnlyPublicKey{libtest.Public(t, oracle.G).XOnly(), pub.XOnly()})
			return dst[1], err
		}, nip44(t, x[:])},
		{"NIP44ConversationKey of −P", func() ([32]byte, error) { return ecdh.NIP44ConversationKey(k, pub.Negate().XOnly()) }, nip44(t, x[:])},
	} {
		if got, err := c.got(); err != nil || got != c.want {
			t.Errorf("%s of d = %x, P = %x: %x, %v, want %x", c.name, d, p, got, err, c.want)
		}
	}
	if !k.Equal(libtest.Private(t, d)) || !pub.Equal(libtest.Public(t, p)) {
		t.Errorf("d = %x or P = %x is changed", d, p)
	}
}

func TestOracle(t *testing.T) {
	r := oracle.New(t)
	points := oracle.EdgePoints()
	if testing.Short() {
		points = points[:40]
	}
	for range 40 {
		points = append(points, r.Point())
	}
	for _, p := range points {
		check(t, r.ValidScalar(), p)
	}
	for _, b := range append(oracle.RangeEdges(), oracle.LambdaSplitEdges()...) {
		if d := oracle.Int(b[:]); d.Sign() > 0 && d.Cmp(oracle.N) < 0 {
			check(t, d, oracle.G)
		}
	}
}

func TestSymmetric(t *testing.T) {
	r := oracle.New(t)
	for range 10 {
		a, b := libtest.Private(t, r.ValidScalar()), libtest.Private(t, r.ValidScalar())
		for name, agree := range map[string]func(a, b *p256k1.PrivateKey) ([32]byte, error){
			"X":          func(a, b *p256k1.PrivateKey) ([32]byte, error) { return ecdh.X(a, b.PublicKey()) },
			"SHA256":     func(a, b *p256k1.PrivateKey) ([32]byte, error) { return ecdh.SHA256(a, b.PublicKey()) },
			"XFromXOnly": func(a, b *p256k1.PrivateKey) ([32]byte, error) { return ecdh.XFromXOnly(a, b.PublicKey().XOnly()) },
			"NIP44ConversationKey": func(a, b *p256k1.PrivateKey) ([32]byte, error) {
				return ecdh.NIP44ConversationKey(a, b.PublicKey().XOnly())
			},
		} {
			ab, err1 := agree(a, b)
			ba, err2 := agree(b, a)
			if err1 != nil || err2 != nil || ab != ba {
				t.Errorf("%s: %x (%v) and %x (%v)", name, ab, err1, ba, err2)
			}
			if other, _ := agree(a, libtest.Private(t, big.NewInt(9))); other == ab || bytes.Equal(ab[:], make([]byte, 32)) {
				t.Errorf("%s: %x for another peer", name, other)
			}
		}
	}
}

// TestNIP44Batch compares the conversation keys of NIP44ConversationKeyBatch with the oracle and with
// NIP44ConversationKey.
func TestNIP44Batch(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{0, 1, 2, 7, 8, 9, 31, 32, 33, 40, 65, 100} {
		d := r.ValidScalar()
		k := libtest.Private(t, d)
		points, pubs := make([]oracle.Point, n), make([]*p256k1.XOnlyPublicKey, n)
		for i := range pubs {
			if points[i] = r.Point(); i%5 == 4 {
				points[i] = points[i-1] // the same key again
			}
			pubs[i] = libtest.Public(t, points[i]).XOnly()
		}
		got := make([][32]byte, n)
		if err := ecdh.NIP44ConversationKeyBatch(got, k, pubs); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			x := oracle.Bytes(points[i].Mul(d).X)
			one, err := ecdh.NIP44ConversationKey(k, pubs[i])
			if want := nip44(t, x[:]); err != nil || got[i] != want || one != want {
				t.Errorf("%d of %d: %x, alone %x, %v, want %x", i, n, got[i], one, err, want)
			}
			if !pubs[i].Equal(libtest.Public(t, points[i]).XOnly()) {
				t.Errorf("public key %d of %d is changed", i, n)
			}
		}
		for _, bad := range []*p256k1.XOnlyPublicKey{nil, new(p256k1.XOnlyPublicKey)} {
			for _, place := range []int{0, 8, 32, n - 1} {
				if place < 0 || place >= n {
					continue
				}
				keys := slices.Clone(pubs)
				keys[n-1], keys[place] = nil, bad
				reasons := map[int]error{n - 1: p256k1.ErrNoKey, place: p256k1.ErrNoKey}
				err := ecdh.NIP44ConversationKeyBatch(got, k, keys)
				libtest.CheckFailures(t, err, reasons)
				libtest.CheckError(t, err, p256k1.ErrNoKey, "public key")
				for i := range got {
					want, _ := ecdh.NIP44ConversationKey(k, pubs[i])
					if reasons[i] != nil {
						want = [32]byte{}
					}
					if got[i] != want {
						t.Fatalf("conversation key %d of %d: %x, want %x", i, n, got[i], want)
					}
				}
			}
		}
		wiped := libtest.Private(t, d)
		wiped.Zero()
		for _, k := range []*p256k1.PrivateKey{nil, new(p256k1.PrivateKey), wiped} {
			err := ecdh.NIP44ConversationKeyBatch(got, k, pubs)
			libtest.CheckError(t, err, p256k1.ErrNoKey, "private key")
			if n > 0 && got[0] != [32]byte{} {
				t.Error("a conversation key without a private key")
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("slices of different lengths")
		}
	}()
	ecdh.NIP44ConversationKeyBatch(make([][32]byte, 2), libtest.Private(t, big.NewInt(1)), make([]*p256k1.XOnlyPublicKey, 3))
}

func TestNIP44(t *testing.T) {
	type row struct {
		Sec1, Pub2, Note string
		ConversationKey  string `json:"conversation_key"`
	}
	var file struct {
		V2 struct {
			Valid, Invalid struct {
				Keys []row `json:"get_conversation_key"`
			}
		}
	}
	vectors.JSON(t, "nip44/nip44.vectors.json", &file)
	if len(file.V2.Valid.Keys) < 35 || len(file.V2.Invalid.Keys) < 8 {
		t.Fatal("cases are missing")
	}
	conversation := func(c row) ([32]byte, error) {
		sec, err1 := hex.DecodeString(c.Sec1)
		pub, err2 := hex.DecodeString(c.Pub2)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		k, err := p256k1.ParsePrivateKey(sec)
		if err != nil {
			return [32]byte{}, err
		}
		x, err := p256k1.ParseXOnlyPublicKey(pub)
		if err != nil {
			return [32]byte{}, err
		}
		return ecdh.NIP44ConversationKey(k, x)
	}
	for _, c := range file.V2.Valid.Keys {
		if key, err := conversation(c); err != nil || hex.EncodeToString(key[:]) != c.ConversationKey {
			t.Errorf("%s, %s: %x, %v, want %s", c.Sec1, c.Pub2, key, err, c.ConversationKey)
		}
	}
	for _, c := range file.V2.Invalid.Keys {
		if key, err := conversation(c); err == nil {
			t.Errorf("%s: %x", c.Note, key)
		}
	}
}
