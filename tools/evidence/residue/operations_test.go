//go:build linux

package residue

import (
	"bytes"
	"context"
	"crypto"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
	wipe "p256k1.mleku.dev/v2/internal/secret"
	"p256k1.mleku.dev/v2/nostr/nip44"
	"p256k1.mleku.dev/v2/protocols/bip324"
	"p256k1.mleku.dev/v2/protocols/cashu"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
	"p256k1.mleku.dev/v2/tools/evidence/internal/registers"
)

// An input is what the child gets for one operation, an output what it returns.
type (
	input  []byte
	output []byte
)

const (
	inputSize  = 2 + 4*32 + 33
	outputSize = 72
)

func (in input) operation() *byte  { return &in[0] }
func (in input) plant() *byte      { return &in[1] }
func (in input) key() []byte       { return in[2:34] }
func (in input) tweak() []byte     { return in[34:66] }
func (in input) digest() []byte    { return in[66:98] }
func (in input) random() *[32]byte { return (*[32]byte)(in[98:130]) }
func (in input) peer() []byte      { return in[130:163] }

// An operation is done by the child, which leaves nothing of its own behind. From the output the parent finds what was secret,
// and whether it is right.
type operation struct {
	name    string
	do      func(in input, out output)
	secrets func(in input, out output) (all []secret, right bool)
}

