"""Routines on eight lanes: the meaning of AVX-512 instructions in one lane, and the proof that uses it.

An element has five limbs, in five vectors that are 64 bytes apart in memory. The prover accepts only instructions that
compute each lane of their result from the same lane of their operands. All lanes therefore compute the same function,
and it is enough to prove one lane. In this module a vector is one word.

Only the low 52 bits of limbs 0 to 3 belong to the element, because multiplications read only these. All bits of limb 4
belong to it, and limb 4 must be below 2^49.
"""

from concrete import Case
from elements import Elements
from poly import Poly
from routine import Proof
from specs import Bits, Halves, InWords, OutWords
from symbolic import Polynomials, Ptr, Stuck, Trace, Word
from x86 import CLEARED, ONES, Mem, Unsupported

LIMB = 52
TOP_LIMB = 1 << 49  # bound of limb 4
VECTOR_SIZE = 64


class Bit:
    """The bit of a mask in the lane: a polynomial that is 0 or 1."""

    def __init__(self, poly):
        self.poly = poly


class LaneTrace(Trace):
    """Splits words at several places, with consistent results."""

    def __init__(self):
        super().__init__()
        self.places = {}  # for each polynomial, the places where it was split
        self.factors = []  # the variables that were multiplied

    def _split(self, p, k, lo, hi):
        # The polynomial may be a number of a few bits plus a multiple of a power of two.
        for m in sorted({(c & -c).bit_length() - 1 for c in p.terms.values()}):
            low = Poly({v: c for v, c in p.terms.items() if c % (1 << m)})
            if 0 < m < k:
                a, b = self.interval(low)
                if a >= 0 and b < 1 << m:
                    (rest, c, d), high = self.split(Poly({v: c >> m for v, c in p.terms.items() if c % (1 << m) == 0}), k - m)
                    return (low + rest * (1 << m), a + (c << m), b + (d << m)), high
            if m >= k and low.terms:
                first, (high, c, d) = self.split(low, k)
                high = high + Poly({v: c >> k for v, c in p.terms.items() if c % (1 << m) == 0})
                return first, (high, *self.narrow(high, lo >> k, hi >> k))
        for other in self.places.get(p.key(), ()):
            (low, *_), (high, c, d) = self.memo[p.key(), other]
            if other > k:
                first, (middle, a, b) = self.split(low, k)
                return first, (middle + high * (1 << other - k), a + (c << other - k), b + (d << other - k))
            if self.interval(high)[0] >= 0:
                (middle, a, b), last = self.split(high, k - other)
                return (low + middle * (1 << other), a << other, (b << other) + (1 << other) - 1), last
        parts = super()._split(p, k, lo, hi)
        if parts[1][0].constant() is None:
            self.places.setdefault(p.key(), []).append(k)
        return parts


