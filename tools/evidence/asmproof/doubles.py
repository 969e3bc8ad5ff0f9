"""Routines on lanes of doubles: exact values and rounding, in one lane, and the proof that uses them.

A double is a polynomial times a power of two. It is a multiple of its grid, another power of two, and within bounds. A
result is exact if its bound is at most 2^53 times its grid. Any other result is the exact one minus an error, which is
a new variable: a multiple of the grid, and at most half of the largest ulp within the bounds. Whatever the code
computes from an error and the rounded result is a polynomial again, in which the errors cancel:

    h = x·y + g - e,  so  x·y + (g - h) = e
    q = s - f, rounded to a multiple of 2^k by adding 1.5·2^(52+k) and subtracting it again,  so  s - q = f

An element has five limbs, at the places of PLACES. A limb is two vectors, the halves, of four lanes each. All lanes of a
vector compute the same, so one lane of each half is proved.
"""

import functools
import operator
from dataclasses import dataclass

import lanes
from elements import Elements
from emulator import Trap, decoded, encoded, nearest
from lanes import LaneCase, LaneTrace, Vectors, limbs_of
from poly import Poly
from routine import Proof
from specs import AllLanes, Bits, Offsets, Pointers, Table, Words
from symbolic import Definition, Ptr, Stuck, Word
from x86 import CONTROL, ONES, SIGN, USUAL_CONTROL, Mem, Reg, Unsupported

BIASED = 0x433 << 52  # the bits of the double 2^52
VECTOR = 32  # bytes


class Places(tuple):
    """The places of limbs: n times these places is the place of limb n, as for limbs of the same size."""

    def __mul__(self, i):
        return self[i]


PLACES = Places((0, 52, 103, 154, 205))
LARGEST = (2**51 + 2**36, *[2**50 + 16] * 4)  # bounds of the absolute values of limbs
NOT_ZERO = object()  # a difference
GLOBALS = "globals"  # the base of addresses of globals


@dataclass(slots=True, eq=False)
class Double:
    """The number units·2^exp, a multiple of 2^grid, where units is a polynomial from lo to hi."""

    units: Poly
    exp: int
    grid: int
    lo: int
    hi: int

    def __neg__(self):
        return Double(-self.units, self.exp, self.grid, -self.hi, -self.lo)

    def within(self, lo, hi):
        """Whether this is an integer in the range."""
        return self.grid >= 0 and lo <= shifted(self.lo, self.exp) and -shifted(-self.hi, self.exp) <= hi


# Other values of registers and vectors. Two of them are equal only if they are the same object.


@dataclass(eq=False)
class Caller:
    """The caller's MXCSR, of which only this is known: whether the control bits are the default, and whether the other
    bits have been cleared."""

    usual: bool
    masked: bool = False


@dataclass(eq=False)
class LaneMask:
    """A byte with a bit for each lane, shifted right. values has the bit of the lane in each half, and all_lanes tells
    whether all bits are set."""

    values: tuple
    shift: int = 0
    all_lanes: bool = False


@dataclass(eq=False)
class LaneBit:
    """The words 1, 2, 4 and 8 in four lanes, or zero in the lane if bit is 0."""

    bit: int = 1


@dataclass(eq=False)
class Moved:
    """A vector of words, each of which belongs to one lane. They are words of inputs, or a word in the lowest lane."""

    words: tuple


