//go:build faults

package faults

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/btcsuite/btcd/btcec/v2"
	btcecdsa "github.com/btcsuite/btcd/btcec/v2/ecdsa"
	btcschnorr "github.com/btcsuite/btcd/btcec/v2/schnorr"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/tables"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/protocols/musig2"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/evidence/faults/fault"
)

// The places that the tests refer to by name.
const (
	keyParsed = "key: parsed, before anything is computed from it"
	keyPoint  = "key: its multiple of the generator"
	keyMemory = "key: in memory, before it is read"

	ecdsaDigest = "ECDSA: the caller's digest, after its first use"
	ecdsaStream = "ECDSA: the state of RFC 6979"
	ecdsaBytes  = "ECDSA: the bytes of the nonce"
	ecdsaNonce  = "ECDSA: k"
	ecdsaParity = "ECDSA: the parity of R"

	ecdsaBatchNonces = "ECDSA batch: the nonces k"

	schnorrMasked = "Schnorr: the masked key"
	schnorrBytes  = "Schnorr: the bytes of the nonce"
	schnorrNonce  = "Schnorr: k"

	schnorrBatchNonces = "Schnorr batch: the nonces k"

	preSchnorrNonce = "Schnorr pre-signature: k"
	preECDSANonce   = "ECDSA pre-signature: k"
	preECDSAProof   = "ECDSA pre-signature: the nonce of the proof"

	// These end the names of places in several schemes. Values that are made again for the check must not be wrong
	// twice.
	drawn   = ": a nonce"
	again   = ", which is made again for the check"
	verdict = ": the verdict of the check"
)

// input has the key, the message and the randomness of a signature.
type input struct {
	key   []byte
	msg   []byte
	extra *[32]byte
}

// sign returns a signature or an error. If checked is true, the signature is checked first.
type sign = func(checked bool, k *p256k1.PrivateKey, msg []byte, extra *[32]byte) ([]byte, error)

// scheme is a signature scheme.
type scheme struct {
	name     string
	extra    bool
	sign     sign
	valid    func(pub *btcec.PublicKey, msg, sig []byte) bool
	harmless []string // places whose values only the check uses, or nothing uses any more
}

