// Command plug is plugbench on its own: see package plugcmd.
package main

import (
	"os"

	"p256k1.mleku.dev/bench/plug/plugcmd"
)

func main() {
	if plugcmd.New().Execute() != nil {
		os.Exit(1)
	}
}
