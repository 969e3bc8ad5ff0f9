"""Tests that specs.py, which the proofs prove, agrees with the formulas of internal/group, step by step as generator reads them.

Generator makes both the assembly and the input of the group law's proof from these steps, so both proofs are about the
same formulas.
"""

import re
import subprocess
import unittest

import specs
from poly import Poly
from specs import FORMULAS, P, In
from test_formulas import ROOT

FIELDS = {"Jacobian": ("X", "Y", "Z"), "XYZZ": ("X", "Y", "ZZ", "ZZZ"), "Affine": ("X", "Y")}


def places(signature):
    """The elements of each parameter in a signature as generator prints it, by the parameter's name."""
    found, names = {}, []
    for part in signature.split(", "):
        name, _, kind = part.partition(" *")
        names.append(name)
        if kind or " " in name:
            fields = FIELDS.get(kind)
            found.update((n, [f"{n}.{f}" for f in fields] if fields else [n]) for n in names)
            names = []
    return found


def value(expression, values):
    """The polynomial of an expression: a sum of products of numbers, names and squares."""
    total, sign = Poly(), 1
    for token in re.split(r" ([+−]) ", expression):
        if token in "+−":
            sign = 1 if token == "+" else -1
            continue
        product = Poly.const(sign)
        for factor in token.split("·"):
            if m := re.fullmatch(r"(\d+)(?:/(\d+))?", factor):
                product = product * (int(m[1]) * pow(int(m[2] or 1), -1, P))
            else:
                x = values[factor.removesuffix("²")]
                product = product * (x * x if factor.endswith("²") else x)
        total = (total + product).mod(P)
    return total


def different(text):
    """The names of the functions whose given steps compute something other than their specifications."""
    wrong = []
    for block in text.strip().split("\n\n"):
        head, *steps = block.splitlines()
        name, signature = re.fullmatch(r"(\w+)\((.*)\)", head).groups()
        spec, of = specs.ROUTINES[f"group.{name}Broadwell"], places(signature)
        inputs = [of[p.name] for p in spec.params if isinstance(p, In)]
        values = {place: Poly.var(i) for i, place in enumerate(sum(inputs, []))}
        want = spec.formula(*([values[place] for place in group] for group in inputs))
        for step in steps:
            to, expression = step.removesuffix(" unreduced").split(" = ")
            values[to] = value(expression, values)
        got = [values[place] for p in spec.outs for place in of[p.name]]
        if [x.mod(P) for x in got] != [Poly.of(x).mod(P) for x in want]:
            wrong.append(name)
    return wrong


class Steps(unittest.TestCase):
    def test_same_formulas(self):
        text = subprocess.run(["go", "run", "./tools/generator", "-steps"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        self.assertEqual(sorted(re.findall(r"^(\w+)\(", text, re.M)), sorted(FORMULAS))
        self.assertEqual(different(text), [])
        # A change of any one step is detected.
        lines = text.splitlines()
        for i, line in enumerate(lines):
            if " = " in line:
                to, expression = line.split(" = ")
                changed = "\n".join([*lines[:i], f"{to} = 2·{expression}", *lines[i + 1:]])
                self.assertEqual(len(different(changed)), 1, line)


if __name__ == "__main__":
    unittest.main()
