// Command relay is a small Nostr relay (NIP-01, NIP-42, NIP-70), which verifies the events of all connections in one
// nostr.Pool. It keeps the newest events in memory, older versions of replaceable events among them, and has no filters
// by tags. docs/relays.md says how to build it outside this repository, and the folder load has a program that measures
// it.
//
//	go run ./tools/relay
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
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
	"unicode/utf8"

	"github.com/coder/websocket"

	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/wire"
)

const (
	maxMessage = 64 << 10         // bytes
	maxEvents  = 10_000           // in memory
	maxFound   = 500              // events that a filter finds
	maxEach    = 20               // subscriptions and keys of a client, filters of a subscription
	maxQueued  = 256              // answers and events for subscriptions that wait until the client reads
	maxWait    = 10 * time.Second // until the client reads a message
	maxClock   = 10 * time.Minute // difference between the clocks of a client and the relay
	kindAuth   = 22242            // of the events in AUTH messages
)

type relay struct {
	url     string // named by events in AUTH messages, so that no other relay can pass them on
	verify  func(context.Context, *nostr.Event) error
	ctx     context.Context // ends when the relay shuts down
	clients sync.WaitGroup

	mu        sync.Mutex
	events    []*nostr.Event // the newest first
	listeners map[*client]bool
}

// A client has a goroutine that reads, verifies and answers, and a goroutine that writes what subscriptions get.
type client struct {
	*relay
	socket        *websocket.Conn
	ctx           context.Context // ends with the connection
	drop          func()          // ends the connection
	queue         chan []message  // answers to REQ, and events for subscriptions
	challenge     string
	keys          map[nostr.PubKey]bool // that have signed the challenge
	subscriptions map[string][]filter   // locked by relay.mu
}

// A message is a label, such as EVENT, and what follows it.
type message []any

func main() {
	listen := flag.String("listen", "127.0.0.1:7447", "`address` to listen on")
	url := flag.String("url", "", "`URL` at which clients reach the relay (default ws:// and the address)")
	one := flag.Bool("one", false, "verify each event alone, to compare with the pool")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // A second Ctrl-C ends the program at once.
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	r := relay{url: strings.TrimSuffix(cmp.Or(*url, "ws://"+listener.Addr().String()), "/"), ctx: ctx, listeners: make(map[*client]bool)}
	r.verify = new(nostr.Pool).Verify
	if *one {
		r.verify = func(_ context.Context, e *nostr.Event) error { return e.Verify() }
	}
	server := http.Server{Handler: &r, ReadHeaderTimeout: maxWait}
	context.AfterFunc(ctx, func() { server.Shutdown(context.Background()) })
	fmt.Println("listening on", r.url)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	r.clients.Wait()
}

// ServeHTTP serves a client until the connection ends.
func (r *relay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.clients.Add(1)
	defer r.clients.Done()
	// Pages of any origin may connect, because the relay uses no cookies.
	socket, err := websocket.Accept(w, request, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered.
	}
	socket.SetReadLimit(maxMessage)
	ctx, drop := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() { socket.CloseNow() })
	defer context.AfterFunc(r.ctx, func() { socket.Close(websocket.StatusGoingAway, "the relay shuts down") })()
	c := &client{r, socket, ctx, drop, make(chan []message, maxQueued), rand.Text(), make(map[nostr.PubKey]bool), make(map[string][]filter)}
	defer func() {
		drop()
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.listeners, c)
	}()
	go c.write()
	c.send("AUTH", c.challenge)
	for reader := new(wire.Reader); ; {
		_, text, err := socket.Read(context.Background())
		if err != nil {
			return
		}
		label, m, err := reader.Message(text)
		switch {
		case err != nil:
			c.send("NOTICE", "invalid: "+err.Error())
		case label == "EVENT":
			c.answer(m.Event, c.publish)
		case label == "AUTH" && m.Event != nil:
			c.answer(m.Event, c.authenticate)
		default:
			c.handle(label, text)
		}
	}
}

// write sends what the queue offers, until the connection ends.
func (c *client) write() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case answer := <-c.queue:
			for _, m := range answer {
				c.send(m...)
			}
		}
	}
}

// send sends a message. It ends the connection if the client does not read it in time.
func (c *client) send(m ...any) {
	defer time.AfterFunc(maxWait, c.drop).Stop()
	text, err := json.Marshal(m)
	if err != nil || c.socket.Write(context.Background(), websocket.MessageText, text) != nil {
		c.drop()
	}
}

// offer lets another goroutine send messages. It does not wait: if the queue is full, it ends the connection.
func (c *client) offer(answer []message) {
	select {
	case c.queue <- answer:
	default:
		c.drop()
	}
}

// handle handles a message without an event.
func (c *client) handle(label string, text []byte) {
	var fields []json.RawMessage
	var id string
	if json.Unmarshal(text, &fields) != nil || len(fields) < 2 || json.Unmarshal(fields[1], &id) != nil {
		c.send("NOTICE", "invalid: want the id of a subscription after the label")
		return
	}
	switch label {
	case "CLOSE":
		c.unsubscribe(id)
	case "REQ":
		c.unsubscribe(id)
		if reason := c.subscribe(id, fields[2:]); reason != "" {
			c.send("CLOSED", id, reason)
		}
	default:
		c.send("NOTICE", "error: unknown label")
	}
}

