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

// An rlpItem is a string, or a list if list is not nil (Yellow Paper, appendix B).
type rlpItem struct {
	value []byte
	list  []rlpItem
}

var errRLP = errors.New("not RLP")

// decodeRLP decodes the first item of b and returns what follows it. Lengths must be the shortest.
func decodeRLP(b []byte) (item rlpItem, rest []byte, err error) {
	if len(b) == 0 {
		return item, nil, fmt.Errorf("%w: ends", errRLP)
	}
	prefix, b := b[0], b[1:]
	take := func(n int) (value []byte, err error) {
		if n > len(b) {
			return nil, fmt.Errorf("%w: %d bytes of %d", errRLP, len(b), n)
		}
		value, b = b[:n], b[n:]
		return value, nil
	}
	// payload takes the payload of an item whose short form begins at prefix base.
	payload := func(base byte) ([]byte, error) {
		n := int(prefix - base)
		if n <= 55 {
			return take(n)
		}
		octets, err := take(n - 55)
		if err != nil || octets[0] == 0 || len(octets) > 4 {
			return nil, fmt.Errorf("%w: length %x (%v)", errRLP, octets, err)
		}
		n = int(oracle.Int(octets).Int64())
		if n <= 55 {
			return nil, fmt.Errorf("%w: length %d in the long form", errRLP, n)
		}
		return take(n)
	}
	switch {
	case prefix < 0x80:
		return rlpItem{value: []byte{prefix}}, b, nil
	case prefix < 0xc0:
		item.value, err = payload(0x80)
		if err == nil && len(item.value) == 1 && item.value[0] < 0x80 {
			err = fmt.Errorf("%w: a small byte in the long form", errRLP)
		}
		return item, b, err
	}
	content, err := payload(0xc0)
	item.list = []rlpItem{}
	for len(content) > 0 && err == nil {
		var element rlpItem
		element, content, err = decodeRLP(content)
		item.list = append(item.list, element)
	}
	return item, b, err
}

func encodeRLP(item rlpItem) []byte {
	header := func(base byte, n int) []byte {
		if n <= 55 {
			return []byte{base + byte(n)}
		}
		length := big.NewInt(int64(n)).Bytes()
		return append([]byte{base + 55 + byte(len(length))}, length...)
	}
	if item.list == nil {
		if len(item.value) == 1 && item.value[0] < 0x80 {
			return item.value
		}
		return append(header(0x80, len(item.value)), item.value...)
	}
	var content []byte
	for _, element := range item.list {
		content = append(content, encodeRLP(element)...)
	}
	return append(header(0xc0, len(content)), content...)
}

// The fields of a transaction.
const (
	txNonce = iota
	txGasPrice
	txGasLimit
	txTo
	txValue
	txData
	txV
	txR
	txS
	txFields
)

// Why a transaction has no sender, in the order in which the tests expect it to be found out.
var (
	errTransaction = errors.New("malformed transaction")
	errChainID     = errors.New("invalid chain id")
	errSignature   = errors.New("invalid v or r or s")
	errRecovery    = errors.New("no key recovered")
)

