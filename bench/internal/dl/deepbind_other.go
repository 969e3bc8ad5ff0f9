//go:build darwin || freebsd || netbsd

package dl

const deepBind = 0
