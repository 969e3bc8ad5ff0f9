package geth

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// A vector is a transaction of ethereum/tests that go-ethereum can decode, with its sender by the rules of each fork.
type vector struct {
	fresh   func() *types.Transaction
	senders map[string]struct{ Exception, Sender string }
}

// decoded returns a function that returns copies of the transaction without a stored sender, or nil if go-ethereum
// cannot decode it.
func decoded(text string) func() *types.Transaction {
	b, err := hexutil.Decode(text)
	if err != nil || new(types.Transaction).UnmarshalBinary(b) != nil {
		return nil
	}
	return func() *types.Transaction {
		tx := new(types.Transaction)
		if err := tx.UnmarshalBinary(b); err != nil {
			panic(err)
		}
		return tx
	}
}

// parse reads a file of JSON.
func parse(t *testing.T, name string, v any) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// vectors returns the folder of the vectors. Without vectors it skips the test, or fails it in CI.
func vectors(t *testing.T) string {
	t.Helper()
	root := os.Getenv("P256K1_VECTORS")
	if root == "" && os.Getenv("CI") == "true" {
		t.Fatal("P256K1_VECTORS is not set")
	}
	if root == "" {
		t.Skip("P256K1_VECTORS is not set")
	}
	return filepath.Join(root, "ethereum")
}

// TestVectors calls Prepare with the transactions of ethereum/tests. Under the rules of every fork, it compares the
// senders with the senders in the files, and the errors with go-ethereum's errors.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectors(t), "TransactionTests/*/*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for _, name := range files {
		var tests map[string]struct {
			TxBytes string
			Result  map[string]struct{ Exception, Sender string }
		}
		parse(t, name, &tests)
		for _, test := range tests {
			if fresh := decoded(test.TxBytes); fresh != nil {
				all = append(all, vector{fresh, test.Result})
			}
		}
	}
	chain := big.NewInt(1)
	eip155, london := types.NewEIP155Signer(chain), types.NewLondonSigner(chain)
	counts := map[string]int{}
	for fork, signer := range map[string]types.Signer{
		"Frontier": types.FrontierSigner{}, "Homestead": types.HomesteadSigner{}, "EIP150": types.HomesteadSigner{},
		"EIP158": eip155, "Byzantium": eip155, "Constantinople": eip155, "ConstantinopleFix": eip155, "Istanbul": eip155,
		"Berlin": types.NewEIP2930Signer(chain), "London": london, "Paris": london, "Shanghai": london,
		"Cancun": types.NewCancunSigner(chain), "Prague": types.NewPragueSigner(chain),
	} {
		var group []func() *types.Transaction
		for _, v := range all {
			group = append(group, v.fresh)
			want, listed := v.senders[fork]
			if !listed {
				continue
			}
			tx := v.fresh()
			if _, err := Prepare(t.Context(), signer, []*types.Transaction{tx}); err != nil {
				t.Fatal(err)
			}
			sender, err := types.Sender(signer, tx)
			switch want.Exception {
			case "": // the file has the sender
				counts["senders"]++
				if err != nil || sender != common.HexToAddress(want.Sender) {
					t.Errorf("%s, %x: %v, %v, want %s", fork, tx.Hash(), sender, err, want.Sender)
				}
			case "TransactionException.INVALID_CHAINID", "TransactionException.INVALID_SIGNATURE_VRS", "TransactionException.EC_RECOVERY_FAIL":
				counts["refused"]++
				if err == nil {
					t.Errorf("%s, %x: %v, want %s", fork, tx.Hash(), sender, want.Exception)
				}
			}
		}
		if s, _, prepared := check(t, signer, group); prepared != s {
			t.Errorf("%s: %d of %d senders prepared", fork, prepared, s)
		}
	}
	if got, want := fmt.Sprint(len(all), counts), "82 map[refused:717 senders:347]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestSigned compares the senders of signed transactions with the addresses of the keys.
func TestSigned(t *testing.T) {
	var tests []struct{ Key, Signed string }
	parse(t, filepath.Join(vectors(t), "txtest.json"), &tests)
	for _, test := range tests {
		k, err := crypto.HexToECDSA(test.Key)
		tx := decoded("0x" + test.Signed)()
		if n, failed := Prepare(t.Context(), types.FrontierSigner{}, []*types.Transaction{tx}); n != 1 || err != nil || failed != nil {
			t.Fatalf("%d prepared, %v, %v", n, err, failed)
		}
		if sender, err := types.Sender(types.FrontierSigner{}, tx); err != nil || sender != crypto.PubkeyToAddress(k.PublicKey) {
			t.Errorf("%v, %v, want the address of %s", sender, err, test.Key)
		}
	}
	if len(tests) != 2 {
		t.Errorf("%d transactions", len(tests))
	}
}