// transactionSender returns the sender of a legacy transaction under the rules of a fork: EIP-2 from Homestead, EIP-155 with the
// chain id 1 from Spurious Dragon, which the tests call EIP158.
func transactionSender(b []byte, fork string) ([]byte, error) {
	eip2, eip155 := true, true
	switch fork {
	case "Frontier":
		eip2, eip155 = false, false
	case "Homestead", "EIP150":
		eip155 = false
	}
	if len(b) == 0 || b[0] < 0xc0 {
		return nil, fmt.Errorf("%w: not a list", errTransaction)
	}
	tx, rest, err := decodeRLP(b)
	if err != nil || len(rest) != 0 || len(tx.list) != txFields {
		return nil, fmt.Errorf("%w: %d fields, %d bytes after them (%v)", errTransaction, len(tx.list), len(rest), err)
	}
	for i, field := range tx.list {
		switch number := i != txTo && i != txData; {
		case field.list != nil:
			return nil, fmt.Errorf("%w: field %d is a list", errTransaction, i)
		case number && len(field.value) > 0 && field.value[0] == 0:
			return nil, fmt.Errorf("%w: field %d has a leading zero", errTransaction, i)
		case (i == txNonce || i == txGasLimit) && len(field.value) > 8:
			return nil, fmt.Errorf("%w: field %d is too large", errTransaction, i)
		case i == txTo && len(field.value) != 0 && len(field.value) != 20:
			return nil, fmt.Errorf("%w: recipient of %d bytes", errTransaction, len(field.value))
		}
	}

	signed := tx.list[:txV]
	var recoveryID byte
	switch v := oracle.Int(tx.list[txV].value); {
	case v.Cmp(big.NewInt(27)) == 0 || v.Cmp(big.NewInt(28)) == 0:
		recoveryID = byte(v.Uint64() - 27)
	case !eip155 || v.BitLen() <= 1: // 0 and 1 do not claim to have a chain id
		return nil, fmt.Errorf("%w: v = %v", errSignature, v)
	case v.Cmp(big.NewInt(37)) == 0 || v.Cmp(big.NewInt(38)) == 0: // 35 + 2·(chain id) and 1 more
		recoveryID = byte(v.Uint64() - 37)
		signed = append(slices.Clone(signed), rlpItem{value: []byte{1}}, rlpItem{}, rlpItem{})
	default:
		return nil, fmt.Errorf("%w: v = %v", errChainID, v)
	}
	r, s := tx.list[txR].value, tx.list[txS].value
	if len(r) > 32 || len(s) > 32 {
		return nil, fmt.Errorf("%w: r of %d bytes, s of %d", errSignature, len(r), len(s))
	}
	var rsv [65]byte
	copy(rsv[32-len(r):32], r)
	copy(rsv[64-len(s):64], s)
	rsv[64] = recoveryID
	sig, err := ecdsa.ParseRecoverable(rsv[:])
	if err != nil || eip2 && !sig.Signature().IsLowS() {
		return nil, fmt.Errorf("%w: %v", errSignature, err)
	}
	digest := keccak256(encodeRLP(rlpItem{list: signed}))
	pub, err := ecdsa.Recover(digest, sig)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRecovery, err)
	}
	if !ecdsa.Verify(pub, digest, sig.Signature()) || eip2 && !ecdsa.VerifyLowS(pub, digest, sig.Signature()) {
		return nil, errors.New("the signature is not valid for the key recovered from it")
	}
	return ethereumAddress(pub), nil
}

func TestEthereumTransactions(t *testing.T) {
	for _, dir := range []struct{ name, want string }{
		{"ttAddress", "4 files, 13 senders, 39 malformed transaction"},
		{"ttRSValue", "29 files, 106 senders, 60 invalid chain id, 133 invalid v or r or s, 13 no key recovered, 65 malformed transaction"},
		{"ttSignature", "34 files, 188 senders, 80 invalid chain id, 135 invalid v or r or s, 13 no key recovered, 20 malformed transaction"},
		{"ttVValue", "28 files, 40 senders, 220 invalid chain id, 78 invalid v or r or s, 26 malformed transaction"},
		{"ttWrongRLP", "59 files, 9 invalid chain id, 38 invalid v or r or s, 1 no key recovered, 660 malformed transaction"},
	} {
		t.Run(dir.name, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(vectors.Path(t, "ethereum/TransactionTests/"+dir.name), "*.json"))
			if err != nil {
				t.Fatal(err)
			}
			count := newTally(t)
			for _, path := range files {
				count.add("files")
				var file map[string]struct {
					TxBytes string
					Result  map[string]struct{ Exception, Hash, Sender string }
				}
				vectors.JSON(t, "ethereum/TransactionTests/"+dir.name+"/"+filepath.Base(path), &file)
				for name, test := range file {
					tx := unhex(t, test.TxBytes)
					for fork, want := range test.Result {
						sender, err := transactionSender(tx, fork)
						if want.Exception == "" {
							count.add("senders")
							if err != nil || !bytes.Equal(sender, unhex(t, want.Sender)) || !bytes.Equal(keccak256(tx), unhex(t, want.Hash)) {
								t.Errorf("%s, %s: sender %x (%v), want %s", name, fork, sender, err, want.Sender)
							}
							continue
						}
						expected := errTransaction
						switch strings.TrimPrefix(want.Exception, "TransactionException.") {
						case "INVALID_CHAINID":
							expected = errChainID
						case "INVALID_SIGNATURE_VRS":
							expected = errSignature
						case "EC_RECOVERY_FAIL":
							expected = errRecovery
						}
						count.add(expected.Error())
						if !errors.Is(err, expected) {
							t.Errorf("%s, %s: sender %x (%v), want %s", name, fork, sender, err, want.Exception)
						}
					}
				}
			}
			count.want(dir.want)
		})
	}
}

