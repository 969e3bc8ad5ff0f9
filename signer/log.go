//go:build !wasm

package signer

import "log/slog"

// LogValue returns a placeholder that does not contain the key, or no value for nil. WebAssembly builds omit LogValue;
// curve/log.go says why.
func (s *P256K1Signer) LogValue() slog.Value {
	if s == nil {
		return slog.Value{}
	}
	return slog.StringValue("signer.P256K1Signer(secret)")
}

// LogValue returns a placeholder that does not contain the key, or no value for nil. WebAssembly builds omit LogValue;
// curve/log.go says why.
func (g *P256K1Gen) LogValue() slog.Value {
	if g == nil {
		return slog.Value{}
	}
	return slog.StringValue("signer.P256K1Gen(secret)")
}
