package secp256k1

import "p256k1.mleku.dev/v2/rfc6979"

// NonceRFC6979 returns the nonce of RFC 6979 for the first 32 bytes of privKey and of hash, which are padded with
// leading zeros if they are shorter. The hash is not reduced modulo n. The additional data (section 3.6) consists of
// extra, if extra has 32 bytes, and version, if version has 16 bytes. If only version is used, 32 zeros precede it. The
// first extraIterations nonces in [1, n−1] are skipped.
func NonceRFC6979(privKey []byte, hash []byte, extra []byte, version []byte, extraIterations uint32) *ModNScalar {
	var x, h, b [32]byte
	defer clear(x[:])
	defer clear(b[:])
	fill(&x, privKey)
	fill(&h, hash)
	var buffer [48]byte
	more := buffer[:copy(buffer[:32], extra)]
	if len(extra) != 32 {
		clear(buffer[:])
		more = nil
	}
	if len(version) == 16 {
		more = buffer[:32+copy(buffer[32:], version)]
	}

	var g rfc6979.Generator
	defer g.Zero()
	g.Init(&x, &h, more)
	k := new(ModNScalar)
	for found := uint32(0); ; {
		if err := g.Next(&b); err != nil {
			panic(err) // a seeded Generator returns no error
		}
		if k.SetBytes(&b)|k.IsZeroBit() != 0 {
			continue
		}
		if found == extraIterations {
			return k
		}
		found++
	}
}
