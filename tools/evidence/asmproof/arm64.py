"""The instructions of ARM64 that the routines use: how they are decoded, and the meaning of each.

This is the only module that knows the instruction set of ARM64, and x86.py is the only module that knows the
instruction set of x86-64. An instruction that this module does not list is an error. Flags have the processor's values:
a subtraction that does not borrow sets C.
"""

import re
from dataclasses import dataclass

import concrete
import routine
import x86
from emulator import Machine
from symbolic import Ptr, State, Stuck
from x86 import ONES, WORD, Imm, Mem, Reg, Unsupported, Vec

REGS = [f"x{i}" for i in range(31)] + ["sp"]
VECTORS = [f"v{i}" for i in range(32)]
SAVED = ("sp", "x18", "x28", "x29", "x30")  # A routine must leave these registers as they were. X28 holds the goroutine; X18 is reserved for the system.
CONDITIONS = {"cs": ("cf", 1), "hs": ("cf", 1), "cc": ("cf", 0), "lo": ("cf", 0), "eq": ("zf", 1), "ne": ("zf", 0),
              "mi": ("sf", 1), "pl": ("sf", 0)}
ZERO = Imm(0)

INSTRUCTIONS = {}  # for each name, the forms of the instruction: the kinds of its operands, and its meaning


def instruction(names, *operands):
    """Registers the decorated function as the meaning of the named instructions. The arguments of the function are a
    state, an instruction, and the operands of the instruction.

    operands has patterns with a group of letters for each operand: r for a register, s for SP, z for the zero register,
    i for an integer, m for memory, n for memory with pre-indexing, which changes the base, v for a vector, w for a list
    of vectors, l for a lane, k for a shift, and c for a condition.
    """
    def register(meaning):
        for name in names.split():
            INSTRUCTIONS.setdefault(name, []).extend((letters.split(), meaning) for letters in operands)
        return meaning
    return register


@dataclass(frozen=True)
class Lane:
    """A word of a vector."""

    name: str
    index: int


class Instr:
    """One instruction: its name, and its operands, in the order of the text."""

    saved = set(SAVED)
    padding = ["udf", "#0"], ["nop"]

    def __init__(self, addr, text):
        self.addr, self.text = addr, text
        self.cond = self.target = self.mask = None
        self.words, self.width, self.zeroing = 2, 64, False
        self.op, *rest = re.sub(r"\s*//.*", "", text).split(None, 1)
        if self.op in ("cbnz", "cbz"):
            name, target = re.fullmatch(r"(x\d+), ([0-9a-f]+) <.*>", rest[0].strip()).groups()
            self.op, self.args, self.cond, self.target = "j", [], (name, int(self.op == "cbz")), int(target, 16)
            return
        args = re.findall(r"(?:\{[^}]*\}|\[[^]]*\]!?|[^,\[{])+", rest[0]) if rest else []
        kinds, self.args = [], []
        for s in map(str.strip, args):
            if s:
                kind, a = self._operand(s)
                kinds.append(kind)
                self.args.append(a)
        for letters, meaning in INSTRUCTIONS.get(self.op, ()):
            if len(letters) == len(kinds) and all(set(k) & set(l) for k, l in zip(kinds, letters)):
                self.meaning = meaning
                return
        raise Unsupported(text)

    def _operand(self, s):
        """Returns the letters of the kinds that an operand has, and the operand."""
        if s in REGS:
            return "s" if s == "sp" else "rsz", Reg(s)
        if s == "xzr":
            return "z", ZERO
        if m := re.fullmatch(r"#(-?(?:0x[0-9a-f]+|\d+))", s):
            return "i", Imm(int(m[1], 0) % WORD)
        if m := re.fullmatch(r"(lsl|lsr|asr) #(\d+)", s):
            return "k", (m[1], int(m[2]))
        if m := re.fullmatch(r"\[(\w+)(?:, #(-?\d+))?\](!?)", s):
            if m[1] in REGS:
                return "n" if m[3] else "m", Mem(m[1], int(m[2] or 0))
        if m := re.fullmatch(r"(v\d+)\.(?:2d|16b)", s):
            return "v", Vec(m[1], 2)
        if m := re.fullmatch(r"\{v(\d+)\.2d(?:-v(\d+)|, v(\d+))\.2d\}", s):
            first, last = int(m[1]), int(m[2] or m[3])
            if first < last and (m[2] or last == first + 1):
                return "w", [Vec(f"v{i}", 2) for i in range(first, last + 1)]
        if m := re.fullmatch(r"(v\d+)\.d\[([01])\]", s):
            return "l", Lane(m[1], int(m[2]))
        if s in CONDITIONS:
            return "c", CONDITIONS[s]
        raise Unsupported(self.text)

    def __str__(self):
        return re.sub(r"\s+", " ", self.text)


