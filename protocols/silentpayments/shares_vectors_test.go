package silentpayments

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/protocols/dleq"
)

// psbtVector is a test vector of BIP-375.
type psbtVector struct {
	Description   string
	PSBT          []byte // base64 in JSON
	Checks        []string
	Supplementary struct {
		Inputs []struct {
			Private string `json:"private_key"`
			Index   int    `json:"input_index"`
		}
	}
}

// A psbt holds what silent payments need from a PSBT.
type psbt struct {
	inputs  []UnsignedInput
	shares  []Share
	to      []Recipient
	scripts [][]byte // of the outputs of to; nil if not set
}

// TestSharesVectors checks the verdicts on all PSBTs of BIP-375. For valid PSBTs, it also makes the shares again with
// the private keys of the vectors.
func TestSharesVectors(t *testing.T) {
	var file struct{ Valid, Invalid []psbtVector }
	vectors.JSON(t, "bip375/bip375_test_vectors.json", &file)
	if len(file.Valid) != 20 || len(file.Invalid) != 22 {
		t.Errorf("%d valid and %d invalid vectors", len(file.Valid), len(file.Invalid))
	}
	for _, v := range file.Invalid {
		if err := verdict(t, &v); err == nil {
			t.Errorf("valid: %s", v.Description)
		} else {
			t.Logf("%s: %v", v.Description, err)
		}
	}
	made := 0
	for _, v := range file.Valid {
		if err := verdict(t, &v); err != nil {
			t.Errorf("%s: %v", v.Description, err)
		}
		if v.Checks == nil && remake(t, &v) {
			made++
		}
	}
	if made < 14 {
		t.Errorf("%d transactions made again", made)
	}
}

// verdict returns nil for a valid PSBT.
func verdict(t *testing.T, v *psbtVector) error {
	p, err := readPSBT(v.PSBT)
	if err != nil {
		return err
	}
	if v.Checks != nil { // only the eligibility of the inputs is checked, and another input makes the transaction whole
		script := append([]byte{0x51, 0x20}, generator(t).XOnly().Bytes()...)
		return VerifyShares(append(p.inputs, UnsignedInput{Index: 7, ScriptPubKey: script}), nil)
	}
	if err := VerifyShares(p.inputs, p.shares); err != nil {
		return err
	}
	// Outputs of one scan key do not depend on the others, and some scan keys have no scripts yet.
	for i := range p.to {
		if p.scripts[i] == nil {
			continue
		}
		var to []Recipient
		place := 0
		for j, r := range p.to {
			if j == i {
				place = len(to)
			}
			if r.Scan.Equal(p.to[i].Scan) {
				to = append(to, r)
			}
		}
		keys, err := OutputsFromShares(p.inputs, p.shares, to)
		if err != nil {
			return err
		}
		if got := append([]byte{0x51, 0x20}, keys[place].Bytes()...); !bytes.Equal(got, p.scripts[i]) {
			return fmt.Errorf("output %d: %x, want %x", i, p.scripts[i], got)
		}
	}
	return nil
}

