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
	type (
		object = map[string]any
		list   = []any
	)
	file := read[map[string]object](t, "frost/frost-secp256k1-sha256.json")
	inputs, nonces := file["inputs"], file["round_one_outputs"]["outputs"].(list)
	r := newReport(t)
	// Serialized scalars and points must survive parsing and encoding.
	number := func(text any) *curve.Scalar {
		r.add("scalars")
		k := scalarOf(unhex(text.(string)))
		r.same("scalar", k, text)
		return k
	}
	point := func(text any) *curve.Point {
		r.add("points")
		p := must(new(curve.Point).SetBytes(unhex(text.(string))))
		r.same("point", p, text)
		return p
	}
	// H3 of the randomness and the share, which gives a nonce.
	hashed := func(randomness any, share *curve.Scalar) *curve.Scalar {
		r.add("hashes to scalars")
		var uniform [48]byte
		message := append(unhex(randomness.(string)), share.Bytes()...)
		libtest.Check(t, curve.ExpandMessageXMD(uniform[:], message, []byte("FROST-secp256k1-SHA256-v1nonce")))
		return must(new(curve.Scalar).SetUniformBytes(uniform[:]))
	}
	base := func(k *curve.Scalar) *curve.Point { return new(curve.Point).ScalarBaseMult(k) }
	small := func(v any) *curve.Scalar { return new(curve.Scalar).SetUint64(uint64(v.(float64))) }

	secret, public := number(inputs["group_secret_key"]), point(inputs["group_public_key"])
	r.same("public key of the secret", base(secret).Equal(public), 1)
	r.same("public key of the PrivateKey", must(p256k1.NewPrivateKey(secret)).PublicKey(), public)

	// Shares: f(i) for f(x) = secret + coefficient·x.
	coefficient := number(inputs["share_polynomial_coefficients"].(list)[0])
	shares := map[any]*curve.Scalar{}
	for _, s := range inputs["participant_shares"].(list) {
		i := s.(object)["identifier"]
		want := small(i)
		shares[i] = number(s.(object)["participant_share"])
		r.same("share", shares[i], want.Mul(want, coefficient).Add(want, secret))
	}
	// λ: the Lagrange coefficients of the signers, at 0.
	signers := inputs["participant_list"].(list)
	lagrange := func(i any) *curve.Scalar {
		l, d := small(1.0), new(curve.Scalar)
		for _, j := range signers {
			if j != i {
				l.Mul(l, small(j))
				d.Sub(small(j), small(i))
				l.Mul(l, d.Invert(d))
			}
		}
		return l
	}
	sum := new(curve.Scalar)
	for _, i := range signers {
		sum.Add(sum, new(curve.Scalar).Mul(lagrange(i), shares[i]))
	}
	r.same("secret of the shares", sum, secret)

	// R = Σ D + ρ·E, z = Σ (d + ρ·e + λ·share·c).
	commitment, response := new(curve.Point), new(curve.Scalar)
	var challenge *curve.Scalar
	for n, output := range file["round_two_outputs"]["outputs"].(list) {
		o := nonces[n].(object)
		i := o["identifier"]
		r.given("signer %v", i)
		d, e, rho := number(o["hiding_nonce"]), number(o["binding_nonce"]), number(o["binding_factor"])
		r.same("hiding nonce", hashed(o["hiding_nonce_randomness"], shares[i]), d)
		r.same("binding nonce", hashed(o["binding_nonce_randomness"], shares[i]), e)
		hiding, binding := point(o["hiding_nonce_commitment"]), point(o["binding_nonce_commitment"])
		r.is(base(d).Equal(hiding) == 1 && base(e).Equal(binding) == 1, "the commitments belong to the nonces")
		commitment.Add(commitment, hiding).Add(commitment, new(curve.Point).ScalarMult(rho, binding))

		share := number(output.(object)["sig_share"])
		response.Add(response, share)
		c := new(curve.Scalar).Sub(share, d)
		c.Sub(c, new(curve.Scalar).Mul(rho, e))
		factor := lagrange(i)
		factor.Mul(factor, shares[i])
		c.Mul(c, factor.Invert(factor))
		if challenge == nil {
			challenge = c
		}
		r.same("challenge", c, challenge)
	}
	r.same("signature", append(commitment.Bytes(), response.Bytes()...), file["final_output"]["sig"])
	// z·G = R + c·P, and z·G − c·P = R
	left, right := base(response), new(curve.Point).DoubleScalarBaseMultVartime(challenge, public, new(curve.Scalar))
	r.is(left.Equal(right.Add(right, commitment)) == 1, "the signature is valid")
	left.DoubleScalarBaseMultVartime(new(curve.Scalar).Negate(challenge), public, response)
	r.is(left.Equal(commitment) == 1, "the signature is valid by the other equation")
	r.want("4 hashes to scalars, 13 scalars, 5 points")
}
