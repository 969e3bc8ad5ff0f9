//go:build !wasm

package curve

import "log/slog"

// This file is excluded from WebAssembly builds, because package log/slog would enlarge the compressed JavaScript
// module from 866 to 919 KiB (go run ./tools/js/build). Without LogValue, handlers of log/slog write the error that
// MarshalText returns, which does not show the value either.

// LogValue returns the text of Format.
func (Scalar) LogValue() slog.Value {
	return slog.StringValue(scalarText)
}

// LogValue returns the text of Format.
func (Point) LogValue() slog.Value {
	return slog.StringValue(pointText)
}
