"""Tests of the proofs about eight lanes: python3 -m unittest, in this directory."""

import random
import unittest

import kinds
import lanes
import routine
import x86
from poly import Poly
from proofs import Proofs, assemble, wrong
from specs import Bits, Count, In, InOut, Lanes, Out, square

C, LIMB = 0x1000003d1, (1 << 52) - 1
ARGS = ["mov 0x8(%rsp),%rdi", "mov 0x10(%rsp),%rsi", "mov 0x18(%rsp),%rdx"]


class Constants:
    """Read-only memory that begins at an address."""

    def __init__(self, *words):
        self.words = words

    def constant(self, addr):
        i = (addr - 0x1000) // 8
        return self.words[i] if 0 <= i < len(self.words) else None


MASK, FIRST, TOP48 = range(3)  # Places of constants, from 0x1000 on.
CONSTANTS = Constants(LIMB, C, (1 << 48) - 1)


def with_constant(op, i, *registers):
    return f"{op} 0x0(%rip){{1to8}},{','.join(f'%zmm{r}' for r in registers)}        # {0x1000 + 8 * i:x}"


def load(base, first, mask=True):
    """Loads an element. If mask is set, clears the bits above the limbs."""
    code = [f"vmovdqu64 {64 * k:#x}(%{base}),%zmm{first + k}" for k in range(5)]
    return code + [with_constant("vpandq", MASK, first + k, first + k) for k in range(4) if mask]


def carry(limbs, spare):
    """Folds the bits of limb 4 from bit 48 on into limb 0, and carries from each limb to the next."""
    z, code = [f"%zmm{i}" for i in limbs], []
    code += [f"vpsrlq $0x30,{z[4]},%zmm{spare}", with_constant("vpmadd52luq", FIRST, spare, limbs[0]), with_constant("vpandq", TOP48, limbs[4], limbs[4])]
    for k in range(4):
        code += [f"vpsrlq $0x34,{z[k]},%zmm{spare}", f"vpaddq {z[k + 1]},%zmm{spare},{z[k + 1]}"]
    return code


def store(base, limbs):
    return [f"vmovdqu64 %zmm{i},{64 * k:#x}(%{base})" for k, i in enumerate(limbs)]


def add(masked=False):
    code = ARGS + load("rsi", 0) + load("rdx", 5)
    if masked:
        code += ["kmovb 0x20(%rsp),%k1"]
    code += [f"vpaddq %zmm{5 + k},%zmm{k},%zmm{k}" + ("{%k1}" if masked else "") for k in range(5)]
    return (code + carry(range(5), 31) + store("rdi", range(5)) + ["vzeroupper", "ret"])


ADD = Lanes(lambda a, b: [a[0] + b[0]], Out("r", may_be=("a", "b")), In("a"), In("b"))
ADD_IF = Lanes(lambda a, b, k: [a[0] + k * b[0]], Out("r", may_be=("a", "b")), In("a"), In("b"), Bits("k"))


