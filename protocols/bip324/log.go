//go:build !wasm

package bip324

import "log/slog"

// LogValue returns the text of Format. WebAssembly builds omit LogValue; curve/log.go of the library says why.
func (hidden) LogValue() slog.Value { return slog.StringValue(hiddenText) }
