package broken

import "testing"

func FuzzBroken(f *testing.F) { undefined() }
