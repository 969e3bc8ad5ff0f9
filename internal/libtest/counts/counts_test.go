package counts_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/hmacsha256"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/libtest/counts"
	"p256k1.mleku.dev/v2/schnorr"
)

// many lists the functions of the library that take many items. MultiScalarMultVartime is the only one that works on
// more than 256 at a time.
var many = []counts.Row{
	counts.Each("ecdsa.Batch", counts.Enough, func(items []*counts.Item) []any {
		var b ecdsa.Batch
		for i, v := range items {
			switch i % 3 {
			case 0:
				b.Add(v.Public.Bytes(), v.Digest, v.ECDSA.Signature())
			case 1:
				b.AddKey(v.Public, v.Digest, v.ECDSA.Signature())
			case 2:
				b.AddDER(v.Public.BytesUncompressed(), v.Digest, v.ECDSA.Signature().DER())
			}
		}
		return verdicts(b.Len(), b.Verify(), b.Invalid(nil))
	}),
	counts.Each("schnorr.Batch", counts.Enough, func(items []*counts.Item) []any {
		var b schnorr.Batch
		for i, v := range items {
			if i%2 == 0 {
				b.Add(v.Public.XOnly().Bytes(), v.Digest, v.Schnorr[:])
			} else {
				b.AddKey(v.Public.XOnly(), v.Digest, v.Schnorr[:])
			}
		}
		return verdicts(b.Len(), b.Verify(), b.Invalid(nil))
	}),
	counts.Each("ecdsa.Pool", 20, func(items []*counts.Item) []any {
		var p ecdsa.Pool
		return counts.Together(items, func(v *counts.Item) any {
			sig := v.ECDSA.Signature()
			der := libtest.Must(p.VerifyDER(context.Background(), v.Public.Bytes(), v.Digest, sig.DER()))
			return fmt.Sprint(der, libtest.Must(p.VerifyCompact(context.Background(), v.Public.Bytes(), v.Digest, sig.Bytes())))
		})
	}),
	counts.Each("schnorr.Pool", 20, func(items []*counts.Item) []any {
		var p schnorr.Pool
		return counts.Together(items, func(v *counts.Item) any {
			return libtest.Must(p.Verify(context.Background(), v.Public.XOnly().Bytes(), v.Digest, v.Schnorr[:]))
		})
	}),
	counts.Each("ecdsa.RecoverBatch", counts.Enough, func(items []*counts.Item) []any {
		keys := make([]p256k1.PublicKey, len(items))
		return counts.Shown(keys, ecdsa.RecoverBatch(keys, counts.Values(items, counts.Digest), counts.Values(items, func(v *counts.Item) ecdsa.RecoverableSignature { return v.ECDSA })))
	}),
	counts.Each("ecdsa.SignBatch", counts.Enough, func(items []*counts.Item) []any {
		sigs := make([]ecdsa.Signature, len(items))
		return counts.Shown(sigs, ecdsa.SignBatch(sigs, counts.Values(items, counts.Key), counts.Values(items, counts.Short), nil))
	}),
	counts.Each("ecdsa.SignRecoverableBatch", counts.Enough, func(items []*counts.Item) []any {
		sigs := make([]ecdsa.RecoverableSignature, len(items))
		return counts.Shown(sigs, ecdsa.SignRecoverableBatch(sigs, counts.Values(items, counts.Key), counts.Values(items, counts.Short), nil))
	}),
	counts.Each("schnorr.SignBatch", counts.Enough, func(items []*counts.Item) []any {
		sigs := make([][64]byte, len(items))
		keys := counts.Values(items, func(v *counts.Item) *p256k1.PrivateKey {
			if v.Bad {
				return nil
			}
			return v.Key
		})
		return counts.Shown(sigs, schnorr.SignBatch(sigs, keys, counts.Values(items, counts.Digest), &schnorr.Options{AuxRand: new([32]byte)}))
	}),
	counts.Each("p256k1.ParsePrivateKeys", counts.Enough, func(items []*counts.Item) []any {
		keys, err := p256k1.ParsePrivateKeys(counts.Values(items, func(v *counts.Item) []byte {
			if v.Bad {
				return counts.OutOfRange()
			}
			return v.Key.Bytes()
		}))
		return counts.Shown(keys, err)
	}),
	counts.Whole("p256k1.GenerateKeys", counts.Enough, func(items []*counts.Item) bool {
		keys := make(map[string]bool)
		for _, key := range libtest.Must(p256k1.GenerateKeys(len(items))) {
			keys[string(libtest.Must(p256k1.ParsePrivateKey(key.Bytes())).PublicKey().Bytes())] = true
		}
		return len(keys) == len(items)
	}),
	counts.Each("p256k1.PublicKey.TweakAddBatch", counts.Enough, func(items []*counts.Item) []any {
		return counts.Shown(counts.Small(3).PublicKey().TweakAddBatch(counts.Values(items, counts.Short)))
	}),
	counts.Each("curve.NormalizeBatch", counts.Enough, func(items []*counts.Item) []any {
		p := counts.Values(items, func(v *counts.Item) curve.Point { return v.P })
		curve.NormalizeBatch(p)
		return counts.Shown(p, nil)
	}),
	counts.Each("curve.InvertBatch", counts.Enough, func(items []*counts.Item) []any {
		s := counts.Values(items, func(v *counts.Item) curve.Scalar { return v.D })
		curve.InvertBatch(s, s)
		return counts.Shown(counts.Values(s, func(s curve.Scalar) []byte { return s.Bytes() }), nil)
	}),
	counts.Each("curve.LiftXBatch", counts.Enough, func(items []*counts.Item) []any {
		p, q := make([]curve.Point, len(items)), make([]curve.Point, len(items))
		curve.LiftXBatch(p, counts.Values(items, func(v *counts.Item) [32]byte { return v.X }))
		curve.LiftXBatchVartime(q, counts.Values(items, func(v *counts.Item) [32]byte { return v.X }))
		for i := range p {
			if p[i].Equal(&q[i]) == 0 {
				panic("LiftXBatch and LiftXBatchVartime differ")
			}
		}
		return counts.Shown(p, nil)
	}),
	counts.Each("curve.ScalarBaseMultBatch and others", counts.Enough, func(items []*counts.Item) []any {
		var all [5][]curve.Point
		k, a := counts.Values(items, func(v *counts.Item) curve.Scalar { return v.D }), counts.Values(items, func(v *counts.Item) curve.Point { return v.P })
		for i := range all {
			all[i] = make([]curve.Point, len(items))
		}
		curve.ScalarBaseMultBatch(all[0], k)
		curve.ScalarMultBatch(all[1], &counts.Stock()[0].D, a)
		curve.DoubleScalarBaseMultBatchVartime(all[2], k, a, k)
		curve.DoubleScalarMultBatchVartime(all[3], k, a, k, a)
		curve.MultiScalarMultBatchVartime(all[4], counts.Values(items, func(v *counts.Item) []*curve.Scalar { return []*curve.Scalar{&v.D, &v.D, &v.D} }),
			counts.Values(items, func(v *counts.Item) []*curve.Point { return []*curve.Point{&v.P, v.Public.Point(), &v.P} }))
		results := make([]any, len(items))
		for i := range results {
			results[i] = fmt.Sprintf("%x %x %x %x %x", all[0][i].Bytes(), all[1][i].Bytes(), all[2][i].Bytes(), all[3][i].Bytes(), all[4][i].Bytes())
		}
		return results
	}),
	counts.Whole("curve.Point.MultiScalarMultVartime", 1<<20, func(items []*counts.Item) bool {
		var sum, want, one curve.Point
		var k curve.Scalar
		counted := make(map[*counts.Item]uint64)
		for _, v := range items {
			counted[v]++
		}
		for v, n := range counted {
			want.Add(&want, one.ScalarMult(k.Mul(&v.D, k.SetUint64(n)), &v.P))
		}
		sum.MultiScalarMultVartime(counts.Values(items, func(v *counts.Item) *curve.Scalar { return &v.D }), counts.Values(items, func(v *counts.Item) *curve.Point { return &v.P }))
		sets := make([]curve.Point, 1)
		curve.MultiScalarMultBatchVartime(sets, [][]*curve.Scalar{counts.Values(items, func(v *counts.Item) *curve.Scalar { return &v.D })},
			[][]*curve.Point{counts.Values(items, func(v *counts.Item) *curve.Point { return &v.P })})
		return sum.Equal(&want) == 1 && sets[0].Equal(&want) == 1
	}),
	counts.Each("ecdh.NIP44ConversationKeyBatch", counts.Enough, func(items []*counts.Item) []any {
		keys := make([][32]byte, len(items))
		return counts.Shown(keys, ecdh.NIP44ConversationKeyBatch(keys, counts.Small(9), counts.Values(items, func(v *counts.Item) *p256k1.XOnlyPublicKey {
			if v.Bad {
				return nil
			}
			return v.Public.XOnly()
		})))
	}),
	counts.Whole("hashes of many", counts.Enough, func(items []*counts.Item) bool {
		parts, tag := counts.Values(items, counts.Digest), schnorr.NewTag("tag")
		joined := slices.Concat(parts...)
		return hmacsha256.Sum([]byte("key"), parts...) == hmacsha256.Sum([]byte("key"), joined) && tag.Sum(parts...) == tag.Sum(joined) &&
			schnorr.TaggedHash("tag", parts...) == tag.Sum(joined)
	}),
}

func TestCounts(t *testing.T) { counts.Run(t, many) }

// verdicts is like counts.Invalid, and also checks whether all items together are said to be valid.
func verdicts(n int, all bool, list []int) []any {
	if all != (len(list) == 0) {
		panic(fmt.Sprint("Verify returns ", all, ", and these are invalid: ", list))
	}
	return counts.Invalid(n, list)
}
