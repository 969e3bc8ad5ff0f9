"""Tests of the form that functions compiled by Go must have, and of their proofs."""

import compiled
from binary import without_stack_check
from proofs import Proofs, replaced
from specs import Count, Go, In, Out

START = 0x1000
NAME = compiled.LIBRARY + "field."

# Sets v = a + b. The code has a frame, and saves its parameters above the frame.
ADD = ["cmp 0x10(%r14),%rsp", "jbe 1200 <add+0x200>", "push %rbp", "mov %rsp,%rbp", "sub $0x10,%rsp", "mov %rax,0x20(%rsp)",
       "test %al,(%rbx)", "nopl 0x0(%rax,%rax,1)", "call 2000 <sum>", "mov 0x20(%rsp),%rax", "mov %rax,%rbx", "call 3000 <fold>",
       "add $0x10,%rsp", "pop %rbp", "ret"]
GROW = ["mov %rax,0x8(%rsp)", "mov %rbx,0x10(%rsp)", "xchg %ax,%ax", "call 9000 <runtime.morestack_noctxt.abi0>", "mov 0x8(%rsp),%rax", "mov 0x10(%rsp),%rbx",
        "jmp 1000 <add>", "int3", "int3"]
# Sets the four words at RAX to the sum, and RDX to the carry.
SUM = ["mov (%rbx),%rsi", "mov 0x8(%rbx),%rdi", "mov 0x10(%rbx),%r8", "mov 0x18(%rbx),%r9",
       "add (%rcx),%rsi", "adc 0x8(%rcx),%rdi", "adc 0x10(%rcx),%r8", "adc 0x18(%rcx),%r9", "sbb %rdx,%rdx",
       "mov %rsi,(%rax)", "mov %rdi,0x8(%rax)", "mov %r8,0x10(%rax)", "mov %r9,0x18(%rax)", "ret"]
FOLD = ["movabs $0x1000003d1,%rcx", "and %rcx,%rdx", "add %rdx,(%rax)", "adcq $0x0,0x8(%rax)", "adcq $0x0,0x10(%rax)", "adcq $0x0,0x18(%rax)",
        "sbb %rdx,%rdx", "and %rcx,%rdx", "add %rdx,(%rbx)", "ret"]
SPEC = Go(lambda a, b: [a[0] + b[0]], Out("v", may_be=("a", "b")), In("a"), In("b"))


class Text:
    """A binary with functions given as lines, whose addresses are 0x10 apart."""

    def __init__(self, **functions):
        self.code = {NAME + name: [(at + 16 * i if not line.startswith(GROW[0]) else START + 0x200, line) for i, line in enumerate(lines)]
                     for (name, lines), at in zip(functions.items(), (START, 0x2000, 0x3000))}
        self.symbols = {name: (code[0][0], 0) for name, code in self.code.items()}

    def disassemble(self, name):
        return without_stack_check(self.code[name])

    def named(self, addr):
        return next((name for name, (at, _) in self.symbols.items() if at == addr), "runtime.panicIndex")


def linked(add=ADD, grow=GROW, sums=SUM, fold=FOLD):
    return compiled.program(Text(add=add + grow, sum=sums, fold=fold), NAME + "add")


