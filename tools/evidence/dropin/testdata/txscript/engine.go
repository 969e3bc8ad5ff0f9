// Package txscript is added to a copy of btcd's package, which has no benchmarks that verify signatures. It signs
// inputs of two kinds and runs btcd's engine on them.
package txscript

import (
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcutil"
	"github.com/btcsuite/btcd/wire"
)

// spending returns a transaction with one input that spends an output with this script, and what the hash that its
// signatures sign depends on.
func spending(script []byte) (*wire.MsgTx, PrevOutputFetcher, *TxSigHashes) {
	outputs := NewCannedPrevOutputFetcher(script, 1e8)
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(wire.NewTxIn(&wire.OutPoint{Index: 1}, nil, nil))
	tx.AddTxOut(wire.NewTxOut(1e7, script))
	return tx, outputs, NewTxSigHashes(tx, outputs)
}

func key() *btcec.PrivateKey {
	k, _ := btcec.PrivKeyFromBytes([]byte{31: 7, 1: 9})
	return k
}

func engine(b *testing.B, script []byte, sign func(tx *wire.MsgTx, hashes *TxSigHashes) (wire.TxWitness, error)) {
	tx, outputs, hashes := spending(script)
	witness, err := sign(tx, hashes)
	if err != nil {
		b.Fatal(err)
	}
	tx.TxIn[0].Witness = witness
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		vm, err := NewEngine(script, tx, 0, StandardVerifyFlags, nil, hashes, 1e8, outputs)
		if err == nil {
			err = vm.Execute()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func p2wpkh(b *testing.B) []byte {
	hash := btcutil.Hash160(key().PubKey().SerializeCompressed())
	script, err := NewScriptBuilder().AddOp(OP_0).AddData(hash).Script()
	if err != nil {
		b.Fatal(err)
	}
	return script
}

func BenchmarkEngineP2WPKH(b *testing.B) {
	script := p2wpkh(b)
	engine(b, script, func(tx *wire.MsgTx, hashes *TxSigHashes) (wire.TxWitness, error) {
		return WitnessSignature(tx, hashes, 0, 1e8, script, SigHashAll, key(), true)
	})
}

func BenchmarkEngineTaproot(b *testing.B) {
	output := ComputeTaprootKeyNoScript(key().PubKey())
	script, err := NewScriptBuilder().AddOp(OP_1).AddData(schnorr.SerializePubKey(output)).Script()
	if err != nil {
		b.Fatal(err)
	}
	engine(b, script, func(tx *wire.MsgTx, hashes *TxSigHashes) (wire.TxWitness, error) {
		return TaprootWitnessSignature(tx, hashes, 0, 1e8, script, SigHashDefault, key())
	})
}

func BenchmarkSignP2WPKH(b *testing.B) {
	script := p2wpkh(b)
	tx, _, hashes := spending(script)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if _, err := WitnessSignature(tx, hashes, 0, 1e8, script, SigHashAll, key(), true); err != nil {
			b.Fatal(err)
		}
	}
}
