//go:build libsecp_cgo && cgo

package engine

/*
#cgo pkg-config: libsecp256k1
#include <string.h>
#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_recovery.h>
#include <secp256k1_schnorrsig.h>

static int next_copy_x(unsigned char *output, const unsigned char *x, const unsigned char *y, void *data) {
	(void)y; (void)data;
	memcpy(output, x, 32);
	return 1;
}

// Each operation is one function, as a C program would have it, for one crossing
// from Go to C.

static int next_derive(const secp256k1_context *ctx, unsigned char *pub33, const unsigned char *sec) {
	secp256k1_pubkey pub;
	size_t n = 33;
	return secp256k1_ec_pubkey_create(ctx, &pub, sec) &&
		secp256k1_ec_pubkey_serialize(ctx, pub33, &n, &pub, SECP256K1_EC_COMPRESSED);
}

static size_t next_ecdsa_sign(const secp256k1_context *ctx, unsigned char *der72, const unsigned char *sec, const unsigned char *digest) {
	secp256k1_ecdsa_signature sig;
	size_t n = 72;
	if (!secp256k1_ecdsa_sign(ctx, &sig, digest, sec, NULL, NULL)) return 0;
	return secp256k1_ecdsa_signature_serialize_der(ctx, der72, &n, &sig) ? n : 0;
}

static int next_ecdsa_verify(const secp256k1_context *ctx, const unsigned char *pub33, const unsigned char *digest, const unsigned char *der, size_t n) {
	secp256k1_pubkey pub;
	secp256k1_ecdsa_signature sig;
	return secp256k1_ec_pubkey_parse(ctx, &pub, pub33, 33) &&
		secp256k1_ecdsa_signature_parse_der(ctx, &sig, der, n) &&
		secp256k1_ecdsa_verify(ctx, &sig, digest, &pub);
}

static int next_sign_recoverable(const secp256k1_context *ctx, unsigned char *rs, const unsigned char *sec, const unsigned char *digest) {
	secp256k1_ecdsa_recoverable_signature sig;
	int id = -1;
	if (!secp256k1_ecdsa_sign_recoverable(ctx, &sig, digest, sec, NULL, NULL)) return -1;
	secp256k1_ecdsa_recoverable_signature_serialize_compact(ctx, rs, &id, &sig);
	return id;
}

static int next_recover(const secp256k1_context *ctx, unsigned char *pub33, const unsigned char *digest, const unsigned char *rs, int id) {
	secp256k1_ecdsa_recoverable_signature sig;
	secp256k1_pubkey pub;
	size_t n = 33;
	return secp256k1_ecdsa_recoverable_signature_parse_compact(ctx, &sig, rs, id) &&
		secp256k1_ecdsa_recover(ctx, &pub, &sig, digest) &&
		secp256k1_ec_pubkey_serialize(ctx, pub33, &n, &pub, SECP256K1_EC_COMPRESSED);
}

static int next_schnorr_verify(const secp256k1_context *ctx, const unsigned char *pub32, const unsigned char *msg, const unsigned char *sig) {
	secp256k1_xonly_pubkey pub;
	return secp256k1_xonly_pubkey_parse(ctx, &pub, pub32) &&
		secp256k1_schnorrsig_verify(ctx, sig, msg, 32, &pub);
}

static int next_ecdh_x(const secp256k1_context *ctx, unsigned char *x, const secp256k1_pubkey *pub, const unsigned char *sec) {
	return secp256k1_ecdh(ctx, x, pub, sec, next_copy_x, NULL);
}

static int next_ecdh(const secp256k1_context *ctx, unsigned char *sum, const secp256k1_pubkey *pub, const unsigned char *sec) {
	return secp256k1_ecdh(ctx, sum, pub, sec, NULL, NULL);
}

static void next_nothing(void) {}

static void *next_address(void) { return (void *)secp256k1_ecdsa_verify; }
*/
import "C"

import (
	"crypto/rand"
	"errors"
	"fmt"
	"unsafe"
)

type cgoEngine struct{ info Info }

func openLibsecpCgo() (Engine, error) {
	e := cgoEngine{Info{
		Name: "libsecp256k1-cgo", Backend: "C, cgo",
		Notes: []string{"The system's library, called through cgo, once an operation; the time that takes is in its figures."},
	}}
	e.info.Path, e.info.SHA256 = sharedLibrary("libsecp256k1", uintptr(C.next_address()))
	e.info.Version = libsecpVersion(e.info.Path)
	return e, nil
}

func (e cgoEngine) Info() Info { return e.info }

