"""Chooses what to prove in a binary: its assembly routines or, if it has none, the Go functions that replace them."""

import arm64
import compiled
import specs
import x86


class Platform:
    def __init__(self, title, routines, excepted, listed, find, program):
        """routines maps names to specifications. listed has the names in the binary, each of which must be specified or excepted."""
        self.title, self.routines, self.excepted, self.listed, self.find, self.program = title, routines, excepted, listed, find, program


def decoded(binary, symbol):
    """The instructions of a routine. If it calls others, these belong to the first routine that calls them."""
    if not binary.called(symbol):
        return x86.decode(binary.disassemble(symbol))
    earlier = set()
    for name in specs.DOUBLES:
        other = binary.find(name)
        if other == symbol:
            break
        earlier |= binary.called(other)
    return compiled.program(binary, symbol, earlier)


def of(binary):
    assembly = binary.assembly()
    if binary.machine == "arm64":
        return Platform("the assembly for ARM64", specs.ARM64, {}, assembly, binary.find,
                        lambda symbol: arm64.decode(binary.disassemble(symbol)))
    if assembly:
        return Platform("the assembly for x86-64", specs.ROUTINES, {}, assembly, binary.find,
                        lambda symbol: decoded(binary, symbol))
    proved = [symbol for name in specs.PORTABLE if (symbol := binary.function(name))]
    return Platform("Go as compiled for x86-64", specs.PORTABLE, specs.NOT_PROVED, binary.generic(), binary.function,
                    lambda symbol: compiled.program(binary, symbol, proved))
