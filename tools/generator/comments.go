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

// This file makes the comments of the assembly. A comment stands where a step of a formula, a row of a product or
// another phase begins; every machine has the method comment for it. The method note adds a sentence to the banner of
// the routine.

// conventions begins every file, and laneConventions continues it in the file of package lanes.
const conventions = `Parameters are on the stack, and pointers among them lead to inputs and results. An integer is words or limbs, the least
significant first; xᵢ is number i of x. A point is its coordinates, one after the other. p = 2²⁵⁶ − c with c = 2³² + 977.
A comment is about the instructions that follow. Names are those of the twin in Go, with a prime for each further value of a
variable; in the row of a product, x and y are the factors in the equation above it.`

const laneConventions = `

An element is five limbs, each a vector of eight lanes. Where it is carried, the lower 52 bits of limbs 0 to 3 count, and limb 4 is below 2⁴⁹.
Elsewhere limbs are columns, of which all bits count, and a product has ten. Their bounds stand with them. Columns 5 to 9 are folded: they carry to
each other, and come back times 2²⁶⁰ mod p = 16c. Five columns are carried: what is above 2²⁵⁶ comes back times c, and each carries to the next.

The generator moved instructions to where a processor can begin them, so a phase goes on beside those that follow. The words "by turns with" name the
other values that are not complete where a phase begins. A value with a minus sign stands for the opposite of the one in the formula.`

// text formats a comment, with the registers' names.
func text(format string, args []any) string {
	for i, a := range args {
		if o, is := a.(Op); is {
			args[i] = o.Asm()
		}
	}
	return fmt.Sprintf(format, args...)
}

// names formats a list of registers.
func names[R any](registers []R) string {
	var list []string
	for _, r := range registers {
		list = append(list, any(r).(Op).Asm())
	}
	return strings.Join(list, " ")
}

// sub formats a small number as a subscript, and power formats 2ⁿ.
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
	block := func(s string) string {
		p := comment.Printer{TextPrefix: "// ", TextWidth: 116}
		return strings.ReplaceAll(string(p.Text(new(comment.Parser).Parse(s))), "\n\n", "\n//\n")
	}
	for i, part := range parts[1:] {
		name, _, _ := strings.Cut(part, "(")
		r := d.routines[slices.IndexFunc(d.routines, func(r declaration) bool {
			rest, is := strings.CutPrefix(name, r.name)
			return is && (rest == "" || slices.Contains(r.ways, rest))
		})]
		banner := strings.Replace(r.doc, r.name, name, 1) + "\n\n"
		if name == r.name && r.ways != nil {
			which := "the first of these that the processor has the instructions for, and else to Go"
			if slices.Equal(r.ways, platform.ForMultipliers.Assembled()) {
				which = "the one of these that is for multipliers as the processor has them"
			}
			banner += "It goes on to " + which + ": " + name + strings.Join(r.ways, ", "+name) + "."
		} else {
			of := "Constant-time: pointers, lengths and counts alone decide branches and addresses."
			if strings.Contains(name, "Vartime") {
				of = "Vartime: for public data only."
			}
			for _, t := range table {
				if t.Package == pkg && t.Name == r.name && t.Go != "" {
					of += " The twin in Go is " + t.Go + "."
				}
			}
			banner += d.notes[name] + "\n\n" + of + " Changes " + changed(part) + "and the flags."
		}
		parts[i+1] = block(banner) + "//\n// func " + part
	}
	of := conventions
	if pkg == "lanes" {
		of += laneConventions
	}
	parts[0] = strings.Replace(parts[0], "#include", block(of)+"\n#include", 1)
	return []byte(strings.Join(parts, "\n"))
}

// changed lists the registers that the assembly mentions. Since parameters are on the stack, every register mentioned
// is also written.
func changed(assembly string) (list string) {
	is := func(name string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(assembly) }
	for _, name := range strings.Fields("AX BX CX DX SI DI BP") {
		if is(name) {
			list += name + ", "
		}
	}
	for _, kind := range strings.Fields("R X Y Z V K") {
		for n, run := 0, 0; n <= 32; n++ {
			if is(fmt.Sprint(kind, n)) {
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
