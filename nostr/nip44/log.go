//go:build !wasm

package nip44

import "log/slog"

// LogValue returns the text of Format. WebAssembly builds omit LogValue; curve/log.go of the library says why.
func (Conversation) LogValue() slog.Value { return slog.StringValue(conversationText) }
