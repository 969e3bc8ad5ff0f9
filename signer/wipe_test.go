package signer

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2"
)

// TestWipe checks that a signer wipes its secret key when another key replaces it and when Zero is called.
func TestWipe(t *testing.T) {
	sec := bytes.Repeat([]byte{7}, 32)
	watch := func(name string, priv *p256k1.PrivateKey, replace func()) {
		if priv.Bytes() == nil {
			t.Fatal("no key to begin with")
		}
		replace()
		if priv.Bytes() != nil {
			t.Errorf("%s leaves the key", name)
		}
	}
	s := NewP256K1Signer()
	for name, replace := range map[string]func() error{
		"Zero":     func() error { s.Zero(); return nil },
		"InitSec":  func() error { return s.InitSec(bytes.Repeat([]byte{8}, 32)) },
		"InitKey":  func() error { return s.InitKey(s.priv) }, // the signer's own key, which it copies before it wipes it
		"InitPub":  func() error { return s.InitPub(s.Pub()) },
		"Generate": s.Generate,
	} {
		if err := s.InitSec(sec); err != nil {
			t.Fatal(err)
		}
		watch(name, s.priv, func() {
			if err := replace(); err != nil {
				t.Fatal(err)
			}
		})
	}
	g := NewP256K1Gen()
	for name, replace := range map[string]func(){"Gen.Generate": func() { g.Generate() }, "Gen.Negate": g.Negate} {
		if _, err := g.Generate(); err != nil {
			t.Fatal(err)
		}
		watch(name, g.priv, replace)
	}
}
