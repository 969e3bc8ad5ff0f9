// Package secret runs operations so that they leave no secrets behind: by itself
// or, in programs built with GOEXPERIMENT=runtimesecret, by runtime/secret, which
// also wipes what the runtime saves when it interrupts an operation.
package secret
