"""Routines that only move words and bits, on all eight lanes at once.

A word is a tuple of bits, each of which is 0, 1, or a symbol that stands for a bit of an input. An instruction may move
symbols and put zeros next to them, but not compute from them. If an instruction computes from a symbol of the lane's
digit, the proof tries all values of the digit, and the word becomes Cases, with a word for each value. Addresses are
pointers with known offsets, so they depend on no inputs except Given parameters. The exception is a Table: its offsets
are words of an input, whose values are unknown, and each such offset has symbols of its own for the words that are read
there.
"""

import functools
import itertools

import concrete
from specs import Anything, Given, In, Offsets, Out, Pointers, SetLanes, SetWords, Table, Words
from symbolic import Ptr, Stuck, Symbolic
from x86 import ONES, Mem, Unsupported

SIZE = 64  # bits of a word


class Undecided(Stuck):
    """An instruction computes from a symbol."""

    def __init__(self):
        super().__init__("depends on the inputs")


class Bits:
    """A word, or one bit of a mask. Equal bits are the same object."""

    __slots__ = ("bits", "value")
    known = {}

    def __new__(cls, bits):
        found = cls.known.get(bits)
        if found is None:
            found = cls.known[bits] = super().__new__(cls)
            found.bits = bits
            found.value = sum(b << i for i, b in enumerate(bits)) if all(b in (0, 1) for b in bits) else None
        return found

    @staticmethod
    def of(n, size=SIZE):
        return Bits(tuple(n >> i & 1 for i in range(size)))


class Cases:
    """A word of a lane for each value of the lane's digit. Equal cases are the same object."""

    __slots__ = ("lane", "words")
    known = {}

    def __new__(cls, lane, words):
        found = cls.known.get((lane, words))
        if found is None:
            found = cls.known[lane, words] = super().__new__(cls)
            found.lane, found.words = lane, words
        return found


ZERO = Bits.of(0)


NEUTRAL = {"and": 1, "or": 0, "xor": 0}


@functools.cache
def bit_of(op, x, y):
    """The result of an operation on two bits, each of which is 0, 1 or a symbol."""
    neutral = NEUTRAL[op]
    if neutral in (x, y):
        return y if x == neutral else x
    if x == y:
        return 0 if op == "xor" else x
    if op != "xor" and 1 - neutral in (x, y):
        return 1 - neutral
    raise Undecided


def number(x, size=SIZE):
    """The low bits as an integer."""
    if x.value is not None:
        return x.value & (1 << size) - 1
    if any(b not in (0, 1) for b in x.bits[:size]):
        raise Undecided
    return sum(b << i for i, b in enumerate(x.bits[:size]))


