// Package secret runs operations and wipes the stack and the registers that they used. In programs built with
// GOEXPERIMENT=runtimesecret, package secret uses runtime/secret, which also wipes the registers and stacks that the
// runtime saves when it interrupts an operation.
package secret
