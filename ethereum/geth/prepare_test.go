package geth

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"p256k1.mleku.dev/v2"
)

var (
	order, _ = new(big.Int).SetString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)
	chainID  = big.NewInt(1337)
	other    = big.NewInt(5)
)

func key(n int64) *ecdsa.PrivateKey {
	k, err := crypto.ToECDSA(common.LeftPadBytes(big.NewInt(n%9+1).Bytes(), 32))
	if err != nil {
		panic(err)
	}
	return k
}

// signers lists the signers of all forks, signers of other chains, of which two have no valid id, and a signer that is
// not one of go-ethereum's.
var signers = map[string]types.Signer{
	"Prague": types.NewPragueSigner(chainID), "Cancun": types.NewCancunSigner(chainID), "London": types.NewLondonSigner(chainID),
	"Berlin": types.NewEIP2930Signer(chainID), "EIP-155": types.NewEIP155Signer(chainID), "EIP-155, chain 0": types.NewEIP155Signer(nil),
	"Homestead": types.HomesteadSigner{}, "Frontier": types.FrontierSigner{},
	"Prague of another chain": types.NewPragueSigner(other), "of 70 bits": types.NewPragueSigner(new(big.Int).Lsh(chainID, 60)),
	"foreign": foreign{types.NewPragueSigner(chainID)},
}

// foreign is a signer that returns the same sender for all transactions.
type foreign struct{ types.Signer }

func (foreign) Sender(*types.Transaction) (common.Address, error) { return common.Address{7}, nil }
func (f foreign) Equal(s types.Signer) bool                       { _, ok := s.(foreign); return ok }

// data returns unsigned transaction n of a type.
func data(kind byte, n int64, chain *big.Int) types.TxData {
	to, c := common.BytesToAddress([]byte{byte(n), 1}), uint256.MustFromBig(chain)
	list := types.AccessList{{Address: to, StorageKeys: []common.Hash{{1}}}}
	switch kind {
	case types.LegacyTxType:
		return &types.LegacyTx{Nonce: uint64(n), GasPrice: big.NewInt(n), Gas: 21000, To: &to, Value: big.NewInt(1), Data: make([]byte, n%70)}
	case types.AccessListTxType:
		return &types.AccessListTx{ChainID: chain, Nonce: uint64(n), GasPrice: big.NewInt(n), To: &to, AccessList: list}
	case types.DynamicFeeTxType:
		return &types.DynamicFeeTx{ChainID: chain, Nonce: uint64(n), To: &to, Data: make([]byte, n%200)}
	case types.BlobTxType:
		return &types.BlobTx{ChainID: c, Nonce: uint64(n), To: to, BlobHashes: []common.Hash{{1}}}
	default:
		return &types.SetCodeTx{ChainID: c, Nonce: uint64(n), To: to, AuthList: []types.SetCodeAuthorization{{V: 1, Nonce: uint64(n)}}}
	}
}

// sealed returns a function that returns copies of tx without a stored sender.
func sealed(t testing.TB, tx *types.Transaction) func() *types.Transaction {
	t.Helper()
	b, err := tx.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return func() *types.Transaction {
		fresh := new(types.Transaction)
		if err := fresh.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		return fresh
	}
}

// good returns n signed transactions. They are of all types, including legacy transactions for one chain and for all
// chains.
func good(t testing.TB, n int) (all []func() *types.Transaction) {
	for i := range int64(n) {
		kind := byte(i % 6)
		signer := types.NewPragueSigner(chainID)
		if kind == 5 {
			kind, signer = types.LegacyTxType, types.HomesteadSigner{}
		}
		tx, err := types.SignNewTx(key(i), signer, data(kind, i, chainID))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sealed(t, tx))
	}
	return all
}

