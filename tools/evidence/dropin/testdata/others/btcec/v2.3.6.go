//go:build v2.3.6

package main

var verifyLowS func([]byte) error

const reduces = true
