package conformance

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/schnorr"
)

// A tapLeaf is a leaf of a tree of scripts.
type tapLeaf struct {
	Script      string
	LeafVersion byte
}

// tapLeaves returns the leaves of a tree in JSON: a leaf, or a list of subtrees.
func tapLeaves(t testing.TB, tree json.RawMessage) (all []tapLeaf) {
	var leaf tapLeaf
	if json.Unmarshal(tree, &leaf) == nil {
		return []tapLeaf{leaf}
	}
	var branches []json.RawMessage
	check(t, json.Unmarshal(tree, &branches))
	for _, branch := range branches {
		all = append(all, tapLeaves(t, branch)...)
	}
	return all
}

type bip341Vectors struct {
	ScriptPubKey []struct {
		Given struct {
			InternalPubkey string
			ScriptTree     json.RawMessage
		}
		Intermediary struct {
			LeafHashes                       []string
			MerkleRoot, Tweak, TweakedPubkey string
		}
		Expected struct {
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
	var file bip341Vectors
	vectors.JSON(t, "bip341/wallet-test-vectors.json", &file)
	count := tally{}
	for i, test := range file.ScriptPubKey {
		count.add("outputs")
		root := unhex(test.Intermediary.MerkleRoot)
		internal := unhex(test.Given.InternalPubkey)
		tweak := schnorr.TaggedHash("TapTweak", internal, root)
		if !bytes.Equal(tweak[:], unhex(test.Intermediary.Tweak)) {
			t.Errorf("%d: tweak %x, want %s", i, tweak, test.Intermediary.Tweak)
		}
		output := checkTapTweak(t, i, internal, tweak[:], unhex(test.Intermediary.TweakedPubkey))
		if got, want := append([]byte{0x51, 0x20}, output.XOnly().Bytes()...), unhex(test.Expected.ScriptPubKey); !bytes.Equal(got, want) {
			t.Errorf("%d: script %x, want %x", i, got, want)
		}
		if string(test.Given.ScriptTree) == "null" {
			continue
		}
		// A control block has the parity, the internal key, and the hashes that lead from its leaf to the root.
		for j, leaf := range tapLeaves(t, test.Given.ScriptTree) {
			count.add("control blocks")
			script, block := unhex(leaf.Script), unhex(test.Expected.ScriptPathControlBlocks[j])
			h := schnorr.TaggedHash("TapLeaf", []byte{leaf.LeafVersion, byte(len(script))}, script)
			if !bytes.Equal(h[:], unhex(test.Intermediary.LeafHashes[j])) {
				t.Errorf("%d: hash of leaf %d is %x, want %s", i, j, h, test.Intermediary.LeafHashes[j])
			}
			for step := range slices.Chunk(block[33:], 32) {
				pair := [][]byte{h[:], step}
				slices.SortFunc(pair, bytes.Compare)
				h = schnorr.TaggedHash("TapBranch", pair...)
			}
			if !bytes.Equal(h[:], root) {
				t.Errorf("%d: leaf %d has the Merkle root %x, want %x", i, j, h, root)
			}
			if odd := block[0]&1 == 1; block[0]&^1 != leaf.LeafVersion || odd != output.IsYOdd() || !bytes.Equal(block[1:33], internal) {
				t.Errorf("%d: control block %d is %x, odd: %v", i, j, block, output.IsYOdd())
			}
		}
	}
	count.want(t, "7 outputs, 12 control blocks")
}

func TestBIP341KeyPath(t *testing.T) {
	var file bip341Vectors
	vectors.JSON(t, "bip341/wallet-test-vectors.json", &file)
	count := tally{}
	for _, tx := range file.KeyPathSpending {
		for i, test := range tx.InputSpending {
			count.add("inputs")
			priv := privateKey(unhex(test.Given.InternalPrivkey))
			internal := priv.PublicKey().XOnly().Bytes()
			if !bytes.Equal(internal, unhex(test.Intermediary.InternalPubkey)) {
				t.Errorf("%d: internal key %x, want %s", i, internal, test.Intermediary.InternalPubkey)
			}
			if priv.PublicKey().IsYOdd() {
				count.add("of them with an odd internal key")
			}
			tweak := schnorr.TaggedHash("TapTweak", internal, unhex(test.Given.MerkleRoot))
			if !bytes.Equal(tweak[:], unhex(test.Intermediary.Tweak)) {
				t.Errorf("%d: tweak %x, want %s", i, tweak, test.Intermediary.Tweak)
			}
			tweaked, err := priv.TweakAddXOnly(tweak[:])
			if err != nil || !bytes.Equal(tweaked.Bytes(), unhex(test.Intermediary.TweakedPrivkey)) {
				t.Fatalf("%d: tweaked key (%v) is not %s", i, err, test.Intermediary.TweakedPrivkey)
			}
			output, err := priv.PublicKey().XOnly().TweakAdd(tweak[:])
			if err != nil || !output.Equal(tweaked.PublicKey()) {
				t.Errorf("%d: tweaking the private key and tweaking the public key lead to different keys: %v", i, err)
			}
			// sigMsg begins with the epoch, the zero byte that BIP-341 puts before the message.
			digest := schnorr.TaggedHash("TapSighash", unhex(test.Intermediary.SigMsg))
			if !bytes.Equal(digest[:], unhex(test.Intermediary.SigHash)) {
				t.Errorf("%d: digest %x, want %s", i, digest, test.Intermediary.SigHash)
			}
			witness := unhex(test.Expected.Witness[0])
			sig, hashType := witness[:64], witness[64:]
			if (test.Given.HashType == 0 && len(hashType) != 0) || (test.Given.HashType != 0 && !bytes.Equal(hashType, []byte{test.Given.HashType})) {
				t.Errorf("%d: hash type %x, want %x", i, hashType, test.Given.HashType)
			}
			checkSignSchnorr(t, "key path", tweaked, output.XOnly().Bytes(), digest[:], new([32]byte), sig)
			checkSchnorr(t, "key path", output.XOnly().Bytes(), digest[:], sig, true)
		}
	}
	count.want(t, "7 inputs, 3 of them with an odd internal key")
}

// checkTapTweak checks that key + tweak·G has the given x coordinate, and that CheckTweakAdd accepts only the right
// parity. It returns the point key + tweak·G.
func checkTapTweak(t testing.TB, id int, internal, tweak, x []byte) *p256k1.PublicKey {
	t.Helper()
	key, err := p256k1.ParseXOnlyPublicKey(internal)
	if err != nil {
		t.Fatalf("%d: %v", id, err)
	}
	output, err := key.TweakAdd(tweak)
	if err != nil || !bytes.Equal(output.XOnly().Bytes(), x) {
		t.Fatalf("%d: output key %v (%v), want %x", id, output, err, x)
	}
	if !key.CheckTweakAdd(tweak, x, output.IsYOdd()) {
		t.Errorf("%d: CheckTweakAdd refuses the right output", id)
	}
	if key.CheckTweakAdd(tweak, x, !output.IsYOdd()) {
		t.Errorf("%d: CheckTweakAdd accepts the wrong parity", id)
	}
	wrong := bytes.Clone(x)
	wrong[31] ^= 1
	if key.CheckTweakAdd(tweak, wrong, output.IsYOdd()) || key.CheckTweakAdd(wrong, x, output.IsYOdd()) {
		t.Errorf("%d: CheckTweakAdd accepts another output or tweak", id)
	}
	// Add the same tweak to a key that is not x-only.
	if full, err := key.PublicKey().TweakAdd(tweak); err != nil || !full.Equal(output) {
		t.Errorf("%d: PublicKey.TweakAdd differs: %v", id, err)
	}
	return output
}

// TestRealWorldTapTweaks checks outputs of Bitcoin's Taproot scripts as a node checks a control block.
func TestRealWorldTapTweaks(t *testing.T) {
	count := tally{}
	vectors.Lines(t, "realworld/bitcoin-block866342-taptweaks.jsonl", func(n int, line []byte) {
		var row struct {
			Internal, Tweak, Output string
			Parity                  int
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		count.add("outputs")
		output := checkTapTweak(t, n, unhex(row.Internal), unhex(row.Tweak), unhex(row.Output))
		if output.IsYOdd() != (row.Parity == 1) {
			t.Errorf("line %d: odd: %v", n, output.IsYOdd())
		}
	})
	count.want(t, "150 outputs")
}

// TestTinySecp256k1Tweaks tests only the tweaks, because the signatures in the file of vectors are BIP-340's vectors.
func TestTinySecp256k1Tweaks(t *testing.T) {
	var file struct {
		TweakAdd []struct {
			Pubkey, Tweak string
			Parity        int
			Result        *string
		} `json:"tweakaddvectors"`
	}
	vectors.JSON(t, "tiny-secp256k1/schnorr.json", &file)
	count := tally{}
	for i, test := range file.TweakAdd {
		pub, tweak := unhex(test.Pubkey), unhex(test.Tweak)
		if test.Result != nil {
			count.add("tweaks")
			if output := checkTapTweak(t, i, pub, tweak, unhex(*test.Result)); output.IsYOdd() != (test.Parity == 1) {
				t.Errorf("tweak %d: odd: %v", i, output.IsYOdd())
			}
			continue
		}
		count.add("tweaks to infinity")
		key := must(p256k1.ParseXOnlyPublicKey(pub))
		if _, err := key.TweakAdd(tweak); !isOneOf(err, p256k1.ErrInfinity) {
			t.Errorf("tweak %d: %v", i, err)
		}
	}
	count.want(t, "70 tweaks, 2 tweaks to infinity")
}
