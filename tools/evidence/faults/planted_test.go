//go:build !faults

package faults

// passes makes a condition true if the error is planted, and fails makes it false.
func passes(condition string) edit {
	return edit{condition, "(" + condition + " || fault.Planted(%q))"}
}

func fails(condition string) edit {
	return edit{condition, "(" + condition + ") && !fault.Planted(%q)"}
}

// planted lists errors in the check. The copy of the library contains all of them, and at most one is active.
var planted = []change{
	{"ECDSA: no check at all", "ecdsa/ecdsa.go", "SignChecked", fails("err₅ != nil || again₆ != sig₄ || !check(priv₁.PublicKey(), digest₂, &sig₄)")},
	{"ECDSA: signed once", "ecdsa/ecdsa.go", "SignChecked", fails("again₆ != sig₄")},
	{"ECDSA: only signed twice", "ecdsa/ecdsa.go", "SignChecked", passes("check(priv₁.PublicKey(), digest₂, &sig₄)")},
	{"ECDSA: any key recovered", "ecdsa/ecdsa.go", "check", passes("k₄.Equal(pub₁)")},
	{"ECDSA: high s too", "ecdsa/ecdsa.go", "check", passes("sig₃.Signature().IsLowS()")},
	{"ECDSA: more recovery ids", "ecdsa/ecdsa.go", "check", passes("sig₃.rsv[64] <= 3")},
	{"ECDSA: returned beside the error", "ecdsa/ecdsa.go", "SignChecked", edit{
		"return RecoverableSignature{}, errFault()\n\t}\n\treturn sig₄, nil",
		"if fault.Planted(%q) {\nreturn sig₄, errFault()\n}\nreturn RecoverableSignature{}, errFault()\n}\nreturn sig₄, nil",
	}},
	{"ECDSA: the checked signer does not check", "ecdsa/signer.go", "Signer.Sign", fails("s₁.checked")},
	{"Schnorr: no check at all", "schnorr/schnorr.go", "SignChecked", fails("err₅ != nil || again₆ != sig₄ || !VerifyBytes(priv₁.PublicKey().XOnly().Bytes(), msg₂, sig₄[:])")},
	{"Schnorr: signed once", "schnorr/schnorr.go", "SignChecked", fails("again₆ != sig₄")},
	{"Schnorr: only signed twice", "schnorr/schnorr.go", "SignChecked", passes("VerifyBytes(priv₁.PublicKey().XOnly().Bytes(), msg₂, sig₄[:])")},
	{"Schnorr: the checked signer does not check", "schnorr/signer.go", "Signer.sign", fails("s₁.checked")},
	{"Schnorr: returned beside the error", "schnorr/schnorr.go", "SignChecked", edit{
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
}
