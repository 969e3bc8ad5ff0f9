package main

import (
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

// serve starts a relay, which shuts down when the returned function is called.
func serve(t *testing.T) (r *relay, shutDown func()) {
	ctx, shutDown := context.WithCancel(context.Background())
	r = &relay{ctx: ctx, verify: new(nostr.Pool).Verify, listeners: make(map[*client]bool)}
	server := httptest.NewServer(r)
	r.url = "ws" + strings.TrimPrefix(server.URL, "http")
	t.Cleanup(func() {
		server.Close()
		shutDown()
		r.clients.Wait()
	})
	return r, shutDown
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
	r, _ := serve(t)
	alice, bob := r.visit(t), r.visit(t)
	old, first, second := alice.event(1, 100, "old"), alice.event(1, 200, "a"), alice.event(1, 200, "b")
	if order(first, second) > 0 {
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
	spoilt.Content += "!"
	alice.publish(&spoilt, `false,"invalid: `)
	alice.publish(alice.event(1, time.Now().Unix()+3600, "later"), `false,"invalid: `)
	alice.publish(alice.event(kindAuth, time.Now().Unix(), ""), `false,"invalid: `)
	for _, text := range []string{`["EVENT",{}]`, `["EVENT"]`, `["EVENT",` + old.String() + `,1]`, `["COUNT","x",{}]`, `["CLOSE"]`, `["REQ",1]`, `{}`, `x`} {
		alice.say(text, `["NOTICE","`)
	}

	alice.say(fmt.Sprintf(`["REQ","ids",{"ids":["%v","%v"]}]`, old.ID, byBob.ID), received("ids", byBob), received("ids", old), `["EOSE","ids"]`)
	author := fmt.Sprintf(`{"authors":["%v"],`, old.PubKey)
	alice.say(`["REQ","limit",`+author+`"limit":2}]`, received("limit", first), received("limit", second), `["EOSE","limit"]`)
	alice.say(`["REQ","two",`+author+`"limit":1},{"kinds":[1,7],"since":150,"until":199}]`, received("two", first), received("two", byBob), `["EOSE","two"]`)
	alice.say(`["REQ","none",{"limit":0,"kinds":[20001]}]`, `["EOSE","none"]`)
	for id, filters := range map[string]string{"": ",{}", strings.Repeat("é", 65): ",{}", "tag": `,{"#e":["x"]}`, "hex": `,{"ids":["AA"]}`, "no": "", "21": strings.Repeat(",{}", 21)} {
		alice.say(fmt.Sprintf(`["REQ",%q%s]`, id, filters), fmt.Sprintf(`["CLOSED",%q,"invalid: `, id))
	}

	// Events that are published later go to the subscriptions that are still open.
	alice.say(`["CLOSE","two"]`)
	alice.say(`["REQ","limit",{"ids":[]}]`, `["EOSE","limit"]`)
	alice.say(`["REQ","none",{"kinds":[20001]}]`, `["EOSE","none"]`)
	bob.publish(bob.event(7, 160, ""), `true,""]`)
	bob.publish(short, `true,""]`)
	if got := alice.hear(); got != received("none", short) {
		t.Error(got)
	}
	for i := range maxEach - 3 {
		alice.say(fmt.Sprintf(`["REQ","%d",{"limit":0}]`, i), fmt.Sprintf(`["EOSE","%d"]`, i))
	}
	alice.say(`["REQ","more",{}]`, `["CLOSED","more","error: `)
}

func TestAuth(t *testing.T) {
	r, _ := serve(t)
	alice, bob := r.visit(t), r.visit(t)
	protected := alice.event(1, 100, "", []string{"-"})
	alice.publish(protected, `false,"auth-required: `)
	auth := func(v *visitor, kind uint16, challenge, relay string, ago int64, answer string) {
		t.Helper()
		e := v.event(kind, time.Now().Unix()-ago, "", []string{"relay", relay}, []string{"challenge", challenge})
		v.say(fmt.Sprintf(`["AUTH",%v]`, e), fmt.Sprintf(`["OK","%v",%s`, e.ID, answer))
		e.Sig[63] ^= 1
		v.say(fmt.Sprintf(`["AUTH",%v]`, e), fmt.Sprintf(`["OK","%v",false,"invalid: `, e.ID))
	}
	auth(alice, 1, alice.challenge, r.url, 0, `false,"invalid: `)
	auth(alice, kindAuth, bob.challenge, r.url, 0, `false,"invalid: `)
	auth(alice, kindAuth, alice.challenge, "wss://other.example", 0, `false,"invalid: `)
	auth(alice, kindAuth, alice.challenge, r.url, 700, `false,"invalid: `)
	auth(alice, kindAuth, alice.challenge, r.url, -700, `false,"invalid: `)
	alice.publish(protected, `false,"auth-required: `)
	auth(alice, kindAuth, alice.challenge, r.url+"/", 500, `true,""]`)
	auth(bob, kindAuth, bob.challenge, r.url, 0, `true,""]`)
	bob.publish(protected, `false,"restricted: `)
	alice.publish(protected, `true,""]`)
}

// TestSlow has a client that does not read. It does not delay the clients that do, and loses its connection.
func TestSlow(t *testing.T) {
	r, _ := serve(t)
	slow, fast := r.visit(t), r.visit(t)
	slow.say(`["REQ","all",{}]`, `["EOSE","all"]`)
	content := strings.Repeat("x", maxMessage*9/10)
	for i := 0; ; i++ {
		fast.publish(fast.event(20001, int64(i), content), `true,""]`)
		r.mu.Lock()
		n := len(r.listeners)
		r.mu.Unlock()
		if n == 0 {
			break
		}
	}
	var err error
	for err == nil {
		_, _, err = slow.socket.Read(slow.ctx)
	}
	if slow.ctx.Err() != nil {
		t.Error("the connection did not end")
	}
}

func TestLimitAndShutDown(t *testing.T) {
	r, shutDown := serve(t)
	alice, bob := r.visit(t), r.visit(t)
	alice.say(`["EVENT","` + strings.Repeat("x", maxMessage))
	_, _, err := alice.socket.Read(alice.ctx)
	if websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Error(err)
	}
	shutDown()
	_, _, err = bob.socket.Read(bob.ctx)
	if websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Error(err)
	}
	r.clients.Wait()
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