var operations = slices.Concat(formats, []operation{
	{"NewPrivateKey", func(in input, out output) {
		k := newKey(in)
		copy(out, k.PublicKey().Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return ofKey(d), isPublic(d, out)
	}},
	{"GenerateKey", func(in input, out output) {
		k := must(p256k1.GenerateKey())
		takeKey(out, k)
		k.Zero()
	}, generated},
	{"NewPrivateKeyFromScalar", func(in input, out output) {
		k := newKey(in)
		d := must(k.Scalar())
		l := must(p256k1.NewPrivateKeyFromScalar(d))
		copy(out, l.PublicKey().Bytes())
		d.Zero()
		k.Zero()
		l.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return ofKey(d), isPublic(d, out)
	}},
	{"NewPrivateKeys", func(in input, out output) {
		keys := newKeys(in)
		copy(out, keys[8].PublicKey().Bytes())
		for _, k := range keys {
			k.Zero()
		}
	}, func(in input, out output) ([]secret, bool) {
		d, t := oracle.Int(in.key()), oracle.Int(in.tweak())
		return slices.Concat(ofKey(d), ofKey(t)), isPublic(d, out)
	}},
	{"GenerateKeys", func(in input, out output) {
		keys := must(p256k1.GenerateKeys(9))
		takeKey(out, keys[8])
		for _, k := range keys {
			k.Zero()
		}
	}, generated},
	{"PrivateKey.Bytes, Equal and Negate", func(in input, out output) {
		k := newKey(in)
		l := k.Negate()
		if k.Equal(l) || !k.Equal(k) {
			panic("Equal is wrong")
		}
		takeKey(out, l)
		k.Zero()
		l.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return ofKey(d), oracle.Int(out[:32]).Cmp(oracle.Fn.Neg(d)) == 0
	}},
	{"PrivateKey.TweakAdd", func(in input, out output) {
		tweak(out, in, (*p256k1.PrivateKey).TweakAdd)
	}, func(in input, out output) ([]secret, bool) {
		d, t := oracle.Int(in.key()), oracle.Int(in.tweak())
		return tweaked(in, out, oracle.Fn.Add(d, t))
	}},
	{"PrivateKey.TweakAddXOnly", func(in input, out output) {
		tweak(out, in, (*p256k1.PrivateKey).TweakAddXOnly)
	}, func(in input, out output) ([]secret, bool) {
		d, t := oracle.Int(in.key()), oracle.Int(in.tweak())
		return tweaked(in, out, oracle.Fn.Add(even(d, oracle.G.Mul(d)), t))
	}},
	{"PrivateKey.TweakMul", func(in input, out output) {
		tweak(out, in, (*p256k1.PrivateKey).TweakMul)
	}, func(in input, out output) ([]secret, bool) {
		d, t := oracle.Int(in.key()), oracle.Int(in.tweak())
		return tweaked(in, out, oracle.Fn.Mul(d, t))
	}},

	{"ecdsa.Sign", func(in input, out output) {
		k := newKey(in)
		sig := must(ecdsa.Sign(k, in.digest()))
		copy(out, sig.Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) { return ofECDSA(in, nil, out[:64]) }},
	{"ecdsa.SignWithEntropy", func(in input, out output) {
		k := newKey(in)
		sig := must(ecdsa.SignWithEntropy(k, in.digest(), in.random()))
		copy(out, sig.Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) { return ofECDSA(in, in.random()[:], out[:64]) }},
	{"ecdsa.SignRecoverable", func(in input, out output) {
		k := newKey(in)
		sig := must(ecdsa.SignRecoverable(k, in.digest()))
		copy(out, sig.Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) { return ofECDSA(in, nil, out[:64]) }},
	{"ecdsa.SignChecked", func(in input, out output) {
		k := newKey(in)
		sig := must(ecdsa.SignChecked(k, in.digest(), in.random()))
		copy(out, sig.Signature().Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) { return ofECDSA(in, in.random()[:], out[:64]) }},
	{"ecdsa.Signer.Sign", func(in input, out output) {
		k := newKey(in)
		sig := must(ecdsa.NewSigner(k).Sign(bytes.NewReader(in.random()[:]), in.digest(), crypto.SHA256))
		copy(out, must(ecdsa.ParseDER(sig)).Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) { return ofECDSA(in, in.random()[:], out[:64]) }},

	{"ecdsa.SignBatch", func(in input, out output) {
		keys, sigs := newKeys(in), make([]ecdsa.Signature, 9)
		check(ecdsa.SignBatch(sigs, keys, slices.Repeat([][]byte{in.digest()}, 9)))
		copy(out, sigs[8].Bytes())
		for _, k := range keys {
			k.Zero()
		}
	}, func(in input, out output) ([]secret, bool) {
		other := slices.Clone(in) // with the tweak for a key
		copy(other.key(), in.tweak())
		sig, _ := oracle.SignRFC6979(oracle.Int(in.tweak()), in.digest(), nil)
		compact := sig.Compact()
		all, right := ofECDSA(in, nil, out[:64])
		others, right2 := ofECDSA(other, nil, compact[:])
		return slices.Concat(all, others, ofProducts(in)), right && right2
	}},
	{"schnorr.Sign", func(in input, out output) {
		k := newKey(in)
		sig, err := schnorr.Sign(k, in.digest(), in.random())
		check(err)
		copy(out, sig[:])
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		want, _ := oracle.SignSchnorr(oracle.Int(in.key()), in.digest(), *in.random())
		all, right := ofSchnorr(oracle.Int(in.key()), in, out)
		return append(all, maskedKey(in)), right && bytes.Equal(want[:], out[:64])
	}},
	{"schnorr.Sign, fresh randomness", func(in input, out output) {
		k := newKey(in)
		sig, err := schnorr.Sign(k, in.digest(), nil)
		check(err)
		copy(out, sig[:])
		k.Zero()
	}, func(in input, out output) ([]secret, bool) { return ofSchnorr(oracle.Int(in.key()), in, out) }},
	{"musig2.SignDeterministic", func(in input, out output) {
		k, peer := newKey(in), must(p256k1.NewPublicKey(in.peer()))
		others := must(musig2.NewAggregateNonce(append(peer.Bytes(), peer.Bytes()...)))
		keys := must(musig2.Aggregate([]*p256k1.PublicKey{peer, k.PublicKey()}))
		nonce, _, err := musig2.SignDeterministic(k, others, keys, in.digest(), in.random())
		check(err)
		copy(out, nonce.Bytes())
		k.Zero()
	}, ofMuSig},
	{"musig2.SignDeterministic, its nonces", func(in input, out output) {
		// Alone: what comes after it writes over the stack.
		k, peer := newKey(in), must(p256k1.NewPublicKey(in.peer()))
		others := must(musig2.NewAggregateNonce(append(peer.Bytes(), peer.Bytes()...)))
		keys := must(musig2.Aggregate([]*p256k1.PublicKey{peer, k.PublicKey()}))
		nonces := must(musigDeterministic(k, &others, keys.PublicKey().XOnly().Bytes(), in.digest(), in.random()))
		copy(out, musigPublic(nonces))
		musigZero(nonces)
		k.Zero()
	}, ofMuSig},
	{"musig2.NewNonce, Session.Sign", func(in input, out output) {
		k, peer := newKey(in), must(p256k1.NewPublicKey(in.peer()))
		keys := must(musig2.Aggregate([]*p256k1.PublicKey{peer, k.PublicKey()}))
		secret, nonce, err := musig2.NewNonce(k, keys, in.digest())
		check(err)
		session := must(musig2.NewSession(keys, must(musig2.AggregateNonces([]musig2.PublicNonce{nonce})), in.digest()))
		sig, err := session.Sign(secret, k)
		check(err)
		copy(out, sig.Bytes())
		copy(out[32:], k.PublicKey().Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return ofKey(d), isPublic(d, out[32:])
	}},
	{"dleq.Prove", func(in input, out output) {
		k := newKey(in)
		_, _, err := dleq.Prove(k, must(p256k1.NewPublicKey(in.peer())), &dleq.Options{AuxRand: in.random()})
		check(err)
		copy(out, k.PublicKey().Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return ofKey(d), isPublic(d, out)
	}},
	{"silentpayments.CreateOutputs", func(in input, out output) {
		k, peer := newKey(in), must(p256k1.NewPublicKey(in.peer()))
		pub := k.PublicKey().Bytes()
		inputs := []silentpayments.Input{{ScriptPubKey: append([]byte{0x51, 0x20}, pub[1:]...)}}
		to := []silentpayments.Recipient{{Scan: peer, Spend: peer}}
		_, err := silentpayments.CreateOutputs(inputs, []*p256k1.PrivateKey{k}, to)
		check(err)
		copy(out, pub)
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return slices.Concat(ofKey(d), ofPayment(in)), isPublic(d, out)
	}},
	{"silentpayments.Scanner.Scan", func(in input, out output) {
		k, peer := newKey(in), must(p256k1.NewPublicKey(in.peer()))
		s := must(silentpayments.NewScanner(k, peer, 1))
		_, err := s.Scan(peer, make([][32]byte, 3))
		check(err)
		copy(out, k.PublicKey().Bytes())
		s.Zero()
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return ofKey(d), isPublic(d, out)
	}},
	{"bip324.Handshake, Sealer and Opener", func(in input, out output) {
		i := must(bip324.NewInitiator(&bip324.Config{Garbage: []byte{}}))
		r := must(bip324.NewResponder(&bip324.Config{Garbage: []byte{}}))
		must(r.Receive(i.Send()))
		must(i.Receive(r.Send()))
		must(r.Receive(i.Send()))
		a, b := i.Session(), r.Session()
		takeCiphers(out, reflect.ValueOf(a.Sealer))
		for n := range 230 { // keys change
			packet := must(a.Sealer.Seal(nil, nil, false))
			must(b.Opener.Length(packet[:3]))
			_, _, err := b.Opener.Open(packet[3:])
			check(err)
			if n == 0 {
				copy(out[64:], packet[:3])
			}
		}
		if out[0]&1 == 1 { // otherwise the second keys are in use
			a.Sealer.Zero()
			b.Opener.Zero()
		}
	}, ofTransport},
	{"bip324.Conn", func(in input, out output) {
		a, b := net.Pipe()
		tapped, accepted := &tap{Conn: a}, make(chan *bip324.Conn)
		go func() { accepted <- must(bip324.Server(context.Background(), b, nil)) }()
		i := must(bip324.Client(context.Background(), tapped, nil))
		r := <-accepted
		takeCiphers(out, reflect.ValueOf(i).Elem().FieldByName("link").Elem().FieldByName("sealer"))
		go i.WritePacket(nil)
		must(r.ReadPacket(nil))
		i.Close()
		r.Close()
		copy(out[64:], tapped.last[:3])
	}, ofTransport},
	{"bip324.Handshake that fails", func(in input, out output) {
		k := newKey(in)
		ours := must(ellswift.Encode(k.PublicKey(), new([32]byte)))
		h := must(bip324.NewInitiator(&bip324.Config{Garbage: []byte{}}))
		state := reflect.ValueOf(h).Elem().FieldByName("state").Elem()
		*(**ellswift.PrivateKey)(state.FieldByName("key").Addr().UnsafePointer()) = must(ellswift.NewPrivateKey(k, &ours))
		*(*[64]byte)(state.FieldByName("ours").Addr().UnsafePointer()) = ours
		k.Zero() // of which h has a copy
		h.Send()
		must(h.Receive(encoded(in)[:]))
		copy(out, h.Send()[:16])
		if in.random()[1]%2 == 0 {
			h.Zero()
		} else if _, err := h.Receive(make([]byte, bip324.MaxGarbage+16)); !errors.Is(err, bip324.ErrGarbage) {
			panic(err)
		}
	}, ofAgreement},
	{"silentpayments.Scanner.ScanTweaks", func(in input, out output) {
		k, peer := newKey(in), must(p256k1.NewPublicKey(in.peer()))
		s := must(silentpayments.NewScanner(k, peer))
		tweaks := slices.Repeat([][33]byte{[33]byte(in.peer())}, 9)
		_, err := s.ScanTweaks(tweaks, make([][]uint64, 9))
		check(err)
		copy(out, k.PublicKey().Bytes())
		s.Zero()
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		peer, _ := oracle.DecodePoint(in.peer())
		shared := peer.Mul(d)
		hash := oracle.TaggedHash("BIP0352/SharedSecret", shared.Compressed(), make([]byte, 4))
		return slices.Concat(ofKey(d), coordinates("shared point", shared), scalar("tweak of the output", oracle.Int(hash[:]))), isPublic(d, out)
	}},
	{"cashu.Blind, cashu.UnblindWithoutProof", func(in input, out output) {
		r, peer := newKey(in), must(p256k1.NewPublicKey(in.peer()))
		must(cashu.Blind(in.digest(), r))
		must(cashu.UnblindWithoutProof(peer, cashu.BlindSignature{C: peer}, r))
		copy(out, r.PublicKey().Bytes())
		r.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return ofKey(d), isPublic(d, out)
	}},
	{"cashu.Sign", func(in input, out output) {
		k := newKey(in)
		sig := must(cashu.Sign(k, must(p256k1.NewPublicKey(in.peer()))))
		copy(out, sig.DLEQ.E[:])
		copy(out[32:], sig.DLEQ.S[:])
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		peer, _ := oracle.DecodePoint(in.peer())
		ed := oracle.Fn.Mul(oracle.Fn.Reduce(oracle.Int(out[:32])), d)
		nonce := oracle.Fn.Sub(oracle.Int(out[32:64]), ed)
		key := oracle.Bytes(d)
		mac := append([]byte("Cashu_DLEQ_R_v1"), slices.Concat(oracle.G.Mul(d).Uncompressed(), peer.Uncompressed(), peer.Mul(d).Uncompressed(), []byte{0})...)
		pad := append(key[:], make([]byte, 32)...)
		nonceBytes := oracle.Bytes(nonce)
		all := slices.Concat(ofKey(d), scalar("nonce", nonce), recoded("nonce", nonce), scalar("e·k", ed))
		all = append(all, opaque("inner pad", xor(pad, 0x36)), opaque("outer pad", xor(pad, 0x5c)))
		return all, bytes.Equal(hmacSHA256(key[:], mac), nonceBytes[:])
	}},
	{"cashu.Verify", func(in input, out output) {
		k := newKey(in)
		cashu.Verify(k, in.digest(), must(p256k1.NewPublicKey(in.peer())))
		copy(out, k.PublicKey().Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		d := oracle.Int(in.key())
		return ofKey(d), isPublic(d, out)
	}},
	{"schnorr.SignBatch", func(in input, out output) {
		keys, sigs := newKeys(in), make([][64]byte, 9)
		check(schnorr.SignBatch(sigs, keys, slices.Repeat([][]byte{in.digest()}, 9)))
		copy(out, sigs[8][:])
		for _, k := range keys {
			k.Zero()
		}
	}, func(in input, out output) ([]secret, bool) {
		all, right := ofSchnorr(oracle.Int(in.key()), in, out)
		return append(all, ofKey(oracle.Int(in.tweak()))...), right
	}},
	{"schnorr.SignChecked", func(in input, out output) {
		k := newKey(in)
		sig, err := schnorr.SignChecked(k, in.digest(), in.random())
		check(err)
		copy(out, sig[:])
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		all, right := ofSchnorr(oracle.Int(in.key()), in, out)
		return append(all, maskedKey(in)), right
	}},
	{"schnorr.Signer.SignMessage", func(in input, out output) {
		k := newKey(in)
		copy(out, must(schnorr.NewSigner(k).SignMessage(bytes.NewReader(in.random()[:]), in.digest(), nil)))
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		all, right := ofSchnorr(oracle.Int(in.key()), in, out)
		return append(all, maskedKey(in)), right
	}},

	{"ecdh.X", func(in input, out output) {
		agree(out, in, ecdh.X, must(p256k1.NewPublicKey(in.peer())))
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, false)
		return all, shared.X.Cmp(oracle.Int(out[:32])) == 0
	}},
	{"ecdh.XFromXOnly", func(in input, out output) {
		agree(out, in, ecdh.XFromXOnly, must(p256k1.NewXOnlyPublicKey(in.peer()[1:])))
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, false)
		return all, shared.X.Cmp(oracle.Int(out[:32])) == 0
	}},
	{"ecdh.SHA256", func(in input, out output) {
		agree(out, in, ecdh.SHA256, must(p256k1.NewPublicKey(in.peer())))
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, false)
		want := sha256.Sum256(shared.Compressed())
		return append(all, opaque("hash of the shared point", out[:32])), bytes.Equal(want[:], out[:32])
	}},
	{"ecdh.NIP44ConversationKey", func(in input, out output) {
		agree(out, in, ecdh.NIP44ConversationKey, must(p256k1.NewXOnlyPublicKey(in.peer()[1:])))
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, false)
		x := oracle.Bytes(shared.X)
		want := hmacSHA256([]byte("nip44-v2"), x[:])
		return append(all, opaque("conversation key", out[:32])), bytes.Equal(want, out[:32])
	}},

	{"nip44.Conversation", func(in input, out output) {
		k := newKey(in)
		c := must(nip44.New(k, must(p256k1.NewXOnlyPublicKey(in.peer()[1:]))))
		payload := must(c.Encrypt(nil, in.tweak()))
		message := must(c.Decrypt(nil, payload))
		if !bytes.Equal(message, in.tweak()) {
			panic("another message")
		}
		clear(message)
		copy(out, k.PublicKey().Bytes())
		copy(out[33:], must(base64.StdEncoding.DecodeString(string(payload[:44])))[1:33]) // the nonce
		c.Zero()
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, false)
		x := oracle.Bytes(shared.X)
		key, nonce := hmacSHA256([]byte("nip44-v2"), x[:]), out[33:65]
		t1 := hmacSHA256(key, nonce, []byte{1})
		t2 := hmacSHA256(key, t1, nonce, []byte{2})
		t3 := hmacSHA256(key, t2, nonce, []byte{3})
		code := slices.Concat(t2, t3)[12:44]
		return append(all, opaque("message", in.tweak()), opaque("conversation key", key),
			opaque("key of ChaCha20", t1), opaque("key of the HMAC", code)), isPublic(oracle.Int(in.key()), out)
	}},

	{"ellswift.PrivateKey.X", func(in input, out output) {
		k, theirs := once(newKey(in)), encoded(in)
		x, err := swiftX(k, theirs)
		check(err)
		take(out, x[:])
		x, err = noSwiftX(k, theirs)
		check(err)
		take(out[32:], x[:])
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, false)
		return all, shared.X.Cmp(oracle.Int(out[:32])) == 0
	}},
	{"ellswift.PrivateKey.ECDH", func(in input, out output) {
		k, theirs := once(newKey(in)), encoded(in)
		x, err := swiftECDH(k, theirs, true)
		check(err)
		take(out, x[:])
		x, err = noSwiftECDH(k, theirs, true)
		check(err)
		take(out[32:], x[:])
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, false)
		k := must(p256k1.NewPrivateKey(in.key()))
		ours, x := must(ellswift.Encode(k.PublicKey(), new([32]byte))), oracle.Bytes(shared.X)
		want := oracle.TaggedHash("bip324_ellswift_xonly_ecdh", ours[:], encoded(in)[:], x[:])
		return append(all, opaque("hash of the shared point", out[:32])), bytes.Equal(want[:], out[:32])
	}},

	{"signer.P256K1Signer.Sign", func(in input, out output) {
		s := signer.NewP256K1Signer()
		check(s.InitSec(in.key()))
		copy(out, must(s.Sign(in.digest())))
		s.Zero()
	}, func(in input, out output) ([]secret, bool) { return ofSchnorr(oracle.Int(in.key()), in, out) }},
	{"signer.P256K1Signer.ECDH", func(in input, out output) {
		s := signer.NewP256K1Signer()
		check(s.InitSec(in.key()))
		take(out, must(s.ECDH(in.peer()[1:])))
		s.Zero()
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, true)
		want := sha256.Sum256(shared.Compressed())
		return append(all, opaque("hash of the shared point", out[:32])), bytes.Equal(want[:], out[:32])
	}},
	{"signer.P256K1Signer.ECDH, on a new stack", func(in input, out output) {
		s := signer.NewP256K1Signer()
		check(s.InitSec(in.key()))
		// Nothing has made room on this stack yet: it may not grow while a key is on it. Without registers for arguments, as on
		// 386, the key is there as long as the function that Use calls runs.
		shared := make(chan []byte)
		go func() {
			narrower(int(in.random()[1]%96), func() { shared <- must(s.ECDH(in.peer()[1:])) })
			select {} // so that the stack is not used again
		}()
		take(out, <-shared)
		s.Zero()
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, true)
		want := sha256.Sum256(shared.Compressed())
		return append(all, opaque("hash of the shared point", out[:32])), bytes.Equal(want[:], out[:32])
	}},
	{"signer.P256K1Signer.ECDHRaw", func(in input, out output) {
		s := signer.NewP256K1Signer()
		check(s.InitSec(in.key()))
		take(out, must(s.ECDHRaw(in.peer()[1:])))
		s.Zero()
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, true)
		return all, shared.X.Cmp(oracle.Int(out[:32])) == 0
	}},
	{"signer.P256K1Signer.Generate", func(in input, out output) {
		s := signer.NewP256K1Signer()
		check(s.Generate())
		take(out, s.Sec())
		copy(out[32:], append([]byte{2}, s.Pub()...))
		s.Zero()
	}, generated},
	{"signer.P256K1Gen", func(in input, out output) {
		g := signer.NewP256K1Gen()
		must(g.Generate())
		g.Negate()
		g.Negate()
		secret, x := g.KeyPairBytes()
		take(out, secret)
		copy(out[32:], append([]byte{2}, x...))
		g.Negate()
		g.Generate() // wipes the one before
	}, generated},

	// What the caller does not let escape, and holds while its stack moves.
	{"NewPrivateKey, held", func(in input, out output) {
		hold(out, must(p256k1.NewPrivateKey(in.key())))
	}, generated},
	{"GenerateKey, held", func(in input, out output) {
		hold(out, must(p256k1.GenerateKey()))
	}, generated},
	{"NewPrivateKeyFromScalar, held with the scalar", func(in input, out output) {
		k := must(p256k1.NewPrivateKey(in.key()))
		d := must(k.Scalar())
		k.Zero()
		move()
		l := must(p256k1.NewPrivateKeyFromScalar(d))
		d.Zero()
		hold(out, l)
	}, generated},
	{"PrivateKey.Negate, held", func(in input, out output) {
		k := must(p256k1.NewPrivateKey(in.key()))
		l := k.Negate()
		move()
		k.Zero()
		hold(out, l)
	}, generated},
	{"PrivateKey.TweakAdd, held", func(in input, out output) {
		k := must(p256k1.NewPrivateKey(in.key()))
		l := must(k.TweakAdd(in.tweak()))
		k.Zero()
		hold(out, l)
	}, func(in input, out output) ([]secret, bool) {
		d, t := oracle.Int(in.key()), oracle.Int(in.tweak())
		return tweaked(in, out, oracle.Fn.Add(d, t))
	}},
	{"PrivateKey.TweakAddXOnly, held", func(in input, out output) {
		k := must(p256k1.NewPrivateKey(in.key()))
		l := must(k.TweakAddXOnly(in.tweak()))
		k.Zero()
		hold(out, l)
	}, func(in input, out output) ([]secret, bool) {
		d, t := oracle.Int(in.key()), oracle.Int(in.tweak())
		return tweaked(in, out, oracle.Fn.Add(even(d, oracle.G.Mul(d)), t))
	}},
	{"PrivateKey.TweakMul, held", func(in input, out output) {
		k := must(p256k1.NewPrivateKey(in.key()))
		l := must(k.TweakMul(in.tweak()))
		k.Zero()
		hold(out, l)
	}, func(in input, out output) ([]secret, bool) {
		d, t := oracle.Int(in.key()), oracle.Int(in.tweak())
		return tweaked(in, out, oracle.Fn.Mul(d, t))
	}},
	{"ecdsa.Signer, held", func(in input, out output) {
		k := must(p256k1.NewPrivateKey(in.key()))
		s := ecdsa.NewSigner(k)
		move()
		sig := must(s.Sign(nil, in.digest(), crypto.SHA256))
		move()
		copy(out, must(ecdsa.ParseDER(sig)).Bytes())
		k.Zero()
	}, func(in input, out output) ([]secret, bool) { return ofECDSA(in, nil, out[:64]) }},
	{"schnorr.Signer, held", func(in input, out output) {
		k := must(p256k1.NewPrivateKey(in.key()))
		s := schnorr.NewSigner(k)
		move()
		copy(out, must(s.Sign(nil, in.digest(), crypto.SHA256)))
		move()
		k.Zero()
	}, func(in input, out output) ([]secret, bool) { return ofSchnorr(oracle.Int(in.key()), in, out) }},
	{"signer.P256K1Signer, held", func(in input, out output) {
		var s signer.P256K1Signer
		check(s.InitSec(in.key()))
		move()
		copy(out[32:], must(s.ECDHRaw(in.peer()[1:])))
		b := s.Sec()
		move()
		take(out, b)
		s.Zero()
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, true)
		// What came of the agreement is the caller's.
		all = slices.DeleteFunc(all, func(s secret) bool { return s.what == "x of the shared point" })
		return all, bytes.Equal(out[:32], in.key()) && shared.X.Cmp(oracle.Int(out[32:64])) == 0
	}},
	{"signer.P256K1Gen, held", func(in input, out output) {
		var g signer.P256K1Gen
		must(g.Generate())
		move()
		b, x := g.KeyPairBytes()
		move()
		take(out, b)
		copy(out[32:], append([]byte{2}, x...))
		g.Negate()
		move()
		g.Generate() // wipes the one before
	}, generated},
})