// bad returns transactions of all types, with many values of v, r and s and for two chains. Signers refuse most of
// them.
func bad(t testing.TB) (all []func() *types.Transaction) {
	values := func(tx types.TxData, v, r, s *big.Int) types.TxData {
		switch tx := tx.(type) {
		case *types.LegacyTx:
			tx.V, tx.R, tx.S = v, r, s
		case *types.AccessListTx:
			tx.V, tx.R, tx.S = v, r, s
		case *types.DynamicFeeTx:
			tx.V, tx.R, tx.S = v, r, s
		case *types.BlobTx:
			tx.V, tx.R, tx.S = uint256.MustFromBig(v), uint256.MustFromBig(r), uint256.MustFromBig(s)
		case *types.SetCodeTx:
			tx.V, tx.R, tx.S = uint256.MustFromBig(v), uint256.MustFromBig(r), uint256.MustFromBig(s)
		}
		return tx
	}
	half := new(big.Int).Rsh(order, 1)
	for kind := range byte(5) {
		for n := range int64(2) {
			for _, chain := range []*big.Int{chainID, other} {
				tx, err := types.SignNewTx(key(n), types.NewPragueSigner(chain), data(kind, n, chain))
				if err != nil {
					t.Fatal(err)
				}
				V, R, S := tx.RawSignatureValues()
				add := func(v, r, s *big.Int) {
					d := values(data(kind, n, chain), v, r, s)
					all = append(all, func() *types.Transaction { return types.NewTx(d) })
				}
				for _, x := range []*big.Int{new(big.Int), big.NewInt(5), new(big.Int).Sub(order, big.NewInt(1)), order, new(big.Int).Add(order, big.NewInt(1)),
					half, new(big.Int).Add(half, big.NewInt(1)), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))} {
					add(V, x, S)
					add(V, R, x)
				}
				add(V, R, new(big.Int).Sub(order, S))
				vs := []*big.Int{new(big.Int).Lsh(big.NewInt(1), 63), new(big.Int).Lsh(big.NewInt(1), 64), new(big.Int).Lsh(big.NewInt(37), 250)}
				for v := range int64(50) {
					vs = append(vs, big.NewInt(v))
				}
				for d := int64(-3); d < 4; d++ {
					vs = append(vs, new(big.Int).Add(V, big.NewInt(max(d, -V.Int64()))), big.NewInt(256+27+d))
				}
				for _, v := range vs {
					add(v, R, S)
				}
				if kind <= types.DynamicFeeTxType { // types whose integers can have any size
					huge := new(big.Int).Lsh(R, 1)
					add(V, huge, S)
					add(V, R, huge)
					add(huge, R, S)
					add(V, new(big.Int).Neg(R), S)
					add(V, R, new(big.Int).Neg(S))
					add(big.NewInt(-27), R, S)
					add(new(big.Int).Neg(V), R, S)
				}
			}
		}
	}
	return all
}

// check compares the results of types.Sender after Prepare with the results of types.Sender without Prepare, and counts
// the senders, the refused transactions and the prepared transactions.
func check(t *testing.T, signer types.Signer, all []func() *types.Transaction) (senders, refused, prepared int) {
	t.Helper()
	txs := make([]*types.Transaction, len(all))
	for i := range all {
		txs[i] = all[i]()
	}
	prepared, err := Prepare(t.Context(), signer, txs)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		want, wantErr := types.Sender(signer, all[i]())
		got, err := types.Sender(signer, txs[i])
		if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) || errors.Is(err, types.ErrInvalidSig) != errors.Is(wantErr, types.ErrInvalidSig) {
			v, r, s := txs[i].RawSignatureValues()
			t.Fatalf("transaction %d of type %d, v = %v, r = %x, s = %x: %v, %v, want %v, %v", i, txs[i].Type(), v, r, s, got, err, want, wantErr)
		}
		switch v, _, _ := txs[i].RawSignatureValues(); {
		case wantErr != nil:
			refused++
		case v.Sign() >= 0: // go-ethereum ignores the sign of v, which no decoder sets, and Prepare leaves it alone
			senders++
		}
	}
	return senders, refused, prepared
}

// TestPrepare compares the results after Prepare with go-ethereum's results, for the signers of all forks, and for
// valid and invalid transactions of all types.
func TestPrepare(t *testing.T) {
	all := append(good(t, 300), bad(t)...)
	for name, signer := range signers {
		senders, refused, prepared := check(t, signer, all)
		t.Logf("%s: %d senders, %d of them prepared, %d refused", name, senders, prepared, refused)
		want := senders
		if name == "foreign" || name == "of 70 bits" || name == "EIP-155, chain 0" {
			want = 0
		}
		if prepared != want || senders == 0 {
			t.Errorf("%s: %d prepared of %d senders, want %d", name, prepared, senders, want)
		}
	}
}

func TestSizes(t *testing.T) {
	all := good(t, 700)
	for _, n := range []int{0, 1, 2, 5, 40, 257, 700} {
		if senders, _, prepared := check(t, signers["Prague"], all[:n]); senders != n || prepared != n {
			t.Errorf("%d of %d senders prepared, of %d", prepared, senders, n)
		}
	}
}

// TestStored stores a wrong sender, and checks that types.Sender returns it for equal signers, but not for other
// signers.
func TestStored(t *testing.T) {
	tx := good(t, 2)[1]() // of Berlin
	for name, signer := range signers {
		r := rulesOf(signer)
		if r == nil {
			continue
		}
		wrong := common.Address{9}
		for name2, asks := range signers {
			if got, err := types.Sender(&stored{r, wrong}, tx); err != nil || got != wrong {
				t.Fatalf("%v, %v", got, err)
			}
			got, err := types.Sender(asks, tx)
			if found := err == nil && got == wrong; found != (name == name2) {
				t.Errorf("stored for %s, asked with %s: %v, %v", name, name2, got, err)
			}
			fresh := good(t, 2)[1]()
			tx = fresh
		}
		if got, err := types.Sender(&stored{r, wrong}, tx); got != wrong || err != nil {
			t.Error(got, err)
		}
		if got, err := types.Sender(&probe{r}, tx); got != wrong || err != nil { // without it, Prepare recovers again
			t.Errorf("%s: Prepare does not find a stored sender: %v, %v", name, got, err)
		}
		if n, err := Prepare(t.Context(), signer, []*types.Transaction{tx}); n != 1 || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if got, _ := types.Sender(signer, tx); got != wrong {
			t.Errorf("%s: a stored sender is recovered again: %v", name, got)
		}
		tx = good(t, 2)[1]()
	}
	s := &stored{rulesOf(signers["Prague"]), common.Address{9}}
	if s.ChainID().Cmp(chainID) != 0 || s.Hash(tx) != signers["Prague"].Hash(tx) || s.Equal(nil) {
		t.Error("a stored signer differs from its own")
	}
}

