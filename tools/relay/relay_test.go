package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/nostr"
)

func serve(t *testing.T) *relay {
	r := &relay{verify: new(nostr.Pool).Verify, open: make(map[*client]map[string]filter)}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = "ws" + strings.TrimPrefix(server.URL, "http")
	return r
}

// A visitor is a client of the relay, with a key.
type visitor struct {
	t         *testing.T
	ctx       context.Context
	socket    *websocket.Conn
	key       *p256k1.PrivateKey
	challenge string
}

func (r *relay) visit(t *testing.T) *visitor {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	socket, _, err := websocket.Dial(ctx, r.url, nil)
	libtest.Check(t, err)
	socket.SetReadLimit(1 << 20)
	t.Cleanup(func() { socket.CloseNow() })
	v := &visitor{t, ctx, socket, libtest.Must(p256k1.GenerateKey()), ""}
	if _, err := fmt.Sscanf(v.hear(), `["AUTH",%q]`, &v.challenge); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *visitor) hear() string {
	v.t.Helper()
	_, text, err := v.socket.Read(v.ctx)
	libtest.Check(v.t, err)
	return string(text)
}

// say sends a message, and compares the beginnings of the answers.
func (v *visitor) say(message string, answers ...string) {
	v.t.Helper()
	libtest.Check(v.t, v.socket.Write(v.ctx, websocket.MessageText, []byte(message)))
	for _, want := range answers {
		if got := v.hear(); !strings.HasPrefix(got, want) {
			v.t.Fatalf("%.200s\nwas answered with %s\nwant %s…", message, got, want)
		}
	}
}

// publish sends an event, and compares what follows the event's id in the answer.
func (v *visitor) publish(e *nostr.Event, answer string) {
	v.t.Helper()
	v.say(fmt.Sprintf(`["EVENT",%v]`, e), fmt.Sprintf(`["OK","%v",%s`, e.ID, answer))
}

func (v *visitor) event(kind uint16, createdAt int64, content string, tags ...[]string) *nostr.Event {
	v.t.Helper()
	e := &nostr.Event{CreatedAt: createdAt, Kind: kind, Tags: tags, Content: content}
	libtest.Check(v.t, e.Sign(v.key))
	return e
}

func received(id string, e *nostr.Event) string { return fmt.Sprintf(`["EVENT",%q,%v]`, id, e) }

func TestEvents(t *testing.T) {
	r := serve(t)
	alice, bob := r.visit(t), r.visit(t)
	old, first, second := alice.event(1, 100, "old"), alice.event(1, 200, "a"), alice.event(1, 200, "b")
	if bytes.Compare(first.ID[:], second.ID[:]) > 0 {
		first, second = second, first
	}
	byBob, short := bob.event(7, 150, "by bob"), bob.event(20001, 200, "ephemeral")
	for _, e := range []*nostr.Event{second, old, first} {
		alice.publish(e, `true,""]`)
	}
	bob.publish(byBob, `true,""]`)
	bob.publish(short, `true,""]`)
	bob.publish(first, `true,"duplicate: `)

	spoilt := *first
	spoilt.Sig[63] ^= 1
	alice.publish(&spoilt, `false,"invalid: nostr: the signature does not verify"]`)
	alice.publish(alice.event(1, time.Now().Unix()+3600, "later"), `false,"invalid: `)
	alice.publish(alice.event(kindAuth, time.Now().Unix(), ""), `false,"invalid: `)
	for _, text := range []string{`["EVENT",{}]`, `["EVENT"]`, `["COUNT","x",{}]`, `["CLOSE"]`, `["REQ",1]`, `["REQ","",{}]`, `{}`, `x`} {
		alice.say(text, `["NOTICE","`)
	}

	alice.say(fmt.Sprintf(`["REQ","ids",{"ids":["%v","%v"]}]`, old.ID, byBob.ID), received("ids", byBob), received("ids", old), `["EOSE","ids"]`)
	author := fmt.Sprintf(`{"authors":["%v"],"limit":%%d}`, old.PubKey)
	alice.say(fmt.Sprintf(`["REQ","limit",`+author+`]`, 2), received("limit", first), received("limit", second), `["EOSE","limit"]`)
	for _, filters := range []string{"", ",{},{}", `,{"#e":["x"]}`, `,{"ids":["AA"]}`} {
		alice.say(fmt.Sprintf(`["REQ","no"%s]`, filters), `["CLOSED","no","unsupported: `)
	}

	// Events that are published later go to the subscriptions that are still open.
	alice.say(`["CLOSE","ids"]`)
	alice.say(`["REQ","limit",{"ids":[]}]`, `["EOSE","limit"]`)
	alice.say(fmt.Sprintf(`["REQ","new",{"ids":["%v"]}]`, short.ID), `["EOSE","new"]`)
	bob.publish(bob.event(1, 160, ""), `true,""]`)
	bob.publish(short, `true,""]`)
	if got := alice.hear(); got != received("new", short) {
		t.Error(got)
	}
	for i := range maxOpen - 2 {
		alice.say(fmt.Sprintf(`["REQ","%d",{"limit":0}]`, i), fmt.Sprintf(`["EOSE","%d"]`, i))
	}
	alice.say(`["REQ","more",{}]`, `["CLOSED","more","unsupported: `)

	alice.say(`["EVENT","` + strings.Repeat("x", maxMessage))
	if _, _, err := alice.socket.Read(alice.ctx); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Error(err)
	}
}

