"""Functions as compiled by Go: they call other functions, and their parameters are in registers.

A program contains the instructions of a function and of all functions that it calls, so that a proof can follow the
calls.  The proof relies on these rules of Go's ABI (cmd/compile/abi-internal): the parameters are in the registers of
ARGUMENTS, eight bytes above the return address are reserved for each parameter, R14 is the goroutine, and X15 is zero.
At the end, R14 must still be the goroutine, and X15 must be zero.
"""

import concrete
import routine
from concrete import TOP
from poly import Poly
from routine import MOST_COUNT
from symbolic import Ptr, State, Stuck, Word
from x86 import Instr, Unsupported

ARGUMENTS = ["rax", "rbx", "rcx", "rdi", "rsi", "r8", "r9", "r10", "r11"]
KEPT = {"r14": Ptr("goroutine", 0)}
ZERO = "zmm15"
LIBRARY = "p256k1.mleku.dev/v2/internal/"


def program(binary, symbol, others=()):
    """The instructions of a function, followed by the instructions of the library's functions that it calls, without NOPs.

    Mutants change only instructions marked as own: those of the function itself, and those of called functions that are
    not in others.
    """
    prog, todo, next_to = [], [symbol], {}
    for name in todo:
        skipped = [binary.symbols[name][0]]
        for addr, text in binary.disassemble(name):
            ins = Instr(addr, text)
            ins.own = name == symbol or name not in others
            skipped.append(addr)
            if ins.op == "nop":
                continue
            next_to.update(dict.fromkeys(skipped, len(prog)))
            skipped.clear()
            prog.append(ins)
            if ins.op == "call":
                called = binary.named(ins.target)
                if called is None or "." in called and not called.startswith(LIBRARY):  # a name without a dot is local to a file of assembly
                    ins.target = None  # outside the library, for example a panic, which no proof may reach
                elif called not in todo:
                    todo.append(called)
        if prog[-1].op != "int3":
            prog.append(Instr(None, "int3"))
            prog[-1].own = False
    for ins in prog:
        if ins.target is not None:
            if ins.target not in next_to:
                raise Unsupported(f"{ins}: a jump out of the functions")
            ins.target = next_to[ins.target]
    return prog


class Registers(State):
    """Vector registers only move words of memory. Any contents may be left in them, except in X15."""

    framed = False

    def ended(self, prefetches):
        if any(self.regs.get(r) != v for r, v in KEPT.items()):
            raise Stuck("R14 at RET")
        if any(w is None or w.poly.constant() != 0 for w in self.vectors[ZERO][:2]):
            raise Stuck("X15 at RET")
        self.vectors = {}
        super().ended(prefetches)


def enter(spec, regs, mem, at):
    """Moves the parameters to registers. at(offset) is the place where assembly would find a parameter."""
    for r, (_, off) in zip(ARGUMENTS, spec.places()):
        regs[r] = mem.pop(at(off))


def spilled(spec):
    """The offsets above the stack pointer at entry where the function may write its parameters."""
    return range(8, 8 + 8 * len(spec.params), 8)


class Compiled(routine.Proof):
    """The proof of a function. Its loop, if it has one, counts up from 0 while the counter is below n - 1, as Go 1.26
    compiles it, or down from n - 1 while the counter is positive, as Go 1.27 does."""

    state = Registers

    @staticmethod
    def shape(prog):
        """Accepts any jumps: the state has to know whether a jump is taken."""

    def begin(self):
        enter(self.spec, self.start.regs, self.start.mem, lambda off: ("sp", 8 + off))
        self.start.regs.update(KEPT)
        self.start.vectors[ZERO] = [self.trace.constant(0)] * 2 + [None] * 6
        self.start.spilled = spilled(self.spec)

    def stored(self, state, at):
        """Makes no element of words that are set to constants, because Go first zeroes variables, or of words whose carry is still in a register."""
        if isinstance(state.mem[at], Word) and state.mem[at].poly.constant() is not None:
            state.pending.discard(at)
            return
        try:
            super().stored(state, at)
        except Stuck:
            pass

    def turn(self, state, at, counter, head):
        compare, jump = self.prog[at - 1:at + 1]
        operands = [state.get(a) for a in compare.args] if compare else []
        self.index = compare.args[-1].name if operands else None
        if operands and compare.op == "test" and compare.args[0] == compare.args[1] and jump.cond == ("le", 0):
            self.step, self.counting = -1, (1, MOST_COUNT)
            if operands[0].poly != counter - 1:
                raise Stuck(f"{compare}: the loop does not count down by one")
        elif operands and compare.op == "cmp" and jump.cond == ("l", 1):
            self.step, self.counting = 1, (0, MOST_COUNT - 1)
            bound, index = operands
            now = Poly() if counter is self.counter else counter + 1
            if index.poly != now or bound.poly != self.counter - 1 or index.hi > MOST_COUNT:
                raise Stuck(f"{compare}: the loop does not run n - 1 times")
        else:
            raise Stuck(f"{jump}: the loop counts neither up nor down")

    def same(self, kind, place, v):
        return isinstance(v, Ptr) or v.poly == self.counter or self.step > 0 and v.poly == self.counter - 1

    def counts(self, kind, place, v):
        return (kind, place) == ("regs", self.index)


class CompiledCase(concrete.Case):
    def begin(self):
        super().begin()
        enter(self.spec, self.regs, self.mem, lambda off: TOP + 8 + off)
        self.vectors[ZERO][:2] = [0, 0]
        self.writable.update(TOP + at for at in spilled(self.spec))

    def check(self, m):
        if any(m.regs[r] != self.regs[r] for r in KEPT) or any(m.vectors[ZERO][:2]):
            return "R14 or X15"
        m.vectors = self.vectors
        return super().check(m)
