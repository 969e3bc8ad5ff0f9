package place

import "testing"

// TestIn names places in lists, with the suffixes of all kinds of numbers.
func TestIn(t *testing.T) {
	for want, got := range map[string]string{
		"first of the signers":                       In("signers", 0),
		"second and tenth of the helpers":            In("helpers", 1, 9),
		"first, third and 11th of the signers":       In("signers", 0, 2, 10),
		"12th, 13th, 14th, 20th and 21st of the ids": In("ids", 11, 12, 13, 19, 20),
		"22nd, 23rd, 24th and 101st of the ids":      In("ids", 21, 22, 23, 100),
		"111th, 112th, 113th and 128th of the ids":   In("ids", 110, 111, 112, 127),
		"second of the values":                       In("", 1),
		"none of the signers":                        In("signers"),
		"4, 0 and 2":                                 Join([]uint32{4, 0, 2}),
		"7":                                          Join([]uint32{7}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
