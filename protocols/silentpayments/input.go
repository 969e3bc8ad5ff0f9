package silentpayments

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"golang.org/x/crypto/ripemd160" //lint:ignore SA1019 Bitcoin's scripts have this hash, and nothing else is taken from it
	"p256k1.mleku.dev/v2"
)

// An Input is an input of a transaction, of any kind. The smallest outpoint is chosen among all inputs, and the sum of
// keys contains the keys of the inputs that BIP-352 calls eligible.
//
// A nil ScriptPubKey means that the script is not known. It is an error in all functions, because an input with an
// unknown script may be eligible. Only the input of a coinbase transaction spends no output and needs no script. For an
// output whose script is empty, set ScriptPubKey to []byte{}. Protobuf and many JSON encoders omit empty fields, so a
// decoder cannot tell an empty script from a missing one. TxID and Index have no value that means unknown: always set
// them.
type Input struct {
	TxID         TxID     // the id of the spent transaction
	Index        uint32   // the index of the output in that transaction
	ScriptPubKey []byte   // the script of the output; nil if it is not known
	ScriptSig    []byte   // empty if the input is not signed, and in inputs that need none
	Witness      [][]byte // empty if the input is not signed, and in inputs that need none
}

func (in *Input) outpoint() (o [36]byte) {
	copy(o[:], in.TxID[:])
	binary.LittleEndian.PutUint32(o[32:], in.Index)
	return o
}

// checkScript returns an error if the script of the spent output is missing. A coinbase, whose outpoint has the id 0
// and the last index, spends no output.
func (in *Input) checkScript() error {
	if in.ScriptPubKey == nil && (in.TxID != [32]byte{} || in.Index != 1<<32-1) {
		return fmt.Errorf("%w: the script of the spent output is missing; an empty script is not nil", ErrKey)
	}
	return nil
}

// kind is the type of an output's script, as far as silent payments distinguish types.
type kind int

const (
	other kind = iota
	p2pkh
	p2sh
	p2wpkh
	p2tr
)

// kind returns the kind of the input, and the hash or key in the script.
func (in *Input) kind() (kind, []byte) {
	s := in.ScriptPubKey
	switch {
	case len(s) == 25 && s[0] == 0x76 && s[1] == 0xa9 && s[2] == 0x14 && s[23] == 0x88 && s[24] == 0xac:
		return p2pkh, s[3:23]
	case len(s) == 23 && s[0] == 0xa9 && s[1] == 0x14 && s[22] == 0x87:
		return p2sh, s[2:22]
	case len(s) == 22 && s[0] == 0 && s[1] == 0x14:
		return p2wpkh, s[2:]
	case len(s) == 34 && s[0] == 0x51 && s[1] == 0x20:
		return p2tr, s[2:]
	}
	return other, nil
}

// isOfLaterSegwit reports whether the script of the spent output is a witness program of a version after 1 (Taproot).
// BIP-352 does not define payments by transactions with such inputs. Such a script consists of one of OP_2 to OP_16 and
// a push of 2 to 40 bytes (BIP-141).
func (in *Input) isOfLaterSegwit() bool {
	s := in.ScriptPubKey
	return len(s) >= 4 && len(s) <= 42 && s[0] >= 0x52 && s[0] <= 0x60 && int(s[1]) == len(s)-2
}

// unspendable is the x coordinate of the point H of BIP-341, whose discrete logarithm nobody knows. Nobody can sign for
// an output with H as the internal key.
var unspendable = []byte{
	0x50, 0x92, 0x9b, 0x74, 0xc1, 0xa0, 0x49, 0x54, 0xb7, 0x8b, 0x4b, 0x60, 0x35, 0xe9, 0x7a, 0x5e,
	0x07, 0x8a, 0x5a, 0x0f, 0x28, 0xec, 0x96, 0xd5, 0x47, 0xbf, 0xee, 0x9a, 0xce, 0x80, 0x3a, 0xc0,
}

// isUnspendable reports whether the witness is a script-path spend with H as the internal key.
func (in *Input) isUnspendable() bool {
	w := in.Witness
	if n := len(w); n > 1 && len(w[n-1]) > 0 && w[n-1][0] == 0x50 {
		w = w[:n-1] // without the annex
	}
	if len(w) < 2 {
		return false
	}
	control := w[len(w)-1]
	return len(control) >= 33 && bytes.Equal(control[1:33], unspendable)
}

// isNestedP2WPKH reports whether ScriptSig pushes a P2WPKH script and nothing else.
func (in *Input) isNestedP2WPKH() bool {
	s := in.ScriptSig
	return len(s) == 23 && s[0] == 0x16 && s[1] == 0 && s[2] == 0x14
}

// PublicKey returns the key that the signed input contributes to the sum, or nil if the input is not eligible ("Inputs
// For Shared Secret Derivation" in BIP-352). The key of a Taproot input has even y. The error is ErrKey if the script
// of the spent output is missing, or ErrNotSigned.
func (in *Input) PublicKey() (*p256k1.PublicKey, error) {
	if err := in.checkScript(); err != nil {
		return nil, fmt.Errorf("silentpayments: input: %w", err)
	}
	b, signed := in.encodedKey()
	if !signed {
		return nil, fmt.Errorf("silentpayments: %w", ErrNotSigned)
	}
	key, _ := p256k1.ParsePublicKey(b) // nil unless b encodes a point
	return key, nil
}

// encodedKey returns the compressed encoding of the key that PublicKey returns, and whether the input has the signed
// data that reveals the key. The input is not eligible if the encoding is nil or does not encode a point.
func (in *Input) encodedKey() (b []byte, signed bool) {
	switch kind, program := in.kind(); kind {
	case p2pkh:
		if b = in.pushOfHash(33, program); b == nil && in.pushOfHash(65, program) == nil {
			return nil, false
		}
	case p2sh:
		if len(in.ScriptSig) == 0 {
			return nil, false
		}
		if !in.isNestedP2WPKH() {
			return nil, true
		}
		if b = in.keyOfHash(in.ScriptSig[3:]); b == nil || !bytes.Equal(hash160(in.ScriptSig[1:]), program) {
			return nil, false
		}
	case p2wpkh:
		if b = in.keyOfHash(program); b == nil {
			return nil, false
		}
	case p2tr:
		if len(in.Witness) == 0 {
			return nil, false
		}
		if in.isUnspendable() {
			return nil, true
		}
		b = append([]byte{2}, program...)
	}
	if len(b) != 33 {
		return nil, true
	}
	return b, true
}

// pushOfHash returns the last size consecutive bytes of ScriptSig that have the given hash. The bytes may be anywhere
// in ScriptSig, because others can insert data before and after them.
func (in *Input) pushOfHash(size int, hash []byte) []byte {
	for end := len(in.ScriptSig); end >= size; end-- {
		if key := in.ScriptSig[end-size : end]; bytes.Equal(hash160(key), hash) {
			return key
		}
	}
	return nil
}

// keyOfHash returns the second item of a witness of two items, which is the key that follows the signature. It returns
// nil if the item does not have the given hash.
func (in *Input) keyOfHash(hash []byte) []byte {
	if len(in.Witness) != 2 || !bytes.Equal(hash160(in.Witness[1]), hash) {
		return nil
	}
	return in.Witness[1]
}

// hash160 returns RIPEMD-160 of SHA-256.
func hash160(b []byte) []byte {
	sum := sha256.Sum256(b)
	h := ripemd160.New()
	h.Write(sum[:])
	return h.Sum(nil)
}
