package faults

import "strings"

// edit replaces the text old, which a file has once, by new, in which %q stands for a name.
type edit struct{ old, new string }

// after disturbs what the pointer leads to after a line, and before before it.
func after(line, pointer string) edit {
	return edit{line, line + "\nfault.At(%q, " + pointer + ")"}
}

func before(line, pointer string) edit {
	return edit{line, "fault.At(%q, " + pointer + ")\n" + line}
}

// in disturbs what a pointer in a line leads to.
func in(line, pointer string) edit {
	return edit{line, strings.Replace(line, pointer, "fault.At(%q, "+pointer+")", 1)}
}

// value disturbs a value in a line.
func value(line, expression string) edit {
	return edit{line, strings.Replace(line, expression, "*fault.At(%q, new("+expression+"))", 1)}
}

// The places that the tests look at more closely.
const (
	keyParsed = "key: parsed, before anything is computed from it"
	keyPoint  = "key: its multiple of the generator"

	ecdsaDigest = "ECDSA: the caller's digest, after its first use"
	ecdsaStream = "ECDSA: the state of RFC 6979"
	ecdsaBytes  = "ECDSA: the bytes of the nonce"
	ecdsaNonce  = "ECDSA: k"
	ecdsaParity = "ECDSA: the parity of R"

	schnorrMasked = "Schnorr: the masked key"
	schnorrBytes  = "Schnorr: the bytes of the nonce"
	schnorrNonce  = "Schnorr: k"
)

// hooks are the places where a bit of a value may flip, of which the tests write calls into a copy of the library. They are in
// the order in which they are written.
var hooks = []struct {
	place, file string
	edit
}{
	{keyParsed, "private.go", before("k.d.Set(d)", "d")},
	{"key: stored", "private.go", after("k.d.Set(d)", "&k.d")},
	{keyPoint, "private.go", in("k.pub.point.ScalarBaseMult(d).Normalize()", "k.pub.point.ScalarBaseMult(d)")},
	{"key: in memory, before it is read", "private.go", before("d := k.get().d", "&k.get().d")},
	{"key: the public key in memory, before it is read", "private.go", before("*p = k.get().pub", "&k.get().pub")},

	{"ECDSA: d", "ecdsa/ecdsa.go", before("var entropy []byte", "d")},
	{"ECDSA: z", "ecdsa/ecdsa.go", before("var entropy []byte", "z")},
	{ecdsaDigest, "ecdsa/ecdsa.go", before("err = priv.Use(", "(*[32]byte)(digest)")},
	{ecdsaStream, "ecdsa/ecdsa.go", after("nonces.Init(key, (*[32]byte)(z.Bytes()), entropy)", "nonces")},
	{ecdsaBytes, "ecdsa/ecdsa.go", before("if sig.setWithNonce(d, z, &nonce) {", "&nonce")},
	{ecdsaNonce, "ecdsa/ecdsa.go", before("var point curve.Point", "&k")},
	{"ECDSA: R", "ecdsa/ecdsa.go", in("point.ScalarBaseMult(&k).Normalize()", "point.ScalarBaseMult(&k)")},
	{"ECDSA: k, after R was computed from it", "ecdsa/ecdsa.go", before("inverse.Invert(&k)", "&k")},
	{"ECDSA: the bytes of the x coordinate of R", "ecdsa/ecdsa.go", before("var r, s curve.Scalar", "(*[32]byte)(x)")},
	{ecdsaParity, "ecdsa/ecdsa.go", after("id := point.IsYOdd()", "&id")},
	{"ECDSA: r", "ecdsa/ecdsa.go", before("s.Mul(&r, d).Add(&s, z)", "&r")},
	{"ECDSA: r·d", "ecdsa/ecdsa.go", in("s.Mul(&r, d).Add(&s, z)", "s.Mul(&r, d)")},
	{"ECDSA: 1/k", "ecdsa/ecdsa.go", after("inverse.Invert(&k)", "&inverse")},
	{"ECDSA: s", "ecdsa/ecdsa.go", before("if r.IsZero()|s.IsZero() == 1 {", "&s")},
	{"ECDSA: whether s is high", "ecdsa/ecdsa.go", after("high := s.IsHigh()", "&high")},
	{"ECDSA: the signature", "ecdsa/ecdsa.go", after("sig.rsv[64] = byte(id ^ high)", "sig")},
	{"ECDSA: the point that is recovered", "ecdsa/recover.go", before("q, err := p256k1.NewPublicKeyFromPoint(&point)", "&point")},
	{"ECDSA: the verdict of the check", "ecdsa/ecdsa.go", value("check(priv.PublicKey(), digest, &sig)", "check(priv.PublicKey(), digest, &sig)")},

	{"Schnorr: d", "schnorr/schnorr.go", before("d.CondNegate(d, point.IsYOdd())", "d")},
	{"Schnorr: P", "schnorr/schnorr.go", before("d.CondNegate(d, point.IsYOdd())", "point")},
	{"Schnorr: the parity of P", "schnorr/schnorr.go", value("d.CondNegate(d, point.IsYOdd())", "point.IsYOdd()")},
	{"Schnorr: the bytes of P", "schnorr/schnorr.go", before("var aux [32]byte", "(*[32]byte)(px)")},
	{schnorrMasked, "schnorr/schnorr.go", after("subtle.XORBytes(t[:], t[:], key)", "&t")},
	{schnorrBytes, "schnorr/schnorr.go", after("defer clear(nonce[:])", "&nonce")},
	{"Schnorr: the bytes of P, between nonce and challenge", "schnorr/schnorr.go", before("point.ScalarBaseMult(&k).Normalize()", "(*[32]byte)(px)")},
	{"Schnorr: the caller's message, after its first use", "schnorr/schnorr.go", before("point.ScalarBaseMult(&k).Normalize()", "(*[32]byte)(msg)")},
	{schnorrNonce, "schnorr/schnorr.go", before("point.ScalarBaseMult(&k).Normalize()", "&k")},
	{"Schnorr: R", "schnorr/schnorr.go", in("point.ScalarBaseMult(&k).Normalize()", "point.ScalarBaseMult(&k)")},
	{"Schnorr: the parity of R", "schnorr/schnorr.go", value("k.CondNegate(k, r.IsYOdd())", "r.IsYOdd()")},
	{"Schnorr: k, after R was computed from it", "schnorr/schnorr.go", before("rx, err := r.BytesX()", "k")},
	{"Schnorr: the bytes of R", "schnorr/schnorr.go", before("var e curve.Scalar", "(*[32]byte)(rx)")},
	{"Schnorr: e", "schnorr/schnorr.go", after("setChallenge(&e, rx, px, msg)", "&e")},
	{"Schnorr: the signature", "schnorr/schnorr.go", after("copy(sig[32:], e.Mul(&e, d).Add(&e, k).Bytes())", "sig")},
	{"Schnorr: s", "schnorr/schnorr.go", in("e.Mul(&e, d).Add(&e, k).Bytes()", "e.Mul(&e, d).Add(&e, k)")},
	{"Schnorr: e·d", "schnorr/schnorr.go", in("e.Mul(&e, d).Add(", "e.Mul(&e, d)")},
	{"Schnorr: the challenge that is verified", "schnorr/schnorr.go", in("curve.SumIsLiftXVartime(e.Negate(&e), pub, &s, sig[:32])", "e.Negate(&e)")},
	{"Schnorr: the verdict of the check", "schnorr/schnorr.go", value("VerifyBytes(priv.PublicKey().XOnly().Bytes(), msg, sig[:])", "VerifyBytes(priv.PublicKey().XOnly().Bytes(), msg, sig[:])")},
}
