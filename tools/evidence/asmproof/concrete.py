"""Runs routines in the emulator, on inputs which are mostly at the edges, and compares with the formulas on integers."""

import random

import routine
from specs import Count, Flag, Given, In, Out
from symbolic import Ptr, Word
from x86 import MASKS, ONES, REGS, VECTORS, WORD, Machine, Trap

TOP = 0x7fff0000  # Where the return address is.


class Case:
    """Inputs of a routine, and what must come of them."""

    def __init__(self, spec, places, seed, most=3):
        """seed is of any kind that random takes, and most how often a loop is run at most."""
        self.spec, self.places = spec, places
        self.rng = rng = random.Random(seed)
        self.objects = {base: 0x10000 * (i + 1) for i, base in enumerate(sorted({base for base, _ in places.values()}))}
        self.mem, self.writable, self.args = {TOP: rng.getrandbits(64)}, set(), []
        given, inputs, flags, times = {}, [], [], 1
        self.integers = []
        for i, p in enumerate(spec.params):
            if isinstance(p, In):
                group = []
                for k in range(p.count):
                    at = self.address(p.name, k)
                    if at not in given:
                        given[at] = self.integer(p.below)
                        self.mem.update((at + 8 * j, given[at] >> 64 * j & ONES) for j in range(4))
                    group.append(given[at])
                inputs.append(group)
                self.integers.extend(group)
            if isinstance(p, Out):
                self.writable.update(range(self.address(p.name, 0), self.address(p.name, p.count), 8))
            if isinstance(p, (In, Out)):
                arg = self.address(p.name, 0)
            elif isinstance(p, Count):
                arg = times = rng.randint(1, most)
            elif isinstance(p, Flag):
                arg = rng.choice((0, 0, 1, ONES, rng.getrandbits(64)))
                flags.append(int(arg != 0))
            else:
                arg = p.value if isinstance(p, Given) else rng.getrandbits(64)
            self.args.append(arg)
        self.mem.update((TOP + 8 + 8 * i, arg) for i, arg in enumerate(self.args))
        for _ in range(times):
            want = [v % spec.n for v in spec.formula(*inputs, *flags)]
            inputs = [want]
        self.want = want
        self.regs = {r: rng.getrandbits(64) for r in REGS}
        self.regs["rsp"] = TOP
        self.vectors = {v: [rng.getrandbits(64) for _ in range(8)] for v in VECTORS}
        self.masks = {k: rng.getrandbits(64) for k in MASKS}

    def address(self, name, k):
        base, off = self.places[name]
        return self.objects[base] + off + 32 * k

    def integer(self, below):
        """An element: often at an edge, or with words at edges."""
        rng, n = self.rng, self.spec.n
        edges = [0, 1, n - 1, n, n + 1, 2**256 - 1, 2**256 - n, 2**256 - n - 1, 2**255, 2**256 - 2**32 - 978]
        words = [0, 1, 2, ONES, ONES - 1, 1 << 63, (1 << 63) - 1, 2**32 + 977, -n & ONES, n & ONES, (n & ONES) - 1]
        kind = rng.randrange(8)
        if kind == 0:
            v = rng.getrandbits(256)
        elif kind < 3:
            v = rng.choice(edges)
        elif kind == 3:
            v = (rng.choice(edges) + rng.choice((-1, 1)) * rng.getrandbits(rng.randrange(40))) % 2**256
        else:
            v = sum((rng.choice(words) if rng.random() < 0.7 else rng.getrandbits(64)) << 64 * i for i in range(4))
        return v if below is None or v < below else v % below

    def machine(self):
        return Machine(dict(self.regs), dict(self.mem), self.writable, TOP, dict(self.vectors), dict(self.masks))

    def check(self, m):
        """Checks the machine after RET; returns None, or what is wrong."""
        if m.r["rsp"] != TOP + 8 or m.r["rbp"] != self.regs["rbp"]:
            return "RSP or RBP"
        k = 0
        for p in self.spec.outs:
            for j in range(p.count):
                at = self.address(p.name, j)
                words = [m.mem.get(at + 8 * i) for i in range(4)]
                if None in words:
                    return f"{p.name}[{j}] is not set"
                v = sum(w << 64 * i for i, w in enumerate(words))
                if v % self.spec.n != self.want[k] or self.spec.below and v >= self.spec.n:
                    return f"{p.name}[{j}] is wrong"
                k += 1
        return None

    def vector_claims(self, claims, ins, state, m):
        """Adds what the symbolic execution says of vectors and of memory, and what is there."""
        for r, v in state.vectors.items():
            claims += [(ins, r, w, x) for w, x in zip(v, m.v[r]) if w]
        for base, off in state.wrote:
            if isinstance(state.mem[base, off], Word):
                claims.append((ins, "memory", state.mem[base, off], m.mem[self.objects.get(base, TOP) + off]))

    def environments(self, proof, claims):
        """The values of the variables which the inputs are, and the claims to be tested with them."""
        env, integers = {}, iter(self.integers)
        for group in proof.inputs:
            for e in group:
                v = next(integers)
                env.update((w, v >> 64 * i & ONES) for i, w in enumerate(e.words))
        for at, v in proof.start.mem.items():
            if isinstance(v, Word) and at[0] == "sp" and v.poly.single() is not None:
                env[v.poly.single()] = self.mem[TOP + at[1]]
        return [(env, claims)]

    def run(self, prog, binary=None):
        """Runs from the start; returns None, or what is wrong."""
        m = self.machine()
        m.binary = binary
        try:
            m.run(prog)
        except Trap as e:
            return str(e)
        return self.check(m)


