//go:build !amd64 || purego

package modinv

func batchVartime(s *state, n int, m *Modulus) int { return batchVartimeGeneric(s, n, m) }
