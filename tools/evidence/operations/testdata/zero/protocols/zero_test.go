package protocols_test

import (
	"reflect"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/protocols/chilldkg"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/schnorr"
)

// TestZeroNonces calls functions whose nonces are 0 in this build. They must return an error and nothing else.
func TestZeroNonces(t *testing.T) {
	key := libtest.SecretKey(t)
	pub := key.PublicKey()
	_, shares := must2(frost.Deal(key, 1, 1, nil))
	params := libtest.Must(chilldkg.NewParams(1, []*p256k1.PublicKey{pub}, nil))
	type results = []any
	for name, f := range map[string]func() (results, error){
		"schnorr.Sign": func() (results, error) { sig, err := schnorr.Sign(key, nil, nil); return results{sig}, err },
		"schnorr.SignBatch": func() (results, error) {
			sigs := make([][64]byte, 1)
			err := schnorr.SignBatch(sigs, []*p256k1.PrivateKey{key}, [][]byte{nil}, nil)
			return results{sigs[0]}, err
		},
		"adaptor.SignSchnorr": func() (results, error) { p, err := adaptor.SignSchnorr(key, pub, nil); return results{p}, err },
		"adaptor.SignECDSA": func() (results, error) {
			p, err := adaptor.SignECDSA(key, pub, make([]byte, 32))
			return results{p}, err
		},
		"dleq.Prove":              func() (results, error) { c, p, err := dleq.Prove(key, pub, nil); return results{c, p}, err },
		"frost.NewNonce":          func() (results, error) { s, n, err := frost.NewNonce(shares[0], nil, nil); return results{s, n}, err },
		"musig2.NewNonce":         func() (results, error) { s, n, err := musig2.NewNonce(key, nil, nil); return results{s, n}, err },
		"chilldkg.NewParticipant": func() (results, error) { p, m, err := chilldkg.NewParticipant(key, params); return results{p, m}, err },
	} {
		all, err := f()
		for _, v := range all {
			if err == nil || !reflect.ValueOf(v).IsZero() {
				t.Errorf("%s: %v, %v", name, v, err)
			}
		}
	}
	t.Log("result: 8 functions refuse the nonce 0")
}
