package conformance

import (
	"bytes"
	"encoding/hex"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// TestFROST checks the scalars and points of a run of FROST(secp256k1, SHA-256), RFC 9591, and the equations between
// them. The nonces are hashed to scalars; other hashes of the protocol are taken from the vectors. The vectors lack the
// challenge, which the test computes from each signature share.
func TestFROST(t *testing.T) {
	var file struct {
		Inputs struct {
			ParticipantList             []uint64 `json:"participant_list"`
			GroupSecretKey              string   `json:"group_secret_key"`
			GroupPublicKey              string   `json:"group_public_key"`
			SharePolynomialCoefficients []string `json:"share_polynomial_coefficients"`
			ParticipantShares           []struct {
				Identifier uint64
				Share      string `json:"participant_share"`
			} `json:"participant_shares"`
		}
		RoundOne struct {
			Outputs []struct {
				Identifier        uint64
				HidingRandomness  string `json:"hiding_nonce_randomness"`
				BindingRandomness string `json:"binding_nonce_randomness"`
				HidingNonce       string `json:"hiding_nonce"`
				BindingNonce      string `json:"binding_nonce"`
				HidingCommitment  string `json:"hiding_nonce_commitment"`
				BindingCommitment string `json:"binding_nonce_commitment"`
				BindingFactor     string `json:"binding_factor"`
			}
		} `json:"round_one_outputs"`
		RoundTwo struct {
			Outputs []struct {
				Identifier uint64
				SigShare   string `json:"sig_share"`
			}
		} `json:"round_two_outputs"`
		Final struct{ Sig string } `json:"final_output"`
	}
	vectors.JSON(t, "frost/frost-secp256k1-sha256.json", &file)
	count := tally{}
	// Serialized scalars and points must survive parsing and encoding.
	survives := func(kind, s string, b []byte) {
		t.Helper()
		count.add(kind)
		if !bytes.Equal(b, unhex(s)) {
			t.Errorf("%s becomes %x", s, b)
		}
	}
	number := func(s string) *curve.Scalar {
		t.Helper()
		k := scalarOf(unhex(s))
		survives("scalars", s, k.Bytes())
		return k
	}
	point := func(s string) *curve.Point {
		t.Helper()
		p := must(new(curve.Point).SetBytes(unhex(s)))
		survives("points", s, p.Bytes())
		return p
	}
	// H3 of the randomness and the share, which gives a nonce.
	hashed := func(randomness string, share *curve.Scalar) string {
		t.Helper()
		var uniform [48]byte
		if err := curve.ExpandMessageXMD(uniform[:], append(unhex(randomness), share.Bytes()...), []byte("FROST-secp256k1-SHA256-v1nonce")); err != nil {
			t.Fatal(err)
		}
		count.add("hashes to scalars")
		return hex.EncodeToString(must(new(curve.Scalar).SetUniformBytes(uniform[:])).Bytes())
	}
	base := func(k *curve.Scalar) *curve.Point { return new(curve.Point).ScalarBaseMult(k) }
	small := func(v uint64) *curve.Scalar { return new(curve.Scalar).SetUint64(v) }

	secret, public := number(file.Inputs.GroupSecretKey), point(file.Inputs.GroupPublicKey)
	if base(secret).Equal(public) != 1 {
		t.Error("the group's public key does not belong to its secret key")
	}
	if k, err := p256k1.NewPrivateKey(secret); err != nil || !bytes.Equal(k.PublicKey().Bytes(), public.Bytes()) {
		t.Errorf("PrivateKey: another public key (%v)", err)
	}

	// Shares: f(i) for f(x) = secret + coefficient·x.
	coefficient := number(file.Inputs.SharePolynomialCoefficients[0])
	shares := map[uint64]*curve.Scalar{}
	for _, s := range file.Inputs.ParticipantShares {
		want := small(s.Identifier)
		want.Mul(want, coefficient).Add(want, secret)
		if shares[s.Identifier] = number(s.Share); !bytes.Equal(shares[s.Identifier].Bytes(), want.Bytes()) {
			t.Errorf("the share of %d is not on the polynomial", s.Identifier)
		}
	}
	// λ: the Lagrange coefficients of the signers, at 0.
	lagrange := func(i uint64) *curve.Scalar {
		l, d := small(1), new(curve.Scalar)
		for _, j := range file.Inputs.ParticipantList {
			if j != i {
				l.Mul(l, small(j))
				d.Sub(small(j), small(i))
				l.Mul(l, d.Invert(d))
			}
		}
		return l
	}
	sum := new(curve.Scalar)
	for _, i := range file.Inputs.ParticipantList {
		sum.Add(sum, new(curve.Scalar).Mul(lagrange(i), shares[i]))
	}
	if !bytes.Equal(sum.Bytes(), secret.Bytes()) {
		t.Errorf("the shares interpolate to %x", sum.Bytes())
	}

	// R = Σ D + ρ·E, z = Σ (d + ρ·e + λ·share·c).
	commitment, response := new(curve.Point), new(curve.Scalar)
	var challenge *curve.Scalar
	for n, o := range file.RoundOne.Outputs {
		if hashed(o.HidingRandomness, shares[o.Identifier]) != o.HidingNonce || hashed(o.BindingRandomness, shares[o.Identifier]) != o.BindingNonce {
			t.Errorf("the nonces of %d are not the hashes of the randomness and the share", o.Identifier)
		}
		d, e, rho := number(o.HidingNonce), number(o.BindingNonce), number(o.BindingFactor)
		hiding, binding := point(o.HidingCommitment), point(o.BindingCommitment)
		if base(d).Equal(hiding) != 1 || base(e).Equal(binding) != 1 {
			t.Errorf("the commitments of %d do not belong to its nonces", o.Identifier)
		}
		commitment.Add(commitment, hiding).Add(commitment, new(curve.Point).ScalarMult(rho, binding))

		share := number(file.RoundTwo.Outputs[n].SigShare)
		response.Add(response, share)
		c := new(curve.Scalar).Sub(share, d)
		c.Sub(c, new(curve.Scalar).Mul(rho, e))
		factor := lagrange(o.Identifier)
		factor.Mul(factor, shares[o.Identifier])
		c.Mul(c, factor.Invert(factor))
		if challenge == nil {
			challenge = c
		}
		if !bytes.Equal(c.Bytes(), challenge.Bytes()) {
			t.Errorf("the signature share of %d belongs to another challenge", o.Identifier)
		}
	}
	sig := unhex(file.Final.Sig)
	if want := append(commitment.Bytes(), response.Bytes()...); !bytes.Equal(sig, want) {
		t.Errorf("the signature is %x, want %x", want, sig)
	}
	// z·G = R + c·P
	left, right := base(response), new(curve.Point).DoubleScalarBaseMultVartime(challenge, public, new(curve.Scalar))
	right.Add(right, commitment)
	if left.Equal(right) != 1 {
		t.Error("the signature is not valid")
	}
	minus := new(curve.Scalar).Negate(challenge)
	if left.DoubleScalarBaseMultVartime(minus, public, response).Equal(commitment) != 1 {
		t.Error("the signature is not valid by the other equation")
	}
	count.want(t, "4 hashes to scalars, 13 scalars, 5 points")
}
