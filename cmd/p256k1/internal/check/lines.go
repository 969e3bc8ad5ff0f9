package check

import (
	"bytes"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// Lines appends to results the result of Line for each of the lines. If most lines are good, Lines takes much less time
// than separate calls of Line, because it verifies signatures in batches. If a batch refuses the signature of a line,
// Line judges the line again to find the reason, but does not verify the signature again.
func (c *Checker) Lines(results []Result, lines [][]byte) []Result {
	d, first := &c.deferred, len(results)
	d.start(c.LowS)
	for i, line := range lines {
		d.line = i
		results = append(results, c.Line(line))
	}
	d.end(func(i int) { results[first+i] = c.Line(lines[i]) })
	return results
}

// deferred holds the signatures of lines that are good if and only if these signatures are valid. The slices of lines
// hold the indexes of the lines to which the signatures of a batch belong.
type deferred struct {
	active  bool
	refused bool // a batch has refused the signature of the line that is being judged
	line    int  // index of this line

	ofECDSA      ecdsa.Batch
	ecdsaLines   []int
	ofSchnorr    schnorr.Batch
	schnorrLines []int
	toRecover    []ecdsa.RecoverableSignature
	recoverLines []int
	keys         [][]byte // the keys that must be recovered from the signatures toRecover
	digests      [][]byte
	recovered    []p256k1.PublicKey
	batch        []int
}

func (d *deferred) start(lowS bool) {
	d.active = true
	d.ofECDSA.LowSOnly = lowS
	d.ofECDSA.Reset()
	d.ofSchnorr.Reset()
	d.toRecover, d.keys, d.digests = d.toRecover[:0], d.keys[:0], d.digests[:0]
	d.ecdsaLines, d.schnorrLines, d.recoverLines = d.ecdsaLines[:0], d.schnorrLines[:0], d.recoverLines[:0]
}

// end passes the indexes of the lines whose signatures are refused to again, in no particular order.
func (d *deferred) end(again func(line int)) {
	refuse := func(invalid, lines []int) {
		for _, i := range invalid {
			again(lines[i])
		}
		d.batch = invalid[:0]
	}
	d.active, d.refused = false, true
	refuse(d.ofECDSA.Invalid(d.batch), d.ecdsaLines)
	refuse(d.ofSchnorr.Invalid(d.batch), d.schnorrLines)
	d.refused = false // because the reason names the key that can be recovered
	refuse(d.recoverAll(d.batch), d.recoverLines)
}

// recoverAll appends the indexes of recoverable signatures that are refused.
func (d *deferred) recoverAll(refused []int) []int {
	d.recovered = slices.Grow(d.recovered[:0], len(d.toRecover))[:len(d.toRecover)]
	ecdsa.RecoverBatch(d.recovered, d.digests, d.toRecover)
	for i, key := range d.keys {
		encoded := d.recovered[i].Bytes() // nil for a key that is not found
		if len(key) != len(encoded) {
			encoded = d.recovered[i].BytesUncompressed()
		}
		if encoded == nil || !bytes.Equal(key, encoded) || (d.ofECDSA.LowSOnly && !d.toRecover[i].Signature().IsLowS()) {
			refused = append(refused, i)
		}
	}
	return refused
}

// ecdsa adds a signature to the batch and returns true, unless the line must be judged at once or the bytes cannot be a
// signature. It reads a signature of 64 bytes as the compact encoding. If the signature is DER instead, the batch
// refuses it, and Line judges the line again.
func (d *deferred) ecdsa(key, digest, encoded []byte) bool {
	parse := ecdsa.ParseDER
	if len(encoded) == 64 {
		parse = ecdsa.ParseCompact
	}
	sig, err := parse(encoded)
	if !d.active || err != nil {
		return false
	}
	d.ofECDSA.Add(key, digest, sig)
	d.ecdsaLines = append(d.ecdsaLines, d.line)
	return true
}

// schnorr adds a signature to the batch and returns true, unless the line must be judged at once.
func (d *deferred) schnorr(key, msg, sig []byte) bool {
	if d.active {
		d.ofSchnorr.Add(key, msg, sig)
		d.schnorrLines = append(d.schnorrLines, d.line)
	}
	return d.active
}

// recoverable adds a signature to toRecover and returns true, unless the line must be judged at once.
func (d *deferred) recoverable(key []byte, digest *[32]byte, sig ecdsa.RecoverableSignature) bool {
	if d.active {
		d.toRecover, d.recoverLines = append(d.toRecover, sig), append(d.recoverLines, d.line)
		d.keys, d.digests = append(d.keys, bytes.Clone(key)), append(d.digests, bytes.Clone(digest[:]))
	}
	return d.active
}
