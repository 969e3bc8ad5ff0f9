package differential

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"golang.org/x/crypto/ripemd160" //lint:ignore SA1019 Bitcoin's scripts have this hash

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

// A wallet receives silent payments.
type wallet struct {
	scan, spend *p256k1.PrivateKey
	ours        *silentpayments.Scanner
	labels      []uint32
	theirs      map[[33]byte][32]byte // what C finds labels by: their tweaks
	numbers     map[[33]byte]uint32   // of labels
}

// payment is what a scan finds.
type payment struct {
	output, tweak [32]byte
	labeled       bool
	label         uint32
}

const (
	paid     = kind("paid")
	unpaid   = kind("not paid")
	labelled = kind("paid to a label")
	several  = kind("paid more than once")
	zeroSum  = kind("keys that add up to zero")
)

// TestSilentPayments has transactions of one to four inputs that pay to up to three wallets, with labels and without. Each library
// makes the outputs, and each finds all of them, with the same tweaks. Addresses come from either.
func TestSilentPayments(t *testing.T) {
	differential(t, func(r *run) {
		fail := func(what string, values ...any) { r.errorf("%s: %v", what, values) }
		c := r.secp()
		var module *libsecp.SilentPayments
		if c != nil {
			var err error
			if module, err = c.NewSilentPayments(); err != nil {
				fail("libsecp256k1", err)
				return
			}
		}
		wallets := make([]*wallet, 1+r.IntN(3))
		for i := range wallets {
			if wallets[i] = r.wallet(module, wallets[:i]); wallets[i] == nil {
				return
			}
		}

		// Inputs, those of Taproot apart for C.
		var inputs []silentpayments.Input
		var keys []*p256k1.PrivateKey
		var taproot, others [][32]byte
		var xonly [][32]byte
		var pubs [][33]byte
		cancels := r.IntN(10) == 0
		for i := range 1 + r.IntN(4) {
			priv, _ := r.keys(r.ValidScalar())
			isTaproot := r.IntN(2) == 0
			if cancels && i > 0 {
				break
			}
			if cancels {
				isTaproot = false
			}
			in, pub := r.transactionInput(priv, isTaproot)
			inputs, keys = append(inputs, in), append(keys, priv)
			if d := [32]byte(priv.Bytes()); isTaproot {
				taproot, xonly = append(taproot, d), append(xonly, [32]byte(pub[1:]))
			} else {
				others, pubs = append(others, d), append(pubs, pub)
			}
		}
		if cancels {
			minus := keys[0].Negate()
			in, pub := r.transactionInput(minus, false)
			inputs, keys = append(inputs, in), append(keys, minus)
			others, pubs = append(others, [32]byte(minus.Bytes())), append(pubs, pub)
		}
		least := outpoint(&inputs[0])
		for i := range inputs {
			if o := outpoint(&inputs[i]); bytes.Compare(o[:], least[:]) < 0 {
				least = o
			}
		}

		var to []silentpayments.Recipient
		var theirTo []libsecp.SilentRecipient
		payments := make(map[*wallet]int)
		for range r.IntN(5) + 1 {
			w := wallets[r.IntN(len(wallets))]
			address := w.ours.Recipient()
			switch n := r.IntN(4); {
			case n == 0 && len(w.labels) > 0:
				address, _ = w.ours.Labeled(w.labels[r.IntN(len(w.labels))])
			case n == 1:
				address = w.ours.Change()
			}
			payments[w]++
			to = append(to, address)
			theirTo = append(theirTo, libsecp.SilentRecipient{Scan: [33]byte(address.Scan.Bytes()), Spend: [33]byte(address.Spend.Bytes())})
		}
		made, err := silentpayments.CreateOutputs(inputs, keys, to)
		tweak, unsigned := silentpayments.Tweak(inputs)
		if unsigned != nil {
			fail("Tweak", unsigned)
			return
		}
		var summary libsecp.SilentSummary
		if c != nil {
			theirs, ok := module.Send(&least, taproot, others, theirTo)
			var ok2 bool
			summary, ok2 = module.Summarize(&least, xonly, pubs)
			if ok != (err == nil) || ok2 != (tweak != nil) || ok != ok2 {
				fail("whether outputs can be", cancels, err, ok, ok2)
				return
			}
			for i, o := range theirs {
				if !bytes.Equal(o[:], made[i].Bytes()) {
					fail("output", i, o, made[i])
				}
			}
		}
		// Other keys may cancel as well, being at the edges.
		if errors.Is(err, silentpayments.ErrZeroSum) && tweak == nil {
			r.kind(zeroSum)
			return
		}
		if err != nil || tweak == nil || cancels {
			fail("CreateOutputs", err, tweak, cancels)
			return
		}

		// The outputs in any order, among some that are nobody's.
		var outputs [][32]byte
		for _, o := range made {
			outputs = append(outputs, [32]byte(o.Bytes()))
		}
		for range r.IntN(3) {
			priv, _ := r.keys(r.ValidScalar())
			outputs = append(outputs, [32]byte(priv.PublicKey().XOnly().Bytes()))
		}
		for i := range outputs {
			j := r.IntN(i + 1)
			outputs[i], outputs[j] = outputs[j], outputs[i]
		}
		var transaction libsecp.SilentTransaction
		if c != nil {
			var ok bool
			if transaction, ok = module.LoadOutputs(outputs); !ok {
				fail("libsecp256k1 refuses outputs", outputs)
				return
			}
		}
		for _, w := range wallets {
			ours, ok := w.scanOurs(tweak, outputs)
			if !ok || len(ours) != payments[w] {
				fail("found", ours, payments[w])
			}
			r.verdict(len(ours) > 0, paid, unpaid)
			if len(ours) > 1 {
				r.kind(several)
			}
			for _, f := range ours {
				key, err := w.spend.TweakAdd(f.tweak[:])
				if err != nil || !bytes.Equal(key.PublicKey().XOnly().Bytes(), f.output[:]) {
					fail("key of an output", f, err)
				}
				if f.labeled {
					r.kind(labelled)
				}
			}
			prefixes := make([]uint64, len(outputs))
			for i := range outputs {
				prefixes[i] = binary.BigEndian.Uint64(outputs[i][:])
			}
			hits, err := w.ours.ScanTweaks([][33]byte{[33]byte(tweak.Bytes())}, [][]uint64{prefixes})
			if err != nil || (len(hits) > 0) != (len(ours) > 0) {
				fail("ScanTweaks", hits, err)
			}
			if c == nil {
				continue
			}
			theirs, ok := w.scanTheirs(c, module, &summary, transaction)
			if !ok || !slices.Equal(theirs, ours) {
				fail("found by libsecp256k1", theirs, ours)
			}
		}
	}, paid, unpaid, labelled, several, zeroSum)
}

