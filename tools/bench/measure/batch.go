package measure

import (
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// Sizes are those of the batches. Each is a divisor of the greatest one.
var Sizes = []int{1, 8, 64, 256, 1024}

// target is what the design accepts for one size of a batch.
type target struct{ lanes, assembly, portable float64 }

// families are the operations on batches, but for their sizes. Their times are for
// one input.
var families = []struct {
	op      Op
	targets map[int]target
	step    func(w *worker, b engine.Batcher, items []engine.Item) error
}{
	{
		Op{
			Name: "ecdsa-verify-batch", Benchmark: "VerifyBatch", Title: "ECDSA verify, batch", Base: "ecdsa-verify",
			What: "parse compressed public keys and signatures in DER, verify them together",
		},
		map[int]target{256: {0.115, 0.55, 0.85}},
		func(w *worker, b engine.Batcher, items []engine.Item) error {
			return allValid(b.ECDSAVerifyBatch(items))
		},
	},
	{
		Op{
			Name: "schnorr-verify-batch", Benchmark: "SchnorrVerifyBatch", Title: "Schnorr verify, batch", Base: "schnorr-verify",
			What: "from the bytes of x-only public keys and BIP-340 signatures of 32 bytes, verify them together",
		},
		map[int]target{256: {0.115, 0.40, 0.60}, 1024: {0.085, 0.33, 0.50}},
		func(w *worker, b engine.Batcher, items []engine.Item) error {
			return allValid(b.SchnorrVerifyBatch(items))
		},
	},
	{
		Op{
			Name: "schnorr-verify-batch-few", Benchmark: "SchnorrVerifyBatchFew", Title: "Schnorr verify, batch, few keys", Base: "schnorr-verify",
			What: "the same with signatures by eight keys",
		},
		map[int]target{1024: {0.045, 0.20, 0.35}},
		func(w *worker, b engine.Batcher, items []engine.Item) error {
			return allValid(b.SchnorrVerifyBatch(items))
		},
	},
	{
		Op{
			Name: "recover-batch", Benchmark: "RecoverBatch", Title: "Recover, batch", Base: "recover",
			What: "from signatures with recovery ids to compressed public keys",
		},
		map[int]target{256: {0.13, 0.55, 0.85}},
		func(w *worker, b engine.Batcher, items []engine.Item) error {
			return w.keys(items, b.RecoverBatch)
		},
	},
	{
		Op{
			Name: "ecdsa-sign-batch", Benchmark: "SignBatch", Title: "ECDSA sign, batch", Base: "ecdsa-sign",
			What: "sign with loaded secret keys, together",
		},
		map[int]target{256: {0.18, 0.45, 0.90}},
		func(w *worker, b engine.Batcher, items []engine.Item) error { return b.ECDSASignBatch(items) },
	},
	{
		Op{
			Name: "schnorr-sign-batch", Benchmark: "SchnorrSignBatch", Title: "Schnorr sign, batch", Base: "schnorr-sign",
			What: "sign 32 bytes as in BIP-340 with loaded secret keys, together, with fresh randomness",
		},
		map[int]target{256: {0.20, 0.45, 0.90}},
		func(w *worker, b engine.Batcher, items []engine.Item) error { return b.SchnorrSignBatch(items) },
	},
	{
		Op{
			Name: "derive-batch", Benchmark: "DeriveBatch", Title: "Public keys from secrets, batch", Base: "derive",
			What: "from the bytes of secret keys to those of their compressed public keys",
		},
		map[int]target{256: {0.08, 0.40, 0.70}},
		func(w *worker, b engine.Batcher, items []engine.Item) error {
			return w.keys(items, b.DeriveBatch)
		},
	},
	{
		Op{
			Name: "generate-batch", Benchmark: "GenerateBatch", Title: "Generate keys, batch", Base: "derive",
			What: "draw secret keys from the system's randomness and derive their public keys",
		},
		nil,
		func(w *worker, b engine.Batcher, items []engine.Item) error { return b.GenerateBatch(len(items)) },
	},
}

// batchOps are the operations on batches, each of one size.
func batchOps() (ops []Op) {
	for _, f := range families {
		for _, n := range Sizes {
			op, t := f.op, f.targets[n]
			op.Family, op.Batch = op.Name, n
			op.Name = fmt.Sprintf("%s-%d", op.Name, n)
			op.Title = fmt.Sprintf("%s of %d", op.Title, n)
			op.Benchmark = fmt.Sprintf("%s/n=%d", op.Benchmark, n)
			op.Lanes, op.Assembly, op.Portable = t.lanes, t.assembly, t.portable
			op.step = func(w *worker, i int) error {
				first := i * n % len(w.items)
				return f.step(w, w.session.(engine.Batcher), w.items[first:first+n])
			}
			ops = append(ops, op)
		}
	}
	return ops
}

func allValid(valid bool, err error) error {
	if err == nil && !valid {
		err = fmt.Errorf("measure: wrong verdict on a batch of valid signatures")
	}
	return err
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
			return wrong("public key", i)
		}
	}
	return nil
}

// loadItems prepares the inputs of batches: as many as the greatest batch has, or a
// multiple of that, over and over if the corpus is smaller.
func (w *worker) loadItems(op Op) error {
	if _, ok := w.session.(engine.Batcher); !ok {
		return engine.ErrNotSupported
	}
	if err := w.loadSecrets(); err != nil {
		return err
	}
	greatest := Sizes[len(Sizes)-1]
	w.items = w.items[:0]
	for i := range max(greatest, len(w.corpus)/greatest*greatest) {
		in, i := w.at(i)
		item := engine.Item{
			Secret: w.secrets[i], SecretBytes: &in.Secret, Pub: &in.Pub, XOnly: &in.XOnly, Digest: &in.Digest,
			DER: in.DER, Recoverable: &in.Recoverable, Schnorr: &in.Schnorr,
		}
		if op.Family == "schnorr-verify-batch-few" {
			item.XOnly, item.Schnorr = &in.FewXOnly, &in.FewSchnorr
		}
		w.items = append(w.items, item)
	}
	return nil
}
