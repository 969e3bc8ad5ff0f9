package silentpayments

import (
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
)

func prefix(x [32]byte) uint64 { return binary.BigEndian.Uint64(x[:]) }

// source generates keys and inputs that are the same in each run.
type source struct {
	testing.TB
	*rand.ChaCha8
}

func newSource(t testing.TB) source {
	return source{t, rand.NewChaCha8([32]byte{1})}
}

func (s source) key() *p256k1.PrivateKey {
	var b [32]byte
	s.Read(b[:])
	b[0] &= 0x7f
	return privateKey(s, b[:])
}

// tweakOf returns the tweak of signed inputs.
func tweakOf(t testing.TB, inputs ...Input) *p256k1.PublicKey {
	t.Helper()
	tweak, err := Tweak(inputs)
	if err != nil {
		t.Fatal(err)
	}
	return tweak
}

// keyOf returns the key that an input contributes, or nil if it contributes none or is refused.
func keyOf(in Input) *p256k1.PublicKey {
	key, _ := in.PublicKey()
	return key
}

// input returns an input of one of the four kinds, signed or not, with its key.
func (s source) input(i int, signed bool) (in Input, key *p256k1.PrivateKey) {
	key = s.key()
	pub := key.PublicKey().Bytes()
	s.Read(in.TxID[:])
	in.Index = uint32(s.Uint64())
	hash := hash160(pub)
	switch i % 4 {
	case 0:
		in.ScriptPubKey = slices.Concat([]byte{0x76, 0xa9, 0x14}, hash, []byte{0x88, 0xac})
		if signed {
			in.ScriptSig = slices.Concat([]byte{1, 0}, []byte{33}, pub)
		}
	case 1:
		in.ScriptPubKey = append([]byte{0, 0x14}, hash...)
		if signed {
			in.Witness = [][]byte{{1}, pub}
		}
	case 2:
		script := append([]byte{0, 0x14}, hash...)
		in.ScriptPubKey = slices.Concat([]byte{0xa9, 0x14}, hash160(script), []byte{0x87})
		if signed {
			in.ScriptSig = append([]byte{0x16}, script...)
			in.Witness = [][]byte{{1}, pub}
		}
	case 3:
		in.ScriptPubKey = append([]byte{0x51, 0x20}, pub[1:]...)
		if signed {
			in.Witness = [][]byte{make([]byte, 64)}
		}
	}
	return in, key
}

