"""Specifications: the results that the routines must compute.

The proofs prove these statements, so people have to review them; nothing else in this directory states what is right. A
formula takes a list of elements for each input parameter, in order, and returns the list of all elements that the
routine sets, in order. It can be evaluated on polynomials and on integers.
"""

import copy
import itertools

P = 2**256 - 2**32 - 977
N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141


class Parameter:
    """A parameter that is not a pointer, with its value if one is given."""

    def __init__(self, name, value=None):
        self.name, self.value = name, value


class In:
    """A pointer to elements, each of which is any integer below 2^256 or, if below is set, below that bound."""

    def __init__(self, name, count=1, below=None):
        self.name, self.count, self.below = name, count, below


class Out:
    """A pointer to elements that the routine sets."""

    def __init__(self, name, count=1, may_be=()):
        """The pointer may equal an input listed in may_be. Otherwise it shares no memory with other parameters."""
        self.name, self.count, self.may_be = name, count, may_be


class InWords(In):
    """A pointer to an integer below 2^256 in each lane, in four words of 64 bits."""


class OutWords(Out):
    """A pointer to an integer below 2^256 in each lane, in four words, that the routine sets."""


class Halves(Out):
    """A pointer to integers in each lane that the routine sets, in two's complement, in three words of 64 bits."""


class InOut(In, Out):
    """A pointer to elements that the routine replaces."""

    def __init__(self, name, count=1):
        In.__init__(self, name, count)
        self.may_be = ()


class Count(Parameter):
    """The number of iterations of a loop, at least one."""


class Mask(Parameter):
    """An integer with all bits set or no bits set: the formula receives 1 or 0."""


class Given(Parameter):
    """An integer with the given value."""


class Bits(Parameter):
    """A byte with a bit for each of eight lanes. The formula receives the bit of its lane, whose value is given."""


class Unused(Parameter):
    """A parameter that must not be read."""