func (cgoEngine) NewSession() (Session, error) {
	s := &cgoSession{ctx: C.secp256k1_context_create(C.SECP256K1_CONTEXT_NONE)}
	if s.ctx == nil {
		return nil, errors.New("engine: secp256k1_context_create failed")
	}
	var seed [32]byte
	rand.Read(seed[:])
	if C.secp256k1_context_randomize(s.ctx, bytes32(&seed)) != 1 {
		s.Close()
		return nil, errors.New("engine: secp256k1_context_randomize failed")
	}
	return s, nil
}

// A cgoSession keeps results in memory of its own: a variable whose address C
// gets would be allocated at each call.
type cgoSession struct {
	ctx *C.secp256k1_context
	pub [33]byte
	der [72]byte
	sum [32]byte
	sig [65]byte
}

type cgoSecret struct {
	key  [32]byte
	pair C.secp256k1_keypair
}

func bytes32(b *[32]byte) *C.uchar { return (*C.uchar)(unsafe.Pointer(b)) }

func first(b []byte) *C.uchar { return (*C.uchar)(unsafe.SliceData(b)) }

func (s *cgoSession) LoadSecret(sec *[32]byte) (Secret, error) {
	k := &cgoSecret{key: *sec}
	if C.secp256k1_keypair_create(s.ctx, &k.pair, bytes32(sec)) != 1 {
		return nil, fmt.Errorf("%w: secret key", ErrInvalid)
	}
	return k, nil
}

func (s *cgoSession) LoadPublic(pub []byte) (Public, error) {
	k := new(C.secp256k1_pubkey)
	if len(pub) == 0 || C.secp256k1_ec_pubkey_parse(s.ctx, k, first(pub), C.size_t(len(pub))) != 1 {
		return nil, fmt.Errorf("%w: public key", ErrInvalid)
	}
	return k, nil
}

func (s *cgoSession) Derive(sec *[32]byte) ([33]byte, error) {
	ok := C.next_derive(s.ctx, first(s.pub[:]), bytes32(sec)) == 1
	return s.pub, refused(ok, "secret key")
}

func (s *cgoSession) ECDSASign(dst []byte, sec Secret, digest *[32]byte) ([]byte, error) {
	n := C.next_ecdsa_sign(s.ctx, first(s.der[:]), bytes32(&sec.(*cgoSecret).key), bytes32(digest))
	return append(dst, s.der[:n]...), refused(n > 0, "secret key")
}

func (s *cgoSession) ECDSAVerify(pub *[33]byte, digest *[32]byte, der []byte) (bool, error) {
	return len(der) > 0 &&
		C.next_ecdsa_verify(s.ctx, first(pub[:]), bytes32(digest), first(der), C.size_t(len(der))) == 1, nil
}

func (s *cgoSession) SignRecoverable(sec Secret, digest *[32]byte) ([65]byte, error) {
	id := C.next_sign_recoverable(s.ctx, first(s.sig[:]), bytes32(&sec.(*cgoSecret).key), bytes32(digest))
	s.sig[64] = byte(id)
	return s.sig, refused(id >= 0, "secret key")
}

func (s *cgoSession) Recover(digest *[32]byte, sig *[65]byte) (pub [33]byte, err error) {
	if sig[64] > 3 || C.next_recover(s.ctx, first(s.pub[:]), bytes32(digest), first(sig[:]), C.int(sig[64])) != 1 {
		return pub, fmt.Errorf("%w: signature", ErrInvalid)
	}
	return s.pub, nil
}

func (s *cgoSession) SchnorrSign(sec Secret, msg, aux *[32]byte) ([64]byte, error) {
	ok := C.secp256k1_schnorrsig_sign32(s.ctx, first(s.sig[:]), bytes32(msg), &sec.(*cgoSecret).pair, bytes32(aux)) == 1
	return [64]byte(s.sig[:64]), refused(ok, "secret key")
}

func (s *cgoSession) SchnorrVerify(pub, msg *[32]byte, sig *[64]byte) (bool, error) {
	return C.next_schnorr_verify(s.ctx, bytes32(pub), bytes32(msg), first(sig[:])) == 1, nil
}

func (s *cgoSession) ECDHX(sec Secret, pub Public) ([32]byte, error) {
	ok := C.next_ecdh_x(s.ctx, bytes32(&s.sum), pub.(*C.secp256k1_pubkey), bytes32(&sec.(*cgoSecret).key)) == 1
	return s.sum, refused(ok, "key")
}

func (s *cgoSession) ECDHSHA256(sec Secret, pub Public) ([32]byte, error) {
	ok := C.next_ecdh(s.ctx, bytes32(&s.sum), pub.(*C.secp256k1_pubkey), bytes32(&sec.(*cgoSecret).key)) == 1
	return s.sum, refused(ok, "key")
}

func (s *cgoSession) Close() {
	if s.ctx != nil {
		C.secp256k1_context_destroy(s.ctx)
		s.ctx = nil
	}
}

func cgoOverhead() (ns float64, ok bool) { return quickest(func() { C.next_nothing() }), true }