// answer parses an event and answers with the reason why use refuses it, or with an empty reason.
func (c *client) answer(text []byte, use func(*nostr.Event) string) {
	e, err := nostr.Parse(text)
	if err != nil {
		c.send("NOTICE", "invalid: "+err.Error())
		return
	}
	reason := use(e)
	c.send("OK", e.ID, reason == "" || strings.HasPrefix(reason, "duplicate:"), reason)
}

// judge returns why an event is not valid, or why nobody knows.
func (c *client) judge(e *nostr.Event) string {
	err := c.verify(c.ctx, e)
	for _, kind := range []error{nostr.ErrFormat, nostr.ErrField, nostr.ErrID, nostr.ErrSignature} {
		if errors.Is(err, kind) {
			return "invalid: " + err.Error()
		}
	}
	if err != nil {
		return "error: " + err.Error()
	}
	return ""
}

func (c *client) publish(e *nostr.Event) string {
	isProtected := slices.ContainsFunc(e.Tags, func(tag []string) bool { return len(tag) > 0 && tag[0] == "-" })
	switch {
	case e.Kind == kindAuth:
		return "invalid: events of kind 22242 belong in AUTH"
	case time.Until(time.Unix(e.CreatedAt, 0)) > maxClock:
		return "invalid: created_at is in the future"
	case isProtected && len(c.keys) == 0:
		return "auth-required: only the author may publish this event"
	case isProtected && !c.keys[e.PubKey]:
		return "restricted: only the author may publish this event"
	}
	if reason := c.judge(e); reason != "" {
		return reason
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.Kind < 20000 || e.Kind >= 30000 { // else the event is ephemeral
		i, found := slices.BinarySearchFunc(c.events, e, order)
		if found {
			return "duplicate: the relay has this event"
		}
		c.events = slices.Insert(c.events, i, e)
		c.events = c.events[:min(maxEvents, len(c.events))]
	}
	for l := range c.listeners {
		for id, filters := range l.subscriptions {
			if slices.ContainsFunc(filters, func(f filter) bool { return f.matches(e) }) {
				l.offer([]message{{"EVENT", id, e}})
			}
		}
	}
	return ""
}

func (c *client) authenticate(e *nostr.Event) string {
	has := func(name, value string) bool {
		return slices.ContainsFunc(e.Tags, func(tag []string) bool {
			return len(tag) > 1 && tag[0] == name && strings.TrimSuffix(tag[1], "/") == value
		})
	}
	switch {
	case e.Kind != kindAuth || !has("challenge", c.challenge) || !has("relay", c.url):
		return "invalid: want kind 22242, the challenge of this connection, and the relay " + c.url
	case time.Since(time.Unix(e.CreatedAt, 0)).Abs() > maxClock:
		return "invalid: created_at is more than ten minutes from now"
	case len(c.keys) == maxEach:
		return "restricted: too many keys"
	}
	if reason := c.judge(e); reason != "" {
		return reason
	}
	c.keys[e.PubKey] = true
	return ""
}

func (c *client) subscribe(id string, texts []json.RawMessage) string {
	switch n := utf8.RuneCountInString(id); {
	case n < 1 || n > 64:
		return "invalid: want an id of 1 to 64 characters"
	case len(texts) < 1 || len(texts) > maxEach:
		return "invalid: want 1 to 20 filters"
	}
	filters := make([]filter, len(texts))
	for i, text := range texts {
		filters[i].Limit = maxFound
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&filters[i]); err != nil {
			return "invalid: " + err.Error()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.subscriptions) == maxEach {
		return "error: too many subscriptions"
	}
	found := make([]int, len(filters))
	var answer []message
	for _, e := range c.events {
		isFound := false
		for i, f := range filters {
			if found[i] < min(f.Limit, maxFound) && f.matches(e) {
				found[i]++
				isFound = true
			}
		}
		if isFound {
			answer = append(answer, message{"EVENT", id, e})
		}
	}
	c.offer(append(answer, message{"EOSE", id})) // before the listener gets further events
	c.subscriptions[id], c.listeners[c] = filters, true
	return ""
}

func (c *client) unsubscribe(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.subscriptions, id)
}

// order puts the newest event first, and of these the lowest id.
func order(a, b *nostr.Event) int {
	return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), bytes.Compare(a.ID[:], b.ID[:]))
}

// A filter is a filter of NIP-01 without tags.
type filter struct {
	IDs     []nostr.ID     `json:"ids"`
	Authors []nostr.PubKey `json:"authors"`
	Kinds   []uint16       `json:"kinds"`
	Since   *int64         `json:"since"`
	Until   *int64         `json:"until"`
	Limit   int            `json:"limit"`
}

func (f *filter) matches(e *nostr.Event) bool {
	return (f.IDs == nil || slices.Contains(f.IDs, e.ID)) && (f.Authors == nil || slices.Contains(f.Authors, e.PubKey)) &&
		(f.Kinds == nil || slices.Contains(f.Kinds, e.Kind)) &&
		(f.Since == nil || e.CreatedAt >= *f.Since) && (f.Until == nil || e.CreatedAt <= *f.Until)
}
