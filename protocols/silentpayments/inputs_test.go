package silentpayments

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestKinds changes each byte that all scripts of a kind have in common.
func TestKinds(t *testing.T) {
	src := newSource(t)
	for i, fixed := range [][]int{{0, 1, 2, 23, 24}, {0, 1}, {0, 1, 22}, {0, 1}} {
		in, _ := src.input(i, true)
		if k, _ := in.kind(); k == other {
			t.Fatalf("kind %d", i)
		}
		for _, input := range fixed {
			bad := in
			bad.ScriptPubKey = slices.Clone(in.ScriptPubKey)
			bad.ScriptPubKey[input] ^= 0x80
			if k, _ := bad.kind(); k != other || keyOf(bad) != nil {
				t.Errorf("kind %d with another byte %d is of kind %v", i, input, k)
			}
		}
		long := in
		long.ScriptPubKey = append(slices.Clone(in.ScriptPubKey), 0)
		if k, _ := long.kind(); k != other {
			t.Errorf("kind %d with a byte more is of kind %v", i, k)
		}
	}
	nested, _ := src.input(2, true)
	for input := range 3 {
		bad := nested
		bad.ScriptSig = slices.Clone(nested.ScriptSig)
		bad.ScriptSig[input] ^= 0x80
		if bad.isNestedP2WPKH() || keyOf(bad) != nil {
			t.Errorf("nested with another byte %d", input)
		}
	}
	alone, key := src.input(0, false)
	alone.ScriptSig = key.PublicKey().Bytes()
	if got := keyOf(alone); got == nil || !got.Equal(key.PublicKey()) {
		t.Errorf("a script of a key alone: %v", got)
	}
}

