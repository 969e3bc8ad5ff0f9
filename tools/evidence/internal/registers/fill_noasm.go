//go:build !amd64

package registers

// Has reports whether the processor has the registers that Fill fills.
const Has = false

// Fill does nothing.
func Fill(b *[32]byte) {}