class LaneElements(Elements):
    """Elements of five limbs, or of four words."""

    bits = LIMB

    def fresh(self, value=None, count=5, below=None):
        """An element of unknown limbs, or of unknown words."""
        if count == 4:
            return super()._register([self.t.fresh(0, ONES) for _ in range(4)], value, below)
        return super()._register([self.t.fresh(0, (1 << LIMB if i < 4 else TOP_LIMB) - 1) for i in range(5)], value, below, LIMB)

    def words(self, e):
        """The limbs of the element, with arbitrary bits above the low 52, or its words."""
        if len(e.words) == 4:
            return super().words(e)
        return [self.dirty(v, self.t.fresh(0, (1 << 64 - LIMB) - 1)) if i < 4 else Word(Poly.var(v), 0, self.t.hi[v])
                for i, v in enumerate(e.words)]

    def dirty(self, v, above):
        """A word whose low bits are the variable v and whose other bits are the variable above."""
        t = self.t
        p = Poly.var(v) + Poly.var(above) * (1 << LIMB)
        t.memo[p.key(), LIMB] = (Poly.var(v), t.lo[v], t.hi[v]), (Poly.var(above), t.lo[above], t.hi[above])
        return Word(p, *t.interval(p))

    def atom(self, w):
        if not isinstance(w, Word):
            return None
        for poly in (w.poly, self.t.split(w.poly, LIMB)[0][0]):
            v = poly.single()
            if v in self.t.atom:
                return self.t.atom[v]
        return None

    def counting(self, words):
        t, self.bits = self.t, LIMB if len(words) == 5 else 64
        parts = [t.split(t.unsigned(w), LIMB)[0] if i < len(words) - 1 == 4 else (t.unsigned(w), *t.uinterval(w)) for i, w in enumerate(words)]
        self.bounds = [hi for _, _, hi in parts]
        if len(words) == 5 and self.bounds[4] >= TOP_LIMB:
            self.reason = "limb 4 may be too large"
            return None
        if len(words) == 5 and self.want_below and any(t.uinterval(w)[1] >> LIMB for w in words):
            self.reason = "a limb may be too large"
            return None
        return [p for p, _, _ in parts]

    def word(self, i, w, v):
        high, a, b = self.t.split(self.t.unsigned(w), LIMB)[1] if self.bits == LIMB and i < 4 else (None, 0, 0)
        return self.dirty(v, self.t.name(high, a, b)) if b else super().word(i, w, v)

    def _register(self, words, value, below, bits=64):
        for v, hi in zip(words, self.bounds):
            self.t.hi[v] = min(self.t.hi[v], hi)
        return super()._register(words, value, below, self.bits)


class Vectors(Polynomials):
    """One lane of the vectors, so that a vector is one value, and the registers."""

    def lanes(self, a, n):
        if n != self.count:
            raise Unsupported("not lane by lane")
        return self.load_vector(a, n) if isinstance(a, Mem) else [self.held(self.vectors.get(a.name), a.name)]

    def vector_at(self, m):
        """The object and the offset of a vector."""
        p = self.regs.get(m.base)
        if not (isinstance(p, Ptr) and isinstance(p.base, tuple)):
            base, off = self.place(m, self.bytes)
            if base == "sp":
                raise Stuck("a vector on the stack that may not be aligned")
            return base, off
        # Rounding the address down moves the vector by multiples of 8 bytes, because words on the stack are aligned.
        size, first = p.base
        at = first + p.off + m.disp
        if at - size + 8 < self.regs["rsp"].off or at + self.bytes > -8:
            raise Stuck("a vector outside of the frame")
        self.touched.append((p.base, p.off + m.disp))
        return p.base, p.off + m.disp

    def broadcast(self, word, n):
        return [word]

    def put_vector(self, a, v, n):
        if len(v) != 1 or n != self.count and v[0].poly.constant() != 0:
            raise Unsupported("not lane by lane")
        if isinstance(a, Mem):
            self.store(self.vector_at(a), v[0])
        else:
            self.vectors[a.name] = v[0]
            self.upper |= a.name in CLEARED

    def store(self, at, v):
        if isinstance(at[0], tuple):
            self.mem[at] = v
            self.wrote.append(at)
        else:
            super().store(at, v)


