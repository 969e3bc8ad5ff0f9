"""Tests that the proofs of each platform accept correct formulas and reject wrong formulas."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import kinds
import platforms
from binary import Binary
from symbolic import Stuck

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
GROUP = os.path.join(ROOT, "internal/group")
# For each platform, the processor, the options of the build, and the routine that doubles.
PLATFORMS = (("amd64", [], "group.doubleNBroadwell"), ("arm64", [], "group.doubleN"), ("amd64", ["-tags", "purego"], "group.doubleNGeneric"))


def go(*args, processor="amd64"):
    subprocess.run(["go", *args], cwd=ROOT, env={**os.environ, "GOARCH": processor, "CGO_ENABLED": "0"}, check=True)


def variant(directory, old, new):
    """Replaces a text in the formulas, in one place, and generates the assembly from them. Returns an overlay file for
    the compiler with the changed formulas and assembly."""
    formulas, out = (os.path.join(directory, name) for name in ("formulas", "out"))
    shutil.copytree(GROUP, formulas)
    changed = os.path.join(formulas, "formulas.go")
    with open(changed, encoding="utf-8") as f:
        text = f.read()
    if text.count(old) != 1:
        raise ValueError(f"{old!r} occurs {text.count(old)} times: bring this test up to date")
    with open(changed, "w", encoding="utf-8") as f:
        f.write(text.replace(old, new))
    go("run", "./tools/generator", "-formulas", formulas, "-o", out)
    overlay = os.path.join(directory, "overlay.json")
    replaced = {os.path.join(GROUP, name): os.path.join(out, "group", name) for name in ("group_amd64.s", "group_arm64.s")}
    with open(overlay, "w", encoding="utf-8") as f:
        json.dump({"Replace": {os.path.join(GROUP, "formulas.go"): changed, **replaced}}, f)
    return overlay


def prove(overlay, processor, options, name):
    """Links the tests with the overlay, and proves the doubling of a platform."""
    path = overlay + ".test"
    go("test", "-c", "-o", path, "-overlay", overlay, *options, "./internal/group", processor=processor)
    linked = Binary(path)
    platform = platforms.of(linked)
    return kinds.prove(platform.program(platform.find(name)), platform.routines[name], linked)


class Variants(unittest.TestCase):
    def test_variants(self):
        with open(os.path.join(os.path.dirname(__file__), "testdata/variants.json"), encoding="utf-8") as f:
            variants = json.load(f)
        self.assertEqual({v["right"] for v in variants}, {True, False})
        for v in variants:
            with tempfile.TemporaryDirectory() as directory:
                overlay = variant(directory, v["old"], v["new"])
                for processor, options, name in PLATFORMS:
                    with self.subTest(v["name"], name=name):
                        if v["right"]:
                            self.assertGreater(prove(overlay, processor, options, name), 20)
                        else:
                            with self.assertRaises(Stuck):
                                prove(overlay, processor, options, name)
