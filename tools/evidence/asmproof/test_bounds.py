"""Tests of the second opinion on z3's answers."""

import unittest
from unittest import mock

import bounds
import z3


class SecondOpinion(unittest.TestCase):
    def ask(self, at_most, **answer):
        x, y = z3.Reals("x y")
        s = z3.SolverFor("QF_LRA")
        s.add(z3.Or(x == 0, x == 1), y == 2 * x, y >= 3 - at_most)
        with mock.patch.object(bounds, "second", True), mock.patch.dict(bounds.queries):
            before = bounds.queries["confirmed"]
            with mock.patch.object(bounds, "opinion", **answer) if answer else mock.patch.dict({}):
                return bounds.check(s), bounds.queries["confirmed"] - before

    def test_confirms(self):
        self.assertEqual(self.ask(0), (z3.unsat, 1))
        self.assertEqual(self.ask(1), (z3.sat, 0))

    def test_contradicts(self):
        self.assertEqual(self.ask(0, return_value="unknown"), (z3.unsat, 0))
        with self.assertRaisesRegex(RuntimeError, "contradict"):
            self.ask(0, return_value="sat")

    def test_opinion(self):
        text = "(set-info :status unknown)(declare-fun x () Real)(assert (> x {}))(assert (< x 1.0))(check-sat)"
        self.assertEqual([bounds.opinion(text.format(n)) for n in (0, 2)], ["sat", "unsat"])
