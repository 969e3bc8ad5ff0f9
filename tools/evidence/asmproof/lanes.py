"""Routines on eight lanes: what the instructions of AVX-512 mean in one lane, and the proof from that.

An element of a lane is five limbs.  Those of one lane are in five vectors, which
are 64 bytes apart in memory.  Only instructions are accepted which compute each
lane of their result from that lane of their operands.  So all lanes do the same,
and the proof is of one of them, whichever: a vector is one word here.

Of limbs 0 to 3 only the low 52 bits count, as the multiplications read them.
Limb 4 counts with all its bits, and has to be below 2^49.
"""

import random

import concrete
import routine
from concrete import TOP, Case
from elements import Element, Elements
from poly import Poly
from routine import Proof
from specs import Bits, Count, Halves, In, InWords, Lanes, Out, OutWords
from symbolic import Ptr, State, Stuck, Trace, Word
from x86 import ACROSS, COMPARE, MASKED, MASKS, ONES, REGS, VECTOR, VECTORS, Imm, Mask, Mem, Reg, Unsupported, Vec, same_register

LIMB = 52
TOP_LIMB = 1 << 49  # Limb 4 is below it.
VECTOR_SIZE = 64
MEMORY = ("vmovdqu64", "vmovdqa64")


class Bit:
    """What a mask has in the lane: a polynomial which is 0 or 1."""

    def __init__(self, poly):
        self.poly = poly


class LaneTrace(Trace):
    """Splits words in several places, all of which agree."""

    def __init__(self):
        super().__init__()
        self.places = {}  # Of what was split: where.
        self.factors = []  # The variables that were multiplied.

    def _split(self, p, k, lo, hi):
        # A number of a few bits, and a multiple of a power of two.
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

    def low(self, w, i):
        """What counts of limb i."""
        t = self.t
        if i == 4:
            return t.unsigned(w), t.uinterval(w)
        low, a, b = t.split(t.unsigned(w), LIMB)[0]
        return low, (a, b)

    def fresh(self, value=None, count=5, below=None):
        """An element of unknown limbs, or of unknown words."""
        if count == 4:
            return self._element([self.t.fresh(0, ONES) for _ in range(4)], value, below)
        return self._element([self.t.fresh(0, (1 << LIMB if i < 4 else TOP_LIMB) - 1) for i in range(5)], value, below)

    def _element(self, variables, value, below):
        bits = LIMB if len(variables) == 5 else 64
        top = sum((self.t.hi[v] << bits * i for i, v in enumerate(variables)))
        symbol = self.t.fresh(0, top)
        e = Element(symbol, variables, value or Poly.var(symbol), below, bits)
        self.by_symbol[symbol] = e
        for i, v in enumerate(variables):
            self.t.atom[v] = (e, i)
        return e

    def words(self, e):
        """Its limbs, with any bits that do not count, or its words."""
        if len(e.words) == 4:
            return super().words(e)
        return [self.dirty(v, self.t.fresh(0, (1 << 64 - LIMB) - 1)) if i < 4 else Word(Poly.var(v), 0, self.t.hi[v])
                for i, v in enumerate(e.words)]

    def dirty(self, v, above):
        """A word whose low bits are the variable v, and the other ones the variable above."""
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

    def cut(self, words):
        if not all(isinstance(w, Word) for w in words):
            return None
        e = self.of(words)
        if e:
            return e
        t = self.t
        if len(words) == 4:
            self.bits, lows = 64, [(t.unsigned(w), t.uinterval(w)) for w in words]
        else:
            self.bits, lows = LIMB, [self.low(w, i) for i, w in enumerate(words)]
            if lows[4][1][1] >= TOP_LIMB:
                self.reason = "limb 4 may be too large"
                return None
            if self.want_below and any(t.uinterval(w)[1] >> LIMB for w in words):
                self.reason = "a limb may be too large"
                return None
        key = tuple(p.key() for p, _ in lows)
        if key not in self.memo:
            self.bounds = [hi for _, (_, hi) in lows]
            self.memo[key] = self._derive([p for p, _ in lows])
        found = self.memo[key]
        if isinstance(found, str):
            self.reason = found
            return None
        for i, (w, v) in enumerate(zip(words, found.words)):
            if len(words) == 4:
                w.poly, w.lo, w.hi, w.mask = Poly.var(v), t.lo[v], t.hi[v], None
                continue
            high, a, b = t.split(t.unsigned(w), LIMB)[1]
            if i == 4 or b == 0:
                w.poly, w.lo, w.hi, w.mask = Poly.var(v), t.lo[v], t.hi[v], None
            else:
                d = self.dirty(v, t.name(high, a, b))
                w.poly, w.lo, w.hi, w.mask = d.poly, d.lo, d.hi, None
        return found

    def _register(self, words, value, below):
        for v, hi in zip(words, self.bounds):
            self.t.hi[v] = min(self.t.hi[v], hi)
        return self._element(words, value, below)


