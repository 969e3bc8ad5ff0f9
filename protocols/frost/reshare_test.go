package frost

import (
	"errors"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/protocols"
	"p256k1.mleku.dev/v2/protocols/internal/shamir"
)

// reshare runs a resharing from the participants ids to n participants, and returns the dealings and, for each new
// participant, the sub-shares.
func reshare(t *testing.T, group *Group, shares []*Share, threshold, n int, ids ...uint32) (*Resharing, []Dealing, [][]*p256k1.PrivateKey) {
	t.Helper()
	signers, err := group.Signers(ids...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewResharing(signers, threshold, n, nil)
	if err != nil {
		t.Fatal(err)
	}
	var dealings []Dealing
	subs := make([][]*p256k1.PrivateKey, n)
	for _, id := range ids {
		d, parts, err := r.Deal(shares[id])
		if err != nil {
			t.Fatal(err)
		}
		if d, err = ParseDealing(d.Bytes()); err != nil {
			t.Fatal(err)
		}
		dealings = append(dealings, d)
		for j := range parts {
			subs[j] = append(subs[j], parts[j])
		}
	}
	return r, dealings, subs
}

// TestResharing changes t, n and the holders of shares, signs with the new shares, and requires that errors name the
// signers who sent wrong values.
func TestResharing(t *testing.T) {
	for _, sizes := range [][4]int{{2, 3, 2, 3}, {2, 3, 3, 5}, {3, 5, 2, 2}, {1, 1, 2, 3}, {2, 2, 1, 1}, {3, 4, 4, 4}} {
		key, group, shares := deal(t, sizes[0], sizes[1])
		r, dealings, subs := reshare(t, group, shares, sizes[2], sizes[3], all(sizes[1])[sizes[1]-sizes[0]:]...)
		next, err := r.Group(dealings)
		if err != nil || next.Threshold() != sizes[2] || next.Participants() != sizes[3] || !next.PublicKey().Equal(key.PublicKey()) {
			t.Fatalf("%v: %v", sizes, err)
		}
		fresh := make([]*Share, sizes[3])
		for j := range fresh {
			if fresh[j], err = r.Share(uint32(j), dealings, subs[j]); err != nil || !next.Has(fresh[j]) {
				t.Fatalf("%v, participant %d: %v", sizes, j, err)
			}
			if j < sizes[1] && sizes[0] > 1 && fresh[j].key.Equal(shares[j].key) {
				t.Errorf("%v: participant %d has its old share", sizes, j)
			}
		}
		signs(t, next, fresh, key.PublicKey(), all(sizes[3])[sizes[3]-sizes[2]:]...)
		signs(t, next, fresh, key.PublicKey(), all(sizes[3])...)
	}
	_, group, shares := deal(t, 3, 4)
	r, dealings, subs := reshare(t, group, shares, 2, 3, 0, 1, 3)
	libtest.Misread(t, subs[2][1])
	if share, err := r.Share(2, dealings, subs[2]); share != nil || !errors.Is(err, p256k1.ErrFault) {
		t.Errorf("a sub-share that is misread in memory: %v", err)
	}
	spoiled := slices.Clone(dealings)
	spoiled[0], spoiled[2] = dealings[1], Dealing{}
	blames(t, "dealings", second(r.Group(spoiled)), ErrShare, 0, 3)
	parts := slices.Clone(subs[1])
	parts[1], parts[2] = newKey(t), nil
	blames(t, "sub-shares", second(r.Share(1, dealings, parts)), ErrShare, 1, 3)
	blames(t, "sub-shares of another", second(r.Share(0, dealings, subs[1])), ErrShare, 0, 1, 3)
	// Two dealers make changes that cancel in the sum.
	d, err := ParseDealing(dealings[0].Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var g curve.Point
	d.c[0].Add(&d.c[0], g.SetGenerator())
	e, err := ParseDealing(dealings[1].Bytes())
	if err != nil {
		t.Fatal(err)
	}
	e.c[0].Sub(&e.c[0], &g)
	blames(t, "dealings that cancel", second(r.Group([]Dealing{d, e, dealings[2]})), ErrShare, 0, 1)
	// Signer 1 gives participant 1 the sub-share 0, and signer 0 chooses a sub-share so that the sum is 0. Then signer
	// 0 does so after seeing two good dealings, without knowing the sub-share.
	zero := canceled(dealings[1])
	sum, chosen := canceled(dealings[0], dealings[2]), canceled(dealings[0], dealings[1:]...)
	blames(t, "a sub-share of 0", second(r.Group([]Dealing{sum, zero, dealings[2]})), p256k1.ErrInfinity, 1)
	all := []Dealing{chosen, dealings[1], dealings[2]}
	blames(t, "a chosen dealing", second(r.Group(all)), p256k1.ErrInfinity, 0, 1, 3)
	blames(t, "a chosen dealing, by its sub-share", second(r.Share(1, all, subs[1])), ErrShare, 0)
	// Both signers of a resharing know all sub-shares, and choose them so that those for participant 0 have the sum 0.
	_, group, shares = deal(t, 2, 2)
	r, dealings, subs = reshare(t, group, shares, 2, 2, 0, 1)
	var c [2]curve.Scalar // the polynomial of signer 1: f(1) = c₀ + c₁ is minus the sub-share of signer 0
	scalar := must(shares[1].key.Scalar())
	c[0].Mul(scalar, &r.old.lambda[1])
	c[1].Add(must(subs[0][0].Scalar()), &c[0])
	c[1].Negate(&c[1])
	curve.ScalarBaseMultBatch(dealings[1].c, c[:])
	blames(t, "sub-shares with the sum 0", second(r.Share(0, dealings, []*p256k1.PrivateKey{subs[0][0], subs[0][0].Negate()})), p256k1.ErrInfinity, 0, 1)
	for what, err := range map[string]error{
		"another's share": third(r.Deal(&Share{id: 2, key: shares[1].key})),
		"34 bytes":        second(ParseDealing(make([]byte, 34))),
		"zeros":           second(ParseDealing(make([]byte, 33))),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// canceled returns the dealing d with another coefficient of x, so that the sub-shares of d and of the other dealings
// for participant 1, whose place is x = 2, have the sum 0.
func canceled(d Dealing, others ...Dealing) Dealing {
	var half curve.Scalar
	half.Invert(half.SetUint64(2))
	all := shamir.EvaluatePoints(d.c, 1)
	for _, other := range others {
		all.Add(all, shamir.EvaluatePoints(other.c, 1))
	}
	d.c = slices.Clone(d.c)
	d.c[1].Sub(&d.c[1], all.ScalarMult(&half, all))
	return d
}

// blames fails the test unless err is the error is, and names exactly the participants with the numbers want.
func blames(t *testing.T, what string, err, is error, want ...uint32) {
	t.Helper()
	var blame *protocols.BlameError
	if !errors.As(err, &blame) || !slices.Equal(blame.Participants, want) || !errors.Is(err, is) {
		t.Errorf("%s: %v, want %v and blame for %v", what, err, is, want)
	}
}

// TestMany reshares a key from 70 participants to 80, and repairs a share with 70 helpers.
func TestMany(t *testing.T) {
	key, group, shares := deal(t, 70, 75)
	r, dealings, subs := reshare(t, group, shares, 40, 80, all(75)[5:]...)
	next, err := r.Group(dealings)
	if err != nil || !next.PublicKey().Equal(key.PublicKey()) {
		t.Fatal(err)
	}
	if share, err := r.Share(79, dealings, subs[79]); err != nil || !next.Has(share) {
		t.Error(err)
	}
	spoiled := slices.Clone(dealings)
	spoiled[66] = dealings[0]
	blames(t, "dealings", second(r.Group(spoiled)), ErrShare, 5+66)
	subs[79][67] = subs[79][0]
	blames(t, "sub-shares", second(r.Share(79, dealings, subs[79])), ErrShare, 5+67)

	repair := must(NewRepair(group, all(70), 74))
	sent := make([][]*p256k1.PrivateKey, 70)
	for id := range sent {
		for j, part := range must(repair.Split(shares[id])) {
			sent[j] = append(sent[j], part)
		}
	}
	var sums []*p256k1.PrivateKey
	for _, parts := range sent {
		sums = append(sums, must(repair.Add(parts)))
	}
	if share, err := repair.Share(sums); err != nil || !share.Key().Equal(shares[74].Key()) {
		t.Error(err)
	}
}

// TestRepair restores each share with two helpers and with all three helpers. A restored share is of its group, and not
// of another sharing of the key.
func TestRepair(t *testing.T) {
	key, group, shares := deal(t, 2, 4)
	sharing, _, err := Deal(key, 2, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	other := libtest.Must(sharing.Signers(0, 1, 2, 3))
	for lost := range uint32(4) {
		for _, helpers := range [][]uint32{{(lost + 1) % 4, (lost + 3) % 4}, {(lost + 2) % 4, (lost + 1) % 4, (lost + 3) % 4}} {
			r, err := NewRepair(group, helpers, lost)
			if err != nil {
				t.Fatal(err)
			}
			sent := make([][]*p256k1.PrivateKey, len(helpers))
			for _, id := range helpers {
				parts, err := r.Split(shares[id])
				if err != nil {
					t.Fatal(err)
				}
				for j, part := range parts {
					sent[j] = append(sent[j], part)
				}
			}
			var sums []*p256k1.PrivateKey
			for _, parts := range sent {
				sum, err := r.Add(parts)
				if err != nil {
					t.Fatal(err)
				}
				sums = append(sums, sum)
			}
			if share, err := r.Share(sums); err != nil || share.ID() != lost || !share.Key().Equal(shares[lost].Key()) {
				t.Errorf("share %d by %v: %v", lost, helpers, err)
			} else if _, _, err := NewNonce(share, other, nil); !errors.Is(err, ErrReshared) {
				t.Errorf("share %d by %v in another sharing: %v", lost, helpers, err)
			}
			sums[0] = newKey(t)
			if _, err := r.Share(sums); !errors.Is(err, ErrShare) {
				t.Errorf("a wrong sum: %v", err)
			}
			sums[0], sums[1] = nil, new(p256k1.PrivateKey)
			_, err = r.Add(sums)
			blames(t, "two sums are none", err, p256k1.ErrNoKey, helpers[:2]...)
			if _, err := r.Split(shares[lost]); !errors.Is(err, ErrShare) {
				t.Errorf("the lost share splits: %v", err)
			}
		}
	}
	for _, helpers := range [][]uint32{{1}, {1, 1}, {1, 4}, {0, 1}, nil} {
		if _, err := NewRepair(group, helpers, 0); !errors.Is(err, ErrSigners) {
			t.Errorf("helpers %v: %v", helpers, err)
		}
	}
}