class Spec:
    """A routine: its parameters in order, and its formula. With a Count, the routine applies the formula repeatedly to its own result."""

    def __init__(self, formula, *params, modulus=P, below=False, reads=None, prefetches=()):
        """below requires results below the modulus, instead of below 2^256. reads, if given, names the inputs that must
        be read, every word of them; the routine must read no others. prefetches lists all prefetches as (parameter,
        offset), in any order.
        """
        self.reads, self.prefetches = reads, sorted(prefetches)
        self.formula, self.params, self.n, self.below = formula, params, modulus, below
        self.outs = [p for p in params if isinstance(p, Out)]
        self.inputs = [p for p in params if isinstance(p, In)]
        self.loop = any(isinstance(p, Count) for p in params)

    def places(self):
        """The parameters with their offsets on the stack."""
        at = 0
        for p in self.params:
            size = 1 if isinstance(p, Bits) else 8
            at = -(-at // size) * size
            yield p, at
            at += size

    def aliasings(self):
        """Every way in which pointers may share memory, as maps from parameters to (object, offset).

        Inputs that share memory only with each other are left out, because nothing writes to them.
        """
        ways = [{p.name: (p.name, 0) for p in self.params if isinstance(p, (In, Out))}]
        for p in self.outs:
            for name in p.may_be:
                ways += [{**w, name: (p.name, 0)} for w in ways]
        return ways

    def families(self):
        """Lists of specifications of the same routine. All specifications must be proved, and for all specifications in
        a list the routine must access the same addresses."""
        return [[self]]


class Go(Spec):
    """A function compiled by Go's compiler, whose parameters are in registers."""


class Arm(Spec):
    """A routine in assembly for ARM64."""


class Lanes(Spec):
    """A routine on eight lanes that applies the formula to the elements of each lane."""

    def families(self):
        bits = [p for p in self.params if isinstance(p, Bits)]
        members = []
        for values in itertools.product((0, 1), repeat=len(bits)):
            given = {p: Bits(p.name, value) for p, value in zip(bits, values)}
            members.append(self.varied(params=[given.get(p, p) for p in self.params]))
        return [members]

    def varied(self, **attributes):
        """A copy with other attributes."""
        r = copy.copy(self)
        vars(r).update(attributes)
        return r


class AllLanes(Bits):
    """A byte with all bits set."""


class Doubles(Lanes):
    """A routine on lanes whose limbs are doubles. usual tells whether the control bits of MXCSR are the default at entry.

    The value of Bits is a pair: the bit of a lane from 0 to 3, and the bit of a lane from 4 to 7.
    """

    def families(self):
        bits = [p for p in self.params if isinstance(p, Bits)]
        kinds = itertools.product((Bits, AllLanes), repeat=len(bits))
        return [[self.varied(usual=usual, params=[given.get(p, p) for p in self.params])
                 for pairs in itertools.product(PAIRS, repeat=len(bits))
                 if all(pair == (1, 1) or kind is Bits for kind, pair in zip(kinds_of, pairs))
                 for given in [{p: kind(p.name, pair) for p, kind, pair in zip(bits, kinds_of, pairs)}]]
                for kinds_of in kinds for usual in (True, False)]


PAIRS = tuple(itertools.product((0, 1), repeat=2))


class Loads(Doubles):
    """A routine that loads integers into lanes, and computes the formula, whose first parameters are these integers, a list each.

    words maps a lane to the integers. An integer is a list of the places of its four words: an object and an offset or,
    for a table, the table, the index of the word with the offset, and the distance from it. masks has the places of
    bytes with a bit for each lane, which are the last parameters of the formula, and pairs has tuples of values of these bits.
    """

    def __init__(self, formula, words, *params, masks=(), pairs=((),)):
        super().__init__(formula, *params)
        self.words, self.masks, self.pairs = words, masks, pairs

    def families(self):
        return [[m.varied(masks=dict(zip(self.masks, pairs))) for m in family for pairs in self.pairs] for family in super().families()]


class Divsteps(Spec):
    """A routine that runs the function divstep 60 times on ζ, f and g, and applies the matrix of the divsteps to d and e
    modulo m.

    s points to ζ, f, g, d and e, and m to the modulus and its inverse modulo 2^62. Except for ζ and the inverse, these
    are integers of five digits of 62 bits. Digit 4 has the sign, and in the modulus all digits may be negative.

    At entry and at RET, the digits 0 to 3 are in [0, 2^62), f is odd, |f| and |g| are at most 2^256, and d and e are in
    (-2m, m). At entry -2^32 - 1 ≤ ζ ≤ 2^32. The divsteps multiply (f, g) by a matrix (u, v; q, r)/2^60 of integers u, v,
    q and r. At RET, 2^60·d ≡ u·d + v·e and 2^60·e ≡ q·d + r·e modulo m, with d and e as they were at entry.
    """

    def __init__(self):
        super().__init__(divstep, Out("s"), In("m"))

    def families(self):
        """The digits of p and n in internal/modinv, some of which are 0, and the digits of p of which none is 0."""
        low = N - 2**256
        digits = (P, (-2**32 - 977, 0, 0, 0, 256)), (N, (*(low >> 62 * i & 2**62 - 1 for i in (0, 1)), low >> 124, 0, 256)), (P, [P >> 62 * i & 2**62 - 1 for i in range(5)])
        return [[Lanes.varied(self, n=m, digits=d)] for m, d in digits]


def divstep(odd, negative, z, f, g):
    """The divstep of ../grouplaw/Divsteps.v in the half-delta form, for an odd or even g and a ζ that is negative or
    not. Returns the new ζ, the new f, and twice the new g."""
    if not odd:
        return z - 1, f, g
    return (-z - 2, g, g - f) if negative else (z - 1, f, g + f)


class ArmDivsteps(Divsteps):
    """The same routine for ARM64."""


class Split(Lanes):
    """The routine that sets k1 and k2 with k1 + k2·λ ≡ a modulo n, within bounds.

    formula takes a, which is below n, k1 and k2. It returns linear functions of them, each with its least and its
    greatest value.
    """

    def __init__(self, formula, *params):
        super().__init__(lambda a: [], *params, modulus=N, below=True)
        self.bounds = formula

    def families(self):
        return [[self]]


class Families:
    """A routine with several specifications, in lists as Spec.families describes."""

    loop, below, n = False, False, P

    def __init__(self, lists):
        self.lists = list(lists)

    def families(self):
        return self.lists


def each(member, values):
    """Proves a routine for each value of a parameter."""
    return Families([member(v)] for v in values)


def each_secret(member, values):
    """Proves a routine for each value of a parameter, and the same addresses for all values."""
    return Families([[member(v) for v in values]])


class Words(In):
    """A pointer to count words of 64 bits. In word k only the low bits(k) bits may be nonzero."""

    def __init__(self, name, count, bits=lambda k: 64):
        super().__init__(name, count)
        self.bits = bits


class Offsets(Words):
    """Words, some of which are offsets in a table, in bytes. values(k) is the range of word k, or None if it is not an offset."""

    def __init__(self, name, count, values):
        super().__init__(name, count)
        self.values = values


class Table(In):
    """A pointer to a table of size bytes.

    The formula gets a function that maps an offset to the words of the table at the distances in steps from the offset.
    """

    def __init__(self, name, size, steps):
        super().__init__(name, size // 8)
        self.steps = steps


class Pointers(In):
    """A pointer to count pointers, each to the given number of words."""

    def __init__(self, name, count, words):
        super().__init__(name, count)
        self.words = words


class SetWords(Out):
    """A pointer to words that the routine sets."""


class SetLanes(Out):
    """A pointer to a byte whose bits the routine sets, one for each lane."""


class Anything(Parameter):
    """An integer."""


class Moves(Spec):
    """A routine that only moves words, or bits of words, from inputs to outputs.

    The formula computes the results of one lane. Its parameters are the number of the lane and, for each input, a list
    of words; for Pointers, a list of such lists. A word is a tuple of its bits, the lowest first. For each output the
    formula returns a map from indexes to words; high bits that a word lacks may have any values. For SetLanes it
    returns the bit.

    digit, if given, maps a lane to the bits of inputs that decide which words move where, as (name, word, bit). The
    formula is proved for each value of these bits, and gets them as 0 or 1. Other bits may be symbols, which the
    formula only moves.
    """

    def __init__(self, formula, *params, digit=lambda lane: [], reads=(), prefetches=()):
        """reads names the inputs of which every word must be read.

        prefetches lists all prefetches, in any order: the table, the Offsets, the index of the word with the offset,
        and the distance from the offset.
        """
        super().__init__(formula, *params, prefetches=prefetches)
        self.digit, self.all_read = digit, reads


class Loaded(Spec):
    """A routine on lanes that only moves words before its first multiplication, and then computes the formula.

    The words that it has loaded before are the limbs of elements. loads is a formula, as for Moves, that returns these
    limbs.
    """

    def __init__(self, formula, loads, *params, digit):
        super().__init__(formula, *params)
        self.loads = Moves(loads, *(SetWords(p.name, 40 * p.count) if isinstance(p, Out) else p for p in params), digit=digit)
        self.products = Lanes(formula, *(p if isinstance(p, Out) else Unused(p.name) for p in params))


class Known(In):
    """A pointer to words with known values."""

    def __init__(self, name, words):
        super().__init__(name, len(words))
        self.words = words


class Digits(Spec):
    """A routine that writes k1 + k2·λ, in each lane, as digits at places 0, width, 2·width, …

    k1 and k2 are integers from -2^size to 2^size - 1, in two's complement, in three words. If the lane's bit in the
    byte at offset fits is set, the last digit is the remainder times factor. The bit must be set if the remainder a +
    b·λ is in must_fit, as (a, b). fields has the offsets of the vectors and of the bytes of the first digit; the fields
    of later digits follow them. digit takes the functions choose and both, whether the place is odd, the lane, and the
    words and bits of the fields. It returns whether these encode a valid digit, and the digit's a and b.
    """

    def __init__(self, size, width, places, fields, fits, factor, must_fit, digit, *params):
        super().__init__(None, *params)
        self.size = size
        self.width, self.places_of_digits, self.fits, self.factor, self.must_fit, self.digit = width, places, fits, factor, must_fit, digit
        self.vectors, self.bytes = fields
        self.bytes_from = min(self.bytes)
        self.number, self.table = self.inputs

    def fields(self, place, get):
        return [get(at + 64 * place) for at in self.vectors] + [get(at + place) for at in self.bytes]


BETA = 0x7AE96A2B657C07106E64479EAC3434E99CF0497512F58995C1396C28719501EE
LAMBDA = 0x5363AD4CC05C30E0A5261C028812645A122E22EA20816678DF02967C1B23BD72
half = (P + 1) // 2


def mul(a, b):
    return [a[0] * b[0]]


def same(a):
    return a


def square(a):
    return [a[0] * a[0]]


def jacobian_double(a):
    """2a. The slope is halved, so that the denominator is y·z instead of 2·y·z."""
    x, y, z = a
    l = 3 * half * x * x
    s = y * y
    t = x * s
    x3 = l * l - 2 * t
    return [x3, l * (t - x3) - s * s, y * z]


def finish_add(u1, s1, h, r):
    """X3 and Y3 of a sum, from U1, S1 and the differences H = U2 - U1 and R = S2 - S1."""
    h2 = h * h
    h3 = h2 * h
    v = u1 * h2
    x3 = r * r - h3 - 2 * v
    return [x3, r * (v - x3) - s1 * h3]


def jacobian_add_mixed(a, x, y):
    """a + (x, y), whose denominator is the denominator of a times H; and H."""
    (x1, y1, z1), (x2,), (y2,) = a, x, y
    h = x2 * (z1 * z1) - x1
    r = y2 * (z1 * z1 * z1) - y1
    return finish_add(x1, y1, h, r) + [z1 * h, h]


def jacobian_double_add(a, x, y):
    """2a + (x, y), and H."""
    return jacobian_add_mixed(jacobian_double(a), x, y)


def jacobian_add(a, b):
    """a + b. The last result is H."""
    (x1, y1, z1), (x2, y2, z2) = a, b
    u1, s1 = x1 * (z2 * z2), y1 * (z2 * z2 * z2)
    h = x2 * (z1 * z1) - u1
    r = y2 * (z1 * z1 * z1) - s1
    return finish_add(u1, s1, h, r) + [z1 * z2 * h, h]


def xyzz_add_mixed(a, b):
    """a + b, where a is X, Y, ZZ, ZZZ with x = X/ZZ and y = Y/ZZZ, and b is affine. The last result is H."""
    (x1, y1, zz1, zzz1), (x2, y2) = a, b
    h = x2 * zz1 - x1
    r = y2 * zzz1 - y1
    h2 = h * h
    return finish_add(x1, y1, h, r) + [zz1 * h2, zzz1 * (h2 * h), h]


def co_z_add(a, b):
    """For a and b with the same denominator, a + b, then a with the denominator of a + b, then H."""
    (x1, y1), (x2, y2) = a, b
    h = x1 - x2
    r = y1 - y2
    h2 = h * h
    v = x1 * h2
    w = y1 * (h2 * h)
    x3 = r * r - v - x2 * h2
    return [x3, r * (v - x3) - w, v, w, h]


def affine_add(a, b, before, inverse):
    """a + b, and the inverse of before, where inverse is the inverse of before·(x2 - x1)."""
    (x1, y1), (x2, y2), (c,), (d,) = a, b, before, inverse
    slope = d * c * (y2 - y1)
    x3 = slope * slope - x1 - x2
    return [x3, slope * (x2 - x3) - y2, d * (x2 - x1)]


def affine_add_pair(a, b, before, inverse):
    """affine_add for two pairs. The results are both sums, then both inverses."""
    first, second = (affine_add(a[2 * i:2 * i + 2], b[2 * i:2 * i + 2], [before[i]], [inverse[i]]) for i in range(2))
    return first[:2] + second[:2] + first[2:] + second[2:]


def rescale(a, c):
    """The image of a on the isomorphic curve with scale factor c."""
    (x, y), (d,) = a, c
    return [x * (d * d), y * (d * d * d)]


def signed_odd_multiple(table, digit):
    """digit times a point. The table holds its multiples 1, 3, 5, …, as x and y in turn."""
    i = 2 * (abs(digit) // 2)
    x, y = table[i], table[i + 1]
    return [x, y if digit > 0 else -y]


# In lanes, Jacobian coordinates have 2·y in place of y, and Z is twice the Z of the formulas above.


def lanes_double(a):
    """-2a."""
    x, y, z = a
    x3, y3, z3 = jacobian_double([x, half * y, z])
    return [4 * x3, -16 * y3, 2 * z3]


def lanes_add_mixed(a, x, ny, k):
    """a + (x, -ny/2) if k is set, else a."""
    x1, y1, z1 = a
    x3, y3, z3, _ = jacobian_add_mixed([x1, half * y1, z1], x, [-half * ny[0]])
    return choose(k, [4 * x3, 16 * y3, 2 * z3], a)


def complete(m):
    """The elements of a table's entry for the point (x, y)."""
    x, y = m[:2]
    return [x, 2 * y, BETA * x, BETA * BETA % P * x, -2 * y]


def complete_rescaled(m, z, ratio):
    z = z[0] * ratio[0]
    return [*complete([m[0] * z * z, m[1] * z * z * z]), z]


def lanes_add_mixed_xyzz(a, x, y, minus, k):
    *sum, _ = xyzz_add_mixed(a, [x[0], y[0] * (1 - 2 * minus)])
    return choose(k, sum, a)


def xyzz_add_distinct(a, b):
    """a + b, in coordinates X, Y, ZZ, ZZZ. The last result is H."""
    (x1, y1, zz1, zzz1), (x2, y2, zz2, zzz2) = a, b
    u1, s1 = x1 * zz2, y1 * zzz2
    h, r = x2 * zz1 - u1, y2 * zzz1 - s1
    return finish_add(u1, s1, h, r) + [zz1 * zz2 * (h * h), zzz1 * zzz2 * (h * h * h), h]


def xyzz_add(a, b):
    return xyzz_add_distinct(a, b)[:4]


def xyzz_double_affine(a):
    """2a for an affine a, in coordinates X, Y, ZZ, ZZZ. The denominator of the slope is 2y, so ZZ = (2y)² and ZZZ = (2y)³."""
    x, y = a
    u, m = 2 * y, 3 * x * x
    x3 = m * m - 2 * x * (u * u)
    return [x3, m * (x * (u * u) - x3) - u * u * u * y, u * u, u * u * u]


# Two of the shortest vectors (x, y) for which x + y·λ is 0 modulo n. Their determinant is n.
SHORT = (0x3086D221A7D46BCDE86C90E49284EB15, -0xE4437ED6010E88286F547FA90ABFE4C3), (0x114CA50F7A8E2F3F657C1108D9D44CFD8, 0x3086D221A7D46BCDE86C90E49284EB15)


def split_rounding(a, k1, k2):
    """The remainders of the rounded quotients q and r. Each is ⌊(a·m + 2^383)/2^384⌋, where m is 2^384·x/n, rounded.

    For q, x is the first coordinate of the first vector of SHORT. For r, x is minus the second coordinate of the same
    vector. (k1, k2) is (a, 0) minus q times the first vector and minus r times the second.
    """
    (c, d), (e, f) = SHORT
    qn = c * a - (f * k1 - e * k2)  # n·q
    rn = -d * a - (c * k2 - d * k1)  # n·r
    for x, times_n in ((c, qn), (-d, rn)):
        m = (2**384 * x + N // 2) // N
        yield N * m * a + N * 2**383 - 2**384 * times_n, 0, N * 2**384 - 1


def choose(bit, a, b):
    return [bit * x + (1 - bit) * y for x, y in zip(a, b, strict=True)]


def nothing(*_):
    return []


# Routines that move words. Their formulas work on tuples of bits.


def number(bits):
    """The integer that known bits represent."""
    return sum(bit << i for i, bit in enumerate(bits))


def joined(words):
    return tuple(bit for word in words for bit in word)


def in_lane(i, words):
    """A map from indexes to the words that lane i has in consecutive vectors."""
    return {8 * k + i: word for k, word in enumerate(words)}


def limbs(bits):
    """An integer of 256 bits as the limbs of an element. Bits above bit 51 may have any values, except in the last limb."""
    return [bits[52 * k:52 * k + 52] for k in range(4)] + [bits[208:] + (0,) * 16]


ZERO = (0,) * 64


def multiple_in_row(row, window):
    """x and y of the multiple that a window stands for, and whether the routine has to negate it.

    A row has the multiples 1, 3, 5, … of a point: word k of all of them, then
    word k + 1, and so on. A window of n bits with the value w stands for the
    odd digit 2w + 1 - 2^n.
    """
    digit = 2 * number(window) + 1 - 2 ** len(window)
    entries = len(row) // 8
    words = [row[entries * k + abs(digit) // 2] for k in range(8)]
    return limbs(joined(words[:4])), limbs(joined(words[4:])), int(digit < 0)


def base_lookup(shift):
    """Looks up seven bits from bit shift on, in the two words of each lane."""
    def formula(i, row, words):
        x, y, minus = multiple_in_row(row, (words[i] + words[8 + i])[shift:shift + 7])
        return in_lane(i, x), in_lane(i, y), minus

    return Moves(formula, SetWords("x", 40), SetWords("y", 40), SetLanes("minus"), Words("row", 8 * 64), Words("words", 16), Given("shift", shift),
                 digit=lambda i: [("words", 8 * (at // 64) + i, at % 64) for at in range(shift, shift + 7)], reads=("row", "words"))


def base_lookup_one(n):
    """Looks up a window of five bits for each lane. Lanes i and i + 4 read row i."""
    def formula(i, rows, windows):
        row = i % 4
        x, y, minus = multiple_in_row(rows[128 * row:128 * row + 128] if row < n else [ZERO] * 128, windows[0][5 * i:5 * i + 5])
        return in_lane(i, x), in_lane(i, y), minus

    return Moves(formula, SetWords("x", 40), SetWords("y", 40), SetLanes("minus"), Words("rows", 128 * n), Anything("windows"), Given("n", n),
                 digit=lambda i: [("windows", 0, at) for at in range(5 * i, 5 * i + 5)], reads=("rows",))


def variable_lookup(entries=16):
    """Looks up the entry that the low bits of a word select, which are the same for all lanes."""
    def formula(i, table, index):
        first = 80 * sum(bit << k for k, bit in enumerate(index[0][:4]))
        return [in_lane(i, [table[first + 40 * e + 8 * k + i] for k in range(5)]) for e in range(2)]

    return Moves(formula, SetWords("x", 40), SetWords("y", 40), Words("table", 80 * entries), Anything("index"),
                 digit=lambda i: [("index", 0, at) for at in range(4)], reads=("table",))


def turn(n):
    return Moves(lambda i, p: [in_lane(i, p[(i + n) % 8::8])], SetWords("q", 160), Words("p", 160), Given("n", n), reads=("p",))


def load(numbers):
    """Sets lane i to item i of a slice with n items, each of which has the given number of integers of four words. Lanes from n on get item 0."""
    def member(n):
        def formula(i, a):
            first = 4 * numbers * (i if i < n else 0)
            return [in_lane(i, [limb for k in range(numbers) for limb in limbs(joined(a[first + 4 * k:first + 4 * k + 4]))])]
        return Moves(formula, SetWords("r", 40 * numbers), Words("a", 4 * numbers * n), Given("len", n), Unused("cap"), reads=("a",))
    return member


def normal(k):
    """The number of bits of word k, which is limb k // 8 in lane k % 8, for integers of 256 bits."""
    return 52 if k < 32 else 48


def store_points(n):
    """Sets n points to the integers in the first n lanes."""
    def formula(i, x, y):
        words = []
        for e in x, y:
            bits = joined(e[8 * k + i][:normal(8 * k)] for k in range(5))
            words += [bits[64 * k:64 * k + 64] for k in range(4)]
        return [{8 * i + k: word for k, word in enumerate(words)} if i < n else {}]
    return Moves(formula, SetWords("a", 8 * n), Given("len", n), Unused("cap"), Words("x", 40, normal), Words("y", 40, normal), reads=("x", "y"))


def gather(i, points):
    return [in_lane(i, limbs(joined(points[i][4 * k:4 * k + 4]))) for k in range(2)]


# Digits of public scalars in lanes (docs/digits.md, S14 to S18).


def times_unit(a, b, power, minus=False):
    """(a + b·λ)·λ^power, or its negation if minus is set."""
    for _ in range(power):
        a, b = -b, a - b
    return (-a, -b) if minus else (a, b)


def norm(a, b):
    return a * a - a * b + b * b


POINT_MULTIPLES = [(1, 0), (1, -1), (1, -2), (1, -3), (2, -3), (2, -2), (2, -1), (2, 0), (3, 0), (4, 0), (3, -1)]
POINT_PLACES, GENERATOR_PLACES = 43, 17
# The elements of an entry of the table, in this order: x, 2y, β·x, β²·x, -2y.
X_ROWS, PLUS, MINUS, ROWS, ROW_BYTES = (0, 2, 3), 4, 1, 5, 320


def point_digit(choose, both, odd, lane, x, y, nonzero):
    """x and y are the offsets of x and -2y of the digit's multiple or, at odd places, of the negated digit's multiple.
    The digit 0 has the offsets of the digit 1."""
    ok, a, b = 0, 0, 0
    for entry, multiple in enumerate(POINT_MULTIPLES):
        for power, row in enumerate(X_ROWS):
            for minus in (False, True):
                here = both(x == ROW_BYTES * (ROWS * entry + row) + 8 * lane,
                            y == ROW_BYTES * (ROWS * entry + (MINUS if minus else PLUS)) + 8 * lane)
                u, v = times_unit(*multiple, power, minus != odd)
                ok, a, b = choose(here, 1, ok), choose(here, u, a), choose(here, v, b)
    return both(ok == 1, choose(nonzero, 1, choose(both(a == 1, b == 0), 1, 0)) == 1), choose(nonzero, a, 0), choose(nonzero, b, 0)


def point_classes():
    """Tables of bytes for the digit a + b·λ of each class x + y·λ modulo 8, at byte x + 8·y: a + 8, b + 8, the row of
    x, the row of -2y, and the row of 2y.

    Class 0 has the rows of the first entry.
    """
    tables = [[8] * 64, [8] * 64, [0] * 64, [PLUS] * 64, [MINUS] * 64]
    for entry, multiple in enumerate(POINT_MULTIPLES):
        for power, row in enumerate(X_ROWS):
            for minus in (False, True):
                a, b = times_unit(*multiple, power, minus)
                y = [ROWS * entry + PLUS, ROWS * entry + MINUS]
                for table, byte in zip(tables, [a + 8, b + 8, ROWS * entry + row, *(reversed(y) if minus else y)]):
                    table[a % 8 + 8 * (b % 8)] = byte
    return [sum(table[8 * i + k] << 8 * k for k in range(8)) for table in tables for i in range(8)]


# The index of the first multiple 2^i·v of G in its table, for numbers v that 2 does not divide, and the number of
# entries.
GENERATOR_ROWS = [10923 - (2 * 4 ** (7 - i) + 1) // 3 for i in range(8)]
GENERATOR_ENTRIES, ENTRY_BYTES = 10923, 64


def generator_digit(choose, both, odd, lane, at, nonzero, minus, turned, turned_twice):
    """at is the offset of the digit's multiple. Row i of the table has the multiples by 2^i·(u + v·λ) for odd u and
    even v, ordered by u, then by v modulo 2^(8-i)."""
    entry, a, b = at >> 6, 0, 0
    for i, first in enumerate(GENERATOR_ROWS):
        n = entry - first
        bits = 7 - i
        u = 2 * (n >> bits) + 1
        v = 2 * (n & 2**bits - 1)
        v = choose(v >= 2**bits, v - 2 * 2**bits, v)
        a, b = choose(entry >= first, u << i, a), choose(entry >= first, v << i, b)
    for which, power in ((turned, 1), (turned_twice, 2)):
        u, v = times_unit(a, b, power)
        a, b = choose(which, u, a), choose(which, v, b)
    a, b = choose(minus, -a, a), choose(minus, -b, b)
    ok = both(at & 63 == 0, at >= 0, at < ENTRY_BYTES * GENERATOR_ENTRIES, choose(both(turned, turned_twice), 1, 0) == 0)
    return ok, choose(nonzero, a, 0), choose(nonzero, b, 0)


def gather_point(place):
    """Copies the rows for the digits of one place. Digits of other places may have any values."""
    def values(k):
        return range(8 * (k % 8), ROW_BYTES * ROWS * len(POINT_MULTIPLES), ROW_BYTES) if k // 8 in (place, POINT_PLACES + place) else None

    def formula(i, table, d):
        return [in_lane(i, table(d[8 * k + i])) for k in (place, POINT_PLACES + place)]

    return Moves(formula, SetWords("x", 40), SetWords("ny", 40), Table("table", ROW_BYTES * ROWS * len(POINT_MULTIPLES), range(0, ROW_BYTES, 64)),
                 Offsets("d", 16 * POINT_PLACES + 8, values), Given("i", place))


GENERATOR_TABLE = Table("table", ENTRY_BYTES * GENERATOR_ENTRIES, range(0, ENTRY_BYTES, 8))


def generator_offsets(places):
    """Digits for G. Those at the given places are offsets in the table, and the others may have any values."""
    return Offsets("d", 8 * GENERATOR_PLACES + 16, lambda k: range(0, ENTRY_BYTES * GENERATOR_ENTRIES, ENTRY_BYTES) if k // 8 in places else None)


def gather_generator(place):
    """x and y of the entry for the digit of one place, each multiplied by an element.

    x is multiplied by element 0, or by element 1 for λ, or 2 for λ²; y by element 3, or by element 4 for a negated digit.
    """
    def flags(i):
        """The words, and the bits in them, that select minus, λ and λ²."""
        return [divmod(8 * (which * GENERATOR_PLACES + place) + i, 64) for which in (65, 66, 67)]

    def loads(i, table, d, f):
        words, (minus, turned, turned_twice) = table(d[8 * place + i]), (d[word][bit] for word, bit in flags(i))
        element = lambda n: [f[40 * n + 8 * k + i][:52 if k < 4 else 64] for k in range(5)]
        return [limbs(joined(words[:4])), limbs(joined(words[4:])), element(2 if turned_twice else turned), element(3 + minus)]

    return Loaded(lambda x, y, c, d: [x[0] * c[0], y[0] * d[0]], loads, Out("x"), Out("ny"), GENERATOR_TABLE, generator_offsets((place,)), Given("i", place),
                  Words("f", 200, lambda k: 64 if k % 40 < 32 else 49), digit=lambda i: [("d", word, bit) for word, bit in flags(i)])


def up_to_norm(most):
    return {(a, b) for a in range(-6, 7) for b in range(-6, 7) if norm(a, b) <= most}


CLASSES = (*point_classes(), *GENERATOR_ROWS)


def lookup(kind, prefetch=False, more=(None,), lengths=(4, 8, 16, 32)):
    """The look-up of the point for a signed odd digit in tables of the given numbers of points. The library's tables
    have 16 or 32. No address may depend on the window. With prefetch, the routine also prefetches the next table. more
    has the capacities of the table's slice beyond its length, or None if the routine must not read the capacity.
    """
    def member(n, spare, window):
        return kind(lambda table: signed_odd_multiple(table, 2 * window - (2 * n - 1)), Out("p", 2), In("table", 2 * n),
                    Given("len", n), Unused("cap") if spare is None else Given("cap", n + spare),
                    Given("window", window), reads=["table"],
                    prefetches=[("table", 64 * (n + i)) for i in range(n)] if prefetch else ())

    return Families([member(n, spare, window) for window in range(2 * n)] for spare in more for n in lengths)


# The routines that must be in the binary, by package and name.
ROUTINES = {
    "field.mulBroadwell": Spec(mul, Out("v", may_be=("a", "b")), In("a"), In("b")),
    "field.squareBroadwell": Spec(square, Out("v", may_be=("a",)), In("a")),
    "field.squareNBroadwell": Spec(square, Out("v", may_be=("a",)), In("a"), Count("n")),
    "group.doubleNBroadwell": Spec(jacobian_double, Out("p", 3, may_be=("a",)), In("a", 3), Count("n")),
    "group.addMixedBroadwell": Spec(jacobian_add_mixed, Out("p", 3, may_be=("a",)), In("a", 3), In("x"), In("y"),
                              Out("h")),
    "group.doubleAddBroadwell": Spec(jacobian_double_add, Out("p", 3, may_be=("a",)), In("a", 3), In("x"), In("y"), Out("h")),
    "group.addDistinctBroadwell": Spec(jacobian_add, Out("p", 3, may_be=("a", "b")), In("a", 3), In("b", 3), Out("h")),
    "group.addMixedXYZZBroadwell": Spec(xyzz_add_mixed, Out("p", 4, may_be=("a",)), In("a", 4), In("b", 2), Out("h")),
    "group.addCoZBroadwell": Spec(co_z_add, Out("p", 2), InOut("a", 2), In("b", 2), Out("h")),
    "group.addAffineBroadwell": Spec(affine_add, Out("p", 2, may_be=("a",)), In("a", 2), In("b", 2), In("before"), InOut("inverse")),
    "group.rescaleBroadwell": Spec(rescale, Out("p", 2, may_be=("a",)), In("a", 2), In("c")),
    "ecmult.lookupBroadwell": lookup(Spec, prefetch=True),
    "ecmult.lookupAVX512": lookup(Spec, prefetch=True),
    "ecmult.prefetch": Spec(nothing, In("p", 2), reads=[], prefetches=[("p", 0)]),
    "scalar.mulBroadwell": Spec(mul, Out("v", may_be=("a", "b")), In("a"), In("b"), modulus=N, below=True),
    "lanes.mulIFMA": Lanes(mul, Out("r", may_be=("a", "b")), In("a"), In("b")),
    "lanes.squareNIFMA": Lanes(square, Out("r", may_be=("a",)), In("a"), Count("n")),
    "lanes.squarePairNIFMA": Lanes(lambda a: [a[0] * a[0], a[1] * a[1]], Out("r", 2, may_be=("a",)), In("a", 2), Count("n")),
    "lanes.squareTripleNIFMA": Lanes(lambda a: [x * x for x in a], Out("r", 3, may_be=("a",)), In("a", 3), Count("n")),
    "lanes.addIFMA": Lanes(lambda a, b: [a[0] + b[0]], Out("r", may_be=("a", "b")), In("a"), In("b")),
    "lanes.subIFMA": Lanes(lambda a, b: [a[0] - b[0]], Out("r", may_be=("a", "b")), In("a"), In("b")),
    "lanes.negateIFMA": Lanes(lambda a, k: choose(k, [-a[0]], a), Out("r", may_be=("a",)), In("a"), Bits("k")),
    "lanes.normalizeIFMA": Lanes(same, Out("r", may_be=("a",)), In("a"), below=True),
    "lanes.packIFMA": Lanes(same, OutWords("w"), In("a"), below=True),
    "lanes.unpackIFMA": Lanes(same, Out("r"), InWords("w")),
    "lanes.blendIFMA": Lanes(lambda a, b, k: choose(k, a, b), Out("r", may_be=("a", "b")), In("a"), In("b"), Bits("k")),
    "lanes.doubleNegateNIFMA": Lanes(lanes_double, InOut("p", 3), Count("n")),
    "lanes.doubleNegatePairNVartimeIFMA": Lanes(lambda p: lanes_double(p[:3]) + lanes_double(p[3:]), InOut("p", 6), Count("n")),
    "lanes.addMixedIFMA": Lanes(lanes_add_mixed, InOut("p", 3), In("x"), In("ny"), Bits("k")),
    "lanes.addCoZIFMA": Lanes(co_z_add, Out("p", 2), InOut("u", 2), In("q", 2), Out("ratio")),
    "lanes.completeVartimeIFMA": Lanes(complete, InOut("m", 5)),
    "lanes.completeRescaledVartimeIFMA": Lanes(complete_rescaled, InOut("m", 5), InOut("z"), In("ratio")),
    "lanes.addAffinePairVartimeIFMA": Lanes(affine_add_pair, InOut("a", 4), In("b", 4), In("before", 2), InOut("inverse", 2)),
    "lanes.addMixedXYZZIFMA": Lanes(lanes_add_mixed_xyzz, InOut("p", 4), In("x"), In("y"), Bits("minus"), Bits("k")),
    "lanes.addXYZZIFMA": Lanes(xyzz_add, InOut("p", 4), In("q", 4)),
    "lanes.mulNIFMA": Lanes(mul, Out("r", may_be=("a", "b")), In("a"), In("b"), modulus=N),
    "lanes.recodePointVartimeIFMA": Digits(
        128, 3, POINT_PLACES, ((0, 64 * POINT_PLACES), (128 * POINT_PLACES,)), 129 * POINT_PLACES, 1, up_to_norm(16), point_digit,
        SetWords("d", 16 * POINT_PLACES + 8), Words("k", 48), Known("c", CLASSES)),
    "lanes.recodeGeneratorVartimeIFMA": Digits(
        134, 8, GENERATOR_PLACES, ((0,), tuple((64 + i) * GENERATOR_PLACES for i in range(4))), 68 * GENERATOR_PLACES, 4, up_to_norm(6), generator_digit,
        SetWords("d", 8 * GENERATOR_PLACES + 16), Words("k", 48), Known("c", CLASSES)),
    "lanes.splitIFMA": Split(split_rounding, Halves("k", 2), In("a")),
    "lanes.baseLookupIFMA": each_secret(base_lookup, range(64)),
    "lanes.baseLookupOneIFMA": each(base_lookup_one, range(1, 5)),
    "lanes.variableLookupIFMA": variable_lookup(),
    "lanes.turnIFMA": each(turn, range(8)),
    "lanes.loadScalarsIFMA": each(load(1), range(1, 9)),
    "lanes.loadElementsIFMA": each(load(1), range(1, 9)),
    "lanes.loadPointsVartimeIFMA": each(load(2), range(1, 9)),
    "lanes.storePointsIFMA": each(store_points, range(9)),
    "lanes.gatherPointVartimeIFMA": each(gather_point, range(POINT_PLACES)),
    "lanes.gatherGeneratorVartimeIFMA": each(gather_generator, range(GENERATOR_PLACES)),
    "lanes.prefetchVartimeIFMA": Moves(nothing, GENERATOR_TABLE, generator_offsets(range(GENERATOR_PLACES)),
                                       prefetches=[("table", "d", k, 0) for k in range(8 * GENERATOR_PLACES)]),
    "lanes.gatherVartimeIFMA": Moves(gather, SetWords("x", 40), SetWords("y", 40), Pointers("p", 8, 8), reads=("p",)),
}

# Routines with limbs in double precision, for processors with FMA.


def load_doubles(numbers):
    """Sets lane i to item i of a slice with n items, or to item 0 if there is none."""
    def member(n):
        def words(i):
            return [[("a", 32 * (numbers * (i if i < n else 0) + k) + 8 * j) for j in range(4)] for k in range(numbers)]
        return Loads(lambda *a: [x for x, in a], words, Out("r", numbers), Words("a", 4 * numbers * n), Given("len", n), Unused("cap"))
    return Families(family for n in range(1, 9) for family in member(n).families())


def gather_generator_doubles(place):
    def words(i):
        return [[("table", 8 * place + i, 32 * k + 8 * j) for j in range(4)] for k in range(2)]

    def formula(x, y, f, minus, turned, turned_twice):
        c = choose(turned_twice, [f[2]], choose(turned, [f[1]], [f[0]]))
        return [x[0] * c[0], y[0] * choose(minus, [f[4]], [f[3]])[0]]

    return Loads(formula, words, Out("x"), Out("ny"), GENERATOR_TABLE, generator_offsets((place,)), Given("i", place), In("f", 5),
                 masks=[("d", (64 + k) * GENERATOR_PLACES + place) for k in range(1, 4)],
                 # The masks are used in the same way at all places. So all pairs of values are proved for the first place only.
                 pairs=list(itertools.product(PAIRS if place == 0 else PAIRS[1:3], repeat=3)))


DOUBLES = {f"lanes.{name}VartimeFMA": Doubles(spec.formula, *spec.params, below=spec.below) for name in (
    "mul", "squareN", "squarePairN", "squareTripleN", "add", "sub", "negate", "blend", "pack", "doubleNegateN", "doubleNegatePairN",
    "addMixed", "addCoZ", "addAffinePair", "addMixedXYZZ", "addXYZZ", "complete", "completeRescaled")
    for spec in [ROUTINES.get(f"lanes.{name}IFMA") or ROUTINES[f"lanes.{name}VartimeIFMA"]]}
DOUBLES |= {
    "lanes.loadElementsVartimeFMA": load_doubles(1),
    "lanes.loadPointsVartimeFMA": load_doubles(2),
    "lanes.gatherVartimeFMA": Loads(lambda x, y: [x[0], y[0]], lambda i: [[(f"p{i}", 32 * k + 8 * j) for j in range(4)] for k in range(2)],
                                    Out("x"), Out("y"), Pointers("p", 8, 8)),
    "lanes.gatherGeneratorVartimeFMA": Families(family for place in range(GENERATOR_PLACES) for family in gather_generator_doubles(place).families()),
}
ROUTINES |= {"modinv.batchBroadwell": Divsteps()}
ROUTINES |= DOUBLES | {"lanes.gatherPointVartimeFMA": each(gather_point, range(POINT_PLACES))}


def like(kind, name):
    """The specification of the routine for x86-64 with the same name."""
    spec = ROUTINES[name]
    return kind(spec.formula, *spec.params, modulus=spec.n, below=spec.below)


FORMULAS = ("doubleN", "addMixed", "doubleAdd", "addDistinct", "addMixedXYZZ", "addCoZ", "addAffine", "rescale")

# The routines that must be in the binary for ARM64.
ARM64 = {
    **{name: like(Arm, f"{name}Broadwell") for name in ("field.mul", "field.squareN", *(f"group.{name}" for name in FORMULAS))},
    "ecmult.lookup": lookup(Arm),
    "modinv.batch": ArmDivsteps(),
}


def binary_operation(formula, **options):
    return Go(formula, Out("v", may_be=("a", "b")), In("a", below=options.get("modulus")), In("b", below=options.get("modulus")), **options)


def unary_operation(formula, *more, **options):
    return Go(formula, Out("v", may_be=("a",)), In("a", below=options.get("modulus")), *more, **options)


def selection(**options):
    return Go(lambda a, b, on: [on * a[0] + (1 - on) * b[0]],
              Out("v", may_be=("a", "b")), In("a", below=options.get("modulus")), In("b", below=options.get("modulus")), Mask("mask"), **options)


# The functions that replace the assembly in a build without it, and other functions, as compiled for x86-64.
SCALARS = {"modulus": N, "below": True}
PORTABLE = {
    "field.mulGeneric": like(Go, "field.mulBroadwell"),
    "field.squareGeneric": like(Go, "field.squareBroadwell"),
    "field.squareNGeneric": like(Go, "field.squareNBroadwell"),
    "field.add64": binary_operation(lambda a, b: [a[0] + b[0]]),
    "field.sub64": binary_operation(lambda a, b: [a[0] - b[0]]),
    "field.(*Element).Negate": unary_operation(lambda a: [-a[0]]),
    "field.(*Element).Half": unary_operation(lambda a: [half * a[0]]),
    "field.(*Element).Select": selection(),
    "field.(*Element).CondNegate": unary_operation(lambda a, on: [a[0] - 2 * on * a[0]], Mask("mask")),
    "field.(*Element).Normalize": unary_operation(same, below=True),
    "group.addXYZZ": Go(xyzz_add_distinct, Out("p", 4, may_be=("a", "b")), In("a", 4), In("b", 4), Out("h")),
    "group.doubleAffine": Go(xyzz_double_affine, Out("p", 4), In("a", 2)),
    **{f"group.{name}Generic": like(Go, f"group.{name}Broadwell") for name in FORMULAS},
    "scalar.mulGeneric": like(Go, "scalar.mulBroadwell"),
    "scalar.(*Scalar).Add": binary_operation(lambda a, b: [a[0] + b[0]], **SCALARS),
    "scalar.(*Scalar).Sub": binary_operation(lambda a, b: [a[0] - b[0]], **SCALARS),
    "scalar.(*Scalar).Negate": unary_operation(lambda a: [-a[0]], **SCALARS),
    "scalar.(*Scalar).Select": selection(**SCALARS),
    "scalar.(*Scalar).CondNegate": unary_operation(lambda a, on: [a[0] - 2 * on * a[0]], Mask("mask"), **SCALARS),
    "scalar.(*Scalar).Half": unary_operation(lambda a: [a[0] * pow(2, -1, N)], **SCALARS),
    "ecmult.lookupGeneric": lookup(Go, more=(0, 4)),
}

# Functions that the proof does not cover, and why. It covers all assembly.
NOT_PROVED = {"modinv.batchGeneric": "loops of divsteps: the assembly, which is proved, is tested against it, word for word"}
