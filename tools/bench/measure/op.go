package measure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// An Op is an operation of engines.
type Op struct {
	Name string // name on the command line and in reports
	What string // description of one call

	// Program is the name of the same work in libsecp256k1's benchmark program, or "".
	Program string
	// Varied says that in libsecp256k1's benchmark program each iteration takes inputs that the previous iteration
	// returned. The figures of its loops are then comparable with figures for many inputs.
	Varied bool
	target

	// Base names the operation that does the same work on one input at a time, or without this operation's preparation;
	// "" for none. It takes the place of this operation for engines that lack this operation.
	Base string
	// Batch is the number of inputs of a call, or 0 if the operation is not a batch. Family is then the name without
	// this number.
	Batch  int
	Family string

	// Group is the section of the report: "" or Protocols.
	Group string

	call   string // name of the operation in package engine
	size   int    // number of inputs of a call of the operation
	bySome bool   // whether few keys sign
	// sizes are the numbers of inputs for which there is an operation each, with targets by size.
	sizes   []int
	targets map[int]target
	// spoil makes an input invalid, so that engines have to refuse it. It is nil for operations without invalid inputs.
	spoil func(in *engine.Input)
}

// A target has, for each kind of code, the greatest ratio of this library's time to the C program's time that the
// design accepts, or 0 if there is no target. With AVX-512 IFMA, Lanes applies unless it is 0. For protocols that the C
// program lacks, the ratio is to the time of libsecp256k1 called from Go.
type target struct{ Lanes, Assembly, Portable float64 }

// Protocols is the group of operations that build on the other operations.
const Protocols = "protocols"

// items returns the number of inputs of a call.
func (op Op) items() int { return max(1, op.Batch) }

// Sizes are the sizes of batches. Each size divides the largest size.
var Sizes = []int{1, 8, 64, 256, 1024}

// An operation for which libsecp256k1 has no module is compared with the time of the multiplications that it needs.
const (
	calculated   = "libsecp256k1 has no such function: its time is calculated from its multiplications, "
	twoAndCreate = calculated + "two of secp256k1_ecdh and one of secp256k1_ec_pubkey_create"
	unhashed     = ", without the hash of the secret to the curve"
)

func otherDigest(in *engine.Input) { in.Digest[0] ^= 1 }

func offCurve(in *engine.Input) { in.Pub = [33]byte{0: 2, 32: 5} } // 5³ + 7 is not a square

// Ops lists all operations. If Program names a C benchmark, one call does the work of one of its iterations.
var Ops = expand()

