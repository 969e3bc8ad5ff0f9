"""Symbolic execution of straight-line code over the integers.

Every word is a polynomial in integer variables, taken mod 2^64, with an interval that contains the value of the
polynomial. Nothing wraps silently: one primitive, split, computes whatever an instruction drops or carries. It is
Euclidean division by a power of two,

    poly = low + 2^k·high,  0 ≤ low < 2^k,

and introduces a variable for each unknown part. So the instructions give a list of equations, each of which holds for
all inputs, and the proofs start from these equations. A small negative word, such as a mask or a signed top word, stays
a negative number until an instruction needs the unsigned word.
"""

import copy
import gc
import itertools
from collections.abc import Callable
from dataclasses import dataclass

from emulator import Integers
from poly import Poly
from x86 import CLEARED, FLAGS, ONES, WORD, Imm, Mem, Processor, Reg, Unsupported, Vec

gc.set_threshold(100000)  # proofs make many objects and hardly any cycles, so the search for cycles must be rare

SIGNED = (-(1 << 63), (1 << 63) - 1)
MOST_TERMS = 500  # polynomials of correct routines have fewer than 40 terms


class Stuck(Exception):
    """The code does something that the proof cannot interpret."""


@dataclass(slots=True, eq=False)
class Word:
    """A machine word: poly mod 2^64, with lo ≤ poly ≤ hi.

    mask is a bit m if the word is known to be m·y for some y. pair, unless it is None,
    has two words whose exclusive or is y or, if mask is None, the word itself.
    """

    poly: Poly
    lo: int
    hi: int
    mask: Poly | None = None
    pair: tuple | None = None

    def is_unsigned(self):
        return self.lo >= 0 and self.hi < WORD


@dataclass(slots=True)
class Ptr:
    """An address: an offset in an object."""

    base: object
    off: int


@dataclass(slots=True, eq=False)
class Definition:
    """The facts that introduced some variables: an equation or inequalities, and how to eliminate one of the variables.

    eq = 0, each of least ≥ 0, and var = num/2^shift. rule computes the values of the variables news, in order, from the
    values of earlier variables. Only the tests of the equations use it.
    """

    eq: Poly | None
    news: tuple
    rule: Callable
    var: int | None = None
    num: Poly | None = None
    shift: int = 0
    least: tuple = ()


