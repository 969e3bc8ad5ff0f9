package musig2_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/musig2"
)

// round holds the values that signers send each other.
type round struct {
	Nonce     musig2.PublicNonce
	Aggregate musig2.AggregateNonce
	Signature musig2.PartialSignature
}

func TestJSON(t *testing.T) {
	key, err := p256k1.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	_, nonce, err := musig2.NewNonce(key, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := musig2.AggregateNonces([]musig2.PublicNonce{nonce, nonce})
	if err != nil {
		t.Fatal(err)
	}
	sig, err := musig2.ParsePartialSignature(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(round{nonce, sum, sig})
	if err != nil {
		t.Fatal(err)
	}
	var got round
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v of %s", err, text)
	}
	if !bytes.Equal(got.Nonce.Bytes(), nonce.Bytes()) || !bytes.Equal(got.Aggregate.Bytes(), sum.Bytes()) || !bytes.Equal(got.Signature.Bytes(), sig.Bytes()) {
		t.Errorf("other values out of %s", text)
	}
	if infinity, err := (musig2.AggregateNonce{}).MarshalText(); err != nil || string(infinity) != strings.Repeat("0", 132) {
		t.Errorf("infinity is %q, %v", infinity, err)
	}
	if _, err := json.Marshal(round{}); !errors.Is(err, p256k1.ErrInfinity) {
		t.Errorf("a nonce that was never set: %v", err)
	}
	for _, c := range []struct {
		text string
		want error
	}{
		{strings.Repeat("0", 132), p256k1.ErrPrefix},
		{strings.Repeat("0", 131), p256k1.ErrLength},
		{strings.Repeat("0", 134), p256k1.ErrLength},
		{strings.Repeat("g", 132), p256k1.ErrHex},
		{"", p256k1.ErrLength},
	} {
		before := got.Nonce
		if err := got.Nonce.UnmarshalText([]byte(c.text)); !errors.Is(err, c.want) || !bytes.Equal(got.Nonce.Bytes(), before.Bytes()) {
			t.Errorf("nonce %.5q of %d: %v, want %v", c.text, len(c.text), err, c.want)
		}
	}
	if err := got.Aggregate.UnmarshalText(make([]byte, 132)); !errors.Is(err, p256k1.ErrHex) {
		t.Errorf("aggregate nonce: %v", err)
	}
	for text, want := range map[string]error{strings.Repeat("f", 64): p256k1.ErrRange, strings.Repeat("f", 66): p256k1.ErrLength} {
		if err := got.Signature.UnmarshalText([]byte(text)); !errors.Is(err, want) || !bytes.Equal(got.Signature.Bytes(), sig.Bytes()) {
			t.Errorf("partial signature: %v, want %v", err, want)
		}
	}
}

// TestUnstored checks that encoders refuse key sets and sessions, and write errors as their messages.
func TestUnstored(t *testing.T) {
	key, err := p256k1.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := musig2.Aggregate([]*p256k1.PublicKey{key.PublicKey()})
	if err != nil {
		t.Fatal(err)
	}
	session, err := musig2.NewSession(keys, musig2.AggregateNonce{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{keys, *keys, session, *session, musig2.SessionParams{Keys: keys}, musig2.Combination{Session: session}, map[string]any{"": keys}} {
		if text, err := json.Marshal(v); !errors.Is(err, p256k1.ErrMarshal) {
			t.Errorf("%T: %s, %v", v, text, err)
		}
	}
	for _, text := range []string{`{}`, `"00"`, `""`} {
		if err := json.Unmarshal([]byte(text), keys); err == nil || !keys.PublicKey().Equal(keys.PublicKey()) {
			t.Errorf("%s is read as a key set", text)
		}
	}
}
