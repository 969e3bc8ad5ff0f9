package silentpayments

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// simple returns what a scan finds by the definition: for each counter, it compares each candidate, without a label and
// with each label, with each output, until a counter has no output.
func simple(t testing.TB, s *Scanner, tweak *p256k1.PublicKey, outputs [][32]byte) (all []Found) {
	t.Helper()
	shared, err := tweak.TweakMul(s.get().key.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	spend, ok := oracle.DecodePoint(s.get().spend.Bytes())
	if !ok {
		t.Fatal(s.get().spend)
	}
	for k := uint32(0); k < MaxOutputs; k++ {
		hash := oracle.TaggedHash("BIP0352/SharedSecret", shared.Bytes(), binary.BigEndian.AppendUint32(nil, k))
		n := len(all)
		for i := -1; i < len(s.get().labels); i++ {
			f := Found{K: k}
			sum := oracle.Int(hash[:])
			if i >= 0 {
				l := s.get().labels[i]
				f.Labeled, f.Label = true, l.m
				sum = oracle.Fn.Add(sum, oracle.Int(l.tweak[:]))
			}
			f.Tweak = oracle.Bytes(sum)
			f.X = [32]byte(spend.Add(oracle.G.Mul(sum)).Compressed()[1:])
			for f.Output = range outputs {
				if outputs[f.Output] == f.X {
					all = append(all, f)
				}
			}
		}
		if len(all) == n {
			break
		}
	}
	return all
}

// same returns outputs that pay to each of the addresses with the same counter k, as honest senders never do.
func (s source) same(in Input, key *p256k1.PrivateKey, k int, to ...Recipient) (outputs [][32]byte) {
	for _, r := range to {
		keys, err := CreateOutputs([]Input{in}, []*p256k1.PrivateKey{key}, slices.Repeat([]Recipient{r}, k+1))
		if err != nil {
			s.Fatal(err)
		}
		outputs = append(outputs, [32]byte(keys[k].Bytes()))
	}
	return outputs
}

// TestSimple compares Scan with the definition for random transactions, in which outputs occur twice, a counter has
// several addresses, a counter is left out, and the number of labels is below and above twice the number of outputs.
func TestSimple(t *testing.T) {
	src := newSource(t)
	r := rand.New(rand.NewChaCha8([32]byte{2}))
	total, repeated := 0, 0
	for _, labels := range []int{0, 1, 3, 10, 60} {
		var m []uint32
		for i := range labels {
			m = append(m, uint32(3*i+1))
		}
		s, err := NewScanner(src.key(), src.key().PublicKey(), m...)
		if err != nil {
			t.Fatal(err)
		}
		for range 12 {
			in, key := src.input(1, true)
			var outputs [][32]byte
			for k := range r.IntN(6) {
				if k > 0 && r.IntN(12) == 0 {
					continue // Scan stops at the missing counter
				}
				for range 1 + r.IntN(2) {
					to := s.Recipient()
					if i := r.IntN(labels + 2); i < labels {
						to, err = s.Labeled(m[i])
					} else if i == labels {
						to = s.Change()
					}
					if err != nil {
						t.Fatal(err)
					}
					outputs = append(outputs, slices.Repeat(src.same(in, key, k, to), 1+r.IntN(2))...)
				}
			}
			for range r.IntN(6) {
				var other [32]byte // half of these are no x coordinates
				src.Read(other[:])
				outputs = append(outputs, other)
			}
			r.Shuffle(len(outputs), func(i, j int) { outputs[i], outputs[j] = outputs[j], outputs[i] })
			tweak := tweakOf(t, in)
			want := simple(t, s, tweak, outputs)
			got, err := s.Scan(t.Context(), tweak, outputs)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%d labels: found %v, %v, want %v", labels, got, err, want)
			}
			total += len(want)
			for i := 1; i < len(want); i++ {
				if want[i].K == want[i-1].K {
					repeated++
				}
			}
		}
	}
	if total < 100 || repeated < 30 {
		t.Errorf("%d outputs, %d with the counter of another", total, repeated)
	}
}

