package main

import (
	"fmt"
	"go/doc/comment"
	"regexp"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/operand"

	"p256k1.mleku.dev/v2/internal/platform"
)

// This file produces the comments of the assembly. A comment stands where a step of a formula, a row of a product or
// another phase begins, and every machine emits it by its method comment. The method note adds a sentence to the banner
// of the routine.

// conventions begins every file, and laneConventions continues it in the file of package lanes.
const conventions = `Parameters are passed on the stack, and pointer parameters point to inputs and results. An integer consists of words or
limbs, the least significant first, and xᵢ is word or limb i of x. A point consists of its coordinates, one after the other. p = 2²⁵⁶ − c with
c = 2³² + 977. A comment describes the instructions that follow it. A value has the name of its variable in the Go code, internal/group/formulas.go for
points: the first value computed for a variable t is called t, the second t′, the third t′′. In comments on the rows of a product, x and y are the
factors in the equation above.`

const laneConventions = `

In routines for IFMA, an element consists of five limbs, each a vector of eight lanes. Only the lower 52 bits of limbs 0 to 3 count, and limb 4
is below 2⁴⁹. Columns are integers in which products and sums are added up: all their bits count, and comments give their upper bounds, or 0 for a
column that is 0. A product has ten columns. Folding a product carries from each of columns 5 to 8 to the next, multiplies columns 5 to 9 by
2²⁶⁰ mod p = 16c and adds them to columns 0 to 4. Carrying five columns multiplies the part above 2²⁵⁶ by c, adds it at the bottom, and then carries
from each column to the next.

In routines for FMA, which compute with doubles, a limb is two vectors of four lanes, and the limbs are integers of either sign in units of 1, 2⁵²,
2¹⁰³, 2¹⁵⁴ and 2²⁰⁵. A routine is a list of calls of subroutines, whose operands are elements in memory. A product has nine columns, with low and high
parts. Folding multiplies columns 5 to 8 by c and adds them to columns 0 to 3. A carry rounds each column to a multiple of the size of its limb, and
moves this multiple to the next limb, or c times the multiple from limb 4 to limb 0 (docs/lanes.md, L14 to L18).

The generator orders instructions by when a processor can begin them, so the instructions of several phases are interleaved. A comment that ends with
"interleaved with" names the values that are still being computed where its phase begins. A minus sign before a name means that the opposite of the
formula's value is computed, and 2· before a name that its double is. In a routine for two blocks, [0] or [1] after a name is the number of the block.
Where the Y of points is doubled (Jacobian2Y), equations contain other powers of two than the formulas.`

// text formats a comment, and writes registers by their names.
func text(format string, args []any) string {
	for i, a := range args {
		if o, is := a.(Op); is {
			args[i] = o.Asm()
		}
	}
	return fmt.Sprintf(format, args...)
}

// names formats a list of registers.
func names[R Op](registers []R) string {
	var list []string
	for _, r := range registers {
		list = append(list, r.Asm())
	}
	return strings.Join(list, " ")
}

// sub formats a digit as a subscript, and power formats 2ⁿ with a superscript.
func sub(i int) string { return string('₀' + rune(i)) }

func power(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	return "2" + strings.TrimPrefix(string([]rune{digits[n/10], digits[n%10]}), "⁰")
}

// note adds a sentence to the banner of the current routine.
func (d *declarations) note(format string, args ...any) {
	if d.notes == nil {
		d.notes = map[string]string{}
	}
	d.notes[d.current] += text(format, args) + " "
}

// withBanners puts the conventions above the assembly of a package, and a banner above each routine.
func (d *declarations) withBanners(assembly []byte, table []platform.Routine, pkg string) []byte {
	parts := strings.Split(string(assembly), "\n// func ")
	for i, part := range parts[1:] {
		name, _, _ := strings.Cut(part, "(")
		if s, is := d.subroutines[name]; is {
			parts[i+1] = commented(s.doc+".\n\nOnly routines in doubles call it. It changes "+changed(part)+"and the flags.") + "//\n// func " + part
			continue
		}
		r := d.routines[slices.IndexFunc(d.routines, func(r declaration) bool {
			rest, is := strings.CutPrefix(name, r.name)
			return is && (rest == "" || slices.Contains(r.ways, rest))
		})]
		banner := strings.Replace(r.doc, r.name, name, 1) + "\n\n"
		if name == r.name && r.ways != nil {
			var versions []string
			for _, way := range r.ways {
				versions = append(versions, r.row(table, pkg).Version(way))
			}
			banner += name + " jumps to the first of these routines that the processor can run: " +
				strings.Join(versions, ", ") + " and the twin in Go."
		} else {
			timing := "Constant-time: branches and addresses depend only on public values, such as pointers, lengths and counts."
			if strings.Contains(name, "Vartime") {
				timing = "Not constant-time: for public data only."
			}
			banner += d.notes[name] + "\n\n" + timing
			twin := r.row(table, pkg).Go
			if name == r.name+"FMA" {
				twin = r.row(table, pkg).Doubles()
			}
			if twin != "" {
				banner += " The twin in Go is " + twin + "."
			}
			banner += " The routine changes " + changed(part) + "and the flags."
		}
		parts[i+1] = commented(banner) + "//\n// func " + part
	}
	head := conventions
	if pkg == "lanes" {
		head += laneConventions
	}
	parts[0] = strings.Replace(parts[0], "#include", commented(head)+"\n#include", 1)
	return []byte(strings.Join(parts, "\n"))
}

// commented formats a text as a comment.
func commented(s string) string {
	p := comment.Printer{TextPrefix: "// ", TextWidth: 116}
	return strings.ReplaceAll(string(p.Text(new(comment.Parser).Parse(s))), "\n\n", "\n//\n")
}

// changed lists the registers that the assembly mentions. Because parameters are on the stack, the assembly writes
// every register that it mentions.
func changed(assembly string) (list string) {
	mentioned := func(name string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(assembly) }
	for _, name := range strings.Fields("AX BX CX DX SI DI BP") {
		if mentioned(name) {
			list += name + ", "
		}
	}
	for _, kind := range strings.Fields("R X Y Z V K") {
		for n, run := 0, 0; n <= 32; n++ {
			if mentioned(fmt.Sprint(kind, n)) {
				run++
				continue
			}
			switch {
			case run == 1:
				list += fmt.Sprint(kind, n-1, ", ")
			case run > 1:
				list += fmt.Sprint(kind, n-run, " to ", kind, n-1, ", ")
			}
			run = 0
		}
	}
	return list
}
