"""Tests that the processor does what x86.py says: each instruction runs on the processor and in the emulator, from the same states."""

import ctypes
import os
import platform
import random
import re
import subprocess
import tempfile
import unittest

import x86
from emulator import Machine, encoded
from proofs import forms
from x86 import MASKS, ONES, REGS, SIGN, USUAL_CONTROL, VECTORS

STATES = 100  # the number of states from which each instruction runs; AVX-512 instructions, most of which compute eight words, run from a quarter as many
FLAG_BITS = {"cf": 0, "zf": 6, "sf": 7, "of": 11}
# Offsets of a state's words: registers, flags, masks, and vectors.
FLAGS_AT, MASKS_AT = len(REGS), len(REGS) + 1
VECTORS_AT = MASKS_AT + len(MASKS)
WORDS = VECTORS_AT + 8 * len(VECTORS)
MEMORY = 64  # words; RSP points to the middle, and RSI 32 bytes further

CODE = forms("x86") + [f"cmov{c} %rax,%rbx" for c in x86.CONDITIONS] + [f"set{c} %cl" for c in x86.CONDITIONS]
DOUBLES = [f"{op} {source},%ymm1,%ymm2" for source in ("%ymm0", "(%rsi)")
           for op in ("vaddpd", "vsubpd", "vmulpd", *(f"vf{n}m{op}{order}pd" for n in ("", "n") for op in ("add", "sub") for order in (132, 213, 231)))]
AVX512 = forms("avx512")
FEATURES = {"avx512f", "avx512dq", "avx512bw", "avx512cd", "avx512vl", "avx512ifma", "avx512vbmi"}


def features():
    """The features of the processor that these tests need."""
    if platform.machine() not in ("x86_64", "AMD64") or not os.path.exists("/proc/cpuinfo"):
        return set()
    with open("/proc/cpuinfo") as f:
        return set(re.search(r"^flags\s*:(.*)$", f.read(), re.M)[1].split()) & {"adx", "bmi2", "avx2", "fma", *FEATURES}


def wrapper(i, code, wide):
    """The assembly of a function that loads the state, runs an instruction, and stores the state. wide is set if there is AVX-512."""
    saved = ["rbx", "rbp", "r12", "r13", "r14", "r15"]
    lines = [f".globl run{i}", f"run{i}:", *(f"push %{r}" for r in saved), "mov %rsp,stack(%rip)", f"pushq state+{8 * FLAGS_AT}(%rip)", "popfq"]
    at = lambda k: f"state+{8 * k}(%rip)"
    if wide:
        vectors = [("vmovdqu64", at(VECTORS_AT + 8 * k), f"%{v}") for k, v in enumerate(VECTORS)]
        vectors += [("kmovq", at(MASKS_AT + k), f"%{v}") for k, v in enumerate(MASKS)]
    else:
        vectors = [("vmovdqu", at(VECTORS_AT + 8 * k), f"%y{v[1:]}") for k, v in enumerate(VECTORS[:16])]
    words = [("mov", at(k), f"%{r}") for k, r in enumerate(REGS)]
    lines += [f"{op} {m},{r}" for op, m, r in vectors + words] + code.split(";") + [f"{op} {r},{m}" for op, m, r in words + vectors]
    lines += ["mov stack(%rip),%rsp", "pushfq", f"popq {at(FLAGS_AT)}", "vzeroupper", *(f"pop %{r}" for r in reversed(saved)), "ret"]
    return lines