// TestLaterCounters tries outputs that share a counter at the counters where a search stops trying all labels.
func TestLaterCounters(t *testing.T) {
	src := newSource(t)
	s, err := NewScanner(src.key(), src.key().PublicKey(), 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	one, err1 := s.Labeled(1)
	two, err2 := s.Labeled(2)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	in, key := src.input(1, true)
	tweak := tweakOf(t, in)
	var outputs [][32]byte
	for k := range thorough + 4 {
		to := []Recipient{s.Recipient()}
		switch k {
		case 3:
			to = append(to, one) // from now on, label 1 is tried with every counter
		case thorough - 1, thorough, thorough + 1:
			to = append(to, one)
		case thorough + 2:
			to = []Recipient{two} // a new label alone
		}
		outputs = append(outputs, src.same(in, key, k, to...)...)
	}
	slices.Reverse(outputs)
	got, err := s.Scan(t.Context(), tweak, outputs)
	if want := simple(t, s, tweak, outputs); err != nil || len(want) != len(outputs) || !slices.Equal(got, want) {
		t.Errorf("found %v, %v, want %v", got, err, want)
	}
	// A label that was not paid before, beside another output of a later counter, is left out. No other program finds
	// such an output either, because BIP-352 goes on to the next counter after one output.
	more := append(slices.Clone(outputs), src.same(in, key, thorough, s.Change())...)
	if got, err := s.Scan(t.Context(), tweak, more); err != nil || len(got) != len(outputs) {
		t.Errorf("found %d, %v, want %d", len(got), err, len(outputs))
	}
}

// hostile returns a scanner with n labels, and a transaction with as many outputs as a block can hold, in reverse
// order. MaxOutputs of the outputs pay to one address.
func (s source) hostile(n int, labeled bool) (*Scanner, *p256k1.PublicKey, [][32]byte) {
	labels := make([]uint32, n)
	for i := range labels {
		labels[i] = uint32(i + 1)
	}
	scanner, tweak, pay := s.payment(labels...)
	to := scanner.Recipient()
	if labeled {
		var err error
		if to, err = scanner.Labeled(labels[n/2]); err != nil {
			s.Fatal(err)
		}
	}
	outputs := pay(slices.Repeat([]Recipient{to}, MaxOutputs)...)
	for len(outputs) < 23255 {
		var other [32]byte
		s.Read(other[:])
		outputs = append(outputs, other)
	}
	slices.Reverse(outputs)
	return scanner, tweak, outputs
}

// TestWork counts the additions of points for hostile transactions. Before, each label cost an addition and 23,255
// comparisons for each of the 2,323 counters.
func TestWork(t *testing.T) {
	for _, c := range []struct {
		labels  int
		labeled bool
	}{{0, false}, {100, false}, {100, true}, {1000, false}, {1000, true}} {
		src := newSource(t)
		s, tweak, outputs := src.hostile(c.labels, c.labeled)
		f, err := s.get().search(t.Context(), tweak, outputs)
		if err != nil || len(f.found) != MaxOutputs {
			t.Fatalf("%v: %d found, %v", c, len(f.found), err)
		}
		for i, one := range f.found {
			if one.Output != len(outputs)-1-i || one.K != uint32(i) || one.Labeled != c.labeled {
				t.Fatalf("%v: output %d is %v", c, i, one)
			}
		}
		// Each counter has a candidate, and a second one after a label was paid. The first counters try all labels.
		if most := 2*MaxOutputs + (thorough+1)*(c.labels+2); f.added > most {
			t.Errorf("%v: %d additions, more than %d", c, f.added, most)
		}
		probes := 0
		for i, place := range f.outputs.slots {
			if place == 0 {
				continue
			}
			hash := f.outputs.key.Sum(f.outputs.list[place-1][:])
			probes += (i - int(binary.LittleEndian.Uint64(hash[:])%uint64(len(f.outputs.slots))) + len(f.outputs.slots)) % len(f.outputs.slots)
		}
		if probes > len(outputs) {
			t.Errorf("%v: %d outputs are %d slots from the slots of their hashes", c, len(outputs), probes)
		}
	}
	// With more labels than outputs, the work does not depend on the labels.
	src := newSource(t)
	s, tweak, outputs := src.hostile(4000, true)
	for _, outputs := range [][][32]byte{outputs[len(outputs)-2:], outputs[len(outputs)-40:]} {
		f, err := s.get().search(t.Context(), tweak, outputs)
		n := len(outputs)
		if most := 2*n*(thorough+2) + 2*(n+1) + 2*thorough; err != nil || len(f.found) != n || f.added > most {
			t.Errorf("%d found, %v, %d additions, more than %d", len(f.found), err, f.added, most)
		}
	}
}

// TestTable looks up values in tables with values that occur many times.
func TestTable(t *testing.T) {
	for n := range 40 {
		list := make([][32]byte, n)
		for i := range list {
			list[i][31] = byte(i * i % 7)
		}
		table := newTable(list)
		for v := range byte(8) {
			var got, want []int
			for place, _ := table.first([]byte{31: v}); place != 0; place = table.next[place-1] {
				got = append(got, place-1)
			}
			for i := range list {
				if list[i][31] == v {
					want = append(want, i)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d values: %d is at %v, want %v", n, v, got, want)
			}
		}
	}
	if first, second := newTable(nil), newTable(nil); first.key == second.key {
		t.Error("two tables with one key")
	}
}

// countdown is a context that is done after its Err method was called n times.
type countdown struct {
	context.Context
	n int
}

func (c *countdown) Err() error {
	if c.n--; c.n < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestContext checks that scans stop soon after the context is done, and return nothing.
func TestContext(t *testing.T) {
	src := newSource(t)
	s, tweak, pay := src.payment(1)
	outputs := pay(slices.Repeat([]Recipient{s.Recipient()}, 20)...)
	tweaks, prefixes := slices.Repeat([][33]byte{[33]byte(tweak.Bytes())}, 3*most), slices.Repeat([][]uint64{{prefix(outputs[0])}}, 3*most)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for n, c := range []struct {
		ctx  context.Context
		want string
		is   error
	}{
		{nil, "silentpayments: the context is nil", nil},
		{done, "silentpayments: context canceled", context.Canceled},
		{&countdown{t.Context(), 2}, "silentpayments: context deadline exceeded", context.DeadlineExceeded},
		{&countdown{t.Context(), 2}, "silentpayments: context deadline exceeded", context.DeadlineExceeded},
	} {
		if n != 3 {
			if found, err := s.Scan(c.ctx, tweak, outputs); found != nil || fmt.Sprint(err) != c.want || (c.is != nil && !errors.Is(err, c.is)) {
				t.Errorf("Scan: %v, %v, want %s", found, err, c.want)
			}
		}
		if n != 2 {
			if hits, err := s.ScanTweaks(c.ctx, tweaks, prefixes); hits != nil || fmt.Sprint(err) != c.want || (c.is != nil && !errors.Is(err, c.is)) {
				t.Errorf("ScanTweaks: %v, %v, want %s", hits, err, c.want)
			}
		}
	}
	// A context that is done after the last counter and the last tweaks changes nothing.
	if found, err := s.Scan(&countdown{t.Context(), 22}, tweak, outputs); err != nil || len(found) != 20 {
		t.Errorf("Scan: %d found, %v", len(found), err)
	}
	if hits, err := s.ScanTweaks(&countdown{t.Context(), 3}, tweaks, prefixes); err != nil || len(hits) != len(tweaks) {
		t.Errorf("ScanTweaks: %d hits, %v", len(hits), err)
	}
}

// BenchmarkScan scans a transaction of two outputs, and the hostile transaction of TestWork.
func BenchmarkScan(b *testing.B) {
	for _, labels := range []int{0, 100, 10000} {
		s, tweak, outputs := newSource(b).hostile(labels, false)
		for name, outputs := range map[string][][32]byte{"2 outputs": outputs[:2], "hostile": outputs} {
			b.Run(fmt.Sprintf("%s, %d labels", name, labels), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := s.Scan(b.Context(), tweak, outputs); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
