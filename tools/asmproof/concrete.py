"""Runs routines in the emulator, on inputs which are mostly at the edges, and compares with the formulas on integers."""

import random

from specs import Count, Flag, In, Out
from x86 import ONES, REGS, Machine, Trap

TOP = 0x7fff0000  # Where the return address is.


class Case:
    """Inputs of a routine, and what must come of them."""

    def __init__(self, spec, places, seed):
        """seed is of any kind that random takes."""
        self.spec, self.places = spec, places
        self.rng = rng = random.Random(seed)
        self.objects = {base: 0x10000 * (i + 1) for i, base in enumerate(sorted({base for base, _ in places.values()}))}
        self.mem, self.writable, self.args = {TOP: rng.getrandbits(64)}, set(), []
        given, inputs, flags, times = {}, [], [], 1
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
            elif isinstance(p, Out):
                self.writable.update(range(self.address(p.name, 0), self.address(p.name, p.count), 8))
            if isinstance(p, (In, Out)):
                arg = self.address(p.name, 0)
            elif isinstance(p, Count):
                arg = times = rng.randint(1, 3)
            elif isinstance(p, Flag):
                arg = rng.choice((0, 0, 1, ONES, rng.getrandbits(64)))
                flags.append(int(arg != 0))
            self.args.append(arg)
        self.mem.update((TOP + 8 + 8 * i, arg) for i, arg in enumerate(self.args))
        for _ in range(times):
            want = [v % spec.n for v in spec.formula(*inputs, *flags)]
            inputs = [want]
        self.want = want
        self.regs = {r: rng.getrandbits(64) for r in REGS}
        self.regs["rsp"] = TOP

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
        return Machine(dict(self.regs), dict(self.mem), self.writable, TOP)

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

    def run(self, prog, binary=None):
        """Runs from the start; returns None, or what is wrong."""
        m = self.machine()
        m.binary = binary
        try:
            m.run(prog)
        except Trap as e:
            return str(e)
        return self.check(m)


def cases(spec, count, seed):
    """Cases of all aliasings in turn."""
    ways = spec.aliasings()
    return [Case(spec, ways[i % len(ways)], f"{seed} {i}") for i in range(count)]
