"""Field elements in symbolic states: which words hold an element, and which value it has.

A cut takes four words (eight for a wide product) and expresses them, mod n, as a polynomial of earlier elements: it
eliminates every low word by its equation, joins the limbs of the earlier elements, and is left with a polynomial of
whole elements plus carries that the code dropped. bounds.py proves that these dropped carries have the same total for
all inputs, such as zero. From then on the words are a new element, which may have any value below 2^256, so that later
proofs do not use equations from before the cut.
"""

import bounds
from poly import Poly
from symbolic import Stuck, Word


class Element:
    """Words that hold a known value mod n."""

    def __init__(self, symbol, words, value, below=None, bits=64):
        """symbol stands for the integer that the words, of the given number of bits each, represent. value is a
        polynomial of the inputs. The integer is smaller than below, unless below is None."""
        self.symbol, self.words, self.value, self.below, self.bits = symbol, words, value, below, bits


class Elements:
    """The elements of a trace, for one modulus."""

    bits = 64  # bits of a limb

    def __init__(self, trace, modulus, want_below=False):
        self.t, self.n, self.want_below = trace, modulus, want_below
        self.by_symbol = {}
        self.memo = {}
        self.symbols = set()  # the bits of flags and masks, which values may contain besides elements
        self.proved = 0
        self.reason = None  # why the last cut failed

    def fresh(self, value=None, count=4, below=None):
        """A new element of unknown words. Its value is the given value, or else its own symbol."""
        words = [self.t.fresh(0, (1 << 64) - 1) for _ in range(count)]
        return self._register(words, value, below)

    def _register(self, words, value, below, bits=64):
        symbol = self.t.fresh(0, sum(self.t.hi[w] << bits * i for i, w in enumerate(words)))
        e = Element(symbol, words, value or Poly.var(symbol), below, bits)
        self.by_symbol[symbol] = e
        for i, w in enumerate(words):
            self.t.atom[w] = (e, i)
        return e

    @staticmethod
    def words(e):
        return [Word(Poly.var(w), 0, (1 << 64) - 1) for w in e.words]

    def of(self, words):
        """The element that consists of these words, in order, or None."""
        first = self.atom(words[0])
        if first is None or first[1] or len(first[0].words) != len(words):
            return None
        e = first[0]
        return e if all(self.atom(w) == (e, i) for i, w in enumerate(words)) else None

    def atom(self, w):
        """The element that a word is a limb of, and the index of the limb; or None."""
        if not isinstance(w, Word):
            return None
        v = w.poly.single()
        return None if v is None else self.t.atom.get(v)

    def cut(self, words):
        """The element that the words are, or are proved to be. Otherwise returns None, and sets reason if a proof failed."""
        if not all(isinstance(w, Word) for w in words):
            return None
        e = self.of(words)
        if e:
            return e
        polys = self.counting(words)
        if polys is None:
            return None
        key = tuple(p.key() for p in polys)
        if key not in self.memo:
            self.memo[key] = self._derive(polys)
        found = self.memo[key]
        if isinstance(found, str):
            self.reason = found
            return None
        for i, (w, v) in enumerate(zip(words, found.words)):
            new = self.word(i, w, v)
            w.poly, w.lo, w.hi, w.mask, w.pair = new.poly, new.lo, new.hi, None, None
        return found

    def counting(self, words):
        """The parts of the words that belong to the element, as polynomials. Returns None, and sets reason, if the words are too large."""
        return [self.t.unsigned(w) for w in words]

    def word(self, i, w, v):
        """The new word for word i, whose part that belongs to the element is now the variable v."""
        return Word(Poly.var(v), 0, self.t.hi[v])

    def _derive(self, polys):
        t, n = self.t, self.n
        total = Poly()
        for i, p in enumerate(polys):
            total = total + p * (1 << self.bits * i)
        rest = t.eliminate(total, n)
        if rest is None:
            return "not congruent to anything: too many terms"
        rest = self._whole(rest)
        known, factors = self.by_symbol.keys() | self.symbols, {}
        for m, c in rest.terms.items():
            carries = tuple(v for v in m if v not in known and t.is_bit(v))
            factors.setdefault(tuple(v for v in m if v not in carries), {})[carries] = c
        main = {}
        for m, factor in sorted(factors.items(), key=lambda item: len(item[1])):  # the fewest terms first
            value = factor[()] if factor.keys() == {()} else bounds.settle(self, polys, Poly(factor))
            if value and not known.issuperset(m):
                return "not congruent to anything: a limb or a high word is left over"
            if isinstance(value, str):
                # Continuing with the words as they are would only delay the failure.
                raise Stuck(f"{value} where these words become an element")
            main[m] = value
        self.proved += 1
        below = None
        if self.want_below and bounds.is_below(self, total, n):
            below = n
        value = self._value(Poly(main))
        # A word that is not a variable is replaced by one.
        words, used = [], set()
        for p in polys:
            v = p.single()
            if v is None or v in t.atom or v in used:
                v = t.fresh(0, (1 << 64) - 1)
            words.append(v)
            used.add(v)
        return self._register(words, value, below)

    def _whole(self, p):
        """Expresses the lowest limb of each element by the whole element and the other limbs, which then cancel."""
        for v in sorted(p.vars()):
            at = self.t.atom.get(v)
            if at and at[1] == 0:
                e = at[0]
                whole = Poly.var(e.symbol)
                for i, w in enumerate(e.words[1:], 1):
                    whole = whole - Poly.var(w) * (1 << e.bits * i)
                p = p.replace(v, whole, self.n)
        return self.t.tidy(p)

    def _value(self, p):
        """Replaces the elements by their values."""
        for v in sorted(p.vars(), reverse=True):
            e = self.by_symbol.get(v)
            if e and e.value.single() != v:
                # Values are polynomials of inputs, so one pass is enough.
                p = p.replace(v, e.value, self.n)
        return self.t.tidy(p).mod(self.n)
