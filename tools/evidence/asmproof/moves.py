"""Routines which only move words and bits, on all eight lanes at once.

A word is a tuple of bits, each of which is 0, 1, or a symbol: that bit of an
input.  An instruction may move symbols and put zeros beside them, but not
compute from them.  Where it would have to, the lane takes all values of its
digit, which are few, and the word is Cases: one for each.  Addresses are
pointers with known offsets, so they are the same for all inputs; only what
Given says may they depend on.  But a Table is read at offsets which are words
of an input, whatever they are: what is there is a symbol for each such word.
"""

import itertools
import random

import concrete
import routine
from concrete import TOP
from specs import Anything, Given, In, Moves, Offsets, Out, Pointers, SetLanes, SetWords, Table, Words
from symbolic import Ptr, Stuck
from x86 import COMPARE, MASKED, MASKS, ONES, REGS, VECTOR, VECTORS, Imm, Indexed, Machine, Mask, Mem, Reg, Unsupported, Vec, same_register

SIZE = 64  # Bits of a word.
MOST_STEPS = 10000


class Undecided(Exception):
    """An instruction computes from a symbol."""


class Bits:
    """A word, or one bit of a mask; there is only one of the same bits."""

    __slots__ = ("bits", "value")
    known = {}

    def __new__(cls, bits):
        found = cls.known.get(bits)
        if found is None:
            found = cls.known[bits] = super().__new__(cls)
            found.bits = bits
            found.value = sum(b << i for i, b in enumerate(bits)) if all(b in (0, 1) for b in bits) else None
        return found

    @staticmethod
    def of(n, size=SIZE):
        return Bits(tuple(n >> i & 1 for i in range(size)))


class Cases:
    """A word of a lane for each value of the lane's digit; there is only one of the same."""

    __slots__ = ("lane", "words")
    known = {}

    def __new__(cls, lane, words):
        found = cls.known.get((lane, words))
        if found is None:
            found = cls.known[lane, words] = super().__new__(cls)
            found.lane, found.words = lane, words
        return found


ZERO = Bits.of(0)


def bit_and(x, y):
    if x == 0 or y == 0:
        return 0
    if x == 1 or x == y:
        return y
    if y == 1:
        return x
    raise Undecided


def bit_or(x, y):
    if x == 1 or y == 1:
        return 1
    if x == 0 or x == y:
        return y
    if y == 0:
        return x
    raise Undecided


def bit_xor(x, y):
    if x == y:
        return 0
    if x == 0:
        return y
    if y == 0:
        return x
    if x == 1 == 1 - y or y == 1 == 1 - x:
        return 1
    raise Undecided


def bitwise(op):
    return lambda x, y: Bits(tuple(map(op, x.bits, y.bits)))


def left(x, count):
    n = min(number(count), SIZE)
    return Bits((0,) * n + x.bits[:SIZE - n])


def right(x, count):
    n = min(number(count), SIZE)
    return Bits(x.bits[n:] + (0,) * n)


def added(x, y):
    return Bits.of(number(x) + number(y) & ONES)


def tested(x, y):
    bits = [bit_and(a, b) for a, b in zip(x.bits, y.bits) if a and b]
    if any(b == 1 for b in bits):
        return Bits((1,))
    if bits:
        raise Undecided
    return Bits((0,))


def not_tested(x, y):
    return Bits((1 - tested(x, y).value,))


def number(x, size=SIZE):
    """The low bits as an integer."""
    if x.value is not None:
        return x.value & (1 << size) - 1
    if any(b not in (0, 1) for b in x.bits[:size]):
        raise Undecided
    return sum(b << i for i, b in enumerate(x.bits[:size]))