// What eight lanes leave in registers, if they compute with secrets.
func init() {
	if !registers.Has || !wipesRegisters {
		return
	}
	operations = append(operations, operation{"registers of AVX-512, wiped", func(in input, out output) {
		if usesRuntime && strings.Contains(os.Getenv("GODEBUG"), "cpu.avx=off") {
			return // runtime/secret takes it for true, and the lanes do not run
		}
		wipe.Do(func() { registers.Fill((*[32]byte)(in.key())) })
	}, func(in input, out output) ([]secret, bool) { return scalar("key", oracle.Int(in.key())), true }})
}

// What SECURITY.md says to do with arrays and scalars on the stack.
func init() {
	if !usesRuntime {
		return
	}
	operations = append(operations, operation{"ecdh.X, inside Use", func(in input, out output) {
		k, peer := newKey(in), must(p256k1.NewPublicKey(in.peer()))
		check(k.Use(func(d curve.Scalar) error { // by runtime/secret
			l := must(p256k1.NewPrivateKeyFromScalar(d.Negate(&d)))
			x := must(ecdh.X(l, peer))
			move()
			l.Zero()
			take(out, x[:])
			return nil
		}))
		k.Zero()
	}, func(in input, out output) ([]secret, bool) {
		shared, all := ofECDH(in, false)
		return all, shared.X.Cmp(oracle.Int(out[:32])) == 0
	}})
}

