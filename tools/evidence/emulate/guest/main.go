//go:build linux

// Command guest is the first process of the emulated machine, where only guest and the program run. It runs the program
// and writes the program's status to the console.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	status, err := run()
	if err != nil {
		fmt.Println("emulate:", err)
	}
	fmt.Printf("\nemulate: status %d\n", status) // the host stops the machine when it reads this line
	for {
		time.Sleep(time.Hour)
	}
}

// run returns the program's exit status, or 125 and the reason why the program did not run.
func run() (int, error) {
	for directory, kind := range map[string]string{"/proc": "proc", "/sys": "sysfs", "/dev": "devtmpfs"} {
		if err := syscall.Mount(kind, directory, kind, 0, ""); err != nil {
			return 125, fmt.Errorf("%s: %w", directory, err)
		}
	}
	b, err := os.ReadFile("/job")
	if err != nil {
		return 125, err
	}
	var job struct{ Arguments, Environment []string }
	if err := json.Unmarshal(b, &job); err != nil {
		return 125, err
	}
	cmd := exec.Command("/program", job.Arguments...)
	cmd.Dir, cmd.Env = "/tmp", job.Environment
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	if err := cmd.Run(); cmd.ProcessState == nil || !cmd.ProcessState.Exited() {
		return 125, err
	}
	return cmd.ProcessState.ExitCode(), nil
}
