package differential

import (
	"slices"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	btcmusig2 "github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/bench/libsecp"
	"p256k1.mleku.dev/protocols/musig2"
)

// BenchmarkMusig2 times aggregation and signing here, in libsecp256k1 and in btcec, in turns, and reports the medians in
// microseconds and their ratios. Signing is the session, the partial signature and its verification: libsecp256k1 does not
// verify what it signs, and is made to. All keys, and the aggregate nonce, are parsed beforehand. btcec is given
// no parsed nonces, and aggregates the keys again, twice: it has no other way.
func BenchmarkMusig2(b *testing.B) {
	l, err := libsecp.Default()
	if err != nil {
		b.Skip(err)
	}
	c, err := l.NewContext()
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	m, err := c.NewMusig()
	if err != nil {
		b.Fatal(err)
	}
	const turns, signs = 200, 16
	measure := func(name string, fs ...func(turn int) int) {
		times := make([][]float64, len(fs))
		for turn := range turns {
			for i, f := range fs {
				start := time.Now()
				n := f(turn)
				if n > 0 {
					times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/1000/float64(n))
				}
			}
		}
		var median [3]float64
		for i := range times {
			slices.Sort(times[i])
			median[i] = times[i][len(times[i])/2]
		}
		b.Logf("%-22s %9.2f µs here %9.2f libsecp256k1 %10.2f btcec; ratio %.2f and %.3f", name, median[0], median[1], median[2],
			median[0]/median[1], median[0]/median[2])
	}
	for _, n := range []int{2, 100} {
		privs, err := p256k1.GenerateKeys(n)
		if err != nil {
			b.Fatal(err)
		}
		var keys []*p256k1.PublicKey
		var pubs [][33]byte
		var theirs []*btcec.PublicKey
		for _, priv := range privs {
			keys = append(keys, priv.PublicKey())
			pubs = append(pubs, [33]byte(priv.PublicKey().Bytes()))
			key, err := btcec.ParsePubKey(pubs[len(pubs)-1][:])
			if err != nil {
				b.Fatal(err)
			}
			theirs = append(theirs, key)
		}
		m.Load(pubs)
		repeat := 200 / n
		measure("musig2-aggregate-"+map[int]string{2: "2", 100: "100"}[n], func(int) int {
			for range repeat {
				musig2.Aggregate(keys)
			}
			return repeat
		}, func(int) int {
			for range repeat {
				m.Aggregate()
			}
			return repeat
		}, func(turn int) int {
			if turn%10 > 0 {
				return 0
			}
			btcmusig2.AggregateKeys(theirs, false)
			return 1
		})
		if n > 2 {
			continue
		}

		set, err := musig2.Aggregate(keys)
		if err != nil {
			b.Fatal(err)
		}
		msg := [32]byte{1}
		_, other, err := musig2.NewNonce(privs[1], nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		d := [32]byte(privs[0].Bytes())
		cSecret, cPublic, _ := m.NonceGen(&[32]byte{1}, &d, &msg)
		cSum, _ := m.NonceAgg([][66]byte{cPublic, [66]byte(other.Bytes())})
		m.LoadSum(&cSum)
		pair, _ := c.LoadKeypair(&d)
		pub, _ := c.LoadPubkey(pubs[0][:])
		bPriv, _ := btcec.PrivKeyFromBytes(d[:])
		bNonces, err := btcmusig2.GenNonces(btcmusig2.WithPublicKey(theirs[0]))
		if err != nil {
			b.Fatal(err)
		}
		bSum, err := btcmusig2.AggregateNonces([][66]byte{bNonces.PubNonce, [66]byte(other.Bytes())})
		if err != nil {
			b.Fatal(err)
		}
		var secrets [turns][signs]*musig2.SecretNonce
		var sums [turns][signs]musig2.AggregateNonce
		for i := range secrets {
			for j := range secrets[i] {
				var public musig2.PublicNonce
				secrets[i][j], public, err = musig2.NewNonce(privs[0], nil, nil)
				if err == nil {
					sums[i][j], err = musig2.AggregateNonces([]musig2.PublicNonce{public, other})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		}
		measure("musig2-partial-sign", func(turn int) int {
			for i := range signs {
				session, err := musig2.NewSession(set, sums[turn][i], msg[:])
				if err == nil {
					_, err = session.Sign(secrets[turn][i], privs[0])
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			return signs
		}, func(int) int {
			for range signs {
				ok := m.Process(&msg)
				sig, ok2 := m.Sign(&cSecret, &pair)
				if !ok || !ok2 || !m.Verify(&sig, &cPublic, &pub) {
					b.Fatal("libsecp256k1 does not sign")
				}
			}
			return signs
		}, func(turn int) int {
			if turn%10 > 0 {
				return 0
			}
			if _, err := btcmusig2.Sign(bNonces.SecNonce, bPriv, bSum, theirs, msg); err != nil {
				b.Fatal(err)
			}
			return 1
		})
	}
}
