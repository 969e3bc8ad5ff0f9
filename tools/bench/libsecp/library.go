// Package libsecp binds libsecp256k1, the C library, without cgo: the shared
// library is loaded at run time.
//
// It serves comparisons: benchmarks, and differential tests that need to know
// exactly what the C code accepts. It is no way to use libsecp256k1 in earnest,
// since it copies secret keys into buffers that it never wipes.
//
// [Open] loads the library, [Library.NewContext] gives each goroutine a
// [Context], and the operations are its methods. None of them allocates.
package libsecp

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sync"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
	"p256k1.mleku.dev/v2/tools/bench/native"
)

// EnvPath names the environment variable that says which file to load.
const EnvPath = "P256K1_LIBSECP"

// ErrNotFound is wrapped by [Open] when it was left to find the library and
// there is none.
var ErrNotFound = errors.New("libsecp: no libsecp256k1 on this machine")

// A Library is a loaded libsecp256k1. It is safe for concurrent use.
type Library struct {
	// Path is what was loaded: a file, or a name for the system's loader.
	Path string

	handle uintptr
	fn     functions
}

// functions holds the address of the C function secp256k1_<tag> in each field.
type functions struct {
	contextCreate    uintptr `c:"context_create"`
	contextDestroy   uintptr `c:"context_destroy"`
	contextRandomize uintptr `c:"context_randomize"`

	seckeyVerify    uintptr `c:"ec_seckey_verify"`
	seckeyNegate    uintptr `c:"ec_seckey_negate"`
	seckeyTweakAdd  uintptr `c:"ec_seckey_tweak_add"`
	seckeyTweakMul  uintptr `c:"ec_seckey_tweak_mul"`
	pubkeyCreate    uintptr `c:"ec_pubkey_create"`
	pubkeyParse     uintptr `c:"ec_pubkey_parse"`
	pubkeySerialize uintptr `c:"ec_pubkey_serialize"`
	pubkeyNegate    uintptr `c:"ec_pubkey_negate"`
	pubkeyTweakAdd  uintptr `c:"ec_pubkey_tweak_add"`
	pubkeyTweakMul  uintptr `c:"ec_pubkey_tweak_mul"`
	pubkeyCombine   uintptr `c:"ec_pubkey_combine"`

	ecdsaParseCompact     uintptr `c:"ecdsa_signature_parse_compact"`
	ecdsaParseDER         uintptr `c:"ecdsa_signature_parse_der"`
	ecdsaSerializeCompact uintptr `c:"ecdsa_signature_serialize_compact"`
	ecdsaSerializeDER     uintptr `c:"ecdsa_signature_serialize_der"`
	ecdsaNormalize        uintptr `c:"ecdsa_signature_normalize"`
	ecdsaSign             uintptr `c:"ecdsa_sign"`
	ecdsaVerify           uintptr `c:"ecdsa_verify"`

	recoverableParse     uintptr `c:"ecdsa_recoverable_signature_parse_compact"`
	recoverableSerialize uintptr `c:"ecdsa_recoverable_signature_serialize_compact"`
	recoverableSign      uintptr `c:"ecdsa_sign_recoverable"`
	recover              uintptr `c:"ecdsa_recover"`

	keypairCreate     uintptr `c:"keypair_create"`
	xonlyParse        uintptr `c:"xonly_pubkey_parse"`
	xonlyTweakAdd     uintptr `c:"xonly_pubkey_tweak_add"`
	schnorrSign32     uintptr `c:"schnorrsig_sign32"`
	schnorrSignCustom uintptr `c:"schnorrsig_sign_custom"`
	schnorrVerify     uintptr `c:"schnorrsig_verify"`

	ecdh uintptr `c:"ecdh"`

	// Since release 0.4. A library without them lacks the methods for them.
	ellswiftEncode uintptr `c:"ellswift_encode" since:"0.4"`
	ellswiftDecode uintptr `c:"ellswift_decode" since:"0.4"`
	ellswiftCreate uintptr `c:"ellswift_create" since:"0.4"`
	ellswiftXDH    uintptr `c:"ellswift_xdh" since:"0.4"`
	ellswiftBIP324 uintptr `c:"ellswift_xdh_hash_function_bip324" since:"0.4"` // of the variable
}

// Open loads the library at path. With an empty path it takes, in this order,
// the one that $P256K1_LIBSECP names, the one that the command of package
// native built into the user's cache, and the system's.
//
// A library that was named, by path or by environment, and cannot be used is an
// error: nothing else is tried in its place.
func Open(path string) (*Library, error) {
	if path == "" {
		path = os.Getenv(EnvPath)
	}
	if path != "" {
		return open(path)
	}
	if b, err := native.Cached(); err == nil {
		return open(b.Library)
	}
	hint := fmt.Sprintf("build it with %q, name one in $%s, or install the system's package", native.Command, EnvPath)
	for _, name := range systemNames() {
		handle, err := dl.Open(name)
		if err != nil {
			continue
		}
		l, err := bind(handle, name)
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, hint)
		}
		return l, nil
	}
	return nil, fmt.Errorf("%w: %s", ErrNotFound, hint)
}

// Default is Open(""), done once.
var Default = sync.OnceValues(func() (*Library, error) { return Open("") })

// Address returns where one of the library's functions lies in memory, which
// tells what file it comes from.
func (l *Library) Address() uintptr { return l.fn.ecdsaVerify }

func systemNames() []string {
	if runtime.GOOS == "darwin" {
		return []string{"libsecp256k1.dylib"}
	}
	// The plain name belongs to development packages. The numbered ones are the
	// interface versions of releases 0.8, 0.7, 0.6, 0.5 to 0.3, and 0.2.
	return []string{"libsecp256k1.so", "libsecp256k1.so.7", "libsecp256k1.so.6",
		"libsecp256k1.so.5", "libsecp256k1.so.2", "libsecp256k1.so.1"}
}

func open(path string) (*Library, error) {
	handle, err := dl.Open(path)
	if err != nil {
		return nil, fmt.Errorf("libsecp: %w", err)
	}
	return bind(handle, path)
}

// bind looks up every function. The library is never unloaded.
func bind(handle uintptr, path string) (*Library, error) {
	l := &Library{Path: path, handle: handle}
	fields := reflect.ValueOf(&l.fn).Elem()
	for i := range fields.NumField() {
		symbol := "secp256k1_" + fields.Type().Field(i).Tag.Get("c")
		address, err := dl.Symbol(handle, symbol)
		if _, recent := fields.Type().Field(i).Tag.Lookup("since"); err != nil && recent {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("libsecp: %s lacks %s, so it is too old or built without that module: %w", path, symbol, err)
		}
		*(*uintptr)(fields.Field(i).Addr().UnsafePointer()) = address
	}
	return l, nil
}