class Trace:
    """The variables, with their bounds, and the equations between them.

    The variables depend only on the inputs, so the facts about a variable hold on every path, and all paths share one
    trace.
    """

    def __init__(self):
        self.lo, self.hi, self.definition = [], [], []
        self.halved = {}  # from variables to their lowest bits, if these were needed
        self.memo = {}
        self.atom = {}  # from variables at which elimination stops to (element, index)

    def fresh(self, lo, hi):
        self.lo.append(lo)
        self.hi.append(hi)
        self.definition.append(None)
        return len(self.lo) - 1

    def is_bit(self, v):
        return self.lo[v] == 0 and self.hi[v] == 1

    def define(self, d):
        for v in d.news:
            self.definition[v] = d

    def tidy(self, p):
        """Replaces the square of a bit by the bit."""
        if all(len(m) < 2 for m in p.terms):
            return p
        r = {}
        for m, c in p.terms.items():
            if len(m) > 1 and len(set(m)) < len(m):
                m = tuple(v for i, v in enumerate(m) if i == 0 or v != m[i - 1] or not self.is_bit(v))
            c += r.get(m, 0)
            if c:
                r[m] = c
            else:
                r.pop(m, None)
        return Poly(r)

    def mul(self, p, q):
        return self.tidy(p * q)

    def interval(self, p):
        lo = hi = 0
        for m, c in p.terms.items():
            a = b = c
            for v in m:
                x, y = self.lo[v], self.hi[v]
                ends = (a * x, a * y) if a == b else (a * x, a * y, b * x, b * y)
                a, b = min(ends), max(ends)
            lo, hi = lo + a, hi + b
        return lo, hi

    def narrow(self, p, lo, hi):
        a, b = self.interval(p)
        return max(a, lo), min(b, hi)

    def split(self, p, k, lo=None, hi=None):
        """Returns the low and the high part, each with its interval."""
        key = (p.key(), k)
        if key not in self.memo:
            a, b = self.interval(p)
            self.memo[key] = self._split(p, k, a if lo is None else max(a, lo), b if hi is None else min(b, hi))
        return self.memo[key]

    def _split(self, p, k, lo, hi):
        lo, hi = lo >> k, hi >> k
        if lo == hi:
            low = p - (lo << k)
            a, b = self.narrow(low, 0, (1 << k) - 1)
            return (low, a, b), (Poly.const(lo), lo, lo)
        bits = sorted(p.vars())
        if len(bits) <= 3 and all(self.is_bit(v) for v in bits):
            return self._table(p, k, bits)
        if k == 1:
            return self._halve(p, lo, hi)
        # The high part comes first, because a variable is expressed by earlier variables.
        most = (1 << k) - 1
        if k < 32:
            # The low part has few bits, so it stays, and the high part is eliminated.
            w, v = self.fresh(0, most), self.fresh(lo, hi)
            low, high = Poly.var(w), Poly.var(v)
            self.define(Definition(p - low - high * (1 << k), (w, v), lambda env: (p.value(env) & most, p.value(env) >> k),
                                   v, p - low, k))
            return (low, 0, most), (high, lo, hi)
        sign = -1 if (lo, hi) == (-1, 0) else 1
        v = self.fresh(0, 1) if sign < 0 else self.fresh(lo, hi)
        w = self.fresh(0, most)
        high = Poly.var(v) * sign
        low = p - high * (1 << k)
        self.define(Definition(low - Poly.var(w), (v, w), lambda env: (sign * (p.value(env) >> k), p.value(env) & most), w, low))
        return (Poly.var(w), 0, most), (high, lo, hi)

    def _table(self, p, k, bits):
        """Splits a function of few bits exactly, as a multilinear polynomial."""
        low, high = {}, {}
        for values in itertools.product((0, 1), repeat=len(bits)):
            x = p.value(dict(zip(bits, values)))
            low[values], high[values] = x & ((1 << k) - 1), x >> k

        def interpolate(table):
            r = Poly()
            for values, x in table.items():
                term = Poly.const(x)
                for v, bit in zip(bits, values):
                    term = term * (Poly.var(v) if bit else 1 - Poly.var(v))
                r = r + term
            return self.tidy(r), min(table.values()), max(table.values())

        return interpolate(low), interpolate(high)

    def _halve(self, p, lo, hi):
        """Splits off the lowest bit, which may be a function of the lowest bits of the variables."""
        bit, news = self._parity(p, 2), ()
        if bit.constant() is None and (bit.single() is None or not self.is_bit(bit.single())):
            news = (self.fresh(0, 1),)
            bit = Poly.var(news[0])
            if p.single() is not None:
                self.halved[p.single()] = bit
        h = self.fresh(lo, hi)
        self.define(Definition(p - bit - Poly.var(h) * 2, news + (h,),
                               lambda env: (p.value(env) & 1, p.value(env) >> 1)[-len(news) - 1:], h, p - bit, 1))
        return (bit, 0, 1), (Poly.var(h), lo, hi)

    def _parity(self, p, depth):
        """A polynomial that equals p mod 2."""
        r = self._odd(p)
        for v in r.vars():
            d = self.definition[v]
            if v in self.halved:
                q = self.halved[v]
            elif depth and d and d.var == v and d.shift == 0:
                q = self._parity(d.num, depth - 1)
            else:
                continue
            r = r.replace(v, q, 2)
        return self._odd(r)

    @staticmethod
    def _odd(p):
        """The polynomial mod 2, without powers, because a power has the parity of its base."""
        return sum((Poly({tuple(sorted(set(m))): c}) for m, c in p.terms.items()), Poly()).mod(2)

    def name(self, p, lo, hi):
        """A variable equal to p."""
        if p.single() is not None:
            return p.single()
        key = (p.key(), "name")
        if key not in self.memo:
            v = self.fresh(lo, hi)
            self.define(Definition(p - Poly.var(v), (v,), lambda env: (p.value(env),), v, p))
            self.memo[key] = v
        return self.memo[key]

    def is_zero(self, p, hi):
        """A bit that is set if and only if p, which is in [0, hi], is zero."""
        if p.constant() is not None:
            return Poly.const(int(p.constant() == 0))
        if p.single() is not None and self.is_bit(p.single()):
            return 1 - p
        key = (p.key(), "zero")
        if key not in self.memo:
            z = self.fresh(0, 1)
            bit = Poly.var(z)
            self.define(Definition(None, (z,), lambda env: (int(p.value(env) == 0),), least=((1 - bit) * hi - p, p + bit - 1)))
            self.memo[key] = bit
        return self.memo[key]

    def differing(self, p, q):
        """A variable equal to p ^ q, for words p and q."""
        key = (p.key(), q.key(), "xor")
        if key not in self.memo:
            v = self.fresh(0, ONES)
            self.define(Definition(None, (v,), lambda env: (p.value(env) ^ q.value(env),)))
            self.memo[key] = v
        return self.memo[key]

    def eliminate(self, p, n):
        """Rewrites p mod n in terms of atoms, inputs and dropped carries. Returns None if the result has too many terms."""
        p = p.mod(n)
        done = {}
        while True:
            v = max((v for v in p.vars() if v not in done and self.eliminable(v)), default=None)
            if v is None:
                return self.tidy(p).mod(n)
            if len(p.terms) > MOST_TERMS:
                return None
            d = self.definition[v]
            p = self.tidy(p.replace(v, (d.num * pow(2, -d.shift, n)).mod(n), n)).mod(n)
            done[v] = True

    def eliminable(self, v):
        d = self.definition[v]
        return d is not None and d.var == v and v not in self.atom

    # Words.

    def unsigned(self, w):
        """The word as a polynomial in [0, 2^64)."""
        if not isinstance(w, Word):
            raise Stuck("computes with an address")
        return w.poly if w.is_unsigned() else self.split(w.poly, 64, w.lo, w.hi)[0][0]

    def uinterval(self, w):
        return (w.lo, w.hi) if w.is_unsigned() else self.split(w.poly, 64, w.lo, w.hi)[0][1:]

    def constant(self, c):
        return Word(Poly.const(c), c, c)

    def word(self, part):
        return Word(*part)

    def signed(self, w):
        """The word as a polynomial in [-2^63, 2^63), with its interval."""
        if isinstance(w, Word) and SIGNED[0] <= w.lo and w.hi <= SIGNED[1]:
            return w.poly, w.lo, w.hi
        u = self.unsigned(w)
        sign = self.split(u, 63)[1][0]
        return u - sign * WORD, *SIGNED

    def mask_bit(self, w):
        """The bit m if the word is m·(2^64 - 1), else None."""
        if w.lo >= -1 and w.hi <= 0:
            return -w.poly
        p = w.poly
        if p.constant() == ONES:
            return Poly.const(1)
        if all(c % ONES == 0 for c in p.terms.values()) and w.lo >= 0 and w.hi <= ONES:
            return Poly({m: c // ONES for m, c in p.terms.items()})
        return None


class Symbolic(Processor):
    """The registers, flags and memory at one point of a path. Subclasses choose the representation of words. Pointers are known."""

    failure = Stuck
    stack, frame = "rsp", "rbp"  # the registers that point to the stack and to the frame
    below = 0  # bytes below the stack pointer that may be used
    framed = True  # whether the frame pointer must be set whenever memory is accessed

    def __init__(self, objects, binary=None):
        """objects maps the name of each object to its size and whether the routine may write it."""
        self.objects, self.binary = objects, binary
        self.regs = {self.stack: Ptr("sp", 0), self.frame: Ptr("caller's frame", 0)}
        self.mem, self.vectors, self.masks, self.flags = {}, {}, {}, dict.fromkeys(FLAGS)
        self.low = {}  # the lowest bytes of registers whose other bytes are not known
        self.wrote = []  # where the last instruction stored
        self.touched = []  # accesses and jumps in order, without those of the states from which this state was cloned
        self.prefetched = []
        self.spilled = range(0)  # offsets above the stack pointer at entry that may also be written
        self.upper = False  # whether upper parts of vectors may be nonzero, which VZEROUPPER clears

    def clone(self):
        s = copy.copy(self)
        for name, v in vars(self).items():
            if isinstance(v, (dict, list, set)):
                setattr(s, name, copy.copy(v))
        s.touched = []
        return s

    def step(self, ins):
        self.wrote = []
        try:
            super().step(ins)
        except Stuck as e:
            raise Stuck(f"{ins}: {e}") from None

    def execute(self, prog, at=0):
        """Runs up to the RET."""
        for _, ins in self.follow(prog, at):
            if ins.op != "j":
                self.step(ins)

    # Operands.

    def place(self, m, size=8):
        """The object and offset of memory that is accessed."""
        p = self.regs.get(m.base)
        if not isinstance(p, Ptr):
            raise Stuck(f"address from {m.base}, which is no pointer")
        off = p.off + m.disp
        if m.index:
            off += self.known(self.get(Reg(m.index))) * m.scale
        off = (off + WORD // 2) % WORD - WORD // 2
        if off % min(size, 8):
            raise Stuck("access that is not aligned")
        if p.base == "sp":
            if off < self.regs[self.stack].off - self.below:
                raise Stuck("access below the stack pointer")
        elif not 0 <= off <= self.objects.get(p.base, (0, False))[0] - size:
            raise Stuck(f"access outside of {p.base}")
        if self.framed and self.regs[self.stack].off and self.regs.get(self.frame) != Ptr("sp", -8):
            raise Stuck("access without a frame pointer")
        self.touched += [(p.base, off + k) for k in range(0, size, 8)]
        return p.base, off

    def load(self, m):
        if m.base is None:
            c = self.binary.constant(m.disp) if self.binary else None
            if c is None:
                raise Stuck("reads a global that is not constant")
            return self.constant(c)
        base, off = self.place(m)
        return self.held(self.mem.get((base, off)), f"{base}+{off}")

    @staticmethod
    def held(v, name):
        if v is None:
            raise Stuck(f"reads {name}, which holds nothing")
        return v

    def store(self, at, v):
        base, off = at
        if base == "sp":
            if off >= 0 and off not in self.spilled:
                raise Stuck("writes above its frame")
        elif not self.objects[base][1]:
            raise Stuck(f"writes {base}")
        elif isinstance(v, Ptr):
            raise Stuck("stores an address")
        self.mem[at] = v
        self.wrote.append(at)

    def get(self, a):
        if isinstance(a, Imm):
            return self.constant(a.value)
        if isinstance(a, Mem):
            return self.load(a)
        v = self.held((self.low if a.width == 8 else self.regs).get(a.name), a.name)
        return self.bitwise("and", v, self.constant(0xffffffff)) if a.width == 32 else v

    def set(self, a, v):
        if isinstance(a, Mem):
            self.store(self.place(a), v)
        elif a.name == self.stack and not (isinstance(v, Ptr) and v.base == "sp"):
            raise Stuck("loses the stack pointer")
        else:
            self.regs[a.name] = v
            self.low.pop(a.name, None)

    def set_byte(self, a, v):
        if a.name == self.stack:
            raise Stuck("loses the stack pointer")
        self.regs.pop(a.name, None)
        self.low[a.name] = v

    def push(self, v):
        at = self.regs[self.stack].off - 8
        self.regs[self.stack] = Ptr("sp", at)
        self.store(("sp", at), v)

    def called(self, at):
        self.push(Ptr("code", at))

    def returned(self):
        v = self.pop()
        if not isinstance(v, Ptr) or v.base != "code":
            raise Stuck("returns to an unknown address")
        return v.off

    def pop(self):
        at = self.regs[self.stack].off
        v = self.mem.get(("sp", at))
        if v is None or at >= 0:
            raise Stuck("pops what it did not push")
        self.regs[self.stack] = Ptr("sp", at + 8)
        return v

    def flag(self, name):
        if name == "le":
            return self.flag("zf") | self.flag("sf") ^ self.flag("of")
        return self.held(self.flags[name], name)

    def result(self, v, width=64):
        """Sets the flags for a result, which are known only if the result is a known integer."""
        self.flags.update(zf=int(v == 0), sf=v >> width - 1) if isinstance(v, int) else self.flags.update(zf=None, sf=None)

    def add(self, x, y, carry):
        """The sum. A known integer may be added to a pointer."""
        for p, distance in ((y, x), (x, y)):
            if isinstance(p, Ptr):
                return self.moved(p, distance, carry, 1)
        return self.plus(x, y, carry)

    def sub(self, x, y, borrow):
        return self.moved(x, y, borrow, -1) if isinstance(x, Ptr) else self.minus(x, y, borrow)

    def plus(self, x, y, carry):
        """The sum of known integers, the carry and the overflow."""
        v, *flags = Integers.add(self.known(x), self.known(y), carry)
        return self.constant(v), *flags

    def minus(self, x, y, borrow):
        v, *flags = Integers.sub(self.known(x), self.known(y), borrow)
        return self.constant(v), *flags

    def moved(self, p, distance, carry, sign):
        if isinstance(distance, Ptr) or carry is not self.OFF:
            raise Stuck("computes with an address")
        n = self.known(distance)
        return Ptr(p.base, p.off + sign * (n - (n >> 63 << 64))), None, None

    def lanes(self, a, n):
        """The words of an operand."""
        v = self.load_vector(a, n) if isinstance(a, Mem) else self.held(self.vectors.get(a.name), a.name)[:n]
        return [self.held(w, getattr(a, "name", "memory")) for w in v]

    def load_vector(self, m, n):
        return [self.load(m)] * n if m.broadcast else [self.load(m.after(i)) for i in range(n)]

    def put_vector(self, a, v, n):
        if any(isinstance(w, Ptr) for w in v):
            raise Stuck("an address in a vector")
        if isinstance(a, Vec):
            self.vectors[a.name] = [*v, *[self.constant(0)] * (8 - len(v))]
            self.upper |= n > 2 and a.name in CLEARED
        else:
            for i, x in enumerate(v):
                self.store(self.place(a.after(i)), x)

    def reach(self, m):
        self.place(m)

    def merge(self, a, v):
        self.vectors[a.name] = [*v, *[None] * (8 - len(v))]

    def clear_upper(self):
        self.upper = False
        for r in CLEARED:
            self.vectors.pop(r, None)

    def mask(self, name, bits=8):
        return self.held(self.masks.get(name), name)

    whole_mask = mask

    def put_mask(self, name, bits):
        self.masks[name] = bits

    def ended(self, prefetches):
        """Checks the conditions that every state must meet at RET."""
        if self.regs["rsp"] != Ptr("sp", 0):
            raise Stuck("RSP at RET")
        if self.regs.get("rbp") != Ptr("caller's frame", 0):
            raise Stuck("RBP at RET")
        if sorted(self.prefetched) != prefetches:
            raise Stuck("prefetches are not as specified")
        if self.upper:
            raise Stuck("leaves the upper parts of vectors set")

    def left_in_vectors(self):
        """The contents of vectors at RET, which must not depend on parameters."""


class Polynomials(Symbolic):
    """The words are polynomials, and so are bits and flags."""

    OFF = Poly()

    def __init__(self, trace, objects, binary=None):
        super().__init__(objects, binary)
        self.t = trace
        self.pending = set()  # places of stored words that belong to no element yet

    def flag(self, name):
        """A flag as a polynomial that is 0 or 1. It may come from a word, or be computed on demand."""
        if name == "le":
            return self.bit("or", self.flag("zf"), self.bit("xor", self.flag("sf"), self.flag("of")))
        v = self.held(self.flags.get(name), name)
        if isinstance(v, Word):
            return self.is_zero(v) if name == "zf" else self.t.split(self.t.unsigned(v), 63)[1][0]
        if callable(v):
            v = self.flags[name] = v()
        return self.held(v, name)

    def result(self, v, width=64):
        self.flags["zf"] = v if isinstance(v, Word) else None
        self.flags["sf"] = self.flags["zf"] if width == 64 else None

    def jumps(self, ins):
        taken = self.condition(ins.cond).constant()
        if taken is None:
            raise Stuck("a jump that depends on the inputs")
        self.touched.append((ins.addr, taken))
        return bool(taken)

    def prefetch(self, a):
        """Notes a prefetch, whose address need not belong to an operand."""
        at = Ptr(None, a.disp)
        for r, k in a.parts:
            x = self.get(Reg(r))
            if isinstance(x, Ptr) and at.base is None and k == 1:
                at = Ptr(x.base, at.off + x.off)
            elif isinstance(x, Word) and self.t.unsigned(x).constant() is not None:
                at.off += k * self.t.unsigned(x).constant()
            else:
                raise Stuck("prefetches from an unknown address")
        self.prefetched.append((at.base, at.off))

    # Arithmetic.

    def constant(self, c):
        # A constant with the highest bit set stands for a negative number.
        return self.t.constant(c - WORD if c >> 63 == 1 else c)

    def known(self, w):
        """The value of a constant."""
        c = w.poly.constant() if isinstance(w, Word) else None
        if c is None:
            raise Stuck("computes with an address or an unknown word")
        return c % WORD

    def word(self, bit):
        return Word(bit, 0, 1)

    def invert_bit(self, bit):
        return 1 - bit

    def bit(self, op, x, y):
        both = self.t.mul(x, y)
        return both if op == "and" else x + y - both * (1 if op == "or" else 2)

    def is_zero(self, w):
        return self.t.is_zero(self.t.unsigned(w), self.t.uinterval(w)[1])

    def equal(self, x, y):
        x, y = self.t.unsigned(x).constant(), self.t.unsigned(y).constant()
        if x is None or y is None:
            raise Stuck("compares unknown words")
        return Poly.const(int(x == y))

    def plus(self, x, y, c):
        """Returns x+y+c, the carry or a function that computes it, and the overflow, if all are known, or None."""
        return self._sum(x, y, c, 1)

    def minus(self, x, y, c):
        """Returns x-y-c, the borrow or a function that computes it, and the overflow, as plus does."""
        v, carry, overflow = self._sum(x, y, c, -1)
        if x.poly.constant() == 0 and c is self.OFF:
            return v, lambda: 1 - self.is_zero(y), overflow
        return v, carry, overflow

    def _sum(self, x, y, c, sign):
        t = self.t
        if not (isinstance(x, Word) and isinstance(y, Word)):
            raise Stuck("computes with an address")

        def exact():
            s = t.unsigned(x) + t.unsigned(y) * sign + c * sign
            (a, b), (d, e) = t.uinterval(x), t.uinterval(y)
            return t.split(s, 64, *((a + d, b + e + 1) if sign == 1 else (a - e - 1, b - d)))

        def carry():
            return exact()[1][0] * sign

        overflow, known = None, [q.constant() for q in (x.poly, y.poly, c)]
        if None not in known:
            a, b, v = known[0], known[1] if sign > 0 else ~known[1], known[0] + sign * (known[1] + known[2])
            overflow = Poly.const(((a ^ v) & (b ^ v)) >> 63 & 1)
        p = x.poly + y.poly * sign + c * sign
        lo, hi = (x.lo + y.lo, x.hi + y.hi + 1) if sign == 1 else (x.lo - y.hi - 1, x.hi - y.lo)
        lo, hi = t.narrow(p, lo, hi)
        if lo >= 0 and hi < WORD and x.is_unsigned() and y.is_unsigned():
            return Word(p, lo, hi), Poly(), overflow
        if SIGNED[0] <= lo and hi <= SIGNED[1]:
            return Word(p, lo, hi), carry, overflow
        low, high = exact()
        return Word(*low), high[0] * sign, overflow

    def mul(self, x, y):
        """The unsigned product of two words, split."""
        t = self.t
        p, q = t.unsigned(x), t.unsigned(y)
        if p.constant() is None and q.constant() is None:
            p, q = Poly.var(t.name(p, *t.uinterval(x))), Poly.var(t.name(q, *t.uinterval(y)))
        a, b = t.uinterval(x), t.uinterval(y)
        low, high = t.split(t.mul(p, q), 64, a[0] * b[0], a[1] * b[1])
        return Word(*low), Word(*high)

    def choose(self, bit, x, y):
        """x if the bit is set, else y."""
        if bit.constant() is not None:
            return x if bit.constant() else y
        if isinstance(x, Ptr) or isinstance(y, Ptr):
            raise Stuck("chooses an address")
        t = self.t
        p, q = t.unsigned(x), t.unsigned(y)
        (a, b), (c, d) = t.uinterval(x), t.uinterval(y)
        r = t.mul(bit, p - q) + q
        lo, hi = min(a, c), max(b, d)
        if None in (t.mask_bit(x), t.mask_bit(y)) and None in (p.constant(), q.constant()):
            r = Poly.var(t.name(r, lo, hi))
        return Word(r, lo, hi)

    def masked(self, bit, w):
        """w times a bit."""
        p = self.t.mul(bit, self.t.unsigned(w))
        return Word(p, 0, self.t.uinterval(w)[1], bit, w.pair if w.mask is None else None)

    def different(self, x, y):
        """The word x ^ y as a new variable, about which nothing else is known."""
        p, q = self.t.unsigned(x), self.t.unsigned(y)
        v = self.t.differing(p, q)
        return Word(Poly.var(v), 0, ONES, None, (x, y))

    def picked_by(self, x, y):
        """x ^ y, if it selects one of two words by a mask: x ^ (m & (x ^ z)). Returns None otherwise."""
        for x, y in ((x, y), (y, x)):
            if y.pair and y.mask is not None:
                for same, other in (y.pair, y.pair[::-1]):
                    if self.t.unsigned(same) == self.t.unsigned(x):
                        return self.choose(y.mask, other, x)
        return None

    def bitwise(self, op, x, y):
        t = self.t
        if not (isinstance(x, Word) and isinstance(y, Word)):
            raise Stuck("computes with an address")
        known = x.poly.constant(), y.poly.constant()
        if None not in known:
            return self.constant(Integers.bitwise(op, *(k % WORD for k in known)))
        mx, my = t.mask_bit(x), t.mask_bit(y)
        if op == "and":
            if mx is not None:
                return self.masked(mx, y)
            if my is not None:
                return self.masked(my, x)
            for x, y in ((x, y), (y, x)):
                c = t.unsigned(x).constant()
                if c is not None and c & (c + 1) == 0:
                    return t.word(t.split(t.unsigned(y), c.bit_length())[0])
        if op == "or":
            for x, y in ((x, y), (y, x)):
                if t.unsigned(x).constant() == 0:
                    return y
            if x.mask is not None and y.mask is not None and not t.mul(x.mask, y.mask).terms:
                return Word(t.unsigned(x) + t.unsigned(y), 0, ONES)
            p, q, (a, b), (c, d) = t.unsigned(x), t.unsigned(y), t.uinterval(x), t.uinterval(y)
            if b < 2 and d < 2:
                return Word(Poly.var(t.name(p + q - t.mul(p, q), 0, 1)), 0, 1)
            for q, b, p in ((q, b, p), (p, d, q)):
                if q.terms and b < min(k & -k for k in q.terms.values()):  # all bits of one word are above the bits of the other
                    return Word(p + q, *t.narrow(p + q, a + c, ONES))
        if op == "xor":
            if mx is None:
                mx, x, y = my, y, x
            if mx is not None:
                u = t.unsigned(y)
                return Word(u + t.mul(mx, ONES - u * 2), 0, ONES)
            v = self.picked_by(x, y)
            return v if v else self.different(x, y)
        raise Stuck(f"{op} of words that are not masks")

    def invert(self, w):
        if not isinstance(w, Word):
            raise Stuck("computes with an address")
        if SIGNED[0] <= w.lo and w.hi <= SIGNED[1]:
            return Word(-1 - w.poly, -1 - w.hi, -1 - w.lo)
        u, (lo, hi) = self.t.unsigned(w), self.t.uinterval(w)
        return Word(ONES - u, ONES - hi, ONES - lo)

    def mul_low(self, x, y):
        t = self.t
        if not (isinstance(x, Word) and isinstance(y, Word)):
            raise Stuck("computes with an address")
        if x.poly.constant() is not None or y.poly.constant() is not None:
            p = t.mul(x.poly, y.poly)
            ends = [i * j for i in (x.lo, x.hi) for j in (y.lo, y.hi)]
            lo, hi = t.narrow(p, min(ends), max(ends))
            if SIGNED[0] <= lo and hi <= SIGNED[1]:
                return Word(p, lo, hi)
        return self.mul(x, y)[0]

    def signed_product(self, x, y):
        """The low and the high word of the product of two signed words."""
        t = self.t
        (p, *a), (q, *b) = t.signed(x), t.signed(y)
        ends = [i * j for i in a for j in b]
        return [t.word(part) for part in t.split(t.mul(p, q), 64, min(ends), max(ends))]

    def mul_high_signed(self, x, y):
        return self.signed_product(x, y)[1]

    def address(self, a):
        if not a.parts:
            raise Stuck("computes with the address of a global")
        x = self.get(Reg(a.parts[0][0]))
        if len(a.parts) == 1 and a.parts[0][1] == 1 and isinstance(x, Ptr):
            return Ptr(x.base, x.off + a.disp)
        t, p, lo, hi = self.t, Poly.const(a.disp), a.disp, a.disp
        for r, k in a.parts:
            x = self.get(Reg(r))
            p = p + t.unsigned(x) * k
            b, c = t.uinterval(x)
            lo, hi = lo + k * b, hi + k * c
        return Word(*t.split(p, 64, lo, hi)[0])

    def shift(self, op, w, k):
        """A word shifted by k, 0 < k < 64. For a shift right by one, the second result computes the bit that is shifted
        out; otherwise it is None."""
        if not isinstance(w, Word):
            raise Stuck("computes with an address")
        t = self.t
        u, out = t.unsigned(w) if op != "sar" else None, (lambda: t.split(w.poly, 1)[0][0]) if k == 1 else None
        if op == "sar":
            return self._shift_signed(w, k), out
        if op == "shr":
            return Word(*t.split(u, k)[1]), out
        p, lo, hi = t.split(u, 64 - k)[0]
        return Word(p * (1 << k), lo << k, hi << k), None

    def _shift_signed(self, w, k):
        t = self.t
        if SIGNED[0] <= w.lo and w.hi <= SIGNED[1]:
            # For k = 63 the result is the quotient by 2^64, which is -1 or 0.
            return Word(*t.split(w.poly, 64 if k == 63 else k, w.lo, w.hi)[1])
        if k == 63:
            return Word(-t.split(t.unsigned(w), 63)[1][0], -1, 0)
        return Word(*t.split(t.signed(w)[0], k, *SIGNED)[1])

    def double_shift(self, op, x, y, k):
        t, u, v = self.t, self.t.unsigned(x), self.t.unsigned(y)
        if op == "shr":
            low, high = t.split(v, k)
            return Word(high[0] + t.split(u, k)[0][0] * (1 << 64 - k), 0, ONES), low[0] if k == 1 else None
        return Word(t.split(v, 64 - k)[0][0] * (1 << k) + t.split(u, 64 - k)[1][0], 0, ONES), None


class State(Polynomials):
    """A state whose vectors have two or four words, each a polynomial, or None if the word is not known."""

    def put(self, ins, v):
        if ins.words == 8 or ins.mask:
            raise Unsupported(f"{ins}: such vectors are for lanes.py")
        super().put(ins, v)

    def clear_upper(self):
        for r in CLEARED:
            self.vectors[r] = [*self.vectors.get(r, [None] * 8)[:2], *[self.t.constant(0)] * 6]

    def ended(self, prefetches):
        self.upper = False
        super().ended(prefetches)
        for r, v in self.vectors.items():
            # A register that was not written still has the caller's value.
            if any(w and w.poly.constant() is None for w in v):
                raise Stuck(f"leaves part of an input in {r}")
            if any(w is None or w.poly.constant() != 0 for w in v[2:]):
                raise Stuck(f"leaves the upper half of {r} set")

    def left_in_vectors(self):
        return {r: [w and w.poly.constant() for w in v] for r, v in self.vectors.items()}
