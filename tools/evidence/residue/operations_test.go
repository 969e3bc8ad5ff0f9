//go:build linux

package residue

import (
	"os"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	wipe "p256k1.mleku.dev/v2/secret"
	"p256k1.mleku.dev/v2/tools/evidence/internal/registers"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// searched lists the operations after which memory is searched: the operations on secrets, and two that are not
// functions of the library.
var searched = func() (all []operations.Op) {
	all = slices.DeleteFunc(slices.Clone(operations.All), func(o operations.Op) bool { return o.Public != "" || o.Unsearched != "" })
	if registers.Has && wipesRegisters {
		all = append(all, inRegisters)
	}
	if usesRuntime {
		all = append(all, insideUse)
	}
	return all
}()

// inRegisters puts a secret into vector registers, as computations in eight lanes do, inside a call that must wipe the
// registers.
var inRegisters = operations.Op{
	Name: "registers of AVX-512, wiped",
	Run: func(in *operations.In, _ *operations.Out) {
		if usesRuntime && strings.Contains(os.Getenv("GODEBUG"), "cpu.avx=off") {
			return // with runtime/secret the lanes do not run, so there is nothing to leave
		}
		wipe.Do(func() { registers.Fill((*[32]byte)(in.Secret)) })
	},
}

// insideUse follows SECURITY.md's advice for arrays and scalars on the stack: with runtime/secret, Use calls secret.Do.
var insideUse = operations.Op{
	Name: "ecdh.X, inside Use",
	Run: func(in *operations.In, out *operations.Out) {
		must.Do(in.Key().Use(func(d curve.Scalar) error {
			l, err := p256k1.NewPrivateKey(d.Negate(&d))
			if err != nil {
				return err
			}
			x, err := ecdh.X(l, in.Peer())
			l.Zero()
			out.Secret(x[:])
			return err
		}))
	},
	Oracle: operations.Named("ecdh.X").Oracle,
}
