package report

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/internal/libtest"
)

var findings = []bulk.Finding{
	{File: "a.jsonl", Line: 7, Result: check.Result{Verdict: check.Bad, Shape: check.ECDSA, Reason: `pub has "<x>"`}},
	{File: "-", Line: 12345, Result: check.Result{Verdict: check.Unreadable, Reason: "why \u202e"}},
}

func all(w Writer, s *Summary) error {
	return errors.Join(w.Findings(findings), w.Failure("b", "wrong"), w.Findings(findings[:1]), w.Summary(s))
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		summary Summary
		want    string
	}{
		{Summary{Workers: 1}, "0 signatures good, 0 bad, 0 unreadable lines\n0 signatures per second (0.00 s, 1 at a time)\n"},
		{
			Summary{Counts: bulk.Counts{Signatures: bulk.Tally{Good: 1234567, Bad: 123456}, Tweaks: bulk.Tally{Good: 150, Bad: 2}, Unreadable: 1, Failed: 1, Empty: 2}, Elapsed: 2 * time.Second, Workers: 2},
			"1,234,567 signatures good, 123,456 bad, 1 unreadable line\n150 tweaks good, 2 bad\n1 file could not be read\n2 files with nothing to check\n679,011 signatures per second (2.00 s, 2 at a time)\n",
		},
		{
			Summary{Counts: bulk.Counts{Signatures: bulk.Tally{Good: 1}}, Elapsed: time.Second, Workers: 2, Interrupted: true},
			"interrupted; so far:\n1 signature good, 0 bad, 0 unreadable lines\n1 signature per second (1.00 s, 2 at a time)\n",
		},
	} {
		var b bytes.Buffer
		libtest.Check(t, all(NewText(&b), &c.summary))
		const first = "a.jsonl:7: bad ecdsa: pub has \"<x>\"\n"
		if want := first + "-:12345: unreadable: why \\u202e\n" + first + c.want; b.String() != want {
			t.Errorf("%s\nwant %s", b.String(), want)
		}
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	s := Summary{
		Counts:  bulk.Counts{Signatures: bulk.Tally{Good: 1, Bad: 2}, Tweaks: bulk.Tally{Good: 3, Bad: 4}, Unreadable: 5, Failed: 6, Empty: 7},
		Elapsed: 1500 * time.Millisecond, Workers: 8, Interrupted: true,
	}
	libtest.Check(t, all(NewJSON(&b), &s))
	const first = `{"type":"finding","file":"a.jsonl","line":7,"verdict":"bad","shape":"ecdsa","reason":"pub has \"<x>\""}` + "\n"
	want := first + `{"type":"finding","file":"-","line":12345,"verdict":"unreadable","reason":"why \u202e"}` + "\n" +
		`{"type":"failure","file":"b","reason":"wrong"}` + "\n" + first +
		`{"type":"summary","signatures":{"good":1,"bad":2},"tweaks":{"good":3,"bad":4},"unreadable":5,"failed":6,"empty":7,"seconds":1.5,"per_second":2,"workers":8,"interrupted":true}` + "\n"
	if b.String() != want {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
}
