package verify

import (
	"hash/maphash"

	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/opaque"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/tables"
)

// keys holds the different public keys of a batch, in the order in which they were added. Two keys are the same if they
// have the same compressed encoding. A BIP-340 key is the point with even y.
type keys struct {
	all []key

	// slots is a hash table with linear probing. It holds 1 plus the index of each key, in the slot that the hash of
	// the key's encoding selects or in the next free slot. The seed of the hash is random, so that nobody can choose
	// keys with equal hashes. A Go map would sometimes allocate, even if it has held as many keys before.
	slots []int32
	seed  maphash.Seed
}

// key is a public key, with its point if the point is known.
type key struct {
	encoded [33]byte
	state   state
	point   group.Affine // if state is lifted
	table   tables.Table
}

// setX sets x to the x coordinate in the encoding of a point, and reports whether the encoding has the form of a
// compressed point: the first byte is 2 or 3, and x is below p.
func setX(x *field.Element, encoded *[33]byte) bool {
	return encoded[0]&^1 == 2 && x.SetBytes((*[32]byte)(encoded[1:])) != 0
}

// state says what is known about the point of a key.
type state uint8

const (
	encoded state = iota // only the encoding is known
	lifted               // the point is known
	refused              // the encoding encodes no point
)

// numberOf returns i such that all[i] is the key with the encoding b. It adds the key if it is new.
func (s *keys) numberOf(b *[33]byte) int32 {
	if 2*len(s.all) >= len(s.slots) { // at least half of the slots stay free, so that probing ends soon
		s.growSlots()
	}
	slot := s.slotOf(b)
	if *slot == 0 {
		s.all = append(s.all, key{encoded: *b})
		*slot = int32(len(s.all))
	}
	return *slot - 1
}

// numberOfPoint returns i such that all[i] is the key p, or −1 if p is infinity. It adds the key if it is new, and
// stores the point and its table.
func (s *keys) numberOfPoint(p *opaque.Value) int32 {
	var b [33]byte
	var a group.Affine
	if !p.Affine(&a) {
		return -1
	}
	b[0] = 2 | byte(a.Y.IsOdd()&1)
	a.X.FillBytes((*[32]byte)(b[1:]))
	i := s.numberOf(&b)
	k := &s.all[i]
	k.state = lifted
	k.point.Set(&a)
	if p.Known.Table.Multiples != nil {
		k.table = p.Known.Table
	}
	return i
}

// slotOf returns the slot of the key with the encoding b, or the free slot for this key if it is new.
func (s *keys) slotOf(b *[33]byte) *int32 {
	last := len(s.slots) - 1
	slot := int(maphash.Bytes(s.seed, b[:])) & last
	for s.slots[slot] != 0 && s.all[s.slots[slot]-1].encoded != *b {
		slot = (slot + 1) & last
	}
	return &s.slots[slot]
}

// growSlots doubles the number of slots, which is a power of two, and enters all keys again.
func (s *keys) growSlots() {
	n := max(64, 2*len(s.slots))
	if cap(s.slots) < n {
		s.slots = make([]int32, n)
		s.seed = maphash.MakeSeed()
	}
	s.slots = s.slots[:n]
	clear(s.slots)
	for i := range s.all {
		*s.slotOf(&s.all[i].encoded) = int32(i + 1)
	}
}

// reset removes all keys, and keeps the memory.
func (s *keys) reset() {
	clear(s.all) // so that no reference to a table remains
	s.all, s.slots = s.all[:0], s.slots[:0]
}

// lifts is the number of points that are lifted at a time.
const lifts = parts.Lifts

// lifter computes the points of keys, up to lifts keys at a time.
type lifter struct {
	keys  *keys
	index [lifts]int32
	x     [lifts]field.Element
	n     int
}

// addVartime marks key i to be lifted if its state is encoded. The key is lifted as soon as there are enough keys, or
// by flushVartime. Until then, or if the encoding is malformed, its state is refused.
func (l *lifter) addVartime(i int32) {
	k := &l.keys.all[i]
	if k.state != encoded {
		return
	}
	k.state = refused
	if !setX(&l.x[l.n], &k.encoded) {
		return
	}
	l.index[l.n] = i
	if l.n++; l.n == lifts {
		l.flushVartime()
	}
}

// flushVartime lifts the keys that add has marked and that are not lifted yet. If a key has no point, its state becomes
// refused.
func (l *lifter) flushVartime() {
	if l.n == 0 {
		return
	}
	var a [lifts]group.Affine
	var ok [lifts]bool
	batch.LiftXVartime(a[:l.n], ok[:l.n], l.x[:l.n])
	for j, i := range l.index[:l.n] {
		k := &l.keys.all[i]
		if ok[j] {
			k.state = lifted
			a[j].Y.CondNegate(&a[j].Y, oddMask(&k.encoded))
			k.point.Set(&a[j])
		}
	}
	l.n = 0
}
