package ecdsa

import (
	"bytes"
	"crypto"
	"encoding"
	"encoding/hex"
	"errors"
	"math/big"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// seeds returns signatures of a digest by the private key 5, and signatures with edge cases of r and s.
func seeds() (digest []byte, all []oracle.Signature) {
	digest = oracle.NewSeeded("fuzz").Bytes(32)
	sig, _ := oracle.SignRFC6979(big.NewInt(5), digest, nil)
	all = append(all, sig, sig.Negate())
	for i, r := range oracle.RangeEdges() {
		for j, s := range oracle.RangeEdges() {
			all = append(all, oracle.Signature{R: oracle.Int(r[:]), S: oracle.Int(s[:]), RecID: (i + j) % 4})
		}
	}
	for i, r := range oracle.WrapR() {
		all = append(all, oracle.Signature{R: oracle.Int(r[:]), S: big.NewInt(3), RecID: i % 4})
	}
	return digest, all
}

func FuzzParseDER(f *testing.F) {
	_, all := seeds()
	for _, sig := range all {
		unchecked := raw(sig.R, sig.S)
		b, n := unchecked.der() // encodes r = s = 0 too, for which DER returns nil
		der := b[:n:n]
		f.Add(der)
		f.Add(der[:len(der)-1])
		f.Add(append(der, 1))
	}
	for _, c := range derRules {
		b, err := hex.DecodeString(c.b)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	key := []byte{2, 121, 190, 102, 126, 249, 220, 187, 172, 85, 160, 98, 149, 206, 135, 11, 7, 2, 155, 252, 219, 45, 206, 40, 217, 89, 242, 129, 91, 22, 248, 23, 152} // G
	f.Fuzz(func(t *testing.T, b []byte) {
		checkDER(t, b)
		var batch Batch
		batch.AddDER(key, make([]byte, 32), b)
		if valid := len(batch.Invalid(nil)) == 0; valid != VerifyDER(key, make([]byte, 32), b) {
			t.Fatalf("%x: %v in a batch", b, valid)
		}
	})
}

// checkRS compares the error of a parser of r‖s with the expected one.
func checkRS(t *testing.T, rs []byte, got Signature, err error) {
	t.Helper()
	want := inRange(oracle.Int(rs[:32])) && inRange(oracle.Int(rs[32:]))
	if (err == nil) != want {
		t.Fatalf("%x: %v, want %v", rs, err, want)
	}
	if want && (!bytes.Equal(got.Bytes(), rs) || got.IsLowS() != oracle.ParseCompact([64]byte(rs)).IsLowS()) {
		t.Fatalf("%x is parsed as %x", rs, got)
	}
	if want {
		again, err := ParseDER(got.DER())
		if err != nil || again != got {
			t.Fatalf("%x is encoded as %x (%v)", rs, got.DER(), err)
		}
	}
}

func FuzzParseCompact(f *testing.F) {
	_, all := seeds()
	for _, sig := range all {
		b := sig.Compact()
		f.Add(b[:])
	}
	f.Add([]byte(nil))
	f.Add(make([]byte, 65))
	f.Fuzz(func(t *testing.T, b []byte) {
		sig, err := ParseCompact(b)
		if len(b) == 64 {
			checkRS(t, b, sig, err)
		} else if err == nil {
			t.Fatalf("%x is accepted", b)
		}
	})
}

// FuzzParseRecoverable parses all encodings of recoverable signatures.
func FuzzParseRecoverable(f *testing.F) {
	_, all := seeds()
	for i, sig := range all {
		b := sig.Compact()
		f.Add(append(b[:], byte(i%6)))
		f.Add(append([]byte{byte(26 + i%10)}, b[:]...))
		f.Add(append(b[:], byte(26+i%4)))
		f.Add(bytes.Clone(b[:]))
		b[32] ^= 0x80
		f.Add(b[:])
	}
	f.Add([]byte(nil))
	f.Add(make([]byte, 64))
	f.Fuzz(func(t *testing.T, b []byte) {
		sig, err := ParseRecoverable(b)
		bitcoin, compressed, errBitcoin := ParseRecoverableBitcoin(b)
		ethereum, errEthereum := ParseRecoverableEthereum(b)
		short, errShort := ParseRecoverableERC2098(b)
		if again, err := short.BytesERC2098(); (err == nil) != (errShort == nil) || (err == nil && (!bytes.Equal(again, b) || short.NormalizeS() != short)) {
			t.Fatalf("%x is parsed as ERC-2098's %v (%v) and written as %x (%v)", b, short, errShort, again, err)
		}
		if len(b) == 64 && errShort != nil {
			b = bytes.Clone(b)
			b[32] &= 0x7f
			if parsed, err := ParseCompact(b); err == nil && parsed.IsLowS() {
				t.Fatalf("%x is refused: %v", b, errShort)
			}
		}
		if len(b) != 65 {
			if err == nil || errBitcoin == nil || errEthereum == nil {
				t.Fatalf("%x is accepted", b)
			}
			return
		}
		if b[64] > 3 {
			if err == nil {
				t.Fatalf("%x is accepted", b)
			}
		} else {
			checkRS(t, b[:64], sig.Signature(), err)
			if err == nil && (!bytes.Equal(sig.Bytes(), b) || sig.RecoveryID() != int(b[64])) {
				t.Fatalf("%x is parsed as %x", b, sig)
			}
		}
		if v := b[64]; v > 28 || (v > 1 && v < 27) {
			if errEthereum == nil {
				t.Fatalf("%x is accepted as Ethereum's", b)
			}
		} else {
			checkRS(t, b[:64], ethereum.Signature(), errEthereum)
			if errEthereum == nil && ethereum.RecoveryID() != int(v%27) {
				t.Fatalf("%x is parsed as Ethereum's %x", b, ethereum)
			}
		}
		if b[0] < 27 || b[0] > 34 {
			if errBitcoin == nil {
				t.Fatalf("%x is accepted with its header", b)
			}
		} else {
			checkRS(t, b[1:], bitcoin.Signature(), errBitcoin)
			if errBitcoin == nil && !bytes.Equal(bitcoin.BytesBitcoin(compressed), b) {
				t.Fatalf("%x is parsed as %x, %v", b, bitcoin, compressed)
			}
		}
	})
}

// FuzzUnmarshalText parses texts, and the bytes that they encode, as signatures of both kinds.
func FuzzUnmarshalText(f *testing.F) {
	_, all := seeds()
	for i, sig := range all {
		b := sig.Compact()
		f.Add(hex.EncodeToString(b[:]))
		f.Add(hex.EncodeToString(append(b[:], byte(i%5))))
		f.Add(strings.ToUpper(hex.EncodeToString(b[:])))
		f.Add("0x" + hex.EncodeToString(b[:]))
	}
	f.Add("")
	f.Add("null")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := hex.DecodeString(text)
		isHex := err == nil && strings.ToLower(text) == text
		var sig, sigAgain Signature
		err, errBinary := sig.UnmarshalText([]byte(text)), sigAgain.UnmarshalBinary(b)
		want, wantErr := ParseCompact(b)
		if (err == nil) != (isHex && wantErr == nil) || (errBinary == nil) != (wantErr == nil) || sigAgain != want || (err == nil && sig != want) {
			t.Fatalf("%q: %v, %v, %v, %v", text, sig, err, sigAgain, errBinary)
		}
		var recoverable, recoverableAgain RecoverableSignature
		err2, errBinary := recoverable.UnmarshalText([]byte(text)), recoverableAgain.UnmarshalBinary(b)
		wantRecoverable, wantErr := ParseRecoverable(b)
		if (err2 == nil) != (isHex && wantErr == nil) || (errBinary == nil) != (wantErr == nil) || recoverableAgain != wantRecoverable ||
			(err2 == nil && recoverable != wantRecoverable) {
			t.Fatalf("%q: %v, %v, %v, %v", text, recoverable, err2, recoverableAgain, errBinary)
		}
		if (err != nil && sig != (Signature{})) || (err2 != nil && recoverable != (RecoverableSignature{})) {
			t.Fatalf("%q: %v, %v beside the errors", text, sig, recoverable)
		}

		for _, c := range []struct {
			err error
			v   interface {
				encoding.TextAppender
				encoding.BinaryAppender
			}
		}{{err, sig}, {err2, recoverable}} {
			appended, err := c.v.AppendText([]byte("a"))
			binary, err2 := c.v.AppendBinary([]byte("b"))
			if c.err == nil && (err != nil || err2 != nil || string(appended) != "a"+text || string(binary) != "b"+string(b)) {
				t.Fatalf("%q is encoded as %s (%v), %x (%v)", text, appended, err, binary, err2)
			}
			if c.err != nil && (err == nil || err2 == nil || len(appended)+len(binary) != 2) {
				t.Fatalf("the zero value is encoded as %s (%v), %x (%v)", appended, err, binary, err2)
			}
		}
	})
}