class Routines(Proofs):
    binary = CONSTANTS

    def test_add(self):
        for code, spec in ((add(), ADD), (add(True), ADD_IF)):
            self.good(code, spec)
            for emulate in (True, False):
                self.all_mutants_rejected(code, spec, emulate=emulate)

    def test_wrong(self):
        code = add()
        self.all_bad(code, ADD, wrong("lanes", 12))
        self.bad(code, Lanes(lambda a, b: [a[0] - b[0]], *ADD.params), "not as specified")
        self.bad(add(True), Lanes(lambda a, b, k: [a[0] + (1 - k) * b[0]], *ADD_IF.params), "not as specified")
        self.bad(add(True), Lanes(lambda a, b, k: [a[0] + b[0]], *ADD_IF.params), "not as specified.*k = 0")

    def test_overflow(self):
        """2^13 times a limb can exceed 64 bits."""
        def shifted(n):
            code = add()
            at = code.index("vpaddq %zmm5,%zmm0,%zmm0")
            return code[:at] + [f"vpsllq ${n:#x},%zmm{k},%zmm{k}" for k in range(4)] + code[at:]
        spec = Lanes(lambda a, b: [a[0]], *ADD.params)
        self.bad(shifted(13), spec, "r.0.")

    def test_factors(self):
        """The square of limb 0, which may have been doubled. A doubled limb may have 53 bits, of which the instruction reads only 52."""
        def code(double):
            body = ["mov 0x8(%rsp),%rdi", "mov 0x10(%rsp),%rsi"] + load("rsi", 0, False)
            body += [f"vpxorq %zmm{k},%zmm{k},%zmm{k}" for k in range(5, 10)] + ["vpxorq %zmm1,%zmm1,%zmm1"]
            if double:
                body += [with_constant("vpandq", MASK, 0, 0), "vpaddq %zmm0,%zmm0,%zmm0"]
            body += ["vpmadd52luq %zmm0,%zmm0,%zmm5", "vpmadd52huq %zmm0,%zmm0,%zmm6"]
            return body + store("rdi", range(5, 10)) + ["vzeroupper", "ret"]

        limb = lambda e: e.words[0]
        for double in (False, True):
            spec = Lanes(square, Out("r"), In("a"))
            proof = kinds.proof(assemble(code(double)), spec, spec.aliasings()[0], CONSTANTS)
            state = proof.start.clone()
            proof.follow(state, 0)
            low, high = state.mem["r", 0].poly, state.mem["r", 64].poly
            v = Poly.var(limb(proof.inputs[0][0]))
            rest = proof.trace.eliminate(low + high * (1 << 52) - v * v * (4 if double else 1), spec.n)
            self.assertEqual(rest == Poly(), not double)

    def test_loop(self):
        code = ["mov 0x8(%rsp),%rdi", "mov 0x10(%rsp),%rcx"] + load("rdi", 0, False)
        body = [f"vpaddq %zmm{k},%zmm{k},%zmm{k}" for k in range(5)] + carry(range(5), 31)
        clean = [with_constant("vpandq", MASK, k, k) for k in range(4)]
        end = store("rdi", range(5)) + ["vzeroupper", "ret"]
        spec = Lanes(lambda a: [a[0] * 2], InOut("p"), Count("n"))
        at = len(code)
        self.good((code + clean + body + ["dec %rcx", f"jne {at:x}"] + end), spec)
        # The result is right only in the first iteration, when the bits above the limbs are zero.
        once = code + clean
        self.bad((once + body + ["dec %rcx", f"jne {len(once):x}"] + end), spec, "left over|not as specified")
        self.bad((code + clean + body + ["sub $0x2,%rcx", f"jne {at:x}"] + end), spec, "count down by one")

    def test_frame(self):
        """Vectors on the stack must be in the space that the routine has reserved, for every alignment of the stack pointer."""
        def code(size, at):
            return (ARGS + ["push %rbp", "mov %rsp,%rbp", f"sub ${size:#x},%rsp", "lea 0x38(%rsp),%rax", "and $0xffffffffffffffc0,%rax"] +
                       load("rsi", 0) + load("rdx", 5) + [f"vmovdqu64 %zmm0,{at:#x}(%rax)", f"vpaddq {at:#x}(%rax),%zmm5,%zmm0"] +
                       [f"vpaddq %zmm{5 + k},%zmm{k},%zmm{k}" for k in range(1, 5)] + carry(range(5), 31) + store("rdi", range(5)) +
                       ["vzeroupper", f"add ${size:#x},%rsp", "pop %rbp", "ret"])
        self.good(code(0x78, 0), ADD)
        self.bad(code(0x70, 0), ADD, "outside of the frame")
        self.bad(code(0x78, 0x40), ADD, "outside of the frame")
        self.bad(code(0x78, -0x40), ADD, "outside of the frame")


class Splitting(unittest.TestCase):
    def test_places(self):
        """Words are split exactly, at several places in any order. Equal parts have equal polynomials."""
        rng = random.Random(1)
        for _ in range(200):
            t = lanes.LaneTrace()
            x, y = t.fresh(0, x86.ONES), t.fresh(0, rng.choice((1, (1 << 12) - 1, LIMB)))
            m = rng.choice((12, 24, 36, 52))
            polys = [Poly.var(x), Poly.var(y) + Poly.var(x) * (1 << m), Poly.var(x) * (1 << m)]
            parts = [(p, k, t.split(p, k)) for p, k in ((rng.choice(polys), rng.choice((12, 24, 28, 40, 48, 52, 64))) for _ in range(6))]
            for _ in range(10):
                env = {x: rng.choice((0, x86.ONES, rng.getrandbits(64))), y: rng.choice((0, t.hi[y], rng.randint(0, t.hi[y])))}
                for v, d in enumerate(t.definition):
                    if d and d.news[0] == v:
                        env.update(zip(d.news, d.rule(env), strict=True))
                for p, k, ((low, a, b), (high, c, d)) in parts:
                    v = p.value(env)
                    self.assertEqual((low.value(env), high.value(env)), (v % 2**k, v >> k))
                    self.assertTrue(a <= v % 2**k <= b and c <= v >> k <= d)
        t = lanes.LaneTrace()
        w = Poly.var(t.fresh(0, x86.ONES))
        limb = t.split(w, 52)[0][0] * (1 << 12)
        self.assertEqual(t.split(limb, 52)[1][0] + t.split(w, 52)[1][0] * (1 << 12), t.split(w, 40)[1][0])

    def test_dirty(self):
        """A limb with arbitrary bits above it is split where these bits begin."""
        t = lanes.LaneElements(routine.Trace(), 97)
        e = t.fresh()
        rng = random.Random(1)
        for i, w in enumerate(t.words(e)):
            (low, a, b), _ = t.t.split(w.poly, 52)
            self.assertEqual((low, a, b), (Poly.var(e.words[i]), 0, LIMB if i < 4 else (1 << 49) - 1))
            env = {v: rng.getrandbits(12) for v in w.poly.vars()}
            self.assertEqual(low.value(env), w.poly.value(env) % (1 << 52))
