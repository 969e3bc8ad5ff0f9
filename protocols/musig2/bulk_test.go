package musig2

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/schnorr"
)

// A crowd holds many sessions with several signers each, and all values that the signers send.
type crowd struct {
	privs   []*p256k1.PrivateKey
	sets    [][]*p256k1.PublicKey
	params  []SessionParams
	partial [][]PartialSignature
	nonces  [][]PublicNonce
}

// newCrowd makes sessions with 1, 2, … most, 1, … signers. The signers are drawn from ten keys, so that some keys occur
// twice in a session.
func newCrowd(t testing.TB, sessions, most int) *crowd {
	r := oracle.NewSeeded("musig2, many")
	c := new(crowd)
	for range 10 {
		b := oracle.Bytes(r.ValidScalar())
		priv, err := p256k1.ParsePrivateKey(b[:])
		if err != nil {
			t.Fatal(err)
		}
		c.privs = append(c.privs, priv)
	}
	for i := range sessions {
		var set []*p256k1.PublicKey
		var privs []*p256k1.PrivateKey
		for range 1 + i%most {
			priv := c.privs[r.IntN(len(c.privs))]
			set, privs = append(set, priv.PublicKey()), append(privs, priv)
		}
		keys, err := Aggregate(set)
		if err != nil {
			t.Fatal(err)
		}
		msg := r.Bytes(32)
		var secrets []*SecretNonce
		var nonces []PublicNonce
		for _, priv := range privs {
			secret, public, err := NewNonce(priv, keys, msg)
			if err != nil {
				t.Fatal(err)
			}
			secrets, nonces = append(secrets, secret), append(nonces, public)
		}
		sum, err := AggregateNonces(nonces)
		if err != nil {
			t.Fatal(err)
		}
		session, err := NewSession(keys, sum, msg)
		if err != nil {
			t.Fatal(err)
		}
		var partial []PartialSignature
		for j, priv := range privs {
			sig, err := session.Sign(secrets[j], priv)
			if err != nil {
				t.Fatal(err)
			}
			partial = append(partial, sig)
		}
		c.sets, c.params = append(c.sets, set), append(c.params, SessionParams{keys, sum, msg})
		c.partial, c.nonces = append(c.partial, partial), append(c.nonces, nonces)
	}
	return c
}

func (s *Session) equal(other *Session) bool {
	return s.keys.identity() == other.keys.identity() && s.message == other.message && s.b.Equal(&other.b)&s.e.Equal(&other.e) == 1 &&
		s.r.Equal(&other.r) == 1 && s.odd == other.odd
}

