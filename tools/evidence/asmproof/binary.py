"""Reads routines and read-only data out of a linked ELF binary."""

import re
import struct
import subprocess

from x86 import Unsupported

MACHINES = {62: "amd64", 183: "arm64"}
OBJDUMP = {"amd64": "objdump", "arm64": "aarch64-linux-gnu-objdump"}  # Debian: binutils, binutils-aarch64-linux-gnu


class Binary:
    """The symbols and the read-only bytes of a 64-bit ELF file."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as f:
            self.data = f.read()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path}: not a little-endian 64-bit ELF file")
        self.machine = MACHINES[struct.unpack_from("<H", self.data, 18)[0]]
        off, = struct.unpack_from("<Q", self.data, 40)
        size, count = struct.unpack_from("<HH", self.data, 58)
        # Fields of each section: name, type, flags, address, offset, size, link, info, alignment, entry size.
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.data, off + i * size) for i in range(count)]
        self.symbols, self._at = {}, None
        for s in self.sections:
            if s[1] == 2:
                self._symbols(s, self.sections[s[6]])

    def _symbols(self, table, names):
        for at in range(table[4], table[4] + table[5], 24):
            name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
            if info & 15 == 2 and section:
                start = names[4] + name
                self.symbols[self.data[start:self.data.index(b"\0", start)].decode()] = (value, size)

    def find(self, name):
        """The full symbol of the assembly routine with this name, or None."""
        found = [s for s in self.symbols if re.search(rf"(^|[./]){re.escape(name)}\.abi0$", s)]
        if len(found) > 1:
            raise ValueError(f"{name} is ambiguous: {', '.join(sorted(found))}")
        return found[0] if found else None

    def function(self, name):
        """The full symbol of the library's Go function with this name, or None."""
        symbol = f"p256k1.mleku.dev/v2/internal/{name}"
        return symbol if symbol in self.symbols else None

    def named(self, addr):
        """The symbol at an address, or None."""
        if self._at is None:
            self._at = {value: name for name, (value, _) in self.symbols.items()}
        return self._at.get(addr)

    def assembly(self):
        """The names of the library's assembly routines, without dispatchers and without the twins in Go."""
        found = {m[1] for s in self.symbols if (m := re.search(r"^p256k1\.mleku\.dev/v2/internal/([\w/]+\.\w+)\.abi0$", s))}
        return sorted(s for s in found if not s.endswith("Generic") and not {s + "Broadwell", s + "IFMA", s + "FMA", s.removesuffix("Vartime") + "IFMA"} & found)

    def generic(self):
        """The names of the library's Go functions that may replace a routine in assembly."""
        found = (re.search(r"^p256k1\.mleku\.dev/v2/internal/([\w/]+\.\w+Generic)$", s) for s in self.symbols)
        return sorted(m[1] for m in found if m and not m[1].startswith("lanes."))  # in this build, the twins of package lanes run only in tests

    def constant(self, addr):
        """The eight bytes at a read-only address, or None."""
        for _, kind, flags, start, off, size, *_ in self.sections:
            # a section of program data that is loaded and not writable
            if kind == 1 and flags & 3 == 2 and start <= addr and addr + 8 <= start + size:
                return struct.unpack_from("<Q", self.data, off + addr - start)[0]
        return None

    def called(self, symbol):
        """The symbols that a routine calls."""
        return {m[1] for _, text in self.disassemble(symbol) if (m := re.match(r"call +\w+ <(.*)>", text))} if symbol else set()

    def disassemble(self, symbol):
        """The (address, text) of every instruction of the routine, in order."""
        start, size = self.symbols[symbol]
        out = subprocess.run(
            [OBJDUMP[self.machine], "-d", "--no-show-raw-insn", f"--start-address={start}", f"--stop-address={start + size}", self.path],
            check=True, capture_output=True, text=True).stdout
        code = re.findall(r"^\s*([0-9a-f]+):\t(.*)$", out, re.M)
        return without_stack_check([(int(a, 16), t.strip()) for a, t in code])


def without_stack_check(code):
    """The code without the check of the stack's size that Go adds, and without the part at the end that grows the stack
    and starts again. That part may save parameters, and must then load the same parameters."""
    def lines(part):
        return "".join(text + "\n" for _, text in part)

    start = re.match(r"(?:mov +%fs:0xf{15}8,%r14\n)?"
                     r"(?:lea +-0x[0-9a-f]+\(%rsp\),%r12\ncmp +0x10\(%r14\),%r12|cmp +0x10\(%r14\),%rsp|"
                     r"mov +%rsp,%r12\nsub +\$0x[0-9a-f]+,%r12\njb +[0-9a-f]+ [^\n]*\ncmp +0x10\(%r14\),%r12)\n"
                     r"jbe +([0-9a-f]+) [^\n]*\n", lines(code[:6]))
    if not start:
        return code
    at = next((i for i, (addr, _) in enumerate(code) if addr == int(start[1], 16)), len(code))
    nops = r"(?:nop\w?[^\n]*\n|xchg +%ax,%ax\n)*"
    end = re.fullmatch(rf"((?:mov +%\w+,0x\w+\(%rsp\)\n)*){nops}call +\w+ <runtime\.morestack_noctxt\.abi0>\n"
                       rf"((?:mov +0x\w+\(%rsp\),%\w+\n)*){nops}jmp +(\w+) [^\n]*\n(?:int3\n)*", lines(code[at:]))
    if end:
        saved, loaded = ([re.findall(r"%(?!rsp)\w+|0x\w+", line) for line in part.splitlines()] for part in end.group(1, 2))
        if [operands[::-1] for operands in loaded] == saved and int(end[3], 16) == code[0][0]:
            return code[start[0].count("\n"):at]
    raise Unsupported("unexpected code for the check of the stack's size")
