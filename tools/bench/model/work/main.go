// Command work runs operations of an engine, each between two calls of mark. Package model runs this command in an
// emulator:
//
//	work 8 p256k1 derive ecdh
//	work 1 kernels
//
// The number says how often each operation runs.
package main

import (
	"context"
	"os"
	"runtime"
	"strconv"

	"p256k1.mleku.dev/v2/tools/bench/cpu"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// mark is called where counting begins and where counting ends, so that the trace shows both places.
//
//go:noinline
func mark() {}

func main() {
	runtime.LockOSThread() // instructions of other threads do not count
	must.Main("work", func(context.Context) error {
		calls := must.Get(strconv.Atoi(os.Args[1]))
		if os.Args[2] != "kernels" {
			operations(calls, os.Args[2], os.Args[3:])
			return nil
		}
		for _, k := range cpu.Kernels {
			count(calls, func(calls int) { k.Run(calls * k.Count) })
		}
		return nil
	})
}

// count runs the work once before it is counted, so that tables have been built.
func count(calls int, run func(calls int)) {
	run(1)
	mark()
	run(calls)
	mark()
}

func operations(calls int, name string, ops []string) {
	s := must.Get(must.Get(engine.Open(name)).NewSession())
	inputs := engine.NewInputs("model", 8)
	var out engine.Result
	for _, op := range ops {
		err := must.Catch(func() {
			p := must.Get(s.Prepare(op, 1, inputs))
			count(calls, func(calls int) {
				for i := range calls {
					must.Do(p.Run(i, &out))
				}
			})
		})
		if err != nil {
			must.Fail("%s: %w", op, err)
		}
	}
}
