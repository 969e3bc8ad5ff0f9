//go:build !wasm

package nip44

import "log/slog"

// LogValue returns the placeholder that Format writes, or no value for nil. WebAssembly builds omit LogValue;
// curve/log.go says why.
func (c *Conversation) LogValue() slog.Value {
	if c == nil {
		return slog.Value{}
	}
	return slog.StringValue(conversationText)
}
