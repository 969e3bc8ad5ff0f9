package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/pprof"

	"github.com/spf13/cobra"
)

// profileFlag adds the flag that says where the CPU profile goes.
func profileFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "cpuprofile", "", "write a CPU profile to `FILE`, which must not exist yet")
}

// profiled returns what f returns, and writes its CPU profile to a new file if
// path is not empty: of all that was done, if f was interrupted or fails.
func profiled(path string, f func() error) error {
	if path == "" {
		return f()
	}
	// An existing file may be one of those that should have been read.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("--cpuprofile: %w", err)
	}
	w := &firstError{w: file}
	if err := pprof.StartCPUProfile(w); err != nil {
		return errors.Join(fmt.Errorf("--cpuprofile: %w", err), file.Close(), os.Remove(path))
	}
	err = f()
	pprof.StopCPUProfile() // which writes it and says nothing of errors
	if notWritten := errors.Join(w.err, file.Close()); notWritten != nil {
		return fmt.Errorf("--cpuprofile: %w", notWritten)
	}
	return err
}

// firstError is a writer that keeps its first error.
type firstError struct {
	w   io.Writer
	err error
}

func (f *firstError) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	if f.err == nil {
		f.err = err
	}
	return n, err
}
