package p256k1

import "testing"

// TestMaking checks that no secrets remain in the scratch memory after keys were computed.
func TestMaking(t *testing.T) {
	m := new(making)
	check := func(after string) {
		t.Helper()
		for i := range m.d {
			if m.d[i].IsZero() == 0 {
				t.Fatalf("%s leaves a private key", after)
			}
		}
		if m.random != [len(m.random)]byte{} {
			t.Fatalf("%s leaves its randomness", after)
		}
	}
	m.generate(newKeys(9))
	check("generate")
	five := make([]byte, 32)
	five[31] = 5
	for _, last := range [][]byte{five, five[1:]} {
		m.setBytes(nil, newKeys(3), [][]byte{five, five, last}, 0)
		check("setBytes")
	}
}
