"""Decoding of the x86-64 subset which the routines use, and an emulator of it.

Anything outside of the subset is an error: a proof must not rest on an
instruction whose meaning nobody wrote down here.
"""

import functools
import re

WORD = 1 << 64
ONES = WORD - 1

REGS = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"] + [f"r{i}" for i in range(8, 16)]
_NAMES = {r: (r, 64) for r in REGS}
_NAMES.update({"e" + r[1:]: (r, 32) for r in REGS[:8]})
_NAMES.update({r + "d": (r, 32) for r in REGS[8:]})

VECTORS = [f"zmm{i}" for i in range(32)]
_VECTORS = {name + v[1:]: (v, words) for v in VECTORS for name, words in (("x", 2), ("y", 4), ("z", 8))}
MASKS = [f"k{i}" for i in range(8)]

CONDITIONS = {"b": ("cf", 1), "c": ("cf", 1), "ae": ("cf", 0), "nc": ("cf", 0), "nb": ("cf", 0),
              "e": ("zf", 1), "z": ("zf", 1), "ne": ("zf", 0), "nz": ("zf", 0), "s": ("sf", 1), "ns": ("sf", 0), "le": ("le", 1), "g": ("le", 0)}

FLAGS = ("cf", "of", "zf", "sf")

ALU = {"add", "adc", "sub", "sbb", "cmp", "and", "or", "xor", "test"}
UNARY = {"not", "neg", "inc", "dec"}
SHIFTS = {"shl", "shr", "sar", "rcr"}
PLAIN = {"mov", "lea", "adcx", "adox", "imul", "mulx", "shrd", "shld", "andn", "push", "pop", "ret", "nop", "prefetcht0"}
# On vectors of words, and what they take. Where memory may stand, "mem", a register may too.
OLD = {op: ["mem", "vec", "vec"] for op in ("vpand", "vpor", "vpxor")} | {"vmovq": ["reg or mem", "vec"], "vmovdqu": ["mem", "mem"], "vzeroupper": [],
                                                            "vpinsrq": ["imm", "reg or mem", "vec", "vec"], "vinserti128": ["imm", "mem", "vec", "vec"]}
# The rest may have vectors of eight words and a mask, by which the destination keeps words or gets zeros.
LANEWISE = {op: ["mem", "vec", "vec"] for op in (
    "vpaddq", "vpsubq", "vpandq", "vpandnq", "vporq", "vpxorq", "vpmuludq", "vpmadd52luq", "vpmadd52huq", "vpsllvq", "vpsrlvq", "vpsravq")}
LANEWISE |= {op: ["imm", "mem", "vec"] for op in ("vpsllq", "vpsrlq", "vpsraq")}
LANEWISE |= {"vpternlogq": ["imm", "mem", "vec", "vec"], "vpblendmq": ["mem", "vec", "vec"], "vplzcntq": ["mem", "vec"]}
ACROSS = {op: ["mem", "vec", "vec"] for op in ("vpermq", "vpermi2q", "vpermt2q", "vpermb", "vpunpcklqdq", "vpunpckhqdq")}
ACROSS |= {op: ["imm", "mem", "vec", "vec"] for op in ("vshufi64x2", "valignq")} | {"vpermiq": ["imm", "mem", "vec"], "vpshufd": ["imm", "mem", "vec"]}
ACROSS |= {"vinserti64x4": ["imm", "mem", "vec", "vec"], "vpmovzxbq": ["vec", "vec"]} | {op: ["vec", "vec", "vec"] for op in ("vpsllqx", "vpsrlqx")}
MOVES = {"vmovdqu64": ["mem", "mem"], "vmovdqa64": ["mem", "mem"], "vpbroadcastq": ["any", "vec"], "vpgatherqq": ["gather", "vec"]}
# With a mask as the result, but for vpcmpeqq before AVX-512, whose words are all ones or zero.
ORDERS = {"eq": lambda x, y: x == y, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y,
          "neq": lambda x, y: x != y, "nlt": lambda x, y: x >= y, "nle": lambda x, y: x > y}
