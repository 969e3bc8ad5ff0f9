package check

import (
	"errors"

	"p256k1.mleku.dev/v2/nostr/wire"
)

// checkEvent judges a Nostr event: whether its id is the id that NIP-01 defines, and whether its signature is a valid
// signature of this id.
func (c *Checker) checkEvent() Result {
	var event wire.Event
	err := c.reader.Event(&event, (*wire.Fields)(c.values[:len(wire.Names)]))
	if err == nil {
		err = c.reader.CheckID(&event)
	}
	switch {
	case errors.Is(err, wire.ErrFormat):
		return unreadable(Event, err.Error())
	case err != nil:
		return judged(Event, err.Error())
	}
	return judged(Event, c.verifySchnorr(fieldPubkey, event.PubKey[:], event.ID[:], event.Sig[:]))
}