func TestBulk(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 9, 60} {
		c := newCrowd(t, n, 7)
		sets, err := AggregateBatch(c.sets)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range sets {
			if want := c.params[i].Keys; s.identity() != want.identity() || !s.PublicKey().Equal(want.PublicKey()) {
				t.Errorf("set %d of %d: another key", i, n)
			}
		}
		params := slices.Clone(c.params)
		for i := range params[:n/2] { // no point, the first, the second or both are infinity
			for j := range 2 {
				if i%4>>j&1 != 0 {
					params[i].Nonce.p.R[j] = curve.Point{}
				}
			}
			params[i].Nonce.p.Encode()
		}
		sessions, err := NewSessionBatch(params)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range sessions {
			want, err := NewSession(params[i].Keys, params[i].Nonce, params[i].Message)
			if err != nil || !s.equal(want) {
				t.Errorf("session %d of %d: not as NewSession makes it: %v", i, n, err)
			}
		}
		if sessions, err = NewSessionBatch(c.params); err != nil {
			t.Fatal(err)
		}
		var partials []Partial
		var items []Combination
		for i, s := range sessions {
			for j := range c.partial[i] {
				partials = append(partials, Partial{s, c.partial[i][j], c.nonces[i][j], c.sets[i][j]})
			}
			items = append(items, Combination{s, c.partial[i], c.nonces[i]})
		}
		if bad := InvalidPartials(partials); bad != nil {
			t.Errorf("%d sessions: %v are not valid", n, bad)
		}
		sigs, err := CombineBatch(items)
		if err != nil {
			t.Errorf("%d sessions: %v", n, err)
		}
		for i, sig := range sigs {
			want, err := items[i].Session.Combine(items[i].Signatures, items[i].Nonces)
			if err != nil || sig != want || !schnorr.Verify(c.params[i].Keys.PublicKey().XOnly(), c.params[i].Message, sig[:]) {
				t.Errorf("session %d of %d: %v", i, n, err)
			}
		}
		if n < 9 {
			continue
		}
		// Sums of valid equations are zero: no signature has to be verified alone.
		keys, totals := make([][33]byte, len(partials)), make([]curve.Scalar, len(items))
		for i := range partials {
			keys[i] = encode(partials[i].Key)
		}
		for i := range items {
			totals[i] = items[i].Session.total(items[i].Signatures)
		}
		each, combined := partialEquations(partials, keys), combinedEquations(items, totals)
		for i := range items {
			if !each.Hold([]int{i}) || !combined.Hold([]int{i}) {
				t.Errorf("session %d of %d: the sum of valid equations is not zero", i, n)
			}
		}
		// The batch contains single errors, pairs of errors that cancel, and arguments that are nil or belong to other
		// sessions. It must give the same results as separate calls.
		spoiled := slices.Clone(partials)
		spoiled[0].Signature.s.Add(&spoiled[0].Signature.s, &spoiled[3].Signature.s)
		delta := spoiled[5].Signature.s
		spoiled[1].Signature.s.Add(&spoiled[1].Signature.s, &delta)
		spoiled[2].Signature.s.Sub(&spoiled[2].Signature.s, &delta)
		spoiled[6].Session, spoiled[8].Key, spoiled[9].Nonce = nil, nil, PublicNonce{}
		spoiled[11].Key, spoiled[12].Nonce, spoiled[13].Session = c.privs[0].PublicKey(), spoiled[11].Nonce, spoiled[1].Session
		var want []int
		for i := range spoiled {
			p := &spoiled[i]
			if !p.Session.VerifyPartial(p.Signature, p.Nonce, p.Key) {
				want = append(want, i)
			}
		}
		if bad := InvalidPartials(spoiled); !slices.Equal(bad, want) || len(want) < 8 {
			t.Errorf("%d sessions: %v, want %v", n, bad, want)
		}
		wrong := slices.Clone(items)
		wrong[1].Signatures = slices.Clone(wrong[1].Signatures)
		wrong[1].Signatures[1].s.Negate(&wrong[1].Signatures[1].s)
		wrong[2].Nonces, wrong[4].Session = wrong[2].Nonces[:1], nil
		wrong[7].Session = wrong[0].Session
		sigs, err = CombineBatch(wrong)
		var failed, failures p256k1.Failures
		errors.As(err, &failed)
		for i := range wrong {
			sig, err := wrong[i].Session.Combine(wrong[i].Signatures, wrong[i].Nonces)
			var got error
			if len(failed) > 0 && failed[0].Index == i { // in ascending order
				got, failed = failed[0].Err, failed[1:]
			}
			if sig != sigs[i] || (err == nil) != (got == nil) || (err != nil && err.Error() != got.Error()) {
				t.Errorf("session %d of %d: %v, want %v", i, n, got, err)
			}
		}
		if len(failed) > 0 {
			t.Errorf("%d sessions: errors of no session: %v", n, failed)
		}
		var who *protocols.BlameError
		sets2 := slices.Clone(c.sets)
		sets2[5] = []*p256k1.PublicKey{sets2[5][0], nil}
		all, err := AggregateBatch(sets2)
		if !errors.As(err, &failures) || len(failures) != 1 || failures[0].Index != 5 || !errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{1}) {
			t.Errorf("a set with nil: %v", err)
		}
		for i, s := range all {
			if (s == nil) != (i == 5) || (s != nil && s.identity() != sets[i].identity()) {
				t.Errorf("set %d of %d beside a set with nil: %v", i, n, s)
			}
		}
		params = slices.Clone(c.params)
		params[3].Keys = nil
		others, err := NewSessionBatch(params)
		if !errors.As(err, &failures) || len(failures) != 1 || failures[0].Index != 3 || !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("a session with no keys: %v", err)
		}
		for i, s := range others {
			if (s == nil) != (i == 3) || (s != nil && !s.equal(sessions[i])) {
				t.Errorf("session %d of %d beside a session with no keys: %v", i, n, s)
			}
		}
	}
}

