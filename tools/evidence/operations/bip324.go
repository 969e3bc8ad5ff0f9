package operations

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"reflect"
	"time"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/protocols/bip324"
	"p256k1.mleku.dev/v2/secret"
)

// A transport holds BIP-324 connections that all goroutines share. Operations change the state of the connections, but
// always return the same results.
type transport struct {
	completed        *bip324.Handshake // its session has been taken
	session          *bip324.Session
	sender, receiver *bip324.Conn
	message          []byte
}

var config = &bip324.Config{Garbage: []byte("garbage"), Decoys: []int{5}}

func newTransport(in *In) *transport {
	t := &transport{message: append([]byte{21}, in.Msg...)} // 21 is the short id of a transaction message
	var peer *bip324.Handshake
	t.completed, peer = handshakes(config)
	t.session = t.completed.Session()
	peer.Zero()
	t.sender, t.receiver = conns(nil)
	return t
}

// handshakes returns both sides of a completed handshake.
func handshakes(c *bip324.Config) (i, r *bip324.Handshake) {
	i, r = must(bip324.NewInitiator(c)), must(bip324.NewResponder(c))
	for range 2 {
		must(r.Receive(i.Send()))
		must(i.Receive(r.Send()))
	}
	must(r.Receive(i.Send()))
	return i, r
}

// conns returns both ends of a connection. If tapped is not nil, it keeps the last bytes that the first end wrote.
func conns(tapped *tap) (i, r *bip324.Conn) {
	a, b := net.Pipe()
	if tapped != nil {
		tapped.Conn, a = a, tapped
	}
	accepted := make(chan *bip324.Conn)
	go func() { accepted <- must(bip324.Server(context.Background(), b, config)) }()
	i = must(bip324.Client(context.Background(), a, config))
	return i, <-accepted
}

// A tap keeps the last bytes that were written through it.
type tap struct {
	net.Conn
	last []byte
}

func (t *tap) Write(b []byte) (int, error) {
	t.last = bytes.Clone(b)
	return t.Conn.Write(b)
}

// takeCiphers copies the first keys of one direction to the results, at most 32 bits at a time. No oracle could compute
// these keys, because they follow from keys drawn from crypto/rand.
func takeCiphers(out *Out, sealer reflect.Value) {
	b := secret.Make[byte](64)
	d := sealer.Elem().FieldByName("direction").Elem()
	words := d.FieldByName("lengths").FieldByName("stream").FieldByName("key")
	for i := range words.Len() {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(words.Index(i).Uint()))
	}
	key := d.FieldByName("packets").FieldByName("aead").Elem().Elem().FieldByName("key")
	for i := range key.Len() {
		b[32+i] = byte(key.Index(i).Uint())
	}
	out.FreshSecret(b)
}

// ofTransport returns the oracle of the keys of one direction. After more than 224 packets, these include the next
// keys.
func ofTransport(packets int) oracleOf {
	return func(_ *In, r Results) ([]Secret, bool) {
		lengths, contents := r[0].Bytes[:32], r[0].Bytes[32:]
		all := []Secret{opaque("key of lengths", lengths), opaque("key of packets", contents)}
		stream := make([]byte, 3*224+32)
		must(chacha20.NewUnauthenticatedCipher(lengths, make([]byte, 12))).XORKeyStream(stream, stream)
		if packets > 224 {
			aead := must(chacha20poly1305.New(contents))
			next := aead.Seal(nil, append(bytes.Repeat([]byte{0xff}, 4), make([]byte, 8)...), make([]byte, 32), nil)[:32]
			all = append(all, opaque("second key of lengths", stream[3*224:]), opaque("second key of packets", next))
		}
		return all, len(r[1].Bytes) == 3
	}
}

// ofHandshake is the oracle of all secrets that the initiator derives from the key exchange. It leaves out the values
// that are sent unchanged.
func ofHandshake(in *In, r Results) ([]Secret, bool) {
	p := in.peer().Mul(in.d())
	hash := bip324Of(in, p)
	prk := hmacSHA256([]byte("bitcoin_v2_shared_secret\xf9\xbe\xb4\xd9"), hash)
	all := append(append(halves(in.d()), coordinates("shared point", p)...), opaque("hash of the shared point", hash), opaque("PRK", prk))
	all = append(all, pads("PRK", prk)...)
	for _, info := range []string{"initiator_L", "initiator_P", "responder_L", "responder_P"} {
		all = append(all, opaque(info, hmacSHA256(prk, []byte(info+"\x01"))))
	}
	return all, r.is(hmacSHA256(prk, []byte("garbage_terminators\x01"))[:16])
}

// exchange runs a handshake with Key and takes its garbage terminator as a result.
func exchange(in *In, out *Out) *bip324.Handshake {
	h := must(bip324.NewInitiator(&bip324.Config{Garbage: []byte{}}))
	state := reflect.ValueOf(h).Elem().FieldByName("state").Elem()
	*(**ellswift.PrivateKey)(state.FieldByName("key").Addr().UnsafePointer()) = once(in)
	*(*[64]byte)(state.FieldByName("ours").Addr().UnsafePointer()) = *in.Ours()
	h.Send()
	must(h.Receive(in.Theirs()[:]))
	out.Bytes(h.Send()[:16])
	return h
}

