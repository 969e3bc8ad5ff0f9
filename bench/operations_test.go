package main

import (
	"errors"
	"testing"

	"p256k1.mleku.dev/bench/engine"
	"p256k1.mleku.dev/bench/measure"
)

func BenchmarkVerify(b *testing.B)        { benchmark(b, "Verify") }
func BenchmarkSign(b *testing.B)          { benchmark(b, "Sign") }
func BenchmarkSchnorrVerify(b *testing.B) { benchmark(b, "SchnorrVerify") }
func BenchmarkSchnorrSign(b *testing.B)   { benchmark(b, "SchnorrSign") }
func BenchmarkDerive(b *testing.B)        { benchmark(b, "Derive") }
func BenchmarkECDH(b *testing.B)          { benchmark(b, "ECDH") }
func BenchmarkECDHX(b *testing.B)         { benchmark(b, "ECDHX") }
func BenchmarkRecover(b *testing.B)       { benchmark(b, "Recover") }
func BenchmarkParse(b *testing.B)         { benchmark(b, "Parse") }

// benchmark runs an operation in every engine of this machine, each a
// sub-benchmark of its name.
func benchmark(b *testing.B, name string) {
	op := operation(b, name)
	corpus, err := measure.NewCorpus("go test -bench", 1024)
	if err != nil {
		b.Fatal(err)
	}
	found, err := engine.Find()
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range found {
		b.Run(f.Name, func(b *testing.B) {
			if f.Err != nil {
				b.Skipf("%v; to add it: %s", f.Err, f.Provide)
			}
			step, closeSession, err := op.Prepare(f.Engine, corpus)
			if errors.Is(err, engine.ErrNotSupported) {
				b.Skip(err)
			}
			if err != nil {
				b.Fatal(err)
			}
			defer closeSession()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := step(i); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func operation(tb testing.TB, name string) measure.Op {
	for _, op := range measure.Ops {
		if op.Benchmark == name {
			return op
		}
	}
	tb.Fatalf("no operation %q", name)
	return measure.Op{}
}

// Every operation of package measure has a benchmark here.
func TestNames(t *testing.T) {
	names := []string{"Verify", "Sign", "SchnorrVerify", "SchnorrSign", "Derive", "ECDH", "ECDHX", "Recover", "Parse"}
	for _, name := range names {
		operation(t, name)
	}
	if len(names) != len(measure.Ops) {
		t.Errorf("%d benchmarks of %d operations", len(names), len(measure.Ops))
	}
}
