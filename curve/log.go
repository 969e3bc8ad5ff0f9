//go:build !wasm

package curve

import "log/slog"

// This file is excluded from WebAssembly builds, because package log/slog would enlarge the compressed JavaScript
// module from 866 to 919 KiB (measured with go run ./tools/js/build). Without LogValue, handlers of log/slog write the
// error that MarshalText returns, which does not show the value either.
//
// LogValue has a pointer as its receiver, here and in the other packages, because log/slog would log a stack trace if a
// nil pointer were passed to a method of values. Therefore, for a value that is not a pointer, handlers write the error
// of MarshalText.

// LogValue returns the placeholder that Format writes, or no value for nil.
func (s *Scalar) LogValue() slog.Value {
	if s == nil {
		return slog.Value{}
	}
	return slog.StringValue(scalarText)
}

// LogValue returns the placeholder that Format writes, or no value for nil.
func (p *Point) LogValue() slog.Value {
	if p == nil {
		return slog.Value{}
	}
	return slog.StringValue(pointText)
}
