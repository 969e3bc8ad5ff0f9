package libtest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
)

// pieces lists the texts that MutateJSON inserts: tokens of JSON, characters that can be escaped in several ways,
// characters that JSON forbids in strings, and parts of Nostr events.
var pieces = []string{
	`"`, `\`, `\"`, `\\`, `\n`, `\u0041`, `\/`, `{`, `}`, `[`, `]`, `[]`, `[[]]`, `,`, `:`, ` `, "\n", "\x00", "\x1f", "\x7f", "\x80", "\xff",
	"ü", "\u2028", "\xed\xa0\x80", "\xc3", "😀", `-`, `0`, `1e0`, `.5`, `null`, `true`, `"id":`, `"kind":1`, `,"kind":1`, `"tags":[]`, `"content":""`, `a`, `0x`, `A`,
}

// MutateJSON returns a copy of a line of JSON with at most three changes. The result need not be valid JSON.
func MutateJSON(rng *rand.Rand, line []byte) []byte {
	line = bytes.Clone(line)
	for range 1 + rng.IntN(3) {
		place := rng.IntN(len(line) + 1)
		end := min(place+rng.IntN(3)*rng.IntN(8), len(line))
		switch piece := pieces[rng.IntN(len(pieces))]; rng.IntN(5) {
		case 0: // flip a bit
			if place < len(line) {
				line[place] ^= 1 << rng.IntN(8)
			}
		case 1:
			line = slices.Delete(line, place, end)
		case 2:
			line = slices.Replace(line, place, end, []byte(piece)...)
		case 3: // repeat a part
			from := rng.IntN(len(line) + 1)
			line = slices.Insert(line, place, bytes.Clone(line[from:min(from+rng.IntN(40), len(line))])...)
		case 4: // escape a character of a string in another way
			if slash := bytes.IndexByte(line[place:], '/'); slash >= 0 && rng.IntN(2) == 0 {
				line = slices.Insert(line, place+slash, '\\')
			} else if place < len(line) && ' ' <= line[place] && line[place] < 0x7f {
				line = slices.Replace(line, place, place+1, fmt.Appendf(nil, `\u%04x`, line[place])...)
			}
		}
	}
	return line
}
