#!/usr/bin/env python3
"""Proves the assembly routines in a linked binary equal to their specifications in specs.py, for all inputs.

    go test -c -o curve.test ./curve
    python3 tools/evidence/asmproof/prove.py curve.test --mutants all

In a binary for ARM64 (GOARCH=arm64) it proves the assembly for ARM64. In a binary for x86-64 without assembly (-tags
purego) it proves the compiled Go functions that replace the assembly.

Routines have the names of specs.py. symbol=name proves another symbol against the specification of name. The command
fails if a routine is missing or not proved, or if a mutant survives.
"""

import argparse
import multiprocessing
import signal
import sys
import time
from collections import Counter

import bounds
import kinds
import mutate
import platforms
from binary import Binary
from symbolic import Stuck
from x86 import Unsupported

EMULATED = 60  # cases for each routine
LOCKSTEPS = 20  # symbolic executions compared with the emulator step by step, at most


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("routines", nargs="*", help="routines to prove, instead of all")
    parser.add_argument("--mutants", metavar="all|N", help="try all mutants of each routine, or a sample of N")
    parser.add_argument("--by-proof", action="store_true", help="leave all mutants to the proof, and none to the emulator")
    parser.add_argument("--second-opinion", action="store_true", help="also ask cvc5 each question that z3 decides in the proofs, except for mutants")
    parser.add_argument("-v", "--verbose", action="store_true", help="list the outcome of each mutant")
    args = parser.parse_args()
    if args.mutants not in (None, "all") and not (args.mutants.isdecimal() and int(args.mutants)):
        parser.error("--mutants takes all or a number above 0")
    binary = Binary(args.binary)
    platform = platforms.of(binary)
    for name in args.routines:
        if (name.partition("=")[2] or name) not in platform.routines:
            parser.error(f"{name} is not in specs.py, for {platform.title}")
    ok = True
    for name in () if args.routines else platform.listed:
        if name not in platform.routines and name not in platform.excepted:
            print(f"{name:24} FAILED: neither specified nor excepted in specs.py")
            ok = False
    totals = Counter()
    # The last routines of the list take longest, so they start first.
    work = [(binary, name, args) for name in args.routines or reversed(platform.routines)]
    with multiprocessing.Pool(initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        for lines, well, counts in pool.imap_unordered(report, work):
            print("\n".join(lines), flush=True)
            ok &= well
            totals.update(counts)
    print(f"result: {platform.title}: {totals['proved']} of {totals['routines']} routines proved;"
          f" {', '.join([f'{len(platform.excepted)} excepted', *platform.excepted])}")
    if args.second_opinion:
        print(f"result: cvc5 confirms {totals['confirmed']} answers of z3, and has none for {totals['open']}")
    if args.mutants:
        print(f"result: {totals['rejected']} of {totals['mutants']} mutants rejected, {totals['emulated']} of them by emulation;"
              f" {totals['idle']} more have no effect")
    sys.exit(not ok)


def report(work):
    """Proves one routine and tries its mutants. Returns lines of report, whether everything succeeded, and counts."""
    binary, name, args = work
    name, _, other = name.partition("=")
    platform = platforms.of(binary)
    spec, lines, totals = platform.routines[other or name], [], Counter()
    start, before = time.monotonic(), dict(bounds.queries)
    bounds.second = args.second_opinion
    prog, proved, problem = [], 0, None
    try:
        symbol = platform.find(name)
        if symbol is None:
            raise Stuck("not in the binary")
        prog = platform.program(symbol)
        for case in kinds.cases(spec, EMULATED, "prove"):
            wrong = case.run(prog, binary)
            if wrong:
                raise Stuck(f"emulated: {wrong}")
        for member, places in kinds.sample(spec, LOCKSTEPS):
            kinds.lockstep(prog, member, places, "lockstep", binary)
        proved = kinds.prove(prog, spec, binary)
    except (Stuck, Unsupported) as e:
        problem = str(e)
    except AssertionError as e:
        problem = f"the symbolic execution differs from the emulation: {e}"
    lines.append(f"{name:24} {len(prog):5} instructions {proved:4} elements {bounds.queries['asked'] - before['asked']:4} bounds"
          f" {time.monotonic() - start:6.2f}s  {'FAILED: ' + problem if problem else 'PROVED'}")
    totals.update(routines=1, proved=int(not problem), **{k: bounds.queries[k] - before[k] for k in ("confirmed", "open")})
    bounds.second = False
    if problem or args.mutants is None:
        return lines, not problem, totals
    start = time.monotonic()
    score = mutate.score(prog, spec, binary, None if args.mutants == "all" else int(args.mutants),
                         not args.by_proof)
    wrong = score.emulated + score.disproved
    lines.append(f"{'':24} {wrong}/{wrong + len(score.survived)} mutants rejected, {score.emulated} by emulation and {score.disproved}"
          f" by the proof; {len(score.idle)} without effect {time.monotonic() - start:6.1f}s")
    totals.update(mutants=wrong + len(score.survived), rejected=wrong, emulated=score.emulated, idle=len(score.idle))
    lines += [f"    SURVIVED {what}" for what in score.survived]
    if args.verbose:
        lines += [f"    without effect: {what}" for what in score.idle]
        lines += [f"    {what}: {why}" for what, why in score.reasons.items()]
    return lines, not score.survived, totals


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("prove.py: stopped")
