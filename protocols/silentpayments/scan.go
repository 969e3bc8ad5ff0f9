package silentpayments

import (
	"context"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"io"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/secret"
)

// A Scanner finds the payments to one address, to its labeled addresses, and to its change address. Many goroutines may
// use a Scanner at once, but not while Zero runs. Copies of a Scanner share one state. Package fmt does not show the
// secrets of a Scanner.
type Scanner struct {
	// The state is behind two pointers, as in p256k1.PrivateKey, because package fmt does not call Format for a Scanner
	// in an unexported field, and shows the value behind one pointer.
	state **scanner
}

type scanner struct {
	key    *p256k1.PrivateKey
	spend  *p256k1.PublicKey
	labels []label
	// byPoint finds labels by the x coordinates of their points.
	byPoint *table
}

// get returns the state. For nil and for the zero value it returns the state of a wiped scanner.
func (x *Scanner) get() *scanner {
	if x == nil || x.state == nil {
		return &scanner{key: new(p256k1.PrivateKey), spend: new(p256k1.PublicKey)}
	}
	return *x.state
}

const hidden = "silentpayments.Scanner(hidden)"

// Format writes a placeholder instead of the keys, whatever the verb is.
func (Scanner) Format(f fmt.State, verb rune) { io.WriteString(f, hidden) }

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json refuse scanners, which hold the scan
// key. Store the scan key, the spend key and the labels instead, and call NewScanner.
func (Scanner) MarshalText() ([]byte, error) { return nil, errMarshal() }

// UnmarshalText returns p256k1.ErrMarshal and leaves x unchanged.
func (x *Scanner) UnmarshalText([]byte) error { return errMarshal() }

// MarshalBinary returns p256k1.ErrMarshal, so that encoders such as encoding/gob refuse scanners.
func (Scanner) MarshalBinary() ([]byte, error) { return nil, errMarshal() }

// UnmarshalBinary returns p256k1.ErrMarshal and leaves x unchanged.
func (x *Scanner) UnmarshalBinary([]byte) error { return errMarshal() }

func errMarshal() error {
	return fmt.Errorf("silentpayments: scanner: %w: it holds the scan key", p256k1.ErrMarshal)
}

// label holds the tweak of label m, the point tweak·G, and the spend key B_spend + tweak·G.
type label struct {
	m     uint32
	tweak [32]byte
	point curve.Point // tweak·G
	spend *p256k1.PublicKey
}

// NewScanner returns a scanner for the keys b_scan and B_spend. labels must contain the labels of all addresses that
// were handed out. The scanner always scans for label 0, which is for change. Each label adds one addition of points
// and one comparison per output to each tweak of ScanTweaks. NewScanner copies the keys. The error is p256k1.ErrNoKey
// for an invalid key, or ErrLabel for a label other than 0 that occurs twice.
func NewScanner(scan *p256k1.PrivateKey, spend *p256k1.PublicKey, labels ...uint32) (*Scanner, error) {
	d, err := scan.Scalar()
	if err != nil {
		return nil, fmt.Errorf("silentpayments: scan key: %w", err)
	}
	defer d.Zero()
	if isUnset(spend) {
		return nil, fmt.Errorf("silentpayments: spend key: %w", p256k1.ErrNoKey)
	}
	own := *spend // a copy, because the caller can overwrite *spend later
	s := &scanner{spend: &own}
	if s.key, err = p256k1.NewPrivateKey(d); err != nil {
		return nil, err
	}
	seen, points := make(map[uint32]bool, 1+len(labels)), make([][32]byte, 0, 1+len(labels))
	for _, m := range append([]uint32{0}, labels...) {
		if seen[m] {
			if m == 0 {
				continue
			}
			return nil, fmt.Errorf("silentpayments: %w: %d occurs twice", ErrLabel, m)
		}
		seen[m] = true
		l, err := s.newLabel(m)
		if err != nil {
			return nil, err
		}
		s.labels = append(s.labels, l)
		b, err := l.point.BytesX()
		if err != nil {
			return nil, err // never happens, because the tweak is not 0
		}
		points = append(points, [32]byte(b))
	}
	s.byPoint = newTable(points)
	return &Scanner{&s}, nil
}

