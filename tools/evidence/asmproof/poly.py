"""Polynomials with integer coefficients over numbered variables.

A polynomial is a mapping from monomials to coefficients; a monomial is the
sorted tuple of its variables, repeated for powers, and () is the constant.
"""


class Poly:
    __slots__ = ("terms", "_key")

    def __init__(self, terms=None):
        self.terms = terms or {}
        self._key = None

    @staticmethod
    def const(c):
        return Poly({(): c}) if c else Poly()

    @staticmethod
    def var(v):
        return Poly({(v,): 1})

    @staticmethod
    def of(x):
        return x if isinstance(x, Poly) else Poly.const(x)

    def key(self):
        """A hashable value, the same for equal polynomials."""
        if self._key is None:
            self._key = frozenset(self.terms.items())
        return self._key

    def __eq__(self, other):
        return self.terms == Poly.of(other).terms

    __hash__ = None

    def add_scaled(self, other, k):
        r = dict(self.terms)
        for m, c in other.terms.items():
            c = r.get(m, 0) + k * c
            if c:
                r[m] = c
            else:
                r.pop(m, None)
        return Poly(r)

    def __add__(self, other):
        return self.add_scaled(Poly.of(other), 1)

    def __sub__(self, other):
        return self.add_scaled(Poly.of(other), -1)

    def __rsub__(self, other):
        return Poly.of(other) - self

    def __neg__(self):
        return Poly({m: -c for m, c in self.terms.items()})

    def __mul__(self, other):
        if not isinstance(other, Poly):
            return self if other == 1 else Poly({m: c * other for m, c in self.terms.items()}) if other else Poly()
        r = {}
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                mn = tuple(sorted(m + n)) if m and n else m or n
                e = r.get(mn, 0) + c * d
                if e:
                    r[mn] = e
                else:
                    r.pop(mn, None)
        return Poly(r)

    __radd__ = __add__
    __rmul__ = __mul__

    def mod(self, n):
        return Poly({m: c % n for m, c in self.terms.items() if c % n})

    def vars(self):
        return {v for m in self.terms for v in m}

    def constant(self):
        """The value of a constant polynomial, or else None."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and () in self.terms:
            return self.terms[()]
        return None

    def single(self):
        """The variable, if the polynomial is a single variable, else None."""
        if len(self.terms) == 1:
            (m, c), = self.terms.items()
            if c == 1 and len(m) == 1:
                return m[0]
        return None

    def value(self, env):
        """Evaluates at env, a mapping from variables to integers or polynomials."""
        s = 0
        for m, c in self.terms.items():
            for v in m:
                c *= env[v]
            s += c
        return s

    def replace(self, v, p, n):
        """Substitutes p for v, modulo n."""
        r, powers = {}, [Poly.const(1)]
        for m, c in self.terms.items():
            k = m.count(v)
            if not k:
                r[m] = r.get(m, 0) + c
                continue
            while len(powers) <= k:
                powers.append((powers[-1] * p).mod(n))
            rest = tuple(x for x in m if x != v)
            for m2, c2 in powers[k].terms.items():
                m2 = tuple(sorted(rest + m2)) if rest and m2 else rest or m2
                r[m2] = r.get(m2, 0) + c * c2
        return Poly(r).mod(n)
