// Package user uses package toy.
package user

import "example.org/toy"

// Two counts to two.
func Two() int { return new(toy.Counter).Inc(0).Inc(0).Value() }
