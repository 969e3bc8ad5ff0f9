// Package libsecp binds the C library libsecp256k1, in any version since 2019. The shared library is loaded at run
// time.
//
// The package is for comparisons: benchmarks, and differential tests that need to know exactly which inputs the C code
// accepts. Do not use it to run libsecp256k1 with real keys, because it copies secret keys into buffers that it never
// wipes.
//
// [Open] loads the library, [Library.NewContext] gives each goroutine a [Context], and the methods of a Context are the
// operations. Few of them allocate.
package libsecp

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
	"p256k1.mleku.dev/v2/tools/bench/native"
)

// EnvPath names the environment variable with the path of the library to load.
const EnvPath = "P256K1_LIBSECP"

var (
	// ErrNotFound is wrapped by [Open] if it has searched for the library and has found none.
	ErrNotFound = errors.New("libsecp: no libsecp256k1 on this machine")
	// ErrOther is wrapped by [Open] if a file is another library.
	ErrOther = errors.New("not libsecp256k1")
)

// A Library is a loaded libsecp256k1. It is safe for concurrent use.
type Library struct {
	// Path is the library that was loaded: a file, or a name for the system's loader.
	Path string

	handle  uintptr
	caller  dl.Caller
	fn      functions
	missing []string
}

// functions holds the address of a C function in each field, or 0 if the library lacks it. The name of the function is
// secp256k1_ and the field's name in snake case.
type functions struct {
	contextCreate, contextDestroy, contextRandomize uintptr

	ecSeckeyVerify, ecSeckeyNegate, ecSeckeyTweakAdd, ecSeckeyTweakMul  uintptr
	ecPubkeyCreate, ecPubkeyParse, ecPubkeySerialize                    uintptr
	ecPubkeyNegate, ecPubkeyTweakAdd, ecPubkeyTweakMul, ecPubkeyCombine uintptr

	ecdsaSignatureParseCompact, ecdsaSignatureSerializeCompact uintptr
	ecdsaSignatureParseDer, ecdsaSignatureSerializeDer         uintptr
	ecdsaSignatureNormalize, ecdsaSign, ecdsaVerify            uintptr

	ecdsaRecoverableSignatureParseCompact, ecdsaRecoverableSignatureSerializeCompact uintptr
	ecdsaSignRecoverable, ecdsaRecover                                               uintptr

	keypairCreate, xonlyPubkeyParse, xonlyPubkeySerialize, xonlyPubkeyTweakAdd uintptr

	schnorrsigSign                                                 uintptr // until 0.7
	schnorrsigSign32, schnorrsigSignCustom, schnorrsigVerify, ecdh uintptr

	ellswiftEncode, ellswiftDecode, ellswiftCreate, ellswiftXdh uintptr // since 0.4
	ellswiftXdhHashFunctionBip324                               uintptr // a variable that holds the address of the function
}

// Open loads the library at path. With an empty path it tries, in this order, the library that $P256K1_LIBSECP names,
// the library that the command of package native built into the user's cache, and the system's library.
//
// If path or the environment names a library that cannot be used, Open returns an error and tries no other library.
func Open(path string) (*Library, error) {
	if path == "" {
		path = os.Getenv(EnvPath)
	}
	if path != "" {
		return open(path)
	}
	if b, err := native.Current.Cached(); err == nil {
		return open(b.Library)
	}
	for _, name := range systemNames() {
		if handle, err := dl.Open(name); err == nil {
			return bind(handle, name)
		}
	}
	return nil, fmt.Errorf("%w: build it with %q, name one in $%s, or install the system's package", ErrNotFound, native.Command, EnvPath)
}

// Default calls Open("") once. It returns a library that has the whole API of release 0.2; later functions may be
// missing.
var Default = sync.OnceValues(func() (*Library, error) {
	l, err := Open("")
	if err != nil {
		return nil, err
	}
	lacks := slices.DeleteFunc(slices.Clone(l.missing), func(name string) bool {
		return name == "secp256k1_schnorrsig_sign" || strings.Contains(name, "_ellswift_")
	})
	if len(lacks) > 0 {
		return nil, fmt.Errorf("libsecp: %s is too old or built without a module: it lacks %s", l.Path, strings.Join(lacks, ", "))
	}
	return l, nil
})

// Lacks returns the names of functions secp256k1_<name> that methods of Context call and the library does not have.
func (l *Library) Lacks(names ...string) (missing []string) {
	for _, name := range names {
		if name = "secp256k1_" + name; slices.Contains(l.missing, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// ViaCgo returns the library with calls through cgo, or an error in a build without cgo.
func (l *Library) ViaCgo() (*Library, error) {
	if dl.ViaCgo == nil {
		return nil, errors.New("libsecp: this program is built without cgo")
	}
	through := *l
	through.caller = dl.ViaCgo
	return &through, nil
}

func systemNames() []string {
	if runtime.GOOS == "darwin" {
		return []string{"libsecp256k1.dylib"}
	}
	// Development packages install the library under its plain name. The numbered names are the interface versions of
	// releases 0.8, 0.7, 0.6, 0.5 to 0.3, and 0.2.
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
	l := &Library{Path: path, handle: handle, caller: dl.Call}
	if l.missing = dl.Bind(handle, "secp256k1_", &l.fn); l.fn.contextCreate == 0 {
		return nil, fmt.Errorf("libsecp: %s: %w: it lacks secp256k1_context_create", path, ErrOther)
	}
	return l, nil
}
