"""The instructions of x86-64 that the routines use: how they are decoded, and the meaning of each.

This is the only module that knows the instruction set.  A meaning is a function of a state, and the state decides what
a word is: an integer in the emulator, a polynomial or a tuple of bits in a proof (see Processor).  An instruction that
is not listed here is an error, because a proof must not rest on a guess of its meaning.
"""

import functools
import re
from dataclasses import dataclass, replace

WORD = 1 << 64
ONES = WORD - 1
SIGN, ONE = 1 << 63, 0x3ff << 52  # the bits of the doubles -0 and 1

REGS = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"] + [f"r{i}" for i in range(8, 16)]
_NAMES = {r: (r, 64) for r in REGS}
_NAMES.update({"e" + r[1:]: (r, 32) for r in REGS[:8]})
_NAMES.update({r + "d": (r, 32) for r in REGS[8:]})
_NAMES.update({name: (r, 8) for r, name in zip(REGS, ["al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"] + [r + "b" for r in REGS[8:]])})

VECTORS = [f"zmm{i}" for i in range(32)]
_VECTORS = {name + v[1:]: (v, words) for v in VECTORS for name, words in (("x", 2), ("y", 4), ("z", 8))}
MASKS = [f"k{i}" for i in range(8)]
SAVED = {"rsp", "rbp"}  # a routine must leave these registers as they were
CLEARED = VECTORS[:16]  # a routine must leave the upper parts of these registers clear, as VZEROUPPER does

CONDITIONS = {"b": ("cf", 1), "c": ("cf", 1), "ae": ("cf", 0), "nc": ("cf", 0), "nb": ("cf", 0),
              "e": ("zf", 1), "z": ("zf", 1), "ne": ("zf", 0), "nz": ("zf", 0), "s": ("sf", 1), "ns": ("sf", 0), "le": ("le", 1), "g": ("le", 0),
              "l": ("l", 1), "ge": ("l", 0), "be": ("be", 1), "a": ("be", 0)}
FLOW = {"j", "jmp", "call", "ret", "int3"}  # control flow, which the method follow handles

FLAGS = ("cf", "of", "zf", "sf")
CONTROL, USUAL_CONTROL = 0xffc0, 0x1f80  # the bits of MXCSR that control the processor, and their values by default


class Unsupported(Exception):
    """Code outside the supported subset."""


@dataclass(frozen=True)
class Reg:
    """A register, its lower half, or its lowest byte."""

    name: str
    width: int = 64


@dataclass(frozen=True)
class Mask:
    """A mask register."""

    name: str


@dataclass(frozen=True)
class Vec:
    """A vector register, or its lowest words."""

    name: str
    words: int


@dataclass(frozen=True)
class Imm:
    value: int


@dataclass(frozen=True)
class Mem:
    """A word or a vector in memory, at an offset from a register or at a fixed address."""

    base: str | None
    disp: int
    broadcast: bool = False  # one word, repeated for all words of a vector
    index: str | None = None  # a register that, times the scale, also belongs to the address
    scale: int = 1

    def after(self, words):
        return replace(self, disp=self.disp + 8 * words, broadcast=False)


@dataclass(frozen=True)
class Lea:
    """A sum of registers, each with its scale, and a displacement."""

    parts: tuple
    disp: int


RAX, RDX = Reg("rax"), Reg("rdx")


# Decoding.


