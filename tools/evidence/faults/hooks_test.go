package faults

import (
	"slices"
	"strings"
)

// edit replaces the text old, which occurs once in a function, by new. A %q in new becomes the name of the change.
// Local names are marked (package locals).
type edit struct{ old, new string }

// change is a named edit of a function of the library.
type change struct {
	name, file, function string
	edit
}

// after returns an edit that puts a hook after a line, and before one that puts it before the line. pointer points to
// the value that may change.
func after(line, pointer string) edit {
	return edit{line, line + "\nfault.At(%q, " + pointer + ")"}
}

func before(line, pointer string) edit {
	return edit{line, "fault.At(%q, " + pointer + ")\n" + line}
}

// in returns an edit that replaces a pointer in a line by a call of the hook, which may change what it points to.
func in(line, pointer string) edit {
	return edit{line, strings.Replace(line, pointer, "fault.At(%q, "+pointer+")", 1)}
}

// value returns an edit that replaces an expression in a line by a call of the hook, which may change its value.
func value(line, expression string) edit {
	return edit{line, strings.Replace(line, expression, "*fault.At(%q, new("+expression+"))", 1)}
}

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

// partials returns the hooks in the functions of FROST and MuSig2 that make a partial signature and check it.
func partials(scheme, file, begin, finish, sign string) (all []change) {
	for _, c := range []change{
		{drawn, file, "deterministic", after("k.K[i].SetBytesReduced(&sum)", "&k.K[i]")},
		{": the public nonce", file, "SignDeterministic", after("defer k.Zero()", "&k.Pub")},
		{": b" + again, file, begin, after("s.b.SetBytesReduced(&sum)", "&s.b")},
		{": e" + again, file, finish, after("s.e = schnorr.Challenge(r, q, msg)", "&s.e")},
		{": the factor of the key", file, "Session.partial", before("if err :=", "&f")},
		{": the second nonce, after its point", file, "Session.partial", before("k.K[1].Mul(&k.K[1], &s.b)", "&k.K[1]")},
		{": the first nonce, after its point", file, "Session.partial", before("k.K[0].Add(&k.K[0], &k.K[1])", "&k.K[0]")},
		{": the parity of R", file, "Session.partial", value("CondNegate(&k.K[0], s.odd)", "s.odd")},
		{": f·d", file, "Session.partial", in("sig.s.Add(&k.K[0], d.Mul(&d, &f))", "d.Mul(&d, &f)")},
		{": the partial signature", file, "Session.sign", before("if !", "&sig.s")},
		{verdict, file, "Session.sign", value("check.valid(&sig.s, &k.Pub, "+sign+")", "check.valid(&sig.s, &k.Pub, "+sign+")")},
	} {
		c.name = scheme + c.name
		all = append(all, c)
	}
	return all
}

// hooks lists the places where a bit of a value may flip. The tests write a call of At for each place into a copy of
// the library, in this order.
var hooks = slices.Concat(places, partials("FROST", "protocols/frost/session.go", "NewSession", "NewSession", "i"),
	partials("MuSig2", "protocols/musig2/session.go", "begin", "Session.finish", "key"))

