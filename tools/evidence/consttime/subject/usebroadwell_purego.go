//go:build amd64 && purego

package main

func useBroadwell() {
	panic("there is no assembly in this build")
}
