//go:build !wasm

package ecdsa

import "log/slog"

// LogValue returns a placeholder that does not contain the key, or no value for nil. WebAssembly builds omit LogValue;
// curve/log.go says why.
func (s *Signer) LogValue() slog.Value {
	if s == nil {
		return slog.Value{}
	}
	return slog.StringValue("ecdsa.Signer(secret)")
}
