package differential

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	btcecdsa "github.com/btcsuite/btcd/btcec/v2/ecdsa"
	btcschnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"
	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"
	secpecdsa "github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
)

// A difference is a way in which a peer is known to differ.
type difference struct {
	name  string
	peer  string
	ours  string
	their string
	show  func(t *testing.T)
}

var (
	keyReduced = &difference{
		name:  "private key reduced",
		peer:  "decred, btcec: PrivKeyFromBytes",
		ours:  "refuses a key that is not 32 bytes, 0, or ≥ n",
		their: "takes the first 32 bytes, or fewer, modulo n, and 0",
		show:  showKeyReduced,
	}
	hybridKey = &difference{
		name:  "hybrid key",
		peer:  "decred, btcec: ParsePubKey; libsecp256k1: secp256k1_ec_pubkey_parse",
		ours:  "refuses the prefixes 06 and 07",
		their: "takes them if they have the parity of y",
		show:  showHybridKey,
	}
	emptyDigest = &difference{
		name:  "empty digest",
		peer:  "decred, btcec: Sign, Verify, SignCompact, RecoverCompact",
		ours:  "refuses it",
		their: "takes it as 0",
		show:  showEmptyDigest,
	}
	digestNotReduced = &difference{
		name:  "digest not reduced",
		peer:  "decred, btcec: Sign, SignCompact",
		ours:  "derives the nonce from the digest modulo n (bits2octets of RFC 6979, section 2.3.4), as libsecp256k1 does",
		their: "derives it from the digest as it is, which makes another, valid signature if that is ≥ n",
		show:  showDigestNotReduced,
	}
	serializedLow = &difference{
		name:  "serialized with low s",
		peer:  "decred, btcec: Signature.Serialize",
		ours:  "encodes the signature",
		their: "encodes it with n − s in place of a high s",
		show:  showSerializedLow,
	}
	trailingBytes = &difference{
		name:  "bytes after the DER",
		peer:  "btcec: ParseDERSignature",
		ours:  "refuses bytes after the sequence, as BIP-66 and decred do",
		their: "passes over them, up to 72 bytes in all",
		show:  showTrailingBytes,
	}
	berSignature = &difference{
		name:  "BER",
		peer:  "btcec: ParseSignature",
		ours:  "has strict DER only",
		their: "takes integers with the top bit set or with zeros before them, and bytes after the sequence",
		show:  showBERSignature,
	}
	highS = &difference{
		name:  "high s",
		peer:  "libsecp256k1: secp256k1_ecdsa_verify",
		ours:  "Verify accepts it, VerifyLowS does not",
		their: "does not accept it: users who need that normalize it before",
		show:  showHighS,
	}
	zeroParsed = &difference{
		name:  "r or s of 0",
		peer:  "libsecp256k1: secp256k1_ecdsa_signature_parse_compact",
		ours:  "refuses to parse it",
		their: "parses it; no such signature is valid",
		show:  showZeroParsed,
	}
	derOutOfRange = &difference{
		name:  "DER of integers out of range",
		peer:  "libsecp256k1: secp256k1_ecdsa_signature_parse_der",
		ours:  "refuses r and s that are not in [1, n−1]",
		their: "takes any integers in DER, and 0 for one that is negative or not below n; no such signature is valid",
		show:  showDEROutOfRange,
	}
	schnorrSReduced = &difference{
		name:  "Schnorr s ≥ n",
		peer:  "btcec: schnorr.ParseSignature",
		ours:  "does not verify a signature with s ≥ n (BIP-340)",
		their: "takes s modulo n, so that the signature has a second encoding if s < 2²⁵⁶ − n, which nobody can make true",
		show:  showSchnorrSReduced,
	}
	schnorrMessage = &difference{
		name:  "Schnorr message of other lengths",
		peer:  "btcec: schnorr.Sign, Verify",
		ours:  "has messages of any length (BIP-340)",
		their: "has 32 bytes only",
		show:  showSchnorrMessage,
	}
	schnorrNonce = &difference{
		name:  "Schnorr nonce",
		peer:  "btcec: schnorr.Sign without CustomNonce",
		ours:  "always derives it as BIP-340 does, from auxiliary randomness",
		their: "derives it as RFC 6979 does",
		show:  showSchnorrNonce,
	}
)

