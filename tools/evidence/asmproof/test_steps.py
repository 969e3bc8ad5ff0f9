"""Tests that the proofs of the linked bytes and the proofs of the group law use the same formulas.

The proofs of the linked bytes end at the formulas of specs.py. The proofs of the group law begin at the definitions
that the generator prints for Rocq, from the source from which the assembly is generated.
"""

import re
import subprocess
import unittest

from poly import Poly
from specs import PORTABLE, ROUTINES, P, In, half, jacobian_double, lanes_add_mixed, lanes_double
from test_formulas import ROOT


def stated(spec):
    """The formula of a routine, as a function of the elements of all its inputs."""
    sizes = [p.count for p in spec.params if isinstance(p, In)]
    return lambda *values: spec.formula(*(list(values[sum(sizes[:i]):sum(sizes[:i + 1])]) for i in range(len(sizes))))


def doubled(x, y, z):
    """lanes_double without the negation, which is not in the definition."""
    x, y, z = lanes_double([x, y, z])
    return [x, -y, z]


# Maps the definitions to the formulas of specs.py.
STATED = {
    **{name: stated(ROUTINES[f"group.{name}Broadwell"]) for name in
       ("doubleN", "addMixed", "doubleAdd", "addDistinct", "addMixedXYZZ", "addCoZ", "addAffine", "rescale")},
    **{name: stated(PORTABLE[f"group.{name}"]) for name in ("addXYZZ", "doubleAffine")},
    "double": lambda *a: jacobian_double(a),
    "lanes_doubleNegateN": doubled,
    # The routine takes -2y. H is not among its results.
    "lanes_addMixed": lambda a, b, c, x, y: lanes_add_mixed([a, b, c], [x], [-y], 1),
}
PART = "finishAdd"  # a part of other formulas, which has no routine


def definitions():
    return subprocess.run(["go", "run", "./tools/generator", "-rocq"], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def read(text):
    """The names of all definitions, with their parameters, and their steps and the result as Python."""
    found = {}
    for name, params, body in re.findall(r"^Definition (\w+) \(([\w ]+) : K\) :=\n(.*?)\.\n", text, re.M | re.S):
        *steps, result = body.replace("'", "_").replace("/ (1 + 1)", "* half").splitlines()
        steps = [re.fullmatch(r"  let (\w+) := (.*) in", step).groups() for step in steps]
        found[name] = params.split(), steps, re.sub(r"[ ()]", "", result)
    return found


def different(name, params, steps, result):
    """Reports whether the results of a definition differ from the stated formula."""
    values = {"half": half, **{param: Poly.var(i) for i, param in enumerate(params)}}
    want = STATED[name](*(values[param] for param in params))
    for variable, expression in steps:
        values[variable] = eval(expression, {}, values)
    got = [values[place] for place in result.split(",")][:len(want)]
    return [Poly.of(x).mod(P) for x in got] != [Poly.of(x).mod(P) for x in want]


class Steps(unittest.TestCase):
    def test_same_formulas(self):
        found = read(definitions())
        self.assertEqual(set(found), {*STATED, PART})
        del found[PART]
        for name, (params, steps, result) in found.items():
            self.assertFalse(different(name, params, steps, result), name)
            # Doubling any single step must change a result.
            for i, (variable, expression) in enumerate(steps):
                changed = [*steps[:i], (variable, f"2 * ({expression})"), *steps[i + 1:]]
                self.assertTrue(different(name, params, changed, result), f"{name}: {variable}")
