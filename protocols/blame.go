package protocols

import (
	"fmt"
	"strings"
)

// BlameError names the participants who did not follow a protocol. It is correct only if all messages arrive as their
// senders sent them.
type BlameError struct {
	// Participants holds the numbers of the suspects, in the order in which the caller listed them. All protocols count
	// from 0: a participant of FROST has a number in the group, a participant of ChillDKG the index of its host key,
	// and a signer of MuSig2 the index of its public key. Participants is nil if only the coordinator is suspected.
	Participants []uint32
	// Coordinator is true if the coordinator may have caused the error. Only ChillDKG has a coordinator who can: the
	// protocol cannot tell whether a message was wrong when it was sent, or when the coordinator passed it on.
	Coordinator bool
	// Err is the reason.
	Err error
}

// Error returns a message that names the suspects, such as "participants 4, 0 and 2: no key".
func (e *BlameError) Error() string {
	var who strings.Builder
	for i, id := range e.Participants {
		switch {
		case i > 0 && i == len(e.Participants)-1:
			who.WriteString(" and ")
		case i > 0:
			who.WriteString(", ")
		case len(e.Participants) > 1:
			who.WriteString("participants ")
		default:
			who.WriteString("participant ")
		}
		fmt.Fprint(&who, id)
	}
	switch {
	case len(e.Participants) == 0 && e.Coordinator:
		who.WriteString("coordinator")
	case len(e.Participants) == 0:
		who.WriteString("nobody")
	case e.Coordinator:
		who.WriteString(", or the coordinator")
	}
	return fmt.Sprintf("%s: %v", &who, e.Err)
}

// Unwrap returns e.Err.
func (e *BlameError) Unwrap() error { return e.Err }

// MarshalText returns the message, so that encoders do not write the error without its reason.
func (e BlameError) MarshalText() ([]byte, error) { return []byte(e.Error()), nil }
