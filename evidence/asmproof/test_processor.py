"""Tests that the instructions mean to the processor what x86.py says: each is run by both, from the same states."""

import ctypes
import os
import platform
import random
import re
import subprocess
import tempfile
import unittest

import x86
from x86 import ONES, REGS, VECTORS

STATES = 100  # From which each instruction is run.
FLAG_BITS = {"cf": 0, "zf": 6, "sf": 7, "of": 11}
# Where a state has its words: those of registers, flags, and vectors.
FLAGS_AT, VECTORS_AT, WORDS = len(REGS), len(REGS) + 1, len(REGS) + 1 + 4 * len(VECTORS)
MEMORY = 64  # Words, in the middle of which RSI and RSP point; RSI 32 bytes further.

FORMS = """
mov %rax,%rbx|mov %eax,%ebx|mov $0x7,%ecx|mov $0xffffffffffffffff,%rcx|movabs $0x1000003d1,%rdx|mov 0x8(%rsi),%r9|mov %r9,-0x8(%rsi)
add %rax,%rbx|add $0xffffffffffffff80,%rbx|add 0x10(%rsi),%r8|adc %rax,%rbx|adc $0x0,%r15|adc (%rsi),%r8|add %r8,(%rsi)
sub %rax,%rbx|sub 0x8(%rsi),%rbx|subq $0x1,(%rsi)|sbb %rax,%rbx|sbb %rax,%rax|sbb $0x0,%rdx|cmp %rax,%rbx|cmp $0x0,%rbx|cmpq $0x0,0x8(%rsi)
adcx %rax,%rbx|adcx (%rsi),%r12|adox %rax,%rbx|adox 0x8(%rsi),%r12|mulx %rax,%rbx,%rcx|mulx (%rsi),%rbx,%rdx|mulx %rax,%rbx,%rbx
and %rax,%rbx|and $0x1,%eax|and (%rsi),%rbx|or %rax,%rbx|or %eax,%ebx|xor %rax,%rbx|xor %eax,%eax|xor %rdi,%r9|test %rax,%rax|test %eax,%ecx
andn %rax,%rbx,%rcx|imul %rax,%rbx|imul 0x8(%rsi),%rbx|lea 0x8(%rax,%rbx,4),%rcx|lea -0x1(%rbx),%rcx
shl $0x6,%rcx|shl $0x3f,%rax|rcr $0x1,%rax|rcr %r9|shr $0x1,%rax|shr %rax|shr $0x3e,%rax|sar $0x3f,%rax|sar $0x3,%rbx
shrd $0x1,%rax,%rbx|shrd $0x3f,%rax,%rbx|shld $0x3,%rax,%rbx|shld $0x1,%r9,%r8
not %rax|neg %rax|inc %rax|dec %rax|push %rax|pop %rax|nop|prefetcht0 0x40(%rsi)|prefetcht0 0x40(%rax,%rcx,1)
vmovq %rax,%xmm3|vpbroadcastq %xmm3,%ymm4|vpbroadcastq %xmm3,%xmm4|vmovdqu %ymm0,0x20(%rsi)|vmovdqu %xmm15,(%rsi)
vpsllq $0x3e,%ymm1,%ymm2|vpsrlq $0x3f,%ymm1,%ymm1|vpsrlq $0x2,%xmm1,%xmm2|vpcmpeqq %ymm0,%ymm1,%ymm2|vpcmpeqq %ymm1,%ymm1,%ymm1|vpcmpeqq (%rsi),%ymm1,%ymm2
vpsubq %ymm0,%ymm1,%ymm2|vpsubq %xmm0,%xmm1,%xmm1|vpsubq 0x8(%rsi),%ymm1,%ymm1|vpand %ymm0,%ymm1,%ymm2|vpand -0x8(%rsi),%ymm8,%ymm15|vpor %ymm0,%ymm1,%ymm2
vpxor %ymm0,%ymm1,%ymm2|vpxor %xmm0,%xmm1,%xmm2|vpxor %xmm9,%xmm9,%xmm9|vzeroupper
"""
CODE = [line for line in re.split(r"[|\n]", FORMS) if line] + [f"cmov{c} %rax,%rbx" for c in x86.CONDITIONS]
AVX512 = ["vpternlogq $0xf8,0x20(%rsi),%ymm8,%ymm0", "vpternlogq $0xf8,%ymm1,%ymm2,%ymm3", "vpternlogq $0x4b,%ymm1,%ymm2,%ymm3"]


def features():
    """What the processor has, of what matters here."""
    if platform.machine() not in ("x86_64", "AMD64") or not os.path.exists("/proc/cpuinfo"):
        return set()
    with open("/proc/cpuinfo") as f:
        return set(re.search(r"^flags\s*:(.*)$", f.read(), re.M)[1].split()) & {"adx", "bmi2", "avx2", "avx512vl"}


def wrapper(i, code):
    """The assembly of a function which loads the state, runs an instruction, and stores the state again."""
    saved = ["rbx", "rbp", "r12", "r13", "r14", "r15"]
    lines = [f".globl run{i}", f"run{i}:", *(f"push %{r}" for r in saved), "mov %rsp,stack(%rip)", f"pushq state+{8 * FLAGS_AT}(%rip)", "popfq"]
    vectors = [(f"state+{8 * (VECTORS_AT + 4 * k)}(%rip)", f"%{v}") for k, v in enumerate(VECTORS)]
    words = [(f"state+{8 * k}(%rip)", f"%{r}") for k, r in enumerate(REGS)]
    lines += [f"vmovdqu {m},{v}" for m, v in vectors] + [f"mov {m},{r}" for m, r in words] + [code]
    lines += [f"mov {r},{m}" for m, r in words] + [f"vmovdqu {v},{m}" for m, v in vectors]
    lines += ["mov stack(%rip),%rsp", "pushfq", f"popq state+{8 * FLAGS_AT}(%rip)", "vzeroupper", *(f"pop %{r}" for r in reversed(saved)), "ret"]
    return lines


