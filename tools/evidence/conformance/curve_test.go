package conformance

import (
	"fmt"
	"math/big"
	"testing"

	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// coincide is the kind of pairs of points that are equal or opposite.
const coincide = kind("P = ±Q")

func TestPointArithmetic(t *testing.T) {
	differential(t, func(r *run) {
		op, oq := r.PointPair()
		p, q := r.projective(op), r.projective(oq)
		pb, qb := op.Uncompressed(), oq.Uncompressed()
		r.addIf(op.Equal(oq) || op.Equal(oq.Neg()), coincide)
		r.given("P = %x, Q = %x", pb, qb)

		cond := r.IntN(2)
		type P = curve.Point
		negated, selected := choose(cond == 1, oq.Neg(), oq), choose(cond == 1, op, oq)
		for _, o := range []struct {
			name string
			do   func(v, x, y *P) *P
			want []term
		}{
			{"P + Q", (*P).Add, []term{{one, op}, {one, oq}}},
			{"P − Q", (*P).Sub, []term{{one, op}, {one, oq.Neg()}}},
			{"2P", func(v, x, _ *P) *P { return v.Double(x) }, []term{{one, op}, {one, op}}},
			{"−Q", func(v, _, y *P) *P { return v.Negate(y) }, []term{{one, oq.Neg()}}},
			{"CondNegate Q", func(v, _, y *P) *P { return v.CondNegate(y, cond) }, []term{{one, negated}}},
			{"Select P, Q", func(v, x, y *P) *P { return v.Select(x, y, cond) }, []term{{one, selected}}},
		} {
			v, x, y := receiver(r, p, q)
			r.sameSum(o.name, o.do(v, x, y), o.want...)
		}

		r.same("P = Q", p.Equal(q) == 1, op.Equal(oq))
		r.same("P is infinity", p.IsInfinity() == 1, op.IsInfinity())
		odd := int(pb[len(pb)-1] & 1) // infinity, which is one byte, has even y
		// Methods that read a point must not change it, whether it is normalized or not.
		for range 2 {
			r.same("P is odd", p.IsYOdd(), odd)
			r.same("P", p.BytesUncompressed(), pb)
			r.same("P, compressed", p, op.Compressed())
			pick(r, (*curve.Point).Normalize, (*curve.Point).NormalizeVartime)(p)
		}
	}, coincide)
}

// receiver returns copies of two arguments, and a receiver that is one of the copies or holds another value.
func receiver(r *run, a, b *curve.Point) (v, x, y *curve.Point) {
	x, y = new(curve.Point).Set(a), new(curve.Point).Set(b)
	return pick(r, x, y, new(curve.Point).SetGenerator()), x, y
}

// A term of a sum is a multiple of a point, which may be infinity.
type term struct {
	k *big.Int
	p oracle.Point
}

var one = big.NewInt(1)

// sameSum checks, with libsecp256k1 and with decred, that ours is the sum of the terms.
func (r *run) sameSum(what string, ours *curve.Point, terms ...term) {
	if c := r.secp(); c != nil {
		// libsecp256k1 cannot represent infinity, and refuses an empty sum.
		var products [][]byte
		for _, t := range terms {
			if t.k.Sign() == 0 || t.p.IsInfinity() {
				continue
			}
			product := t.p.Uncompressed()
			if t.k.Cmp(one) != 0 {
				b := oracle.Bytes(t.k)
				encoded, ok := c.PubkeyTweakMul(product, &b)
				r.is(ok, "libsecp256k1 multiplies %x by %x", product, b)
				product = encoded[:]
			}
			products = append(products, product)
		}
		want := []byte{0}
		if sum, ok := c.PubkeyCombine(products...); ok {
			want = sum[:]
		}
		r.same(what+", libsecp256k1", ours, want)
	}
	if r.slow() {
		var want secp.JacobianPoint
		for _, t := range terms {
			var product, sum secp.JacobianPoint
			if !t.p.IsInfinity() {
				must(secp.ParsePubKey(t.p.Uncompressed())).AsJacobian(&product)
			}
			switch _, k := scalars(t.k); {
			case t.k.Cmp(one) == 0:
			case t.p.Equal(oracle.G):
				secp.ScalarBaseMultNonConst(k, &product)
			default:
				p := product
				secp.ScalarMultNonConst(k, &p, &product)
			}
			secp.AddNonConst(&want, &product, &sum)
			want = sum
		}
		r.same(what+", decred", ours.BytesUncompressed(), encodeJacobian(&want))
	}
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
		k, _ := scalars(ok)
		g, _ := scalars(og)
		p := r.projective(op)
		r.given("k = %x, P = %x, g = %x", k.Bytes(), op.Uncompressed(), g.Bytes())

		v, x, _ := receiver(r, p, p)
		r.sameSum("k · P", v.ScalarMult(k, x), term{ok, op})
		v, _, _ = receiver(r, p, p)
		r.sameSum("g · G", v.ScalarBaseMult(g), term{og, oracle.G})
		v, x, _ = receiver(r, p, p)
		r.sameSum("k · P + g · G", v.DoubleScalarBaseMultVartime(k, x, g), term{ok, op}, term{og, oracle.G})

		// XModNVartime is the last step of an ECDSA verification. The value r that it compares with is sometimes wrong.
		rb, b := oracle.Bytes(r.Scalar()), v.BytesUncompressed()
		if len(b) == 65 && r.IntN(2) == 0 {
			rb = [32]byte(b[1:33])
		}
		rx := oracle.Fn.Reduce(oracle.Int(rb[:]))
		want := len(b) == 65 && oracle.Fn.Reduce(oracle.Int(b[1:33])).Cmp(rx) == 0
		r.same(fmt.Sprintf("x of k · P + g · G is %x mod n", rx), verify.XModNVartime(k, p, g, new(curve.Scalar).SetBytesReduced(&rb)), want)
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
		terms := make([]term, n)
		var text []byte
		last := term{r.Scalar(), pick(r, r.Point(), oracle.G)}
		for i := range n {
			next := term{r.Scalar(), r.Point()}
			switch r.IntN(8) {
			case 0: // cancels the term before it, or doubles it
				next = term{last.k, pick(r, last.p, last.p.Neg())}
			case 1:
				next.p = pick(r, last.p, last.p.Endo(), last.p.Endo().Neg(), oracle.Point{}, oracle.G)
			}
			terms[i], last = next, next
			ks[i], _ = scalars(next.k)
			ps[i] = r.projective(next.p)
			text = fmt.Appendf(text, "%x · %x + ", next.k, next.p.Uncompressed())
		}
		v := new(curve.Point).SetGenerator()
		if n > 0 && r.IntN(2) == 0 {
			v = ps[r.IntN(n)]
		}
		v.MultiScalarMultVartime(ks, ps)
		r.given("%s…", text)
		r.sameSum("sum", v, terms...)
	})
}
