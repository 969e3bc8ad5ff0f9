package bip324_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"time"

	"p256k1.mleku.dev/v2/protocols/bip324"
)

// One node accepts a connection, another node opens it, and they exchange messages.
func Example() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		c, err := bip324.Server(context.Background(), conn, nil)
		if err != nil {
			log.Fatal(err)
		}
		defer c.Close()
		buf := make([]byte, 4096) // for longer messages, ReadMessage allocates memory
		for {
			name, payload, err := c.ReadMessage(buf)
			if errors.Is(err, bip324.ErrMessage) {
				continue // this node does not know the message
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				log.Fatal(err)
			}
			if name == "ping" {
				if err := c.WriteMessage("pong", payload); err != nil {
					log.Fatal(err)
				}
			}
		}
	}()

	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	c, err := bip324.Client(context.Background(), conn, &bip324.Config{Decoys: []int{100}})
	if errors.Is(err, bip324.ErrUnanswered) {
		log.Fatal("connect again, and speak v1")
	}
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second)) // otherwise the peer could block the write forever
	if err := c.WriteDecoy(500); err != nil {       // hides how long the next message is
		log.Fatal(err)
	}
	if err := c.WriteMessage("ping", []byte("12345678")); err != nil {
		log.Fatal(err)
	}
	name, payload, err := c.ReadMessage(nil)
	if err != nil {
		log.Fatal(err)
	}
	id := c.SessionID() // compare it with the peer's session id over another channel
	fmt.Printf("%s %s, %d bytes of session id\n", name, payload, len(id))
	// Output: pong 12345678, 32 bytes of session id
}

// This node also accepts v1 connections.
func ExampleV1Error() {
	a, b := net.Pipe()
	go io.WriteString(a, "\xf9\xbe\xb4\xd9version\x00\x00\x00\x00\x00 and so on")

	_, err := bip324.Server(context.Background(), b, nil)
	var v1 *bip324.V1Error
	if !errors.As(err, &v1) {
		log.Fatal(err)
	}
	r := io.MultiReader(bytes.NewReader(v1.Received), b) // the code for v1 reads from r
	magic := make([]byte, 4)
	if _, err := io.ReadFull(r, magic); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: %x\n", err, magic)
	// Output: bip324: the peer speaks the v1 protocol: f9beb4d9
}

// Without net.Conn, the program itself transports the bytes, for example in an event loop.
func ExampleHandshake() {
	initiator, err := bip324.NewInitiator(nil)
	if err != nil {
		log.Fatal(err)
	}
	responder, err := bip324.NewResponder(nil)
	if err != nil {
		log.Fatal(err)
	}
	var one, other *bip324.Session
	for one == nil || other == nil {
		if _, err := responder.Receive(initiator.Send()); err != nil {
			log.Fatal(err)
		}
		if _, err := initiator.Receive(responder.Send()); err != nil {
			log.Fatal(err)
		}
		if one == nil {
			one = initiator.Session()
		}
		if other == nil {
			other = responder.Session()
		}
	}
	defer one.Sealer.Zero()
	defer one.Opener.Zero()
	defer other.Sealer.Zero()
	defer other.Opener.Zero()

	contents, err := bip324.AppendMessage(nil, "verack", nil)
	if err != nil {
		log.Fatal(err)
	}
	packet, err := one.Sealer.Seal(nil, contents, false)
	if err != nil {
		log.Fatal(err)
	}

	// The other side waits for 3 bytes, and then for the number of bytes that Length returns.
	n, err := other.Opener.Length(packet[:3])
	if err != nil {
		log.Fatal(err)
	}
	opened, decoy, err := other.Opener.Open(packet[3 : 3+n])
	if err != nil {
		log.Fatal(err)
	}
	name, _, err := bip324.ParseMessage(opened)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(name, decoy, one.ID == other.ID)
	// Output: verack false true
}

func ExampleMessageName() {
	fmt.Println(bip324.MessageName(18), bip324.MessageID("pong"), bip324.MessageID("version"))
	// Output: ping 19 0
}
