package engine

import (
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/schnorr"
)

// A Switch is a setting of the environment, for a process of its own, under which
// p256k1 may run other code than by default.
type Switch struct{ Key, Value string }

// Switches are all that there are. Those that change nothing on a machine lead to
// a backend that is there already.
var Switches = []Switch{
	{"GODEBUG", "cpu.avx512ifma=off"},
	{"GODEBUG", "cpu.adx=off"},
	{"GODEBUG", "cpu.bmi2=off"},
}

type p256k1Engine struct{}

func openP256K1() (Engine, error) { return p256k1Engine{}, nil }

func (p256k1Engine) Info() Info {
	return Info{Name: "p256k1", Backend: platform.Name(), Version: moduleVersion("p256k1.mleku.dev/v2")}
}

func (p256k1Engine) NewSession() (Session, error) { return new(p256k1Session), nil }

type p256k1Session struct{}

func (*p256k1Session) LoadSecret(sec *[32]byte) (Secret, error) {
	k, err := p256k1.NewPrivateKey(sec[:])
	return k, invalid(err)
}

func (*p256k1Session) LoadPublic(pub []byte) (Public, error) {
	p, err := p256k1.NewPublicKey(pub)
	return p, invalid(err)
}

func (*p256k1Session) Derive(sec *[32]byte) (pub [33]byte, err error) {
	k, err := p256k1.NewPrivateKey(sec[:])
	if err != nil {
		return pub, invalid(err)
	}
	return [33]byte(k.PublicKey().Bytes()), nil
}

func (*p256k1Session) ECDSASign(dst []byte, sec Secret, digest *[32]byte) ([]byte, error) {
	sig, err := ecdsa.Sign(sec.(*p256k1.PrivateKey), digest[:])
	if err != nil {
		return nil, invalid(err)
	}
	return append(dst, sig.DER()...), nil
}

func (*p256k1Session) ECDSAVerify(pub *[33]byte, digest *[32]byte, der []byte) (bool, error) {
	return ecdsa.VerifyDER(pub[:], digest[:], der), nil
}

func (*p256k1Session) SignRecoverable(sec Secret, digest *[32]byte) (sig [65]byte, err error) {
	s, err := ecdsa.SignRecoverable(sec.(*p256k1.PrivateKey), digest[:])
	if err != nil {
		return sig, invalid(err)
	}
	return [65]byte(s.Bytes()), nil
}

func (*p256k1Session) Recover(digest *[32]byte, sig *[65]byte) (pub [33]byte, err error) {
	s, err := ecdsa.ParseRecoverable(sig[:])
	if err != nil {
		return pub, invalid(err)
	}
	p, err := ecdsa.Recover(digest[:], s)
	if err != nil {
		return pub, invalid(err)
	}
	return [33]byte(p.Bytes()), nil
}

// noAux is what stands for no auxiliary randomness where nil means fresh one.
var noAux [32]byte

func (*p256k1Session) SchnorrSign(sec Secret, msg, aux *[32]byte) ([64]byte, error) {
	if aux == nil {
		aux = &noAux
	}
	sig, err := schnorr.Sign(sec.(*p256k1.PrivateKey), msg[:], aux)
	return sig, invalid(err)
}

func (*p256k1Session) SchnorrVerify(pub, msg *[32]byte, sig *[64]byte) (bool, error) {
	return schnorr.VerifyBytes(pub[:], msg[:], sig[:]), nil
}

func (*p256k1Session) ECDHX(sec Secret, pub Public) ([32]byte, error) {
	return ecdh.X(sec.(*p256k1.PrivateKey), pub.(*p256k1.PublicKey))
}

func (*p256k1Session) ECDHSHA256(sec Secret, pub Public) ([32]byte, error) {
	return ecdh.SHA256(sec.(*p256k1.PrivateKey), pub.(*p256k1.PublicKey))
}

func (*p256k1Session) Close() {}
