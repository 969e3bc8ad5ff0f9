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

	"p256k1.mleku.dev/v2/tools/internal/must"
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
func run() (status int, err error) {
	status = 125
	defer must.Recover(&err)
	for directory, kind := range map[string]string{"/proc": "proc", "/sys": "sysfs", "/dev": "devtmpfs"} {
		must.Do(syscall.Mount(kind, directory, kind, 0, ""))
	}
	var job struct{ Arguments, Environment []string }
	must.Do(json.Unmarshal(must.Get(os.ReadFile("/job")), &job))
	cmd := exec.Command("/program", job.Arguments...)
	cmd.Dir, cmd.Env = "/tmp", job.Environment
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	if err := cmd.Run(); cmd.ProcessState == nil || !cmd.ProcessState.Exited() {
		must.Do(err)
	}
	return cmd.ProcessState.ExitCode(), nil
}
