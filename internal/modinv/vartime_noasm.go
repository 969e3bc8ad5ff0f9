//go:build !amd64 || purego

package modinv

func batchVartime(s *state, n int, m *modulus62) int { return batchVartimeGeneric(s, n, m) }
