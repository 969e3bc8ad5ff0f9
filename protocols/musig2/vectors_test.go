package musig2

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
	"p256k1.mleku.dev/v2/schnorr"
)

// This file tests the vectors of BIP-327. It belongs to the package itself, because the vectors contain secret nonces,
// for which the package exports no encoding.

// fault is the error that an error case expects.
type fault struct {
	Type    string
	Signer  *int
	Contrib string
}

// vector is a test case from one of the vector files.
type vector struct {
	Keys     []int  `json:"key_indices"`
	Nonces   []int  `json:"nonce_indices"`
	PNonces  []int  `json:"pnonce_indices"`
	Tweaks   []int  `json:"tweak_indices"`
	Sigs     []int  `json:"psig_indices"`
	IsXOnly  []bool `json:"is_xonly"`
	Agg      int    `json:"aggnonce_index"`
	Msg      int    `json:"msg_index"`
	Sec      int    `json:"secnonce_index"`
	Signer   *int   `json:"signer_index"`
	Nonce    string `json:"aggnonce"`
	Sig      string
	Error    fault
	Comment  string
	Expected string
}

type file struct {
	SK      string
	Pubkeys []string
	Sec     []string `json:"secnonces"`
	OneSec  string   `json:"secnonce"`
	PNonces []string
	Agg     []string `json:"aggnonces"`
	OneAgg  string   `json:"aggnonce"`
	Tweaks  []string
	PSigs   []string
	Msgs    []string
	Msg     string
	Sorted  []string `json:"sorted_pubkeys"`
	Valid   []vector `json:"valid_test_cases"`
	Bad     []vector `json:"error_test_cases"`
	SignBad []vector `json:"sign_error_test_cases"`
	Fail    []vector `json:"verify_fail_test_cases"`
	VerBad  []vector `json:"verify_error_test_cases"`
}

func load(t *testing.T, name string) (f file) {
	vectors.JSON(t, "bip327/"+name+"_vectors.json", &f)
	return f
}

// pick calls f with the list elements at the indices. An error blames the signer with the position of the index.
func pick[T any](t *testing.T, list []string, indices []int, f func([]byte) (T, error)) (all []T, err error) {
	for i, index := range indices {
		v, err := f(libtest.Unhex(list[index]))
		if err != nil {
			return nil, blame([]int{i}, err)
		}
		all = append(all, v)
	}
	return all, nil
}

// keySet aggregates the keys of a vector, and applies its tweaks.
func (f *file) keySet(t *testing.T, v *vector) (*KeySet, error) {
	keys, err := pick(t, f.Pubkeys, v.Keys, p256k1.ParsePublicKey)
	if err != nil {
		return nil, err
	}
	s, err := Aggregate(keys)
	for i, index := range v.Tweaks {
		if err == nil {
			s, err = s.tweak(libtest.Unhex(f.Tweaks[index]), v.IsXOnly[i])
		}
	}
	return s, err
}

// blames fails the test unless err is the error that the vector expects.
func (v *vector) blames(t *testing.T, err error) {
	t.Helper()
	var who *protocols.BlameError
	switch {
	case err == nil:
		t.Errorf("%s: no error", v.Comment)
	case v.Error.Signer == nil && errors.As(err, &who), v.Error.Signer != nil && (!errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{uint32(*v.Error.Signer)})):
		t.Errorf("%s: %v", v.Comment, err)
	}
}

func TestKeySort(t *testing.T) {
	f := load(t, "key_sort")
	all := make([]int, len(f.Pubkeys))
	for i := range all {
		all[i] = i
	}
	keys, err := pick(t, f.Pubkeys, all, p256k1.ParsePublicKey)
	if err != nil || len(keys) != 6 {
		t.Fatal(err)
	}
	before := slices.Clone(keys)
	for i, key := range Sort(keys) {
		if !bytes.Equal(key.Bytes(), libtest.Unhex(f.Sorted[i])) {
			t.Errorf("%d: %x", i, key.Bytes())
		}
	}
	if !slices.Equal(before, keys) {
		t.Error("the slice was reordered")
	}
}

func TestKeyAgg(t *testing.T) {
	f := load(t, "key_agg")
	if len(f.Valid) != 4 || len(f.Bad) != 5 {
		t.Fatal(len(f.Valid), len(f.Bad))
	}
	for _, v := range f.Valid {
		s, err := f.keySet(t, &v)
		if err != nil || !bytes.Equal(s.PublicKey().XOnly().Bytes(), libtest.Unhex(v.Expected)) {
			t.Errorf("%v: %v", v.Keys, err)
		}
	}
	for _, v := range f.Bad {
		_, err := f.keySet(t, &v)
		v.blames(t, err)
		if infinity := strings.Contains(v.Comment, "infinity"); infinity != errors.Is(err, p256k1.ErrInfinity) {
			t.Error(err)
		}
	}
}