// described lists the operations before batch sizes are filled in. The names of operations with sizes contain the size.
var described = []Op{
	{Name: "ecdsa-verify", What: "parse a compressed public key and a signature in DER, verify",
		Program: "ecdsa_verify", target: target{0.59, 0.61, 0.9}, spoil: otherDigest},
	{Name: "ecdsa-sign", What: "sign with a loaded secret key, encode in DER", Program: "ecdsa_sign",
		target: target{0.40, 0.50, 0.97}},
	{Name: "schnorr-verify", What: "parse an x-only public key, verify a BIP-340 signature of 32 bytes",
		Program: "schnorrsig_verify", target: target{0.55, 0.57, 0.85}, spoil: otherDigest},
	{Name: "schnorr-sign",
		What:    "sign 32 bytes as in BIP-340 with a loaded key pair, without auxiliary randomness",
		Program: "schnorrsig_sign", target: target{0.36, 0.48, 0.9}},
	{Name: "derive", What: "from the bytes of a secret key to the bytes of its compressed public key",
		Program: "ec_keygen", target: target{0.33, 0.47, 0.8}},
	{Name: "ecdh", What: "SHA-256 of the compressed shared point, from loaded keys", Program: "ecdh",
		target: target{0.58, 0.60, 0.92}},
	{Name: "ecdh-x", What: "x of the shared point, from loaded keys"},
	{Name: "recover", What: "from a signature with recovery id to the compressed public key",
		Program: "ecdsa_recover", Varied: true, target: target{0, 0.62, 0.92}},
	{Name: "parse", What: "decompress a public key of 33 bytes", spoil: offCurve},
	{Name: "ecdsa-verify-precomputed",
		What: "parse a signature in DER, verify with one of eight keys that carry tables", Base: "ecdsa-verify",
		target: target{0.2, 0.42, 0.6}, bySome: true, spoil: otherDigest},
	{Name: "schnorr-verify-precomputed",
		What: "verify a BIP-340 signature of 32 bytes with one of eight keys that carry tables",
		Base: "schnorr-verify", target: target{0.2, 0.42, 0.6}, bySome: true, spoil: otherDigest},

	{Name: "ecdsa-verify-batch",
		What: "parse compressed public keys and signatures in DER, verify them together", Base: "ecdsa-verify",
		spoil: otherDigest, sizes: Sizes, targets: map[int]target{256: {0.115, 0.55, 0.85}}},
	{Name: "schnorr-verify-batch",
		What: "from the bytes of x-only public keys and BIP-340 signatures of 32 bytes, verify them together",
		Base: "schnorr-verify", spoil: otherDigest, sizes: Sizes,
		targets: map[int]target{256: {0.115, 0.40, 0.60}, 1024: {0.085, 0.33, 0.50}}},
	{Name: "schnorr-verify-batch-few", What: "the same with signatures by eight keys", Base: "schnorr-verify",
		bySome: true, spoil: otherDigest, sizes: Sizes, targets: map[int]target{1024: {0.045, 0.20, 0.35}}},
	{Name: "recover-batch", What: "from signatures with recovery ids to compressed public keys",
		Base: "recover", sizes: Sizes, targets: map[int]target{256: {0.13, 0.55, 0.85}}},
	{Name: "ecdsa-sign-batch", What: "sign with loaded secret keys, together", Base: "ecdsa-sign", sizes: Sizes,
		targets: map[int]target{256: {0.18, 0.45, 0.90}}},
	{Name: "schnorr-sign-batch",
		What: "sign 32 bytes as in BIP-340 with loaded secret keys, together, with fresh randomness",
		Base: "schnorr-sign", sizes: Sizes, targets: map[int]target{256: {0.20, 0.45, 0.90}}},
	{Name: "derive-batch", What: "from the bytes of secret keys to their compressed public keys",
		Base: "derive", sizes: Sizes, targets: map[int]target{256: {0.08, 0.40, 0.70}}},
	{Name: "generate-batch", What: "draw secret keys from the system's randomness and derive their public keys",
		Base: "derive", sizes: Sizes},

	{Name: "musig2-aggregate", What: "from parsed public keys to their aggregate, compressed", Group: Protocols,
		sizes: []int{2, 100, 1000}, targets: map[int]target{2: {0, 0.6, 1}, 100: {0, 0.6, 1}}},
	{Name: "musig2-nonces", What: "from the bytes of 100 public nonces to the bytes of their sum",
		Group: Protocols, size: 100},
	{Name: "musig2-sign",
		What: "begin the session of two signers, sign, and verify the partial signature: " +
			"libsecp256k1 verifies only if it is asked to, as here; btcec aggregates the keys again",
		Group: Protocols, target: target{0, 0.55, 1}},
	{Name: "musig2-verify",
		What: "from bytes of a partial signature and a nonce; btcec aggregates the keys again", Group: Protocols},
	{Name: "ellswift-encode",
		What:  "a parsed public key, with given randomness; btcec draws randomness, and encodes an x coordinate",
		Group: Protocols, Program: "ellswift_encode", Varied: true, target: target{0, 0.65, 1}},
	{Name: "ellswift-decode", What: "64 bytes, to a compressed public key", Group: Protocols,
		Program: "ellswift_decode", Varied: true, target: target{0, 0.65, 1}},
	{Name: "ellswift-ecdh", What: "the shared secret of BIP-324, of two encodings", Group: Protocols,
		Program: "ellswift_ecdh", Varied: true, target: target{0, 0.65, 1}},
	{Name: "silent-scan",
		What: "from the bytes of a tweak to whether one of two outputs pays the wallet, or its change address; " +
			"libsecp256k1 scans a transaction whose keys and outputs are parsed, and looks for no change",
		Group: Protocols, size: 1, target: target{0, 0.6, 1}},
	{Name: "silent-scan-batch", What: "the same, with many tweaks", Group: Protocols, Base: "silent-scan",
		call: "silent-scan", sizes: Sizes[1:], targets: map[int]target{256: {0.2, 0.6, 1}}},
	{Name: "dleq-prove", What: "a·B and the proof of BIP-374; " + twoAndCreate, Group: Protocols,
		target: target{0, 0.6, 1}},
	{Name: "dleq-verify",
		What: "parsed points and a proof; " + calculated +
			"three of secp256k1_ec_pubkey_tweak_mul, without the multiplication of G",
		Group: Protocols, target: target{0, 0.6, 1}},
	{Name: "dleq-verify-batch", What: "the same, with many proofs", Group: Protocols, Base: "dleq-verify",
		call: "dleq-verify", sizes: Sizes[1:4]},
	{Name: "cashu-blind", What: "a secret of 32 bytes, from which 16 candidates for the point are tried",
		Group: Protocols},
	{Name: "cashu-sign", What: "C_ and the proof of NUT-12; " + twoAndCreate, Group: Protocols,
		target: target{0, 0.6, 1}},
	{Name: "cashu-unblind",
		What: "blind again, verify the proof, and compute C; " + calculated + "three of secp256k1_ec_pubkey_tweak_mul, " +
			"one of secp256k1_ecdh and one of secp256k1_ec_pubkey_create" + unhashed,
		Group: Protocols},
	{Name: "cashu-verify",
		What:  "a secret and C, by the mint's key; " + calculated + "one of secp256k1_ecdh" + unhashed,
		Group: Protocols},
	{Name: "hash-to-curve", What: "32 bytes, by RFC 9380's secp256k1_XMD:SHA-256_SSWU_RO_", Group: Protocols},
	{Name: "encode-to-curve", What: "32 bytes, by RFC 9380's secp256k1_XMD:SHA-256_SSWU_NU_", Group: Protocols},
}

