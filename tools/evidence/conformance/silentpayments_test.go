package conformance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/address/v2"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

// A wallet receives silent payments.
type wallet struct {
	scan, spend *p256k1.PrivateKey
	ours        *silentpayments.Scanner
	labels      []uint32
	theirs      map[[33]byte][32]byte // the map from labels to tweaks, in which libsecp256k1 looks labels up
	numbers     map[[33]byte]uint32   // the numbers of labels
}

// payment is a payment that a scan finds.
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

// TestSilentPayments tests transactions of one to four inputs that pay to up to three wallets, with and without labels.
// This library and libsecp256k1 must compute the same outputs and labeled addresses, and find the outputs with the same
// tweaks.
func TestSilentPayments(t *testing.T) {
	differential(t, func(r *run) {
		c := r.secp()
		var module *libsecp.SilentPayments
		if c != nil {
			module = must(c.NewSilentPayments())
		}
		wallets := make([]*wallet, 1+r.IntN(3))
		for i := range wallets {
			wallets[i] = r.wallet(module, wallets[:i])
		}

		// libsecp256k1 takes the Taproot inputs separately.
		var inputs []silentpayments.Input
		var keys []*p256k1.PrivateKey
		var taproot, others, xonly [][32]byte
		var pubs [][33]byte
		add := func(priv *p256k1.PrivateKey, isTaproot bool) {
			input, pub := r.transactionInput(priv, isTaproot)
			inputs, keys = append(inputs, input), append(keys, priv)
			if d := [32]byte(priv.Bytes()); isTaproot {
				taproot, xonly = append(taproot, d), append(xonly, [32]byte(pub[1:]))
			} else {
				others, pubs = append(others, d), append(pubs, pub)
			}
		}
		cancels := r.IntN(10) == 0
		if cancels {
			priv, _ := r.keys(r.ValidScalar())
			add(priv, false)
			add(priv.Negate(), false)
		} else {
			for range 1 + r.IntN(4) {
				priv, _ := r.keys(r.ValidScalar())
				add(priv, r.IntN(2) == 0)
			}
		}
		least := outpoint(&inputs[0])
		for i := range inputs {
			if o := outpoint(&inputs[i]); bytes.Compare(o[:], least[:]) < 0 {
				least = o
			}
		}

		var recipients []silentpayments.Recipient
		var theirRecipients []libsecp.SilentRecipient
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
			recipients = append(recipients, address)
			scan, spend := [33]byte(address.Scan.Bytes()), [33]byte(address.Spend.Bytes())
			theirRecipients = append(theirRecipients, libsecp.SilentRecipient{Scan: scan, Spend: spend})
		}
		r.given("keys %x and, of Taproot, %x; to %x", others, taproot, theirRecipients)
		made, err := silentpayments.CreateOutputs(inputs, keys, recipients)
		tweak := must(silentpayments.Tweak(inputs))
		r.same("whether there is a sum", tweak != nil, err == nil)
		var summary libsecp.SilentSummary
		if c != nil {
			theirs, ok := module.Send(&least, taproot, others, theirRecipients)
			var ok2 bool
			summary, ok2 = module.Summarize(&least, xonly, pubs)
			r.is(ok == (err == nil) && ok2 == ok, "outputs can be made: libsecp256k1 %v, %v; %v", ok, ok2, err)
			for i, o := range theirs {
				r.same("output, libsecp256k1", made[i], o)
			}
		}
		// Other keys may also sum to zero, because many are edge cases.
		if errors.Is(err, silentpayments.ErrZeroSum) && tweak == nil {
			r.add(zeroSum)
			return
		}
		if err != nil || cancels {
			r.errorf("keys cancel: %v; CreateOutputs: %v", cancels, err)
			return
		}

		// The outputs are in random order, among outputs that belong to nobody.
		var outputs [][32]byte
		for _, o := range made {
			outputs = append(outputs, [32]byte(o.Bytes()))
		}
		for range r.IntN(3) {
			priv, _ := r.keys(r.ValidScalar())
			outputs = append(outputs, [32]byte(priv.PublicKey().XOnly().Bytes()))
		}
		r.Shuffle(len(outputs), func(i, j int) { outputs[i], outputs[j] = outputs[j], outputs[i] })
		var transaction libsecp.SilentTransaction
		if c != nil {
			var ok bool
			transaction, ok = module.LoadOutputs(outputs)
			r.is(ok, "libsecp256k1 takes the outputs %x", outputs)
		}
		for _, w := range wallets {
			var ours []payment
			for _, f := range must(w.ours.Scan(r.Context(), tweak, outputs)) {
				ours = append(ours, payment{outputs[f.Output], f.Tweak, f.Labeled, f.Label})
			}
			r.same("payments", len(ours), payments[w])
			r.verdict(len(ours) > 0, paid, unpaid)
			r.addIf(len(ours) > 1, several)
			for _, f := range ours {
				r.same("key of an output", must(w.spend.TweakAdd(f.tweak[:])).PublicKey().XOnly(), f.output)
				r.addIf(f.labeled, labelled)
			}
			prefixes := make([]uint64, len(outputs))
			for i := range outputs {
				prefixes[i] = binary.BigEndian.Uint64(outputs[i][:])
			}
			hits := must(w.ours.ScanTweaks(r.Context(), [][33]byte{[33]byte(tweak.Bytes())}, [][]uint64{prefixes}))
			r.same("hits", len(hits) > 0, len(ours) > 0)
			if c != nil {
				r.same("found, libsecp256k1", fmt.Sprint(ours), fmt.Sprint(w.scanTheirs(c, module, &summary, transaction)))
			}
		}
	}, paid, unpaid, labelled, several, zeroSum)
}