// wallet returns one with up to two labels besides that of change, and with another scan key than others, or nil if the libraries
// differ in its addresses.
func (r *run) wallet(module *libsecp.SilentPayments, others []*wallet) *wallet {
	w := &wallet{theirs: map[[33]byte][32]byte{}, numbers: map[[33]byte]uint32{}}
	for w.scan == nil || slices.ContainsFunc(others, func(o *wallet) bool { return w.scan.Equal(o.scan) }) {
		w.scan, _ = r.keys(r.ValidScalar())
	}
	w.spend, _ = r.keys(r.ValidScalar())
	for range r.IntN(3) {
		if m := uint32(r.Uint64()) >> r.IntN(32); m != 0 && !slices.Contains(w.labels, m) {
			w.labels = append(w.labels, m)
		}
	}
	var err error
	if w.ours, err = silentpayments.NewScanner(w.scan, w.spend.PublicKey(), w.labels...); err != nil {
		r.errorf("NewScanner: %v", err)
		return nil
	}
	if module == nil {
		return w
	}
	scan, spend := [32]byte(w.scan.Bytes()), [33]byte(w.spend.PublicKey().Bytes())
	for _, m := range append([]uint32{0}, w.labels...) {
		address := w.ours.Change()
		if m != 0 {
			address, _ = w.ours.Labeled(m)
		}
		label, tweak, ok := module.Label(&scan, m)
		labeled, ok2 := module.LabeledSpend(&scan, &spend, m)
		if !ok || !ok2 || !bytes.Equal(labeled[:], address.Spend.Bytes()) {
			r.errorf("label %d of %x: %x, libsecp256k1 %x", m, scan, address.Spend.Bytes(), labeled)
			return nil
		}
		w.theirs[label], w.numbers[label] = tweak, m
	}
	return w
}

func (w *wallet) scanOurs(tweak *p256k1.PublicKey, outputs [][32]byte) (all []payment, ok bool) {
	found, err := w.ours.Scan(tweak, outputs)
	for _, f := range found {
		all = append(all, payment{outputs[f.Output], f.Tweak, f.Labeled, f.Label})
	}
	return all, err == nil
}

func (w *wallet) scanTheirs(c *libsecp.Context, module *libsecp.SilentPayments, summary *libsecp.SilentSummary,
	outputs libsecp.SilentTransaction) (all []payment, ok bool) {
	spend, ok := c.LoadPubkey(w.spend.PublicKey().Bytes())
	if !ok {
		return nil, false
	}
	if _, ok := module.Scan((*[32]byte)(w.scan.Bytes()), summary, &spend, outputs, w.theirs); !ok {
		return nil, false
	}
	for _, f := range module.Found() {
		all = append(all, payment{f.Output, f.Tweak, f.Labeled, w.numbers[f.Label]})
	}
	return all, true
}

// transactionInput returns one that a key signs, and the key that it adds.
func (r *run) transactionInput(priv *p256k1.PrivateKey, taproot bool) (in silentpayments.Input, pub [33]byte) {
	in.TxID, in.Index = [32]byte(r.Bytes(32)), uint32(r.Uint64())>>r.IntN(32)
	pub = [33]byte(priv.PublicKey().Bytes())
	if taproot {
		in.ScriptPubKey = append([]byte{0x51, 0x20}, pub[1:]...)
		in.Witness = [][]byte{make([]byte, 64)}
	} else {
		in.ScriptPubKey = append([]byte{0, 0x14}, hash160(pub[:])...)
		in.Witness = [][]byte{make([]byte, 71), pub[:]}
	}
	return in, pub
}

// hash160 returns RIPEMD-160 of SHA-256.
func hash160(b []byte) []byte {
	sum := sha256.Sum256(b)
	h := ripemd160.New()
	h.Write(sum[:])
	return h.Sum(nil)
}

func outpoint(in *silentpayments.Input) (o [36]byte) {
	copy(o[:], in.TxID[:])
	binary.LittleEndian.PutUint32(o[32:], in.Index)
	return o
}