// TestAdaptorSession makes pre-signatures with and without an x-only tweak, for adaptor points with even and odd y,
// adapts them, and extracts the secret.
func TestAdaptorSession(t *testing.T) {
	c := newCrowd(t, 0, 1)
	for i := range 16 {
		privs := c.privs[i%7 : i%7+3]
		secret := c.privs[9]
		if i/2%2 == 1 {
			secret = secret.Negate()
		}
		point := secret.PublicKey()
		var keys []*p256k1.PublicKey
		for _, priv := range privs {
			keys = append(keys, priv.PublicKey())
		}
		set, err := Aggregate(keys)
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 {
			if set, err = set.TweakXOnly(bytes.Repeat([]byte{byte(i)}, 32)); err != nil {
				t.Fatal(err)
			}
		}
		msg := []byte{byte(i)}
		var secrets []*SecretNonce
		var nonces []PublicNonce
		for _, priv := range privs {
			n, public, err := NewNonce(priv, set, msg)
			if err != nil {
				t.Fatal(err)
			}
			secrets, nonces = append(secrets, n), append(nonces, public)
		}
		sum, err := AggregateNonces(nonces)
		if err != nil {
			t.Fatal(err)
		}
		session, err := NewAdaptorSession(set, sum, msg, point)
		if err != nil {
			t.Fatal(err)
		}
		// The session equals the session for the nonces R1 + T and R2, as in libsecp256k1-zkp.
		first, ok1 := oracle.DecodePoint(sum.Bytes()[:33])
		encoded, ok2 := oracle.DecodePoint(point.Bytes())
		withPoint, err := ParseAggregateNonce(append(first.Add(encoded).Compressed(), sum.Bytes()[33:]...))
		if err != nil || !ok1 || !ok2 {
			t.Fatal(err)
		}
		if want, err := NewSession(set, withPoint, msg); err != nil || !session.equal(want) {
			t.Errorf("%d: not the session for R1 + T: %v", i, err)
		}
		var partial []PartialSignature
		for j, priv := range privs {
			sig, err := session.Sign(secrets[j], priv)
			if err != nil || !session.VerifyPartial(sig, nonces[j], keys[j]) {
				t.Fatal(err)
			}
			partial = append(partial, sig)
		}
		pre, err := session.CombineAdaptor(partial, nonces)
		if err != nil || !pre.Verify(set.PublicKey().XOnly(), point, msg) {
			t.Fatalf("%d: %v", i, err)
		}
		// The reference computes R = R1 + T + b·R2, and checks that s'·G − e·Q = ±(R − T), where Q has even y.
		x, presig := set.PublicKey().XOnly().Bytes(), pre.Bytes()
		second, _ := oracle.DecodePoint(sum.Bytes()[33:])
		even, _ := oracle.LiftX(oracle.Int(x))
		b, e := oracle.TaggedHash("MuSig/noncecoef", withPoint.Bytes(), x, msg), oracle.TaggedHash("BIP0340/challenge", presig[1:33], x, msg)
		capital := first.Add(encoded).Add(second.Mul(oracle.Fn.Reduce(oracle.Int(b[:]))))
		right := capital.Add(encoded.Neg())
		if capital.Y.Bit(0) == 1 {
			right = right.Neg()
		}
		if string(capital.Compressed()) != string(presig[:33]) || !oracle.G.Mul(oracle.Int(presig[33:])).Equal(right.Add(even.Mul(oracle.Fn.Reduce(oracle.Int(e[:]))))) {
			t.Errorf("%d: %x is not the pre-signature for R = %x", i, presig, capital.Compressed())
		}
		sig, err := pre.Adapt(secret)
		if err != nil || !schnorr.Verify(set.PublicKey().XOnly(), msg, sig[:]) {
			t.Errorf("%d: adapted to %x, %v", i, sig, err)
		}
		if got, err := pre.Extract(sig[:], point); err != nil || !got.Equal(secret) {
			t.Errorf("%d: extracted %v", i, err)
		}
		if _, err := session.Combine(partial, nonces); !errors.Is(err, ErrAdaptor) {
			t.Errorf("%d: Combine: %v", i, err)
		}
		if _, err := CombineBatch([]Combination{{session, partial, nonces}}); !errors.Is(err, ErrAdaptor) {
			t.Errorf("%d: CombineBatch: %v", i, err)
		}
		wrong := slices.Clone(nonces)
		wrong[0] = wrong[1]
		if _, err := session.CombineAdaptor([]PartialSignature{{}, partial[1], partial[2]}, wrong); !errors.Is(err, ErrPartialSignature) {
			t.Errorf("%d: no part: %v", i, err)
		}
		other, err := NewAdaptorSession(set, withPoint, msg, point) // T is added twice
		if err != nil {
			t.Fatal(err)
		}
		var parts []PartialSignature
		for j, priv := range privs {
			n, public, err := NewNonce(priv, set, msg)
			if err != nil {
				t.Fatal(err)
			}
			wrong[j] = public
			part, err := other.Sign(n, priv)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
		}
		if _, err := other.CombineAdaptor(parts, wrong); !errors.Is(err, ErrAggregateNonce) {
			t.Errorf("%d: another aggregate nonce: %v", i, err)
		}
		partial[1] = partial[0]
		var who *protocols.BlameError
		if _, err := session.CombineAdaptor(partial, nonces); !errors.As(err, &who) || !slices.Equal(who.Participants, []uint32{1}) || !errors.Is(err, ErrPartialSignature) {
			t.Errorf("%d: a wrong part: %v", i, err)
		}
		plain, err := NewSession(set, sum, msg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plain.CombineAdaptor(partial, nonces); !errors.Is(err, ErrAdaptor) {
			t.Errorf("%d: a session without a point: %v", i, err)
		}
		for _, point := range []*p256k1.PublicKey{nil, {}} {
			if _, err := NewAdaptorSession(set, sum, msg, point); !errors.Is(err, p256k1.ErrNoKey) {
				t.Errorf("%d: no point: %v", i, err)
			}
		}
		for _, keys := range []*KeySet{nil, {}} {
			if _, err := NewAdaptorSession(keys, sum, msg, point); !errors.Is(err, p256k1.ErrNoKey) {
				t.Errorf("%d: no key set: %v", i, err)
			}
		}
		for _, session := range []*Session{nil, {}} {
			if _, err := session.CombineAdaptor(partial, nonces); !errors.Is(err, p256k1.ErrNoKey) {
				t.Errorf("%d: no session: %v", i, err)
			}
		}
	}
}

// TestAdaptorNonces runs sessions whose nonces are chosen for the adaptor point T. In some sessions, an aggregator
// subtracts T from the sum, so that the partial signatures make an ordinary signature. In other sessions, the nonces of
// both signers cancel, alone or together with T.
func TestAdaptorNonces(t *testing.T) {
	r := oracle.New(t)
	for range 8 { // for all combinations of parities
		for _, c := range []struct {
			name              string
			cancel1, cancel2  bool // whether signer 1's first and second nonces are the negatives of signer 0's
			subtract, negated bool // whether T is subtracted from the sum, and whether T is the negated sum of the first nonces
			pre, plain        bool // whether the partial signatures make a pre-signature, and a signature
		}{
			{name: "honest", pre: true},
			{name: "T subtracted", subtract: true, plain: true},
			{name: "R = b·R2", negated: true, pre: true},
			{name: "R = T", cancel1: true, cancel2: true},
			{name: "R at infinity", negated: true, cancel2: true},
		} {
			privs, pubs, set := newSet(t, r, 2)
			secret := newPrivate(t, r)
			var nonces [2]*secrets
			for i, priv := range privs {
				all, err := newSecrets(priv, []*KeySet{set}, [][]byte{nil}, make([]byte, 32), [][]byte{r.Bytes(8)})
				if err != nil {
					t.Fatal(err)
				}
				nonces[i] = all[0]
			}
			for i, cancel := range []bool{c.cancel1, c.cancel2} {
				if cancel {
					nonces[1].K[i].Negate(&nonces[0].K[i])
				}
			}
			if err := nonces[1].Finish(); err != nil {
				t.Fatal(err)
			}
			if c.negated {
				var k curve.Scalar
				var err error
				if secret, err = p256k1.NewPrivateKey(k.Negate(k.Add(&nonces[0].K[0], &nonces[1].K[0]))); err != nil {
					t.Fatal(err)
				}
			}
			point := secret.PublicKey()
			public := []PublicNonce{{nonces[0].Pub}, {nonces[1].Pub}}
			sum, err := AggregateNonces(public)
			if err != nil {
				t.Fatal(err)
			}
			if c.subtract {
				sum.p.R[0].Sub(&sum.p.R[0], point.Point())
				sum.p.Encode()
			}
			session, err := NewAdaptorSession(set, sum, nil, point)
			if err != nil {
				t.Fatal(err)
			}
			var sigs []PartialSignature
			for i, priv := range privs {
				key := encode(pubs[i])
				sig, err := session.sign(session, &nonces[i].Secret, priv, &key)
				if err != nil {
					t.Fatal(err)
				}
				sigs = append(sigs, sig)
			}
			total := session.total(sigs)
			sig := session.encode(&total)
			if plain := schnorr.Verify(set.PublicKey().XOnly(), nil, sig[:]); plain != c.plain {
				t.Errorf("%s: the sum is a signature: %t", c.name, plain)
			}
			switch pre, err := session.CombineAdaptor(sigs, public); {
			case !c.pre:
				if !errors.Is(err, ErrAggregateNonce) || pre != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			case err != nil || !pre.Verify(set.PublicKey().XOnly(), point, nil):
				t.Errorf("%s: not a valid pre-signature: %v", c.name, err)
			}
		}
	}
}

func BenchmarkBulk(b *testing.B) {
	c := newCrowd(b, 200, 1)
	ten := make([][]*p256k1.PublicKey, 200)
	r := oracle.NewSeeded("keys")
	for i := range ten {
		for range 10 {
			point := oracle.G.Mul(r.ValidScalar())
			key, err := p256k1.ParsePublicKey(point.Compressed())
			if err != nil {
				b.Fatal(err)
			}
			ten[i] = append(ten[i], key)
		}
	}
	sessions, err := NewSessionBatch(c.params)
	if err != nil {
		b.Fatal(err)
	}
	var partials []Partial
	for i, s := range sessions {
		partials = append(partials, Partial{s, c.partial[i][0], c.nonces[i][0], c.sets[i][0]})
	}
	server, sets, msgs := newPrivate(b, r), make([]*KeySet, 200), make([][]byte, 200)
	for _, bench := range []struct {
		name string
		f    func()
	}{
		{"NewNonceBatch, 200", func() { NewNonceBatch(server, sets, msgs) }},
		{"NewNonce, 200", func() {
			for i := range sets {
				NewNonce(server, sets[i], msgs[i])
			}
		}},
		{"AggregateBatch, 200 sets of 10", func() { AggregateBatch(ten) }},
		{"Aggregate, 200 sets of 10", func() {
			for _, set := range ten {
				Aggregate(set)
			}
		}},
		{"NewSessionBatch, 200", func() { NewSessionBatch(c.params) }},
		{"NewSession, 200", func() {
			for _, p := range c.params {
				NewSession(p.Keys, p.Nonce, p.Message)
			}
		}},
		{"InvalidPartials, 200", func() { InvalidPartials(partials) }},
		{"VerifyPartial, 200", func() {
			for _, p := range partials {
				p.Session.VerifyPartial(p.Signature, p.Nonce, p.Key)
			}
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				bench.f()
			}
		})
	}
}
