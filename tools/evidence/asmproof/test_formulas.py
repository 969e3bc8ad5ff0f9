"""Tests that the proof tells right formulas from wrong ones: the variants which tools/generator/variant_test.go tries too."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import routine
import specs
import x86
from binary import Binary
from symbolic import Stuck

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
GROUP = os.path.join(ROOT, "internal/group")
NAME = "group.doubleNBroadwell"


def go(*args):
    subprocess.run(["go", *args], cwd=ROOT, env={**os.environ, "GOARCH": "amd64"}, check=True)


def prove(directory, old, new):
    """Proves the doubling which is generated from formulas with another text in one place."""
    formulas, out = (os.path.join(directory, name) for name in ("formulas", "out"))
    shutil.copytree(GROUP, formulas)
    changed = os.path.join(formulas, "formulas.go")
    with open(changed, encoding="utf-8") as f:
        text = f.read()
    if text.count(old) != 1:
        raise ValueError(f"{old!r} is there {text.count(old)} times: bring this test up to date")
    with open(changed, "w", encoding="utf-8") as f:
        f.write(text.replace(old, new))
    go("run", "./tools/generator", "-formulas", formulas, "-o", out)
    overlay, binary = (os.path.join(directory, name) for name in ("overlay.json", "curve.test"))
    with open(overlay, "w", encoding="utf-8") as f:
        json.dump({"Replace": {os.path.join(GROUP, "formulas.go"): changed,
                               os.path.join(GROUP, "group_amd64.s"): os.path.join(out, "group/group_amd64.s")}}, f)
    go("test", "-c", "-o", binary, "-overlay", overlay, "./curve")
    linked = Binary(binary)
    return routine.prove(x86.decode(linked.disassemble(linked.find(NAME))), specs.ROUTINES[NAME], linked)


class Variants(unittest.TestCase):
    def test_variants(self):
        with open(os.path.join(ROOT, "tools/generator/testdata/variants.json"), encoding="utf-8") as f:
            variants = json.load(f)
        self.assertEqual({v["right"] for v in variants}, {True, False})
        for v in variants:
            with self.subTest(v["name"]), tempfile.TemporaryDirectory() as directory:
                if v["right"]:
                    self.assertGreater(prove(directory, v["old"], v["new"]), 20)
                else:
                    with self.assertRaises(Stuck):
                        prove(directory, v["old"], v["new"])


if __name__ == "__main__":
    unittest.main()
