"""Batches of divsteps: the proof that a routine changes the state s as specs.Divsteps says.

Jumps and addresses must be known, so the loops are followed. There are three pieces of 20 divsteps, in which one word
holds f and its row of the matrix (u, v; q, r), and another word holds g and its row. The proof has four parts.

1. A divstep. The integers f, g, ζ, u, v, q and r are variables. For each sign of ζ and each parity of g, all conditions
   are known, and results are polynomials. A divstep ends where, in all four cases, what is read later holds the words
   of the model's next state. Its integers are then new variables, whose bounds are proved: |f| and |g| are below 2^20,
   and the sum of the absolute values of a row at most doubles.
2. A piece. It runs on a and b for f = a + 2^20·A and g = b + 2^20·B. After i divsteps a and b are a' and b', and f and
   g are a' + 2^(20-i)·(u·A + v·B) and b' + 2^(20-i)·(q·A + r·B), where the matrix is scaled by 2^i. So all parities are
   the same for i < 20. At the end 2^20·a' = u·a + v·b. The code must then compute (u·f + v·g)/2^20, which has 20 correct
   bits less than f and g. At first 62 bits are correct.
3. The product of the three matrices, times 4. It becomes a matrix of variables, with bounds that are proved.
4. The updates. Totals must be u·f + v·g, or u·d + v·e plus a multiple of m, divided by 2^62, for all signs of d and e.

So f and g become those of the model. Digit 4 has room for them by I1_odd and I1_bound of ../grouplaw/Divsteps.v.
"""

import itertools

import concrete
from arm64 import ArmCase, ArmState
from effects import liveness
from poly import Poly
from specs import divstep
from symbolic import SIGNED, Definition, Ptr, State, Stuck, Trace, Word
from x86 import ONES, WORD

PIECE, PIECES, DIGIT = 20, 3, 62  # divsteps in a piece, pieces, and bits of a digit
F, G, D, E, END = (8 * (1 + 5 * i) for i in range(5))  # offsets in s, where ζ is at 0
COUNTER, LARGEST = 1 << 32, 1 << 256  # bounds of ζ, and of |f| and |g|
PARTS = "regs", "mem", "flags"
MOST_TERMS = 20  # of a polynomial in a register


def substitute(p, values):
    """The polynomial with polynomials for some of its variables."""
    return Poly.of(p.value({v: values.get(v, Poly.var(v)) for v in p.vars()}))


