"""Tests of the prover itself: python3 -m unittest, in this directory."""

import random
import unittest

import kinds
import mutate
import specs
import x86
from binary import Binary, without_stack_check
from emulator import Machine
from poly import Poly
from proofs import Proofs, assemble, forms, wrong
from specs import N, Count, In, Out, Spec
from symbolic import Stuck, Trace

C = "0x1000003d1"


def words(at, registers, store=False):
    """Lines of code that load or store four or more words."""
    offset, base = at
    pairs = [(f"{offset + 8 * i:#x}({base})", f"%{r}") for i, r in enumerate(registers)]
    return [f"mov {r},{m}" if store else f"mov {m},{r}" for m, r in pairs]


R = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"]
ARGS = ["mov 0x8(%rsp),%rdi", "mov 0x10(%rsp),%rsi"]

SUB = ARGS + ["mov 0x18(%rsp),%rcx"] + words((0, "%rsi"), R[:4]) + [
    "xor %eax,%eax", "xor %ebx,%ebx", f"movabs ${C},%rdx",
    "sub (%rcx),%r8", "sbb 0x8(%rcx),%r9", "sbb 0x10(%rcx),%r10", "sbb 0x18(%rcx),%r11",
    "cmovb %rdx,%rax",
    "sub %rax,%r8", "sbb $0x0,%r9", "sbb $0x0,%r10", "sbb $0x0,%r11",
    "cmovb %rdx,%rbx",
    "sub %rbx,%r8"] + words((0, "%rdi"), R[:4], True) + ["ret"]

TWO = Spec(lambda a, b: [a[0] - b[0]], Out("v", may_be=("a", "b")), In("a"), In("b"))
LOOKUP = specs.lookup(Spec, prefetch=True, lengths=(4,))


def lookup(changes=()):
    """A look-up that reads one entry at a time, with some lines replaced."""
    def clear(*registers):
        return [f"vpxor %{r},%{r},%{r}" for r in registers]

    code = ARGS + ["mov 0x18(%rsp),%rcx", "mov 0x28(%rsp),%rax", "mov %rax,%rdx", "sub %rcx,%rdx", "sar $0x3f,%rdx",
                   "xor %rdx,%rax", "lea -0x1(%rcx),%rbx", "and %rbx,%rax", "mov %rcx,%rbx", "shl $0x6,%rbx",
                   "vmovq %rax,%xmm2", "vpbroadcastq %xmm2,%ymm2", "vpcmpeqq %ymm3,%ymm3,%ymm3", "vpsrlq $0x3f,%ymm3,%ymm3"]
    code += clear("ymm0", "ymm1", "ymm4") + [
        "vpcmpeqq %ymm4,%ymm2,%ymm5", "vpsubq %ymm3,%ymm2,%ymm2", "vpand (%rsi),%ymm5,%ymm6", "vpor %ymm6,%ymm0,%ymm0",
        "vpternlogq $0xf8,0x20(%rsi),%ymm5,%ymm1", "prefetcht0 (%rsi,%rbx,1)", "add $0x40,%rsi", "dec %rcx", "jne LOOP",
        "vmovq %rdx,%xmm5", "vpbroadcastq %xmm5,%ymm5", "vpxor %ymm5,%ymm1,%ymm1",
        "vmovdqu %ymm0,(%rdi)", "vmovdqu %ymm1,0x20(%rdi)"] + clear("xmm0", "xmm1", "xmm2", "xmm5", "xmm6") + ["vzeroupper"]
    code += words((32, "%rdi"), R[:4]) + ["movabs $0x1000003d0,%rax", "and %rdx,%rax", "sub %rax,%r8"]
    code += [f"sbb $0x0,%{r}" for r in R[1:4]] + ["sbb %rax,%rax", f"movabs ${C},%rcx", "and %rcx,%rax", "sub %rax,%r8"]
    code += words((32, "%rdi"), R[:4], True) + ["ret"]
    start = "vpcmpeqq %ymm4,%ymm2,%ymm5"
    for old, new in dict(changes).items():
        at = code.index(old)
        code[at:at + 1] = new
    return [line.replace("LOOP", f"{code.index(start) if start in code else 0:x}") for line in code]


