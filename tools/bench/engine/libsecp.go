package engine

import (
	"fmt"
	"path/filepath"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/libsecp"
	"p256k1.mleku.dev/v2/tools/bench/native"
)

type libsecpEngine struct {
	library *libsecp.Library
	info    Info
	can     libsecpModules
}

// libsecpModules says what a library was built with, and is new enough for.
type libsecpModules struct{ recovery, schnorr, ecdh, swift bool }

func openLibsecp() (Engine, error) {
	l, err := libsecp.Open("")
	if err != nil {
		return nil, err
	}
	return newLibsecp("libsecp256k1", l, "Called without cgo; the time that takes is in its figures.",
		"Its ECDH gives the raw x only through a callback, here into Go.")
}

func openLibsecpCgo() (Engine, error) {
	l, err := libsecp.Open("")
	if err != nil {
		return nil, err
	}
	if l, err = l.ViaCgo(); err != nil {
		return nil, err
	}
	e, err := newLibsecp("libsecp256k1-cgo", l, "The library of the engine libsecp256k1, called through cgo; the time that takes is in its figures.")
	if err == nil {
		e.info.Backend = "C, cgo"
	}
	return e, err
}

func newLibsecp(name string, l *libsecp.Library, notes ...string) (*libsecpEngine, error) {
	if lacks := l.Lacks("context_randomize", "ec_pubkey_create", "ec_pubkey_parse", "ec_pubkey_serialize", "ecdsa_sign",
		"ecdsa_signature_serialize_der", "ecdsa_signature_parse_der", "ecdsa_verify"); len(lacks) > 0 {
		return nil, fmt.Errorf("%s lacks %s", l.Path, strings.Join(lacks, ", "))
	}
	e := &libsecpEngine{library: l, info: Info{Name: name, Backend: "C, without cgo", Notes: notes}}
	e.can = libsecpModules{
		recovery: len(l.Lacks("ecdsa_recover", "ecdsa_sign_recoverable")) == 0,
		schnorr:  len(l.Lacks("keypair_create", "xonly_pubkey_parse", "schnorrsig_verify")) == 0,
		ecdh:     len(l.Lacks("ecdh")) == 0,
		swift:    l.HasEllswift(),
	}
	e.info.Path, e.info.SHA256 = sharedLibrary(l.Path, l.Address())
	e.info.Version = libsecpVersion(e.info.Path)
	return e, nil
}

// libsecpVersion tells the version from the file, since the library itself does
// not know it.
func libsecpVersion(path string) string {
	if b, err := native.Cached(); err == nil && b.Library == path {
		return fmt.Sprintf("%s (%.12s), %s %s", b.Version, b.Revision, b.Compiler, b.Flags[0])
	}
	_, soversion, _ := strings.Cut(filepath.Base(path), ".so.")
	soversion, _, _ = strings.Cut(soversion, ".")
	if release, ok := libsecpReleases[soversion]; ok {
		return release + " by its interface version " + soversion
	}
	return "unknown"
}

// libsecpReleases has the releases by the number that their interface has in the
// name of the shared library.
var libsecpReleases = map[string]string{
	"0": "0.1 or older", "1": "0.2", "2": "0.3 to 0.5", "5": "0.6", "6": "0.7", "7": "0.8",
}

func (e *libsecpEngine) Info() Info { return e.info }

func (e *libsecpEngine) NewSession() (Session, error) {
	c, err := e.library.NewContext()
	if err != nil {
		return nil, err
	}
	return &libsecpSession{c: c, can: e.can}, nil
}

type libsecpSession struct {
	c   *libsecp.Context
	can libsecpModules

	parties []Party // of the last PrepareProtocol, with their keys
	members []libsecpMember
}

type libsecpSecret struct {
	key  [32]byte
	pair libsecp.Keypair
}

func (s *libsecpSession) LoadSecret(sec *[32]byte) (Secret, error) {
	_, ok := s.c.PubkeyCreate(sec) // of the functions that refuse a key, the one that all versions have
	secret := &libsecpSecret{key: *sec}
	if ok && s.can.schnorr {
		secret.pair, ok = s.c.LoadKeypair(sec)
	}
	return secret, refused(ok, "secret key")
}

func (s *libsecpSession) LoadPublic(pub []byte) (Public, error) {
	key, ok := s.c.LoadPubkey(pub)
	return &key, refused(ok, "public key")
}

func (s *libsecpSession) Derive(sec *[32]byte) ([33]byte, error) {
	pub, ok := s.c.PubkeyCreate(sec)
	return pub, refused(ok, "secret key")
}

func (s *libsecpSession) ECDSASign(dst []byte, sec Secret, digest *[32]byte) ([]byte, error) {
	der, n, ok := s.c.ECDSASignDER(&sec.(*libsecpSecret).key, digest, nil)
	return append(dst, der[:n]...), refused(ok, "secret key")
}

func (s *libsecpSession) ECDSAVerify(pub *[33]byte, digest *[32]byte, der []byte) (bool, error) {
	return s.c.ECDSAVerifyDER(pub[:], digest, der), nil
}

func (s *libsecpSession) SignRecoverable(sec Secret, digest *[32]byte) (r [65]byte, _ error) {
	if !s.can.recovery {
		return r, ErrNotSupported
	}
	sig, ok := s.c.RecoverableSign(&sec.(*libsecpSecret).key, digest, nil)
	return sig, refused(ok, "secret key")
}

func (s *libsecpSession) Recover(digest *[32]byte, sig *[65]byte) (r [33]byte, _ error) {
	if !s.can.recovery {
		return r, ErrNotSupported
	}
	pub, ok := s.c.Recover(digest, sig)
	return pub, refused(ok, "signature")
}

func (s *libsecpSession) SchnorrSign(sec Secret, msg, aux *[32]byte) (r [64]byte, _ error) {
	if !s.can.schnorr {
		return r, ErrNotSupported
	}
	sig, ok := s.c.SchnorrSign(&sec.(*libsecpSecret).pair, msg, aux)
	return sig, refused(ok, "secret key")
}

func (s *libsecpSession) SchnorrVerify(pub, msg *[32]byte, sig *[64]byte) (bool, error) {
	if !s.can.schnorr {
		return false, ErrNotSupported
	}
	return s.c.SchnorrVerify(pub, msg[:], sig), nil
}

func (s *libsecpSession) ECDHX(sec Secret, pub Public) (r [32]byte, _ error) {
	if !s.can.ecdh {
		return r, ErrNotSupported
	}
	x, ok := s.c.ECDHX(pub.(*libsecp.Pubkey), &sec.(*libsecpSecret).key)
	return x, refused(ok, "key")
}

func (s *libsecpSession) ECDHSHA256(sec Secret, pub Public) (r [32]byte, _ error) {
	if !s.can.ecdh {
		return r, ErrNotSupported
	}
	sum, ok := s.c.ECDH(pub.(*libsecp.Pubkey), &sec.(*libsecpSecret).key)
	return sum, refused(ok, "key")
}

func (s *libsecpSession) Close() { s.c.Close() }

// refused returns an error for what C did not accept.
func refused(ok bool, what string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrInvalid, what)
}
