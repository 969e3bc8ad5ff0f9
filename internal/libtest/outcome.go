package libtest

import (
	"runtime"
	"testing"
)

// Outcome calls f with a stand-in for t and returns how the test ended: "passed", "failed" or "skipped". So a test can
// see that a check fails. The stand-in logs nothing.
func Outcome(t testing.TB, f func(t testing.TB)) string {
	s := &standIn{TB: t, outcome: "passed"}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(s)
	}()
	<-done
	return s.outcome
}

type standIn struct {
	testing.TB
	outcome string
}

func (s *standIn) Helper()               {}
func (s *standIn) Log(...any)            {}
func (s *standIn) Logf(string, ...any)   {}
func (s *standIn) Failed() bool          { return s.outcome == "failed" }
func (s *standIn) Fail()                 { s.outcome = "failed" }
func (s *standIn) Error(...any)          { s.Fail() }
func (s *standIn) Errorf(string, ...any) { s.Fail() }
func (s *standIn) Fatal(...any)          { s.FailNow() }
func (s *standIn) Fatalf(string, ...any) { s.FailNow() }
func (s *standIn) Skip(...any)           { s.SkipNow() }
func (s *standIn) Skipf(string, ...any)  { s.SkipNow() }

func (s *standIn) FailNow() {
	s.Fail()
	runtime.Goexit()
}

func (s *standIn) SkipNow() {
	if !s.Failed() {
		s.outcome = "skipped"
	}
	runtime.Goexit()
}