// For the child: what it does with results that are secret.

// hold moves the stack while there is a key and while there are its bytes, and wipes both.
func hold(out output, k *p256k1.PrivateKey) {
	move()
	b := k.Bytes()
	move()
	take(out, b)
	copy(out[32:], k.PublicKey().Bytes())
	k.Zero()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

// newKey makes the key on another goroutine's stack, so that the one of an operation is as small as it was.
func newKey(in input) *p256k1.PrivateKey {
	made := make(chan *p256k1.PrivateKey)
	go func() { made <- must(p256k1.NewPrivateKey(in.key())) }()
	return <-made
}

// newKeys is newKey for nine keys that alternate: the key and the tweak.
func newKeys(in input) []*p256k1.PrivateKey {
	made := make(chan []*p256k1.PrivateKey)
	go func() {
		b := slices.Repeat([][]byte{in.key(), in.tweak()}, 5)[:9]
		made <- must(p256k1.NewPrivateKeys(b))
	}()
	return <-made
}

// ofProducts is what the nonces of newKeys share an inversion by: products of the first n of them, and the inverses.
func ofProducts(in input) (all []secret) {
	product := big.NewInt(1)
	for i := range 9 {
		key := [2][]byte{in.key(), in.tweak()}[i%2]
		for k := range oracle.NoncesRFC6979(oracle.Int(key), in.digest(), nil) {
			product = oracle.Fn.Mul(product, k)
			break
		}
		all = slices.Concat(all, scalar("product of nonces", product), scalar("inverse of a product of nonces", oracle.Fn.Inv(product)))
	}
	return all
}

//go:linkname musigDeterministic p256k1.mleku.dev/v2/protocols/musig2.deterministic
func musigDeterministic(priv *p256k1.PrivateKey, others *musig2.AggregateNonce, q, msg []byte, aux *[32]byte) (nonces unsafe.Pointer, err error)

//go:linkname musigZero p256k1.mleku.dev/v2/protocols/musig2.(*secrets).zero
func musigZero(nonces unsafe.Pointer)

// musigPublic returns the encoding of the public nonces, which follow the two secret scalars.
func musigPublic(nonces unsafe.Pointer) []byte {
	return (*musig2.PublicNonce)(unsafe.Add(nonces, 2*unsafe.Sizeof(curve.Scalar{}))).Bytes()
}

// take moves a secret to the output, by bytes, so that no register holds more of it.
func take(out output, b []byte) {
	for i := range b {
		out[i], b[i] = b[i], 0
	}
}

func takeKey(out output, k *p256k1.PrivateKey) {
	take(out, k.Bytes())
	copy(out[32:], k.PublicKey().Bytes())
}

// agree calls f, not inlined, so that the result is where such calls leave it and nowhere else, and then puts nothing there.
//
//go:noinline
func agree[P any](out output, in input, f func(*p256k1.PrivateKey, *P) ([32]byte, error), peer *P) {
	k := newKey(in)
	x, err := f(k, peer)
	check(err)
	take(out, x[:])
	x, err = nothing(k, peer)
	check(err)
	take(out[32:], x[:])
	k.Zero()
}

// once returns a copy of k as a key for one exchange, and wipes k.
func once(k *p256k1.PrivateKey) *ellswift.PrivateKey {
	defer k.Zero()
	encoding := must(ellswift.Encode(k.PublicKey(), new([32]byte)))
	return must(ellswift.NewPrivateKey(k, &encoding))
}

// As with agree, a second call puts nothing where the first one left its result.
var (
	swiftX, swiftECDH = (*ellswift.PrivateKey).X, (*ellswift.PrivateKey).ECDH

	noSwiftX    = func(*ellswift.PrivateKey, *[64]byte) (x [32]byte, err error) { return }
	noSwiftECDH = func(*ellswift.PrivateKey, *[64]byte, bool) (x [32]byte, err error) { return }
)

// encoded returns the encoding of the peer's key.
func encoded(in input) *[64]byte {
	encoding := must(ellswift.Encode(must(p256k1.NewPublicKey(in.peer())), new([32]byte)))
	return &encoding
}

//go:noinline
func nothing[P any](*p256k1.PrivateKey, *P) (x [32]byte, err error) { return }

func tweak(out output, in input, f func(*p256k1.PrivateKey, []byte) (*p256k1.PrivateKey, error)) {
	k := newKey(in)
	l := must(f(k, in.tweak()))
	takeKey(out, l)
	k.Zero()
	l.Zero()
}

// For the parent: what was secret.

// ofKey is what key derivation computes with.
func ofKey(d *big.Int) []secret { return slices.Concat(scalar("key", d), recoded("key", d)) }

// ofPayment has the sender's secrets of BIP-352 for the one input of the child: the key with even y, and that times the hash.
func ofPayment(in input) []secret {
	d := oracle.Int(in.key())
	a := oracle.G.Mul(d)
	if a.Y.Bit(0) == 1 {
		d, a = oracle.Fn.Neg(d), a.Neg()
	}
	hash := oracle.TaggedHash("BIP0352/Inputs", make([]byte, 36), a.Compressed())
	product := oracle.Fn.Mul(d, oracle.Int(hash[:]))
	return slices.Concat(ofKey(d), scalar("input hash times key", product), recoded("input hash times key", product))
}

// takeCiphers moves the first keys of a direction to the output, in parts of at most 32 bits. They are in no other place that
// could be asked, for crypto/rand made what they come from.
func takeCiphers(out output, sealer reflect.Value) {
	d := sealer.Elem().FieldByName("direction").Elem()
	words := d.FieldByName("lengths").FieldByName("stream").FieldByName("key")
	for i := range words.Len() {
		binary.LittleEndian.PutUint32(out[4*i:], uint32(words.Index(i).Uint()))
	}
	key := d.FieldByName("packets").FieldByName("aead").Elem().Elem().FieldByName("key")
	for i := range key.Len() {
		out[32+i] = byte(key.Index(i).Uint())
	}
}

// ofTransport has the keys of a direction in BIP-324, and the keys after 224 packets if they are wiped, too.
func ofTransport(_ input, out output) ([]secret, bool) {
	lengths, packets := out[:32], out[32:64]
	all := []secret{opaque("key of lengths", lengths), opaque("key of packets", packets)}
	stream := make([]byte, 3*224+32)
	must(chacha20.NewUnauthenticatedCipher(lengths, make([]byte, 12))).XORKeyStream(stream, stream)
	if out[0]&1 == 1 {
		aead := must(chacha20poly1305.New(packets))
		next := aead.Seal(nil, append(bytes.Repeat([]byte{0xff}, 4), make([]byte, 8)...), make([]byte, 32), nil)[:32]
		all = append(all, opaque("second key of lengths", stream[3*224:]), opaque("second key of packets", next))
	}
	return all, bytes.Equal(stream[3:6], out[64:67])
}

// A tap has the last bytes that were written.
type tap struct {
	net.Conn
	last []byte
}

func (t *tap) Write(b []byte) (int, error) {
	t.last = bytes.Clone(b)
	return t.Conn.Write(b)
}

// ofAgreement has what both sides of BIP-324 derive from the exchange of keys, but for what is sent as it is.
func ofAgreement(in input, out output) ([]secret, bool) {
	shared, all := ofECDH(in, false)
	k := must(p256k1.NewPrivateKey(in.key()))
	ours, x := must(ellswift.Encode(k.PublicKey(), new([32]byte))), oracle.Bytes(shared.X)
	hash := oracle.TaggedHash("bip324_ellswift_xonly_ecdh", ours[:], encoded(in)[:], x[:])
	prk := hmacSHA256([]byte("bitcoin_v2_shared_secret\xf9\xbe\xb4\xd9"), hash[:])
	pad := append(bytes.Clone(prk), make([]byte, 32)...)
	all = append(all, opaque("hash of the shared point", hash[:]), opaque("PRK", prk), opaque("inner pad", xor(pad, 0x36)), opaque("outer pad", xor(pad, 0x5c)))
	for _, info := range []string{"initiator_L", "initiator_P", "responder_L", "responder_P"} {
		all = append(all, opaque(info, hmacSHA256(prk, []byte(info+"\x01"))))
	}
	terminators := hmacSHA256(prk, []byte("garbage_terminators\x01"))
	return all, bytes.Equal(out[:16], terminators[:16])
}

// ofMuSig has the nonces of BIP-327, DeterministicSign, for the keys that the child aggregates.
func ofMuSig(in input, out output) ([]secret, bool) {
	d, peer := oracle.Int(in.key()), in.peer()
	own := oracle.G.Mul(d).Compressed()
	list := oracle.TaggedHash("KeyAgg list", peer, own)
	hash := oracle.TaggedHash("KeyAgg coefficient", list[:], peer)
	a := oracle.Fn.Reduce(oracle.Int(hash[:]))
	p, _ := oracle.DecodePoint(peer)
	q := oracle.Bytes(p.Mul(a).Add(oracle.G.Mul(d)).X)
	t := oracle.TaggedHash("MuSig/aux", in.random()[:])
	key := oracle.Bytes(d)
	for i := range t {
		t[i] ^= key[i]
	}
	all, right := append(ofKey(d), opaque("masked key", t[:])), true
	var nonces [2]*big.Int
	var sum []byte
	for i := range 2 {
		hash := oracle.TaggedHash("MuSig/deterministic/nonce", t[:], peer, peer, q[:], []byte{0, 0, 0, 0, 0, 0, 0, 32}, in.digest(), []byte{byte(i)})
		k := oracle.Fn.Reduce(oracle.Int(hash[:]))
		all = append(slices.Concat(all, scalar("nonce", k), recoded("nonce", k)), opaque("hash of the nonce", hash[:]))
		right = right && isPublic(k, out[33*i:])
		nonces[i], sum = k, append(sum, p.Add(oracle.G.Mul(k)).Compressed()...)
	}
	hash = oracle.TaggedHash("MuSig/noncecoef", sum, q[:], in.digest())
	bk := oracle.Fn.Mul(oracle.Fn.Reduce(oracle.Int(hash[:])), nonces[1])
	all = slices.Concat(all, scalar("b·k2", bk), scalar("k1 + b·k2", oracle.Fn.Add(nonces[0], bk)))
	return all, right
}

func isPublic(d *big.Int, pub []byte) bool {
	return bytes.Equal(oracle.G.Mul(d).Compressed(), pub[:33])
}

// generated is for keys that the child chose, whose x coordinate the signers give without parity.
func generated(_ input, out output) ([]secret, bool) {
	d := oracle.Int(out[:32])
	return ofKey(d), bytes.Equal(oracle.G.Mul(d).Compressed()[1:], out[33:65])
}

func tweaked(in input, out output, d *big.Int) ([]secret, bool) {
	right := d.Cmp(oracle.Int(out[:32])) == 0 && isPublic(d, out[32:])
	return slices.Concat(ofKey(oracle.Int(in.key())), scalar("tweak", oracle.Int(in.tweak())), scalar("tweaked key", d), recoded("tweaked key", d)), right
}

// even returns d or n − d, for a point with even or odd y.
func even(d *big.Int, p oracle.Point) *big.Int {
	if p.Y.Bit(0) == 1 {
		return oracle.Fn.Neg(d)
	}
	return d
}

func ofECDSA(in input, extra, sig []byte) ([]secret, bool) {
	d, z := oracle.Int(in.key()), oracle.Fn.Reduce(oracle.Int(in.digest()))
	want, _ := oracle.SignRFC6979(d, in.digest(), extra)
	got := oracle.ParseCompact([64]byte(sig))
	rd := oracle.Fn.Mul(got.R, d)
	zrd := oracle.Fn.Add(z, rd)
	k := oracle.Fn.Mul(zrd, oracle.Fn.Inv(got.S)) // or its negation
	var all []secret

	// The state of RFC 6979's generator, section 3.2, steps d to h.
	x, h := oracle.Bytes(d), oracle.Bytes(z)
	hk, v := make([]byte, 32), bytes.Repeat([]byte{1}, 32)
	for i := range byte(2) {
		hk = hmacSHA256(hk, v, []byte{i}, x[:], h[:], extra)
		v = hmacSHA256(hk, v)
		all = append(all, opaque(fmt.Sprintf("K of RFC 6979, %d", i), hk), opaque(fmt.Sprintf("V of RFC 6979, %d", i), v),
			opaque("K of RFC 6979, inner pad", xor(hk, 0x36)), opaque("K of RFC 6979, outer pad", xor(hk, 0x5c)))
	}
	v = hmacSHA256(hk, v) // the nonce
	n := oracle.Int(v)
	right := want.Compact() == [64]byte(sig) && (n.Cmp(k) == 0 || n.Cmp(oracle.Fn.Neg(k)) == 0)
	all = slices.Concat(all, scalar("key", d), scalar("nonce", n), recoded("nonce", n), recoded("nonce", oracle.Fn.Neg(n)),
		scalar("inverse of the nonce", oracle.Fn.Inv(n)), scalar("r·d", rd), scalar("z + r·d", zrd))
	return append(all, opaque("V of RFC 6979, 2", v)), right
}

func ofSchnorr(d *big.Int, in input, out output) ([]secret, bool) {
	p := oracle.G.Mul(d)
	d = even(d, p)
	px := oracle.Bytes(p.X)
	hash := oracle.TaggedHash("BIP0340/challenge", out[:32], px[:], in.digest())
	ed := oracle.Fn.Mul(oracle.Fn.Reduce(oracle.Int(hash[:])), d)
	k := oracle.Fn.Sub(oracle.Int(out[32:64]), ed)
	return slices.Concat(ofKey(d), scalar("nonce", k), recoded("nonce", k), recoded("nonce", oracle.Fn.Neg(k)), scalar("e·d", ed)),
		oracle.VerifySchnorr(px[:], in.digest(), out[:64])
}

// maskedKey is t of BIP-340.
func maskedKey(in input) secret {
	d := oracle.Int(in.key())
	t := oracle.TaggedHash("BIP0340/aux", in.random()[:])
	for i, b := range oracle.Bytes(even(d, oracle.G.Mul(d))) {
		t[i] ^= b
	}
	return opaque("masked key", t[:])
}

// ofECDH also returns the shared point, that of the keys with even y if bothEven.
func ofECDH(in input, bothEven bool) (oracle.Point, []secret) {
	d := oracle.Int(in.key())
	peer, _ := oracle.DecodePoint(in.peer())
	if bothEven {
		d = even(d, oracle.G.Mul(d))
		peer, _ = oracle.LiftX(peer.X)
	}
	shared := peer.Mul(d)
	return shared, slices.Concat(ofKey(oracle.Int(in.key())), halves(oracle.Int(in.key())), coordinates("shared point", shared))
}

// narrower is deeper in smaller steps.
//
//go:noinline
func narrower(n int, f func()) byte {
	var frame [64]byte
	if n == 0 {
		f()
	} else {
		frame[n%64] = narrower(n-1, f)
	}
	return frame[n%64]
}
