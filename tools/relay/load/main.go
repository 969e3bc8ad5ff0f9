// Command load measures Command relay on this machine. It starts the relay, and clients that send events over loopback,
// each as soon as its last event is answered. It does so with the pool and without it, and again while a tenth of the
// clients send only bad signatures. It fails if an answer is wrong.
//
//	go run ./tools/relay/load
//
// The relay and the clients share the processor, so the time that the relay takes for an event says more than the
// number of events in a second.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/tools/internal/must"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

type options struct {
	clients, rounds, rate int
	time                  time.Duration
}

func main() {
	var o options
	flag.IntVar(&o.clients, "clients", 1000, "number of connections, at least 10; ulimit -n must allow more open files")
	flag.IntVar(&o.rounds, "rounds", 3, "number of rounds, in which each line of the table has a turn")
	flag.DurationVar(&o.time, "time", 10*time.Second, "time of a turn")
	flag.IntVar(&o.rate, "rate", 0, "events in a second, of all clients (default as many as the relay answers)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // A second Ctrl-C ends the program at once.
	err := run(ctx, o, os.Stdout, os.Stderr)
	if ctx.Err() != nil {
		os.Exit(130) // the status with which shells report SIGINT
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// A line is a line of the table.
type line struct {
	name       string
	one, flood bool

	latencies []time.Duration // of good events, from the time at which they were due to the answer
	bad       int             // number of bad events
	time      time.Duration   // in which all events were answered
	processor time.Duration   // that the relay used for the events
}

func run(ctx context.Context, o options, out, status io.Writer) (err error) {
	defer must.Recover(&err)
	if o.clients < 10 || o.rounds < 1 || o.rate < 0 {
		must.Fail("want at least 10 clients and a round")
	}
	bar := progress.Start(status, "building the relay, signing events")
	defer bar.Stop()
	dir := must.Get(os.MkdirTemp("", "p256k1-relay-"))
	defer os.RemoveAll(dir)
	program := build(ctx, dir)
	good, bad := sign(10 * o.clients)
	lines := []*line{{name: "pool"}, {name: "one by one", one: true}, {name: "pool, flood", flood: true}, {name: "one by one, flood", one: true, flood: true}}
	var idle line // takes the time for connecting
	must.Do(idle.measure(ctx, options{clients: o.clients}, program, good, bad))
	for round := range o.rounds {
		for i, l := range lines {
			bar.Set(round*len(lines)+i, o.rounds*len(lines), l.name)
			must.Do(l.measure(ctx, o, program, good, bad))
			l.processor -= idle.processor
		}
	}
	bar.Stop()
	fmt.Fprintf(out, "%d clients; %s, %d processors, %s, GODEBUG=%s\n\n", o.clients, curve.Backend(), runtime.GOMAXPROCS(0), runtime.Version(), os.Getenv("GODEBUG"))
	fmt.Fprintf(out, "%-18s %13s %12s %7s %7s %15s\n", "", "good events/s", "bad events/s", "p50, ms", "p99, ms", "relay, µs/event")
	for _, l := range lines {
		n := len(l.latencies)
		if n == 0 {
			must.Fail("%s: no events in %v", l.name, l.time)
		}
		slices.Sort(l.latencies)
		fmt.Fprintf(out, "%-18s %13.0f %12.0f %7.2f %7.2f %15.1f\n", l.name, float64(n)/l.time.Seconds(), float64(l.bad)/l.time.Seconds(),
			l.latencies[n/2].Seconds()*1e3, l.latencies[n*99/100].Seconds()*1e3, l.processor.Seconds()*1e6/float64(n+l.bad))
	}
	return nil
}

// build compiles the relay.
func build(ctx context.Context, dir string) (program string) {
	program = filepath.Join(dir, "relay.exe") // Windows needs the extension.
	must.Get(must.Output(exec.CommandContext(ctx, "go", "build", "-o", program, "p256k1.mleku.dev/v2/tools/relay")))
	return program
}

// An event has the message that sends it, and the beginning of the right answer.
type event struct{ message, answer []byte }

// sign makes n events with n keys, and the same events with bad signatures. They are ephemeral, so that the relay does
// not know them when they are sent again.
func sign(n int) (good, bad []event) {
	for i := range n {
		key := must.Get(p256k1.GenerateKey())
		e := nostr.Event{CreatedAt: time.Now().Unix(), Kind: 20001, Content: strings.Repeat(fmt.Sprint("event ", i, " "), 30)}
		must.Do(e.Sign(key))
		key.Zero()
		good = append(good, event{fmt.Appendf(nil, `["EVENT",%v]`, e), fmt.Appendf(nil, `["OK","%v",true,""]`, e.ID)})
		e.Sig[63] ^= 1
		bad = append(bad, event{fmt.Appendf(nil, `["EVENT",%v]`, e), fmt.Appendf(nil, `["OK","%v",false,"invalid: `, e.ID)})
	}
	return good, bad
}

// measure runs the relay and the clients for a turn.
func (l *line) measure(ctx context.Context, o options, program string, good, bad []event) (err error) {
	defer must.Recover(&err)
	cmd := exec.Command(program, "-listen", "127.0.0.1:0", fmt.Sprintf("-one=%v", l.one))
	cmd.Stderr = os.Stderr
	output := must.Get(cmd.StdoutPipe())
	must.Do(cmd.Start())
	turn, cancel := context.WithTimeoutCause(ctx, o.time+time.Minute, errors.New("the relay does not answer"))
	defer cancel()
	clients, ctx := errgroup.WithContext(turn)
	context.AfterFunc(ctx, func() { // when the clients have ended, when one has failed, or after Ctrl-C
		if cmd.Process.Signal(os.Interrupt) != nil {
			cmd.Process.Kill() // on Windows, which has no signals
		}
	})
	defer func() {
		clients.Wait() // ends ctx
		if ended := cmd.Wait(); err == nil && ended != nil {
			err = fmt.Errorf("relay: %w", ended)
		}
		l.processor += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}()
	url := strings.TrimSpace(strings.TrimPrefix(must.Get(bufio.NewReader(output).ReadString('\n')), "listening on"))
	conns := make([]*websocket.Conn, o.clients)
	for i := range conns {
		conns[i], _, err = websocket.Dial(ctx, url, nil)
		must.Do(err)
		defer conns[i].CloseNow()
		_, _, err = conns[i].Read(ctx) // AUTH
		must.Do(err)
	}
	start := time.Now()
	latencies := make([][]time.Duration, o.clients)
	for i, conn := range conns {
		events := good
		if l.flood && i%10 == 0 {
			events = bad
		}
		clients.Go(func() (err error) {
			defer context.AfterFunc(ctx, func() { conn.CloseNow() })()
			latencies[i], err = send(conn, events, start.Add(o.time), o)
			return err
		})
	}
	err = clients.Wait()
	must.Do(cmp.Or(context.Cause(turn), err))
	l.time += time.Since(start)
	for i, a := range latencies {
		if l.flood && i%10 == 0 {
			l.bad += len(a)
		} else {
			l.latencies = append(l.latencies, a...)
		}
	}
	return nil
}

// send sends events until the end, and returns how long after it was due each was answered.
func send(conn *websocket.Conn, events []event, end time.Time, o options) (latencies []time.Duration, err error) {
	defer must.Recover(&err)
	due, pause := time.Now(), time.Duration(0)
	if o.rate > 0 {
		pause = time.Second * time.Duration(o.clients) / time.Duration(o.rate)
		due = due.Add(rand.N(pause))
	}
	for i := rand.IntN(len(events)); due.Before(end); i++ {
		time.Sleep(time.Until(due))
		e := events[i%len(events)]
		must.Do(conn.Write(context.Background(), websocket.MessageText, e.message))
		_, answer, err := conn.Read(context.Background())
		must.Do(err)
		if !bytes.HasPrefix(answer, e.answer) {
			must.Fail("the relay answered %s, want %s", answer, e.answer)
		}
		latencies = append(latencies, time.Since(due))
		due = due.Add(pause)
		if o.rate == 0 {
			due = time.Now()
		}
	}
	return latencies, nil
}