LANEWISE = {"vpandq": bitwise(bit_and), "vporq": bitwise(bit_or), "vpxorq": bitwise(bit_xor), "vpaddq": added,
            "vpsllq": left, "vpsrlq": right, "vpsllqx": left, "vpsrlqx": right, "vpsllvq": left, "vpsrlvq": right,
            "vptestmq": tested, "vptestnmq": not_tested,
            "kand": bitwise(bit_and), "kor": bitwise(bit_or), "kxor": bitwise(bit_xor)}


class MovesProof:
    """One routine, for one value of what is given."""

    def __init__(self, prog, spec, places, binary=None, record=None, strict=True):
        self.prog, self.spec, self.proved = prog, spec, 0
        self.elements = self  # Which counts what is proved.
        self.symbols = [None, None]  # What symbols from 2 on are: (input, word, bit).
        self.memo = {}
        self.sizes, self.start, self.inputs = {}, {}, {}
        self.tables, self.offsets = set(), {}  # Of the latter: the input, which word it is, and its range.
        self.regs = {"rsp": Ptr("sp", 0), "rbp": Ptr("caller's frame", 0)}
        for p, off in spec.places():
            at = ("sp", 8 + off)
            if isinstance(p, (In, Out)):
                self.start[at] = Ptr(p.name, 0)
                self.sizes[p.name] = 1 if isinstance(p, SetLanes) else 8 * p.count
            if isinstance(p, Words):
                self.words(p.name, p.name, p.count, p.bits)
                if isinstance(p, Offsets):
                    self.offsets.update((w, (p.name, k, p.values(k))) for k, w in enumerate(self.inputs[p.name]) if p.values(k))
            elif isinstance(p, Table):
                self.tables.add(p.name)
                self.inputs[p.name] = p
            elif isinstance(p, Pointers):
                for i in range(p.count):
                    self.start[p.name, 8 * i] = Ptr((p.name, i), 0)
                    self.sizes[p.name, i] = 8 * p.words
                    self.words((p.name, i), (p.name, i), p.words)
            elif isinstance(p, Anything):
                self.start[at] = self.fresh(p.name, 0, SIZE)
                self.inputs[p.name] = [self.start[at]]
            elif isinstance(p, Given):
                self.start[at] = Bits.of(p.value)
        where = {s: v for v, s in enumerate(self.symbols) if s}
        self.digits = [[where[bit] for bit in spec.digit(lane)] for lane in range(8)]
        self.deciding = [set(digit) for digit in self.digits]
        self.values = list(itertools.product((0, 1), repeat=len(self.digits[0])))
        self.public = None

    def words(self, name, base, count, bits=lambda k: SIZE):
        self.inputs[name] = [self.fresh(name, k, bits(k)) for k in range(count)]
        self.start.update(((base, 8 * k), w) for k, w in enumerate(self.inputs[name]))

    def fresh(self, name, word, bits):
        first = len(self.symbols)
        self.symbols += [(name, word, bit) for bit in range(bits)]
        return Bits((*range(first, first + bits), *[0] * (SIZE - bits)))

    def entry(self, table, offset, step):
        """The word of a table so far from an offset."""
        key = table, offset, step
        if key not in self.memo:
            self.memo[key] = self.fresh(table, (*self.offsets[offset][:2], step), SIZE)
        return self.memo[key]

    def decided(self, lane, word):
        """A word for each value of the lane's digit."""
        key = lane, word
        if key not in self.memo:
            if not self.deciding[lane].isdisjoint(word.bits):
                known = [dict(zip(self.digits[lane], value)) for value in self.values]
                self.memo[key] = [Bits(tuple(env.get(b, b) for b in word.bits)) for env in known]
            else:
                self.memo[key] = [word] * len(self.values)
        return self.memo[key]

    def state(self):
        return MovesState(self)

    def run(self):
        """Raises Stuck if the routine is not proved."""
        state, i = self.state(), 0
        for _ in range(MOST_STEPS):
            if i >= len(self.prog):
                raise Stuck("runs past its end")
            ins = self.prog[i]
            i += 1
            if ins is None:
                continue
            if ins.op == "ret":
                break
            if self.follow(state, ins):
                i = ins.target
        else:
            raise Stuck("does not end")
        self.finish(state)
        self.public = state.touched

    @staticmethod
    def follow(state, ins):
        """Executes an instruction, and returns whether it jumps."""
        try:
            if ins.op != "j":
                state.step(ins)
                return False
            jumps = state.holds(ins.cond)
            state.touched.append(jumps)
            return jumps
        except Stuck as e:
            raise Stuck(f"{ins}: {e}") from None
        except Undecided:
            raise Stuck(f"{ins}: computes from the inputs") from None

    def finish(self, state):
        if state.regs["rsp"] != Ptr("sp", 0) or state.regs.get("rbp") != Ptr("caller's frame", 0):
            raise Stuck("RSP or RBP at RET")
        if state.upper:
            raise Stuck("leaves something in the upper parts of vectors")
        if sorted(state.prefetched) != self.spec.prefetches:
            raise Stuck("prefetches something else than specified")
        self.proved += len(state.prefetched)
        read = {at for at in state.touched if at in self.start}
        for name in self.spec.all_read:
            missing = {at for at in self.start if at[0] == name} - read
            if missing:
                raise Stuck(f"does not read {min(missing)}")
        places = set()
        for lane in range(8):
            for case, want in enumerate(self.wanted(lane)):
                for p, set_to in zip(self.spec.outs, want, strict=True):
                    if isinstance(p, SetLanes):
                        have = state.mem.get((p.name, 0), [None] * 8)[lane]
                        self.compare(f"{p.name}, lane {lane}", have, lane, case, (set_to,))
                        continue
                    for k, bits in set_to.items():
                        places.add((p.name, 8 * k))
                        self.compare(f"{p.name}, word {k}", state.mem.get((p.name, 8 * k)), lane, case, bits)
        if places != {(p.name, 8 * k) for p in self.spec.outs if isinstance(p, SetWords) for k in range(p.count)}:
            raise Stuck("the specification is not one of all of the results")

    def wanted(self, lane):
        """What the formula says of a lane for each value of its digit."""
        params = [p for p in self.spec.params if isinstance(p, (In, Anything))]
        deciding = {self.symbols[b][:2] for b in self.digits[lane]}
        of = {name: self.looks_up(words) if isinstance(words, Table) else [w.bits for w in words] for name, words in self.inputs.items()}
        for case in range(len(self.values)):
            for name, k in deciding:
                of[name][k] = self.decided(lane, self.inputs[name][k])[case].bits
            yield self.spec.formula(lane, *([of[p.name, i] for i in range(p.count)] if isinstance(p, Pointers) else of[p.name] for p in params))

    def looks_up(self, table):
        return lambda offset: [self.entry(table.name, Bits(offset), step).bits for step in table.steps]

    def compare(self, what, have, lane, case, bits):
        if have is None:
            raise Stuck(f"{what} is not set")
        if isinstance(have, Cases):
            if have.lane != lane:
                raise Stuck(f"{what} depends on the digit of another lane")
            have = have.words[case]
        else:
            have = self.decided(lane, have)[case]
        if have.bits[:len(bits)] != tuple(bits):
            raise Stuck(f"{what} is something else than specified")
        self.proved += 1


