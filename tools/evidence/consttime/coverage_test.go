package consttime

import (
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	// So that a change in the library runs these tests again: the go command's cache
	// does not look at other modules.
	_ "p256k1.mleku.dev/v2/ecdh"
	_ "p256k1.mleku.dev/v2/ecdsa"
	_ "p256k1.mleku.dev/v2/ellswift"
	_ "p256k1.mleku.dev/v2/keyformat"
	_ "p256k1.mleku.dev/v2/nostr"
	_ "p256k1.mleku.dev/v2/nostr/nip44"
	_ "p256k1.mleku.dev/v2/protocols/cashu"
	_ "p256k1.mleku.dev/v2/protocols/dleq"
	_ "p256k1.mleku.dev/v2/protocols/musig2"
	_ "p256k1.mleku.dev/v2/protocols/silentpayments"
	_ "p256k1.mleku.dev/v2/signer"
)

// withoutSecrets are the exported functions that are given none, by what they are
// given. Those named Vartime need not be here: tools/evidence/vartime watches over them.
var withoutSecrets = map[string][]string{
	"public keys, which tell all that they are made of": {
		"p256k1.NewXOnlyPublicKey",
		"(*p256k1.PublicKey).BytesUncompressed", "(*p256k1.PublicKey).Equal", "(*p256k1.PublicKey).IsYOdd",
		"(*p256k1.PublicKey).Negate", "(*p256k1.PublicKey).Point", "(*p256k1.PublicKey).Precomputed", "(*p256k1.XOnlyPublicKey).Precomputed",
		"(p256k1.PublicKey).String", "(p256k1.PublicKey).Format",
		"(p256k1.PublicKey).MarshalText", "(p256k1.PublicKey).AppendText", "(*p256k1.PublicKey).UnmarshalText",
		"(p256k1.PublicKey).MarshalBinary", "(p256k1.PublicKey).AppendBinary", "(*p256k1.PublicKey).UnmarshalBinary",
		"(p256k1.XOnlyPublicKey).String", "(p256k1.XOnlyPublicKey).Format",
		"(p256k1.XOnlyPublicKey).MarshalText", "(p256k1.XOnlyPublicKey).AppendText", "(*p256k1.XOnlyPublicKey).UnmarshalText",
		"(p256k1.XOnlyPublicKey).MarshalBinary", "(p256k1.XOnlyPublicKey).AppendBinary", "(*p256k1.XOnlyPublicKey).UnmarshalBinary",
		"(*p256k1.XOnlyPublicKey).CheckTweakAdd", "(*p256k1.XOnlyPublicKey).Equal",
		"(*p256k1.XOnlyPublicKey).Point", "(*p256k1.XOnlyPublicKey).PublicKey",
		"(*signer.P256K1Signer).InitPub",
	},
	"public keys, public nonces and partial signatures": {
		"protocols/musig2.Sort", "protocols/musig2.Aggregate", "protocols/musig2.NewPublicNonce", "protocols/musig2.AggregateNonces", "protocols/musig2.NewSession",
		"(*protocols/musig2.KeySet).PublicKey", "(*protocols/musig2.KeySet).Tweak", "(*protocols/musig2.KeySet).TweakXOnly",
		"(*protocols/musig2.KeySet).Derive", "(*protocols/musig2.KeySet).ExtendedKey", "(*protocols/musig2.SignerError).Error",
		"(*protocols/musig2.SignerError).Unwrap", "protocols/musig2.NewAggregateNonce", "(*protocols/musig2.AggregateNonce).Bytes",
		"protocols/musig2.NewPartialSignature", "(*protocols/musig2.Session).VerifyPartial", "(*protocols/musig2.Session).Combine",
	},
	"transactions": {
		"(*protocols/silentpayments.Input).PublicKey", "protocols/silentpayments.Tweak",
	},
	"secrets that were shown, and proofs with what they are of": {
		"protocols/cashu.HashToCurveVartime", "(*protocols/cashu.DLEQ).Verify",
		"(protocols/cashu.Integer).MarshalText", "(*protocols/cashu.Integer).UnmarshalText",
	},
	"signatures": {
		"ecdsa.ParseCompact", "ecdsa.ParseDER", "ecdsa.ParseRecoverable", "ecdsa.ParseRecoverableBitcoin", "ecdsa.ParseRecoverableEthereum",
		"(ecdsa.Signature).DER", "(ecdsa.Signature).IsLowS", "(ecdsa.Signature).NormalizeS",
		"(ecdsa.RecoverableSignature).BytesBitcoin", "(ecdsa.RecoverableSignature).BytesEthereum",
		"(ecdsa.RecoverableSignature).RecoveryID", "(ecdsa.RecoverableSignature).Signature",
		"(ecdsa.Signature).String", "(ecdsa.Signature).Format",
		"(ecdsa.Signature).MarshalText", "(ecdsa.Signature).AppendText", "(*ecdsa.Signature).UnmarshalText",
		"(ecdsa.Signature).MarshalBinary", "(ecdsa.Signature).AppendBinary", "(*ecdsa.Signature).UnmarshalBinary",
		"(ecdsa.RecoverableSignature).String", "(ecdsa.RecoverableSignature).Format",
		"(ecdsa.RecoverableSignature).MarshalText", "(ecdsa.RecoverableSignature).AppendText", "(*ecdsa.RecoverableSignature).UnmarshalText",
		"(ecdsa.RecoverableSignature).MarshalBinary", "(ecdsa.RecoverableSignature).AppendBinary", "(*ecdsa.RecoverableSignature).UnmarshalBinary",
		"(*ecdsa.Batch).Add", "(*ecdsa.Batch).AddKey", "(*ecdsa.Batch).Invalid", "(*ecdsa.Batch).Len", "(*ecdsa.Batch).Reset", "(*ecdsa.Batch).Verify",
		"ecdsa.Recover", "ecdsa.RecoverBatch", "ecdsa.Verify", "ecdsa.VerifyCompact", "ecdsa.VerifyDER", "ecdsa.VerifyLowS",
		"(*schnorr.Batch).Add", "(*schnorr.Batch).AddKey", "(*schnorr.Batch).Invalid", "(*schnorr.Batch).Len", "(*schnorr.Batch).Reset", "(*schnorr.Batch).Verify",
		"schnorr.Verify", "schnorr.VerifyBytes", "protocols/dleq.Verify", "protocols/dleq.VerifyBatch", "(*signer.P256K1Signer).Verify",
	},
	"coefficients of random combinations of public values, and how a point was made": {
		"(*curve.Scalar).SetWeight", "(*curve.Point).IsPrecomputed",
	},
	"nonces and partial signatures of MuSig2, which are public": {
		"(protocols/musig2.PublicNonce).MarshalText", "(*protocols/musig2.PublicNonce).UnmarshalText",
		"(protocols/musig2.AggregateNonce).MarshalText", "(*protocols/musig2.AggregateNonce).UnmarshalText",
		"(protocols/musig2.PartialSignature).MarshalText", "(*protocols/musig2.PartialSignature).UnmarshalText",
	},
	"events, which are public": {
		"nostr.Parse", "nostr.VerifyAll", "(nostr.Event).MarshalJSON", "(*nostr.Event).UnmarshalJSON", "(*nostr.Event).AppendJSON",
		"(*nostr.Event).AppendSerialized", "(*nostr.Event).ComputeID", "(*nostr.Event).Verify",
		"(*nostr.Verifier).Add", "(*nostr.Verifier).AddEvent", "(*nostr.Verifier).Len", "(*nostr.Verifier).Verdicts",
		"nostr.NewReader", "(*nostr.Reader).Next", "(*nostr.Reader).All", "(*nostr.Reader).Verified",
	},
	"events, which are public, and a secret, which they give to functions that are run": {
		"(*nostr.Event).Sign", "(*nostr.Event).SignWith",
	},
	"public keys, and whether a text begins as that of a key does": {
		"nostr/nip19.AppendPublicKey", "nostr/nip19.ParsePublicKey", "nostr/nip19.Is",
	},
	"secrets, which they give to functions that are run, and what comes of these to a verification": {
		"ecdsa.NewCheckedSigner", "ecdsa.SignChecked", "schnorr.NewCheckedSigner", "schnorr.SignChecked", "protocols/dleq.ProveChecked",
		"(*protocols/musig2.Session).Sign", "protocols/musig2.SignDeterministic",
		"protocols/cashu.Unblind", "(*protocols/cashu.DLEQ).VerifyToken",
	},
	"public keys and their encodings, and randomness of which only hashes are used": {
		"ellswift.Decode",
	},
	"what makes a key, which is run, and its public key to Encode": {
		"ellswift.GenerateKey",
	},
	"public keys and signatures, in files and in JSON": {
		"keyformat.MarshalPKIXPublicKey", "keyformat.MarshalPublicKeyJWK", "keyformat.MarshalPublicKeyPEM", "keyformat.Thumbprint",
		"keyformat.ParsePKIXPublicKey", "keyformat.ParsePublicKeyJWK", "keyformat.ParsePublicKeyPEM", "keyformat.VerifyES256K",
	},
	"a signer, which has the secret": {
		"keyformat.SignES256K",
	},
	"messages, of which the length and the type decide what is sent, and connections": {
		"protocols/bip324.AppendMessage", "protocols/bip324.ParseMessage", "protocols/bip324.MessageID", "protocols/bip324.MessageName",
		"(*protocols/bip324.Conn).Close", "(*protocols/bip324.Conn).SetDeadline", "(*protocols/bip324.Conn).SetReadDeadline", "(*protocols/bip324.Conn).SetWriteDeadline", "(*protocols/bip324.Conn).LocalAddr", "(*protocols/bip324.Conn).RemoteAddr", "(*protocols/bip324.Conn).SessionID",
		"(*protocols/bip324.V1Error).Error",
	},
	"a connection, whose secrets they give to functions that are run": {
		"protocols/bip324.Client", "protocols/bip324.Server", "(*protocols/bip324.Conn).ReadPacket", "(*protocols/bip324.Conn).WritePacket", "(*protocols/bip324.Conn).WriteDecoy", "(*protocols/bip324.Conn).ReadMessage", "(*protocols/bip324.Conn).WriteMessage",
	},
	"secrets, at which they do not look": {
		"(nostr/nip44.Conversation).Format", "(nostr/nip44.Conversation).LogValue", "(nostr/nip44.Conversation).MarshalText",
		"(nostr/nip44.Conversation).MarshalBinary", "(*nostr/nip44.Conversation).UnmarshalText", "(*nostr/nip44.Conversation).UnmarshalBinary",
		"(protocols/silentpayments.Scanner).Format", "(protocols/silentpayments.Scanner).LogValue", "(protocols/silentpayments.Scanner).MarshalText",
		"(protocols/silentpayments.Scanner).MarshalBinary", "(*protocols/silentpayments.Scanner).UnmarshalText", "(*protocols/silentpayments.Scanner).UnmarshalBinary",
		"(protocols/musig2.SecretNonce).Format", "(protocols/musig2.SecretNonce).LogValue", "(protocols/musig2.SecretNonce).MarshalText",
		"(protocols/musig2.SecretNonce).MarshalBinary", "(*protocols/musig2.SecretNonce).UnmarshalText", "(*protocols/musig2.SecretNonce).UnmarshalBinary",
		"(p256k1.PrivateKey).Format", "(curve.Scalar).Format", "(curve.Point).Format",
		"(p256k1.PrivateKey).LogValue", "(curve.Scalar).LogValue", "(curve.Point).LogValue",
		"(ecdsa.Signer).LogValue", "(schnorr.Signer).LogValue", "(ellswift.PrivateKey).LogValue", "(ellswift.PrivateKey).MarshalText", "(*ellswift.PrivateKey).UnmarshalText",
		"(ellswift.PrivateKey).Format", "(ellswift.PrivateKey).MarshalBinary", "(*ellswift.PrivateKey).UnmarshalBinary",
		"(signer.P256K1Signer).LogValue", "(signer.P256K1Gen).LogValue",
		"(p256k1.PrivateKey).MarshalText", "(curve.Scalar).MarshalText", "(curve.Point).MarshalText",
		"(*p256k1.PrivateKey).UnmarshalText", "(*curve.Scalar).UnmarshalText", "(*curve.Point).UnmarshalText",
		"(p256k1.PrivateKey).MarshalBinary", "(curve.Scalar).MarshalBinary", "(curve.Point).MarshalBinary",
		"(*p256k1.PrivateKey).UnmarshalBinary", "(*curve.Scalar).UnmarshalBinary", "(*curve.Point).UnmarshalBinary",
		"(ecdsa.Signer).MarshalText", "(*ecdsa.Signer).UnmarshalText", "(schnorr.Signer).MarshalText", "(*schnorr.Signer).UnmarshalText",
		"(signer.P256K1Signer).MarshalText", "(*signer.P256K1Signer).UnmarshalText",
		"(signer.P256K1Gen).MarshalText", "(*signer.P256K1Gen).UnmarshalText",
	},
}

