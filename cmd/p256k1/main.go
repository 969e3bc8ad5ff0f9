// Command p256k1 verifies secp256k1 signatures in bulk, on all cores, and makes keys, signatures and shared secrets. It
// also makes a Go program use this library in place of other libraries.
//
//	p256k1 sample > sample.jsonl && p256k1 verify sample.jsonl
//	p256k1 key new --out my.key
//	p256k1 sign --key my.key --file contract.pdf --json | p256k1 verify
//	p256k1 replace -w --local ../p256k1
//
// "p256k1 help" lists the commands, and "p256k1 help verify" describes the lines that can be verified.
package main

import (
	"context"
	"os"
	"os/signal"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/cli"
)

func main() {
	cli.KeepPipeErrors()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	// A second Ctrl-C ends the program at once, even if the program does not react to the first.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
