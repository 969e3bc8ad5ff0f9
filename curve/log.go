//go:build !wasm

package curve

import "log/slog"

// Not in WebAssembly: the init of package log/slog links so much of it that the module
// of js would have 919 KiB with gzip instead of 866 (go run ./tools/js/build). Without
// LogValue, handlers write the error of MarshalText, which shows nothing either.

// LogValue returns the text of Format.
func (Scalar) LogValue() slog.Value {
	return slog.StringValue(scalarText)
}

// LogValue returns the text of Format.
func (Point) LogValue() slog.Value {
	return slog.StringValue(pointText)
}
