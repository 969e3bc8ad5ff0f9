package protocols_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols"
)

// TestBlameError compares messages that name participants, the coordinator, both and nobody.
func TestBlameError(t *testing.T) {
	for want, e := range map[string]protocols.BlameError{
		"participant 7: no key":                            {Participants: []uint32{7}},
		"participants 1 and 2: no key":                     {Participants: []uint32{1, 2}},
		"participants 4, 0 and 2: no key":                  {Participants: []uint32{4, 0, 2}},
		"participant 1, or the coordinator: no key":        {Participants: []uint32{1}, Coordinator: true},
		"participants 0 and 1, or the coordinator: no key": {Participants: []uint32{0, 1}, Coordinator: true},
		"coordinator: no key":                              {Coordinator: true},
		"nobody: no key":                                   {},
	} {
		e.Err = p256k1.ErrNoKey
		var found *protocols.BlameError
		if err := fmt.Errorf("context: %w", &e); err.Error() != "context: "+want || !errors.Is(err, p256k1.ErrNoKey) ||
			!errors.As(err, &found) || found != &e {
			t.Errorf("%v, want %s", err, want)
		}
		if text, err := json.Marshal(e); err != nil || string(text) != `"`+want+`"` {
			t.Errorf("marshalled as %s, error %v, want %s", text, err, want)
		}
	}
}
