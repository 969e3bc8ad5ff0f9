package geth

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// transactions returns those transactions in files of ethereum/tests that go-ethereum can decode.
func transactions(t *testing.T, files []string) (all []func() *types.Transaction) {
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var tests map[string]struct {
			TxBytes string `json:"txbytes"`
		}
		if err := json.Unmarshal(b, &tests); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, test := range tests {
			b, err := hexutil.Decode(test.TxBytes)
			if err != nil || new(types.Transaction).UnmarshalBinary(b) != nil {
				continue
			}
			all = append(all, func() *types.Transaction {
				tx := new(types.Transaction)
				if err := tx.UnmarshalBinary(b); err != nil {
					t.Fatal(err)
				}
				return tx
			})
		}
	}
	return all
}
