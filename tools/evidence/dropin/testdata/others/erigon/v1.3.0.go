//go:build !v1.2.0

package main

const reduces = false
