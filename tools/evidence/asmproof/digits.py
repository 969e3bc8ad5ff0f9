"""Recodings: loops in which each lane writes a number k1 + k2·λ as digits, one place after the other.

A word of a lane is an expression of bit vectors, for any lane, as all compute
the same. Control flow and addresses are known. In front of each jump back the
digit of one more place is there. Let x be what the digits before it leave of
k1, besides its bits from that place on, and X the sum of x and the next bits.
For the digit a + b·λ, X has to be a + 2^width·x', where x' is in a register and
small; and so for k2. As all of that depends on X and that of k2 alone, it is
computed for all their values. Then x' is what this digit leaves. In its place
any small number is taken, from which the next place begins. So by induction the
digits and what is left sum to the number, and the last digit is what is left.
"""

import itertools
import random

import z3

import concrete
import routine
import x86
from concrete import TOP
from specs import Digits, In
from symbolic import Ptr, Stuck
from x86 import COMPARE, LANEWISE, MASKED, MASKS, ONES, REGS, VECTOR, VECTORS, WORD, Imm, Indexed, Machine, Mask, Mem, Reg, Trap, Unsupported, Vec, same_register

MOST_STEPS = 10000
SMALL = 2  # Of what digits leave, the absolute value.
HALF = 24  # Words of a half, in all lanes.


def bits(v):
    return v if z3.is_expr(v) else z3.BitVecVal(v, 64)


def narrow(x, size):
    """The low bits of x."""
    return z3.ZeroExt(64 - size, z3.Extract(size - 1, 0, x))


def conjunction(x, y):
    for x, y in ((x, y), (y, x)):
        if z3.is_bv_value(x) and x.as_long() & x.as_long() + 1 == 0 < x.as_long() < ONES:
            return narrow(y, x.as_long().bit_length())
    return x & y


def zeros(x):
    """How many zeros are above the highest bit."""
    r = bits(64)
    for i in range(64):
        r = z3.If(z3.Extract(i, i, x) == 1, bits(63 - i), r)
    return r


def ternary(table, d, x, y):
    r = bits(0)
    for i in range(8):
        if table >> i & 1:
            r = r | (d if i & 4 else ~d) & (x if i & 2 else ~x) & (y if i & 1 else ~y)
    return r


# On words of a lane, the operands in the order of the manual.
MEANING = {"vpaddq": lambda x, y: x + y, "vpsubq": lambda x, y: x - y, "vpandq": conjunction, "vporq": lambda x, y: x | y,
           "vpxorq": lambda x, y: x ^ y, "vpandnq": lambda x, y: conjunction(~x, y), "vpsllvq": lambda x, y: x << y, "vpsrlvq": z3.LShR,
           "vpsllq": lambda x, y: x << y, "vpsrlq": z3.LShR, "vpsraq": lambda x, y: x >> y, "vplzcntq": zeros}


class Vector:
    """The word of the lane, and the words of all lanes, if they are known."""

    def __init__(self, word, words=None):
        self.word, self.words = word, words


