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
// Line judges the line again to find the reason.
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

// deferred holds the signatures of lines that are good if and only if these signatures are valid.
type deferred struct {
	on   bool
	line int // index of the line that is being judged

	ofECDSA   ecdsa.Batch
	ofSchnorr schnorr.Batch
	// ecdsaLine and schnorrLine hold the indexes of the lines of the signatures in the batches.
	ecdsaLine, schnorrLine []int
	toRecover              recoveries
	refused                []int
}

// recoveries holds recoverable signatures, the keys that must be recovered from them, and the indexes of their lines.
type recoveries struct {
	line   []int
	key    [][]byte
	digest [][]byte
	sig    []ecdsa.RecoverableSignature
	found  []p256k1.PublicKey
}

// refused appends to dst the indexes of the lines whose signatures are refused.
func (r *recoveries) refused(dst []int, lowS bool) []int {
	r.found = slices.Grow(r.found[:0], len(r.sig))[:len(r.sig)]
	ecdsa.RecoverBatch(r.found, r.digest, r.sig)
	for i := range r.found { // a key that is not found has no encoding
		if !isEncoding(r.key[i], &r.found[i]) || (lowS && !r.sig[i].Signature().IsLowS()) {
			dst = append(dst, r.line[i])
		}
	}
	return dst
}

// isEncoding reports whether b is the compressed or the uncompressed encoding of k.
func isEncoding(b []byte, k *p256k1.PublicKey) bool {
	if len(b) == 33 {
		return bytes.Equal(b, k.Bytes())
	}
	return bytes.Equal(b, k.BytesUncompressed())
}

func (d *deferred) start(lowS bool) {
	d.on = true
	d.ofECDSA.LowSOnly = lowS
	d.ofECDSA.Reset()
	d.ofSchnorr.Reset()
	r := &d.toRecover
	r.line, r.key, r.digest, r.sig = r.line[:0], r.key[:0], r.digest[:0], r.sig[:0]
	d.ecdsaLine, d.schnorrLine, d.refused = d.ecdsaLine[:0], d.schnorrLine[:0], d.refused[:0]
}

// end returns the indexes of the lines whose signatures are refused, in no particular order.
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
	d.refused = d.toRecover.refused(d.refused, d.ofECDSA.LowSOnly)
	return d.refused
}

// ecdsa adds a signature to the batch and returns true, unless the line must be judged at once or the bytes cannot be a
// signature. It reads a signature of 64 bytes as the compact encoding. If the signature is DER instead, the batch
// refuses it, and Line judges the line again.
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

// schnorr adds a signature to the batch and returns true, unless the line must be judged at once.
func (d *deferred) schnorr(key, msg, sig []byte) bool {
	if !d.on {
		return false
	}
	d.ofSchnorr.Add(key, msg, sig)
	d.schnorrLine = append(d.schnorrLine, d.line)
	return true
}

// recoverable adds a signature to toRecover and returns true, unless the line must be judged at once.
func (d *deferred) recoverable(key []byte, digest *[32]byte, sig ecdsa.RecoverableSignature) bool {
	if d.on {
		r := &d.toRecover
		r.line, r.sig = append(r.line, d.line), append(r.sig, sig)
		r.key, r.digest = append(r.key, bytes.Clone(key)), append(r.digest, bytes.Clone(digest[:]))
	}
	return d.on
}
