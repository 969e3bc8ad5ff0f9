package nostr

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/nostr/wire"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// These are the kinds of errors, for errors.Is. Error messages say what is wrong, and repeat at most a few characters
// of the input.
var (
	// ErrFormat means that a text is not the JSON of an event, or that an Event cannot be written as JSON.
	ErrFormat = wire.ErrFormat
	// ErrField means that a field is not the right number of bytes in hexadecimal digits, or that a public key is not a
	// valid key.
	ErrField = wire.ErrField
	// ErrID means that the id of an event is not the SHA-256 of the event.
	ErrID = wire.ErrID
	// ErrSignature means that the signature of an event is not valid for its id and its public key.
	ErrSignature = errors.New("the signature does not verify")
)

// Event is an event of NIP-01. No field is secret. Tags and Content must be UTF-8.
type Event struct {
	ID        ID     // SHA-256 of the serialized event
	PubKey    PubKey // x-only key (BIP-340)
	CreatedAt int64  // Unix time in seconds
	Kind      uint16
	Tags      [][]string
	Content   string
	Sig       Sig // BIP-340, of the ID
}

// Parse reads an event from its JSON. The package comment lists JSON that Parse refuses, although other parsers may
// accept it. Fields with unknown names are ignored. Parse does not check the id or the signature; Verify does. The
// error is of the kind ErrFormat or ErrField.
func Parse(text []byte) (*Event, error) {
	e := new(Event)
	if err := e.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	return e, nil
}

// UnmarshalJSON sets e to the event in text. The error is of the kind ErrFormat or ErrField, and e is then unchanged.
func (e *Event) UnmarshalJSON(text []byte) error {
	var r wire.Reader
	var w wire.Event
	if err := r.Line(&w, text); err != nil {
		return fmt.Errorf("nostr: %w", err)
	}
	*e = Event{w.ID, w.PubKey, w.CreatedAt, w.Kind, r.Tags(w.Tags), string(r.Text(w.Content)), w.Sig}
	return nil
}

// MarshalJSON returns the event as JSON on one line, with the fields in the order of NIP-01. The error is ErrFormat if
// a text in the event is not UTF-8.
func (e Event) MarshalJSON() ([]byte, error) {
	return e.AppendJSON(nil)
}

// AppendJSON appends the JSON of the event to b, on one line, with the fields in the order of NIP-01. The error is
// ErrFormat if a text in the event is not UTF-8, and then nothing is appended.
func (e *Event) AppendJSON(b []byte) ([]byte, error) {
	if err := e.checkText(); err != nil {
		return b, err
	}
	b = append(b, `{"id":"`...)
	b = hex.AppendEncode(b, e.ID[:])
	b = append(b, `","pubkey":"`...)
	b = hex.AppendEncode(b, e.PubKey[:])
	b = append(b, `","created_at":`...)
	b = strconv.AppendInt(b, e.CreatedAt, 10)
	b = append(b, `,"kind":`...)
	b = strconv.AppendUint(b, uint64(e.Kind), 10)
	b = append(b, `,"tags":`...)
	b = e.appendTags(b, false)
	b = append(b, `,"content":`...)
	b = wire.AppendJSON(b, e.Content)
	b = append(b, `,"sig":"`...)
	b = hex.AppendEncode(b, e.Sig[:])
	return append(b, `"}`...), nil
}

// AppendSerialized appends the event's serialization by NIP-01, whose SHA-256 is the id, to b. The serialization does
// not contain ID and Sig. Control characters are verbatim, except for the characters that NIP-01 lists, so the result
// may not be valid JSON. The error is ErrFormat if a text in the event is not UTF-8, and then nothing is appended.
func (e *Event) AppendSerialized(b []byte) ([]byte, error) {
	if err := e.checkText(); err != nil {
		return b, err
	}
	return e.appendSerialized(b, &e.PubKey), nil
}

func (e *Event) appendSerialized(b []byte, pubkey *PubKey) []byte {
	b = append(b, `[0,"`...)
	b = hex.AppendEncode(b, pubkey[:])
	b = append(b, `",`...)
	b = strconv.AppendInt(b, e.CreatedAt, 10)
	b = append(b, ',')
	b = strconv.AppendUint(b, uint64(e.Kind), 10)
	b = append(b, ',')
	b = e.appendTags(b, true)
	b = append(b, ',')
	b = wire.AppendNIP01(b, e.Content)
	return append(b, ']')
}

