// Package recode writes scalars as the digits that multiplication looks up, and
// says which multiples the tables hold. docs/digits.md derives both: statements
// S1, S2, … in comments are those of that page, which names the test of each.
//
// Odd digits (odd.go) are for secret scalars: every place has one, none is zero.
// Digits from ℤ[λ] (eisenstein.go) are for public scalars: few, at places that
// depend on the scalar.
package recode
