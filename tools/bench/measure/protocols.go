package measure

import (
	"fmt"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// Protocols is the group of the operations that are built on the others.
const Protocols = "protocols"

// What libsecp256k1 has no module for is compared with a calculation.
const (
	calculated   = "libsecp256k1 has none: its time is that of the multiplications alone, "
	twoAndCreate = calculated + "two of secp256k1_ecdh and one of secp256k1_ec_pubkey_create"
	unhashed     = ", without the hash of the secret to the curve"
)

// protocols are these operations, with the sizes that they have. The target is the
// ratio to libsecp256k1 with assembly, and without it is 1: to its own benchmark
// program, or to the library called from here where that program has no such row.
// An op of several sizes has its size in its name, and title.
var protocols = []struct {
	protocol, title, what string
	sizes                 []int
	target                float64
	program               string
}{
	{engine.Musig2Aggregate, "MuSig2, aggregate %d keys", "from parsed public keys to their aggregate, compressed", []int{2, 100}, 0.6, ""},
	{engine.Musig2Aggregate, "MuSig2, aggregate %d keys", "from parsed public keys to their aggregate, compressed", []int{1000}, 0, ""},
	{engine.Musig2Nonces, "MuSig2, aggregate 100 nonces", "from bytes of public nonces to those of their sum", nil, 0, ""},
	{engine.Musig2Sign, "MuSig2, sign", "begin the session of two signers, sign, and verify the partial signature: " +
		"libsecp256k1 verifies only if it is asked to, as here; btcec aggregates the keys again", nil, 0.55, ""},
	{engine.Musig2Verify, "MuSig2, verify", "from bytes of a partial signature and a nonce; btcec aggregates the keys again", nil, 0, ""},
	{engine.EllswiftEncode, "ElligatorSwift, encode", "a parsed public key, with given randomness; btcec draws it, and encodes x", nil, 0.65, "ellswift_encode"},
	{engine.EllswiftDecode, "ElligatorSwift, decode", "64 bytes, to a compressed public key", nil, 0.65, "ellswift_decode"},
	{engine.EllswiftECDH, "ElligatorSwift, ECDH", "the shared secret of BIP-324, of two encodings", nil, 0.65, "ellswift_ecdh"},
	{engine.SilentScan, "Silent payments, scan a tweak", "from the bytes of a tweak to whether one of two outputs is to the wallet, or to its change; " +
		"libsecp256k1 scans a transaction whose keys and outputs are parsed, and looks for no change", nil, 0.6, ""},
	{engine.SilentScan, "Silent payments, scan tweaks of %d", "the same, with many tweaks", Sizes[1:], 0, ""},
	{engine.DLEQProve, "DLEQ, prove", "a·B and the proof of BIP-374; " + twoAndCreate, nil, 0.6, ""},
	{engine.DLEQVerify, "DLEQ, verify", "parsed points and a proof; " + calculated + "three of secp256k1_ec_pubkey_tweak_mul, without that of G", nil, 0.6, ""},
	{engine.DLEQVerify, "DLEQ, verify, batch of %d", "the same, with many proofs", Sizes[1:4], 0, ""},
	{engine.CashuBlind, "Cashu, blind", "a secret of 32 bytes, of which 16 candidates for the point are tried", nil, 0, ""},
	{engine.CashuSign, "Cashu, sign", "C_ and the proof of NUT-12; " + twoAndCreate, nil, 0.6, ""},
	{engine.CashuUnblind, "Cashu, unblind", "blind again, verify the proof, and C; " + calculated +
		"three of secp256k1_ec_pubkey_tweak_mul, one of secp256k1_ecdh and one of secp256k1_ec_pubkey_create" + unhashed, nil, 0, ""},
	{engine.CashuVerify, "Cashu, verify by the mint", "a secret and C, by the mint's key; " + calculated + "one of secp256k1_ecdh" + unhashed, nil, 0, ""},
	{engine.HashToCurve, "Hash to curve", "32 bytes, by RFC 9380's secp256k1_XMD:SHA-256_SSWU_RO_", nil, 0, ""},
	{engine.EncodeToCurve, "Encode to curve", "32 bytes, by RFC 9380's secp256k1_XMD:SHA-256_SSWU_NU_", nil, 0, ""},
}

func protocolOps() (ops []Op) {
	for _, p := range protocols {
		sizes := p.sizes
		if sizes == nil {
			sizes = []int{0}
		}
		for _, n := range sizes {
			op := Op{
				Name: p.protocol, Title: p.title, What: p.what, Group: Protocols, Program: p.program, Varied: p.program != "",
				prepared: p.protocol, size: n, step: runPrepared,
			}
			if p.target > 0 {
				op.Portable, op.Assembly = 1, p.target
			}
			if n > 0 {
				op.Name, op.Title = fmt.Sprintf("%s-%d", p.protocol, n), fmt.Sprintf(p.title, n)
			}
			switch p.protocol {
			case engine.Musig2Nonces:
				op.size = 100
			case engine.SilentScan, engine.DLEQVerify:
				if n > 0 {
					op.Base, op.Batch, op.Family = p.protocol, n, p.protocol+"-batch"
					op.Name = fmt.Sprintf("%s-%d", op.Family, n)
				} else if p.protocol == engine.SilentScan {
					op.size = 1
				}
				if op.Name == "silent-scan-batch-256" {
					op.Portable, op.Assembly, op.Lanes = 1, 0.6, 0.2
				}
			}
			ops = append(ops, op)
		}
	}
	return ops
}
