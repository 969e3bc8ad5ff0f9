package main

// checks are all pieces of evidence, cheap ones first.
var checks = []check{
	{
		name:  "vartime",
		shows: "no function that takes secrets reaches one named Vartime",
		short: []step{"go test -count=1 -v ./tools/vartime"},
	},
	{
		name:  "consttime",
		shows: "no time in the linked code depends on a secret",
		short: []step{"go run ./tools/consttime/lint", "go run ./tools/consttime/grind", "go run ./tools/consttime/dudect"},
		long: []step{
			"go run ./tools/consttime/lint", "GOAMD64=v3 go run ./tools/consttime/lint",
			"go run ./tools/consttime/grind", "GOAMD64=v3 go run ./tools/consttime/grind",
			"P256K1_CASES=1000000 go run ./tools/consttime/dudect",
			"GODEBUG=cpu.adx=off P256K1_CASES=1000000 go run ./tools/consttime/dudect",
		},
	},
}