class MovesProof:
    """The proof of one routine, for one value of its Given parameter."""

    def __init__(self, prog, spec, places, binary=None):
        self.prog, self.spec, self.proved = prog, spec, 0
        self.elements = self  # this object counts the proved elements itself
        self.symbols = [None, None]  # symbol i, for i from 2 on, stands for symbols[i]: (input, word, bit)
        self.memo = {}
        self.sizes, self.start, self.inputs = {}, {}, {}
        self.tables, self.offsets = set(), {}  # offsets maps a word to its input, its index in the input, and its range
        for p, off in spec.places():
            at = ("sp", 8 + off)
            if isinstance(p, (In, Out)):
                self.start[at] = Ptr(p.name, 0)
                self.sizes[p.name] = 1 if isinstance(p, SetLanes) else 8 * p.count
            if isinstance(p, Words):
                self.words(p.name, p.name, p.count, p.bits)
                if isinstance(p, Offsets):
                    self.offsets.update((w, (p.name, k, p.values(k))) for k, w in enumerate(self.inputs[p.name]) if p.values(k))
            elif isinstance(p, Table):
                self.tables.add(p.name)
                self.inputs[p.name] = p
            elif isinstance(p, Pointers):
                for i in range(p.count):
                    self.start[p.name, 8 * i] = Ptr((p.name, i), 0)
                    self.sizes[p.name, i] = 8 * p.words
                    self.words((p.name, i), (p.name, i), p.words)
            elif isinstance(p, Anything):
                self.start[at] = self.fresh(p.name, 0, SIZE)
                self.inputs[p.name] = [self.start[at]]
            elif isinstance(p, Given):
                self.start[at] = Bits.of(p.value)
        where = {s: v for v, s in enumerate(self.symbols) if s}
        self.digits = [[where[bit] for bit in spec.digit(lane)] for lane in range(8)]
        self.deciding = [set(digit) for digit in self.digits]
        self.values = list(itertools.product((0, 1), repeat=len(self.digits[0])))
        self.public = None

    def words(self, name, base, count, bits=lambda k: SIZE):
        self.inputs[name] = [self.fresh(name, k, bits(k)) for k in range(count)]
        self.start.update(((base, 8 * k), w) for k, w in enumerate(self.inputs[name]))

    def fresh(self, name, word, bits):
        first = len(self.symbols)
        self.symbols += [(name, word, bit) for bit in range(bits)]
        return Bits((*range(first, first + bits), *[0] * (SIZE - bits)))

    def entry(self, table, offset, step):
        """The word of a table at a given distance from an offset."""
        key = table, offset, step
        if key not in self.memo:
            self.memo[key] = self.fresh(table, (*self.offsets[offset][:2], step), SIZE)
        return self.memo[key]

    def decided(self, lane, word):
        """The word for each value of the lane's digit."""
        key = lane, word
        if key not in self.memo:
            if not self.deciding[lane].isdisjoint(word.bits):
                known = [dict(zip(self.digits[lane], value)) for value in self.values]
                self.memo[key] = [Bits(tuple(env.get(b, b) for b in word.bits)) for env in known]
            else:
                self.memo[key] = [word] * len(self.values)
        return self.memo[key]

    def state(self):
        return MovesState(self)

    def run(self):
        """Raises Stuck if the routine is not proved."""
        state = self.state()
        state.execute(self.prog)
        self.finish(state)
        self.public = state.touched

    def finish(self, state):
        state.ended(self.spec.prefetches)
        self.proved += len(state.prefetched)
        read = {at for at in state.touched if at in self.start}
        for name in self.spec.all_read:
            missing = {at for at in self.start if at[0] == name} - read
            if missing:
                raise Stuck(f"does not read {min(missing)}")
        places = set()
        for lane in range(8):
            for case, want in enumerate(self.wanted(lane)):
                for p, set_to in zip(self.spec.outs, want, strict=True):
                    if isinstance(p, SetLanes):
                        have = state.mem.get((p.name, 0), [None] * 8)[lane]
                        self.compare(f"{p.name}, lane {lane}", have, lane, case, (set_to,))
                        continue
                    for k, bits in set_to.items():
                        places.add((p.name, 8 * k))
                        self.compare(f"{p.name}, word {k}", state.mem.get((p.name, 8 * k)), lane, case, bits)
        if places != {(p.name, 8 * k) for p in self.spec.outs if isinstance(p, SetWords) for k in range(p.count)}:
            raise Stuck("the specification does not give all results")

    def wanted(self, lane):
        """The results of the formula for a lane, for each value of its digit."""
        params = [p for p in self.spec.params if isinstance(p, (In, Anything))]
        deciding = {self.symbols[b][:2] for b in self.digits[lane]}
        given = {name: self.looks_up(words) if isinstance(words, Table) else [w.bits for w in words] for name, words in self.inputs.items()}
        for case in range(len(self.values)):
            for name, k in deciding:
                given[name][k] = self.decided(lane, self.inputs[name][k])[case].bits
            yield self.spec.formula(lane, *([given[p.name, i] for i in range(p.count)] if isinstance(p, Pointers) else given[p.name] for p in params))

    def looks_up(self, table):
        return lambda offset: [self.entry(table.name, Bits(offset), step).bits for step in table.steps]

    def compare(self, what, have, lane, case, bits):
        if have is None:
            raise Stuck(f"{what} is not set")
        if isinstance(have, Cases):
            if have.lane != lane:
                raise Stuck(f"{what} depends on the digit of another lane")
            have = have.words[case]
        else:
            have = self.decided(lane, have)[case]
        if have.bits[:len(bits)] != tuple(bits):
            raise Stuck(f"{what} is not as specified")
        self.proved += 1


