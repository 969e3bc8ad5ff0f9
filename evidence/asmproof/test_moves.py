"""Tests of the proofs about routines which move words: python3 -m unittest, in this directory."""

import unittest

import concrete
import moves
import mutate
import routine
import specs
import x86
from specs import Each, Given, Moves, SetLanes, SetWords, Unused, Words, in_lane
from symbolic import Stuck
from test_asmproof import assemble

# One word of a row of 16 for each lane, by the windows of five bits from bit 1 of a word on.
LOOKUP = ["mov 0x18(%rsp),%rbx", "mov 0x20(%rsp),%rcx", "mov $0x1,%rax", "vmovq %rax,%xmm1", "vmovdqu64 (%rcx),%zmm2", "vpsrlq %xmm1,%zmm2,%zmm2",
          "mov $0x10,%rax", "vpbroadcastq %rax,%zmm3", "vptestnmq %zmm3,%zmm2,%k1", "mov $0xf,%rax", "vpbroadcastq %rax,%zmm3",
          "vpxorq %zmm3,%zmm2,%zmm2{%k1}", "mov 0x10(%rsp),%rax", "kmovb %k1,(%rax)", "vmovdqu64 (%rbx),%zmm0", "vpermt2q 0x40(%rbx),%zmm2,%zmm0",
          "mov 0x8(%rsp),%rax", "vmovdqu64 %zmm0,(%rax)", "vzeroupper", "ret"]


