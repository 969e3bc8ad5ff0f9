//go:build !unix

package main

func keepPipeErrors() {}
