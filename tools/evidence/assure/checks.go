package main

import (
	_ "embed"
	"strings"
)

// primitives are the packages whose tests compare assembly, Go and math/big.
const primitives = "./internal/field ./internal/scalar ./internal/modinv ./internal/group ./internal/ecmult"

//go:embed checks.txt
var checksText string

// checks lists the checks of checks.txt.
var checks = readChecks(strings.ReplaceAll(checksText, "{primitives}", primitives))

func readChecks(text string) (all []check) {
	for line := range strings.Lines(text) {
		what, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		last := len(all) - 1
		switch {
		case what == "" || what[0] == '#':
		case what == "alone":
			all[last].alone = true
		case what == "short":
			all[last].short = append(all[last].short, step(rest))
		case what == "long":
			all[last].long = append(all[last].long, step(rest))
		default:
			all = append(all, check{name: what, shows: rest})
		}
	}
	return all
}
