"""Tests of the model of a divstep, and of the intervals of matrices: python3 -m unittest, in this directory."""

import itertools
import os
import random
import re
import unittest

from divsteps import Quotients
from poly import Poly
from specs import Divsteps, divstep

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def source(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as f:
        return f.read()


class Model(unittest.TestCase):
    def test_rocq(self):
        """The divstep is the one about which Rocq proves that 591 are enough."""
        text = re.search(r"Definition divstep .*?:=\s*let '\(z, f, g\) := s in\s*(.*?)\.\n", source("tools", "evidence", "grouplaw", "Divsteps.v"), re.S)[1]
        for old, new in (("Z.even g", "g % 2 == 0"), ("<?", "<"), ("/", "//"), ("turn", "2"), (r"if (.*?) then (.*?) else", r"(\2) if (\1) else")):
            text = re.sub(old if "(" in old else re.escape(old), new, text)
        for z, f, g in itertools.product(range(-4, 5), range(-5, 6, 2), range(-5, 6)):
            counter, first, second = divstep(g % 2, z < 0, z, f, g)
            self.assertEqual((counter, first, second // 2, second % 2), (*eval(text, {"z": z, "f": f, "g": g}), 0), (z, f, g))

    def test_digits(self):
        """The proof is about the digits of the moduli that the library has."""
        text = source("internal", "modinv", "safegcd62.go")
        self.assertIn("p62 = modulus62{signed62{-(1<<32 + 977), 0, 0, 0, 256}, pInverse}", text)
        self.assertIn("n62 = modulus62{signed62{nLow & mask62, nLow >> 62 & mask62, nLow >> 124, 0, nTop}, nInverse}", text)
        for (spec,) in Divsteps().families():
            self.assertEqual(sum(d << 62 * i for i, d in enumerate(spec.digits)), spec.n)


class Rows(unittest.TestCase):
    def test_interval(self):
        """The ends of the interval of u·x + v·y are reached for |u| + |v| = 8."""
        t, rng = Quotients(), random.Random(1)
        u, v = t.row(8, -8)
        x, y = (Poly.var(t.fresh(-3, 5)) for _ in range(2))
        for p, ends in ((u + v, (-8, 8)), (u - v * 2, (-16, 16)), (u * x + v * y, (-40, 40)), (u * x + x + y * 3, (-44, 60))):
            self.assertEqual(t.interval(p), ends)
            for _ in range(200):
                a = rng.randint(-8, 8)
                env = dict(zip((u.single(), v.single(), x.single(), y.single()), (a, rng.randint(abs(a) - 8, 8 - abs(a)), rng.randint(-3, 5), rng.randint(-3, 5))))
                self.assertTrue(ends[0] <= p.value(env) <= ends[1])