def looked_up(i, row, windows):
    digit = 2 * specs.number(windows[i][1:6]) - 31
    return in_lane(i, [row[abs(digit) // 2]]), int(digit < 0)


LOOKUP_SPEC = Moves(looked_up, SetWords("r", 8), SetLanes("minus"), Words("row", 16), Words("windows", 8),
                    digit=lambda i: [("windows", i, at) for at in range(1, 6)], reads=("row", "windows"))

# The last of one or two words in all lanes: by its address, and by a jump.
END = ["mov 0x8(%rsp),%rdi", "vpbroadcastq %rdx,%zmm1", "vmovdqu64 %zmm1,(%rdi)", "vzeroupper", "ret"]
LOAD = ["mov 0x10(%rsp),%rax", "mov 0x18(%rsp),%rbx", "xor %ecx,%ecx", "mov $0x8,%rsi", "cmp $0x1,%rbx", "cmovle %rcx,%rsi",
        "mov (%rax,%rsi,1),%rdx"] + END
JUMP = ["mov 0x10(%rsp),%rax", "mov 0x18(%rsp),%rbx", "mov (%rax),%rdx", "cmp $0x1,%rbx", "jle 6", "mov 0x8(%rax),%rdx"] + END


def load(n):
    return Moves(lambda i, a: [in_lane(i, [a[n - 1]])], SetWords("r", 8), Words("a", n), Given("len", n), Unused("cap"))


class Routines(unittest.TestCase):
    def good(self, code, spec):
        prog = assemble(code)
        for case in concrete.cases(spec, 20, "test"):
            self.assertIsNone(case.run(prog))
        for member, places in concrete.some(spec, 20):
            self.assertGreater(concrete.lockstep(prog, member, places, "test"), 0)
        self.assertGreater(routine.prove(prog, spec), 0)

    def bad(self, code, spec, why):
        with self.assertRaisesRegex((Stuck, x86.Unsupported), why):
            routine.prove(assemble(code), spec)

    def test_right(self):
        self.good(LOOKUP, LOOKUP_SPEC)
        self.good(LOAD, Each(load, (1, 2)))
        self.good(JUMP, Each(load, (1, 2)))

    def test_mutants(self):
        for code, spec in ((LOOKUP, LOOKUP_SPEC), (LOAD, Each(load, (1, 2))), (JUMP, Each(load, (1, 2)))):
            for emulate in (False, True):
                score = mutate.score(assemble(code), spec, None, emulate=emulate)
                self.assertEqual(score.survived, [])
                self.assertGreater(score.emulated if emulate else score.disproved, 8)

    def test_wrong(self):
        for why, old, new in (
                ("computes from the inputs", "mov $0x1,%rax", ["mov $0x2,%rax"]),
                ("something else", "mov $0xf,%rax", ["mov $0xe,%rax"]),
                ("something else", "vptestnmq %zmm3,%zmm2,%k1", ["vptestmq %zmm3,%zmm2,%k1"]),
                # Right for equal digits alone.
                ("another", "vmovdqu64 %zmm0,(%rax)", ["vshufi64x2 $0x4e,%zmm0,%zmm0,%zmm0", "vmovdqu64 %zmm0,(%rax)"]),
                ("another", "vpermt2q 0x40(%rbx),%zmm2,%zmm0", ["vpunpcklqdq %zmm2,%zmm2,%zmm2", "vpermt2q 0x40(%rbx),%zmm2,%zmm0"]),
                ("outside of row", "vpermt2q 0x40(%rbx),%zmm2,%zmm0", ["vpermt2q 0x80(%rbx),%zmm2,%zmm0"]),
                ("does not read", "vpermt2q 0x40(%rbx),%zmm2,%zmm0", ["vpermt2q %zmm0,%zmm2,%zmm0"]),
                # An address which depends on a digit, or on no pointer at all.
                ("depends on the inputs", "vmovdqu64 %zmm0,(%rax)", ["mov (%rcx),%rdx", "mov (%rbx,%rdx,8),%rdx", "vmovdqu64 %zmm0,(%rax)"]),
                ("no pointer", "vmovdqu64 %zmm0,(%rax)", ["mov (%rcx),%rdx", "mov (%rdx),%rdx", "vmovdqu64 %zmm0,(%rax)"]),
                ("computes from the inputs", "vmovdqu64 %zmm0,(%rax)", ["mov (%rcx),%rdx", "add $0x1,%rdx", "vmovdqu64 %zmm0,(%rax)"]),
                ("computes from the inputs", "vmovdqu64 %zmm0,(%rax)", ["vpaddq %zmm0,%zmm0,%zmm0", "vmovdqu64 %zmm0,(%rax)"]),
                ("writes row", "vzeroupper", ["vmovdqu64 %zmm0,(%rbx)", "vzeroupper"]),
                ("not set", "vmovdqu64 %zmm0,(%rax)", []),
                ("upper parts", "vzeroupper", []),
                ("holds nothing", "vpermt2q 0x40(%rbx),%zmm2,%zmm0", ["vpermt2q 0x40(%rbx),%zmm9,%zmm0"])):
            with self.subTest(old=old, new=new):
                at = LOOKUP.index(old)
                self.bad(LOOKUP[:at] + new + LOOKUP[at + 1:], LOOKUP_SPEC, why)
        self.bad([line.replace("cmp $0x1", "cmp $0x2") for line in LOAD], Each(load, (1, 2)), "something else")
        self.bad([line.replace("cmp $0x1", "cmp $0x0") for line in LOAD], Each(load, (1, 2)), "outside of a")
        for code in LOAD, JUMP:
            self.bad(code, Each(load, (1, 2), secret=True), "depends on a parameter")

    def test_bits(self):
        x = moves.Bits((5, 0, 1) + (0,) * 61)
        self.assertIs(moves.left(moves.right(x, moves.Bits.of(1)), moves.Bits.of(1)), moves.Bits((0, 0, 1) + (0,) * 61))
        for op in ("vpandq", "vporq", "vpxorq"):
            with self.assertRaises(moves.Undecided):
                moves.LANEWISE[op](x, moves.Bits((6,) + (0,) * 63))
        self.assertEqual(moves.number(x, 0), 0)
        with self.assertRaises(moves.Undecided):
            moves.number(x, 1)


if __name__ == "__main__":
    unittest.main()
