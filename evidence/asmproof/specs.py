"""What the routines must compute.

This is what the proofs prove, so it is to be read and reviewed; nothing else
in this directory states what is right.  A formula takes one list of elements
for each input parameter, in order, and returns the list of all elements which
are set, in order.  It runs on polynomials as well as on integers.
"""

P = 2**256 - 2**32 - 977
N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141


class In:
    """A pointer to elements, each any integer below 2^256, or below the bound."""

    def __init__(self, name, count=1, below=None):
        self.name, self.count, self.below = name, count, below


class Out:
    """A pointer to elements which the routine sets."""

    def __init__(self, name, count=1, may_be=()):
        """The pointer may be equal to the inputs in may_be; else it shares no memory with other parameters."""
        self.name, self.count, self.may_be = name, count, may_be


class InOut(In, Out):
    """A pointer to elements which the routine replaces."""

    def __init__(self, name, count=1):
        In.__init__(self, name, count)
        self.may_be = ()


class Count:
    """How often a loop is run, at least once."""

    def __init__(self, name):
        self.name = name


class Flag:
    """An integer which is a condition: the formula gets 0 if it is zero, else 1."""

    def __init__(self, name):
        self.name = name


class Given:
    """An integer which has this value."""

    def __init__(self, name, value):
        self.name, self.value = name, value


class Unused:
    """A parameter which must not be read."""

    def __init__(self, name):
        self.name = name


class Spec:
    """A routine: its parameters in order, and its formula, which a Count makes it repeat on its own result."""

    def __init__(self, formula, *params, modulus=P, below=False, reads=None, prefetches=()):
        """below asks for results below the modulus, instead of below 2^256.

        reads, if given, names the inputs which must be read, every word of
        them, and no others. prefetches are the (parameter, offset) of all
        prefetches, in any order.
        """
        self.reads, self.prefetches = reads, sorted(prefetches)
        self.formula, self.params, self.n, self.below = formula, params, modulus, below
        self.outs = [p for p in params if isinstance(p, Out)]
        self.inputs = [p for p in params if isinstance(p, In)]
        self.loop = any(isinstance(p, Count) for p in params)

    def aliasings(self):
        """Every way in which pointers may share memory, as maps from parameter to (object, offset).

        Inputs which are equal to each other, but not to an output, need no
        mention, for nothing writes to them.
        """
        ways = [{p.name: (p.name, 0) for p in self.params if isinstance(p, (In, Out))}]
        for p in self.outs:
            for name in p.may_be:
                ways += [{**w, name: (p.name, 0)} for w in ways]
        return ways

    def families(self):
        """Lists of specifications of the same routine, all of which have to be proved; and those of one list must access the same addresses."""
        return [[self]]


class Lookup:
    """The look-up of the point for a signed odd digit in a table, which must not tell which by any address."""

    loop, below, n = False, False, P

    def __init__(self, lengths):
        """lengths are those of tables which are proved."""
        self.lengths = lengths

    def families(self):
        return [[self.member(n, window) for window in range(2 * n)] for n in self.lengths]

    @staticmethod
    def member(n, window):
        """The look-up for one window, in a table of n points, while those of the table after it are prefetched."""
        return Spec(lambda table: signed_odd_multiple(table, 2 * window - (2 * n - 1)),
                    Out("p", 2), In("table", 2 * n), Given("len", n), Unused("cap"), Given("window", window),
                    reads=["table"], prefetches=[("table", 64 * (n + i)) for i in range(n)])


half = (P + 1) // 2


def mul(a, b):
    return [a[0] * b[0]]


def square(a):
    return [a[0] * a[0]]


def jacobian_double(a):
    """2a, with the slope halved: the denominator is y·z, not twice that."""
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
    """a + (x, y), with the denominator of a·H; and H."""
    (x1, y1, z1), (x2,), (y2,) = a, x, y
    h = x2 * (z1 * z1) - x1
    r = y2 * (z1 * z1 * z1) - y1
    return finish_add(x1, y1, h, r) + [z1 * h, h]