func TestUnspendable(t *testing.T) {
	key := slices.Concat([]byte{0xc0}, unspendable)
	annex := slices.Concat([]byte{0x50}, unspendable)
	for i, c := range []struct {
		witness [][]byte
		want    bool
	}{
		{nil, false}, {[][]byte{{}}, false}, {[][]byte{{1}, {}}, false}, {[][]byte{key}, false}, {[][]byte{annex}, false},
		{[][]byte{{1}, annex}, false}, {[][]byte{{}, annex}, false}, {[][]byte{key, annex}, false},
		{[][]byte{{1}, key}, true}, {[][]byte{{1}, key, annex}, true}, {[][]byte{{1}, key, {0x50}}, true}, {[][]byte{{1}, {2}, key}, true},
		{[][]byte{{1}, key[:32:32]}, false}, {[][]byte{{1}, append(slices.Clone(key), 1)}, true}, {[][]byte{{1}, key, {0x51}}, false},
	} {
		if got := (&Input{Witness: c.witness}).isUnspendable(); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// TestLongInputs reads keys at both ends of the longest script that Bitcoin allows, and the control block of the
// deepest script tree below many other elements of a witness.
func TestLongInputs(t *testing.T) {
	in, key := newSource(t).input(0, true)
	pub := key.PublicKey().Bytes()
	other := make([]byte, 10_000-len(pub))
	for _, script := range [][]byte{append(pub, other...), append(other, pub...)} {
		in.ScriptSig = script
		if got := keyOf(in); !got.Equal(key.PublicKey()) {
			t.Errorf("%v, want %v", got, key)
		}
	}
	control := slices.Concat([]byte{0xc0}, unspendable, make([]byte, 32*128))
	for _, want := range []bool{true, false} {
		if (&Input{Witness: append(make([][]byte, 999), control)}).isUnspendable() != want {
			t.Errorf("unspendable: %t, want %t", !want, want)
		}
		control[32] ^= 1
	}
}

// TestManyInputs spends many inputs, of which the last has the smallest outpoint, and pays to the most recipients of
// two scanners in turn.
func TestManyInputs(t *testing.T) {
	src := newSource(t)
	var inputs []Input
	var keys []*p256k1.PrivateKey
	for i := range 600 {
		in, key := src.input(i, true)
		in.TxID[0] = 1
		inputs, keys = append(inputs, in), append(keys, key)
	}
	inputs[len(inputs)-1].TxID[0] = 0
	tweak, want := tweakOf(t, inputs...), oracleTweak(t, inputs)
	batch, err := TweakBatch([][]Input{inputs[:1], inputs})
	if err != nil || !bytes.Equal(tweak.Bytes(), want) || !bytes.Equal(batch[1].Bytes(), want) {
		t.Fatalf("tweak %v, batch %v, %v, want %x", tweak, batch, err, want)
	}
	var scanners [2]*Scanner
	var to []Recipient
	for i := range scanners {
		if scanners[i], err = NewScanner(src.key(), src.key().PublicKey()); err != nil {
			t.Fatal(err)
		}
	}
	for range MaxOutputs {
		to = append(to, scanners[0].Recipient(), scanners[1].Recipient())
	}
	created, err := CreateOutputs(inputs, keys, to)
	if err != nil {
		t.Fatal(err)
	}
	outputs := make([][32]byte, len(created))
	for i := range outputs {
		outputs[i] = [32]byte(created[i].Bytes())
	}
	for i, s := range scanners {
		found, err := s.Scan(t.Context(), tweak, outputs)
		if err != nil || len(found) != MaxOutputs || found[MaxOutputs-1].K != MaxOutputs-1 || found[MaxOutputs-1].Output != len(to)-2+i {
			t.Errorf("scanner %d: %d found, %v", i, len(found), err)
		}
	}
}

// TestNoPoint tries inputs whose keys encode no point, although the network accepts no such inputs. Such an input
// counts as signed, but has no key.
func TestNoPoint(t *testing.T) {
	src := newSource(t)
	in, _ := src.input(1, true)
	for i, x := range oracle.BadX() {
		b := append([]byte{2}, x[:]...)
		in.ScriptPubKey = append([]byte{0, 20}, hash160(b)...)
		in.Witness = [][]byte{in.Witness[0], b}
		if key, tweak := keyOf(in), tweakOf(t, in); key != nil || tweak != nil {
			t.Errorf("%d: %v, tweak %v", i, key, tweak)
		}
	}
}

// TestMissingScript removes the scripts of spent outputs. A nil script is an error in every function, because the input
// may be eligible, but an empty script and a coinbase are not.
func TestMissingScript(t *testing.T) {
	src := newSource(t)
	s, err := NewScanner(src.key(), src.key().PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	to := []Recipient{s.Recipient()}
	first, key := src.input(1, true)
	want := tweakOf(t, first)
	coinbase := Input{Index: 1<<32 - 1}
	if tweakOf(t, coinbase) != nil {
		t.Error("the tweak of a coinbase")
	}
	if outputs, err := CreateOutputs([]Input{coinbase}, []*p256k1.PrivateKey{nil}, to); outputs != nil || !errors.Is(err, ErrNoInputs) {
		t.Errorf("a coinbase pays: %v", err)
	}
	for i := range 4 {
		missing, other := src.input(i, true)
		missing.TxID[0] |= 1
		empty := missing
		missing.ScriptPubKey, empty.ScriptPubKey = nil, []byte{}
		unsigned, last := missing, missing
		unsigned.ScriptSig, unsigned.Witness, last.Index = nil, nil, 1<<32-1
		for _, in := range []Input{missing, unsigned, last, {}, {Index: 1}, {TxID: [32]byte{31: 1}, Index: 1<<32 - 1}} {
			if key, err := in.PublicKey(); key != nil || !errors.Is(err, ErrKey) || !strings.Contains(err.Error(), "missing") {
				t.Errorf("PublicKey: %v, %v", key, err)
			}
			later := Input{Index: 2, ScriptPubKey: append([]byte{0x52, 32}, make([]byte, 32)...)}
			for _, inputs := range [][]Input{{in}, {first, in}, {in, first}, {later, in}, {coinbase, in}} {
				tweak, err := Tweak(inputs)
				if tweak != nil || !errors.Is(err, ErrKey) {
					t.Errorf("Tweak: %v, %v", tweak, err)
				}
				tweaks, err := TweakBatch([][]Input{{first}, inputs, {first}})
				if tweaks[1] != nil || !errors.Is(err, ErrKey) || !strings.HasSuffix(err.Error(), "(index 1)") || !tweaks[0].Equal(want) || !tweaks[2].Equal(want) {
					t.Errorf("TweakBatch: %v, %v", tweaks, err)
				}
				for _, k := range []*p256k1.PrivateKey{nil, other} {
					keys := make([]*p256k1.PrivateKey, len(inputs))
					for j := range inputs {
						if keys[j] = k; inputs[j].ScriptPubKey != nil {
							keys[j] = key
						}
					}
					if outputs, err := CreateOutputs(inputs, keys, to); outputs != nil || (!errors.Is(err, ErrKey) && !errors.Is(err, ErrNoInputs)) {
						t.Errorf("CreateOutputs: %v, %v", outputs, err)
					}
				}
			}
		}
		// An output with an empty script can be spent by anyone. The input does not count, but its outpoint does.
		if key, err := empty.PublicKey(); key != nil || err != nil {
			t.Errorf("an empty script: %v, %v", key, err)
		}
		tweak := tweakOf(t, first, empty)
		if want := oracleTweak(t, []Input{first, empty}); fmt.Sprintf("%x", want) != tweak.String() {
			t.Errorf("an empty script: tweak %v, want %x", tweak, want)
		}
		outputs, err := CreateOutputs([]Input{first, empty}, []*p256k1.PrivateKey{key, nil}, to)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := s.Scan(t.Context(), tweak, [][32]byte{[32]byte(outputs[0].Bytes())}); err != nil || len(found) != 1 {
			t.Errorf("an empty script: found %v, %v", found, err)
		}
	}
}

// TestWhoseKey checks which inputs need a private key.
func TestWhoseKey(t *testing.T) {
	src := newSource(t)
	script, _ := src.input(2, false)
	script.ScriptSig = []byte{0x51} // ScriptSig is not a nested P2WPKH script
	like, _ := src.input(1, false)
	like.Witness = [][]byte{{1}, slices.Concat([]byte{2}, unspendable)} // the witness names H, but the output is not Taproot
	tests := []struct {
		name string
		in   Input
		want error
	}{{"a script", script, nil}, {"a key like H", like, p256k1.ErrNoKey}}
	for i := range 4 {
		in, _ := src.input(i, false)
		tests = append(tests, struct {
			name string
			in   Input
			want error
		}{fmt.Sprint("kind ", i), in, p256k1.ErrNoKey})
	}
	for _, c := range tests {
		if counts, err := c.in.contributes(nil); counts || !errors.Is(err, c.want) {
			t.Errorf("%s, without a key: %v, %v", c.name, counts, err)
		}
	}
}

func TestNonzero(t *testing.T) {
	for _, c := range []struct {
		b    [32]byte
		want bool
	}{{[32]byte{}, false}, {[32]byte{31: 1}, true}, {oracle.Bytes(oracle.N), false}, {oracle.Bytes(oracle.Fn.Neg(oracle.Int([]byte{1}))), true}} {
		if got := setNonzero(new(curve.Scalar), &c.b); got != c.want {
			t.Errorf("%x: %v", c.b, got)
		}
	}
}

// TestNumbers recomputes what is hashed with counters, labels and indexes of several bytes, and their text.
func TestNumbers(t *testing.T) {
	src := newSource(t)
	scan, spend := src.key(), src.key()
	for _, number := range []uint32{0, 0xff, 0x0100, MaxOutputs - 1, 0x01020304, 1<<32 - 1} {
		ser := binary.BigEndian.AppendUint32(nil, number)
		var tweak curve.Scalar
		if want := oracle.TaggedHash("BIP0352/SharedSecret", spend.PublicKey().Bytes(), ser); !setTweak(&tweak, spend.PublicKey().Bytes(), number) || !bytes.Equal(tweak.Bytes(), want[:]) {
			t.Errorf("tweak %d: %x, want %x", number, tweak.Bytes(), want)
		}
		s, err := NewScanner(scan, spend.PublicKey(), number)
		if err != nil {
			t.Fatal(err)
		}
		l := s.get().labels[len(s.get().labels)-1]
		want := oracle.TaggedHash("BIP0352/Label", scan.Bytes(), ser)
		if b := oracle.G.Mul(oracle.Fn.Add(oracle.Int(want[:]), oracle.Int(spend.Bytes()))).Compressed(); l.m != number || l.tweak != want || !bytes.Equal(l.spend.Bytes(), b) {
			t.Errorf("label %d: %x, want %x", number, l.tweak, want)
		}
		in := Input{TxID: TxID{31: 7}, Index: number}
		if o := in.outpoint(); !bytes.Equal(o[:32], in.TxID[:]) || binary.LittleEndian.Uint32(o[32:]) != number {
			t.Errorf("outpoint %d: %x", number, o)
		}
		x := spend.PublicKey().XOnly().Bytes()
		f := Found{Output: int(number >> 1), X: [32]byte(x), K: number, Labeled: true, Label: number, Tweak: [32]byte(scan.Bytes())}
		if text, err := f.MarshalText(); string(text) != fmt.Sprintf("%08x%x%08x01%08x%x", number>>1, x, number, number, scan.Bytes()) || err != nil {
			t.Errorf("%v: %s, %v", f, text, err)
		}
	}
}

func TestIsZero(t *testing.T) {
	for _, v := range []uint64{0, 1, 2, 1 << 31, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		if got, want := isZero(v), map[bool]int{true: -1, false: 0}[v == 0]; got != want {
			t.Errorf("%#x: %d, want %d", v, got, want)
		}
	}
}

// payment returns a new scanner with labels, the tweak of one input, and a function that pays from this input.
func (s source) payment(labels ...uint32) (scanner *Scanner, tweak *p256k1.PublicKey, pay func(...Recipient) [][32]byte) {
	scanner, err := NewScanner(s.key(), s.key().PublicKey(), labels...)
	if err != nil {
		s.Fatal(err)
	}
	in, key := s.input(1, true)
	return scanner, tweakOf(s, in), func(to ...Recipient) (outputs [][32]byte) {
		keys, err := CreateOutputs([]Input{in}, []*p256k1.PrivateKey{key}, to)
		if err != nil {
			s.Fatal(err)
		}
		for _, k := range keys {
			outputs = append(outputs, [32]byte(k.Bytes()))
		}
		return outputs
	}
}

// TestAlmost tries outputs that differ from a payment in one bit, or in the same bits of two words.
func TestAlmost(t *testing.T) {
	s, tweak, pay := newSource(t).payment()
	output := pay(s.Recipient())[0]
	var all [][32]byte
	for i := range 4 {
		for j := range i {
			o := output
			o[8*i+3] ^= 0x10
			o[8*j+3] ^= 0x10
			all = append(all, o)
		}
	}
	for bit := range 256 {
		o := output
		o[bit/8] ^= 1 << (bit % 8)
		all = append(all, o)
	}
	if found, err := s.Scan(t.Context(), tweak, all); err != nil || len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
	all = append(all, output)
	if found, err := s.Scan(t.Context(), tweak, all); err != nil || len(found) != 1 || found[0].Output != len(all)-1 {
		t.Errorf("found %v, %v", found, err)
	}
}

// TestOneHit tries a transaction that pays to an address and to a labelled address, both with counter 0. It also tries
// tweaks that are not points, with the output that would match if G took the place of the tweak.
func TestOneHit(t *testing.T) {
	s, tweak, pay := newSource(t).payment(6)
	labeled, err := s.Labeled(6)
	if err != nil {
		t.Fatal(err)
	}
	prefixes := []uint64{7, prefix(pay(labeled)[0]), prefix(pay(s.Recipient())[0]), 8}
	encoded := [33]byte(tweak.Bytes())
	hits, err := s.ScanTweaks(t.Context(), [][33]byte{encoded, encoded}, [][]uint64{prefixes, prefixes[:2]})
	if err != nil || !slices.Equal(hits, []Hit{{0, 2}, {1, 1}}) {
		t.Errorf("hits %v, %v", hits, err)
	}
	// The hit is in the second part. In the first part, one tweak is not a point.
	many, lists := slices.Repeat([][33]byte{encoded}, most+2), make([][]uint64, most+2)
	many[1], lists[most+1] = [33]byte{}, prefixes
	hits, err = s.ScanTweaks(t.Context(), many, lists)
	libtest.CheckFailures(t, err, map[int]error{1: p256k1.ErrPrefix})
	if !slices.Equal(hits, []Hit{{most + 1, 2}}) {
		t.Errorf("hits %v, %v", hits, err)
	}
	g := [33]byte(new(curve.Point).SetGenerator().Bytes())
	own, err := NewScanner(privateKey(t, slices.Repeat([]byte{5}, 32)), s.Recipient().Spend)
	if err != nil {
		t.Fatal(err)
	}
	w := newWork(1, 1)
	if err := own.get().key.Use(func(d curve.Scalar) error { return w.multiply(&d, [][33]byte{g}) }); err != nil {
		t.Fatal(err)
	}
	x, err := new(curve.Point).Add(&w.points[0], own.get().spend.Point()).BytesX()
	if err != nil {
		t.Fatal(err)
	}
	list := [][]uint64{{prefix([32]byte(x))}}
	if hits, err := own.ScanTweaks(t.Context(), [][33]byte{g}, list); err != nil || len(hits) != 1 {
		t.Fatalf("hits %v, %v", hits, err)
	}
	for _, bad := range [][33]byte{{}, {5}, {2: 1}, {2, 31: 1, 32: 0}} {
		if hits, err := own.ScanTweaks(t.Context(), [][33]byte{bad}, list); err == nil || len(hits) != 0 {
			t.Errorf("tweak %x: hits %v, %v", bad, hits, err)
		}
	}
}

// TestLengths passes slices that differ in length.
func TestLengths(t *testing.T) {
	for want, f := range map[string]func(){
		"ScanTweaks of 1 tweaks and prefixes for 0": func() { new(Scanner).ScanTweaks(t.Context(), make([][33]byte, 1), nil) },
		"CreateOutputs of 0 inputs and 1 keys":      func() { CreateOutputs(nil, make([]*p256k1.PrivateKey, 1), nil) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != "silentpayments: "+want {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			f()
		}()
	}
}

// TestManyLabels scans for so many labels that a scan processes only eight tweaks at a time.
func TestManyLabels(t *testing.T) {
	labels := make([]uint32, candidates/8)
	for i := range labels {
		labels[i] = uint32(i)
	}
	s, tweak, pay := newSource(t).payment(labels...)
	last, err := s.Labeled(labels[len(labels)-1])
	if err != nil {
		t.Fatal(err)
	}
	output := pay(last)[0]
	if found, err := s.Scan(t.Context(), tweak, [][32]byte{{1}, output}); err != nil || len(found) != 1 || found[0].Label != labels[len(labels)-1] {
		t.Errorf("found %v, %v", found, err)
	}
	many, lists := slices.Repeat([][33]byte{[33]byte(tweak.Bytes())}, 20), make([][]uint64, 20)
	lists[3], lists[17] = []uint64{5, prefix(output)}, []uint64{prefix(output), 5}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	hits, err := s.ScanTweaks(t.Context(), many, lists)
	runtime.ReadMemStats(&after)
	if err != nil || !slices.Equal(hits, []Hit{{3, 1}, {17, 0}}) {
		t.Errorf("hits %v, %v", hits, err)
	}
	if used, most := after.TotalAlloc-before.TotalAlloc, uint64(2*candidates*unsafe.Sizeof(curve.Point{})); used > most {
		t.Errorf("%d bytes, more than %d", used, most)
	}
}

// TestInfinity uses the spend key for which the first output would be infinity.
func TestInfinity(t *testing.T) {
	src := newSource(t)
	scan, tweak := src.key(), src.key().PublicKey()
	shared, err := tweak.TweakMul(scan.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	hash := oracle.TaggedHash("BIP0352/SharedSecret", shared.Bytes(), make([]byte, 4))
	s, err := NewScanner(scan, privateKey(t, hash[:]).PublicKey().Negate())
	if err != nil {
		t.Fatal(err)
	}
	if found, err := s.Scan(t.Context(), tweak, make([][32]byte, 2)); err != nil || len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
	if hits, err := s.ScanTweaks(t.Context(), [][33]byte{[33]byte(tweak.Bytes())}, [][]uint64{{0, 1}}); err != nil || len(hits) != 0 {
		t.Errorf("hits %v, %v", hits, err)
	}
	// The change output is P_0 + label·G, which is not infinity.
	x, err := s.get().labels[0].point.BytesX()
	if err != nil {
		t.Fatal(err)
	}
	if found, err := s.Scan(t.Context(), tweak, [][32]byte{[32]byte(x)}); err != nil || len(found) != 1 || !found[0].Labeled {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestZeroWipes(t *testing.T) {
	src := newSource(t)
	s, err := NewScanner(src.key(), src.key().PublicKey(), 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	for m, text := range map[uint32]string{0: "0 is for change", 3: "3 is not scanned for"} {
		if r, err := s.Labeled(m); r != (Recipient{}) || !errors.Is(err, ErrLabel) || !strings.Contains(err.Error(), text) {
			t.Errorf("label %d: %v", m, err)
		}
	}
	if text := fmt.Sprint(s); text != hidden {
		t.Error(text)
	}
	key, labels := s.get().key, s.get().labels
	s.Zero()
	if _, err := key.Scalar(); err == nil {
		t.Error("the scan key is still there")
	}
	for _, l := range labels {
		if l.tweak != [32]byte{} || l.point.IsInfinity() != 1 {
			t.Errorf("label %d is still there", l.m)
		}
	}
}

// TestPartSize computes the size of a part for all numbers of labels up to more than a part can have candidates.
func TestPartSize(t *testing.T) {
	for labels := range 2*candidates + 2 {
		n := partSize(labels)
		if n < 8 || n > most || (n > 8 && n*(1+labels) > candidates) || (n < most && (n+1)*(1+labels) <= candidates) {
			t.Fatalf("%d labels: %d tweaks at a time", labels, n)
		}
	}
}