// TestPayments pays to the addresses of scanners with labels, and finds all payments among many other outputs, by whole
// outputs and by prefixes.
func TestPayments(t *testing.T) {
	src := newSource(t)
	spend, otherSpend := src.key(), src.key()
	s, err := NewScanner(src.key(), spend.PublicKey(), 1, 7, 1<<32-1)
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := NewScanner(src.key(), otherSpend.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	var tweaks [][33]byte
	var prefixes [][]uint64
	var want []Hit
	for i := range 300 {
		var signed, unsigned []Input
		var keys []*p256k1.PrivateKey
		for j := range 1 + i%5 {
			in, key := src.input(i+j, true)
			signed, keys = append(signed, in), append(keys, key)
		}
		// This input has no eligible key, but its outpoint counts.
		odd, _ := src.input(0, true)
		odd.ScriptPubKey = []byte{0x6a}
		signed, keys = append(signed, odd), append(keys, nil)
		unsigned = strip(signed)

		var to []Recipient
		kinds := []uint32{}
		for j := range i % 4 {
			m := []uint32{0, 1, 7, 1<<32 - 1}[(i+j)%4]
			r, err := s.Labeled(m)
			if m == 0 {
				r, err = s.Recipient(), nil
			}
			if err != nil {
				t.Fatal(err)
			}
			to, kinds = append(to, r), append(kinds, m)
		}
		to = append(to, stranger.Recipient(), s.Change())
		if i%4 == 0 {
			to = to[:len(to)-1]
		}
		keysOf, err := CreateOutputs(unsigned, keys, to)
		if err != nil {
			t.Fatal(err)
		}
		outputs := [][32]byte{}
		for _, k := range keysOf {
			outputs = append(outputs, [32]byte(k.Bytes()))
		}
		tweak := tweakOf(t, signed...)
		found, err := s.Scan(t.Context(), tweak, outputs)
		if err != nil || len(found) != len(to)-1 {
			t.Fatalf("%d: %v, %v, want %d", i, found, err, len(to)-1)
		}
		for j, f := range found {
			output := j
			if j >= len(kinds) {
				output++ // the stranger's output comes before the change
			}
			if f.Output != output || f.K != uint32(j) {
				t.Errorf("%d: %v, want output %d", i, f, output)
			}
			if j < len(kinds) && (f.Labeled != (kinds[j] != 0) || f.Label != kinds[j]) {
				t.Errorf("%d: %v, want label %d", i, f, kinds[j])
			}
			if j >= len(kinds) && (!f.Labeled || f.Label != 0) {
				t.Errorf("%d: %v is not change", i, f)
			}
			if k, err := f.PrivateKey(spend); err != nil || k.PublicKey().XOnly().String() != keysOf[f.Output].String() {
				t.Errorf("%d: not the key, %v", i, err)
			}
		}
		if theirs, err := stranger.Scan(t.Context(), tweak, outputs); err != nil || len(theirs) != 1 || theirs[0].Labeled {
			t.Errorf("%d: the other's %v, %v", i, theirs, err)
		}
		tweaks = append(tweaks, [33]byte(tweak.Bytes()))
		p := make([]uint64, len(outputs))
		for j, o := range outputs {
			p[(i+j)%len(p)] = prefix(o) // in another order
		}
		prefixes = append(prefixes, p)
		if len(found) > 0 {
			want = append(want, Hit{i, (i + found[0].Output) % len(p)}) // the output with the counter 0
		}
	}
	tweaks[4], tweaks[299][0] = [33]byte{}, 5 // transaction 4 pays nothing to this scanner
	hits, err := s.ScanTweaks(t.Context(), tweaks, prefixes)
	libtest.CheckFailures(t, err, map[int]error{4: p256k1.ErrPrefix, 299: p256k1.ErrPrefix})
	if want = slices.DeleteFunc(want, func(h Hit) bool { return h.Tweak == 4 || h.Tweak == 299 }); !slices.Equal(hits, want) {
		t.Errorf("hits %v, want %v", hits, want)
	}
	for n := range 258 { // every number modulo the number of lanes, and numbers around one and two parts of 128
		if n > 17 && n%128 > 1 && n%128 < 127 {
			continue
		}
		hits, err := s.ScanTweaks(t.Context(), tweaks[5:5+n], prefixes[5:5+n])
		var theirs []Hit
		for _, h := range want {
			if h.Tweak >= 5 && h.Tweak < 5+n {
				theirs = append(theirs, Hit{h.Tweak - 5, h.Prefix})
			}
		}
		if err != nil || !slices.Equal(hits, theirs) {
			t.Errorf("of %d: hits %v, %v, want %v", n, hits, err, theirs)
		}
	}
}

// TestRefused checks that senders and receivers get an error for each invalid argument.
func TestRefused(t *testing.T) {
	src := newSource(t)
	s, err := NewScanner(src.key(), src.key().PublicKey(), 3)
	if err != nil {
		t.Fatal(err)
	}
	to := []Recipient{s.Recipient()}
	wiped := src.key()
	wiped.Zero()
	refuse := func(name string, want error, inputs []Input, keys []*p256k1.PrivateKey, to []Recipient) {
		t.Helper()
		if got, err := CreateOutputs(inputs, keys, to); got != nil || !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "silentpayments: ") {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	for i := range 4 {
		for _, signed := range []bool{true, false} {
			in, key := src.input(i, signed)
			name := fmt.Sprintf("kind %d, signed %v", i, signed)
			refuse(name+", another key", ErrKey, []Input{in}, []*p256k1.PrivateKey{src.key()}, to)
			refuse(name+", no key", p256k1.ErrNoKey, []Input{in}, []*p256k1.PrivateKey{nil}, to)
			refuse(name+", a wiped key", p256k1.ErrNoKey, []Input{in}, []*p256k1.PrivateKey{wiped}, to)
			refuse(name+", recipient", p256k1.ErrNoKey, []Input{in}, []*p256k1.PrivateKey{key}, []Recipient{{new(p256k1.PublicKey), s.get().spend}})
			refuse(name+", recipient", p256k1.ErrNoKey, []Input{in}, []*p256k1.PrivateKey{key}, []Recipient{{s.get().spend, new(p256k1.PublicKey)}})
			if _, err := CreateOutputs([]Input{in}, []*p256k1.PrivateKey{key}, slices.Repeat(to, MaxOutputs)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			refuse(name+", too many", ErrTooMany, []Input{in}, []*p256k1.PrivateKey{key}, slices.Repeat(to, MaxOutputs+1))
		}
	}
	refuse("no inputs", ErrNoInputs, nil, nil, to)
	a, key := src.input(1, true)
	b := a
	b.Index++
	b.Witness = [][]byte{{1}, key.Negate().PublicKey().Bytes()}
	b.ScriptPubKey = append([]byte{0, 0x14}, hash160(b.Witness[1])...)
	refuse("a sum of zero", ErrZeroSum, []Input{a, b}, []*p256k1.PrivateKey{key, key.Negate()}, to)
	if tweakOf(t, a, b) != nil || tweakOf(t) != nil {
		t.Error("a tweak of no key")
	}

	refuse("no script", ErrKey, []Input{a, {Index: 9}}, []*p256k1.PrivateKey{key, src.key()}, to)
	refuse("no script, no key", ErrKey, []Input{a, {Index: 9}}, []*p256k1.PrivateKey{key, nil}, to)
	for input := range 2 { // one input twice, and one output spent by two inputs
		inputs, keys := []Input{a, a}, []*p256k1.PrivateKey{key, key}
		inputs[input].ScriptSig = []byte{0x51}
		if input == 1 {
			inputs[1], keys[1] = src.input(3, true)
			inputs[1].TxID, inputs[1].Index = a.TxID, a.Index
		}
		refuse("an output twice", ErrTwice, inputs, keys, to)
	}

	if _, err := s.Labeled(0); !errors.Is(err, ErrLabel) {
		t.Errorf("label 0: %v", err)
	}
	if _, err := s.Labeled(4); !errors.Is(err, ErrLabel) {
		t.Errorf("label 4: %v", err)
	}
	if _, err := NewScanner(src.key(), s.get().spend, 3, 4, 3); !errors.Is(err, ErrLabel) {
		t.Errorf("label 3 twice: %v", err)
	}
	if _, err := NewScanner(wiped, s.get().spend); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("a wiped key: %v", err)
	}
	if _, err := NewScanner(src.key(), new(p256k1.PublicKey)); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("no spend key: %v", err)
	}
	tweak := tweakOf(t, a)
	if _, err := s.Scan(t.Context(), new(p256k1.PublicKey), nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("no tweak: %v", err)
	}
	if _, err := new(Scanner).Scan(t.Context(), tweak, nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("scan by none: %v", err)
	}
	s.Zero()
	if _, err := s.Scan(t.Context(), tweak, nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("scan after Zero: %v", err)
	}
	if _, err := s.ScanTweaks(t.Context(), [][33]byte{[33]byte(tweak.Bytes())}, [][]uint64{nil}); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("scan of tweaks after Zero: %v", err)
	}
	if r := s.Change(); r.Scan.Point().IsInfinity() != 1 {
		t.Error("an address after Zero")
	}
}

