package toy

import "testing"

func TestAdd(t *testing.T) {
	for _, c := range []struct {
		a, b, sum [2]uint64
		carry     uint64
	}{
		{[2]uint64{1<<64 - 1, 5}, [2]uint64{1, 2}, [2]uint64{0, 8}, 0},
		{[2]uint64{3, 1<<64 - 1}, [2]uint64{4, 2}, [2]uint64{7, 1}, 1},
	} {
		if sum, carry := Add(c.a, c.b); sum != c.sum || carry != c.carry {
			t.Errorf("%v + %v = %v, %v", c.a, c.b, sum, carry)
		}
	}
}

func TestUntested(t *testing.T) {
	Untested(1, 2)
	Untested(2, 1)
}

func TestSelect(t *testing.T) {
	if Select(5, 6, 1<<64-1) != 5 || Select(6, 5, 1<<64-1) != 6 {
		t.Error("the second")
	}
}

func TestMax(t *testing.T) {
	if Max(1, 2) != 2 || Max(2, 1) != 2 || Max(-3, -3) != -3 {
		t.Error("not the larger one")
	}
}

func TestCheck(t *testing.T) {
	if Check(1<<28) != nil || Check(1<<28+1) == nil {
		t.Error("wrong limit")
	}
}

func TestSum(t *testing.T) {
	if Sum(3) != 0x1234567812345678*2+2 {
		t.Error("wrong sum")
	}
}

func TestAlloc(t *testing.T) {
	if testing.AllocsPerRun(1, func() {}) != 1 {
		t.Error("to be skipped")
	}
}

func TestUse(t *testing.T) {
	if Use(new(Counter)) < 0 {
		t.Error("negative")
	}
}
