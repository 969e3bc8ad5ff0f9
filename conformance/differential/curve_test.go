package differential

import (
	"bytes"
	"math/big"
	"testing"

	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev/curve"
	"p256k1.mleku.dev/internal/oracle"
)

func TestPointArithmetic(t *testing.T) {
	differential(t, func(r *run) {
		op, oq := r.PointPair()
		p, theirP := r.points(op)
		q, theirQ := r.points(oq)
		pb, qb := op.Uncompressed(), oq.Uncompressed()
		var sum, double, minus, difference secp.JacobianPoint
		secp.AddNonConst(theirP, theirQ, &sum)
		secp.DoubleNonConst(theirP, &double)
		minus.Set(theirQ)
		minus.Y.Normalize().Negate(1).Normalize()
		secp.AddNonConst(theirP, &minus, &difference)
		if op.Equal(oq) || op.Equal(oq.Neg()) {
			r.kind("P = ±Q")
		}

		// The receiver may be any of the arguments, or hold something else.
		receiver := func(a, b *curve.Point) (v, x, y *curve.Point) {
			x, y = new(curve.Point).Set(a), new(curve.Point).Set(b)
			return pick(r, x, y, new(curve.Point).SetGenerator()), x, y
		}
		v, x, y := receiver(p, q)
		r.samePoint(v.Add(x, y), &sum, "%x + %x", pb, qb)
		v, x, y = receiver(p, q)
		r.samePoint(v.Subtract(x, y), &difference, "%x − %x", pb, qb)
		v, x, _ = receiver(p, q)
		r.samePoint(v.Double(x), &double, "2 · %x", pb)
		v, _, y = receiver(p, q)
		r.samePoint(v.Negate(y), &minus, "−%x", qb)
		cond := r.IntN(2)
		want := theirQ
		if cond == 1 {
			want = &minus
		}
		v, _, y = receiver(p, q)
		r.samePoint(v.CondNegate(y, cond), want, "CondNegate %x, %d", qb, cond)
		if want = theirQ; cond == 1 {
			want = theirP
		}
		v, x, y = receiver(p, q)
		r.samePoint(v.Select(x, y, cond), want, "Select %x, %x, %d", pb, qb, cond)

		if p.Equal(q) == 1 != theirP.EquivalentNonConst(theirQ) {
			r.errorf("%x = %x: %d", pb, qb, p.Equal(q))
		}
		if p.IsInfinity() == 1 != op.IsInfinity() {
			r.errorf("%x is infinity: %d", pb, p.IsInfinity())
		}
		encoded, odd := encodeJacobian(theirP), 0
		if len(encoded) == 65 {
			odd = int(encoded[64] & 1)
		}
		// Reading changes nothing, normalized or not.
		for range 2 {
			if p.IsYOdd() != odd || !bytes.Equal(p.BytesUncompressed(), encoded) || !bytes.Equal(p.Bytes(), op.Compressed()) {
				r.errorf("%x encodes as %x, %x, odd %d", pb, p.BytesUncompressed(), p.Bytes(), p.IsYOdd())
			}
			pick(r, (*curve.Point).Normalize, (*curve.Point).NormalizeVartime)(p)
		}
	}, "P = ±Q")
}

func TestScalarMultiplication(t *testing.T) {
	differential(t, func(r *run) {
		ok, og := r.Scalar(), r.Scalar()
		op := r.Point()
		switch r.IntN(16) {
		case 0:
			op = oracle.Point{}
		case 1:
			op = oracle.G
		case 2: // the sum of both products is infinity, if P is ±G
			op, og = oracle.G, oracle.Fn.Neg(ok)
		case 3:
			op, og = oracle.G.Neg(), ok
		}
		k, theirK := scalars(ok)
		g, theirG := scalars(og)
		p, theirP := r.points(op)
		pb := op.Uncompressed()
		var product, base, sum secp.JacobianPoint
		secp.ScalarMultNonConst(theirK, theirP, &product)
		secp.ScalarBaseMultNonConst(theirG, &base)
		secp.AddNonConst(&product, &base, &sum)

		receiver := func() (v, x *curve.Point) {
			x = new(curve.Point).Set(p)
			return pick(r, x, new(curve.Point).SetGenerator()), x
		}
		v, x := receiver()
		r.samePoint(v.ScalarMult(k, x), &product, "%x · %x", k.Bytes(), pb)
		v, _ = receiver()
		r.samePoint(v.ScalarBaseMult(g), &base, "%x · G", g.Bytes())
		v, x = receiver()
		r.samePoint(v.DoubleScalarBaseMultVartime(k, x, g), &sum, "%x · %x + %x · G", k.Bytes(), pb, g.Bytes())

		// The end of an ECDSA verification, with an r that is right or wrong.
		rb := oracle.Bytes(r.Scalar())
		if b := encodeJacobian(&sum); len(b) == 65 && r.IntN(2) == 0 {
			rb = [32]byte(b[1:33])
		}
		rx := new(curve.Scalar).SetBytesReduced(&rb)
		want := false
		if b := encodeJacobian(&sum); len(b) == 65 {
			want = bytes.Equal(new(curve.Scalar).SetBytesReduced((*[32]byte)(b[1:33])).Bytes(), rx.Bytes())
		}
		if v.EqualXModNVartime(rx) != want {
			r.errorf("the x of %x · %x + %x · G is %x mod n: %v", k.Bytes(), pb, g.Bytes(), rx.Bytes(), !want)
		}
	})
}

