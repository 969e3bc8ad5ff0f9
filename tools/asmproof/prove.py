#!/usr/bin/env python3
"""Proves the assembly routines in a linked binary equal to their specifications in specs.py, for all inputs.

    go test -c -o group.test ./internal/group
    python3 tools/asmproof/prove.py group.test --mutants all

A routine is named as in specs.py; symbol=name proves another symbol against
that specification. Fails if anything is not proved, or missing, or if a mutant
survives.
"""

import argparse
import sys
import time
from collections import Counter

import bounds
import concrete
import mutate
import routine
import x86
from binary import Binary
from specs import NOT_PROVED, ROUTINES
from symbolic import Stuck

EMULATED = 60  # Cases for each routine.
totals = Counter()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("routines", nargs="*", help="those to prove, instead of all")
    parser.add_argument("--mutants", metavar="all|N", help="try all mutants of each routine, or a sample of N")
    parser.add_argument("--by-proof", action="store_true", help="leave all mutants to the proof, and none to the emulator")
    parser.add_argument("-v", "--verbose", action="store_true", help="list what is said of the mutants")
    args = parser.parse_args()
    if args.mutants not in (None, "all") and not args.mutants.isdecimal():
        parser.error("--mutants takes all or a number")
    binary = Binary(args.binary)
    ok = True
    for name in () if args.routines else binary.assembly():
        if name not in ROUTINES and name not in NOT_PROVED:
            print(f"{name:24} FAILED: neither specified nor excepted in specs.py")
            ok = False
    for name in args.routines or ROUTINES:
        symbol, _, spec = name.partition("=")
        ok &= report(binary, symbol, ROUTINES[spec or symbol], args)
    print(f"result: {totals['proved']} of {totals['routines']} routines proved; {len(NOT_PROVED)} excepted: {', '.join(NOT_PROVED)}")
    if args.mutants:
        print(f"result: {totals['rejected']} of {totals['mutants']} mutants rejected, {totals['emulated']} of them by emulation;"
              f" {totals['idle']} more have no effect")
    sys.exit(not ok)


def report(binary, name, spec, args):
    """Proves one routine, tries its mutants, and prints what came of it; returns whether all is well."""
    start, before = time.monotonic(), bounds.queries["asked"]
    prog, proved, strict, problem = [], 0, True, None
    try:
        symbol = binary.find(name)
        if symbol is None:
            raise Stuck("not in the binary")
        prog = x86.decode(binary.disassemble(symbol))
        for case in concrete.cases(spec, EMULATED, "prove"):
            wrong = case.run(prog, binary)
            if wrong:
                raise Stuck(f"emulated: {wrong}")
        for places in spec.aliasings():
            concrete.lockstep(prog, spec, places, "lockstep", binary)
        proved, strict = prove(prog, spec, binary)
    except (Stuck, x86.Unsupported) as e:
        problem = str(e)
    except AssertionError as e:
        problem = f"the symbolic execution differs from the emulation: {e}"
    print(f"{name:24} {len(prog):5} instructions {proved:4} elements {bounds.queries['asked'] - before:4} bounds"
          f" {time.monotonic() - start:6.2f}s  {'FAILED: ' + problem if problem else 'PROVED'}", flush=True)
    totals.update(routines=1, proved=not problem)
    if problem or args.mutants is None:
        return not problem
    start = time.monotonic()
    score = mutate.score(prog, spec, binary, None if args.mutants == "all" else int(args.mutants),
                         not args.by_proof, strict)
    wrong = score.emulated + score.disproved
    print(f"{'':24} {wrong}/{wrong + len(score.survived)} mutants rejected, {score.emulated} by emulation and {score.disproved}"
          f" by the proof; {len(score.idle)} without effect {time.monotonic() - start:6.1f}s", flush=True)
    totals.update(mutants=wrong + len(score.survived), rejected=wrong, emulated=score.emulated, idle=len(score.idle))
    for what in score.survived:
        print(f"    SURVIVED {what}")
    if args.verbose:
        for what in score.idle:
            print(f"    without effect: {what}")
        for what, why in score.reasons.items():
            print(f"    {what}: {why}")
    return not score.survived


def prove(prog, spec, binary):
    """Proves strictly (see Elements), or else not strictly; returns the number of elements, and which."""
    try:
        return routine.prove(prog, spec, binary), True
    except Stuck as e:
        try:
            return routine.prove(prog, spec, binary, strict=False), False
        except Stuck:
            raise e from None


if __name__ == "__main__":
    main()
