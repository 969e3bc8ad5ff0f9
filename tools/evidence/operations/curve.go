package operations

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/hmacsha256"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/rfc6979"
	"p256k1.mleku.dev/v2/secret"
)

const (
	direct       = "SECURITY.md says that package curve leaves traces on the stack of its direct callers"
	publicPoints = "public scalars and points"
)

var scalars = []Op{
	onSecrets("curve.Scalar", 0,
		func(in *In, r Results) ([]Secret, bool) {
			d, e, n := in.d(), in.e(), oracle.Fn
			conditional, selected := d, e
			if d.Bit(0) == 1 {
				conditional, selected = n.Neg(d), d
			}
			high := byte(0)
			if d.Cmp(oracle.HalfN) > 0 {
				high = 1
			}
			small := make([]byte, 32)
			binary.BigEndian.PutUint64(small[24:], binary.LittleEndian.Uint64(in.Secret))
			return nil, r.is(number(d), number(d), number(n.Add(d, e)), number(n.Sub(d, e)), number(n.Mul(d, e)), number(n.Neg(d)), number(n.Inv(d)),
				number(conditional), number(selected), small, []byte{0}, []byte{0}, []byte{high}, make([]byte, 32), in.Secret, number(n.Reduce(in.t())),
				number(n.Reduce(oracle.Int(slices.Concat(in.Secret, in.Tweak)))), number(n.Reduce(oracle.Int(slices.Concat(in.Secret[:16], in.Tweak)))))
		}, func(in *In, out *Out) {
			k, l := in.K(), in.L()
			var s curve.Scalar
			out.Bytes(k.Bytes(), s.Set(k).Bytes(), s.Add(k, l).Bytes(), s.Sub(k, l).Bytes(), s.Mul(k, l).Bytes())
			out.Bytes(s.Negate(k).Bytes(), s.Invert(k).Bytes(), s.CondNegate(k, in.bit()).Bytes())
			out.Bytes(s.Select(k, l, in.bit()).Bytes())
			out.Some(s.SetUint64(binary.LittleEndian.Uint64(in.Secret)).Bytes(), 8)
			out.Bit(k.Equal(l), k.IsZero(), k.IsHigh())
			s.Zero()
			out.Some(s.Bytes(), 0)
			must(s.SetBytes(in.Secret))
			out.Bytes(s.Bytes(), s.SetBytesReduced((*[32]byte)(in.Tweak)).Bytes())
			var b [64]byte
			copy(b[:], in.Secret)
			copy(b[32:], in.Tweak)
			out.Bytes(must(s.SetUniformBytes(b[:])).Bytes())
			copy(b[16:], in.Secret[:16])
			out.Bytes(must(s.SetUniformBytes(b[16:])).Bytes())
		}).unsearched(direct),
	onPublic("curve.Scalar, public", Varies, publicPoints, func(in *In, out *Out) {
		var s, one curve.Scalar
		out.True(s.Mul(s.InvertVartime(in.K()), in.K()).Equal(one.SetUint64(1)) == 1)
		out.Values(s.InvertVartime(in.K()), s.SetWeight((*[16]byte)(in.Aux[:])))
		out.True(curve.Backend() != "")
		out.Refused(failure(s.SetBytes(in.Msg)))
		out.Refused(failure(s.SetUniformBytes(in.Secret)))
	}),
	onSecrets("rfc6979.Generator", 0,
		func(in *In, r Results) ([]Secret, bool) {
			for k := range oracle.NoncesRFC6979(in.d(), in.Digest, nil) {
				return nil, r.is(number(k))
			}
			return nil, false
		}, func(in *In, out *Out) {
			var g rfc6979.Generator
			var nonce [32]byte
			g.Init((*[32]byte)(in.Secret), (*[32]byte)(in.Digest), nil)
			for range 2 {
				check(g.Next(&nonce))
				out.Secret(nonce[:])
			}
			g.Zero()
		}).unsearched("its caller has to wipe the stack, as package ecdsa does"),
	onSecrets("hmacsha256.Sum", 0,
		gives(func(in *In) parts { return parts{hmacSHA256(in.Secret, in.Digest, in.Msg)} }), func(in *In, out *Out) {
			sum := hmacsha256.Sum(in.Secret, in.Digest, in.Msg)
			out.Secret(sum[:])
		}).unsearched("its caller has to wipe the stack, as package ecdh does"),
	onSecrets("secret", 2,
		func(in *In, r Results) ([]Secret, bool) {
			h := sha256.Sum256(in.Secret)
			return []Secret{opaque("hash of the key", h[:])}, r.is(h[:])
		}, func(in *In, out *Out) {
			sum, text := secret.New[[32]byte](), secret.Make[byte](32)
			secret.Do(func() { copy(text, in.Secret) })
			secret.Do(func() { *sum = sha256.Sum256(text) })
			out.hold()
			out.Secret(sum[:])
			secret.Zero(sum)
			clear(text)
		}),
}

