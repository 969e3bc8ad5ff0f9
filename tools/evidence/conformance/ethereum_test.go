package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ethereum"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

func keccak256(data ...[]byte) []byte {
	h := sha3.NewLegacyKeccak256()
	for _, d := range data {
		h.Write(d)
	}
	return h.Sum(nil)
}

// ethereumAddress returns the address of a public key (Yellow Paper, appendix F).
func ethereumAddress(pub *p256k1.PublicKey) []byte {
	return keccak256(pub.BytesUncompressed()[1:])[12:]
}

// An rlpItem is a string or a list (Yellow Paper, appendix B): its encoding, and its content, which is the string or
// the encodings of the list's items.
type rlpItem struct{ raw, content []byte }

// cutRLP returns the first item of b, which must be well-formed, and the rest of b.
func cutRLP(b []byte) (item rlpItem, rest []byte) {
	if b[0] < 0x80 {
		return rlpItem{b[:1], b[:1]}, b[1:]
	}
	start, n := 1, int(b[0]&0x3f)
	if n > 55 { // n is 55 plus the number of bytes of the length field
		start = n - 54
		n = int(oracle.Int(b[1:start]).Int64())
	}
	return rlpItem{b[:start+n], b[start : start+n]}, b[start+n:]
}

// fieldsOf returns the items of the list b.
func fieldsOf(b []byte) (fields []rlpItem) {
	list, _ := cutRLP(b)
	for b := list.content; len(b) > 0; {
		var field rlpItem
		field, b = cutRLP(b)
		fields = append(fields, field)
	}
	return fields
}

// encodeList returns the list of the given fields and of strings of at most 55 bytes.
func encodeList(fields []rlpItem, strings ...[]byte) []byte {
	var content []byte
	for _, field := range fields {
		content = append(content, field.raw...)
	}
	for _, s := range strings {
		if len(s) != 1 || s[0] >= 0x80 {
			content = append(content, 0x80+byte(len(s)))
		}
		content = append(content, s...)
	}
	if len(content) <= 55 {
		return append([]byte{0xc0 + byte(len(content))}, content...)
	}
	length := big.NewInt(int64(len(content))).Bytes()
	return slices.Concat([]byte{0xf7 + byte(len(length))}, length, content)
}

// The fields of an unsigned transaction.
const (
	txV = iota + 6
	txR
	txS
)

// The reasons why a well-formed transaction has no sender, in the order in which the tests expect the checks.
var (
	errChainID   = errors.New("invalid chain id")
	errSignature = errors.New("invalid v or r or s")
	errRecovery  = errors.New("no key recovered")
)

// exceptions maps the names that the tests give to exceptions to the errors above.
var exceptions = map[string]error{
	"INVALID_CHAINID": errChainID, "INVALID_SIGNATURE_VRS": errSignature, "EC_RECOVERY_FAIL": errRecovery,
}

// transactionSender returns the sender of a legacy transaction under the rules of a fork: EIP-2 from Homestead on, and
// EIP-155 with chain id 1 from Spurious Dragon on, which the tests call EIP158.
func transactionSender(r *report, b []byte, fork string) ([]byte, error) {
	eip2 := fork != "Frontier"
	eip155 := eip2 && fork != "Homestead" && fork != "EIP150"
	tx := fieldsOf(b)
	var chain [][]byte
	var recoveryID byte
	switch v := oracle.Int(tx[txV].content); {
	case v.Cmp(big.NewInt(27)) == 0 || v.Cmp(big.NewInt(28)) == 0:
		recoveryID = byte(v.Uint64() - 27)
	case !eip155 || v.BitLen() <= 1: // 0 and 1 do not encode a chain id
		return nil, fmt.Errorf("%w: v = %v", errSignature, v)
	case v.Cmp(big.NewInt(37)) == 0 || v.Cmp(big.NewInt(38)) == 0: // 35 + 2·(chain id) and 36 + 2·(chain id), for chain id 1
		recoveryID = byte(v.Uint64() - 37)
		chain = [][]byte{{1}, nil, nil}
	default:
		return nil, fmt.Errorf("%w: v = %v", errChainID, v)
	}
	rContent, sContent := tx[txR].content, tx[txS].content
	if len(rContent) > 32 || len(sContent) > 32 {
		return nil, fmt.Errorf("%w: r of %d bytes, s of %d", errSignature, len(rContent), len(sContent))
	}
	rsv := [65]byte(slices.Concat(pad32(rContent), pad32(sContent), []byte{recoveryID}))
	recoverer := ethereum.Recoverer{AllowHighS: !eip2}
	sig, err := ecdsa.ParseRecoverable(rsv[:])
	if err != nil || (eip2 && !sig.Signature().IsLowS()) {
		_, refusal := recoverer.Sender([32]byte{}, rsv)
		r.is(refusal != nil, "package ethereum refuses the signature")
		return nil, fmt.Errorf("%w: %v", errSignature, err)
	}
	digest := keccak256(encodeList(tx[:txV], chain...))
	pub, err := ecdsa.Recover(digest, sig)
	sender, refusal := recoverer.Sender([32]byte(digest), rsv)
	r.same("package ethereum recovers a key", refusal == nil, err == nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRecovery, err)
	}
	r.same("sender from package ethereum", sender, ethereumAddress(pub))
	r.is(ecdsa.Verify(pub, digest, sig.Signature()), "the signature is valid for the key recovered from it")
	r.is(!eip2 || ecdsa.VerifyLowS(pub, digest, sig.Signature()), "it is valid with low s")
	return ethereumAddress(pub), nil
}

