package silentpayments

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"sort"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/schnorr"
)

// vector is a test vector of BIP-352.
type vector struct {
	Comment string
	Sending []struct {
		Given struct {
			Vin        []vin
			Recipients []struct {
				Address string
				Scan    string `json:"scan_pub_key"`
				Spend   string `json:"spend_pub_key"`
				Count   int
			}
		}
		Expected struct {
			Outputs [][]string
			Sum     string   `json:"input_private_key_sum"`
			Keys    []string `json:"input_pub_keys"`
		}
	}
	Receiving []struct {
		Given struct {
			Vin         []vin
			Outputs     []string
			KeyMaterial struct {
				Spend string `json:"spend_priv_key"`
				Scan  string `json:"scan_priv_key"`
			} `json:"key_material"`
			Labels []uint32
		}
		Expected struct {
			Outputs []struct {
				Tweak     string `json:"priv_key_tweak"`
				Key       string `json:"pub_key"`
				Signature string
			}
			Count *int `json:"n_outputs"`
			Tweak string
		}
	}
}

type vin struct {
	TxID      string
	Vout      uint32
	ScriptSig string
	Witness   string `json:"txinwitness"`
	Prevout   struct{ ScriptPubKey struct{ Hex string } }
	Private   string `json:"private_key"`
}

func loadVectors(t testing.TB) (all []vector) {
	t.Helper()
	vectors.JSON(t, "bip352/send_and_receive_test_vectors.json", &all)
	if len(all) != 28 {
		t.Errorf("%d vectors", len(all))
	}
	return all
}

