package conformance

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/schnorr"
)

type bip341Vectors struct {
	ScriptPubKey []struct {
		Given        struct{ InternalPubkey string }
		Intermediary struct{ MerkleRoot, Tweak, TweakedPubkey string }
		Expected     struct {
			ScriptPubKey            string
			ScriptPathControlBlocks []string
		}
	}
	KeyPathSpending []struct {
		InputSpending []struct {
			Given struct {
				InternalPrivkey, MerkleRoot string
				HashType                    byte
			}
			Intermediary struct{ InternalPubkey, Tweak, TweakedPrivkey, SigMsg, SigHash string }
			Expected     struct{ Witness []string }
		}
	}
}

func TestBIP341Outputs(t *testing.T) {
	file, r := read[bip341Vectors](t, "bip341/wallet-test-vectors.json"), newReport(t)
	for i, test := range file.ScriptPubKey {
		r.begin("outputs", "output %d", i)
		root, internal := unhex(test.Intermediary.MerkleRoot), unhex(test.Given.InternalPubkey)
		tweak := schnorr.TaggedHash("TapTweak", internal, root)
		r.same("tweak", tweak, unhex(test.Intermediary.Tweak))
		output := checkTapTweak(r, internal, tweak[:], unhex(test.Intermediary.TweakedPubkey))
		r.same("script", append([]byte{0x51, 0x20}, output.XOnly().Bytes()...), unhex(test.Expected.ScriptPubKey))
		// A control block begins with the parity and the internal key. The hashes in it only lead to the root.
		for _, text := range test.Expected.ScriptPathControlBlocks {
			r.add("control blocks")
			block := unhex(text)
			r.same("parity", output.IsYOdd(), block[0]&1 == 1)
			r.same("internal key", internal, block[1:33])
		}
	}
	r.want("7 outputs, 12 control blocks")
}

func TestBIP341KeyPath(t *testing.T) {
	file, r := read[bip341Vectors](t, "bip341/wallet-test-vectors.json"), newReport(t)
	for _, tx := range file.KeyPathSpending {
		for _, test := range tx.InputSpending {
			r.begin("inputs", "%+v", test)
			priv := privateKey(unhex(test.Given.InternalPrivkey))
			key := priv.PublicKey().XOnly()
			r.same("internal key", key, unhex(test.Intermediary.InternalPubkey))
			r.addIf(priv.PublicKey().IsYOdd(), "of them with an odd internal key")
			tweak := schnorr.TaggedHash("TapTweak", key.Bytes(), unhex(test.Given.MerkleRoot))
			r.same("tweak", tweak, unhex(test.Intermediary.Tweak))
			tweaked := must(priv.TweakAddXOnly(tweak[:]))
			r.same("tweaked key", tweaked, unhex(test.Intermediary.TweakedPrivkey))
			output := must(key.TweakAdd(tweak[:]))
			r.is(output.Equal(tweaked.PublicKey()), "both keys, tweaked, belong together")
			// sigMsg begins with the epoch, the zero byte that BIP-341 puts before the message.
			digest := schnorr.TaggedHash("TapSighash", unhex(test.Intermediary.SigMsg))
			r.same("digest", digest, unhex(test.Intermediary.SigHash))
			witness := unhex(test.Expected.Witness[0])
			sig, hashType := witness[:64], witness[64:]
			r.same("hash type", hashType, bytes.Trim([]byte{test.Given.HashType}, "\x00"))
			checkSignSchnorr(r, tweaked, output.XOnly().Bytes(), digest[:], new([32]byte), sig)
			checkSchnorr(r, output.XOnly().Bytes(), digest[:], sig, true)
		}
	}
	r.want("7 inputs, 3 of them with an odd internal key")
}

// checkTapTweak checks that key + tweak·G has the given x coordinate, and that CheckTweakAdd accepts only the right
// parity. It returns the point key + tweak·G.
func checkTapTweak(r *report, internal, tweak, x []byte) *p256k1.PublicKey {
	key := must(p256k1.ParseXOnlyPublicKey(internal))
	output := must(key.TweakAdd(tweak))
	r.same("output", output.XOnly(), x)
	odd, wrong := output.IsYOdd(), flip(x, 248)
	r.is(key.CheckTweakAdd(tweak, x, odd), "CheckTweakAdd accepts the output")
	r.is(!key.CheckTweakAdd(tweak, x, !odd), "CheckTweakAdd refuses the wrong parity")
	r.is(!key.CheckTweakAdd(tweak, wrong, odd), "CheckTweakAdd refuses another output")
	r.is(!key.CheckTweakAdd(wrong, x, odd), "CheckTweakAdd refuses another tweak")
	// Add the same tweak to a key that is not x-only.
	full, err := key.PublicKey().TweakAdd(tweak)
	r.is(err == nil && full.Equal(output), "PublicKey.TweakAdd gives the same output: %v", err)
	return output
}

// TestRealWorldTapTweaks checks outputs of Bitcoin's Taproot scripts as a node checks a control block.
func TestRealWorldTapTweaks(t *testing.T) {
	type tweak struct {
		Internal, Tweak, Output string
		Parity                  int
	}
	each(t, "realworld/bitcoin-block866342-taptweaks.jsonl", "150 outputs", func(r *report, c tweak) {
		r.add("outputs")
		output := checkTapTweak(r, unhex(c.Internal), unhex(c.Tweak), unhex(c.Output))
		r.same("odd", output.IsYOdd(), c.Parity == 1)
	})
}

// TestTinySecp256k1Tweaks tests only the tweaks, because the signatures in the file of vectors are BIP-340's vectors.
func TestTinySecp256k1Tweaks(t *testing.T) {
	file := read[struct {
		TweakAdd []struct {
			Pubkey, Tweak string
			Parity        int
			Result        *string
		} `json:"tweakaddvectors"`
	}](t, "tiny-secp256k1/schnorr.json")
	r := newReport(t)
	for i, test := range file.TweakAdd {
		r.given("tweak %d", i)
		pub, tweak := unhex(test.Pubkey), unhex(test.Tweak)
		if test.Result != nil {
			r.add("tweaks")
			r.same("odd", checkTapTweak(r, pub, tweak, unhex(*test.Result)).IsYOdd(), test.Parity == 1)
			continue
		}
		r.add("tweaks to infinity")
		_, err := must(p256k1.ParseXOnlyPublicKey(pub)).TweakAdd(tweak)
		r.fails("TweakAdd", err, p256k1.ErrInfinity)
	}
	r.want("70 tweaks, 2 tweaks to infinity")
}