func TestMultiScalarMultiplication(t *testing.T) {
	differential(t, func(r *run) {
		// The library works on groups of 32 terms.
		n := r.IntN(4)
		if r.IntN(256) == 0 {
			n = 31 + r.IntN(4)
		}
		ks, ps := make([]*curve.Scalar, n), make([]*curve.Point, n)
		var want secp.JacobianPoint
		var text []byte
		add := func(k *secp.ModNScalar, p *secp.JacobianPoint) {
			var product, sum secp.JacobianPoint
			secp.ScalarMultNonConst(k, p, &product)
			secp.AddNonConst(&want, &product, &sum)
			want = sum
		}
		var lastK, lastP = r.Scalar(), r.Point()
		for i := range n {
			ok, op := r.Scalar(), r.Point()
			switch r.IntN(8) {
			case 0: // cancels the term before it, or doubles it
				ok, op = lastK, pick(r, lastP, lastP.Neg())
			case 1:
				op = pick(r, lastP, lastP.Endo(), lastP.Endo().Neg(), oracle.Point{})
			}
			lastK, lastP = ok, op
			k, theirK := scalars(ok)
			p, theirP := r.points(op)
			ks[i], ps[i] = k, p
			text = append(append(text, k.Bytes()...), op.Uncompressed()...)
			add(theirK, theirP)
		}
		v := new(curve.Point).SetGenerator()
		if n > 0 && r.IntN(2) == 0 {
			v = ps[r.IntN(n)]
		}
		r.samePoint(v.MultiScalarMultVartime(ks, ps), &want, "the sum of %d terms %x", n, text)
	})
}

func TestScalarArithmetic(t *testing.T) {
	differential(t, func(r *run) {
		oa, ob := r.Scalar(), r.Scalar()
		switch r.IntN(8) {
		case 0:
			ob = oa
		case 1:
			ob = oracle.Fn.Neg(oa)
		case 2, 3:
			oa, ob = r.SmallProduct(oracle.Fn)
		}
		a, theirA := scalars(oa)
		b, theirB := scalars(ob)
		var sum, product, minus, difference, inverse secp.ModNScalar
		sum.Add2(theirA, theirB)
		product.Mul2(theirA, theirB)
		minus.NegateVal(theirB)
		difference.Add2(theirA, &minus)
		inverse.InverseValNonConst(theirA)

		receiver := func() (v, x, y *curve.Scalar) {
			x, y = new(curve.Scalar).Set(a), new(curve.Scalar).Set(b)
			return pick(r, x, y, new(curve.Scalar).SetUint64(r.Uint64())), x, y
		}
		v, x, y := receiver()
		r.sameScalar(v.Add(x, y), &sum, "%x + %x", oa, ob)
		v, x, y = receiver()
		r.sameScalar(v.Subtract(x, y), &difference, "%x − %x", oa, ob)
		v, x, y = receiver()
		r.sameScalar(v.Multiply(x, y), &product, "%x · %x", oa, ob)
		v, _, y = receiver()
		r.sameScalar(v.Negate(y), &minus, "−%x", ob)
		v, x, _ = receiver()
		r.sameScalar(v.Invert(x), &inverse, "1/%x", oa)
		v, x, _ = receiver()
		r.sameScalar(v.InvertVartime(x), &inverse, "1/%x, Vartime", oa)
		v, x, _ = receiver()
		r.sameScalar(v.Multiply(x, x), new(secp.ModNScalar).SquareVal(theirA), "%x²", oa)
		cond := r.IntN(2)
		want := theirB
		if cond == 1 {
			want = &minus
		}
		v, _, y = receiver()
		r.sameScalar(v.CondNegate(y, cond), want, "CondNegate %x, %d", ob, cond)
		if want = theirB; cond == 1 {
			want = theirA
		}
		v, x, y = receiver()
		r.sameScalar(v.Select(x, y, cond), want, "Select %x, %x, %d", oa, ob, cond)

		// Bytes that need not be below n.
		raw := r.ScalarBytes()
		var theirs secp.ModNScalar
		overflow := theirs.SetBytes(&raw) != 0
		r.sameScalar(v.SetBytesReduced(&raw), &theirs, "SetBytesReduced of %x", raw)
		before := v.Bytes()
		s, err := v.SetBytes(raw[:])
		if (err == nil) == overflow || err == nil && s != v || err != nil && !bytes.Equal(v.Bytes(), before) {
			r.errorf("SetBytes of %x: %v, decred overflows: %v", raw, err, overflow)
		}
		r.verdict(err == nil)
		if err == nil {
			r.sameScalar(v, &theirs, "SetBytes of %x", raw)
		}
	}, "accepted", "refused")
}