class Form:
    """The operands that an instruction may have, and its meaning."""

    def __init__(self, operands, meaning, sizes=(), old=False, mask="may"):
        """operands has letters for the kinds that each operand may have. sizes has the numbers of words that vectors
        may have.

        old is set for instructions before AVX-512, which have no masks and only registers 0 to 15. The destination's
        mask is optional ("may"), required ("must"), optional but zeroing ("zeroing"), or forbidden (None).
        """
        self.operands, self.meaning, self.sizes, self.old = operands.split(), meaning, sizes, old
        self.mask = None if old or not sizes else mask

    def fits(self, ins):
        vectors = [a for a in ins.args if isinstance(a, Vec)]
        return (len(self.operands) == len(ins.args) and all(self._fits(letters, a, ins.words) for letters, a in zip(self.operands, ins.args))
                and (not self.sizes or ins.words in self.sizes) and len({a.width for a in ins.args if isinstance(a, Reg) and a.width > 8}) < 2
                and sum(isinstance(a, Mem) for a in ins.args) < 2
                and not (self.old and any(int(a.name[3:]) >= 16 for a in vectors))
                and (ins.mask in self._masks(ins)) and not (ins.zeroing and not isinstance(ins.args[-1], Vec)))

    def _masks(self, ins):
        """The masks that the destination may have."""
        if self.mask == "must":
            return MASKS if not ins.zeroing else ()
        if self.mask == "zeroing":
            return MASKS if ins.zeroing else (None,)
        return (None, *MASKS) if self.mask else (None,)

    @staticmethod
    def _fits(letters, a, words):
        """Whether an operand has one of the kinds. For b, memory may be one word, repeated; x is a vector of two words,
        and h is a vector with half as many words as the others."""
        kinds = {"i": isinstance(a, Imm), "r": isinstance(a, Reg) and a.width == 64, "e": isinstance(a, Reg) and a.width > 8,
                 "c": isinstance(a, Reg) and a.width == 8, "a": isinstance(a, Lea), "k": isinstance(a, Mask),
                 "b": isinstance(a, Mem), "m": isinstance(a, Mem) and not a.broadcast,
                 "v": isinstance(a, Vec) and a.words == words, "x": isinstance(a, Vec) and a.words == 2, "h": isinstance(a, Vec) and a.words == words // 2}
        return any(kinds[letter] for letter in letters)


INSTRUCTIONS = {}  # for each name, the forms of the instruction


def instruction(names, *operands, **options):
    """Registers the decorated function as the meaning of the named instructions with operands of these kinds. The
    arguments of the function are a state, an instruction, and the operands of the instruction."""
    def register(meaning):
        for name in names.split():
            INSTRUCTIONS.setdefault(name, []).extend(Form(letters, meaning, **options) for letters in operands)
        return meaning
    return register


class Instr:
    """One instruction: its name without condition and size, and its operands, the destination last."""

    saved = {*SAVED, *CLEARED, "mxcsr"}  # registers whose values matter at RET
    padding = ["int3"], ["nop"]  # what may follow RET

    def __init__(self, addr, text):
        self.addr, self.text = addr, text
        self.cond = self.target = self.mask = None
        self.zeroing = False
        code, _, comment = text.partition("#")
        self.op, *rest = code.split(None, 1)
        args = re.findall(r"[^,(]*\([^)]*\)(?:\{[^}]*\})*|[^,]+", rest[0].strip()) if rest else []
        if args and (m := re.fullmatch(r"(.*)\{%(k[1-7])\}(\{z\})?", args[-1].strip())):
            args[-1], self.mask, self.zeroing = m[1], m[2], m[3] is not None
        if self.op in ("jmp", "call", "int3"):
            self.args, self.words = [], 0
            self.target = int(args[0].split()[0], 16) if self.op in ("jmp", "call") else None
            return
        if self.op[0] == "j":
            self._jump(args)
            return
        if self.op == "test" and len(args) == 2 and re.fullmatch("%[abcd]l", args[0]) and "(" in args[1]:
            self.op, args = "reach", args[1:]  # Go's check for nil, which ignores the result
        for name in "cmov", "set":
            if self.op.startswith(name):
                self.cond, self.op = CONDITIONS.get(self.op[len(name):]), name
        if self.op not in INSTRUCTIONS and self.op[-1] == "q":
            self.op = self.op[:-1]
        if self.op in ("nop", "nopl", "nopw") or self.op == "xchg" and args == ["%ax", "%ax"]:
            self.op, args = "nop", []
        self.args = [self._operand(a.strip(), comment) for a in args]
        self.words = next((a.words for a in reversed(self.args) if isinstance(a, Vec)), 0)
        self.width = min((a.width for a in self.args if isinstance(a, Reg)), default=64)
        self.meaning = next((form.meaning for form in INSTRUCTIONS.get(self.op, ()) if form.fits(self)), None)
        if self.meaning is None or self.op in ("cmov", "set") and self.cond is None:
            raise Unsupported(text)

    def _jump(self, args):
        self.cond = CONDITIONS.get(self.op[1:])
        target = re.match(r"([0-9a-f]+)(?: |$)", args[0]) if len(args) == 1 else None
        if self.cond is None or target is None:
            raise Unsupported(self.text)
        self.op, self.args, self.target, self.words = "j", [], int(target.group(1), 16), 0

    def _operand(self, s, comment):
        if s[0] == "$":
            return Imm(int(s[1:], 16) % WORD)
        if s[0] == "%":
            for kind, names in ((Vec, _VECTORS), (Reg, _NAMES), (Mask, {k: (k,) for k in MASKS})):
                if s[1:] in names:
                    return kind(*names[s[1:]])
            raise Unsupported(self.text)
        m = re.fullmatch(r"(-?0x[0-9a-f]+)?\((?:%(\w+))?(?:,%(\w+),(\d))?\)(\{1to[248]\})?", s)
        if not m:
            raise Unsupported(self.text)
        disp, base, index, scale, all_lanes = int(m[1] or "0", 16), m[2], m[3], int(m[4] or "1"), m[5] is not None
        only_address = self.op in ("lea", "prefetcht0")
        if base == "rip":
            at = re.match(r"\s*([0-9a-f]+)", comment)
            if not at or self.op == "prefetcht0":
                raise Unsupported(self.text)
            if only_address:
                return Lea((), int(at.group(1), 16))
            return Mem(None, int(at.group(1), 16), all_lanes)
        if any(r is not None and _NAMES.get(r, (0, 0))[1] != 64 for r in (base, index)):
            raise Unsupported(self.text)
        if only_address:
            return Lea(tuple((r, k) for r, k in ((base, 1), (index, scale)) if r), disp)
        if not base or index and all_lanes:
            raise Unsupported("indexed address in " + self.text)
        return Mem(base, disp, all_lanes, index, scale)

    def __str__(self):
        return re.sub(r"\s+", " ", self.text)


def decode(code, kind=Instr):
    """Decodes a routine, given as addresses and texts, checks its shape, and returns its instructions up to and
    including its only RET."""
    prog = []
    for i, (addr, text) in enumerate(code):
        prog.append(kind(addr, text))
        if prog[-1].op in ("jmp", "call"):
            raise Unsupported(text)
        if prog[-1].op == "ret":
            if any(t.split() not in kind.padding for _, t in code[i + 1:]):
                raise Unsupported("code after RET")
            break
    else:
        raise Unsupported("no RET")
    where = {ins.addr: i for i, ins in enumerate(prog)}
    for ins in prog:
        if ins.op == "j":
            ins.target = where.get(ins.target)
            if ins.target is None:
                raise Unsupported(f"{ins}: a jump out of the routine")
    return prog


def simple(prog):
    """Checks that a routine, or a mutant, has no indexed addresses and at most one jump, backwards."""
    jumps = [(ins, i) for i, ins in enumerate(prog) if ins and ins.op == "j"]
    for ins, i in jumps:
        if ins.target > i:
            raise Unsupported(f"{ins}: a jump forwards")
    if len(jumps) > 1:
        raise Unsupported("more than one jump")
    for ins in prog:
        if ins and any(isinstance(a, Mem) and a.index for a in ins.args):
            raise Unsupported(f"indexed address in {ins}")


# Meanings.


class Processor:
    """A state in which instructions are executed.

    It has flags by name, and these methods for operands: get and set, set_byte (which keeps the other bytes of a
    register), lanes (the words of a vector) and put_vector, mask and put_mask (a bit for each lane), push and pop. The operations on words and bits are listed below. A kind of
    state implements the operations whose results it can determine; instructions that need any other operation are
    unsupported.
    """

    OPERATIONS = {
        "constant": "the word of an integer",
        "word": "the word of a bit",
        "known": "the integer that a word is known to be",
        "add": "x + y + carry: the sum, the carry and the overflow",
        "sub": "x - y - borrow: the difference, the borrow and the overflow",
        "mul": "the low and the high word of a product",
        "mul_low": "the low word of a product",
        "mul_high_signed": "the high word of the product of signed words",
        "mul52": "the high or the low half of the product of 52 bits of each word",
        "bitwise": "and, or, xor of words",
        "invert": "a word with all bits inverted",
        "bit": "and, or of bits",
        "invert_bit": "a bit inverted",
        "equal": "a bit: whether two words are equal",
        "is_zero": "a bit: whether a word is zero",
        "choose": "the first word if the bit is set, else the second",
        "shift": "a word shifted by a number (shl, shr, or sar, with the sign), and the last bit shifted out",
        "double_shift": "the same, with the bits of another word shifted in",
        "fused": "x·y + z, rounded, for words that are doubles",
        "negative": "a double with the other sign",
        "load_byte": "a byte in memory, zero-extended",
        "load_half": "the low half of a word in memory, zero-extended",
        "set_control": "sets MXCSR",
        "store_half": "sets the low half of a word in memory",
        "leading_zeros": "the number of leading zero bits",
        "address": "the word of a sum of registers and a number",
        "prefetch": "nothing",
        "picked": "the words of a table at the given indexes, whose low bits count",
        "picked_bytes": "the bytes of a table at the indexes in the bytes of words, or zero where the mask has no bit",
        "split_bytes": "a word for each byte of a word",
        "mask_of": "the low bits of a word, as a mask",
        "load_mask": "the bits of a byte in memory",
        "store_mask": "sets a byte in memory"}
    OFF = 0  # a bit that is not set
    depth = 0  # the number of calls that have not returned
    beside = None  # another state that follows the same calls and returns

    def __getattr__(self, name):
        if name in self.OPERATIONS:
            raise Unsupported(f"{type(self).__name__} does not implement {name}")
        raise AttributeError(name)

    def step(self, ins):
        """Executes one instruction, except jumps and RET."""
        ins.meaning(self, ins, *ins.args)

    def follow(self, prog, at=0, limit=20000):
        """Yields indexes and instructions up to RET, for the caller to execute, and follows the jumps among them."""
        for _ in range(limit):
            if at >= len(prog):
                raise self.failure("runs past its end")
            ins = prog[at]
            if ins is None:  # left out by a mutation
                at += 1
                continue
            if ins.op == "ret":
                if not self.depth:
                    return
                self.depth -= 1
                at = self.returned()
                if self.beside:
                    self.beside.returned()
            elif ins.op == "call" and ins.target is None:
                raise self.failure(f"{ins}: not a function of the library")
            elif ins.op == "call":
                self.depth += 1
                self.called(at + 1)
                if self.beside:
                    self.beside.called(at + 1)
                at = ins.target
            elif ins.op == "jmp":
                at = ins.target
            elif ins.op == "int3":
                raise self.failure("runs past the end of a function")
            else:
                yield at, ins
                at = ins.target if ins.op == "j" and self.jumps(ins) else at + 1
        raise self.failure("does not end")

    def jumps(self, ins):
        """Whether a jump is taken."""
        return bool(self.condition(ins.cond))

    def condition(self, cond):
        """The bit that is set if the condition holds."""
        name, want = cond
        if name in self.regs:
            bit = self.is_zero(self.get(Reg(name)))
        elif name == "l":
            bit = self.bit("xor", self.flag("sf"), self.flag("of"))
        elif name == "be":
            bit = self.bit("or", self.flag("cf"), self.flag("zf"))
        else:
            bit = self.flag(name)
        return bit if want else self.invert_bit(bit)

    def lanewise(self, f, *columns):
        """Applies the function to the state and one word of each column, for every lane."""
        return [f(self, *words) for words in zip(*columns, strict=True)]

    def whole(self, a, n):
        """All words of a vector. States of one lane override it."""
        return self.lanes(a, n)

    def broadcast(self, word, n):
        return [word] * n

    def shift_by(self, op, x, count):
        """A word shifted by a word."""
        n = self.known(count)
        if n == 0 or n > 63 and op != "sar":
            return x if n == 0 else self.constant(0)
        return self.shift(op, x, min(n, 63))[0]

    def put(self, ins, v):
        """Sets the destination of an instruction, in the lanes of its mask."""
        dest = ins.args[-1]
        if ins.mask:
            old = self.broadcast(self.constant(0), ins.words) if ins.zeroing else self.lanes(dest, ins.words)
            v = self.lanewise(blend, self.mask(ins.mask), v, old)
        self.put_vector(dest, v, ins.words)


def blend(s, bit, x, y):
    return s.choose(bit, x, y)


for names, operands, meaning in (
        ("mov movabs", ("rmi rm", "ei e"), lambda s, ins, source, dest: s.set(dest, s.get(source))),
        ("mov", ("m e",), lambda s, ins, source, dest: s.set(dest, s.load_half(source))),
        ("stmxcsr", ("m",), lambda s, ins, dest: s.store_half(dest, s.regs["mxcsr"])),
        ("ldmxcsr", ("m",), lambda s, ins, source: s.set_control(s.load_half(source))),
        ("movzbl movzbq", ("m e",), lambda s, ins, source, dest: s.set(dest, s.load_byte(source))),
        ("movzbl", ("c e",), lambda s, ins, source, dest: s.set(dest, s.get(source))),
        ("lea", ("a r",), lambda s, ins, source, dest: s.set(dest, s.address(source))),
        ("not", ("r",), lambda s, ins, dest: s.set(dest, s.invert(s.get(dest)))),
        ("cmov", ("rm r",),
         lambda s, ins, source, dest: s.set(dest, s.choose(s.condition(ins.cond), s.get(source), s.get(dest)))),
        ("set", ("c",), lambda s, ins, dest: s.set_byte(dest, s.word(s.condition(ins.cond)))),
        ("push", ("r",), lambda s, ins, source: s.push(s.get(source))),
        ("pop", ("r",), lambda s, ins, dest: s.set(dest, s.pop())),
        ("prefetcht0", ("a",), lambda s, ins, address: s.prefetch(address)),
        ("vzeroupper", ("",), lambda s, ins: s.clear_upper()),
        ("nop ret", ("",), lambda s, ins: None)):  # the caller that follows the code handles RET
    instruction(names, *operands)(meaning)


@instruction("add adc sub sbb cmp", "rmi rm")
def add_or_subtract(s, ins, source, dest):
    if ins.op == "sbb" and source == dest:
        x = y = s.constant(0)  # the result is zero, whatever the register holds
    else:
        x, y = s.get(source), s.get(dest)
    carry = s.flag("cf") if ins.op in ("adc", "sbb") else s.OFF
    v, s.flags["cf"], s.flags["of"] = s.add(x, y, carry) if ins.op in ("add", "adc") else s.sub(y, x, carry)
    s.result(v)
    if ins.op != "cmp":
        s.set(dest, v)


@instruction("cmp", "i e")
@instruction("cmpb", "i m")
def compare_parts(s, ins, source, dest):
    x = s.constant(source.value & 0xff if ins.op == "cmpb" else source.value)
    v, s.flags["cf"], _ = s.sub(s.load_byte(dest) if ins.op == "cmpb" else s.get(dest), x, s.OFF)
    s.result(v)
    s.flags.update(of=None, sf=None)


@instruction("adcx adox", "rm r")
def add_with_one_flag(s, ins, source, dest):
    name = "cf" if ins.op == "adcx" else "of"
    v, s.flags[name], _ = s.add(s.get(source), s.get(dest), s.flag(name))
    s.set(dest, v)


@instruction("and or xor test", "rmi rm", "ei e")
def logic(s, ins, source, dest):
    if ins.op == "xor" and source == dest:
        v = s.constant(0)  # the result is zero, whatever the register holds
    else:
        # The upper half of the immediate is zero, so the whole register can be read.
        short = ins.width == 32 and isinstance(source, Imm) and ins.op in ("and", "test")
        x, y = s.get(source), s.get(Reg(dest.name) if short else dest)
        v = y if source == dest else s.bitwise("and" if ins.op == "test" else ins.op, x, y)
    s.flags.update(cf=s.OFF, of=s.OFF)
    s.result(v, ins.width)
    if ins.op != "test":
        s.set(dest, v)


@instruction("mulx", "rm r r")
def multiply(s, ins, source, low, high):
    x, y = s.mul(s.get(RDX), s.get(source))
    s.set(low, x)
    s.set(high, y)


@instruction("mul", "rm")
def multiply_rax(s, ins, source):
    x, y = s.mul(s.get(RAX), s.get(source))
    s.flags.update(dict.fromkeys(FLAGS))
    s.set(RAX, x)
    s.set(RDX, y)


@instruction("imul", "rm")
def multiply_signed(s, ins, source):
    x, y = s.get(RAX), s.get(source)
    s.flags.update(dict.fromkeys(FLAGS))
    s.set(RAX, s.mul_low(x, y))
    s.set(RDX, s.mul_high_signed(x, y))


@instruction("rorx", "i r r")
def rotate_copy(s, ins, count, source, dest):
    if not 0 < count.value < 64:
        raise Unsupported(f"{ins}: by nothing")
    s.set(dest, s.double_shift("shr", s.get(source), s.get(source), count.value)[0])


@instruction("bts", "i r")
def set_bit(s, ins, which, dest):
    s.flags.update(dict.fromkeys(FLAGS))  # the processor sets CF to the old bit
    s.set(dest, s.bitwise("or", s.get(dest), s.constant(1 << (which.value & 63))))


@instruction("reach", "m")
def reach(s, ins, place):
    s.reach(place)
    s.flags.update(dict.fromkeys(FLAGS))


@instruction("imul", "rm r")
def multiply_low(s, ins, source, dest):
    v = s.mul_low(s.get(source), s.get(dest))
    s.flags.update(dict.fromkeys(FLAGS))
    s.set(dest, v)


@instruction("shl shr sar", "r", "i r")
@instruction("shrd shld", "i r r")
def shift(s, ins, *args):
    k, dest = args[0].value & 63 if args[1:] else 1, s.get(args[-1])
    if not k:
        raise Unsupported(f"{ins}: by nothing")
    double = len(args) == 3
    v, carry = s.double_shift(ins.op[:3], s.get(args[1]), dest, k) if double else s.shift(ins.op, dest, k)
    s.flags.update(cf=carry, of=None)
    s.result(v)
    s.set(args[-1], v)


@instruction("rcr", "r", "i r")
def rotate(s, ins, *args):
    if args[1:] and args[0].value != 1:
        raise Unsupported(f"{ins}: shifts by more than one bit")
    v, carry = s.double_shift("shr", s.word(s.flag("cf")), s.get(args[-1]), 1)
    s.flags.update(cf=carry, of=None)
    s.set(args[-1], v)


@instruction("neg", "r")
def negate(s, ins, dest):
    v, s.flags["cf"], s.flags["of"] = s.sub(s.constant(0), s.get(dest), s.OFF)
    s.result(v)
    s.set(dest, v)


@instruction("inc dec", "e")
def count(s, ins, dest):
    v, _, s.flags["of"] = (s.add if ins.op == "inc" else s.sub)(s.get(dest), s.constant(1), s.OFF)
    if ins.width == 32:
        v, s.flags["of"] = s.bitwise("and", v, s.constant(0xffffffff)), None
    s.result(v, ins.width)
    s.set(dest, v)


# Vectors. An instruction that computes each word from words in the same place is defined by a function of these words,
# in the order of the manual; the destination comes first if it is read.


def lanewise(names, operands, f, same=None, accumulates=False, **options):
    """Registers instructions that compute each lane by itself. same is their constant result if both sources are the same register, or None."""
    @instruction(names, operands, **options)
    def meaning(s, ins, *args):
        *sources, dest = args
        if same is not None and sources[0] == sources[1]:
            s.put(ins, s.broadcast(s.constant(same), ins.words))  # the result is known, whatever the register holds
            return
        if isinstance(sources[0], Imm) and accumulates:
            function = f(sources.pop(0).value)
        else:
            function = f
        columns = [s.broadcast(s.constant(a.value), ins.words) if isinstance(a, Imm) else s.lanes(a, ins.words)
                   for a in (([dest] if accumulates else []) + sources[::-1])]
        s.put(ins, s.lanewise(function, *columns))


@functools.cache
def ternary(table):
    """The function of three words that maps each three bits d, x and y to bit 4d + 2x + y of the table."""
    if table == 0xf8:
        return lambda s, d, x, y: s.bitwise("or", d, s.bitwise("and", x, y))

    def function(s, *words):
        r = s.constant(0)
        for i in range(8):
            if table >> i & 1:
                d, x, y = (w if i & bit else s.invert(w) for w, bit in zip(words, (4, 2, 1)))
                r = s.bitwise("or", r, s.bitwise("and", s.bitwise("and", d, x), y))
        return r
    return function


# Each function exists once, because the proof of moves remembers the results of a function.
SHIFTS = {op: lambda s, x, count, op=op: s.shift_by(op, x, count) for op in ("shl", "shr", "sar")}
OLD, ANY, WIDE, FOUR = {"sizes": (2, 4), "old": True}, {"sizes": (2, 4, 8)}, {"sizes": (8,)}, {"sizes": (4,), "old": True}
lanewise("vpand", "vm v v", lambda s, x, y: s.bitwise("and", x, y), **OLD)
lanewise("vpor", "vm v v", lambda s, x, y: s.bitwise("or", x, y), **OLD)
lanewise("vpxor", "vm v v", lambda s, x, y: s.bitwise("xor", x, y), same=0, **OLD)
lanewise("vpcmpeqq", "vm v v", lambda s, x, y: s.choose(s.equal(x, y), s.constant(-1), s.constant(0)), same=-1, **OLD)
lanewise("vpandq", "vb v v", lambda s, x, y: s.bitwise("and", x, y), **ANY)
lanewise("vpandnq", "vb v v", lambda s, x, y: s.bitwise("and", s.invert(x), y), **ANY)
lanewise("vporq", "vb v v", lambda s, x, y: s.bitwise("or", x, y), **ANY)
lanewise("vpxorq", "vb v v", lambda s, x, y: s.bitwise("xor", x, y), same=0, **ANY)
lanewise("vpternlogq", "i vb v v", ternary, accumulates=True, **ANY)
lanewise("vpaddq", "vb v v", lambda s, x, y: s.add(x, y, s.OFF)[0], **ANY)
lanewise("vpsubq", "vb v v", lambda s, x, y: s.sub(x, y, s.OFF)[0], same=0, **ANY)
lanewise("vpmadd52luq", "vb v v", lambda s, d, x, y: s.add(d, s.mul52(x, y, False), s.OFF)[0], accumulates=True, **ANY)
lanewise("vpmadd52huq", "vb v v", lambda s, d, x, y: s.add(d, s.mul52(x, y, True), s.OFF)[0], accumulates=True, **ANY)
lanewise("vplzcntq", "vb v", lambda s, x: s.leading_zeros(x), **ANY)
lanewise("vpsllq", "i vb v", SHIFTS["shl"], **ANY)
lanewise("vpsrlq", "i vb v", SHIFTS["shr"], **ANY)
lanewise("vpsraq", "i vb v", SHIFTS["sar"], **ANY)
lanewise("vpsllvq", "vb v v", SHIFTS["shl"], **ANY)
lanewise("vpsrlvq", "vb v v", SHIFTS["shr"], **ANY)
lanewise("vaddpd", "vm v v", lambda s, x, y: s.fused(x, s.constant(ONE), y), **FOUR)
lanewise("vsubpd", "vm v v", lambda s, x, y: s.fused(x, s.constant(ONE), s.negative(y)), **FOUR)
lanewise("vmulpd", "vm v v", lambda s, x, y: s.fused(x, y, s.constant(SIGN)), **FOUR)
lanewise("vblendvpd", "v vm v v", lambda s, x, y, z: s.choose(s.is_zero(s.shift("shr", z, 63)[0]), x, y), **FOUR)


def fused(order, sign, sub):
    """The function of the three operands of a fused multiplication, in the order of the manual."""
    def function(s, *words):
        x, y, z = (words[int(i) - 1] for i in order)
        return s.fused(s.negative(x) if sign else x, y, s.negative(z) if sub else z)
    return function


for order in ("132", "213", "231"):
    for sign in ("", "n"):
        for addition in ("add", "sub"):
            lanewise(f"vf{sign}m{addition}{order}pd", "vm v v", fused(order, sign, addition == "sub"), accumulates=True, **FOUR)


@instruction("vpsllq vpsrlq", "x v v", **WIDE)
def shift_all(s, ins, count, source, dest):
    counts = s.broadcast(s.whole(count, 2)[0], ins.words)
    s.put(ins, s.lanewise(SHIFTS["shl" if ins.op == "vpsllq" else "shr"], s.lanes(source, ins.words), counts))


@instruction("vmovdqu vmovupd", "m v", "v m", **OLD)
@instruction("vmovapd", "v v", **OLD)
@instruction("vmovdqu64", "vm v", "v m", **ANY)
@instruction("vmovdqa64", "v v", **ANY)
def move_vector(s, ins, source, dest):
    s.put(ins, s.lanes(source, ins.words))


@instruction("movups", "x m", "m x", "x x", sizes=(2,), old=True)
def move_two(s, ins, source, dest):
    """Sets the two lowest words and leaves the rest of the register unchanged."""
    v = s.lanes(source, 2)
    if isinstance(dest, Vec):
        s.merge(dest, v)
    else:
        s.put_vector(dest, v, 2)


@instruction("vpbroadcastq", "rmx v", **ANY)
def broadcast(s, ins, source, dest):
    s.put(ins, s.broadcast(s.whole(source, 2)[0] if isinstance(source, Vec) else s.get(source), ins.words))


@instruction("vpblendmq", "vb v v", mask="must", **ANY)
def blend_vectors(s, ins, y, x, dest):
    s.put_vector(dest, s.lanewise(blend, s.mask(ins.mask), s.lanes(y, ins.words), s.lanes(x, ins.words)), ins.words)


# Instructions that move words from lane to lane.


@instruction("vmovq", "rm x", sizes=(2,), mask=None)
def move_word(s, ins, source, dest):
    s.put(ins, [s.get(source), s.constant(0)])


@instruction("vpinsrq", "i rm v v", sizes=(2,), old=True)
def insert_word(s, ins, which, source, others, dest):
    v = list(s.whole(others, 2))
    v[which.value & 1] = s.get(source)
    s.put(ins, v)


@instruction("vinserti128", "i hm v v", sizes=(4,), old=True)
@instruction("vinserti64x4", "i hm v v", **WIDE)
def insert_half(s, ins, which, source, others, dest):
    n = ins.words // 2
    x, y = s.whole(others, 2 * n), s.whole(source, n)
    s.put(ins, [*x[:n], *y] if which.value & 1 else [*y, *x[n:]])


@instruction("vpunpcklqdq vpunpckhqdq", "vb v v", sizes=(4, 8))
def unpack(s, ins, source, first, dest):
    x, y, k = s.whole(first, ins.words), s.whole(source, ins.words), int(ins.op == "vpunpckhqdq")
    s.put(ins, [(y if i % 2 else x)[i // 2 * 2 + k] for i in range(ins.words)])


@instruction("vperm2i128", "i vm v v", **FOUR)
def permute_halves(s, ins, order, source, first, dest):
    v = [*s.whole(first, 4), *s.whole(source, 4)]
    if order.value & 0x88:
        raise Unsupported(f"{ins}: clears a half")
    s.put(ins, [v[2 * (order.value >> k & 3) + i] for k in (0, 4) for i in range(2)])


@instruction("vshufi64x2", "i vb v v", **WIDE)
def shuffle(s, ins, order, source, first, dest):
    x, y = s.whole(first, 8), s.whole(source, 8)
    s.put(ins, [(x if i < 4 else y)[2 * (order.value >> 2 * (i // 2) & 3) + i % 2] for i in range(8)])


@instruction("vpmovzxbq", "x v", **WIDE)
def widen_bytes(s, ins, source, dest):
    s.put(ins, s.split_bytes(s.whole(source, 2)[0]))


@instruction("vpermq vpermt2q", "vb v v", **WIDE)
def permute(s, ins, source, index, dest):
    table = s.whole(source, 8) if ins.op == "vpermq" else [*s.whole(dest, 8), *s.whole(source, 8)]
    s.put(ins, s.picked(table, s.lanes(index, 8)))


@instruction("vpermb", "v v v", mask="zeroing", **WIDE)
def permute_bytes(s, ins, source, index, dest):
    """Permutes bytes. The mask has a bit for each byte."""
    table, mask = s.whole(source, 8), ins.mask and s.mask(ins.mask, 64)
    s.put_vector(dest, s.picked_bytes(table, s.lanes(index, 8), mask), 8)


# Masks. The code uses only the bits of eight lanes, except for masks of bytes.


MASK_FUNCTIONS = {
    "kandb": lambda s, x, y: s.bit("and", x, y),
    "korb": lambda s, x, y: s.bit("or", x, y),
    "kandnb": lambda s, x, y: s.bit("and", s.invert_bit(x), y),
    "knotb": lambda s, x: s.invert_bit(x),
    "vptestnmq": lambda s, x, y: s.is_zero(x if x is y else s.bitwise("and", x, y)),
    "vptestmq": lambda s, x, y: s.invert_bit(MASK_FUNCTIONS["vptestnmq"](s, x, y))}


@instruction("vptestmq vptestnmq", "vb v k", **WIDE)
def test(s, ins, source, first, dest):
    x = s.lanes(first, 8)
    v = s.lanewise(MASK_FUNCTIONS[ins.op], x, x if source == first else s.lanes(source, 8))
    s.put_mask(dest.name, s.lanewise(MASK_FUNCTIONS["kandb"], v, s.mask(ins.mask)) if ins.mask else v)


@instruction("kandb korb kandnb", "k k k")
@instruction("knotb", "k k")
def combine_masks(s, ins, *args):
    *sources, dest = (a.name for a in args)
    s.put_mask(dest, s.lanewise(MASK_FUNCTIONS[ins.op], *(s.mask(name) for name in reversed(sources))))


@instruction("kshiftlb", "i k k")
def shift_mask(s, ins, count, source, dest):
    n = min(count.value & 0xff, 8)
    s.put_mask(dest.name, [*s.mask_of(s.constant(0), n), *s.whole_mask(source.name)[:8 - n]])


@instruction("kmovb", "m k", "e k", "k m")
@instruction("kmovq", "r k")
def move_mask(s, ins, source, dest):
    if isinstance(source, Mask):
        s.store_mask(dest, s.mask(source.name))
    else:
        s.put_mask(dest.name, s.load_mask(source) if isinstance(source, Mem) else s.mask_of(s.get(source), 64 if ins.op == "kmovq" else 8))
