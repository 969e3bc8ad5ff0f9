// Package native builds the C libraries that this project measures itself against: libsecp256k1 with its own benchmark
// program, and OpenSSL's libcrypto, in any version that a Rust crate carries.
//
// No C source of these libraries is in this repository. Cargo downloads the crates. A [Release] pins the crate by the
// checksum of its archive, which is compared before the archive is unpacked. Results go to the user's cache directory.
package native

// Command is the command that builds libsecp256k1.
const Command = "go run p256k1.mleku.dev/v2/tools/bench/native/build"

// Current is the release of libsecp256k1 that this library is compared with.
var Current = Release{
	Kind:     Libsecp256k1,
	Version:  "0.8.0",
	Crate:    "secp256k1-sys",
	Release:  "0.14.1",
	Checksum: "f6b2992d4a3cd244539a7d5d0966aadbe5ca7fb868a5d7e38c29499b9e709bbd",
}
