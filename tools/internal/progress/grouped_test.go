package progress

import "testing"

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1: "-1", -123: "-123", -1234: "-1,234"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
