// Package recode writes scalars as the digits that multiplication looks up, and says which multiples the tables hold.
// docs/digits.md derives both: comments cite its statements as S1, S2, …, and the page names the test of each.
//
//	file            digits of         places                     for
//	odd.go          odd integers      all, none is 0             secret scalars
//	eisenstein.go   ℤ[λ]              few, by the scalar         public scalars
//	regular.go      ℤ[λ]              every w bits, some are 0   eight public scalars in lanes
//	windows.go      ℤ[λ]              every w bits, some are 0   sums of many products, by buckets
//	precomputed.go  as in windows.go                             public scalars of points with tables
//
// ℤ[λ] are the numbers a + b·λ with integers a and b, where λ² = −1 − λ. A scalar k is split into
// k1 + k2·λ with halves of 128 bits, which is a number of ℤ[λ]. Dividing by λ, which is multiplying
// by λ², takes x + y·λ to (y − x) − x·λ, and multiplying by λ takes it to −y + (x − y)·λ.
package recode
