package main

import (
	"math/big"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Numbers is what the elements of the field and the scalars have in common.
type numbers[T any] struct {
	name  string
	facts *facts
	set   func(w word) T
	limbs func(v *T) word
}

func elements(p *pool) *numbers[field.Element] {
	return &numbers[field.Element]{"field", p.field, element, (*field.Element).Limbs}
}

func scalars(p *pool) *numbers[scalar.Scalar] {
	return &numbers[scalar.Scalar]{"scalar", p.scalar, scalarOf, (*scalar.Scalar).Limbs}
}

func element(w word) field.Element  { return field.FromLimbs(w[0], w[1], w[2], w[3]) }
func scalarOf(w word) scalar.Scalar { return scalar.FromLimbs(w[0], w[1], w[2], w[3]) }

// binary is v = f(a, b), where want sets z to any integer that is congruent to the result.
func (n *numbers[T]) binary(name string, f func(v, a, b *T) *T, want func(z, a, b *big.Int)) *operation {
	var x, y, z T
	return &operation{
		name: n.name + " " + name, often: quick, exact: limbs, every: 1,
		draw: func(t *trial) {
			a, b := t.pair(n.facts)
			t.takes(a, b)
		},
		do: func(t *trial) {
			x, y = n.set(t.in[0]), n.set(t.in[1])
			a, b, v := &x, &y, &z
			if t.way&1 != 0 && t.in[0] == t.in[1] {
				b = a
			}
			switch t.way >> 1 & 3 {
			case 1:
				v = a
			case 2:
				v = b
			}
			t.returns(f(v, a, b) == v)
			t.keeps((v == a || n.limbs(a) == t.in[0]) && (v == b || n.limbs(b) == t.in[1]))
			t.gives(n.limbs(v))
		},
		check: func(t *trial, b *bigs) verdict {
			want(&b.z, integer(&b.x, t.in[0]), integer(&b.y, t.in[1]))
			return verdictOf(b.congruent(t.out[0], &b.z, n.facts))
		},
	}
}

// unary is v = f(a).
func (n *numbers[T]) unary(name string, f func(v, a *T) *T, want func(z, a *big.Int)) *operation {
	var x, z T
	return &operation{
		name: n.name + " " + name, often: quick, exact: limbs, every: 1,
		draw: func(t *trial) {
			a, b := t.pair(n.facts)
			if t.bits()&1 == 0 {
				a = b
			}
			t.takes(a)
		},
		do: func(t *trial) {
			x = n.set(t.in[0])
			a, v := &x, &z
			if t.way&1 != 0 {
				v = a
			}
			t.returns(f(v, a) == v)
			t.keeps(v == a || n.limbs(a) == t.in[0])
			t.gives(n.limbs(v))
		},
		check: func(t *trial, b *bigs) verdict {
			want(&b.z, integer(&b.x, t.in[0]))
			return verdictOf(b.congruent(t.out[0], &b.z, n.facts))
		},
	}
}

// masked is v = f(a, b, mask), which is a number known from a and b if the mask is all ones and another if it is zero.
func (n *numbers[T]) masked(name string, f func(v, a, b *T, mask uint64) *T, want func(z, a, b *big.Int, set bool)) *operation {
	var mask uint64
	op := n.binary(name, func(v, a, b *T) *T { return f(v, a, b, mask) }, nil)
	do, draw := op.do, op.draw
	op.draw = func(t *trial) {
		draw(t)
		t.takes(word{t.mask()})
	}
	op.do = func(t *trial) {
		mask = t.in[2][0]
		do(t)
	}
	op.check = func(t *trial, b *bigs) verdict {
		want(&b.z, integer(&b.x, t.in[0]), integer(&b.y, t.in[1]), t.in[2][0] != 0)
		return verdictOf(b.congruent(t.out[0], &b.z, n.facts))
	}
	return op
}

// inverse is v = 1/a: the check is a product, not an inversion.
func (n *numbers[T]) inverse(name string, f func(v, a *T) *T) *operation {
	op := n.unary(name, f, nil)
	op.often = medium
	op.check = func(t *trial, b *bigs) verdict {
		integer(&b.x, t.in[0])
		if b.x.Mod(&b.x, n.facts.m); b.x.Sign() == 0 {
			return verdictOf(t.out[0] == word{})
		}
		b.z.Mul(&b.x, integer(&b.y, t.out[0]))
		return verdictOf(b.congruent(word{1}, &b.z, n.facts) && less(t.out[0], n.facts.modulus))
	}
	return op
}

// predicates puts out what f says of two numbers.
func (n *numbers[T]) predicates(name string, f func(a, b *T) word, want func(a, b *big.Int) [4]bool) *operation {
	op := n.binary(name, nil, nil)
	var x, y T
	op.do = func(t *trial) {
		x, y = n.set(t.in[0]), n.set(t.in[1])
		t.gives(f(&x, &y))
		t.keeps(n.limbs(&x) == t.in[0] && n.limbs(&y) == t.in[1])
	}
	op.check = func(t *trial, b *bigs) verdict {
		integer(&b.x, t.in[0]).Mod(&b.x, n.facts.m)
		integer(&b.y, t.in[1]).Mod(&b.y, n.facts.m)
		var w word
		for i, set := range want(&b.x, &b.y) {
			w[i] = mask(set)
		}
		return verdictOf(w == t.out[0])
	}
	return op
}

// setBytes takes any 32 bytes, and puts out a number and a mask.
func (n *numbers[T]) setBytes(f func(v *T, b *[32]byte) uint64) *operation {
	var v T
	var bytes [32]byte
	op := n.unary("SetBytes", nil, nil)
	op.draw = func(t *trial) {
		w := t.value()
		if t.bits()&7 == 0 {
			w = t.near(n.facts.modulus)
		}
		t.takes(w)
	}
	op.do = func(t *trial) {
		bytes = oracle.Bytes(oracle.FromLimbs(t.in[0]))
		below := f(&v, &bytes)
		t.keeps(bytes == oracle.Bytes(oracle.FromLimbs(t.in[0])))
		t.gives(n.limbs(&v), word{below})
	}
	op.check = func(t *trial, b *bigs) verdict {
		below := mask(less(t.in[0], n.facts.modulus))
		return verdictOf(b.congruent(t.out[0], integer(&b.z, t.in[0]), n.facts) && t.out[1][0] == below)
	}
	return op
}

// fillBytes puts out the encoding as a number.
func (n *numbers[T]) fillBytes(f func(v *T, b *[32]byte)) *operation {
	var v T
	var bytes [32]byte
	op := n.unary("FillBytes", nil, nil)
	op.do = func(t *trial) {
		v = n.set(t.in[0])
		f(&v, &bytes)
		t.keeps(n.limbs(&v) == t.in[0])
		t.gives(oracle.Limbs(oracle.Int(bytes[:])))
	}
	op.check = func(t *trial, b *bigs) verdict {
		integer(&b.z, t.in[0])
		return verdictOf(b.congruent(t.out[0], &b.z, n.facts) && less(t.out[0], n.facts.modulus))
	}
	return op
}

func mask(set bool) uint64 {
	if set {
		return 1<<64 - 1
	}
	return 0
}

func plus(z, a, b *big.Int)  { z.Add(a, b) }
func minus(z, a, b *big.Int) { z.Sub(a, b) }
func times(z, a, b *big.Int) { z.Mul(a, b) }
func squared(z, a *big.Int)  { z.Mul(a, a) }
func negative(z, a *big.Int) { z.Neg(a) }
func same(z, a *big.Int)     { z.Set(a) }

// halved returns a function that sets z to a/2 mod m.
func halved(m *big.Int) func(z, a *big.Int) {
	return func(z, a *big.Int) {
		if z.Set(a); z.Bit(0) == 1 {
			z.Add(z, m)
		}
		z.Rsh(z, 1)
	}
}

// either sets z to a or to b.
func either(z, a, b *big.Int, first bool) {
	if z.Set(b); first {
		z.Set(a)
	}
}

// opposite sets z to −a or to a.
func opposite(z, a, _ *big.Int, negate bool) {
	if z.Set(a); negate {
		z.Neg(z)
	}
}

func fieldOperations(p *pool) []*operation {
	type E = field.Element
	n := elements(p)
	return []*operation{
		n.binary("Add", (*E).Add, plus),
		n.binary("Sub", (*E).Sub, minus),
		n.binary("Mul", (*E).Mul, times),
		n.unary("Square", (*E).Square, squared),
		squareN(n),
		n.unary("Negate", (*E).Negate, negative),
		n.unary("Half", (*E).Half, halved(oracle.P)),
		n.unary("Set", (*E).Set, same),
		normalize(n),
		n.masked("Select", (*E).Select, either),
		n.masked("CondNegate", func(v, a, _ *E, mask uint64) *E { return v.CondNegate(a, mask) }, opposite),
		n.inverse("Invert", (*E).Invert),
		n.inverse("InvertVartime", (*E).InvertVartime),
		sqrt(n),
		n.setBytes((*E).SetBytes),
		n.fillBytes((*E).FillBytes),
		n.predicates("IsZero, IsZeroVartime, IsOdd, Equal", func(a, b *E) word {
			return word{a.IsZero(), mask(a.IsZeroVartime()), a.IsOdd(), a.Equal(b)}
		}, func(a, b *big.Int) [4]bool {
			return [4]bool{a.Sign() == 0, a.Sign() == 0, a.Bit(0) == 1, a.Cmp(b) == 0}
		}),
	}
}

func scalarOperations(p *pool) []*operation {
	type S = scalar.Scalar
	n := scalars(p)
	return []*operation{
		n.binary("Add", (*S).Add, plus),
		n.binary("Sub", (*S).Sub, minus),
		n.binary("Mul", (*S).Mul, times),
		n.unary("Negate", (*S).Negate, negative),
		n.unary("Half", (*S).Half, halved(oracle.N)),
		n.masked("Select", (*S).Select, either),
		n.masked("CondNegate", func(v, a, _ *S, mask uint64) *S { return v.CondNegate(a, mask) }, opposite),
		n.inverse("Invert", (*S).Invert),
		n.inverse("InvertVartime", (*S).InvertVartime),
		split(n),
		n.setBytes((*S).SetBytes),
		n.fillBytes((*S).FillBytes),
		n.predicates("IsZero, IsHigh, Equal", func(a, b *S) word {
			return word{a.IsZero(), a.IsHigh(), a.Equal(b)}
		}, func(a, b *big.Int) [4]bool {
			return [4]bool{a.Sign() == 0, a.Cmp(oracle.HalfN) > 0, a.Cmp(b) == 0}
		}),
	}
}

// squareN squares up to 8 times, and now and then as often as a square root does.
func squareN(n *numbers[field.Element]) *operation {
	count := 0
	op := n.unary("SquareN", func(v, a *field.Element) *field.Element { return v.SquareN(a, count) }, nil)
	op.every = 4
	draw, do := op.draw, op.do
	op.draw = func(t *trial) {
		draw(t)
		count := 1 + t.below(8)
		if t.one(64) {
			count = 1 + t.below(100)
		}
		t.takes(word{uint64(count)})
	}
	op.do = func(t *trial) {
		count = int(t.in[1][0])
		do(t)
	}
	op.check = func(t *trial, b *bigs) verdict {
		integer(&b.z, t.in[0])
		for range t.in[1][0] {
			b.x.Mul(&b.z, &b.z)
			b.quotient.QuoRem(&b.x, oracle.P, &b.z)
		}
		return verdictOf(b.congruent(t.out[0], &b.z, n.facts))
	}
	return op
}

func normalize(n *numbers[field.Element]) *operation {
	op := n.unary("Normalize", (*field.Element).Normalize, same)
	check := op.check
	op.check = func(t *trial, b *bigs) verdict {
		if !less(t.out[0], n.facts.modulus) {
			return wrong
		}
		return check(t, b)
	}
	return op
}

// sqrt puts out the root and whether the number is a square, and if not the root of its negative.
func sqrt(n *numbers[field.Element]) *operation {
	isSquare := uint64(0)
	op := n.unary("Sqrt", func(v, a *field.Element) *field.Element {
		isSquare = v.Sqrt(a)
		return v
	}, nil)
	op.often = medium
	do := op.do
	op.do = func(t *trial) {
		do(t)
		t.gives(word{isSquare})
	}
	op.check = func(t *trial, b *bigs) verdict {
		integer(&b.x, t.in[0])
		// One of a number and its negative is a square, so that the square of the root tells which; 0 is one.
		if square := t.out[1][0]; square == 0 {
			if b.x.Mod(&b.x, oracle.P).Sign() == 0 {
				return wrong
			}
			b.x.Neg(&b.x)
		} else if square != 1<<64-1 {
			return wrong
		}
		integer(&b.y, t.out[0])
		b.z.Mul(&b.y, &b.y).Sub(&b.z, &b.x)
		return verdictOf(b.congruent(word{}, &b.z, n.facts))
	}
	return op
}

// split puts out the halves of a scalar, with their signs and in two's complement.
func split(n *numbers[scalar.Scalar]) *operation {
	var v scalar.Scalar
	op := n.unary("Split", nil, nil)
	op.do = func(t *trial) {
		v = scalarOf(t.in[0])
		k1, k2 := v.Split()
		t.keeps(v.Limbs() == t.in[0])
		for _, k := range []scalar.Signed128{k1, k2} {
			l0, l1, l2 := k.Limbs()
			t.gives(word{k.Lo, k.Hi, k.Neg}, word{l0, l1, l2})
		}
	}
	op.check = func(t *trial, b *bigs) verdict {
		half := func(z *big.Int, w, complement word) bool {
			if integer(z, word{w[0], w[1]}); w[2] == 0 {
				return complement == word{w[0], w[1]}
			}
			// Zero is not negative.
			minus := difference(word{}, word{w[0], w[1]})
			minus[3] = 0
			return w[2] == 1<<64-1 && z.Sign() != 0 && complement == minus && z.Neg(z) != nil
		}
		if !half(&b.x, t.out[0], t.out[1]) || !half(&b.y, t.out[2], t.out[3]) {
			return wrong
		}
		b.z.Mul(&b.y, oracle.Lambda).Add(&b.z, &b.x)
		return verdictOf(b.congruent(t.in[0], &b.z, n.facts))
	}
	return op
}
