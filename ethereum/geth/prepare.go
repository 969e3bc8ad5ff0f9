package geth

import (
	"context"
	"errors"
	"math/big"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"p256k1.mleku.dev/v2/ethereum"
)

// Prepare recovers the senders of txs by the rules of signer, many together and on all cores, and stores them in the
// transactions. types.Sender finds these senders if it is called with signer or an equal signer. Prepare returns the
// number of transactions in txs whose sender this call or an earlier call has stored.
//
// Prepare does not change a transaction that signer refuses, so types.Sender returns go-ethereum's own error for the
// transaction. If signer is not one of go-ethereum's signers, Prepare changes no transaction. Prepare cannot see a
// sender that go-ethereum itself has stored, and recovers the sender again.
//
// In each transaction, Prepare stores 32 bytes more than types.Sender does, and these refer to a description of the
// signer, which refers to no other transaction. If ctx ends before all senders are recovered, the error is the error of
// ctx, and the senders that were recovered are stored.
func Prepare(ctx context.Context, signer types.Signer, txs []*types.Transaction) (prepared int, err error) {
	r := rulesOf(signer)
	if r == nil {
		return 0, nil
	}
	look := &probe{r}
	var n atomic.Int64
	recoverer := ethereum.Recoverer{AllowHighS: r.frontier}
	err = recoverer.Each(ctx, len(txs), func(i int, hash *[32]byte, sig *[65]byte) error {
		if _, err := types.Sender(look, txs[i]); err == nil {
			n.Add(1)
			return errLeft
		}
		if !r.read(txs[i], hash, sig) {
			return errLeft
		}
		return nil
	}, func(i int, a ethereum.Address, err error) {
		if err != nil {
			return
		}
		types.Sender(&stored{r, common.Address(a)}, txs[i]) // has no error, because the method Sender of a stored has none
		n.Add(1)
	})
	return int(n.Load()), err
}

// errLeft means that the sender of a transaction is left to go-ethereum.
var errLeft = errors.New("left to go-ethereum")

// rules holds the rules of one of go-ethereum's signers. go-ethereum does not export these rules.
type rules struct {
	types.Signer
	chainID  *big.Int
	chain    uint64 // chainID as an integer
	frontier bool   // s may be high
	eip155   bool   // legacy transactions may be for one chain
	last     byte   // the largest transaction type that the signer accepts
}

// modern lists the signers that accept typed transactions, with the largest type that each signer accepts. Each signer
// also accepts all lower types.
var modern = []struct {
	signer func(*big.Int) types.Signer
	last   byte
}{
	{types.NewPragueSigner, types.SetCodeTxType},
	{types.NewCancunSigner, types.BlobTxType},
	{types.NewLondonSigner, types.DynamicFeeTxType},
	{types.NewEIP2930Signer, types.AccessListTxType},
}

// rulesOf returns the rules of one of go-ethereum's signers, or nil for any other signer. It also returns nil for a
// chain id that is not positive or has more than 64 bits, because no chain has such an id.
func rulesOf(s types.Signer) *rules {
	switch s.(type) {
	case types.FrontierSigner:
		return &rules{Signer: s, frontier: true}
	case types.HomesteadSigner:
		return &rules{Signer: s}
	}
	id := s.ChainID()
	if id == nil || id.Sign() <= 0 || !id.IsUint64() {
		return nil
	}
	r := &rules{Signer: s, chainID: id, chain: id.Uint64(), eip155: true}
	if types.NewEIP155Signer(id).Equal(s) {
		return r
	}
	for _, m := range modern {
		if m.signer(id).Equal(s) { // true only if s has the unexported type of go-ethereum's signer
			r.last = m.last
			return r
		}
	}
	return nil
}

// read sets hash and sig to the hash and the signature of a transaction. It returns false if the signer does not accept
// the type, the chain or v of the transaction, or if r or s is not positive or has more than 256 bits.
func (r *rules) read(tx *types.Transaction, hash *[32]byte, sig *[65]byte) bool {
	v, x, s := tx.RawSignatureValues()
	if !v.IsUint64() || x.Sign() <= 0 || x.BitLen() > 256 || s.Sign() <= 0 || s.BitLen() > 256 {
		return false
	}
	x.FillBytes(sig[:32])
	s.FillBytes(sig[32:64])
	if tx.Type() != types.LegacyTxType {
		parity, err := ethereum.TypedV(v.Uint64())
		if err != nil || tx.Type() > r.last || tx.ChainId().Cmp(r.chainID) != 0 {
			return false
		}
		sig[64] = parity
		*hash = r.Hash(tx)
		return true
	}
	parity, chain, protected, err := ethereum.LegacyV(v.Uint64())
	if err != nil || (protected && (!r.eip155 || chain != r.chain)) {
		return false
	}
	sig[64] = parity
	if protected {
		*hash = r.Hash(tx)
	} else {
		*hash = types.HomesteadSigner{}.Hash(tx) // the hash of six fields, which is the same for all signers
	}
	return true
}

// A stored is the signer that a transaction stores together with a sender. go-ethereum calls the method Equal of the
// stored signer with the signer that was passed to types.Sender.
type stored struct {
	*rules
	from common.Address
}

// Sender returns the recovered sender. Only Prepare calls it, through types.Sender, which then stores the signer and
// the sender.
func (s *stored) Sender(*types.Transaction) (common.Address, error) { return s.from, nil }

// Equal reports whether other has the same rules as s. other can be a signer of go-ethereum, a *stored or a probe.
func (s *stored) Equal(other types.Signer) bool {
	switch o := other.(type) {
	case *stored:
		other = o.Signer
	case *probe:
		other = o.Signer
	}
	return s.Signer.Equal(other)
}

// A probe is a signer that recovers no senders. If it is passed to types.Sender, the result is the sender that Prepare
// has stored, or errLeft.
type probe struct{ *rules }

func (*probe) Sender(*types.Transaction) (common.Address, error) { return common.Address{}, errLeft }
