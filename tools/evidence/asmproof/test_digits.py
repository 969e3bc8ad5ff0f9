"""Tests of the specifications of halves and digits, and of the proofs about them: python3 -m unittest, in this directory."""

import itertools
import random
import unittest

import digits
import specs
import z3
from specs import LAMBDA, N, SHORT
from symbolic import Stuck

ON_INTEGERS = lambda c, x, y: x if c else y, lambda *c: all(c)


class Specifications(unittest.TestCase):
    def test_split(self):
        """The halves of docs/digits.md, S6, are within the bounds, and the halves for neighbouring quotients are not."""
        (c, d), (e, f) = SHORT
        self.assertEqual((c * f - d * e, (c + d * LAMBDA) % N, (e + f * LAMBDA) % N), (N, 0, 0))
        rng = random.Random(1)
        for a in [0, 1, N - 1, N // 2, *(rng.randrange(N) for _ in range(200))]:
            q, r = ((a * ((2**384 * x + N // 2) // N) + 2**383) >> 384 for x in (c, -d))
            for i, j in itertools.product((-1, 0, 1), repeat=2):
                k1, k2 = a - (q + i) * c - (r + j) * e, -(q + i) * d - (r + j) * f
                within = all(least <= v <= most for v, least, most in specs.split_rounding(a, k1, k2))
                self.assertEqual(within, i == j == 0)
                if within:
                    self.assertEqual((k1 + k2 * LAMBDA - a) % N, 0)
                    self.assertLess(10000 * specs.norm(k1, k2), 7501 * N)
                    self.assertLess(max(abs(k1), abs(k2)), 2**128)

    def test_fits(self):
        """The digits of the halves of a scalar always fit (S16, S17)."""
        point = (0.7501 * N) ** 0.5 / 2**126 + max(specs.norm(*m) for m in specs.POINT_MULTIPLES) ** 0.5 / 7
        generator = 3**0.5 + 48769**0.5 / 255
        for most, must_fit in ((point, specs.up_to_norm(16)), (generator, specs.up_to_norm(6))):
            left = {(a, b) for a in range(-9, 10) for b in range(-9, 10) if specs.norm(a, b) < (most + 1e-9) ** 2}
            self.assertLessEqual(left, must_fit)

    def test_classes(self):
        a, b, x, y, opposite = (specs.CLASSES[8 * i:8 * i + 8] for i in range(5))
        byte = lambda words, i: words[i // 8] >> 8 * (i % 8) & 0xff
        for u, v in itertools.product(range(8), repeat=2):
            i = u + 8 * v
            digit = byte(a, i) - 8, byte(b, i) - 8
            self.assertEqual((digit[0] % 8, digit[1] % 8), (u, v))
            for odd in (False, True):
                ok, *coordinates = specs.point_digit(*ON_INTEGERS, odd, 3, 320 * byte(x, i) + 24, 320 * byte(opposite if odd else y, i) + 24, i != 0)
                self.assertTrue(ok)
                self.assertEqual(tuple(coordinates), digit)

    def test_offsets(self):
        """Every valid digit's offset is in the range of offsets for which the look-up is proved."""
        entries, lane = len(specs.POINT_MULTIPLES), 5
        *_, d, _ = specs.gather_point(7).params
        ok = lambda x, y: specs.point_digit(*ON_INTEGERS, False, lane, x, y, True)[0]
        at = lambda row: [320 * (specs.ROWS * entry + row) + 8 * lane for entry in range(entries)]
        for v in range(-320, 320 * (specs.ROWS * entries + 1), 8):
            if any(ok(v, y) for y in at(specs.PLUS)):
                self.assertIn(v, d.values(8 * 7 + lane))
            if any(ok(x, v) for x in at(0)):
                self.assertIn(v, d.values(8 * (specs.POINT_PLACES + 7) + lane))
        values = specs.generator_offsets((3,)).values
        self.assertEqual([k for k in range(152) if values(k)], list(range(24, 32)))
        for at in range(-64, 64 * specs.GENERATOR_ENTRIES + 64, 8):
            self.assertEqual(at in values(24), specs.generator_digit(*ON_INTEGERS, False, 0, at, True, False, False, False)[0])

    def test_generator(self):
        """Every class modulo 256 has a digit, and the largest norm of a digit is the norm in S15."""
        classes, longest = set(), 0
        for entry in range(specs.GENERATOR_ENTRIES):
            for power, minus in itertools.product(range(3), (False, True)):
                ok, a, b = specs.generator_digit(*ON_INTEGERS, False, 0, 64 * entry, True, minus, power == 1, power == 2)
                self.assertTrue(ok)
                classes.add((a % 256, b % 256))
                longest = max(longest, specs.norm(a, b))
        self.assertEqual((len(classes), longest), (4**8 - 1, 48769))
        for wrong in (64 * specs.GENERATOR_ENTRIES, 1, -64):
            self.assertFalse(specs.generator_digit(*ON_INTEGERS, False, 0, wrong, True, False, False, False)[0])


class Expressions(unittest.TestCase):
    def test_compiled(self):
        x, y, lane = (z3.BitVec(name, 64) for name in ("X", "Y", "lane"))
        low = z3.Extract(7, 0, x)
        expressions = [x + y * lane - 3, ~x & -y | (x ^ 5), x << y, z3.LShR(x, lane), x >> lane, z3.Concat(low, z3.Extract(59, 4, y)), z3.SignExt(56, low),
                       z3.ZeroExt(56, low), z3.If(x <= y, x, lane), z3.If(z3.Or(z3.ULT(x, y), z3.Not(x == 7)), y, x), z3.If(z3.Implies(x > y, z3.UGE(lane, 3)), x, y),
                       z3.SignExt(52, z3.Extract(11, 0, x)) >> 3, digits.zeros(x), digits.conjunction(x, digits.bits(255))]
        rng = random.Random(1)
        for e in expressions:
            f, used = digits.compiled(e)
            self.assertLessEqual(used, {"X", "Y", "lane"})
            for _ in range(20):
                values = [rng.choice((rng.getrandbits(64), rng.randrange(70), 2**64 - 1 - rng.randrange(70))) for _ in range(2)] + [rng.randrange(8)]
                want = z3.simplify(z3.substitute(e, *((v, digits.bits(n)) for v, n in zip((x, y, lane), values))))
                self.assertEqual(f(*values), want.as_long())
        with self.assertRaises(Stuck):
            digits.compiled(z3.URem(x, y))