func TestScalarComparison(t *testing.T) {
	differential(t, func(r *run) {
		oa, ob := r.Scalar(), r.Scalar()
		if r.IntN(8) == 0 { // around (n−1)/2
			oa = new(big.Int).Add(oracle.HalfN, big.NewInt(r.Int64N(5)-2))
		}
		switch r.IntN(8) {
		case 0, 1:
			ob = oa
		case 2:
			ob = oracle.Fn.Neg(oa)
		case 3, 4: // they differ in some limbs
			la, lb := oracle.Limbs(oa), oracle.Limbs(ob)
			for i := range la {
				if r.IntN(2) == 0 {
					lb[i] = la[i]
				}
			}
			ob = oracle.Fn.Reduce(oracle.FromLimbs(lb))
		case 5: // in one bit
			ob = oracle.Fn.Reduce(new(big.Int).Xor(oa, new(big.Int).Lsh(big.NewInt(1), uint(r.IntN(256)))))
		}
		a, theirA := scalars(oa)
		b, theirB := scalars(ob)
		if theirA.Equals(theirB) {
			r.kind("equal")
		} else {
			r.kind("different")
		}
		if a.IsZero() == 1 != theirA.IsZero() {
			r.errorf("%x is zero: %d", oa, a.IsZero())
		}
		if a.IsHigh() == 1 != theirA.IsOverHalfOrder() {
			r.errorf("%x is high: %d", oa, a.IsHigh())
		}
		if a.Equal(b) == 1 != theirA.Equals(theirB) || b.Equal(a) == 1 != theirA.Equals(theirB) {
			r.errorf("%x = %x: %d, %x = %x: %d", oa, ob, a.Equal(b), ob, oa, b.Equal(a))
		}
	}, "equal", "different")
}

// TestScalarEqualEdges compares every edge case with every other, as scalars and as private keys.
func TestScalarEqualEdges(t *testing.T) {
	var values []*big.Int
	seen := map[string]bool{}
	for _, b := range oracle.ScalarEdges() {
		v := oracle.Fn.Reduce(oracle.Int(b[:]))
		if !seen[v.String()] {
			seen[v.String()] = true
			values = append(values, v)
		}
	}
	wrong, pairs := 0, 0
	for i, va := range values {
		a, theirA := scalars(va)
		for j, vb := range values {
			b, theirB := scalars(vb)
			pairs++
			if a.Equal(b) == 1 != theirA.Equals(theirB) || theirA.Equals(theirB) != (i == j) {
				if wrong++; wrong <= 5 {
					t.Errorf("%x = %x: %d", va, vb, a.Equal(b))
				}
			}
		}
	}
	t.Logf("%d pairs, %d wrong", pairs, wrong)

	// The smallest case of what was wrong once: keys that have their highest limb in common, all ones.
	one, two := new(big.Int).Sub(oracle.N, big.NewInt(1)), new(big.Int).Sub(oracle.N, big.NewInt(2))
	r := &run{t: t}
	keyOne, _ := r.keys(one)
	keyTwo, _ := r.keys(two)
	if keyOne.Equal(keyTwo) || keyTwo.Equal(keyOne) || !keyOne.Equal(keyOne) {
		t.Errorf("private key %x equals %x: %v, %v", one, two, keyOne.Equal(keyTwo), keyTwo.Equal(keyOne))
	}
}
