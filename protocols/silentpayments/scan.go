package silentpayments

import (
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// Tweak returns the tweak of a transaction, input_hash·A. It returns nil if the transaction pays to no silent payment
// address because no input is eligible, the keys of the eligible inputs add up to zero, or an input spends an output
// of a SegWit version after 1. Its arguments are public, and index servers compute it once for all their clients. Its
// time depends on the inputs.
//
// The error is ErrNotSigned for inputs without signatures, as in a block without its
// witnesses, or with the signatures of other inputs, because the tweak would be wrong.
func Tweak(inputs []Input) (*p256k1.PublicKey, error) {
	var sum curve.Point
	for i := range inputs {
		if inputs[i].isOfLaterSegwit() {
			return nil, nil
		}
		key, signed := inputs[i].publicKey()
		if !signed {
			return nil, fmt.Errorf("silentpayments: input %d: %w", i, ErrNotSigned)
		}
		if key != nil {
			sum.Add(&sum, key.Point())
		}
	}
	if sum.IsInfinity() == 1 {
		return nil, nil
	}
	var hash, none curve.Scalar
	if !setInputHash(&hash, inputs, sum.NormalizeVartime()) {
		return nil, nil
	}
	return p256k1.NewPublicKeyFromPoint(sum.DoubleScalarBaseMultVartime(&hash, &sum, &none))
}

// A Scanner finds the payments to one address and its labels, and to change. Many
// goroutines may use it at once, except for Zero. Copies of a Scanner are the same
// scanner. No secrets appear in its text.
type Scanner struct {
	// Two pointers, as in p256k1.PrivateKey, because package fmt does not call Format for a
	// Scanner in an unexported field, and follows one pointer.
	state **scanner
}

type scanner struct {
	key    *p256k1.PrivateKey
	spend  *p256k1.PublicKey
	labels []label
}

// get returns the state. For nil and for the zero value it returns the state of a wiped scanner.
func (x *Scanner) get() *scanner {
	if x == nil || x.state == nil {
		return &scanner{key: new(p256k1.PrivateKey), spend: new(p256k1.PublicKey)}
	}
	return *x.state
}

const hidden = "silentpayments.Scanner(hidden)"

// Format writes a placeholder, whatever the verb.
func (Scanner) Format(f fmt.State, verb rune) { io.WriteString(f, hidden) }

// MarshalText returns p256k1.ErrMarshal, so that encoders like encoding/json refuse scanners, which hold the scan
// key. Store the scan key and the labels instead, and use NewScanner.
func (Scanner) MarshalText() ([]byte, error) { return nil, errMarshal() }

// UnmarshalText returns p256k1.ErrMarshal, and leaves x unchanged.
func (x *Scanner) UnmarshalText([]byte) error { return errMarshal() }

// MarshalBinary returns p256k1.ErrMarshal, for encoders like encoding/gob.
func (Scanner) MarshalBinary() ([]byte, error) { return nil, errMarshal() }

// UnmarshalBinary returns p256k1.ErrMarshal, for decoders like encoding/gob.
func (x *Scanner) UnmarshalBinary([]byte) error { return errMarshal() }

func errMarshal() error {
	return fmt.Errorf("silentpayments: scanner: %w: it holds the scan key", p256k1.ErrMarshal)
}

// label holds the tweak and the point that label m adds to B_spend, and the spend key with both added.
type label struct {
	m     uint32
	tweak [32]byte
	point curve.Point // tweak·G
	spend *p256k1.PublicKey
}

// NewScanner returns a scanner with b_scan, B_spend and the labels that were handed out. It scans for label 0, change,
// as well. Each label costs a scan one more addition of points and one more comparison. The keys are copied. The error
// is p256k1.ErrNoKey for a key that is nil, was wiped or was never set, or ErrLabel for a label that is given twice.
func NewScanner(scan *p256k1.PrivateKey, spend *p256k1.PublicKey, labels ...uint32) (*Scanner, error) {
	d, err := scan.Scalar()
	if err != nil {
		return nil, fmt.Errorf("silentpayments: scan key: %w", err)
	}
	defer d.Zero()
	if isUnset(spend) {
		return nil, fmt.Errorf("silentpayments: spend key: %w", p256k1.ErrNoKey)
	}
	own := *spend // a copy, because the caller can decode another key into spend
	s := &scanner{spend: &own}
	if s.key, err = p256k1.NewPrivateKeyFromScalar(d); err != nil {
		return nil, err
	}
	seen := make(map[uint32]bool, 1+len(labels))
	for _, m := range append([]uint32{0}, labels...) {
		if seen[m] {
			if m == 0 {
				continue
			}
			return nil, fmt.Errorf("silentpayments: %w: %d is there twice", ErrLabel, m)
		}
		seen[m] = true
		l, err := s.newLabel(m)
		if err != nil {
			return nil, err
		}
		s.labels = append(s.labels, l)
	}
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
		return l, fmt.Errorf("silentpayments: %w: the hash of %d is no scalar", ErrLabel, m)
	}
	l.point.ScalarBaseMult(&t).Normalize()
	l.spend, err = p256k1.NewPublicKeyFromPoint(new(curve.Point).Add(&l.point, s.spend.Point()))
	return l, err
}

