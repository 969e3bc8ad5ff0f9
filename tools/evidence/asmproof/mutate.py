"""Mutants of a routine, with one instruction left out or two neighbouring instructions swapped.

A mutant of assembly is first emulated, mostly on edge-case inputs. If the emulation accepts it, the proof is tried.
Swaps of independent instructions are not tried. A swap of assembly that the proof accepts counts as a swap without
effect. A mutant that lacks an instruction of assembly and that the proof accepts counts as a survivor, because the
instruction is superfluous. For compiled code, a survivor is a mutant that only the emulation rejects.
"""

import copy
import random

import effects
import kinds
import x86
from emulator import Trap
from specs import Go
from symbolic import Stuck
from x86 import Unsupported

CASES = 24  # cases emulated for each mutant, at most


class Mutant:
    """prog with the instructions from index at on replaced by those in by, where None stands for an omitted instruction."""

    def __init__(self, prog, at, by, what):
        self.at, self.by, self.what = at, by, what
        self.flow = prog[at].op in x86.FLOW - {"j", "ret"} or prog[at].op == "ret" and at + 1 < len(prog)
        self.prog = prog[:at] + by + prog[at + len(by):]


def mutants(prog):
    """All mutants, except swaps of independent instructions."""
    live = effects.liveness(prog)
    r = []
    for i, ins in enumerate(prog):
        if not getattr(ins, "own", True):
            continue
        r.append(Mutant(prog, i, [None], f"without {i}: {ins}"))
        if i + 1 < len(prog):
            other = prog[i + 1]
            if not effects.independent(ins, other, live[i + 2]):
                r.append(Mutant(prog, i, [other, ins], f"swapped {i}: {ins} / {other}"))
    return r


class Trials:
    """Emulates mutants, beginning at the instruction where they differ from the original."""

    def __init__(self, prog, spec, binary, count=CASES):
        self.starts, self.binary = [], binary
        for case in kinds.cases(spec, count, "mutants"):
            m, before = case.machine(binary), {}  # the state before each instruction is first executed
            for at, ins in m.follow(prog):
                if at not in before:
                    before[at] = copied(m)
                if ins.op != "j":
                    m.step(ins)
            before[len(prog) - 1] = m
            self.starts.append((case, before))

    def rejects(self, mutant):
        for case, before in self.starts:
            flows = mutant.by == [None] and mutant.flow  # follow executes this instruction itself, so no state was stored for it
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
    """Counts the mutants that the emulator rejects and the mutants that the proof rejects. Lists the mutants without
    effect and the survivors."""

    def __init__(self):
        self.emulated = self.disproved = 0
        self.idle, self.survived, self.reasons = [], [], {}


def score(prog, spec, binary, sample=None, emulate=True):
    """Tries all mutants, or a sample, with the emulator and with the proof."""
    trials = Trials(prog, spec, binary)
    todo = mutants(prog)
    if sample is not None and sample < len(todo):
        todo = random.Random(1).sample(todo, sample)
    result = Score()
    # Compiled code may have instructions that no result depends on. For compiled code the proof must therefore reject
    # only the mutants that the emulator rejects.
    strict = not isinstance(spec.families()[0][0], Go)
    for mutant in todo:
        wrong = (emulate or not strict) and trials.rejects(mutant)
        if wrong and strict:
            result.emulated += 1
            continue
        try:
            kinds.prove(mutant.prog, spec, binary)
        except (Stuck, Unsupported) as e:
            result.disproved += 1
            result.reasons[mutant.what] = str(e)
        else:
            # An accepted mutant survives if the emulator rejects it or if it lacks an instruction of assembly.
            (result.survived if wrong or strict and mutant.by == [None] else result.idle).append(mutant.what)
    return result