class MovesState(Symbolic):
    """Registers, which hold Bits or pointers; vectors and masks, whose lanes are Bits or Cases; and memory."""

    def __init__(self, proof):
        outs = {p.name for p in proof.spec.outs}
        super().__init__({name: (size, name in outs) for name, size in proof.sizes.items()})
        self.proof, self.mem = proof, dict(proof.start)

    def jumps(self, ins):
        taken = super().jumps(ins)
        self.touched.append(taken)
        return taken

    # Operands.

    def entry(self, m, size):
        """For an access to a table, the table, the word with the offset, and the distance from the offset; otherwise None."""
        p = self.regs.get(m.base)
        if not (m.index and isinstance(p, Ptr) and p.base in self.proof.tables):
            return None
        offset = self.regs.get(m.index)
        if not isinstance(offset, Bits) or offset not in self.proof.offsets or m.scale != 1:
            raise Stuck(f"{m.index} holds no offset in {p.base}")
        values, step = self.proof.offsets[offset][2], p.off + m.disp
        if values[0] + step < 0 or values[-1] + step > self.proof.sizes[p.base] - size or any(n % 8 for n in (values.start, values.step, step)):
            raise Stuck(f"access outside of {p.base}")
        return p.base, offset, step

    def load(self, m):
        entry = self.entry(m, 8)
        return self.proof.entry(*entry) if entry else super().load(m)

    def prefetch(self, a):
        parts = [r for r, scale in a.parts if scale == 1]
        entry = self.entry(Mem(parts[0], a.disp, False, parts[1]), 8) if len(a.parts) == len(parts) == 2 else None
        if entry is None:
            raise Stuck("prefetches outside of the tables")
        self.prefetched.append((entry[0], *self.proof.offsets[entry[1]][:2], entry[2]))

    def load_mask(self, m):
        base, off = self.place(m, 1)
        word = self.mem.get((base, off & ~7))
        if not isinstance(word, Bits):
            raise Stuck(f"no mask at {base}+{off}")
        return [Bits((bit,)) for bit in word.bits[8 * (off & 7):][:8]]

    def store_mask(self, m, bits):
        at = self.place(m, 1)
        if at[0] not in [p.name for p in self.proof.spec.outs if isinstance(p, SetLanes)]:
            raise Stuck(f"writes {at[0]}")
        self.mem[at] = bits
        self.wrote.append(at)

    # Lanes.

    def lanewise(self, f, *columns):
        return [self.combine(lane, f, *words) for lane, words in enumerate(zip(*columns, strict=True))]

    def combine(self, lane, f, *words):
        """Applies a function to words of a lane, for each value of the digit if necessary."""
        key = lane, f, *words
        memo = self.proof.memo
        if key not in memo:
            memo[key] = self.combined(lane, f, *words)
        return memo[key]

    def combined(self, lane, f, *words):
        if not any(isinstance(w, Cases) for w in words):
            try:
                return f(self, *words)
            except Undecided:
                pass
        if any(isinstance(w, Cases) and w.lane != lane for w in words):
            raise Stuck("a word that depends on the digit of one lane moves to another lane")
        columns = [w.words if isinstance(w, Cases) else self.proof.decided(lane, w) for w in words]
        memo, r = self.proof.memo, []
        for column in zip(*columns):
            key = f, *column
            if key not in memo:
                memo[key] = f(self, *column)
            r.append(memo[key])
        return r[0] if all(w is r[0] for w in r) else Cases(lane, tuple(r))

    def picked(self, table, index):
        return [self.chosen(lane, low_bits(len(table).bit_length() - 1), w, table) for lane, w in enumerate(index)]

    def chosen(self, lane, low, index, table):
        """The word of a table at an index. The function low takes the low bits of the index."""
        at = self.combine(lane, low, index)
        if isinstance(at, Bits):
            return table[at.value]
        columns = {}
        for w in at.words:
            v = table[w.value]
            if isinstance(v, Cases):
                raise Stuck("looks up a word that depends on a digit")
            columns[w.value] = self.proof.decided(lane, v)
        r = tuple(columns[w.value][case] for case, w in enumerate(at.words))
        return r[0] if all(w is r[0] for w in r) else Cases(lane, r)

    # Words.

    constant = staticmethod(lambda n: Bits.of(n & ONES))

    @staticmethod
    def known(w):
        return number(bits_of(w))

    def result(self, v, width=64):
        super().result(v.value if isinstance(v, Bits) else None, width)

    @staticmethod
    def bitwise(op, x, y):
        return Bits(tuple(bit_of(op, *pair) for pair in zip(bits_of(x).bits, bits_of(y).bits)))

    bit = bitwise

    @staticmethod
    def invert_bit(bit):
        return 1 - bit if isinstance(bit, int) else Bits((1 - number(bit, 1),))

    @staticmethod
    def choose(bit, x, y):
        return x if (bit if isinstance(bit, int) else number(bit, 1)) else y

    @staticmethod
    def is_zero(w):
        if any(b == 1 for b in w.bits):
            return Bits((0,))
        return Bits((int(number(w) == 0),))

    @staticmethod
    def shift(op, x, n):
        """The shifted word. Flags are not known afterwards."""
        bits = bits_of(x).bits
        if op == "sar":
            raise Unsupported("an arithmetic shift")
        return Bits((0,) * n + bits[:SIZE - n] if op == "shl" else bits[n:] + (0,) * n), None

    def mask_of(self, w, n):
        return [Bits((self.known(w) >> i & 1,)) for i in range(n)]

    @staticmethod
    def split_bytes(w):
        return [Bits(w.bits[8 * i:8 * i + 8] + (0,) * 56) for i in range(8)]


