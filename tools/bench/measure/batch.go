package measure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	step                    func(w *worker, items []engine.Item) error
}{
	{
		"ecdsa-verify-batch", "ECDSA verify, batch", "ecdsa-verify",
		"parse compressed public keys and signatures in DER, verify them together",
		map[int]target{256: {0.115, 0.55, 0.85}},
		func(w *worker, items []engine.Item) error { return expect(w.batcher.ECDSAVerifyBatch(items)) },
	},
	{
		"schnorr-verify-batch", "Schnorr verify, batch", "schnorr-verify",
		"from the bytes of x-only public keys and BIP-340 signatures of 32 bytes, verify them together",
		map[int]target{256: {0.115, 0.40, 0.60}, 1024: {0.085, 0.33, 0.50}},
		func(w *worker, items []engine.Item) error { return expect(w.batcher.SchnorrVerifyBatch(items)) },
	},
	{
		"schnorr-verify-batch-few", "Schnorr verify, batch, few keys", "schnorr-verify",
		"the same with signatures by eight keys",
		map[int]target{1024: {0.045, 0.20, 0.35}},
		func(w *worker, items []engine.Item) error { return expect(w.batcher.SchnorrVerifyBatch(items)) },
	},
	{
		"recover-batch", "Recover, batch", "recover",
		"from signatures with recovery ids to compressed public keys",
		map[int]target{256: {0.13, 0.55, 0.85}},
		func(w *worker, items []engine.Item) error { return w.keys(items, w.batcher.RecoverBatch) },
	},
	{
		"ecdsa-sign-batch", "ECDSA sign, batch", "ecdsa-sign",
		"sign with loaded secret keys, together",
		map[int]target{256: {0.18, 0.45, 0.90}},
		func(w *worker, items []engine.Item) error { return w.batcher.ECDSASignBatch(items) },
	},
	{
		"schnorr-sign-batch", "Schnorr sign, batch", "schnorr-sign",
		"sign 32 bytes as in BIP-340 with loaded secret keys, together, with fresh randomness",
		map[int]target{256: {0.20, 0.45, 0.90}},
		func(w *worker, items []engine.Item) error { return w.batcher.SchnorrSignBatch(items) },
	},
	{
		"derive-batch", "Public keys from secrets, batch", "derive",
		"from the bytes of secret keys to those of their compressed public keys",
		map[int]target{256: {0.08, 0.40, 0.70}},
		func(w *worker, items []engine.Item) error { return w.keys(items, w.batcher.DeriveBatch) },
	},
	{
		"generate-batch", "Generate keys, batch", "derive",
		"draw secret keys from the system's randomness and derive their public keys",
		nil,
		func(w *worker, items []engine.Item) error { return w.batcher.GenerateBatch(len(items)) },
	},
}

// batchOps are the operations on batches, each of one size.
func batchOps() (ops []Op) {
	for _, f := range families {
		for _, n := range Sizes {
			t := f.targets[n]
			op := Op{
				Name: fmt.Sprintf("%s-%d", f.name, n), Title: fmt.Sprintf("%s of %d", f.title, n), What: f.what,
				Lanes: t.lanes, Assembly: t.assembly, Portable: t.portable, Base: f.base, Batch: n, Family: f.name,
			}
			op.step = func(w *worker, _ *Input, i int) error {
				first := i * n % len(w.items)
				return f.step(w, w.items[first:first+n])
			}
			if strings.Contains(f.name, "verify") {
				// The last of a batch of signatures is of another digest.
				op.check = func(w *worker, _ *Input, i int) error {
					last := &w.items[(i*n+n-1)%len(w.items)]
					signed := last.Digest
					bad := *signed
					bad[0] ^= 1
					last.Digest = &bad
					err := op.step(w, nil, i)
					last.Digest = signed
					return expect(errors.Is(err, ErrWrong), nil)
				}
			}
			ops = append(ops, op)
		}
	}
	return ops
}

// keys runs what computes the public keys of items and compares them.
func (w *worker) keys(items []engine.Item, compute func(pubs [][33]byte, items []engine.Item) error) error {
	pubs := slices.Grow(w.pubs[:0], len(items))[:len(items)]
	w.pubs = pubs
	if err := compute(pubs, items); err != nil {
		return err
	}
	for i := range pubs {
		if pubs[i] != *items[i].Pub {
			return ErrWrong
		}
	}
	return nil
}
