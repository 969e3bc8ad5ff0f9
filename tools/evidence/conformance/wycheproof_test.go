package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// The Go module with the files of Wycheproof, and its checksum in the form of go.sum. The files it has for secp256k1 are
// those of the vectors, byte by byte.
//
// It is not among the requirements of this module, for importing it would put its 107 MB of embedded files into the test
// binary and raise the Go version of this module and of the workspace to its own. The tests of the standard library fetch it
// in the same way.
const (
	wycheproofModule = "github.com/c2sp/wycheproof@v0.0.0-20260902155932-3fa63dd0344a"
	wycheproofSum    = "h1:pNbL2nztRsWfW/ispAwsvcDFxs9Id38uIsR2/Up5G2c="
)

// wycheproofDir returns the folder of the module in the module cache.
var wycheproofDir = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", wycheproofModule)
	cmd.Dir = os.TempDir() // outside of this module, which does not require it
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	var module struct{ Dir, Sum, Error string }
	if jsonErr := json.Unmarshal(out, &module); jsonErr != nil && err == nil {
		err = jsonErr
	}
	switch {
	case module.Error != "":
		return "", errors.New(module.Error)
	case err != nil:
		return "", fmt.Errorf("%s: %w", wycheproofModule, err)
	case module.Sum != wycheproofSum:
		return "", fmt.Errorf("%s has the checksum %s, want %s", wycheproofModule, module.Sum, wycheproofSum)
	}
	return module.Dir, nil
})

// wycheproof decodes a file of Wycheproof into v: from the folder of the vectors, or from the Go module if there is none.
func wycheproof(t *testing.T, name string, v any) {
	t.Helper()
	if os.Getenv(vectors.Env) != "" {
		vectors.JSON(t, "wycheproof/"+name, v)
		return
	}
	dir, err := wycheproofDir()
	if err != nil {
		const missing = "%s IS NOT SET and the Go module cannot be had: nothing was checked against %s: %v"
		if os.Getenv("CI") == "true" {
			t.Fatalf(missing, vectors.Env, name, err)
		}
		t.Skipf(missing, vectors.Env, name, err)
	}
	t.Logf("%s is not set: %s is taken from %s", vectors.Env, name, wycheproofModule)
	data, err := os.ReadFile(filepath.Join(dir, "testvectors_v1", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// The parameters of secp256k1 in the library are those which Wycheproof lists.
func TestWycheproofCurveParameters(t *testing.T) {
	var file struct {
		TestGroups []struct {
			Tests []struct {
				Name, OID          string
				P, N, A, B, GX, GY string
				H                  int
				Result             string
			}
		}
	}
	wycheproof(t, "ec_prime_order_curves_test.json", &file)
	count := newTally(t)
	for _, g := range file.TestGroups {
		for _, test := range g.Tests {
			if test.Name != "secp256k1" {
				count.add("other curves")
				continue
			}
			count.add("secp256k1")
			if test.OID != "1.3.132.0.10" || test.H != 1 {
				t.Errorf("OID %s, cofactor %d", test.OID, test.H)
			}
			p, n := pad32(t, unhex(t, test.P)), pad32(t, unhex(t, test.N))
			gx, gy := pad32(t, unhex(t, test.GX)), pad32(t, unhex(t, test.GY))

			// p: the first integer that is not the encoding of a field element, and ≡ 0.
			var e field.Element
			if e.SetBytes((*[32]byte)(p)) != 0 || e.IsZero() == 0 {
				t.Error("p is not the order of the library's field")
			}
			// n: the same for scalars.
			if _, err := new(curve.Scalar).SetBytes(n); err == nil {
				t.Error("n is below the order of the library's group")
			}
			if new(curve.Scalar).SetBytesReduced((*[32]byte)(n)).IsZero() != 1 {
				t.Error("n is not ≡ 0 mod the order of the library's group")
			}
			if _, err := p256k1.NewPrivateKey(n); err == nil {
				t.Error("n is accepted as a private key")
			}
			// G, and with it b = y² − x³, for a = 0.
			if got, want := new(curve.Point).SetGenerator().BytesUncompressed(), append(append([]byte{4}, gx...), gy...); !bytes.Equal(got, want) {
				t.Errorf("G is %x, want %x", got, want)
			}
			if a, b := oracle.Int(unhex(t, test.A)), oracle.Int(unhex(t, test.B)); a.Sign() != 0 || b.Cmp(oracle.B) != 0 {
				t.Errorf("a = %v, b = %v", a, b)
			}
			var y2, x3 field.Element
			x3.Square(&group.Generator.X).Mul(&x3, &group.Generator.X)
			y2.Square(&group.Generator.Y).Sub(&y2, &x3)
			e.SetBytes((*[32]byte)(pad32(t, unhex(t, test.B))))
			if y2.Equal(&e) == 0 {
				t.Error("the library's G is on a curve with another b")
			}
		}
	}
	count.want("1 secp256k1, 25 other curves")
}