var differences = []*difference{
	keyReduced, hybridKey, emptyDigest, digestNotReduced, serializedLow, trailingBytes, berSignature, highS, zeroParsed,
	derOutOfRange, schnorrSReduced, schnorrMessage, schnorrNonce,
}

func (d *difference) label() string { return d.name }

// possible reports whether the peer is there, of which only libsecp256k1 may be missing.
func (d *difference) possible(r *run) bool {
	return r.context != nil || !strings.HasPrefix(d.peer, "libsecp256k1")
}

// TestExpectedDifferences shows every difference, so that the table shrinks when a peer changes its mind.
func TestExpectedDifferences(t *testing.T) {
	for _, d := range differences {
		t.Run(d.name, func(t *testing.T) {
			t.Logf("this library %s; %s %s", d.ours, d.peer, d.their)
			if !d.possible(&run{context: newContext(t)}) {
				t.Skip("NOT COMPARED WITH LIBSECP256K1")
			}
			d.show(t)
		})
	}
}

// example returns the key and the digest that the examples are made of.
func example() (priv *p256k1.PrivateKey, theirs *secp.PrivateKey, digest []byte) {
	secret := bytes.Repeat([]byte{0x17}, 32)
	return must(p256k1.NewPrivateKey(secret)), secp.PrivKeyFromBytes(secret), bytes.Repeat([]byte{0x42}, 32)
}

func showKeyReduced(t *testing.T) {
	n, above, max := oracle.Bytes(oracle.N), oracle.RangeEdges()[4], oracle.RangeEdges()[5]
	for _, test := range []struct {
		key  []byte
		want error
	}{
		{nil, p256k1.ErrLength},
		{[]byte{1}, p256k1.ErrLength},
		{append(bytes.Repeat([]byte{1}, 32), 2), p256k1.ErrLength},
		{make([]byte, 32), p256k1.ErrRange},
		{n[:], p256k1.ErrRange},
		{above[:], p256k1.ErrRange},
		{max[:], p256k1.ErrRange},
	} {
		if _, err := p256k1.NewPrivateKey(test.key); !errors.Is(err, test.want) {
			t.Errorf("%x: %v, want %v", test.key, err, test.want)
		}
		want := oracle.Bytes(oracle.Fn.Reduce(oracle.Int(test.key[:min(len(test.key), 32)])))
		if got := secp.PrivKeyFromBytes(test.key).Serialize(); !bytes.Equal(got, want[:]) {
			t.Errorf("decred: %x becomes %x, want %x", test.key, got, want)
		}
		if got, _ := btcec.PrivKeyFromBytes(test.key); !bytes.Equal(got.Serialize(), want[:]) {
			t.Errorf("btcec: %x becomes %x, want %x", test.key, got.Serialize(), want)
		}
	}
}

func showHybridKey(t *testing.T) {
	for _, p := range oracle.EdgePoints()[:8] {
		b := p.Uncompressed()
		for _, prefix := range []byte{6, 7} {
			b[0] = prefix
			if _, err := p256k1.NewPublicKey(b); !errors.Is(err, p256k1.ErrPrefix) {
				t.Errorf("%x: %v", b, err)
			}
			want := prefix&1 == b[64]&1
			if _, err := secp.ParsePubKey(b); (err == nil) != want {
				t.Errorf("decred: %x: %v", b, err)
			}
			if _, err := btcec.ParsePubKey(b); (err == nil) != want {
				t.Errorf("btcec: %x: %v", b, err)
			}
			if c := newContext(t); c != nil {
				if _, ok := c.PubkeyParse(b); ok != want {
					t.Errorf("libsecp256k1: %x: %v", b, ok)
				}
			}
		}
	}
}

