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
	var fn opensslFunctions
	if missing := dl.Bind(handle, "", &fn); fn.newPoint == 0 {
		return nil, errOther
	} else if len(missing) > 0 {
		return nil, fmt.Errorf("%s lacks %s", name, strings.Join(missing, ", "))
	}
	e := &implementation{open: func() (Session, error) { return newOpenSSLSession(&fn) }, info: Info{
		Name: "openssl", Backend: "C, without cgo", Path: name, SHA256: FileSHA256(name),
		Notes: []string{
			"Called through its EC_KEY functions, without cgo. Key objects are made beforehand; verifying parses the public key into one.",
			"Its nonces are random, and its signatures may have a high s.",
		},
	}}
	for _, symbol := range []string{"OpenSSL_version", "SSLeay_version"} { // the name since 1.1, and the earlier name
		if fn, err := dl.Symbol(handle, symbol); err == nil {
			e.info.Version = dl.String(dl.Call(fn, []uintptr{0}))
			break
		}
	}
	s, err := e.open()
	if err != nil {
		return nil, fmt.Errorf("%s (%s): %w", name, e.info.Version, err)
	}
	s.Close()
	return e, nil
}

// An opensslContext holds the objects of one session.
type opensslContext struct {
	fn       *opensslFunctions
	memory   *opensslScratch
	group    uintptr // EC_GROUP
	scratch  uintptr // BN_CTX
	point    uintptr // an EC_POINT for results, and for the public key of a verification
	verifier uintptr // EC_KEY

	secrets []uintptr // EC_KEYs to be freed
	publics []uintptr // EC_POINTs to be freed
}

func newOpenSSLSession(fn *opensslFunctions) (Session, error) {
	c := &opensslContext{fn: fn, memory: &opensslScratch{Frame: dl.Frame{Caller: dl.Call}}}
	c.group, c.scratch = c.memory.Call(fn.newGroup, nidSecp256k1), c.memory.Call(fn.newScratch)
	if c.group == 0 {
		return nil, errors.New("this build of OpenSSL has no secp256k1")
	}
	c.point, c.verifier = c.memory.Call(fn.newPoint, c.group), c.memory.Call(fn.newKey, nidSecp256k1)
	return &session[opensslMember]{newMember: c.newMember, calls: opensslCalls, close: c.close}, nil
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

func (c *opensslContext) ok(fn uintptr, args ...uintptr) bool {
	ok := c.memory.OK(fn, args...)
	runtime.KeepAlive(c.memory)
	return ok
}

// number returns a new BIGNUM.
func (c *opensslContext) number(sec *[32]byte) uintptr {
	copy(c.memory.key[:], sec[:])
	return c.memory.Call(c.fn.newNumber, dl.Addr(&c.memory.key), 32, 0)
}

// inRange reports whether sec is a secret key. OpenSSL itself accepts zero and numbers that are not below the order.
func inRange(sec *[32]byte) bool { return *sec != [32]byte{} && bytes.Compare(sec[:], order[:]) < 0 }

// parse sets an EC_POINT to an encoded point.
func (c *opensslContext) parse(point uintptr, pub *[33]byte) bool {
	copy(c.memory.key[:], pub[:])
	return c.ok(c.fn.parse, c.group, point, dl.Addr(&c.memory.key), 33, c.scratch)
}

// An opensslMember is an input with an EC_KEY and an EC_POINT.
type opensslMember struct {
	*Input
	*opensslContext
	secret, peer uintptr
}

func (c *opensslContext) newMember(in *Input) opensslMember {
	m := opensslMember{in, c, c.memory.Call(c.fn.newKey, nidSecp256k1), c.memory.Call(c.fn.newPoint, c.group)}
	c.secrets, c.publics = append(c.secrets, m.secret), append(c.publics, m.peer)
	number := c.number(&in.Secret)
	defer c.memory.Call(c.fn.freeNumber, number)
	return check(m, inRange(&in.Secret) && c.ok(c.fn.setPrivate, m.secret, number) && c.parse(m.peer, &in.Peer))
}

// accept returns ErrInvalid unless the library accepted its input, and copies the result.
func (m *opensslMember) accept(out *Result, result []byte, ok bool) error {
	if !ok {
		m.memory.Call(m.fn.clearErrors)
	}
	return out.accept(result, ok)
}

var opensslCalls = map[string]call[opensslMember]{
	"parse": func(m *opensslMember, out *Result) error { return m.accept(out, nil, m.parse(m.point, &m.Pub)) },
	"derive": func(m *opensslMember, out *Result) error {
		if !inRange(&m.Secret) {
			return refused(false, "key")
		}
		number := m.number(&m.Secret)
		ok := m.ok(m.fn.multiply, m.group, m.point, number, 0, 0, m.scratch) &&
			m.memory.Call(m.fn.encode, m.group, m.point, pointCompressed, dl.Addr(&m.memory.out), 33, m.scratch) == 33
		m.memory.Call(m.fn.freeNumber, number)
		return m.accept(out, m.memory.out[:], ok)
	},
	"ecdsa-sign": func(m *opensslMember, out *Result) error {
		m.memory.digest, m.memory.length = m.Digest, uint32(len(m.memory.der))
		ok := m.ok(m.fn.sign, 0, dl.Addr(&m.memory.digest), 32, dl.Addr(&m.memory.der), dl.Addr(&m.memory.length), m.secret)
		return m.accept(out, m.memory.der[:m.memory.length], ok)
	},
	"ecdsa-verify": func(m *opensslMember, out *Result) error {
		copy(m.memory.der[:], m.DER)
		m.memory.digest = m.Digest
		return m.accept(out, nil, m.parse(m.point, &m.Pub) && m.ok(m.fn.setPublic, m.verifier, m.point) &&
			m.ok(m.fn.verify, 0, dl.Addr(&m.memory.digest), 32, dl.Addr(&m.memory.der), uintptr(len(m.DER)), m.verifier))
	},
	"ecdh-x": func(m *opensslMember, out *Result) error {
		n := m.memory.Call(m.fn.ecdh, dl.Addr(&m.memory.digest), 32, m.peer, m.secret, 0)
		return m.accept(out, m.memory.digest[:], int32(n) == 32)
	},
}

func (c *opensslContext) close() {
	for _, key := range append(c.secrets, c.verifier) {
		c.memory.Call(c.fn.freeKey, key)
	}
	for _, point := range append(c.publics, c.point) {
		c.memory.Call(c.fn.freePoint, point)
	}
	c.memory.Call(c.fn.freeGroup, c.group)
	c.memory.Call(c.fn.freeScratch, c.scratch)
	*c = opensslContext{}
}

// order is n, the order of the group.
var order = [32]byte{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
	0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
}
