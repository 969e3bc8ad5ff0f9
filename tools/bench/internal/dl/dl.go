// Package dl loads shared libraries and calls what is in them, without cgo.
package dl
