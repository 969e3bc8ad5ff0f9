"""The emulator: states whose words are integers."""

import functools

from x86 import CLEARED, CONTROL, FLAGS, ONES, SIGN, USUAL_CONTROL, WORD, Imm, Processor, Reg, Vec

LIMB = (1 << 52) - 1
CODE = 0x10000000  # address of the code, for return addresses


class Trap(Exception):
    """The emulated code did something that is forbidden."""


def signed(x):
    return x - WORD if x >> 63 else x


def decoded(word):
    """The double as an integer times a power of two: both numbers."""
    exp, m = word >> 52 & 0x7ff, word & LIMB
    if not exp and not m:
        return 0, 0
    if not 0x100 < exp < 0x700:
        raise Trap("a double that is not finite, or too small or large")
    return (-1 if word & SIGN else 1) * (m | 1 << 52), exp - 0x433


def nearest(n):
    """The integer rounded to 53 bits, to even if two are as near."""
    k = max(n.bit_length() - 53, 0)
    low = n & (1 << k) - 1
    return n - low + (1 << k if k and 2 * low + (n >> k & 1) > 1 << k else 0)


def encoded(n, exp):
    """The double nearest to n·2^exp, for n other than zero."""
    m = nearest(abs(n))
    size = m.bit_length() - 53
    if not 0x100 < exp + size + 0x433 < 0x700:
        raise Trap("a double too small or large")
    return (m >> size if size > 0 else m << -size) - (1 << 52) | exp + size + 0x433 << 52 | (SIGN if n < 0 else 0)


def fused(x, y, z):
    (a, d), (b, e), (c, f) = map(decoded, (x, y, z))
    if not a * b:
        return z if c or not (x ^ y ^ z) & SIGN else 0
    exp = min(d + e, f) if c else d + e
    n = (a * b << d + e - exp) + (c << f - exp if c else 0)
    return encoded(n, exp) if n else 0


class Integers(Processor):
    """The operations on words that are integers, and on bits that are 0 or 1."""

    failure = Trap

    constant = staticmethod(lambda n: n & ONES)
    word = known = staticmethod(lambda x: x)
    is_zero = staticmethod(lambda x: int(x == 0))
    invert = staticmethod(lambda x: x ^ ONES)
    mul = staticmethod(lambda x, y: (x * y & ONES, x * y >> 64))
    mul_low = staticmethod(lambda x, y: x * y & ONES)
    mul_high_signed = staticmethod(lambda x, y: signed(x) * signed(y) >> 64 & ONES)
    invert_bit = staticmethod(lambda x: x ^ 1)
    choose = staticmethod(lambda bit, x, y: x if bit else y)
    equal = staticmethod(lambda x, y: int(x == y))
    leading_zeros = staticmethod(lambda x: 64 - x.bit_length())
    split_bytes = staticmethod(lambda x: [x >> 8 * i & 0xff for i in range(8)])
    mask_of = staticmethod(lambda x, n: [x >> i & 1 for i in range(n)])

    negative = staticmethod(lambda x: x ^ SIGN)

    def fused(self, x, y, z):
        if self.regs["mxcsr"] & CONTROL != USUAL_CONTROL:
            raise Trap("computes with doubles while MXCSR is not the default")
        return fused(x, y, z)

    @staticmethod
    def add(x, y, carry):
        v = x + y + carry & ONES
        return v, x + y + carry >> 64, ((x ^ v) & (y ^ v)) >> 63

    @staticmethod
    def sub(x, y, borrow):
        v = x - y - borrow & ONES
        return v, int(x < y + borrow), ((x ^ y) & (x ^ v)) >> 63

    @staticmethod
    def mul52(x, y, high):
        product = (x & LIMB) * (y & LIMB)
        return product >> 52 if high else product & LIMB

    bitwise = bit = staticmethod(lambda op, x, y: x & y if op == "and" else x | y if op == "or" else x ^ y)

    @staticmethod
    def shift(op, x, k):
        if op == "shl":
            return x << k & ONES, x >> 64 - k & 1
        return (signed(x) if op == "sar" else x) >> k & ONES, x >> k - 1 & 1

    @staticmethod
    def double_shift(op, x, y, k):
        if op == "shr":
            return (y >> k | x << 64 - k) & ONES, y >> k - 1 & 1
        return (y << k | x >> 64 - k) & ONES, y >> 64 - k & 1

    def result(self, v, width=64):
        self.flags.update(zf=int(v == 0), sf=v >> width - 1)

    def flag(self, name):
        if name == "le":
            return self.flag("zf") | self.flag("sf") ^ self.flag("of")
        if self.flags[name] is None:
            raise Trap("reads an undefined flag")
        return self.flags[name]