class Subset(unittest.TestCase):
    def test_rejects(self):
        rejected = forms("rejected")
        self.assertEqual(len(rejected), 29)
        for code in (line.split("; ") for line in rejected):
            with self.assertRaises(x86.Unsupported, msg=str(code)):
                x86.simple(assemble(code))

    def test_operands(self):
        prog = assemble(["subq $0x1,(%rsp)", "mov -0x8(%rbp),%rax", "shr %rax", "mov 0x10(%rip),%rax        # 5a0 <x>", "ret"])
        self.assertEqual([prog[0].op, prog[1].args[0].disp, len(prog[2].args)], ["sub", -8, 1])
        self.assertEqual([prog[3].args[0].base, prog[3].args[0].disp], [None, 0x5a0])

    def test_emulator(self):
        """AVX-512 instructions as the manual defines them, for processors where test_processor.py cannot run them."""
        ones = x86.ONES
        for code, before, after in (
                # The destination gives the highest bit of the index in the truth table, as in the manual.
                ("vpternlogq $0xd8,%zmm2,%zmm1,%zmm0", {"zmm0": [0xf0] * 8, "zmm1": [0xcc] * 8, "zmm2": [0xaa] * 8}, {"zmm0": [0xd8] * 8}),
                ("vpmadd52luq %zmm0,%zmm1,%zmm2", {"zmm0": [ones] * 8, "zmm1": [3 << 51] * 8, "zmm2": [1] * 8}, {"zmm2": [(1 << 51) + 1] * 8}),
                ("vpmadd52huq %zmm0,%zmm1,%zmm2", {"zmm0": [ones] * 8, "zmm1": [3 << 51] * 8, "zmm2": [1] * 8}, {"zmm2": [1 << 51] * 8})):
            m = Machine({}, {}, set(), 0, before)
            m.step(x86.Instr(0, code))
            for name, want in after.items():
                self.assertEqual(m.vectors[name], want, f"{code}: {name}")


class Splitting(unittest.TestCase):
    def test_exact(self):
        rng = random.Random(1)
        for _ in range(300):
            t = Trace()
            bounds = [rng.choice((1, 1, 255, x86.ONES)) for _ in range(3)]
            xs = [t.fresh(0, hi) for hi in bounds]
            p = Poly.const(rng.randrange(-5, 5))
            for x in rng.sample(xs, rng.randrange(1, 4)):
                p = p + Poly.var(x) * rng.choice((-3, -1, 1, 2, 2**64, 2**32 + 977))
            parts = [(k, t.split(p, k)) for k in (1, 3, 63, 64)]
            for _ in range(20):
                env = {x: rng.choice((0, hi, rng.randint(0, hi))) for x, hi in zip(xs, bounds)}
                for v, d in enumerate(t.definition):
                    if d and d.news[0] == v:
                        env.update(zip(d.news, d.rule(env), strict=True))
                for k, ((low, a, b), (high, c, d)) in parts:
                    low, high = low.value(env), high.value(env)
                    self.assertEqual((low, high), (p.value(env) % 2**k, p.value(env) >> k))
                    self.assertTrue(a <= low <= b and c <= high <= d)

    def test_parity(self):
        t = Trace()
        x = t.fresh(0, x86.ONES)
        e = t.split(Poly.var(x), 1)[0][0]
        y = t.split(Poly.var(x) + e * (2**64 - 2**32 - 977), 64)[0][0]
        self.assertEqual(t.split(y, 1)[0][0], Poly())


