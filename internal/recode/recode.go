// Package recode writes scalars as the digits that multiplication looks up, and says which multiples the tables hold.
// docs/digits.md derives both. Comments cite the statements of that page as S1, S2, …, and the page names the test of
// each statement.
//
//	file            digits of         places                     for
//	odd.go          odd integers      all, none is 0             secret scalars
//	eisenstein.go   ℤ[λ]              few, by the scalar         public scalars
//	regular.go      ℤ[λ]              every w bits, some are 0   eight public scalars in lanes
//	windows.go      ℤ[λ]              every w bits, some are 0   sums of many products, by buckets
//	precomputed.go  as in windows.go                             public scalars of points with tables
//
// ℤ[λ] is the set of the numbers a + b·λ with integers a and b, where λ² = −1 − λ. A scalar k is split into the number
// k1 + k2·λ of ℤ[λ], whose halves k1 and k2 have 128 bits. Multiplying by λ gives λ·(x + y·λ) = −y + (x − y)·λ.
// Dividing by λ is the same as multiplying by λ², and gives (x + y·λ)/λ = (y − x) − x·λ.
package recode
