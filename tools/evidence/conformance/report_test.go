package conformance

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/schnorr"
)

// kind is the name of a kind of case, or of a difference that a case shows.
type kind = string

const (
	accepted  = kind("accepted")
	refused   = kind("refused")
	recovered = kind("recovered")
	valid     = kind("valid")
	invalid   = kind("invalid")
)

// A tally counts the cases of a test by kind.
type tally map[kind]int

func (n tally) add(k kind) { n[k]++ }

// addIf counts a case under a kind that it may be of.
func (n tally) addIf(is bool, k kind) {
	if is {
		n.add(k)
	}
}

// verdict counts a case under one of two kinds, yes or no.
func (n tally) verdict(is bool, yes, no kind) { n.add(choose(is, yes, no)) }

// choose returns yes or no.
func choose[T any](is bool, yes, no T) T {
	if is {
		return yes
	}
	return no
}

// String lists the most frequent kinds first.
func (n tally) String() string {
	var list []string
	byFrequency := func(a, b kind) int { return cmp.Or(n[b]-n[a], cmp.Compare(a, b)) }
	for _, k := range slices.SortedFunc(maps.Keys(n), byFrequency) {
		list = append(list, message.NewPrinter(language.English).Sprintf("%d %s", n[k], k)) // with commas in numbers
	}
	return strings.Join(list, ", ")
}

// A report counts the cases of a test, describes the current case, and fails the test if a result is not as wanted.
type report struct {
	testing.TB
	tally
	failures *atomic.Int32
	place    string        // the number of the current case
	input    func() string // describes the current case
	compared bool          // whether same or is was called in the current case
}

// counted runs a test, and checks its counts of cases by kind, such as "12 valid, 3 invalid".
func counted(t *testing.T, name, counts string, test func(r *report)) {
	t.Run(path.Base(name), func(t *testing.T) {
		r := newReport(t)
		test(r)
		r.want(counts)
	})
}

func newReport(t testing.TB) *report {
	r := &report{TB: t, tally: tally{}, failures: new(atomic.Int32)}
	r.given("a case")
	return r
}

// about returns the report with the description of a case that another goroutine may check.
func (r *report) about(format string, args ...any) *report {
	other := *r
	other.given(format, args...)
	return &other
}

// given describes the current case.
func (r *report) given(format string, args ...any) {
	r.input = func() string { return fmt.Sprintf(format, args...) + ": " }
}

// begin counts a case, and describes it.
func (r *report) begin(k kind, format string, args ...any) {
	r.add(k)
	r.given(format, args...)
}

// errorf reports a wrong result.
func (r *report) errorf(format string, args ...any) {
	r.Helper()
	r.failures.Add(1)
	r.Errorf("%s%s%s", r.place, r.input(), fmt.Sprintf(format, args...))
}

// same checks that this library returned the wanted value, which may come from another library.
func (r *report) same(what string, ours, want any) {
	r.Helper()
	r.compared = true
	if a, b := text(ours), text(want); a != b {
		r.errorf("%s: %s, want %s", what, a, b)
	}
}

// is checks a condition. The format states the condition.
func (r *report) is(ok bool, format string, args ...any) {
	r.Helper()
	r.compared = true
	if !ok {
		r.errorf("it is not true that "+format, args...)
	}
}

// fails checks that err is one of the errors that the library documents.
func (r *report) fails(what string, err error, documented ...error) {
	r.Helper()
	r.is(isOneOf(err, documented...), "%s fails as documented: %v", what, err)
}

// isOneOf reports whether err is one of the errors.
func isOneOf(err error, documented ...error) bool {
	return slices.ContainsFunc(documented, func(target error) bool { return errors.Is(err, target) })
}

// want logs the counts, and fails the test unless they equal the given counts, such as "12 valid, 3 invalid".
func (r *report) want(counts string) {
	r.Helper()
	r.Log(r.tally)
	wanted := tally{}
	for count := range strings.SplitSeq(counts, ", ") {
		number, k, _ := strings.Cut(count, " ")
		wanted[k] = must(strconv.Atoi(number))
	}
	if !maps.Equal(r.tally, wanted) {
		r.Errorf("counted %v, want %v", r.tally, wanted)
	}
}

func text(v any) string {
	switch v := v.(type) {
	case bool, int, string, error, nil:
		return fmt.Sprint(v)
	case interface{ Bytes() []byte }:
		return fmt.Sprintf("%x", v.Bytes())
	}
	return fmt.Sprintf("%x", v)
}

// from returns a library's result in the form that same compares: nil if the library refused.
func from[T any](v T, ok bool) any {
	if !ok {
		return nil
	}
	return v
}

// result returns a library's result in the form that same compares: nil if err is not nil.
func result[T any](v T, err error) any { return from(v, err == nil) }

