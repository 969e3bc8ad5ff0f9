"""The kinds of routines, and the functions that emulate, compare and prove a routine of any kind."""

import random

import specs
from arm64 import ArmCase, ArmProof
from compiled import Compiled, CompiledCase
from concrete import Case
from doubles import DoublesCase, DoublesProof, LoadsCase, LoadsProof
from digits import DigitsCase, DigitsProof
from divsteps import ArmDivstepsCase, ArmDivstepsProof, DivstepsCase, DivstepsProof
from lanes import LaneCase, LaneProof
from loaded import LoadedCase, LoadedProof
from moves import MovesCase, MovesProof
from routine import Proof
from specs import Bits, Given
from split import SplitCase, SplitProof
from symbolic import Stuck

# The class of the proof and the class of the inputs for each class of specifications.
KINDS = {
    specs.Spec: (Proof, Case), specs.Arm: (ArmProof, ArmCase), specs.Go: (Compiled, CompiledCase),
    specs.Lanes: (LaneProof, LaneCase), specs.Split: (SplitProof, SplitCase), specs.Loaded: (LoadedProof, LoadedCase),
    specs.Doubles: (DoublesProof, DoublesCase), specs.Loads: (LoadsProof, LoadsCase),
    specs.Moves: (MovesProof, MovesCase), specs.Digits: (DigitsProof, DigitsCase),
    specs.Divsteps: (DivstepsProof, DivstepsCase), specs.ArmDivsteps: (ArmDivstepsProof, ArmDivstepsCase)}


def proof(prog, spec, *args):
    return KINDS[type(spec)][0](prog, spec, *args)


def prove(prog, spec, binary=None):
    """Proves a routine under every aliasing; raises Stuck, or returns the number of proved elements."""
    proved = 0
    for family in spec.families():
        public = {}
        for member, places in members([family]):
            p = proof(prog, member, places, binary)
            try:
                p.run()
                if member is not family[0] and p.public != public[str(places)]:
                    raise Stuck("an address or the contents left in a vector depends on a parameter")
            except Stuck as e:
                shared = [f"{name} in {base}" for name, (base, _) in places.items() if name != base]
                shared += [f"{q.name} = {q.value}" for q in member.params if isinstance(q, (Given, Bits))]
                raise Stuck(f"{e}" + (f" (with {', '.join(shared)})" if shared else "")) from None
            public[str(places)] = p.public
            proved += p.elements.proved
    return proved


def members(families):
    """All pairs of a specification and an aliasing."""
    return [(member, places) for family in families for member in family for places in member.aliasings()]


def case(spec, *args, **options):
    return KINDS[type(spec)][1](spec, *args, **options)


def sample(spec, most, seed=0):
    """At most the given number of pairs of a specification and an aliasing, at random."""
    ways = members(spec.families())
    return random.Random(seed).sample(ways, min(most, len(ways)))


def cases(spec, count, seed):
    """The given number of cases, which take the specifications and aliasings in turn."""
    ways = sample(spec, count, seed)
    return [case(*ways[i % len(ways)], f"{seed} {i}") for i in range(count)]


def lockstep(prog, spec, places, seed, binary=None):
    """Compares every step of the symbolic execution with the emulator, which tests all equations and bounds of
    variables at the values of one case. Raises AssertionError if they differ."""
    this, that = case(spec, places, seed, most=1), proof(prog, spec, places, binary)
    state, m, claims = this.start(that), this.machine(binary), []
    m.beside = state
    for _, ins in m.follow(that.prog):
        if ins.op == "j":
            assert not m.jumps(ins) if spec.loop and that.repeats(state, ins) else state.jumps(ins) == m.jumps(ins), ins
            continue
        state.step(ins)
        m.step(ins)
        claims += [(ins, *claim) for claim in this.claims(ins, state, m)]
    this.verify(that, claims)
    return len(claims)