# The kind of case for a kind of specification.
kinds = {}


def case(spec, *args, **options):
    return kinds.get(type(spec), Case)(spec, *args, **options)


def some(spec, most, seed=0):
    """So many pairs of a specification and an aliasing, or all."""
    ways = routine.members(spec.families())
    return random.Random(seed).sample(ways, min(most, len(ways)))


def cases(spec, count, seed):
    """Cases of all aliasings in turn, and of those integers which are given."""
    ways = some(spec, count, seed)
    return [case(*ways[i % len(ways)], f"{seed} {i}") for i in range(count)]


def lockstep(prog, spec, places, seed, binary=None):
    """Compares what the symbolic execution says of every step with what the emulator does.

    That is a test of all equations between variables, and of their bounds, at
    the values of one case. Raises AssertionError.
    """
    this = case(spec, places, seed, most=1)
    if hasattr(this, "lockstep"):
        return this.lockstep(prog, binary)
    proof = routine.proof(prog, spec, places, binary)
    state, m, t = proof.start.clone(), this.machine(), proof.trace
    m.binary = binary
    claims = []
    at = 0
    while prog[at].op != "ret":
        ins, at = prog[at], at + 1
        if ins.op == "j":
            taken = m.flag(ins.cond[0]) == ins.cond[1]
            assert not taken if spec.loop else state.condition(ins.cond).constant() == taken
            at = ins.target if taken else at
            continue
        state.step(ins)
        m.step(ins)
        this.vector_claims(claims, ins, state, m)
        for r, v in state.regs.items():
            if isinstance(v, Word):
                claims.append((ins, r, v, m.r[r]))
            elif isinstance(v, Ptr) and v.base in this.objects:
                assert this.objects[v.base] + v.off == m.r[r], ins
        for f in ("cf", "of"):
            if getattr(state, f) is not None:
                claims.append((ins, f, Word(state.carry(f), 0, 1), getattr(m, f)))
        if state.zf is not None:
            claims.append((ins, "zf", Word(t.is_zero(t.unsigned(state.zf), ONES), 0, 1), m.zf))
    for env, known in this.environments(proof, claims):
        for v, d in enumerate(t.definition):
            if d and v == d.news[0]:
                env.update(zip(d.news, d.rule(env), strict=True))
                assert d.eq is None or d.eq.value(env) == 0
                assert all(p.value(env) >= 0 for p in d.least)
        assert all(t.lo[v] <= x <= t.hi[v] for v, x in env.items())
        for ins, what, w, x in known:
            v = w.poly.value(env)
            assert w.lo <= v <= w.hi and v % WORD == x, f"{ins}: {what}"
    return len(claims)
