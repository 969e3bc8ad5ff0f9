"""Tests of the proofs about lanes of doubles: python3 -m unittest, in this directory."""

import random
import unittest

import doubles
import emulator
from poly import Poly
from proofs import Proofs, wrong
from specs import Bits, Doubles, Given, In, Loads, Out, Pointers, Words
from test_lanes import ARGS, Constants

SIZES = (52, 51, 51, 51, 51)


def double(m, exp=0):
    return emulator.encoded(m, exp)


WORDS = {"bits": (1, 2, 4, 8), "control": (0x1f80,) * 4, "sign": (1 << 63,) * 4, "fold": (double(0x1000003d1, -51),) * 4, "base": (double(1, 52),) * 4}
for bits in (51, 52):
    WORDS |= {f"magic{bits}": (double(3, 51 + bits),) * 4, f"per{bits}": (double(1, -bits),) * 4, f"mask{bits}": ((1 << bits) - 1,) * 4}
CONSTANTS = Constants(*(word for words in WORDS.values() for word in words))


def constant(op, name, *registers):
    place = f"0x0(%rip),{','.join(f'%ymm{r}' for r in registers)}".rstrip(",")
    return f"{op} {place}        # {0x1000 + 32 * list(WORDS).index(name):x}"


def carry():
    """Carries from each limb to the next, in registers 0 to 4, and stores them."""
    code = []
    for k, bits in enumerate(SIZES):
        code += [constant("vaddpd", f"magic{bits}", k, 5 + k), constant("vsubpd", f"magic{bits}", 5 + k, 5 + k), f"vsubpd %ymm{5 + k},%ymm{k},%ymm{k}"]
    code += [constant("vfmadd231pd", f"per{SIZES[k - 1]}" if k else "fold", 5 + (k - 1) % 5, k) for k in range(5)]
    return code + [f"vmovupd %ymm{k},{64 * k:#x}(%rdi)" for k in range(5)]


def checked(body):
    """The body, with the default MXCSR."""
    def load(to, restore):
        return ["mov 0x8(%rsp),%ecx", "and $0xffc0,%ecx", "cmp $0x1f80,%ecx", f"je {to:x}", restore]
    enter = ["push %rbp", "mov %rsp,%rbp", "sub $0x10,%rsp", "stmxcsr 0x8(%rsp)"]
    enter += load(len(enter) + 5, constant("ldmxcsr", "control"))
    end = len(enter) + len(body)
    return enter + body + load(end + 5, "ldmxcsr 0x8(%rsp)") + ["vzeroupper", "add $0x10,%rsp", "pop %rbp", "ret"]


def add():
    """a + b, or a - b where the lane's bit is set."""
    args = [line.replace("0x8(", "0x20(").replace("0x10(", "0x28(").replace("0x18(", "0x30(") for line in ARGS]
    code = args + ["movzbq 0x38(%rsp),%r9", "mov $0x2,%ecx"]
    half = ["vmovq %r9,%xmm10", "vpbroadcastq %xmm10,%ymm10", constant("vpand", "bits", 10, 10), constant("vpcmpeqq", "bits", 10, 10),
            constant("vpand", "sign", 10, 10)]
    for k in range(5):
        half += [f"vpxor {64 * k:#x}(%rdx),%ymm10,%ymm{k}", f"vaddpd {64 * k:#x}(%rsi),%ymm{k},%ymm{k}"]
    half += carry() + ["add $0x20,%rdi", "add $0x20,%rsi", "add $0x20,%rdx", "shr $0x4,%r9", "sub $0x1,%rcx"]
    return checked(code + half + [f"jne {9 + len(code):x}"])


ADD = Doubles(lambda a, b, k: [a[0] + (1 - 2 * k) * b[0]], Out("r", may_be=("a", "b")), In("a"), In("b"), Bits("k"))


