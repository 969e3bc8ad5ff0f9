//go:build !(amd64 || arm64) || purego

package modinv

func batch(s *state, m *Modulus) { batchGeneric(s, m) }
