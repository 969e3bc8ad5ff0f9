package batch

import "hash/maphash"

// Alike tells which of up to Doubles keys are equal. Whoever chooses the keys does not know
// the hashes. The zero value is ready for use.
type Alike struct {
	seed   maphash.Seed
	seeded bool
	slots  [2 * Doubles]uint16 // 1 + the number of a key, in the first slot free from its hash on
	next   [Doubles]uint16     // the number of the next equal key, 0 if there is none
	last   [Doubles]uint16     // of equal keys, by the number of the first
	count  [Doubles]uint16     // how many equal keys there are, by the number of the first; 0 for others
}

// SetVartime tells apart these keys, and returns how many different ones there are.
func (l *Alike) SetVartime(keys [][33]byte) (different int) {
	if !l.seeded {
		l.seed, l.seeded = maphash.MakeSeed(), true
	}
	clear(l.slots[:])
	for i := range keys {
		l.next[i], l.count[i] = 0, 0
		at := maphash.Bytes(l.seed, keys[i][:]) % uint64(len(l.slots))
		for l.slots[at] != 0 && keys[l.slots[at]-1] != keys[i] {
			at = (at + 1) % uint64(len(l.slots))
		}
		first := uint16(i)
		if l.slots[at] == 0 {
			l.slots[at] = first + 1
			different++
		} else {
			first = l.slots[at] - 1
			l.next[l.last[first]] = uint16(i)
		}
		l.last[first] = uint16(i)
		l.count[first]++
	}
	return different
}

// Count returns how many keys are equal to key i, itself included, if that is the first of
// them, and 0 if not.
func (l *Alike) Count(i int) int { return int(l.count[i]) }

// Next returns the number of the next key equal to key i, or 0.
func (l *Alike) Next(i int) int { return int(l.next[i]) }