def decode(code):
    """Decodes a routine as x86.decode does."""
    code = list(code)
    if [" ".join(text.split()) for _, text in code[1:3]] == ["stp x29, x30, [x20, #-8]", "mov sp, x20"]:
        # For large frames Go saves registers below SP and then moves SP. The proof assumes the opposite order.
        code[1:3] = code[2], code[1]
    prog = x86.decode(code, Instr)
    for i, ins in enumerate(prog):
        ins.unsigned = ins.op == "mul" and has_high(ins, prog[i + 1:])
    return prog


def has_high(low, after):
    """Whether the code also computes the high word of this unsigned product. If so, a proof computes both words
    together, with the same results."""
    for ins in after:
        if ins.op == "umulh" and {*ins.args[1:]} == {*low.args[1:]}:
            return True
        if ins.op == "j" or ins.args and ins.args[0] in low.args:
            return False
    return False


# Meanings.


def carry_of(s, borrow):
    """The carry flag of a subtraction, which is set if the subtraction did not borrow. In a proof, the flag may be a
    function that computes it."""
    if borrow is None:
        return None
    return (lambda: s.invert_bit(borrow())) if callable(borrow) else s.invert_bit(borrow)


SHIFTS = {"lsl": "shl", "lsr": "shr", "asr": "sar"}


@instruction("add adds adc adcs", "rs rsz rsz", "rs rs i")
def add(s, ins, dest, x, y):
    v, carry, overflow = s.add(s.get(y), s.get(x), s.flag("cf") if ins.op[:3] == "adc" else s.OFF)
    if ins.op[-1] == "s":
        s.flags.update(cf=carry, of=overflow)
        s.result(v)
    s.set(dest, v)


@instruction("sub subs sbc sbcs", "rs rsz rsz", "rs rs i")
@instruction("sub", "r r i k")
def subtract(s, ins, dest, x, y, shift=None):
    y = Imm(y.value << shift[1]) if shift else y
    borrow = s.invert_bit(s.flag("cf")) if ins.op[:3] == "sbc" else s.OFF
    v, borrow, overflow = s.sub(s.get(x), s.get(y), borrow)
    if ins.op[-1] == "s":
        s.flags.update(cf=carry_of(s, borrow), of=overflow)
        s.result(v)
    s.set(dest, v)


for names, operands, meaning in (
        ("neg", "r r", lambda s, ins, dest, x: s.set(dest, s.sub(s.constant(0), s.get(x), s.OFF)[0])),
        ("mul", "r r r", lambda s, ins, dest, x, y: s.set(
            dest, s.mul(s.get(x), s.get(y))[0] if ins.unsigned else s.mul_low(s.get(x), s.get(y)))),
        ("umulh", "r r r", lambda s, ins, dest, x, y: s.set(dest, s.mul(s.get(x), s.get(y))[1])),
        ("smulh", "r r r", lambda s, ins, dest, x, y: s.set(dest, s.mul_high_signed(s.get(x), s.get(y)))),
        ("extr", "r r r i", lambda s, ins, dest, high, low, k: s.set(
            dest, s.double_shift("shr", s.get(high), s.get(low), k.value)[0])),
        ("csel", "r rz rz c", lambda s, ins, dest, x, y, cond: s.set(
            dest, s.choose(s.condition(cond), s.get(x), s.get(y)))),
        ("cinv", "r r c", lambda s, ins, dest, x, cond: s.set(
            dest, s.choose(s.condition(cond), s.invert(s.get(x)), s.get(x)))),
        ("madd", "r r r r", lambda s, ins, dest, x, y, z: s.set(
            dest, s.add(s.mul_low(s.get(x), s.get(y)), s.get(z), s.OFF)[0])),
        ("sbfx ubfx", "r r i i", lambda s, ins, dest, x, low, size: s.set(dest, bits_of(s, ins, s.get(x), low.value, size.value))),
        ("dup", "v r", lambda s, ins, dest, x: s.put_vector(dest, [s.get(x)] * 2, 2)),
        ("ret", "", lambda s, ins: None)):  # the caller that follows the code handles RET
    instruction(names, operands)(meaning)


@instruction("and orr eor", "r r z", "r z i", "r r i", "r r r k")
def logic(s, ins, dest, x, y, shift=None):
    y = s.get(y)
    if shift:
        y = s.shift(SHIFTS[shift[0]], y, shift[1])[0]
    op = {"and": "and", "orr": "or", "eor": "xor"}[ins.op]
    s.set(dest, s.bitwise(op, s.get(x), y))


@instruction("tst", "r r")
def test(s, ins, x, y):
    v = s.get(x) if x == y else s.bitwise("and", s.get(x), s.get(y))
    s.flags.update(cf=s.OFF, of=s.OFF)
    s.result(v)


@instruction("lsl lsr asr", "r r i")
def shift(s, ins, dest, x, k):
    s.set(dest, s.shift(SHIFTS[ins.op], s.get(x), k.value)[0])


