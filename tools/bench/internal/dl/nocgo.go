//go:build !cgo || !(darwin || freebsd || linux || netbsd) || !(amd64 || arm64)

package dl

// ViaCgo is a Caller that goes through cgo. It is nil in a build without cgo.
var ViaCgo Caller
