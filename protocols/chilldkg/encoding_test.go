package chilldkg

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/schnorr"
)

// TestParamsEncoding changes every part of the parameters' encoding, and stores parameters as JSON.
func TestParamsEncoding(t *testing.T) {
	params := newCeremony(t, 2, 3).params
	b := params.Bytes()
	if len(b) != 9+33*3 || !bytes.Equal(b[:9], []byte{1, 0, 0, 0, 2, 0, 0, 0, 3}) || !bytes.Equal(b[9:42], params.Host(0).Bytes()) {
		t.Errorf("encoding %x", b)
	}
	set := func(place int, data ...byte) []byte {
		return slices.Replace(bytes.Clone(b), place, place+len(data), data...)
	}
	for what, c := range map[string]struct {
		b    []byte
		want error
	}{
		"empty": {nil, p256k1.ErrLength}, "another version": {set(0, 2), p256k1.ErrPrefix}, "cut off": {b[:len(b)-1], p256k1.ErrLength},
		"a host fewer": {b[:len(b)-33], p256k1.ErrLength}, "trailing byte": {append(bytes.Clone(b), 0), p256k1.ErrLength},
		"a host more": {append(bytes.Clone(b), b[9:42]...), p256k1.ErrLength}, "n too large": {set(5, 0xff, 0xff, 0xff, 0xff), p256k1.ErrLength},
		"t = 0": {set(1, 0, 0, 0, 0), frost.ErrThreshold}, "t > n": {set(1, 0, 0, 0, 4), frost.ErrThreshold},
		"t = 2³²−1": {set(1, 0xff, 0xff, 0xff, 0xff), frost.ErrThreshold}, "n = 0": {make([]byte, 9), p256k1.ErrPrefix},
		"no hosts": {[]byte{1, 0, 0, 0, 0, 0, 0, 0, 0}, frost.ErrThreshold}, "infinity": {set(9, make([]byte, 33)...), ErrHostKey},
		"a hybrid prefix": {set(42, 6), ErrHostKey}, "a host twice": {set(42, b[9:42]...), ErrHostKey},
	} {
		before := *params
		if p, err := ParseParams(c.b, nil); !errors.Is(err, c.want) || p != nil {
			t.Errorf("%s: %v, %v, want %v", what, p, err, c.want)
		}
		if err := before.UnmarshalText([]byte(hex.EncodeToString(c.b))); !errors.Is(err, c.want) || before.Hash() != params.Hash() {
			t.Errorf("%s, as text: %v, want %v", what, err, c.want)
		}
	}
	if _, err := ParseParams(set(1, 0, 0, 0, 4), nil); err.Error() != "chilldkg: parameters: threshold or number of participants out of range: a threshold of 4, want 1 to 3, the number of participants" {
		t.Error(err)
	}
	type stored struct {
		Params *Params
		All    []Params
	}
	text, err := json.Marshal(stored{params, []Params{*params}})
	var out stored
	if err != nil || json.Unmarshal(text, &out) != nil || out.Params.Hash() != params.Hash() || !reflect.DeepEqual(&out.All[0], params) {
		t.Errorf("%s, %v", text, err)
	}
	for _, bad := range []string{strings.ToUpper(hex.EncodeToString(b)), "0x" + hex.EncodeToString(b[1:]), " " + hex.EncodeToString(b[1:]) + " "} {
		if err := out.Params.UnmarshalText([]byte(bad)); !errors.Is(err, p256k1.ErrHex) {
			t.Errorf("%.9q: %v", bad, err)
		}
	}

	large := newCeremonyParams(t, 129)
	if _, err := ParseParams(large.Bytes(), nil); !errors.Is(err, frost.ErrThreshold) {
		t.Errorf("large: %v", err)
	}
	if read, err := ParseParams(large.Bytes(), &frost.Options{Large: true}); err != nil || read.Hash() != large.Hash() {
		t.Errorf("large, with the option: %v", err)
	}
	if text, err := json.Marshal(large); !errors.Is(err, frost.ErrThreshold) {
		t.Errorf("large: %s, %v", text, err)
	}
	if _, err := json.Marshal(Params{}); !errors.Is(err, p256k1.ErrNoKey) || new(Params).Bytes() != nil || (*Params)(nil).Bytes() != nil {
		t.Errorf("never set: %v", err)
	}
}

