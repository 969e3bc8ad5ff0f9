package geth_test

import (
	"context"
	"fmt"
	"log"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"p256k1.mleku.dev/v2/ethereum/geth"
)

// newBlock returns a block of three transactions without stored senders, as if another node had sent the block.
func newBlock(signer types.Signer) *types.Block {
	key, err := crypto.ToECDSA(common.LeftPadBytes([]byte{1}, 32))
	if err != nil {
		log.Fatal(err)
	}
	var body types.Body
	for nonce := range uint64(3) {
		tx := types.MustSignNewTx(key, signer, &types.DynamicFeeTx{ChainID: signer.ChainID(), Nonce: nonce, To: &common.Address{}})
		body.Transactions = append(body.Transactions, tx)
	}
	return types.NewBlockWithHeader(&types.Header{Number: big.NewInt(1)}).WithBody(body)
}

// All senders of a block are recovered before the block is processed. The code that processes the block calls
// types.Sender as before.
func ExamplePrepare() {
	signer := types.LatestSignerForChainID(big.NewInt(1))
	block := newBlock(signer)

	n, err := geth.Prepare(context.Background(), signer, block.Transactions())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "prepared")
	for _, tx := range block.Transactions() {
		sender, err := types.Sender(signer, tx)
		fmt.Println(sender, err)
	}
	// Output:
	// 3 prepared
	// 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf <nil>
	// 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf <nil>
	// 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf <nil>
}

func ExampleAuthorities() {
	key, err := crypto.ToECDSA(common.LeftPadBytes([]byte{1}, 32))
	if err != nil {
		log.Fatal(err)
	}
	auth, err := types.SignSetCode(key, types.SetCodeAuthorization{Nonce: 1})
	if err != nil {
		log.Fatal(err)
	}
	auths := []types.SetCodeAuthorization{auth, {}} // the second has no signature
	authorities := make([]common.Address, len(auths))
	err = geth.Authorities(context.Background(), authorities, auths)
	fmt.Println(authorities[0])
	fmt.Println(err)
	// Output:
	// 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf
	// invalid transaction v, r, s values (index 1)
}
