// Package pty opens pseudo-terminals for tests on Linux.
package pty