// TestEverythingRuns fails for an exported function or method of the public packages
// which the operations of the subject do not call and which may be given secrets.
func TestEverythingRuns(t *testing.T) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedImports,
		Env:  append(os.Environ(), environment...),
	}, Subject, module, module+"/curve", module+"/ecdsa", module+"/schnorr", module+"/ecdh", module+"/ellswift", module+"/signer", module+"/keyformat", module+"/protocols/dleq",
		module+"/protocols/musig2", module+"/protocols/silentpayments", module+"/protocols/cashu", module+"/protocols/bip324", module+"/nostr", module+"/nostr/nip19", module+"/nostr/nip44")
	if err != nil {
		t.Fatal(err)
	}
	run := make(map[string]bool)
	var exported []string
	name := func(f *types.Func) string {
		return strings.ReplaceAll(strings.ReplaceAll(f.FullName(), module+"/", ""), module, "p256k1")
	}
	for _, p := range loaded {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		if p.PkgPath == Subject {
			for identifier, object := range p.TypesInfo.Uses {
				if f, ok := object.(*types.Func); ok && strings.HasSuffix(p.Fset.Position(identifier.Pos()).Filename, "/operations.go") {
					run[name(f)] = true
				}
			}
			continue
		}
		for _, s := range p.Types.Scope().Names() {
			object := p.Types.Scope().Lookup(s)
			if f, ok := object.(*types.Func); ok && f.Exported() {
				exported = append(exported, name(f))
			}
			named, ok := object.Type().(*types.Named)
			if _, isType := object.(*types.TypeName); !isType || !ok || types.IsInterface(named) {
				continue
			}
			for m := range named.Methods() {
				if m.Exported() && named.Obj().Exported() {
					exported = append(exported, name(m))
				}
			}
		}
	}
	listed := make(map[string]bool)
	for _, list := range withoutSecrets {
		for _, f := range list {
			if !slices.Contains(exported, f) || run[f] {
				t.Errorf("%s is listed as taking no secret, and is run or is none of the exported functions", f)
			}
			listed[f] = true
		}
	}
	ran := 0
	for _, f := range exported {
		switch {
		case run[f]:
			ran++
		case !listed[f] && !strings.Contains(f, "Vartime"):
			t.Errorf("%s may take a secret: call it in subject/operations.go, or list it here", f)
		}
	}
	t.Logf("result: of %d exported functions the subject calls %d, %d take no secret, %d are named Vartime", len(exported), ran, len(listed), len(exported)-ran-len(listed))
}