class Functions(Proofs):
    assemble = staticmethod(lambda functions: linked(**functions))

    def test_accepted(self):
        prog = self.good({}, SPEC, 4)  # one element for each aliasing
        score = self.all_mutants_rejected(prog, SPEC, least=30)
        # Only instructions for the stack pointer, and for the frame pointer of functions without calls, have no effect.
        self.assertLess(len(score.idle), 8)

    def test_index_that_cannot_fail(self):
        """An index is compared with a length, and the proof shows that the function does not panic."""
        check = ["mov $0x3,%r8d", "cmp $0x4,%r8", "jae 1120 <add>", "nopl"]
        panic = ["call 5000 <runtime.panicIndex>", "nop"]
        self.good({"add": replaced(ADD, "nopl", check) + panic}, SPEC, 4)
        wrong = replaced(check, "mov", ["mov $0x4,%r8d"])
        self.bad({"add": replaced(ADD, "nopl", wrong) + panic}, SPEC, "not a function of the library")

    def test_refused(self):
        for why, changes in (
                ("not a function of the library", {"add": replaced(ADD, "call 2000", ["call 5000 <runtime.panicIndex>"])}),
                ("a jump out of", {"add": replaced(ADD, "nopl", ["jmp 1234 <add+0x234>"])}),
                ("a jump that depends on the inputs", {"add": replaced(ADD, "nopl", ["cmpq $0x7,(%rbx)", "jb 1020 <add>"])}),
                ("stack's size", {"grow": replaced(GROW, "mov %rbx", [])}),
                ("stack's size", {"grow": replaced(GROW, "mov 0x10(%rsp),%rbx", ["mov 0x10(%rsp),%rcx"])}),
                ("stack's size", {"grow": replaced(GROW, "jmp", ["jmp 1010 <add+0x10>"])}),
                ("runs past the end", {"fold": FOLD[:-1]}),
                ("R14", {"fold": ["mov %rcx,%r14", *FOLD]}),
                ("X15", {"sums": ["movups (%rbx),%xmm15", *SUM]}),
                ("above its frame", {"fold": ["mov %rcx,0x50(%rsp)", *FOLD]}),
                ("returns to an unknown address", {"fold": ["mov %rsp,0x0(%rsp)", *FOLD]}),
                ("RBP at RET", {"add": replaced(ADD, "pop %rbp", ["pop %rcx"])}),
                ("writes a", {"fold": FOLD[:-1] + ["mov %rsi,(%rbx)", "ret"], "add": replaced(ADD, "mov %rax,%rbx", [])}),
                ("dropped carry", {"fold": replaced(FOLD, "adcq $0x0,0x18", ["add %rdx,%rdx"])}),
                ("dropped carry", {"sums": replaced(SUM, "adc 0x8(%rcx)", ["add 0x8(%rcx),%rdi"])})):
            with self.subTest(why, **{k: str(v)[:40] for k, v in changes.items()}):
                self.bad(changes, SPEC, why)


# Sets v = a·2ⁿ mod p. The code doubles once, and then runs the loop that Go compiles for "for range n - 1".
DOUBLE = ["mov %rcx,0x18(%rsp)", "mov %rbx,%rcx", "call 2000 <sum>", "mov %rax,%rbx", "call 3000 <fold>", "mov 0x18(%rsp),%r10", "dec %r10", "xor %r11d,%r11d",
          "jmp 10e0 <loop>", "mov %rax,%rcx", "call 2000 <sum>", "mov %rax,%rbx", "call 3000 <fold>", "inc %r11", "cmp %r10,%r11", "jl 1090 <loop>", "ret"]
# The same, with the loop that Go 1.27 compiles.
DOWN = ["mov %rcx,0x18(%rsp)", "mov %rbx,%rcx", "call 2000 <sum>", "mov %rax,%rbx", "call 3000 <fold>", "mov 0x18(%rsp),%r10", "dec %r10",
        "jmp 10d0 <loop>", "mov %rax,%rcx", "call 2000 <sum>", "mov %rax,%rbx", "call 3000 <fold>", "dec %r10", "test %r10,%r10", "jg 1080 <loop>", "ret"]
TIMES = Go(lambda a: [2 * a[0]], Out("v", may_be=("a",)), In("a"), Count("n"))


class Bytes(Proofs):
    assemble = staticmethod(lambda sums: linked(sums=sums))

    def test_carry(self):
        """Go 1.27 stores a carry in the lowest byte of a register, and clears the other bytes afterwards."""
        clear = ["mov %rdi,0x8(%rax)", "movzbl %dl,%edx", "neg %rdx"]
        sums = replaced(replaced(SUM, "sbb", ["setb %dl"]), "mov %rdi", clear)
        self.good(sums, SPEC, 4)
        self.all_bad(sums, SPEC, (
            ("holds nothing", "movzbl", ["nop"]), ("holds nothing", "movzbl", ["movzbl %cl,%edx"]),
            ("holds nothing", "setb", ["nop"]), ("dropped carry", "setb", ["setae %dl"])))


class Loops(Proofs):
    assemble = staticmethod(lambda add: linked(add, []))

    def test_up(self):
        self.good(DOUBLE, TIMES)
        self.all_bad(DOUBLE, TIMES, (
            ("does not run", "dec", ["mov %r10,%r10"]), ("does not run", "xor", ["mov $0x1,%r11d"]),
            ("neither up nor down", "jl", ["jbe 1090 <loop>"]), ("does not run", "inc", ["mov %r11,%r11"]),
            ("no pointer", "jl", ["jl 10a0 <loop>"])))

    def test_down(self):
        self.good(DOWN, TIMES)
        self.all_bad(DOWN, TIMES, (
            ("does not count down", "dec", ["mov %r10,%r10"]),
            ("does not count down", "mov 0x18(%rsp),%r10", ["lea 0x1(%rcx),%r10"]),
            ("neither up nor down", "jg", ["jge 1080 <loop>"]), ("holds nothing", "test", ["test %r10,%r11"]),
            ("no pointer", "jg", ["jg 1090 <loop>"])))