class Machine(Integers):
    """The state of the emulator: registers, flags (None: undefined), the words of vectors, masks, and the words of memory."""

    stack, below = "rsp", 0  # as in symbolic.py
    popped = 8  # bytes that RET takes from the stack

    def __init__(self, regs, mem, writable, top, vectors=None, masks=None, binary=None):
        """Memory holds mem. Only the addresses in writable and the stack below top may be written."""
        self.regs, self.mem, self.writable, self.top, self.binary = regs, mem, writable, top, binary
        self.vectors, self.masks, self.flags = vectors or {}, masks or {}, dict.fromkeys(FLAGS)
        self.regs.setdefault("mxcsr", USUAL_CONTROL)

    def lanewise(self, f, *columns):
        if self.regs["mxcsr"] & CONTROL != USUAL_CONTROL:
            return super().lanewise(f, *columns)
        return list(remembered(f, *map(tuple, columns)))

    def load(self, addr):
        if addr not in self.mem:
            constant = self.binary and self.binary.constant(addr)
            if constant is not None:
                return constant
            raise Trap("reads outside of its operands")
        return self.mem[addr]

    def store(self, addr, v):
        if addr not in self.writable and not (self.regs[self.stack] - self.below <= addr < self.top and addr % 8 == 0):
            raise Trap("writes outside of its operands")
        self.mem[addr] = v

    def place(self, m):
        index = self.regs[m.index] * m.scale if m.index else 0
        return (self.regs[m.base] + index + m.disp) % WORD if m.base else m.disp

    def get(self, a):
        if isinstance(a, Reg):
            return self.regs[a.name] & (1 << a.width) - 1
        return a.value if isinstance(a, Imm) else self.load(self.place(a))

    def set(self, a, v):
        if isinstance(a, Reg):
            self.regs[a.name] = v
        else:
            self.store(self.place(a), v)

    def load_byte(self, m):
        at = self.place(m)
        return self.load(at & ~7) >> 8 * (at & 7) & 0xff

    def load_half(self, m):
        return self.load(self.place(m)) & 0xffffffff

    def store_half(self, m, v):
        at = self.place(m)
        self.store(at, self.mem.get(at, 0) & ~0xffffffff | v)

    def set_control(self, v):
        self.regs["mxcsr"] = v

    def set_byte(self, a, v):
        self.regs[a.name] = self.regs[a.name] & ~0xff | v

    def lanes(self, a, n):
        if isinstance(a, Vec):
            return self.vectors[a.name][:n]
        at = self.place(a)
        return [self.load(at)] * n if a.broadcast else [self.load(at + 8 * i) for i in range(n)]

    def reach(self, m):
        at = self.place(m)
        if at not in self.writable:
            self.load(at)

    def merge(self, a, v):
        self.vectors[a.name] = v + self.vectors[a.name][len(v):]

    def put_vector(self, a, v, n):
        if isinstance(a, Vec):
            self.vectors[a.name] = v + [0] * (8 - n)
        else:
            for i, x in enumerate(v):
                self.store(self.place(a) + 8 * i, x)

    def picked(self, table, index):
        return [table[i % len(table)] for i in index]

    def picked_bytes(self, table, index, mask):
        whole = sum(w << 64 * i for i, w in enumerate(table))
        keep = mask or [1] * 64
        return [sum((whole >> 8 * (word >> 8 * i & 63) & 0xff) << 8 * i for i in range(8) if keep[8 * lane + i]) for lane, word in enumerate(index)]

    def mask(self, name, bits=8):
        return self.mask_of(self.masks[name], bits)

    whole_mask = mask

    def put_mask(self, name, bits):
        self.masks[name] = sum(bit << i for i, bit in enumerate(bits))

    def load_mask(self, m):
        at = self.place(m)
        return self.mask_of(self.load(at & ~7) >> 8 * (at & 7), 8)

    def store_mask(self, m, bits):
        at = self.place(m)
        shift = 8 * (at & 7)
        self.store(at & ~7, self.load(at & ~7) & ~(0xff << shift) | sum(bit << i for i, bit in enumerate(bits)) << shift)

    def push(self, v):
        self.regs["rsp"] -= 8
        self.store(self.regs["rsp"], v)

    def called(self, at):
        self.push(CODE + at)

    def returned(self):
        at = self.pop() - CODE
        if not 0 < at < 1 << 20:
            raise Trap("returns to an unknown address")
        return at

    def pop(self):
        self.regs["rsp"] += 8
        return self.load(self.regs["rsp"] - 8)

    def address(self, a):
        return sum(self.regs[r] * k for r, k in a.parts) + a.disp & ONES

    def prefetch(self, a):
        """Has no effect."""

    def clear_upper(self):
        self.vectors.update((name, self.vectors[name][:2] + [0] * 6) for name in CLEARED)

    def run(self, prog, at=0, limit=20000):
        """Runs up to and including the RET."""
        for _, ins in self.follow(prog, at, limit):
            if ins.op != "j":
                self.step(ins)
        self.regs[self.stack] += self.popped


# The functions of lanewise depend on no part of a state except MXCSR.
USUAL = Machine({}, {}, set(), 0)


@functools.lru_cache(1 << 15)
def remembered(f, *columns):
    """The results of lanewise with the usual MXCSR. Mutants of a routine mostly compute what the routine computes."""
    return tuple(Integers.lanewise(USUAL, f, *columns))