func TestAuth(t *testing.T) {
	r := serve(t)
	v := r.visit(t)
	auth := func(kind uint16, challenge, relay string, ago int64, answer string) {
		t.Helper()
		e := v.event(kind, time.Now().Unix()-ago, "", []string{"relay", relay}, []string{"challenge", challenge})
		v.say(fmt.Sprintf(`["AUTH",%v]`, e), fmt.Sprintf(`["OK","%v",%s`, e.ID, answer))
		e.Sig[63] ^= 1
		v.say(fmt.Sprintf(`["AUTH",%v]`, e), fmt.Sprintf(`["OK","%v",false,"invalid: `, e.ID))
	}
	auth(1, v.challenge, r.url, 0, `false,"invalid: `)
	auth(kindAuth, r.visit(t).challenge, r.url, 0, `false,"invalid: `)
	auth(kindAuth, v.challenge, "wss://other.example", 0, `false,"invalid: `)
	auth(kindAuth, v.challenge, r.url, 700, `false,"invalid: `)
	auth(kindAuth, v.challenge, r.url+"/", 500, `true,""]`)
}

// TestSlow has a client that does not read. It does not delay the clients that do, and loses its connection.
func TestSlow(t *testing.T) {
	r := serve(t)
	slow, fast := r.visit(t), r.visit(t)
	slow.say(`["REQ","all",{}]`, `["EOSE","all"]`)
	content := strings.Repeat("x", maxMessage*9/10)
	for i, open := 0, 1; open > 0; i++ {
		fast.publish(fast.event(20001, int64(i), content), `true,""]`)
		r.mu.Lock()
		open = len(r.open)
		r.mu.Unlock()
	}
	var err error
	for err == nil {
		_, _, err = slow.socket.Read(slow.ctx)
	}
	if slow.ctx.Err() != nil {
		t.Error("the connection did not end")
	}
}

// TestPage runs the commands of docs/relays.md that build the relay in a folder beside the clone.
func TestPage(t *testing.T) {
	libtest.Need(t, "sh")
	root := libtest.Must(filepath.Abs("../.."))
	page := string(libtest.Must(os.ReadFile(filepath.Join(root, "docs", "relays.md"))))
	commands := regexp.MustCompile(`(?m)^    mkdir relay(.*\n    )+.*go build$`).FindString(page)
	dir := t.TempDir()
	libtest.Check(t, os.Symlink(root, filepath.Join(dir, "p256k1")))
	cmd := exec.CommandContext(t.Context(), "sh", "-exc", commands)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil || commands == "" {
		t.Errorf("%q: %v\n%s", commands, err, out)
	}
}
