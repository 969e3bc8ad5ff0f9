package verify

import (
	"hash/maphash"

	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/opaque"
)

// keys are the different public keys of a batch, in the order in which they came. A key is told by
// its compressed encoding. Keys by BIP-340 have even y.
type keys struct {
	all []key

	// Hashed with the seed, keys have their numbers plus 1 in slots, each in the first that was
	// free. Whoever chooses the keys does not know the hashes. A map would allocate now and
	// then, even if it had as many keys before.
	slots []int32
	seed  maphash.Seed
}

// key is a public key.
type key struct {
	encoded [33]byte
	state   state
	point   group.Affine
	table   batch.Table
}

// setX sets x to the coordinate in the encoding, and reports whether that is one of a point's form.
func (k *key) setX(x *field.Element) bool {
	return k.encoded[0]&^1 == 2 && x.SetBytes((*[32]byte)(k.encoded[1:])) != 0
}

// state says what is known of a key's point.
type state uint8

const (
	encoded state = iota // nothing
	lifted               // the point
	refused              // that there is none
)

// numberOf returns the number of the key with that encoding.
func (s *keys) numberOf(b *[33]byte) int32 {
	if 2*len(s.all) >= len(s.slots) {
		s.growSlots()
	}
	slot := s.slotOf(b)
	if *slot == 0 {
		s.all = append(s.all, key{encoded: *b})
		*slot = int32(len(s.all))
	}
	return *slot - 1
}

// numberOfPoint returns the number of the key that is the point p, which it notes, or −1 if p is
// infinity.
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

// slotOf returns where the number of the key with that encoding is, or belongs.
func (s *keys) slotOf(b *[33]byte) *int32 {
	last := len(s.slots) - 1
	at := int(maphash.Bytes(s.seed, b[:])) & last
	for s.slots[at] != 0 && s.all[s.slots[at]-1].encoded != *b {
		at = (at + 1) & last
	}
	return &s.slots[at]
}

// growSlots makes twice as many slots, a power of two.
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
	clear(s.all) // which may have tables
	s.all, s.slots = s.all[:0], s.slots[:0]
}

// lifts is how many points are lifted at a time. Where there are lanes, 24 take turns.
const lifts = 48

// lifter finds the points of keys, some at a time.
type lifter struct {
	keys *keys
	of   [lifts]int32
	x    [lifts]field.Element
	n    int
}

// add lifts key i, now or with those that follow, unless what it is is known.
func (l *lifter) add(i int32) {
	k := &l.keys.all[i]
	if k.state != encoded {
		return
	}
	if !k.setX(&l.x[l.n]) {
		k.state = refused
		return
	}
	l.of[l.n] = i
	if l.n++; l.n == lifts {
		l.flush()
	}
}

// flush lifts the keys that were added and are not lifted yet.
func (l *lifter) flush() {
	if l.n == 0 {
		return
	}
	var a [lifts]group.Affine
	var ok [lifts]bool
	batch.LiftX(a[:l.n], ok[:l.n], l.x[:l.n])
	for j, i := range l.of[:l.n] {
		k := &l.keys.all[i]
		if k.state = refused; ok[j] {
			k.state = lifted
			a[j].Y.CondNegate(&a[j].Y, oddMask(&k.encoded))
			k.point.Set(&a[j])
		}
	}
	l.n = 0
}