COMPARE = {f"vpcmp{how}{sign}q": ["mem", "vec", "mask"] for how in ORDERS for sign in ("", "u")} | {"vpcmpeqq": ["mem", "vec", "mask or vec"]}
COMPARE |= {op: ["mem", "vec", "mask"] for op in ("vptestmq", "vptestnmq")}
VECTOR = OLD | LANEWISE | ACROSS | MOVES | COMPARE
# On masks of so many bits.
WIDTHS = {"b": 8, "w": 16, "q": 64}
MASKED = {f"k{op}": ["mask"] * n for op, n in (("and", 3), ("andn", 3), ("or", 3), ("xor", 3), ("xnor", 3), ("not", 2), ("test", 2), ("ortest", 2))}
MASKED |= {"kmov": ["mask or mem", "mask or mem"], "kshiftl": ["imm", "mask", "mask"], "kshiftr": ["imm", "mask", "mask"]}


class Unsupported(Exception):
    """Code outside of the subset."""


class Reg:
    """A register, or its lower half."""

    def __init__(self, name, width):
        self.name, self.width = name, width


class Mask:
    """A mask register."""

    def __init__(self, name):
        self.name = name


class Vec:
    """A vector register, or its lower part: so many words."""

    def __init__(self, name, words):
        self.name, self.words = name, words


class Imm:
    def __init__(self, value):
        self.value = value % WORD


class Mem:
    """Eight bytes, or a vector, at an offset from a register, or at a fixed address."""

    def __init__(self, base, disp, broadcast=False):
        """broadcast is for one word which stands for all of a vector."""
        self.base, self.disp, self.broadcast = base, disp, broadcast


class Indexed(Mem):
    """The same with another register times a scale."""

    def __init__(self, base, index, scale, disp):
        super().__init__(base, disp)
        self.index, self.scale = index, scale


class Gather:
    """A word for each lane, at a displacement from a register plus the lane of a vector times a scale."""

    def __init__(self, base, index, scale, disp):
        self.base, self.index, self.scale, self.disp = base, index, scale, disp


class Lea:
    """A sum of registers, each with its scale, and a displacement."""

    def __init__(self, parts, disp):
        self.parts, self.disp = parts, disp