var schemes = []scheme{
	{"ECDSA", false, func(checked bool, k *p256k1.PrivateKey, digest []byte, _ *[32]byte) ([]byte, error) {
		return encoded(ecdsa.SignRecoverable(k, digest, &ecdsa.Options{Checked: checked}))
	}, validECDSA, []string{keyPoint, ecdsaDigest}},
	{"ECDSA with entropy, by a signer", true, func(checked bool, k *p256k1.PrivateKey, digest []byte, extra *[32]byte) ([]byte, error) {
		der, err := ecdsa.NewSigner(k, &ecdsa.Options{Checked: checked}).Sign(bytes.NewReader(extra[:]), digest, nil)
		if err != nil {
			return nil, err
		}
		return encoded(ecdsa.ParseDER(der))
	}, validPlainECDSA, []string{keyPoint, ecdsaDigest, ecdsaParity}}, // a signer returns no recovery id
	{"ECDSA batch", true, batchECDSA, both(validECDSA), []string{keyPoint}},
	{"Schnorr", true, func(checked bool, k *p256k1.PrivateKey, msg []byte, aux *[32]byte) ([]byte, error) {
		sig, err := schnorr.Sign(k, msg, &schnorr.Options{AuxRand: aux, Checked: checked})
		return sig[:], err
	}, validSchnorr, nil},
	{"Schnorr, by a signer", true, func(checked bool, k *p256k1.PrivateKey, msg []byte, aux *[32]byte) ([]byte, error) {
		return schnorr.NewSigner(k, &schnorr.Options{Checked: checked}).Sign(bytes.NewReader(aux[:]), msg, nil)
	}, validSchnorr, nil},
	{"Schnorr batch", true, batchSchnorr, both(validSchnorr), nil},
	{"Schnorr pre-signature", true, func(checked bool, k *p256k1.PrivateKey, msg []byte, aux *[32]byte) ([]byte, error) {
		if checked {
			return encoded(signSchnorr(k, adaptorPoint, msg, aux))
		}
		return encoded(preSignSchnorr(k, adaptorPoint, msg, aux))
	}, validPreSchnorr, nil},
	{"ECDSA pre-signature", true, func(checked bool, k *p256k1.PrivateKey, digest []byte, aux *[32]byte) ([]byte, error) {
		if checked {
			return encoded(signECDSA(k, adaptorPoint, digest, aux))
		}
		b, err := preSignECDSA(k, adaptorPoint, digest, aux)
		return b[:], err
	}, validPreECDSA, []string{keyPoint}},
	{"FROST", true, always("FROST", func(k *p256k1.PrivateKey, pub *p256k1.PublicKey, msg []byte, aux *[32]byte) ([]byte, error) {
		share, err1 := frost.NewShare(0, k)
		signers, err2 := frost.NewSigners(1, 1, []uint32{0}, []*p256k1.PublicKey{pub}, pub, nil)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		nonce, sig, err := frost.SignDeterministic(share, nil, signers, msg, aux)
		return slices.Concat(nonce.Bytes(), sig.Bytes()), err
	}), validFROST, []string{"FROST" + verdict}},
	{"MuSig2", true, always("MuSig2", func(k *p256k1.PrivateKey, pub *p256k1.PublicKey, msg []byte, aux *[32]byte) ([]byte, error) {
		keys, err := musig2.Aggregate([]*p256k1.PublicKey{pub})
		if err != nil {
			return nil, err
		}
		nonce, sig, err := musig2.SignDeterministic(k, others, keys, msg, aux)
		return slices.Concat(nonce.Bytes(), sig.Bytes()), err
	}), validMuSig2, []string{"MuSig2" + verdict}},
	{"DLEQ", true, func(checked bool, k *p256k1.PrivateKey, msg []byte, aux *[32]byte) ([]byte, error) {
		c, proof, err := dleq.Prove(k, adaptorPoint, &dleq.Options{Message: (*[32]byte)(msg), AuxRand: aux, Checked: checked})
		return slices.Concat(c.Bytes(), proof[:]), err
	}, validDLEQ, nil},
}

// always returns a signer that leaves out its check only if the error "no check at all" is planted. The signer's public
// key comes from its encoding, as in a message.
func always(name string, f func(k *p256k1.PrivateKey, pub *p256k1.PublicKey, msg []byte, aux *[32]byte) ([]byte, error)) sign {
	return func(checked bool, k *p256k1.PrivateKey, msg []byte, aux *[32]byte) (sig []byte, err error) {
		pub, err := p256k1.ParsePublicKey(k.PublicKey().Bytes())
		if err != nil || checked {
			return f(k, pub, msg, aux)
		}
		fault.Without(name+": no check at all", func() { sig, err = f(k, pub, msg, aux) })
		return sig, err
	}
}

// batchECDSA signs msg and the hash of msg in a batch.
func batchECDSA(checked bool, k *p256k1.PrivateKey, digest []byte, extra *[32]byte) ([]byte, error) {
	sigs, second := make([]ecdsa.RecoverableSignature, 2), sha256.Sum256(digest)
	options := &ecdsa.Options{Entropy: extra, Checked: checked}
	err := ecdsa.SignRecoverableBatch(sigs, []*p256k1.PrivateKey{k, k}, [][]byte{digest, second[:]}, options)
	both := make([]byte, 130) // a signature that is withheld is zero
	copy(both, sigs[0].Bytes())
	copy(both[65:], sigs[1].Bytes())
	return both, err
}

