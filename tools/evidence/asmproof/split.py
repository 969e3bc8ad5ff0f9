"""The splitting of a scalar into halves, in eight lanes.

Every product multiplies a limb by a constant, so all equations are linear. A half is a sum of limbs times constants,
modulo 2^192. From one limb of an integer to the next, the constant is multiplied by 2^52, modulo 2^192. So the half is
a sum of a few integers times constants, modulo 2^192. The absolute value of this sum is at most 2^191, so the half is
the sum itself.
"""

from fractions import Fraction

import bounds
from lanes import LIMB, LaneCase, LaneProof, value
from poly import Poly
from specs import LAMBDA, N
from symbolic import Stuck, Word

MOST = 1 << 192  # halves are in two's complement, in 192 bits


class SplitProof(LaneProof):
    """The proof that the halves are congruent to the scalar modulo n and within their bounds."""

    def stored(self, state, at):
        """Makes no elements before the end."""

    def stepped(self, state):
        pass

    def finish(self, state, expected):
        state.ended(self.spec.prefetches)
        words = [[state.mem.get((at[0], at[1] + self.stride * i)) for i in range(count)] for _, at, count in self.results()]
        forms = [self.form(w) for w in words]
        halves = [Poly() for _ in forms]
        rest, scalar = -self.inputs[0][0].value, None
        for limbs, factors in self.integers(forms):
            if (factors[0] + factors[1] * LAMBDA) % N:
                # This integer is the scalar, because the quotients are multiplied by numbers that are 0 modulo n.
                if scalar:
                    raise Stuck("the halves depend on several integers besides quotients")
                limbs, value = self.scalar(limbs)
                rest = rest + value * (factors[0] + factors[1] * LAMBDA)
                scalar = limbs
            whole = self.whole(limbs)
            halves = [half + whole * c for half, c in zip(halves, factors)]
        if not scalar or rest.mod(N).terms:
            raise Stuck("the halves do not sum to the scalar")
        for half in halves:
            self.between(half, -MOST // 2, MOST // 2 - 1, "a half may have more than 192 bits")
        for what, least, most in self.spec.bounds(self.whole(scalar), *halves):
            self.between(what, least, most, "a quotient is not rounded as specified")
        self.elements.proved += 1

    def form(self, words):
        """The words, as a sum of limbs times constants, modulo 2^192."""
        if None in words:
            raise Stuck("a half is not set")
        t, stop = self.trace, set(self.trace.factors)
        p = sum((t.unsigned(w) * (1 << 64 * i) for i, w in enumerate(words)), Poly()).mod(MOST)
        while (v := max((v for v in p.vars() - stop if t.eliminable(v)), default=None)) is not None:
            d = t.definition[v]
            p = t.tidy(p.replace(v, d.num * Fraction(1, 1 << d.shift), MOST))
        if p.vars() - stop or any(len(m) != 1 or c.denominator > 1 for m, c in p.terms.items()):
            raise Stuck("a half is not a sum of limbs times constants")
        return {v: int(c) for (v,), c in p.terms.items()}

    @staticmethod
    def integers(forms):
        """For each integer in the sums, its limbs and its constant in each sum."""
        factors = {v: tuple(f.get(v, 0) for f in forms) for v in set().union(*forms)}
        limb_with = {c: v for v, c in factors.items()}
        after = {v: limb_with.get(tuple((x << LIMB) % MOST for x in c)) for v, c in factors.items()}
        for v in sorted(factors.keys() - after.values()):
            limbs = [v]
            while (w := after[limbs[-1]]) is not None:
                limbs.append(w)
            yield limbs, [c - MOST if c >= MOST // 2 else c for c in factors[v]]

    @staticmethod
    def whole(limbs):
        return sum((Poly.var(v) * (1 << LIMB * i) for i, v in enumerate(limbs)), Poly())

    def scalar(self, limbs):
        """The limbs of the element below n that begins with these limbs, and its value. The sums lack limb 4, because 2^208 is 0 modulo 2^192."""
        for v in set(self.trace.factors).difference(limbs):
            e = self.elements.cut([Word(Poly.var(w), 0, self.trace.hi[w]) for w in [*limbs, v]])
            if e and e.below == N:
                return [*limbs, v], e.value
        raise Stuck("the integer in the halves is not the scalar below n")

    def between(self, p, least, most, why):
        if not (bounds.is_below(self.elements, p, most + 1) and bounds.is_below(self.elements, -p, 1 - least)):
            raise Stuck(why)


class SplitCase(LaneCase):
    """Inputs, and a check that the halves are valid for them."""

    def wrong(self, m):
        (scalars,), = self.inputs
        (p,), halves = self.spec.outs, []
        for i, limbs in enumerate(scalars):
            words = [m.mem.get(self.address(p.name, 0) + 64 * w + 8 * i) for w in range(6)]
            if None in words:
                return "a half is not set"
            halves = [sum(w << 64 * k for k, w in enumerate(words[j:j + 3])) for j in (0, 3)]
            k1, k2 = (v - MOST if v >= MOST // 2 else v for v in halves)
            a = value(limbs)
            if (k1 + LAMBDA * k2 - a) % N or any(not lo <= v <= hi for v, lo, hi in self.spec.bounds(a % N, k1, k2)):
                return f"the halves are wrong in lane {i}"
        return None