class LaneState(Vectors):
    """One lane of the vectors and masks, and the registers."""

    count, bytes = 8, VECTOR_SIZE

    def __init__(self, trace, objects, binary=None):
        super().__init__(trace, objects, binary)
        self.chains = {}  # for a word to which a carry was added: the word, the word that left the carry, the word before that, and so on
        self.chained = None  # five words, each with the carry of the previous word added

    def step(self, ins):
        self.chained = None
        super().step(ins)

    # Operands.

    def vector_at(self, m):
        base, off = super().vector_at(m)
        if off % VECTOR_SIZE:
            raise Stuck("a vector that is not aligned in its object")
        return base, off

    def load_vector(self, m, n):
        if m.base is None:
            words = [self.binary.constant(m.disp + 8 * i) if self.binary else None for i in range(1 if m.broadcast else 8)]
            if None in words or len(set(words)) > 1:
                raise Stuck("reads a global that is not constant, or not the same in all lanes")
            return [self.t.constant(words[0])]
        if m.broadcast:
            return [self.load(m)]
        at = self.vector_at(m)
        return [self.held(self.mem.get(at), f"{at[0]}+{at[1]}")]

    def whole(self, a, n=8):
        raise Unsupported("not lane by lane")

    whole_mask = whole

    def put_vector(self, a, v, n):
        if not all(isinstance(w, Word) for w in v):
            raise Stuck("an address in a vector")
        super().put_vector(a, v, n)

    def mask(self, name, bits=8):
        return [super().mask(name).poly]

    def put_mask(self, name, bits):
        self.masks[name] = Bit(*bits)

    def load_mask(self, m):
        """The bit of a mask that is a parameter."""
        v = self.mem.get(self.place(m, 1))
        if not isinstance(v, Bit):
            raise Stuck(f"no mask parameter at {m.base}+{m.disp}")
        return [v.poly]

    # Arithmetic.

    def bit(self, op, x, y):
        both = self.t.mul(x, y)
        return both if op == "and" else x + y - both

    def mul52(self, x, y, high):
        """The high or the low half of the product of the low 52 bits of two words."""
        t, factors = self.t, []
        for w in (x, y):
            p, lo, hi = t.split(t.unsigned(w), LIMB)[0]
            if w.is_unsigned() and w.hi >> LIMB == 0:
                p, lo, hi = w.poly, w.lo, w.hi
            factors.append((p if p.constant() is not None else Poly.var(t.name(p, lo, hi)), lo, hi))
        (p, a, b), (q, c, d) = factors
        t.factors += [f.single() for f in (p, q) if f.constant() is None]
        return Word(*t.split(t.mul(p, q), LIMB, a * c, b * d)[high])

    def plus(self, x, y, c):
        """The sum. If one of the words is another word shifted right by 52, it is a carry, and chains records the addition."""
        v, *flags = super().plus(x, y, c)
        for w in (x, y):
            before = self.chains.get(w.poly.key())
            if before:
                self.chains[id(v)] = (v, *before)
                if len(before) >= 4:
                    self.chained = [*reversed(before[:4]), v]
        return v, *flags

    def shift(self, op, w, k):
        v, carry = super().shift(op, w, k)
        if op == "shr" and k == LIMB:
            self.chains[v.poly.key()] = self.chains.get(id(w), (w,))
        return v, carry

    def bitwise(self, op, x, y):
        t = self.t
        if isinstance(y, Ptr) and y.base == "sp" and op == "and" and self.known(x) == -VECTOR_SIZE % (1 << 64):
            # An address on the stack is rounded down to a multiple of 64, by an unknown distance. So the vector becomes
            # a separate object.
            return Ptr((VECTOR_SIZE, y.off), 0)
        if op == "or" and not isinstance(y, Ptr):
            for x, y in ((x, y), (y, x)):
                # y is below a power of two that divides x.
                k = t.uinterval(y)[1].bit_length()
                p = t.unsigned(x)
                if k < 64 and all(c % (1 << k) == 0 for c in p.terms.values()):
                    q = p + t.unsigned(y)
                    return Word(q, *t.narrow(q, 0, ONES))
        return super().bitwise(op, x, y)


def limbs_of(p):
    """The number of words in one lane of an element that a parameter points to."""
    return 3 if isinstance(p, Halves) else 4 if isinstance(p, (InWords, OutWords)) else 5