func (s *scanner) newLabel(m uint32) (l label, err error) {
	l.m = m
	var ser [4]byte
	binary.BigEndian.PutUint32(ser[:], m)
	b := s.key.Bytes()
	defer clear(b)
	l.tweak = labelTag.Sum(b, ser[:])
	var t curve.Scalar
	defer t.Zero()
	if !setNonzero(&t, &l.tweak) {
		return l, fmt.Errorf("silentpayments: %w: the hash of %d is not a scalar", ErrLabel, m)
	}
	l.point.ScalarBaseMult(&t).Normalize()
	l.spend, err = p256k1.NewPublicKey(new(curve.Point).Add(&l.point, s.spend.Point()))
	return l, err
}

// Zero wipes the scan key and the labels. After Zero, scans return p256k1.ErrNoKey.
func (x *Scanner) Zero() {
	s := x.get()
	s.key.Zero()
	for i := range s.labels {
		s.labels[i].tweak = [32]byte{}
		s.labels[i].point.Zero()
		s.byPoint.list[i] = [32]byte{}
	}
	s.labels, s.byPoint = nil, nil
}

// Recipient returns the scanner's address without a label.
func (x *Scanner) Recipient() Recipient {
	s := x.get()
	return s.recipient(s.spend)
}

// Labeled returns the scanner's address with the label m, which must have been passed to NewScanner. The error is
// ErrLabel for any other label, because payments to that address would not be found. The error is also ErrLabel for
// label 0, which is for change.
func (x *Scanner) Labeled(m uint32) (Recipient, error) {
	s := x.get()
	for _, l := range s.labels {
		if l.m == m && m != 0 {
			return s.recipient(l.spend), nil
		}
	}
	if m == 0 {
		return Recipient{}, fmt.Errorf("silentpayments: %w: 0 is for change", ErrLabel)
	}
	return Recipient{}, fmt.Errorf("silentpayments: %w: %d is not scanned for", ErrLabel, m)
}

// Change returns the scanner's address with label 0, to which a wallet pays its change. Do not give this address to
// anybody, because payments by others would look like change.
func (x *Scanner) Change() Recipient {
	s := x.get()
	if len(s.labels) == 0 { // wiped
		return Recipient{new(p256k1.PublicKey), new(p256k1.PublicKey)}
	}
	return s.recipient(s.labels[0].spend)
}

// recipient returns the address with the scanner's scan key and the given spend key. Both keys of the result are
// copies, which the caller may change.
func (s *scanner) recipient(spend *p256k1.PublicKey) Recipient {
	own := *spend
	return Recipient{s.key.PublicKey(), &own}
}

// Found is an output that belongs to a scanner.
type Found struct {
	Output  int      // the index of the output
	X       [32]byte // the x coordinate of the output
	K       uint32   // the counter
	Labeled bool     // whether the output pays to an address with a label
	Label   uint32   // the label if Labeled is true: 0 is change
	Tweak   [32]byte // the scalar to be added to the spend key; it is private, but not sufficient to spend the output
}

// PrivateKey returns the private key of the output, b_spend + Tweak. The error is p256k1.ErrNoKey if spend is nil or
// was wiped, or ErrKey if spend is another key than b_spend.
func (f *Found) PrivateKey(spend *p256k1.PrivateKey) (*p256k1.PrivateKey, error) {
	key, err := spend.TweakAdd(f.Tweak[:])
	if err != nil {
		return nil, fmt.Errorf("silentpayments: spend key: %w", err)
	}
	if subtle.ConstantTimeCompare(key.PublicKey().XOnly().Bytes(), f.X[:]) == 0 {
		key.Zero()
		return nil, fmt.Errorf("silentpayments: spend key: %w: the output does not belong to this key", ErrKey)
	}
	return key, nil
}