class Instr:
    """One instruction: its name without size suffix and condition, and its operands, the destination last."""

    def __init__(self, addr, text):
        self.addr, self.text = addr, text
        self.cond = self.target = None
        code, _, comment = text.partition("#")
        parts = code.split(None, 1)
        self.op = parts[0]
        self.mask, self.zeroing = None, False
        args = re.findall(r"[^,(]*\([^)]*\)(?:\{[^}]*\})*|[^,]+", parts[1].strip()) if len(parts) > 1 else []
        if args and (m := re.fullmatch(r"(.*)\{%(k[1-7])\}(\{z\})?", args[-1].strip())):
            args[-1], self.mask, self.zeroing = m[1], m[2], m[3] is not None
        if self.op[0] == "j":
            self._jump(args)
            return
        if self.op == "movabs":
            self.op = "mov"
        if self.op.startswith("cmov"):
            self.cond, self.op = CONDITIONS.get(self.op[4:]), "cmov"
            if self.cond is None:
                raise Unsupported(f"condition of {text}")
        known = ALU | UNARY | SHIFTS | PLAIN | VECTOR.keys() | {"cmov", "movzb"}
        if self.op in ("movzbl", "movzbq"):
            self.op = "movzb"
        if self.op[0] == "k" and self.op[:-1] in MASKED and self.op[-1] in WIDTHS:
            self.op, self.width, self.words = self.op[:-1], WIDTHS[self.op[-1]], 0
            self.args = [self._operand(a.strip(), comment) for a in args]
            self._operands(MASKED[self.op])
            return
        if self.op not in known and self.op[-1] == "q" and self.op[:-1] in known:
            self.op = self.op[:-1]
        if self.op not in known:
            raise Unsupported(text)
        if self.op == "nop":
            args = []
        self.args = [self._operand(a.strip(), comment) for a in args]
        if self.op in SHIFTS and len(self.args) == 1:
            self.args.insert(0, Imm(1))
        if self.op in SHIFTS | {"shrd", "shld"} and not isinstance(self.args[0], Imm):
            raise Unsupported(text)
        if self.op == "rcr" and self.args[0].value != 1:
            raise Unsupported(text)
        if self.op == "imul" and len(self.args) != 2:
            raise Unsupported(text)
        self.width, self.words = 64, 0
        if self.op in VECTOR:
            self._vector()
        elif self.mask or any(isinstance(a, (Vec, Mask, Gather)) or isinstance(a, Mem) and a.broadcast for a in self.args):
            raise Unsupported(text)
        widths = {a.width for a in self.args if isinstance(a, Reg)}
        if len(widths) > 1:
            raise Unsupported(text)
        if widths == {32}:
            self.width = 32
            if self.op not in ("mov", "xor", "and", "or", "test", "movzb") or any(isinstance(a, Mem) for a in self.args) != (self.op == "movzb"):
                raise Unsupported(text)

    def _operands(self, kinds):
        """Checks what the operands are."""
        classes = {"imm": Imm, "reg": Reg, "vec": Vec, "mask": Mask, "mem": (Vec, Mem), "any": (Reg, Vec, Mem), "gather": Gather,
                   "reg or mem": (Reg, Mem), "mask or vec": (Mask, Vec), "mask or mem": (Mask, Reg, Mem)}
        if len(kinds) != len(self.args) or not all(isinstance(a, classes[k]) for k, a in zip(kinds, self.args)):
            raise Unsupported(self.text)

    def _vector(self):
        """Checks the operands, and sets how many words each has which is a vector."""
        if self.op == "vpermq" and isinstance(self.args[0], Imm):
            self.op = "vpermiq"
        if self.op in ("vpsllq", "vpsrlq") and self.args and isinstance(self.args[0], Vec):
            self.op += "x"
        self._operands(VECTOR[self.op])
        vectors = [a for a in self.args if isinstance(a, Vec)]
        memory = [a for a in self.args if isinstance(a, Mem)]
        self.words = vectors[-1].words if vectors else 0
        same = vectors[1:] if self.op == "vpbroadcastq" and isinstance(self.args[0], Vec) and self.args[0].words == 2 else vectors
        ok = True
        if self.op in ("vpmovzxbq", "vpsllqx", "vpsrlqx"):
            ok, same = vectors[0].words == 2, vectors[1:]
        if self.op == "vinserti64x4":
            ok, same = getattr(self.args[1], "words", 4) == 4 and not any(a.broadcast for a in memory), vectors[-2:]
        ok = ok and all(a.words == self.words for a in same) and len(memory) < 2
        if self.op == "vinserti128":
            ok, same = self.words == 4 and getattr(self.args[1], "words", 2) == 2, vectors[-2:]
        makes_mask = self.op in COMPARE and isinstance(self.args[-1], Mask)
        if self.op in OLD or self.op == "vpcmpeqq" and not makes_mask:
            ok = ok and self.words < 8 and not self.mask and (self.op == "vmovq" or all(int(a.name[3:]) < 16 for a in vectors))
        if self.op in OLD or self.op in MOVES:
            ok = ok and not any(a.broadcast for a in memory)
        if self.zeroing:
            ok = ok and not makes_mask and not isinstance(self.args[-1], Mem)
        if self.op in ACROSS or self.op == "vpgatherqq":
            ok = ok and self.words == 8
        if self.op in ("vpblendmq", "vpgatherqq"):
            ok = ok and self.mask is not None and not (self.zeroing and self.op == "vpgatherqq")
        if self.op in ("vmovq", "vpinsrq"):
            ok = ok and self.words == 2
        if self.op in ("vmovq", "vpbroadcastq", "vpinsrq"):
            ok = ok and all(getattr(a, "width", 64) == 64 for a in self.args)
        if self.op in ("vpsllq", "vpsrlq", "vpsraq"):
            ok = ok and 0 < self.args[0].value < 64
        if not ok:
            raise Unsupported(self.text)

    def _jump(self, args):
        self.cond = CONDITIONS.get(self.op[1:])
        target = re.match(r"([0-9a-f]+)(?: |$)", args[0]) if len(args) == 1 else None
        if self.cond is None or target is None:
            raise Unsupported(self.text)
        self.op, self.args, self.target, self.width = "j", [], int(target.group(1), 16), 64

    def _operand(self, s, comment):
        if s[0] == "$":
            return Imm(int(s[1:], 16))
        if s[0] == "%":
            if s[1:] in _VECTORS:
                return Vec(*_VECTORS[s[1:]])
            if s[1:] in MASKS:
                return Mask(s[1:])
            if s[1:] not in _NAMES:
                raise Unsupported(self.text)
            return Reg(*_NAMES[s[1:]])
        m = re.fullmatch(r"(-?0x[0-9a-f]+)?\((?:%(\w+))?(?:,%(\w+),(\d))?\)(\{1to[248]\})?", s)
        if not m:
            raise Unsupported(self.text)
        disp, base, index, scale, all_lanes = int(m[1] or "0", 16), m[2], m[3], m[4], m[5] is not None
        if base == "rip":
            at = re.match(r"\s*([0-9a-f]+)", comment)
            if not at or self.op in ("lea", "prefetcht0"):
                raise Unsupported(self.text)
            return Mem(None, int(at.group(1), 16), all_lanes)
        if base is not None and _NAMES.get(base, (0, 0))[1] != 64:
            raise Unsupported(self.text)
        if self.op in ("lea", "prefetcht0"):
            parts = [(base, 1)] if base else []
            return Lea(parts + ([(index, int(scale))] if index else []), disp)
        if index in _VECTORS and base and _VECTORS[index][1] == 8:
            return Gather(base, _VECTORS[index][0], int(scale), disp)
        if index and base and not all_lanes and _NAMES.get(index, (0, 0))[1] == 64:
            return Indexed(base, index, int(scale), disp)
        if index or not base:
            raise Unsupported("indexed address in " + self.text)
        return Mem(base, disp, all_lanes)

    def __str__(self):
        return re.sub(r"\s+", " ", self.text)


