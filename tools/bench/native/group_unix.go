//go:build unix

package native

import (
	"os/exec"
	"syscall"
)

// stopGroup has an interruption end also what cmd started, such as make's compilers.
func stopGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
