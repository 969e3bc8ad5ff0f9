package decimal

import "testing"

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 18590: "18,590", 123456: "123,456", 1234567: "1,234,567",
		1<<63 - 1: "9,223,372,036,854,775,807",
	} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0 files", 1: "1 file", 2: "2 files", 1000: "1,000 files"} {
		if got := Count(n, "file"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
