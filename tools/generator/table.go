package main

import (
	"fmt"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/internal/platform"
)

// markdown returns the tables of package platform for docs/performance.md. Equal neighbours in a package share a row.
func markdown() string {
	var b strings.Builder
	row := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line := func(n int) { fmt.Fprintf(&b, "%s|\n", strings.Repeat("|---", n)) }

	head := []string{"package: routines"}
	for _, p := range platform.Processors {
		head = append(head, p.Name)
	}
	row(head...)
	line(len(head))
	for rest := platform.Routines; len(rest) > 0; {
		r, n := rest[0], 1
		names := []string{r.Name}
		for n < len(rest) && rest[n].Package == r.Package && slices.Equal(cells(rest[n]), cells(r)) {
			names = append(names, rest[n].Name)
			n++
		}
		switch { // the names do not fit in one line
		case n > 7 && n == ofPackage(r.Package):
			names = []string{"all"}
		case n > 8:
			names = []string{fmt.Sprint(n, " routines")}
		}
		row(append([]string{r.Package + ": " + strings.Join(names, ", ")}, cells(r)...)...)
		rest = rest[n:]
	}
	b.WriteString("\n")
	row("Go on", "words of sums", "limbs of products", "digits of inversions")
	line(4)
	for _, s := range platform.Shapes {
		where := "all others"
		if s.Archs != nil {
			where = strings.Join(s.Archs, ", ")
		}
		bits := func(n int) string { return fmt.Sprintf("%d bits", n) }
		row(where, bits(s.Word), bits(s.Product), bits(s.Divstep))
	}
	return b.String()
}

// ofPackage returns the number of routines in a package.
func ofPackage(name string) (n int) {
	for _, r := range platform.Routines {
		if r.Package == name {
			n++
		}
	}
	return n
}

// cells returns the columns of a routine.
func cells(r platform.Routine) (c []string) {
	for _, p := range platform.Processors {
		code := string(r.On(p.Arch))
		if code == string(platform.InGo) && r.Go == "" {
			code = "nothing"
		}
		c = append(c, code)
	}
	return c
}
