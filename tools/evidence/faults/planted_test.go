//go:build !faults

package faults

// passes makes a condition true if the error is planted, and fails false.
func passes(condition string) edit {
	return edit{condition, "(" + condition + " || fault.Planted(%q))"}
}

func fails(condition string) edit {
	return edit{condition, "(" + condition + ") && !fault.Planted(%q)"}
}

// planted are errors in the check, of which the copy of the library has the one that it is told to.
var planted = []struct {
	name, file string
	edit
}{
	{"ECDSA: no check at all", "ecdsa/ecdsa.go", fails("err != nil || again != sig || !check(priv.PublicKey(), digest, &sig)")},
	{"ECDSA: signed once", "ecdsa/ecdsa.go", fails("again != sig")},
	{"ECDSA: only signed twice", "ecdsa/ecdsa.go", passes("check(priv.PublicKey(), digest, &sig)")},
	{"ECDSA: any key recovered", "ecdsa/ecdsa.go", passes("k.Equal(pub)")},
	{"ECDSA: high s too", "ecdsa/ecdsa.go", passes("sig.Signature().IsLowS()")},
	{"ECDSA: more recovery ids", "ecdsa/ecdsa.go", passes("sig.rsv[64] <= 3")},
	{"ECDSA: returned beside the error", "ecdsa/ecdsa.go", edit{
		"return RecoverableSignature{}, errFault()\n\t}\n\treturn sig, nil",
		"if fault.Planted(%q) {\nreturn sig, errFault()\n}\nreturn RecoverableSignature{}, errFault()\n}\nreturn sig, nil",
	}},
	{"ECDSA: the checked signer does not check", "ecdsa/signer.go", fails("s.checked")},
	{"Schnorr: no check at all", "schnorr/schnorr.go", fails("err != nil || again != sig || !VerifyBytes(priv.PublicKey().XOnly().Bytes(), msg, sig[:])")},
	{"Schnorr: signed once", "schnorr/schnorr.go", fails("again != sig")},
	{"Schnorr: only signed twice", "schnorr/schnorr.go", passes("VerifyBytes(priv.PublicKey().XOnly().Bytes(), msg, sig[:])")},
	{"Schnorr: the checked signer does not check", "schnorr/signer.go", fails("s.checked")},
	{"Schnorr: returned beside the error", "schnorr/schnorr.go", edit{
		"return [64]byte{}, errFault()",
		"if fault.Planted(%q) {\nreturn sig, errFault()\n}\nreturn [64]byte{}, errFault()",
	}},
}