// TestInputs tries inputs that are not eligible or not signed.
func TestInputs(t *testing.T) {
	src := newSource(t)
	for i := range 4 {
		in, key := src.input(i, true)
		if got := keyOf(in); got == nil || got.XOnly().String() != key.PublicKey().XOnly().String() {
			t.Fatalf("kind %d: %v", i, got)
		}
		for cut := range len(in.ScriptPubKey) {
			short := in
			short.ScriptPubKey = in.ScriptPubKey[:cut]
			if keyOf(short) != nil {
				t.Errorf("kind %d, %d bytes of the script", i, cut)
			}
		}
		for n := range len(in.Witness) + 1 { // unsigned, or with only a part of the witness
			part := in
			part.ScriptSig, part.Witness = nil, in.Witness[:n]
			if i == 2 && n < len(in.Witness) {
				part.ScriptSig = in.ScriptSig
			}
			if n == len(in.Witness) && part.ScriptSig == nil && in.ScriptSig == nil {
				continue
			}
			other, _ := src.input(i+1, true)
			tweak, err := Tweak([]Input{other, part})
			if keyOf(part) != nil || tweak != nil || !errors.Is(err, ErrNotSigned) || !strings.Contains(err.Error(), "input 1: ") {
				t.Errorf("kind %d, with %d items of a witness: %v, %v", i, n, tweak, err)
			}
		}
	}
	for i := range 3 { // signed by another input's key
		in, _ := src.input(i, true)
		other, _ := src.input(i, true)
		parts := []Input{other}
		if i == 2 {
			parts = append(parts, Input{ScriptSig: in.ScriptSig, Witness: other.Witness})
		}
		for _, part := range parts {
			part.ScriptPubKey = in.ScriptPubKey
			if tweak, err := Tweak([]Input{part}); tweak != nil || !errors.Is(err, ErrNotSigned) {
				t.Errorf("kind %d, signed by another: %v, %v", i, tweak, err)
			}
		}
	}
	in, _ := src.input(3, true)
	control := slices.Concat([]byte{0xc0}, unspendable, make([]byte, 32))
	in.Witness = [][]byte{{1}, {2}, control}
	if keyOf(in) != nil {
		t.Error("spent beside H")
	}
	in.Witness = append(in.Witness, []byte{0x50})
	if keyOf(in) != nil {
		t.Error("spent beside H, with an annex")
	}
	control[5] ^= 1
	if keyOf(in) == nil {
		t.Error("spent beside another key")
	}
	in.Witness = [][]byte{make([]byte, 64), {0x50, 1}}
	if keyOf(in) == nil {
		t.Error("spent by the key, with an annex")
	}
	in.ScriptPubKey = append([]byte{0x51, 0x20}, make([]byte, 32)...)
	if keyOf(in) != nil {
		t.Error("x = 0 is no key")
	}
}

