package concurrency

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// must is for what cannot fail; if it does, the process ends.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// firstUses returns operations that may be the first of a process, with their results by the oracle. Together they use all
// tables that are built when first used. The library has not run when they begin: what they start from is bytes.
func firstUses() []firstUse {
	r := oracle.NewSeeded("first use")
	d, digest := r.ValidScalar(), r.Bytes(32)
	p := oracle.G.Mul(d)
	secretBytes := oracle.Bytes(d)
	secret, pub, x := secretBytes[:], p.Compressed(), p.Compressed()[1:]
	oracleSig, _ := oracle.SignRFC6979(d, digest, nil)
	rs := oracleSig.Compact()
	rsv := append(rs[:], byte(oracleSig.RecID))
	schnorrSig, _ := oracle.SignSchnorr(d, digest, [32]byte{})
	shared, _ := oracle.ECDHX(d, p)

	scalar := func() *curve.Scalar { return must(new(curve.Scalar).SetBytes(secret)) }
	public := func() *p256k1.PublicKey { return must(p256k1.NewPublicKey(pub)) }
	g := func() *curve.Point { return new(curve.Point).SetGenerator() }
	return []firstUse{
		// constant time
		{"p256k1.NewPrivateKey", func() any { return must(p256k1.NewPrivateKey(secret)).PublicKey() }, p.Uncompressed()},
		{"p256k1.PublicKey.TweakAdd", func() any { return must(public().TweakAdd(secret)) }, p.Double().Uncompressed()},
		{"p256k1.XOnlyPublicKey.CheckTweakAdd", func() any {
			return must(p256k1.NewXOnlyPublicKey(x)).CheckTweakAdd(secret, x, false)
		}, false},
		{"curve.Point.ScalarBaseMult", func() any { return new(curve.Point).ScalarBaseMult(scalar()) }, p.Uncompressed()},
		{"curve.Point.ScalarMult", func() any { return new(curve.Point).ScalarMult(scalar(), g()) }, p.Uncompressed()},
		{"ecdsa.Sign", func() any { return must(ecdsa.Sign(must(p256k1.NewPrivateKey(secret)), digest)) }, rs},
		{"schnorr.Sign", func() any { return must(schnorr.Sign(must(p256k1.NewPrivateKey(secret)), digest, new([32]byte))) }, schnorrSig},
		{"ecdh.X", func() any { return must(ecdh.X(must(p256k1.NewPrivateKey(secret)), public())) }, shared},
		{"signer.P256K1Signer.InitSec", func() any {
			s := signer.NewP256K1Signer()
			err := s.InitSec(secret)
			return must(s.Pub(), err)
		}, x},
		// variable time
		{"ecdsa.Verify", func() any { return ecdsa.Verify(public(), digest, must(ecdsa.ParseCompact(rs[:]))) }, true},
		{"ecdsa.VerifyCompact", func() any { return ecdsa.VerifyCompact(public().Bytes(), digest, rs[:]) }, true},
		{"ecdsa.Recover", func() any { return must(ecdsa.Recover(digest, must(ecdsa.ParseRecoverable(rsv)))) }, p.Uncompressed()},
		{"schnorr.VerifyBytes", func() any { return schnorr.VerifyBytes(x, digest, schnorrSig[:]) }, true},
		{"curve.Point.DoubleScalarBaseMultVartime", func() any {
			return new(curve.Point).DoubleScalarBaseMultVartime(scalar(), g(), scalar())
		}, p.Double().Uncompressed()},
		{"curve.Point.MultiScalarMultVartime", func() any {
			return new(curve.Point).MultiScalarMultVartime([]*curve.Scalar{scalar()}, []*curve.Point{g()})
		}, p.Uncompressed()},
	}
}

type firstUse struct {
	name string
	do   func() any
	want any
}

// childEnv makes this program a process that uses the library for the first time: it has the number of the process, or what is
// planted in it.
const childEnv = "P256K1_FIRST_USE"

func TestMain(m *testing.M) {
	if which := os.Getenv(childEnv); which != "" {
		os.Exit(child(which))
	}
	os.Exit(m.Run())
}

// child begins with several operations at once, which it chooses by its name, and goes on with all of them.
func child(which string) (status int) {
	uses := firstUses()
	switch which {
	case "wrong result":
		uses[0].want = uses[0].want.([]byte)[1:]
	case "race":
		for i := range uses[:2] {
			uses[i].do = func() any { return plantedTable()[i] }
			uses[i].want = i
		}
	}
	const goroutines = 12
	r := oracle.NewSeeded(os.Getenv(oracle.SeedEnv) + which)
	var wrong atomic.Int32
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for range goroutines {
		begin := r.IntN(len(uses))
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			for i := range uses {
				u := &uses[(begin+i)%len(uses)]
				if got, want := text([]any{u.do()}), text([]any{u.want}); got != want {
					fmt.Fprintf(os.Stderr, "%s: %s\nwant\n%s", u.name, got, want)
					wrong.Add(1)
				}
			}
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	if wrong.Load() > 0 {
		return 1
	}
	return 0
}

// planted is a table as it must not be: two goroutines may build it at once.
var planted []int

func plantedTable() []int {
	if planted == nil {
		planted = []int{0, 1}
	}
	return planted
}

// runChild runs this program as a child. The race detector ends it with status 66 if it has found something.
func runChild(t *testing.T, which string) (output string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, must(os.Executable()))
	// Without the second that the race detector waits for other threads at the end, when here are none.
	cmd.Env = append(os.Environ(), childEnv+"="+which, "GOMAXPROCS=4", "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestFirstUse starts processes in which several goroutines at once are the first to use the tables.
func TestFirstUse(t *testing.T) {
	processes := cases(t, 30)
	next := make(chan int)
	var failures atomic.Int32
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				if out, err := runChild(t, fmt.Sprint("process ", i)); err != nil && failures.Add(1) < 3 {
					t.Errorf("process %d: %v\n%s", i, err, out)
				}
			}
		})
	}
	for i := range processes {
		next <- i
	}
	close(next)
	wg.Wait()
	t.Logf("result: %d processes whose first operations ran in 12 goroutines at once: %d with a race or a wrong result (race detector %s, backend %s)",
		processes, failures.Load(), raceDetector, platform.Name())
}

// TestPlanted shows that a process with a wrong result fails, and under the race detector one with a race.
func TestPlanted(t *testing.T) {
	if out, err := runChild(t, "wrong result"); err == nil || !strings.Contains(out, "p256k1.NewPrivateKey: ") {
		t.Errorf("a wrong result was not found: %v\n%s", err, out)
	}
	if raceDetector == "off" {
		return
	}
	const processes = 20 // it finds a race if the goroutines come close enough to one
	for i := range processes {
		out, err := runChild(t, "race")
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 66 && strings.Contains(out, "DATA RACE") && strings.Contains(out, "plantedTable") {
			t.Logf("result: a planted race was found in process %d of %d at most", i+1, processes)
			return
		}
	}
	t.Error("the race detector does not find a planted race")
}