func newCeremonyParams(t *testing.T, n int) *Params {
	key, err := p256k1.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	hosts := make([]*p256k1.PublicKey, n)
	for i := range hosts {
		if hosts[i], err = key.PublicKey().TweakAdd(append(make([]byte, 31), byte(i))); err != nil {
			t.Fatal(err)
		}
	}
	p, err := NewParams(2, hosts, &frost.Options{Large: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestResultRefused checks that encoders refuse results, with and without a share, and participants.
func TestResultRefused(t *testing.T) {
	c := newCeremony(t, 2, 2)
	results, common := c.finish(t)
	for _, v := range []any{results[0], *results[0], common, Result{}, c.participants[0], new(Coordinator), map[string]any{"r": common}} {
		if text, err := json.Marshal(v); !errors.Is(err, p256k1.ErrMarshal) {
			t.Errorf("%T: %s, %v", v, text, err)
		}
	}
	before := *common
	for _, text := range []string{`"00"`, `{}`, `{"Recovery":"AA=="}`, `[]`} {
		if err := json.Unmarshal([]byte(text), common); err == nil || !reflect.DeepEqual(*common, before) {
			t.Errorf("%s is read as a result, %v", text, err)
		}
	}
}

// TestLarge recomputes the first message of the last of more than 256 participants, whose threshold and numbers have
// two bytes.
func TestLarge(t *testing.T) {
	const threshold, n = 0x0101, 0x0103
	random := [32]byte{1}
	hosts := make([]*p256k1.PrivateKey, n)
	public := make([]*p256k1.PublicKey, n)
	context := []byte{0, 0, 1, 1}
	for i := range hosts {
		hosts[i] = must(p256k1.ParsePrivateKey(binary.BigEndian.AppendUint32(make([]byte, 28), uint32(1000+i))))
		public[i] = hosts[i].PublicKey()
		context = append(context, public[i].Bytes()...)
	}
	large := &frost.Options{Large: true}
	params := must(NewParams(threshold, public, large))
	if want := append([]byte{1, 0, 0, 1, 1, 0, 0, 1, 3}, context[4:]...); !bytes.Equal(params.Bytes(), want) || params.Hash() != oracle.TaggedHash("BIP DKG/params_hash", context) {
		t.Error("the parameters are encoded or hashed differently")
	}
	if read, err := ParseParams(params.Bytes(), large); err != nil || read.Hash() != params.Hash() {
		t.Error(err)
	}

	const id = 0x0102
	number := []byte{0, 0, 1, 2}
	_, message, err := newParticipant(hosts[id], params, &random)
	if err != nil {
		t.Fatal(err)
	}
	seed := oracle.TaggedHash("BIP DKG/encpedpop seed", hosts[id].Bytes(), random[:], context)
	coefficients := make([]*big.Int, threshold)
	for i := range coefficients {
		c := oracle.TaggedHash("BIP DKG/vss coeffs", seed[:], binary.BigEndian.AppendUint32(nil, uint32(i)))
		coefficients[i] = oracle.Int(c[:])
	}
	for _, i := range []int{0, 0xff, 0x0100} {
		if want := oracle.G.Mul(coefficients[i]).Compressed(); !bytes.Equal(message[33*i:][:33], want) {
			t.Errorf("commitment %d: %x, want %x", i, message[33*i:][:33], want)
		}
	}
	nonce := message[33*threshold+64:][:33]
	secretNonce := oracle.TaggedHash("BIP DKG/encpedpop secnonce", seed[:])
	for _, i := range []int{0, 0x0101, id} {
		recipient := binary.BigEndian.AppendUint32(nil, uint32(i))
		pad := oracle.TaggedHash("BIP DKG/encaps_multi self_pad", hosts[id].Bytes(), nonce, recipient, context)
		if i != id {
			host, _ := oracle.DecodePoint(public[i].Bytes())
			shared := sha256.Sum256(host.Mul(oracle.Int(secretNonce[:])).Compressed())
			pad = oracle.TaggedHash("BIP DKG/encpedpop ecdh", shared[:], nonce, public[i].Bytes(), recipient, context)
		}
		want := new(big.Int)
		for j := threshold - 1; j >= 0; j-- {
			want = oracle.Fn.Add(oracle.Fn.Mul(want, big.NewInt(int64(i+1))), coefficients[j])
		}
		want = oracle.Fn.Add(want, oracle.Fn.Reduce(oracle.Int(pad[:])))
		if got := message[33*threshold+97+32*i:][:32]; oracle.Int(got).Cmp(want) != 0 {
			t.Errorf("encrypted share %d: %x, want %x", i, got, want)
		}
	}

	secret := oracle.G.Mul(coefficients[0])
	x := secret.Compressed()[1:]
	proof := message[33*threshold:][:64]
	challenge := oracle.TaggedHash("BIP DKG/pop message/challenge", proof[:32], x, number)
	even, _ := oracle.DecodePoint(append([]byte{2}, x...))
	r, _ := oracle.DecodePoint(append([]byte{2}, proof[:32]...))
	if sum := r.Add(even.Mul(oracle.Fn.Reduce(oracle.Int(challenge[:])))); !bytes.Equal(sum.Compressed(), oracle.G.Mul(oracle.Int(proof[32:])).Compressed()) {
		t.Errorf("the proof %x is not valid", proof)
	}
	transcript := params.transcript(&answer{secrets: make([]curve.Point, 1), others: make([]curve.Point, threshold-1)})
	if !bytes.Equal(transcript[:4], context[:4]) || !bytes.Equal(transcript[4+33*threshold:], context[4:]) {
		t.Error("another transcript")
	}
	var certificate []byte
	for i, host := range hosts {
		sig := must(schnorr.Sign(host, certificateMessage(i, transcript), nil))
		certificate = append(certificate, sig[:]...)
	}
	if bad := params.verifyCertificate(transcript, certificate); bad != -1 {
		t.Errorf("the signature of participant %d is not valid", bad)
	}
	certificate[64*id] ^= 1
	if bad := params.verifyCertificate(transcript, certificate); bad != id {
		t.Errorf("the signature of participant %d is wrong, not of %d", id, bad)
	}
	for prefix, got := range map[string][]byte{"BIP DKG/certeq message": certificateMessage(id, transcript), "BIP DKG/recovery acknowledgment": acknowledgement(id, transcript)} {
		if want := slices.Concat([]byte(prefix), make([]byte, 33-len(prefix)), number, transcript); !bytes.Equal(got, want) {
			t.Errorf("%s: %.40x, want %.40x", prefix, got, want)
		}
	}
}