func showEmptyDigest(t *testing.T) {
	priv, theirs, _ := example()
	zero := make([]byte, 32)
	if _, err := ecdsa.Sign(priv, nil); !errors.Is(err, p256k1.ErrLength) {
		t.Errorf("Sign: %v", err)
	}
	if _, err := ecdsa.SignRecoverable(priv, nil); !errors.Is(err, p256k1.ErrLength) {
		t.Errorf("SignRecoverable: %v", err)
	}
	sig := must(ecdsa.SignRecoverable(priv, zero))
	if ecdsa.Verify(priv.PublicKey(), nil, sig.Signature()) || ecdsa.VerifyLowS(priv.PublicKey(), nil, sig.Signature()) {
		t.Error("Verify accepts an empty digest")
	}
	if _, err := ecdsa.Recover(nil, sig); !errors.Is(err, p256k1.ErrLength) {
		t.Errorf("Recover: %v", err)
	}
	if !bytes.Equal(compact(secpecdsa.Sign(theirs, nil)), sig.Signature().Bytes()) {
		t.Error("decred: the signature of an empty digest is not that of 0")
	}
	if !bytes.Equal(secpecdsa.SignCompact(theirs, nil, true), sig.BytesBitcoin(true)) {
		t.Error("decred: the compact signature of an empty digest is not that of 0")
	}
	if !secpecdsa.Sign(theirs, zero).Verify(nil, theirs.PubKey()) {
		t.Error("decred: the signature of 0 is not valid for an empty digest")
	}
	if k, _, err := btcecdsa.RecoverCompact(sig.BytesBitcoin(true), nil); err != nil || !k.IsEqual(theirs.PubKey()) {
		t.Errorf("btcec: nothing recovered for an empty digest: %v", err)
	}
}

func showDigestNotReduced(t *testing.T) {
	priv, theirs, _ := example()
	for _, b := range [][32]byte{oracle.RangeEdges()[3], oracle.RangeEdges()[4], oracle.RangeEdges()[5]} {
		sig := must(ecdsa.SignRecoverable(priv, b[:]))
		other := secpecdsa.Sign(theirs, b[:])
		if bytes.Equal(compact(other), sig.Signature().Bytes()) || !bytes.Equal(compact(btcecdsa.Sign(theirs, b[:])), compact(other)) {
			t.Errorf("%x: the same signature", b)
		}
		if !bytes.Equal(compact(secpecdsa.Sign(theirs, reduced(b[:]))), sig.Signature().Bytes()) {
			t.Errorf("%x: another signature of the reduced digest", b)
		}
		if bytes.Equal(secpecdsa.SignCompact(theirs, b[:], true), sig.BytesBitcoin(true)) {
			t.Errorf("%x: the same compact signature", b)
		}
		// Either is valid for either.
		parsed := must(ecdsa.ParseCompact(compact(other)))
		mine, _ := parseCompact(sig.Signature().Bytes())
		if !ecdsa.Verify(priv.PublicKey(), b[:], parsed) || !mine.Verify(b[:], theirs.PubKey()) {
			t.Errorf("%x: a signature is not valid", b)
		}
		// The oracle follows the RFC.
		want, ok := oracle.SignRFC6979(oracle.Int(priv.Bytes()), b[:], nil)
		if rs := want.Compact(); !ok || !bytes.Equal(rs[:], sig.Signature().Bytes()) {
			t.Errorf("%x: the oracle signs %x", b, rs)
		}
	}
}

