"""Code that the tests of proofs share."""

import os
import unittest

import kinds
import mutate
import x86
from symbolic import Stuck


def testdata(name):
    with open(os.path.join(os.path.dirname(__file__), "testdata", name + ".txt"), encoding="utf-8") as f:
        return f.read()


def forms(name):
    """The forms of instructions in a file of testdata, which the emulator and the processor run."""
    return testdata(name).splitlines()


def wrong(name, count):
    """The changes in a file of testdata/wrong, of which there are count, for all_bad. A change has the pattern after "==", the line after "-", and
    the lines in its place after "+"."""
    changes = ("\n" + testdata("wrong/" + name)).split("\n== ")[1:]
    if len(changes) != count:
        raise ValueError(f"{name} has {len(changes)} changes, want {count}")
    for change in changes:
        why, *lines = change.splitlines()
        old, *new = (line[1:] for line in lines if line[:1] in ("-", "+"))
        yield why, old, new


def assemble(lines):
    """Decodes lines as objdump prints them, where the target of a jump is the number of a line."""
    return x86.decode(list(enumerate(lines)))


def replaced(code, old, new):
    """The code with the first line that contains old replaced by the lines new."""
    at = next(i for i, line in enumerate(code) if old in line)
    return code[:at] + new + code[at + 1:]


class Proofs(unittest.TestCase):
    """Assertions about routines, which are lists of instructions, or of what assemble takes."""

    assemble = staticmethod(assemble)
    binary = None  # the linked binary, which contains the constants
    cases = 20

    def prog(self, code):
        return code if isinstance(code, list) and not isinstance(code[0], str) else self.assemble(code)

    def good(self, code, spec, elements=None):
        """Emulates the code, compares the symbolic execution with the emulation, and proves the code. elements is the
        number of elements that the proof makes, if it is known."""
        prog = self.prog(code)
        for case in kinds.cases(spec, self.cases, "test"):
            self.assertIsNone(case.run(prog, self.binary))
        for member, places in kinds.sample(spec, self.cases):
            self.assertGreater(kinds.lockstep(prog, member, places, "test", self.binary), 0)
        self.assertIn(elements, (None, kinds.prove(prog, spec, self.binary)))
        return prog

    def bad(self, code, spec, why):
        with self.assertRaisesRegex((Stuck, x86.Unsupported), why):
            kinds.prove(self.prog(code), spec, self.binary)

    def all_bad(self, code, spec, changes):
        """Tries changes. A change has a pattern for the error of the proof, a line or a part of a line, and the
        replacement."""
        for why, old, new in changes:
            with self.subTest(old=old, new=new):
                self.bad(replaced(code, old, new), spec, why)

    def all_mutants_rejected(self, code, spec, superfluous=(), least=0, **options):
        """Checks that only the mutants in superfluous survive, and that more than least mutants are rejected. If least
        is 0, nine tenths of the instructions or of the sample take its place."""
        score = mutate.score(self.prog(code), spec, self.binary, **options)
        self.assertEqual(score.survived, list(superfluous))
        self.assertGreater(score.emulated + score.disproved, least or min(len(code), options.get("sample", 1000)) * 0.9)
        return score