func TestEthereumKeys(t *testing.T) {
	var file []struct {
		Seed, Key, Addr string
		Sig             struct{ V, R, S string } `json:"sig_of_emptystring"`
	}
	vectors.JSON(t, "ethereum/keyaddrtest.json", &file)
	count := newTally(t)
	for _, test := range file {
		count.add("keys")
		priv := privateKey(t, unhex(t, test.Key))
		if !bytes.Equal(priv.Bytes(), keccak256([]byte(test.Seed))) {
			t.Errorf("%s: the key is not the hash of the seed", test.Seed)
		}
		if got := ethereumAddress(priv.PublicKey()); !bytes.Equal(got, unhex(t, test.Addr)) {
			t.Errorf("%s: address %x, want %s", test.Seed, got, test.Addr)
		}
		// What sig_of_emptystring signs is not known: neither we nor others have found a digest for which it is valid. It is at
		// least a signature of some digest, by some key.
		rsv := slices.Concat(decimal32(t, test.Sig.R), decimal32(t, test.Sig.S), decimal32(t, test.Sig.V)[31:])
		sig, err := ecdsa.ParseRecoverableEthereum(rsv)
		if err != nil {
			t.Fatal(err)
		}
		digest := keccak256()
		if pub, err := ecdsa.Recover(digest, sig); err != nil || !ecdsa.Verify(pub, digest, sig.Signature()) {
			t.Errorf("%s: the signature is not valid for the key recovered from it: %v", test.Seed, err)
		}
	}
	count.want("2 keys")
}

func TestEthereumSignedTransactions(t *testing.T) {
	var file []struct{ Key, Unsigned, Signed string }
	vectors.JSON(t, "ethereum/txtest.json", &file)
	count := newTally(t)
	for i, test := range file {
		count.add("transactions")
		priv := privateKey(t, unhex(t, test.Key))
		address := ethereumAddress(priv.PublicKey())
		sender, err := transactionSender(unhex(t, test.Signed), "Frontier")
		if err != nil || !bytes.Equal(sender, address) {
			t.Errorf("%d: sender %x (%v), want %x", i, sender, err, address)
		}
		// Signed here, with another nonce and a low s, the transaction has the same sender under all rules.
		tx, _, err := decodeRLP(unhex(t, test.Signed))
		if err != nil {
			t.Fatal(err)
		}
		sig, err := ecdsa.SignRecoverable(priv, keccak256(encodeRLP(rlpItem{list: tx.list[:txV]})))
		if err != nil {
			t.Fatal(err)
		}
		rsv := sig.BytesEthereum()
		tx.list[txV].value = rsv[64:]
		tx.list[txR].value = bytes.TrimLeft(rsv[:32], "\x00")
		tx.list[txS].value = bytes.TrimLeft(rsv[32:64], "\x00")
		for _, fork := range []string{"Frontier", "Homestead", "Cancun"} {
			sender, err := transactionSender(encodeRLP(tx), fork)
			if err != nil || !bytes.Equal(sender, address) {
				t.Errorf("%d signed again, %s: sender %x (%v), want %x", i, fork, sender, err, address)
			}
		}
	}
	count.want("2 transactions")
}

// TestEthereumMessage has the signed message of the documentation of web3.js, web3.eth.accounts.sign.
func TestEthereumMessage(t *testing.T) {
	message := "Some data"
	digest := keccak256([]byte("\x19Ethereum Signed Message:\n"), fmt.Append(nil, len(message)), []byte(message))
	if want := unhex(t, "1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655"); !bytes.Equal(digest, want) {
		t.Fatalf("digest %x, want %x", digest, want)
	}
	sent := unhex(t, "b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c")
	priv := privateKey(t, unhex(t, "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"))
	sig, err := ecdsa.SignRecoverable(priv, digest)
	if err != nil || !bytes.Equal(sig.BytesEthereum(), sent) {
		t.Errorf("signed as %x (%v), want %x", sig.BytesEthereum(), err, sent)
	}
	for _, v := range []byte{sent[64], sent[64] - 27} { // some wallets send 0 and 1
		received, err := ecdsa.ParseRecoverableEthereum(append(sent[:64:64], v))
		if err != nil || received != sig {
			t.Fatalf("v = %d: %v, %v", v, received, err)
		}
		pub, err := ecdsa.Recover(digest, received)
		if err != nil || !bytes.Equal(ethereumAddress(pub), unhex(t, "2c7536e3605d9c16a7a3d7b1898e529396a65c23")) {
			t.Errorf("v = %d: the key %v (%v) has another address", v, pub, err)
		}
	}
}