func showSerializedLow(t *testing.T) {
	priv, theirs, digest := example()
	low := must(ecdsa.Sign(priv, digest))
	s := oracle.Bytes(oracle.Fn.Neg(oracle.Int(low.Bytes()[32:])))
	high := must(ecdsa.ParseCompact(append(low.Bytes()[:32], s[:]...)))
	other, ok := parseCompact(high.Bytes())
	if !ok || high.IsLowS() || bytes.Equal(high.DER(), low.DER()) || !bytes.Equal(other.Serialize(), low.DER()) {
		t.Errorf("%x: decred encodes %x", high.DER(), other.Serialize())
	}
	if !bytes.Equal(secpecdsa.Sign(theirs, digest).Serialize(), low.DER()) {
		t.Error("another signature")
	}
}

func showTrailingBytes(t *testing.T) {
	priv, _, digest := example()
	sig := must(ecdsa.Sign(priv, digest))
	for n := 1; len(sig.DER())+n <= 74; n++ {
		b := append(sig.DER(), bytes.Repeat([]byte{1}, n)...)
		if _, err := ecdsa.ParseDER(b); !errors.Is(err, ecdsa.ErrDER) {
			t.Errorf("%x: %v", b, err)
		}
		if _, err := secpecdsa.ParseDERSignature(b); err == nil {
			t.Errorf("decred: %x is accepted", b)
		}
		other, err := btcecdsa.ParseDERSignature(b)
		if (err == nil) != (len(b) <= 72) || err == nil && !bytes.Equal(compact(other), sig.Bytes()) {
			t.Errorf("btcec: %x: %v", b, err)
		}
	}
}

func showBERSignature(t *testing.T) {
	for _, test := range []struct {
		ber string
		der string
	}{
		{"\x30\x06\x02\x01\x81\x02\x01\x82", "\x30\x08\x02\x02\x00\x81\x02\x02\x00\x82"},
		{"\x30\x09\x02\x03\x00\x00\x01\x02\x02\x00\x02", "\x30\x06\x02\x01\x01\x02\x01\x02"},
		{"\x30\x06\x02\x01\x01\x02\x01\x02garbage", "\x30\x06\x02\x01\x01\x02\x01\x02"},
	} {
		if _, err := ecdsa.ParseDER([]byte(test.ber)); !errors.Is(err, ecdsa.ErrDER) {
			t.Errorf("%x: %v", test.ber, err)
		}
		sig := must(ecdsa.ParseDER([]byte(test.der)))
		other, err := btcecdsa.ParseSignature([]byte(test.ber))
		if err != nil || !bytes.Equal(compact(other), sig.Bytes()) {
			t.Errorf("btcec: %x: %v", test.ber, err)
		}
	}
}

func showHighS(t *testing.T) {
	c := newContext(t)
	priv, _, digest := example()
	pub := priv.PublicKey()
	low := must(ecdsa.Sign(priv, digest))
	s := oracle.Bytes(oracle.Fn.Neg(oracle.Int(low.Bytes()[32:])))
	high := must(ecdsa.ParseCompact(append(low.Bytes()[:32], s[:]...)))
	rs := [64]byte(high.Bytes())
	if !ecdsa.Verify(pub, digest, high) || ecdsa.VerifyLowS(pub, digest, high) || c.ECDSAVerify(pub.Bytes(), fixed(digest), &rs) {
		t.Errorf("%x: valid %v, with low s %v", rs, ecdsa.Verify(pub, digest, high), ecdsa.VerifyLowS(pub, digest, high))
	}
	normalized, wasHigh, ok := c.ECDSANormalize(&rs)
	if !ok || !wasHigh || !bytes.Equal(normalized[:], low.Bytes()) || !c.ECDSAVerify(pub.Bytes(), fixed(digest), &normalized) {
		t.Errorf("libsecp256k1: %x normalized is %x", rs, normalized)
	}
}