var points = []Op{
	onSecrets("curve.Point", 0,
		func(in *In, r Results) ([]Secret, bool) {
			p := in.pub()
			q := p.Add(in.peer())
			conditional, selected := q, q
			if in.d().Bit(0) == 1 {
				conditional, selected = q.Neg(), p
			}
			return nil, r.is(q.Compressed(), p.Add(q).Compressed(), q.Double().Compressed(), p.Add(q.Neg()).Compressed(), q.Double().Compressed(),
				q.Neg().Compressed(), conditional.Compressed(), selected.Compressed(), q.Compressed(), q.Uncompressed(), number(q.X),
				[]byte{0}, []byte{0}, []byte{byte(q.Y.Bit(0))}, []byte{1}, q.Compressed(), q.Compressed(), number(q.X), append([]byte{2}, number(q.X)...),
				p.Compressed(), p.Compressed(), q.Mul(in.d()).Compressed())
		}, func(in *In, out *Out) {
			p, q := in.P(), in.Q()
			var r curve.Point
			out.Bytes(r.Set(q).Bytes(), r.Add(p, q).Bytes(), r.Add(q, q).Bytes(), r.Sub(p, q).Bytes())
			out.Bytes(r.Double(q).Bytes(), r.Negate(q).Bytes(), r.CondNegate(q, in.bit()).Bytes())
			out.Bytes(r.Select(p, q, in.bit()).Bytes(), r.Set(q).Normalize().Bytes())
			out.Some(r.BytesUncompressed(), 64)
			out.Bytes(must(r.BytesX()))
			out.Bit(p.Equal(q), q.IsInfinity(), q.IsYOdd())
			r.Zero()
			out.True(r.IsInfinity() == 1)
			must(r.SetBytes(in.Q().Bytes()))
			out.Bytes(r.Bytes())
			must(r.SetBytes(in.Q().BytesUncompressed()))
			out.Bytes(r.Bytes())
			x := must(r.BytesX())
			must(r.LiftX(x))
			out.Bytes(x)
			out.Some(r.Bytes(), 32)
			out.Bytes(r.ScalarBaseMult(in.K()).Bytes(), r.ScalarMult(in.K(), r.SetGenerator()).Bytes(), r.ScalarMult(in.K(), in.Q()).Bytes())
		}).unsearched(direct),
	onSecrets("curve.Point.HashToCurve", Varies, nil, func(in *In, out *Out) {
		tag, uniform := []byte("tag"), make([]byte, 100)
		check(curve.ExpandMessageXMD(uniform, in.Secret, tag))
		out.Bytes(uniform)
		var q curve.Point
		must(q.HashToCurve(in.Secret, tag))
		out.Bytes(q.Bytes())
		must(q.EncodeToCurve(in.Secret, tag))
		out.Bytes(q.Bytes())
	}).unsearched(direct),
	onSecrets("curve.ScalarMultBatch and others", Varies,
		func(in *In, r Results) ([]Secret, bool) {
			p, other := in.pub(), in.peer()
			want := alternate(p.Double().Compressed(), other.Double().Compressed())
			want = append(want, alternate(p.Mul(in.d()).Compressed(), p.Add(other).Mul(in.d()).Compressed())...)
			want = append(want, alternate(number(oracle.Fn.Inv(in.d())), number(oracle.Fn.Inv(in.e())))...)
			return nil, r.is(append(want, slices.Repeat(parts{append([]byte{2}, number(p.X)...)}, many)...)...)
		}, func(in *In, out *Out) {
			p := make([]curve.Point, many)
			curve.ScalarBaseMultBatch(p, alternate(*in.K(), *in.L()))
			for i := range p {
				p[i].Double(&p[i])
			}
			curve.NormalizeBatch(p)
			for i := range p {
				out.Bytes(p[i].Bytes())
			}
			p = alternate(*in.P(), *in.Q())
			curve.ScalarMultBatch(p, in.K(), p)
			for i := range p {
				out.Bytes(p[i].Bytes())
			}
			s := alternate(*in.K(), *in.L())
			curve.InvertBatch(s, s)
			for i := range s {
				out.Bytes(s[i].Bytes())
			}
			curve.LiftXBatch(p, slices.Repeat([][32]byte{[32]byte(must(in.P().BytesX()))}, many))
			for i := range p {
				out.Some(p[i].Bytes(), 32)
			}
		}).unsearched(direct),
	// This operation holds intermediate values on the heap and wipes them. Use wipes the stack.
	onSecrets("curve, inside Use", Varies,
		func(in *In, r Results) ([]Secret, bool) {
			all := append(halves(in.d()), coordinates("shared point", in.peer().Mul(in.d()))...)
			all = slices.Concat(all, halves(oracle.Fn.Inv(in.d())), scalar("inverse of the key", oracle.Fn.Inv(in.d())))
			return all, r.is(slices.Repeat([][]byte{in.peer().Compressed()}, many)...)
		}, func(in *In, out *Out) {
			p, s := make([]curve.Point, many), make([]curve.Scalar, many)
			for i := range p {
				p[i].SetBytes(in.Peer().Bytes())
			}
			check(in.Key().Use(func(d curve.Scalar) error {
				for i := range s {
					s[i].Set(&d)
				}
				curve.InvertBatch(s, s)
				curve.ScalarMultBatch(p, &d, p)
				curve.NormalizeBatch(p)
				curve.ScalarMultBatch(p, &s[0], p)
				curve.NormalizeBatch(p)
				return nil
			}))
			for i := range p {
				s[i].Zero()
				out.Bytes(p[i].Bytes())
				p[i].Zero()
			}
		}),

	onPublic("curve.Point.MultiScalarMultVartime", Varies, publicPoints, func(in *In, out *Out) {
		k, l, p, q := in.K(), in.L(), in.Pub().Point(), in.Q()
		var sum, part, slow curve.Point
		slow.Add(slow.ScalarMult(k, q), part.ScalarBaseMult(l)) // k·Q + l·G, computed in several ways
		out.True(sum.DoubleScalarBaseMultVartime(k, q, l).Equal(&slow) == 1)
		out.True(sum.MultiScalarMultVartime([]*curve.Scalar{k, l}, []*curve.Point{q, part.SetGenerator()}).Equal(&slow) == 1)
		own, ks, qs, ls := make([]curve.Point, 1), []curve.Scalar{*k}, []curve.Point{*q}, []curve.Scalar{*l}
		curve.DoubleScalarBaseMultBatchVartime(own, ks, qs, ls)
		out.True(own[0].Equal(&slow) == 1)
		curve.DoubleScalarMultBatchVartime(own, ks, qs, ls, []curve.Point{*part.SetGenerator()})
		out.True(own[0].Equal(&slow) == 1)
		curve.MultiScalarMultBatchVartime(own, [][]*curve.Scalar{{k, l}}, [][]*curve.Point{{q, part.SetGenerator()}})
		out.True(own[0].Equal(&slow) == 1)
		out.Values(&slow, sum.MultiScalarMultVartime([]*curve.Scalar{k, l, k}, []*curve.Point{p, q, p}))
	}).right(func(in *In, r Results) ([]Secret, bool) {
		p, e := in.pub(), in.peer()
		q := p.Add(e)
		want := q.Mul(in.d()).Add(e)
		return nil, bytes.HasPrefix(r[5].Bytes, []byte(fmt.Sprintf("%x", want.Compressed())))
	}),
	onPublic("curve.Point.NormalizeVartime", Varies, publicPoints, func(in *In, out *Out) {
		var q curve.Point
		out.True(q.Set(in.Q()).NormalizeVartime().Equal(in.Q()) == 1 && !q.IsPrecomputed())
		out.True(q.PrecomputeVartime().Equal(in.Q()) == 1 && q.IsPrecomputed())
		out.Values(&q)
		out.Refused(failure(q.SetBytes(in.Msg)))
		x := append(slices.Repeat([][32]byte{[32]byte(in.X().Bytes())}, many), [32]byte{})
		lifted := make([]curve.Point, len(x))
		curve.LiftXBatchVartime(lifted, x)
		for i := range lifted {
			out.True((lifted[i].IsInfinity() == 1) == (i == many))
		}
	}),
	onPublic("curve.Failures", Varies, "errors", func(_ *In, out *Out) {
		f := curve.Failures{{Index: 7, Err: curve.ErrRange}, {Index: 3, Err: curve.ErrLength}}
		out.True(f.Err() != nil && f[0].Index == 3 && f[0].Unwrap() == curve.ErrLength && len(f.Unwrap()) == 2)
		out.Values(f.Error(), f[0].Error(), must(f[0].MarshalText()))
	}),
}
