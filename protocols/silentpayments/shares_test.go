package silentpayments

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/schnorr"
)

// signers returns inputs of all eligible kinds and their keys: P2TR, P2PKH, P2WPKH, P2SH-P2WPKH, and an input that is
// not eligible.
func signers(t *testing.T) (inputs []UnsignedInput, keys []*p256k1.PrivateKey, to []Recipient) {
	for i := range 6 {
		key, err := p256k1.GenerateKey()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
		inputs = append(inputs, UnsignedInput{Index: uint32(9 - i), Key: key.PublicKey()})
	}
	hash := func(i int) []byte { return hash160(keys[i].PublicKey().Bytes()) }
	inputs[0].ScriptPubKey = slices.Concat([]byte{0x51, 0x20}, keys[0].PublicKey().XOnly().Bytes())
	inputs[1].ScriptPubKey = slices.Concat([]byte{0x76, 0xa9, 0x14}, hash(1), []byte{0x88, 0xac})
	inputs[2].ScriptPubKey = slices.Concat([]byte{0, 0x14}, hash(2))
	inputs[3].RedeemScript = slices.Concat([]byte{0, 0x14}, hash(3))
	inputs[3].ScriptPubKey = slices.Concat([]byte{0xa9, 0x14}, hash160(inputs[3].RedeemScript), []byte{0x87})
	inputs[4].ScriptPubKey, keys[4] = []byte{}, nil
	a, b := keys[5].PublicKey(), keys[0].PublicKey()
	return inputs[:5], keys[:5], []Recipient{{a, b}, {b, a}, {a, a}, {a, b}}
}

// TestShares compares the outputs from shares with the outputs of CreateOutputs, for every split of the keys among two
// signers.
func TestShares(t *testing.T) {
	inputs, keys, to := signers(t)
	want, err := CreateOutputs(plain(inputs), keys, to)
	if err != nil {
		t.Fatal(err)
	}
	check := func(shares []Share) {
		t.Helper()
		got, err := OutputsFromShares(inputs, shares, to)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if !got[i].Equal(want[i]) {
				t.Errorf("output %d differs", i)
			}
		}
	}
	global, err := CreateGlobalShares(inputs, keys, to)
	if err != nil || len(global) != 2 {
		t.Fatalf("%d shares: %v", len(global), err)
	}
	check(global)
	for mask := range 16 {
		first, second := slices.Clone(keys), slices.Clone(keys)
		for i := range 4 {
			if mask>>i&1 == 1 {
				first[i] = nil
			} else {
				second[i] = nil
			}
		}
		one, err1 := CreateShares(inputs, first, to)
		two, err2 := CreateShares(inputs, second, to)
		if err := errors.Join(err1, err2); err != nil || len(one)+len(two) != 8 {
			t.Fatalf("%d and %d shares: %v", len(one), len(two), err)
		}
		if _, err := OutputsFromShares(inputs, one, to); mask != 0 && !errors.Is(err, ErrShare) {
			t.Errorf("outputs without the shares of a signer: %v", err)
		}
		all := append(one, two...)
		check(all)
		check(append(all, one...))                          // the same shares twice
		check(append(all, global[1], Share{Input: 4}))      // a share of an input that is not eligible
		check(append(slices.Clone(all), global[0], all[7])) // both kinds for one scan key
	}
}

// TestManyShares makes shares of 150 inputs, and one of the last of them wrong.
func TestManyShares(t *testing.T) {
	src := newSource(t)
	var inputs []UnsignedInput
	var keys []*p256k1.PrivateKey
	for range 150 {
		in, key := src.input(3, false)
		inputs, keys = append(inputs, UnsignedInput{TxID: in.TxID, Index: in.Index, ScriptPubKey: in.ScriptPubKey}), append(keys, key)
	}
	to := []Recipient{{src.key().PublicKey(), src.key().PublicKey()}}
	shares, err1 := CreateShares(inputs, keys, to)
	got, err2 := OutputsFromShares(inputs, shares, to)
	want, err3 := CreateOutputs(plain(inputs), keys, to)
	if err := errors.Join(err1, err2, err3); err != nil || !got[0].Equal(want[0]) {
		t.Fatalf("%v, want %v, %v", got, want, err)
	}
	shares[140].Point = shares[139].Point
	libtest.CheckFailures(t, VerifyShares(inputs, shares), map[int]error{140: ErrShare})
}

