"""Bounds that the equations imply for carries, by linear arithmetic.

The solver is asked whether bits can have given values, or sums can reach a bound. The equations become linear
constraints over the reals, in which every product of words is a separate variable, within its bounds, and some bits or
all are 0 or 1. The integers satisfy all these constraints, so the answer "no" is a proof. No other answer is.
"""

import itertools
import re

import z3

from poly import Poly

EFFORT = 1000000  # limit of z3's effort for one question, in z3's own unit, which does not depend on the machine's load; no routine needs a third of it
MOST_BITS = 10

_cache = {}
queries = {"asked": 0, "solved": 0, "confirmed": 0, "open": 0}
second = False  # whether cvc5 is also asked when z3 answers "no", because the proofs rest on these answers


def check(solver):
    """Returns z3's answer. Fails if cvc5 is also asked and contradicts z3."""
    r = solver.check()
    if second and r == z3.unsat:
        other = opinion(solver.to_smt2())
        queries["confirmed" if other == "unsat" else "open"] += 1
        if other == "sat":
            raise RuntimeError("z3 and cvc5 contradict each other")
    return r


def opinion(text):
    """Returns cvc5's answer to a question in SMT-LIB: sat, unsat, or, if it takes too long, unknown."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("rlimit", str(EFFORT))
    solver.setLogic("QF_LRA")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, re.sub(r"\(set-(logic|info)[^)]*\)", "", text), "question")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, parser.getSymbolManager())
    return said.strip()


class System:
    """The equations that define the words of the given polynomials, traced back to the elements."""

    def __init__(self, elements, polys):
        self.t = elements.t
        self.defs, self.vars, self.below = [], set(), []
        atom, seen, todo, known = self.t.atom, set(), [v for p in polys for v in p.vars()], set()
        while todo:
            v = todo.pop()
            if v in self.vars:
                continue
            self.vars.add(v)
            if v in atom:
                e = atom[v][0]
                if e.below is not None and e.symbol not in known:
                    known.add(e.symbol)
                    self.below.append(e)
                    todo.extend(e.words)
                continue
            d = self.t.definition[v]
            if d is None or id(d) in seen:
                continue
            seen.add(id(d))
            self.defs.append(d)
            for p in ([d.eq] if d.eq is not None else []) + list(d.least):
                todo.extend(p.vars())
        self.index = {v: i for i, v in enumerate(sorted(self.vars))}
        self.defs.sort(key=lambda d: d.news[-1])

    def canonical(self, p):
        return tuple(sorted((tuple(sorted(self.index[v] for v in m)), c) for m, c in p.terms.items()))

    def key(self, *polys):
        """A key that is the same for questions that differ only in the numbers of variables."""
        return (tuple((self.t.lo[v], self.t.hi[v]) for v in sorted(self.vars)),
                tuple((None if d.eq is None else self.canonical(d.eq), tuple(map(self.canonical, d.least))) for d in self.defs),
                tuple((tuple(self.index[w] for w in e.words), e.below) for e in self.below),
                tuple(map(self.canonical, polys)))

    def solver(self, whole, last=0):
        """A solver with the equations, or with only the last few of them. The variables in whole are either 0 or 1."""
        s = z3.SolverFor("QF_LRA")
        s.set("rlimit", EFFORT)
        self.real = {}
        for v in sorted(whole):
            x = self.monomial(s, (v,))
            s.add(z3.Or(x == 0, x == 1))
        for d in self.defs[-last:]:
            if d.eq is not None:
                s.add(self.linear(s, d.eq) == 0)
            for p in d.least:
                s.add(self.linear(s, p) >= 0)
        for e in self.below:
            s.add(self.linear(s, sum((Poly.var(w) * (1 << e.bits * i) for i, w in enumerate(e.words)), Poly())) <= e.below - 1)
        return s

    def all_bits(self):
        return {v for v in self.vars if self.t.is_bit(v)}

    def deciding_bits(self, p):
        """The bits in p, and the bits that are factors of products."""
        r = p.vars()
        for d in self.defs:
            if d.eq is not None:
                r = r.union(*(m for m in d.eq.terms if len(m) > 1))
        return r & self.all_bits()

    def linear(self, s, p):
        terms = [self.monomial(s, m) * z3.RealVal(c) if m else z3.RealVal(c) for m, c in sorted(p.terms.items())]
        # cvc5 does not accept a sum of one term.
        return z3.Sum(terms) if len(terms) > 1 else terms[0] if terms else z3.RealVal(0)

    def monomial(self, s, m):
        """The variable for a product, with constraints from what is known about it."""
        if m in self.real:
            return self.real[m]
        t = self.t
        x = self.real[m] = z3.Real("x" + "_".join(str(self.index[v]) for v in m))
        lo, hi = t.interval(Poly({m: 1}))
        s.add(x >= lo, x <= hi)
        bits = [v for v in m if t.is_bit(v)]
        if len(m) > 1 and bits:
            # A bit times x is zero or x.
            b, rest = bits[0], list(m)
            rest.remove(b)
            y, c = self.monomial(s, tuple(rest)), self.monomial(s, (b,))
            lo, hi = t.interval(Poly({tuple(rest): 1}))
            s.add(x <= c * hi, x >= c * lo, x <= y - (1 - c) * lo, x >= y - (1 - c) * hi)
        return x


def _cached(key, solve):
    queries["asked"] += 1
    if key not in _cache:
        queries["solved"] += 1
        _cache[key] = solve()
    return _cache[key]


def settle(elements, polys, dropped):
    """Proves that the dropped carries have the same value mod n for all inputs; returns the value, or the reason why the proof fails."""
    n = elements.n
    system = System(elements, polys + [dropped])

    def solve():
        # For most bits it does not matter whether values between 0 and 1 are allowed, and the solver is much faster if
        # it does not have to exclude them.
        r = _settle(system, dropped, n, system.deciding_bits(dropped))
        return _settle(system, dropped, n, system.all_bits()) if isinstance(r, str) else r

    return _cached(("settle", n, system.key(dropped)), solve)


def _settle(system, dropped, n, whole):
    s, t = system.solver(whole), system.t
    bits = sorted(v for v in dropped.vars() if t.is_bit(v))
    value = None  # the total of the dropped carries in the first solution

    def given(values):
        p = dropped
        for v, x in values.items():
            p = p.replace(v, Poly.const(x), n)
        return t.tidy(p).mod(n).constant()

    def possible(values):
        """Returns False if the variables cannot have these values. Otherwise it returns values of all bits if their
        total is the same as before, and the reason why the proof fails if it is not."""
        nonlocal value
        s.push()
        for v, x in values.items():
            s.add(system.monomial(s, (v,)) == x)
        r = check(s)
        found = {v: int(str(s.model().eval(system.monomial(s, (v,)), True)) != "0") for v in bits} if r == z3.sat else None
        s.pop()
        if r == z3.unsat:
            return False
        if r != z3.sat:
            return "no answer from the solver about carries"
        if value is None:
            value = given(found)
        if value is None or given(found) != value:
            return "a dropped carry may be set"
        return found

    found = possible({})
    if not isinstance(found, dict):
        return found or "the equations contradict each other"
    free = []
    for v in bits:
        other = possible({v: 1 - found[v]})
        if isinstance(other, str):
            return other
        if other:
            free.append(v)
        else:
            s.add(system.monomial(s, (v,)) == found[v])
    if len(free) > MOST_BITS:
        return f"{len(free)} dropped carries may be set"
    for values in itertools.product((0, 1), repeat=len(free)):
        values = found | dict(zip(free, values))
        if given(values) != value and (r := possible(values)):
            return r
    return value


def is_below(elements, total, bound):
    """Proves that a sum of words is below the bound."""
    system = System(elements, [total])

    def solve():
        # The last few equations are usually enough. With all equations or all bits, the solver may not finish.
        deciding = system.deciding_bits(total)
        for whole, last in ((deciding, 20), (deciding, 40), (deciding, 0), (system.all_bits(), 0)):
            s = system.solver(whole, last)
            s.add(system.linear(s, total) >= bound)
            if check(s) == z3.unsat:
                return True
        return False

    return _cached(("below", bound, system.key(total)), solve)
