"""Tests that specs.py states what testdata/statements.txt lists. It does not need z3."""

import os
import unittest

import statements


class Statements(unittest.TestCase):
    maxDiff = None

    def test_statements(self):
        with open(os.path.join(os.path.dirname(__file__), "testdata/statements.txt"), encoding="utf-8") as f:
            self.assertEqual(statements.statements().splitlines(), f.read().splitlines(), "review specs.py, then run statements.py")
