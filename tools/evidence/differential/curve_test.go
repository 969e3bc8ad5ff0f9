package differential

import (
	"bytes"
	"math/big"
	"slices"
	"testing"

	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/verify"
)

// coincide is the kind of pairs of points that are equal or opposite.
const coincide = kind("P = ±Q")

func TestPointArithmetic(t *testing.T) {
	differential(t, func(r *run) {
		op, oq := r.pointPair()
		p, theirP := r.points(op)
		q, theirQ := r.points(oq)
		pb, qb := op.Uncompressed(), oq.Uncompressed()
		if op.Equal(oq) || op.Equal(oq.Neg()) {
			r.kind(coincide)
		}

		// The receiver may be any of the arguments, or hold something else.
		receiver := func(a, b *curve.Point) (v, x, y *curve.Point) {
			x, y = new(curve.Point).Set(a), new(curve.Point).Set(b)
			return pick(r, x, y, new(curve.Point).SetGenerator()), x, y
		}
		// A result is compared with the sum of up to two points.
		same := func(v *curve.Point, a, b oracle.Point, theirA, theirB *secp.JacobianPoint, what string) {
			if r.secp() != nil {
				r.sameSum(v, [][]byte{a.Uncompressed(), b.Uncompressed()}, "P = %x, Q = %x: %s", pb, qb, what)
			}
			if r.slow() {
				var sum secp.JacobianPoint
				secp.AddNonConst(theirA, theirB, &sum)
				r.samePoint(v, &sum, "P = %x, Q = %x: %s", pb, qb, what)
			}
		}
		var none oracle.Point
		var theirNone secp.JacobianPoint
		minus, theirMinus := oq.Neg(), *theirQ
		theirMinus.Y.Normalize().Negate(1).Normalize()
		v, x, y := receiver(p, q)
		same(v.Add(x, y), op, oq, theirP, theirQ, "P + Q")
		v, x, y = receiver(p, q)
		same(v.Sub(x, y), op, minus, theirP, &theirMinus, "P − Q")
		v, x, _ = receiver(p, q)
		same(v.Double(x), op, op, theirP, theirP, "2P")
		v, _, y = receiver(p, q)
		same(v.Negate(y), minus, none, &theirMinus, &theirNone, "−Q")
		if v, _, y = receiver(p, q); r.IntN(2) == 0 {
			same(v.CondNegate(y, 1), minus, none, &theirMinus, &theirNone, "CondNegate Q, 1")
		} else {
			same(v.CondNegate(y, 0), oq, none, theirQ, &theirNone, "CondNegate Q, 0")
		}
		if v, x, y = receiver(p, q); r.IntN(2) == 0 {
			same(v.Select(x, y, 1), op, none, theirP, &theirNone, "Select P, Q, 1")
		} else {
			same(v.Select(x, y, 0), oq, none, theirQ, &theirNone, "Select P, Q, 0")
		}

		if p.Equal(q) == 1 != op.Equal(oq) {
			r.errorf("%x = %x: %d", pb, qb, p.Equal(q))
		}
		if p.IsInfinity() == 1 != op.IsInfinity() {
			r.errorf("%x is infinity: %d", pb, p.IsInfinity())
		}
		odd := 0
		if len(pb) == 65 {
			odd = int(pb[64] & 1)
		}
		// Reading changes nothing, normalized or not.
		for range 2 {
			if p.IsYOdd() != odd || !bytes.Equal(p.BytesUncompressed(), pb) || !bytes.Equal(p.Bytes(), op.Compressed()) {
				r.errorf("%x encodes as %x, %x, odd %d", pb, p.BytesUncompressed(), p.Bytes(), p.IsYOdd())
			}
			pick(r, (*curve.Point).Normalize, (*curve.Point).NormalizeVartime)(p)
		}
	}, coincide)
}

// sameSum makes sure that p is the sum that libsecp256k1 makes of encoded points. It has no infinity, not even as the sum of
// nothing.
func (r *run) sameSum(p *curve.Point, list [][]byte, format string, args ...any) {
	want := []byte{0}
	list = slices.DeleteFunc(list, func(b []byte) bool { return len(b) == 1 })
	if sum, ok := r.secp().PubkeyCombine(list...); ok {
		want = sum[:]
	}
	if !bytes.Equal(p.Bytes(), want) {
		r.errorf(format+": %x, libsecp256k1 %x", append(args, p.Bytes(), want)...)
	}
}

// multiple returns k·p as libsecp256k1 has it, encoded, or nothing if it is infinity.
func (r *run) multiple(k *big.Int, p oracle.Point) [][]byte {
	b := oracle.Bytes(k)
	if k.Sign() == 0 || p.IsInfinity() {
		return nil
	}
	product, ok := r.secp().PubkeyTweakMul(p.Uncompressed(), &b)
	if !ok {
		r.errorf("libsecp256k1: %x · %x is refused", b, p.Compressed())
		return nil
	}
	return [][]byte{product[:]}
}

