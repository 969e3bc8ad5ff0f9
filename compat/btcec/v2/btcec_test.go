package btcec

import (
	"bytes"
	"testing"
)

// TestAllocs checks that functions allocate no more often than the table says. TestAllocations of package dropin
// compares the functions with btcec's.
func TestAllocs(t *testing.T) {
	key, pub := PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	encoded, serialized := pub.SerializeCompressed(), ToSerialized(pub)
	var p JacobianPoint
	pub.AsJacobian(&p)
	for name, c := range map[string]struct {
		most float64
		do   func()
	}{
		"AddNonConst":             {0, func() { AddNonConst(&p, &p, &p) }},
		"Generator":               {1, func() { Generator() }},
		"GeneratorJacobian":       {0, func() { GeneratorJacobian(&p) }},
		"GenerateSharedSecret":    {1, func() { GenerateSharedSecret(key, pub) }},
		"IsCompressedPubKey":      {0, func() { IsCompressedPubKey(encoded) }},
		"JacobianToByteSlice":     {1, func() { JacobianToByteSlice(p) }},
		"NonceRFC6979":            {1, func() { NonceRFC6979(encoded[1:], encoded[1:], nil, nil, 0) }},
		"ParseJacobian":           {1, func() { ParseJacobian(encoded) }},
		"ParsePubKey":             {1, func() { ParsePubKey(encoded) }},
		"PrivKeyFromBytes":        {2, func() { PrivKeyFromBytes(encoded[1:]) }},
		"ScalarBaseMultNonConst":  {0, func() { ScalarBaseMultNonConst(&key.Key, &p) }},
		"ScalarMultNonConst":      {0, func() { ScalarMultNonConst(&key.Key, &p, &p) }},
		"SerializedKey.CopyBytes": {1, func() { encoded = serialized.CopyBytes() }},
		"SerializedKey.Schnorr":   {0, func() { serialized.SchnorrSerialized() }},
		"SerializedKey.ToPubKey":  {1, func() { serialized.ToPubKey() }},
		"ToSerialized":            {1, func() { serialized = ToSerialized(pub) }},
	} {
		if got := testing.AllocsPerRun(10, c.do); got > c.most {
			t.Errorf("%s allocates %v times, want at most %v", name, got, c.most)
		}
	}
}