// wallet returns a wallet with up to two labels besides the change label, and with a scan key that no other wallet has.
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
	w.ours = must(silentpayments.NewScanner(w.scan, w.spend.PublicKey(), w.labels...))
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
		r.is(ok, "libsecp256k1 has a label %d of %x", m, scan)
		r.same(fmt.Sprintf("address of label %d of %x, libsecp256k1", m, scan), address.Spend, from(module.LabeledSpend(&scan, &spend, m)))
		w.theirs[label], w.numbers[label] = tweak, m
	}
	return w
}

func (w *wallet) scanTheirs(c *libsecp.Context, module *libsecp.SilentPayments, summary *libsecp.SilentSummary,
	outputs libsecp.SilentTransaction) (all []payment) {
	spend, ok := c.LoadPubkey(w.spend.PublicKey().Bytes())
	if _, ok2 := module.Scan((*[32]byte)(w.scan.Bytes()), summary, &spend, outputs, w.theirs); !ok || !ok2 {
		panic("libsecp256k1 does not scan")
	}
	for _, f := range module.Found() {
		all = append(all, payment{f.Output, f.Tweak, f.Labeled, w.numbers[f.Label]})
	}
	return all
}

// transactionInput returns an input that a key signs, and the key that the input contributes.
func (r *run) transactionInput(priv *p256k1.PrivateKey, taproot bool) (input silentpayments.Input, pub [33]byte) {
	input.TxID, input.Index = [32]byte(r.Bytes(32)), uint32(r.Uint64())>>r.IntN(32)
	pub = [33]byte(priv.PublicKey().Bytes())
	if taproot {
		input.ScriptPubKey = append([]byte{0x51, 0x20}, pub[1:]...)
		input.Witness = [][]byte{make([]byte, 64)}
	} else {
		input.ScriptPubKey = append([]byte{0, 0x14}, address.Hash160(pub[:])...)
		input.Witness = [][]byte{make([]byte, 71), pub[:]}
	}
	return input, pub
}

func outpoint(input *silentpayments.Input) (o [36]byte) {
	copy(o[:], input.TxID[:])
	binary.LittleEndian.PutUint32(o[32:], input.Index)
	return o
}
