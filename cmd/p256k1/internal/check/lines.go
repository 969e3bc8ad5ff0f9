package check

import (
	"p256k1.mleku.dev/ecdsa"
	"p256k1.mleku.dev/schnorr"
)

// Lines judges lines together and appends what Line says of each to results. That
// takes a fraction of the time if most of them are good: their signatures are verified
// in batches. Lines whose signatures are refused are judged a second time, by Line,
// which finds the reason.
func (c *Checker) Lines(results []Result, lines [][]byte) []Result {
	d, first := &c.deferred, len(results)
	d.start(c.LowS)
	for i, line := range lines {
		d.line = i
		results = append(results, c.Line(line))
	}
	for _, i := range d.end() {
		results[first+i] = c.Line(lines[i])
	}
	return results
}

// deferred are signatures of lines that are good if their signatures are.
type deferred struct {
	on   bool
	line int // that is being judged

	ofECDSA   ecdsa.Batch
	ofSchnorr schnorr.Batch
	// ecdsaLine and schnorrLine are the lines of the signatures in the batches.
	ecdsaLine, schnorrLine []int
	refused                []int
}

func (d *deferred) start(lowS bool) {
	d.on = true
	d.ofECDSA.LowSOnly = lowS
	d.ofECDSA.Reset()
	d.ofSchnorr.Reset()
	d.ecdsaLine, d.schnorrLine, d.refused = d.ecdsaLine[:0], d.schnorrLine[:0], d.refused[:0]
}

// end returns the lines whose signatures are refused, in no order.
func (d *deferred) end() []int {
	d.on = false
	d.refused = d.ofECDSA.Invalid(d.refused)
	for i, n := range d.refused {
		d.refused[i] = d.ecdsaLine[n]
	}
	first := len(d.refused)
	d.refused = d.ofSchnorr.Invalid(d.refused)
	for i, n := range d.refused[first:] {
		d.refused[first+i] = d.schnorrLine[n]
	}
	return d.refused
}

// ecdsa takes a signature, unless it is to be judged at once, or could be none. One of
// 64 bytes is taken for the compact encoding: if it is the other one, it is refused.
func (d *deferred) ecdsa(key, digest, encoded []byte) bool {
	if !d.on {
		return false
	}
	parse := ecdsa.ParseDER
	if len(encoded) == 64 {
		parse = ecdsa.ParseCompact
	}
	sig, err := parse(encoded)
	if err != nil {
		return false
	}
	d.ofECDSA.Add(key, digest, sig)
	d.ecdsaLine = append(d.ecdsaLine, d.line)
	return true
}

// schnorr takes a signature, unless it is to be judged at once.
func (d *deferred) schnorr(key, msg, sig []byte) bool {
	if !d.on {
		return false
	}
	d.ofSchnorr.Add(key, msg, sig)
	d.schnorrLine = append(d.schnorrLine, d.line)
	return true
}
