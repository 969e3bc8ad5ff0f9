package operations

import (
	"crypto/sha256"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// nothing is called after functions that return a secret in the same way. It puts zeros where their results were.
//
//go:noinline
func nothing[K, P any](*K, *P) (x [32]byte, err error) { return }

// nothingECDH is nothing for a function with one more argument.
//
//go:noinline
func nothingECDH(*ellswift.PrivateKey, *[64]byte, bool) (x [32]byte, err error) { return }

// These two are inlined where they are called by name, and then leave copies of their result where nothing overwrites them.
var swiftX, swiftECDH = (*ellswift.PrivateKey).X, (*ellswift.PrivateKey).ECDH

func xOf(_ *In, p oracle.Point) []byte { return number(p.X) }

func sha256Of(_ *In, p oracle.Point) []byte {
	sum := sha256.Sum256(p.Compressed())
	return sum[:]
}

func nip44Of(_ *In, p oracle.Point) []byte { return hmacSHA256([]byte("nip44-v2"), number(p.X)) }

// bip324Of is the shared secret of BIP-324 of the initiator.
func bip324Of(in *In, p oracle.Point) []byte {
	sum := oracle.TaggedHash("bip324_ellswift_xonly_ecdh", in.Ours()[:], in.Theirs()[:], number(p.X))
	return sum[:]
}

// once returns a key for one agreement, as one that was just made.
func once(in *In) *ellswift.PrivateKey { return must(ellswift.NewPrivateKey(in.Key(), in.Ours())) }

var agreements = []Op{
	{
		Name: "ecdh.X", Allocs: 0, Oracle: shared("shared x", xOf),
		Run: func(in *In, out *Out) {
			x, err := ecdh.X(in.Key(), in.Peer())
			out.Error(err)
			out.Secret(x[:])
			x, _ = nothing(in.Key(), in.Peer())
			out.True(x == [32]byte{})
		},
	}, {
		Name: "ecdh.XFromXOnly", Allocs: 0, Oracle: shared("shared x", xOf),
		Run: func(in *In, out *Out) {
			x, err := ecdh.XFromXOnly(in.Key(), in.PeerX())
			out.Error(err)
			out.Secret(x[:])
			x, _ = nothing(in.Key(), in.PeerX())
			out.True(x == [32]byte{})
		},
	}, {
		Name: "ecdh.SHA256", Allocs: 0, Oracle: shared("hash of the shared point", sha256Of),
		Run: func(in *In, out *Out) {
			x, err := ecdh.SHA256(in.Key(), in.Peer())
			out.Error(err)
			out.Secret(x[:])
			x, _ = nothing(in.Key(), in.Peer())
			out.True(x == [32]byte{})
		},
	}, {
		Name: "ecdh.NIP44ConversationKey", Allocs: 0, Oracle: shared("conversation key", nip44Of),
		Run: func(in *In, out *Out) {
			x, err := ecdh.NIP44ConversationKey(in.Key(), in.PeerX())
			out.Error(err)
			out.Secret(x[:])
			x, _ = nothing(in.Key(), in.PeerX())
			out.True(x == [32]byte{})
		},
	}, {
		Name: "ecdh, from bytes", Allocs: 1, Oracle: shared("conversation key", nip44Of),
		Run: func(in *In, out *Out) {
			k, err := p256k1.NewPrivateKey(in.Secret)
			out.Error(err)
			whole, err := p256k1.NewPublicKey(in.Peer().Bytes())
			out.Error(err)
			p, err := p256k1.NewXOnlyPublicKey(whole.XOnly().Bytes())
			out.Error(err)
			x, err := ecdh.NIP44ConversationKey(k, p)
			out.Error(err)
			out.Secret(x[:])
			x, _ = nothing(k, p)
			out.True(x == [32]byte{})
			k.Zero()
		},
	}, {
		Name: "ellswift.PrivateKey.X", Called: []any{swiftX}, Allocs: 3, Oracle: shared("shared x", xOf),
		Run: func(in *In, out *Out) {
			k := once(in)
			x, err := swiftX(k, in.Theirs())
			out.Error(err)
			out.Secret(x[:])
			x, _ = nothing(k, in.Theirs())
			out.True(x == [32]byte{})
		},
	}, {
		Name: "ellswift.PrivateKey.ECDH", Called: []any{swiftECDH}, Allocs: 3, Oracle: shared("hash of the shared point", bip324Of),
		Run: func(in *In, out *Out) {
			k := once(in)
			x, err := swiftECDH(k, in.Theirs(), true)
			out.Error(err)
			out.Secret(x[:])
			x, _ = nothingECDH(k, in.Theirs(), true)
			out.True(x == [32]byte{})
		},
	}, {
		Name: "ellswift.PrivateKey.ECDH, of the responder", Called: []any{swiftECDH}, Allocs: 3,
		Oracle: shared("hash of the shared point", func(in *In, p oracle.Point) []byte {
			sum := oracle.TaggedHash("bip324_ellswift_xonly_ecdh", in.Theirs()[:], in.Ours()[:], number(p.X))
			return sum[:]
		}),
		Run: func(in *In, out *Out) {
			k := once(in)
			x, err := swiftECDH(k, in.Theirs(), false)
			out.Error(err)
			out.Secret(x[:])
			x, _ = nothingECDH(k, in.Theirs(), false)
			out.True(x == [32]byte{})
		},
	}, {
		Name: "ellswift.PrivateKey.Zero", Allocs: Varies,
		Run: func(in *In, out *Out) {
			k := once(in)
			k.Zero()
			_, err := k.X(in.Theirs())
			out.Refused(err)
		},
	}, {
		Name: "ellswift.GenerateKey", Allocs: 3, Public: "what makes a key, which is run, and its public key to Encode",
		Run: func(in *In, out *Out) {
			k, encoding, err := ellswift.GenerateKey()
			out.Error(err)
			x, err := k.X(in.Ours())
			out.Error(err)
			want, err := ecdh.X(in.Key(), ellswift.Decode(&encoding))
			out.Error(err)
			out.True(x == want)
		},
	}, {
		Name: "ellswift.Encode", Allocs: 0, Public: "public keys, encodings, and randomness of which only hashes are used",
		Run: func(in *In, out *Out) {
			encoding, err := ellswift.Encode(in.Pub(), in.Aux)
			out.Error(err)
			out.Bytes(encoding[:])
			out.True(ellswift.Decode(&encoding).XOnly().Equal(in.X()))
			encoding, err = ellswift.Encode(in.Pub(), nil)
			out.Error(err)
			out.True(ellswift.Decode(&encoding).XOnly().Equal(in.X()))
		},
	}, {
		Name: "ellswift.NewPrivateKey, refused", Allocs: Varies, Public: "another key's encoding",
		Run: func(in *In, out *Out) {
			_, err := ellswift.NewPrivateKey(in.Key(), in.Theirs())
			out.Refused(err)
		},
	},
	hides(once),
}
