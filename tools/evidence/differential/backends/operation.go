package main

import (
	"math/big"
	"slices"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// An operation is one primitive.
type operation struct {
	name  string
	often int                 // how many times as many cases as of the slowest operations
	exact precision           // what all backends must agree on
	every int                 // one case of so many is also computed with math/big; if 0, as its speed allows
	easy  func(t *trial) bool // and so are these, if not nil

	draw  func(t *trial)
	do    func(t *trial)
	check func(t *trial, b *bigs) verdict
}

// due reports whether case i is to be computed with math/big.
func (op *operation) due(i int, t *trial) bool {
	return i%op.every == 0 || op.easy != nil && op.easy(t)
}

// A precision is what an operation puts out.
type precision string

const (
	limbs    precision = "limbs"    // the result as it is
	residues precision = "residues" // its coordinates reduced, since formulas are evaluated in different orders
	points   precision = "points"   // what it stands for, since coordinates differ by a denominator
)

// How often there are cases, by the time that they take with their inputs, or with the comparison of their results.
const (
	slow   = 1
	medium = 4  // a microsecond or two
	quick  = 16 // less
)

// A verdict is what math/big says.
type verdict int

const (
	right verdict = iota
	wrong
	outside // the arguments are not those of the contract: the result is compared between backends only
)

func (v verdict) String() string {
	return [...]string{"right, says math/big", "WRONG, says math/big", "outside of the contract"}[v]
}

func verdictOf(ok bool) verdict {
	if ok {
		return right
	}
	return wrong
}

// A trial is one case of an operation. Receivers hold what the case before has left in them.
type trial struct {
	*draw
	in, out []word
	way     uint64 // its bits choose which arguments are the same variable
	spoiled string // what an operation did that none may do
}

// next draws the next case and runs it.
func (t *trial) next(op *operation) {
	t.in, t.out, t.spoiled = t.in[:0], t.out[:0], ""
	t.way = t.bits()
	op.draw(t)
	op.do(t)
}

func (t *trial) takes(w ...word) { t.in = append(t.in, w...) }
func (t *trial) gives(w ...word) { t.out = append(t.out, w...) }

// keeps makes sure that an argument has not changed.
func (t *trial) keeps(same bool) {
	if !same {
		t.spoiled = "an argument has changed"
	}
}

// returns makes sure that a method returns its receiver.
func (t *trial) returns(receiver bool) {
	if !receiver {
		t.spoiled = "the result is not the receiver"
	}
}

// A digest is 64 bits of inputs and outputs.
type digest uint64

func (h *digest) add(words []word) {
	x := uint64(*h)
	for i := range words {
		for _, limb := range words[i] {
			x = (x ^ limb) * 0x9e3779b97f4a7c15
			x ^= x >> 29
		}
	}
	*h = digest(x)
}

// bigs has room for integers.
type bigs struct{ x, y, z, quotient, rest, q big.Int }

// congruent reports whether z ≡ w mod m. If w has to be reduced, it must be.
func (b *bigs) congruent(w word, z *big.Int, f *facts) bool {
	if f.scalars && !less(w, f.modulus) {
		return false
	}
	z.Sub(z, integer(&b.q, w))
	b.quotient.QuoRem(z, f.m, &b.rest)
	return b.rest.Sign() == 0
}

// point returns (x, y) as the oracle has it.
func point(x, y word) oracle.Point {
	return oracle.Point{X: oracle.Fp.Reduce(oracle.FromLimbs(x)), Y: oracle.Fp.Reduce(oracle.FromLimbs(y))}
}

// jacobianPoint returns (x/z², y/z³), or infinity.
func jacobianPoint(w []word) oracle.Point {
	z := oracle.Fp.Inv(oracle.FromLimbs(w[2]))
	if z.Sign() == 0 {
		return oracle.Point{}
	}
	zz := oracle.Fp.Mul(z, z)
	return oracle.Point{X: oracle.Fp.Mul(oracle.FromLimbs(w[0]), zz), Y: oracle.Fp.Mul(oracle.FromLimbs(w[1]), oracle.Fp.Mul(zz, z))}
}

// isPoint reports whether (w₀/w₂², w₁/w₂³) is p.
func isPoint(w []word, p oracle.Point) bool {
	z := oracle.Fp.Reduce(oracle.FromLimbs(w[2]))
	if p.IsInfinity() || z.Sign() == 0 {
		return p.IsInfinity() && z.Sign() == 0
	}
	zz := oracle.Fp.Mul(z, z)
	return oracle.Fp.Mul(p.X, zz).Cmp(oracle.Fp.Reduce(oracle.FromLimbs(w[0]))) == 0 &&
		oracle.Fp.Mul(p.Y, oracle.Fp.Mul(zz, z)).Cmp(oracle.Fp.Reduce(oracle.FromLimbs(w[1]))) == 0
}

// isAffine reports whether (w₀, w₁) is p, and (0, 0) if that is infinity.
func isAffine(w []word, p oracle.Point) bool {
	if p.IsInfinity() {
		p = oracle.Point{X: new(big.Int), Y: new(big.Int)}
	}
	q := point(w[0], w[1])
	return q.X.Cmp(p.X) == 0 && q.Y.Cmp(p.Y) == 0
}

// operations returns all operations. They share nothing, so that each process, or test, has its own.
func operations(p *pool) []*operation {
	all := slices.Concat(fieldOperations(p), scalarOperations(p), inversions(), groupOperations(), multiplications())
	for _, op := range all {
		if op.every == 0 {
			op.every = 16
			if op.often == quick {
				op.every = 32
			}
		}
	}
	return all
}