class Routines(Proofs):
    cases = 40

    def test_sub(self):
        score = self.all_mutants_rejected(self.good(SUB, TWO), TWO)
        self.assertGreater(score.disproved, 0)
        self.all_mutants_rejected(assemble(SUB), TWO, emulate=False)
        self.assertRaises(Stuck, mutate.score, assemble(SUB), TWO, self.binary, sample=0)

    def test_bound(self):
        # The result is congruent to a, but perhaps not below n.
        code = ARGS + words((0, "%rsi"), R[:4]) + words((0, "%rdi"), R[:4], True) + ["ret"]
        same = lambda a: [a[0]]
        self.bad(code, Spec(same, Out("v"), In("a"), modulus=N, below=True), "above its bound")
        self.good(code, Spec(same, Out("v"), In("a", below=N), modulus=N, below=True))

    def test_loop(self):
        code = ["mov 0x18(%rsp),%rax"] + ARGS + words((0, "%rsi"), R[:4])
        double = [f"movabs ${C},%rdx", "xor %r12d,%r12d", "xor %r13d,%r13d",
                  "add %r8,%r8", "adc %r9,%r9", "adc %r10,%r10", "adc %r11,%r11", "cmovb %rdx,%r12",
                  "add %r12,%r8", "adc $0x0,%r9", "adc $0x0,%r10", "adc $0x0,%r11", "cmovb %rdx,%r13", "add %r13,%r8"]
        end = words((0, "%rdi"), R[:4], True) + ["ret"]
        spec = Spec(lambda a: [a[0] * 2], Out("v", may_be=("a",)), In("a"), Count("n"))
        at = f"{len(code):x}"
        self.all_mutants_rejected(self.good(code + double + ["dec %rax", f"jne {at}"] + end, spec), spec)
        self.bad(code + double + ["sub $0x2,%rax", f"jne {at}"] + end, spec, "count down by one")
        self.bad(code + double + double + ["dec %rax", f"jne {at}"] + end, spec, "not as specified")
        # The result is correct only in the first iteration.
        self.bad(code + double + ["dec %rax", "mov $0x0,%r12d", "cmove %r8,%r12", "mov %r12,%r8", f"jne {at}"] + end, spec, "")

    def test_aliasing(self):
        # The routine stores the lowest word before it has read b.
        late = [s for s in SUB if s != "mov %r8,0x0(%rdi)"]
        code = late[:3] + ["mov (%rsi),%rax", "mov %rax,(%rdi)"] + late[3:-1] + ["mov %r8,(%rdi)", "ret"]
        self.good(code, Spec(TWO.formula, Out("v", may_be=("a",)), In("a"), In("b")))
        self.bad(code, TWO, "with b in v")

    def test_memory(self):
        self.all_bad(SUB, Spec(TWO.formula, Out("v"), In("a"), In("b")), wrong("memory", 14))

    def test_wrong_formula(self):
        self.bad(SUB, Spec(lambda a, b: [b[0] - a[0]], Out("v"), In("a"), In("b")), "not as specified")


    def test_lookup(self):
        spec = specs.lookup(Spec, prefetch=True, lengths=(4, 8))
        prog = self.good(lookup(), spec)
        self.all_mutants_rejected(prog, spec)
        self.all_mutants_rejected(prog, spec, emulate=False)

    def test_lookup_wrong(self):
        for why, old, new in wrong("lookup", 17):
            with self.subTest(old=old, new=new):
                self.bad(lookup({old: new}), LOOKUP, why)
        self.bad(lookup({"dec %rcx": ["sub $0x0,%rcx"], "add $0x40,%rsi": []}), LOOKUP, "does not end")

    def test_lookup_leaks(self):
        """Rejects routines whose results are correct, but whose addresses or steps depend on the window."""
        place = ["mov %rax,%r9", "shl $0x6,%r9", "mov %rsi,%r10", "add %r9,%r10"]
        start, depends = "vmovq %rax,%xmm2", "depends on a parameter"
        for why, changes in (
                # The routine also reads, writes or prefetches at the entry itself.
                (depends, {start: place + ["mov (%r10),%r11", start]}),
                (depends, {start: ["mov %rax,%r9", "and $0x1,%r9", "shl $0x3,%r9", "mov %rdi,%r10", "add %r9,%r10", "mov %r9,(%r10)", start]}),
                ("prefetches", {start: place + ["prefetcht0 (%r10)", start]}),
                # The routine leaves the sign or the place of the entry in a vector register.
                (depends, {"vpxor %xmm5,%xmm5,%xmm5": []}),
                (depends, {"vpxor %xmm2,%xmm2,%xmm2": []}),
                # The loop runs as often as the window says.
                ("prefetches", {"dec %rcx": ["sub $0x1,%rax"], "jne LOOP": ["jae LOOP"]})):
            with self.subTest(changes=changes):
                prog = assemble(lookup(changes))
                wrong = [case.run(prog) for case in kinds.cases(LOOKUP, 40, "test")]
                self.assertEqual(wrong, [None] * len(wrong))
                self.bad(prog, LOOKUP, why)
        # The routine reads only the entry itself.
        direct = ARGS + ["mov 0x28(%rsp),%rax", "shl $0x6,%rax", "add %rax,%rsi"] + words((0, "%rsi"), R) + words((0, "%rdi"), R, True) + ["ret"]
        second = Spec(lambda t: t[2:4], Out("p", 2), In("table", 4), specs.Given("len", 2), specs.Unused("cap"), specs.Given("window", 1),
                    reads=["table"])
        self.bad(direct, second, "does not read")
        second.reads = None
        self.good(direct, second)

    def test_prefetch(self):
        spec = specs.ROUTINES["ecmult.prefetch"]
        code = ["mov 0x8(%rsp),%rax", "prefetcht0 (%rax)", "ret"]
        self.all_mutants_rejected(self.good(code, spec), spec)
        for why, wrong in (("must not read", code[:2] + ["mov (%rax),%rbx", "ret"]), ("writes p", code[:2] + ["mov %rax,(%rax)", "ret"]),
                           ("prefetches", code[:1] + ["prefetcht0 0x8(%rax)", "ret"]), ("prefetches", code[:2] + code[1:]),
                           ("upper half", code[:2] + ["vpcmpeqq %ymm0,%ymm0,%ymm0", "ret"]), ("RSP", code[:2] + ["push %rbp", "ret"])):
            with self.subTest(wrong=wrong):
                self.bad(wrong, spec, why)


