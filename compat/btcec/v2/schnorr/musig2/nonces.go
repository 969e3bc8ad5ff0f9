package musig2

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"p256k1.mleku.dev/v2/curve"
)

const (
	PubNonceSize = 66 // two compressed points
	SecNonceSize = 97 // two scalars, and the compressed public key of the signer
)

// These are the tags of the hashes of nonce generation (BIP-327, "Nonce Generation").
var (
	NonceAuxTag = []byte("MuSig/aux")
	NonceGenTag = []byte("MuSig/nonce")
)

var (
	auxTag   = newTag(&NonceAuxTag)
	nonceTag = newTag(&NonceGenTag)
)

// ErrPubkeyInvalid means that the public key of the signer was not passed to GenNonces.
var ErrPubkeyInvalid = errors.New("nonce generation requires a valid pubkey")

// Nonces are the nonces of one signer for one signature. Signing twice with the same SecNonce reveals the private key.
type Nonces struct {
	PubNonce [PubNonceSize]byte
	SecNonce [SecNonceSize]byte
}

// NonceGenOption is an option of GenNonces.
type NonceGenOption func(*nonceGenOpts)

type nonceGenOpts struct {
	randReader  io.Reader
	publicKey   []byte
	secretKey   []byte // a copy, which GenNonces wipes
	combinedKey []byte
	msg         []byte // nil if there is no message
	auxInput    []byte
}

// WithCustomRand makes GenNonces read its randomness from r instead of crypto/rand, for tests.
func WithCustomRand(r io.Reader) NonceGenOption {
	return func(o *nonceGenOpts) { o.randReader = r }
}

// systemRandom reads as rand.Read does: a failure of rand.Reader ends the program.
type systemRandom struct{}

func (systemRandom) Read(b []byte) (int, error) { return rand.Read(b) }

// WithPublicKey sets the public key of the signer, which GenNonces requires.
func WithPublicKey(pubKey *btcec.PublicKey) NonceGenOption {
	return func(o *nonceGenOpts) { o.publicKey = pubKey.SerializeCompressed() }
}

// WithNonceSecretKeyAux sets the private key of the signer. The nonces are then secret even if the randomness is known.
// They still repeat if the randomness and all other inputs repeat.
func WithNonceSecretKeyAux(secKey *btcec.PrivateKey) NonceGenOption {
	return func(o *nonceGenOpts) { o.secretKey = secKey.Serialize() }
}

// WithNonceCombinedKeyAux sets the aggregate key for which the signers will sign.
func WithNonceCombinedKeyAux(combinedKey *btcec.PublicKey) NonceGenOption {
	return func(o *nonceGenOpts) { o.combinedKey = schnorr.SerializePubKey(combinedKey) }
}

// WithNonceMessageAux sets the message that will be signed.
func WithNonceMessageAux(msg [32]byte) NonceGenOption {
	return func(o *nonceGenOpts) { o.msg = msg[:] }
}

// WithNonceAuxInput sets further input to the hash, such as a counter.
func WithNonceAuxInput(aux []byte) NonceGenOption {
	return func(o *nonceGenOpts) { o.auxInput = aux }
}

// GenNonces returns new nonces (BIP-327, NonceGen), in constant time. The error is ErrPubkeyInvalid, or the error of
// reading randomness.
func GenNonces(options ...NonceGenOption) (*Nonces, error) {
	o := nonceGenOpts{randReader: systemRandom{}}
	for _, option := range options {
		option(&o)
	}
	defer clear(o.secretKey)
	if len(o.publicKey) != btcec.PubKeyBytesLenCompressed {
		return nil, ErrPubkeyInvalid
	}
	var random [32]byte
	defer clear(random[:])
	n, err := o.randReader.Read(random[:])
	if err != nil {
		return nil, err
	}
	// btcec leaves the rest zero, although the nonces can then be guessed.
	if _, err := io.ReadFull(o.randReader, random[n:]); errors.Is(err, io.EOF) {
		return nil, io.ErrUnexpectedEOF
	} else if err != nil {
		return nil, err
	}
	if len(o.secretKey) == len(random) {
		mask := auxTag.Sum(random[:])
		for i := range random {
			random[i] = mask[i] ^ o.secretKey[i]
		}
		clear(mask[:])
	}
	// The message, if there is one, is preceded by a byte 1 and the length of the message.
	var before [9]byte
	prefix := before[:1]
	if o.msg != nil {
		prefix = append([]byte{1}, binary.BigEndian.AppendUint64(nil, uint64(len(o.msg)))...)
	}
	extra := binary.BigEndian.AppendUint32(nil, uint32(len(o.auxInput)))
	var k [2]curve.Scalar
	var R [2]curve.Point
	nonces := new(Nonces)
	for i := range k {
		sum := nonceTag.Sum(random[:], []byte{byte(len(o.publicKey))}, o.publicKey, []byte{byte(len(o.combinedKey))},
			o.combinedKey, prefix, o.msg, extra, o.auxInput, []byte{byte(i)})
		k[i].SetBytesReduced(&sum)
		clear(sum[:])
		b := k[i].Bytes()
		copy(nonces.SecNonce[32*i:], b)
		clear(b)
	}
	copy(nonces.SecNonce[64:], o.publicKey)
	curve.ScalarBaseMultBatch(R[:], k[:])
	for i := range R {
		k[i].Zero()
		putPoint(nonces.PubNonce[33*i:], &R[i])
	}
	return nonces, nil
}

// putPoint writes the encoding of p in nonces: compressed, or zeros for infinity (BIP-327, cbytes_ext).
func putPoint(b []byte, p *curve.Point) {
	clear(b[:33])
	copy(b[:33], p.Bytes())
}

// getPoint sets p to the point that 33 bytes encode, which is infinity if the first byte is 0.
func getPoint(p *curve.Point, b []byte) error {
	if b[0] == 0 {
		p.Set(new(curve.Point))
		return nil
	}
	if _, err := p.SetBytes(b); err != nil {
		// Callers expect the error of ParseJacobian.
		if _, err := btcec.ParseJacobian(b); err != nil {
			return err
		}
		return err
	}
	return nil
}

// getPoints sets p to the two points of a public nonce.
func getPoints(p *[2]curve.Point, nonce *[PubNonceSize]byte) error {
	if err := getPoint(&p[0], nonce[:33]); err != nil {
		return err
	}
	return getPoint(&p[1], nonce[33:])
}

// AggregateNonces returns the sum of public nonces (BIP-327, NonceAgg). An error means that some nonce is not the
// encoding of two points, but does not say whose nonce.
func AggregateNonces(pubNonces [][PubNonceSize]byte) (combined [PubNonceSize]byte, err error) {
	var sum [2]curve.Point
	for half := range sum {
		for i := range pubNonces {
			var R curve.Point
			if err := getPoint(&R, pubNonces[i][33*half:33*half+33]); err != nil {
				return combined, err
			}
			sum[half].Add(&sum[half], &R)
		}
	}
	curve.NormalizeBatch(sum[:])
	for half := range sum {
		putPoint(combined[33*half:], &sum[half])
	}
	return combined, nil
}
