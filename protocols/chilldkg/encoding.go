package chilldkg

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/frost"
	"p256k1.mleku.dev/v2/protocols/internal/nonce"
)

// paramsVersion is the first byte of encoded Params.
const paramsVersion = 1

// Bytes returns the encoding of p, which is public and has 9 + 33·n bytes, or nil for parameters that are nil or zero:
//
//	offset  bytes
//	0       1       the version of the encoding, 01
//	1       4       t, big-endian
//	5       4       n, big-endian
//	9       33·n    the host keys of participants 0 to n − 1, compressed
func (p *Params) Bytes() []byte {
	if p.isNone() {
		return nil
	}
	b := binary.BigEndian.AppendUint32([]byte{paramsVersion}, uint32(p.t))
	b = binary.BigEndian.AppendUint32(b, uint32(len(p.hosts)))
	return append(b, p.context()[4:]...)
}

// ParseParams returns the parameters that Bytes has encoded as b. Parameters have one encoding. For more than
// frost.MaxParticipants participants, opts must have Large. The error is p256k1.ErrPrefix for another version,
// p256k1.ErrLength, an error of p256k1.ParsePublicKey for a key that is malformed, or an error that NewParams returns.
func ParseParams(b []byte, opts *frost.Options) (*Params, error) {
	if len(b) > 0 && b[0] != paramsVersion {
		return nil, fmt.Errorf("chilldkg: parameters: %w: version %d, want %d", p256k1.ErrPrefix, b[0], paramsVersion)
	}
	if len(b) < 9 {
		return nil, fmt.Errorf("chilldkg: parameters: %w: %d bytes, want 42 or more", p256k1.ErrLength, len(b))
	}
	t, n := binary.BigEndian.Uint32(b[1:]), binary.BigEndian.Uint32(b[5:])
	if want := 9 + 33*int64(n); int64(len(b)) != want {
		return nil, fmt.Errorf("chilldkg: parameters: %w: %d bytes for %d participants, want %d", p256k1.ErrLength, len(b), n, want)
	}
	if t > n {
		return nil, fmt.Errorf("chilldkg: parameters: %w: a threshold of %d, want 1 to %d, the number of participants", frost.ErrThreshold, t, n)
	}
	hosts := make([]*p256k1.PublicKey, n)
	for i := range hosts {
		host, err := p256k1.ParsePublicKey(b[9+33*i:][:33])
		if err != nil {
			return nil, participantFault(i, fmt.Errorf("%w: %w", ErrHostKey, err))
		}
		hosts[i] = host
	}
	return NewParams(int(t), hosts, opts)
}

// MarshalText returns the encoding of p in lower-case hexadecimal. The error is p256k1.ErrNoKey for the zero value. It
// is frost.ErrThreshold for more than frost.MaxParticipants participants, because UnmarshalText has no options: use
// Bytes.
func (p Params) MarshalText() ([]byte, error) {
	if p.isNone() {
		return nil, errParams()
	}
	if n := len(p.hosts); n > frost.MaxParticipants {
		return nil, fmt.Errorf("chilldkg: parameters: %w: %d participants, want at most %d for text", frost.ErrThreshold, n, frost.MaxParticipants)
	}
	return hex.AppendEncode(nil, p.Bytes()), nil
}

// UnmarshalText sets p to the parameters that text encodes. The error is p256k1.ErrHex, or an error that ParseParams
// returns without options. If there is an error, p is unchanged.
func (p *Params) UnmarshalText(text []byte) error {
	b, err := nonce.DecodeText("chilldkg: parameters", text, len(text)/2)
	if err != nil {
		return err
	}
	parsed, err := ParseParams(b, nil)
	if err == nil {
		*p = *parsed
	}
	return err
}

// MarshalText returns p256k1.ErrMarshal, because a result can hold a share, which is secret. Store the Bytes of the
// Group, the Recovery data, and the share as package frost says.
func (Result) MarshalText() ([]byte, error) { return nil, errResult() }

// UnmarshalText returns p256k1.ErrMarshal and leaves r unchanged.
func (r *Result) UnmarshalText([]byte) error { return errResult() }

func errResult() error {
	return fmt.Errorf("chilldkg: result: %w: store its group and its recovery data explicitly", p256k1.ErrMarshal)
}

// unstored is embedded in the types that have no encoding, because they live for one session.
type unstored struct{}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json do not write an empty object.
func (unstored) MarshalText() ([]byte, error) { return nil, errUnstored() }

// UnmarshalText returns p256k1.ErrMarshal.
func (*unstored) UnmarshalText([]byte) error { return errUnstored() }

func errUnstored() error {
	return fmt.Errorf("chilldkg: %w: participants and coordinators live for one session", p256k1.ErrMarshal)
}