// batchSchnorr signs msg and the hash of msg in a batch.
func batchSchnorr(checked bool, k *p256k1.PrivateKey, msg []byte, aux *[32]byte) ([]byte, error) {
	sigs, second := make([][64]byte, 2), sha256.Sum256(msg)
	options := &schnorr.Options{AuxRand: aux, Checked: checked}
	err := schnorr.SignBatch(sigs, []*p256k1.PrivateKey{k, k}, [][]byte{msg, second[:]}, options)
	return slices.Concat(sigs[0][:], sigs[1][:]), err
}

// both returns a function that reports whether the signatures of a batch of two are valid.
func both(valid func(pub *btcec.PublicKey, msg, sig []byte) bool) func(pub *btcec.PublicKey, msg, sig []byte) bool {
	return func(pub *btcec.PublicKey, msg, sigs []byte) bool {
		half, second := len(sigs)/2, sha256.Sum256(msg)
		return valid(pub, msg, sigs[:half]) && valid(pub, second[:], sigs[half:])
	}
}

// init leaves only the schemes that a planted error concerns, by the beginnings of their names.
func init() {
	name, _, _ := strings.Cut(os.Getenv(fault.Env), ":")
	schemes = slices.DeleteFunc(schemes, func(s scheme) bool { return !strings.HasPrefix(s.name, name) })
}

// These functions of package adaptor take the randomness as an argument.
//
//go:linkname preSignSchnorr p256k1.mleku.dev/v2/protocols/adaptor.preSignSchnorr
func preSignSchnorr(*p256k1.PrivateKey, *p256k1.PublicKey, []byte, *[32]byte) (*adaptor.SchnorrPreSignature, error)

//go:linkname signSchnorr p256k1.mleku.dev/v2/protocols/adaptor.signSchnorr
func signSchnorr(*p256k1.PrivateKey, *p256k1.PublicKey, []byte, *[32]byte) (*adaptor.SchnorrPreSignature, error)

//go:linkname preSignECDSA p256k1.mleku.dev/v2/protocols/adaptor.preSignECDSA
func preSignECDSA(*p256k1.PrivateKey, *p256k1.PublicKey, []byte, *[32]byte) ([adaptor.ECDSASize]byte, error)

//go:linkname signECDSA p256k1.mleku.dev/v2/protocols/adaptor.signECDSA
func signECDSA(*p256k1.PrivateKey, *p256k1.PublicKey, []byte, *[32]byte) (*adaptor.ECDSAPreSignature, error)

// adaptorPoint is the point T = t·G of the pre-signatures, and adaptorSecret is t.
var (
	adaptorSecret   = oracle.NewSeeded("faults").ValidScalar()
	adaptorPoint, _ = p256k1.ParsePublicKey(oracle.G.Mul(adaptorSecret).Compressed())
)

func encoded[Signature interface{ Bytes() []byte }](sig Signature, err error) ([]byte, error) {
	return sig.Bytes(), err
}

// validECDSA accepts only low s and the right recovery id.
func validECDSA(pub *btcec.PublicKey, digest, rsv []byte) bool {
	if len(rsv) != 65 { // all zeros, which encode to nothing
		return false
	}
	recovered, _, err := btcecdsa.RecoverCompact(append([]byte{27 + rsv[64]}, rsv[:64]...), digest)
	return err == nil && recovered.IsEqual(pub) && validPlainECDSA(pub, digest, rsv[:64])
}

func validPlainECDSA(pub *btcec.PublicKey, digest, rs []byte) bool {
	if len(rs) != 64 {
		return false
	}
	var r, s btcec.ModNScalar
	if r.SetByteSlice(rs[:32]) || s.SetByteSlice(rs[32:]) || s.IsOverHalfOrder() {
		return false
	}
	return btcecdsa.NewSignature(&r, &s).Verify(digest, pub)
}

func validSchnorr(pub *btcec.PublicKey, msg, b []byte) bool {
	sig, err := btcschnorr.ParseSignature(b)
	return err == nil && sig.Verify(msg, pub)
}