// TestEthereumTransactions only counts malformed transactions, because their exceptions come from an RLP decoder, which
// the library does not have.
func TestEthereumTransactions(t *testing.T) {
	type transaction struct {
		TxBytes string
		Result  map[string]struct{ Exception, Hash, Sender string }
	}
	for _, dir := range []struct{ name, want string }{
		{"ttAddress", "4 files, 13 senders, 39 malformed"},
		{"ttRSValue", "29 files, 106 senders, 60 invalid chain id, 133 invalid v or r or s, 13 no key recovered, 65 malformed"},
		{"ttSignature", "34 files, 188 senders, 80 invalid chain id, 135 invalid v or r or s, 13 no key recovered, 20 malformed"},
		{"ttVValue", "28 files, 40 senders, 220 invalid chain id, 78 invalid v or r or s, 26 malformed"},
		{"ttWrongRLP", "59 files, 9 invalid chain id, 38 invalid v or r or s, 1 no key recovered, 660 malformed"},
	} {
		counted(t, dir.name, dir.want, func(r *report) {
			folder := "ethereum/TransactionTests/" + dir.name
			for _, path := range must(filepath.Glob(filepath.Join(vectors.Path(r, folder), "*.json"))) {
				r.add("files")
				for name, test := range read[map[string]transaction](r, folder+"/"+filepath.Base(path)) {
					tx := unhex(test.TxBytes)
					for fork, want := range test.Result {
						r.given("%s, %s", name, fork)
						expected := exceptions[strings.TrimPrefix(want.Exception, "TransactionException.")]
						if want.Exception != "" && expected == nil {
							r.add("malformed")
							continue
						}
						sender, err := transactionSender(r, tx, fork)
						if expected != nil {
							r.add(expected.Error())
							r.is(errors.Is(err, expected), "the error is %v: %x, %v", expected, sender, err)
							continue
						}
						r.add("senders")
						r.same("sender", result(sender, err), unhex(want.Sender))
						r.same("hash", keccak256(tx), unhex(want.Hash))
					}
				}
			}
		})
	}
}

// TestEthereumKeys leaves out sig_of_emptystring, because no digest is known for which this signature is valid.
func TestEthereumKeys(t *testing.T) {
	each(t, "ethereum/keyaddrtest.json", "2 keys", func(r *report, c struct{ Seed, Key, Addr string }) {
		r.add("keys")
		priv := privateKey(unhex(c.Key))
		r.same("key", priv, keccak256([]byte(c.Seed)))
		r.same("address", ethereumAddress(priv.PublicKey()), unhex(c.Addr))
	})
}

func TestEthereumSignedTransactions(t *testing.T) {
	each(t, "ethereum/txtest.json", "2 transactions", func(r *report, c struct{ Key, Signed string }) {
		r.add("transactions")
		priv, signed := privateKey(unhex(c.Key)), unhex(c.Signed)
		address := ethereumAddress(priv.PublicKey())
		r.same("sender", result(transactionSender(r, signed, "Frontier")), address)
		// Signed again with another nonce and a low s, the transaction has the same sender under all rules.
		tx := fieldsOf(signed)[:txV]
		rsv := must(ecdsa.SignRecoverable(priv, keccak256(encodeList(tx)), nil)).BytesEthereum()
		again := encodeList(tx, rsv[64:], bytes.TrimLeft(rsv[:32], "\x00"), bytes.TrimLeft(rsv[32:64], "\x00"))
		for _, fork := range []string{"Frontier", "Homestead", "Cancun"} {
			r.same("sender if signed again, "+fork, result(transactionSender(r, again, fork)), address)
		}
	})
}

// TestEthereumMessage tests the signed message in the documentation of web3.js, web3.eth.accounts.sign.
func TestEthereumMessage(t *testing.T) {
	r, message := newReport(t), "Some data"
	digest := keccak256([]byte("\x19Ethereum Signed Message:\n"), fmt.Append(nil, len(message)), []byte(message))
	r.same("digest", digest, "1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655")
	sent := unhex("b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd" +
		"6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c")
	priv := privateKey(unhex("4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"))
	sig := must(ecdsa.SignRecoverable(priv, digest, nil))
	r.same("signature", sig.BytesEthereum(), sent)
	for _, v := range []byte{sent[64], sent[64] - 27} { // some wallets send 0 and 1
		received := must(ecdsa.ParseRecoverableEthereum(append(sent[:64:64], v)))
		r.is(received == sig, "v = %d is parsed: %v", v, received)
		address := ethereumAddress(must(ecdsa.Recover(digest, received)))
		r.same("address", address, "2c7536e3605d9c16a7a3d7b1898e529396a65c23")
	}
}