class LaneState(State):
    """One lane of the vectors and masks, besides the registers."""

    def __init__(self, trace, objects, binary=None):
        super().__init__(trace, objects, binary)
        self.upper = False  # Whether something is in upper parts of vectors, which VZEROUPPER clears.
        self.chains = {}  # Of a word which got a carry: it and those that the carry came from, the first one last.
        self.chained = None  # Five words which carried to each other.

    def clone(self):
        s = LaneState(self.t, self.objects, self.binary)
        s.copy(self)
        s.masks, s.upper, s.chains = dict(self.masks), self.upper, dict(self.chains)
        return s

    def step(self, ins):
        self.chained = None
        if ins.op in MASKED:
            self.wrote = []
            self._masks(ins)
        elif ins.op == "movzb":
            self.wrote = []
            self.set(ins.args[1], self.byte(ins.args[0]))
        elif ins.op == "and" and isinstance(self.regs.get(getattr(ins.args[1], "name", None)), Ptr) and isinstance(ins.args[0], Imm):
            self.wrote = []
            self.align(ins)
        elif ins.op in VECTOR and ins.op != "vmovq":
            self.wrote = []
            self._vector(ins)
        else:
            super().step(ins)

    def align(self, ins):
        """Rounds an address on the stack down to one of a vector: who knows by how much, so it has an object of its own."""
        p = self.regs[ins.args[1].name]
        if p.base != "sp" or ins.args[0].value != -VECTOR_SIZE % (1 << 64):
            raise Stuck("computes with an address")
        self.regs[ins.args[1].name] = Ptr(("aligned", p.off), 0)
        self.cf = self.of = self.zf = None

    def vector_at(self, m, size=VECTOR_SIZE):
        """The object and the offset of a vector."""
        p = self.regs.get(m.base)
        if not isinstance(p, Ptr):
            raise Stuck(f"address from {m.base}, which is no pointer")
        base, off = p.base, p.off + m.disp
        if off % VECTOR_SIZE:
            raise Stuck("a vector which is not aligned in its object")
        if isinstance(base, tuple):
            # It is at base[1] + off at most, and at 56 bytes less at least, for words on the stack are aligned.
            if base[1] + off - VECTOR_SIZE + 8 < self.regs["rsp"].off or base[1] + off + VECTOR_SIZE > -8:
                raise Stuck("a vector outside of the frame")
        elif base == "sp" or not 0 <= off <= self.objects.get(base, (0, False))[0] - VECTOR_SIZE:
            raise Stuck(f"access outside of {base}")
        self.touched.append((base, off))
        return base, off

    def load_vector(self, m):
        if m.base is None:
            words = [self.binary.constant(m.disp + 8 * i) if self.binary else None for i in range(1 if m.broadcast else 8)]
            if None in words or len(set(words)) > 1:
                raise Stuck("reads a global which is not constant, or not the same in all lanes")
            return self.t.constant(words[0])
        if m.broadcast:
            return self.load(m)
        at = self.vector_at(m)
        v = self.mem.get(at)
        if v is None:
            raise Stuck(f"reads {at[0]}+{at[1]}, which holds nothing")
        return v

    def store(self, at, v):
        if isinstance(at[0], tuple):
            self.mem[at] = v
            self.wrote.append(at)
        else:
            super().store(at, v)

    def word(self, a):
        """The lane of an operand."""
        if isinstance(a, Mem):
            v = self.load_vector(a)
        elif isinstance(a, Reg):
            v = self.get(a)
        else:
            v = self.vectors.get(a.name)
        if v is None:
            raise Stuck(f"reads {a.name}, which holds nothing")
        if not isinstance(v, Word):
            raise Stuck("an address in a vector")
        return v

    def mask(self, name):
        if name not in self.masks:
            raise Stuck(f"reads {name}, which holds nothing")
        return self.masks[name].poly

    def _vector(self, ins):
        op, a, t = ins.op, ins.args, self.t
        if op == "vzeroupper":
            self.upper = False
            for r in VECTORS[:16]:
                self.vectors.pop(r, None)
            return
        bcast = op == "vpbroadcastq"
        if ins.words != 8 and not (op in ("vpxor", "vpxorq") and same_register(*a[:2])) or op in ACROSS or op == "vpgatherqq":
            raise Unsupported(f"{ins}: not in each lane for itself")
        on = Poly.const(1) if ins.mask is None else self.mask(ins.mask)
        if op in COMPARE:
            self.masks[a[-1].name] = Bit(t.mul(self.compare(op, self.word(a[1]), self.word(a[0])), on))
            return
        if op in ("vpxor", "vpxorq") and same_register(*a[:2]):
            v = t.constant(0)  # Whatever it holds.
        elif op in MEMORY or bcast:
            if bcast and isinstance(a[0], Vec):
                raise Unsupported(f"{ins}: not in each lane for itself")
            m = Mem(a[0].base, a[0].disp, True) if bcast and isinstance(a[0], Mem) else a[0]
            v = self.word(m)
        elif op == "vpblendmq":
            v = self.choose(on, self.word(a[0]), self.word(a[1]))
            on = Poly.const(1)
        else:
            v = self.lane(ins)
        dest = a[-1]
        if on.constant() != 1:
            v = self.choose(on, v, t.constant(0) if ins.zeroing else self.load_vector(dest) if isinstance(dest, Mem) else self.word(dest))
        if isinstance(dest, Mem):
            self.store(self.vector_at(dest), v)
        else:
            self.vectors[dest.name] = v
            self.upper |= int(dest.name[3:]) < 16

    def lane(self, ins):
        op, a, t = ins.op, ins.args, self.t
        if op == "vpternlogq":
            return self.ternary(a[0].value, self.word(a[3]) if a[0].value % 16 != a[0].value // 16 else None, self.word(a[2]), self.word(a[1]))
        if op in ("vpsllq", "vpsrlq"):
            return self.shifted(op[2:5], self.word(a[1]), a[0].value)
        y, x = (self.word(v) for v in a[:2])
        if op in ("vpmadd52luq", "vpmadd52huq"):
            low, high = self.halves(x, y)
            return self.add(self.word(a[2]), Word(*(low if op == "vpmadd52luq" else high)), Poly())[0]
        if op == "vpaddq":
            v = self.add(x, y, Poly())[0]
            self.chain(v, x, y)
            return v
        if op == "vpsubq":
            return self.sub(x, y, Poly())[0]
        if op in ("vpandq", "vporq", "vpxorq"):
            return self.bitwise(op[2:-1], x, y)
        if op == "vpandnq":
            return self.bitwise("and", self.complement(x), y)
        raise Unsupported(str(ins))

    def halves(self, x, y):
        """The product of what the multiplications read of two words, split where they do."""
        t, factors = self.t, []
        for w in (x, y):
            p, lo, hi = t.split(t.unsigned(w), LIMB)[0]
            if w.is_unsigned() and w.hi >> LIMB == 0:
                p, lo, hi = w.poly, w.lo, w.hi
            factors.append((p if p.constant() is not None else Poly.var(t.name(p, lo, hi)), lo, hi))
        (p, a, b), (q, c, d) = factors
        t.factors += [f.single() for f in (p, q) if f.constant() is None]
        return t.split(t.mul(p, q), LIMB, a * c, b * d)

    def chain(self, v, x, y):
        """Notes what carries to v: where one of the words it is the sum of is what is above 52 bits of another."""
        for w in (x, y):
            before = self.chains.get(w.poly.key())
            if before:
                self.chains[id(v)] = (v, *before)
                if len(before) >= 4:
                    self.chained = [*reversed(before[:4]), v]

    def shifted(self, op, w, k):
        v = super().shifted(op, w, k)
        if op == "srl" and k == LIMB:
            self.chains[v.poly.key()] = self.chains.get(id(w), (w,))
        return v

    def bitwise(self, op, x, y):
        t = self.t
        if op == "or":
            for x, y in ((x, y), (y, x)):
                # Bits of y below a power of two that divides x.
                k = t.uinterval(y)[1].bit_length()
                p = t.unsigned(x)
                if k < 64 and all(c % (1 << k) == 0 for c in p.terms.values()):
                    q = p + t.unsigned(y)
                    return Word(q, *t.narrow(q, 0, ONES))
        return super().bitwise(op, x, y)

    def ternary(self, table, dest, x, y):
        if table == 0xff:
            return self.t.constant(-1)
        if table == 0xf8:  # dest | x & y
            return self.bitwise("or", dest, self.bitwise("and", x, y))
        if table == 0xfe:
            return self.bitwise("or", dest, self.bitwise("or", x, y))
        raise Unsupported(f"vpternlogq of {table:#x}")

    def compare(self, op, x, y):
        """A bit: the order, for unsigned numbers, of x and y; or whether bits of both are set."""
        t = self.t
        if op in ("vptestmq", "vptestnmq"):
            if x is not y and x.poly != y.poly:
                x = self.bitwise("and", x, y)
            z = t.is_zero(t.unsigned(x), t.uinterval(x)[1])
            return z if op == "vptestnmq" else 1 - z
        raise Unsupported(op)

    def byte(self, a):
        """A mask which is a parameter, or in a register."""
        if isinstance(a, Mem):
            p = self.regs.get(a.base)
            v = self.mem.get((p.base, p.off + a.disp)) if isinstance(p, Ptr) else None
        else:
            v = self.regs.get(a.name)
        if not isinstance(v, Bit):
            raise Stuck("no mask is there")
        return v

    def _masks(self, ins):
        op, a = ins.op, ins.args
        if op == "kmov":
            v = self.masks.get(a[0].name) if isinstance(a[0], Mask) else self.byte(a[0])
            if v is None:
                raise Stuck(f"reads {a[0].name}, which holds nothing")
            if isinstance(a[1], Mask):
                self.masks[a[1].name] = v
            elif isinstance(a[1], Reg):
                self.regs[a[1].name] = v
            else:
                p = self.regs.get(a[1].base)
                at = (p.base, p.off + a[1].disp) if isinstance(p, Ptr) else None
                if at not in self.results:
                    raise Stuck("writes a mask to no result")
                self.mem[at] = v
            return
        if op in ("ktest", "kortest", "kshiftl", "kshiftr"):
            raise Unsupported(f"{ins}: not in each lane for itself")
        y = self.mask(a[0].name)
        if op == "knot":
            v = 1 - y
        elif op in ("kxor", "kxnor") and a[0].name == a[1].name:
            v = Poly.const(int(op == "kxnor"))
        else:
            x = self.mask(a[1].name)
            both = self.t.mul(x, y)
            v = {"kand": both, "kandn": y - both, "kor": x + y - both, "kxor": x + y - both * 2, "kxnor": 1 - x - y + both * 2}[op]
        self.masks[a[-1].name] = Bit(v)


class LaneProof(Proof):
    """A routine on lanes, in one of them."""

    trace_of, state, elements_of, stride = LaneTrace, LaneState, LaneElements, VECTOR_SIZE
    parts = ("regs", "mem", "vectors", "masks")

    @staticmethod
    def limbs(p):
        return limbs_of(p)

    def given(self, p, at):
        if isinstance(p, Bits):
            bit = Poly.const(p.value)
            self.start.mem[at] = Bit(bit)
            self.flags.append(bit)

    def unknown(self, v):
        return Bit(Poly.var(self.trace.fresh(0, 1))) if isinstance(v, Bit) else super().unknown(v)

    def stored(self, state, at):
        if not isinstance(state.mem[at], Word) or self.spec.below:
            return  # Bounds would be lost at an element.
        base, off = at
        state.pending.add(at)
        for start in range(off - 4 * VECTOR_SIZE, off + VECTOR_SIZE, VECTOR_SIZE):
            places = [(base, start + VECTOR_SIZE * i) for i in range(5)]
            if state.pending.issuperset(places) and self.elements.cut([state.mem[p] for p in places]):
                state.pending.difference_update(places)
                return

    def stepped(self, state):
        if state.chained and not self.spec.below:
            self.elements.cut(state.chained)

    def check_vectors(self, state):
        if state.upper:
            raise Stuck("leaves something in the upper parts of vectors")

    @staticmethod
    def left_in_vectors(state):
        return None


class LaneCase(Case):
    """Inputs of a routine in eight lanes, each like those of a case of its own."""

    def __init__(self, spec, places, seed, most=3):
        self.spec, self.places = spec, places
        self.rng = rng = random.Random(seed)
        self.objects = {base: 0x100000 * (i + 1) for i, base in enumerate(sorted({base for base, _ in places.values()}))}
        self.mem, self.writable, args = {TOP: rng.getrandbits(64)}, set(), {}
        given, inputs, self.bits, times = {}, [], [], 1
        for p, off in spec.places():
            if isinstance(p, In):
                group = []
                for k in range(p.count):
                    at = self.address(p.name, k)
                    if at not in given:
                        given[at] = [self.words() if limbs_of(p) == 4 else self.limbs() for _ in range(8)]
                        self.mem.update((at + 64 * j + 8 * i, w) for i, limbs in enumerate(given[at]) for j, w in enumerate(limbs))
                    group.append(given[at])
                inputs.append(group)
            if isinstance(p, Out):
                at = self.address(p.name, 0)
                self.writable.update(range(at, at + 64 * limbs_of(p) * p.count, 8))
            if isinstance(p, (In, Out)):
                args[off] = self.address(p.name, 0)
            elif isinstance(p, Count):
                args[off] = times = rng.randint(1, most)
            elif isinstance(p, Bits):
                byte = rng.choice((0, 0xff, rng.getrandbits(8), rng.getrandbits(8)))
                args[off & ~7] = args.get(off & ~7, 0) | byte << 8 * (off & 7)
                self.bits.append((byte, p.value))
        self.mem.update((TOP + 8 + off, arg) for off, arg in args.items())
        self.inputs, self.want = inputs, []
        for i in range(8):
            values = [[value(limbs[i]) for limbs in group] for group in inputs]
            for _ in range(times):
                want = [v % spec.n for v in spec.formula(*values, *(byte >> i & 1 for byte, _ in self.bits))]
                values = [want]
            self.want.append(want)
        self.regs = {r: rng.getrandbits(64) for r in REGS}
        self.regs["rsp"] = TOP
        self.vectors = {v: [rng.getrandbits(64) for _ in range(8)] for v in VECTORS}
        self.masks = {k: rng.getrandbits(64) for k in MASKS}

    def address(self, name, k):
        base, off = self.places[name]
        return self.objects[base] + off + 320 * k

    def limbs(self):
        """Those of an element: often at an edge."""
        rng = self.rng
        if rng.getrandbits(1):
            v = self.integer(None)
            return [v >> LIMB * i & (1 << LIMB) - 1 for i in range(5)]
        edges = [0, 1, (1 << LIMB) - 1, 1 << LIMB, ONES, ONES - (1 << LIMB) + 1]
        return [rng.choice((rng.choice(edges), rng.getrandbits(64), ONES)) % (1 << 64 if i < 4 else TOP_LIMB) for i in range(5)]

    def words(self):
        v = self.integer(None)
        return [v >> 64 * i & ONES for i in range(4)]

    def check(self, m):
        if m.r["rsp"] != TOP + 8 or m.r["rbp"] != self.regs["rbp"]:
            return "RSP or RBP"
        if any(any(m.v[r][2:]) for r in VECTORS[:16] if m.v[r] != self.vectors[r]):
            return "upper parts of vectors"
        return self.wrong(m)

    def wrong(self, m):
        """What is wrong with the results, if anything."""
        at = [(p.name, j, limbs_of(p)) for p in self.spec.outs for j in range(p.count)]
        for k, (name, j, count) in enumerate(at):
            for i in range(8):
                limbs = [m.mem.get(self.address(name, j) + 64 * limb + 8 * i) for limb in range(count)]
                if None in limbs:
                    return f"{name}[{j}] is not set"
                v = value(limbs)
                if count == 5 and (limbs[4] >= TOP_LIMB or self.spec.below and any(limb >> LIMB for limb in limbs)):
                    return f"a limb of {name}[{j}] is too large in lane {i}"
                if (v if self.spec.below else v % self.spec.n) != self.want[i][k]:
                    return f"{name}[{j}] is wrong in lane {i}"
        return None

    def vector_claims(self, claims, ins, state, m):
        for r, w in state.vectors.items():
            claims.append((ins, r, w, tuple(m.v[r])))
        for r, b in state.masks.items():
            claims.append((ins, r, Word(b.poly, 0, 1), tuple(m.k[r] >> i & 1 for i in range(8))))
        for base, off in state.wrote:
            w = state.mem[base, off]
            if isinstance(w, Word) and base in self.objects:
                claims.append((ins, "memory", w, tuple(m.mem[self.objects[base] + off + 8 * i] for i in range(8))))

    def environments(self, proof, claims):
        for i in range(8):
            if any(byte >> i & 1 != bit for byte, bit in self.bits):
                continue
            env = {}
            for group, given in zip(proof.inputs, self.inputs):
                for e, limbs in zip(group, given):
                    for v, w in zip(e.words, limbs[i]):
                        env[v] = w if len(limbs[i]) == 4 else w & (1 << LIMB) - 1
            for at, w in proof.start.mem.items():
                if at[0] == "sp" and isinstance(w, Word) and w.poly.single() is not None:
                    env[w.poly.single()] = self.mem[TOP + at[1]]
                elif isinstance(w, Word):  # Bits which do not count.
                    for v in w.poly.vars() - env.keys():
                        env[v] = self.mem[self.objects[at[0]] + at[1] + 8 * i] >> LIMB
            yield env, [(ins, what, w, x[i] if isinstance(x, tuple) else x) for ins, what, w, x in claims]


def limbs_of(p):
    """How many words there are in a lane of an element that a parameter points to."""
    return 3 if isinstance(p, Halves) else 4 if isinstance(p, (InWords, OutWords)) else 5


def value(limbs):
    if len(limbs) == 4:
        return sum(word << 64 * i for i, word in enumerate(limbs))
    return sum(limb % (1 << LIMB) << LIMB * i for i, limb in enumerate(limbs))


routine.kinds[Lanes] = LaneProof
concrete.kinds[Lanes] = LaneCase