class LaneProof(Proof):
    """The proof of a routine on lanes, for one lane."""

    trace_of, state, elements_of, stride = LaneTrace, LaneState, LaneElements, VECTOR_SIZE
    parts, sizes = ("regs", "mem", "vectors", "masks"), (5,)

    limbs = staticmethod(limbs_of)

    def given(self, p, at):
        if isinstance(p, Bits):
            bit = Poly.const(p.value)
            self.start.mem[at] = Bit(bit)
            self.flags.append(bit)

    def unknown(self, v):
        return Bit(Poly.var(self.trace.fresh(0, 1))) if isinstance(v, Bit) else super().unknown(v)

    def stored(self, state, at):
        if not self.spec.below:  # Cutting the words into elements would lose the bounds.
            super().stored(state, at)

    def stepped(self, state):
        if state.chained and not self.spec.below:
            self.elements.cut(state.chained)


class LaneCase(Case):
    """Inputs of a routine in eight lanes, where each lane has the inputs of a separate case."""

    size, wide = 5 * VECTOR_SIZE, True

    def parameter(self, p):
        if isinstance(p, Bits):
            byte = self.rng.choice((0, 0xff, self.rng.getrandbits(8), self.rng.getrandbits(8)))
            self.flags.append((byte, p.value))
            return byte
        return super().parameter(p)

    def input(self, p, at):
        if at not in self.given:
            self.given[at] = [self.words() if limbs_of(p) == 4 else self.limbs() for _ in range(8)]
            self.mem.update((at + 64 * j + 8 * i, w) for i, limbs in enumerate(self.given[at]) for j, w in enumerate(limbs))
        return self.given[at]

    def expect(self):
        self.want = [self.repeated([[self.valued(limbs[i]) for limbs in group] for group in self.inputs], [byte >> i & 1 for byte, _ in self.flags])
                     for i in range(8)]

    def limbs(self):
        """The limbs of an element, which is often an edge case."""
        rng = self.rng
        if rng.getrandbits(1):
            v = self.integer(None)
            return [v >> LIMB * i & (1 << LIMB) - 1 for i in range(5)]
        edges = [0, 1, (1 << LIMB) - 1, 1 << LIMB, ONES, ONES - (1 << LIMB) + 1]
        return [rng.choice((rng.choice(edges), rng.getrandbits(64), ONES)) % (1 << 64 if i < 4 else TOP_LIMB) for i in range(5)]

    def words(self):
        v = self.integer(None)
        return [v >> 64 * i & ONES for i in range(4)]

    def too_large(self, limbs):
        return len(limbs) == 5 and (limbs[4] >= TOP_LIMB or self.spec.below and any(limb >> LIMB for limb in limbs))

    valued = staticmethod(lambda limbs: value(limbs))

    def wrong(self, m):
        at = [(p.name, j, limbs_of(p)) for p in self.spec.outs for j in range(p.count)]
        for k, (name, j, count) in enumerate(at):
            for i in range(8):
                limbs = [m.mem.get(self.address(name, j) + 64 * limb + 8 * i) for limb in range(count)]
                if None in limbs:
                    return f"{name}[{j}] is not set"
                v = self.valued(limbs)
                if self.too_large(limbs):
                    return f"a limb of {name}[{j}] is too large in lane {i}"
                if (v if self.spec.below else v % self.spec.n) != self.want[i][k]:
                    return f"{name}[{j}] is wrong in lane {i}"
        return None

    def environments(self, proof):
        for i in range(8):
            if any(byte >> i & 1 != bit for byte, bit in self.flags):
                continue
            env = {}
            for group, given in zip(proof.inputs, self.inputs):
                for e, limbs in zip(group, given):
                    for v, w in zip(e.words, limbs[i]):
                        env[v] = w if len(limbs[i]) == 4 else w & (1 << LIMB) - 1
            for at, w in proof.start.mem.items():
                if at[0] != "sp" and isinstance(w, Word):  # bits that do not count
                    for v in w.poly.vars() - env.keys():
                        env[v] = self.mem[self.objects[at[0]] + at[1] + 8 * i] >> LIMB
            yield env, i


def value(limbs):
    if len(limbs) == 4:
        return sum(word << 64 * i for i, word in enumerate(limbs))
    return sum(limb % (1 << LIMB) << LIMB * i for i, limb in enumerate(limbs))
