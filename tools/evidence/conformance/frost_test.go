package conformance

import (
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestFROST follows a run of FROST(secp256k1, SHA-256), RFC 9591, with its shares of the key and of the signature. It
// computes everything that is hashed to scalars, the sums over the signers, and the signature's verification.
func TestFROST(t *testing.T) {
	type object = map[string]any
	file := read[map[string]object](t, "frost/frost-secp256k1-sha256.json")
	r, inputs, commitments := newReport(t), file["inputs"], file["round_one_outputs"]["outputs"].([]any)
	bytes := func(o object, name string) []byte { return unhex(o[name].(string)) }
	// Serialized scalars and points must survive parsing and encoding.
	scalar := func(o object, name string) *curve.Scalar {
		r.add("scalars")
		k := scalarOf(bytes(o, name))
		r.same("scalar", k, o[name])
		return k
	}
	point := func(o object, name string) *curve.Point {
		r.add("points")
		p := must(new(curve.Point).SetBytes(bytes(o, name)))
		r.same("point", p, o[name])
		return p
	}
	hashed := func(tag string, message ...[]byte) *curve.Scalar {
		r.add("hashes to scalars")
		var uniform [48]byte
		libtest.Check(t, curve.ExpandMessageXMD(uniform[:], slices.Concat(message...), []byte("FROST-secp256k1-SHA256-v1"+tag)))
		return must(new(curve.Scalar).SetUniformBytes(uniform[:]))
	}
	base := func(k *curve.Scalar) *curve.Point { return new(curve.Point).ScalarBaseMult(k) }

	secret, public := scalar(inputs, "group_secret_key"), point(inputs, "group_public_key")
	r.same("public key of the secret", base(secret), public)
	r.same("public key of the PrivateKey", must(p256k1.NewPrivateKey(secret)).PublicKey(), public)
	shares := map[any][]byte{}
	for _, s := range inputs["participant_shares"].([]any) {
		shares[s.(object)["identifier"]] = bytes(s.(object), "participant_share")
	}
	// R = Σ D + ρ·E, and z is the sum of the signers' shares.
	commitment, response := new(curve.Point), new(curve.Scalar)
	for i, output := range file["round_two_outputs"]["outputs"].([]any) {
		o := commitments[i].(object)
		r.given("signer %v", o["identifier"])
		committed := func(nonce string) *curve.Point {
			k, p := scalar(o, nonce), point(o, nonce+"_commitment")
			r.same(nonce, k, hashed("nonce", bytes(o, nonce+"_randomness"), shares[o["identifier"]]))
			r.same("commitment to the "+nonce, base(k), p)
			return p
		}
		hiding, binding, rho := committed("hiding_nonce"), committed("binding_nonce"), scalar(o, "binding_factor")
		r.same("binding factor", rho, hashed("rho", bytes(o, "binding_factor_input")))
		commitment.Add(commitment, hiding).Add(commitment, binding.ScalarMult(rho, binding))
		response.Add(response, scalar(output.(object), "sig_share"))
	}
	r.same("signature", append(commitment.Bytes(), response.Bytes()...), file["final_output"]["sig"])
	// z·G = R + c·P, and z·G − c·P = R
	challenge := hashed("chal", commitment.Bytes(), public.Bytes(), bytes(inputs, "message"))
	right := new(curve.Point).DoubleScalarBaseMultVartime(challenge, public, new(curve.Scalar))
	r.same("R + c·P", right.Add(right, commitment), base(response))
	r.same("z·G − c·P", right.DoubleScalarBaseMultVartime(challenge.Negate(challenge), public, response), commitment)
	r.want("7 hashes to scalars, 9 scalars, 5 points")
}