def decode(code):
    """Decodes a routine, given as addresses and texts, checks its shape, and returns its instructions up to and with its only RET."""
    prog = []
    for i, (addr, text) in enumerate(code):
        prog.append(Instr(addr, text))
        if prog[-1].op == "ret":
            if any(t not in ("int3", "nop") for _, t in code[i + 1:]):
                raise Unsupported("code after RET")
            break
    else:
        raise Unsupported("no RET")
    where = {ins.addr: i for i, ins in enumerate(prog)}
    for i, ins in enumerate(prog):
        if ins.op == "j":
            ins.target = where.get(ins.target)
            if ins.target is None:
                raise Unsupported(f"{ins}: not a jump inside of the routine")
    return prog


def simple(prog):
    """Checks that a routine, or a mutant, has no indexed addresses and at most one jump, backwards."""
    jumps = [(ins, i) for i, ins in enumerate(prog) if ins and ins.op == "j"]
    for ins, i in jumps:
        if ins.target > i:
            raise Unsupported(f"{ins}: not a jump back")
    if len(jumps) > 1:
        raise Unsupported("more than one jump")
    for ins in prog:
        if ins and any(isinstance(a, Indexed) for a in ins.args):
            raise Unsupported(f"indexed address in {ins}")


@functools.cache
def flags_of(ins):
    """The flags which an instruction reads, and those which it sets or leaves undefined."""
    reads = set()
    if ins.op in ("adc", "sbb", "adcx", "rcr"):
        reads.add("cf")
    if ins.op == "adox":
        reads.add("of")
    if ins.cond:
        reads |= {"zf", "sf", "of"} if ins.cond[0] == "le" else {ins.cond[0]}
    if ins.op == "rcr":
        return reads, {"cf", "of"}
    if ins.op in ALU | SHIFTS | {"neg", "imul", "shrd", "shld", "andn", "ktest", "kortest"}:
        return reads, set(FLAGS)
    if ins.op in ("inc", "dec"):
        return reads, set(FLAGS) - {"cf"}
    return reads, {"adcx": {"cf"}, "adox": {"of"}}.get(ins.op, set())


@functools.cache
def regs_of(ins):
    """The registers which an instruction reads, and those which it overwrites."""
    if ins.op in ("nop", "j"):
        return set(), set()
    if ins.op == "vzeroupper":
        return set(VECTORS), set(VECTORS)
    if ins.op in VECTOR or ins.op in MASKED:
        same = ins.op in ZEROING and not ins.mask and same_register(*ins.args[:2])
        reads = set() if same else set().union(*map(regs_read, ins.args[:-1]))
        dest, mask = ins.args[-1], {ins.mask} - {None}
        if isinstance(dest, Mem) or ins.op in ("ktest", "kortest"):
            return reads | mask | regs_read(dest), set()
        if ins.op in ACCUMULATE or mask and not ins.zeroing and ins.op != "vpblendmq" and not isinstance(dest, Mask):
            reads = reads | {dest.name}
        return reads | mask, {dest.name} | (mask if ins.op == "vpgatherqq" else set())
    if ins.op == "mulx":
        return {"rdx"} | regs_read(ins.args[0]), {a.name for a in ins.args[1:]}
    if ins.op == "push":
        return {"rsp"} | regs_read(ins.args[0]), {"rsp"}
    if ins.op in ("pop", "ret"):
        return {"rsp"}, {"rsp"} | {a.name for a in ins.args}
    reads, dest = set().union(*map(regs_read, ins.args[:-1])), ins.args[-1]
    if ins.op in ("cmp", "test") or not isinstance(dest, Reg):
        return reads | regs_read(dest), set()
    if ins.op == "xor" and reads == {dest.name} and isinstance(ins.args[0], Reg):
        return set(), {dest.name}
    if ins.op not in ("mov", "movzb", "lea", "andn"):
        reads.add(dest.name)
    return reads, {dest.name}