// FuzzVerify compares Verify with Recover: a signature is valid exactly for the keys that are recovered from it. The
// oracle checks accepted signatures only, because it is slow under the fuzzer's instrumentation.
func FuzzVerify(f *testing.F) {
	digest, all := seeds()
	for _, sig := range all {
		rs := sig.Compact()
		f.Add(oracle.G.Mul(big.NewInt(5)).Compressed(), digest, rs[:])
		if pub, ok := oracle.RecoverECDSA(digest, sig); ok {
			f.Add(pub.Uncompressed(), digest, rs[:])
			f.Add(pub.Compressed(), digest, rs[:])
			f.Add(pub.Neg().Compressed(), digest, rs[:])
			f.Add(pub.Uncompressed(), append([]byte(nil), append(digest, 1)...), rs[:])
			f.Add(pub.Neg().Compressed(), digest[:20], rs[:])
		}
	}
	ofZero, _ := oracle.SignRFC6979(big.NewInt(5), []byte{0}, nil)
	rs := ofZero.Compact()
	f.Add(oracle.G.Mul(big.NewInt(5)).Compressed(), []byte(nil), rs[:])
	f.Add([]byte(nil), []byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, pub, hash, rs []byte) {
		k, err1 := p256k1.ParsePublicKey(pub)
		sig, err2 := ParseCompact(rs)
		if err1 != nil {
			k = new(p256k1.PublicKey)
		}
		digest := TruncateHash(hash)
		if len(hash) != 32 && (Verify(k, hash, sig) || VerifyLowS(k, hash, sig)) {
			t.Fatalf("key %x, %x: accepted for %x, which is no digest", pub, rs, hash)
		}
		want := false
		for id := range byte(4) {
			q, err := Recover(digest, RecoverableSignature{[65]byte(append(sig.rs[:], id))})
			want = want || (err == nil && err1 == nil && err2 == nil && q.Equal(k))
		}
		if Verify(k, digest, sig) != want || VerifyLowS(k, digest, sig) != (want && sig.IsLowS()) || Verify(k, digest, sig.NormalizeS()) != want {
			t.Fatalf("key %x, digest %x, %x: want %v", pub, digest, rs, want)
		}
		if VerifyCompact(pub, digest, rs) != want || VerifyDER(pub, digest, sig.DER()) != want || (VerifyCompact(pub, hash, rs) && len(hash) != 32) {
			t.Fatalf("key %x, digest %x, %x: want %v from bytes", pub, digest, rs, want)
		}
		byCompact, err1 := new(Pool).VerifyCompact(t.Context(), pub, digest, rs)
		byDER, err2 := new(Pool).VerifyDER(t.Context(), pub, digest, sig.DER())
		if byCompact != want || byDER != want || err1 != nil || err2 != nil {
			t.Fatalf("key %x, digest %x, %x: want %v by a pool: %v, %v", pub, digest, rs, want, err1, err2)
		}
		var batch Batch
		batch.AddDER(pub, digest, sig.DER())
		if (len(batch.Invalid(nil)) == 0) != want {
			t.Fatalf("key %x, digest %x, %x: want %v from DER in a batch", pub, digest, rs, want)
		}
		if want {
			q, ok := oracle.DecodePoint(pub)
			if !ok || len(hash) == 0 || !oracle.VerifyECDSA(q, hash, oracle.ParseCompact([64]byte(rs))) {
				t.Fatalf("key %x, hash %x, %x: accepted", pub, hash, rs)
			}
		}
	})
}