// validPreSchnorr completes a pre-signature (R, s') to the signature (x(R), s' ± t). R = T would give away the key.
func validPreSchnorr(pub *btcec.PublicKey, msg, b []byte) bool {
	if len(b) != adaptor.SchnorrSize || bytes.Equal(b[:33], adaptorPoint.Bytes()) {
		return false
	}
	t := adaptorSecret
	if b[0] == 3 {
		t = oracle.Fn.Neg(t)
	}
	s := oracle.Bytes(oracle.Fn.Add(oracle.Int(b[33:]), t))
	return validSchnorr(pub, msg, append(b[1:33:33], s[:]...))
}

// validPreECDSA completes a pre-signature (R, R', s', e, s) to the signature (x(R), s'/t), and requires that R = t·R'
// and that the proof (e, s) is valid, with a nonce other than 0, which would give away k.
func validPreECDSA(pub *btcec.PublicKey, digest, b []byte) bool {
	if len(b) != adaptor.ECDSASize {
		return false
	}
	r, ok := oracle.DecodePoint(b[:33])
	r1, ok1 := oracle.DecodePoint(b[33:66])
	if !ok || !ok1 || !r1.Mul(adaptorSecret).Equal(r) {
		return false
	}
	sig := oracle.Signature{R: oracle.Fn.Reduce(r.X), S: oracle.Fn.Mul(oracle.Int(b[66:98]), oracle.Fn.Inv(adaptorSecret))}
	if !sig.IsLowS() {
		sig = sig.Negate()
	}
	rs, e := sig.Compact(), oracle.Int(b[98:130])
	l := oracle.G.Mul(oracle.Int(b[130:])).Add(r1.Mul(e).Neg())
	sum := oracle.TaggedHash("DLEQ", b[33:66], adaptorPoint.Bytes(), b[:33], l.Compressed(), l.Mul(adaptorSecret).Compressed())
	return !l.IsInfinity() && e.Cmp(oracle.Fn.Reduce(oracle.Int(sum[:]))) == 0 && validPlainECDSA(pub, digest, rs[:])
}

// others is the sum of the other signers' public nonces for MuSig2, which are adaptorSecret·G both.
var others, _ = musig2.ParseAggregateNonce(slices.Concat(adaptorPoint.Bytes(), adaptorPoint.Bytes()))

// validPartial completes a partial signature with the secret nonce of the others, and verifies the signature by q.
// blind returns b, given the sum of the public nonces and the x coordinate of q.
func validPartial(q *btcec.PublicKey, msg, b []byte, secret *big.Int, blind func(sum, x []byte) [32]byte) bool {
	if len(b) != 98 {
		return false
	}
	first, ok1 := oracle.DecodePoint(b[:33])
	second, ok2 := oracle.DecodePoint(b[33:66])
	if !ok1 || !ok2 {
		return false
	}
	other := oracle.G.Mul(secret)
	first, second = first.Add(other), second.Add(other)
	hash := blind(slices.Concat(first.Compressed(), second.Compressed()), q.SerializeCompressed()[1:])
	factor := oracle.Fn.Reduce(oracle.Int(hash[:]))
	r, k := first.Add(second.Mul(factor)), oracle.Fn.Mul(secret, oracle.Fn.Add(factor, big.NewInt(1)))
	if r.Y.Bit(0) == 1 {
		k = oracle.Fn.Neg(k)
	}
	s := oracle.Bytes(oracle.Fn.Add(oracle.Int(b[66:]), k))
	return validSchnorr(q, msg, append(r.Compressed()[1:], s[:]...))
}

func validFROST(pub *btcec.PublicKey, msg, b []byte) bool {
	return validPartial(pub, msg, b, new(big.Int), func(sum, x []byte) [32]byte {
		return oracle.TaggedHash("BIP0445/noncecoef", []byte{0, 0, 0, 4}, make([]byte, 4), sum, x, msg)
	})
}