// Zero wipes the scan key and the labels. The scanner then finds nothing.
func (x *Scanner) Zero() {
	s := x.get()
	s.key.Zero()
	for i := range s.labels {
		s.labels[i].tweak = [32]byte{}
		s.labels[i].point.Zero()
	}
	s.labels = nil
}

// Recipient returns the address without a label.
func (x *Scanner) Recipient() Recipient {
	s := x.get()
	return s.recipient(s.spend)
}

// Labeled returns the address with one of the labels that the scanner was made with.
// The error is ErrLabel for any other label, because payments to it would not be found,
// and for 0, which is the label of Change.
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

// Change returns the address with label 0, for a wallet to pay to itself. Do not give it to anybody, because payments
// of others to it would look like change.
func (x *Scanner) Change() Recipient {
	s := x.get()
	if len(s.labels) == 0 { // wiped
		return Recipient{new(p256k1.PublicKey), new(p256k1.PublicKey)}
	}
	return s.recipient(s.labels[0].spend)
}

// recipient returns the address with that spend key. Both keys are copies, which the caller may change.
func (s *scanner) recipient(spend *p256k1.PublicKey) Recipient {
	own := *spend
	return Recipient{s.key.PublicKey(), &own}
}

// Found is an output that belongs to a scanner.
type Found struct {
	Output  int      // its index
	X       [32]byte // its x coordinate
	K       uint32   // the counter
	Labeled bool     // whether to an address with a label
	Label   uint32   // the label if Labeled is true: 0 is change
	Tweak   [32]byte // to be added to the spend key: private knowledge, but no key alone
}

// PrivateKey returns the private key of the output, b_spend + Tweak. The error is
// p256k1.ErrNoKey if spend is nil or was wiped, or ErrKey if it is another key than b_spend,
// such as b_scan.
func (f *Found) PrivateKey(spend *p256k1.PrivateKey) (*p256k1.PrivateKey, error) {
	key, err := spend.TweakAdd(f.Tweak[:])
	if err != nil {
		return nil, fmt.Errorf("silentpayments: spend key: %w", err)
	}
	if subtle.ConstantTimeCompare(key.PublicKey().XOnly().Bytes(), f.X[:]) == 0 {
		key.Zero()
		return nil, fmt.Errorf("silentpayments: spend key: %w: the output found is not of it", ErrKey)
	}
	return key, nil
}