class MovesState:
    """Registers, in which are Bits or pointers; vectors and masks, whose lanes are Bits or Cases; and memory."""

    def __init__(self, proof):
        self.proof, self.regs, self.mem = proof, dict(proof.regs), dict(proof.start)
        self.vectors, self.masks, self.flags = {}, {}, None
        self.touched, self.prefetched, self.upper = [], [], False

    def holds(self, cond):
        """Whether a condition holds, which depends on what is given alone."""
        if self.flags is None:
            raise Stuck("reads flags which depend on who knows what")
        return self.flags[cond[0]] == cond[1]

    def place(self, m, size):
        """Where memory is that is accessed."""
        p = self.regs.get(m.base)
        if not isinstance(p, Ptr):
            raise Stuck(f"address from {m.base}, which is no pointer")
        off = p.off + m.disp
        if isinstance(m, Indexed):
            off += self.known(m.index) * m.scale
        off = (off + 2**63) % 2**64 - 2**63
        if p.base == "sp":
            if not 8 <= off or off % 8:
                raise Stuck("accesses the stack")
        elif not 0 <= off <= self.proof.sizes.get(p.base, 0) - size or size > 1 and off % 8:
            raise Stuck(f"access outside of {p.base}")
        self.touched += [(p.base, off + 8 * k) for k in range(size // 8)] or [(p.base, off)]
        return p.base, off

    def entry(self, m, size):
        """The table, the word with an offset in it, and how far from there memory is that is accessed; or None."""
        p = self.regs.get(m.base)
        if not (isinstance(m, Indexed) and isinstance(p, Ptr) and p.base in self.proof.tables):
            return None
        offset = self.regs.get(m.index)
        if not isinstance(offset, Bits) or offset not in self.proof.offsets or m.scale != 1:
            raise Stuck(f"{m.index} holds no offset in {p.base}")
        values, step = self.proof.offsets[offset][2], p.off + m.disp
        if values[0] + step < 0 or values[-1] + step > self.proof.sizes[p.base] - size or any(n % 8 for n in (values.start, values.step, step)):
            raise Stuck(f"access outside of {p.base}")
        return p.base, offset, step

    def load(self, m, words=1):
        if entry := self.entry(m, 8 * words):
            return [self.proof.entry(*entry[:2], entry[2] + 8 * k) for k in range(words)]
        base, off = self.place(m, 8 * words)
        r = [self.mem.get((base, off + 8 * k)) for k in range(words)]
        if None in r:
            raise Stuck(f"reads {base}+{off}, which holds nothing")
        return r

    def store(self, m, words):
        base, off = self.place(m, 8 * len(words))
        if base not in [p.name for p in self.proof.spec.outs]:
            raise Stuck(f"writes {base}")
        if any(isinstance(w, Ptr) for w in words):
            raise Stuck("stores an address")
        self.mem.update(((base, off + 8 * k), w) for k, w in enumerate(words))

    def get(self, a):
        if isinstance(a, Imm):
            return Bits.of(a.value)
        if isinstance(a, Mem):
            return self.load(a)[0]
        v = self.regs.get(a.name)
        if v is None:
            raise Stuck(f"reads {a.name}, which holds nothing")
        return v

    def known(self, name):
        v = self.regs.get(name)
        if not isinstance(v, Bits) or v.value is None:
            raise Stuck(f"{name} depends on the inputs")
        return v.value

    def step(self, ins):
        op, a = ins.op, ins.args
        if op in VECTOR:
            self.vector(ins)
        elif op in MASKED:
            self.masked(ins)
        elif op == "nop":
            pass
        elif op == "mov" and ins.width == 64 and isinstance(a[1], Reg) and a[1].name not in ("rsp", "rbp"):
            self.regs[a[1].name] = self.get(a[0])
        elif op == "cmov":
            x, y = self.get(a[0]), self.get(a[1])
            self.regs[a[1].name] = x if self.holds(ins.cond) else y
        elif op == "prefetcht0":
            parts = [r for r, scale in a[0].parts if scale == 1]
            entry = self.entry(Indexed(*parts, 1, a[0].disp), 8) if len(a[0].parts) == len(parts) == 2 else None
            if entry is None:
                raise Stuck("prefetches what is in no table")
            self.prefetched.append((entry[0], *self.proof.offsets[entry[1]][:2], entry[2]))
        elif op in ("add", "sub", "cmp", "xor", "shl") and isinstance(a[1], Reg) and a[1].name not in ("rsp", "rbp"):
            self.compute(ins)
        else:
            raise Unsupported(str(ins))

    def compute(self, ins):
        op, (x, y) = ins.op, ins.args
        if op == "xor":
            if not same_register(x, y):
                raise Unsupported(str(ins))
            self.regs[y.name], self.flags = ZERO, {"cf": 0, "of": 0, "zf": 1, "sf": 0, "le": 1}
            return
        p = self.get(y)
        v = self.get(x)
        if not isinstance(v, Bits) or v.value is None or ins.width != 64:
            raise Stuck("computes from the inputs")
        if isinstance(p, Ptr):
            if op not in ("add", "sub"):
                raise Stuck("computes with an address")
            n = v.value - (v.value >> 63 << 64)
            self.regs[y.name], self.flags = Ptr(p.base, p.off + (n if op == "add" else -n)), None
            return
        if p.value is None:
            raise Stuck("computes from the inputs")
        m = Machine({y.name: p.value, getattr(x, "name", None): v.value}, {}, set(), 0)
        m.step(ins)
        self.flags = {f: m.flag(f) for f in ("cf", "of", "zf", "sf", "le")} if op != "shl" else None
        self.regs[y.name] = Bits.of(m.r[y.name])

    # Lanes.

    def combine(self, lane, f, *words):
        """A function of words of a lane, by cases if it must be."""
        key = lane, f, *words
        memo = self.proof.memo
        if key not in memo:
            memo[key] = self.combined(lane, f, *words)
        return memo[key]

    def combined(self, lane, f, *words):
        if not any(isinstance(w, Cases) for w in words):
            try:
                return f(*words)
            except Undecided:
                pass
        if any(isinstance(w, Cases) and w.lane != lane for w in words):
            raise Stuck("what depends on the digit of a lane gets to another one")
        columns = [w.words if isinstance(w, Cases) else self.proof.decided(lane, w) for w in words]
        memo, r = self.proof.memo, []
        for column in zip(*columns):
            key = f, *column
            if key not in memo:
                memo[key] = f(*column)
            r.append(memo[key])
        return r[0] if all(w is r[0] for w in r) else Cases(lane, tuple(r))

    def chosen(self, lane, index, size, table):
        """The word of a table with an index, of which the low bits are read."""
        at = self.combine(lane, low_bits(size), index)
        if isinstance(at, Bits):
            return table[at.value]
        columns = {}
        for w in at.words:
            v = table[w.value]
            if isinstance(v, Cases):
                raise Stuck("looks up what depends on a digit")
            columns[w.value] = self.proof.decided(lane, v)
        r = tuple(columns[w.value][case] for case, w in enumerate(at.words))
        return r[0] if all(w is r[0] for w in r) else Cases(lane, r)

    def operand(self, a, words=8):
        if isinstance(a, Mem):
            r = self.load(a, 1) * words if a.broadcast else self.load(a, words)
        elif isinstance(a, Reg):
            r = [self.get(a)] * words
        else:
            r = self.vectors.get(a.name)
            if r is None:
                raise Stuck(f"reads {a.name}, which holds nothing")
            r = r[:words]
        if any(isinstance(w, Ptr) for w in r):
            raise Stuck("an address in a vector")
        return r

    def mask(self, name):
        if name not in self.masks:
            raise Stuck(f"reads {name}, which holds nothing")
        return self.masks[name]

    def vector(self, ins):
        op, a, n = ins.op, ins.args, ins.words
        if op == "vzeroupper":
            self.upper = False
            for r in VECTORS[:16]:
                self.vectors.pop(r, None)
            return
        dest = a[-1]
        if op in COMPARE:
            if n != 8 or op not in LANEWISE:
                raise Unsupported(str(ins))
            v = self.lanewise(op, self.operand(a[1]), self.operand(a[0]))
            if ins.mask:
                v = self.lanewise("kand", v, self.mask(ins.mask))
            self.masks[dest.name] = v
            return
        if op in ("vpxorq", "vpxor") and same_register(*a[:2]):
            v = [ZERO] * n  # Whatever it holds.
        elif op in ("vmovdqu64", "vpbroadcastq"):
            if op == "vpbroadcastq" and not isinstance(a[0], Reg):
                raise Unsupported(str(ins))
            v = self.operand(a[0], n)
        elif op == "vmovdqa64" and isinstance(a[0], Vec) and isinstance(dest, Vec):
            v = self.operand(a[0], n)
        elif op == "vmovq":
            v = [*self.operand(a[0], 1), ZERO]
        elif op == "vpinsrq":
            v = list(self.operand(a[2], 2))
            v[a[0].value & 1], = self.operand(a[1], 1)
        elif op == "vinserti128":
            x, y = self.operand(a[2], 4), self.operand(a[1], 2)
            v = x[:2] + y if a[0].value & 1 else y + x[2:]
        elif n != 8:
            raise Unsupported(str(ins))
        else:
            v = self.across(ins)
        if isinstance(dest, Mem):
            if ins.mask:
                raise Unsupported(str(ins))
            self.store(dest, v)
            return
        v = v + [ZERO] * (8 - len(v))
        if ins.mask:
            old = [ZERO] * 8 if ins.zeroing else self.operand(dest)
            v = [self.combine(lane, blended, *words) for lane, words in enumerate(zip(self.mask(ins.mask), v, old))]
        self.vectors[dest.name] = v
        self.upper |= n > 2 and int(dest.name[3:]) < 16

    def lanewise(self, op, *operands):
        return [self.combine(lane, LANEWISE[op], *words) for lane, words in enumerate(zip(*operands))]

    def across(self, ins):
        op, a = ins.op, ins.args
        if op == "vpermt2q":
            table = self.operand(a[2]) + self.operand(a[0])
            return [self.chosen(lane, w, 4, table) for lane, w in enumerate(self.operand(a[1]))]
        if op == "vpermi2q":
            table = self.operand(a[1]) + self.operand(a[0])
            return [self.chosen(lane, w, 4, table) for lane, w in enumerate(self.operand(a[2]))]
        if op == "vpermq":
            table = self.operand(a[0])
            return [self.chosen(lane, w, 3, table) for lane, w in enumerate(self.operand(a[1]))]
        if op == "vpmovzxbq":
            word = self.operand(a[0])[0]
            return [Bits(word.bits[8 * i:8 * i + 8] + (0,) * 56) for i in range(8)]
        if op == "vinserti64x4":
            x, y = self.operand(a[2]), self.operand(a[1], 4)
            return x[:4] + y if a[0].value & 1 else y + x[4:]
        if op in ("vpunpcklqdq", "vpunpckhqdq"):
            y, x, k = self.operand(a[0]), self.operand(a[1]), int(op == "vpunpckhqdq")
            return [(y if i % 2 else x)[i // 2 * 2 + k] for i in range(8)]
        if op == "vshufi64x2":
            y, x, imm = self.operand(a[1]), self.operand(a[2]), a[0].value
            return [(x if i < 4 else y)[2 * (imm >> 2 * (i // 2) & 3) + i % 2] for i in range(8)]
        if op in ("vpsllqx", "vpsrlqx"):
            return self.lanewise(op, self.operand(a[1]), [self.operand(a[0], 1)[0]] * 8)
        if op in ("vpsllq", "vpsrlq"):
            return self.lanewise(op, self.operand(a[1]), [Bits.of(a[0].value)] * 8)
        if op in LANEWISE:
            return self.lanewise(op, self.operand(a[1]), self.operand(a[0]))
        raise Unsupported(str(ins))

    def masked(self, ins):
        op, a = ins.op, ins.args
        if ins.width != 8:
            raise Unsupported(str(ins))
        if op == "kmov" and isinstance(a[1], Mask):
            if isinstance(a[0], Mask):
                self.masks[a[1].name] = self.mask(a[0].name)
            elif isinstance(a[0], Reg):
                n = self.known(a[0].name)
                self.masks[a[1].name] = [Bits((n >> i & 1,)) for i in range(8)]
            else:
                base, off = self.place(a[0], 1)
                word = self.mem.get((base, off & ~7))
                if not isinstance(word, Bits):
                    raise Stuck(f"no mask is in {base}+{off}")
                self.masks[a[1].name] = [Bits((bit,)) for bit in word.bits[8 * (off & 7):][:8]]
        elif op == "kmov" and isinstance(a[1], Mem):
            at = self.place(a[1], 1)
            if at[0] not in [p.name for p in self.proof.spec.outs if isinstance(p, SetLanes)]:
                raise Stuck(f"writes {at[0]}")
            self.mem[at] = self.mask(a[0].name)
        elif op in ("kshiftl", "kshiftr"):
            n, v, none = min(a[0].value & 0xff, 8), self.mask(a[1].name), Bits((0,))
            v = [none] * n + v[:8 - n] if op == "kshiftl" else v[n:] + [none] * n
            self.masks[a[2].name] = v
        elif op in ("kand", "kor", "kxor"):
            self.masks[a[2].name] = self.lanewise(op, self.mask(a[1].name), self.mask(a[0].name))
        else:
            raise Unsupported(str(ins))


def blended(bit, x, y):
    return x if number(bit, 1) else y


def low_bits(size, made={}):
    """The function which returns the low bits of a word, which must be known."""
    if size not in made:
        made[size] = lambda w: Bits.of(number(w, size))
    return made[size]


class MovesCase:
    """Inputs of a routine which moves words."""

    def __init__(self, spec, places, seed, most=3):
        self.spec = spec
        self.rng = rng = random.Random(seed)
        self.mem, self.writable, self.objects, inputs, self.integers = {TOP: rng.getrandbits(64)}, set(), {}, [], {}
        for p, off in spec.places():
            arg = rng.getrandbits(64)
            if isinstance(p, (In, Out)):
                arg = self.place(p.name)
            if isinstance(p, Words):
                inputs.append(self.words(p.name, p.count, p.bits))
                if isinstance(p, Offsets):
                    inputs[-1] = self.choose(p, arg)
            elif isinstance(p, Table):
                inputs.append(self.looks_up(p, arg))
            elif isinstance(p, Pointers):
                inputs.append([self.words((p.name, i), p.words) for i in range(p.count)])
                self.mem.update((arg + 8 * i, self.objects[p.name, i]) for i in range(p.count))
            elif isinstance(p, Anything):
                inputs.append([Bits.of(arg).bits])
                self.integers[p.name, 0] = arg
            elif isinstance(p, SetLanes):
                self.mem[arg] = rng.getrandbits(64)
                self.writable.add(arg)
            elif isinstance(p, Out):
                self.writable.update(range(arg, arg + 8 * p.count, 8))
            elif isinstance(p, Given):
                arg = p.value
            self.mem[TOP + 8 + off] = arg
        self.want = [spec.formula(lane, *inputs) for lane in range(8)]
        self.regs = {r: rng.getrandbits(64) for r in REGS}
        self.regs["rsp"] = TOP
        self.vectors = {v: [rng.getrandbits(64) for _ in range(8)] for v in VECTORS}
        self.masks = {k: rng.getrandbits(64) for k in MASKS}

    def choose(self, p, at):
        """Sets offsets to some of their values, and what a table has there to anything."""
        (table,) = (q for q in self.spec.params if isinstance(q, Table))
        for k in range(p.count):
            if p.values(k):
                value = self.rng.choice((p.values(k)[0], p.values(k)[-1], *self.rng.choices(p.values(k), k=4)))
                self.mem[at + 8 * k] = self.integers[p.name, k] = value
                for step in table.steps:
                    word = self.mem.setdefault(self.place(table.name) + value + step, self.rng.getrandbits(SIZE))
                    self.integers[table.name, (p.name, k, step)] = word
        return [Bits.of(self.integers[p.name, k]).bits for k in range(p.count)]

    def looks_up(self, p, at):
        return lambda offset: [Bits.of(self.mem[at + number(Bits(offset)) + step]).bits for step in p.steps]

    def place(self, name):
        return self.objects.setdefault(name, 0x100000 * (len(self.objects) + 1))

    def words(self, name, count, bits=lambda k: SIZE):
        at = self.place(name)
        words = [self.rng.choice((self.rng.getrandbits(bits(k)), self.rng.getrandbits(bits(k)), (1 << bits(k)) - 1)) for k in range(count)]
        self.mem.update((at + 8 * k, w) for k, w in enumerate(words))
        self.integers.update(((name, k), w) for k, w in enumerate(words))
        return [Bits.of(w).bits for w in words]

    def machine(self):
        return Machine(dict(self.regs), dict(self.mem), self.writable, TOP, dict(self.vectors), dict(self.masks))

    run = concrete.Case.run

    def check(self, m):
        if m.r["rsp"] != TOP + 8 or m.r["rbp"] != self.regs["rbp"]:
            return "RSP or RBP"
        if any(any(m.v[r][2:]) for r in VECTORS[:16] if m.v[r] != self.vectors[r]):
            return "upper parts of vectors"
        return self.wrong(m)

    def wrong(self, m):
        """What is wrong with the results, if anything."""
        for lane, want in enumerate(self.want):
            for p, set_to in zip(self.spec.outs, want, strict=True):
                at = self.objects[p.name]
                if isinstance(p, SetLanes):
                    if m.mem[at] >> lane & 1 != set_to or (m.mem[at] ^ self.mem[at]) >> 8:
                        return f"{p.name} is wrong"
                    continue
                for k, bits in set_to.items():
                    have = m.mem.get(at + 8 * k)
                    if have is None or Bits.of(have).bits[:len(bits)] != tuple(bits):
                        return f"{p.name}, word {k} is wrong"
        return None

    def lockstep(self, prog, binary=None):
        """Compares what the symbolic execution says after each instruction with what the emulator does (see concrete.lockstep)."""
        proof = MovesProof(prog, self.spec, None)
        state, m, at, claims = proof.state(), self.machine(), 0, 0
        env = [0, 1]

        def complete():
            env.extend(self.integers[name, word] >> bit & 1 for name, word, bit in proof.symbols[len(env):])

        complete()
        case = [proof.values.index(tuple(env[s] for s in digit)) for digit in proof.digits]

        def same(have, lane, word):
            have = have.words[case[lane]] if isinstance(have, Cases) else have
            assert all(env[b] == word >> i & 1 for i, b in enumerate(have.bits)), ins

        while prog[at].op != "ret":
            ins, at = prog[at], at + 1
            if ins.op == "j":
                taken = m.flag(ins.cond[0]) == ins.cond[1]
                assert state.holds(ins.cond) == taken, ins
                at = ins.target if taken else at
                continue
            state.step(ins)
            m.step(ins)
            complete()
            dest = ins.args[-1] if ins.args else None
            name = getattr(dest, "name", None)
            if isinstance(dest, Reg):
                v = state.regs[name]
                assert (self.objects[v.base] + v.off if isinstance(v, Ptr) else sum(env[b] << i for i, b in enumerate(v.bits))) == m.r[name], ins
            elif isinstance(dest, (Vec, Mask)):
                for lane in range(8):
                    same((state.vectors if isinstance(dest, Vec) else state.masks)[name][lane], lane,
                         m.v[name][lane] if isinstance(dest, Vec) else m.k[name] >> lane & 1)
            claims += 1
        return claims


routine.kinds[Moves] = MovesProof
concrete.kinds[Moves] = MovesCase
