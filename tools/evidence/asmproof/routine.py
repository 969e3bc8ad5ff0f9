"""Proves one routine: executes it symbolically, for every allowed aliasing, and compares the results with its specification."""

import functools

import x86
from effects import liveness
from elements import Elements
from poly import Poly
from specs import Count, Given, In, Mask, Out
from symbolic import Ptr, State, Stuck, Trace, Word

MOST_COUNT = (1 << 63) - 1


class Proof:
    """One routine under one aliasing."""

    trace_of, state, elements_of = Trace, State, Elements
    stride = 8  # distance between the words of an element
    sizes = 4, 8  # numbers of words that may be an element or a wide product
    number = Word  # the class of the words of elements
    parts = ("regs", "mem")  # parts of a state that a loop changes
    step, counting = -1, (1, MOST_COUNT)  # step of the counter, and its range

    def __init__(self, prog, spec, places, binary=None):
        """places maps pointer parameters to (object, offset)."""
        self.shape(prog)
        self.prog, self.spec, self.places = prog, spec, places
        self.trace = self.trace_of()
        self.elements = self.elements_of(self.trace, spec.n, spec.below)
        self.counter = self.public = self.at_head = None
        objects, self.inputs, self.flags = {}, [], []
        for p in spec.params:
            if isinstance(p, (In, Out)):
                base, off = places[p.name]
                size, writable = objects.get(base, (0, False))
                objects[base] = max(size, off + self.size(p) * p.count), writable or isinstance(p, Out)
        self.start = self.state(self.trace, objects, binary)
        given = {}
        for p, off in spec.places():
            at = ("sp", 8 + off)
            if isinstance(p, (In, Out)):
                self.start.mem[at] = Ptr(*places[p.name])
            if isinstance(p, In):
                self.inputs.append(self.group(given, p))
            elif isinstance(p, Count):
                v = self.trace.fresh(1, MOST_COUNT)
                self.counter = Poly.var(v)
                self.start.mem[at] = Word(self.counter, 1, MOST_COUNT)
            elif isinstance(p, Given):
                self.start.mem[at] = self.trace.constant(p.value)
            elif isinstance(p, Mask):
                bit = self.trace.fresh(0, 1)
                self.start.mem[at] = Word(-Poly.var(bit), -1, 0)
                self.elements.symbols.add(bit)
                self.flags.append(Poly.var(bit))
            else:
                self.given(p, at)
        self.begin()

    @functools.cached_property
    def live(self):
        """What liveness returns for the routine. Only proofs of loops need it."""
        return liveness(self.prog)

    @staticmethod
    def shape(prog):
        """Checks that the proof can follow the code."""
        x86.simple(prog)

    def begin(self):
        """Completes the initial state."""

    @staticmethod
    def limbs(p):
        """The number of words in an element of a parameter."""
        return 4

    def size(self, p):
        return self.stride * self.limbs(p)

    def given(self, p, at):
        """Sets a parameter that is not a pointer to elements."""

    def group(self, given, p):
        """The elements of an input."""
        return [self.input(given, p, k) for k in range(p.count)]

    def input(self, given, p, k):
        """Element k of an input, which may be at the same place as an element of an earlier input."""
        base, off = self.places[p.name]
        at = base, off + self.size(p) * k
        if at not in given:
            given[at] = self.elements.fresh(count=self.limbs(p), below=p.below)
            for i, w in enumerate(self.elements.words(given[at])):
                self.start.mem[base, at[1] + self.stride * i] = w
        return given[at]

    def expect(self, inputs):
        """The specified results for inputs given as lists of polynomials."""
        return [self.trace.tidy(Poly.of(v)).mod(self.spec.n) for v in self.spec.formula(*inputs, *self.flags)]

    def run(self):
        """Raises Stuck if the routine is not proved."""
        values = [[e.value for e in group] for group in self.inputs]
        state = self.start.clone()
        at = self.follow(state, 0, True)
        if at is not None:
            self.loop(state, at, values)
            return
        if self.spec.loop:
            raise Stuck("no loop")
        self.finish(state, self.expect(values))
        self.accesses(state)

    def follow(self, state, i, first=False):
        """Executes from instruction i on. Returns the index of the jump back if the specification has a loop, and None at RET."""
        for i, ins in state.follow(self.prog, i):
            if first:
                self.reached(state, i)
            if ins.op == "j":
                if self.spec.loop and self.repeats(state, ins):
                    return i
                continue
            state.step(ins)
            try:
                for at in state.wrote:
                    self.stored(state, at)
                self.stepped(state)
            except Stuck as e:
                raise Stuck(f"{ins}: {e}") from None
        return None

    def reached(self, state, i):
        """Notes the state in which the loop begins for the first time."""
        head = next((ins.target for ins in self.prog if ins and ins.op == "j"), None)
        if head is not None and i >= head and self.at_head is None:
            self.at_head = state.clone()

    def repeats(self, state, ins):
        """Whether a jump repeats the loop."""
        return True

    def stepped(self, state):
        """Called with the state after each instruction."""

    def accesses(self, state):
        """Checks which inputs were read. Records what must not depend on parameters: accesses, and the contents left in vectors."""
        if self.spec.reads is not None:
            read = {at for at in state.touched if at in self.start.mem and at[0] != "sp"}
            want = {(base, off) for base, off in self.start.mem if base in self.spec.reads}
            if read != want:
                raise Stuck(f"reads {min(read - want)}, which it must not read" if read - want else f"does not read {min(want - read)}")
        self.public = state.touched, state.prefetched, state.left_in_vectors()

    def stored(self, state, at):
        """Makes an element of the words around the last stored word, if they form an element."""
        if not isinstance(state.mem[at], self.number):
            return
        base, off = at
        state.pending.add(at)
        for count in self.sizes:
            for start in range(off - self.stride * (count - 1), off + self.stride, self.stride):
                places = [(base, start + self.stride * i) for i in range(count)]
                if state.pending.issuperset(places) and self.elements.cut([state.mem[p] for p in places]):
                    state.pending.difference_update(places)
                    return

    def finish(self, state, expected):
        """Checks a state at RET."""
        state.ended(self.spec.prefetches)
        for (name, at, limbs), want in zip(self.results(), expected, strict=True):
            words = [state.mem.get((at[0], at[1] + self.stride * i)) for i in range(limbs)]
            if None in words:
                raise Stuck(f"{name} is not set")
            self.elements.reason = None
            e = self.elements.cut(words)
            if e is None:
                raise Stuck(f"{name}: {self.elements.reason}")
            if e.value != want:
                raise Stuck(f"{name} is not as specified")
            if self.spec.below and (e.below is None or e.below > self.spec.n):
                raise Stuck(f"{name} may be above its bound")

    def results(self):
        """The name, the place and the number of words of each element that the routine sets."""
        for p in self.spec.outs:
            base, off = self.places[p.name]
            for k in range(p.count):
                yield f"{p.name}[{k}]", (base, off + self.size(p) * k), self.limbs(p)

    # A loop, which repeats the formula on its own result.
    #
    # The first iteration starts at the entry. For the start of a later iteration the proof assumes only this: the
    # places of the previous result hold arbitrary elements, the counter is at least one, and pointers and words that
    # iterations do not change are unchanged. If all this holds again at the end, with the result of one more iteration,
    # then by induction the number of iterations is the initial value of the counter.

    def loop(self, state, at, values):
        want = self.expect(values)
        if len(values) != 1 or len(want) != len(values[0]):
            raise Stuck("the specification does not fit a loop")
        self.turn(state, at, self.counter, self.at_head)
        self.leave(state, at, want)
        given = set()
        while True:
            symbols = [self.trace.fresh(0, (1 << 256) - 1) for _ in want]
            head, roles = self.generic(state, want, symbols, given)
            later = head.clone()
            if self.follow(later, self.prog[at].target) != at:
                raise Stuck("the loop ends at another jump")
            self.turn(later, at, self.count, head)
            again = self.expect([[Poly.var(s) for s in symbols]])
            broken = self.broken(later, roles, again)
            if not broken:
                break
            # Nothing is assumed about places that an iteration does not preserve.
            given |= broken
        self.leave(later, at, again)

    def turn(self, state, at, counter, head):
        """Checks the end of an iteration that started at head."""
        ins = self.prog[at]
        name, want = ins.cond
        result = state.flags["zf"] if name == "zf" else state.regs.get(name)
        if want or not isinstance(result, Word) or self.trace.unsigned(result) != counter - 1:
            raise Stuck(f"{ins}: the loop does not count down by one")
        # Elements in registers must be in the same registers as at the start.
        held = {}
        for r in sorted(self.live[ins.target] & set(head.regs)):
            a = self.elements.atom(head.regs[r])
            if a and len(a[0].words) == 4:
                held.setdefault(a[0].symbol, {}).setdefault(a[1], r)
        for where in held.values():
            if sorted(where) == [0, 1, 2, 3] and all(isinstance(state.regs.get(r), Word) for r in where.values()):
                self.elements.cut([state.regs[where[i]] for i in range(4)])

    def leave(self, state, at, want):
        end = state.clone()
        if self.follow(end, at + 1) is not None:
            raise Stuck("another loop")
        self.finish(end, want)

    def generic(self, state, want, symbols, given):
        """The state at the start of a later iteration, and the role of each place, derived from the state after the
        first iteration."""
        t, head, roles = self.trace, state.clone(), {}
        self.count_var = t.fresh(*self.counting)
        self.count = Poly.var(self.count_var)
        made = {}
        head.flags, head.low = dict.fromkeys(x86.FLAGS), {}
        for kind in self.parts:
            now = getattr(head, kind)
            for place, v in list(now.items()):
                role = None
                if (kind, place) in given:
                    pass
                elif self.same(kind, place, v):
                    role = ("same", v)
                elif self.counts(kind, place, v):
                    now[place], role = Word(self.count, *self.counting), ("count",)
                else:
                    a = self.elements.atom(v)
                    k = next((k for k, w in enumerate(want) if a and a[0].value == w), None)
                    if k is not None:
                        e = made.get(a[0].symbol)
                        if e is None:
                            e = made[a[0].symbol] = self.elements.fresh(Poly.var(symbols[k]), len(a[0].words), a[0].below)
                        now[place] = self.elements.words(e)[a[1]]
                        role = ("state", k, e.symbol, a[1], a[0].below)
                if role is None:
                    now[place] = self.unknown(v)
                else:
                    roles[kind, place] = role
        return head, roles

    def same(self, kind, place, v):
        """Whether the first iteration left a place unchanged."""
        return isinstance(v, Ptr) or unchanged(v, getattr(self.at_head, kind).get(place))

    def counts(self, kind, place, v):
        """Whether a place that holds v after the first iteration is the counter."""
        return v.poly == self.counter - 1

    def unknown(self, v):
        """An arbitrary value of the same kind as v."""
        return Word(Poly.var(self.trace.fresh(0, x86.ONES)), 0, x86.ONES)

    def broken(self, state, roles, want):
        """Returns the places that no longer have their roles."""
        r, became = set(), {}
        for (kind, place), role in roles.items():
            v = getattr(state, kind).get(place)
            if role[0] == "same":
                ok = unchanged(role[1], v)
            elif role[0] == "count":
                ok = isinstance(v, Word) and v.poly == self.count + self.step
            else:
                _, k, symbol, i, below = role
                a = self.elements.atom(v)
                ok = (a is not None and a[1] == i and a[0].value == want[k] and (below is None or a[0].below == below)
                      and became.setdefault(symbol, a[0].symbol) == a[0].symbol)
            if not ok:
                r.add((kind, place))
        return r


def unchanged(v, w):
    return type(v) is type(w) and getattr(v, "poly", v) == getattr(w, "poly", w)