func TestNonceGen(t *testing.T) {
	var f struct {
		Cases []struct {
			Rand  string `json:"rand_"`
			SK    *string
			PK    string
			AggPK *string
			Msg   *string
			Extra *string `json:"extra_in"`
			Sec   string  `json:"expected_secnonce"`
			Pub   string  `json:"expected_pubnonce"`
		} `json:"test_cases"`
	}
	vectors.JSON(t, "bip327/nonce_gen_vectors.json", &f)
	optional := func(s *string) []byte {
		if s == nil {
			return nil
		}
		return append([]byte{}, libtest.Unhex(*s)...)
	}
	if len(f.Cases) != 4 {
		t.Fatal(len(f.Cases))
	}
	for i, c := range f.Cases {
		random := [32]byte(libtest.Unhex(c.Rand))
		if c.SK != nil {
			priv, err := p256k1.ParsePrivateKey(libtest.Unhex(*c.SK))
			if err != nil {
				t.Fatal(err)
			}
			d, _ := priv.Scalar()
			nonce.Mask(&random, d, auxTag.Sum(random[:]))
		}
		var s secrets
		copy(s.signer[:], libtest.Unhex(c.PK))
		s.Generate(&nonceTag, &random, s.signer[:], optional(c.AggPK), optional(c.Msg), optional(c.Extra))
		if err := s.Finish(); err != nil {
			t.Fatal(err)
		}
		got := slices.Concat(s.K[0].Bytes(), s.K[1].Bytes(), s.signer[:])
		if !bytes.Equal(got, libtest.Unhex(c.Sec)) || !bytes.Equal(s.Pub.Encoded[:], libtest.Unhex(c.Pub)) {
			t.Errorf("%d: %x %x", i, got, s.Pub.Encoded[:])
		}
	}
}

func TestNonceAgg(t *testing.T) {
	f := load(t, "nonce_agg")
	if len(f.Valid) != 2 || len(f.Bad) != 3 {
		t.Fatal(len(f.Valid), len(f.Bad))
	}
	for _, v := range f.Valid {
		nonces, err := pick(t, f.PNonces, v.PNonces, ParsePublicNonce)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := AggregateNonces(nonces)
		if err != nil || !bytes.Equal(sum.Bytes(), libtest.Unhex(v.Expected)) {
			t.Errorf("%x, %v", sum.Bytes(), err)
		}
		if again, err := ParseAggregateNonce(sum.Bytes()); err != nil || again.p.Encoded != sum.p.Encoded {
			t.Error(err)
		}
	}
	for _, v := range f.Bad {
		_, err := pick(t, f.PNonces, v.PNonces, ParsePublicNonce)
		v.blames(t, err)
	}
}

// secret returns the secret nonce of a vector.
func secretNonce(t *testing.T, text string) *SecretNonce {
	b := libtest.Unhex(text)
	s := new(secrets)
	for i := range s.K {
		if _, err := s.K[i].SetBytes(b[32*i : 32*i+32]); err != nil {
			t.Fatal(err)
		}
	}
	s.signer = [33]byte(b[64:])
	s.Finish()
	n := &SecretNonce{state: new(atomic.Pointer[secrets])}
	n.state.Store(s)
	return n
}

