//go:build !wasm

package bip324

import "log/slog"

// LogValue returns the placeholder that Format writes. WebAssembly builds omit LogValue; curve/log.go says why.
func (hidden) LogValue() slog.Value { return slog.StringValue(hiddenText) }
