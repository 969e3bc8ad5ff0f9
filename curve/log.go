//go:build !wasm

package curve

import "log/slog"

// This file is not for WebAssembly: package log/slog would enlarge the JavaScript module from 866 to 919
// KiB with gzip (go run ./tools/js/build). Without LogValue, handlers write the error of MarshalText,
// which shows no value either.

// LogValue returns the text of Format.
func (Scalar) LogValue() slog.Value {
	return slog.StringValue(scalarText)
}

// LogValue returns the text of Format.
func (Point) LogValue() slog.Value {
	return slog.StringValue(pointText)
}
