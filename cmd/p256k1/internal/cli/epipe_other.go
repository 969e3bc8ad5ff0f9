//go:build !unix

package cli

func isEPIPE(error) bool { return false }
