package measure

import (
	"fmt"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// Sizes are those of the batches. Each is a divisor of the greatest one.
var Sizes = []int{1, 8, 64, 256, 1024}

// target is what the design accepts for one size of a batch.
type target struct{ lanes, assembly, portable float64 }

// families are the operations on batches, but for their sizes. Their times are for
// one input.
var families = []struct {
	name, title, base, what string
	targets                 map[int]target
}{
	{
		engine.ECDSAVerifyBatch, "ECDSA verify, batch", "ecdsa-verify",
		"parse compressed public keys and signatures in DER, verify them together",
		map[int]target{256: {0.115, 0.55, 0.85}},
	},
	{
		engine.SchnorrVerifyBatch, "Schnorr verify, batch", "schnorr-verify",
		"from the bytes of x-only public keys and BIP-340 signatures of 32 bytes, verify them together",
		map[int]target{256: {0.115, 0.40, 0.60}, 1024: {0.085, 0.33, 0.50}},
	},
	{
		engine.SchnorrVerifyBatchFew, "Schnorr verify, batch, few keys", "schnorr-verify",
		"the same with signatures by eight keys",
		map[int]target{1024: {0.045, 0.20, 0.35}},
	},
	{
		engine.RecoverBatch, "Recover, batch", "recover",
		"from signatures with recovery ids to compressed public keys",
		map[int]target{256: {0.13, 0.55, 0.85}},
	},
	{
		engine.ECDSASignBatch, "ECDSA sign, batch", "ecdsa-sign",
		"sign with loaded secret keys, together",
		map[int]target{256: {0.18, 0.45, 0.90}},
	},
	{
		engine.SchnorrSignBatch, "Schnorr sign, batch", "schnorr-sign",
		"sign 32 bytes as in BIP-340 with loaded secret keys, together, with fresh randomness",
		map[int]target{256: {0.20, 0.45, 0.90}},
	},
	{
		engine.DeriveBatch, "Public keys from secrets, batch", "derive",
		"from the bytes of secret keys to those of their compressed public keys",
		map[int]target{256: {0.08, 0.40, 0.70}},
	},
	{
		engine.GenerateBatch, "Generate keys, batch", "derive",
		"draw secret keys from the system's randomness and derive their public keys",
		nil,
	},
}

// batchOps are the operations on batches, each of one size.
func batchOps() (ops []Op) {
	for _, f := range families {
		for _, n := range Sizes {
			t := f.targets[n]
			ops = append(ops, Op{
				Name: fmt.Sprintf("%s-%d", f.name, n), Title: fmt.Sprintf("%s of %d", f.title, n), What: f.what,
				Lanes: t.lanes, Assembly: t.assembly, Portable: t.portable, Base: f.base, Batch: n, Family: f.name,
				prepared: f.name, size: n, step: runPrepared,
			})
		}
	}
	return ops
}