// TestHidden checks that fmt does not print the scan key of a scanner.
func TestHidden(t *testing.T) {
	src := newSource(t)
	scan := src.key()
	s, err := NewScanner(scan, src.key().PublicKey(), 5)
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{fmt.Sprintf("%x", scan.Bytes()), fmt.Sprintf("%x", s.get().labels[1].tweak), fmt.Sprint(s.get().labels[1].tweak)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%d"} {
		for _, v := range []any{s, *s, struct{ s Scanner }{*s}, []*Scanner{s}, map[string]any{"": s}} {
			text := fmt.Sprintf(verb, v)
			for _, secret := range secrets {
				if strings.Contains(text, secret) {
					t.Errorf("%s of %T shows a secret", verb, v)
				}
			}
		}
	}
}

func FuzzInput(f *testing.F) {
	src := newSource(f)
	for i := range 4 {
		in, _ := src.input(i, true)
		var last []byte
		if len(in.Witness) > 0 {
			last = in.Witness[len(in.Witness)-1]
		}
		f.Add(in.ScriptPubKey, in.ScriptSig, []byte{1}, last)
		// Add a key that is not eligible, and a key next to a script.
		long := src.key().PublicKey().BytesUncompressed()
		f.Add(append([]byte{0, 0x14}, hash160(long)...), []byte{}, []byte{1}, long)
		f.Add(in.ScriptPubKey, append(slices.Clone(in.ScriptSig), src.key().PublicKey().Bytes()...), []byte{1}, last)
		f.Add(in.ScriptPubKey, in.ScriptSig, []byte{1}, slices.Concat([]byte{0xc0}, unspendable))
	}
	f.Fuzz(func(t *testing.T, script, sig, first, last []byte) {
		in := Input{ScriptPubKey: script, ScriptSig: sig, Witness: [][]byte{first, last}}
		key := keyOf(in)
		if key == nil {
			return
		}
		hash := hash160(key.Bytes())
		switch kind, program := in.kind(); {
		case kind == p2tr && (!slices.Equal(key.Bytes()[1:], program) || (len(last) > 32 && slices.Equal(last[1:33], unspendable))), kind == other,
			kind == p2pkh && !slices.Equal(hash, program), (kind == p2wpkh || kind == p2sh) && !slices.Equal(last, key.Bytes()):
			t.Fatalf("%x by %x contributes %v", script, sig, key)
		}
		if tweakOf(t, in) == nil {
			t.Fatal("one key that adds up to nothing")
		}
	})
}

