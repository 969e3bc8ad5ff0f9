package conformance

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// Its signatures are those of BIP-340.
func TestTinySecp256k1Tweaks(t *testing.T) {
	var file struct {
		TweakAdd []struct {
			Pubkey, Tweak string
			Parity        int
			Result        *string
		} `json:"tweakaddvectors"`
	}
	vectors.JSON(t, "tiny-secp256k1/schnorr.json", &file)
	count := newTally(t)
	for i, test := range file.TweakAdd {
		key, err := p256k1.NewXOnlyPublicKey(unhex(t, test.Pubkey))
		if err != nil {
			t.Fatal(err)
		}
		tweak := unhex(t, test.Tweak)
		output, err := key.TweakAdd(tweak)
		if test.Result == nil {
			count.add("tweaks to infinity")
			if !isOneOf(err, p256k1.ErrInfinity) {
				t.Errorf("tweak %d: %v", i, err)
			}
			continue
		}
		count.add("tweaks")
		if err != nil {
			t.Errorf("tweak %d: %v", i, err)
			continue
		}
		want := unhex(t, *test.Result)
		checkTapTweak(t, i, key, tweak, output, want)
		if compressed := append([]byte{2 + byte(test.Parity)}, want...); !bytes.Equal(output.Bytes(), compressed) {
			t.Errorf("tweak %d: %x, want %x", i, output.Bytes(), compressed)
		}
	}
	count.want("70 tweaks, 2 tweaks to infinity")
}
