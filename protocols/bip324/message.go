package bip324

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// nameSize is the length of a message type that is written as a name.
const nameSize = 12

// ErrMessage means that contents are not a message, that BIP-324 does not define the type of a message, or that a name
// is not a valid type.
var ErrMessage = errors.New("not a message")

// names holds the message types that have ids, indexed by id (BIP-324, v2 Bitcoin P2P message structure). Other BIPs
// may define more ids.
var names = [...]string{
	"", "addr", "block", "blocktxn",
	"cmpctblock", "feefilter", "filteradd", "filterclear",
	"filterload", "getblocks", "getblocktxn", "getdata",
	"getheaders", "headers", "inv", "mempool",
	"merkleblock", "notfound", "ping", "pong",
	"sendcmpct", "tx", "getcfilters", "cfilter",
	"getcfheaders", "cfheaders", "getcfcheckpt", "cfcheckpt",
	"addrv2",
}

// MessageID returns the id of a message type, from 1 to 28, or 0 if the type has no id.
func MessageID(name string) byte {
	for id := 1; id < len(names); id++ {
		if names[id] == name {
			return byte(id)
		}
	}
	return 0
}

// MessageName returns the message type that has an id, or "" for 0 and for ids that BIP-324 does not define.
func MessageName(id byte) string {
	if int(id) < len(names) {
		return names[id]
	}
	return ""
}

// AppendMessage encodes a message as the contents of a packet, appends them to b, and returns the extended slice. The
// contents are the type and then the payload. A type that has an id is encoded as the id. Any other type is encoded as
// a zero byte and the name, padded with zeros to 12 bytes. The payload may be in the spare capacity of b. The error is
// ErrMessage for a name that is not 1 to 12 printable ASCII characters.
func AppendMessage(b []byte, name string, payload []byte) ([]byte, error) {
	var memory [1 + nameSize]byte
	head, err := appendType(memory[:0], name)
	if err != nil {
		return b, err
	}
	n, all := len(b), len(b)+len(head)+len(payload)
	b = slices.Grow(b, all-n)[:all]
	copy(b[n+len(head):], payload) // first, because payload and b may overlap
	copy(b[n:], head)
	return b, nil
}

func appendType(b []byte, name string) ([]byte, error) {
	if id := MessageID(name); id != 0 {
		return append(b, id), nil
	}
	if len(name) > nameSize || !isName(name) {
		return b, fmt.Errorf("bip324: %w: the type %.20q", ErrMessage, name)
	}
	b = append(append(b, 0), name...)
	for range nameSize - len(name) {
		b = append(b, 0)
	}
	return b, nil
}

func isName(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}

// ParseMessage returns the type and the payload of the message in the contents of a packet. The payload is a slice of
// contents. An id and the written name of the same type give the same result. The error is ErrMessage for contents
// without a type, for an id that BIP-324 does not define, although other BIPs may define it, and for a name that is not
// 1 to 12 printable ASCII characters followed by zeros.
func ParseMessage(contents []byte) (name string, payload []byte, err error) {
	if len(contents) == 0 {
		return "", nil, fmt.Errorf("bip324: %w: no contents", ErrMessage)
	}
	id, rest := contents[0], contents[1:]
	if id != 0 {
		if name = MessageName(id); name == "" {
			return "", nil, fmt.Errorf("bip324: %w: type %d", ErrMessage, id)
		}
		return name, rest, nil
	}
	if len(rest) < nameSize {
		return "", nil, fmt.Errorf("bip324: %w: %d bytes of type, not %d", ErrMessage, len(rest), nameSize)
	}
	for _, known := range names[1:] { // avoids the allocation of a string
		if string(rest[:len(known)]) == known && zeros(rest[len(known):nameSize]) {
			return known, rest[nameSize:], nil
		}
	}
	name = strings.TrimRight(string(rest[:nameSize]), "\x00")
	if !isName(name) {
		return "", nil, fmt.Errorf("bip324: %w: the type %q", ErrMessage, rest[:nameSize])
	}
	return name, rest[nameSize:], nil
}

func zeros(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