// Scan returns the outputs of a transaction that belong to the scanner. outputs holds the x coordinates of all Taproot
// outputs of the transaction. tweak is the result of Tweak, or comes from an index server. If tweak is nil, which is
// the result of Tweak for a transaction that cannot pay, Scan returns no outputs. If one counter has several outputs,
// although honest senders use each counter once, Scan finds all of them for the first 16 counters, and afterwards those
// to one address or to addresses that the transaction has paid before.
//
// The number of labels changes the time of Scan only a little. The time is longest, about a tenth of a second, for a
// transaction with thousands of outputs to one address. Scan is constant-time with respect to the scan key, except that
// the time shows how many outputs it finds, and to how many labels. If tweak was never set, or after Zero unless tweak
// is nil, the error is p256k1.ErrNoKey. If ctx, which must not be nil, is done, it is the error of ctx. With an error,
// no outputs are returned.
func (x *Scanner) Scan(ctx context.Context, tweak *p256k1.PublicKey, outputs [][32]byte) ([]Found, error) {
	s := x.get()
	if err := contextError(ctx); err != nil {
		return nil, err
	}
	if tweak == nil {
		return nil, nil
	}
	if tweak.Point().IsInfinity() == 1 {
		return nil, fmt.Errorf("silentpayments: tweak: %w", p256k1.ErrNoKey)
	}
	f, err := s.search(ctx, tweak, outputs)
	if err != nil {
		return nil, err
	}
	return f.found, nil
}

// isZero returns all ones if v is 0, and 0 otherwise.
func isZero(v uint64) int {
	return int((v|-v)>>63) - 1
}

// A Hit names a transaction that almost certainly pays to a scanner. The caller should fetch the outputs of the
// transaction, and pass them to Scan.
type Hit struct {
	Tweak  int // the index of the transaction's tweak
	Prefix int // the index of the output in the transaction's list of prefixes, or the last index if prefixes are equal
}

// ScanTweaks scans many transactions with data from an index server: tweaks[i] is the compressed encoding of the tweak
// of transaction i. prefixes[i] holds, for each Taproot output of this transaction, the first eight bytes of the x
// coordinate as a big-endian integer. ScanTweaks returns the transactions that have an output with counter 0, in order.
// An output gives a false hit with a probability of about 2⁻⁶⁴ for each address that is scanned for.
//
// The multiplications by the scan key are constant-time, and are computed eight at a time on processors with AVX-512
// IFMA. ScanTweaks skips tweaks that do not encode a point, and the error is then a p256k1.Failures, which lists them.
// After Zero the error is p256k1.ErrNoKey. If ctx, which must not be nil, is done before all tweaks are scanned, there
// are no hits, and the error is the error of ctx. ScanTweaks panics if the slices differ in length.
func (x *Scanner) ScanTweaks(ctx context.Context, tweaks [][33]byte, prefixes [][]uint64) (hits []Hit, err error) {
	s := x.get()
	if len(tweaks) != len(prefixes) {
		panic(fmt.Sprintf("silentpayments: ScanTweaks of %d tweaks and prefixes for %d", len(tweaks), len(prefixes)))
	}
	part := partSize(len(s.labels))
	w := newWork(min(part, len(tweaks)), 1+len(s.labels))
	defer w.zero()
	var bad p256k1.Failures
	for from := 0; from < len(tweaks); from += part {
		if err := contextError(ctx); err != nil {
			return nil, err
		}
		n := min(part, len(tweaks)-from)
		use := s.key.Use(func(d curve.Scalar) error {
			return w.multiply(&d, tweaks[from:from+n])
		})
		if use != nil {
			return nil, fmt.Errorf("silentpayments: scan key: %w", use)
		}
		for i := range n {
			if w.err[i] != nil {
				bad = append(bad, p256k1.Failure{Index: from + i, Err: fmt.Errorf("silentpayments: tweak: %w", w.err[i])})
			}
		}
		hits = s.match(hits, w, from, prefixes[from:from+n])
	}
	return hits, bad.Err()
}