// opened opens the rest of a packet, which follows its length.
func opened(s *bip324.Session, rest []byte) error {
	_, _, err := s.Opener.Open(rest)
	return err
}

const reflects = "it reads private fields by reflection; the operation bip324.Handshake runs the same code"

var transports = []Op{
	onSecrets("bip324.Handshake", Varies, ofTransport(230), func(in *In, out *Out) {
		i, r := handshakes(&bip324.Config{Garbage: []byte{}})
		a, b := i.Session(), r.Session()
		takeCiphers(out, reflect.ValueOf(a.Sealer))
		var first []byte
		for n := range 230 { // more than 224, so that the keys change
			packet := must(a.Sealer.Seal(nil, nil, false))
			must(b.Opener.Length(packet[:3]))
			check(opened(b, packet[3:]))
			if n == 0 {
				first = packet[:3]
			}
		}
		out.Fresh(first)
		a.Sealer.Zero()
		b.Opener.Zero()
		i.Zero()
		r.Zero()
	}).shown("the code branches on the lengths of packets and on whether they are authentic; both are public"),
	onSecrets("bip324.Handshake, keys in use", Varies, ofTransport(230), func(in *In, out *Out) {
		i, r := handshakes(&bip324.Config{Garbage: []byte{}})
		a, b := i.Session(), r.Session()
		takeCiphers(out, reflect.ValueOf(a.Sealer))
		out.Fresh(must(a.Sealer.Seal(nil, nil, false))[:3])
		a.Sealer.Zero()
		b.Opener.Zero()
	}).untimed(reflects),
	onSecrets("bip324.Conn, closed", Varies, ofTransport(1), func(in *In, out *Out) {
		tapped := new(tap)
		i, r := conns(tapped)
		takeCiphers(out, reflect.ValueOf(i).Elem().FieldByName("link").Elem().FieldByName("sealer"))
		go i.WritePacket(nil)
		must(r.ReadPacket(nil))
		i.Close()
		r.Close()
		out.Fresh(tapped.last[:3])
	}).untimed(reflects),
	onSecrets("bip324.Handshake, wiped", Varies, ofHandshake, func(in *In, out *Out) { exchange(in, out).Zero() }).untimed(reflects),
	onSecrets("bip324.Handshake, failed", Varies, ofHandshake, func(in *In, out *Out) {
		_, err := exchange(in, out).Receive(make([]byte, bip324.MaxGarbage+16))
		out.True(errors.Is(err, bip324.ErrGarbage))
	}).untimed(reflects),

	onPublic("bip324.ParseMessage", Varies, "messages, whose length and type decide what is sent", func(in *In, out *Out) {
		t := in.Transport()
		message := must(bip324.AppendMessage(nil, "tx", in.Msg))
		name, payload := must2(bip324.ParseMessage(message))
		out.True(name == "tx" && bytes.Equal(payload, in.Msg) && bytes.Equal(message, t.message))
		out.Values(bip324.MessageID("tx"), bip324.MessageName(1), new(bip324.V1Error).Error())
	}),
	onPublic("bip324.Session, shared", Varies, "a session that goroutines share; the other operations have a session each", func(in *In, out *Out) {
		t := in.Transport()
		i, r := handshakes(config)
		a, b := i.Session(), r.Session()
		packet := must(a.Sealer.Seal(nil, in.Msg, false))
		out.Values(must(b.Opener.Length(packet[:3])), t.completed.Send())
		out.True(a.ID == b.ID && t.completed.Session() == nil)
		packet = must(t.session.Sealer.Seal(nil, in.Msg, false))
		out.Values(len(packet))
		out.Refused(failure(t.session.Opener.Length(in.Msg)))
		out.Refused(opened(t.session, in.Msg))
		i.Zero()
		out.Refused(failure(i.Receive(in.Msg)))
		out.Values(must(t.completed.Receive(in.Msg)))
	}),
	onPublic("bip324.Conn", Varies, "a connection, which passes its secrets to functions that other operations run", func(in *In, out *Out) {
		i, r := conns(nil)
		go i.WriteMessage("tx", in.Msg)
		name, payload := must2(r.ReadMessage(nil))
		out.True(name == "tx" && bytes.Equal(payload, in.Msg) && i.SessionID() == r.SessionID())
		i.Close()
		r.Close()
		out.Refused(r.WriteDecoy(1))
		check(new(bip324.Conn).Close())
	}),
	onPublic("bip324.Conn, shared", Varies, "a connection, which passes its secrets to functions that other operations run", func(in *In, out *Out) {
		t := in.Transport()
		written := make(chan error)
		go func() { // in this order, because the reader below expects this order
			written <- errors.Join(t.sender.WriteDecoy(3), t.sender.WritePacket(t.message), t.sender.WriteMessage("tx", in.Msg))
		}()
		contents := must(t.receiver.ReadPacket(nil))
		name, payload := must2(t.receiver.ReadMessage(make([]byte, 10)))
		check(<-written)
		out.Values(contents, name, payload, t.sender.LocalAddr().String(), t.receiver.RemoteAddr().String())
		check(errors.Join(t.sender.SetDeadline(time.Time{}), t.sender.SetReadDeadline(time.Time{}), t.receiver.SetWriteDeadline(time.Time{})))
		out.True(t.sender.SessionID() == t.receiver.SessionID())
	}),
}
