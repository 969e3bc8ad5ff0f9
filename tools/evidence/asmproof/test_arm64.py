"""Tests of the proofs for ARM64, and tests that qemu runs the instructions as arm64.py says."""

import os
import random
import shutil
import struct
import subprocess
import tempfile
import unittest

import arm64
from arm64 import ArmMachine
from proofs import Proofs, forms, wrong
from specs import Arm, In, Out
from x86 import ONES

CODE = forms("arm64")
STATES = 60
# A state has X0 to X25, the flags, the vectors, and memory. X1 points to the middle of the memory.
GENERAL, MEMORY = 26, 64
FLAGS_AT, VECTORS_AT = GENERAL, GENERAL + 2
MEMORY_AT = VECTORS_AT + 64
WORDS = MEMORY_AT + MEMORY
BASE = 0x500000
FLAG_BITS = {"sf": 31, "zf": 30, "cf": 29, "of": 28}
TOOLS = ("qemu-aarch64", "aarch64-linux-gnu-as", "aarch64-linux-gnu-ld", "aarch64-linux-gnu-objdump")


def program(codes, directory):
    """Builds a program that reads states, runs each instruction from its states, and writes the resulting states."""
    lines = [".globl _start", "_start:", "ldr x27, =state", "adr x28, table"]
    lines += ["next:", "ldr x25, [x28], #8", "cbz x25, done", f"mov x26, #{STATES}",
              "again:", "mov x0, #0", "mov x1, x27", f"mov x2, #{8 * WORDS}", "mov x8, #63", "svc #0", "ldr x25, [x28, #-8]", "blr x25",
              "mov x0, #1", "mov x1, x27", f"mov x2, #{8 * WORDS}", "mov x8, #64", "svc #0", "subs x26, x26, #1", "b.ne again", "b next",
              "done:", "mov x0, #0", "mov x8, #93", "svc #0"]
    words = [("r", f"x{i}, [x27, #{8 * i}]") for i in range(GENERAL)] + [("r", f"q{i}, [x27, #{8 * VECTORS_AT + 16 * i}]") for i in range(32)]
    for i, code in enumerate(codes):
        lines += [f"run{i}:", f"ldr x2, [x27, #{8 * FLAGS_AT}]", "msr nzcv, x2", *("ld" + op + " " + a for op, a in words), code,
                  *("st" + op + " " + a for op, a in words), "mrs x2, nzcv", f"str x2, [x27, #{8 * FLAGS_AT}]", "ret"]
    lines += [".balign 8", "table:", *(f".quad run{i}" for i in range(len(codes))), ".quad 0", ".bss", f"state: .skip {8 * WORDS}"]
    path = os.path.join(directory, "run")
    with open(path + ".s", "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run(["aarch64-linux-gnu-as", path + ".s", "-o", path + ".o"], check=True)
    subprocess.run(["aarch64-linux-gnu-ld", f"--section-start=.bss={BASE:#x}", path + ".o", "-o", path], check=True)
    return path


class Processor(unittest.TestCase):
    def setUp(self):
        if not all(map(shutil.which, TOOLS)) and os.environ.get("CI") != "true":
            self.skipTest("no qemu-user and binutils-aarch64-linux-gnu")
        self.rng = random.Random(1)

    def word(self):
        return self.rng.choice((0, 1, ONES, ONES - 1, 1 << 63, (1 << 63) - 1, *(self.rng.getrandbits(64) for _ in range(6))))

    def state(self):
        s = [self.word() for _ in range(WORDS)]
        s[1] = BASE + 8 * (MEMORY_AT + MEMORY // 2)
        s[FLAGS_AT] = self.rng.getrandbits(4) << 28
        s[VECTORS_AT + 8] = s[VECTORS_AT + 6]  # Make some lanes equal.
        return s

    def compare(self, machine, codes):
        """Returns which instructions differ, and where."""
        states = [[self.state() for _ in range(STATES)] for _ in codes]
        with tempfile.TemporaryDirectory() as directory:
            path = program(codes, directory)
            with open(path + ".in", "w+b") as before, open(path + ".out", "w+b") as after:  # files, because a read from a pipe may return too few bytes
                before.write(b"".join(struct.pack(f"<{WORDS}Q", *s) for group in states for s in group))
                before.seek(0)
                subprocess.run(["qemu-aarch64", path], check=True, stdin=before, stdout=after)
                after.seek(0)
                out = after.read()
        became = [struct.unpack_from(f"<{WORDS}Q", out, 8 * WORDS * i) for i in range(len(codes) * STATES)]
        wrong = {}
        for i, code in enumerate(codes):
            ins = arm64.Instr(0, code)
            ins.unsigned = False
            for before, after in zip(states[i], became[STATES * i:]):
                names = [f"x{k}" for k in range(GENERAL)]
                memory = {BASE + 8 * k: before[k] for k in range(MEMORY_AT, WORDS)}
                m = machine(dict(zip(names, before)) | {"sp": 0}, memory, set(memory), 0, {f"v{k}": [*before[VECTORS_AT + 2 * k:][:2], *[0] * 6] for k in range(32)})
                m.flags = {name: before[FLAGS_AT] >> bit & 1 for name, bit in FLAG_BITS.items()}
                m.step(ins)
                here = [m.regs[r] for r in names]
                here += [sum(m.flags[name] << bit for name, bit in FLAG_BITS.items()), before[FLAGS_AT + 1]]
                here += [w for k in range(32) for w in m.vectors[f"v{k}"][:2]] + [m.mem[BASE + 8 * k] for k in range(MEMORY_AT, WORDS)]
                for k, (x, y) in enumerate(zip(here, after, strict=True)):
                    if x != y:
                        wrong.setdefault(code, k)
        return wrong

    def test_instructions(self):
        self.assertEqual({arm64.Instr(0, code).op for code in CODE}, set(arm64.INSTRUCTIONS) - {"ret"})
        self.assertEqual(self.compare(ArmMachine, CODE), {})

    def test_finds_wrong_meanings(self):
        class Wrong(ArmMachine):
            @staticmethod
            def sub(x, y, borrow):
                v, b, o = ArmMachine.sub(x, y, borrow)
                return v, b ^ 1, o

            @staticmethod
            def mul_high_signed(x, y):
                return x * y >> 64

        codes = ["subs x2, x3, x4", "smulh x2, x3, x4", "sub x2, x3, x4", "umulh x2, x3, x4"]
        self.assertEqual(set(self.compare(Wrong, codes)), set(codes[:2]))


# Sets v = a - b, with a frame.
SUB = ["str x30, [sp, #-32]!", "stur x29, [sp, #-8]", "sub x29, sp, #0x8",
       "ldr x0, [sp, #40]", "ldr x1, [sp, #48]", "ldr x2, [sp, #56]", "mov x3, #0x3d1 // #977", "movk x3, #0x1, lsl #32",
       "ldp x4, x5, [x1]", "ldp x6, x7, [x1, #16]", "ldp x8, x9, [x2]", "ldp x10, x11, [x2, #16]",
       "subs x4, x4, x8", "sbcs x5, x5, x9", "sbcs x6, x6, x10", "sbcs x7, x7, x11", "csel x8, x3, xzr, cc // cc = lo, ul, last",
       "subs x4, x4, x8", "sbcs x5, x5, xzr", "sbcs x6, x6, xzr", "sbcs x7, x7, xzr", "csel x8, x3, xzr, cc // cc = lo, ul, last", "sub x4, x4, x8",
       "stp x4, x5, [x0]", "stp x6, x7, [x0, #16]", "add x29, sp, #0x18", "add sp, sp, #0x20", "ret", "udf #0"]
SPEC = Arm(lambda a, b: [a[0] - b[0]], Out("v", may_be=("a", "b")), In("a"), In("b"))


class Routines(Proofs):
    assemble = staticmethod(lambda lines: arm64.decode(list(enumerate(lines))))

    def test_accepted(self):
        self.good(SUB, SPEC, 4)

    def test_refused(self):
        self.all_bad(SUB, SPEC, wrong("arm64", 19))