class DigitsState:
    """Registers, with integers and pointers; vectors and masks, in one lane; and memory."""

    def __init__(self, spec, start, lane):
        """start maps offsets in k to words of the lane."""
        self.spec, self.start, self.lane = spec, start, lane
        self.regs = {"rsp": Ptr("sp", 0), "rbp": Ptr("caller's frame", 0)}
        self.vectors, self.masks, self.flags, self.upper = {}, {}, None, False
        self.mem = {}  # Of the results: expressions by offset.
        self.sizes = {p.name: 8 * p.count for p in spec.params}
        self.params = {8 + off: Ptr(p.name, 0) for p, off in spec.places()}

    def place(self, m, size):
        p = self.regs.get(m.base)
        if not isinstance(p, Ptr):
            raise Stuck(f"address from {m.base}, which is no pointer")
        off = p.off + m.disp
        if isinstance(m, Indexed):
            n = self.regs.get(m.index)
            if not isinstance(n, int):
                raise Stuck(f"{m.index} is not known")
            off += n * m.scale
        if p.base != "sp" and not 0 <= off <= self.sizes.get(p.base, 0) - size or size > 1 and off % 8:
            raise Stuck(f"access outside of {p.base}")
        return p.base, off

    def select(self, words, index):
        """The word which the low bits of an index choose."""
        nodes, i = [bits(w) for w in words], 0
        while len(nodes) > 1:
            bit = z3.Extract(i, i, index) == 1
            nodes, i = [x if x.eq(y) else z3.If(bit, y, x) for x, y in zip(nodes[::2], nodes[1::2])], i + 1
        return nodes[0]

    def load(self, m):
        base, off = self.place(m, 64)
        if off % 64:
            raise Stuck("a vector across lanes")
        if base == self.spec.table.name:
            words = self.spec.table.words[off // 8:off // 8 + 8]
            return Vector(None, words)
        if base != self.spec.number.name:
            raise Stuck(f"reads {base}")
        return Vector(self.start[off])

    def word(self, v):
        if v.word is None:
            v.word = z3.simplify(self.select(v.words, self.lane))
        return v.word

    def operand(self, a):
        if isinstance(a, Mem):
            if a.broadcast:
                raise Stuck("broadcasts a word")
            return self.load(a)
        v = self.vectors.get(a.name)
        if v is None:
            raise Stuck(f"reads {a.name}, which holds nothing")
        return v

    def known(self, v):
        if v.words is None:
            raise Stuck("looks up in what is not known")
        return v.words

    def bit(self, name):
        v = self.masks.get(name)
        if v is None or isinstance(v, int):
            raise Stuck(f"{name} has no bit of the lane")
        return v

    def step(self, ins):
        op, a = ins.op, ins.args
        if op in VECTOR:
            self.vector(ins)
        elif op in MASKED:
            self.masked(ins)
        elif op == "nop":
            pass
        elif op == "mov" and ins.width == 64 and isinstance(a[1], Reg) and a[1].name not in ("rsp", "rbp"):
            v = self.integer(a[0])
            self.regs[a[1].name] = v
        elif op in ("add", "sub", "cmp", "xor") and isinstance(a[1], Reg) and a[1].name not in ("rsp", "rbp"):
            self.compute(ins)
        else:
            raise Unsupported(str(ins))

    def integer(self, a):
        if isinstance(a, Imm):
            return a.value
        if isinstance(a, Mem):
            base, off = self.place(a, 8)
            if base != "sp" or off not in self.params:
                raise Stuck(f"reads {base}")
            return self.params[off]
        if a.name not in self.regs:
            raise Stuck(f"reads {a.name}, which holds nothing")
        return self.regs[a.name]

    def compute(self, ins):
        op, (x, y) = ins.op, ins.args
        if op == "xor":
            if not same_register(x, y):
                raise Unsupported(str(ins))
            v, w = 0, 0
        else:
            v, w = self.integer(x), self.integer(y)
        if isinstance(w, Ptr) and isinstance(v, int) and op in ("add", "sub"):
            n = v - (v >> 63 << 64)
            self.regs[y.name], self.flags = Ptr(w.base, w.off + (n if op == "add" else -n)), None
            return
        if isinstance(v, Ptr) or isinstance(w, Ptr) or ins.width != 64 and op != "xor":
            raise Stuck("computes with an address")
        m = Machine({y.name: w, getattr(x, "name", None): v}, {}, set(), 0)
        m.step(ins)
        self.flags, self.regs[y.name] = m, m.r[y.name]

    def holds(self, cond):
        if self.flags is None:
            raise Stuck("reads flags which are not known")
        return self.flags.flag(cond[0]) == cond[1]

    def vector(self, ins):
        op, a = ins.op, ins.args
        if op == "vzeroupper":
            self.upper = False
            for r in VECTORS[:16]:
                self.vectors.pop(r, None)
            return
        dest = a[-1]
        if op in COMPARE:
            if op not in ("vptestmq", "vptestnmq") or ins.words != 8:
                raise Unsupported(str(ins))
            x, y = self.word(self.operand(a[1])), self.word(self.operand(a[0]))
            v = (x if x.eq(y) else x & y) == 0
            v = v if op == "vptestnmq" else z3.Not(v)
            self.masks[dest.name] = z3.simplify(z3.And(v, self.bit(ins.mask)) if ins.mask else v)
            return
        v = self.result(ins)
        if ins.mask and op != "vpermb":
            old = bits(0) if ins.zeroing else self.before(dest)
            v = Vector(z3.simplify(z3.If(self.bit(ins.mask), self.word(v), old)))
        if isinstance(dest, Mem):
            self.store(dest, self.word(v))
        else:
            self.vectors[dest.name] = v
            self.upper |= ins.words > 2 and int(dest.name[3:]) < 16

    def before(self, dest):
        """What a masked instruction leaves in other lanes."""
        if isinstance(dest, Mem):
            v = self.mem.get(self.place(dest, 64)[1])
            if v is None:
                raise Stuck("keeps what was in memory")
            return v
        return self.word(self.operand(dest))

    def store(self, m, word):
        base, off = self.place(m, 64)
        if base != self.spec.outs[0].name or off % 64:
            raise Stuck(f"writes {base}")
        self.mem[off] = word

    def result(self, ins):
        op, a = ins.op, ins.args
        if op == "vpxorq" and same_register(*a[:2]):
            return Vector(bits(0), (0,) * 8)  # Whatever it holds.
        if op in ("vpbroadcastq", "vmovq") and isinstance(a[0], Reg):
            n = self.integer(a[0])
            if not isinstance(n, int):
                raise Stuck("an address in a vector")
            return Vector(None, (n,) + (n if op == "vpbroadcastq" else 0,) * 7)
        if op == "vpmovzxbq":
            low, = self.known(self.operand(a[0]))[:1]
            return Vector(None, tuple(low >> 8 * i & 0xff for i in range(8)))
        if ins.words != 8:
            raise Unsupported(str(ins))
        if op in ("vmovdqu64", "vmovdqa64"):
            v = self.operand(a[0])
            return Vector(v.word, v.words)
        if op == "vpermq":
            return Vector(z3.simplify(self.select(self.known(self.operand(a[0])), self.word(self.operand(a[1])))))
        if op == "vpermb":
            return self.permuted(ins)
        if op == "vpmadd52luq":
            z, y, x = (self.word(self.operand(v)) for v in (a[2], a[0], a[1]))
            return Vector(z3.simplify(z + narrow(x * y, 52)))
        if op == "vpternlogq":
            y, x, z = (self.word(self.operand(v)) for v in a[1:])
            return Vector(z3.simplify(ternary(a[0].value, z, x, y)))
        if op not in MEANING or op not in LANEWISE:
            raise Unsupported(str(ins))
        x, *y = (bits(v.value) if isinstance(v, Imm) else self.word(self.operand(v)) for v in reversed(a[:-1]))
        return Vector(z3.simplify(MEANING[op](x, *y)))

    def permuted(self, ins):
        """The bytes of a table at indexes, where a mask which is the same for all lanes has ones."""
        mask = self.masks.get(ins.mask) if ins.mask else ONES
        if not isinstance(mask, int) or mask != (mask & 0xff) * 0x0101010101010101 or ins.mask and not ins.zeroing:
            raise Unsupported(f"{ins}: not in each lane for itself")
        table, index = self.known(self.operand(ins.args[0])), self.word(self.operand(ins.args[1]))
        entries = [table[i // 8] >> 8 * (i % 8) & 0xff for i in range(64)]
        r = bits(0)
        for i in range(8):
            if mask >> i & 1:
                r = r | self.select(entries, z3.LShR(index, 8 * i)) << 8 * i
        return Vector(z3.simplify(r))

    def masked(self, ins):
        op, a = ins.op, ins.args
        if op == "kmov" and isinstance(a[0], Reg) and isinstance(a[1], Mask) and ins.width == 64 and isinstance(n := self.integer(a[0]), int):
            self.masks[a[1].name] = n
        elif op == "kmov" and isinstance(a[1], Mem) and ins.width == 8:
            base, off = self.place(a[1], 1)
            if base != self.spec.outs[0].name:
                raise Stuck(f"writes {base}")
            self.mem[off] = self.bit(a[0].name)
        elif op in ("kand", "kandn", "kor", "kxor") and ins.width == 8:
            y, x = self.bit(a[0].name), self.bit(a[1].name)
            self.masks[a[2].name] = z3.simplify({"kand": z3.And(x, y), "kandn": z3.And(z3.Not(x), y), "kor": z3.Or(x, y), "kxor": z3.Xor(x, y)}[op])
        else:
            raise Unsupported(str(ins))


def choose(condition, x, y):
    return z3.If(condition, bits(x), bits(y))


class DigitsProof:
    """A recoding, in any lane."""

    proved_before = set()  # Claims, by what they say, which are the same at many places.

    def __init__(self, prog, spec, places, binary=None, record=None, strict=True):
        self.prog, self.spec, self.proved = prog, spec, 0
        self.elements, self.public = self, None
        self.live = x86.liveness(prog)
        width, last = spec.width, spec.places_of_digits - 1
        self.lane = z3.BitVec("lane", 64)
        # The bits of k1 and of k2, for each place, the last of which has the sign.
        self.next = [[z3.BitVec(f"{name}{i}", width if i < last else spec.size + 1 - width * last) for i in range(last + 1)] for name in "ab"]
        start = {}
        for half, digits in enumerate(self.next):
            whole = z3.SignExt(191 - spec.size, z3.Concat(*reversed(digits)))
            start.update((64 * (3 * half + w), z3.simplify(z3.Extract(64 * w + 63, 64 * w, whole))) for w in range(3))
        self.state = DigitsState(spec, start, self.lane)
        self.left = [bits(0), bits(0)]  # By the digits before.
        self.where = None  # The registers which hold it.
        self.done, self.kept = 0, {}
        self.place()

    def place(self):
        """Begins with a place."""
        self.sums = [z3.simplify(x + self.extended(of[self.done])) for x, of in zip(self.left, self.next)]
        self.names = [z3.BitVec(f"{name}{self.done}", 64) for name in "XY"]

    def extended(self, digit):
        return (z3.ZeroExt if self.done < self.spec.places_of_digits - 1 else z3.SignExt)(64 - digit.size(), digit)

    def values(self):
        """Those of the sums of what is left and the next bits."""
        size = self.next[0][self.done].size()
        least, end = (0, 1 << size) if self.done < self.spec.places_of_digits - 1 else (-(1 << size - 1), 1 << size - 1)
        return range(least - SMALL, end + SMALL)

    def run(self):
        state, i = self.state, 0
        for _ in range(MOST_STEPS):
            if i >= len(self.prog):
                raise Stuck("runs past its end")
            ins = self.prog[i]
            i += 1
            if ins is None:
                continue
            try:
                if ins.op == "ret":
                    self.finish()
                    return
                if ins.op == "j":
                    if ins.target < i:
                        self.turn(ins.target)
                    i = ins.target if state.holds(ins.cond) else i
                    continue
                state.step(ins)
                if ins.op == "vpaddq" and isinstance(ins.args[-1], Vec):
                    self.name(state.vectors[ins.args[-1].name])
            except Stuck as e:
                raise Stuck(f"{ins}: {e}") from None
        raise Stuck("does not end")

    def name(self, v):
        """Gives a name to the sum of what is left and the next bits."""
        for x, name in zip(self.sums, self.names):
            if v.word is not None and x.eq(v.word):
                v.word = name

    def digit(self):
        """Whether the digit of this place is one, and its coordinates; None if it is not there."""
        values = self.spec.fields(self.done, self.state.mem.get)
        return None if None in values else self.spec.digit(choose, z3.And, self.done % 2 == 1, self.lane, *values)

    def turn(self, target):
        """Proves the digit of one more place, if it is there, and forgets it."""
        if self.done == self.spec.places_of_digits - 1 or (digit := self.digit()) is None:
            return
        ok, *coordinates = digit
        width = self.spec.width
        if self.where is None:
            self.where = [self.find(x - c >> width, target) for x, c in zip(self.names, coordinates)]
        after = [self.state.word(self.state.operand(Vec(r, 8))) for r in self.where]
        self.prove(z3.And(ok, *(z3.And(s == c + (x << width), x <= SMALL, x >= -SMALL) for s, c, x in zip(self.names, coordinates, after))),
                   f"digit {self.done} is wrong")
        self.left = [z3.SignExt(60, z3.BitVec(f"{name}{self.done}", 4)) for name in "xy"]
        self.state.vectors.update((r, Vector(x)) for r, x in zip(self.where, self.left))
        self.kept.update((off, self.state.mem[off]) for off in self.spec.fields(self.done, lambda off: off))
        self.done += 1
        self.place()

    def find(self, want, target):
        """The register which holds what is wanted, as far as examples tell."""
        rng = random.Random(1)
        for r in sorted(self.live[target] & self.state.vectors.keys()):
            word = self.state.word(self.state.vectors[r])
            for _ in range(4):
                env = [(v, bits(rng.randrange(1 << self.spec.width))) for v in self.names] + [(self.lane, bits(rng.randrange(8)))]
                if not z3.is_true(z3.simplify(z3.substitute(word == want, *env))):
                    break
            else:
                return r
        raise Stuck("nowhere is what a digit leaves")

    def prove(self, claim, why):
        """Computes a claim for all that it may depend on."""
        claim = z3.substitute(claim, *((v, z3.BitVec(name, 64)) for v, name in zip(self.names, "XY")))
        key = claim.sexpr(), self.values()
        if key not in self.proved_before:
            holds, used = compiled(claim)
            lanes = range(8) if "lane" in used else range(1)
            if used - {"X", "Y", "lane"}:
                raise Stuck(f"depends on more than the digits and what is left before them: {min(used)}")
            if not all(holds(x & ONES, y & ONES, lane) for x, y, lane in itertools.product(self.values(), self.values(), lanes)):
                raise Stuck(why)
            self.proved_before.add(key)
        self.proved += 1

    def finish(self):
        state, spec = self.state, self.spec
        if state.regs["rsp"] != Ptr("sp", 0) or state.regs["rbp"] != Ptr("caller's frame", 0):
            raise Stuck("RSP or RBP at RET")
        if state.upper:
            raise Stuck("leaves something in the upper parts of vectors")
        if self.done != spec.places_of_digits - 1 or (digit := self.digit()) is None:
            raise Stuck("digits are missing")
        if any(not state.mem[off].eq(v) for off, v in self.kept.items()):
            raise Stuck("changes a digit later")
        fits = state.mem.get(spec.fits)
        if fits is None:
            raise Stuck("does not say whether the digits fit")
        ok, *coordinates = digit
        self.prove(ok, "the last digit is none")
        self.prove(z3.Implies(fits, z3.And(*(c == spec.factor * x for c, x in zip(coordinates, self.names)))), "the last digit is not what is left")
        must = z3.Or(*(z3.And(*(x == v for x, v in zip(self.names, number))) for number in sorted(spec.must_fit)))
        self.prove(z3.Implies(must, fits), "does not fit what it must")


def compiled(expression):
    """A function of X, Y and the lane with the value of an expression, and the variables in it."""
    lines, names, used = [], {}, set()

    def code(e):
        kind, size, args = e.decl().kind(), e.size() if z3.is_bv(e) else 1, [names[c.get_id()] for c in e.children()]
        mask = (1 << size) - 1
        signed = [f"({x} - ({x} >> {c.size() - 1} << {c.size()}))" if z3.is_bv(c) else x for x, c in zip(args, e.children())]
        if kind == z3.Z3_OP_UNINTERPRETED and not args:
            used.add(str(e))
            return str(e)
        if kind == z3.Z3_OP_BNUM:
            return str(e.as_long())
        if kind in INFIX:
            return f"({f' {INFIX[kind]} '.join(args)}) & {mask}"
        if kind in ORDER:
            how = ORDER[kind]
            return f" {how} ".join(signed if kind in SIGNED else args)
        if kind == z3.Z3_OP_CONCAT:
            at, parts = size, []
            for x, c in zip(args, e.children()):
                at -= c.size()
                parts.append(f"{x} << {at}")
            return " | ".join(parts)
        if kind == z3.Z3_OP_EXTRACT:
            return f"{args[0]} >> {e.params()[1]} & {mask}"
        simple = {z3.Z3_OP_TRUE: "True", z3.Z3_OP_FALSE: "False", z3.Z3_OP_BNOT: "{0} ^ %d" % mask, z3.Z3_OP_BNEG: "-{0} & %d" % mask, z3.Z3_OP_ZERO_EXT: "{0}",
                  z3.Z3_OP_BSHL: "{0} << {1} & %d if {1} < %d else 0" % (mask, size), z3.Z3_OP_BLSHR: "{0} >> {1} if {1} < %d else 0" % size,
                  z3.Z3_OP_ITE: "{1} if {0} else {2}", z3.Z3_OP_NOT: "not {0}", z3.Z3_OP_IMPLIES: "not {0} or {1}"}
        if kind in simple:
            return simple[kind].format(*args)
        if kind == z3.Z3_OP_SIGN_EXT:
            return f"{signed[0]} & {mask}"
        if kind == z3.Z3_OP_BASHR:
            return f"{signed[0]} >> min({args[1]}, {size}) & {mask}"
        raise Stuck(f"an expression with {e.decl().name()}")

    todo = [expression]
    while todo:
        e = todo[-1]
        missing = [c for c in e.children() if c.get_id() not in names]
        todo += missing
        if not missing:
            todo.pop()
            if e.get_id() not in names:
                lines.append(f" v{len(names)} = {code(e)}")
                names[e.get_id()] = f"v{len(names)}"
    scope = {}
    exec("\n".join(["def f(X, Y, lane):", *lines, f" return {names[expression.get_id()]}"]), scope)
    return scope["f"], used


INFIX = {z3.Z3_OP_BADD: "+", z3.Z3_OP_BSUB: "-", z3.Z3_OP_BMUL: "*", z3.Z3_OP_BAND: "&", z3.Z3_OP_BOR: "|", z3.Z3_OP_BXOR: "^"}
SIGNED = {z3.Z3_OP_SLEQ, z3.Z3_OP_SLT, z3.Z3_OP_SGEQ, z3.Z3_OP_SGT}
ORDER = {z3.Z3_OP_AND: "and", z3.Z3_OP_OR: "or", z3.Z3_OP_EQ: "==", z3.Z3_OP_DISTINCT: "!=",
         z3.Z3_OP_ULEQ: "<=", z3.Z3_OP_ULT: "<", z3.Z3_OP_UGEQ: ">=", z3.Z3_OP_UGT: ">",
         z3.Z3_OP_SLEQ: "<=", z3.Z3_OP_SLT: "<", z3.Z3_OP_SGEQ: ">=", z3.Z3_OP_SGT: ">"}


class DigitsCase:
    """Numbers, many of which are at edges."""

    known = {}  # Digits.

    def __init__(self, spec, places, seed, most=3):
        self.spec = spec
        self.rng = rng = random.Random(seed)
        self.objects = {p.name: 0x100000 * (i + 1) for i, p in enumerate(spec.params)}
        self.numbers = [[self.number() for _ in range(2)] for _ in range(8)]
        self.mem, self.writable = {TOP: rng.getrandbits(64)}, set()
        for p, off in spec.places():
            at = self.objects[p.name]
            self.mem[TOP + 8 + off] = at
            self.mem.update((at + 8 * i, rng.getrandbits(64)) for i in range(p.count))
            if p in spec.outs:
                self.writable.update(range(at, at + 8 * p.count, 8))
        self.mem.update((self.objects[spec.table.name] + 8 * i, w) for i, w in enumerate(spec.table.words))
        at = self.objects[spec.number.name]
        self.mem.update((at + 8 * (HALF * half + 8 * w + i), k[half] >> 64 * w & ONES) for i, k in enumerate(self.numbers) for half in range(2) for w in range(3))
        self.regs = {r: rng.getrandbits(64) for r in REGS}
        self.regs["rsp"] = TOP
        self.vectors = {v: [rng.getrandbits(64) for _ in range(8)] for v in VECTORS}
        self.masks = {k: rng.getrandbits(64) for k in MASKS}

    def number(self):
        rng, size = self.rng, self.spec.size
        v = rng.choice((0, 1, 1 << rng.randrange(size), (1 << size) - 1, *(rng.getrandbits(n) for n in (size, 128, 128, 127))))
        return v * rng.choice((1, -1))

    machine, run = concrete.Case.machine, concrete.Case.run

    def check(self, m):
        spec = self.spec
        if m.r["rsp"] != TOP + 8 or m.r["rbp"] != self.regs["rbp"]:
            return "RSP or RBP"
        if any(any(m.v[r][2:]) for r in VECTORS[:16] if m.v[r] != self.vectors[r]):
            return "upper parts of vectors"
        base = self.objects[spec.outs[0].name]
        for lane, k in enumerate(self.numbers):
            def get(off):
                return m.mem[base + off + 8 * lane] if off < spec.bytes_from else m.mem[base + (off & ~7)] >> 8 * (off & 7) + lane & 1 == 1
            left = list(k)
            for place in range(spec.places_of_digits):
                ok, *digit = self.digit(place % 2 == 1, lane, *spec.fields(place, get))
                if not ok:
                    return f"digit {place} is none in lane {lane}"
                if place < spec.places_of_digits - 1:
                    left = [x - d for x, d in zip(left, digit)]
                    if any(x % (1 << spec.width) for x in left):
                        return f"digit {place} is wrong in lane {lane}"
                    left = [x >> spec.width for x in left]
            fits = get(spec.fits)
            if fits and digit != [spec.factor * x for x in left] or not fits and tuple(left) in spec.must_fit:
                return f"the last digit is wrong in lane {lane}"
        return None

    def digit(self, *of):
        key = id(self.spec), *of
        if key not in self.known:
            self.known[key] = self.spec.digit(lambda c, x, y: x if c else y, lambda *c: all(c), *of)
        return self.known[key]

    def lockstep(self, prog, binary=None):
        """Compares what each instruction does to one lane with what the emulator does."""
        lane = self.rng.randrange(8)
        start = {64 * (3 * half + w): bits(self.numbers[lane][half] >> 64 * w & ONES) for half in range(2) for w in range(3)}
        state, m, at, claims = DigitsState(self.spec, start, bits(lane)), self.machine(), 0, 0
        while prog[at].op != "ret":
            ins, at = prog[at], at + 1
            if ins.op == "j":
                taken = m.flag(ins.cond[0]) == ins.cond[1]
                assert state.holds(ins.cond) == taken, ins
                at = ins.target if taken else at
                continue
            state.step(ins)
            m.step(ins)
            dest = ins.args[-1] if ins.args else None
            name = getattr(dest, "name", None)
            if isinstance(dest, Reg):
                v = state.regs[name]
                assert (self.objects[v.base] + v.off if isinstance(v, Ptr) else v) == m.r[name], ins
            elif isinstance(dest, Vec):
                v = state.vectors[name]
                assert z3.simplify(state.word(v)).as_long() == m.v[name][lane] and v.words in (None, tuple(m.v[name])), ins
            elif isinstance(dest, Mask):
                v = state.masks[name]
                assert v == m.k[name] if isinstance(v, int) else z3.is_true(z3.simplify(v)) == bool(m.k[name] >> lane & 1), ins
            elif isinstance(dest, Mem):
                base, off = state.place(dest, 1)
                v, address = z3.simplify(state.mem[off]), self.objects[base] + off
                if ins.op == "kmov":
                    assert z3.is_true(v) == bool(m.mem[address & ~7] >> 8 * (address & 7) + lane & 1), ins
                else:
                    assert v.as_long() == m.mem[address + 8 * lane], ins
            claims += 1
        return claims


routine.kinds[Digits] = DigitsProof
concrete.kinds[Digits] = DigitsCase
