"""Mutants of a routine, with one instruction left out or two neighbours swapped, all of which have to be rejected.

A mutant is first emulated, on inputs which mostly are at the edges. One which
passes has to be rejected by the proof. A swap of independent instructions is no
mutant, and one which the proof accepts makes no difference. An instruction which
can be left out is one too many, and counts as survived.
"""

import random

import concrete
import routine
import x86
from poly import Poly
from symbolic import Ptr, Stuck
from x86 import Indexed, Mem, Trap, Unsupported

CASES = 24  # Emulated for each mutant, at most.
HORIZON = 16  # How many instructions later a mutant without effect has to be back in line.
FEW = 20  # Of more specifications not all states are kept, so that whatever is without effect takes a proof.


class Mutant:
    """What prog is with the instructions from at on replaced; a None stands for one left out."""

    def __init__(self, prog, at, by, what):
        self.at, self.by, self.what = at, by, what
        self.original = prog[at:at + len(by)]
        self.prog = prog[:at] + by + prog[at + len(by):]


def mutants(prog):
    """All mutants, but for swaps which change nothing for the flow of data."""
    live = x86.liveness(prog)
    r = []
    for i, ins in enumerate(prog):
        r.append(Mutant(prog, i, [None], f"without {i}: {ins}"))
        if i + 1 < len(prog):
            other = prog[i + 1]
            if not independent(ins, other, live[i + 2]):
                r.append(Mutant(prog, i, [other, ins], f"swapped {i}: {ins} / {other}"))
    return r


def independent(x, y, live):
    """Reports whether two instructions may be swapped as far as registers, flags and memory go; also for jumps, which may not but make no mutants."""
    if x.text == y.text or {x.op, y.op} & {"j", "ret"}:
        return True
    (xr, xw), (yr, yw) = x86.regs_of(x), x86.regs_of(y)
    (xf, xs), (yf, ys) = x86.flags_of(x), x86.flags_of(y)
    if xw & (yr | yw) or yw & xr or xf & ys or yf & xs or xs & ys & live:
        return False
    (xm, xst), (ym, yst) = memory(x), memory(y)
    if xm and ym and (xst or yst):
        # Off the same register, or else who knows.
        return xm[0] == ym[0] and not (xm[1] < ym[1] + ym[2] and ym[1] < xm[1] + xm[2])
    return True


def memory(ins):
    """The (base, offset, size) of the memory which an instruction accesses, or None, and whether it writes it."""
    if ins.op in ("push", "pop"):
        return (None, 0, 8), True
    for i, a in enumerate(ins.args):
        if isinstance(a, Indexed):
            return (ins, 0, 8), i == len(ins.args) - 1
        if isinstance(a, Mem):
            return (a.base, a.disp, 8 * ins.words or 8), i == len(ins.args) - 1 and ins.op not in ("cmp", "test", "mulx")
    return None, False


class Trials:
    """Emulation of mutants, from where they differ from the original."""

    def __init__(self, prog, spec, binary, count=CASES):
        self.binary, self.starts = binary, []
        self.live, self.straight = x86.liveness(prog), all(ins.op != "j" for ins in prog)
        for case in concrete.cases(spec, count, "mutants"):
            m = case.machine()
            m.binary = binary
            before = {}  # The states at the first time in each place.
            at = 0
            while prog[at].op != "ret":
                if at not in before:
                    before[at] = snapshot(m)
                ins, at = prog[at], at + 1
                if ins.op != "j":
                    m.step(ins)
                elif m.flag(ins.cond[0]) == ins.cond[1]:
                    at = ins.target
            before[at] = snapshot(m)
            self.starts.append((case, before))

    def rejects(self, mutant):
        for case, before in self.starts:
            if mutant.at not in before:
                continue
            m = case.machine()
            m.binary = self.binary
            r, v, k, mem, m.cf, m.of, m.zf, m.sf = before[mutant.at]
            m.r, m.v, m.k, m.mem = dict(r), dict(v), dict(k), dict(mem)
            try:
                at = self.back_in_line(m, mutant, before) if self.straight else mutant.at
                if at is None:
                    continue
                m.run(mutant.prog, at)
            except Trap:
                return True
            if case.check(m):
                return True
        return False

    def back_in_line(self, m, mutant, before):
        """Runs some instructions of straight code; returns the next, or None once nothing later can tell that they are of a mutant."""
        at, after = mutant.at, mutant.at + len(mutant.by)
        while at < min(after + HORIZON, len(mutant.prog) - 1):
            if mutant.prog[at]:
                m.step(mutant.prog[at])
            at += 1
            if at >= after:
                r, v, k, mem, cf, of, zf, sf = before[at]
                want = {**r, **v, **k, "cf": cf, "of": of, "zf": zf, "sf": sf}
                have = {**m.r, **m.v, **m.k, "cf": m.cf, "of": m.of, "zf": m.zf, "sf": m.sf}
                if all(want[name] == have[name] for name in self.live[at]) and m.mem == mem:
                    return None
        return at


