package nostr_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/wire"
	"p256k1.mleku.dev/v2/signer"
)

const published = `{"id":"dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962","pubkey":"3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d","created_at":1644271588,"kind":1,"tags":[],"content":"now that https://blueskyweb.org/blog/2-7-2022-overview was announced we can stop working on nostr?","sig":"230e9d8f0ddaf7eb70b5f7741ccfa37e87a455c9a469282e3464e2052d3192cd63a167e196e381ef9d7e69e9ea43af2443b839974dc85d8aaab9efe1d9296524"}`

// An event is created, signed and sent as JSON. The recipient parses and verifies it.
func Example() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	defer key.Zero()
	e := nostr.Event{CreatedAt: 1700000000, Kind: 1, Tags: [][]string{{"t", "example"}}, Content: "hello\n"}
	if err := e.Sign(key); err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(e)
	if err != nil {
		log.Fatal(err)
	}

	got, err := nostr.Parse(text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(got.Verify())
	got.Content += "!"
	fmt.Println(errors.Is(got.Verify(), nostr.ErrID))
	// Output:
	// <nil>
	// true
}

func ExampleEvent_SignWith() {
	var s signer.I = signer.NewP256K1Signer()
	if err := s.Generate(); err != nil {
		log.Fatal(err)
	}
	defer s.Zero()
	e := nostr.Event{Kind: 1, Content: "by any signer"}
	fmt.Println(e.SignWith(s), e.Verify())
	e.Sig[0] ^= 1
	fmt.Println(errors.Is(e.Verify(), nostr.ErrSignature))
	// Output:
	// <nil> <nil>
	// true
}

func ExampleParse() {
	e, err := nostr.Parse([]byte(published))
	fmt.Println(e.Kind, e.CreatedAt, err)
	fmt.Println(e.Verify())
	for _, text := range []string{
		strings.Replace(published, `"kind":1`, `"kind":1e0`, 1),
		strings.Replace(published, `"kind":1`, `"kind":1,"kind":1`, 1),
		strings.ToUpper(published[:20]) + published[20:],
		strings.Replace(published, `dc90`, `DC90`, 1),
		published + "{}",
	} {
		_, err := nostr.Parse([]byte(text))
		fmt.Println(errors.Is(err, nostr.ErrFormat), errors.Is(err, nostr.ErrField), err)
	}
	// Output:
	// 1 1644271588 <nil>
	// <nil>
	// true false nostr: kind is 1e0, want an integer from 0 to 65535
	// true false nostr: column 183: duplicate name "kind"
	// true false nostr: no field "id"
	// false true nostr: id has the upper-case hexadecimal digit 'D' at 1, want lower case
	// true false nostr: column 441: text after the object
}

// The serialization and the JSON of an event differ in control characters, because NIP-01 and JSON escape them
// differently.
func ExampleEvent_AppendSerialized() {
	e := nostr.Event{CreatedAt: 1, Content: "tab\t, escape \x1b, <&>"}
	serialized, err := e.AppendSerialized(nil)
	fmt.Printf("%q %v\n", serialized[70:], err)
	text, err := e.AppendJSON(nil)
	fmt.Printf("%q %v\n", text[184:222], err)
	id, err := e.ComputeID()
	fmt.Printf("%x %v\n", id[:4], err)
	fmt.Println(wire.CheckSerialized(serialized, (*[32]byte)(&id)))
	// Output:
	// "1,0,[],\"tab\\t, escape \x1b, <&>\"]" <nil>
	// "content\":\"tab\\t, escape \\u001b, <&>\",\"" <nil>
	// 309bd3b6 <nil>
	// <nil>
}

