//go:build !(amd64 || arm64) || purego

package modinv

func batch(s *state, m *modulus62) { batchGeneric(s, m) }