class DoubleTrace(LaneTrace):
    """The variables, among them errors of rounding."""

    def fused(self, x, y, z):
        """x·y + z, rounded."""
        exp = min(x.exp + y.exp, z.exp)
        k, n = 1 << x.exp + y.exp - exp, 1 << z.exp - exp
        p = x.units * y.units * k + z.units * n
        ends = [a * b * k for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
        lo, hi = self.narrow(p, min(ends) + z.lo * n, max(ends) + z.hi * n)
        most, factors = max(-lo, hi), functools.reduce(operator.or_, p.terms.values(), 0)
        if not most:
            return zero()
        grid = max(min(x.grid + y.grid, z.grid), exp + lowest_bit(factors))
        if most.bit_length() + exp > 1000 or grid < -1000:
            raise Stuck("may overflow or underflow")
        return Double(p, exp, grid, lo, hi) if most <= 1 << grid + 53 - exp else self.rounded(p, exp, grid, lo, hi)

    def rounded(self, p, exp, grid, lo, hi):
        key = p.key(), exp, "rounded"
        if key not in self.memo:
            k, half = grid - exp, (max(-lo, hi) - 1).bit_length() - 54  # half of the largest ulp below the bound
            bound = 1 << half - k
            e = self.fresh(-bound, bound)
            self.define(Definition(None, (e,), lambda env: ((x := p.value(env)) - nearest(x) >> k,)))
            self.memo[key] = Poly({(e,): 1 << k})
        v = p - self.memo[key]
        lo, hi = self.narrow(v, nearest(lo), nearest(hi))
        if lo > 0 or hi < 0:
            grid = max(grid, min(abs(lo), abs(hi)).bit_length() - 53 + exp)
        return Double(v, exp, grid, lo, hi)

    def named(self, w, avoid=()):
        """Makes a number, which is an integer, a variable of its own, and returns the variable."""
        v = w.units.single()
        if v is None or w.exp or v in avoid:
            p, exp = w.units, w.exp
            v = self.fresh(shifted(w.lo, exp), -shifted(-w.hi, exp))
            equation = p * (1 << max(exp, 0)) - Poly.var(v) * (1 << max(-exp, 0))
            self.define(Definition(equation, (v,), lambda env: (shifted(p.value(env), exp),), v, p, -exp))
            w.units, w.exp, w.lo, w.hi = Poly.var(v), 0, self.lo[v], self.hi[v]
        return v


def shifted(x, k):
    """x·2^k, rounded down."""
    return x << k if k >= 0 else x >> -k


def lowest_bit(n):
    return (n & -n).bit_length() - 1


def zero():
    return Double(Poly(), 0, 1 << 20, 0, 0)


def constant(word):
    """The double with these bits, as a number."""
    try:
        m, exp = decoded(word)
    except Trap as e:
        raise Stuck(str(e)) from None
    k = lowest_bit(m)
    return Double(Poly.const(m >> k), exp + k, exp + k, m >> k, m >> k) if m else zero()


class DoubleElements(Elements):
    """Elements of five limbs, which are numbers."""

    bits = PLACES

    def fresh(self, value=None, count=5, below=None):
        self.bits = PLACES if count == 5 else 64
        ranges = [(-most, most) for most in LARGEST] if count == 5 else [(0, ONES)] * 4
        return self._register([self.t.fresh(*r) for r in ranges], value, below)

    def _register(self, words, value, below, bits=64):
        return super()._register(words, value, below, self.bits)

    def words(self, e):
        return [Double(Poly.var(v), 0, 0, self.t.lo[v], self.t.hi[v]) for v in e.words] if len(e.words) == 5 else super().words(e)

    def atom(self, w):
        return super().atom(w) if not isinstance(w, Double) else None if w.exp else self.t.atom.get(w.units.single())

    def cut(self, words):
        """As for other elements. An element may also be four words."""
        self.bits = PLACES if len(words) == 5 else 64
        if len(words) == 4:
            return super().cut(words)
        if not all(isinstance(w, Double) and w.within(-most, most) for w, most in zip(words, LARGEST)):
            self.reason = "a limb may be too large, or no integer"
            return None
        found = self.of(words)
        if not found:
            names = []
            for w in words:
                names.append(self.t.named(w, {*names, *self.t.atom}))
            found = self._derive([Poly.var(v) for v in names])
        if isinstance(found, str):
            self.reason, found = found, None
        return found


class DoubleState(Vectors):
    """One lane of vectors, each of which is a number or a word, and the registers."""

    count, bytes = 4, VECTOR

    def __init__(self, trace, objects, binary=None):
        super().__init__(trace, objects, binary)
        self.area = None  # the alignment and the beginning of the vectors on the stack
        self.wide = set()  # where vectors begin in memory
        self.slots = set()  # where words on the stack are
        self.words = set()  # the objects that hold words of inputs
        self.known_words = {}  # the words of the lane, by the words of four lanes

    # Operands.

    def load_vector(self, m, n):
        p, offset = self.regs.get(m.base), self.regs.get(m.index)
        if m.base is None or isinstance(p, Ptr) and p.base == GLOBALS:
            at = m.disp + (p.off if m.base else 0)
            words = [self.binary.constant(at + 8 * i) if self.binary else None for i in range(n)]
            if None not in words and len(set(words)) == 1:
                return [self.constant(words[0])]
            if words == [1, 2, 4, 8]:
                return [LaneBit()]
            raise Stuck("reads a global that is not constant, or not the same in all lanes")
        if isinstance(p, Ptr) and isinstance(offset, tuple):
            index, most = offset
            if m.scale != 1 or p.base not in self.words or not 0 <= p.off + m.disp <= self.objects[p.base][0] - most - VECTOR:
                raise Stuck(f"access outside of {p.base}")
            return [self.gathered((p.base, index, p.off + m.disp + 8 * i) for i in range(n))]
        at = self.vector_at(m)
        if at[0] in self.words:
            return [self.gathered((at[0], at[1] + 8 * i) for i in range(n))]
        if at not in self.wide:
            raise Stuck(f"no vector at {at}")
        return [self.mem[at]]

    def vector_at(self, m):
        base, off = super().vector_at(m)
        if isinstance(base, tuple):
            at = base[1] + off
            if any(at - base[0] < slot < at + VECTOR for slot in self.slots):
                raise Stuck("a vector that may share memory with a word on the stack")
            if m.disp % 8:
                raise Stuck("access that is not aligned")
        return base, off

    def address(self, a):
        return super().address(a) if a.parts else Ptr(GLOBALS, a.disp)

    def gathered(self, words):
        """A vector of words of inputs. If they are the same word of the integers in four lanes, the vector holds the word of the lane."""
        words = tuple(words)
        return self.known_words.get(words) or Moved(words)

    def whole(self, a, n):
        v = self.vectors.get(a.name)
        if not isinstance(v, Moved) or len(v.words) < n:
            raise Unsupported("not lane by lane")
        return v.words

    def put_vector(self, a, v, n):
        if n == 2 and len(v) == 2:
            v, n = [Moved(v)], 4
        elif len(v) == n == 4 and all(isinstance(w, tuple) for w in v):
            v = [self.gathered(v)]
        super().put_vector(a, v, n)
        if isinstance(a, Mem):
            at = self.vector_at(a)
            for k in range(8, VECTOR, 8):
                self.forget((at[0], at[1] + k))
            self.wide.add(at)
            self.cut(self, at)

    def load(self, m):
        if m.base is not None and self.place(m) in self.wide:
            raise Stuck("a word of a vector")
        return super().load(m)

    def store(self, at, v):
        if at[0] == "sp":
            self.slots.add(at[1])
            if any(isinstance(base, tuple) and base[1] + off - base[0] < at[1] < base[1] + off + VECTOR for base, off in self.wide):
                raise Stuck("a word on the stack that may share memory with a vector")
        for k in range(0, VECTOR, 8):
            if (before := (at[0], at[1] - k)) in self.wide:
                self.forget(before)
        super().store(at, v)

    def forget(self, at):
        self.mem.pop(at, None)
        self.wide.discard(at)
        self.pending.discard(at)

    def load_byte(self, m):
        v = self.mem.get(self.place(m, 1))
        if not isinstance(v, LaneMask):
            raise Stuck("a byte that is no mask")
        return v

    def load_half(self, m):
        v = self.load(m)
        return v if isinstance(v, Caller) else self.bitwise("and", v, self.constant(0xffffffff))

    def store_half(self, m, v):
        self.store(self.place(m), v)

    def set_control(self, v):
        if self.callers.usual:
            raise Stuck("sets MXCSR without need")
        self.regs["mxcsr"] = v

    def result(self, v, width=64):
        super().result(v, width)
        if v is NOT_ZERO:
            self.flags["zf"] = self.OFF

    # Operations.

    def fused(self, x, y, z):
        control = self.regs["mxcsr"]
        if not (control.usual if isinstance(control, Caller) else self.known(control) & CONTROL == USUAL_CONTROL):
            raise Stuck("computes with doubles while MXCSR may not be the default")
        return self.t.fused(*map(self.number, (x, y, z)))

    def number(self, w):
        if isinstance(w, Double):
            return w
        if not isinstance(w, Word):
            raise Stuck("computes with an address")
        if w.poly.constant() is not None:
            return constant(w.poly.constant() % (1 << 64))
        p, (lo, hi) = self.t.unsigned(w), self.t.uinterval(w)
        if lo < BIASED or hi >= BIASED + (1 << 52):
            raise Stuck("a word that may be no double")
        k = BIASED - (1 << 52)
        return Double(p - k, 0, 0, lo - k, hi - k)

    def integer(self, w):
        """The bits of a number from 2^52 to 2^53, or any other operand unchanged."""
        if not isinstance(w, Double) or not w.within(1 << 52, 1 << 53):
            return w
        k = BIASED - (1 << 52)
        return Word(Poly.var(self.t.named(w)) + k, w.lo + k, w.hi + k)

    def negative(self, w):
        return -self.number(w)

    def bitwise(self, op, x, y):
        for x, y in ((x, y), (y, x)):
            if isinstance(x, Ptr) and x.base == "sp" and op == "and" and (size := -self.known(y) % (1 << 64)) in (32, 64):
                # An address on the stack is rounded down, by an unknown distance. So the vectors become a separate object.
                self.area = self.area or (size, x.off)
                if self.area != (size, x.off):
                    raise Stuck("vectors in two areas of the stack")
                return Ptr(self.area, 0)
            if isinstance(y, LaneBit) and op == "and" and y.bit:
                if isinstance(x, LaneMask) and x.shift in (0, 4):
                    return LaneBit(x.values[x.shift // 4])
                if isinstance(x, Word) and self.known(x) & 15 in (0, 15):
                    return LaneBit(self.known(x) & 1)
                raise Stuck("a bit of another lane")
            if isinstance(x, Double) and isinstance(y, Word) and (c := y.poly.constant()) is not None:
                c %= 1 << 64
                if c == (ONES if op == "and" else 0):
                    return x
                if op == "and" and c == 0:
                    return self.constant(0)
                if op == "xor" and c == SIGN:
                    return -x
            if isinstance(x, Caller) and isinstance(y, Word) and op == "and" and self.known(y) in (CONTROL, (1 << 32) - 1):
                return x if self.known(y) != CONTROL else self.constant(USUAL_CONTROL) if x.usual else Caller(False, True)
        return super().bitwise(op, self.integer(x), self.integer(y))

    def sub(self, x, y, c):
        if isinstance(x, Caller) and x.masked and self.known(y) == USUAL_CONTROL:
            return NOT_ZERO, None, None
        if isinstance(x, LaneMask) and not x.shift and self.known(y) == 0xff:
            return self.constant(0) if x.all_lanes else NOT_ZERO, None, None
        return super().sub(self.integer(x), self.integer(y), c)

    def add(self, x, y, c):
        return super().add(self.integer(x), self.integer(y), c)

    def equal(self, x, y):
        if isinstance(x, LaneBit) and isinstance(y, LaneBit):
            return Poly.const(int(x.bit == y.bit))
        return super().equal(x, y)

    def shift(self, op, w, k):
        if isinstance(w, LaneMask) and op == "shr":
            return LaneMask(w.values, w.shift + k), None
        return super().shift(op, self.integer(w), k)

    def ended(self, prefetches):
        super().ended(prefetches)
        if self.regs["mxcsr"] is not self.callers:
            raise Stuck("MXCSR at RET")


class DoublesProof(Proof):
    """The proof for one lane of each vector."""

    trace_of, state, elements_of, stride = DoubleTrace, DoubleState, DoubleElements, 64
    parts, sizes, number = ("regs", "mem", "vectors"), (5,), Double

    @staticmethod
    def shape(prog):
        """Jumps in any direction are followed if they are known."""

    limbs = staticmethod(limbs_of)

    def given(self, p, at):
        if isinstance(p, Bits):
            self.flags.append(p.value)
            self.start.mem[at] = LaneMask(p.value, all_lanes=isinstance(p, AllLanes))

    def input(self, given, p, k):
        """The elements of the lane in each vector."""
        base, off = self.places[p.name]
        at = base, off + self.size(p) * k
        if at not in given:
            given[at] = [self.elements.fresh() for _ in range(2)]
            for h, e in enumerate(given[at]):
                for i, w in enumerate(self.elements.words(e)):
                    place = base, at[1] + self.stride * i + VECTOR * h
                    self.start.mem[place] = w
                    self.start.wide.add(place)
        return given[at]

    def reached(self, state, i):
        if i in self.targets:
            self.heads.setdefault(i, state.clone())

    def repeats(self, state, ins):
        """Whether it depends on the count that the jump is taken. Other jumps are followed."""
        unknown = state.condition(ins.cond).constant() is None
        if unknown:
            self.at_head = self.heads.get(ins.target)
        return unknown

    def counts(self, kind, place, v):
        return isinstance(v, Word) and super().counts(kind, place, v)

    def begin(self):
        self.heads, self.targets = {}, {ins.target for ins in self.prog if ins and ins.op == "j"}
        self.inputs = [[e[h] for h in range(2) for e in group] for group in self.inputs]
        self.start.regs["mxcsr"] = self.start.callers = Caller(self.spec.usual)
        self.start.cut = super().stored  # also where steps are compared with the emulator, so that polynomials stay small

    def stored(self, state, at):
        """The state itself makes elements of the limbs that it stores."""

    def expect(self, inputs):
        r = []
        for h in range(2):
            groups = [group[len(group) // 2 * h:][:len(group) // 2] for group in inputs]
            r += [self.trace.tidy(Poly.of(v)).mod(self.spec.n) for v in self.spec.formula(*groups, *(flag[h] for flag in self.flags))]
        return r

    def results(self):
        for h in range(2):
            for name, (base, off), limbs in super().results():
                yield name, (base, off + VECTOR * h), limbs


class LoadsProof(DoublesProof):
    """The proof of a routine that loads integers."""

    def size(self, p):
        return 8 if isinstance(p, (Words, Table, Pointers)) else super().size(p)

    def group(self, given, p):
        start = self.start
        if isinstance(p, Offsets):  # the index of a word, and the greatest offset that it may be
            start.mem.update(((p.name, 8 * k), (k, p.values(k)[-1])) for k in range(p.count) if p.values(k))
        elif isinstance(p, Pointers):
            for k in range(p.count):
                start.mem[p.name, 8 * k] = Ptr(f"{p.name}{k}", 0)
                start.objects[f"{p.name}{k}"] = 8 * p.words, False
                start.words.add(f"{p.name}{k}")
        elif isinstance(p, (Words, Table)):
            start.words.add(p.name)
        else:
            return super().group(given, p)

    def begin(self):
        spec, known = self.spec, {}
        for at, value in spec.masks.items():
            self.given(Bits(None, value), at)

        def integer(c, h):
            places = tuple(tuple(spec.words(4 * h + i)[c][k] for i in range(4)) for k in range(4))
            if places not in known:
                known[places] = self.elements.fresh(count=4)
                self.start.known_words.update(zip(places, self.elements.words(known[places])))
            return known[places]

        self.inputs = [[[integer(c, h) for h in range(2)]] for c in range(len(spec.words(0)))] + [group for group in self.inputs if group]
        super().begin()


class DoublesCase(LaneCase):
    """Inputs of a routine in all lanes."""

    def begin(self):
        super().begin()
        rng = self.rng
        self.regs["mxcsr"] = rng.getrandbits(6) | (USUAL_CONTROL if self.spec.usual else rng.choice((0x9fc0, 0x7f80, 0x1f00, 0x1fc0, 0x3f80)))

    def parameter(self, p):
        if isinstance(p, Bits):
            self.flags.append((0xff if isinstance(p, AllLanes) else self.byte(p.value), p.value))
            return self.flags[-1][0]
        return super().parameter(p)

    def byte(self, pair):
        """A byte with other bits than all, which has the bits of the pair in a lane."""
        byte, i = self.rng.choice((0, 0xff, self.rng.getrandbits(8))), self.rng.randrange(4)
        byte = byte & ~(0x11 << i) | (pair[0] | pair[1] << 4) << i
        return byte if byte < 0xff else byte ^ 2 << 4 + i & 0xff

    def limbs(self):
        """The limbs of an element, which is often an edge case, as doubles."""
        rng = self.rng
        kind, sign = rng.randrange(4), rng.choice((-1, 1))
        edges = [0, 1, -1, 2**50, -2**50, 2**50 - 1, 1 - 2**50]
        limbs = [rng.choice((most, -most, *edges)) if kind == 0 else sign * most if kind == 1 else rng.choice((most, -most)) if kind == 2
                 else rng.randint(-most, most) for most in LARGEST]
        return [encoded(n, 0) if n else rng.choice((0, SIGN)) for n in limbs]

    valued = staticmethod(lambda limbs: value(limbs) if len(limbs) == 5 else lanes.value(limbs))

    def too_large(self, limbs):
        return len(limbs) == 5 and any(abs(number(w)) > most for w, most in zip(limbs, LARGEST))

    def check(self, m):
        return "MXCSR is wrong at RET" if (m.regs["mxcsr"] ^ self.regs["mxcsr"]) & CONTROL else super().check(m)

    def environments(self, proof):
        for i in range(4):
            if any(byte >> 4 * h + i & 1 != pair[h] for byte, pair in self.flags for h in range(2)):
                continue
            env = {}
            for group, given in zip(proof.inputs, self.inputs):
                for k, e in enumerate(group):
                    h, j = divmod(k, len(given))
                    words = given[j][4 * h + i]
                    env.update(zip(e.words, words if len(words) == 4 else map(number, words)))
            yield env, i

    def agrees(self, w, x, env):
        if isinstance(w, Double):
            v, (m, exp) = w.units.value(env), decoded(x)
            k = min(exp, w.exp)
            return w.lo <= v <= w.hi and v << w.exp - k == m << exp - k and (not m or w.grid <= exp + lowest_bit(m))
        return isinstance(w, (Caller, LaneMask, LaneBit, Moved, tuple)) or super().agrees(w, x, env)

    def width(self, state, base, off):
        return 4 if (base, off) in state.wide else 0


class LoadsCase(DoublesCase):
    """Inputs of a routine that loads integers."""

    def parameter(self, p):
        if isinstance(p, Offsets):
            for k in range(p.count):
                if values := p.values(k):
                    self.mem[self.address(p.name) + 8 * k] = self.rng.choice((values[0], values[-1], self.rng.choice(values)))
        elif isinstance(p, Pointers):
            self.mem.update((self.address(p.name) + 8 * k, self.address(f"{p.name}{k}")) for k in range(p.count))
        if isinstance(p, (Words, Table, Pointers)):
            return self.address(p.name)
        return super().parameter(p)

    def place(self, at):
        """The address of a word of an input."""
        return self.address(at[0]) + at[-1] + (self.mem[self.address("d") + 8 * at[1]] if len(at) > 2 else 0)

    def expect(self):
        for (base, off), pair in self.spec.masks.items():
            byte = self.byte(pair)
            self.flags.append((byte, pair))
            at = self.address(base) + off
            self.mem[at & ~7] = self.mem.get(at & ~7, 0) & ~(0xff << 8 * (at & 7)) | byte << 8 * (at & 7)
        places = [[[self.place(at) for at in words] for words in self.spec.words(i)] for i in range(8)]
        for integer in (integer for lane in places for integer in lane):
            for at, word in zip(integer, self.words()):
                self.mem.setdefault(at, word)
        self.inputs = [[[[self.mem[at] for at in lane[c]] for lane in places]] for c in range(len(places[0]))] + self.inputs
        super().expect()


def number(word):
    """The integer that a double is."""
    m, exp = decoded(word)
    return shifted(m, exp)


def value(limbs):
    return sum(number(w) << place for w, place in zip(limbs, PLACES))
