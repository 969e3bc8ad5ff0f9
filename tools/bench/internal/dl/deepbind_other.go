//go:build (darwin || freebsd || netbsd) && (amd64 || arm64)

package dl

const deepBind = 0
