//go:build linux

package residue

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

// A place is where a part of a secret is in memory.
type place struct {
	job     int
	secret  string
	form    string
	address uint64
	region  string
}

func (p place) String() string {
	return fmt.Sprintf("%s in %s at %#x (%s)", p.secret, p.form, p.address, p.region)
}

// A searcher finds the parts of all secrets by their first 8 bytes.
type searcher struct {
	parts  map[uint64][]part
	filter [1 << filterBits / 64]uint64 // a bit for each hash of the first 8 bytes of a part
	count  int
}

type part struct {
	bytes []byte
	place place
}

const filterBits = 24

func hash(v uint64) (word int, bit uint64) {
	h := v * 0x9e3779b97f4a7c15 >> (64 - filterBits)
	return int(h / 64), 1 << (h % 64)
}

func (s *searcher) add(job int, v operations.Secret) {
	if s.parts == nil {
		s.parts = make(map[uint64][]part)
	}
	for _, f := range forms {
		for _, b := range f.quarters(v) {
			first := binary.LittleEndian.Uint64(b)
			s.parts[first] = append(s.parts[first], part{b, place{job: job, secret: v.What, form: f.name}})
			word, bit := hash(first)
			s.filter[word] |= bit
			s.count++
		}
	}
}

const (
	pageSize = 4096
	longest  = 16 // bytes in the longest part of a secret
)

// search appends the places of secrets in b, which is the memory from address at on. It skips pages of zeros.
func (s *searcher) search(found []place, b []byte, address uint64, region string) []place {
	zero := make([]byte, pageSize+longest)
	for ; len(b) > 0; b, address = b[min(pageSize, len(b)):], address+pageSize {
		page := b[:min(pageSize+longest, len(b))]
		if bytes.HasPrefix(zero, page) {
			continue
		}
		for i := 0; i < pageSize && i+8 <= len(page); i++ {
			v := binary.LittleEndian.Uint64(page[i:])
			if word, bit := hash(v); s.filter[word]&bit == 0 {
				continue
			}
			for _, p := range s.parts[v] {
				if bytes.HasPrefix(page[i:], p.bytes) {
					p.place.address, p.place.region = address+uint64(i), region
					found = append(found, p.place)
				}
			}
		}
	}
	return found
}

// process searches all memory that a process may write to, and returns its size in bytes.
func (s *searcher) process(t testing.TB, pid int) (found []place, size int) {
	t.Helper()
	libtest.Memory(t, pid, func(region string, address uint64, b []byte) {
		size += len(b)
		found = s.search(found, b, address, region)
	})
	return found, size
}