// TestRules checks that rulesOf returns nil for signers that are not go-ethereum's, and for chain ids that no chain
// has, and rules for all other signers.
func TestRules(t *testing.T) {
	for name, signer := range signers {
		if got, want := rulesOf(signer) != nil, name != "foreign" && name != "of 70 bits" && name != "EIP-155, chain 0"; got != want {
			t.Errorf("%s: known: %t", name, got)
		}
	}
	if rulesOf(types.EIP155Signer{}) != nil {
		t.Error("a signer without a chain")
	}
}

// TestRetained checks that a transaction that stays in memory does not keep other transactions in memory.
func TestRetained(t *testing.T) {
	all := good(t, 300)
	txs := make([]*types.Transaction, len(all))
	for i := range all {
		txs[i] = all[i]()
	}
	gone := weak.Make(txs[1])
	kept := txs[0]
	if n, err := Prepare(t.Context(), signers["Prague"], txs); n != len(txs) || err != nil {
		t.Fatal(n, err)
	}
	txs = nil
	for range 5 {
		runtime.GC()
	}
	if gone.Value() != nil {
		t.Error("a transaction stays in memory because another does")
	}
	runtime.KeepAlive(kept)
}

// TestShared prepares the same transactions in several goroutines, which also call types.Sender.
func TestShared(t *testing.T) {
	all := good(t, 200)
	txs, want := make([]*types.Transaction, len(all)), make([]common.Address, len(all))
	for i := range all {
		txs[i] = all[i]()
		want[i], _ = types.Sender(signers["Prague"], all[i]())
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := Prepare(t.Context(), types.NewPragueSigner(chainID), txs); err != nil {
				t.Error(err)
			}
			for i, tx := range txs {
				if got, err := types.Sender(signers["Prague"], tx); got != want[i] || err != nil {
					t.Errorf("%v, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tx := good(t, 1)[0]()
	if n, err := Prepare(ctx, signers["Prague"], []*types.Transaction{tx}); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v", n, err)
	}
	dst := []common.Address{{9}}
	if err := Authorities(ctx, dst, make([]types.SetCodeAuthorization, 1)); !errors.Is(err, context.Canceled) || dst[0] != (common.Address{}) {
		t.Error(err, dst)
	}
}

// TestAuthorities compares the results of Authorities with the results of Authority.
func TestAuthorities(t *testing.T) {
	var auths []types.SetCodeAuthorization
	for n := range int64(90) {
		a, err := types.SignSetCode(key(n), types.SetCodeAuthorization{ChainID: *uint256.NewInt(1), Address: common.Address{byte(n)}, Nonce: uint64(n)})
		if err != nil {
			t.Fatal(err)
		}
		auths = append(auths, a)
		for _, x := range []*big.Int{new(big.Int), big.NewInt(5), order, new(big.Int).Sub(order, a.S.ToBig())} {
			r, s := a, a
			r.R, s.S = *uint256.MustFromBig(x), *uint256.MustFromBig(x)
			auths = append(auths, r, s)
		}
		a.V = byte(n)
		auths = append(auths, a)
	}
	for _, n := range []int{0, 1, 9, 300, len(auths)} {
		dst := slices.Repeat([]common.Address{{1}}, n)
		err := Authorities(t.Context(), dst, auths[:n])
		var failures p256k1.Failures
		if err != nil && !errors.As(err, &failures) {
			t.Fatal(err)
		}
		found := 0
		for i := range dst {
			want, wantErr := auths[i].Authority()
			if dst[i] != want {
				t.Fatalf("authorization %d: %v, want %v", i, dst[i], want)
			}
			if wantErr == nil {
				found++
				continue
			}
			if len(failures) == 0 || failures[0].Index != i || failures[0].Err.Error() != wantErr.Error() {
				t.Fatalf("authorization %d: %v, want %v", i, failures, wantErr)
			}
			failures = failures[1:]
		}
		if len(failures) > 0 || (n > 0 && found == 0) {
			t.Errorf("%d found, more failures: %v", found, failures)
		}
	}
	defer func() {
		if want := "geth: Authorities of 2 addresses and 1 authorizations"; recover() != want {
			t.Error("no panic")
		}
	}()
	Authorities(t.Context(), make([]common.Address, 2), auths[:1])
}
