package frost

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
)

// groupVersion is the first byte of an encoded Group.
const groupVersion = 1

// Bytes returns the encoding of g, which is public and has 42 + 33·n bytes, or nil for a group that is nil or zero:
//
//	offset  bytes
//	0       1       the version of the encoding, 01
//	1       4       t, big-endian
//	5       4       n, big-endian
//	9       33      the threshold public key, compressed
//	42      33·n    the public shares of participants 0 to n − 1, compressed
func (g *Group) Bytes() []byte {
	if g.isNone() {
		return nil
	}
	b := binary.BigEndian.AppendUint32([]byte{groupVersion}, uint32(g.t))
	b = append(binary.BigEndian.AppendUint32(b, uint32(len(g.shares))), g.key.Bytes()...)
	for i := range g.shares {
		b = append(b, g.shares[i].Bytes()...)
	}
	return b
}

// ParseGroup returns the group that Bytes has encoded as b. Each group has one encoding. ParseGroup checks the group as
// NewGroup does, but not who made it, so store groups where nobody can replace them. For a group of more than
// MaxParticipants, opts must have Large. The error is p256k1.ErrPrefix for another version, p256k1.ErrLength, an error
// of p256k1.ParsePublicKey for a key that is malformed, or an error that NewGroup returns.
func ParseGroup(b []byte, opts *Options) (*Group, error) {
	if len(b) > 0 && b[0] != groupVersion {
		return nil, fmt.Errorf("frost: group: %w: version %d, want %d", p256k1.ErrPrefix, b[0], groupVersion)
	}
	if len(b) < 42 {
		return nil, fmt.Errorf("frost: group: %w: %d bytes, want 75 or more", p256k1.ErrLength, len(b))
	}
	t, n := binary.BigEndian.Uint32(b[1:]), binary.BigEndian.Uint32(b[5:])
	if want := 42 + 33*int64(n); int64(len(b)) != want {
		return nil, fmt.Errorf("frost: group: %w: %d bytes for %d participants, want %d", p256k1.ErrLength, len(b), n, want)
	}
	if t > n {
		return nil, fmt.Errorf("frost: group: %w: a threshold of %d, want 1 to %d, the number of participants", ErrThreshold, t, n)
	}
	if err := checkSizes(int(t), int(n), opts); err != nil {
		return nil, err
	}
	keys := make([]*p256k1.PublicKey, 1+n)
	for i := range keys {
		key, err := p256k1.ParsePublicKey(b[9+33*i:][:33])
		if err != nil {
			return nil, fmt.Errorf("frost: group: key %d: %w", i, err)
		}
		keys[i] = key
	}
	return NewGroup(int(t), keys[0], keys[1:], opts)
}

// MarshalText returns the encoding of g in lower-case hexadecimal. The error is p256k1.ErrNoKey for the zero value. It
// is ErrThreshold for a group of more than MaxParticipants, because UnmarshalText has no Options: use Bytes.
func (g Group) MarshalText() ([]byte, error) {
	if g.isNone() {
		return nil, errGroup()
	}
	if err := checkSizes(g.t, len(g.shares), nil); err != nil {
		return nil, err
	}
	return hex.AppendEncode(nil, g.Bytes()), nil
}

// UnmarshalText sets g to the group that text encodes. The error is p256k1.ErrHex, or an error that ParseGroup returns
// without options. If there is an error, g is unchanged.
func (g *Group) UnmarshalText(text []byte) error {
	return unmarshal(g, "frost: group", text, len(text)/2, func(b []byte) (Group, error) {
		parsed, err := ParseGroup(b, nil)
		if err != nil {
			return Group{}, err
		}
		return *parsed, nil
	})
}

// unmarshal sets v to the value of size bytes that text encodes. If there is an error, v is unchanged.
func unmarshal[T any](v *T, what string, text []byte, size int, parse func([]byte) (T, error)) error {
	b, err := nonce.DecodeText(what, text, size)
	if err != nil {
		return err
	}
	parsed, err := parse(b)
	if err == nil {
		*v = parsed
	}
	return err
}

// MarshalText returns the encoding of d in lower-case hexadecimal. The error is p256k1.ErrNoKey for the zero value.
func (d Dealing) MarshalText() ([]byte, error) {
	if len(d.c) == 0 {
		return nil, fmt.Errorf("frost: dealing: %w: never set", p256k1.ErrNoKey)
	}
	return hex.AppendEncode(nil, d.Bytes()), nil
}

// UnmarshalText sets d to the dealing that text encodes. The error is p256k1.ErrHex, or an error that ParseDealing
// returns. If there is an error, d is unchanged.
func (d *Dealing) UnmarshalText(text []byte) error {
	return unmarshal(d, "frost: dealing", text, len(text)/2, ParseDealing)
}

// agreementSize is the length of an encoded AgreementShare in bytes.
const agreementSize = 33 + dleq.Size

// ParseAgreementShare returns the share that 97 bytes encode: the compressed point, then the proof. The error is
// p256k1.ErrLength, p256k1.ErrRange for a proof whose s is not below the group order, or an error of
// p256k1.ParsePublicKey. ParseAgreementShare does not verify the proof, which SharedX does.
func ParseAgreementShare(b []byte) (a AgreementShare, err error) {
	if len(b) != agreementSize {
		return a, fmt.Errorf("frost: agreement: %w: %d bytes, want %d", p256k1.ErrLength, len(b), agreementSize)
	}
	point, err := p256k1.ParsePublicKey(b[:33])
	if err != nil {
		return a, fmt.Errorf("frost: agreement: point: %w", err)
	}
	if _, err := new(curve.Scalar).SetBytes(b[65:]); err != nil {
		return a, fmt.Errorf("frost: agreement: proof: %w", err)
	}
	return AgreementShare{point, [dleq.Size]byte(b[33:])}, nil
}

// Bytes returns the encoding of a that ParseAgreementShare reads, or nil if its point is invalid.
func (a *AgreementShare) Bytes() []byte {
	if isUnset(a.Point) {
		return nil
	}
	return append(a.Point.Bytes(), a.Proof[:]...)
}

// MarshalText returns the encoding of a in lower-case hexadecimal, 194 digits. The error is p256k1.ErrNoKey if its
// point is invalid, or p256k1.ErrRange for a proof that ParseAgreementShare refuses. Encrypt the text for the
// recipient.
func (a AgreementShare) MarshalText() ([]byte, error) {
	if isUnset(a.Point) {
		return nil, fmt.Errorf("frost: agreement: point: %w", p256k1.ErrNoKey)
	}
	if _, err := ParseAgreementShare(a.Bytes()); err != nil {
		return nil, err
	}
	return hex.AppendEncode(nil, a.Bytes()), nil
}

// UnmarshalText sets a to the share that text encodes. The error is p256k1.ErrHex, or an error that ParseAgreementShare
// returns. If there is an error, a is unchanged.
func (a *AgreementShare) UnmarshalText(text []byte) error {
	return unmarshal(a, "frost: agreement", text, agreementSize, ParseAgreementShare)
}

// unstored is embedded in the types that have no encoding, because they are made again from values that have one.
type unstored struct{}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json do not write an empty object.
func (unstored) MarshalText() ([]byte, error) { return nil, errUnstored() }

// UnmarshalText returns p256k1.ErrMarshal.
func (*unstored) UnmarshalText([]byte) error { return errUnstored() }

func errUnstored() error {
	return fmt.Errorf("frost: %w: store the Group and the messages, and make signers, sessions, resharings and repairs again", p256k1.ErrMarshal)
}
