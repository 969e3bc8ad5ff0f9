//go:build !purego

package modinv

import "p256k1.mleku.dev/internal/backend"

// useADX is read by the assembly. Tests clear it.
var useADX = backend.ADX

// batchVartime is batchVartimeGeneric where that is faster than batch.
func batchVartime(s *state, n int, m *Modulus) int {
	if !useADX {
		return batchVartimeGeneric(s, n, m)
	}
	batchADX(s, m)
	return n
}