def build(codes, directory):
    """A library of one function for each instruction, and what returns the address of the state."""
    lines = [".text", ".globl where", "where:", "lea state(%rip),%rax", "ret"]
    for i, code in enumerate(codes):
        lines += wrapper(i, code)
    lines += [".data", ".balign 64", "stack: .quad 0", f"state: .skip {8 * WORDS}"]
    path = os.path.join(directory, "run")
    with open(path + ".s", "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run(["as", path + ".s", "-o", path + ".o"], check=True)
    subprocess.run(["ld", "-shared", "-z", "noexecstack", path + ".o", "-o", path + ".so"], check=True)
    return ctypes.CDLL(path + ".so")


class Processor(unittest.TestCase):
    def setUp(self):
        self.have = features()
        if not self.have >= {"adx", "bmi2", "avx2"} and os.environ.get("CI") != "true":
            self.skipTest("no Linux on a processor with ADX, BMI2 and AVX2")
        self.rng = random.Random(1)
        # Far from the edges, for a signal may come while RSP is there.
        self.buffer = (ctypes.c_uint64 * 65536)()
        self.base = ctypes.addressof(self.buffer) + 8 * 65000 - 8 * MEMORY & -64

    def word(self):
        return self.rng.choice((0, 1, ONES, ONES - 1, 1 << 63, (1 << 63) - 1, *(self.rng.getrandbits(64) for _ in range(6))))

    def differs(self, machine, run, state, ins):
        """Runs an instruction from a random state in both; returns the name of what differs, or None."""
        memory = (ctypes.c_uint64 * MEMORY).from_address(self.base)
        regs = {r: self.word() for r in REGS}
        regs["rsp"] = self.base + 8 * MEMORY // 2
        regs["rsi"] = regs["rsp"] + 32
        vectors = {v: [self.word() for _ in range(4)] for v in VECTORS}
        if self.rng.random() < 0.5:  # Else nothing would compare equal.
            vectors["ymm1"] = [self.rng.choice(pair) for pair in zip(vectors["ymm0"], vectors["ymm1"])]
        memory[:] = [self.rng.choice((self.word(), vectors["ymm1"][i % 4])) for i in range(MEMORY)]
        at = [self.base + 8 * i for i in range(MEMORY)]
        flags = {f: self.rng.getrandbits(1) for f in x86.FLAGS}
        m = machine(dict(regs), dict(zip(at, memory)), set(at), 0, dict(vectors))
        for f, on in flags.items():
            setattr(m, f, on)
        state[:] = [*regs.values(), 2 | sum(on << FLAG_BITS[f] for f, on in flags.items()), *(w for v in vectors.values() for w in v)]
        m.step(ins)
        run()
        for i, r in enumerate(REGS):
            if state[i] != m.r[r]:
                return r
        for i, v in enumerate(VECTORS):
            if list(state[VECTORS_AT + 4 * i:VECTORS_AT + 4 * i + 4]) != m.v[v]:
                return v
        for f, bit in FLAG_BITS.items():
            if getattr(m, f) not in (None, state[FLAGS_AT] >> bit & 1):
                return f
        return None if list(memory) == [m.mem[a] for a in at] else "memory"

    def compare(self, machine, codes):
        """What differs for each instruction, if anything does."""
        found = {}
        with tempfile.TemporaryDirectory() as directory:
            lib = build(codes, directory)
            lib.where.restype = ctypes.c_void_p
            state = (ctypes.c_uint64 * WORDS).from_address(lib.where())
            for i, code in enumerate(codes):
                ins = x86.Instr(0, code)
                differing = (self.differs(machine, lib[f"run{i}"], state, ins) for _ in range(STATES))
                found[code] = next(filter(None, differing), None)
        return {code: what for code, what in found.items() if what}

    def test_instructions(self):
        codes = CODE + (AVX512 if "avx512vl" in self.have else [])
        self.assertEqual(self.compare(x86.Machine, codes), {})
        print(f"result: {len(codes)} forms of instructions do on this processor what the emulator does, from {STATES} states each;"
              f" AVX-512 {'among them' if 'avx512vl' in self.have else 'is not on it, and rests on the manual'}")

    def test_all_are_there(self):
        ops = {x86.Instr(0, code).op for code in CODE + AVX512}
        known = x86.ALU | x86.UNARY | x86.SHIFTS | x86.PLAIN | x86.VECTOR.keys() | {"cmov"}
        self.assertEqual(known - ops, {"ret"})

    def test_finds_differences(self):
        class Wrong(x86.Machine):
            def step(self, ins):
                super().step(ins)
                if ins.op == "vpsubq":
                    self.v["ymm2"] = [-w & ONES for w in self.v["ymm2"]]
                elif ins.op == "adox":
                    self.cf = self.of
                elif ins.op == "push":
                    self.mem[self.r["rsp"]] ^= 1
                elif ins.op == "vmovq":
                    self.v["ymm3"][2] = 1

        wrong = ["vpsubq %ymm0,%ymm1,%ymm2", "adox %rax,%rbx", "push %rax", "vmovq %rax,%xmm3"]
        found = self.compare(Wrong, wrong + ["mov %rax,%rbx"])
        self.assertEqual(found, dict(zip(wrong, ["ymm2", "cf", "memory", "ymm3"])))


if __name__ == "__main__":
    unittest.main()
