package p256k1_test

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"io"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	decred "p256k1.mleku.dev/v2/compat/decred"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/keyformat"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// A drawer is a key that signs with 32 bytes from the reader.
type drawer struct{ *p256k1.PrivateKey }

func (d drawer) Sign(r io.Reader, digest []byte, _ crypto.SignerOpts) ([]byte, error) {
	var b [32]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return nil, err
	}
	sig, err := ecdsa.Sign(d.PrivateKey, digest, &ecdsa.Options{Entropy: &b})
	return sig.DER(), err
}

func TestDraws(t *testing.T) {
	key, msg := libtest.SecretKey(t), []byte("a message")
	digest := sha256.Sum256(msg)
	halved := func(b []byte, err error) [][]byte { libtest.Check(t, err); return libtest.Halved(b) }
	halved64 := func(b [64]byte, err error) [][]byte { return halved(b[:], err) }
	s, other, fresh := signer.NewP256K1Signer(), key.Negate(), libtest.Must(p256k1.GenerateKey())
	libtest.Check(t, s.InitKey(key))
	// These signatures must be signatures with the drawn bytes as auxiliary randomness. The halves of a signature are
	// its nonce's point and its scalar.
	signed := func(msg []byte) func(aux []byte) [][]byte {
		return func(aux []byte) [][]byte {
			return halved64(schnorr.Sign(key, msg, &schnorr.Options{AuxRand: (*[32]byte)(aux)}))
		}
	}
	libtest.CheckDraws(t,
		libtest.Draw{Function: "p256k1.GenerateKey", Bytes: 32, Keys: 1, Results: func() [][]byte {
			return [][]byte{libtest.Must(p256k1.GenerateKey()).Bytes()}
		}},
		libtest.Draw{Function: "compat/decred.GeneratePrivateKey", Bytes: 32, Keys: 1, Results: func() [][]byte {
			return [][]byte{libtest.Must(decred.GeneratePrivateKey()).Serialize()}
		}},
		libtest.Draw{Function: "signer.P256K1Signer.Generate", Bytes: 32, Keys: 1, Results: func() [][]byte {
			s := signer.NewP256K1Signer()
			libtest.Check(t, s.Generate())
			return [][]byte{s.Sec()}
		}},
		libtest.Draw{Function: "signer.P256K1Gen.Generate", Bytes: 32, Keys: 1, Results: func() [][]byte {
			return [][]byte{libtest.Must(signer.NewP256K1Gen().Generate())}
		}},
		libtest.Draw{Function: "ellswift.GenerateKey", Bytes: 64, Keys: 1, Results: func() [][]byte {
			_, b, err := ellswift.GenerateKey()
			return halved64(b, err)
		}},
		libtest.Draw{Function: "ellswift.Encode", Bytes: 32, Results: func() [][]byte { return halved64(ellswift.Encode(key.PublicKey(), nil)) },
			Others: []func() [][]byte{func() [][]byte { return halved64(ellswift.Encode(other.PublicKey(), nil)) }},
			Model:  func(drawn []byte) [][]byte { return halved64(ellswift.Encode(key.PublicKey(), (*[32]byte)(drawn))) }},
		libtest.Draw{Function: "schnorr.Sign", Bytes: 32, Model: signed(msg), Results: func() [][]byte { return halved64(schnorr.Sign(key, msg, nil)) },
			Others: []func() [][]byte{
				func() [][]byte { return halved64(schnorr.Sign(fresh, msg, nil)) },
				func() [][]byte { return halved64(schnorr.Sign(key, msg[1:], nil)) },
				func() [][]byte { return halved64(schnorr.Sign(key, nil, nil)) },
			}},
		libtest.Draw{Function: "schnorr.Signer.Sign", Bytes: 32, Model: signed(digest[:]), Results: func() [][]byte {
			return halved(schnorr.NewSigner(key, nil).Sign(nil, digest[:], crypto.SHA256))
		}},
		libtest.Draw{Function: "schnorr.Signer.SignMessage", Bytes: 32, Model: signed(msg), Results: func() [][]byte {
			return halved(schnorr.NewSigner(key, nil).SignMessage(nil, msg, nil))
		}},
		libtest.Draw{Function: "signer.P256K1Signer.Sign", Bytes: 32, Model: signed(digest[:]), Results: func() [][]byte { return halved(s.Sign(digest[:])) }},
		libtest.Draw{Function: "keyformat.SignES256K", Bytes: 32, Results: func() [][]byte { return halved(keyformat.SignES256K(drawer{key}, msg)) },
			Others: []func() [][]byte{
				func() [][]byte { return halved(keyformat.SignES256K(drawer{other}, msg)) },
				func() [][]byte { return halved(keyformat.SignES256K(drawer{key}, msg[1:])) },
			}},
		// The errors of 300 signatures cancel if all weights are equal. A Batch that is used again draws again.
		libtest.Draw{Function: "schnorr.Batch.Verify", Bytes: 2 * 32, Changes: libtest.NoResult, Results: func() (b [][]byte) {
			sig := libtest.Must(schnorr.Sign(key, msg, &schnorr.Options{AuxRand: new([32]byte)}))
			var batch schnorr.Batch
			for range 2 {
				batch.Reset()
				for _, s := range libtest.PlusMinus(sig[32:], 150) {
					batch.Add(key.PublicKey().XOnly().Bytes(), msg, append(bytes.Clone(sig[:32]), s...))
				}
				b = append(b, libtest.Verdict(batch.Verify())...)
			}
			return b
		}},
	)
	for way, r := range libtest.Readers(slices.Concat(bytes.Repeat([]byte{255}, 32), bytes.Repeat([]byte{1, 2}, 16))) {
		if k, err := decred.GeneratePrivateKeyFromRand(r); err != nil || !bytes.Equal(k.Serialize(), bytes.Repeat([]byte{1, 2}, 16)) {
			t.Errorf("a key from 64 bytes %s: %v", way, err)
		}
	}
	if _, err := decred.GeneratePrivateKeyFromRand(bytes.NewReader(make([]byte, 63))); err != io.ErrUnexpectedEOF {
		t.Errorf("%v after 0 and 31 bytes", err)
	}
}

// TestDrawsMany observes functions of many items, with more items than are computed at a time.
func TestDrawsMany(t *testing.T) {
	key := libtest.SecretKey(t)
	for _, n := range []int{1, 9, 33, 257} {
		msgs := make([][]byte, n)
		for i := range msgs {
			msgs[i] = bytes.Repeat([]byte{byte(i)}, i%64)
		}
		libtest.CheckDraws(t,
			libtest.Draw{Function: "p256k1.GenerateKeys", Bytes: 32 * n, Changes: 32, Keys: n, Results: func() (b [][]byte) {
				for _, k := range libtest.Must(p256k1.GenerateKeys(n)) {
					b = append(b, k.Bytes())
				}
				return b
			}},
			libtest.Draw{Function: "schnorr.SignBatch", Bytes: 32 * n, Changes: 32, Results: func() (b [][]byte) {
				sigs := make([][64]byte, n)
				libtest.Check(t, schnorr.SignBatch(sigs, slices.Repeat([]*p256k1.PrivateKey{key}, n), msgs, nil))
				for i := range sigs {
					b = append(b, sigs[i][:])
				}
				return b
			}, Model: func(drawn []byte) (b [][]byte) {
				for i, msg := range msgs {
					sig := libtest.Must(schnorr.Sign(key, msg, &schnorr.Options{AuxRand: (*[32]byte)(drawn[32*i:])}))
					b = append(b, sig[:])
				}
				return b
			}},
		)
	}
}
