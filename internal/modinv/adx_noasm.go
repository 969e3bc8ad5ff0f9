//go:build !amd64 || purego

package modinv

const useADX = false