func privateKey(t testing.TB, b []byte) *p256k1.PrivateKey {
	t.Helper()
	k, err := p256k1.ParsePrivateKey(b)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func publicKey(t testing.TB, b []byte) *p256k1.PublicKey {
	t.Helper()
	k, err := p256k1.ParsePublicKey(b)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// stack reads a serialised witness, whose items are at most 252 bytes long.
func stack(t testing.TB, b []byte) (w [][]byte) {
	t.Helper()
	if len(b) == 0 {
		return nil
	}
	n := int(b[0])
	b = b[1:]
	for range n {
		w = append(w, b[1:1+int(b[0])])
		b = b[1+int(b[0]):]
	}
	if len(b) != 0 {
		t.Fatalf("%d bytes after a witness", len(b))
	}
	return w
}

func (v *vin) input(t testing.TB) Input {
	t.Helper()
	id := libtest.Unhex(v.TxID)
	slices.Reverse(id)
	return Input{[32]byte(id), v.Vout, libtest.Unhex(v.Prevout.ScriptPubKey.Hex), libtest.Unhex(v.ScriptSig), stack(t, libtest.Unhex(v.Witness))}
}

func TestSendingVectors(t *testing.T) {
	for _, v := range loadVectors(t) {
		for _, c := range v.Sending {
			var inputs []Input
			var keys []*p256k1.PrivateKey
			var contributed []string
			for _, in := range c.Given.Vin {
				inputs = append(inputs, in.input(t))
				keys = append(keys, privateKey(t, libtest.Unhex(in.Private)))
				if key := keyOf(inputs[len(inputs)-1]); key != nil {
					contributed = append(contributed, key.String())
				}
			}
			if !slices.Equal(contributed, c.Expected.Keys) {
				t.Errorf("%s: keys %v, want %v", v.Comment, contributed, c.Expected.Keys)
			}
			var to []Recipient
			for _, r := range c.Given.Recipients {
				for range max(1, r.Count) {
					to = append(to, Recipient{publicKey(t, libtest.Unhex(r.Scan)), publicKey(t, libtest.Unhex(r.Spend))})
				}
			}
			signed, err := CreateOutputs(inputs, keys, to)
			unsigned, err2 := CreateOutputs(strip(inputs), keys, to)
			if len(c.Expected.Outputs[0]) == 0 {
				if signed != nil || (!errors.Is(err, ErrNoInputs) && !errors.Is(err, ErrZeroSum) && !errors.Is(err, ErrTooMany)) {
					t.Errorf("%s: %v, want an error", v.Comment, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", v.Comment, err)
				continue
			}
			if got := texts(signed); !slices.ContainsFunc(c.Expected.Outputs, func(want []string) bool {
				sort.Strings(want)
				return slices.Equal(got, want)
			}) {
				t.Errorf("%s: %v, want one of %v", v.Comment, got, c.Expected.Outputs)
			}
			// For unsigned inputs, CreateOutputs returns the same outputs, or an error if only the signature shows
			// which key an input has.
			if err2 == nil && !slices.Equal(texts(unsigned), texts(signed)) {
				t.Errorf("%s: unsigned %v", v.Comment, unsigned)
			} else if err2 != nil && !errors.Is(err2, ErrKey) {
				t.Errorf("%s: unsigned: %v", v.Comment, err2)
			}
		}
	}
}

// strip returns the inputs as they are before signing. Only script-path spends with H keep their witness.
func strip(inputs []Input) (all []Input) {
	for _, in := range inputs {
		if !in.isUnspendable() {
			in.Witness = nil
		}
		in.ScriptSig = nil
		all = append(all, in)
	}
	return all
}

func texts(keys []*p256k1.XOnlyPublicKey) (all []string) {
	for _, k := range keys {
		all = append(all, k.String())
	}
	sort.Strings(all)
	return all
}

func TestReceivingVectors(t *testing.T) {
	msg, aux := [32]byte(libtest.Unhex("12a3e8bd2bb0e0a4c3a5a0a9dd5dcf6dfd8a7f4ab2db5f2dd1c7e1f0a4ac1a7e")), [32]byte{}
	found := 0
	for _, v := range loadVectors(t) {
		for _, c := range v.Receiving {
			var inputs []Input
			for _, in := range c.Given.Vin {
				inputs = append(inputs, in.input(t))
			}
			spend := privateKey(t, libtest.Unhex(c.Given.KeyMaterial.Spend))
			s, err := NewScanner(privateKey(t, libtest.Unhex(c.Given.KeyMaterial.Scan)), spend.PublicKey(), c.Given.Labels...)
			if err != nil {
				t.Fatal(err)
			}
			tweak := tweakOf(t, inputs...)
			if text := c.Expected.Tweak; (tweak == nil) != (text == "") || (tweak != nil && tweak.String() != text) {
				t.Errorf("%s: tweak %v, want %s", v.Comment, tweak, text)
			}
			var outputs [][32]byte
			var prefixes []uint64
			for _, o := range c.Given.Outputs {
				x := [32]byte(libtest.Unhex(o))
				outputs = append(outputs, x)
				prefixes = append(prefixes, prefix(x))
			}
			got, err := s.Scan(t.Context(), tweak, outputs)
			if err != nil {
				t.Fatal(err)
			}
			if n := c.Expected.Count; n != nil {
				if len(got) != *n {
					t.Errorf("%s: %d found, want %d", v.Comment, len(got), *n)
				}
			} else if len(got) != len(c.Expected.Outputs) {
				t.Errorf("%s: %v found, want %v", v.Comment, got, c.Expected.Outputs)
			}
			for _, f := range got {
				found++
				priv, err := f.PrivateKey(spend)
				if err != nil || !bytes.Equal(priv.PublicKey().XOnly().Bytes(), outputs[f.Output][:]) {
					t.Fatalf("%s: %v, or not the key of output %d", v.Comment, err, f.Output)
				}
				if sig, err := schnorr.Sign(priv, msg[:], &schnorr.Options{AuxRand: &aux}); err != nil || !schnorr.VerifyBytes(outputs[f.Output][:], msg[:], sig[:]) {
					t.Errorf("%s: output %d cannot be spent: %v", v.Comment, f.Output, err)
				}
				if c.Expected.Count != nil {
					continue
				}
				if !slices.ContainsFunc(c.Expected.Outputs, func(o struct {
					Tweak     string `json:"priv_key_tweak"`
					Key       string `json:"pub_key"`
					Signature string
				}) bool {
					return o.Key == c.Given.Outputs[f.Output] && o.Tweak == hex.EncodeToString(f.Tweak[:])
				}) {
					t.Errorf("%s: output %d by %x is not expected", v.Comment, f.Output, f.Tweak)
				}
			}
			// A client of an index server finds the transaction if and only if it pays to the scanner.
			if tweak != nil {
				hits, err := s.ScanTweaks(t.Context(), [][33]byte{[33]byte(tweak.Bytes())}, [][]uint64{prefixes})
				if err != nil || (len(hits) == 1) != (len(got) > 0) {
					t.Errorf("%s: hits %v, %v", v.Comment, hits, err)
				}
				flipped(t, s, tweak, outputs, got)
			}
		}
	}
	if found < 2323+25 {
		t.Errorf("%d outputs found", found)
	}
}

// flipped checks that Scan finds one output fewer after a bit of an output is flipped, and finds no output with the
// negated tweak.
func flipped(t *testing.T, s *Scanner, tweak *p256k1.PublicKey, outputs [][32]byte, found []Found) {
	t.Helper()
	if len(found) == 0 || len(found) > 100 {
		return
	}
	last := found[len(found)-1]
	for bit := range 256 {
		others := slices.Clone(outputs)
		others[last.Output][bit/8] ^= 1 << (bit % 8)
		if got, err := s.Scan(t.Context(), tweak, others); err != nil || len(got) != len(found)-1 {
			t.Fatalf("with a flipped bit: %d found, %v", len(got), err)
		}
	}
	if got, err := s.Scan(t.Context(), tweak.Negate(), outputs); err != nil || len(got) != 0 {
		t.Fatalf("with the negated tweak: %d found, %v", len(got), err)
	}
}
