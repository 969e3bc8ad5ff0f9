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

// op is v = f(a, b), where v may be a or b, which may be the same. The words are a, b and one more, which extra draws, for f to
// read; f may put out more than the number. want sets z to any integer that is congruent to the result.
func (n *numbers[T]) op(name string, f func(t *trial, v, a, b *T), want func(t *trial, z, a, b *big.Int)) *operation {
	var x, y, z T
	return &operation{
		name: n.name + " " + name, often: quick, exact: limbs, every: 1,
		draw: func(t *trial) {
			a, b := t.pair(n.facts)
			t.takes(a, b, word{t.mask()})
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
			t.gives(word{}) // the number, once there is one
			f(t, v, a, b)
			t.keeps((v == a || n.limbs(a) == t.in[0]) && (v == b || n.limbs(b) == t.in[1]))
			t.out[0] = n.limbs(v)
		},
		check: func(t *trial, b *bigs) verdict {
			want(t, &b.z, integer(&b.x, t.in[0]), integer(&b.y, t.in[1]))
			return verdictOf(b.congruent(t.out[0], &b.z, n.facts))
		},
	}
}

// binary is v = f(a, b), which returns v.
func (n *numbers[T]) binary(name string, f func(v, a, b *T) *T, want func(z, a, b *big.Int)) *operation {
	return n.op(name, func(t *trial, v, a, b *T) { t.returns(f(v, a, b) == v) },
		func(_ *trial, z, a, b *big.Int) { want(z, a, b) })
}

// unary is v = f(a).
func (n *numbers[T]) unary(name string, f func(v, a *T) *T, want func(z, a *big.Int)) *operation {
	return n.binary(name, func(v, a, _ *T) *T { return f(v, a) }, func(z, a, _ *big.Int) { want(z, a) })
}

// masked is v = f(a, b, mask), which is a number known from a and b if the mask is all ones and another if it is zero.
func (n *numbers[T]) masked(name string, f func(v, a, b *T, mask uint64) *T, want func(z, a, b *big.Int, set bool)) *operation {
	return n.op(name, func(t *trial, v, a, b *T) { t.returns(f(v, a, b, t.in[2][0]) == v) },
		func(t *trial, z, a, b *big.Int) { want(z, a, b, t.in[2][0] != 0) })
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

// reads is for what leaves its arguments alone and puts out other things than a number.
func (n *numbers[T]) reads(name string, f func(t *trial, a, b *T), right func(t *trial, a, b *big.Int) bool) *operation {
	op := n.op(name, func(t *trial, v, a, b *T) {
		f(t, a, b)
		*v = *a // for the number that is put out
	}, nil)
	op.check = func(t *trial, b *bigs) verdict {
		x := integer(&b.x, t.in[0])
		copied := b.congruent(t.out[0], b.z.Set(x), n.facts)
		return verdictOf(copied && right(t, x.Mod(x, n.facts.m), b.y.Mod(integer(&b.y, t.in[1]), n.facts.m)))
	}
	return op
}

// predicates puts out what f says of two numbers.
func (n *numbers[T]) predicates(name string, f func(a, b *T) word, want func(a, b *big.Int) [4]bool) *operation {
	return n.reads(name, func(t *trial, a, b *T) { t.gives(f(a, b)) }, func(t *trial, a, b *big.Int) bool {
		var w word
		for i, set := range want(a, b) {
			w[i] = mask(set)
		}
		return w == t.out[1]
	})
}

// setBytes takes any 32 bytes, and puts out a number and a mask.
func (n *numbers[T]) setBytes(f func(v *T, b *[32]byte) uint64) *operation {
	op := n.op("SetBytes", func(t *trial, v, _, _ *T) {
		bytes := oracle.Bytes(oracle.FromLimbs(t.in[2]))
		t.gives(word{f(v, &bytes)})
		t.keeps(bytes == oracle.Bytes(oracle.FromLimbs(t.in[2])))
	}, nil)
	op.draw = func(t *trial) {
		w := t.value()
		if t.bits()&7 == 0 {
			w = t.near(n.facts.modulus)
		}
		t.takes(word{}, word{}, w)
	}
	op.check = func(t *trial, b *bigs) verdict {
		below := mask(less(t.in[2], n.facts.modulus))
		return verdictOf(b.congruent(t.out[0], integer(&b.z, t.in[2]), n.facts) && t.out[1][0] == below)
	}
	return op
}

// fillBytes puts out the encoding as a number.
func (n *numbers[T]) fillBytes(f func(v *T, b *[32]byte)) *operation {
	var bytes [32]byte
	return n.reads("FillBytes", func(t *trial, a, _ *T) {
		f(a, &bytes)
		t.gives(oracle.Limbs(oracle.Int(bytes[:])))
	}, func(t *trial, a, _ *big.Int) bool { return oracle.FromLimbs(t.out[1]).Cmp(a) == 0 })
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
	op := n.op("SquareN", func(t *trial, v, a, _ *field.Element) { t.returns(v.SquareN(a, int(t.in[2][0])) == v) },
		func(t *trial, z, a, _ *big.Int) {
			z.Set(a)
			for range t.in[2][0] {
				z.Mul(z, z).Mod(z, oracle.P)
			}
		})
	op.every = 4
	draw := op.draw
	op.draw = func(t *trial) {
		draw(t)
		t.in[2] = word{uint64(1 + t.below(8))}
		if t.one(64) {
			t.in[2] = word{uint64(1 + t.below(100))}
		}
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
	op := n.op("Sqrt", func(t *trial, v, a, _ *field.Element) { t.gives(word{v.Sqrt(a)}) }, nil)
	op.often = medium
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
	half := func(w, complement word) (*big.Int, bool) {
		z := integer(new(big.Int), word{w[0], w[1]})
		if w[2] == 0 {
			return z, complement == word{w[0], w[1]}
		}
		// Zero is not negative.
		minus := difference(word{}, word{w[0], w[1]})
		minus[3] = 0
		return z.Neg(z), w[2] == 1<<64-1 && z.Sign() != 0 && complement == minus
	}
	return n.reads("Split", func(t *trial, a, _ *scalar.Scalar) {
		k1, k2 := a.Split()
		for _, k := range []scalar.Signed128{k1, k2} {
			l0, l1, l2 := k.Limbs()
			t.gives(word{k.Lo, k.Hi, k.Neg}, word{l0, l1, l2})
		}
	}, func(t *trial, a, _ *big.Int) bool {
		k1, ok1 := half(t.out[1], t.out[2])
		k2, ok2 := half(t.out[3], t.out[4])
		return ok1 && ok2 && oracle.Fn.Reduce(k1.Add(k1, k2.Mul(k2, oracle.Lambda))).Cmp(a) == 0
	})
}
