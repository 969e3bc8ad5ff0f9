package operations

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/nostr/nip44"
	"p256k1.mleku.dev/v2/nostr/wire"
)

// posted has an event by Key, a copy with another content, and a conversation with Peer.
type posted struct {
	event, bad *nostr.Event
	line       []byte
	talk       *nip44.Conversation
	payload    []byte
}

func newPosted(in *In) *posted {
	p := &posted{event: &nostr.Event{CreatedAt: 1, Kind: 1, Tags: [][]string{{"t", "x"}}, Content: "content"}}
	check(p.event.Sign(in.Key()))
	bad := *p.event
	bad.Content = "another"
	p.bad = &bad
	p.line = must(p.event.MarshalJSON())
	p.talk = wiped(in, must(nip44.New(in.Key(), in.PeerX())))
	p.payload = must(p.talk.Encrypt(nil, in.Msg))
	return p
}

const publicEvents = "events, which are public"

var events = []Op{
	onSecrets("nostr.Event.Sign", Varies,
		gives(func(in *In) parts { return parts{nil, nil, number(in.pub().X)} }), func(in *In, out *Out) {
			e := &nostr.Event{CreatedAt: 1, Content: "content"}
			check(e.Sign(in.Key()))
			out.Fresh(e.Sig[:])
			check(e.SignWith(in.Nostr()))
			check(e.Verify())
			out.Fresh(e.Sig[:])
			out.Bytes(e.PubKey[:])
		}).untimed("it passes the secret to a signing function that another operation times"),
	onPublic("nostr.Event", Varies, publicEvents, func(in *In, out *Out) {
		p := in.Posted()
		var own nostr.Event
		check(own.UnmarshalJSON(p.line))
		out.True(own.Sig == p.event.Sig)
		check(p.event.Verify())
		err := p.bad.Verify()
		out.Refused(err)
		out.Refused(errors.Unwrap(err))
		id := must(p.event.ComputeID())
		out.True(id == p.event.ID && must(nostr.ParseID(id.String())) == id)
		out.True(must(nostr.ParsePubKey(own.PubKey.String())) == own.PubKey && must(nostr.ParseSig(own.Sig.String())) == own.Sig)
		text := must(p.event.AppendJSON(nil))
		out.True(bytes.Equal(text, must(p.event.MarshalJSON())) && bytes.Equal(text, must(json.Marshal(p.event))))
		out.True(p.event.String() == string(text))
		out.Values(id, must(p.event.AppendSerialized(nil)))
	}),
	texts(func(in *In) *nip19.Profile { return &nip19.Profile{PubKey: in.Posted().event.PubKey} }),
	texts(func(in *In) *nip19.Event { return &nip19.Event{ID: in.Posted().event.ID} }),
	texts(func(in *In) *nip19.Address { return &nip19.Address{PubKey: in.Posted().event.PubKey} }),
	texts(func(in *In) *nostr.ID { return &in.Posted().event.ID }),
	texts(func(in *In) *nostr.PubKey { return &in.Posted().event.PubKey }),
	texts(func(in *In) *nostr.Sig { return &in.Posted().event.Sig }),
	onPublic("nostr.Parse", Varies, publicEvents, func(in *In, out *Out) {
		p := in.Posted()
		e := must(nostr.Parse(p.line))
		out.Refused(failure(nostr.Parse(p.line[1:])))
		var failures p256k1.Failures
		errors.As(nostr.VerifyAll([]*nostr.Event{p.event, p.bad, e, nil}), &failures)
		out.True(len(failures) == 2 && failures[0].Index == 1 && failures[1].Index == 3)
		var v nostr.Verifier
		for range 5 {
			v.Add(p.line)
			v.AddEvent(p.event)
			v.AddEvent(p.bad)
			v.Add(p.line[1:])
		}
		out.True(v.Len() == 20)
		failures = v.Invalid(failures[:0])
		out.True(len(failures) == 10 && failures[0].Index == 2 && failures[9].Index == 19, v.Len() == 0)
	}),
	onPublic("nostr.Pool", Varies, publicEvents, func(in *In, out *Out) {
		var p nostr.Pool
		check(p.Verify(context.Background(), in.Posted().event))
		out.Refused(p.Verify(context.Background(), in.Posted().bad))
	}),
	onPublic("nostr.Reader", Varies, publicEvents, func(in *In, out *Out) {
		line := string(in.Posted().line)
		lines := line + "\n{\n" + line + "\n"
		var all []int
		for frame, err := range nostr.NewReader(strings.NewReader(lines), 0).All() {
			all = append(all, len(frame.Event))
			check(err)
		}
		for frame, err := range nostr.NewReader(strings.NewReader(lines), 0).Verified() {
			all = append(all, len(frame.Event))
			out.True((err != nil) == (len(all)%3 == 2))
		}
		out.Values(all)
		_, err := nostr.NewReader(strings.NewReader(""), 0).Next()
		out.True(err == io.EOF)
	}),
}

