package engine

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// Constants from OpenSSL's headers.
const (
	nidSecp256k1    = 714
	pointCompressed = 2
)

// opensslFunctions holds addresses of functions. The engine calls OpenSSL's EC_KEY interface. This interface is
// deprecated, but it does not look up algorithms in each call, and exists in every version from 1.0 to 4.0.
type opensslFunctions struct {
	newKey      uintptr `c:"EC_KEY_new_by_curve_name"`
	freeKey     uintptr `c:"EC_KEY_free"`
	setPrivate  uintptr `c:"EC_KEY_set_private_key"`
	setPublic   uintptr `c:"EC_KEY_set_public_key"`
	sign        uintptr `c:"ECDSA_sign"`
	verify      uintptr `c:"ECDSA_verify"`
	ecdh        uintptr `c:"ECDH_compute_key"`
	newGroup    uintptr `c:"EC_GROUP_new_by_curve_name"`
	freeGroup   uintptr `c:"EC_GROUP_free"`
	newPoint    uintptr `c:"EC_POINT_new"`
	freePoint   uintptr `c:"EC_POINT_free"`
	parse       uintptr `c:"EC_POINT_oct2point"`
	encode      uintptr `c:"EC_POINT_point2oct"`
	multiply    uintptr `c:"EC_POINT_mul"`
	newNumber   uintptr `c:"BN_bin2bn"`
	freeNumber  uintptr `c:"BN_free"`
	newScratch  uintptr `c:"BN_CTX_new"`
	freeScratch uintptr `c:"BN_CTX_free"`
	clearErrors uintptr `c:"ERR_clear_error"`
}

// errOther means that a file is a library other than OpenSSL's.
var errOther = errors.New("not OpenSSL's libcrypto")

type opensslEngine struct {
	fn   opensslFunctions
	info Info
}

// openSystemOpenSSL opens the newest libcrypto that the system's loader finds.
func openSystemOpenSSL() (Engine, error) {
	err := errors.New("no name to look for on this system")
	for _, name := range opensslNames() {
		var e Engine
		if e, err = openOpenSSL(name); err == nil {
			return e, nil
		}
	}
	return nil, fmt.Errorf("no libcrypto of OpenSSL: %w", err)
}

func opensslNames() []string {
	if runtime.GOOS == "darwin" {
		// macOS kills programs that load libcrypto by a name without a version.
		return []string{
			"/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
			"/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
			"libcrypto.3.dylib",
		}
	}
	return []string{"libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"}
}

func openOpenSSL(name string) (Engine, error) {
	handle, err := dl.Open(name)
	if err != nil {
		return nil, err
	}
	e := &opensslEngine{info: Info{
		Name: "openssl", Backend: "C, without cgo",
		Notes: []string{
			"Called through its EC_KEY functions, without cgo. Key objects are made beforehand; verifying parses the public key into one.",
			"Its nonces are random, and its signatures may have a high s.",
		},
	}}
	if missing := dl.Bind(handle, "", &e.fn); e.fn.newPoint == 0 {
		return nil, errOther
	} else if len(missing) > 0 {
		return nil, fmt.Errorf("%s lacks %s", name, strings.Join(missing, ", "))
	}
	for _, symbol := range []string{"OpenSSL_version", "SSLeay_version"} { // the name since 1.1, and the earlier name
		if fn, err := dl.Symbol(handle, symbol); err == nil {
			e.info.Version = dl.String(dl.Call(fn, []uintptr{0}))
			break
		}
	}
	e.info.Path, e.info.SHA256 = name, FileSHA256(name)
	s, err := e.NewSession()
	if err != nil {
		return nil, fmt.Errorf("%s (%s): %w", e.info.Path, e.info.Version, err)
	}
	s.Close()
	return e, nil
}

func (e *opensslEngine) Info() Info { return e.info }

func (e *opensslEngine) NewSession() (Session, error) {
	s := &opensslSession{fn: &e.fn, m: &opensslScratch{Frame: dl.Frame{Caller: dl.Call}}}
	s.group, s.scratch = s.m.Call(s.fn.newGroup, nidSecp256k1), s.m.Call(s.fn.newScratch)
	if s.group == 0 {
		return nil, errors.New("this build of OpenSSL has no secp256k1")
	}
	s.point, s.verifier = s.m.Call(s.fn.newPoint, s.group), s.m.Call(s.fn.newKey, nidSecp256k1)
	return s, nil
}

type opensslSession struct {
	loaded[opensslMember]
	fn       *opensslFunctions
	m        *opensslScratch
	group    uintptr // EC_GROUP
	scratch  uintptr // BN_CTX
	point    uintptr // an EC_POINT for results, and for the public key of a verification
	verifier uintptr // EC_KEY

	secrets []uintptr // EC_KEYs to be freed
	publics []uintptr // EC_POINTs to be freed
}

