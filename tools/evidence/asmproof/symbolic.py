"""Symbolic execution of straight-line code over the integers.

Every word is a polynomial in integer variables, of which it is the residue
mod 2^64, with an interval which the integer is known to be in.  Nothing wraps
silently: all that an instruction drops or carries comes from one primitive,
split, which is Euclidean division by a power of two,

    poly = low + 2^k·high,  0 ≤ low < 2^k,

and introduces a variable for what it does not know.  So the instructions
amount to a list of equations, each true for all inputs, from which the proofs
start.  A word near zero, such as a mask or a signed top word, stays the
negative number which it means until something needs it unsigned.
"""

import itertools

from poly import Poly
from x86 import ONES, VECTOR, VECTORS, WORD, Imm, Mem, Reg, Unsupported, Vec, same_register

SIGNED = (-(1 << 63), (1 << 63) - 1)
MOST_TERMS = 500  # Of what has a meaning there are not 40.


class Stuck(Exception):
    """The code does something which the proof has no meaning for."""


class Word:
    """A machine word: poly mod 2^64, with lo ≤ poly ≤ hi. mask is m if the word is known to be m times something, for a bit m."""

    __slots__ = ("poly", "lo", "hi", "mask")

    def __init__(self, poly, lo, hi, mask=None):
        self.poly, self.lo, self.hi, self.mask = poly, lo, hi, mask

    def is_unsigned(self):
        return self.lo >= 0 and self.hi < WORD


class Ptr:
    """An address: an offset in an object."""

    __slots__ = ("base", "off")

    def __init__(self, base, off):
        self.base, self.off = base, off

    def __eq__(self, other):
        return isinstance(other, Ptr) and (self.base, self.off) == (other.base, other.off)

    __hash__ = None


class Definition:
    """What introduced some variables: an equation, or inequalities, and how to eliminate one of the variables.

    eq = 0, each of least ≥ 0, and var = num/2^shift. The values of the
    variables, for known values of the earlier ones, are what rule returns, in
    the order of news; it is only there to test the equations.
    """

    __slots__ = ("eq", "least", "news", "var", "num", "shift", "rule")

    def __init__(self, eq, news, rule, var=None, num=None, shift=0, least=()):
        self.eq, self.news, self.var, self.num, self.shift, self.least, self.rule = eq, news, var, num, shift, least, rule


