"""Runs routines in the emulator, mostly on edge-case inputs, and compares the results with the formulas on integers."""

import random

from effects import effects
from emulator import Machine, Trap
from poly import Poly
from specs import Bits, Count, Given, In, Mask, Out
from symbolic import Ptr, Word
from x86 import CLEARED, FLAGS, MASKS, ONES, REGS, SAVED, VECTORS, WORD

TOP = 0x7fff0000  # address of the return address


class Case:
    """Inputs of a routine, and the results that it must compute."""

    size = 32  # bytes of an element
    emulator = Machine
    names = REGS, VECTORS  # the names of the registers
    wide = False  # whether a word of the symbolic execution stands for an arbitrary lane

    def __init__(self, spec, places, seed, most=3):
        """seed may be of any type that random accepts; most is the largest number of iterations of a loop."""
        self.spec, self.places, self.most = spec, places, most
        self.rng = rng = random.Random(seed)
        self.objects = {"sp": TOP}
        self.mem, self.writable = {TOP: rng.getrandbits(64)}, set()
        self.given, self.inputs, self.flags, self.times = {}, [], [], 1
        for p, off in spec.places():
            at, shift = TOP + 8 + (off & ~7), 8 * (off & 7)
            self.mem[at] = self.mem.get(at, 0) | self.parameter(p) << shift
        self.regs = {r: rng.getrandbits(64) for r in self.names[0]}
        self.vectors = {v: [rng.getrandbits(64) for _ in range(8)] for v in self.names[1]}
        self.masks = {k: rng.getrandbits(64) for k in MASKS}
        self.expect()
        self.begin()

    def begin(self):
        """Completes the initial state."""
        self.regs["rsp"] = TOP

    def parameter(self, p):
        """Chooses the value of a parameter, and returns it."""
        rng = self.rng
        if isinstance(p, In):
            self.inputs.append([self.input(p, self.address(p.name, k)) for k in range(p.count)])
        if isinstance(p, Out):
            self.writable.update(range(self.address(p.name), self.address(p.name, p.count), 8))
        if isinstance(p, (In, Out)):
            return self.address(p.name)
        if isinstance(p, Count):
            self.times = rng.randint(1, self.most)
            return self.times
        if isinstance(p, Mask):
            v = rng.choice((0, ONES))
            self.flags.append(v & 1)
            return v
        return p.value if isinstance(p, Given) else rng.getrandbits(8 if isinstance(p, Bits) else 64)

    def address(self, name, k=0):
        """The address of an element of a parameter, or of another object."""
        base, off = self.places.get(name, (name, 0))
        return self.objects.setdefault(base, 0x100000 * len(self.objects)) + off + self.size * k

    def input(self, p, at):
        """The element at an address. An earlier parameter may have the same address."""
        if at not in self.given:
            self.given[at] = self.integer(p.below)
            self.mem.update((at + 8 * j, self.given[at] >> 64 * j & ONES) for j in range(4))
        return self.given[at]

    def expect(self):
        """Sets the results to the values of the formula."""
        self.want = self.repeated(self.inputs, self.flags)

    def repeated(self, values, flags):
        for _ in range(self.times):
            want = [v % self.spec.n for v in self.spec.formula(*values, *flags)]
            values = [want]
        return want

    def integer(self, below):
        """An element, often an edge case, or made of words that are edge cases."""
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

    def machine(self, binary=None):
        state = dict(self.regs), dict(self.mem), self.writable, TOP, dict(self.vectors), dict(self.masks)
        return self.emulator(*state, binary)

    def run(self, prog, binary=None):
        """Runs from the start; returns None, or a message that says what is wrong."""
        m = self.machine(binary)
        try:
            m.run(prog)
            return self.check(m)
        except Trap as e:
            return str(e)

    def check(self, m):
        """Checks the machine after RET; returns None, or a message that says what is wrong."""
        if any(m.regs[r] != self.regs[r] + 8 * (r == "rsp") for r in SAVED):
            return "RSP or RBP is wrong at RET"
        if any(any(m.vectors[r][2:]) for r in CLEARED if m.vectors[r] != self.vectors[r]):
            return "the upper part of a vector is not zero"
        return self.wrong(m)

    def wrong(self, m):
        """Compares the results; returns None, or a message that says what is wrong."""
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

    # Comparison with a symbolic execution.

    def start(self, proof):
        """The state in which the symbolic execution starts."""
        return proof.start.clone()

    def claims(self, ins, state, m):
        """For everything that an instruction has written: its name, its value in the symbolic execution, and its value in the emulator. The values of vectors and masks are lists of lanes."""
        for name in effects(ins).writes:
            if name in FLAGS and state.flags[name] is not None:
                yield name, state.flag(name), m.flags[name]
            elif name in state.regs:
                yield name, state.regs[name], m.regs[name]
            elif name in state.vectors:
                yield name, state.vectors[name], m.vectors[name]
            elif name in state.masks:
                yield name, state.masks[name], m.mask(name)
        for base, off in state.wrote:
            if base in self.objects:
                at, v = self.objects[base] + off, state.mem[base, off]
                if ins.op == "kmovb":
                    yield "memory", v, m.mask_of(m.mem[at & ~7] >> 8 * (at & 7), 8)
                else:
                    n = self.width(state, base, off)
                    yield "memory", v, [m.mem[at + 8 * i] for i in range(n)] if n else m.mem[at]

    def width(self, state, base, off):
        """The number of words in a vector that was stored, or 0 for a word."""
        return 8 if self.wide and base != "sp" else 0

    def environments(self, proof):
        """The values of the variables that stand for inputs, and the lane of these values."""
        env = {v: e >> 64 * i & ONES for group, values in zip(proof.inputs, self.inputs) for symbol, e in zip(group, values) for i, v in enumerate(symbol.words)}
        yield env, None

    def verify(self, proof, claims):
        """Checks all claims, all equations between variables, and the bounds of variables."""
        t = proof.trace
        for env, lane in self.environments(proof):
            start = [(v, self.mem[TOP + off]) for (base, off), v in proof.start.mem.items() if base == "sp" and isinstance(v, Word)]
            start += [(v, self.regs[r]) for r, v in proof.start.regs.items() if isinstance(v, Word)]
            for v, x in start:
                if v.poly.single() is not None:
                    env[v.poly.single()] = x
                elif (-v.poly).single() is not None:  # a mask
                    env[(-v.poly).single()] = x & 1
            for v, d in enumerate(t.definition):
                if d and v == d.news[0]:
                    env.update(zip(d.news, d.rule(env), strict=True))
                    assert d.eq is None or d.eq.value(env) == 0
                    assert all(p.value(env) >= 0 for p in d.least)
            assert all(t.lo[v] <= x <= t.hi[v] for v, x in env.items())
            for ins, what, v, x in claims:
                for w, y in zip(v, x) if isinstance(v, list) else [(v, x[lane] if isinstance(x, list) else x)]:
                    assert self.agrees(w, y, env), f"{ins}: {what}"

    def agrees(self, w, x, env):
        if w is None:
            return True
        if isinstance(w, Ptr):
            return w.base not in self.objects or self.objects[w.base] + w.off == x
        if isinstance(w, Word):
            v = w.poly.value(env)
            return w.lo <= v <= w.hi and v % WORD == x
        return (w if isinstance(w, Poly) else w.poly).value(env) == x