func expand() (ops []Op) {
	for _, k := range described {
		k.call = cmp.Or(k.call, k.Name)
		if k.sizes == nil {
			ops = append(ops, k)
		}
		for _, n := range k.sizes {
			op := k
			op.Name, op.size, op.target = fmt.Sprintf("%s-%d", k.Name, n), n, k.targets[n]
			if op.Base != "" {
				op.Batch, op.Family = n, k.Name
			}
			ops = append(ops, op)
		}
	}
	return ops
}

// Names returns the names that SelectOps knows. The name of a batch has no number, and means all sizes.
func Names() (names []string) {
	for _, op := range Ops {
		if name := cmp.Or(op.Family, op.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// SelectOps returns operations by name, or all operations if no names are given. If an operation has a Base, the Base
// comes before it.
func SelectOps(names ...string) ([]Op, error) {
	if len(names) == 0 {
		return Ops, nil
	}
	var selected []Op
	add := func(op Op) {
		if !slices.ContainsFunc(selected, func(s Op) bool { return s.Name == op.Name }) {
			selected = append(selected, op)
		}
	}
	for _, name := range names {
		known := false
		for _, op := range Ops {
			if op.Name == name || op.Family == name {
				known = true
				if base, ok := opByName(op.Base); ok {
					add(base)
				}
				add(op)
			}
		}
		if !known {
			return nil, fmt.Errorf("no operation %q, want one of %s", name, strings.Join(Names(), ", "))
		}
	}
	return selected, nil
}

func opByName(name string) (Op, bool) {
	i := slices.IndexFunc(Ops, func(op Op) bool { return op.Name == name })
	if i < 0 {
		return Op{}, false
	}
	return Ops[i], true
}
