//go:build !wasm

package nip44

import "log/slog"

// LogValue returns the text of Format. It does not exist in WebAssembly, like the LogValue of p256k1.PrivateKey.
func (Conversation) LogValue() slog.Value { return slog.StringValue(conversationText) }
