//go:build !wasm

package nip44

import "log/slog"

// LogValue returns the placeholder that Format writes. WebAssembly builds omit LogValue; curve/log.go says why.
func (Conversation) LogValue() slog.Value { return slog.StringValue(conversationText) }
