//go:build !amd64 || purego

package modinv

func batch(s *state, m *Modulus)                   { batchGeneric(s, m) }
func batchVartime(s *state, n int, m *Modulus) int { return batchVartimeGeneric(s, n, m) }
