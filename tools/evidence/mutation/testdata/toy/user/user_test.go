package user

import (
	"testing"

	"example.org/toy"
)

func TestTwo(t *testing.T) {
	if Two() != 2 || toy.Use(new(toy.Counter)) != 2 {
		t.Error("not two")
	}
	c := new(toy.Counter).Inc(0)
	if c.Zero(); c.Value() != 0 {
		t.Error("not wiped")
	}
}
