"""What an instruction reads and writes, and which registers later code reads."""

import collections
import functools

from emulator import Machine
from x86 import FLAGS, FLOW, REGS, VECTORS, Processor


class Noted(collections.UserDict):
    """Registers or flags that all hold zero, and notes of which are read and which are written."""

    def __init__(self, effects, zero=0):
        super().__init__()
        self.effects, self.zero = effects, zero

    def __contains__(self, name):
        return name not in {*FLAGS, "le", "l", "be"}

    def __getitem__(self, name):
        self.effects.reads.add(name)
        return self.zero

    def __setitem__(self, name, v):
        self.effects.writes.add(name)


class Effects(Machine):
    """The registers, flags and memory that one instruction reads and writes. Registers hold zero, so that an address is
    the displacement. base is the register from which the address is counted, or the operand if that has an index,
    because the address is then unknown. It equals no register."""

    def __init__(self, ins):
        self.reads, self.writes, self.base, self.places, self.stores = set(), set(), None, set(), False
        self.regs, self.masks, self.flags, self.vectors = Noted(self), Noted(self), Noted(self), Noted(self, [0] * 8)
        self.writable = ()
        if ins.op == "j":
            self.condition(ins.cond)
        else:
            self.step(ins)

    lanewise = Processor.lanewise  # notes what is read, instead of remembering results

    def place(self, m):
        self.base = m if m.index else m.base
        return super().place(m)

    def load(self, addr):
        self.places.add(addr)
        return 0

    def store(self, addr, v):
        self.places.add(addr)
        self.stores = True

    def load_half(self, m):
        return self.load(self.place(m))

    load_byte = load_half

    def store_half(self, m, v):
        self.store(self.place(m), v)

    def fused(self, *_):
        return self.regs["mxcsr"]

    def prefetch(self, a):
        self.address(a)


effects = functools.cache(Effects)


def independent(x, y, live):
    """Reports whether swapping two instructions has no effect, if later code reads only the live registers and flags.
    Returns True for control flow, so that it is not swapped."""
    if x.text == y.text or {x.op, y.op} & FLOW:
        return True
    x, y = effects(x), effects(y)
    both = x.writes & y.writes
    if x.writes & y.reads or y.writes & x.reads or both - set(FLAGS) or both & live:
        return False
    if x.places and y.places and (x.stores or y.stores):
        # Disjoint accesses need the same base register, because different registers may hold equal addresses.
        return x.base == y.base and not x.places & y.places
    return True


def liveness(prog):
    """For every instruction, and for the end, the registers and flags that may be read before they are overwritten."""
    live = [set() for _ in range(len(prog) + 1)]
    live[-1] = next(ins.saved for ins in prog if ins)
    for _ in range(2):  # a second pass, because of the loop
        for i, ins in reversed(list(enumerate(prog))):
            live[i] = set(live[i + 1])
            if ins and (ins.op in FLOW - {"j", "ret"} or ins.op == "ret" and i + 1 < len(prog)):
                live[i] = {*REGS, *FLAGS, *VECTORS}  # the state there is not known, so all registers may be read
            elif ins:
                after = live[i] | live[ins.target] if ins.op == "j" else live[i]
                live[i] = after - effects(ins).writes | effects(ins).reads
    return live