class Symbols(unittest.TestCase):
    def test_assembly(self):
        """Twins in Go and functions that only dispatch need no specification."""
        b = Binary.__new__(Binary)
        b.symbols = dict.fromkeys(f"p256k1.mleku.dev/v2/internal/{s}" for s in (
            "a.mul.abi0", "a.mulBroadwell.abi0", "a.mulGeneric.abi0", "a.mulAVX512.abi0", "a.fetch.abi0", "a.other", "b/c.deep.abi0"))
        self.assertEqual(b.assembly(), ["a.fetch", "a.mulAVX512", "a.mulBroadwell", "b/c.deep"])


    def test_stack_check(self):
        """The check of the stack's size is left out only if the code is exactly this check."""
        small = [(1, "mov    %fs:0xfffffffffffffff8,%r14"), (2, "cmp    0x10(%r14),%rsp"), (3, "jbe    8 <f+0x7>")]
        large = small[:1] + [(2, "lea    -0x40(%rsp),%r12"), (3, "cmp    0x10(%r14),%r12"), (4, "jbe    8 <f+0x7>")]
        body, end = [(5, "push %rbp"), (6, "ret")], [(8, "call   90 <runtime.morestack_noctxt.abi0>"), (9, "jmp    1 <f>")]
        for check in (small, large):
            self.assertEqual(without_stack_check(check + body + end), body)
            for wrong in ([], end[:1], [(8, "call   90 <other.abi0>"), end[1]], [(7, end[0][1]), end[1]], [end[0], (9, "jmp    2 <f>")]):
                with self.assertRaisesRegex(x86.Unsupported, "stack's size"):
                    without_stack_check(check + body + wrong)
            self.assertEqual(without_stack_check(check[:-1] + body + end), check[:-1] + body + end)
        self.assertEqual(without_stack_check(body), body)


class Multiples(unittest.TestCase):
    def test_signed_odd_multiple(self):
        """The entry at index i is the multiple by 2i + 1, and its y changes sign for a negative digit."""
        table = [sign * (2 * i + 1) for i in range(16) for sign in (1, 100)]
        for digit in range(-31, 32, 2):
            self.assertEqual(specs.signed_odd_multiple(table, digit), [abs(digit), 100 * digit])