def build(codes, directory, wide):
    """A library with one function for each instruction, and one that returns the address of the state."""
    lines = [".text", ".globl where", "where:", "lea state(%rip),%rax", "ret"]
    for i, code in enumerate(codes):
        lines += wrapper(i, code, wide)
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
        if not self.have >= {"adx", "bmi2", "avx2", "fma"} and os.environ.get("CI") != "true":
            self.skipTest("no Linux on a processor with ADX, BMI2, AVX2 and FMA3")
        self.rng = random.Random(1)
        self.wide = self.have >= FEATURES
        # RSP stays far from the edges, because a signal handler may run while RSP points there.
        self.buffer = (ctypes.c_uint64 * 65536)()
        self.base = ctypes.addressof(self.buffer) + 8 * 65000 - 8 * MEMORY & -64

    def word(self):
        if self.doubles:
            n = self.rng.choice((1, 3, 1 << 52, (1 << 53) - 1, self.rng.getrandbits(53) | 1))
            return self.rng.choice((encoded(n, self.rng.choice((0, 1, -1, 52, -53, self.rng.randrange(-110, 110)))), 0)) | self.rng.choice((0, SIGN))
        return self.rng.choice((0, 1, ONES, ONES - 1, 1 << 63, (1 << 63) - 1, *(self.rng.getrandbits(64) for _ in range(6))))

    def differs(self, machine, run, state, code):
        """Runs instructions from a random state on the processor and in the emulator; returns the name of the first difference, or None."""
        memory = (ctypes.c_uint64 * MEMORY).from_address(self.base)
        regs = {r: self.word() for r in REGS}
        regs["rsp"] = self.base + 8 * MEMORY // 2
        regs["rsi"] = regs["rsp"] + 32
        vectors = {v: [self.word() for _ in range(8)] for v in VECTORS}
        if self.rng.random() < 0.5:  # makes lanes equal, for comparisons
            vectors["zmm1"] = [self.rng.choice(pair) for pair in zip(vectors["zmm0"], vectors["zmm1"])]
        vectors["zmm4"] = [self.rng.choice((x, self.rng.randrange(70))) for x in vectors["zmm4"]]  # counts of shifts
        vectors["zmm5"] = [self.rng.randrange(-8, 8) & ONES for _ in range(8)]  # small numbers
        masks = {k: self.rng.choice((0, 0xff, ONES, self.rng.getrandbits(8), self.rng.getrandbits(64))) for k in MASKS}
        if not self.wide:
            vectors = {v: w[:4] + [0] * 4 if i < 16 else [0] * 8 for i, (v, w) in enumerate(vectors.items())}
        memory[:] = [self.rng.choice((self.word(), vectors["zmm1"][i % 8])) for i in range(MEMORY)]
        at = [self.base + 8 * i for i in range(MEMORY)]
        if code.startswith("ldmxcsr"):
            memory[MEMORY // 2 + 4], memory[MEMORY // 2 + 6] = self.rng.choice((0x9fc0, 0x7f80, 0x1fa0)), USUAL_CONTROL
        flags = {f: self.rng.getrandbits(1) for f in x86.FLAGS}
        m = machine(dict(regs), dict(zip(at, memory)), set(at), 0, dict(vectors), dict(masks))
        m.flags.update(flags)
        state[:] = [*regs.values(), 2 | sum(on << FLAG_BITS[f] for f, on in flags.items()), *masks.values(), *(w for v in vectors.values() for w in v)]
        for line in code.split(";"):
            m.step(x86.Instr(0, line))
        run()
        for i, r in enumerate(REGS):
            if state[i] != m.regs[r]:
                return r
        for i, v in enumerate(VECTORS):
            if list(state[VECTORS_AT + 8 * i:VECTORS_AT + 8 * i + 8]) != m.vectors[v]:
                return v
        for i, k in enumerate(MASKS):
            if state[MASKS_AT + i] != m.masks[k]:
                return k
        for f, bit in FLAG_BITS.items():
            if m.flags[f] not in (None, state[FLAGS_AT] >> bit & 1):
                return f
        return None if list(memory) == [m.mem[a] for a in at] else "memory"

    def compare(self, machine, codes):
        """Returns the first difference for each instruction that has one."""
        found = {}
        with tempfile.TemporaryDirectory() as directory:
            lib = build(codes, directory, self.wide)
            lib.where.restype = ctypes.c_void_p
            state = (ctypes.c_uint64 * WORDS).from_address(lib.where())
            for i, code in enumerate(codes):
                self.doubles = code in DOUBLES
                differing = (self.differs(machine, lib[f"run{i}"], state, code) for _ in range(STATES // 4 if code in AVX512 else STATES))
                found[code] = next(filter(None, differing), None)
        return {code: what for code, what in found.items() if what}

    def test_instructions(self):
        codes = CODE + DOUBLES + (AVX512 if self.wide else [])
        self.assertEqual(self.compare(Machine, codes), {})
        print(f"result: {len(codes)} forms of instructions agree between this processor and the emulator, from {STATES} states each, or {STATES // 4} of AVX-512;"
              f" AVX-512 {'included' if self.wide else 'not tested'}")

    def test_all_are_there(self):
        ops = {x86.Instr(0, line).op for code in CODE + DOUBLES + AVX512 for line in code.split(";")}
        self.assertEqual(x86.INSTRUCTIONS.keys() - ops, {"ret"})

    def test_finds_differences(self):
        class Wrong(Machine):
            def step(self, ins):
                super().step(ins)
                if ins.op == "vpsubq":
                    self.vectors["zmm2"] = [-w & ONES for w in self.vectors["zmm2"]]
                elif ins.op == "adox":
                    self.flags["cf"] = self.flags["of"]
                elif ins.op == "push":
                    self.mem[self.regs["rsp"]] ^= 1
                elif ins.op == "vmovq":
                    self.vectors["zmm3"][2] = 1

        wrong = ["vpsubq %ymm0,%ymm1,%ymm2", "adox %rax,%rbx", "push %rax", "vmovq %rax,%xmm3"]
        found = self.compare(Wrong, wrong + ["mov %rax,%rbx"])
        self.assertEqual(found, dict(zip(wrong, ["zmm2", "cf", "memory", "zmm3"])))
