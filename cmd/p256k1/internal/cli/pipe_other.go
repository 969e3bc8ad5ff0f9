//go:build !unix

package cli

func KeepPipeErrors() {}

func isEPIPE(error) bool { return false }