func TestSharesRefused(t *testing.T) {
	inputs, keys, to := signers(t)
	shares, err := CreateShares(inputs, keys, to)
	if err != nil {
		t.Fatal(err)
	}
	libtest.Misread(t, keys[2])
	if none, err := CreateShares(inputs, keys, to); none != nil || !errors.Is(err, ErrKey) {
		t.Errorf("a private key that is misread in memory: %v", err)
	}
	if none, err := appendShares(nil, 2, keys[2], to); none != nil || !errors.Is(err, p256k1.ErrFault) {
		t.Errorf("a private key that is misread after it was compared: %v", err)
	}
	var unset p256k1.PublicKey
	for name, change := range map[string]func(s *Share){
		"no proof":            func(s *Share) { s.Proof = nil },
		"a short proof":       func(s *Share) { s.Proof = s.Proof[:63] },
		"a long proof":        func(s *Share) { s.Proof = append(slices.Clone(s.Proof), 0) },
		"a wrong proof":       func(s *Share) { s.Proof = slices.Concat([]byte{s.Proof[0] ^ 1}, s.Proof[1:]) },
		"another point":       func(s *Share) { s.Point = s.Point.Negate() },
		"another scan key":    func(s *Share) { s.Scan = to[1].Scan },
		"no scan key":         func(s *Share) { s.Scan = nil },
		"an unset point":      func(s *Share) { s.Point = &unset },
		"another input":       func(s *Share) { s.Input = 1 },
		"all inputs":          func(s *Share) { s.Input = All },
		"an input after all":  func(s *Share) { s.Input = len(inputs) },
		"an input before All": func(s *Share) { s.Input = All - 1 },
	} {
		bad := slices.Clone(shares)
		change(&bad[0])
		_, err := OutputsFromShares(inputs, bad, to)
		if !errors.Is(err, ErrShare) || !errors.Is(VerifyShares(inputs, bad), ErrShare) || !strings.HasSuffix(err.Error(), "(index 0)") {
			t.Errorf("%s: %v", name, err)
		}
		// A share that nobody needs is verified too.
		if _, err := OutputsFromShares(inputs, append(bad[:1], shares...), to); !errors.Is(err, ErrShare) {
			t.Errorf("%s in addition: %v", name, err)
		}
	}
	_, err = OutputsFromShares(inputs, slices.Concat(shares[:2], shares[4:6]), to)
	if !errors.Is(err, ErrShare) || !strings.Contains(err.Error(), "inputs [1 3]") {
		t.Errorf("missing shares: %v", err)
	}
}

// TestUnsignedInputs checks which inputs are errors, and that no input silently does not count.
func TestUnsignedInputs(t *testing.T) {
	h, err := p256k1.ParseXOnlyPublicKey(unspendable)
	if err != nil {
		t.Fatal(err)
	}
	root := make([]byte, 32)
	tweak := schnorr.TaggedHash("TapTweak", unspendable, root)
	output, err := h.TweakAdd(tweak[:])
	if err != nil {
		t.Fatal(err)
	}
	ofH := slices.Concat([]byte{0x51, 0x20}, output.XOnly().Bytes())
	_, _, to := signers(t)
	for name, c := range map[string]struct {
		input  int
		change func(in *UnsignedInput)
		want   error // nil if the input does not count
	}{
		"no script":                  {0, func(in *UnsignedInput) { in.ScriptPubKey = nil }, ErrKey},
		"no script of a coinbase":    {4, func(in *UnsignedInput) { *in = UnsignedInput{Index: 1<<32 - 1} }, ErrKey},
		"another key, P2PKH":         {1, func(in *UnsignedInput) { in.Key = to[0].Scan }, ErrKey},
		"another key, P2WPKH":        {2, func(in *UnsignedInput) { in.Key = to[0].Scan }, ErrKey},
		"another key, P2SH":          {3, func(in *UnsignedInput) { in.Key = to[0].Scan }, ErrKey},
		"no key, P2PKH":              {1, func(in *UnsignedInput) { in.Key = nil }, p256k1.ErrNoKey},
		"no key, P2WPKH":             {2, func(in *UnsignedInput) { in.Key = new(p256k1.PublicKey) }, p256k1.ErrNoKey},
		"no key, P2SH":               {3, func(in *UnsignedInput) { in.Key = nil }, p256k1.ErrNoKey},
		"no key and redeem script":   {3, func(in *UnsignedInput) { in.Key, in.RedeemScript = nil, nil }, p256k1.ErrNoKey},
		"another redeem script":      {3, func(in *UnsignedInput) { in.RedeemScript = []byte{0x51} }, ErrKey},
		"an empty redeem script":     {3, func(in *UnsignedInput) { in.RedeemScript = []byte{} }, ErrKey},
		"the same output":            {1, func(in *UnsignedInput) { in.Index = 9 }, ErrTwice},
		"SegWit 2":                   {4, func(in *UnsignedInput) { in.ScriptPubKey = []byte{0x52, 2, 1, 1} }, ErrNoInputs},
		"H that is not the key's":    {0, func(in *UnsignedInput) { in.InternalKey = h }, ErrKey},
		"H with another Merkle root": {0, func(in *UnsignedInput) { in.ScriptPubKey, in.InternalKey = ofH, h }, ErrKey},
		"H with half a Merkle root":  {0, func(in *UnsignedInput) { in.ScriptPubKey, in.InternalKey, in.MerkleRoot = ofH, h, root[:16] }, ErrKey},
		"H":                          {0, func(in *UnsignedInput) { in.ScriptPubKey, in.InternalKey, in.MerkleRoot = ofH, h, root }, nil},
		"multisig": {3, func(in *UnsignedInput) {
			in.RedeemScript = []byte{0x51}
			in.ScriptPubKey = slices.Concat([]byte{0xa9, 0x14}, hash160(in.RedeemScript), []byte{0x87})
		}, nil},
		"an uncompressed key": {1, func(in *UnsignedInput) { copy(in.ScriptPubKey[3:], hash160(in.Key.BytesUncompressed())) }, nil},
	} {
		inputs, keys, _ := signers(t)
		c.change(&inputs[c.input])
		err := VerifyShares(inputs, nil)
		_, err2 := OutputsFromShares(inputs, nil, to)
		if !errors.Is(err, c.want) || (c.want == nil && !errors.Is(err2, ErrShare)) || (c.want != nil && !errors.Is(err2, c.want)) {
			t.Errorf("%s: %v, %v", name, err, err2)
		}
		shares, err := CreateShares(inputs, keys, to)
		if c.want == nil && (err != nil || len(shares) != 6) {
			t.Errorf("%s: %d shares: %v", name, len(shares), err)
		}
	}
}

