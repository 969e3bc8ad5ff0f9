// Package cashu implements the blind signatures of Cashu, a protocol for electronic cash (NUT-00), and the proofs that
// a mint signed with its published key (NUT-12). In the terms of the NUTs:
//
//  1. The mint Bob has a private key k for each amount, and publishes K = k·G.
//  2. Alice chooses a secret x and a blinding factor r. Blind returns B_ = Y + r·G, where Y is HashToCurve of x. She
//     sends B_ to Bob.
//  3. Bob calls Sign, which returns C_ = k·B_, and a proof that k is the private key of K.
//  4. Alice calls Unblind, which verifies the proof, and returns C = C_ − r·K = k·Y.
//  5. She sends the token (x, C), r and the proof to Carol. Carol calls VerifyToken, which computes B_ and C_ from
//     these values and verifies the proof, without asking Bob.
//  6. Carol sends (x, C) to Bob, without r, because r would reveal B_ to him. Bob calls Verify, which checks that C =
//     k·Y. Bob must store x himself, so that nobody can spend the token again.
//
// A secret is hashed as the text that the token contains. If the text has 64 hexadecimal digits, pass these 64 bytes as
// the secret, and not the 32 bytes that they encode. Use each secret and each blinding factor only once. Use a mint's
// key for no other purpose, because Sign returns k·B_ for any point that anybody sends. If that point is somebody's
// public key, the result is the Diffie-Hellman secret that the mint's key shares with that public key.
//
// The examples are in example_test.go.
package cashu

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// ErrProof means that a proof is missing or invalid. An invalid proof means that the mint signed with another key or
// signed something else, so its signature is useless.
var ErrProof = errors.New("proof is not valid")

// domain is the domain separator of hash_to_curve (DOMAIN_SEPARATOR of NUT-00).
const domain = "Secp256k1_HashToCurve_Cashu_"

const (
	// attempts is the largest number of counters that are tried. Each counter leads to a point with a probability of
	// 1/2.
	attempts = 256
	// atOnce is the number of counters that HashToCurve tries at a time, and always tries.
	atOnce = 16
)

// HashToCurve returns Y, the point of a secret (hash_to_curve of NUT-00, not of RFC 9380). It always tries 16 counters,
// so that its time does not depend on the secret. The exception is one secret in 2¹⁶, for which no counter among the 16
// leads to a point, and which takes twice as long. The error is p256k1.ErrLength for an empty secret, which mints
// refuse, or p256k1.ErrFault if no counter leads to a point, which only a hardware error can cause.
func HashToCurve(secret []byte) (*p256k1.PublicKey, error) { return hashToCurve(secret, atOnce) }

// HashToCurveVartime returns Y, the same point as HashToCurve, for a secret that need not be kept secret, such as a
// secret that a mint receives. It stops at the first counter that leads to a point, usually the first or second, so it
// takes much less time than HashToCurve.
func HashToCurveVartime(secret []byte) (*p256k1.PublicKey, error) { return hashToCurve(secret, 1) }

// hashToCurve tries n counters at a time.
func hashToCurve(secret []byte, n int) (*p256k1.PublicKey, error) {
	if len(secret) == 0 {
		return nil, fmt.Errorf("cashu: secret: %w: empty", p256k1.ErrLength)
	}
	var in [sha256.Size + 4]byte
	h := sha256.New() // on the stack, so that no copy of the secret is on the heap
	h.Write([]byte(domain))
	h.Write(secret)
	h.Sum(in[:0])
	var points [atOnce]curve.Point
	var x [atOnce][32]byte
	for counter := 0; counter < attempts; counter += n {
		for i := range n {
			binary.LittleEndian.PutUint32(in[sha256.Size:], uint32(counter+i))
			x[i] = sha256.Sum256(in[:])
		}
		curve.LiftXBatch(points[:n], x[:n]) // points with even y, because NUT-00 uses the prefix 02
		// The loop counts down, so that the first point is selected last, and replaces all others.
		var y curve.Point
		for i := n - 1; i >= 0; i-- {
			y.Select(&y, &points[i], points[i].IsInfinity())
		}
		if y.IsInfinity() == 0 {
			return p256k1.NewPublicKey(&y)
		}
	}
	return nil, fmt.Errorf("cashu: hash to curve: %w", p256k1.ErrFault)
}

// isUnset reports whether a key is invalid.
func isUnset(key *p256k1.PublicKey) bool { return key.Point().IsInfinity() == 1 }

func checkSet(name string, key *p256k1.PublicKey) error {
	if isUnset(key) {
		return fmt.Errorf("cashu: %s: %w", name, p256k1.ErrNoKey)
	}
	return nil
}

// use calls f with the scalar of a private key. The scalar is passed by value, so that it stays on the stack, which Use
// wipes.
func use(name string, key *p256k1.PrivateKey, f func(d curve.Scalar) error) error {
	if err := key.Use(f); err != nil {
		return fmt.Errorf("cashu: %s: %w", name, err)
	}
	return nil
}