func showZeroParsed(t *testing.T) {
	c := newContext(t)
	priv, _, digest := example()
	for at := range 2 {
		rs := [64]byte(must(ecdsa.Sign(priv, digest)).Bytes())
		clear(rs[32*at:][:32])
		if _, err := ecdsa.ParseCompact(rs[:]); !errors.Is(err, p256k1.ErrRange) {
			t.Errorf("%x: %v", rs, err)
		}
		if !c.ECDSAParseCompact(&rs) || c.ECDSAVerify(priv.PublicKey().Bytes(), fixed(digest), &rs) {
			t.Errorf("libsecp256k1: %x: parsed %v", rs, c.ECDSAParseCompact(&rs))
		}
	}
}

func showDEROutOfRange(t *testing.T) {
	c := newContext(t)
	n := oracle.Bytes(oracle.N)
	for _, integer := range []string{"\x02\x01\x00", "\x02\x01\xff", "\x02\x21\x00" + string(n[:]), "\x02\x22\x01" + strings.Repeat("\x00", 33)} {
		b := []byte("\x30" + string(rune(len(integer)+3)) + integer + "\x02\x01\x01")
		if _, err := ecdsa.ParseDER(b); !errors.Is(err, p256k1.ErrRange) && !errors.Is(err, ecdsa.ErrDER) {
			t.Errorf("%x: %v", b, err)
		}
		if rs, ok := c.ECDSAParseDER(b); !ok || rs != [64]byte{63: 1} {
			t.Errorf("libsecp256k1: %x: %x, %v", b, rs, ok)
		}
	}
}

func showSchnorrSReduced(t *testing.T) {
	priv, theirs, msg := example()
	sig := must(schnorr.Sign(priv, msg, new([32]byte)))
	for i, s := range [][32]byte{oracle.RangeEdges()[3], oracle.RangeEdges()[4], oracle.RangeEdges()[5]} {
		b := append(sig[:32:32], s[:]...)
		other, err := btcschnorr.ParseSignature(b)
		if err != nil {
			t.Errorf("%d: btcec: %v", i, err)
			continue
		}
		want := oracle.Bytes(oracle.Fn.Reduce(oracle.Int(s[:])))
		if got := other.Serialize()[32:]; !bytes.Equal(got, want[:]) {
			t.Errorf("%d: btcec: s becomes %x, want %x", i, got, want)
		}
		if schnorr.Verify(priv.PublicKey().XOnly(), msg, b) || other.Verify(msg, theirs.PubKey()) {
			t.Errorf("%d: valid", i)
		}
	}
}

func showSchnorrMessage(t *testing.T) {
	priv, theirs, msg := example()
	for _, msg := range [][]byte{nil, msg[:31], append(slices.Clone(msg), 1)} {
		sig := must(schnorr.Sign(priv, msg, new([32]byte)))
		if !schnorr.Verify(priv.PublicKey().XOnly(), msg, sig[:]) {
			t.Errorf("%d bytes: not valid", len(msg))
		}
		if _, err := btcschnorr.Sign(theirs, msg, btcschnorr.CustomNonce([32]byte{})); err == nil {
			t.Errorf("%d bytes: btcec signs them", len(msg))
		}
		other := must(btcschnorr.ParseSignature(sig[:]))
		if other.Verify(msg, theirs.PubKey()) {
			t.Errorf("%d bytes: valid with btcec", len(msg))
		}
	}
}

func showSchnorrNonce(t *testing.T) {
	priv, theirs, msg := example()
	sig := must(schnorr.Sign(priv, msg, new([32]byte)))
	with := must(btcschnorr.Sign(theirs, msg, btcschnorr.CustomNonce([32]byte{})))
	without := must(btcschnorr.Sign(theirs, msg))
	if !bytes.Equal(with.Serialize(), sig[:]) || bytes.Equal(without.Serialize(), sig[:]) {
		t.Errorf("signatures %x, %x, %x", sig, with.Serialize(), without.Serialize())
	}
	if !schnorr.Verify(priv.PublicKey().XOnly(), msg, without.Serialize()) {
		t.Error("the other signature is not valid")
	}
}
