package libsecp

import (
	"fmt"
	"runtime"
	"sync"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// silentFunctions are the functions of the module silentpayments.
type silentFunctions struct {
	senderCreateOutputs, recipientPrevoutsSummaryCreate, recipientScanOutputs        uintptr
	recipientLabelCreate, recipientLabelSerialize, recipientCreateLabeledSpendPubkey uintptr
}

// SilentPayments is the module silentpayments (BIP-352). It uses the memory of its context, and two goroutines must not
// use it at the same time.
type SilentPayments struct {
	c      *Context
	fn     silentFunctions
	s      *silentScratch
	labels map[[33]byte][32]byte // the labels, while C scans
}

type silentScratch struct {
	outpoint [36]byte
	scanKey  [32]byte
	tweak    [32]byte
	summary  SilentSummary
	spend    Pubkey
	label    [68]byte
	label33  [33]byte
	found    uint32

	keypairs   []Keypair
	seckeys    [][32]byte
	recipients []silentRecipient
	pubkeys    []Pubkey
	xonly      [][64]byte
	outputs    []silentFound
	pointers   [3][]uintptr
}

// silentRecipient is secp256k1_silentpayments_recipient.
type silentRecipient struct {
	scan, spend Pubkey
	index       uintptr
}

// silentFound is secp256k1_silentpayments_found_output.
type silentFound struct {
	output  [64]byte
	tweak   [32]byte
	labeled int32
	label   [68]byte
}

// SilentSummary has the values from a transaction's inputs that a recipient needs
// (secp256k1_silentpayments_prevouts_summary).
type SilentSummary struct {
	//lint:ignore U1000 only C reads the contents
	opaque [101]byte
}

// SilentRecipient is an address: the keys for scanning and for spending, compressed.
type SilentRecipient struct{ Scan, Spend [33]byte }

// SilentFound is an output that belongs to a recipient: its x coordinate, the tweak to add to the spend key, and its
// label.
type SilentFound struct {
	Output, Tweak [32]byte
	Labeled       bool
	Label         [33]byte
}

// NewSilentPayments returns the module, or an error if the library was built without it.
func (c *Context) NewSilentPayments() (*SilentPayments, error) {
	p := &SilentPayments{c: c, s: new(silentScratch)}
	if missing := dl.Bind(c.handle, "secp256k1_silentpayments_", &p.fn); len(missing) > 0 {
		return nil, fmt.Errorf("libsecp: no %s", missing[0])
	}
	return p, nil
}

func (p *SilentPayments) call(fn uintptr, args ...uintptr) bool {
	ok := p.c.call(fn, args...)
	runtime.KeepAlive(p.s)
	return ok
}

// Send returns the x coordinates of the outputs that pay the recipients, in the order of the recipients. It takes the
// least outpoint, the private keys of Taproot inputs, and the private keys of other inputs.
func (p *SilentPayments) Send(outpoint *[36]byte, taproot, others [][32]byte, payees []SilentRecipient) (outputs [][32]byte, ok bool) {
	s := p.s
	s.outpoint = *outpoint
	s.keypairs, s.seckeys, s.recipients = s.keypairs[:0], append(s.seckeys[:0], others...), s.recipients[:0]
	for i := range taproot {
		pair, ok := p.c.LoadKeypair(&taproot[i])
		if !ok {
			return nil, false
		}
		s.keypairs = append(s.keypairs, pair)
	}
	for i := range payees {
		scan, ok := p.c.LoadPubkey(payees[i].Scan[:])
		spend, ok2 := p.c.LoadPubkey(payees[i].Spend[:])
		if !ok || !ok2 {
			return nil, false
		}
		s.recipients = append(s.recipients, silentRecipient{scan, spend, uintptr(i)})
	}
	s.xonly = make([][64]byte, len(payees))
	var generated []uintptr // not s.pointers, because C reorders the recipients
	if !p.call(p.fn.senderCreateOutputs, pointers(&generated, s.xonly), pointers(&s.pointers[0], s.recipients), uintptr(len(payees)), dl.Addr(&s.outpoint),
		pointers(&s.pointers[1], s.keypairs), uintptr(len(taproot)), pointers(&s.pointers[2], s.seckeys), uintptr(len(others))) {
		return nil, false
	}
	runtime.KeepAlive(generated)
	for i := range s.xonly {
		outputs = append(outputs, p.encode(&s.xonly[i]))
	}
	return outputs, true
}

// encode returns the x coordinate of a key in the scratch space.
func (p *SilentPayments) encode(key *[64]byte) [32]byte {
	p.call(p.c.fn.xonlyPubkeySerialize, dl.Addr(&p.s.tweak), dl.Addr(key))
	return p.s.tweak
}

// Summarize returns the values that scanning needs. It takes the public keys of Taproot inputs and of other inputs
// separately.
func (p *SilentPayments) Summarize(outpoint *[36]byte, taproot [][32]byte, others [][33]byte) (summary SilentSummary, ok bool) {
	s := p.s
	s.outpoint = *outpoint
	var ok2 bool
	s.xonly, ok = p.LoadOutputs(taproot)
	s.pubkeys, ok2 = p.c.parseAll(s.pubkeys, others)
	if !ok || !ok2 {
		return summary, false
	}
	return result(p.call(p.fn.recipientPrevoutsSummaryCreate, dl.Addr(&s.summary), dl.Addr(&s.outpoint), pointers(&s.pointers[0], s.xonly), uintptr(len(taproot)),
		pointers(&s.pointers[1], s.pubkeys), uintptr(len(others))), &s.summary)
}

// Label returns label m of a scan key, compressed, and the tweak that the label adds to the spend key.
func (p *SilentPayments) Label(scanKey *[32]byte, m uint32) (label [33]byte, tweak [32]byte, ok bool) {
	p.s.scanKey = *scanKey
	if !p.call(p.fn.recipientLabelCreate, dl.Addr(&p.s.label), dl.Addr(&p.s.tweak), dl.Addr(&p.s.scanKey), uintptr(m)) {
		return label, tweak, false
	}
	label, ok = p.encodeLabel()
	return label, p.s.tweak, ok
}

// encodeLabel returns the label in the scratch space, compressed.
func (p *SilentPayments) encodeLabel() ([33]byte, bool) {
	return result(p.call(p.fn.recipientLabelSerialize, dl.Addr(&p.s.label33), dl.Addr(&p.s.label)), &p.s.label33)
}

// LabeledSpend returns the spend key of the address with label m of a scan key.
func (p *SilentPayments) LabeledSpend(scanKey *[32]byte, spend *[33]byte, m uint32) (labeled [33]byte, ok bool) {
	if _, _, ok := p.Label(scanKey, m); !ok || !p.c.parse(spend[:]) {
		return labeled, false
	}
	p.s.spend = p.c.s.pubkey // a copy, because C first wipes the place of the result
	return p.c.compressed(p.call(p.fn.recipientCreateLabeledSpendPubkey, dl.Addr(&p.c.s.pubkey), dl.Addr(&p.s.spend), dl.Addr(&p.s.label)))
}

// scanning maps the address of a context, which C passes to lookUpLabel, to the SilentPayments that is scanning with
// labels.
var scanning sync.Map

// lookUpLabel is a secp256k1_silentpayments_label_lookup.
var lookUpLabel = sync.OnceValue(func() uintptr {
	return dl.Callback(func(label *[33]byte, ctx uintptr) uintptr {
		v, _ := scanning.Load(ctx)
		p := v.(*SilentPayments)
		tweak, ok := p.labels[*label]
		if !ok {
			return 0
		}
		p.s.tweak = tweak
		return dl.Addr(&p.s.tweak)
	})
})

// SilentTransaction has the x coordinates of a transaction's Taproot outputs, in the internal form of libsecp256k1.
type SilentTransaction [][64]byte

// LoadOutputs parses the outputs of a transaction, at least one of which is needed.
func (p *SilentPayments) LoadOutputs(outputs [][32]byte) (t SilentTransaction, ok bool) {
	for i := range outputs {
		if !p.c.XOnlyParse(&outputs[i]) {
			return nil, false
		}
		t = append(t, p.c.s.xonly)
	}
	return t, true
}

// Scan returns how many of the outputs belong to the recipient. labels maps labels to their tweaks. With a nil map, C
// looks for no labels.
func (p *SilentPayments) Scan(scanKey *[32]byte, summary *SilentSummary, spend *Pubkey, outputs SilentTransaction, labels map[[33]byte][32]byte) (n int, ok bool) {
	s := p.s
	if len(s.outputs) < len(outputs) {
		s.outputs = make([]silentFound, len(outputs))
	}
	s.xonly = append(s.xonly[:0], outputs...)
	s.scanKey, s.summary, p.c.s.pubkey = *scanKey, *summary, *spend
	var lookup, context uintptr
	if labels != nil {
		p.labels = labels
		lookup, context = lookUpLabel(), p.c.ctx
		scanning.Store(context, p)
		defer scanning.Delete(context)
	}
	if !p.call(p.fn.recipientScanOutputs, pointers(&s.pointers[0], s.outputs[:len(s.xonly)]), dl.Addr(&s.found), pointers(&s.pointers[1], s.xonly), uintptr(len(s.xonly)),
		dl.Addr(&s.scanKey), dl.Addr(&s.summary), dl.Addr(&p.c.s.pubkey), lookup, context) {
		return 0, false
	}
	return int(s.found), true
}

// Found returns the outputs that the last Scan found.
func (p *SilentPayments) Found() (all []SilentFound) {
	for i := range p.s.found {
		f := &p.s.outputs[i]
		found := SilentFound{Output: p.encode(&f.output), Tweak: f.tweak, Labeled: f.labeled != 0}
		if found.Labeled {
			p.s.label = f.label
			found.Label, _ = p.encodeLabel()
		}
		all = append(all, found)
	}
	return all
}