func TestScalarMultiplication(t *testing.T) {
	differential(t, func(r *run) {
		ok, og := r.Scalar(), r.Scalar()
		op := r.point()
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

		receiver := func() (v, x *curve.Point) {
			x = new(curve.Point).Set(p)
			return pick(r, x, new(curve.Point).SetGenerator()), x
		}
		v, x := receiver()
		product := new(curve.Point).Set(v.ScalarMult(k, x))
		v, _ = receiver()
		base := new(curve.Point).Set(v.ScalarBaseMult(g))
		v, x = receiver()
		v.DoubleScalarBaseMultVartime(k, x, g)
		if r.secp() != nil {
			products := r.multiple(ok, op)
			r.sameSum(product, products, "%x · %x", k.Bytes(), pb)
			// The product with G is compared here sometimes, being what a key is derived with.
			baseProduct := [][]byte{base.BytesUncompressed()}
			if r.IntN(4) == 0 {
				baseProduct = r.multiple(og, oracle.G)
				r.sameSum(base, baseProduct, "%x · G", g.Bytes())
			}
			r.sameSum(v, append(products, baseProduct...), "%x · %x + %x · G", k.Bytes(), pb, g.Bytes())
		}
		if r.slow() {
			var theirProduct, theirBase, theirSum secp.JacobianPoint
			secp.ScalarMultNonConst(theirK, theirP, &theirProduct)
			secp.ScalarBaseMultNonConst(theirG, &theirBase)
			secp.AddNonConst(&theirProduct, &theirBase, &theirSum)
			r.samePoint(product, &theirProduct, "%x · %x", k.Bytes(), pb)
			r.samePoint(base, &theirBase, "%x · G", g.Bytes())
			r.samePoint(v, &theirSum, "%x · %x + %x · G", k.Bytes(), pb, g.Bytes())
		}

		// The end of an ECDSA verification, with an r that is right or wrong.
		rb, b := oracle.Bytes(r.Scalar()), v.BytesUncompressed()
		if len(b) == 65 && r.IntN(2) == 0 {
			rb = [32]byte(b[1:33])
		}
		rx := oracle.Fn.Reduce(oracle.Int(rb[:]))
		want := len(b) == 65 && oracle.Fn.Reduce(oracle.Int(b[1:33])).Cmp(rx) == 0
		if verify.XModNVartime(k, p, g, new(curve.Scalar).SetBytesReduced(&rb)) != want {
			r.errorf("the x of %x · %x + %x · G is %x mod n: %v", k.Bytes(), pb, g.Bytes(), rx, !want)
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
		var products [][]byte
		lastK, lastP := r.Scalar(), r.point()
		for i := range n {
			ok, op := r.Scalar(), r.point()
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
			if r.secp() != nil {
				products = append(products, r.multiple(ok, op)...)
			}
			if r.slow() {
				var product, sum secp.JacobianPoint
				secp.ScalarMultNonConst(theirK, theirP, &product)
				secp.AddNonConst(&want, &product, &sum)
				want = sum
			}
		}
		v := new(curve.Point).SetGenerator()
		if n > 0 && r.IntN(2) == 0 {
			v = ps[r.IntN(n)]
		}
		v.MultiScalarMultVartime(ks, ps)
		if r.secp() != nil {
			r.sameSum(v, products, "the sum of %d terms %x", n, text)
		}
		if r.slow() {
			r.samePoint(v, &want, "the sum of %d terms %x", n, text)
		}
	})
}

func TestScalarArithmetic(t *testing.T) {
	differential(t, func(r *run) {
		r.all()
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
		r.sameScalar(v.Sub(x, y), &difference, "%x − %x", oa, ob)
		v, x, y = receiver()
		r.sameScalar(v.Mul(x, y), &product, "%x · %x", oa, ob)
		v, _, y = receiver()
		r.sameScalar(v.Negate(y), &minus, "−%x", ob)
		v, x, _ = receiver()
		r.sameScalar(v.Invert(x), &inverse, "1/%x", oa)
		v, x, _ = receiver()
		r.sameScalar(v.InvertVartime(x), &inverse, "1/%x, Vartime", oa)
		v, x, _ = receiver()
		r.sameScalar(v.Mul(x, x), new(secp.ModNScalar).SquareVal(theirA), "%x²", oa)
		if c := r.secp(); c != nil && oa.Sign() != 0 {
			// Libsecp256k1 has no zero: it refuses what it is a part of, or a result.
			ab, bb := oracle.Bytes(oa), oracle.Bytes(ob)
			theirSum, _ := c.SeckeyTweakAdd(&ab, &bb)
			theirProduct, _ := c.SeckeyTweakMul(&ab, &bb)
			if v, x, y = receiver(); !bytes.Equal(v.Add(x, y).Bytes(), theirSum[:]) {
				r.errorf("%x + %x: %x, libsecp256k1 %x", oa, ob, v.Bytes(), theirSum)
			}
			if v, x, y = receiver(); !bytes.Equal(v.Mul(x, y).Bytes(), theirProduct[:]) {
				r.errorf("%x · %x: %x, libsecp256k1 %x", oa, ob, v.Bytes(), theirProduct)
			}
		}
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
		r.verdict(err == nil, accepted, refused)
		if err == nil {
			r.sameScalar(v, &theirs, "SetBytes of %x", raw)
		}
	}, accepted, refused)
}

func TestScalarComparison(t *testing.T) {
	differential(t, func(r *run) {
		r.all()
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
		r.verdict(theirA.Equals(theirB), "equal", "different")
		if a.IsZero() == 1 != theirA.IsZero() {
			r.errorf("%x is zero: %d", oa, a.IsZero())
		}
		if a.IsHigh() == 1 != theirA.IsOverHalfOrder() {
			r.errorf("%x is high: %d", oa, a.IsHigh())
		}
		if a.Equal(b) == 1 != theirA.Equals(theirB) || b.Equal(a) == 1 != theirA.Equals(theirB) {
			r.errorf("%x = %x: %d, %x = %x: %d", oa, ob, a.Equal(b), ob, oa, b.Equal(a))
		}
	}, kind("equal"), kind("different"))
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