// must returns v. It panics if err is not nil.
func must[T any](v T, err error) T { return libtest.Must(v, err) }

// each calls test with every case of a file of vectors, and checks the counts of the cases by kind, such as "12 valid,
// 3 invalid". A file has an array of JSON (.json), a JSON value in each line (.jsonl), or rows of text (.csv), which
// have the type []string and begin with a header.
func each[Case any](t *testing.T, name, counts string, test func(r *report, c Case)) {
	counted(t, name, counts, func(r *report) {
		for i, c := range readAll[Case](r, name) {
			r.given("%d: %+v", i, c)
			test(r, c)
		}
	})
}

func readAll[Case any](t testing.TB, name string) (all []Case) {
	t.Helper()
	switch path.Ext(name) {
	case ".csv":
		return any(must(csv.NewReader(vectors.Open(t, name)).ReadAll())[1:]).([]Case)
	case ".jsonl":
		vectors.Lines(t, name, func(n int, line []byte) {
			var c Case
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatalf("%s:%d: %v", name, n, err)
			}
			all = append(all, c)
		})
	default:
		vectors.JSON(t, name, &all)
	}
	return all
}

// read returns the JSON value of a file of vectors.
func read[File any](t testing.TB, name string) (file File) {
	t.Helper()
	vectors.JSON(t, name, &file)
	return file
}

// TestReport gives each check right and wrong results.
func TestReport(t *testing.T) {
	r := oracle.NewSeeded("report")
	priv, other := libtest.Private(t, r.ValidScalar()), libtest.Private(t, r.ValidScalar())
	pub, digest, wrong := priv.PublicKey(), r.Bytes(32), r.Bytes(32)
	sig, schnorrSig := must(ecdsa.Sign(priv, digest, nil)), must(schnorr.Sign(priv, digest, nil))
	x, shared := pub.XOnly().Bytes(), must(ecdh.X(priv, other.PublicKey()))
	for name, check := range map[string]func(r *report, wrongly bool){
		"same": func(r *report, wrongly bool) { r.same("it", shared, choose(wrongly, wrong, shared[:])) },
		"is":   func(r *report, wrongly bool) { r.is(!wrongly, "it is") },
		"fails": func(r *report, wrongly bool) {
			r.fails("it", choose(wrongly, errors.ErrUnsupported, p256k1.ErrRange), p256k1.ErrRange)
		},
		"want":            func(r *report, wrongly bool) { r.add(valid); r.want(choose(wrongly, "2 valid", "1 valid")) },
		"want, of a kind": func(r *report, wrongly bool) { r.add(valid); r.addIf(wrongly, invalid); r.want("1 valid") },
		"no comparison":   func(r *report, wrongly bool) { (&run{report: r}).cases(0, func(r *run) { r.compared = !wrongly }) },
		"too few cases":   func(r *report, wrongly bool) { tally{all: choose(wrongly, 1999, 2000)}.check(r, 2000) },
		"too few refused": func(r *report, wrongly bool) { tally{all: 2000, refused: choose(wrongly, 1, 2)}.check(r, 0, refused) },
		"no case":         func(r *report, wrongly bool) { tally{refused: choose(wrongly, 0, 1)}.check(r, 0, refused) },
		"encodings": func(r *report, wrongly bool) {
			checkEncodings(r, pub, choose(wrongly, other, priv).PublicKey().BytesUncompressed())
		},
		"ECDH": func(r *report, wrongly bool) {
			checkECDH(r, priv, other.PublicKey(), choose(wrongly, wrong, shared[:]))
		},
		"ECDSA":   func(r *report, wrongly bool) { checkValidECDSA(r, pub, choose(wrongly, wrong, digest), sig) },
		"signing": func(r *report, wrongly bool) { checkSignECDSA(r, priv, choose(wrongly, wrong, digest), sig) },
		"Schnorr": func(r *report, wrongly bool) { checkSchnorr(r, x, digest, schnorrSig[:], !wrongly) },
		"invalid": func(r *report, wrongly bool) { checkSchnorr(r, x, wrong, schnorrSig[:], wrongly) },
		"batch": func(r *report, wrongly bool) {
			var b batches
			b.addSchnorr(x, digest, schnorrSig[:], !wrongly)
			b.addECDSA(pub.Bytes(), digest, sig, true)
			b.check(r)
		},
		"empty batch": func(r *report, wrongly bool) {
			var b batches
			if !wrongly {
				b.addECDSA(pub.Bytes(), digest, sig, true)
			}
			b.check(r)
		},
	} {
		for want, wrongly := range map[string]bool{"passed": false, "failed": true} {
			if got := libtest.Outcome(t, func(t testing.TB) { check(newReport(t), wrongly) }); got != want {
				t.Errorf("%s: %s, not %s", name, got, want)
			}
		}
	}
}