// FuzzRecover verifies the signature with the recovered key. If no key is recovered, FuzzRecover checks that R is not a
// point or that the key would be infinity.
func FuzzRecover(f *testing.F) {
	digest, all := seeds()
	for _, sig := range all {
		rs := sig.Compact()
		for id := range byte(4) {
			f.Add(digest, append(rs[:], id))
		}
	}
	f.Add([]byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, hash, rsv []byte) {
		digest := TruncateHash(hash)
		sig, err := ParseRecoverable(rsv)
		if err != nil {
			if sig != (RecoverableSignature{}) {
				t.Fatalf("%x beside the error", sig)
			}
			if k, err := Recover(digest, sig); k != nil || err == nil {
				t.Fatalf("%v is recovered from the zero value", k)
			}
			return
		}
		if len(hash) != 32 {
			_, err := Recover(hash, sig)
			libtest.CheckErrorIs(t, err, p256k1.ErrLength)
		}
		k, err := Recover(digest, sig)
		if len(hash) == 0 {
			libtest.CheckErrorIs(t, err, p256k1.ErrLength)
			return
		}
		if err == nil {
			if !Verify(k, digest, sig.Signature()) {
				t.Fatalf("digest %x, %x: %x does not verify", digest, rsv, k.Bytes())
			}
			return
		}
		libtest.CheckErrorIs(t, err, ErrRecover)
		x := oracle.Int(rsv[:32])
		if rsv[64]&2 != 0 {
			x.Add(x, oracle.N)
		}
		if _, ok := oracle.LiftX(x); ok && !errors.Is(err, p256k1.ErrInfinity) {
			t.Fatalf("digest %x, %x: %v", digest, rsv, err)
		}
	})
}