func validMuSig2(pub *btcec.PublicKey, msg, b []byte) bool {
	keys := oracle.TaggedHash("KeyAgg list", pub.SerializeCompressed())
	a := oracle.TaggedHash("KeyAgg coefficient", keys[:], pub.SerializeCompressed())
	p, _ := oracle.DecodePoint(pub.SerializeCompressed())
	q, err := btcec.ParsePubKey(p.Mul(oracle.Fn.Reduce(oracle.Int(a[:]))).Compressed())
	return err == nil && validPartial(q, msg, b, adaptorSecret, func(sum, x []byte) [32]byte {
		return oracle.TaggedHash("MuSig/noncecoef", sum, x, msg)
	})
}

// validDLEQ requires that C = t·A, and that the hash and R₁ = s·G − e·A fit, and so R₂ = t·R₁.
func validDLEQ(pub *btcec.PublicKey, msg, b []byte) bool {
	if len(b) != 33+dleq.Size {
		return false
	}
	a, _ := oracle.DecodePoint(pub.SerializeCompressed())
	r := oracle.G.Mul(oracle.Int(b[65:])).Add(a.Mul(oracle.Fn.Reduce(oracle.Int(b[33:65]))).Neg())
	c := a.Mul(adaptorSecret).Compressed()
	sum := oracle.TaggedHash("BIP0374/challenge", a.Compressed(), adaptorPoint.Bytes(), c, oracle.G.Compressed(), r.Compressed(), r.Mul(adaptorSecret).Compressed(), msg)
	return bytes.Equal(b[:33], c) && bytes.Equal(b[33:65], sum[:])
}

// outcome is the result of a disturbed signer.
type outcome int

const (
	same     outcome = iota // the signature that the signer makes without a fault
	withheld                // ErrFault
	refused                 // another error
	foreign                 // a signature that is valid for the misread key
	other                   // another valid signature
	wrong                   // an invalid signature
	outcomes
)

// counts has the number of times that each outcome occurred.
type counts [outcomes]int

func (c *counts) sum() (n int) {
	for _, v := range c {
		n += v
	}
	return n
}

func (c counts) String() string {
	return fmt.Sprintf("of %d, %d withheld, %d refused with another error, %d without effect, %d by another key, %d valid with another nonce, %d wrong",
		c.sum(), c[withheld], c[refused], c[same], c[foreign], c[other], c[wrong])
}

// attempt parses the key of in and signs, both under plan, and returns the signature, the public key, and the places
// that were passed.
func (s *scheme) attempt(t *testing.T, plan *fault.Plan, in *input, checked bool) (sig []byte, pub *p256k1.PublicKey, passed map[string]fault.Passed, err error) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%+v: panic: %v", plan, r)
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	key, msg := bytes.Clone(in.key), bytes.Clone(in.msg)
	var extra *[32]byte
	if in.extra != nil {
		extra = new(*in.extra)
	}
	var k *p256k1.PrivateKey
	passed = fault.Run(plan, func() {
		if k, err = p256k1.ParsePrivateKey(key); err == nil {
			sig, err = s.sign(checked, k, msg, extra)
		}
	})
	if err == nil {
		pub = k.PublicKey()
	}
	return sig, pub, passed, err
}

// isHalf reports whether one half of sig is zero and the other half is the half of want.
func isHalf(sig, want []byte) bool {
	n := len(sig) / 2
	none := make([]byte, n)
	return bytes.Equal(sig, slices.Concat(want[:n], none)) || bytes.Equal(sig, slices.Concat(none, want[n:]))
}

