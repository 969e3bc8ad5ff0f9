//go:build amd64

package main

import (
	"bytes"
	"math/big"
	_ "unsafe" // for linkname

	"github.com/btcsuite/btcd/btcec/v2"
	btcECDSA "github.com/btcsuite/btcd/btcec/v2/ecdsa"
	btcEllswift "github.com/btcsuite/btcd/btcec/v2/ellswift"
	dcr "github.com/decred/dcrd/dcrec/secp256k1/v4"
	dcrECDSA "github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	erigon "github.com/erigontech/secp256k1"
	v1 "p256k1.mleku.dev"
	v1ecdsa "p256k1.mleku.dev/ecdsa"
	"p256k1.mleku.dev/exchange"
	"p256k1.mleku.dev/keys"
	v1schnorr "p256k1.mleku.dev/schnorr"
	v1signer "p256k1.mleku.dev/signer"
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/protocols/bip324"
	_ "p256k1.mleku.dev/v2/tools/evidence/consttime/subject/cli"
	"p256k1.mleku.dev/v2/tools/evidence/consttime/subject/secrethex"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

// These modules are not in go.work, and the command's packages are internal, so consttime.Build adds this file and the
// modules to the subject.
func init() {
	dropIns = append(dropIns, []operations.Op{
		{Name: "compat/erigon", Run: func(in *operations.In, out *operations.Out) {
			out.Some(must(erigon.Sign(in.Digest, in.Secret)), 64)
		}},
		{Name: "compat/erigon, multiplication", Run: dropInErigon, Shown: "it returns integers of package math/big, whose code depends on the number of words"},
		{Name: "compat/v1", Run: dropInV1},
		{Name: "compat/v1, key pairs", Run: dropInPairs},
		{Name: "compat/v1, agreements", Run: dropInAgreements},
		{Name: "cmd/p256k1", Run: command},
		{Name: "functions that lint reads, and grind does not run", Run: func(*operations.In, *operations.Out) {}, Called: []any{
			btcec.DecompressY, btcec.GenerateSharedSecret, btcec.MakeJacobianPoint, btcec.NewPublicKey, btcec.NonceRFC6979,
			btcec.PrivKeyFromScalar, btcec.ScalarBaseMultNonConst, btcec.ScalarMultNonConst, btcECDSA.Sign, btcECDSA.SignCompact,
			dcr.DecompressY, dcr.GeneratePrivateKeyFromRand, dcr.GenerateSharedSecret, dcr.MakeJacobianPoint, dcr.NewPrivateKey,
			dcr.NewPublicKey, dcr.NonceRFC6979, dcr.PrivKeyFromBytes, dcr.ScalarBaseMultNonConst, dcr.ScalarMultNonConst,
			dcrECDSA.Sign, dcrECDSA.SignCompact, btcEllswift.EllswiftCreate, (*nostr.Event).Sign,
			bip324.Client, bip324.Server, (*bip324.Conn).Close, (*bip324.Conn).ReadMessage, (*bip324.Conn).ReadPacket,
			(*bip324.Conn).WriteDecoy, (*bip324.Conn).WriteMessage, (*bip324.Conn).WritePacket, (*bip324.Conn).SessionID,
			(*bip324.Conn).LocalAddr, (*bip324.Conn).RemoteAddr, (*bip324.Conn).SetDeadline, (*bip324.Conn).SetReadDeadline,
			(*bip324.Conn).SetWriteDeadline,
		}},
	}...)
}

func check(err error) { must(0, err) }

// dropInErigon multiplies points by a private key.
func dropInErigon(in *operations.In, out *operations.Out) {
	x, y := erigon.S256().ScalarBaseMult(in.Secret)
	other := in.Peer().BytesUncompressed()
	px, py := erigon.S256().ScalarMult(new(big.Int).SetBytes(other[1:33]), new(big.Int).SetBytes(other[33:]), in.Secret)
	for _, v := range []*big.Int{x, y, px, py} {
		out.Bytes(v.Bytes())
	}
}

// dropInV1 calls the functions to which programs on version 1's API pass the bytes of private keys.
func dropInV1(in *operations.In, out *operations.Out) {
	k := bytes.Clone(in.Secret)
	out.True(v1.ECSeckeyVerify(k), keys.ValidatePrivate(k), v1.ECSeckeyNegate(k))
	check(v1.ECSeckeyTweakAdd(k, in.Tweak))
	check(v1.ECSeckeyTweakMul(k, in.Tweak))
	out.Bytes(k, must(keys.TweakAddPrivate(in.Secret, in.Tweak)), must(keys.TweakMulPrivate(in.Secret, in.Tweak)), must(keys.NegatePrivate(in.Secret)))
	var p v1.PublicKey
	check(v1.ECPubkeyCreate(&p, in.Secret))
	out.Bytes(p.V2().Bytes(), must(keys.CreatePublic(in.Secret)).V2().Bytes(), must(v1.ECSeckeyGenerate()))
	generated, public, err := v1.ECKeyPairGenerate()
	check(err)
	out.Bytes(generated, public.V2().Bytes())
	var sig v1.ECDSASignature
	check(v1.ECDSASign(&sig, in.Digest, in.Secret))
	var compact v1.ECDSASignatureCompact
	check(v1.ECDSASignCompact(&compact, in.Digest, in.Secret))
	var recoverable v1.ECDSARecoverableSignature
	check(v1.ECDSASignRecoverable(&recoverable, in.Digest, in.Secret))
	b, _ := recoverable.ToCompact()
	out.Bytes(sig.V2().Bytes(), compact[:], b)
	out.Some(must(v1.ECDSASignDER(in.Digest, in.Secret)), 64)
	out.Bytes(must(v1ecdsa.Sign(in.Digest, in.Secret)).ToCompact()[:], must(v1ecdsa.SignCompact(in.Digest, in.Secret))[:])
	out.Some(must(v1ecdsa.SignDER(in.Digest, in.Secret)), 64)
	b, _ = must(v1ecdsa.SignRecoverable(in.Digest, in.Secret)).ToCompact()
	out.Bytes(b)
}

// dropInPairs calls the functions that make and use key pairs.
func dropInPairs(in *operations.In, out *operations.Out) {
	pair := must(v1.KeyPairCreate(in.Secret))
	aux := make([]byte, 32)
	var b [64]byte
	check(v1.SchnorrSign(b[:], in.Digest, pair, aux))
	out.Bytes(bytes.Clone(b[:]))
	check(v1schnorr.SignRaw(b[:], in.Digest, pair, aux))
	out.Bytes(b[:], must(v1schnorr.Sign(in.Digest, pair, aux))[:], bytes.Clone(pair.Seckey()), pair.V2().Bytes())
	out.Bytes(pair.Pubkey().V2().Bytes(), must(pair.XOnlyPubkey()).V2().Bytes())
	pair.Clear()
	for _, pair := range []*v1.KeyPair{
		must(v1.KeyPairGenerate()), must(keys.Generate()), must(v1schnorr.GenerateKeyPair()),
		must(keys.Create(in.Secret)), must(v1schnorr.NewKeyPair(in.Secret)),
	} {
		out.Bytes(pair.Pubkey().V2().Bytes())
	}
	s := v1signer.NewP256K1Signer()
	check(s.InitSec(in.Secret))
	out.Bytes(must(s.Sign(in.Digest)), bytes.Clone(s.Sec()), s.Pub())
	out.Some(must(s.PubCompressed()), 32)
	out.Bytes(must(s.ECDH(in.PeerX().Bytes())), must(s.ECDHRaw(in.PeerX().Bytes())))
	check(s.Generate())
	out.Bytes(s.Pub())
	s.Zero()
	g := v1signer.NewP256K1Gen()
	public := must(g.Generate())
	g.Negate()
	secret, x := g.KeyPairBytes()
	out.Bytes(public, bytes.Clone(secret), x)
}

// dropInAgreements calls the functions that agree on secrets.
func dropInAgreements(in *operations.In, out *operations.Out) {
	peer := must(keys.ParsePublic(in.Peer().Bytes()))
	hash := func(output, x32, y32 []byte) bool {
		copy(output, x32)
		return true
	}
	b := make([]byte, 32)
	for _, err := range []error{
		v1.ECDH(b, peer, in.Secret, nil), v1.ECDH(b, peer, in.Secret, hash), v1.ECDHXOnly(b, peer, in.Secret),
		v1.ECDHWithHKDF(b, peer, in.Secret, nil, nil), exchange.SharedSecretRaw(b, peer, in.Secret),
		exchange.XOnlySharedSecretRaw(b, peer, in.Secret), exchange.SharedSecretWithDerivationRaw(b, peer, in.Secret, nil, nil),
	} {
		check(err)
	}
	out.Bytes(b, must(exchange.SharedSecret(peer, in.Secret)), must(exchange.SharedSecretWithHash(peer, in.Secret, hash)),
		must(exchange.XOnlySharedSecret(peer, in.Secret)), must(exchange.SharedSecretWithDerivation(peer, in.Secret, nil, nil, 32)))
}

//go:linkname parseSecret p256k1.mleku.dev/v2/tools/evidence/consttime/subject/cli.parseSecret
func parseSecret(text []byte, origin string) (*p256k1.PrivateKey, error)

// command calls what the command does with secrets itself. It looks for the ends of a text and for what kind of text it
// is, so its branches depend on the whole text, which is therefore declassified for it.
func command(in *operations.In, out *operations.Out) {
	text := secrethex.AppendEncode(nil, in.Secret)
	b := make([]byte, 32)
	out.True(secrethex.Decode(b, text))
	out.Bytes(b, bytes.Clone(text))
	operations.Declassify(text, 64)
	key := must(parseSecret(text, ""))
	out.Some(key.PublicKey().Bytes(), 0)
	key.Zero()
}