// Blind returns the blinded secret B_ = Y + r·G. The blinding factor r must be a private key that is used for this
// secret alone, from p256k1.GenerateKey or derived from a seed (NUT-13). The time of Blind depends on the secret only
// as much as the time of HashToCurve does. The error is p256k1.ErrNoKey if r is invalid, p256k1.ErrLength for an empty
// secret, or p256k1.ErrInfinity with a probability of 2⁻²⁵⁶.
func Blind(secret []byte, r *p256k1.PrivateKey) (*p256k1.PublicKey, error) {
	y, err := HashToCurve(secret)
	if err != nil {
		return nil, err
	}
	var sum curve.Point
	err = use("blinding factor", r, func(r curve.Scalar) error {
		sum.Add(sum.ScalarBaseMult(&r), y.Point())
		return nil
	})
	if err != nil {
		return nil, err
	}
	return newKey("blinded secret", &sum)
}

func newKey(name string, p *curve.Point) (*p256k1.PublicKey, error) {
	key, err := p256k1.NewPublicKey(p)
	if err != nil {
		return nil, fmt.Errorf("cashu: %s: %w", name, err)
	}
	return key, nil
}

// BlindSignature is the mint's answer to a blinded secret. Its JSON has the form of NUT-00 and NUT-12, except that
// amount and id are missing: embed BlindSignature in a struct that has these fields.
type BlindSignature struct {
	C    *p256k1.PublicKey `json:"C_"`
	DLEQ *DLEQ             `json:"dleq,omitempty"` // nil from mints that send no proof: see UnblindWithoutProof
}

// Sign returns the mint's signature of a blinded secret, C_ = k·B_, and its proof. The signature and the proof are
// deterministic. Sign is constant-time. The error is p256k1.ErrNoKey if k or blinded is invalid.
//
// If a hardware error makes a proof wrong, whoever also has the correct proof for the same blinded secret can compute
// k. A mint can prevent such an attack by checking each proof with DLEQ.Verify before sending it.
func Sign(k *p256k1.PrivateKey, blinded *p256k1.PublicKey) (BlindSignature, error) {
	if err := checkSet("blinded secret", blinded); err != nil {
		return BlindSignature{}, err
	}
	sig := BlindSignature{DLEQ: new(DLEQ)}
	err := use("mint's key", k, func(d curve.Scalar) (err error) {
		var p curve.Point
		if sig.C, err = p256k1.NewPublicKey(p.ScalarMult(&d, blinded.Point())); err != nil {
			return err
		}
		return sig.DLEQ.prove(&d, k.PublicKey(), blinded, sig.C)
	})
	if err != nil {
		return BlindSignature{}, err
	}
	return sig, nil
}

// Unblind verifies the proof, as wallets must (NUT-12), and returns the mint's signature of the secret, C = C_ − r·K.
// It returns an error if the mint signed with another key, or if the signature, the secret and r do not belong
// together. Unblind is constant-time with respect to the secret and r, except that its time depends on B_, which the
// mint knows.
//
// The error is ErrProof for a proof that is missing or invalid, p256k1.ErrNoKey for an invalid mint's key or signature,
// or an error that Blind returns.
func Unblind(mint *p256k1.PublicKey, secret []byte, sig BlindSignature, r *p256k1.PrivateKey) (*p256k1.PublicKey, error) {
	c, err := UnblindWithoutProof(mint, sig, r)
	if err != nil {
		return nil, err
	}
	blinded, err := Blind(secret, r)
	if err != nil {
		return nil, err
	}
	if !sig.DLEQ.Verify(mint, blinded, sig.C) {
		return nil, fmt.Errorf("cashu: blind signature: %w", ErrProof)
	}
	return c, nil
}

// UnblindWithoutProof returns the mint's signature of the secret, C = C_ − r·K, without verifying a proof, for mints
// that send no proof. Such a mint can use a separate key for each user, by which the mint recognizes the user who pays,
// or can send a point that is not a signature at all. UnblindWithoutProof does not detect a wrong r either, but mints
// refuse the result.
func UnblindWithoutProof(mint *p256k1.PublicKey, sig BlindSignature, r *p256k1.PrivateKey) (*p256k1.PublicKey, error) {
	if err := checkSet("mint's key", mint); err != nil {
		return nil, err
	}
	if err := checkSet("blind signature", sig.C); err != nil {
		return nil, err
	}
	var c curve.Point
	err := use("blinding factor", r, func(r curve.Scalar) error {
		c.Sub(sig.C.Point(), c.ScalarMult(&r, mint.Point()))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return newKey("signature", &c)
}

// Verify reports whether c is the signature of the secret by the mint's key k, which means that c = k·Y, where Y is
// HashToCurve of the secret. It is constant-time with respect to k. It returns false for an invalid key or signature,
// and for an empty secret. Verify does not check whether the secret was spent before.
func Verify(k *p256k1.PrivateKey, secret []byte, c *p256k1.PublicKey) bool {
	y, err := HashToCurveVartime(secret)
	if err != nil || isUnset(c) {
		return false
	}
	valid := 0
	err = use("mint's key", k, func(d curve.Scalar) error {
		var p curve.Point
		valid = p.ScalarMult(&d, y.Point()).Equal(c.Point())
		return nil
	})
	return err == nil && valid == 1
}
