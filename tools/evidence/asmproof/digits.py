"""Recodings: loops in which each lane writes a number k1 + k2·λ as digits, one place after the other.

A word is an expression of bit vectors for an arbitrary lane, because all lanes compute the same. Control flow and
addresses are known. Before a jump back, the routine writes the digit of at most one more place. Let x be the carry that
the earlier digits of k1 leave, and let X be the sum of x and the next bits of k1. For the digit a + b·λ, X must equal a
+ 2^width·x', where x', the carry that this digit leaves, is small and in a register. The same holds for k2, with Y in
place of X. The claim depends only on X and Y, so it is checked for all their values. For the next place, x' is replaced
by any small number. So, by induction, the digits and the carry sum to the number, and the last digit is the remainder.
"""

import itertools
import random

import z3

import concrete
from effects import liveness
from emulator import Integers
from symbolic import Ptr, Stuck, Symbolic
from x86 import ONES, Mem, Unsupported, Vec

SMALL = 2  # bound of the absolute value of the carry that digits leave
HALF = 24  # words of the halves k1 of all lanes


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
    """The number of leading zeros."""
    r = bits(64)
    for i in range(64):
        r = z3.If(z3.Extract(i, i, x) == 1, bits(63 - i), r)
    return r


class DigitsState(Symbolic):
    """Registers, which hold integers and pointers, and memory.

    Vectors and masks are lists with the word or the bit of the arbitrary lane or, if the values are known, of each
    lane.
    """

    def __init__(self, spec, start, lane):
        """start maps offsets in k to words of the lane."""
        super().__init__({p.name: (8 * p.count, p in spec.outs) for p in spec.params})
        self.spec, self.lane = spec, lane
        self.mem = {("sp", 8 + off): Ptr(p.name, 0) for p, off in spec.places()}
        self.mem.update(((spec.number.name, off), [word]) for off, word in start.items())
        self.mem.update(((spec.table.name, 8 * i), list(spec.table.words[i:i + 8])) for i in range(0, len(spec.table.words), 8))

    def result_at(self, off):
        """The word at an offset of the results."""
        return self.mem.get((self.spec.outs[0].name, off))

    # Operands.

    def load_vector(self, m, n):
        if m.broadcast or n != 8:
            raise Stuck("not a vector of eight words")
        base, off = self.place(m, 64)
        v = self.held(self.mem.get((base, off)), f"{base}+{off}")
        return v if isinstance(v, list) else [v]

    def put_vector(self, a, v, n):
        if len(v) == 1 and n != 8:
            raise Unsupported("not a whole vector")
        if not isinstance(a, Mem):
            super().put_vector(a, v, n)
            self.vectors[a.name] = self.vectors[a.name] if v[1:] else v
            return
        base, off = self.place(a, 64)
        if off % 64 or off + 64 > self.spec.bytes_from:
            raise Stuck(f"writes {base}+{off}, which is not a vector of digits")
        self.store((base, off), self.in_lane(v))

    def whole(self, a, n):
        v = self.lanes(a, n)
        if len(v) < n:
            raise Stuck("looks up in an unknown table")
        return v

    def mask(self, name, bits=8):
        v = super().mask(name)
        if len(v) != (64 if bits == 64 else 1):
            raise Stuck(f"{name} has no bit of the lane")
        return v

    def store_mask(self, m, bits):
        self.store(self.place(m, 1), *bits)

    # Lanes.

    def select(self, words, index):
        """The word that the low bits of an index select."""
        nodes, i = [bits(w) for w in words], 0
        while len(nodes) > 1:
            bit = z3.Extract(i, i, index) == 1
            nodes, i = [x if x.eq(y) else z3.If(bit, y, x) for x, y in zip(nodes[::2], nodes[1::2])], i + 1
        return nodes[0]

    def in_lane(self, v):
        """The word of the arbitrary lane."""
        return v[0] if len(v) == 1 else z3.simplify(self.select(v, self.lane))

    def lanewise(self, f, *columns):
        return [z3.simplify(f(self, *map(self.in_lane, columns)))]

    def picked(self, table, index):
        return [z3.simplify(self.select(table, self.in_lane(index)))]

    def picked_bytes(self, table, index, mask):
        """Requires that the mask be the same for all lanes."""
        mask = mask or [1] * 64
        if mask != mask[:8] * 8:
            raise Unsupported("not lane by lane")
        entries, index, r = [table[i // 8] >> 8 * (i % 8) & 0xff for i in range(64)], self.in_lane(index), bits(0)
        for i in range(8):
            if mask[i]:
                r = r | self.select(entries, z3.LShR(index, 8 * i)) << 8 * i
        return [z3.simplify(r)]

    # Integers, and words of the lane.

    @staticmethod
    def known(w):
        if not isinstance(w, int):
            raise Stuck("computes with an unknown word or an address")
        return w

    constant = staticmethod(lambda n: n & ONES)
    split_bytes = staticmethod(Integers.split_bytes)
    leading_zeros = staticmethod(zeros)

    def plus(self, x, y, carry):
        return (x + y, None, None) if z3.is_expr(x) and z3.is_expr(y) else super().plus(x, y, carry)

    def minus(self, x, y, borrow):
        return (x - y, None, None) if z3.is_expr(x) and z3.is_expr(y) else super().minus(x, y, borrow)

    def bitwise(self, op, x, y):
        if not z3.is_expr(x) and not z3.is_expr(y):
            return Integers.bitwise(op, self.known(x), self.known(y))
        x, y = bits(x), bits(y)
        return conjunction(x, y) if op == "and" else x | y if op == "or" else x ^ y

    invert = staticmethod(lambda x: ~x)
    is_zero = staticmethod(lambda x: x == 0)

    def bit(self, op, x, y):
        return z3.And(x, y) if op == "and" else z3.Or(x, y)

    def invert_bit(self, bit):
        return 1 - bit if isinstance(bit, int) else z3.Not(bit)

    def choose(self, bit, x, y):
        return z3.If(bit, bits(x), bits(y)) if z3.is_expr(bit) else x if bit else y

    def shift_by(self, op, x, count):
        return x << count if op == "shl" else z3.LShR(x, count) if op == "shr" else x >> count

    def mul52(self, x, y, high):
        if high:
            raise Unsupported("the high half of a product")
        return narrow(x * y, 52)

    def mask_of(self, w, n):
        if n != 64:
            raise Unsupported("a mask of lanes from a word")
        return Integers.mask_of(self.known(w), n)


class DigitsProof:
    """The proof of a recoding, in an arbitrary lane."""

    proved_before = set()  # proved claims, because many places have the same ones

    def __init__(self, prog, spec, places, binary=None):
        self.prog, self.spec, self.proved = prog, spec, 0
        self.elements, self.public = self, None
        self.live = liveness(prog)
        width, last = spec.width, spec.places_of_digits - 1
        self.lane = z3.BitVec("lane", 64)
        # The bits of k1 and k2 for each place; the last place includes the sign.
        self.next = [[z3.BitVec(f"{name}{i}", width if i < last else spec.size + 1 - width * last) for i in range(last + 1)] for name in "ab"]
        start = {}
        for half, digits in enumerate(self.next):
            whole = z3.SignExt(191 - spec.size, z3.Concat(*reversed(digits)))
            start.update((64 * (3 * half + w), z3.simplify(z3.Extract(64 * w + 63, 64 * w, whole))) for w in range(3))
        self.state = DigitsState(spec, start, self.lane)
        self.left = [bits(0), bits(0)]  # carries that the digits written so far leave
        self.where = None  # the registers that hold these carries
        self.done, self.kept = 0, {}
        self.place()

    def place(self):
        """Begins the next place."""
        self.sums = [z3.simplify(x + self.extended(half[self.done])) for x, half in zip(self.left, self.next)]
        self.names = [z3.BitVec(f"{name}{self.done}", 64) for name in "XY"]

    def extended(self, digit):
        return (z3.ZeroExt if self.done < self.spec.places_of_digits - 1 else z3.SignExt)(64 - digit.size(), digit)

    def values(self):
        """The possible values of the sum of the carry and the next bits."""
        size = self.next[0][self.done].size()
        least, end = (0, 1 << size) if self.done < self.spec.places_of_digits - 1 else (-(1 << size - 1), 1 << size - 1)
        return range(least - SMALL, end + SMALL)

    def run(self):
        for i, ins in self.state.follow(self.prog):
            if ins.op == "j":
                if ins.target < i:
                    self.turn(ins.target)
                continue
            self.state.step(ins)
            if ins.op == "vpaddq" and isinstance(ins.args[-1], Vec):
                self.name(ins.args[-1].name)
        self.finish()

    def name(self, register):
        """Replaces the sum of the carry and the next bits, X or Y, by a variable."""
        for x, name in zip(self.sums, self.names):
            if x.eq(self.state.in_lane(self.state.vectors[register])):
                self.state.vectors[register] = [name]

    def digit(self):
        """Whether the digit of this place is valid, and its coordinates; or None, if it has not been written yet."""
        values = self.spec.fields(self.done, self.state.result_at)
        return None if None in values else self.spec.digit(self.state.choose, z3.And, self.done % 2 == 1, self.lane, *values)

    def turn(self, target):
        """Proves the digit of this place, if it has been written, and continues with any carry."""
        if self.done == self.spec.places_of_digits - 1 or (digit := self.digit()) is None:
            return
        ok, *coordinates = digit
        width = self.spec.width
        if self.where is None:
            self.where = [self.find(x - c >> width, target) for x, c in zip(self.names, coordinates)]
        after = [self.state.in_lane(self.state.vectors[r]) for r in self.where]
        self.prove(z3.And(ok, *(z3.And(s == c + (x << width), x <= SMALL, x >= -SMALL) for s, c, x in zip(self.names, coordinates, after))),
                   f"digit {self.done} is wrong")
        self.left = [z3.SignExt(60, z3.BitVec(f"{name}{self.done}", 4)) for name in "xy"]
        self.state.vectors.update((r, [x]) for r, x in zip(self.where, self.left))
        self.kept.update((off, self.state.result_at(off)) for off in self.spec.fields(self.done, lambda off: off))
        self.done += 1
        self.place()

    def find(self, want, target):
        """The register that holds the wanted value in four random examples. The method turn proves it in general."""
        rng = random.Random(1)
        for r in sorted(self.live[target] & self.state.vectors.keys()):
            word = self.state.in_lane(self.state.vectors[r])
            for _ in range(4):
                env = [(v, bits(rng.randrange(1 << self.spec.width))) for v in self.names] + [(self.lane, bits(rng.randrange(8)))]
                if not z3.is_true(z3.simplify(z3.substitute(word == want, *env))):
                    break
            else:
                return r
        raise Stuck("no register holds the carry")

    def prove(self, claim, why):
        """Proves a claim by computing it for all X, Y and lanes."""
        claim = z3.substitute(claim, *((v, z3.BitVec(name, 64)) for v, name in zip(self.names, "XY")))
        key = claim.sexpr(), self.values()
        if key not in self.proved_before:
            holds, used = compiled(claim)
            lanes = range(8) if "lane" in used else range(1)
            if used - {"X", "Y", "lane"}:
                raise Stuck(f"depends on more than the carries and the next bits: {min(used)}")
            if not all(holds(x & ONES, y & ONES, lane) for x, y, lane in itertools.product(self.values(), self.values(), lanes)):
                raise Stuck(why)
            self.proved_before.add(key)
        self.proved += 1

    def finish(self):
        state, spec = self.state, self.spec
        state.ended([])
        if self.done != spec.places_of_digits - 1 or (digit := self.digit()) is None:
            raise Stuck("digits are missing")
        if any(not state.result_at(off).eq(v) for off, v in self.kept.items()):
            raise Stuck("changes an earlier digit")
        fits = state.result_at(spec.fits)
        if fits is None:
            raise Stuck("does not say whether the digits fit")
        ok, *coordinates = digit
        self.prove(ok, "the last digit is not valid")
        self.prove(z3.Implies(fits, z3.And(*(c == spec.factor * x for c, x in zip(coordinates, self.names)))), "the last digit is not the remainder")
        must = z3.Or(*(z3.And(*(x == v for x, v in zip(self.names, number))) for number in sorted(spec.must_fit)))
        self.prove(z3.Implies(must, fits), "does not report that the digits of a remainder in must_fit fit")


def compiled(expression):
    """Returns a function of X, Y and the lane that computes an expression, and the variables in the expression."""
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
        raise Stuck(f"unsupported expression: {e.decl().name()}")

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


class DigitsCase(concrete.Case):
    """Numbers, many of them edge cases."""

    known = {}  # digits that were computed before
    size, wide = 8, True

    def parameter(self, p):
        at = self.address(p.name)
        if p is self.spec.number:
            self.numbers = [[self.number() for _ in range(2)] for _ in range(8)]
            self.mem.update((at + 8 * (HALF * half + 8 * w + i), k[half] >> 64 * w & ONES) for i, k in enumerate(self.numbers) for half in range(2) for w in range(3))
        elif p is self.spec.table:
            self.mem.update((at + 8 * i, w) for i, w in enumerate(p.words))
        else:
            self.mem.update((at + 8 * i, self.rng.getrandbits(64)) for i in range(p.count))
            return super().parameter(p)
        return at

    def expect(self):
        """Expects no particular digits, because a number has several recodings. The method wrong checks the sum."""

    def number(self):
        rng, size = self.rng, self.spec.size
        v = rng.choice((0, 1, 1 << rng.randrange(size), (1 << size) - 1, *(rng.getrandbits(n) for n in (size, 128, 128, 127))))
        return v * rng.choice((1, -1))

    def wrong(self, m):
        spec = self.spec
        base = self.address(spec.outs[0].name)
        for lane, k in enumerate(self.numbers):
            def get(off):
                return m.mem[base + off + 8 * lane] if off < spec.bytes_from else m.mem[base + (off & ~7)] >> 8 * (off & 7) + lane & 1 == 1
            left = list(k)
            for place in range(spec.places_of_digits):
                ok, *digit = self.digit(place % 2 == 1, lane, *spec.fields(place, get))
                if not ok:
                    return f"digit {place} is not valid in lane {lane}"
                if place < spec.places_of_digits - 1:
                    left = [x - d for x, d in zip(left, digit)]
                    if any(x % (1 << spec.width) for x in left):
                        return f"digit {place} is wrong in lane {lane}"
                    left = [x >> spec.width for x in left]
            fits = get(spec.fits)
            if fits and digit != [spec.factor * x for x in left] or not fits and tuple(left) in spec.must_fit:
                return f"the last digit is wrong in lane {lane}"
        return None

    def digit(self, *fields):
        key = id(self.spec), *fields
        if key not in self.known:
            self.known[key] = self.spec.digit(lambda c, x, y: x if c else y, lambda *c: all(c), *fields)
        return self.known[key]

    def start(self, proof):
        """The numbers of a random lane."""
        self.lane = self.rng.randrange(8)
        words = {64 * (3 * half + w): bits(self.numbers[self.lane][half] >> 64 * w & ONES) for half in range(2) for w in range(3)}
        return DigitsState(self.spec, words, bits(self.lane))

    def verify(self, proof, claims):
        for ins, what, v, x in claims:
            if isinstance(v, list) and len(v) > 1:
                assert all(map(self.agrees, v, x)), f"{ins}: {what}"
            else:
                v, x = v[0] if isinstance(v, list) else v, x[self.lane] if isinstance(x, list) else x
                assert self.agrees(v, x), f"{ins}: {what}"

    def agrees(self, w, x, env=None):
        if not z3.is_expr(w):
            return w == x if isinstance(w, int) else super().agrees(w, x, env)
        return z3.is_true(z3.simplify(w == (bits(x) if z3.is_bv(w) else bool(x))))
