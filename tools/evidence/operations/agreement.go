package operations

import (
	"crypto/sha256"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// agrees returns the operation for a function that returns a shared secret. It calls the function as a value, because
// an inlined call would leave copies of the result that nothing overwrites.
func agrees[K, P any](name string, allocs int, oracle oracleOf, f func(*K, *P) ([32]byte, error), key func(*In) *K, peer func(*In) *P) Op {
	return Op{
		Name: name, Allocs: allocs, Oracle: oracle, Called: []any{f}, OnStack: true,
		Run: func(in *In, out *Out) {
			k, p := key(in), peer(in)
			x, err := f(k, p)
			check(err)
			out.Secret(x[:])
			x, _ = nothing(k, p)
			out.True(x == [32]byte{})
		},
	}
}

// nothing has the parameters and results of the functions that return a secret. A call of nothing after such a function
// overwrites the results on the stack with zeros.
//
//go:noinline
func nothing[K, P any](*K, *P) (x [32]byte, err error) { return }

// swifts returns the operation for ellswift.PrivateKey.ECDH, which has one more parameter than the functions that
// agrees calls.
func swifts(name string, initiates bool, oracle oracleOf) Op {
	f := (*ellswift.PrivateKey).ECDH
	return Op{
		Name: name, Allocs: 3, Oracle: oracle, Called: []any{f}, OnStack: true,
		Run: func(in *In, out *Out) {
			k := once(in)
			x, err := f(k, in.Theirs(), initiates)
			check(err)
			out.Secret(x[:])
			x, _ = nothingECDH(k, in.Theirs(), initiates)
			out.True(x == [32]byte{})
		},
	}
}

//go:noinline
func nothingECDH(*ellswift.PrivateKey, *[64]byte, bool) (x [32]byte, err error) { return }

func xOf(_ *In, p oracle.Point) []byte { return number(p.X) }

func sha256Of(_ *In, p oracle.Point) []byte {
	sum := sha256.Sum256(p.Compressed())
	return sum[:]
}

func nip44Of(_ *In, p oracle.Point) []byte { return hmacSHA256([]byte("nip44-v2"), number(p.X)) }

// bip324Of and respondedOf return BIP-324's shared secret: bip324Of if Key belongs to the initiator, and respondedOf if
// Key belongs to the responder.
func bip324Of(in *In, p oracle.Point) []byte    { return swiftOf(in.Ours(), in.Theirs(), p) }
func respondedOf(in *In, p oracle.Point) []byte { return swiftOf(in.Theirs(), in.Ours(), p) }

func swiftOf(initiator, responder *[64]byte, p oracle.Point) []byte {
	sum := oracle.TaggedHash("bip324_ellswift_xonly_ecdh", initiator[:], responder[:], number(p.X))
	return sum[:]
}

// once returns a key for a single agreement, in the state in which the library generates it.
func once(in *In) *ellswift.PrivateKey { return must(ellswift.NewPrivateKey(in.Key(), in.Ours())) }

var agreements = []Op{
	agrees("ecdh.X", 0, shared("shared x", xOf), ecdh.X, theKey, thePeer),
	agrees("ecdh.XFromXOnly", 0, shared("shared x", xOf), ecdh.XFromXOnly, theKey, thePeerX),
	agrees("ecdh.SHA256", 0, shared("hash of the shared point", sha256Of), ecdh.SHA256, theKey, thePeer),
	agrees("ecdh.NIP44ConversationKey", 0, shared("conversation key", nip44Of), ecdh.NIP44ConversationKey, theKey, thePeerX),
	onSecrets("ecdh.NIP44ConversationKeyBatch", 0, shared("conversation key", nip44Of), func(in *In, out *Out) {
		var all [many][32]byte
		pubs := [many]*p256k1.XOnlyPublicKey{}
		for i := range pubs {
			pubs[i] = in.PeerX()
		}
		check(ecdh.NIP44ConversationKeyBatch(all[:], in.Key(), pubs[:]))
		for i := range all {
			out.Secret(all[i][:])
		}
	}).onStack(),
	agrees("ellswift.PrivateKey.X", 3, shared("shared x", xOf), (*ellswift.PrivateKey).X, once, theirs),
	swifts("ellswift.PrivateKey.ECDH", true, shared("hash of the shared point", bip324Of)),
	swifts("ellswift.PrivateKey.ECDH, of the responder", false, shared("hash of the shared point", respondedOf)),
	onSecrets("ecdh, from bytes", 1, shared("conversation key", nip44Of), func(in *In, out *Out) {
		k, whole := must(p256k1.ParsePrivateKey(in.Secret)), must(p256k1.ParsePublicKey(in.Peer().Bytes()))
		p := must(p256k1.ParseXOnlyPublicKey(whole.XOnly().Bytes()))
		x, err := ecdh.NIP44ConversationKey(k, p)
		check(err)
		out.Secret(x[:])
		x, _ = nothing(k, p)
		out.True(x == [32]byte{})
		k.Zero()
	}).onStack(),
	onSecrets("ellswift.PrivateKey.Zero", Varies, nil, func(in *In, out *Out) {
		k := once(in)
		k.Zero()
		out.Refused(failure(k.X(in.Theirs())))
	}),
	onPublic("ellswift.GenerateKey", 3, "none; it runs functions that other operations on secrets run, and encodes a public key", func(in *In, out *Out) {
		k, encoding := must2(ellswift.GenerateKey())
		x := must(k.X(in.Ours()))
		out.True(x == must(ecdh.X(in.Key(), ellswift.Decode(&encoding))))
	}),
	onPublic("ellswift.Encode", 0, "public keys, encodings, and randomness that is used only after hashing", func(in *In, out *Out) {
		encoding := must(ellswift.Encode(in.Pub(), in.Aux))
		out.Bytes(encoding[:])
		out.True(ellswift.Decode(&encoding).XOnly().Equal(in.X()))
		encoding = must(ellswift.Encode(in.Pub(), nil))
		out.True(ellswift.Decode(&encoding).XOnly().Equal(in.X()))
	}),
}