// remake makes the shares with the private keys and compares the outputs. It reports false if a key or script is not
// known.
func remake(t *testing.T, v *psbtVector) bool {
	p, err := readPSBT(v.PSBT)
	if err != nil {
		t.Fatal(err)
	}
	keys := make([]*p256k1.PrivateKey, len(p.inputs))
	for _, in := range v.Supplementary.Inputs {
		if in.Private != "" {
			if keys[in.Index], err = p256k1.ParsePrivateKey(libtest.Unhex(in.Private)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range p.to {
		if p.scripts[i] == nil {
			return false
		}
	}
	for _, create := range []func([]UnsignedInput, []*p256k1.PrivateKey, []Recipient) ([]Share, error){CreateShares, CreateGlobalShares} {
		shares, err := create(p.inputs, keys, p.to)
		if err != nil {
			t.Errorf("%s: %v", v.Description, err)
			return false
		}
		for _, s := range shares {
			for _, want := range p.shares {
				if s.Input == want.Input && s.Scan.Equal(want.Scan) && !s.Point.Equal(want.Point) {
					t.Errorf("%s: share %x, want %x", v.Description, s.Point.Bytes(), want.Point.Bytes())
				}
			}
		}
		outputs, err := OutputsFromShares(p.inputs, shares, p.to)
		if err != nil {
			t.Errorf("%s: %v", v.Description, err)
			return false
		}
		for i := range outputs {
			if !bytes.Equal(append([]byte{0x51, 0x20}, outputs[i].Bytes()...), p.scripts[i]) {
				t.Errorf("%s: output %d is %x", v.Description, i, outputs[i].Bytes())
			}
		}
	}
	return true
}

func generator(t *testing.T) *p256k1.PublicKey {
	key, err := p256k1.ParsePrivateKey(append(make([]byte, 31), 1))
	if err != nil {
		t.Fatal(err)
	}
	return key.PublicKey()
}

// A cursor reads the encodings of Bitcoin. After the end of the data, bad is true and all values are zero.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) next(n uint64) []byte {
	if c.bad || n > uint64(len(c.b)) {
		c.bad = true
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

func (c *cursor) size() uint64 {
	var size [8]byte
	copy(size[:], c.next(1))
	if size[0] >= 0xfd {
		copy(size[:], c.next(2<<(size[0]-0xfd)))
	}
	return binary.LittleEndian.Uint64(size[:])
}

func (c *cursor) text() []byte { return c.next(c.size()) }

// A psbtMap is a map of a PSBT: the values of each key, where the first byte of a key is its type.
type psbtMap map[string][]byte

func (c *cursor) psbtMap() psbtMap {
	m := make(psbtMap)
	for key := c.text(); len(key) > 0; key = c.text() {
		m[string(key)] = c.text()
	}
	return m
}

// readPSBT returns the fields, or an error if the PSBT breaks a rule of BIP-375 that does not concern shares and keys.
func readPSBT(b []byte) (p psbt, err error) {
	c := &cursor{b: b}
	c.next(5)
	global := c.psbtMap()
	inputs := make([]psbtMap, (&cursor{b: global["\x04"]}).size())
	outputs := make([]psbtMap, (&cursor{b: global["\x05"]}).size())
	for _, maps := range [][]psbtMap{inputs, outputs} {
		for i := range maps {
			maps[i] = c.psbtMap()
		}
	}
	if c.bad || len(c.b) != 0 {
		return p, errors.New("not a PSBT")
	}
	for i, m := range inputs {
		in, err := readInput(m)
		if err != nil {
			return p, fmt.Errorf("input %d: %w", i, err)
		}
		p.inputs = append(p.inputs, in)
		if err := p.addShares(i, m, 0x1d); err != nil {
			return p, fmt.Errorf("input %d: %w", i, err)
		}
	}
	if err := p.addShares(All, global, 7); err != nil {
		return p, err
	}
	for i, m := range outputs {
		info, isSilent := m["\x09"]
		script := m["\x04"]
		_, labeled := m["\x0a"]
		switch {
		case !isSilent && (labeled || len(script) == 0):
			return p, fmt.Errorf("output %d: no script or no address", i)
		case !isSilent:
			continue
		case len(info) != 66:
			return p, fmt.Errorf("output %d: an address of %d bytes", i, len(info))
		case len(script) > 0 && !bytes.Equal(global["\x06"], []byte{0}):
			return p, fmt.Errorf("output %d: the script is set, and the transaction can be modified", i)
		}
		scan, err1 := p256k1.ParsePublicKey(info[:33])
		spend, err2 := p256k1.ParsePublicKey(info[33:])
		if err := errors.Join(err1, err2); err != nil {
			return p, err
		}
		p.to, p.scripts = append(p.to, Recipient{scan, spend}), append(p.scripts, script)
	}
	return p, nil
}

func readInput(m psbtMap) (in UnsignedInput, err error) {
	copy(in.TxID[:], m["\x0e"])
	var index [4]byte
	copy(index[:], m["\x0f"])
	in.Index = binary.LittleEndian.Uint32(index[:])
	if s := m["\x03"]; s != nil && !bytes.Equal(s, []byte{1, 0, 0, 0}) {
		return in, errors.New("not SIGHASH_ALL")
	}
	if utxo := m["\x01"]; utxo != nil {
		c := cursor{b: utxo[8:]}
		in.ScriptPubKey = c.text()
	} else {
		in.ScriptPubKey = outputScript(m["\x00"], in.Index)
	}
	in.RedeemScript = m["\x04"]
	in.MerkleRoot = m["\x18"]
	if x := m["\x17"]; x != nil {
		if in.InternalKey, err = p256k1.ParseXOnlyPublicKey(x); err != nil {
			return in, err
		}
	}
	for key := range m {
		if key[0] == 6 {
			if in.Key, err = p256k1.ParsePublicKey([]byte(key[1:])); err != nil {
				return in, err
			}
		}
	}
	// The P2WPKH scripts of the vectors contain the first 20 bytes of SHA-256 of the key instead of HASH160 of the key,
	// and the reference does not compare them. Shares, proofs and outputs do not depend on the script.
	if sum := sha256.Sum256(in.Key.Bytes()); bytes.Equal(in.ScriptPubKey, append([]byte{0, 0x14}, sum[:20]...)) {
		in.ScriptPubKey = append([]byte{0, 0x14}, hash160(in.Key.Bytes())...)
	}
	return in, nil
}

// outputScript returns the script of an output of an encoded transaction, or nil.
func outputScript(tx []byte, index uint32) []byte {
	c := cursor{b: tx}
	c.next(4)
	if bytes.HasPrefix(c.b, []byte{0, 1}) { // the marker and flag of a transaction with witnesses
		c.next(2)
	}
	for range c.size() {
		c.next(36)
		c.text()
		c.next(4)
	}
	for i := range c.size() {
		c.next(8)
		if script := c.text(); i == uint64(index) {
			return script
		}
	}
	return nil
}

// addShares adds the shares of a map, whose keys have the given type. The proofs have the next type.
func (p *psbt) addShares(input int, m psbtMap, kind byte) (err error) {
	for key, value := range m {
		if key[0] == kind {
			s := Share{Input: input}
			if s.Scan, err = p256k1.ParsePublicKey([]byte(key[1:])); err != nil {
				return err
			}
			if s.Point, err = p256k1.ParsePublicKey(value); err != nil {
				return err
			}
			s.Proof = m[string(rune(kind+1))+key[1:]]
			p.shares = append(p.shares, s)
		}
		if key[0] == kind+1 && len(value) != dleq.Size {
			return fmt.Errorf("a proof of %d bytes", len(value))
		}
	}
	return nil
}