// Scan returns which of the outputs of a transaction belong to the scanner. outputs has the x coordinates of all its
// Taproot outputs. tweak is the result of Tweak, or comes from an index server. If it is nil, nothing is found. All
// outputs with the same counter are found, although no honest sender makes more than one. Scan is constant-time with
// respect to the scan key, except that its time shows how many outputs it finds. The error is p256k1.ErrNoKey after
// Zero.
func (x *Scanner) Scan(tweak *p256k1.PublicKey, outputs [][32]byte) ([]Found, error) {
	s := x.get()
	if tweak == nil {
		return nil, nil
	}
	if tweak.Point().IsInfinity() == 1 {
		return nil, fmt.Errorf("silentpayments: tweak: %w", p256k1.ErrNoKey)
	}
	var found []Found
	err := s.key.Use(func(d curve.Scalar) error {
		var shared curve.Point
		shared.ScalarMult(&d, tweak.Point())
		encoding := shared.Bytes()
		defer clear(encoding)
		shared.Zero()
		left := make([]output, len(outputs))
		for i, x := range outputs {
			left[i] = output{i, words(x[:])}
		}
		for k := uint32(0); k < MaxOutputs; k++ {
			n := len(found)
			if found, left = s.find(found, encoding, k, left); len(found) == n {
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("silentpayments: scan key: %w", err)
	}
	return found, nil
}

// output is an output that was not found yet: its index and its x coordinate.
type output struct {
	i int
	x [4]uint64
}

// words returns 32 bytes as integers.
func words(b []byte) (w [4]uint64) {
	for i := range w {
		w[i] = binary.BigEndian.Uint64(b[8*i:])
	}
	return w
}

// isZero returns all ones if v is 0, and 0 otherwise.
func isZero(v uint64) int {
	return int((v|-v)>>63) - 1
}

// find appends the outputs with counter k to found, and returns found and the outputs that are left. It compares with
// all of left, because the position of a candidate is secret until it is found.
func (s *scanner) find(found []Found, shared []byte, k uint32, left []output) ([]Found, []output) {
	var t curve.Scalar
	defer t.Zero()
	if !setTweak(&t, shared, k) {
		return found, left
	}
	candidates := make([]curve.Point, 1+len(s.labels))
	defer clear(candidates)
	candidates[0].ScalarBaseMult(&t)
	candidates[0].Add(&candidates[0], s.spend.Point())
	s.addLabels(candidates)
	curve.NormalizeBatch(candidates)
	for i := range candidates {
		b, err := candidates[i].BytesX()
		if err != nil {
			continue // the tweaks add up to −b_spend, so the output would be infinity and cannot exist
		}
		x, any := words(b), 0
		for _, o := range left {
			any |= isZero((x[0] ^ o.x[0]) | (x[1] ^ o.x[1]) | (x[2] ^ o.x[2]) | (x[3] ^ o.x[3]))
		}
		if any == 0 {
			continue
		}
		f, sum := Found{K: k, X: [32]byte(b)}, t
		if i > 0 {
			var l curve.Scalar
			if !setNonzero(&l, &s.labels[i-1].tweak) {
				continue
			}
			f.Labeled, f.Label = true, s.labels[i-1].m
			sum.Add(&sum, &l)
			l.Zero()
		}
		copy(f.Tweak[:], sum.Bytes())
		sum.Zero()
		rest := left[:0]
		for _, o := range left {
			if o.x != x {
				rest = append(rest, o)
				continue
			}
			f.Output = o.i
			found = append(found, f)
		}
		left = rest
	}
	return found, left
}

// addLabels sets the points after the first to its sums with the labels.
func (s *scanner) addLabels(p []curve.Point) {
	for i := range s.labels {
		p[i+1].Add(&p[0], &s.labels[i].point)
	}
}

// A Hit is a transaction that almost certainly pays to a scanner. Get its outputs, and call Scan.
type Hit struct {
	Tweak  int // its index
	Prefix int // the index of the output's prefix in the list of the transaction, the last if several are equal
}

// ScanTweaks looks through the transactions of an index server: tweaks[i] is the compressed encoding of the tweak of
// a transaction, and prefixes[i] has the first eight bytes, big-endian, of the x coordinate of each of its Taproot
// outputs. It returns the transactions that have an output with counter 0, in their order. About one in 2⁶⁴ outputs
// gives a false hit.
//
// The multiplications by the scan key are constant-time, and eight at a time if the processor has AVX-512 IFMA. The
// error names the tweaks that encode no point, which are skipped, and is p256k1.ErrNoKey after Zero. ScanTweaks
// panics if the slices differ in length.
func (x *Scanner) ScanTweaks(tweaks [][33]byte, prefixes [][]uint64) (hits []Hit, err error) {
	s := x.get()
	if len(tweaks) != len(prefixes) {
		panic(fmt.Sprintf("silentpayments: ScanTweaks of %d tweaks and prefixes for %d", len(tweaks), len(prefixes)))
	}
	// Take at least eight tweaks at a time, even for a wallet that looks for all the labels it may have used.
	part := max(8, min(most, candidates/(1+len(s.labels))))
	w := newWork(min(part, len(tweaks)), 1+len(s.labels))
	defer w.zero()
	var bad []error
	for from := 0; from < len(tweaks); from += part {
		n := min(part, len(tweaks)-from)
		use := s.key.Use(func(d curve.Scalar) error {
			return w.multiply(&d, tweaks[from:from+n])
		})
		if use != nil {
			return nil, fmt.Errorf("silentpayments: scan key: %w", use)
		}
		for i := range n {
			if w.err[i] != nil {
				bad = append(bad, fmt.Errorf("silentpayments: tweak %d: %w", from+i, w.err[i]))
			}
		}
		hits = s.match(hits, w, from, prefixes[from:from+n])
	}
	return hits, errors.Join(bad...)
}

// most is the number of tweaks that are processed at once. candidates is the number of points that are compared with
// the outputs at once, unless eight tweaks need more.
const most, candidates = 128, 1 << 14

// work is the scratch memory of a scan. It is on the heap, so that it can be wiped.
type work struct {
	x          [][32]byte
	points     []curve.Point // the tweaks, then the shared secrets, then t_0·G
	t          []curve.Scalar
	err        []error
	candidates []curve.Point // P_0 of each transaction, then each with the first label, and so on
}

func newWork(n, candidates int) *work {
	return &work{
		make([][32]byte, n), make([]curve.Point, n), make([]curve.Scalar, n), make([]error, n),
		make([]curve.Point, n*candidates),
	}
}

func (w *work) zero() {
	clear(w.t)
	clear(w.points)
	clear(w.candidates)
}

// multiply sets points[i] to t_0·G for each tweak, and err[i] if there is no such point.
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

// parse sets points to the tweaks, with all square roots together. For a tweak that encodes no point, it sets err[i],
// and points[i] has no meaning.
func (w *work) parse(points []curve.Point, tweaks [][33]byte) {
	for i := range tweaks {
		w.x[i] = [32]byte(tweaks[i][1:])
	}
	curve.LiftXBatch(points, w.x[:len(tweaks)])
	for i := range tweaks {
		w.err[i] = nil
		if prefix := tweaks[i][0]; prefix&^1 != 2 || points[i].IsInfinity() == 1 {
			_, w.err[i] = points[i].SetBytes(tweaks[i][:]) // the error
			points[i].SetGenerator()
		} else {
			points[i].CondNegate(&points[i], int(prefix&1))
		}
	}
}

// match appends the hits among the transactions from index from on.
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
			at := -1
			for j, prefix := range list { // all of them: see find
				same := isZero(prefix ^ binary.BigEndian.Uint64(x))
				at = at&^same | j&same
			}
			if at >= 0 {
				hits = append(hits, Hit{from + i, at})
				break
			}
		}
	}
	return hits
}
