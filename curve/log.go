//go:build !wasm

package curve

import "log/slog"

// This file is excluded from WebAssembly builds, because package log/slog would enlarge the compressed JavaScript
// module from 866 to 919 KiB (measured with go run ./tools/js/build). Without LogValue, handlers of log/slog write
// the error that MarshalText returns, which does not show the value either.

// LogValue returns the placeholder that Format writes.
func (Scalar) LogValue() slog.Value {
	return slog.StringValue(scalarText)
}

// LogValue returns the placeholder that Format writes.
func (Point) LogValue() slog.Value {
	return slog.StringValue(pointText)
}
