//go:build amd64 || arm64

package dl

// deepBind is glibc's RTLD_DEEPBIND: a library's own functions come before those
// of the same name that the program is linked with, as another version of
// libsecp256k1 through cgo would have them.
const deepBind = 8