// FuzzSign compares the signatures that all signing functions return with the oracle's signatures. sum is a hash of any
// length, extra holds the bytes that a crypto.Signer reads as randomness, and h is the hash function in its options.
func FuzzSign(f *testing.F) {
	r := oracle.NewSeeded("sign")
	for i, hash := range hashes(r) {
		for j, b := range append(oracle.RangeEdges(), r.ScalarBytes()) {
			if (i+j)%3 == 0 {
				f.Add(b[:], hash, r.Bytes(j*11), uint8(i%8))
			}
		}
	}
	five := oracle.Bytes(big.NewInt(5))
	f.Add(five[:], []byte(nil), []byte(nil), uint8(0))
	f.Fuzz(func(t *testing.T, secret, sum, extra []byte, h uint8) {
		d := oracle.Int(secret)
		if len(secret) != 32 || !inRange(d) {
			return
		}
		k, digest := libtest.Private(t, d), TruncateHash(sum)
		if len(sum) != 32 {
			_, err1 := Sign(k, sum, nil)
			_, err2 := SignRecoverable(k, sum, nil)
			_, err3 := SignRecoverable(k, sum, &Options{Entropy: new([32]byte), Checked: true})
			for _, err := range []error{err1, err2, err3} {
				libtest.CheckErrorIs(t, err, p256k1.ErrLength)
			}
		}
		recoverable, err := SignRecoverable(k, digest, nil)
		if len(sum) == 0 {
			libtest.CheckErrorIs(t, err, p256k1.ErrLength)
			return
		}
		want, _ := oracle.SignRFC6979(d, sum, nil)
		rs := want.Compact()
		if err != nil || !bytes.Equal(recoverable.Bytes(), append(rs[:], byte(want.RecID))) {
			t.Fatalf("key %x, digest %x: %x, %v, want %x", d, digest, recoverable.Bytes(), err, rs)
		}
		sig, err := Sign(k, digest, nil)
		if err != nil || sig != recoverable.Signature() || !VerifyLowS(k.PublicKey(), digest, sig) {
			t.Fatalf("key %x, digest %x: %x, %v", d, digest, sig, err)
		}
		together := make([]Signature, 2)
		if err := SignBatch(together, []*p256k1.PrivateKey{libtest.Private(t, big.NewInt(5)), k}, [][]byte{digest, digest}, nil); err != nil || together[1] != sig {
			t.Fatalf("key %x, digest %x: in a batch %x, %v", d, digest, together[1], err)
		}
		inBatch := make([]RecoverableSignature, 1)
		if err := SignRecoverableBatch(inBatch, []*p256k1.PrivateKey{k}, [][]byte{digest}, &Options{Checked: true}); err != nil || inBatch[0] != recoverable {
			t.Fatalf("key %x, digest %x: checked in a batch %x, %v", d, digest, inBatch[0].Bytes(), err)
		}
		if checked, err := SignRecoverable(k, digest, &Options{Checked: true}); err != nil || checked != recoverable {
			t.Fatalf("key %x, digest %x: checked %x, %v", d, digest, checked.Bytes(), err)
		}
		if q, err := Recover(digest, recoverable); err != nil || !q.Equal(k.PublicKey()) {
			t.Fatalf("key %x, digest %x: recovered %v, %v", d, digest, q, err)
		}

		hash := crypto.Hash(h % 8)
		reader := bytes.NewReader(extra)
		der, err := NewSigner(k, nil).Sign(reader, sum, hash)
		switch {
		case hash != 0 && len(sum) != hash.Size():
			libtest.CheckErrorIs(t, err, p256k1.ErrLength)
		case len(extra) < 32:
			if err == nil || der != nil {
				t.Fatalf("signed with %d bytes of entropy", len(extra))
			}
		case hash == 0 && len(sum) != 32:
			libtest.CheckErrorIs(t, err, p256k1.ErrLength)
		default:
			want, _ := oracle.SignRFC6979(d, sum, extra[:32])
			if err != nil || !bytes.Equal(der, raw(want.R, want.S).DER()) || reader.Len() != len(extra)-32 {
				t.Fatalf("key %x, digest %x, entropy %x: %x, %v", d, digest, extra, der, err)
			}
			if sig, err := Sign(k, digest, &Options{Entropy: (*[32]byte)(extra)}); err != nil || !bytes.Equal(sig.DER(), der) {
				t.Fatalf("key %x, digest %x, entropy %x: %x, %v", d, digest, extra, sig, err)
			}
			if sig, err := SignRecoverable(k, digest, &Options{Entropy: (*[32]byte)(extra), Checked: true}); err != nil || !bytes.Equal(sig.Signature().DER(), der) {
				t.Fatalf("key %x, digest %x, entropy %x: checked %x, %v", d, digest, extra, sig.Bytes(), err)
			}
		}
	})
}

