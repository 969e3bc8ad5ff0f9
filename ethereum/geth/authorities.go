package geth

import (
	"context"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ethereum"
)

// Authorities recovers the authorities of many authorizations together (EIP-7702), on all cores, and sets dst[i] to the
// address that auths[i].Authority returns. The error is nil if every authorization has an authority. Otherwise the
// error is a p256k1.Failures with the errors of Authority, and dst[i] is the zero address for every index i in this
// list. If ctx ends before all addresses are recovered, the error is the error of ctx, and dst[i] is the zero address
// for authorizations that were not reached. Authorities panics if the slices differ in length.
func Authorities(ctx context.Context, dst []common.Address, auths []types.SetCodeAuthorization) error {
	if len(dst) != len(auths) {
		panic(fmt.Sprintf("geth: Authorities of %d addresses and %d authorizations", len(dst), len(auths)))
	}
	clear(dst)
	var mu sync.Mutex
	var failures p256k1.Failures
	err := ethereum.Recoverer{}.Each(ctx, len(auths), func(i int, hash *[32]byte, sig *[65]byte) error {
		a := &auths[i]
		parity, err := ethereum.TypedV(uint64(a.V))
		if err != nil {
			return err
		}
		*hash = a.SigHash()
		a.R.WriteToSlice(sig[:32])
		a.S.WriteToSlice(sig[32:64])
		sig[64] = parity
		return nil
	}, func(i int, a ethereum.Address, err error) {
		if err == nil {
			dst[i] = common.Address(a)
			return
		}
		if dst[i], err = auths[i].Authority(); err != nil {
			mu.Lock()
			failures = append(failures, p256k1.Failure{Index: i, Err: err})
			mu.Unlock()
		}
	})
	if err != nil {
		return err
	}
	return failures.Err()
}