def snapshot(m):
    return dict(m.r), dict(m.v), dict(m.k), dict(m.mem), m.cf, m.of, m.zf, m.sf


def no_effect(mutant, prog, record):
    """Reports whether from every recorded state the mutant soon gets to the same state as prog, as far as anything later can tell."""
    live = x86.liveness(mutant.prog)
    return mutant.at in record and all(converges(mutant, prog, state, live) for state in record[mutant.at])


def converges(mutant, prog, state, live):
    a, b = state.clone(), state.clone()
    after = mutant.at + len(mutant.by)
    for i in range(mutant.at, min(after + HORIZON, len(prog))):
        if any(ins and ins.op in ("j", "ret") for ins in (prog[i], mutant.prog[i])):
            return False
        try:
            for s, ins in ((a, prog[i]), (b, mutant.prog[i])):
                if ins:
                    s.step(ins)
            if i + 1 >= after and agree(a, b, live[i + 1]):
                return True
        except (Stuck, Unsupported):
            return False
    return False


def agree(a, b, live):
    """Reports whether two states are the same in what is live, and in memory."""
    if a.mem.keys() != b.mem.keys() or not all(same(v, b.mem[k]) for k, v in a.mem.items()):
        return False
    if not all(same(a.regs.get(r), b.regs.get(r)) for r in live & set(x86.REGS) | {"rsp", "rbp"}):
        return False
    if a.prefetched != b.prefetched or any(not same(a.vectors.get(r), b.vectors.get(r)) for r in live & set(x86.VECTORS)):
        return False
    if any(not same(a.masks.get(k), b.masks.get(k)) for k in live & set(x86.MASKS)):
        return False
    if live & {"zf", "sf"} and not same(a.zf, b.zf):
        return False
    return all(same(getattr(a, f), getattr(b, f)) or same(a.carry(f), b.carry(f)) for f in live & {"cf", "of"})


def same(v, w):
    if v is w:
        return True
    if v is None or type(v) is not type(w):
        return False
    if isinstance(v, tuple):
        return all(map(same, v, w))
    return v == w if isinstance(v, (Poly, Ptr)) else v.poly == w.poly


class Score:
    """How many mutants were emulated away, rejected by the proof, of no effect, or, a failure, survived."""

    def __init__(self):
        self.emulated = self.disproved = 0
        self.idle, self.survived, self.reasons = [], [], {}



def score(prog, spec, binary, sample=None, emulate=True, strict=True):
    """Tries the mutants, or so many of them, against the proof which succeeds for the original."""
    record = {}
    if len(routine.members(spec.families())) < FEW:
        routine.prove(prog, spec, binary, record, strict)
    trials = Trials(prog, spec, binary)
    todo = mutants(prog)
    if sample is not None and sample < len(todo):
        todo = random.Random(1).sample(todo, sample)
    result = Score()
    for mutant in todo:
        if emulate and trials.rejects(mutant):
            result.emulated += 1
            continue
        if mutant.by != [None] and no_effect(mutant, prog, record):
            result.idle.append(mutant.what)
            continue
        try:
            routine.prove(mutant.prog, spec, binary, strict=strict)
        except (Stuck, Unsupported) as e:
            result.disproved += 1
            result.reasons[mutant.what] = str(e)
        else:
            # A proof of a swap shows that it makes no difference.
            (result.survived if mutant.by == [None] else result.idle).append(mutant.what)
    return result
