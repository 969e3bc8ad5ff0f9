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

VECTORS = [f"ymm{i}" for i in range(16)]
_VECTORS = {v: (v, 4) for v in VECTORS} | {"x" + v[1:]: (v, 2) for v in VECTORS}

CONDITIONS = {"b": ("cf", 1), "c": ("cf", 1), "ae": ("cf", 0), "nc": ("cf", 0), "nb": ("cf", 0),
              "e": ("zf", 1), "z": ("zf", 1), "ne": ("zf", 0), "nz": ("zf", 0), "s": ("sf", 1), "ns": ("sf", 0)}

FLAGS = ("cf", "of", "zf", "sf")

ALU = {"add", "adc", "sub", "sbb", "cmp", "and", "or", "xor", "test"}
UNARY = {"not", "neg", "inc", "dec"}
SHIFTS = {"shl", "shr", "sar", "rcr"}
PLAIN = {"mov", "lea", "adcx", "adox", "imul", "mulx", "shrd", "shld", "andn", "push", "pop", "ret", "nop", "prefetcht0"}
# On vectors of words, and what they take; a register may stand where memory may.
LANEWISE = {op: ["mem", "vec", "vec"] for op in ("vpand", "vpor", "vpxor", "vpsubq", "vpcmpeqq")}
LANEWISE |= {op: ["imm", "vec", "vec"] for op in ("vpsllq", "vpsrlq")} | {"vpternlogq": ["imm", "mem", "vec", "vec"]}
VECTOR = LANEWISE | {"vmovq": ["reg", "vec"], "vpbroadcastq": ["vec", "vec"], "vmovdqu": ["vec", "mem"], "vzeroupper": []}


class Unsupported(Exception):
    """Code outside of the subset."""


class Reg:
    """A register, or its lower half."""

    def __init__(self, name, width):
        self.name, self.width = name, width


class Vec:
    """A vector register, or its lower half: so many words."""

    def __init__(self, name, words):
        self.name, self.words = name, words


class Imm:
    def __init__(self, value):
        self.value = value % WORD


class Mem:
    """Eight bytes, or a vector, at an offset from a register, or at a fixed address."""

    def __init__(self, base, disp):
        self.base, self.disp = base, disp


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
        args = re.findall(r"[^,(]*\([^)]*\)|[^,]+", parts[1].strip()) if len(parts) > 1 else []
        if self.op[0] == "j":
            self._jump(args)
            return
        if self.op == "movabs":
            self.op = "mov"
        if self.op.startswith("cmov"):
            self.cond, self.op = CONDITIONS.get(self.op[4:]), "cmov"
            if self.cond is None:
                raise Unsupported(f"condition of {text}")
        known = ALU | UNARY | SHIFTS | PLAIN | VECTOR.keys() | {"cmov"}
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
        if self.op in VECTOR or any(isinstance(a, Vec) for a in self.args):
            self._vector()
        widths = {a.width for a in self.args if isinstance(a, Reg)}
        if len(widths) > 1:
            raise Unsupported(text)
        if widths == {32}:
            self.width = 32
            if self.op not in ("mov", "xor", "and", "or", "test") or any(isinstance(a, Mem) for a in self.args):
                raise Unsupported(text)

    def _vector(self):
        """Checks the operands, and sets how many words each has which is a vector."""
        kinds = VECTOR.get(self.op)
        if kinds is None or len(kinds) != len(self.args):
            raise Unsupported(self.text)
        classes = {"imm": Imm, "reg": Reg, "vec": Vec, "mem": (Vec, Mem)}
        sizes = [a.words for a in self.args if isinstance(a, Vec)]
        self.words = sizes[-1] if sizes else 0
        ok = all(isinstance(a, classes[k]) for k, a in zip(kinds, self.args))
        ok &= sizes == [2, self.words] if self.op == "vpbroadcastq" else sizes.count(self.words) == len(sizes)
        if self.op == "vmovq":
            ok = ok and self.words == 2 and self.args[0].width == 64
        if self.op in ("vpsllq", "vpsrlq"):
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
            if s[1:] not in _NAMES:
                raise Unsupported(self.text)
            return Reg(*_NAMES[s[1:]])
        m = re.fullmatch(r"(-?0x[0-9a-f]+)?\((?:%(\w+))?(?:,%(\w+),(\d))?\)", s)
        if not m:
            raise Unsupported(self.text)
        disp, base, index, scale = int(m.group(1) or "0", 16), m.group(2), m.group(3), m.group(4)
        if base == "rip":
            at = re.match(r"\s*([0-9a-f]+)", comment)
            if not at or self.op in ("lea", "prefetcht0"):
                raise Unsupported(self.text)
            return Mem(None, int(at.group(1), 16))
        if base is not None and _NAMES.get(base, (0, 0))[1] != 64:
            raise Unsupported(self.text)
        if self.op in ("lea", "prefetcht0"):
            parts = [(base, 1)] if base else []
            return Lea(parts + ([(index, int(scale))] if index else []), disp)
        if index or not base:
            raise Unsupported("indexed address in " + self.text)
        return Mem(base, disp)

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
            if ins.target is None or ins.target > i:
                raise Unsupported(f"{ins}: not a jump back inside of the routine")
    if sum(ins.op == "j" for ins in prog) > 1:
        raise Unsupported("more than one jump")
    return prog


