// The program verify checks events with go-nostr.
package main

import (
	"bufio"
	"fmt"
	"os"
	"syscall"

	"github.com/nbd-wtf/go-nostr"
)

// main reads events, one per line, up to an empty line. For each event it prints the id that go-nostr computes, and
// whether the event has this id and a valid signature, or how go-nostr fails. For each line after the empty one, it
// verifies all events again, and prints the processor time in nanoseconds and the number of good events.
func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	var events [][]byte
	for {
		line, err := in.ReadBytes('\n')
		check(err)
		if len(line) == 1 {
			break
		}
		events = append(events, line[:len(line)-1])
	}
	out := bufio.NewWriter(os.Stdout)
	for _, event := range events {
		fmt.Fprintln(out, judge(event))
	}
	for {
		check(out.Flush())
		if _, err := in.ReadBytes('\n'); err != nil {
			return
		}
		start := cpuTime()
		good := 0
		for _, event := range events {
			if isGood(event) {
				good++
			}
		}
		fmt.Fprintln(out, cpuTime()-start, good)
	}
}

// cpuTime returns the processor time of this process in nanoseconds, which other processes hardly affect.
func cpuTime() int64 {
	var used syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return used.Utime.Nano() + used.Stime.Nano()
}

func judge(text []byte) (verdict string) {
	defer func() {
		if recover() != nil { // panics for an id that is too short
			verdict = "panic"
		}
	}()
	var e nostr.Event
	if err := e.UnmarshalJSON(text); err != nil {
		return "unreadable"
	}
	return fmt.Sprint(e.GetID(), " ", isGood(text))
}

func isGood(text []byte) bool {
	var e nostr.Event
	if err := e.UnmarshalJSON(text); err != nil || !e.CheckID() {
		return false
	}
	good, err := e.CheckSignature()
	return good && err == nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
