//go:build !wasm

package bip324

import "log/slog"

// logValue returns the placeholder that Format writes, or no value for nil.
func logValue[T any](v *T) slog.Value {
	if v == nil {
		return slog.Value{}
	}
	return slog.StringValue(hiddenText)
}

// LogValue returns the placeholder that Format writes, or no value for nil. WebAssembly builds omit LogValue;
// curve/log.go says why.
func (s *Session) LogValue() slog.Value { return logValue(s) }

// LogValue returns the placeholder that Format writes, or no value for nil.
func (s *Sealer) LogValue() slog.Value { return logValue(s) }

// LogValue returns the placeholder that Format writes, or no value for nil.
func (o *Opener) LogValue() slog.Value { return logValue(o) }

// LogValue returns the placeholder that Format writes, or no value for nil.
func (h *Handshake) LogValue() slog.Value { return logValue(h) }

// LogValue returns the placeholder that Format writes, or no value for nil.
func (c *Conn) LogValue() slog.Value { return logValue(c) }
