//go:build amd64 && purego

package main

func useADX() {
	panic("there is no assembly in this build")
}
