package conformance

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/vectors"
)

func TestTinySecp256k1ECDSA(t *testing.T) {
	var file ecdsaFixtures
	vectors.JSON(t, "tiny-secp256k1/ecdsa.json", &file)
	count := newTally(t)
	checkECDSAFixtures(t, count, &file)
	count.want("2020 signatures, 30 signatures with extra entropy, 4 refused to sign, 19 refused keys, 5 refused signatures, " +
		"1 valid but of high s, 5 refused recoverable signatures, 2 signatures without a key, 1 digests of another length")
}

func TestTinySecp256k1Points(t *testing.T) {
	var file pointFixtures
	vectors.JSON(t, "tiny-secp256k1/points.json", &file)
	count := newTally(t)
	checkPointFixtures(t, count, &file)
	count.want("2029 valid isPoint, 118 valid pointAdd, 27 valid pointAddScalar, 242 valid pointCompress, " +
		"16 valid pointFromScalar, 7 valid pointMultiply, 16 valid pointNegate, " +
		"38 invalid pointAdd, 22 invalid pointAddScalar, 19 invalid pointCompress, 4 invalid pointFromScalar, " +
		"22 invalid pointMultiply")
}

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