var places = []change{
	{keyParsed, "private.go", "keyPair.setScalar", before("k₁.d.Set(d₂)", "d₂")},
	{"key: stored", "private.go", "keyPair.setScalar", after("k₁.d.Set(d₂)", "&k₁.d")},
	{keyPoint, "private.go", "keyPair.setScalar", in("k₁.pub.point.ScalarBaseMult(d₂).Normalize()", "k₁.pub.point.ScalarBaseMult(d₂)")},
	{keyMemory, "private.go", "PrivateKey.use", before("d₃ := k₁.get().d", "&k₁.get().d")},
	{"key: the public key in memory, before it is read", "private.go", "PrivateKey.PublicKey", before("*p₂ = k₁.get().pub", "&k₁.get().pub")},

	{"ECDSA: d", "ecdsa/ecdsa.go", "seed", before("var extra₅ []byte", "d₂")},
	{"ECDSA: z", "ecdsa/ecdsa.go", "seed", before("var extra₅ []byte", "z₃")},
	{ecdsaDigest, "ecdsa/ecdsa.go", "sign", before("err₅ = priv₁.Use(", "(*[32]byte)(digest₂)")},
	{ecdsaStream, "ecdsa/ecdsa.go", "seed", after("nonces₁.Init(key₆, (*[32]byte)(z₃.Bytes()), extra₅)", "nonces₁")},
	{ecdsaBytes, "ecdsa/ecdsa.go", "signScalar", before("if sig₁.setWithNonce(d₂, z₃, &nonce₆) {", "&nonce₆")},
	{ecdsaNonce, "ecdsa/ecdsa.go", "RecoverableSignature.setWithNonce", before("var point₇ curve.Point", "&k₅")},
	{"ECDSA: R", "ecdsa/ecdsa.go", "RecoverableSignature.setWithNonce", in("point₇.ScalarBaseMult(&k₅).Normalize()", "point₇.ScalarBaseMult(&k₅)")},
	{"ECDSA: k, after R was computed from it", "ecdsa/ecdsa.go", "RecoverableSignature.setWithNonce", before("inverse₆.Invert(&k₅)", "&k₅")},
	{"ECDSA: the bytes of the x coordinate of R", "ecdsa/ecdsa.go", "RecoverableSignature.set", before("var r₈, s₉ curve.Scalar", "(*[32]byte)(x₆)")},
	{ecdsaParity, "ecdsa/ecdsa.go", "RecoverableSignature.set", after("id₁₀ := point₅.IsYOdd()", "&id₁₀")},
	{"ECDSA: r", "ecdsa/ecdsa.go", "RecoverableSignature.set", before("s₉.Mul(&r₈, d₂).Add(&s₉, z₃)", "&r₈")},
	{"ECDSA: r·d", "ecdsa/ecdsa.go", "RecoverableSignature.set", in("s₉.Mul(&r₈, d₂).Add(&s₉, z₃)", "s₉.Mul(&r₈, d₂)")},
	{"ECDSA: 1/k", "ecdsa/ecdsa.go", "RecoverableSignature.setWithNonce", after("inverse₆.Invert(&k₅)", "&inverse₆")},
	{"ECDSA: s", "ecdsa/ecdsa.go", "RecoverableSignature.set", before("if r₈.IsZero()|s₉.IsZero() == 1 {", "&s₉")},
	{"ECDSA: whether s is high", "ecdsa/ecdsa.go", "RecoverableSignature.set", after("high₁₂ := s₉.IsHigh()", "&high₁₂")},
	{"ECDSA: the signature", "ecdsa/ecdsa.go", "RecoverableSignature.set", after("sig₁.rsv[64] = byte(id₁₀ ^ high₁₂)", "sig₁")},
	{"ECDSA: the point that is recovered", "ecdsa/recover.go", "recoverKey", before("q₁₃, err₄ := p256k1.NewPublicKey(&point₁₁)", "&point₁₁")},
	{"ECDSA: the verdict of the check", "ecdsa/ecdsa.go", "SignRecoverable", value("check(priv₁.PublicKey(), digest₂, &sig₅)", "check(priv₁.PublicKey(), digest₂, &sig₅)")},

	{"ECDSA batch: d", "ecdsa/signbatch.go", "signing.sign", after("d₆[i₁₁].Set(&own₁₃)", "&d₆[i₁₁]")},
	{"ECDSA batch: z", "ecdsa/signbatch.go", "signing.sign", before("curve.ScalarBaseMultBatch(point₁₀, k₈)", "(*[2]curve.Scalar)(z₇)")},
	{ecdsaBatchNonces, "ecdsa/signbatch.go", "signing.sign", before("curve.ScalarBaseMultBatch(point₁₀, k₈)", "(*[2]curve.Scalar)(k₈)")},
	{"ECDSA batch: the points R", "ecdsa/signbatch.go", "signing.sign", after("curve.ScalarBaseMultBatch(point₁₀, k₈)", "(*[2]curve.Point)(point₁₀)")},
	{"ECDSA batch: the nonces k, after R was computed from them", "ecdsa/signbatch.go", "signing.sign", before("curve.InvertBatch(inverse₉, k₈)", "(*[2]curve.Scalar)(k₈)")},
	{"ECDSA batch: 1/k", "ecdsa/signbatch.go", "signing.sign", after("curve.InvertBatch(inverse₉, k₈)", "(*[2]curve.Scalar)(inverse₉)")},
	{"ECDSA batch: the signatures that are checked", "ecdsa/signbatch.go", "signBatch", before("for i₁₂, sig₁₃ := range s₇.sigs {", "(*[2]RecoverableSignature)(s₇.sigs)")},
	{"ECDSA batch: the verdict of the check", "ecdsa/signbatch.go", "signBatch", value("check(key₁₄.PublicKey(), digest₁₅, &sig₁₃)", "check(key₁₄.PublicKey(), digest₁₅, &sig₁₃)")},

	{"Schnorr: d", "schnorr/schnorr.go", "signScalar", before("d₂.CondNegate(d₂, point₆.IsYOdd())", "d₂")},
	{"Schnorr: P", "schnorr/schnorr.go", "signScalar", before("d₂.CondNegate(d₂, point₆.IsYOdd())", "point₆")},
	{"Schnorr: the parity of P", "schnorr/schnorr.go", "signScalar", value("d₂.CondNegate(d₂, point₆.IsYOdd())", "point₆.IsYOdd()")},
	{"Schnorr: the bytes of P", "schnorr/schnorr.go", "signScalar", before("var k₉ curve.Scalar", "(*[32]byte)(px₇)")},
	{schnorrMasked, "schnorr/schnorr.go", "setNonce", after("subtle.XORBytes(t₆[:], t₆[:], key₇)", "&t₆")},
	{schnorrBytes, "schnorr/schnorr.go", "setNonce", after("defer clear(nonce₈[:])", "&nonce₈")},
	{"Schnorr: the bytes of P, between nonce and challenge", "schnorr/schnorr.go", "signScalar", before("point₆.ScalarBaseMult(&k₉).Normalize()", "(*[32]byte)(px₇)")},
	{"Schnorr: the caller's message, after its first use", "schnorr/schnorr.go", "signScalar", before("point₆.ScalarBaseMult(&k₉).Normalize()", "(*[32]byte)(msg₄)")},
	{schnorrNonce, "schnorr/schnorr.go", "signScalar", before("point₆.ScalarBaseMult(&k₉).Normalize()", "&k₉")},
	{"Schnorr: R", "schnorr/schnorr.go", "signScalar", in("point₆.ScalarBaseMult(&k₉).Normalize()", "point₆.ScalarBaseMult(&k₉)")},
	{"Schnorr: the parity of R", "schnorr/schnorr.go", "set", value("k₅.CondNegate(k₅, r₆.IsYOdd())", "r₆.IsYOdd()")},
	{"Schnorr: k, after R was computed from it", "schnorr/schnorr.go", "set", before("rx₇, err₈ := r₆.BytesX()", "k₅")},
	{"Schnorr: the bytes of R", "schnorr/schnorr.go", "set", before("e₉ := Challenge(rx₇, px₃, msg₄)", "(*[32]byte)(rx₇)")},
	{"Schnorr: e", "schnorr/schnorr.go", "set", after("e₉ := Challenge(rx₇, px₃, msg₄)", "&e₉")},
	{"Schnorr: the signature", "schnorr/schnorr.go", "set", after("copy(sig₁[32:], e₉.Mul(&e₉, d₂).Add(&e₉, k₅).Bytes())", "sig₁")},
	{"Schnorr: s", "schnorr/schnorr.go", "set", in("e₉.Mul(&e₉, d₂).Add(&e₉, k₅).Bytes()", "e₉.Mul(&e₉, d₂).Add(&e₉, k₅)")},
	{"Schnorr: e·d", "schnorr/schnorr.go", "set", in("e₉.Mul(&e₉, d₂).Add(", "e₉.Mul(&e₉, d₂)")},
	{"Schnorr: the challenge that is verified", "schnorr/schnorr.go", "VerifyBytes", in("verify.EvenYOfBytesVartime(e₅.Negate(&e₅), pub₁, &s₄, sig₃[:32])", "e₅.Negate(&e₅)")},
	{"Schnorr: the verdict of the check", "schnorr/schnorr.go", "Sign", value("VerifyBytes(priv₁.PublicKey().XOnly().Bytes(), msg₂, sig₄[:])", "VerifyBytes(priv₁.PublicKey().XOnly().Bytes(), msg₂, sig₄[:])")},

	{"Schnorr batch: P", "schnorr/signbatch.go", "signing.sign", before("d₇[i₁₀].CondNegate(&own₁₂, point₁₃.IsYOdd())", "point₁₃")},
	{"Schnorr batch: d", "schnorr/signbatch.go", "signing.sign", after("d₇[i₁₀].CondNegate(&own₁₂, point₁₃.IsYOdd())", "&d₇[i₁₀]")},
	{"Schnorr batch: the bytes of P, in the challenge", "schnorr/signbatch.go", "signing.sign", after("px₆[i₁₀] = [32]byte(x₁₄)", "&px₆[i₁₀]")},
	{schnorrBatchNonces, "schnorr/signbatch.go", "signing.sign", before("curve.ScalarBaseMultBatch(r₉, k₈)", "(*[2]curve.Scalar)(k₈)")},
	{"Schnorr batch: the points R", "schnorr/signbatch.go", "signing.sign", after("curve.ScalarBaseMultBatch(r₉, k₈)", "(*[2]curve.Point)(r₉)")},
	{"Schnorr batch: the signatures that are checked", "schnorr/signbatch.go", "SignBatch", before("for i₁₀, sig₁₁ := range dst₁[from₈:to₉] {", "(*[2][64]byte)(dst₁)")},
	{"Schnorr batch: the verdict of the check", "schnorr/signbatch.go", "SignBatch", value("VerifyBytes(key₁₂.PublicKey().XOnly().Bytes(), msg₁₃, sig₁₁[:])", "VerifyBytes(key₁₂.PublicKey().XOnly().Bytes(), msg₁₃, sig₁₁[:])")},

	{"Schnorr pre-signature: d", "protocols/adaptor/schnorr.go", "preSignSchnorr", before("t₁₂ := schnorrAuxTag.Sum(aux₄[:])", "&d₁₁")},
	{preSchnorrNonce, "protocols/adaptor/schnorr.go", "preSignSchnorr", before("p₉.r.ScalarBaseMult(&k₁₅)", "&k₁₅")},
	{"Schnorr pre-signature: k·G", "protocols/adaptor/schnorr.go", "preSignSchnorr", in("p₉.r.ScalarBaseMult(&k₁₅)", "p₉.r.ScalarBaseMult(&k₁₅)")},
	{"Schnorr pre-signature: R", "protocols/adaptor/schnorr.go", "preSignSchnorr", in("p₉.r.Add(&p₉.r, point₂.Point()).Normalize()", "p₉.r.Add(&p₉.r, point₂.Point())")},
	{"Schnorr pre-signature: e", "protocols/adaptor/schnorr.go", "preSignSchnorr", after("e₁₈ := schnorr.Challenge(rx₁₆, x₆, msg₃)", "&e₁₈")},
	{"Schnorr pre-signature: the parity of R", "protocols/adaptor/schnorr.go", "preSignSchnorr", value("p₉.s.CondNegate(&k₁₅, p₉.r.IsYOdd())", "p₉.r.IsYOdd()")},
	{"Schnorr pre-signature: the pre-signature", "protocols/adaptor/schnorr.go", "preSignSchnorr", after("p₉.s.Add(&p₉.s, e₁₈.Mul(&e₁₈, &d₁₁))", "p₉")},
	{"Schnorr pre-signature: the verdict of the check", "protocols/adaptor/schnorr.go", "signSchnorr", value("p₅.Verify(pub₇, point₂, msg₃)", "p₅.Verify(pub₇, point₂, msg₃)")},

	{preECDSANonce, "protocols/adaptor/ecdsa.go", "preSignECDSA", before("var r₁₃ [2]curve.Point", "&k₁₀")},
	{"ECDSA pre-signature: R", "protocols/adaptor/ecdsa.go", "preSignECDSA", in("r₁₃[0].ScalarMult(&k₁₀, point₂.Point())", "r₁₃[0].ScalarMult(&k₁₀, point₂.Point())")},
	{"ECDSA pre-signature: R'", "protocols/adaptor/ecdsa.go", "preSignECDSA", in("r₁₃[1].ScalarBaseMult(&k₁₀)", "r₁₃[1].ScalarBaseMult(&k₁₀)")},
	{preECDSAProof, "protocols/adaptor/ecdsa.go", "prove", before("var r₁₀ [2]curve.Point", "&l₇")},
	{"ECDSA pre-signature: e of the proof", "protocols/adaptor/ecdsa.go", "prove", before("copy(out₁[98:], e₈.Bytes())", "&e₈")},
	{"ECDSA pre-signature: r·d", "protocols/adaptor/ecdsa.go", "preSignECDSA", in("z₁₁.Add(&z₁₁, d₉.Mul(&d₉, &x₁₅))", "d₉.Mul(&d₉, &x₁₅)")},
	{"ECDSA pre-signature: the pre-signature", "protocols/adaptor/ecdsa.go", "preSignECDSA", after("copy(out₅[66:], z₁₁.Mul(&z₁₁, k₁₀.Invert(&k₁₀)).Bytes())", "&out₅")},
	{"ECDSA pre-signature: 1/k", "protocols/adaptor/ecdsa.go", "preSignECDSA", in("z₁₁.Mul(&z₁₁, k₁₀.Invert(&k₁₀))", "k₁₀.Invert(&k₁₀)")},
	{"ECDSA pre-signature: the verdict of the check", "protocols/adaptor/ecdsa.go", "signECDSA", value("p₇.Verify(priv₁.PublicKey(), point₂, digest₃)", "p₇.Verify(priv₁.PublicKey(), point₂, digest₃)")},

	{"DLEQ: C", "protocols/dleq/dleq.go", "products", in("p256k1.NewPublicKey(p.ScalarMult(d, b.Point()))", "p.ScalarMult(d, b.Point())")},
	{"DLEQ: the bytes of C" + again, "protocols/dleq/dleq.go", "statement.set", after("copy(s.c[:], c.Bytes())", "&s.c")},
	{"DLEQ" + drawn, "protocols/dleq/dleq.go", "prove", before("var r [2]curve.Point", "&k")},
	{"DLEQ: the points R", "protocols/dleq/dleq.go", "prove", before("curve.NormalizeBatch(r[:])", "&r")},
	{"DLEQ: the hash", "protocols/dleq/dleq.go", "prove", after("hash := s.challenge(&r[0], &r[1])", "&hash")},
	{"DLEQ: e", "protocols/dleq/dleq.go", "prove", after("e.SetBytesReduced(&hash)", "&e")},
	{"DLEQ: the proof", "protocols/dleq/dleq.go", "prove", after("copy(proof[32:], e.Mul(&e, d).Add(&e, &k).Bytes())", "proof")},
	{"DLEQ: C in memory", "protocols/dleq/dleq.go", "newProof", before("return pubA, c, proof, nil", "c")},
	{"DLEQ" + verdict, "protocols/dleq/dleq.go", "checked", value("Verify(a, b, c, proof[:], opts)", "Verify(a, b, c, proof[:], opts)")},
}