// opensslScratch holds all memory whose addresses are passed to C. It is on the heap, because Go never moves heap
// objects.
type opensslScratch struct {
	dl.Frame
	key    [65]byte
	digest [32]byte
	der    [80]byte
	out    [33]byte
	length uint32
}

func (s *opensslSession) ok(fn uintptr, args ...uintptr) bool {
	ok := s.m.OK(fn, args...)
	runtime.KeepAlive(s.m)
	return ok
}

// number returns a new BIGNUM.
func (s *opensslSession) number(sec *[32]byte) uintptr {
	copy(s.m.key[:], sec[:])
	return s.m.Call(s.fn.newNumber, dl.Addr(&s.m.key), 32, 0)
}

// inRange reports whether sec is a secret key. OpenSSL itself accepts zero and numbers that are not below the order.
func inRange(sec *[32]byte) bool { return *sec != [32]byte{} && bytes.Compare(sec[:], order[:]) < 0 }

// parse sets an EC_POINT to an encoded point.
func (s *opensslSession) parse(point uintptr, pub *[33]byte) bool {
	copy(s.m.key[:], pub[:])
	return s.ok(s.fn.parse, s.group, point, dl.Addr(&s.m.key), 33, s.scratch)
}

// An opensslMember is an input with an EC_KEY and an EC_POINT.
type opensslMember struct {
	*Input
	secret, peer uintptr
}

func (s *opensslSession) newMember(in *Input) (m opensslMember, err error) {
	m = opensslMember{in, s.m.Call(s.fn.newKey, nidSecp256k1), s.m.Call(s.fn.newPoint, s.group)}
	s.secrets, s.publics = append(s.secrets, m.secret), append(s.publics, m.peer)
	number := s.number(&in.Secret)
	defer s.m.Call(s.fn.freeNumber, number)
	return m, refused(inRange(&in.Secret) && s.ok(s.fn.setPrivate, m.secret, number) && s.parse(m.peer, &in.Peer), "key")
}

// Prepare implements Session.
func (s *opensslSession) Prepare(op string, _ int, inputs []Input) (Prepared, error) {
	run, ok := opensslCalls[op]
	if !ok {
		return Prepared{}, ErrNotSupported
	}
	members, err := s.load(inputs, s.newMember)
	if err != nil {
		return Prepared{}, err
	}
	return cycle(members, func(m *opensslMember, out *Result) error {
		ok := run(s, m, out)
		if !ok {
			s.m.Call(s.fn.clearErrors)
		}
		return refused(ok, "input")
	})
}

// opensslCalls maps the names of operations to calls that report whether the library accepted its input.
var opensslCalls = map[string]func(s *opensslSession, m *opensslMember, out *Result) bool{
	"parse": func(s *opensslSession, m *opensslMember, _ *Result) bool { return s.parse(s.point, &m.Pub) },
	"derive": func(s *opensslSession, m *opensslMember, out *Result) bool {
		if !inRange(&m.Secret) {
			return false
		}
		number := s.number(&m.Secret)
		ok := s.ok(s.fn.multiply, s.group, s.point, number, 0, 0, s.scratch) &&
			s.m.Call(s.fn.encode, s.group, s.point, pointCompressed, dl.Addr(&s.m.out), 33, s.scratch) == 33
		s.m.Call(s.fn.freeNumber, number)
		return out.accept(s.m.out[:], ok)
	},
	"ecdsa-sign": func(s *opensslSession, m *opensslMember, out *Result) bool {
		s.m.digest, s.m.length = m.Digest, uint32(len(s.m.der))
		ok := s.ok(s.fn.sign, 0, dl.Addr(&s.m.digest), 32, dl.Addr(&s.m.der), dl.Addr(&s.m.length), m.secret)
		return out.accept(s.m.der[:s.m.length], ok)
	},
	"ecdsa-verify": func(s *opensslSession, m *opensslMember, _ *Result) bool {
		copy(s.m.der[:], m.DER)
		s.m.digest = m.Digest
		return s.parse(s.point, &m.Pub) && s.ok(s.fn.setPublic, s.verifier, s.point) &&
			s.ok(s.fn.verify, 0, dl.Addr(&s.m.digest), 32, dl.Addr(&s.m.der), uintptr(len(m.DER)), s.verifier)
	},
	"ecdh-x": func(s *opensslSession, m *opensslMember, out *Result) bool {
		n := s.m.Call(s.fn.ecdh, dl.Addr(&s.m.digest), 32, m.peer, m.secret, 0)
		return out.accept(s.m.digest[:], int32(n) == 32)
	},
}

func (s *opensslSession) Close() {
	for _, key := range append(s.secrets, s.verifier) {
		s.m.Call(s.fn.freeKey, key)
	}
	for _, point := range append(s.publics, s.point) {
		s.m.Call(s.fn.freePoint, point)
	}
	s.m.Call(s.fn.freeGroup, s.group)
	s.m.Call(s.fn.freeScratch, s.scratch)
	*s = opensslSession{}
}

// order is n, the order of the group.
var order = [32]byte{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
	0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
}
