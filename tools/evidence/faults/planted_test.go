//go:build !faults

package faults

// passes makes a condition true if the error is planted, and fails makes it false.
func passes(condition string) edit {
	return edit{condition, "(" + condition + " || fault.Planted(%q))"}
}

func fails(condition string) edit {
	return edit{condition, "(" + condition + ") && !fault.Planted(%q)"}
}

// first runs a statement before a line if the error is planted.
func first(statement, line string) edit {
	return edit{line, "if fault.Planted(%q) {\n" + statement + "\n}\n" + line}
}

// planted lists errors in the check. The copy of the library contains all of them, and at most one is active.
var planted = []change{
	{"ECDSA: no check at all", "ecdsa/ecdsa.go", "SignRecoverable", fails("err₆ != nil || again₇ != sig₅ || !check(priv₁.PublicKey(), digest₂, &sig₅)")},
	{"ECDSA: signed once", "ecdsa/ecdsa.go", "SignRecoverable", fails("again₇ != sig₅")},
	{"ECDSA: only signed twice", "ecdsa/ecdsa.go", "SignRecoverable", passes("check(priv₁.PublicKey(), digest₂, &sig₅)")},
	{"ECDSA: any key recovered", "ecdsa/ecdsa.go", "check", passes("k₄.Equal(pub₁)")},
	{"ECDSA: high s too", "ecdsa/ecdsa.go", "check", passes("sig₃.Signature().IsLowS()")},
	{"ECDSA: more recovery ids", "ecdsa/ecdsa.go", "check", passes("sig₃.rsv[64] <= 3")},
	{"ECDSA: returned beside the error", "ecdsa/ecdsa.go", "SignRecoverable", edit{
		"return RecoverableSignature{}, errFault()\n\t}\n\treturn sig₅, nil",
		"if fault.Planted(%q) {\nreturn sig₅, errFault()\n}\nreturn RecoverableSignature{}, errFault()\n}\nreturn sig₅, nil",
	}},
	{"ECDSA: the checked signer does not check", "ecdsa/signer.go", "NewSigner", edit{
		"return &Signer{priv₁, opts₂.get()}", "if fault.Planted(%q) {\nopts₂ = nil\n}\nreturn &Signer{priv₁, opts₂.get()}",
	}},
	{"ECDSA batch: no check at all", "ecdsa/signbatch.go", "signBatch", fails("o₈.Checked && (s₇.again[i₁₂] != sig₁₃ || !check(key₁₄.PublicKey(), digest₁₅, &sig₁₃))")},
	{"ECDSA batch: signed once", "ecdsa/signbatch.go", "signBatch", fails("s₇.again[i₁₂] != sig₁₃")},
	{"ECDSA batch: only signed twice", "ecdsa/signbatch.go", "signBatch", passes("check(key₁₄.PublicKey(), digest₁₅, &sig₁₃)")},
	{"Schnorr: no check at all", "schnorr/schnorr.go", "Sign", fails("err₈ != nil || again₅ != sig₄ || !VerifyBytes(priv₁.PublicKey().XOnly().Bytes(), msg₂, sig₄[:])")},
	{"Schnorr: signed once", "schnorr/schnorr.go", "Sign", fails("again₅ != sig₄")},
	{"Schnorr: only signed twice", "schnorr/schnorr.go", "Sign", passes("VerifyBytes(priv₁.PublicKey().XOnly().Bytes(), msg₂, sig₄[:])")},
	{"Schnorr: the checked signer does not check", "schnorr/signer.go", "NewSigner", edit{
		"return &Signer{priv₁, opts₂.get()}", "if fault.Planted(%q) {\nopts₂ = nil\n}\nreturn &Signer{priv₁, opts₂.get()}",
	}},
	{"Schnorr batch: no check at all", "schnorr/signbatch.go", "SignBatch", fails("o₆.Checked && (s₅.again[i₁₀] != sig₁₁ || !VerifyBytes(key₁₂.PublicKey().XOnly().Bytes(), msg₁₃, sig₁₁[:]))")},
	{"Schnorr batch: signed once", "schnorr/signbatch.go", "SignBatch", fails("s₅.again[i₁₀] != sig₁₁")},
	{"Schnorr batch: only signed twice", "schnorr/signbatch.go", "SignBatch", passes("VerifyBytes(key₁₂.PublicKey().XOnly().Bytes(), msg₁₃, sig₁₁[:])")},
	{"Schnorr: returned beside the error", "schnorr/schnorr.go", "Sign", edit{
		"return [64]byte{}, errFault()",
		"if fault.Planted(%q) {\nreturn sig₄, errFault()\n}\nreturn [64]byte{}, errFault()",
	}},
	{"Schnorr pre-signature: no check at all", "protocols/adaptor/schnorr.go", "signSchnorr", passes("p₅.Verify(pub₇, point₂, msg₃)")},
	{"Schnorr pre-signature: the key's bytes not read", "protocols/adaptor/schnorr.go", "signSchnorr", edit{
		"p₅, _ = ParseSchnorrPreSignature", "if fault.Planted(%q) {\npub₇ = priv₁.PublicKey().XOnly()\n}\np₅, _ = ParseSchnorrPreSignature",
	}},
	{"Schnorr pre-signature: its bytes not read", "protocols/adaptor/schnorr.go", "signSchnorr", edit{
		"p₅, _ = ParseSchnorrPreSignature(p₅.Bytes())", "if !fault.Planted(%q) {\np₅, _ = ParseSchnorrPreSignature(p₅.Bytes())\n}",
	}},
	{"Schnorr pre-signature: no nonce", "protocols/adaptor/schnorr.go", "SchnorrPreSignature.Verify", passes("left₉.IsInfinity() == 0")},
	{"Schnorr pre-signature: any s'", "protocols/adaptor/schnorr.go", "SchnorrPreSignature.Verify", passes("left₉.Equal(&right₁₀) == 1")},
	{"ECDSA pre-signature: no check at all", "protocols/adaptor/ecdsa.go", "signECDSA", fails("err₆ != nil || !p₇.Verify(priv₁.PublicKey(), point₂, digest₃)")},
	{"ECDSA pre-signature: only parsed", "protocols/adaptor/ecdsa.go", "signECDSA", passes("p₇.Verify(priv₁.PublicKey(), point₂, digest₃)")},
	{"ECDSA pre-signature: any proof", "protocols/adaptor/ecdsa.go", "ECDSAPreSignature.Verify", passes("p₁.proves(point₃)")},
	{"ECDSA pre-signature: any hash in the proof", "protocols/adaptor/ecdsa.go", "ECDSAPreSignature.proves", passes("e₃.Equal(&p₁.e) == 1")},
	{"ECDSA pre-signature: no nonce in the proof", "protocols/adaptor/ecdsa.go", "ECDSAPreSignature.proves", fails("r₄[0].IsInfinity()|r₄[1].IsInfinity() == 1")},
	{"ECDSA pre-signature: any s'", "protocols/adaptor/ecdsa.go", "ECDSAPreSignature.Verify", passes("sum₈.Equal(&p₁.r1) == 1")},
	{"FROST: no check at all", "protocols/frost/session.go", "Session.sign", passes("check.valid(&sig.s, &k.Pub, i)")},
	{"FROST: one session", "protocols/frost/session.go", "SignDeterministic", first("check = session", "sig, err := session.sign(check")},
	{"FROST: the bytes of the nonce not read", "protocols/frost/session.go", "SignDeterministic", first("public = PublicNonce{k.Pub}", "check, err := withOthers(")},
	{"MuSig2: no check at all", "protocols/musig2/session.go", "Session.sign", passes("check.valid(&sig.s, &k.Pub, key)")},
	{"MuSig2: one session", "protocols/musig2/session.go", "SignDeterministic", first("check = session", "sig, err := session.sign(check")},
	{"DLEQ: no check at all", "protocols/dleq/dleq.go", "checked", passes("Verify(a, b, c, proof[:], opts)")},
}
