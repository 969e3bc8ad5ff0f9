#!/usr/bin/env python3
"""Prints what specs.py states: every routine with its parameters, bounds and aliasings, and a hash of every declaration.

    python3 tools/evidence/asmproof/statements.py > tools/evidence/asmproof/testdata/statements.txt

test_statements.py compares this list with specs.py, because no proof notices that specs.py states less.
"""

import ast
import hashlib
import inspect

import specs


with open(specs.__file__, encoding="utf-8") as f:
    SOURCE = f.read()
TREE = ast.parse(SOURCE)
LAMBDAS = {node.lineno: ast.get_source_segment(SOURCE, node) for node in ast.walk(TREE) if isinstance(node, ast.Lambda)}
NUMBERS = {specs.P: "p", specs.N: "n"}


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def shown(value):
    """The text of a value in a specification, or a hash if the text is long."""
    if isinstance(value, (specs.Parameter, specs.In, specs.Out, specs.Spec)):
        text = f"{type(value).__name__}({attributes(value)})"
    elif isinstance(value, (list, tuple)):
        text = f"[{', '.join(map(shown, value))}]"
    elif isinstance(value, (set, dict)):
        text = shown(sorted(value.items() if isinstance(value, dict) else value))
    elif inspect.isfunction(value):
        variables = map(shown, inspect.getclosurevars(value).nonlocals.items())
        text = " ".join([LAMBDAS.get(value.__code__.co_firstlineno, value.__qualname__), *variables])
    else:
        text = str(NUMBERS.get(value, value)) if isinstance(value, int) else repr(value)
    return text if len(text) < 400 else hashed(text)


def attributes(value, without=("outs", "inputs")):
    return ", ".join(f"{name}={shown(v)}" for name, v in vars(value).items() if name not in without and v not in (None, ()))


def stated(title, spec):
    """The first specification of a routine, and a hash of all specifications and aliasings."""
    families = spec.families()
    first = families[0][0]
    yield f"{title}: {type(first).__name__} {attributes(first, ('params', 'outs', 'inputs'))}"
    yield from map(shown, first.params)
    everything = [[f"{shown(member)} {member.aliasings()}" for member in family] for family in families]
    yield f"{len(families)} families, {sum(map(len, families))} specifications, {len(first.aliasings())} aliasings: {hashed(str(everything))}"


def statements():
    """The lines of statements.txt."""
    lines = [f"{hashed(ast.get_source_segment(SOURCE, node))} {ast.get_source_segment(SOURCE, node).splitlines()[0]}"
             for node in TREE.body[1:]]
    for title, routines in ("x86-64", specs.ROUTINES), ("ARM64", specs.ARM64), ("Go", specs.PORTABLE):
        for name, spec in routines.items():
            lines += ["\n\t".join(stated(f"{title} {name}", spec))]
    return "\n".join(lines)


if __name__ == "__main__":
    print(statements())
