package main

// primitives are the packages whose tests compare assembly, Go and math/big.
const primitives = "./internal/field ./internal/scalar ./internal/modinv ./internal/group ./internal/ecmult"

// checks lists all checks. The longest are near the front, because several run at the same time.
var checks = []check{
	{
		name:  "vartime",
		shows: "no function that takes secrets reaches a function named Vartime",
		short: []step{"go test -count=1 -v ./tools/evidence/consttime"},
	},
	{
		name:  "consttime",
		shows: "no time in the linked code depends on a secret",
		alone: true,
		short: []step{"go run ./tools/evidence/consttime/lint", "go run ./tools/evidence/consttime/grind", "go run ./tools/evidence/consttime/dudect"},
		long: []step{
			"go run ./tools/evidence/consttime/lint", "GOAMD64=v3 go run ./tools/evidence/consttime/lint",
			"go run ./tools/evidence/consttime/grind", "GOAMD64=v3 go run ./tools/evidence/consttime/grind",
			"P256K1_CASES=1000000 go run ./tools/evidence/consttime/dudect",
			"GODEBUG=cpu.adx=off P256K1_CASES=1000000 go run ./tools/evidence/consttime/dudect",
		},
	},
	{
		name:  "asmproof",
		shows: "the linked assembly, and the compiled Go that replaces it, compute their formulas for all inputs; the proof rejects mutants",
		short: []step{
			"{python} -m unittest discover -q -s tools/evidence/asmproof",
			"GOARCH=amd64 go test -c -o {tmp}/curve.test ./curve", "{python} tools/evidence/asmproof/prove.py {tmp}/curve.test --second-opinion --mutants 20",
			"CGO_ENABLED=0 GOARCH=amd64 go test -tags purego -c -o {tmp}/portable.test ./curve",
			"{python} tools/evidence/asmproof/prove.py {tmp}/portable.test --second-opinion --mutants 2",
			"GOARCH=arm64 go test -c -o {tmp}/arm64.test ./curve", "{python} tools/evidence/asmproof/prove.py {tmp}/arm64.test --mutants 10",
		},
		long: []step{
			"{python} -m unittest discover -q -s tools/evidence/asmproof",
			"GOARCH=amd64 go test -c -o {tmp}/curve.test ./curve", "{python} tools/evidence/asmproof/prove.py {tmp}/curve.test --second-opinion --mutants all",
			"CGO_ENABLED=0 GOARCH=amd64 go test -tags purego -c -o {tmp}/portable.test ./curve",
			"{python} tools/evidence/asmproof/prove.py {tmp}/portable.test --second-opinion --mutants 100",
			"GOARCH=arm64 go test -c -o {tmp}/arm64.test ./curve", "{python} tools/evidence/asmproof/prove.py {tmp}/arm64.test --second-opinion --mutants all",
		},
	},
	{
		name:  "grouplaw",
		shows: "the point formulas compute the group law; Rocq proves it from their source",
		short: []step{"go run ./tools/evidence/grouplaw"},
	},
	{
		name:  "residue",
		shows: "no secret is left in memory after an operation",
		short: []step{
			// Without runtime/secret, the interrupted run only reports what it finds.
			"P256K1_CASES=3 go test -count=1 -v -skip /interrupted ./tools/evidence/residue",
			"P256K1_CASES=3 go test -count=1 -v -tags purego -run TestResidue -skip /interrupted ./tools/evidence/residue",
			"P256K1_CASES=3 GOEXPERIMENT=runtimesecret go test -count=1 -v -skip TestDepths ./tools/evidence/residue",
		},
		long: []step{
			"P256K1_LONG=1 P256K1_CASES=100 go test -count=1 -v -timeout 0 ./tools/evidence/residue",
			"P256K1_LONG=1 P256K1_CASES=100 go test -count=1 -v -timeout 0 -tags purego ./tools/evidence/residue",
			"P256K1_CASES=100 GOEXPERIMENT=runtimesecret go test -count=1 -v -timeout 0 ./tools/evidence/residue",
		},
	},
	{
		name:  "dropin",
		shows: "as a replacement of Decred's and btcec's modules the library gives the same results, except for listed differences",
		short: []step{"go test -count=1 -v -timeout 0 ./tools/evidence/dropin"},
		long:  []step{"P256K1_CASES=100000 go test -count=1 -v -timeout 0 ./tools/evidence/dropin -programs ."},
	},
	{
		name:  "exhaustive",
		shows: "formulas, multiplications and schemes are right for all inputs in small groups",
		short: []step{"go test -count=1 -v ./tools/evidence/exhaustive"},
		long: []step{
			"P256K1_LONG=1 go test -count=1 -v -timeout 0 ./tools/evidence/exhaustive",
			"GODEBUG=cpu.adx=off P256K1_LONG=1 go test -count=1 -v -timeout 0 ./tools/evidence/exhaustive",
			"P256K1_LONG=1 go test -count=1 -v -timeout 0 -tags purego ./tools/evidence/exhaustive",
		},
	},
	{
		name:  "backends",
		shows: "every primitive agrees with math/big on every backend, and assembly gives the same limbs as Go where the formulas are the same",
		short: []step{
			"go test -short -count=1 -v " + primitives,
			"GODEBUG=cpu.adx=off go test -short -count=1 -v " + primitives,
			"go test -short -count=1 -v -tags purego " + primitives,
		},
		long: []step{
			"P256K1_CASES=5000 go test -count=1 -v -timeout 0 " + primitives + " ./internal/lanes",
			"GODEBUG=cpu.avx512vl=off P256K1_CASES=5000 go test -count=1 -v -timeout 0 " + primitives + " ./internal/lanes",
			"GODEBUG=cpu.adx=off P256K1_CASES=5000 go test -count=1 -v -timeout 0 " + primitives + " ./internal/lanes",
			"P256K1_CASES=5000 go test -count=1 -v -timeout 0 -tags purego " + primitives + " ./internal/lanes",
			"GOARCH=386 P256K1_CASES=1000 go test -count=1 -v -timeout 0 " + primitives + " ./internal/lanes",
			"GOARCH=arm64 P256K1_CASES=100 go test -short -count=1 -v -timeout 0 -exec qemu-aarch64 " + primitives + " ./internal/lanes",
		},
	},
	{
		name:  "conformance",
		shows: "published vectors pass; libsecp256k1, decred and btcec accept the same inputs and give the same results, except for listed differences",
		short: []step{
			"P256K1_CASES=25000 go test -count=1 -v -timeout 0 ./tools/evidence/conformance",
			"GODEBUG=cpu.avx512vl=off go test -count=1 -v -run Batch ./tools/evidence/conformance",
			"GODEBUG=cpu.adx=off,p256k1fma=off go test -count=1 -v -run Batch ./tools/evidence/conformance",
		},
		long: []step{
			"P256K1_CASES=1000000 go test -count=1 -v -timeout 0 ./tools/evidence/conformance",
			"P256K1_CASES=10000000 go test -count=1 -v -timeout 0 -run Batch ./tools/evidence/conformance",
			"GODEBUG=cpu.avx512vl=off P256K1_CASES=1000000 go test -count=1 -v -timeout 0 -run Batch ./tools/evidence/conformance",
			"GODEBUG=cpu.adx=off,p256k1fma=off P256K1_CASES=1000000 go test -count=1 -v -timeout 0 -run Batch ./tools/evidence/conformance",
		},
	},
	{
		name:  "fuzz",
		shows: "no input makes a parser or a verification panic, or accept what the reference refuses",
		short: []step{"go run ./tools/evidence/fuzz -time 1000x -guided=false"},
		long:  []step{"go run ./tools/evidence/fuzz -time 1h -others 10m"},
	},
	{
		name:  "concurrency",
		shows: "the library may be used from many goroutines, its first use included",
		short: []step{"go test -race -count=1 -v ./tools/evidence/concurrency"},
		long: []step{
			"P256K1_CASES=1000 go test -race -count=1 -v -timeout 0 ./tools/evidence/concurrency",
			"P256K1_CASES=1000 go test -race -count=1 -v -timeout 0 -tags purego ./tools/evidence/concurrency",
		},
	},
	{
		name:  "faults",
		shows: "a checked signer returns no signature that a flipped bit made wrong, but with any part of the check left out it does",
		short: []step{"go test -count=1 -v -short ./tools/evidence/faults"},
		long: []step{
			"P256K1_CASES=20 go test -count=1 -v -timeout 0 ./tools/evidence/faults",
			"P256K1_CASES=20 go test -count=1 -v -timeout 0 -tags purego ./tools/evidence/faults",
		},
	},
	{
		name:  "mutation",
		shows: "the tests notice small changes of the Go code",
		short: []step{"go run ./tools/evidence/mutation -sample 20"},
		long:  []step{"go run ./tools/evidence/mutation"},
	},
	{
		name:  "planted",
		shows: "the tests notice the errors that were planted when they were written, or that once passed",
		short: []step{"go run ./tools/evidence/planted -sample 4 -python {python}"},
		long:  []step{"go run ./tools/evidence/planted -python {python}"},
	},
	{
		name:  "soak",
		shows: "at full load all results stay right and memory does not grow",
		alone: true,
		short: []step{"go test -count=1 -v -run Soak ./tools/evidence/concurrency -soak 10s"},
		long:  []step{"go test -count=1 -v -timeout 0 -run Soak ./tools/evidence/concurrency -soak 1h"},
	},
}
