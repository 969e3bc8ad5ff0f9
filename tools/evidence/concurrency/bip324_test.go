package concurrency

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/protocols/bip324"
)

// A transport is what all goroutines share of BIP-324. Its state changes, but not what the operations return.
type transport struct {
	config   *bip324.Config
	over     *bip324.Handshake // whose session was taken
	session  *bip324.Session
	from, to *bip324.Conn
}

func newTransport(t testing.TB) *transport {
	w := &transport{config: &bip324.Config{Garbage: []byte("garbage"), Decoys: []int{5}}}
	var peer *bip324.Handshake
	w.over, peer = w.handshakes()
	w.session = w.over.Session()
	peer.Zero()
	w.from, w.to = w.conns()
	t.Cleanup(func() { w.from.Close(); w.to.Close() })
	return w
}

// handshakes returns both sides of a handshake that is complete.
func (w *transport) handshakes() (i, r *bip324.Handshake) {
	i, r = must(bip324.NewInitiator(w.config)), must(bip324.NewResponder(w.config))
	for range 2 {
		must(r.Receive(i.Send()))
		must(i.Receive(r.Send()))
	}
	return i, r
}

func (w *transport) conns() (i, r *bip324.Conn) {
	a, b := net.Pipe()
	accepted := make(chan *bip324.Conn)
	go func() { accepted <- must(bip324.Server(context.Background(), b, w.config)) }()
	i = must(bip324.Client(context.Background(), a, w.config))
	return i, <-accepted
}

func init() {
	operations = append(operations, []operation{
		{"bip324", "AppendMessage MessageID MessageName NewInitiator NewResponder ParseMessage", func(w *world) []any {
			first := must(bip324.NewInitiator(w.transport.config)).Send()
			return join(list(string(first[64:])), list(must(bip324.NewResponder(w.transport.config)).Send()),
				list(bip324.AppendMessage(w.msg[:4:4], "tx", w.msg)), list3(bip324.ParseMessage(w.message)), list(bip324.MessageID("tx"), bip324.MessageName(1)))
		}},
		{"bip324.Handshake", "Receive Send Session Zero", func(w *world) []any {
			i, r := w.transport.handshakes()
			a, b := i.Session(), r.Session()
			packet := must(a.Sealer.Seal(nil, w.msg, false))
			n := must(b.Opener.Length(packet[:3]))
			results := append(list3(b.Opener.Open(packet[3:])), n, a.ID == b.ID, w.transport.over.Session() == nil, w.transport.over.Send())
			i.Zero()
			return join(results, list(i.Receive(w.msg)), list(w.transport.over.Receive(w.msg)))
		}},
		{"bip324.Sealer", "Seal Zero", func(w *world) []any {
			packet, err := w.transport.session.Sealer.Seal(nil, w.msg, false)
			own := new(bip324.Sealer)
			own.Zero()
			return join(list(len(packet), err), list(own.Seal(nil, nil, false)))
		}},
		{"bip324.Opener", "Length Open Zero", func(w *world) []any {
			new(bip324.Opener).Zero()
			return join(list(w.transport.session.Opener.Length(w.msg)), list3(w.transport.session.Opener.Open(w.msg)))
		}},
		{"bip324", "Client Server", func(w *world) []any {
			i, r := w.transport.conns()
			go i.WriteMessage("tx", w.msg)
			results := list3(r.ReadMessage(nil))
			i.Close()
			r.Close()
			return append(results, i.SessionID() == r.SessionID(), r.WriteDecoy(1))
		}},
		{"bip324.Conn", "Close LocalAddr ReadMessage ReadPacket RemoteAddr SessionID SetDeadline SetReadDeadline SetWriteDeadline WriteDecoy WriteMessage WritePacket", func(w *world) []any {
			from, to := w.transport.from, w.transport.to
			errs := make(chan []any)
			go func() { // in this order, so that somebody reads each of them
				errs <- list(from.WriteDecoy(3), from.WritePacket(w.message), from.WriteMessage("tx", w.msg))
			}()
			contents, err := to.ReadPacket(nil)
			results := join(list(contents, err), list3(to.ReadMessage(make([]byte, 10))), <-errs)
			return append(results, from.SetDeadline(time.Time{}), from.SetReadDeadline(time.Time{}), to.SetWriteDeadline(time.Time{}),
				from.LocalAddr().String(), to.RemoteAddr().String(), from.SessionID() == to.SessionID(), new(bip324.Conn).Close())
		}},
		{"bip324.hidden", "Format LogValue MarshalBinary MarshalText UnmarshalBinary UnmarshalText", func(w *world) []any {
			s := w.transport.session
			return join(list(fmt.Sprint(s, s.Sealer, w.transport.from), s.LogValue().String()), list(s.MarshalBinary()), list(s.Sealer.MarshalText()),
				list(w.transport.from.UnmarshalBinary(w.msg), w.transport.over.UnmarshalText(w.msg)))
		}},
		{"bip324.V1Error", "Error", func(*world) []any { return list(new(bip324.V1Error).Error()) }},
	}...)
}

// list3 returns three results as a list.
func list3[A, B, C any](a A, b B, c C) []any { return []any{a, b, c} }
