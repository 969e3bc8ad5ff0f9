package engine

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// nidSecp256k1 is NID_secp256k1 of OpenSSL's obj_mac.h.
const nidSecp256k1 = 714

// opensslFunctions holds addresses. OpenSSL's EC_KEY interface is called, which
// is deprecated but has no per-call look-ups of algorithms.
type opensslFunctions struct {
	version     uintptr `c:"OpenSSL_version"`
	newKey      uintptr `c:"EC_KEY_new_by_curve_name"`
	freeKey     uintptr `c:"EC_KEY_free"`
	setPrivate  uintptr `c:"EC_KEY_oct2priv"`
	setPublic   uintptr `c:"EC_KEY_oct2key"`
	sign        uintptr `c:"ECDSA_sign"`
	verify      uintptr `c:"ECDSA_verify"`
	clearErrors uintptr `c:"ERR_clear_error"`
}

type opensslEngine struct {
	fn   opensslFunctions
	info Info
}

func openOpenSSL() (Engine, error) {
	var handle uintptr
	var name string
	err := errors.New("no name to look for on this system")
	for _, name = range opensslNames() {
		if handle, err = dl.Open(name); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("no libcrypto of OpenSSL: %w", err)
	}
	e := &opensslEngine{info: Info{
		Name: "openssl", Backend: "C, without cgo",
		Notes: []string{
			"Called through its EC_KEY functions, without cgo. Key objects are made beforehand; verifying parses the public key into one.",
			"Its nonces are random, and its signatures may have a high s.",
		},
	}}
	fields := reflect.ValueOf(&e.fn).Elem()
	for i := range fields.NumField() {
		symbol := fields.Type().Field(i).Tag.Get("c")
		address, err := dl.Symbol(handle, symbol)
		if err != nil {
			return nil, fmt.Errorf("%s lacks %s: %w", name, symbol, err)
		}
		*(*uintptr)(fields.Field(i).Addr().UnsafePointer()) = address
	}
	e.info.Version = cString(dl.Call(e.fn.version, []uintptr{0}))
	e.info.Path, e.info.SHA256 = sharedLibrary(name, e.fn.verify)
	if dl.Call(e.fn.newKey, []uintptr{nidSecp256k1}) == 0 {
		return nil, fmt.Errorf("%s (%s) has no secp256k1", e.info.Path, e.info.Version)
	}
	return e, nil
}

func opensslNames() []string {
	if runtime.GOOS == "darwin" {
		// macOS ends programs that load libcrypto without a version.
		return []string{
			"/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
			"/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
			"libcrypto.3.dylib",
		}
	}
	return []string{"libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"}
}

// cString copies a string that C keeps.
func cString(address uintptr) string {
	if address == 0 {
		return ""
	}
	// As a conversion of address itself, this would be taken for an address of Go.
	p := *(**byte)(unsafe.Pointer(&address))
	n := bytes.IndexByte(unsafe.Slice(p, 256), 0)
	return strings.Clone(unsafe.String(p, max(n, 0)))
}

func (e *opensslEngine) Info() Info { return e.info }

func (e *opensslEngine) NewSession() (Session, error) {
	s := &opensslSession{fn: &e.fn, m: new(opensslScratch)}
	if s.verifier = s.newKey(); s.verifier == 0 {
		return nil, errors.New("engine: EC_KEY_new_by_curve_name failed")
	}
	return s, nil
}

type opensslSession struct {
	Unsupported
	fn       *opensslFunctions
	m        *opensslScratch
	verifier uintptr   // the EC_KEY that public keys are parsed into
	secrets  []uintptr // EC_KEYs
	calls    uint
}

// opensslScratch is on the heap, where Go never moves it, and holds all that C is
// given addresses of.
type opensslScratch struct {
	args   [6]uintptr
	key    [33]byte
	digest [32]byte
	der    [80]byte
	length uint32
}

type opensslSecret uintptr

func (s *opensslSession) call(fn uintptr, args ...uintptr) uintptr {
	n := copy(s.m.args[:], args)
	r := dl.Call(fn, s.m.args[:n])
	runtime.KeepAlive(s.m)
	// See libsecp.Context.call.
	if s.calls++; s.calls%64 == 0 {
		runtime.Gosched()
	}
	return r
}

func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

func (s *opensslSession) newKey() uintptr { return s.call(s.fn.newKey, nidSecp256k1) }

func (s *opensslSession) LoadSecret(sec *[32]byte) (Secret, error) {
	key := s.newKey()
	copy(s.m.key[:], sec[:])
	// OpenSSL itself takes zero and whatever is not below the order.
	ok := key != 0 && *sec != [32]byte{} && bytes.Compare(sec[:], order[:]) < 0 &&
		int32(s.call(s.fn.setPrivate, key, address(&s.m.key), 32)) == 1
	if !ok {
		s.call(s.fn.freeKey, key)
		s.call(s.fn.clearErrors)
		return nil, fmt.Errorf("%w: secret key", ErrInvalid)
	}
	s.secrets = append(s.secrets, key)
	return opensslSecret(key), nil
}

func (s *opensslSession) ECDSASign(dst []byte, sec Secret, digest *[32]byte) ([]byte, error) {
	s.m.digest = *digest
	s.m.length = uint32(len(s.m.der))
	if int32(s.call(s.fn.sign, 0, address(&s.m.digest), 32, address(&s.m.der), address(&s.m.length), uintptr(sec.(opensslSecret)))) != 1 {
		s.call(s.fn.clearErrors)
		return nil, fmt.Errorf("%w: ECDSA_sign failed", ErrInvalid)
	}
	return append(dst, s.m.der[:s.m.length]...), nil
}

func (s *opensslSession) ECDSAVerify(pub *[33]byte, digest *[32]byte, der []byte) (bool, error) {
	if len(der) > len(s.m.der) {
		return false, nil // too long for this curve
	}
	s.m.key, s.m.digest = *pub, *digest
	copy(s.m.der[:], der)
	ok := int32(s.call(s.fn.setPublic, s.verifier, address(&s.m.key), 33, 0)) == 1 &&
		int32(s.call(s.fn.verify, 0, address(&s.m.digest), 32, address(&s.m.der), uintptr(len(der)), s.verifier)) == 1
	if !ok {
		s.call(s.fn.clearErrors)
	}
	return ok, nil
}

func (s *opensslSession) Close() {
	for _, key := range append(s.secrets, s.verifier) {
		s.call(s.fn.freeKey, key)
	}
	s.secrets, s.verifier = nil, 0
}

// order is n, the order of the group.
var order = [32]byte{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
	0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
}
