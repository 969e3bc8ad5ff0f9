//go:build never

package toy

import "testing"

func FuzzNever(f *testing.F) {}