// judge classifies the result. A batch returns the signatures that are not withheld together with the error.
func (s *scheme) judge(t *testing.T, in *input, want, sig []byte, pub *p256k1.PublicKey, err error) outcome {
	switch {
	case err != nil && len(bytes.Trim(sig, "\x00")) != 0 && !(strings.HasSuffix(s.name, "batch") && isHalf(sig, want)):
		t.Errorf("%s: signature %x together with the error %v", s.name, sig, err)
		return wrong
	case errors.Is(err, p256k1.ErrFault):
		return withheld
	case err != nil:
		return refused
	case bytes.Equal(sig, want):
		return same
	}
	_, expected := btcec.PrivKeyFromBytes(in.key)
	if s.valid(expected, in.msg, sig) {
		return other
	}
	if own, err := btcec.ParsePubKey(pub.Bytes()); err == nil && !own.IsEqual(expected) && s.valid(own, in.msg, sig) {
		return foreign
	}
	return wrong
}

// makesForeign and makesNonce report the exceptions: faults at keyParsed lead to other keys, and faults at some other
// places lead to other nonces, if each computation of the signature has them.
func makesForeign(p fault.Plan) bool { return p.Place == keyParsed }

func makesNonce(p fault.Plan) bool {
	return slices.Contains([]string{preSchnorrNonce, preECDSANonce, preECDSAProof}, p.Place) || strings.HasSuffix(p.Place, drawn) ||
		(p.Call == 0 && slices.Contains([]string{keyMemory, ecdsaStream, ecdsaBytes, ecdsaNonce, ecdsaBatchNonces, schnorrMasked, schnorrBytes, schnorrNonce, schnorrBatchNonces}, p.Place))
}

// draw returns a random input and its signature.
func (s *scheme) draw(t *testing.T, r *oracle.Rand) (*input, []byte) {
	t.Helper()
	in := &input{msg: r.Bytes(32)}
	d := oracle.Bytes(r.ValidScalar())
	in.key = d[:]
	if s.extra {
		in.extra = (*[32]byte)(r.Bytes(32))
	}
	want, pub, _, err := s.attempt(t, nil, in, true)
	plain, _, _, err2 := s.attempt(t, nil, in, false)
	if _, expected := btcec.PrivKeyFromBytes(in.key); err != nil || err2 != nil || !bytes.Equal(want, plain) || !s.valid(expected, in.msg, want) ||
		!bytes.Equal(pub.Bytes(), expected.SerializeCompressed()) {
		t.Fatalf("%s, undisturbed, of %x with %x: checked %x (%v), not checked %x (%v)", s.name, in.msg, in.key, want, err, plain, err2)
	}
	return in, want
}

// disturb tries faults in all bits of a place, the call-th time that the place is passed, or each time if call is 0.
// With -short it tries one bit in 17, among them bit 768, which says whether the Z of a point is 1.
func (s *scheme) disturb(t *testing.T, r *oracle.Rand, place string, call int, checked bool, each func(fault.Plan, outcome)) {
	in, want := s.draw(t, r)
	_, _, passed, _ := s.attempt(t, nil, in, checked)
	bits := passed[place].Bits
	for bit := range bits + 2 { // the last two faults set all bits to 0 and to 1
		if testing.Short() && bits > 64 && bit < bits && bit%17 != 3 {
			continue
		}
		plan := fault.Plan{Place: place, Call: call, Bit: bit}
		sig, pub, _, err := s.attempt(t, &plan, in, checked)
		each(plan, s.judge(t, in, want, sig, pub, err))
	}
}

