package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"p256k1.mleku.dev/schnorr"
)

// checkEvent judges a Nostr event: whether its id is that of NIP-01, and its
// signature one of the id.
func (c *Checker) checkEvent() Result {
	if reason := c.eventNumbers(); reason != "" {
		return unreadable(Event, reason)
	}
	// What makes the line unreadable is found before what makes it bad.
	var pubkey [32]byte
	malformed := c.hexInto(pubkey[:], fieldPubkey)
	serialized, reason := c.serializeEvent(&pubkey, nip01)
	if reason != "" {
		return unreadable(Event, reason)
	}
	if malformed != "" {
		return judged(Event, malformed)
	}
	return judged(Event, c.verifyEvent(&pubkey, serialized))
}

// eventNumbers returns which number of the event is not as NIP-01 has it.
func (c *Checker) eventNumbers() (reason string) {
	if v := c.fields[fieldCreatedAt]; !isInteger(v, math.MinInt64, math.MaxInt64) {
		return fmt.Sprintf("created_at is %s, want an integer of 64 bits", beginning(v))
	}
	if v := c.fields[fieldKind]; !isInteger(v, 0, math.MaxUint16) {
		return fmt.Sprintf("kind is %s, want an integer from 0 to %d", beginning(v), math.MaxUint16)
	}
	return ""
}

// isInteger reports whether a number of JSON is written as an integer from lo to
// hi. There is one way to write those.
func isInteger(raw []byte, lo, hi int64) bool {
	if string(raw) == "-0" {
		return false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil && lo <= n && n <= hi
}

// verifyEvent returns why the id or the signature of the event is wrong.
func (c *Checker) verifyEvent(pubkey *[32]byte, serialized []byte) (reason string) {
	var id [32]byte
	var sig [schnorr.Size]byte
	if reason := c.hexInto(id[:], fieldID); reason != "" {
		return reason
	}
	if reason := c.hexInto(sig[:], fieldSig); reason != "" {
		return reason
	}
	if sum := sha256.Sum256(serialized); sum != id {
		return c.wrongID(pubkey, &id, &sum)
	}
	return c.verifySchnorr(fieldPubkey, pubkey[:], id[:], sig[:])
}

// wrongID returns the reason for an event whose id should be sum.
func (c *Checker) wrongID(pubkey, id, sum *[32]byte) (reason string) {
	reason = fmt.Sprintf("id is not the SHA-256 of the event, which is %x", *sum)
	if !c.controls {
		return reason
	}
	if other, _ := c.serializeEvent(pubkey, stringify); sha256.Sum256(other) == *id {
		reason += `; it is that with control characters as \u00xx, which NIP-01 wants verbatim`
	}
	return reason
}

// escaping is a way to write strings into the serialized event.
type escaping bool

const (
	nip01     escaping = false // control characters verbatim where NIP-01 names no escape sequence
	stringify escaping = true  // control characters as \u00xx, as JSON.stringify in JavaScript has it
)

// serializeEvent returns what the id of an event is the hash of, which is valid
// until the next call, or why the tags are none.
func (c *Checker) serializeEvent(pubkey *[32]byte, as escaping) (serialized []byte, reason string) {
	c.controls = false
	b := append(c.event[:0], `[0,"`...)
	b = hex.AppendEncode(b, pubkey[:])
	b = append(b, `",`...)
	b = append(b, c.fields[fieldCreatedAt]...)
	b = append(b, ',')
	b = append(b, c.fields[fieldKind]...)
	b = append(b, ',')
	b, reason = c.appendTags(b, as)
	if reason != "" {
		return nil, reason
	}
	b = append(b, ',')
	b = c.appendString(b, c.fields[fieldContent], as)
	b = append(b, ']')
	c.event = b
	return b, ""
}

// appendTags appends the tags, or returns why they are none. The decoder makes no
// errors, because it has read the same before.
func (c *Checker) appendTags(b []byte, as escaping) (tags []byte, reason string) {
	d := c.decode(c.fields[fieldTags])
	_, _ = d.ReadToken()
	b = append(b, '[')
	for comma := false; d.PeekKind() != jsontext.KindEndArray; comma = true {
		if kind := d.PeekKind(); kind != jsontext.KindBeginArray {
			return nil, fmt.Sprintf("tags has %s, want arrays of strings", describe(kind))
		}
		if comma {
			b = append(b, ',')
		}
		_, _ = d.ReadToken()
		b = append(b, '[')
		for comma := false; d.PeekKind() != jsontext.KindEndArray; comma = true {
			v, _ := d.ReadValue()
			if kind := v.Kind(); kind != jsontext.KindString {
				return nil, fmt.Sprintf("a tag has %s, want strings", describe(kind))
			}
			if comma {
				b = append(b, ',')
			}
			b = c.appendString(b, v, as)
		}
		_, _ = d.ReadToken()
		b = append(b, ']')
	}
	return append(b, ']'), ""
}

// appendString appends a string in quotation marks.
func (c *Checker) appendString(b []byte, v jsontext.Value, as escaping) []byte {
	if isVerbatim(v) {
		return append(b, v...)
	}
	b = append(b, '"')
	b = c.appendEscaped(b, c.unquote(v), as)
	return append(b, '"')
}

// appendEscaped appends a text with the escape sequences of NIP-01, "Events and
// signatures".
func (c *Checker) appendEscaped(b, text []byte, as escaping) []byte {
	for _, char := range text {
		switch char {
		case '\n':
			b = append(b, `\n`...)
		case '"':
			b = append(b, `\"`...)
		case '\\':
			b = append(b, `\\`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		default:
			if char < ' ' {
				c.controls = true
				if as == stringify {
					b = fmt.Appendf(b, `\u%04x`, char)
					continue
				}
			}
			b = append(b, char)
		}
	}
	return b
}
