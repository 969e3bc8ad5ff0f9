package main

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
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

func BenchmarkVerifyPrecomputed(b *testing.B)        { benchmark(b, "VerifyPrecomputed") }
func BenchmarkSchnorrVerifyPrecomputed(b *testing.B) { benchmark(b, "SchnorrVerifyPrecomputed") }

func BenchmarkVerifyBatch(b *testing.B)           { benchmark(b, "VerifyBatch/n=256") }
func BenchmarkSchnorrVerifyBatch(b *testing.B)    { benchmark(b, "SchnorrVerifyBatch/n=256") }
func BenchmarkSchnorrVerifyBatchFew(b *testing.B) { benchmark(b, "SchnorrVerifyBatchFew/n=1024") }
func BenchmarkRecoverBatch(b *testing.B)          { benchmark(b, "RecoverBatch/n=256") }
func BenchmarkSignBatch(b *testing.B)             { benchmark(b, "SignBatch/n=256") }
func BenchmarkSchnorrSignBatch(b *testing.B)      { benchmark(b, "SchnorrSignBatch/n=256") }
func BenchmarkDeriveBatch(b *testing.B)           { benchmark(b, "DeriveBatch/n=256") }
func BenchmarkGenerateBatch(b *testing.B)         { benchmark(b, "GenerateBatch/n=256") }

func BenchmarkMusig2Aggregate(b *testing.B) { benchmark(b, "Musig2Aggregate/n=100") }
func BenchmarkMusig2Nonces(b *testing.B)    { benchmark(b, "Musig2Nonces") }
func BenchmarkMusig2Sign(b *testing.B)      { benchmark(b, "Musig2Sign") }
func BenchmarkMusig2Verify(b *testing.B)    { benchmark(b, "Musig2Verify") }
func BenchmarkEllswiftEncode(b *testing.B)  { benchmark(b, "EllswiftEncode") }
func BenchmarkEllswiftDecode(b *testing.B)  { benchmark(b, "EllswiftDecode") }
func BenchmarkEllswiftEcdh(b *testing.B)    { benchmark(b, "EllswiftEcdh") }
func BenchmarkSilentScan(b *testing.B)      { benchmark(b, "SilentScan") }
func BenchmarkSilentScanBatch(b *testing.B) { benchmark(b, "SilentScanBatch/n=256") }
func BenchmarkDleqProve(b *testing.B)       { benchmark(b, "DleqProve") }
func BenchmarkDleqVerify(b *testing.B)      { benchmark(b, "DleqVerify") }
func BenchmarkDleqVerifyBatch(b *testing.B) { benchmark(b, "DleqVerifyBatch/n=256") }
func BenchmarkCashuBlind(b *testing.B)      { benchmark(b, "CashuBlind") }
func BenchmarkCashuSign(b *testing.B)       { benchmark(b, "CashuSign") }
func BenchmarkCashuUnblind(b *testing.B)    { benchmark(b, "CashuUnblind") }
func BenchmarkCashuVerify(b *testing.B)     { benchmark(b, "CashuVerify") }
func BenchmarkHashToCurve(b *testing.B)     { benchmark(b, "HashToCurve") }
func BenchmarkEncodeToCurve(b *testing.B)   { benchmark(b, "EncodeToCurve") }

// benchmark runs an operation in every engine of this machine, each a
// sub-benchmark of its name.
func benchmark(b *testing.B, name string) {
	op := operation(b, name)
	corpus, err := measure.NewCorpus("go test -bench", 1024)
	if err != nil {
		b.Fatal(err)
	}
	found, err := engine.Find(engine.Names()...)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range found {
		b.Run(f.Name, func(b *testing.B) {
			if f.Err != nil {
				b.Skipf("%v; to add it: %s", f.Err, f.Provide)
			}
			step, refill, closeSession, err := op.Prepare(f.Engine, corpus)
			if errors.Is(err, engine.ErrNotSupported) {
				b.Skip(err)
			}
			if err != nil {
				b.Fatal(err)
			}
			defer closeSession()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if op.UsesUp() {
					b.StopTimer()
					if err := refill(1); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
				if err := step(i); err != nil {
					b.Fatal(err)
				}
			}
			if op.Batch > 0 {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*op.Batch), "ns/input")
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
	source, err := os.ReadFile("operations_test.go")
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^func Benchmark(\w+)\(.*benchmark\(b, "(\w+)(/n=\d+)?"\)`).FindAllStringSubmatch(string(source), -1) {
		operation(t, m[2]+m[3])
		if m[1] != m[2] {
			t.Errorf("Benchmark%s runs %s", m[1], m[2])
		}
		called[m[2]] = true
	}
	for _, op := range measure.Ops {
		if name, _, _ := strings.Cut(op.Benchmark, "/"); !called[name] {
			t.Errorf("no benchmark of %s", op.Name)
		}
	}
}
