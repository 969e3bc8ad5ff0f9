package main_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// TestArchive builds the archive as bitcoinfuzz does, and compares the results of its functions with Decred's module.
func TestArchive(t *testing.T) {
	libtest.Need(t, "cc")
	dir := t.TempDir()
	run := func(stdin, name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
		cmd.Stdin = strings.NewReader(stdin)
		return libtest.Must(must.Output(cmd))
	}
	archive, program := filepath.Join(dir, "wrapper.a"), filepath.Join(dir, "call")
	run("", "go", "build", "-buildmode=c-archive", "-tags=libfuzzer", "-gcflags=all=-d=libfuzzer", "-o", archive, ".")
	run("", "cc", "-w", "-I", dir, "-o", program, "testdata/call.c", archive, "-lpthread")

	var calls strings.Builder
	var want []string
	call := func(function int, result string, args ...[]byte) {
		texts := [3]string{"-", "-", "-"}
		for i, arg := range args {
			texts[i] = hex.EncodeToString(arg)
		}
		fmt.Fprintln(&calls, function, texts[0], texts[1], texts[2])
		want = append(want, result)
	}
	source := rand.NewChaCha8([32]byte{1})
	random := func() []byte {
		b := make([]byte, 32)
		source.Read(b)
		return b
	}
	one := [32]byte{31: 1}
	generator := secp256k1.PrivKeyFromBytes(one[:]).PubKey().SerializeCompressed()
	order := secp256k1.Params().N
	keys := [][]byte{make([]byte, 32), order.Bytes(), bytes.Repeat([]byte{0xff}, 32)}
	for range 20 {
		keys = append(keys, random())
	}
	for _, key := range keys {
		digest := random()
		if source.Uint64()%4 == 0 { // a digest of n or more, which is reduced
			copy(digest, bytes.Repeat([]byte{0xff}, 31))
		}
		var d, z secp256k1.ModNScalar
		if overflow := d.SetByteSlice(key); overflow || d.IsZero() {
			for _, function := range []int{0, 1, 2} {
				call(function, "NULL", key, digest)
			}
			call(3, "0", key, digest, digest)
			call(4, "NULL", key, generator)
			continue
		}
		priv := secp256k1.NewPrivateKey(&d)
		pub := priv.PubKey()
		z.SetByteSlice(digest)
		reduced := z.Bytes()
		sig := ecdsa.Sign(priv, reduced[:])
		call(0, hex.EncodeToString(pub.SerializeCompressed()), key)
		call(1, hex.EncodeToString(ecdsa.SignCompact(priv, reduced[:], false)[1:]), key, digest)
		call(2, hex.EncodeToString(sig.Serialize()), key, digest)
		call(3, "1", key, digest, sig.Serialize())
		call(3, "0", key, random(), sig.Serialize())
		var rs struct{ R, S *big.Int }
		libtest.Must(asn1.Unmarshal(sig.Serialize(), &rs))
		rs.S.Sub(order, rs.S)
		high := libtest.Must(asn1.Marshal(rs))
		call(3, "0", key, digest, high)
		call(3, "0", key, digest, sig.Serialize()[1:])

		other := secp256k1.PrivKeyFromBytes(random()).PubKey()
		var point secp256k1.JacobianPoint
		other.AsJacobian(&point)
		secp256k1.ScalarMultNonConst(&d, &point, &point)
		point.ToAffine()
		sum := sha256.Sum256(secp256k1.NewPublicKey(&point.X, &point.Y).SerializeCompressed())
		call(4, hex.EncodeToString(sum[:]), key, other.SerializeCompressed())
		call(4, "NULL", key, append([]byte{5}, other.SerializeCompressed()[1:]...))
	}
	got := strings.Fields(run(calls.String(), program))
	if !slices.Equal(got, want) {
		for i, line := range strings.Split(calls.String(), "\n")[:len(want)] {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("call %s: got %q, want %s", line, got[i:min(len(got), i+1)], want[i])
			}
		}
	}
	t.Logf("result: %d calls of 5 functions agree with Decred's module", len(want))
}
