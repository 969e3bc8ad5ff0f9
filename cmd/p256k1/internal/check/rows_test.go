package check

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/schnorr"
)

// testKey returns the key with which the tests sign rows.
func testKey(t testing.TB) *p256k1.PrivateKey {
	t.Helper()
	secret := sha256.Sum256([]byte("a key that everybody knows"))
	return libtest.Must(p256k1.ParsePrivateKey(secret[:]))
}

func testDigest() []byte {
	digest := sha256.Sum256([]byte("a message"))
	return digest[:]
}

// object is a line before it is formatted. Its fields are in alphabetical order.
type object map[string]any

func (o object) line(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	libtest.Check(t, e.Encode(o))
	return bytes.TrimSpace(b.Bytes())
}

// with returns the object with a field set, or without the field if value is nil.
func (o object) with(name string, value any) object {
	changed := make(object)
	for k, v := range o {
		changed[k] = v
	}
	changed[name] = value
	if value == nil {
		delete(changed, name)
	}
	return changed
}

func ecdsaRow(t testing.TB) object {
	sig := libtest.Must(ecdsa.Sign(testKey(t), testDigest(), nil))
	return object{
		"t": "ecdsa", "h": hex.EncodeToString(testDigest()),
		"pub": hex.EncodeToString(testKey(t).PublicKey().Bytes()), "sig": hex.EncodeToString(sig.DER()),
	}
}

func recoverableRow(t testing.TB) object {
	sig := libtest.Must(ecdsa.SignRecoverable(testKey(t), testDigest(), nil))
	return object{
		"t": "recoverable", "h": hex.EncodeToString(testDigest()),
		"pub": hex.EncodeToString(testKey(t).PublicKey().Bytes()), "sig": hex.EncodeToString(sig.Bytes()),
	}
}

func schnorrRow(t testing.TB, msg []byte) object {
	return object{
		"t": "schnorr", "h": hex.EncodeToString(msg),
		"pub": hex.EncodeToString(testKey(t).PublicKey().XOnly().Bytes()), "sig": signSchnorr(t, msg),
	}
}

func signSchnorr(t testing.TB, msg []byte) string {
	sig := libtest.Must(schnorr.Sign(testKey(t), msg, &schnorr.Options{AuxRand: new([32]byte)}))
	return hex.EncodeToString(sig[:])
}

func tweakRow(t testing.TB) object {
	x := testKey(t).PublicKey().XOnly()
	sum := libtest.Must(x.TweakAdd(testDigest()))
	parity := 0
	if sum.IsYOdd() {
		parity = 1
	}
	return object{
		"internal": hex.EncodeToString(x.Bytes()), "tweak": hex.EncodeToString(testDigest()),
		"output": hex.EncodeToString(sum.XOnly().Bytes()), "parity": parity,
	}
}

// eventRow returns an event. It computes the id independently of the tested package.
func eventRow(t testing.TB, createdAt, kind int64, tags [][]string, content string) object {
	pubkey := hex.EncodeToString(testKey(t).PublicKey().XOnly().Bytes())
	id := sha256.Sum256([]byte(libtest.NIP01Serialization(pubkey, createdAt, kind, tags, content, libtest.NIP01Escapes)))
	return signedEvent(t, pubkey, createdAt, kind, tags, content, id)
}

func signedEvent(t testing.TB, pubkey string, createdAt, kind int64, tags [][]string, content string, id [32]byte) object {
	return object{
		"id": hex.EncodeToString(id[:]), "pubkey": pubkey, "created_at": createdAt, "kind": kind,
		"tags": tags, "content": content, "sig": signSchnorr(t, id[:]),
	}
}