def gather():
    """The integers at eight pointers."""
    code = ["mov 0x20(%rsp),%rdi", "mov 0x28(%rsp),%rsi", constant("vmovupd", "base", 15)]
    for half in range(2):
        for i in range(4):
            code += [f"mov {32 * half + 8 * i:#x}(%rsi),%rcx", f"vmovdqu (%rcx),%ymm{4 + i}"]
        for i in range(2):
            code += [f"vpunpck{op}qdq %ymm{5 + 2 * i},%ymm{4 + 2 * i},%ymm{8 + 2 * i + k}" for k, op in enumerate("lh")]
        code += [f"vperm2i128 ${0x20 + 0x11 * (i // 2):#x},%ymm{10 + i % 2},%ymm{8 + i % 2},%ymm{i}" for i in range(4)]
        code += ["vpsrlq $0xd,%ymm3,%ymm4"]
        for k, (low, high) in reversed(list(enumerate(((52, 12), (39, 25), (26, 38)), 1))):
            code += [f"vpsrlq ${low:#x},%ymm{k - 1},%ymm14", f"vpsllq ${high:#x},%ymm{k},%ymm{k}", f"vpor %ymm14,%ymm{k},%ymm{k}"]
        for k, bits in enumerate(SIZES):
            code += [constant("vpand", f"mask{bits}", k, k)] if k < 4 else []
            code += [f"vpor %ymm15,%ymm{k},%ymm{k}", f"vsubpd %ymm15,%ymm{k},%ymm{k}"]
        code += carry() + ["add $0x20,%rdi"] * (half == 0)
    return checked(code)


GATHER = Loads(lambda x: x, lambda i: [[(f"p{i}", 8 * j) for j in range(4)]], Out("r"), Pointers("p", 8, 4))


class Routines(Proofs):
    binary = CONSTANTS

    def test_add(self):
        for emulate in (True, False):
            self.all_mutants_rejected(self.good(add(), ADD), ADD, emulate=emulate)

    def test_gather(self):
        self.all_mutants_rejected(self.good(gather(), GATHER), GATHER)
        self.bad(gather(), Loads(GATHER.formula, lambda i: GATHER.words(i ^ 1), *GATHER.params), "computes with an address")
        self.all_bad(gather(), GATHER, wrong("gather", 4))

    def test_wrong(self):
        self.all_bad(add(), ADD, wrong("doubles", 14))
        self.bad(add(), Doubles(lambda a, b, k: [a[0] - (1 - 2 * k) * b[0]], *ADD.params), "not as specified")


class Rounding(unittest.TestCase):
    def test_sums_of_products(self):
        """Numbers, with their bounds and grids, and the errors agree with the emulator."""
        rng = random.Random(1)
        for _ in range(200):
            t, most = doubles.DoubleTrace(), rng.choice((3, 1 << 20, 1 << 51))
            variables = [t.fresh(-most, most) for _ in range(4)]
            numbers = [doubles.Double(Poly.var(v), 0, 0, -most, most) for v in variables]
            numbers += [doubles.constant(double(*c)) for c in ((3, 102), (-3, 103), (1, 0), (1, -51), (3, 51), (0x1000003d1, -51))]
            steps = []
            for _ in range(10):
                steps.append([rng.randrange(len(numbers)) for _ in range(3)])
                numbers.append(t.fused(*(numbers[k] for k in steps[-1])))
            for _ in range(5):
                env = {v: rng.choice((-most, most, rng.randint(-most, most))) for v in variables}
                for d in filter(None, t.definition):
                    env.update(zip(d.news, d.rule(env)))
                self.assertTrue(all(t.lo[v] <= x <= t.hi[v] for v, x in env.items()))
                words = [double(n.units.value(env), n.exp) if n.units.value(env) else 0 for n in numbers[:10]]
                for step in steps:
                    words.append(emulator.fused(*(words[k] for k in step)))
                case = doubles.DoublesCase.agrees
                self.assertTrue(all(case(None, n, word, env) for n, word in zip(numbers, words)))

    def test_error(self):
        """A product that is added to a large number leaves its error."""
        t = doubles.DoubleTrace()
        x, y = (doubles.Double(Poly.var(t.fresh(-(1 << 50), 1 << 50)), 0, 0, -(1 << 50), 1 << 50) for _ in range(2))
        start, one = doubles.constant(double(3, 102)), doubles.constant(double(1))
        high = t.fused(x, y, start)
        low = t.fused(x, y, t.fused(start, one, -high))
        self.assertEqual((high.grid, low.units.single(), low.grid, low.lo, low.hi), (51, 2, 0, -(1 << 50), 1 << 50))
