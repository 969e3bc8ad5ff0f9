//go:build !purego

package platform

import "testing"

func TestSetting(t *testing.T) {
	for list, want := range map[string]string{
		"":                            "",
		"p256k1fma=off":               "off",
		"gctrace=1,p256k1fma=off":     "off",
		"p256k1fma=off,p256k1fma=on":  "on",
		"xp256k1fma=off,p256k1fma":    "",
		"p256k1fma=off ,p256k1fmas=1": "off ",
	} {
		if got := setting(list, "p256k1fma"); got != want {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}