func TestSignVerify(t *testing.T) {
	f := load(t, "sign_verify")
	priv, err := p256k1.ParsePrivateKey(libtest.Unhex(f.SK))
	if err != nil || len(f.Valid) != 6 || len(f.SignBad) != 6 || len(f.Fail) != 3 || len(f.VerBad) != 2 {
		t.Fatal(err, len(f.Valid), len(f.SignBad), len(f.Fail), len(f.VerBad))
	}
	session := func(v *vector, sum string) (*Session, error) {
		keys, err := f.keySet(t, v)
		if err != nil {
			return nil, err
		}
		nonce, err := ParseAggregateNonce(libtest.Unhex(sum))
		if err != nil {
			return nil, err
		}
		return NewSession(keys, nonce, libtest.Unhex(f.Msgs[v.Msg]))
	}
	for _, v := range f.Valid {
		s, err := session(&v, f.Agg[v.Agg])
		if err != nil {
			t.Fatal(err)
		}
		nonces, err := pick(t, f.PNonces, v.Nonces, ParsePublicNonce)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := AggregateNonces(nonces)
		if err != nil || !bytes.Equal(sum.Bytes(), libtest.Unhex(f.Agg[v.Agg])) {
			t.Error(err)
		}
		sig, err := s.Sign(secretNonce(t, f.Sec[0]), priv)
		if err != nil || !bytes.Equal(sig.Bytes(), libtest.Unhex(v.Expected)) {
			t.Errorf("%x, %v", sig.Bytes(), err)
		}
		if !s.VerifyPartial(sig, nonces[*v.Signer], priv.PublicKey()) {
			t.Error("a valid partial signature is refused")
		}
	}
	for _, v := range f.SignBad {
		s, err := session(&v, f.Agg[v.Agg])
		if err == nil {
			_, err = s.Sign(secretNonce(t, f.Sec[v.Sec]), priv)
		}
		v.blames(t, err)
	}
	for _, v := range append(f.Fail, f.VerBad...) {
		nonces, err := pick(t, f.PNonces, v.Nonces, ParsePublicNonce)
		var keys *KeySet
		if err == nil {
			keys, err = f.keySet(t, &v)
		}
		if v.Error.Type != "" {
			v.blames(t, err)
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		sig, err := ParsePartialSignature(libtest.Unhex(v.Sig))
		if strings.Contains(v.Comment, "exceeds group size") {
			if !errors.Is(err, p256k1.ErrRange) {
				t.Error(err)
			}
			continue
		}
		sum, err := AggregateNonces(nonces)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSession(keys, sum, libtest.Unhex(f.Msgs[v.Msg]))
		if err != nil {
			t.Fatal(err)
		}
		key, err := p256k1.ParsePublicKey(libtest.Unhex(f.Pubkeys[v.Keys[*v.Signer]]))
		if err != nil || s.VerifyPartial(sig, nonces[*v.Signer], key) {
			t.Errorf("%s: %v", v.Comment, err)
		}
	}
}

func TestTweaks(t *testing.T) {
	f := load(t, "tweak")
	priv, err := p256k1.ParsePrivateKey(libtest.Unhex(f.SK))
	if err != nil || len(f.Valid) != 5 || len(f.Bad) != 1 {
		t.Fatal(err, len(f.Valid), len(f.Bad))
	}
	nonce, err := ParseAggregateNonce(libtest.Unhex(f.OneAgg))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range f.Valid {
		keys, err := f.keySet(t, &v)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSession(keys, nonce, libtest.Unhex(f.Msg))
		if err != nil {
			t.Fatal(err)
		}
		if sig, err := s.Sign(secretNonce(t, f.OneSec), priv); err != nil || !bytes.Equal(sig.Bytes(), libtest.Unhex(v.Expected)) {
			t.Errorf("%s: %x, %v", v.Comment, sig.Bytes(), err)
		}
	}
	for _, v := range f.Bad {
		_, err := f.keySet(t, &v)
		v.blames(t, err)
	}
}

func TestSigAgg(t *testing.T) {
	f := load(t, "sig_agg")
	if len(f.Valid) != 4 || len(f.Bad) != 1 {
		t.Fatal(len(f.Valid), len(f.Bad))
	}
	msg := libtest.Unhex(f.Msg)
	for _, v := range append(f.Valid, f.Bad...) {
		keys, err := f.keySet(t, &v)
		if err != nil {
			t.Fatal(err)
		}
		nonces, err := pick(t, f.PNonces, v.Nonces, ParsePublicNonce)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := AggregateNonces(nonces)
		if err != nil || !bytes.Equal(sum.Bytes(), libtest.Unhex(v.Nonce)) {
			t.Fatal(err)
		}
		s, err := NewSession(keys, sum, msg)
		if err != nil {
			t.Fatal(err)
		}
		sigs, err := pick(t, f.PSigs, v.Sigs, ParsePartialSignature)
		if v.Error.Type != "" {
			v.blames(t, err)
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		got, err := s.Combine(sigs, nonces)
		if err != nil || !bytes.Equal(got[:], libtest.Unhex(v.Expected)) || !schnorr.Verify(keys.PublicKey().XOnly(), msg, got[:]) {
			t.Errorf("%x, %v", got, err)
		}
		for i := range sigs {
			bad := slices.Clone(sigs)
			bad[i].s.Negate(&bad[i].s)
			var who *protocols.BlameError
			if _, err := s.Combine(bad, nonces); !errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{uint32(i)}) || !errors.Is(err, ErrPartialSignature) {
				t.Errorf("signer %d: %v", i, err)
			}
		}
	}
}

func TestDetSign(t *testing.T) {
	var f struct {
		SK      string
		Pubkeys []string
		Msgs    []string
		Valid   []struct {
			Rand     *string
			Others   string `json:"aggothernonce"`
			Keys     []int  `json:"key_indices"`
			Tweaks   []string
			IsXOnly  []bool `json:"is_xonly"`
			Msg      int    `json:"msg_index"`
			Expected []string
			Error    fault
			Comment  string
		} `json:"valid_test_cases"`
	}
	count := 0
	for _, part := range []string{"valid_test_cases", "error_test_cases"} {
		var parts map[string]any
		vectors.JSON(t, "bip327/det_sign_vectors.json", &parts)
		vectors.JSON(t, "bip327/det_sign_vectors.json", &f)
		if part == "error_test_cases" {
			var bad struct {
				Valid *[]struct {
					Rand     *string
					Others   string `json:"aggothernonce"`
					Keys     []int  `json:"key_indices"`
					Tweaks   []string
					IsXOnly  []bool `json:"is_xonly"`
					Msg      int    `json:"msg_index"`
					Expected []string
					Error    fault
					Comment  string
				} `json:"error_test_cases"`
			}
			f.Valid = nil
			bad.Valid = &f.Valid
			vectors.JSON(t, "bip327/det_sign_vectors.json", &bad)
		}
		priv, err := p256k1.ParsePrivateKey(libtest.Unhex(f.SK))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Valid {
			count++
			v := vector{Keys: c.Keys, IsXOnly: c.IsXOnly, Error: c.Error, Comment: c.Comment}
			for i := range c.Tweaks {
				v.Tweaks = append(v.Tweaks, i)
			}
			pub, sig, err := func() (pub PublicNonce, sig PartialSignature, err error) {
				keys, err := (&file{Pubkeys: f.Pubkeys, Tweaks: c.Tweaks}).keySet(t, &v)
				if err != nil {
					return pub, sig, err
				}
				others, err := ParseAggregateNonce(libtest.Unhex(c.Others))
				if err != nil {
					return pub, sig, err
				}
				var aux *[32]byte
				if c.Rand != nil {
					aux = (*[32]byte)(libtest.Unhex(*c.Rand))
				}
				return SignDeterministic(priv, others, keys, libtest.Unhex(f.Msgs[c.Msg]), aux)
			}()
			if part == "error_test_cases" {
				v.blames(t, err)
			} else if err != nil || !bytes.Equal(pub.Bytes(), libtest.Unhex(c.Expected[0])) || !bytes.Equal(sig.Bytes(), libtest.Unhex(c.Expected[1])) {
				t.Errorf("%s: %x %x, %v", c.Comment, pub.Bytes(), sig.Bytes(), err)
			}
		}
	}
	if count != 9 {
		t.Errorf("%d cases", count)
	}
}

// TestExtendedKey tests the first of BIP-328's vectors.
func TestExtendedKey(t *testing.T) {
	var keys []*p256k1.PublicKey
	for _, s := range []string{"03935F972DA013F80AE011890FA89B67A27B7BE6CCB24D3274D18B2D4067F261A9", "02F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9"} {
		key, err := p256k1.ParsePublicKey(libtest.Unhex(s))
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	s, err := Aggregate(keys)
	if err != nil || hex.EncodeToString(s.PublicKey().Bytes()) != "0354240c76b8f2999143301a99c7f721ee57eee0bce401df3afeaa9ae218c70f23" {
		t.Fatalf("%v", err)
	}
	got, err := s.ExtendedKey([4]byte{0x04, 0x88, 0xb2, 0x1e})
	if err != nil {
		t.Fatal(err)
	}
	const want = "xpub661MyMwAqRbcFt6tk3uaczE1y6EvM1TqXvawXcYmFEWijEM4PDBnuCXwwXEKGEouzXE6QLLRxjatMcLLzJ5LV5Nib1BN7vJg6yp45yHHRbm"
	v := new(big.Int)
	for _, c := range want {
		v.Mul(v, big.NewInt(58)).Add(v, big.NewInt(int64(strings.IndexRune("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", c))))
	}
	if decoded := v.FillBytes(make([]byte, 82)); !bytes.Equal(decoded[:78], got[:]) {
		t.Errorf("%x, want %x", got, decoded[:78])
	}
	if _, err := s.Derive(1 << 31); !errors.Is(err, p256k1.ErrRange) {
		t.Error(err)
	}
	child, err := s.Derive(0, 5)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := child.ExtendedKey([4]byte{}); !errors.Is(err, ErrTweaked) {
		t.Error(err)
	}
	tweaked, err := child.TweakXOnly(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tweaked.Derive(0); !errors.Is(err, ErrTweaked) {
		t.Error(err)
	}
}
