package check

import (
	"bytes"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
)

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
	changed := maps.Clone(o)
	changed[name] = value
	if value == nil {
		delete(changed, name)
	}
	return changed
}

// newRow returns a row with the test key's public key in the given encoding.
func newRow(kind string, pub, hash, sig []byte) object {
	return object{"t": kind, "h": hex.EncodeToString(hash), "pub": hex.EncodeToString(pub), "sig": hex.EncodeToString(sig)}
}

func ecdsaRow(t testing.TB) object {
	sig := libtest.Must(ecdsa.Sign(libtest.SecretKey(t), testDigest(), nil))
	return newRow("ecdsa", libtest.SecretKey(t).PublicKey().Bytes(), testDigest(), sig.DER())
}

func recoverableRow(t testing.TB) object {
	sig := libtest.Must(ecdsa.SignRecoverable(libtest.SecretKey(t), testDigest(), nil))
	return newRow("recoverable", libtest.SecretKey(t).PublicKey().Bytes(), testDigest(), sig.Bytes())
}

func schnorrRow(t testing.TB, msg []byte) object {
	return newRow("schnorr", libtest.SecretKey(t).PublicKey().XOnly().Bytes(), msg, signSchnorr(t, msg))
}

func signSchnorr(t testing.TB, msg []byte) []byte {
	sig := libtest.Must(schnorr.Sign(libtest.SecretKey(t), msg, &schnorr.Options{AuxRand: new([32]byte)}))
	return sig[:]
}

func tweakRow(t testing.TB) object {
	x := libtest.SecretKey(t).PublicKey().XOnly()
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
	pubkey := hex.EncodeToString(libtest.SecretKey(t).PublicKey().XOnly().Bytes())
	id := sha256.Sum256([]byte(libtest.NIP01Serialization(pubkey, createdAt, kind, tags, content, libtest.NIP01Escapes)))
	return signedEvent(t, pubkey, createdAt, kind, tags, content, id)
}

func signedEvent(t testing.TB, pubkey string, createdAt, kind int64, tags [][]string, content string, id [32]byte) object {
	return object{
		"id": hex.EncodeToString(id[:]), "pubkey": pubkey, "created_at": createdAt, "kind": kind,
		"tags": tags, "content": content, "sig": hex.EncodeToString(signSchnorr(t, id[:])),
	}
}

// opinion reports whether a readable line is good. It is a second implementation, based on packages json and asn1 and
// on the oracle.
func opinion(t *testing.T, shape Shape, line []byte, lowS bool) bool {
	var fields map[string]json.RawMessage
	libtest.Check(t, json.Unmarshal(line, &fields))
	// decode returns the bytes of a field, or nil if it is not hexadecimal; in an event, digits must be in lower case.
	decode := func(name string) []byte {
		var text string
		json.Unmarshal(fields[name], &text)
		if shape != Event {
			text = strings.TrimPrefix(strings.ToLower(text), "0x")
		}
		b, err := hex.DecodeString(text)
		if err != nil || text != strings.ToLower(text) {
			return nil
		}
		return b
	}
	switch shape {
	case ECDSA:
		pub, ok := oracle.DecodePoint(decode("pub"))
		digest := decode("h")
		return ok && len(digest) == 32 && ecdsaOpinion(pub, digest, decode("sig"), lowS)
	case Recoverable:
		pub, ok := oracle.DecodePoint(decode("pub"))
		digest, sig := decode("h"), decode("sig")
		return ok && len(digest) == 32 && len(sig) == 65 && recoverableOpinion(pub, digest, sig, lowS)
	case Schnorr:
		var h string
		json.Unmarshal(fields["h"], &h)
		msg := decode("h")
		return (msg != nil || h == "" || strings.ToLower(h) == "0x") && oracle.VerifySchnorr(decode("pub"), msg, decode("sig"))
	case Tweak:
		internal, tweak, output := decode("internal"), decode("tweak"), decode("output")
		p, ok := oracle.LiftX(oracle.Int(internal))
		if !ok || len(internal) != 32 || len(tweak) != 32 || oracle.Int(tweak).Cmp(oracle.N) >= 0 {
			return false
		}
		sum := oracle.G.Mul(oracle.Int(tweak)).Add(p)
		return !sum.IsInfinity() && bytes.Equal(sum.Compressed()[1:], output) && string(fields["parity"]) == fmt.Sprint(sum.Y.Bit(0))
	case Event:
		var createdAt, kind int64
		var tags [][]string
		var content string
		for name, v := range map[string]any{"created_at": &createdAt, "kind": &kind, "tags": &tags, "content": &content} {
			libtest.Check(t, json.Unmarshal(fields[name], v))
		}
		pubkey, id := decode("pubkey"), decode("id")
		sum := sha256.Sum256([]byte(libtest.NIP01Serialization(hex.EncodeToString(pubkey), createdAt, kind, tags, content, libtest.NIP01Escapes)))
		return bytes.Equal(id, sum[:]) && oracle.VerifySchnorr(pubkey, id, decode("sig"))
	}
	t.Fatalf("no opinion on %v", shape)
	return false
}

// ecdsaOpinion reports whether a signature in the compact or the DER encoding is good. If the bytes are a signature in
// both encodings, it tries the compact one first, and applies the low-S rule to the first signature that verifies.
func ecdsaOpinion(pub oracle.Point, digest, encoded []byte, lowS bool) bool {
	var readings []oracle.Signature
	if len(encoded) == 64 {
		readings = append(readings, oracle.ParseCompact([64]byte(encoded)))
	}
	var der struct{ R, S *big.Int }
	if rest, err := asn1.Unmarshal(encoded, &der); err == nil && len(rest) == 0 {
		if again, err := asn1.Marshal(der); err == nil && bytes.Equal(again, encoded) {
			readings = append(readings, oracle.Signature{R: der.R, S: der.S})
		}
	}
	for _, sig := range readings {
		if oracle.VerifyECDSA(pub, digest, sig) {
			return !lowS || sig.IsLowS()
		}
	}
	return false
}

// recoverableOpinion reports whether pub is the key that is recovered from a signature of 65 bytes.
func recoverableOpinion(pub oracle.Point, digest, encoded []byte, lowS bool) bool {
	sig := oracle.ParseCompact([64]byte(encoded))
	if sig.RecID = int(encoded[64]); sig.RecID >= 27 {
		sig.RecID -= 27
	}
	found, ok := oracle.RecoverECDSA(digest, sig)
	return ok && bytes.Equal(found.Compressed(), pub.Compressed()) && (!lowS || sig.IsLowS())
}