def regs_read(a):
    """The registers which a source operand reads."""
    if isinstance(a, (Reg, Vec, Mask)):
        return {a.name}
    if isinstance(a, Gather):
        return {a.base, a.index}
    if isinstance(a, Lea):
        return {r for r, _ in a.parts}
    if isinstance(a, Indexed):
        return {a.base, a.index}
    return {a.base} - {None} if isinstance(a, Mem) else set()


def same_register(a, b):
    return type(a) is type(b) and isinstance(a, (Reg, Vec)) and a.name == b.name


# Those which do not depend on a source that is given twice, and those which read their destination.
ZEROING = {"vpxor", "vpxorq", "vpcmpeqq", "vpsubq"}
ACCUMULATE = {"vpternlogq", "vpmadd52luq", "vpmadd52huq", "vpermi2q", "vpermt2q"}


def liveness(prog):
    """For every instruction, and the end, the registers and flags which may still be read before they are overwritten."""
    live = [set() for _ in range(len(prog) + 1)]
    live[-1] = {"rsp", "rbp", *VECTORS[:16]}
    for _ in range(2):  # Twice, for the loop.
        for i in range(len(prog) - 1, -1, -1):
            ins = prog[i]
            after = set(live[i + 1])
            if ins is None:
                live[i] = after
                continue
            if ins.op == "j":
                after |= live[ins.target]
            fr, fw = flags_of(ins)
            rr, rw = regs_of(ins)
            live[i] = after - fw - rw | fr | rr
    return live


LIMB = (1 << 52) - 1


def merged(x, y, mask):
    """The bytes of x where the mask has ones, and those of y elsewhere."""
    return sum((x if mask >> i & 1 else y) & 0xff << 8 * i for i in range(8))


def signed(x):
    return x - WORD if x >> 63 else x


class Trap(Exception):
    """The emulated code did something which it must not."""


