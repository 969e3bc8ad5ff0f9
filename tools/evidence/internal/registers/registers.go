// Package registers puts secrets into registers that only assembly uses.
package registers