// TestChecked requires that functions with a check return no wrong signature under any fault.
func TestChecked(t *testing.T) {
	n, r := oracle.CasesOr(1), oracle.New(t)
	reached := make(map[string]bool)
	for _, s := range schemes {
		in, _ := s.draw(t, r)
		_, _, passed, _ := s.attempt(t, nil, in, true)
		var transient, lasting, keys counts
		places := 0
		for _, h := range hooks {
			p := passed[h.Name]
			if p.Calls == 0 {
				continue
			}
			reached[h.Name] = true
			places++
			for call := range p.Calls + 1 { // call 0 stands for every time
				if call == 0 && (p.Calls == 1 || strings.HasSuffix(h.Name, again)) {
					continue
				}
				for range n {
					s.disturb(t, r, h.Name, call, true, func(plan fault.Plan, o outcome) {
						if o == wrong || (o == foreign && !makesForeign(plan)) || (o == other && !makesNonce(plan)) {
							t.Errorf("%s: %+v: outcome %d", s.name, plan, o)
						}
						switch {
						case makesForeign(plan):
							keys[o]++
						case call == 0:
							lasting[o]++
						default:
							transient[o]++
						}
					})
				}
			}
		}
		t.Logf("result: %s, checked, %d places, transient faults: %v", s.name, places, transient)
		t.Logf("result: %s, checked, the same fault each time: %v", s.name, lasting)
		t.Logf("result: %s, checked, faults in a key before its first use: %v", s.name, keys)
		if transient[withheld] == 0 || (lasting.sum() > 0 && lasting[withheld] == 0) || transient[other]+lasting[other] == 0 || keys[foreign] == 0 {
			t.Errorf("%s: an expected outcome is missing: %v, %v, %v", s.name, transient, lasting, keys)
		}
	}
	for _, h := range hooks {
		if !reached[h.Name] && os.Getenv(fault.Env) == "" {
			t.Errorf("%s: not reached", h.Name)
		}
	}
}

// TestUnchecked disturbs the functions without a check, and requires that a quarter of all faults or more lead to wrong
// signatures, and that all places but the harmless ones have an effect.
func TestUnchecked(t *testing.T) {
	n, r := oracle.CasesOr(1), oracle.New(t)
	for _, s := range schemes {
		in, _ := s.draw(t, r)
		_, _, passed, _ := s.attempt(t, nil, in, false)
		var all counts
		places := 0
		for _, h := range hooks {
			if passed[h.Name].Calls == 0 {
				continue
			}
			places++
			var found counts
			for range n {
				s.disturb(t, r, h.Name, 1, false, func(_ fault.Plan, o outcome) {
					found[o]++
					all[o]++
				})
			}
			if none := found[same] == found.sum(); none != slices.Contains(s.harmless, h.Name) {
				t.Errorf("%s: faults at %q: %v", s.name, h.Name, found)
			}
		}
		t.Logf("result: %s, not checked, %d places: %v", s.name, places, all)
		if all[wrong] < all.sum()/4 || all[withheld] > 1 { // a nonce of 0 is withheld without a check, too
			t.Errorf("%s: too few wrong signatures: %v", s.name, all)
		}
	}
}

// bytesOf returns the memory of a table.
func bytesOf[T any](table *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(table)), unsafe.Sizeof(*table))
}

// TestTable inverts a bit of the generator's table in memory, so that both computations of a signature have the same
// fault.
func TestTable(t *testing.T) {
	n, r := 20000*oracle.CasesOr(1), oracle.New(t)
	if testing.Short() {
		n /= 10
	}
	for _, s := range schemes {
		in, want := s.draw(t, r)
		table := bytesOf(tables.Base())
		if platform.IFMA {
			table = bytesOf(tables.BaseLanesOne())[:recode.VariableDigits*recode.VariableEntries*64]
		}
		var checked, plain counts
		for range n {
			i, bit := r.IntN(len(table)), byte(1)<<r.IntN(8)
			table[i] ^= bit
			sig, pub, _, err := s.attempt(t, nil, in, true)
			plainSig, plainPub, _, plainErr := s.attempt(t, nil, in, false)
			table[i] ^= bit
			o := s.judge(t, in, want, sig, pub, err)
			if o != same && o != withheld && o != refused {
				t.Errorf("%s: bit %x of byte %d of the table: outcome %d", s.name, bit, i, o)
			}
			checked[o]++
			plain[s.judge(t, in, want, plainSig, plainPub, plainErr)]++
		}
		t.Logf("result: %s with a wrong bit in the table of the generator: %v; without a check %d wrong", s.name, checked, plain[wrong])
		if plain[wrong] == 0 {
			t.Errorf("%s: too few wrong signatures with a wrong table: %v", s.name, plain)
		}
	}
}
