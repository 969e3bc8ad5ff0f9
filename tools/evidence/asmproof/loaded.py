"""Routines on lanes that first load elements, each lane from a place of its own, and then multiply.

Up to the first multiplication, instructions only move words. At the first multiplication, each limb must be in a
register, in all lanes and for all digits. For the rest, the proof assumes only that such a register holds a limb of an
arbitrary element, and keeps pointers and constants that are the same in all lanes. So the rest is proved for one lane.
"""

from lanes import LIMB, TOP_LIMB, LaneProof, value
from moves import SIZE, Bits, MovesCase, MovesProof
from specs import number
from symbolic import Ptr, Stuck
from x86 import Unsupported


def first_product(prog):
    """The index of the first multiplication, in a routine without jumps."""
    if any(ins and ins.op == "j" for ins in prog):
        raise Unsupported("a jump")
    at = next((i for i, ins in enumerate(prog) if ins and ins.op.startswith("vpmadd52")), None)
    if at is None:
        raise Unsupported("no multiplication")
    return at


class LoadedProof:
    """The proof of the elements that are loaded, and of the results computed from them."""

    def __init__(self, prog, spec, places, binary=None):
        first = first_product(prog)
        self.prog = prog[:first] + prog[-1:]
        self.loads = MovesProof(self.prog, spec.loads, places)
        self.products = LaneProof(prog[first:], spec.products, places, binary)
        self.elements, self.public = self.products.elements, None

    def run(self):
        """Raises Stuck if the routine is not proved."""
        moved, state = self.loads.state(), self.products.start.clone()
        moved.execute(self.prog)
        if moved.prefetched:
            raise Stuck("prefetches are not as specified")
        known = {"sp", "caller's frame", *state.objects}
        state.regs = {r: v for r, v in moved.regs.items() if isinstance(v, Ptr) and v.base in known}
        state.upper = moved.upper
        same = {r: words[0] for r, words in moved.vectors.items() if all(w is words[0] for w in words)}
        state.vectors = {r: state.t.constant(w.value) for r, w in same.items() if isinstance(w, Bits) and w.value is not None}
        values = self.loaded(moved, state)
        self.products.follow(state, 0)
        self.products.finish(state, self.products.expect(values))

    def loaded(self, moved, state):
        """Sets registers to the limbs that they hold, and returns the elements to which these limbs belong."""
        wanted, values = [list(self.loads.wanted(lane)) for lane in range(8)], []
        for n in range(len(wanted[0][0])):
            e = self.elements.fresh()
            for k in range(5):
                limb = [[elements[n][k] for elements in cases] for cases in wanted]
                if k == 4 and any(len(bits) != SIZE or sum(bool(bit) << i for i, bit in enumerate(bits)) >= TOP_LIMB for cases in limb for bits in cases):
                    raise Stuck("limb 4 may be too large")
                if k < 4 and any(len(bits) != LIMB for cases in limb for bits in cases):
                    raise Stuck("the specification does not give limbs")
                held = [r for r, words in moved.vectors.items() if self.holds(words, limb)]
                if not held:
                    raise Stuck(f"limb {k} of element {n} is in no register")
                # The bits above bit 51 are arbitrary.
                state.vectors.update((r, self.elements.words(e)[k]) for r in held)
            values.append([e.value])
        return values

    def holds(self, words, limb):
        """Whether a vector has a limb in each lane, in all cases."""
        try:
            for lane, cases in enumerate(limb):
                for case, bits in enumerate(cases):
                    self.loads.compare("", words[lane], lane, case, bits)
        except Stuck:
            return False
        return True


class LoadedCase(MovesCase):
    """Inputs, and the results as integers."""

    def __init__(self, spec, places, seed, most=3):
        super().__init__(spec.loads, places, seed, most)
        self.computes = spec

    def wrong(self, m):
        for lane, elements in enumerate(self.want):
            values = [[value([number(bits) for bits in limbs])] for limbs in elements]
            for p, want in zip(self.computes.outs, self.computes.formula(*values), strict=True):
                limbs = [m.mem.get(self.objects[p.name] + 64 * k + 8 * lane) for k in range(5)]
                if None in limbs:
                    return f"{p.name} is not set"
                if limbs[4] >= TOP_LIMB or (value(limbs) - want) % self.computes.n:
                    return f"{p.name} is wrong in lane {lane}"
        return None

    def start(self, proof):
        """The state in which the code up to the first multiplication starts."""
        return proof.loads.state()

    def verify(self, proof, claims):
        super().verify(proof.loads, claims)