def half(p):
    if any(c % 2 for c in p.terms.values()):
        raise Stuck("a divstep does not divide exactly")
    return Poly({m: c // 2 for m, c in p.terms.items()})


def integer(digits):
    return sum((d * (1 << DIGIT * i) for i, d in enumerate(digits)), Poly())


class Quotients(Trace):
    """A trace in which only quotients are new variables. A remainder is p - 2^k·quotient."""

    def __init__(self):
        super().__init__()
        self.rows = {}  # from each entry of a row of a matrix to the row, and the greatest sum of absolute values
        self.products = {}  # from products of two variables to polynomials that equal them
        self.quotients = {}  # from variables to what they are quotients of: a polynomial, and the exponent
        self.matrix = {}  # from the entries of a product of matrices, modulo 2^64, to words

    def row(self, most, least):
        row = self.fresh(least, most), self.fresh(least, most)
        self.rows.update(dict.fromkeys(row, (*row, most)))
        return [Poly.var(v) for v in row]

    def mul(self, p, q):
        r = super().mul(p, q)
        for m in r.terms.keys() & self.products.keys():
            r = r + (self.products[m] - Poly({m: 1})) * r.terms[m]
        return r

    def interval(self, p):
        """What is linear in a row is largest and smallest at vertices of |u| + |v| ≤ most."""
        lo, hi = super().interval(p)
        u, v, most = next((self.rows[v] for v in p.vars() if v in self.rows), (None, None, 0))
        if most and all((u in m) + (v in m) < 2 for m in p.terms):
            parts = [{tuple(w for w in m if w != x): c * most for m, c in p.terms.items() if x in m} for x in (u, v)]
            rest = Poly({m: c for m, c in p.terms.items() if u not in m and v not in m})
            ends = [self.interval(rest.add_scaled(Poly(part), sign)) for part in parts for sign in (1, -1)]
            lo, hi = max(lo, min(a for a, _ in ends)), min(hi, max(b for _, b in ends))
        return lo, hi

    def split(self, p, k, lo=None, hi=None):
        a, b = self.interval(p)
        lo, hi = a if lo is None else max(a, lo), b if hi is None else min(b, hi)
        q = Poly.const(lo >> k)
        if lo >> k != hi >> k:
            q = Poly({m: c >> k for m, c in p.terms.items() if (not m or c % (1 << k) == 0) and c >> k})
            rest = p - q * (1 << k)
            if (key := (rest.key(), k)) not in self.memo:
                self.memo[key] = self.quotient(rest, k)
            q = q + self.memo[key]
        low = p - q * (1 << k)
        return (low, *self.narrow(low, 0, (1 << k) - 1)), (q, lo >> k, hi >> k)

    def quotient(self, p, k):
        """p divided by 2^k and rounded down. No coefficient of p is a multiple of 2^k."""
        lo, hi = self.interval(p)
        if lo >> k == hi >> k:
            return Poly.const(lo >> k)
        # Multiples of 2^j, if the sum of the other terms is a number of j bits.
        for j in sorted({(c & -c).bit_length() - 1 for m, c in p.terms.items() if m} - {0}, reverse=True):
            rest = Poly({m: c for m, c in p.terms.items() if m and c % (1 << j)})
            a = self.interval(rest)[0]
            rest = rest + ((p.terms.get((), 0) + a) % (1 << j) - a)
            if self.interval(rest)[1] < 1 << j:
                return self.split(Poly({m: c >> j for m, c in (p - rest).terms.items()}), k - j)[1][0]
        # The sum of a quotient and something else.
        inner = max((m[0] for m, c in p.terms.items() if len(m) == 1 and c == 1 and m[0] in self.quotients), default=None)
        if inner is not None:
            q, j = self.quotients[inner]
            return self.split(q + (p - Poly.var(inner)) * (1 << j), j + k)[1][0]
        v = self.fresh(lo >> k, hi >> k)
        self.quotients[v] = p, k
        self.define(Definition(None, (v,), lambda env: (p.value(env) >> k,)))
        return Poly.var(v)


class Divsteps:
    """What the states of divsteps have in common. A word may be any polynomial that equals it modulo 2^64."""

    def __init__(self, *args):
        super().__init__(*args)
        self.digits = set()  # polynomials that are known to be in [0, 2^62)

    def set(self, a, v):
        if isinstance(v, Word):
            v = self.t.matrix.get(v.poly.mod(WORD).key(), v) if self.t.matrix else v
            if len(v.poly.terms) > MOST_TERMS:  # only in comparisons with the emulator
                v = Word(Poly.var(self.t.name(v.poly, v.lo, v.hi)), v.lo, v.hi)
            if 0 <= v.lo and v.hi < 1 << DIGIT:
                self.digits.add(v.poly.key())
        super().set(a, v)

    def small(self, w):
        """The word without multiples of 2^64, if it is then known to be a signed word."""
        p = Poly({m: c for m, c in w.poly.terms.items() if c % WORD})
        lo, hi = self.t.interval(p)
        more = (lo - SIGNED[0]) // WORD * WORD
        return Word(p - more, lo - more, hi - more) if hi - more <= SIGNED[1] else w

    def bitwise(self, op, x, y):
        masked = {w.poly.constant(): other for w, other in ((x, y), (y, x)) if isinstance(w, Word)}
        return masked[-1] if op == "and" and -1 in masked else super().bitwise(op, x, y)

    def minus(self, x, y, c):
        v, *flags = super().minus(x, y, c)
        return self.small(v), *flags

    def shift(self, op, w, k):
        v, out = super().shift(op, w, k)
        if op == "shr":
            v = Word(v.poly, max(v.lo, 0), min(v.hi, ONES >> k))
        return self.small(v) if op == "shl" else v, out

    def mul_low(self, x, y):
        if not (isinstance(x, Word) and isinstance(y, Word)):
            return super().mul_low(x, y)  # refuses addresses
        ends = [i * j for i in (x.lo, x.hi) for j in (y.lo, y.hi)]
        return Word(self.t.mul(x.poly, y.poly), min(ends), max(ends))

    def address(self, a):
        """The upper j bits of a register with the scale 2^j do not count."""
        if any(not isinstance(self.regs.get(r), Word) for r, _ in a.parts):
            return super().address(a)
        w = self.constant(a.disp)
        for r, scale in a.parts:
            x, j = self.regs[r], scale.bit_length() - 1
            p, lo, hi = self.t.split(x.poly, 64 - j, x.lo, x.hi)[0] if j else (x.poly, x.lo, x.hi)
            w = Word(w.poly + p * scale, w.lo + lo * scale, w.hi + hi * scale)
        return w if w.is_unsigned() else self.small(w)


class DivstepsProof:
    """The proof of one routine for the digits of one modulus."""

    state = type("DivstepsState", (Divsteps, State), {})

    def __init__(self, prog, spec, places, binary=None):
        self.prog, self.spec, self.live = prog, spec, liveness(prog)
        self.elements, self.public, self.proved = self, None, 0
        self.trace = t = Quotients()
        self.given = []  # a variable, and its bits of the words in s: offset, first bit, and number of bits
        self.start = self.state(t, {"s": (END, True), "m": (48, False)}, binary)
        self.counter = self.part(0, 0, 64, (-COUNTER - 1, COUNTER))
        self.first = self.words(DIGIT, (F, G))
        self.numbers = {off: [self.part(off + 8 * i, 0, DIGIT) for i in range(4)] + [self.part(off + 32, 0, 64, (-1 << 10, 1 << 10))] for off in (F, G, D, E)}
        for off, (word, _) in zip((F, G), self.first):
            self.numbers[off][0] = word
        mem = {("s", 0): self.word(self.counter), **{("s", off + 8 * i): self.word(d) for off, digits in self.numbers.items() for i, d in enumerate(digits)}}
        mem |= {("m", 8 * i): t.constant(d) for i, d in enumerate((*spec.digits, pow(spec.n, -1, 1 << DIGIT)))}
        self.start.mem = mem | {("sp", 8 + off): Ptr(p.name, 0) for p, off in spec.places()}

    def part(self, off, first, size, bounds=None):
        v = self.trace.fresh(*(bounds or (0, (1 << size) - 1)))
        self.given.append((v, off, first, size))
        return Poly.var(v)

    def words(self, size, at=(None, None)):
        """Arbitrary words f and g of the given number of bits, where f is odd, each with its low 20 bits."""
        r = []
        for off, odd in zip(at, (1, 0)):
            low, *rest = [self.part(off, first, end - first) for first, end in ((odd, PIECE), (PIECE, 32), (32, size))]
            low = low * 2 + 1 if odd else low
            r.append((low + rest[0] * (1 << PIECE) + rest[1] * (1 << 32), low))
        return r

    def word(self, p):
        return Word(p, *self.trace.interval(p))

    def run(self):
        """Raises Stuck if the routine is not proved."""
        t, state, at, counter, words, product = self.trace, self.start.clone(), 0, self.counter, self.first, None
        for i in range(PIECES):
            (_, a), (_, b) = words
            if DIGIT - PIECE * i < PIECE:
                raise Stuck("too few bits of f and g")
            model = [counter, a, b, *map(Poly.const, (1, 0, 0, 1))]
            for level in range(PIECE):
                state, at, model = self.divstep(state, at, model, level)
            counter, f, g, u, q, v, r = model
            matrix = (u, v), (q, r)
            for (x, y), n in zip(matrix, (f, g)):
                t.products[tuple(sorted((y.single(), b.single())))] = n * (1 << PIECE) - x * a
            product = self.multiply(matrix, product, 4 << PIECE * (i + 1))
            if i < PIECES - 1:
                state, at, words = self.shifted(state, at, [t.mul(x, words[0][0]) + t.mul(y, words[1][0]) for x, y in matrix])
        after, b, digits = [], self.first[1][1], [[self.numbers[o][i] for o in (F, G)] for i in range(5)]
        for x, y in product:
            # The sum for digit 0 is a multiple of 2^62, because the total is.
            low = x * digits[0][0] + y * digits[0][1]
            divided = Poly.var(t.fresh(*(end >> DIGIT for end in t.interval(low))))
            t.products[tuple(sorted((y.single(), b.single())))] = divided * (1 << DIGIT) - low + y * b
            after.append(divided + integer([x * f + y * g for f, g in digits[1:]]))
        for signs in itertools.product((-1, 0), repeat=2):
            tops = {self.numbers[off][4].single(): Poly.var(t.fresh(*((-1 << 10, -1) if sign else (0, 1 << 10)))) for off, sign in zip((D, E), signs)}
            last = self.assuming(state, tops)
            last.execute(self.prog, at)
            last.ended([])
            if last.held(last.mem.get(("s", 0)), "ζ").poly != counter or any((self.result(last, off) - want).mod(1 << 5 * DIGIT + 2).terms for off, want in zip((F, G), after)):
                raise Stuck("ζ, f or g is wrong")
            for off, row in zip((D, E), product):
                self.congruent(last, off, row, signs, *(substitute(integer(self.numbers[off]), tops) for off in (D, E)))
            self.proved += 5

    def multiply(self, left, right, most):
        """The product of the matrices of two groups of divsteps, or 4 times the first matrix."""
        if right is None:
            return [[x * 4 for x in row] for row in left]
        t, r = self.trace, []
        for row in left:
            entries = [row[0] * x + row[1] * y for x, y in zip(*right)]
            sums = [t.interval(entries[0] + entries[1] * sign) for sign in (1, -1)]
            if any(lo < -most or hi > most for lo, hi in sums):
                raise Stuck("a row of the matrix may be too large")
            r.append(t.row(most, -most))
            t.matrix.update((p.mod(WORD).key(), self.word(x)) for p, x in zip(entries, r[-1]))
        return r

    # One divstep.

    def divstep(self, state, at, model, level):
        """Runs one divstep from an instruction on. Returns the state, the next instruction, and the model's state."""
        t, z, g, states, after = self.trace, model[0].single(), model[2].single(), [], []
        for negative, odd in itertools.product((True, False), repeat=2):
            case = {z: Poly.var(t.fresh(*((t.lo[z], -1) if negative else (0, t.hi[z])))),
                    g: Poly.var(t.fresh(t.lo[g] + 1 - odd >> 1, t.hi[g] - odd >> 1)) * 2 + odd}
            states.append(self.assuming(state, case))
            *now, u, q, v, r = (substitute(p, case) for p in model)
            (counter, f, twice), (_, u, q), (_, v, r) = (divstep(odd, negative, *three) for three in (now, (0, u, q), (0, v, r)))
            after.append([counter, f, half(twice), u * 2, q, v * 2, r])
        most = 1 << level + 1
        (u, v), (q, r) = t.row(most, 1 - most), t.row(most, 1 - most)
        t.hi[q.single()] = t.hi[r.single()] = most - 1
        counter, f, g = (Poly.var(t.fresh(*ends)) for ends in ((t.lo[z] - 1, t.hi[z] + 1), (-1 << PIECE - 1, (1 << PIECE - 1) - 1), (1 - (1 << PIECE), (1 << PIECE) - 1)))
        new = [counter, f * 2 + 1, g, u, q, v, r]
        sums = lambda m: [*m, m[3] + m[5], m[3] - m[5], m[4] + m[6], m[4] - m[6]]
        for became in after:
            for (least, most), (lo, hi) in zip(map(t.interval, sums(new)), map(t.interval, sums(became))):
                if lo < least or hi > most:
                    raise Stuck("the bounds of a divstep are wrong")
        pairs = list(zip(self.packed(new, level + 1), zip(*(self.packed(m, level + 1) for m in after))))
        for steps in zip(*(s.follow(self.prog, at) for s in states)):
            i, ins = steps[0]
            if any(j != i for j, _ in steps):
                raise Stuck(f"{ins}: a jump depends on the inputs")
            if ins.op != "j":
                for s in states:
                    s.step(ins)
                if self.joined(joint := state.clone(), states, pairs, self.live[i + 1]):
                    self.proved += 1
                    return joint, i + 1, new
        raise Stuck(f"divstep {level} of a piece is wrong")

    @staticmethod
    def packed(model, level):
        """ζ and the words (f - 1)/2 and g with their rows, and what the code derives from (f - 1)/2."""
        counter, f, g, u, q, v, r = model
        a, b = 1 << 2 * PIECE + 1 - level, 1 << 3 * PIECE + 2 - level
        h = half(f - 1 + u * a + v * b)
        return counter, h, g + q * a + r * b, h + 1, -h

    def assuming(self, state, values):
        """The state with values for variables. Its origins map the identities of words to the word and to the same word without these values."""
        r = state.clone()
        r.origins = {}
        for kind in PARTS:
            part = getattr(r, kind)
            for place, w in part.items():
                if isinstance(w, Word):
                    part[place] = v = self.word(substitute(w.poly, values)) if values.keys() & w.poly.vars() else w
                    r.origins[id(v)] = v, w
                elif callable(w):
                    part[place] = None
        return r

    def joined(self, joint, states, pairs, live):
        """Sets the joint state to what holds in all cases. Returns whether this includes everything that is read later, and the model's words."""
        found = set()
        for kind in PARTS:
            now = getattr(joint, kind)
            for place in {place for s in states for place in getattr(s, kind)}:
                values = [getattr(s, kind).get(place) for s in states]
                origins = [s.origins.get(id(w), (None, None))[1] for s, w in zip(states, values)]
                v = origins[0] if all(w is origins[0] for w in origins) else None
                if v is None and all(isinstance(w, Word) for w in values):
                    polys = [w.poly for w in values]
                    v = self.word(polys[0]) if all(p == polys[0] for p in polys) else None
                    for i, (p, old) in enumerate(pairs):
                        if all(not (w - o).mod(WORD).terms for w, o in zip(polys, old)):
                            v = self.word(p)
                            found.add(i)
                elif all(isinstance(w, Ptr) and w == values[0] for w in values):
                    v = values[0]
                if v is None and place in live:
                    return False
                now[place] = v
        joint.digits = set.intersection(*(s.digits for s in states))
        return found >= {0, 1, 2}

    def shifted(self, state, at, sums):
        """Runs until registers hold the sums u·f + v·g and q·f + r·g divided by 2^20, modulo 2^44, and replaces these
        words by arbitrary words."""
        words = self.words(64 - PIECE)
        for i, ins in state.follow(self.prog, at):
            if ins.op == "j":
                continue
            state.step(ins)
            found = [[r for r, w in state.regs.items() if isinstance(w, Word) and not (w.poly * (1 << PIECE) - p).mod(WORD).terms] for p in sums]
            if all(found):
                state.regs.update((r, self.word(p)) for registers, (p, _) in zip(found, words) for r in registers)
                return state, i + 1, words
        raise Stuck("f and g are not divided by 2^20")

    # The results.

    def result(self, state, off):
        """The integer at an offset of s, modulo 2^312."""
        digits = [state.held(state.mem.get(("s", off + 8 * i)), f"s+{off + 8 * i}") for i in range(5)]
        if any(w.lo < 0 or w.hi >> DIGIT for w in digits[:4]):
            raise Stuck(f"a digit of s+{off} may have more than 62 bits")
        p = integer([w.poly for w in digits])
        return Poly({v: c for v, c in p.terms.items() if c % (1 << 5 * DIGIT + 2)})

    def congruent(self, state, off, row, signs, d, e):
        """Checks that 2^62 times the result is u·d + v·e + m·(s - x), where s = u·[d < 0] + v·[e < 0] and 0 ≤ x < 2^62,
        and that the result is in (-2m, m)."""
        t, m, (u, v) = self.trace, self.spec.n, row
        rest = self.result(state, off) * (1 << DIGIT) - t.mul(u, d) - t.mul(v, e)
        x = u * -signs[0] + v * -signs[1] - Poly({k: c // m for k, c in rest.terms.items()})
        if rest.mod(m).terms or x.key() not in state.digits:
            raise Stuck(f"the integer at s+{off} has the wrong residue or may be too large")
        # d + m·[d < 0] and e + m·[e < 0] are in (-m, m).
        d, e, x = (Poly.var(t.fresh(*ends)) for ends in ((1 - m, m - 1), (1 - m, m - 1), (0, (1 << DIGIT) - 1)))
        lo, hi = t.interval(u * d + v * e - x * m)
        if lo <= -2 * m << DIGIT or hi >= m << DIGIT:
            raise Stuck(f"the integer at s+{off} is out of range")


class DivstepsCase(concrete.Case):
    """States of an inversion, many of them edge cases."""

    size = END

    def parameter(self, p):
        at, rng, m = self.address(p.name), self.rng, self.spec.n
        if p.name == "m":
            words = [*self.spec.digits, pow(m, -1, 1 << DIGIT)]
        else:
            self.counter = rng.choice((-1, 0, 1, -2, rng.randrange(-60, 60), -COUNTER - 1, COUNTER))
            f, g = (rng.choice((0, 1, -1, 2, m, LARGEST, -LARGEST, *(rng.getrandbits(n) * rng.choice((1, -1)) for n in (256, 256, 255, 60)))) for _ in range(2))
            d, e = (rng.choice((0, 1, -1, m - 1, -m, 1 - 2 * m, rng.randrange(1 - 2 * m, m), rng.randrange(1 - 2 * m, m))) for _ in range(2))
            self.numbers = f if f % 2 else f // 2 | 1, g, d, e
            words = [self.counter, *(v >> DIGIT * i & ((1 << DIGIT) - 1 if i < 4 else ONES) for v in self.numbers for i in range(5))]
            self.writable.update(range(at, at + END, 8))
        self.mem.update((at + 8 * i, w & ONES) for i, w in enumerate(words))
        return at

    def expect(self):
        """Runs the divsteps on integers."""
        z, (f, g, d, e), u, v, q, r = self.counter, self.numbers, 1, 0, 0, 1
        for _ in range(PIECE * PIECES):
            (z, f, g), (_, u, q), (_, v, r) = (divstep(g % 2, z < 0, *three) for three in ((z, f, g), (0, u, q), (0, v, r)))
            g, u, v = g // 2, 2 * u, 2 * v
        self.want = [z, f, g], [u * d + v * e, q * d + r * e]

    def wrong(self, m):
        at, n, (first, sums) = self.address("s"), self.spec.n, self.want
        words = [m.mem[at + 8 * i] for i in range(END // 8)]
        z, *tops = (w - (w >> 63 << 64) for w in words[:1] + words[5::5])
        f, g, d, e = (sum(w << DIGIT * j for j, w in enumerate(words[1 + 5 * i:5 + 5 * i])) + (top << 4 * DIGIT) for i, top in enumerate(tops))
        if [z, f, g] != first or any(w >> DIGIT for i, w in enumerate(words) if i % 5):
            return "ζ, f, g or a digit is wrong"
        if any((x << PIECE * PIECES) % n != want % n or not -2 * n < x < n for x, want in zip((d, e), sums)):
            return "d or e is wrong"
        return None

    def environments(self, proof):
        values = ((v, self.mem[self.address("s") + off] >> first & (1 << size) - 1) for v, off, first, size in proof.given)
        yield {v: x - (x >> 63 << 64) for v, x in values}, None


ArmDivstepsProof = type("ArmDivstepsProof", (DivstepsProof,), {"state": type("ArmDivstepsState", (Divsteps, ArmState), {})})
ArmDivstepsCase = type("ArmDivstepsCase", (DivstepsCase, ArmCase), {})
