package bip324

import (
	"bytes"
	"crypto/cipher"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// This file tests the packets of BIP-324's vectors. It belongs to the package itself, because the tests set unexported
// secrets. The encodings of keys are tested in tools/evidence/conformance.

// clone returns a direction in the same state, with keys of its own, so that wiping one does not affect the other.
func (d *direction) clone() *direction {
	c := &direction{flow: d.flow}
	if d.packets.aead != nil {
		v := reflect.New(reflect.TypeOf(d.packets.aead).Elem())
		v.Elem().Set(reflect.ValueOf(d.packets.aead).Elem())
		c.packets.aead = v.Interface().(cipher.AEAD)
	}
	return c
}

// openPacket decrypts a packet. If its length field is wrong, the contents are truncated, or padded with zeros.
func openPacket(d *direction, packet []byte) (contents []byte, decoy bool, err error) {
	o := &Opener{direction: d}
	n, err := o.Length(packet[:3])
	if err != nil {
		return nil, false, err
	}
	body := make([]byte, n)
	copy(body, packet[3:])
	return o.Open(body)
}

func TestVectors(t *testing.T) {
	rows, err := csv.NewReader(vectors.Open(t, "bip324/packet_encoding_test_vectors.csv")).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1+7 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows[1:] {
		v := make(map[string]string)
		for i, name := range rows[0] {
			v[name] = row[i]
		}
		t.Run(v["in_idx"], func(t *testing.T) { testVector(t, v) })
	}
}

func testVector(t *testing.T, v map[string]string) {
	get := func(name string) []byte { return libtest.Unhex(v[name]) }
	initiator := v["in_initiating"] == "1"
	ours, theirs := [64]byte(get("in_ellswift_ours")), [64]byte(get("in_ellswift_theirs"))
	newKey := func() *ellswift.PrivateKey {
		priv, err := p256k1.ParsePrivateKey(get("in_priv_ours"))
		if err != nil {
			t.Fatal(err)
		}
		key, err := ellswift.NewPrivateKey(priv, &ours)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	secret, err := newKey().ECDH(&theirs, initiator)
	if err != nil || !bytes.Equal(secret[:], get("mid_shared_secret")) {
		t.Fatalf("secret %x, %v", secret, err)
	}
	var k keys
	k.derive(&secret, [4]byte{0xf9, 0xbe, 0xb4, 0xd9})
	us, them := 0, 1
	if !initiator {
		us, them = 1, 0
	}
	for name, got := range map[string][]byte{
		"mid_initiator_l": k.lengths[0][:], "mid_initiator_p": k.packets[0][:],
		"mid_responder_l": k.lengths[1][:], "mid_responder_p": k.packets[1][:],
		"mid_send_garbage_terminator": k.terminators[us][:], "mid_recv_garbage_terminator": k.terminators[them][:],
		"out_session_id": k.id[:],
	} {
		if !bytes.Equal(got, get(name)) {
			t.Errorf("%s: %x, want %s", name, got, v[name])
		}
	}

	// A handshake with this key must give the same values.
	config, err := (&Config{Garbage: []byte{}}).setUp()
	if err != nil {
		t.Fatal(err)
	}
	state := &handshake{side: side{Config: config, initiator: initiator, key: newKey(), ours: ours}}
	state.send()
	h := &Handshake{state: state}
	if n, err := h.Receive(theirs[:]); n != 64 || err != nil {
		t.Fatal(n, err)
	}
	sent := h.Send()
	if !bytes.Equal(sent[:64], ours[:]) || !bytes.Equal(sent[64:80], get("mid_send_garbage_terminator")) || len(sent) != 80+Overhead {
		t.Errorf("sent %x", sent)
	}
	if state.terminator != [16]byte(get("mid_recv_garbage_terminator")) || state.session.ID != [32]byte(get("out_session_id")) {
		t.Errorf("terminator %x, session %x", state.terminator, state.session.ID)
	}

	// The packets before the packet in the vector are empty.
	seal, open := new(direction), &direction{flow: flow{limit: MaxContents}}
	lengths, packets := k.lengths[us], k.packets[us]
	if err := errors.Join(seal.start(&lengths, &packets), open.start(&k.lengths[us], &k.packets[us])); err != nil {
		t.Fatal(err)
	}
	index, err := strconv.Atoi(v["in_idx"])
	if err != nil {
		t.Fatal(err)
	}
	for range index {
		packet, err := (&Sealer{direction: seal}).Seal(nil, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		if contents, decoy, err := openPacket(open, packet); len(contents) != 0 || decoy || err != nil {
			t.Fatalf("%x, %v, %v", contents, decoy, err)
		}
	}
	times, err := strconv.Atoi(v["in_multiply"])
	if err != nil {
		t.Fatal(err)
	}
	contents, decoy := bytes.Repeat(get("in_contents"), times), v["in_ignore"] == "1"
	seal.garbage, open.garbage = get("in_aad"), get("in_aad")
	unflipped := open.clone()
	packet, err := (&Sealer{direction: seal.clone()}).Seal(nil, contents, decoy)
	if err != nil {
		t.Fatal(err)
	}
	if whole := v["out_ciphertext"]; whole != "" && hex.EncodeToString(packet) != whole {
		t.Errorf("packet %x, want %s", packet, whole)
	}
	if end := v["out_ciphertext_endswith"]; end != "" && !strings.HasSuffix(hex.EncodeToString(packet[max(0, len(packet)-len(end)):]), end) {
		t.Errorf("packet ends with %x, want %s", packet[len(packet)-len(end)/2:], end)
	}
	if got, d, err := openPacket(open.clone(), packet); !bytes.Equal(got, contents) || d != decoy || err != nil {
		t.Errorf("decrypted to %d bytes, %v, %v", len(got), d, err)
	}

	// Flipping any bit of the packet or of the garbage must lead to an error. In long packets, and with -short, only
	// some bits of the packet are flipped, among them bits of the length.
	bits := len(packet) * 8
	step, ends := 1, 0
	switch {
	case bits > 1<<16 && testing.Short():
		step, ends = bits-1, 2
	case bits > 1<<16:
		step, ends = bits/16, 32
	case testing.Short():
		step = 7
	}
	flipped := 0
	for i := 0; i < bits; i++ {
		if i >= ends && i < bits-ends && i%step != 0 {
			continue
		}
		flipped++
		packet[i/8] ^= 1 << (i % 8)
		if got, _, err := openPacket(unflipped.clone(), packet); got != nil || !errors.Is(err, ErrAuth) {
			t.Fatalf("bit %d flipped: %d bytes, %v", i, len(got), err)
		}
		packet[i/8] ^= 1 << (i % 8)
	}
	if flipped < bits/7 && flipped < 2*ends {
		t.Errorf("only %d bits flipped", flipped)
	}
	for i := range len(unflipped.garbage) * 8 {
		d := unflipped.clone()
		d.garbage = bytes.Clone(d.garbage)
		d.garbage[i/8] ^= 1 << (i % 8)
		if got, _, err := openPacket(d, packet); got != nil || !errors.Is(err, ErrAuth) {
			t.Fatalf("bit %d of the garbage flipped: %d bytes, %v", i, len(got), err)
		}
	}
	d := unflipped.clone()
	d.garbage = append(bytes.Clone(d.garbage), 0)
	if got, _, err := openPacket(d, packet); got != nil || !errors.Is(err, ErrAuth) {
		t.Errorf("with longer garbage: %d bytes, %v", len(got), err)
	}
}
