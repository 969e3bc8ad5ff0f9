package frost

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/schnorr"
)

// These tests of BIP-445's vectors belong to the package itself, because they set unexported secrets.

// hexBytes is a string of hexadecimal digits, or nil for null.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	if *h == nil {
		*h = hexBytes{}
	}
	return err
}

// A vector is a test case from one of the vector files.
type vector struct {
	ID           int `json:"tc_id"`
	Comment      string
	MyID         uint32 `json:"my_id"`
	IDs          []uint32
	Shares       []int    `json:"pubshare_indices"`
	Share        int      `json:"secshare_index"`
	Nonces       []int    `json:"pubnonce_indices"`
	Nonce        int      `json:"secnonce_index"`
	Aggregate    hexBytes `json:"aggnonce"`
	Others       hexBytes `json:"aggothernonce"`
	Aux          hexBytes `json:"aux_rand"`
	Msg          *hexBytes
	TweakIndices []int      `json:"tweak_indices"`
	Tweaks       []hexBytes // of det_sign
	XOnly        []bool     `json:"is_xonly"`
	Partial      hexBytes   `json:"psig"`
	Partials     []hexBytes `json:"psigs"`
	Signer       int        `json:"signer_index"`
	Rand         hexBytes
	SecShare     hexBytes
	PubShare     hexBytes
	ThresholdX   hexBytes `json:"thresh_pk_xonly"`
	Extra        hexBytes `json:"extra_in"`
	Expected     any
	Error        *fault
}

// fault is the error that an error case expects.
type fault struct {
	Type    string
	Signer  *int `json:"signer_index"`
	Contrib string
}

type vectorGroup struct {
	Name      string `json:"tg_id"`
	T, N      int
	Key       hexBytes   `json:"thresh_pk"`
	PubShares []hexBytes `json:"pubshares"`
	SecShares []hexBytes `json:"secshares"`
	PubNonces []hexBytes `json:"pubnonces"`
	SecNonces []hexBytes `json:"secnonces"`
	Tweaks    []hexBytes

	Valid       []vector `json:"valid_tests"`
	Errors      []vector `json:"error_tests"`
	SignErrors  []vector `json:"sign_error_tests"`
	VerifyFails []vector `json:"verify_fail_tests"`
	VerifyError []vector `json:"verify_error_tests"`
}

// eachGroup calls f for each group of a file, and fails unless the file has four groups.
func eachGroup(t *testing.T, name string, f func(t *testing.T, g *vectorGroup)) {
	var file struct {
		Groups []vectorGroup `json:"test_groups"`
	}
	vectors.JSON(t, "bip445/"+name, &file)
	if len(file.Groups) != 4 {
		t.Fatalf("%d groups of vectors", len(file.Groups))
	}
	for i := range file.Groups {
		t.Run(file.Groups[i].Name, func(t *testing.T) { f(t, &file.Groups[i]) })
	}
}

// blamed is an error and the signer who is to blame for it, or −1 for the coordinator.
type blamed struct {
	signer int
	error
}

