"""Tests of the proofs about routines that move words: python3 -m unittest, in this directory."""

import moves
import specs
from proofs import Proofs, wrong
from specs import Given, Moves, Offsets, SetLanes, SetWords, Table, Unused, Words, each, each_secret, in_lane

# A look-up that selects, for each lane, one word of a row of 16, by a window of five bits that begins at bit 1.
LOOKUP = ["mov 0x18(%rsp),%rbx", "mov 0x20(%rsp),%rcx", "mov $0x1,%rax", "vmovq %rax,%xmm1", "vmovdqu64 (%rcx),%zmm2", "vpsrlq %xmm1,%zmm2,%zmm2",
          "mov $0x10,%rax", "vpbroadcastq %rax,%zmm3", "vptestnmq %zmm3,%zmm2,%k1", "mov $0xf,%rax", "vpbroadcastq %rax,%zmm3",
          "vpxorq %zmm3,%zmm2,%zmm2{%k1}", "mov 0x10(%rsp),%rax", "kmovb %k1,(%rax)", "vmovdqu64 (%rbx),%zmm0", "vpermt2q 0x40(%rbx),%zmm2,%zmm0",
          "mov 0x8(%rsp),%rax", "vmovdqu64 %zmm0,(%rax)", "vzeroupper", "ret"]


def looked_up(i, row, windows):
    digit = 2 * specs.number(windows[i][1:6]) - 31
    return in_lane(i, [row[abs(digit) // 2]]), int(digit < 0)


LOOKUP_SPEC = Moves(looked_up, SetWords("r", 8), SetLanes("minus"), Words("row", 16), Words("windows", 8),
                    digit=lambda i: [("windows", i, at) for at in range(1, 6)], reads=("row", "windows"))

# Broadcasts the last of one or two words, which is found by its address or by a jump.
END = ["mov 0x8(%rsp),%rdi", "vpbroadcastq %rdx,%zmm1", "vmovdqu64 %zmm1,(%rdi)", "vzeroupper", "ret"]
LOAD = ["mov 0x10(%rsp),%rax", "mov 0x18(%rsp),%rbx", "xor %ecx,%ecx", "mov $0x8,%rsi", "cmp $0x1,%rbx", "cmovle %rcx,%rsi",
        "mov (%rax,%rsi,1),%rdx"] + END
JUMP = ["mov 0x10(%rsp),%rax", "mov 0x18(%rsp),%rbx", "mov (%rax),%rdx", "cmp $0x1,%rbx", "jle 6", "mov 0x8(%rax),%rdx"] + END


def load(n):
    return Moves(lambda i, a: [in_lane(i, [a[n - 1]])], SetWords("r", 8), Words("a", n), Given("len", n), Unused("cap"))

# Loads the second word of an entry for each lane, at the lane's offset.
AT = ["rcx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13"]
TABLE_ARGS = ["mov 0x8(%rsp),%rdi", "mov 0x10(%rsp),%rax", "mov 0x18(%rsp),%rbx"]
GATHER = TABLE_ARGS + [f"mov {8 * i:#x}(%rbx),%{r}" for i, r in enumerate(AT)]
for pair in range(4):
    GATHER += [f"vmovq 0x8(%rax,%{AT[2 * pair]},1),%xmm{pair}", f"vpinsrq $0x1,0x8(%rax,%{AT[2 * pair + 1]},1),%xmm{pair},%xmm{pair}"]
GATHER += ["vinserti128 $0x1,%xmm1,%ymm0,%ymm0", "vinserti128 $0x1,%xmm3,%ymm2,%ymm2", "vinserti64x4 $0x1,%ymm2,%zmm0,%zmm0",
           "vmovdqu64 %zmm0,(%rdi)", "vzeroupper", "ret"]
TABLE = Table("table", 256, (0, 8))
OFFSETS = Offsets("d", 9, lambda k: range(0, 256, 32) if k < 8 else None)
GATHER_SPEC = Moves(lambda i, table, d: [in_lane(i, table(d[i])[1:])], SetWords("r", 8), TABLE, OFFSETS)

# Prefetches two entries.
PREFETCH = ["mov 0x8(%rsp),%rax", "mov 0x10(%rsp),%rbx", "mov (%rbx),%rcx", "prefetcht0 (%rax,%rcx,1)", "mov 0x8(%rbx),%rcx", "prefetcht0 0x8(%rax,%rcx,1)", "ret"]
PREFETCH_SPEC = Moves(specs.nothing, TABLE, OFFSETS, prefetches=[("table", "d", 1, 8), ("table", "d", 0, 0)])


class Routines(Proofs):
    def test_right(self):
        self.good(LOOKUP, LOOKUP_SPEC)
        self.good(LOAD, each(load, (1, 2)))
        self.good(JUMP, each(load, (1, 2)))
        self.good(GATHER, GATHER_SPEC)
        self.good(PREFETCH, PREFETCH_SPEC)

    def test_mutants(self):
        for code, spec in ((LOOKUP, LOOKUP_SPEC), (LOAD, each(load, (1, 2))), (JUMP, each(load, (1, 2)))):
            for emulate in (False, True):
                score = self.all_mutants_rejected(code, spec, least=8, emulate=emulate)
                self.assertGreater(score.emulated if emulate else score.disproved, 8)
        for code, spec in ((GATHER, GATHER_SPEC), (PREFETCH, PREFETCH_SPEC)):
            self.assertEqual(self.all_mutants_rejected(code, spec, least=5, emulate=False).idle, [])

    def test_wrong(self):
        self.all_bad(LOOKUP, LOOKUP_SPEC, wrong("moves", 15))
        self.bad([line.replace("cmp $0x1", "cmp $0x2") for line in LOAD], each(load, (1, 2)), "not as specified")
        self.bad([line.replace("cmp $0x1", "cmp $0x0") for line in LOAD], each(load, (1, 2)), "outside of a")
        for code in LOAD, JUMP:
            self.bad(code, each_secret(load, (1, 2)), "depends on a parameter")

    def test_wrong_offsets(self):
        self.all_bad(GATHER, GATHER_SPEC, wrong("offsets", 17))
        for why, line, new in (("not as specified", 3, "nop"), ("not as specified", 5, "prefetcht0 (%rax,%rcx,1)"), ("outside of table", 5, "prefetcht0 0x40(%rax,%rcx,1)"),
                               ("no offset", 4, "mov 0x40(%rbx),%rcx"), ("outside of the tables", 3, "prefetcht0 (%rax)"), ("outside of the tables", 3, "prefetcht0 (%rax,%rcx,2)")):
            with self.subTest(new=new):
                self.bad(PREFETCH[:line] + [new] + PREFETCH[line + 1:], PREFETCH_SPEC, why)

    def test_bits(self):
        x, state = moves.Bits((5, 0, 1) + (0,) * 61), moves.MovesState
        self.assertIs(state.shift("shl", state.shift("shr", x, 1)[0], 1)[0], moves.Bits((0, 0, 1) + (0,) * 61))
        for op in ("and", "or", "xor"):
            with self.assertRaises(moves.Undecided):
                state.bitwise(op, x, moves.Bits((6,) + (0,) * 63))
        self.assertEqual(moves.number(x, 0), 0)
        with self.assertRaises(moves.Undecided):
            moves.number(x, 1)
