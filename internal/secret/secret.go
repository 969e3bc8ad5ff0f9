// Package secret runs operations and wipes the stack that they used and, on amd64 with assembly, the registers. In
// programs built with GOEXPERIMENT=runtimesecret for Linux on amd64 or arm64, package secret uses runtime/secret, which
// wipes the registers on both, and also those registers and stacks that the runtime saves when it interrupts an
// operation.
package secret