var wires = []Op{
	onPublic("wire.Reader", Varies, publicEvents, func(in *In, out *Out) {
		p := in.Posted()
		var r wire.Reader
		var e, same wire.Event
		var f wire.Fields
		check(r.Line(&e, p.line))
		check(r.CheckID(&e))
		check(r.Object(p.line, wire.Names[:], f[:]))
		check(r.Event(&same, &f))
		out.True(e.ID == p.event.ID && same.ID == e.ID && slices.Equal(r.Tags(e.Tags)[0], p.event.Tags[0]) && string(r.Text(e.Content)) == p.event.Content)
		var id [40]byte
		check(r.Hex(id[:32], "id", f[0]))
		out.True(bytes.Equal(must(r.HexUpTo(id[:], "id", f[0])), p.event.ID[:]))
		check(wire.Expect("id", f[0], wire.String))
		out.Refused(wire.Expect("id", f[0], wire.Number))
		label, m := must2(r.Message([]byte(`["EVENT",` + string(p.line) + `]`)))
		out.True(label == "EVENT" && bytes.Equal(m.Event, p.line))
		e.Sum[0] ^= 1
		out.Refused(r.CheckID(&e))
		check(wire.CheckSerialized(must(p.event.AppendSerialized(nil)), &e.ID))
		out.Refused(wire.CheckSerialized(nil, &e.ID))
		out.Values(wire.AppendJSON(nil, "a\n"), wire.AppendNIP01(nil, "a\n"))
	}),
}

// ofConversation is the oracle of the conversation key, and of the keys derived for the payload, which is the last
// result.
func ofConversation(in *In, r Results) ([]Secret, bool) {
	p := in.peer().Mul(in.d())
	key := nip44Of(in, p)
	payload, err := base64.StdEncoding.DecodeString(string(r[len(r)-1].Bytes))
	if err != nil {
		return nil, false
	}
	nonce := payload[1:33]
	t1 := hmacSHA256(key, nonce, []byte{1})
	t2 := hmacSHA256(key, t1, nonce, []byte{2})
	t3 := hmacSHA256(key, t2, nonce, []byte{3})
	return slices.Concat(halves(in.d()), coordinates("shared point", p), []Secret{opaque("message", in.Tweak), opaque("conversation key", key),
		opaque("key of ChaCha20", t1), opaque("key of the HMAC", slices.Concat(t2, t3)[12:44])}), len(payload) > 65
}

var conversations = []Op{
	onSecrets("nip44.New", Varies, ofConversation, func(in *In, out *Out) {
		c := must(nip44.New(in.Key(), in.PeerX()))
		payload := must(c.Encrypt(nil, in.Tweak))
		out.FreshSome(payload, 0) // Base64 looks its characters up in a table, so memcheck takes them for public
		c.Zero()
	}),
	onSecrets("nip44.Conversation.Decrypt", Varies, ofConversation, func(in *In, out *Out) {
		c := must(nip44.New(in.Key(), in.PeerX()))
		payload := must(c.Encrypt(nil, in.Tweak))
		for _, dst := range [][]byte{nil, make([]byte, 0, 32)} {
			message := must(c.Decrypt(dst, payload))
			out.Secret(message)
		}
		out.FreshSome(payload, 0) // this also overwrites the registers that held parts of the message
		c.Zero()
	}).shown("the length of the decrypted text decides how much memory is allocated"),
	onSecrets("nip44.FromKey", Varies, nil, func(in *In, out *Out) {
		c := nip44.FromKey((*[32]byte)(in.Secret))
		out.FreshSome(must(c.Encrypt(nil, in.Tweak)), 0)
		c.Zero()
	}),
	onPublic("nip44.Conversation, shared", Varies, "a conversation; other operations run its secret parts alone", func(in *In, out *Out) {
		p := in.Posted()
		message := must(p.talk.Decrypt(nil, p.payload))
		out.True(bytes.Equal(message, in.Msg))
		payload := must(p.talk.Encrypt(nil, in.Digest))
		theirs := must(nip44.New(in.Other(), in.X()))
		message = must(theirs.Decrypt(nil, payload))
		out.True(bytes.Equal(message, in.Digest))
		other := nip44.FromKey(in.Aux)
		out.Refused(failure(other.Decrypt(nil, p.payload)))
		other.Zero()
		out.Refused(failure(other.Encrypt(nil, in.Msg)))
	}),
}