// FuzzScanTweaks scans an arbitrary tweak between two valid tweaks.
func FuzzScanTweaks(f *testing.F) {
	src := newSource(f)
	s, tweak, pay := src.payment()
	right, output := [33]byte(tweak.Bytes()), prefix(pay(s.Recipient())[0])
	for _, b := range [][]byte{right[:], tweak.Negate().Bytes(), append([]byte{5}, right[1:]...), make([]byte, 33), append([]byte{2}, slices.Repeat([]byte{0xff}, 32)...)} {
		f.Add(b, output)
	}
	f.Fuzz(func(t *testing.T, b []byte, word uint64) {
		var encoded [33]byte
		copy(encoded[:], b)
		hits, err := s.ScanTweaks(t.Context(), [][33]byte{right, encoded, right}, [][]uint64{{word, output}, {word}, {output}})
		key, bad := p256k1.ParsePublicKey(encoded[:])
		if (err == nil) != (bad == nil) || (bad != nil && !strings.HasSuffix(err.Error(), "(index 1)")) {
			t.Fatalf("tweak %x: %v, %v", encoded, err, bad)
		}
		n := len(hits)
		if n < 2 || hits[0].Tweak != 0 || hits[n-1] != (Hit{2, 0}) || (n > 2 && (bad != nil || !key.Equal(tweak) || word != output)) {
			t.Fatalf("tweak %x: hits %v", encoded, hits)
		}
	})
}

