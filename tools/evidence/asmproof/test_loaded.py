"""Tests of the proofs about routines on lanes that first load elements: python3 -m unittest, in this directory."""

import specs
from proofs import Proofs, wrong
from specs import Loaded, Out, Words
from test_lanes import ARGS, C, CONSTANTS, FIRST, MASK, carry, store, with_constant

# The sum of the first of three elements, of the second or, if the lane's bit of a mask is set, the third, and of 3·C.
CODE = ARGS + ["kmovb 0x1(%rdx),%k1"]
for limb in range(5):
    CODE += [f"vmovdqu64 {64 * limb:#x}(%rsi),%zmm{limb}", f"vmovdqu64 {0x140 + 64 * limb:#x}(%rsi),%zmm{5 + limb}",
             f"vmovdqu64 {0x280 + 64 * limb:#x}(%rsi),%zmm{5 + limb}" + "{%k1}"]
CODE += ["mov $0x3,%rax", "vpbroadcastq %rax,%zmm21", "vpxorq %zmm20,%zmm20,%zmm20", with_constant("vpmadd52luq", FIRST, 21, 20)]
CODE += [with_constant("vpandq", MASK, k, k) for k in (0, 1, 2, 3, 5, 6, 7, 8)]
CODE += [f"vpaddq %zmm{5 + k},%zmm{k},%zmm{k}" for k in range(5)] + ["vpaddq %zmm20,%zmm0,%zmm0"]
CODE += carry(range(5), 31) + store("rdi", range(5)) + ["vzeroupper", "ret"]


def loads(i, p, d):
    element = lambda n: [p[40 * n + 8 * k + i][:52 if k < 4 else 64] for k in range(5)]
    return [element(0), element(1 + d[0][8 + i])]


def spec(formula=lambda a, b: [a[0] + b[0] + 3 * C], loads=loads, bits=49):
    return Loaded(formula, loads, Out("r"), Words("p", 120, lambda k: 64 if k % 40 < 32 else bits), Words("d", 1), digit=lambda i: [("d", 0, 8 + i)])


class Routines(Proofs):
    binary = CONSTANTS

    def test_right(self):
        self.good(CODE, spec())

    def test_mutants(self):
        for emulate in (False, True):
            score = self.all_mutants_rejected(CODE, spec(), least=30, emulate=emulate)
            self.assertGreater(score.emulated if emulate else score.disproved, 30)

    def test_wrong(self):
        self.all_bad(CODE, spec(), wrong("loaded", 15))
        self.bad(CODE[:CODE.index("mov $0x3,%rax")] + ["ret"], spec(), "no multiplication")
        self.bad(CODE, spec(lambda a, b: [a[0] - b[0] + 3 * C]), "not as specified")
        self.bad(CODE, spec(loads=lambda i, p, d: loads(i, p[1:] + p[:1], d)[:1] + loads(i, p, d)[1:]), "limb 0 of element 0")
        self.bad(CODE, spec(loads=lambda i, p, d: loads(i, p, d)[:1] * 2), "zmm5, which holds nothing")
        self.bad(CODE, spec(bits=50), "limb 4 may be too large")

    def test_generator(self):
        """The bits of a digit select the elements by which x and y are multiplied."""
        member = specs.gather_generator(2)
        for power, minus, byte in ((0, 0, 0), (1, 0, 66), (2, 0, 67), (0, 1, 65)):
            bit = 8 * (17 * byte + 2) + 6 if byte else None
            words = [tuple(int(bit == 64 * k + j) for j in range(64)) for k in range(152)]
            f = [specs.ZERO[:8] + tuple(k >> j & 1 for j in range(56)) for k in range(200)]
            table = lambda offset: [specs.ZERO] * 8
            *_, x, y = member.loads.formula(6, table, words, f)
            for e, n in ((x, power), (y, 3 + minus)):
                self.assertEqual([specs.number(limb) >> 8 for limb in e], [40 * n + 8 * k + 6 for k in range(5)])
