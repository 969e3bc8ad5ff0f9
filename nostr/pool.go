package nostr

import (
	"context"

	"p256k1.mleku.dev/v2/schnorr"
)

// Pool verifies events for many goroutines, such as one for each connection of a relay. They share one Pool and call
// Verify at any time. Events whose goroutines would wait for a core are verified together, which takes less time
// (schnorr.Pool). The zero value is ready for use. A Pool must not be copied.
type Pool struct {
	unstored

	signatures schnorr.Pool
}

// Verify returns nil if the id of the event is correct and its signature is valid. Otherwise the error is that of
// Event.Verify, or an error of schnorr.Pool, such as the error of ctx if ctx ends while the event waits. A nil event is
// refused with ErrFormat.
func (p *Pool) Verify(ctx context.Context, e *Event) error {
	if e == nil {
		return errNil()
	}
	if err := e.checkID(); err != nil {
		return err
	}
	valid, err := p.signatures.Verify(ctx, e.PubKey[:], e.ID[:], e.Sig[:])
	if err == nil && !valid {
		err = refused(&e.PubKey)
	}
	return err
}