func BenchmarkScanTweaks(b *testing.B) {
	src := newSource(b)
	s, err := NewScanner(src.key(), src.key().PublicKey())
	if err != nil {
		b.Fatal(err)
	}
	const n = 1024
	var tweaks [n][33]byte
	var prefixes [n][]uint64
	for i := range tweaks {
		tweaks[i] = [33]byte(src.key().PublicKey().Bytes())
		prefixes[i] = []uint64{src.Uint64(), src.Uint64()}
	}
	b.ReportAllocs()
	for b.Loop() {
		if hits, err := s.ScanTweaks(b.Context(), tweaks[:], prefixes[:]); err != nil || len(hits) > 0 {
			b.Fatal(hits, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/tweak")
}

// TestLaterSegwit tries inputs of SegWit versions above 1, which exclude a transaction from silent payments, and
// scripts that resemble them.
func TestLaterSegwit(t *testing.T) {
	src := newSource(t)
	s, err := NewScanner(src.key(), src.key().PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		script []byte
		later  bool
	}{
		{append([]byte{0x52, 32}, make([]byte, 32)...), true},
		{append([]byte{0x60, 2}, make([]byte, 2)...), true},
		{append([]byte{0x55, 40}, make([]byte, 40)...), true},
		{append([]byte{0x52, 41}, make([]byte, 41)...), false},
		{append([]byte{0x52, 1}, make([]byte, 1)...), false},
		{append([]byte{0x52, 32}, make([]byte, 33)...), false},
		{append([]byte{0x61, 32}, make([]byte, 32)...), false},
		{[]byte{0x51, 2, 0x4e, 0x73}, false}, // pay to anchor
		{[]byte{0x52}, false},
		{[]byte{0x6a}, false},
	} {
		for input := range 2 {
			in, key := src.input(1, true)
			inputs, keys := []Input{in}, []*p256k1.PrivateKey{key}
			inputs = slices.Insert(inputs, input, Input{Index: 1, ScriptPubKey: c.script})
			keys = slices.Insert(keys, input, nil)
			if got := tweakOf(t, inputs...) == nil; got != c.later {
				t.Errorf("script %x at %d: no tweak is %v", c.script, input, got)
			}
			outputs, err := CreateOutputs(inputs, keys, []Recipient{s.Recipient()})
			if (c.later && !errors.Is(err, ErrNoInputs)) || (!c.later && err != nil) || (outputs == nil) != c.later {
				t.Errorf("script %x at %d: %v, %v", c.script, input, outputs, err)
			}
		}
	}
}

// TestScannerOwnsKeys overwrites keys that were passed to a scanner or returned by it, and checks that the scanner does
// not change.
func TestScannerOwnsKeys(t *testing.T) {
	src := newSource(t)
	spend := src.key().PublicKey()
	s, err := NewScanner(src.key(), spend, 1)
	if err != nil {
		t.Fatal(err)
	}
	addresses := func() []Recipient {
		labeled, err := s.Labeled(1)
		if err != nil {
			t.Fatal(err)
		}
		return []Recipient{s.Recipient(), s.Change(), labeled}
	}
	other := src.key().PublicKey().Bytes()
	before := addresses()
	want := make([]string, len(before))
	for i, r := range before {
		want[i] = r.Spend.String()
	}
	for _, key := range []*p256k1.PublicKey{spend, before[0].Spend, before[1].Spend, before[2].Spend} {
		if err := key.UnmarshalBinary(other); err != nil {
			t.Fatal(err)
		}
	}
	for i, r := range addresses() {
		if got := r.Spend.String(); got != want[i] {
			t.Errorf("address %d is %s, was %s", i, got, want[i])
		}
	}
}

// TestRecipientWithoutKeys tries recipients with a nil key, which can result from JSON that lacks the key.
func TestRecipientWithoutKeys(t *testing.T) {
	src := newSource(t)
	in, key := src.input(1, true)
	pub := src.key().PublicKey()
	for i, r := range []Recipient{{}, {Scan: pub}, {Spend: pub}, {pub, new(p256k1.PublicKey)}} {
		outputs, err := CreateOutputs([]Input{in}, []*p256k1.PrivateKey{key}, []Recipient{{pub, pub}, r})
		if outputs != nil || !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("recipient %d: %v, %v", i, outputs, err)
		}
	}
}

// TestSameCounter tries an output that occurs twice, and an output to a label with the same counter. Scan must find
// every one of these outputs, with the tweak that spends it.
func TestSameCounter(t *testing.T) {
	src := newSource(t)
	spend := src.key()
	s, err := NewScanner(src.key(), spend.PublicKey(), 9)
	if err != nil {
		t.Fatal(err)
	}
	in, key := src.input(1, true)
	labeled, err := s.Labeled(9)
	if err != nil {
		t.Fatal(err)
	}
	pay := func(to ...Recipient) (outputs [][32]byte) {
		t.Helper()
		keys, err := CreateOutputs([]Input{in}, []*p256k1.PrivateKey{key}, to)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			outputs = append(outputs, [32]byte(k.Bytes()))
		}
		return outputs
	}
	plain, other := pay(s.Recipient(), s.Recipient()), pay(labeled)
	outputs := [][32]byte{{1}, plain[0], other[0], {2}, plain[0], plain[1], plain[0], plain[1], {3}}
	found, err := s.Scan(t.Context(), tweakOf(t, in), outputs)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprint(f.Output, f.K, f.Labeled, f.Label))
		for name, other := range map[string]*p256k1.PrivateKey{"the scan key": s.get().key, "another key": src.key(), "the negative": spend.Negate()} {
			if k, err := f.PrivateKey(other); k != nil || !errors.Is(err, ErrKey) {
				t.Errorf("output %d with %s: %v", f.Output, name, err)
			}
		}
		k, err := f.PrivateKey(spend)
		if err != nil || [32]byte(k.PublicKey().XOnly().Bytes()) != outputs[f.Output] {
			t.Errorf("output %d: not the key, %v", f.Output, err)
		}
	}
	want := []string{"1 0 false 0", "4 0 false 0", "6 0 false 0", "2 0 true 9", "5 1 false 0", "7 1 false 0"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	hits, err := s.ScanTweaks(t.Context(), [][33]byte{[33]byte(tweakOf(t, in).Bytes())}, [][]uint64{{1, prefix(plain[0]), 2, prefix(plain[0]), 3}})
	if err != nil || !slices.Equal(hits, []Hit{{0, 3}}) {
		t.Errorf("hits %v, %v", hits, err)
	}
}