// appendTags appends the tags, in the form of the NIP-01 serialization if nip01 is true, and as JSON otherwise.
func (e *Event) appendTags(b []byte, nip01 bool) []byte {
	b = append(b, '[')
	for i, tag := range e.Tags {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		for i, text := range tag {
			if i > 0 {
				b = append(b, ',')
			}
			if nip01 {
				b = wire.AppendNIP01(b, text)
			} else {
				b = wire.AppendJSON(b, text)
			}
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

// checkText returns an error for a text that is not UTF-8, because JSON cannot contain it.
func (e *Event) checkText() error {
	if !utf8.ValidString(e.Content) {
		return fmt.Errorf("nostr: %w: the content is not UTF-8", ErrFormat)
	}
	for i, tag := range e.Tags {
		for _, text := range tag {
			if !utf8.ValidString(text) {
				return fmt.Errorf("nostr: %w: tag %d is not UTF-8", ErrFormat, i)
			}
		}
	}
	return nil
}

// ComputeID returns the id that the event should have. It uses neither ID nor Sig. The error is ErrFormat if a text in
// the event is not UTF-8.
func (e *Event) ComputeID() (id ID, err error) {
	if err := e.checkText(); err != nil {
		return id, err
	}
	return e.sum(&e.PubKey), nil
}

func (e *Event) sum(pubkey *PubKey) ID {
	v := verifiers.Get().(*Verifier) // for its buffer
	id := v.sum(e, pubkey)
	verifiers.Put(v)
	return id
}

// Sign sets PubKey to the public key of key, ID to the id of the event, and Sig to a signature of the id with fresh
// randomness. Sign is constant-time, except that the time depends on the contents of the event. The error is ErrFormat
// if a text in the event is not UTF-8, or p256k1.ErrNoKey if key is invalid. If there is an error, e is unchanged.
//
// Sign and SignWith also sign events that NIP-01 allows, or does not forbid, but that many programs refuse:
//
//   - Control characters other than the five for which NIP-01 has an escape sequence. Relays and clients that hash JSON
//     (strfry, nostr-tools, go-nostr) compute another id, so remove these characters from a text before signing it.
//   - An empty tag, although NIP-01 says that a tag has one or more strings: strfry refuses it.
//   - A negative CreatedAt: programs that read an unsigned integer refuse it, such as strfry and rust-nostr.
func (e *Event) Sign(key *p256k1.PrivateKey) error {
	if err := e.checkText(); err != nil {
		return err
	}
	var x PubKey
	copy(x[:], key.PublicKey().XOnly().Bytes())
	id := e.sum(&x)
	sig, err := schnorr.Sign(key, id[:], nil)
	if err != nil {
		return fmt.Errorf("nostr: %w", err)
	}
	e.PubKey, e.ID, e.Sig = x, id, sig
	return nil
}

// SignWith signs the event with the signer s, and sets PubKey, ID and Sig. The error is
//
//   - an error of the signer,
//   - p256k1.ErrNoKey if the signer is nil or has no key,
//   - ErrField if its public key or signature has a wrong length, or
//   - ErrFormat if a text in the event is not UTF-8.
func (e *Event) SignWith(s signer.I) error {
	if err := e.checkText(); err != nil {
		return err
	}
	var pub []byte
	if s != nil {
		pub = s.Pub()
	}
	if pub == nil {
		return fmt.Errorf("nostr: sign: %w", p256k1.ErrNoKey)
	}
	if len(pub) != 32 {
		return fmt.Errorf("nostr: sign: %w: a public key of %d bytes, want 32", ErrField, len(pub))
	}
	x := PubKey(pub)
	id := e.sum(&x)
	sig, err := s.Sign(id[:])
	if err != nil {
		return fmt.Errorf("nostr: %w", err)
	}
	if len(sig) != schnorr.Size {
		return fmt.Errorf("nostr: sign: %w: a signature of %d bytes, want %d", ErrField, len(sig), schnorr.Size)
	}
	e.PubKey, e.ID, e.Sig = x, id, Sig(sig)
	return nil
}

// Verify returns nil if the id of the event is correct and its signature is valid. Otherwise the error is of the kind
// ErrID, ErrSignature, ErrField if the public key is invalid, or ErrFormat if a text in the event is not UTF-8. The
// time depends on the event, which is public.
func (e *Event) Verify() error {
	if err := e.checkID(); err != nil {
		return err
	}
	if !schnorr.VerifyBytes(e.PubKey[:], e.ID[:], e.Sig[:]) {
		return refused(&e.PubKey)
	}
	return nil
}

// checkID returns an error if the id is wrong.
func (e *Event) checkID() error {
	v := verifiers.Get().(*Verifier)
	err := v.checkID(e)
	verifiers.Put(v)
	return err
}

func (v *Verifier) checkID(e *Event) error {
	if err := e.checkText(); err != nil {
		return err
	}
	if v.sum(e, &e.PubKey) != e.ID {
		return fmt.Errorf("nostr: %w", wire.CheckSerialized(e.appendSerialized(nil, &e.PubKey), (*[32]byte)(&e.ID)))
	}
	return nil
}

// refused returns the error for an event with a correct id and an invalid signature by a key.
func refused(pubkey *PubKey) error { return new(refusal(*pubkey)) }

// refusal is the error that refused returns for a key. Whether the key is invalid too is found out when somebody asks,
// because that takes a square root, and an attacker can send many such events.
type refusal PubKey

func (r *refusal) Error() string { return r.Unwrap().Error() }

// Unwrap returns an error of the kind ErrField if the key is invalid, and of the kind ErrSignature otherwise.
func (r *refusal) Unwrap() error {
	if _, err := p256k1.ParseXOnlyPublicKey(r[:]); err != nil {
		return fmt.Errorf("nostr: %w: pubkey: %w", ErrField, errors.Unwrap(err))
	}
	return fmt.Errorf("nostr: %w", ErrSignature)
}