// A Verifier verifies events together, whether they are added as JSON or as decoded events.
func ExampleVerifier() {
	e, err := nostr.Parse([]byte(published))
	if err != nil {
		log.Fatal(err)
	}
	forged := *e
	forged.Sig[5] ^= 1

	var v nostr.Verifier
	v.Add([]byte(published))
	v.AddEvent(&forged)
	v.Add([]byte(published[:100]))
	fmt.Println(v.Len())
	for _, f := range v.Invalid(nil) {
		fmt.Println(f.Index, f.Err)
	}
	fmt.Println(nostr.VerifyAll([]*nostr.Event{e, &forged}))
	// Output:
	// 3
	// 1 nostr: the signature does not verify
	// 2 nostr: column 101: unexpected end of the line
	// nostr: the signature does not verify (index 1)
}

func ExampleReader() {
	stream := published + "\n" +
		`["EVENT","feed",` + published + "]\n" +
		`["EOSE","feed"]` + "\n\n" +
		"nonsense\n" +
		strings.Repeat(" ", nostr.MaxLine+1) + "\n"
	r := nostr.NewReader(strings.NewReader(stream), 0)
	var v nostr.Verifier
	for frame, err := range r.All() {
		switch {
		case errors.Is(err, nostr.ErrFormat), errors.Is(err, nostr.ErrTooLong):
			fmt.Println(frame.Line, err)
		case err != nil:
			log.Fatal(err)
		case frame.Event == nil:
			fmt.Println(frame.Line, frame.Label)
		default:
			v.Add(frame.Event)
			fmt.Println(frame.Line, frame.Label, frame.Subscription, v.Invalid(nil) == nil)
		}
	}
	// Output:
	// 1   true
	// 2 EVENT feed true
	// 3 EOSE
	// 5 nostr: column 2: invalid character 'o' in literal null (expecting 'u')
	// 6 nostr: line too long: more than 1048576 bytes
}

// A relay verifies the events of a stream.
func ExampleReader_Verified() {
	stream := published + "\n" + strings.Replace(published, "blue", "red", 1) + "\n" + `["CLOSE","feed"]` + "\n"
	for frame, err := range nostr.NewReader(strings.NewReader(stream), 0).Verified() {
		switch {
		case err != nil:
			fmt.Println(frame.Line, errors.Is(err, nostr.ErrID))
		case frame.Event == nil:
			fmt.Println(frame.Line, frame.Label)
		default:
			fmt.Println(frame.Line, "is good")
		}
	}
	// Output:
	// 1 is good
	// 2 true
	// 3 CLOSE
}

// A program whose lines have further fields reads these fields, too.
func Example_wire() {
	names := append(wire.Names[:len(wire.Names):len(wire.Names)], "seen_on")
	values := make([][]byte, len(names))
	var r wire.Reader
	if err := r.Object([]byte(published[:len(published)-1]+`,"seen_on":"wss:\/\/relay.example"}`), names, values); err != nil {
		log.Fatal(err)
	}
	var e wire.Event
	if err := r.Event(&e, (*wire.Fields)(values[:len(wire.Names)])); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x %v\n", e.Sum[:4], r.CheckID(&e))
	fmt.Printf("%s %v\n", r.Text(values[len(values)-1]), wire.Expect("seen_on", values[len(values)-1], wire.Array))
	// Output:
	// dc90c95f <nil>
	// wss://relay.example seen_on is a string, want an array
}

// A relay verifies the events of all connections with one Pool, in the goroutine of each connection.
func ExamplePool() {
	var pool nostr.Pool
	e, err := nostr.Parse([]byte(published))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pool.Verify(context.Background(), e))
	e.Sig[0]++
	fmt.Println(errors.Is(pool.Verify(context.Background(), e), nostr.ErrSignature))
	// Output:
	// <nil>
	// true
}

// A client stores which events it has seen from whom.
func ExampleParseID() {
	id, err := nostr.ParseID("dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962")
	if err != nil {
		log.Fatal(err)
	}
	author, err := nostr.ParsePubKey("3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d")
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(map[nostr.ID]nostr.PubKey{id: author})
	fmt.Println(string(text), err)
	_, err = nostr.ParseSig(id.String())
	fmt.Println(err)
	// Output:
	// {"dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962":"3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"} <nil>
	// nostr: signature: malformed field: wrong length: 64 hexadecimal digits, want 128
}