// FuzzBatch adds an item to a batch of valid items, once or several times. It compares the verdict on the item with the
// verdict of Verify, and recovered keys with the keys that Recover returns. The other items must be valid.
func FuzzBatch(f *testing.F) {
	r := oracle.NewSeeded("fuzz")
	var good []item
	for range 20 {
		good = append(good, signed(f, r))
	}
	items := batchItems(f, r)
	for i := 0; i < len(items); i += 1 + len(items)/200 { // some 200 seeds at most
		c := items[i]
		f.Add(c.pub, c.digest, c.sig.rs[:], uint16(i*7919))
	}
	f.Fuzz(func(t *testing.T, pub, digest, rs []byte, how uint16) {
		c := item{pub, digest, Signature{}}
		copy(c.sig.rs[:], rs)
		b := Batch{LowSOnly: how>>15 == 1}
		place, n := int(how%21), int(how/21%21)
		n = max(n, place)
		digests, sigs, keys := make([][]byte, n+1), make([]RecoverableSignature, n+1), make([]p256k1.PublicKey, n+1)
		var want []int
		for i := range n + 1 {
			one := good[(i+n)%len(good)]
			if i == place || (how>>9%2 == 1 && i%3 == 0) {
				one = c
				if !c.valid(b.LowSOnly) {
					want = append(want, i)
				}
			} else if !one.sig.IsLowS() {
				t.Fatal("a valid item has a high s")
			}
			if key, err := p256k1.ParsePublicKey(one.pub); err == nil && how>>7%2 == 1 {
				b.AddKey(key, one.digest, one.sig)
			} else {
				b.Add(one.pub, one.digest, one.sig)
			}
			digests[i], sigs[i] = one.digest, RecoverableSignature{[65]byte(append(one.sig.rs[:], byte(how>>8)))}
		}
		b.check(t, want)

		libtest.CheckFailures(t, RecoverBatch(keys, digests, sigs), checkRecovered(t, keys, digests, sigs))
	})
}
