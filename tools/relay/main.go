// Command relay is a small Nostr relay (NIP-01, NIP-42), which verifies the events of all connections in one
// nostr.Pool. It keeps the newest events in memory, and finds them by id and author. docs/relays.md says how to build
// it outside this repository, and the folder load has a program that measures it.
//
//	go run ./tools/relay
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/wire"
)

const (
	maxMessage = 64 << 10         // bytes
	maxEvents  = 10_000           // in memory
	maxOpen    = 20               // subscriptions of a client
	maxQueued  = 256              // events for subscriptions that wait until the client reads
	maxWait    = 10 * time.Second // until the client reads a message
	maxClock   = 10 * time.Minute // difference between the clocks of a client and the relay
	kindAuth   = 22242            // of the events in AUTH messages
)

type relay struct {
	url    string // named by events in AUTH messages, so that no other relay can pass them on
	verify func(context.Context, *nostr.Event) error

	mu     sync.Mutex
	events []*nostr.Event                // the newest first
	open   map[*client]map[string]filter // subscriptions
}

// A client has a goroutine that reads, verifies and answers, and a goroutine that writes what publish has queued.
type client struct {
	*relay
	socket    *websocket.Conn
	queue     chan []any // messages
	challenge string
}

// A filter has these fields of NIP-01's filters, and no others.
type filter struct {
	IDs     []nostr.ID     `json:"ids"`
	Authors []nostr.PubKey `json:"authors"`
	Limit   int            `json:"limit"`
}

func (f filter) matches(e *nostr.Event) bool {
	return (f.IDs == nil || slices.Contains(f.IDs, e.ID)) && (f.Authors == nil || slices.Contains(f.Authors, e.PubKey))
}

func main() {
	listen := flag.String("listen", "127.0.0.1:7447", "`address` to listen on")
	one := flag.Bool("one", false, "verify each event alone, to compare with the pool")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	r := &relay{url: "ws://" + listener.Addr().String(), verify: new(nostr.Pool).Verify, open: make(map[*client]map[string]filter)}
	if *one {
		r.verify = func(_ context.Context, e *nostr.Event) error { return e.Verify() }
	}
	fmt.Println("listening on", r.url)
	go func() { log.Fatal((&http.Server{Handler: r, ReadHeaderTimeout: maxWait}).Serve(listener)) }()
	<-ctx.Done() // The end of the program ends all connections.
}

// ServeHTTP serves a client until the connection ends.
func (r *relay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	// Pages of any origin may connect, because the relay uses no cookies.
	socket, err := websocket.Accept(w, request, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered.
	}
	socket.SetReadLimit(maxMessage)
	defer socket.CloseNow()
	c := &client{r, socket, make(chan []any, maxQueued), rand.Text()}
	go func() {
		for message := range c.queue {
			c.send(message...)
		}
	}()
	c.send("AUTH", c.challenge)
	for reader := new(wire.Reader); c.answer(reader); {
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, c)
	close(c.queue)
}

// send sends a message. It ends the connection if the client does not read the message in time.
func (c *client) send(message ...any) {
	defer time.AfterFunc(maxWait, func() { c.socket.CloseNow() }).Stop()
	text, err := json.Marshal(message)
	if err != nil || c.socket.Write(context.Background(), websocket.MessageText, text) != nil {
		c.socket.CloseNow()
	}
}

// answer reads a message and answers it. It returns false at the end of the connection.
func (c *client) answer(reader *wire.Reader) bool {
	_, text, err := c.socket.Read(context.Background())
	if err != nil {
		return false
	}
	label, m, err := reader.Message(text)
	var e *nostr.Event
	if err == nil && m.Event != nil {
		e, err = nostr.Parse(m.Event)
	}
	var fields []json.RawMessage
	var id string
	switch {
	case err != nil: // The event may have no id that OK could name.
		c.send("NOTICE", "invalid: "+err.Error())
	case e != nil && (label == "EVENT" || label == "AUTH"):
		reason := c.judge(e, label == "AUTH")
		accepted := reason == ""
		if accepted && label == "EVENT" && !c.publish(e) {
			reason = "duplicate: the relay has this event"
		}
		c.send("OK", e.ID, accepted, reason)
	case json.Unmarshal(text, &fields) != nil || len(fields) < 2 || json.Unmarshal(fields[1], &id) != nil || id == "" || len(id) > 64:
		c.send("NOTICE", "invalid: want the id of a subscription after the label")
	case label == "REQ":
		c.subscribe(id, fields[2:])
	case label == "CLOSE":
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open[c], id)
	default:
		c.send("NOTICE", "error: unknown label")
	}
	return true
}

// judge returns why the relay refuses an event, or an empty string.
func (c *client) judge(e *nostr.Event, isAuth bool) (reason string) {
	has := func(name, value string) bool {
		return slices.ContainsFunc(e.Tags, func(t []string) bool { return len(t) > 1 && t[0] == name && strings.TrimSuffix(t[1], "/") == value })
	}
	age := time.Since(time.Unix(e.CreatedAt, 0))
	switch {
	case isAuth != (e.Kind == kindAuth):
		return "invalid: events of kind 22242, and no others, belong in AUTH"
	case age < -maxClock || (isAuth && age > maxClock):
		return "invalid: created_at is too far from now"
	case isAuth && !(has("challenge", c.challenge) && has("relay", c.url)):
		return "invalid: want the challenge of this connection, and the relay " + c.url
	}
	if err := c.verify(context.Background(), e); err != nil {
		return "invalid: " + err.Error() // The context does not end, so the error is the event's.
	}
	return ""
}

// publish stores an event unless it is ephemeral, and queues it for the subscriptions that match. It returns false if
// the event is already stored. Clients with a full queue lose their connection, so that they delay nobody else.
func (r *relay) publish(e *nostr.Event) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Kind < 20000 || e.Kind >= 30000 {
		i, found := slices.BinarySearchFunc(r.events, e, func(a, b *nostr.Event) int {
			return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), bytes.Compare(a.ID[:], b.ID[:]))
		})
		if found {
			return false
		}
		r.events = slices.Insert(r.events, i, e)
		r.events = r.events[:min(maxEvents, len(r.events))]
	}
	for c, filters := range r.open {
		for id, f := range filters {
			if f.matches(e) {
				select {
				case c.queue <- []any{"EVENT", id, e}:
				default:
					go c.socket.CloseNow()
				}
			}
		}
	}
	return true
}

// subscribe opens a subscription, and sends the events that it finds and EOSE.
func (c *client) subscribe(id string, filters []json.RawMessage) {
	f := filter{Limit: maxEvents}
	d := json.NewDecoder(bytes.NewReader(slices.Concat(filters...)))
	d.DisallowUnknownFields()
	err := d.Decode(&f)
	c.mu.Lock()
	delete(c.open[c], id)
	if err != nil || len(filters) != 1 || len(c.open[c]) == maxOpen {
		c.mu.Unlock()
		c.send("CLOSED", id, "unsupported: want one filter by ids, authors and limit, in at most 20 subscriptions")
		return
	}
	if c.open[c] == nil {
		c.open[c] = make(map[string]filter)
	}
	c.open[c][id] = f
	events := slices.Clone(c.events)
	c.mu.Unlock()
	for _, e := range events {
		if f.Limit > 0 && f.matches(e) {
			f.Limit--
			c.send("EVENT", id, e)
		}
	}
	c.send("EOSE", id)
}
