// Command work runs operations of an engine, each between two calls of mark. Package model runs this command in an
// emulator:
//
//	work 8 p256k1 derive ecdh
//	work 1 kernels
//
// The number says how often each operation runs.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"

	"p256k1.mleku.dev/v2/tools/bench/cpu"
	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// mark is called where counting begins and where counting ends, so that the trace shows both places.
//
//go:noinline
func mark() {}

func main() {
	runtime.LockOSThread() // instructions of other threads do not count
	calls, err := strconv.Atoi(os.Args[1])
	switch {
	case err == nil && os.Args[2] == "kernels":
		for _, k := range cpu.Kernels {
			count(calls, func(calls int) error { k.Run(calls * k.Count); return nil })
		}
	case err == nil:
		err = operations(calls, os.Args[2], os.Args[3:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "work:", err)
		os.Exit(1)
	}
}

// count runs the work once before it is counted, so that tables have been built.
func count(calls int, run func(calls int) error) error {
	err := run(1)
	if err != nil {
		return err
	}
	mark()
	defer mark()
	return run(calls)
}

func operations(calls int, name string, ops []string) error {
	e, err := engine.Open(name)
	if err != nil {
		return err
	}
	s, err := e.NewSession()
	if err != nil {
		return err
	}
	inputs, err := engine.NewInputs("model", 8)
	if err != nil {
		return err
	}
	var out engine.Result
	for _, op := range ops {
		p, err := s.Prepare(op, 1, inputs)
		if err == nil {
			err = count(calls, func(calls int) (err error) {
				for i := 0; i < calls && err == nil; i++ {
					err = p.Run(i, &out)
				}
				return err
			})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
	}
	return nil
}
