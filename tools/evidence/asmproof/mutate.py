"""Mutants of a routine, with one instruction left out or two neighbours swapped, all of which have to be rejected.

A mutant is first emulated, on inputs which mostly are at the edges. One which
passes has to be rejected by the proof. A swap of independent instructions is no
mutant, and one which the proof accepts makes no difference. An instruction which
can be left out is one too many, and counts as survived.
"""

import copy
import random

import concrete
import routine
import x86
from emulator import Trap
from specs import Go
from symbolic import Stuck
from x86 import Unsupported

CASES = 24  # Emulated for each mutant, at most.


class Mutant:
    """What prog is with the instructions from at on replaced; a None stands for one left out."""

    def __init__(self, prog, at, by, what):
        self.at, self.by, self.what = at, by, what
        self.flow = prog[at].op in x86.FLOW - {"j", "ret"} or prog[at].op == "ret" and at + 1 < len(prog)
        self.prog = prog[:at] + by + prog[at + len(by):]


def mutants(prog):
    """All mutants, but for swaps which change nothing for the flow of data."""
    live = x86.liveness(prog)
    r = []
    for i, ins in enumerate(prog):
        if not getattr(ins, "own", True):
            continue
        r.append(Mutant(prog, i, [None], f"without {i}: {ins}"))
        if i + 1 < len(prog):
            other = prog[i + 1]
            if not x86.independent(ins, other, live[i + 2]):
                r.append(Mutant(prog, i, [other, ins], f"swapped {i}: {ins} / {other}"))
    return r


class Trials:
    """Emulation of mutants, from where they differ from the original."""

    def __init__(self, prog, spec, binary, count=CASES):
        self.starts, self.binary = [], binary
        for case in concrete.cases(spec, count, "mutants"):
            m, before = case.machine(binary), {}  # The states at the first time in each place.
            for at, ins in m.follow(prog):
                if at not in before:
                    before[at] = copied(m)
                if ins.op != "j":
                    m.step(ins)
            before[len(prog) - 1] = m
            self.starts.append((case, before))

    def rejects(self, mutant):
        for case, before in self.starts:
            flows = mutant.by == [None] and mutant.flow  # Which has no state of its own.
            if mutant.at not in before and not flows:
                continue
            m = case.machine(self.binary) if flows else copied(before[mutant.at])
            try:
                m.run(mutant.prog, 0 if flows else mutant.at)
            except Trap:
                return True
            if case.check(m):
                return True
        return False


def copied(m):
    """A machine in the same state."""
    r = copy.copy(m)
    r.regs, r.vectors, r.masks, r.flags, r.mem = dict(m.regs), dict(m.vectors), dict(m.masks), dict(m.flags), dict(m.mem)
    return r


class Score:
    """How many mutants were emulated away, rejected by the proof, of no effect, or, a failure, survived."""

    def __init__(self):
        self.emulated = self.disproved = 0
        self.idle, self.survived, self.reasons = [], [], {}


def score(prog, spec, binary, sample=None, emulate=True):
    """Tries the mutants, or so many of them, against the proof which succeeds for the original."""
    trials = Trials(prog, spec, binary)
    todo = mutants(prog)
    if sample is not None and sample < len(todo):
        todo = random.Random(1).sample(todo, sample)
    result = Score()
    # What a compiler made may have instructions that no result depends on. So for these the proof must reject what the emulator rejects.
    strict = not isinstance(spec.families()[0][0], Go)
    for mutant in todo:
        wrong = (emulate or not strict) and trials.rejects(mutant)
        if wrong and strict:
            result.emulated += 1
            continue
        try:
            routine.prove(mutant.prog, spec, binary)
        except (Stuck, Unsupported) as e:
            result.disproved += 1
            result.reasons[mutant.what] = str(e)
        else:
            # A proof of a swap shows that it makes no difference.
            (result.survived if wrong or strict and mutant.by == [None] else result.idle).append(mutant.what)
    return result
