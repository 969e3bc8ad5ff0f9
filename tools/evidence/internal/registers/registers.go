// Package registers puts secrets where only code in assembly does.
package registers
