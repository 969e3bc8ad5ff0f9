// Package report writes the results of a verification, for people or for machines.
package report

import (
	"time"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
)

// Summary holds the totals that are reported at the end.
type Summary struct {
	Counts      bulk.Counts
	Elapsed     time.Duration
	Workers     int // 0 if the number is not known
	Interrupted bool
}

// PerSecond returns the rate of signatures, good and bad.
func (s *Summary) PerSecond() float64 {
	seconds := s.Elapsed.Seconds()
	if seconds <= 0 {
		return 0
	}
	return float64(s.Counts.Signatures.Good+s.Counts.Signatures.Bad) / seconds
}

// Writer writes a report. Each method writes whole lines at once. Names and reasons may contain any bytes. A Writer
// escapes bytes that are not printable.
type Writer interface {
	Findings([]bulk.Finding) error
	Failure(file, reason string) error
	Summary(*Summary) error
}