class Machine:
    """The state of the emulator: registers, flags (None: undefined), the words of vectors, and those of memory."""

    def __init__(self, regs, mem, writable, top, vectors=None, masks=None):
        """Memory holds mem; only the addresses in writable, and the stack below top, may be written."""
        self.r, self.mem, self.writable, self.top, self.binary = regs, mem, writable, top, None
        self.v, self.k = vectors or {}, masks or {}
        self.cf = self.of = self.zf = self.sf = None

    def load(self, addr):
        if addr not in self.mem:
            constant = self.binary and self.binary.constant(addr)
            if constant is not None:
                return constant
            raise Trap("reads outside of its operands")
        return self.mem[addr]

    def store(self, addr, v):
        if addr not in self.writable and not (self.r["rsp"] <= addr < self.top and addr % 8 == 0):
            raise Trap("writes outside of its operands")
        self.mem[addr] = v

    def address(self, m):
        index = self.r[m.index] * m.scale if isinstance(m, Indexed) else 0
        return (self.r[m.base] + index + m.disp) % WORD if m.base else m.disp

    def get(self, a):
        if isinstance(a, Reg):
            return self.r[a.name] & (ONES if a.width == 64 else 0xffffffff)
        if isinstance(a, Imm):
            return a.value
        return self.load(self.address(a))

    def set(self, a, v):
        if isinstance(a, Reg):
            self.r[a.name] = v
        else:
            self.store(self.address(a), v)

    def flag(self, name):
        if name == "le":
            return self.flag("zf") | self.flag("sf") ^ self.flag("of")
        v = getattr(self, name)
        if v is None:
            raise Trap("reads an undefined flag")
        return v

    def result(self, v, width=64):
        self.zf, self.sf = int(v == 0), v >> (width - 1)

    def step(self, ins):
        """Runs one instruction, but for jumps and RET, and returns nothing."""
        op, a = ins.op, ins.args
        if op == "mov":
            self.set(a[1], self.get(a[0]))
        elif op in ("add", "adc", "sub", "sbb", "cmp"):
            x, y = self.get(a[0]), self.get(a[1])
            carry = self.flag("cf") if op in ("adc", "sbb") else 0
            if op in ("add", "adc"):
                s = x + y + carry
                v = s & ONES
                self.of = ((x ^ v) & (y ^ v)) >> 63
            else:
                s = y - x - carry
                v = s & ONES
                self.of = ((y ^ x) & (y ^ v)) >> 63
            self.cf = int(s != v)
            self.result(v)
            if op != "cmp":
                self.set(a[1], v)
        elif op in ("adcx", "adox"):
            name = "cf" if op == "adcx" else "of"
            s = self.get(a[0]) + self.get(a[1]) + self.flag(name)
            setattr(self, name, s >> 64)
            self.set(a[1], s & ONES)
        elif op == "mulx":
            p = self.r["rdx"] * self.get(a[0])
            self.set(a[1], p & ONES)
            self.set(a[2], p >> 64)
        elif op in ("and", "or", "xor", "test"):
            x, y = self.get(a[0]), self.get(a[1])
            if ins.width == 32:
                x &= 0xffffffff
            v = x & y if op in ("and", "test") else x | y if op == "or" else x ^ y
            self.cf = self.of = 0
            self.result(v, ins.width)
            if op != "test":
                self.set(a[1], v)
        elif op == "andn":
            v = ~self.get(a[1]) & self.get(a[0]) & ONES
            self.cf = self.of = 0
            self.result(v)
            self.set(a[2], v)
        elif op == "cmov":
            v = self.get(a[0])
            if self.flag(ins.cond[0]) == ins.cond[1]:
                self.set(a[1], v)
        elif op == "imul":
            v = self.get(a[0]) * self.get(a[1]) & ONES
            self.cf = self.of = self.zf = self.sf = None
            self.set(a[1], v)
        elif op == "lea":
            self.set(a[1], (sum(self.r[r] * k for r, k in a[0].parts) + a[0].disp) & ONES)
        elif op == "rcr":
            y = self.get(a[1])
            v, self.cf, self.of = y >> 1 | self.flag("cf") << 63, y & 1, None
            self.set(a[1], v)
        elif op in ("shl", "shr", "sar"):
            k, y = a[0].value & 63, self.get(a[1])
            if not k:
                raise Trap("shifts by nothing")
            if op == "shl":
                v, self.cf = y << k & ONES, y >> (64 - k) & 1
            else:
                signed = y - WORD if op == "sar" and y >> 63 else y
                v, self.cf = signed >> k & ONES, y >> (k - 1) & 1
            self.of = None
            self.result(v)
            self.set(a[1], v)
        elif op in ("shrd", "shld"):
            k, x, y = a[0].value & 63, self.get(a[1]), self.get(a[2])
            if not k:
                raise Trap("shifts by nothing")
            if op == "shrd":
                v, self.cf = (y >> k | x << (64 - k)) & ONES, y >> (k - 1) & 1
            else:
                v, self.cf = (y << k | x >> (64 - k)) & ONES, y >> (64 - k) & 1
            self.of = None
            self.result(v)
            self.set(a[2], v)
        elif op == "not":
            self.set(a[0], self.get(a[0]) ^ ONES)
        elif op == "neg":
            y = self.get(a[0])
            v = -y & ONES
            self.cf, self.of = int(y != 0), int(y == 1 << 63)
            self.result(v)
            self.set(a[0], v)
        elif op in ("inc", "dec"):
            d = 1 if op == "inc" else -1
            v = self.get(a[0]) + d & ONES
            self.of = int(v == (1 << 63 if d == 1 else (1 << 63) - 1))
            self.result(v)
            self.set(a[0], v)
        elif op == "push":
            v = self.get(a[0])
            self.r["rsp"] -= 8
            self.store(self.r["rsp"], v)
        elif op == "pop":
            v = self.load(self.r["rsp"])
            self.r["rsp"] += 8
            self.set(a[0], v)
        elif op == "movzb":
            self.set(a[1], self.byte(a[0]))
        elif op in VECTOR:
            self._vector(ins)
        elif op in MASKED:
            self._masks(ins)
        elif op not in ("nop", "prefetcht0"):
            raise Unsupported(str(ins))

    def byte(self, a):
        """The byte at an address, of a word that is known."""
        at = self.address(a)
        return self.load(at & ~7) >> 8 * (at & 7) & 0xff

    def lanes(self, a, words):
        if isinstance(a, Vec):
            return self.v[a.name][:words]
        if isinstance(a, Reg):
            return [self.get(a)] * words
        at = self.address(a)
        return [self.load(at)] * words if a.broadcast else [self.load(at + 8 * i) for i in range(words)]

    def _vector(self, ins):
        op, a, n = ins.op, ins.args, ins.words
        if op == "vzeroupper":
            self.v.update((name, self.v[name][:2] + [0] * 6) for name in VECTORS[:16])
            return
        on = [ins.mask is None or self.k[ins.mask] >> i & 1 for i in range(n)]
        if op in COMPARE and isinstance(a[-1], Mask):
            self.k[a[-1].name] = sum(self.compare(op, x, y) << i for i, (x, y, k) in
                                     enumerate(zip(self.lanes(a[1], n), self.lanes(a[0], n), on)) if k)
            return
        if op == "vmovq":
            v = [self.get(a[0]), 0]
        elif op == "vpinsrq":
            v = self.lanes(a[2], 2)
            v[a[0].value & 1] = self.get(a[1])
        elif op == "vinserti128":
            x, y = self.lanes(a[2], 4), self.lanes(a[1], 2)
            v = x[:2] + y if a[0].value & 1 else y + x[2:]
        elif op == "vpbroadcastq":
            v = self.lanes(a[0], 1) * n
        elif op in ("vmovdqu", "vmovdqu64", "vmovdqa64"):
            if op == "vmovdqa64" and any(isinstance(x, Mem) and self.address(x) % (8 * n) for x in a):
                raise Trap("is not aligned")
            at = isinstance(a[0], Mem) and self.address(a[0])
            v = [self.load(at + 8 * i) if k else 0 for i, k in enumerate(on)] if isinstance(a[0], Mem) else self.lanes(a[0], n)
        elif op == "vpgatherqq":
            g = a[0]
            v = [self.load((self.r[g.base] + self.v[g.index][i] * g.scale + g.disp) % WORD) if k else 0 for i, k in enumerate(on)]
            self.k[ins.mask] = 0
        elif op in ACROSS:
            v = self._across(ins)
        else:
            # The first operand of the manual is the last here.
            sources = [self.lanes(x, n) for x in reversed(a) if not isinstance(x, Imm)]
            if op == "vpblendmq":
                v = [y if k else x for k, x, y in zip(on, *sources[1:])]
                on = [k or not ins.zeroing for k in on]
            else:
                v = [self._lane(op, a[0], *words) for words in zip(*sources)]
        if isinstance(a[-1], Vec):
            old = self.v[a[-1].name]
            if op == "vpermb" and ins.mask:
                # The mask is one of bytes.
                v = [merged(x, 0 if ins.zeroing else y, self.k[ins.mask] >> 8 * i) for i, (x, y) in enumerate(zip(v, old))]
                on = [True] * n
            self.v[a[-1].name] = [x if k else 0 if ins.zeroing else y for k, x, y in zip(on, v, old)] + [0] * (8 - n)
        else:
            for i, x in enumerate(v):
                if on[i]:
                    self.store(self.address(a[-1]) + 8 * i, x)

    @staticmethod
    def _lane(op, imm, dest, x, y=None):
        """One word of a result, from the words of the destination and the sources in the order of the manual."""
        if op == "vpternlogq":
            # Bit 4d + 2x + y of the immediate, for bits d, x and y.
            chosen = [i for i in range(8) if imm.value >> i & 1]
            pick = lambda w, on: w if on else w ^ ONES
            return sum(pick(dest, i & 4) & pick(x, i & 2) & pick(y, i & 1) for i in chosen)
        if op in ("vpmadd52luq", "vpmadd52huq"):
            product = (x & LIMB) * (y & LIMB)
            return dest + (product & LIMB if op == "vpmadd52luq" else product >> 52) & ONES
        if op == "vpcmpeqq":
            return ONES if x == y else 0
        if op == "vplzcntq":
            return 64 - x.bit_length()
        if op in ("vpsllq", "vpsrlq", "vpsraq"):
            op, y = op[:-1] + "vq", imm.value
        if op == "vpsllvq":
            return x << y & ONES if y < 64 else 0
        if op == "vpsrlvq":
            return x >> y if y < 64 else 0
        if op == "vpsravq":
            return signed(x) >> min(y, 63) & ONES
        return {"and": x & y, "andn": ~x & y & ONES, "or": x | y, "xor": x ^ y, "add": x + y & ONES, "sub": x - y & ONES,
                "muludq": (x & 0xffffffff) * (y & 0xffffffff)}[op[2:].removesuffix("q") if op != "vpmuludq" else "muludq"]

    def _across(self, ins):
        """What moves words from lane to lane."""
        op, a = ins.op, ins.args
        imm = a[0].value if isinstance(a[0], Imm) else None
        if op == "vinserti64x4":
            x, y = self.lanes(a[2], 8), self.lanes(a[1], 4)
            return x[:4] + y if imm & 1 else y + x[4:]
        dest, *sources = [self.lanes(x, 8) for x in reversed(a) if not isinstance(x, Imm)]
        x, y = sources[0], sources[-1]
        if op == "vpermq":
            return [y[i & 7] for i in x]
        if op == "vpermiq":
            return [y[4 * (i // 4) + (imm >> 2 * (i % 4) & 3)] for i in range(8)]
        if op == "vpmovzxbq":
            return [y[0] >> 8 * i & 0xff for i in range(8)]
        if op in ("vpsllqx", "vpsrlqx"):
            return [0 if y[0] > 63 else w >> y[0] if op == "vpsrlqx" else w << y[0] & ONES for w in x]
        if op == "vpermi2q":
            return [(x + y)[i & 15] for i in dest]
        if op == "vpermt2q":
            return [(dest + y)[i & 15] for i in x]
        if op == "vpermb":
            pick = lambda word: sum((y[(word >> 8 * i & 63) // 8] >> 8 * (word >> 8 * i & 7) & 0xff) << 8 * i for i in range(8))
            return [pick(word) for word in x]
        if op in ("vpunpcklqdq", "vpunpckhqdq"):
            k = int(op == "vpunpckhqdq")
            return [(y if i % 2 else x)[i // 2 * 2 + k] for i in range(8)]
        if op == "vshufi64x2":
            return [(x if i < 4 else y)[2 * (imm >> 2 * (i // 2) & 3) + i % 2] for i in range(8)]
        if op == "valignq":
            return (y + x)[imm & 7:][:8]
        half = lambda i, k: y[i // 2 * 2 + (imm >> 2 * k & 3) // 2] >> 32 * (imm >> 2 * k & 1) & 0xffffffff
        return [half(i, 2 * (i % 2)) | half(i, 2 * (i % 2) + 1) << 32 for i in range(8)]  # vpshufd

    @staticmethod
    def compare(op, x, y):
        if op in ("vptestmq", "vptestnmq"):
            return int((x & y != 0) == (op == "vptestmq"))
        if op[-2] != "u":
            x, y = signed(x), signed(y)
        return int(ORDERS[op.removeprefix("vpcmp").removesuffix("q").removesuffix("u")](x, y))

    def _masks(self, ins):
        op, a, most = ins.op, ins.args, (1 << ins.width) - 1
        if op == "kmov":
            x, y = a
            v = (self.k[x.name] if isinstance(x, Mask) else self.byte(x) if isinstance(x, Mem) and most == 0xff else self.get(x)) & most
            if isinstance(y, Mask):
                self.k[y.name] = v
            elif isinstance(y, Mem) and most == 0xff:
                at = self.address(y)
                shift = 8 * (at & 7)
                self.store(at & ~7, self.load(at & ~7) & ~(0xff << shift) | v << shift)
            else:
                self.set(y, v)
            return
        if op in ("kshiftl", "kshiftr"):
            v = self.k[a[1].name] & most
            v = v << a[0].value & most if op == "kshiftl" else v >> a[0].value
        else:
            y, x = self.k[a[0].name] & most, self.k[a[-1 if len(a) == 2 and op != "knot" else -2].name] & most
            v = {"kand": x & y, "kandn": ~x & y & most, "kor": x | y, "kxor": x ^ y, "kxnor": x ^ y ^ most, "knot": y ^ most,
                 "ktest": x & y, "kortest": x | y}[op]
            if op in ("ktest", "kortest"):
                self.zf, self.cf = int(v == 0), int(v == most if op == "kortest" else ~x & y & most == 0)
                self.of = self.sf = 0
                return
        self.k[a[-1].name] = v

    def run(self, prog, at=0, limit=20000):
        """Runs to the RET and past it."""
        while limit:
            limit -= 1
            if at >= len(prog):
                raise Trap("runs past its end")
            ins = prog[at]
            at += 1
            if ins is None:  # Deleted by a mutation.
                continue
            if ins.op == "ret":
                self.r["rsp"] += 8
                return
            if ins.op == "j":
                if self.flag(ins.cond[0]) == ins.cond[1]:
                    at = ins.target
                continue
            self.step(ins)
        raise Trap("does not end")