def jacobian_double_add(a, x, y):
    """2a + (x, y), and H."""
    return jacobian_add_mixed(jacobian_double(a), x, y)


def jacobian_add(a, b):
    """The last result is H."""
    (x1, y1, z1), (x2, y2, z2) = a, b
    u1, s1 = x1 * (z2 * z2), y1 * (z2 * z2 * z2)
    h = x2 * (z1 * z1) - u1
    r = y2 * (z1 * z1 * z1) - s1
    return finish_add(u1, s1, h, r) + [z1 * z2 * h, h]


def xyzz_add_mixed(a, b):
    """For X, Y, ZZ, ZZZ with x = X/ZZ and y = Y/ZZZ. The last result is H."""
    (x1, y1, zz1, zzz1), (x2, y2) = a, b
    h = x2 * zz1 - x1
    r = y2 * zzz1 - y1
    h2 = h * h
    return finish_add(x1, y1, h, r) + [zz1 * h2, zzz1 * (h2 * h), h]


def co_z_add(a, b):
    """a + b, then a again with the denominator of that, then H, for a and b with the same denominator."""
    (x1, y1), (x2, y2) = a, b
    h = x1 - x2
    r = y1 - y2
    h2 = h * h
    v = x1 * h2
    w = y1 * (h2 * h)
    x3 = r * r - v - x2 * h2
    return [x3, r * (v - x3) - w, v, w, h]


def rescale(a, c):
    """a on the curve isomorphic by c."""
    (x, y), (d,) = a, c
    return [x * (d * d), y * (d * d * d)]


def signed_odd_multiple(table, digit):
    """digit times a point, whose multiples 1, 3, 5, … are what the table holds, as x and y in turn."""
    i = 2 * (abs(digit) // 2)
    x, y = table[i], table[i + 1]
    return [x, y if digit > 0 else -y]


def nothing(*_):
    return []


TABLES = (4, 8, 16, 32)  # Those of the library are of 16 and 32 points.

# The routines which must be in the binary, by package and name.
ROUTINES = {
    "field.mulADX": Spec(mul, Out("v", may_be=("a", "b")), In("a"), In("b")),
    "field.squareADX": Spec(square, Out("v", may_be=("a",)), In("a")),
    "field.squareNADX": Spec(square, Out("v", may_be=("a",)), In("a"), Count("n")),
    "group.doubleNADX": Spec(jacobian_double, Out("p", 3, may_be=("a",)), In("a", 3), Count("n")),
    "group.addMixedADX": Spec(jacobian_add_mixed, Out("p", 3, may_be=("a",)), In("a", 3), In("x"), In("y"),
                              Out("h")),
    "group.doubleAddADX": Spec(jacobian_double_add, Out("p", 3, may_be=("a",)), In("a", 3), In("x"), In("y"), Out("h")),
    "group.addDistinctADX": Spec(jacobian_add, Out("p", 3, may_be=("a", "b")), In("a", 3), In("b", 3), Out("h")),
    "group.addMixedXYZZADX": Spec(xyzz_add_mixed, Out("p", 4, may_be=("a",)), In("a", 4), In("b", 2), Out("h")),
    "group.addCoZADX": Spec(co_z_add, Out("p", 2), InOut("a", 2), In("b", 2), Out("h")),
    "group.rescaleADX": Spec(rescale, Out("p", 2, may_be=("a",)), In("a", 2), In("c")),
    "ecmult.lookupADX": Lookup(TABLES),
    "ecmult.lookupAVX512": Lookup(TABLES),
    "ecmult.prefetch": Spec(nothing, In("p", 2), reads=[], prefetches=[("p", 0)]),
    "scalar.mulADX": Spec(mul, Out("v", may_be=("a", "b")), In("a"), In("b"), modulus=N, below=True),
}

# Routines which the proof does not cover, and why.
NOT_PROVED = {
    "modinv.batchADX": "loops of divsteps: tested against its twin, word for word, and whole inversions against integers",
}