func TestSharesOfKeys(t *testing.T) {
	inputs, keys, to := signers(t)
	wiped, err := p256k1.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	other, err := p256k1.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	wiped.Zero()
	for i := range 4 {
		for _, c := range []struct {
			key          *p256k1.PrivateKey
			want, global error
		}{{nil, nil, p256k1.ErrNoKey}, {wiped, p256k1.ErrNoKey, p256k1.ErrNoKey}, {other, ErrKey, ErrKey}} {
			part := slices.Clone(keys)
			part[i] = c.key
			if shares, err := CreateShares(inputs, part, to); !errors.Is(err, c.want) || (err != nil) != (shares == nil) {
				t.Errorf("input %d: %v, want %v", i, err, c.want)
			}
			if shares, err := CreateGlobalShares(inputs, part, to); !errors.Is(err, c.global) || shares != nil {
				t.Errorf("input %d of all: %v, want %v", i, err, c.global)
			}
		}
	}
	if _, err := CreateShares(inputs, keys, []Recipient{{}}); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("no recipient: %v", err)
	}
	if _, err := CreateGlobalShares(inputs[4:], keys[4:], to); !errors.Is(err, ErrNoInputs) {
		t.Errorf("no eligible input: %v", err)
	}

	// The keys of two inputs add up to zero.
	minus := keys[1].Negate()
	inputs[2].Key, keys[2] = minus.PublicKey(), minus
	copy(inputs[2].ScriptPubKey[2:], hash160(minus.PublicKey().Bytes()))
	shares, err := CreateShares(inputs[1:3], keys[1:3], to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OutputsFromShares(inputs[1:3], shares, to); !errors.Is(err, ErrZeroSum) {
		t.Errorf("sum 0: %v", err)
	}
	if _, err := CreateGlobalShares(inputs[1:3], keys[1:3], to); !errors.Is(err, ErrZeroSum) {
		t.Errorf("share of sum 0: %v", err)
	}
	shares[0].Input = All
	if _, err := OutputsFromShares(inputs[1:3], shares, to); !errors.Is(err, ErrShare) {
		t.Errorf("a share of sum 0: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("CreateShares of other lengths does not panic")
		}
	}()
	CreateShares(inputs, keys[1:], to)
}

// TestSharesCopied overwrites a recipient's scan key after the shares were made, and gives a key that was never set
// beside a private key.
func TestSharesCopied(t *testing.T) {
	inputs, keys, to := signers(t)
	scan := *to[0].Scan
	to[0].Scan = &scan
	inputs[2].Key = new(p256k1.PublicKey)
	shares, err := CreateShares(inputs, keys, to)
	if err != nil {
		t.Fatal(err)
	}
	inputs[2].Key = keys[2].PublicKey()
	scan = *keys[1].PublicKey()
	if err := VerifyShares(inputs, shares); err != nil {
		t.Error(err)
	}
}