// TestNil passes keys and scanners that are nil.
func TestNil(t *testing.T) {
	src := newSource(t)
	if s, err := NewScanner(nil, src.key().PublicKey()); s != nil || !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("no scan key: %v", err)
	}
	if s, err := NewScanner(src.key(), nil); s != nil || !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("no spend key: %v", err)
	}
	if _, err := new(Found).PrivateKey(nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("no private spend key: %v", err)
	}
	for _, s := range []*Scanner{nil, {}} {
		s.Zero()
		if _, err := s.Scan(t.Context(), src.key().PublicKey(), nil); !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("Scan: %v", err)
		}
		if _, err := s.ScanTweaks(t.Context(), [][33]byte{{2}}, [][]uint64{nil}); !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("ScanTweaks: %v", err)
		}
		if _, err := s.Labeled(1); !errors.Is(err, ErrLabel) {
			t.Errorf("Labeled: %v", err)
		}
		for _, r := range []Recipient{s.Recipient(), s.Change()} {
			if !isUnset(r.Scan) || !isUnset(r.Spend) {
				t.Error("an address of no scanner")
			}
		}
	}
}

// TestNoTexts checks that encoders and decoders refuse scanners.
func TestNoTexts(t *testing.T) {
	src := newSource(t)
	scan := src.key()
	s, err := NewScanner(scan, src.key().PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{s, *s, struct{ S Scanner }{*s}, map[string]*Scanner{"s": s}, []Scanner{*s}} {
		if b, err := json.Marshal(v); !errors.Is(err, p256k1.ErrMarshal) {
			t.Errorf("JSON of %T: %s, %v", v, b, err)
		}
		if err := gob.NewEncoder(io.Discard).Encode(v); !errors.Is(err, p256k1.ErrMarshal) {
			t.Errorf("gob of %T: %v", v, err)
		}
		var text strings.Builder
		slog.New(slog.NewTextHandler(&text, nil)).Info("m", "v", v)
		slog.New(slog.NewJSONHandler(&text, nil)).Info("m", "v", v)
		if strings.Contains(text.String(), fmt.Sprintf("%x", scan.Bytes())) || strings.Contains(text.String(), fmt.Sprint(scan.Bytes())) {
			t.Errorf("log of %T: %s", v, &text)
		}
	}
	if b, err := xml.Marshal(s); !errors.Is(err, p256k1.ErrMarshal) {
		t.Errorf("XML: %s, %v", b, err)
	}
	if got := slog.AnyValue(s).Resolve().String(); got != hidden {
		t.Errorf("log value %s", got)
	}
	before := s.Recipient().Scan.String()
	for _, err := range []error{json.Unmarshal([]byte(`"x"`), s), s.UnmarshalText(nil), s.UnmarshalBinary(nil)} {
		if !errors.Is(err, p256k1.ErrMarshal) {
			t.Errorf("decoding: %v", err)
		}
	}
	if s.Recipient().Scan.String() != before {
		t.Error("decoding changed the scanner")
	}
}
