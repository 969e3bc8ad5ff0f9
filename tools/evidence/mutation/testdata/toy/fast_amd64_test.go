//go:build !purego

package toy

import "testing"

func TestFast(t *testing.T) {
	if Fast(5, 3) != 2 {
		t.Error("5 − 3")
	}
}