@functools.cache
def flags_of(ins):
    """The flags which an instruction reads, and those which it sets or leaves undefined."""
    reads = set()
    if ins.op in ("adc", "sbb", "adcx", "rcr"):
        reads.add("cf")
    if ins.op == "adox":
        reads.add("of")
    if ins.cond:
        reads.add(ins.cond[0])
    if ins.op == "rcr":
        return reads, {"cf", "of"}
    if ins.op in ALU | SHIFTS | {"neg", "imul", "shrd", "shld", "andn"}:
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
    if ins.op in VECTOR:
        same = ins.op in ("vpxor", "vpcmpeqq") and same_register(*ins.args[:2])
        reads = set() if same else set().union(*map(regs_read, ins.args[:-1]))
        if isinstance(ins.args[-1], Mem):
            return reads | regs_read(ins.args[-1]), set()
        return reads | ({ins.args[-1].name} if ins.op == "vpternlogq" else set()), {ins.args[-1].name}
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
    if ins.op not in ("mov", "lea", "andn"):
        reads.add(dest.name)
    return reads, {dest.name}


def regs_read(a):
    """The registers which a source operand reads."""
    if isinstance(a, (Reg, Vec)):
        return {a.name}
    if isinstance(a, Lea):
        return {r for r, _ in a.parts}
    return {a.base} - {None} if isinstance(a, Mem) else set()


def same_register(a, b):
    return type(a) is type(b) and isinstance(a, (Reg, Vec)) and a.name == b.name


def liveness(prog):
    """For every instruction, and the end, the registers and flags which may still be read before they are overwritten."""
    live = [set() for _ in range(len(prog) + 1)]
    live[-1] = {"rsp", "rbp", *VECTORS}
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


class Trap(Exception):
    """The emulated code did something which it must not."""


class Machine:
    """The state of the emulator: registers, flags (None: undefined), the words of vectors, and those of memory."""

    def __init__(self, regs, mem, writable, top, vectors=None):
        """Memory holds mem; only the addresses in writable, and the stack below top, may be written."""
        self.r, self.mem, self.writable, self.top, self.binary = regs, mem, writable, top, None
        self.v = vectors or {}
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
        return (self.r[m.base] + m.disp) % WORD if m.base else m.disp

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
        elif op in VECTOR:
            self._vector(ins)
        elif op not in ("nop", "prefetcht0"):
            raise Unsupported(str(ins))

    def lanes(self, a, words):
        if isinstance(a, Vec):
            return self.v[a.name][:words]
        at = self.address(a)
        return [self.load(at + 8 * i) for i in range(words)]

    def _vector(self, ins):
        op, a, n = ins.op, ins.args, ins.words
        if op == "vzeroupper":
            self.v = {name: v[:2] + [0, 0] for name, v in self.v.items()}
            return
        if op == "vmovq":
            v = [self.get(a[0]), 0]
        elif op == "vpbroadcastq":
            v = self.lanes(a[0], 1) * n
        elif op == "vmovdqu":
            v = self.lanes(a[0], n)
        elif op in ("vpsllq", "vpsrlq"):
            k = a[0].value
            v = [x << k & ONES if op == "vpsllq" else x >> k for x in self.lanes(a[1], n)]
        else:
            # The first operand of the manual is the last here.
            v = [self._lane(op, a[0], *words) for words in zip(*(self.lanes(x, n) for x in reversed(a) if not isinstance(x, Imm)))]
        if isinstance(a[-1], Vec):
            self.v[a[-1].name] = v + [0] * (4 - n)
        else:
            for i, x in enumerate(v):
                self.store(self.address(a[-1]) + 8 * i, x)

    @staticmethod
    def _lane(op, imm, dest, x, y):
        """One word of a result, from the words of the destination and both sources in the order of the manual."""
        if op == "vpternlogq":
            # Bit 4d + 2x + y of the immediate, for bits d, x and y.
            chosen = [i for i in range(8) if imm.value >> i & 1]
            pick = lambda w, on: w if on else w ^ ONES
            return sum(pick(dest, i & 4) & pick(x, i & 2) & pick(y, i & 1) for i in chosen)
        if op == "vpcmpeqq":
            return ONES if x == y else 0
        return {"vpand": x & y, "vpor": x | y, "vpxor": x ^ y, "vpsubq": x - y & ONES}[op]

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