def bits_of(w):
    if not isinstance(w, Bits):
        raise Stuck("computes with an address")
    return w


@functools.cache
def low_bits(size):
    """Returns a function that returns the low bits of a word, which must be known."""
    return lambda _, w: Bits.of(number(w, size))


class MovesCase(concrete.Case):
    """Inputs of a routine that moves words."""

    size = 8

    def __init__(self, *args, **options):
        self.integers = {}
        super().__init__(*args, **options)

    def parameter(self, p):
        at = self.address(p.name) if isinstance(p, (In, Out)) else None
        if isinstance(p, Words):
            words = self.words(p.name, p.count, p.bits)
            self.inputs.append(self.offsets(p, at) if isinstance(p, Offsets) else words)
        elif isinstance(p, Table):
            self.inputs.append(self.looks_up(p, at))
        elif isinstance(p, Pointers):
            self.inputs.append([self.words((p.name, i), p.words) for i in range(p.count)])
            self.mem.update((at + 8 * i, self.address((p.name, i))) for i in range(p.count))
        elif isinstance(p, Anything):
            at = self.integers[p.name, 0] = self.rng.getrandbits(64)
            self.inputs.append([Bits.of(at).bits])
        else:
            if isinstance(p, SetLanes):
                self.mem[at] = self.rng.getrandbits(64)
            return super().parameter(p)
        return at

    def expect(self):
        self.want = [self.spec.formula(lane, *self.inputs) for lane in range(8)]

    def offsets(self, p, at):
        """Sets offsets to values in their ranges, and the words of the table at these offsets to random values."""
        (table,) = (q for q in self.spec.params if isinstance(q, Table))
        for k in range(p.count):
            if p.values(k):
                value = self.rng.choice((p.values(k)[0], p.values(k)[-1], *self.rng.choices(p.values(k), k=4)))
                self.mem[at + 8 * k] = self.integers[p.name, k] = value
                for step in table.steps:
                    word = self.mem.setdefault(self.address(table.name) + value + step, self.rng.getrandbits(SIZE))
                    self.integers[table.name, (p.name, k, step)] = word
        return [Bits.of(self.integers[p.name, k]).bits for k in range(p.count)]

    def looks_up(self, p, at):
        return lambda offset: [Bits.of(self.mem[at + number(Bits(offset)) + step]).bits for step in p.steps]

    def words(self, name, count, bits=lambda k: SIZE):
        at = self.address(name)
        words = [self.rng.choice((self.rng.getrandbits(bits(k)), self.rng.getrandbits(bits(k)), (1 << bits(k)) - 1)) for k in range(count)]
        self.mem.update((at + 8 * k, w) for k, w in enumerate(words))
        self.integers.update(((name, k), w) for k, w in enumerate(words))
        return [Bits.of(w).bits for w in words]

    def wrong(self, m):
        for lane, want in enumerate(self.want):
            for p, set_to in zip(self.spec.outs, want, strict=True):
                at = self.address(p.name)
                if isinstance(p, SetLanes):
                    if m.mem[at] >> lane & 1 != set_to or (m.mem[at] ^ self.mem[at]) >> 8:
                        return f"{p.name} is wrong"
                    continue
                for k, bits in set_to.items():
                    have = m.mem.get(at + 8 * k)
                    if have is None or Bits.of(have).bits[:len(bits)] != tuple(bits):
                        return f"{p.name}, word {k} is wrong"
        return None

    def start(self, proof):
        return proof.state()

    def verify(self, proof, claims):
        env = [0, 1, *(self.integers[name, word] >> bit & 1 for name, word, bit in proof.symbols[2:])]
        digits = [proof.values.index(tuple(env[s] for s in digit)) for digit in proof.digits]
        for ins, what, v, x in claims:
            for w, y in zip(v, x) if isinstance(v, list) else [(v, x)]:
                w = w.words[digits[w.lane]] if isinstance(w, Cases) else w
                assert self.agrees(w, y, env), f"{ins}: {what}"

    def agrees(self, w, x, env):
        if isinstance(w, Bits):
            return all(env[b] == x >> i & 1 for i, b in enumerate(w.bits))
        return w == x if isinstance(w, int) else super().agrees(w, x, env)
