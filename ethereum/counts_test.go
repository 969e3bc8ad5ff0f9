package ethereum_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ethereum"
	"p256k1.mleku.dev/v2/internal/libtest/counts"
)

// many lists the functions that take many items.
var many = []counts.Row{
	counts.Each("ethereum.Senders", counts.Enough, func(items []*counts.Item) []any {
		hashes, sigs := counts.Values(items, func(v *counts.Item) [32]byte { return [32]byte(v.Digest) }), counts.Values(items, func(v *counts.Item) (sig [65]byte) {
			copy(sig[:], v.ECDSA.BytesEthereum())
			return sig
		})
		var all [4][]any
		for i, workers := range []int{0, 1, 2, 2} {
			dst, r := make([]ethereum.Address, len(items)), ethereum.Recoverer{Workers: workers}
			var err error
			switch i {
			case 0:
				err = ethereum.Senders(dst, hashes, sigs)
			case 3:
				var failed [16384]bool
				err = r.Each(context.Background(), len(items), func(i int, h *[32]byte, s *[65]byte) error {
					*h, *s = hashes[i], sigs[i]
					return nil
				}, func(i int, a ethereum.Address, err error) { dst[i], failed[i] = a, err != nil })
				if err != nil {
					panic(err)
				}
				var failures p256k1.Failures
				for i := range dst {
					if failed[i] {
						failures = append(failures, p256k1.Failure{Index: i})
					}
				}
				err = failures.Err()
			default:
				err = r.Senders(context.Background(), dst, hashes, sigs)
			}
			if all[i] = counts.Shown(dst, err); fmt.Sprint(all[i]) != fmt.Sprint(all[0]) {
				panic("the functions that recover senders differ")
			}
		}
		return all[0]
	}),
	counts.Whole("ethereum.Keccak256", counts.Enough, func(items []*counts.Item) bool {
		parts := counts.Values(items, counts.Digest)
		return ethereum.Keccak256(parts...) == ethereum.Keccak256(slices.Concat(parts...))
	}),
}

func TestCounts(t *testing.T) { counts.Run(t, many) }
