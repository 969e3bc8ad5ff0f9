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
		alone: true,
		short: []step{"go run ./tools/consttime/lint", "go run ./tools/consttime/grind", "go run ./tools/consttime/dudect"},
		long: []step{
			"go run ./tools/consttime/lint", "GOAMD64=v3 go run ./tools/consttime/lint",
			"go run ./tools/consttime/grind", "GOAMD64=v3 go run ./tools/consttime/grind",
			"P256K1_CASES=1000000 go run ./tools/consttime/dudect",
			"GODEBUG=cpu.adx=off P256K1_CASES=1000000 go run ./tools/consttime/dudect",
		},
	},
	{
		name:  "asmproof",
		shows: "the assembly, as linked, computes its formulas for all inputs, and the proof rejects mutants of it",
		short: []step{"GOARCH=amd64 go test -c -o {tmp}/curve.test ./curve", "{python} tools/asmproof/prove.py {tmp}/curve.test --mutants 100"},
		long:  []step{"GOARCH=amd64 go test -c -o {tmp}/curve.test ./curve", "{python} tools/asmproof/prove.py {tmp}/curve.test --mutants all"},
	},
	{
		name:  "exhaustive",
		shows: "formulas, multiplications and schemes are right for everything there is in small groups",
		short: []step{"go test -count=1 -v ./conformance/exhaustive"},
		long: []step{
			"P256K1_LONG=1 go test -count=1 -v -timeout 0 ./conformance/exhaustive",
			"GODEBUG=cpu.adx=off P256K1_LONG=1 go test -count=1 -v -timeout 0 ./conformance/exhaustive",
			"P256K1_LONG=1 go test -count=1 -v -timeout 0 -tags purego ./conformance/exhaustive",
		},
	},
	{
		name:  "backends",
		shows: "every primitive gives the same limbs on every backend, and what math/big gives",
		short: []step{"go run ./conformance/differential/backends -cases 6400"},
		long:  []step{"go run ./conformance/differential/backends -cases 3000000"},
	},
	{
		name:  "differential",
		shows: "libsecp256k1, decred and btcec accept the same and give the same results, but for listed differences",
		short: []step{"P256K1_CASES=100000 go test -count=1 -v -timeout 0 ./conformance/differential"},
		long:  []step{"P256K1_CASES=1000000 go test -count=1 -v -timeout 0 ./conformance/differential"},
	},
	{
		name:  "fuzz",
		shows: "no bytes make a parser or a verification panic, or accept what the reference refuses",
		short: []step{"go run ./tools/fuzz -time 1000x -guided=false"},
		long:  []step{"go run ./tools/fuzz -planted", "go run ./tools/fuzz -total 1h"},
	},
	{
		name:  "concurrency",
		shows: "the library may be used from many goroutines, its first use included",
		short: []step{
			"go test -race -count=1 -v ./conformance/concurrency",
			"go test -race -count=1 -v -tags purego ./conformance/concurrency",
		},
		long: []step{
			"P256K1_CASES=1000 go test -race -count=1 -v -timeout 0 ./conformance/concurrency",
			"P256K1_CASES=1000 go test -race -count=1 -v -timeout 0 -tags purego ./conformance/concurrency",
		},
	},
	{
		name:  "residue",
		shows: "no secret is left in memory after an operation",
		short: []step{
			"go test -count=1 -v ./conformance/residue",
			"go test -count=1 -v -tags purego ./conformance/residue",
			"GOEXPERIMENT=runtimesecret go test -count=1 -v ./conformance/residue",
		},
		long: []step{
			"P256K1_CASES=100 go test -count=1 -v -timeout 0 ./conformance/residue",
			"P256K1_CASES=100 go test -count=1 -v -timeout 0 -tags purego ./conformance/residue",
			"P256K1_CASES=100 GOEXPERIMENT=runtimesecret go test -count=1 -v -timeout 0 ./conformance/residue",
		},
	},
	{
		name:  "faults",
		shows: "a checked signer returns no signature that a flipped bit made wrong, and the check with any part left out does",
		short: []step{"go test -count=1 -v -short ./conformance/faults"},
		long: []step{
			"P256K1_CASES=20 go test -count=1 -v -timeout 0 ./conformance/faults",
			"P256K1_CASES=20 go test -count=1 -v -timeout 0 -tags purego ./conformance/faults",
		},
	},
	{
		name:  "mutation",
		shows: "the tests notice small changes of the Go code",
		short: []step{"go run ./tools/mutation -sample 50"},
		long:  []step{"go run ./tools/mutation"},
	},
	{
		name:  "soak",
		shows: "at full load all results stay right and memory stays flat",
		alone: true,
		short: []step{"go run ./tools/soak -time 10s"},
		long:  []step{"go run ./tools/soak -time 1h"},
	},
}
