package conformance

import (
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestFROST checks the scalars and points of a run of FROST(secp256k1, SHA-256), RFC 9591, and the equations between
// them. The nonces are hashed to scalars; other hashes of the protocol are taken from the vectors. The vectors lack the
// challenge, which the test computes from each signature share.
func TestFROST(t *testing.T) {
	file := read[struct {
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
	}](t, "frost/frost-secp256k1-sha256.json")
	r := newReport(t)
	// Serialized scalars and points must survive parsing and encoding.
	number := func(s string) *curve.Scalar {
		t.Helper()
		r.add("scalars")
		k := scalarOf(unhex(s))
		r.same("scalar", k, s)
		return k
	}
	point := func(s string) *curve.Point {
		t.Helper()
		r.add("points")
		p := must(new(curve.Point).SetBytes(unhex(s)))
		r.same("point", p, s)
		return p
	}
	// H3 of the randomness and the share, which gives a nonce.
	hashed := func(randomness string, share *curve.Scalar) *curve.Scalar {
		r.add("hashes to scalars")
		var uniform [48]byte
		message := append(unhex(randomness), share.Bytes()...)
		libtest.Check(t, curve.ExpandMessageXMD(uniform[:], message, []byte("FROST-secp256k1-SHA256-v1nonce")))
		return must(new(curve.Scalar).SetUniformBytes(uniform[:]))
	}
	base := func(k *curve.Scalar) *curve.Point { return new(curve.Point).ScalarBaseMult(k) }
	small := func(v uint64) *curve.Scalar { return new(curve.Scalar).SetUint64(v) }

	secret, public := number(file.Inputs.GroupSecretKey), point(file.Inputs.GroupPublicKey)
	r.same("public key of the secret", base(secret).Equal(public), 1)
	r.same("public key of the PrivateKey", must(p256k1.NewPrivateKey(secret)).PublicKey(), public)

	// Shares: f(i) for f(x) = secret + coefficient·x.
	coefficient := number(file.Inputs.SharePolynomialCoefficients[0])
	shares := map[uint64]*curve.Scalar{}
	for _, s := range file.Inputs.ParticipantShares {
		want := small(s.Identifier)
		shares[s.Identifier] = number(s.Share)
		r.same("share", shares[s.Identifier], want.Mul(want, coefficient).Add(want, secret))
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
	r.same("secret of the shares", sum, secret)

	// R = Σ D + ρ·E, z = Σ (d + ρ·e + λ·share·c).
	commitment, response := new(curve.Point), new(curve.Scalar)
	var challenge *curve.Scalar
	for n, o := range file.RoundOne.Outputs {
		r.given("signer %d", o.Identifier)
		d, e, rho := number(o.HidingNonce), number(o.BindingNonce), number(o.BindingFactor)
		r.same("hiding nonce", hashed(o.HidingRandomness, shares[o.Identifier]), d)
		r.same("binding nonce", hashed(o.BindingRandomness, shares[o.Identifier]), e)
		hiding, binding := point(o.HidingCommitment), point(o.BindingCommitment)
		r.is(base(d).Equal(hiding) == 1 && base(e).Equal(binding) == 1, "the commitments belong to the nonces")
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
		r.same("challenge", c, challenge)
	}
	r.same("signature", append(commitment.Bytes(), response.Bytes()...), file.Final.Sig)
	// z·G = R + c·P, and z·G − c·P = R
	left, right := base(response), new(curve.Point).DoubleScalarBaseMultVartime(challenge, public, new(curve.Scalar))
	r.is(left.Equal(right.Add(right, commitment)) == 1, "the signature is valid")
	left.DoubleScalarBaseMultVartime(new(curve.Scalar).Negate(challenge), public, response)
	r.is(left.Equal(commitment) == 1, "the signature is valid by the other equation")
	r.want("4 hashes to scalars, 13 scalars, 5 points")
}
