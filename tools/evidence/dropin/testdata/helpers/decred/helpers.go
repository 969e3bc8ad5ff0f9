package secp256k1

// Unexported names that Decred's tests use.

import (
	"encoding/hex"
	"io"
	"math/big"
	"strings"
)

var curveParams = *Params()

func fromHex(s string) *big.Int {
	v, ok := new(big.Int).SetString("0"+s, 16)
	if strings.HasPrefix(s, "-") {
		v, ok = new(big.Int).SetString(s, 16)
	}
	if !ok {
		panic(s)
	}
	return v
}

func hexToBytes32(s string) []byte {
	b, err := hex.DecodeString(strings.Repeat("0", len(s)%2) + s)
	if err != nil {
		panic(err)
	}
	return b
}

func hexToFieldVal(s string) *FieldVal {
	f := new(FieldVal)
	f.SetByteSlice(hexToBytes32(s))
	return f
}

func hexToModNScalar(s string) *ModNScalar {
	v := new(ModNScalar)
	digits, negative := strings.CutPrefix(s, "-")
	v.SetByteSlice(hexToBytes32(digits))
	if negative {
		v.Negate()
	}
	return v
}

func generatePrivateKey(r io.Reader) (*PrivateKey, error) { return GeneratePrivateKeyFromRand(r) }

func bigAffineToJacobian(x, y *big.Int, result *JacobianPoint) { result.setBig(x, y) }

func jacobianToBigAffine(p *JacobianPoint) (*big.Int, *big.Int) { return p.big() }

func scalarBaseMultNonConstFast(k *ModNScalar, result *JacobianPoint) {
	ScalarBaseMultNonConst(k, result)
}

func scalarBaseMultNonConstSlow(k *ModNScalar, result *JacobianPoint) {
	ScalarBaseMultNonConst(k, result)
}