// signers returns the signers of the case.
func (g *vectorGroup) signers(v *vector) (*Signers, error) {
	key, err := p256k1.ParsePublicKey(g.Key)
	if err != nil {
		return nil, err
	}
	shares := make([]*p256k1.PublicKey, len(v.Shares))
	for i, share := range v.Shares {
		if shares[i], err = p256k1.ParsePublicKey(g.PubShares[share]); err != nil {
			return nil, err
		}
	}
	s, err := NewSigners(g.T, g.N, v.IDs, shares, key, nil)
	if err != nil {
		return nil, err
	}
	tweaks := v.Tweaks
	for _, i := range v.TweakIndices {
		tweaks = append(tweaks, g.Tweaks[i])
	}
	if len(tweaks) != len(v.XOnly) {
		return nil, errors.New("the number of tweaks and of their kinds") // cannot occur with this package
	}
	for i, tweak := range tweaks {
		if v.XOnly[i] {
			s, err = s.TweakXOnly(tweak)
		} else {
			s, err = s.Tweak(tweak)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (g *vectorGroup) session(v *vector) (*Session, error) {
	s, err := g.signers(v)
	if err != nil {
		return nil, err
	}
	aggregate, err := ParseAggregateNonce(v.Aggregate)
	if err != nil {
		return nil, blamed{-1, err}
	}
	return NewSession(s, aggregate, *v.Msg)
}

func (g *vectorGroup) share(v *vector) (*Share, error) {
	key, err := p256k1.ParsePrivateKey(g.SecShares[v.Share])
	if err != nil {
		return nil, err
	}
	return NewShare(v.MyID, key)
}

// secretNonce returns the secret nonce that b encodes, for the owner of a share.
func secretNonce(b []byte, share *Share) (*SecretNonce, error) {
	s := &secrets{id: share.id}
	copy(s.share[:], share.Public().Bytes())
	for i := range s.K {
		if _, err := s.K[i].SetBytes(b[32*i:][:32]); err != nil || s.K[i].IsZero() == 1 {
			return nil, fmt.Errorf("nonce out of range: %v", err)
		}
	}
	if err := s.Finish(); err != nil {
		return nil, err
	}
	n := &SecretNonce{new(atomic.Pointer[secrets])}
	n.state.Store(s)
	return n, nil
}

func (g *vectorGroup) sign(v *vector) (sig PartialSignature, err error) {
	session, err := g.session(v)
	if err != nil {
		return sig, err
	}
	share, err := g.share(v)
	if err != nil {
		return sig, err
	}
	secret, err := secretNonce(g.SecNonces[v.Nonce], share)
	if err != nil {
		return sig, err
	}
	sig, err = session.Sign(secret, share)
	if again, err := session.Sign(secret, share); !errors.Is(err, ErrNonceUsed) || again.s.IsZero() != 1 {
		return sig, fmt.Errorf("signed again: %v", err)
	}
	return sig, err
}

// nonces returns the public nonces with these indexes.
func nonces(all []hexBytes, indexes []int) (list []PublicNonce, err error) {
	for j, i := range indexes {
		n, err := ParsePublicNonce(all[i])
		if err != nil {
			return nil, blamed{j, err}
		}
		list = append(list, n)
	}
	return list, nil
}

// verify runs PartialSigVerify, and returns whether the partial signature is valid, or an error.
func (g *vectorGroup) verify(v *vector) (bool, error) {
	signers, err := g.signers(v)
	if err != nil {
		return false, err
	}
	list, err := nonces(g.PubNonces, v.Nonces)
	if err != nil {
		return false, err
	}
	aggregate, err := AggregateNonces(list)
	if err != nil {
		return false, err
	}
	session, err := NewSession(signers, aggregate, *v.Msg)
	if err != nil {
		return false, err
	}
	sig, err := ParsePartialSignature(v.Partial)
	if err != nil {
		return false, nil
	}
	return session.VerifyPartial(sig, list[v.Signer], v.IDs[v.Signer]), nil
}

// want checks the error of an error case, and whom the error blames.
func (v *vector) want(t *testing.T, err error) {
	t.Helper()
	var b blamed
	switch {
	case err == nil:
		t.Errorf("%d, %s: no error", v.ID, v.Comment)
	case v.Error.Type == "InvalidContributionError":
		signer := -1
		if v.Error.Signer != nil {
			signer = *v.Error.Signer
		}
		if !errors.As(err, &b) || b.signer != signer {
			t.Errorf("%d, %s: %v, want blame for %d", v.ID, v.Comment, err, signer)
		}
	case errors.As(err, &b):
		t.Errorf("%d, %s: %v blames signer %d, want no blame", v.ID, v.Comment, err, b.signer)
	}
}

func strings(t *testing.T, v any) (list [][]byte) {
	if s, ok := v.(string); ok {
		v = []any{s}
	}
	for _, s := range v.([]any) {
		b, err := hex.DecodeString(s.(string))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	return list
}

func TestVectorsSign(t *testing.T) {
	for _, name := range []string{"sign_verify_vectors.json", "tweak_vectors.json"} {
		eachGroup(t, name, func(t *testing.T, g *vectorGroup) {
			for _, v := range g.Valid {
				sig, err := g.sign(&v)
				if want := strings(t, v.Expected)[0]; err != nil || !bytes.Equal(sig.Bytes(), want) {
					t.Errorf("%d, %s: %x, %v, want %x", v.ID, v.Comment, sig.Bytes(), err, want)
				}
				v.Partial, v.Signer = sig.Bytes(), slices.Index(v.IDs, v.MyID)
				if ok, err := g.verify(&v); !ok || err != nil {
					t.Errorf("%d, %s: not valid, %v", v.ID, v.Comment, err)
				}
				list, err := nonces(g.PubNonces, v.Nonces)
				if err != nil {
					t.Fatal(err)
				}
				if sum, err := AggregateNonces(list); err != nil || !bytes.Equal(sum.Bytes(), v.Aggregate) {
					t.Errorf("%d, %s: nonces add up to %x, %v, want %x", v.ID, v.Comment, sum.Bytes(), err, v.Aggregate)
				}
			}
			for _, v := range append(g.SignErrors, g.Errors...) {
				_, err := g.sign(&v)
				v.want(t, err)
			}
			for _, v := range g.VerifyFails {
				if ok, err := g.verify(&v); ok || err != nil {
					t.Errorf("%d, %s: %t, %v, want false", v.ID, v.Comment, ok, err)
				}
			}
			for _, v := range g.VerifyError {
				_, err := g.verify(&v)
				v.want(t, err)
			}
			if len(g.Valid) < 4 || len(g.SignErrors)+len(g.Errors) < 4 {
				t.Error("few cases")
			}
		})
	}
}

func TestVectorsDeterministic(t *testing.T) {
	eachGroup(t, "det_sign_vectors.json", func(t *testing.T, g *vectorGroup) {
		sign := func(v *vector) (n PublicNonce, sig PartialSignature, err error) {
			signers, err := g.signers(v)
			if err != nil {
				return n, sig, err
			}
			share, err := g.share(v)
			if err != nil {
				return n, sig, err
			}
			var others *AggregateNonce
			if v.Others != nil {
				parsed, err := ParseAggregateNonce(v.Others)
				if err != nil {
					return n, sig, blamed{-1, err}
				}
				others = &parsed
			}
			var aux *[32]byte
			if v.Aux != nil {
				aux = (*[32]byte)(v.Aux)
			}
			n, sig, err = SignDeterministic(share, others, signers, *v.Msg, aux)
			if errors.Is(err, p256k1.ErrInfinity) {
				err = blamed{-1, err}
			}
			return n, sig, err
		}
		for _, v := range g.Valid {
			n, sig, err := sign(&v)
			want := strings(t, v.Expected)
			if err != nil || !bytes.Equal(n.Bytes(), want[0]) || !bytes.Equal(sig.Bytes(), want[1]) {
				t.Errorf("%d, %s: %x, %x, %v, want %x", v.ID, v.Comment, n.Bytes(), sig.Bytes(), err, want)
			}
		}
		for _, v := range g.Errors {
			_, _, err := sign(&v)
			v.want(t, err)
		}
	})
}

func TestVectorsCombine(t *testing.T) {
	eachGroup(t, "sig_agg_vectors.json", func(t *testing.T, g *vectorGroup) {
		combine := func(v *vector) (sig [64]byte, err error) {
			session, err := g.session(v)
			if err != nil {
				return sig, err
			}
			var sigs []PartialSignature
			for i, b := range v.Partials {
				sig, err := ParsePartialSignature(b)
				if err != nil {
					return [64]byte{}, blamed{i, err}
				}
				sigs = append(sigs, sig)
			}
			// The nonces are used only if something is wrong.
			sig, err = session.Combine(sigs, make([]PublicNonce, len(sigs)))
			if err == nil && !schnorr.Verify(session.signers.PublicKey().XOnly(), *v.Msg, sig[:]) {
				err = errors.New("the signature is not valid")
			}
			return sig, err
		}
		for _, v := range g.Valid {
			sig, err := combine(&v)
			if want := strings(t, v.Expected)[0]; err != nil || !bytes.Equal(sig[:], want) {
				t.Errorf("%d, %s: %x, %v, want %x", v.ID, v.Comment, sig, err, want)
			}
		}
		for _, v := range g.Errors {
			_, err := combine(&v)
			v.want(t, err)
		}
	})
}

func TestVectorsNonces(t *testing.T) {
	var g vectorGroup
	vectors.JSON(t, "bip445/nonce_agg_vectors.json", &g)
	for _, v := range g.Valid {
		list, err := nonces(g.PubNonces, v.Nonces)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := AggregateNonces(list)
		if want := strings(t, v.Expected)[0]; err != nil || !bytes.Equal(sum.Bytes(), want) {
			t.Errorf("%d, %s: %x, %v, want %x", v.ID, v.Comment, sum.Bytes(), err, want)
		}
	}
	for _, v := range g.Errors {
		_, err := nonces(g.PubNonces, v.Nonces)
		v.want(t, err)
	}
	if len(g.Valid) != 2 || len(g.Errors) != 3 {
		t.Error("not all cases of aggregation")
	}

	g = vectorGroup{}
	vectors.JSON(t, "bip445/nonce_gen_vectors.json", &g)
	for _, v := range g.Valid {
		var msg []byte
		if v.Msg != nil {
			msg = *v.Msg
		}
		s := new(secrets)
		var err error
		if v.SecShare != nil {
			key, err := p256k1.ParsePrivateKey(v.SecShare)
			if err != nil {
				t.Fatal(err)
			}
			err = s.generate(&Share{key: key}, (*[32]byte)(v.Rand), v.PubShare, v.ThresholdX, msg, v.Extra)
			if err != nil {
				t.Fatal(err)
			}
		} else {
			s.Generate(&nonceTag, (*[32]byte)(v.Rand), v.PubShare, v.ThresholdX, msg, v.Extra)
			err = s.Finish()
		}
		want := strings(t, v.Expected)
		if got := append(s.K[0].Bytes(), s.K[1].Bytes()...); err != nil || !bytes.Equal(got, want[0]) || !bytes.Equal(s.Pub.Encoded[:], want[1]) {
			t.Errorf("%d, %s: %x, %x, %v, want %x", v.ID, v.Comment, got, s.Pub.Encoded, err, want)
		}
	}
	if len(g.Valid) != 5 {
		t.Error("not all cases of generation")
	}
}