// most is the largest number of tweaks that are processed at once. candidates is the largest number of points that are
// compared with the outputs at once, unless eight tweaks need more points.
const most, candidates = 128, 1 << 14

// partSize returns the number of tweaks that are processed at once: at least eight, even if a wallet scans for a very
// large number of labels.
func partSize(labels int) int { return max(8, min(most, candidates/(1+labels))) }

// work is the scratch memory of a scan.
type work struct {
	x          [][32]byte
	points     []curve.Point // the tweaks, later the shared secrets, and finally t_0·G
	t          []curve.Scalar
	err        []error
	candidates []curve.Point // P_0 of each transaction, then P_0 with the first label of each transaction, and so on
}

func newWork(n, candidates int) *work {
	return &work{
		make([][32]byte, n), secret.Make[curve.Point](n), secret.Make[curve.Scalar](n), make([]error, n),
		secret.Make[curve.Point](n * candidates),
	}
}

func (w *work) zero() {
	clear(w.t)
	clear(w.points)
	clear(w.candidates)
}

// multiply sets points[i] to t_0·G for each tweak, or sets err[i] if the tweak or the hash t_0 is invalid.
func (w *work) multiply(d *curve.Scalar, tweaks [][33]byte) error {
	n := len(tweaks)
	points := w.points[:n]
	w.parse(points, tweaks)
	curve.ScalarMultBatch(points, d, points)
	for i := range n {
		if !setTweak(&w.t[i], points[i].Bytes(), 0) {
			w.err[i] = ErrZeroSum
		}
	}
	curve.ScalarBaseMultBatch(points, w.t[:n])
	return nil
}

// parse sets points to the tweaks. If tweaks[i] does not encode a point, parse sets err[i], and points[i] is undefined.
func (w *work) parse(points []curve.Point, tweaks [][33]byte) {
	decode(points, w.x[:len(tweaks)], tweaks)
	for i := range tweaks {
		w.err[i] = nil
		if points[i].IsInfinity() == 1 {
			_, w.err[i] = points[i].SetBytes(tweaks[i][:]) // determines the error
			points[i].SetGenerator()
		}
	}
}

// decode sets points to the points with the given compressed encodings, or to infinity for an encoding of no point. All
// square roots are computed together. x is scratch memory.
func decode(points []curve.Point, x [][32]byte, encoded [][33]byte) {
	for i := range encoded {
		x[i] = [32]byte(encoded[i][1:])
	}
	curve.LiftXBatchVartime(points, x)
	for i := range encoded {
		prefix := encoded[i][0]
		points[i].CondNegate(&points[i], int(prefix&1))
		if prefix&^1 != 2 {
			points[i].Zero()
		}
	}
}

// match appends the hits among the transactions of w, and returns hits. from is the index of the first of these
// transactions.
func (s *scanner) match(hits []Hit, w *work, from int, prefixes [][]uint64) []Hit {
	n := len(prefixes)
	all := w.candidates[:n*(1+len(s.labels))]
	for i := range n {
		all[i].Add(&w.points[i], s.spend.Point())
		for j := range s.labels {
			all[(j+1)*n+i].Add(&all[i], &s.labels[j].point)
		}
	}
	curve.NormalizeBatch(all)
	for i, list := range prefixes {
		if w.err[i] != nil {
			continue
		}
		for c := i; c < len(all); c += n {
			x, err := all[c].BytesX()
			if err != nil {
				continue
			}
			index := -1
			// The loop compares with all prefixes, because the position of a match is secret until match returns it.
			for j, prefix := range list {
				same := isZero(prefix ^ binary.BigEndian.Uint64(x))
				index = index&^same | j&same
			}
			if index >= 0 {
				hits = append(hits, Hit{from + i, index})
				break
			}
		}
	}
	return hits
}
