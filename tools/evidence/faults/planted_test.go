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
}
