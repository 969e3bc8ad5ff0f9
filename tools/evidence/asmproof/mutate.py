"""Mutants of a routine, with one instruction left out or two neighbouring instructions swapped.

A mutant of assembly is first emulated, mostly on edge-case inputs. If the emulation accepts it, the proof is tried.
Swaps of independent instructions are not tried. A swap of assembly that the proof accepts counts as a swap without
effect, and so does the lack of a jump, which then only saves time. A mutant that lacks any other instruction of
assembly and that the proof accepts counts as a survivor, because the instruction is superfluous. For compiled code, a
survivor is a mutant that only the emulation rejects.
"""

import random
from dataclasses import dataclass, field

import effects
import kinds
from specs import Go
from symbolic import Stuck
from x86 import Unsupported

CASES = 24  # cases emulated for each mutant, at most


def mutants(prog):
    """Pairs of a mutant and its description, for all mutants except swaps of independent instructions. None stands for
    an omitted instruction."""
    live = effects.liveness(prog)
    for i, ins in enumerate(prog):
        if not getattr(ins, "own", True):
            continue
        yield [*prog[:i], None, *prog[i + 1:]], f"without {i}: {ins}"
        if i + 1 < len(prog) and not effects.independent(ins, prog[i + 1], live[i + 2]):
            yield [*prog[:i], prog[i + 1], ins, *prog[i + 2:]], f"swapped {i}: {ins} / {prog[i + 1]}"


@dataclass
class Score:
    """Counts the mutants that the emulator rejects and the mutants that the proof rejects, with its reasons. Lists the
    mutants without effect and the survivors."""

    emulated: int = 0
    disproved: int = 0
    idle: list = field(default_factory=list)
    survived: list = field(default_factory=list)
    reasons: dict = field(default_factory=dict)


def score(prog, spec, binary, sample=None, emulate=True):
    """Tries all mutants, or a sample, with the emulator and with the proof."""
    cases = kinds.cases(spec, CASES, "mutants")
    todo = list(mutants(prog))
    if sample is not None and sample < len(todo):
        todo = random.Random(1).sample(todo, sample)
    if not todo:
        raise Stuck("no mutant to try")
    result, accepted = Score(), range(len(todo))
    # Compiled code may have instructions that no result depends on. For compiled code the proof must therefore reject
    # only the mutants that the emulator rejects.
    strict = not isinstance(spec.families()[0][0], Go)
    if emulate or not strict:
        # All mutants run one case before the next case, because what they compute is remembered for a while.
        for case in cases:
            accepted = [i for i in accepted if not case.run(todo[i][0], binary)]
    accepted = set(accepted)
    for i, (mutant, what) in enumerate(todo):
        wrong = i not in accepted
        if wrong and strict:
            result.emulated += 1
            continue
        try:
            kinds.prove(mutant, spec, binary)
        except (Stuck, Unsupported) as e:
            result.disproved += 1
            result.reasons[what] = str(e)
        else:
            # An accepted mutant survives if the emulator rejects it or if it lacks an instruction of assembly.
            lacks = next((ins.op for ins, m in zip(prog, mutant) if m is None), "j")
            (result.survived if wrong or strict and lacks != "j" else result.idle).append(what)
    return result