def bits_of(s, ins, v, low, size):
    """The bits of a word from bit low on, zero-extended or, for SBFX, sign-extended."""
    if low + size < 64:
        v = s.shift("shl", v, 64 - low - size)[0]
    return s.shift("sar" if ins.op == "sbfx" else "shr", v, 64 - size)[0]


@instruction("mov", "r i", "rs rs", "r l")
def move(s, ins, dest, x):
    s.set(dest, s.lanes(Vec(x.name, 2), 2)[x.index] if isinstance(x, Lane) else s.get(x))


@instruction("movk", "r i k")
def move_part(s, ins, dest, x, shift):
    at = shift[1]
    kept = s.bitwise("and", s.get(dest), s.constant(ONES ^ 0xffff << at))
    s.set(dest, s.bitwise("or", kept, s.constant(x.value << at)))


@instruction("ldr", "r m")
@instruction("ldp", "r r m")
def load(s, ins, *args):
    *dests, m = args
    words = [s.get(m.after(i)) for i in range(len(dests))]
    for dest, v in zip(dests, words):
        s.set(dest, v)


@instruction("str stur", "r m")
@instruction("stp", "r r m")
def store(s, ins, *args):
    *sources, m = args
    for i, v in enumerate([s.get(a) for a in sources]):
        s.set(m.after(i), v)


def advance(s, base, step):
    s.set(Reg(base), s.add(s.constant(step), s.get(Reg(base)), s.OFF)[0])


@instruction("str", "r n")
def store_and_move(s, ins, source, m):
    v = s.get(source)
    advance(s, m.base, m.disp)
    s.set(Mem(m.base, 0), v)


@instruction("and orr eor add cmeq bit", "v v v")
def lanewise(s, ins, dest, x, y):
    if ins.op == "eor" and x.name == y.name:
        s.put_vector(dest, [s.constant(0)] * 2, 2)  # the result is zero, whatever the register holds
        return
    s.put_vector(dest, s.lanewise(LANES[ins.op], s.lanes(dest, 2) if ins.op == "bit" else [None] * 2, s.lanes(x, 2), s.lanes(y, 2)), 2)


LANES = {
    "and": lambda s, d, x, y: s.bitwise("and", x, y),
    "orr": lambda s, d, x, y: s.bitwise("or", x, y),
    "eor": lambda s, d, x, y: s.bitwise("xor", x, y),
    "add": lambda s, d, x, y: s.add(x, y, s.OFF)[0],
    "cmeq": lambda s, d, x, y: s.choose(s.equal(x, y), s.constant(-1), s.constant(0)),
    "bit": lambda s, d, x, y: s.bitwise("or", s.bitwise("and", x, y), s.bitwise("and", d, s.invert(y)))}


@instruction("ld1", "w m i")
def load_vectors(s, ins, dests, m, step):
    for i, dest in enumerate(dests):
        s.put_vector(dest, s.lanes(m.after(2 * i), 2), 2)
    advance(s, m.base, step.value)


@instruction("st1", "w m")
def store_vectors(s, ins, sources, m):
    for i, source in enumerate(sources):
        s.put_vector(m.after(2 * i), s.lanes(source, 2), 2)


# States, and where a routine finds its parameters.


class ArmMachine(Machine):
    stack, below, popped = "sp", 8, 0


class ArmState(State):
    stack, frame, below, framed = "sp", "x29", 8, False

    def __init__(self, *args):
        super().__init__(*args)
        self.regs.update((r, Ptr(f"the caller's {r}", 0)) for r in SAVED if r != "sp")
        self.regs["x29"] = Ptr("sp", -8)
        self.kept = {r: self.regs[r] for r in SAVED}

    def place(self, m, size=8):
        """X29 points to the caller's X29, 8 bytes below SP, whenever operands are accessed."""
        base, off = super().place(m, size)
        at = ("sp", self.regs["sp"].off - 8)
        if base != "sp" and (self.regs["x29"] != Ptr(*at) or at[1] != -8 and self.mem.get(at) != self.kept["x29"]):
            raise Stuck("access without a frame pointer")
        return base, off

    def mul_low(self, x, y):
        unsigned = x.is_unsigned() and y.is_unsigned()
        return super().mul_low(x, y) if unsigned else self.signed_product(x, y)[0]

    def ended(self, prefetches):
        for r, v in self.kept.items():
            if self.regs.get(r) != v:
                raise Stuck(f"{r.upper()} at RET")
        if self.prefetched:
            raise Stuck("prefetches something")

    def left_in_vectors(self):
        return {r: [w and w.poly.key() for w in v[:2]] for r, v in self.vectors.items()}


class ArmProof(routine.Proof):
    state = ArmState


class ArmCase(concrete.Case):
    emulator = ArmMachine
    names = REGS, VECTORS

    def begin(self):
        self.regs["sp"], self.regs["x29"] = concrete.TOP, concrete.TOP - 8

    def check(self, m):
        return next((r.upper() for r in SAVED if m.regs[r] != self.regs[r]), None) or self.wrong(m)