class Trace:
    """The variables, with their bounds, and the equations between them.

    All of it depends only on the inputs, so that what is known of a variable
    holds on every path, and the paths (and mutants) can share one trace.
    """

    def __init__(self):
        self.lo, self.hi, self.definition = [], [], []
        self.halved = {}  # Variable: its lowest bit, once that has been asked for.
        self.memo = {}
        self.atom = {}  # Variable: (element, index), where elimination stops.

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
        """Uses that the square of a bit is the bit."""
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
                ends = (a * self.lo[v], a * self.hi[v], b * self.lo[v], b * self.hi[v])
                a, b = min(ends), max(ends)
            lo, hi = lo + a, hi + b
        return lo, hi

    def narrow(self, p, lo, hi):
        a, b = self.interval(p)
        return max(a, lo), min(b, hi)

    def split(self, p, k, lo=None, hi=None):
        """Returns low and high, each with its interval."""
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
        # The high part first, for variables are eliminated in terms of earlier ones.
        most = (1 << k) - 1
        if k < 32:
            # The low bits are few: rather keep them and eliminate the high part.
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
                for v, on in zip(bits, values):
                    term = term * (Poly.var(v) if on else 1 - Poly.var(v))
                r = r + term
            return self.tidy(r), min(table.values()), max(table.values())

        return interpolate(low), interpolate(high)

    def _halve(self, p, lo, hi):
        """Splits off the lowest bit, which may be known from that of the variables."""
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
        """A polynomial which is p mod 2."""
        r = Poly()
        for m, c in p.terms.items():
            if c % 2:
                r = r + Poly({tuple(sorted(set(m))): 1})
        for v in r.vars():
            d = self.definition[v]
            if v in self.halved:
                q = self.halved[v]
            elif depth and d and d.var == v and d.shift == 0:
                q = self._parity(d.num, depth - 1)
            else:
                continue
            r = r.replace(v, q, 2)
        return Poly({tuple(sorted(set(m))): 1 for m, c in self._xor(r).items() if c % 2})

    @staticmethod
    def _xor(p):
        r = {}
        for m, c in p.terms.items():
            m = tuple(sorted(set(m)))
            r[m] = r.get(m, 0) + c
        return r

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
        """A bit which is set just if p, which is in [0, hi], is zero."""
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

    def eliminate(self, p, n):
        """Rewrites p mod n in terms of atoms, inputs, and what was dropped; or returns None, if that is too long to mean anything."""
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
        if SIGNED[0] <= w.lo and w.hi <= SIGNED[1]:
            return w.poly, w.lo, w.hi
        u = self.unsigned(w)
        sign = self.split(u, 63)[1][0]
        return u - sign * WORD, *SIGNED

    def mask_bit(self, w):
        """The bit m if the word is m times 2^64-1, else None."""
        if w.lo >= -1 and w.hi <= 0:
            return -w.poly
        p = w.poly
        if p.constant() == ONES:
            return Poly.const(1)
        if all(c % ONES == 0 for c in p.terms.values()) and w.lo >= 0 and w.hi <= ONES:
            return Poly({m: c // ONES for m, c in p.terms.items()})
        return None


class State:
    """The registers, flags and memory at one point of a path."""

    def __init__(self, trace, objects, binary=None):
        """objects maps the base of each object to its size and whether it may be written."""
        self.t, self.objects, self.binary = trace, objects, binary
        self.regs, self.mem = {}, {}
        self.masks = {}
        self.vectors = {}  # The eight words of each register; None for what is not known.
        self.cf = self.of = self.zf = None
        self.wrote = []  # Where the last instruction stored.
        self.touched = []  # Where memory was accessed, in order, by this state and not those it was cloned from.
        self.prefetched = []
        self.pending = set()  # Where words were stored which are of no element yet.

    def clone(self):
        s = State(self.t, self.objects, self.binary)
        s.copy(self)
        return s

    def copy(self, other):
        s, self = self, other
        s.regs, s.mem, s.vectors, s.prefetched = dict(self.regs), dict(self.mem), dict(self.vectors), list(self.prefetched)
        s.cf, s.of, s.zf = self.cf, self.of, self.zf
        s.pending = set(self.pending)

    # Operands.

    def _place(self, m):
        if m.base is None:
            return None
        p = self.regs.get(m.base)
        if not isinstance(p, Ptr):
            raise Stuck(f"address from {m.base}, which is no pointer")
        at = Ptr(p.base, p.off + m.disp)
        if at.off % 8:
            raise Stuck("access which is not aligned")
        if at.base == "sp":
            if at.off < self.regs["rsp"].off:
                raise Stuck("access below the stack pointer")
        elif not 0 <= at.off <= self.objects.get(at.base, (0, False))[0] - 8:
            raise Stuck(f"access outside of {at.base}")
        rsp = self.regs["rsp"]
        if rsp.off and self.regs.get("rbp") != Ptr("sp", -8):
            raise Stuck("access without a frame pointer")
        self.touched.append((at.base, at.off))
        return at.base, at.off

    def load(self, m):
        at = self._place(m)
        if at is None:
            c = self.binary.constant(m.disp) if self.binary else None
            if c is None:
                raise Stuck("reads a global which is not constant")
            return self.t.constant(c)
        v = self.mem.get(at)
        if v is None:
            raise Stuck(f"reads {at[0]}+{at[1]}, which holds nothing")
        return v

    def store(self, at, v):
        base, off = at
        if base == "sp":
            if off >= 0:
                raise Stuck("writes above its frame")
        elif not self.objects[base][1]:
            raise Stuck(f"writes {base}")
        elif not isinstance(v, Word):
            raise Stuck("stores an address")
        self.mem[at] = v
        self.wrote.append(at)

    def get(self, a):
        if isinstance(a, Imm):
            c = a.value
            # A small negative number is meant, if any.
            return self.t.constant(c - WORD if c >> 63 else c)
        if isinstance(a, Mem):
            return self.load(a)
        v = self.regs.get(a.name)
        if v is None:
            raise Stuck(f"reads {a.name}, which holds nothing")
        if a.width == 32:
            v = self.t.word(self.t.split(self.t.unsigned(v), 32)[0])
        return v

    def set(self, a, v):
        if isinstance(a, Mem):
            self.store(self._place(a), v)
        elif a.name == "rsp" and not (isinstance(v, Ptr) and v.base == "sp"):
            raise Stuck("loses the stack pointer")
        else:
            self.regs[a.name] = v

    def carry(self, name):
        """A flag as a polynomial which is 0 or 1."""
        v = getattr(self, name)
        if callable(v):
            v = v()
            setattr(self, name, v)
        if v is None:
            raise Stuck(f"reads {name}, which holds nothing")
        return v

    def condition(self, cond):
        """The bit which is set if the condition holds."""
        name, want = cond
        if name == "cf":
            bit = self.carry("cf")
        elif self.zf is None or name == "le":
            raise Stuck(f"reads {name}, which holds nothing")
        elif name == "zf":
            bit = self.t.is_zero(self.t.unsigned(self.zf), self.t.uinterval(self.zf)[1])
        else:
            bit = self.t.split(self.t.unsigned(self.zf), 63)[1][0]
        return bit if want else 1 - bit

    # Arithmetic.

    def add(self, x, y, c):
        """Returns x+y+c and a way to the carry."""
        return self._sum(x, y, c, 1)

    def sub(self, x, y, c):
        """Returns x-y-c and a way to the borrow."""
        return self._sum(x, y, c, -1)

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

        p = x.poly + y.poly * sign + c * sign
        lo, hi = (x.lo + y.lo, x.hi + y.hi + 1) if sign == 1 else (x.lo - y.hi - 1, x.hi - y.lo)
        lo, hi = t.narrow(p, lo, hi)
        if lo >= 0 and hi < WORD and x.is_unsigned() and y.is_unsigned():
            return Word(p, lo, hi), Poly()
        if SIGNED[0] <= lo and hi <= SIGNED[1]:
            return Word(p, lo, hi), carry
        low, high = exact()
        return Word(*low), high[0] * sign

    def product(self, x, y):
        """The unsigned product of two words, split."""
        t = self.t
        p, q = t.unsigned(x), t.unsigned(y)
        if p.constant() is None and q.constant() is None:
            p, q = Poly.var(t.name(p, *t.uinterval(x))), Poly.var(t.name(q, *t.uinterval(y)))
        a, b = t.uinterval(x), t.uinterval(y)
        return t.split(t.mul(p, q), 64, a[0] * b[0], a[1] * b[1])

    def choose(self, bit, x, y):
        """x if the bit is set, else y."""
        if isinstance(x, Ptr) or isinstance(y, Ptr):
            raise Stuck("chooses an address")
        t = self.t
        if bit.constant() is not None:
            return x if bit.constant() else y
        p, q = t.unsigned(x), t.unsigned(y)
        (a, b), (c, d) = t.uinterval(x), t.uinterval(y)
        r = t.mul(bit, p - q) + q
        lo, hi = min(a, c), max(b, d)
        if p.constant() is None or q.constant() is None:
            r = Poly.var(t.name(r, lo, hi))
        return Word(r, lo, hi)

    def masked(self, bit, w):
        """w times a bit."""
        p = self.t.mul(bit, self.t.unsigned(w))
        return Word(p, 0, self.t.uinterval(w)[1], bit)

    def bitwise(self, op, x, y):
        t = self.t
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
        if op == "xor":
            if mx is None:
                mx, x, y = my, y, x
            if mx is not None:
                u = t.unsigned(y)
                return Word(u + t.mul(mx, ONES - u * 2), 0, ONES)
        raise Stuck(f"{op} of words which are no masks")

    def logic_flags(self, v):
        self.cf = self.of = Poly()
        self.zf = v

    def step(self, ins):
        """Executes one instruction, but for jumps and RET."""
        op, a, t = ins.op, ins.args, self.t
        self.wrote = []
        if op == "mov":
            self.set(a[1], self.get(a[0]))
        elif op in ("add", "adc", "sub", "sbb", "cmp"):
            self._add_or_sub(op, a)
        elif op in ("adcx", "adox"):
            name = "cf" if op == "adcx" else "of"
            v, carry = self.add(self.get(a[0]), self.get(a[1]), self.carry(name))
            self.set(a[1], v)
            setattr(self, name, carry)
        elif op == "mulx":
            low, high = self.product(self.regs.get("rdx"), self.get(a[0]))
            self.set(a[1], Word(*low))
            self.set(a[2], Word(*high))
        elif op in ("and", "or", "xor", "test"):
            self._logic(op, ins)
        elif op == "andn":
            v = self.bitwise("and", self.complement(self.get(a[1])), self.get(a[0]))
            self.set(a[2], v)
            self.logic_flags(v)
        elif op == "cmov":
            self.set(a[1], self.choose(self.condition(ins.cond), self.get(a[0]), self.get(a[1])))
        elif op == "imul":
            self._imul(a)
        elif op == "lea":
            self._lea(a)
        elif op in ("shl", "shr", "sar", "shrd", "shld"):
            self._shift(op, a)
        elif op == "rcr":
            self._rotate(a)
        elif op == "not":
            self.set(a[0], self.complement(self.get(a[0])))
        elif op == "neg":
            x = self.get(a[0])
            v, _ = self.sub(t.constant(0), x, Poly())
            self.set(a[0], v)
            self.cf, self.of, self.zf = lambda: 1 - t.is_zero(t.unsigned(x), t.uinterval(x)[1]), None, v
        elif op in ("inc", "dec"):
            v, _ = (self.add if op == "inc" else self.sub)(self.get(a[0]), t.constant(1), Poly())
            self.of, self.zf = None, v
            self.set(a[0], v)
        elif op == "push":
            v = self.get(a[0])
            self.regs["rsp"] = Ptr("sp", self.regs["rsp"].off - 8)
            self.store(("sp", self.regs["rsp"].off), v)
        elif op == "pop":
            at = self.regs["rsp"].off
            v = self.mem.get(("sp", at))
            if v is None or at >= 0:
                raise Stuck("pops what it did not push")
            self.regs["rsp"] = Ptr("sp", at + 8)
            self.set(a[0], v)
        elif op == "prefetcht0":
            self._prefetch(a[0])
        elif op in VECTOR:
            self._vector(ins)
        elif op != "nop":
            raise Unsupported(str(ins))

    # Vectors.

    def lanes(self, a, words):
        """The words of an operand, each of which is a Word."""
        if isinstance(a, Mem):
            v = [self.load(Mem(a.base, a.disp + 8 * i)) for i in range(words)]
        elif isinstance(a, Reg):
            v = [self.get(a)]
        else:
            v = self.vectors.get(a.name, (None,) * 8)[:words]
        if None in v:
            raise Stuck(f"reads {a.name}, which holds nothing")
        if not all(isinstance(w, Word) for w in v):
            raise Stuck("an address in a vector")
        return v

    def _vector(self, ins):
        op, a, n, t = ins.op, ins.args, ins.words, self.t
        if op == "vzeroupper":
            for r in VECTORS[:16]:
                self.vectors[r] = (*self.vectors.get(r, (None,) * 8)[:2], *(t.constant(0) for _ in range(6)))
            return
        if n == 8 or ins.mask:
            raise Unsupported(f"{ins}: such vectors are for lanes.py")
        if op in ("vpxor", "vpcmpeqq") and same_register(*a[:2]):
            v = [t.constant(0 if op == "vpxor" else -1) for _ in range(n)]  # Whatever it holds.
        elif op == "vmovq":
            v = [*self.lanes(a[0], 1), t.constant(0)]
        elif op == "vpbroadcastq":
            v = [*self.lanes(a[0], 1)] * n
        elif op == "vmovdqu":
            v = self.lanes(a[0], n)
        elif op in ("vpsllq", "vpsrlq"):
            v = [self.shifted(op[2:5], x, a[0].value) for x in self.lanes(a[1], n)]
        elif op == "vpternlogq":
            if a[0].value != 0xf8:
                raise Unsupported(str(ins))
            v = [self.bitwise("or", z, self.bitwise("and", y, x)) for x, y, z in zip(*(self.lanes(x, n) for x in a[1:]))]
        else:
            v = [self._lane(op, y, x) for x, y in zip(self.lanes(a[0], n), self.lanes(a[1], n))]
        if isinstance(a[-1], Vec):
            self.vectors[a[-1].name] = (*v, *(t.constant(0) for _ in range(8 - n)))
        else:
            for i, x in enumerate(v):
                self.store(self._place(Mem(a[-1].base, a[-1].disp + 8 * i)), x)

    def _lane(self, op, x, y):
        if op == "vpsubq":
            return self.sub(x, y, Poly())[0]
        if op == "vpcmpeqq":
            x, y = self.t.unsigned(x).constant(), self.t.unsigned(y).constant()
            if x is None or y is None:
                raise Stuck("compares what is not known")
            return self.t.constant(-int(x == y))
        if op not in ("vpand", "vpor", "vpxor"):
            raise Unsupported(op)
        return self.bitwise(op[2:], x, y)

    def _prefetch(self, a):
        """Notes a prefetch, which may be of any address."""
        at = Ptr(None, a.disp)
        for r, k in a.parts:
            x = self.regs.get(r)
            if isinstance(x, Ptr) and at.base is None and k == 1:
                at = Ptr(x.base, at.off + x.off)
            elif isinstance(x, Word) and self.t.unsigned(x).constant() is not None:
                at.off += k * self.t.unsigned(x).constant()
            else:
                raise Stuck("prefetches from who knows where")
        self.prefetched.append((at.base, at.off))

    def _add_or_sub(self, op, a):
        if op == "sbb" and isinstance(a[0], Reg) and isinstance(a[1], Reg) and a[0].name == a[1].name:
            x = y = self.t.constant(0)  # Whatever it holds.
        else:
            x, y = self.get(a[0]), self.get(a[1])
        c = self.carry("cf") if op in ("adc", "sbb") else Poly()
        if isinstance(y, Ptr):
            k = x.poly.constant() if isinstance(x, Word) else None
            if k is None or op not in ("add", "sub"):
                raise Stuck("computes with an address")
            self.set(a[1], Ptr(y.base, y.off + (k if op == "add" else -k)))
            self.cf = self.of = self.zf = None
            return
        if op in ("sub", "sbb", "cmp"):
            v, carry = self.sub(y, x, c)
        else:
            v, carry = self.add(x, y, c)
        if op != "cmp":
            self.set(a[1], v)
        self.cf, self.of, self.zf = carry, None, v

    def _logic(self, op, ins):
        a, t = ins.args, self.t
        same = isinstance(a[0], Reg) and isinstance(a[1], Reg) and a[0].name == a[1].name
        if op == "xor" and same:
            v = t.constant(0)
        else:
            x, y = self.get(a[0]), self.get(a[1])
            if ins.width == 32 and isinstance(a[0], Imm) and op in ("and", "test"):
                # The immediate is below 2^32, so the truncation changes nothing.
                y = self.regs.get(a[1].name, y)
            if isinstance(x, Ptr) or isinstance(y, Ptr):
                raise Stuck("computes with an address")
            v = y if same else self.bitwise("and" if op == "test" else op, x, y)
        self.logic_flags(v)
        if ins.width == 32:
            self.zf = None
        if op != "test":
            self.set(a[1], v)

    def complement(self, w):
        if not isinstance(w, Word):
            raise Stuck("computes with an address")
        if SIGNED[0] <= w.lo and w.hi <= SIGNED[1]:
            return Word(-1 - w.poly, -1 - w.hi, -1 - w.lo)
        u, (lo, hi) = self.t.unsigned(w), self.t.uinterval(w)
        return Word(ONES - u, ONES - hi, ONES - lo)

    def _imul(self, a):
        x, y, t = self.get(a[0]), self.get(a[1]), self.t
        if not (isinstance(x, Word) and isinstance(y, Word)):
            raise Stuck("computes with an address")
        self.cf = self.of = self.zf = None
        if x.poly.constant() is not None or y.poly.constant() is not None:
            p = t.mul(x.poly, y.poly)
            ends = [i * j for i in (x.lo, x.hi) for j in (y.lo, y.hi)]
            lo, hi = t.narrow(p, min(ends), max(ends))
            if SIGNED[0] <= lo and hi <= SIGNED[1]:
                self.set(a[1], Word(p, lo, hi))
                return
        self.set(a[1], t.word(self.product(x, y)[0]))

    def _lea(self, a):
        if len(a[0].parts) == 1 and a[0].parts[0][1] == 1:
            x = self.regs.get(a[0].parts[0][0])
            if isinstance(x, Ptr):
                self.set(a[1], Ptr(x.base, x.off + a[0].disp))
                return
        t, p, lo, hi = self.t, Poly.const(a[0].disp), a[0].disp, a[0].disp
        for r, k in a[0].parts:
            x = self.regs.get(r)
            p = p + t.unsigned(x) * k
            b, c = t.uinterval(x)
            lo, hi = lo + k * b, hi + k * c
        self.set(a[1], Word(*t.split(p, 64, lo, hi)[0]))

    def shifted(self, op, w, k):
        """A word shifted left, or right without its sign, by 0 < k < 64."""
        if not isinstance(w, Word):
            raise Stuck("computes with an address")
        u = self.t.unsigned(w)
        if op in ("shr", "srl"):
            return Word(*self.t.split(u, k)[1])
        p, lo, hi = self.t.split(u, 64 - k)[0]
        return Word(p * (1 << k), lo << k, hi << k)

    def _rotate(self, a):
        """Shifts right by one bit, with CF as the highest one."""
        y, c = self.get(a[1]), self.carry("cf")
        if not isinstance(y, Word):
            raise Stuck("computes with an address")
        low, high = self.t.split(self.t.unsigned(y), 1)
        self.set(a[1], Word(high[0] + c * (1 << 63), 0, ONES))
        self.cf, self.of = low[0], None

    def _shift(self, op, a):
        t, k, y = self.t, a[0].value & 63, self.get(a[-1])
        if not k or not isinstance(y, Word):
            raise Stuck("shift")
        self.cf = self.of = None
        if op == "sar":
            if SIGNED[0] <= y.lo and y.hi <= SIGNED[1]:
                # The sign alone is better split off at 2^64, as unsigned does.
                v = Word(*t.split(y.poly, 64 if k == 63 else k, y.lo, y.hi)[1])
            elif k == 63:
                sign = t.split(t.unsigned(y), 63)[1][0]
                v = Word(-sign, -1, 0)
            else:
                p, lo, hi = t.signed(y)
                v = Word(*t.split(p, k, lo, hi)[1])
        elif op in ("shr", "shl"):
            v = self.shifted(op, y, k)
            if op == "shr" and k == 1:
                self.cf = t.split(t.unsigned(y), 1)[0][0]
        elif op == "shrd":
            x, u = t.unsigned(self.get(a[1])), t.unsigned(y)
            p = t.split(u, k)[1][0] + t.split(x, k)[0][0] * (1 << (64 - k))
            v = Word(p, 0, ONES)
        else:
            x, u = t.unsigned(self.get(a[1])), t.unsigned(y)
            p = t.split(u, 64 - k)[0][0] * (1 << k) + t.split(x, 64 - k)[1][0]
            v = Word(p, 0, ONES)
        self.zf = v
        self.set(a[-1], v)
