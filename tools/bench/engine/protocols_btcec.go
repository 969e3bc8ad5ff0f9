package engine

import (
	"fmt"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ellswift"
	"github.com/btcsuite/btcd/btcec/v2/schnorr/musig2"
)

var _ Protocols = btcecSession{}

// PrepareProtocol implements Protocols. Signing and verifying aggregate the keys again, and take
// encoded nonces: there is no other way without a session for each signer.
func (btcecSession) PrepareProtocol(op string, size int, parties []Party) (Prepared, error) {
	var secrets []*btcec.PrivateKey
	var publics, peers []*btcec.PublicKey
	for _, p := range parties {
		secret, public := btcec.PrivKeyFromBytes(p.Secret[:])
		peer, err := btcec.ParsePubKey(p.Peer[:])
		if err != nil {
			return Prepared{}, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		secrets, publics, peers = append(secrets, secret), append(publics, public), append(peers, peer)
	}
	n := len(parties)
	switch op {
	case Musig2Aggregate:
		keys := windows(publics, size)
		return Prepared{Run: func(i int, out *[64]byte) error {
			key, _, _, err := musig2.AggregateKeys(keys[i%n], false)
			if err == nil {
				copy(out[:], key.FinalKey.SerializeCompressed())
			}
			return err
		}}, nil
	case Musig2Nonces:
		var all [][66]byte
		for _, p := range parties {
			all = append(all, nonceOf(p))
		}
		of := windows(all, size)
		return Prepared{Run: func(i int, out *[64]byte) error {
			sum, err := musig2.AggregateNonces(of[i%n])
			copy(out[:], sum[:])
			return err
		}}, nil
	case Musig2Sign, Musig2Verify:
		count := min(musigSessions, n)
		var nonces []*musig2.Nonces
		var sums [][66]byte
		var keys [][]*btcec.PublicKey
		var sigs []*musig2.PartialSignature
		for i := range count {
			nonce, err := musig2.GenNonces(musig2.WithPublicKey(publics[i]))
			if err != nil {
				return Prepared{}, err
			}
			sum, err := musig2.AggregateNonces([][66]byte{nonce.PubNonce, nonceOf(parties[i])})
			if err != nil {
				return Prepared{}, err
			}
			both := []*btcec.PublicKey{publics[i], peers[i]}
			sig, err := musig2.Sign(nonce.SecNonce, secrets[i], sum, both, *parties[i].Digest)
			if err != nil {
				return Prepared{}, err
			}
			nonces, sums, keys, sigs = append(nonces, nonce), append(sums, sum), append(keys, both), append(sigs, sig)
		}
		if op == Musig2Sign {
			return Prepared{Run: func(i int, _ *[64]byte) error {
				i %= count
				_, err := musig2.Sign(nonces[i].SecNonce, secrets[i], sums[i], keys[i], *parties[i].Digest)
				return err
			}}, nil
		}
		return Prepared{Run: func(i int, _ *[64]byte) error {
			i %= count
			if !sigs[i].Verify(nonces[i].PubNonce, sums[i], keys[i], publics[i], *parties[i].Digest) {
				return fmt.Errorf("%w: partial signature", ErrInvalid)
			}
			return nil
		}}, nil
	case EllswiftEncode:
		var xs []btcec.FieldVal
		for _, p := range parties {
			var x btcec.FieldVal
			x.SetByteSlice(p.Pub[1:])
			xs = append(xs, x)
		}
		return Prepared{Run: func(i int, _ *[64]byte) error {
			_, _, err := ellswift.XElligatorSwift(&xs[i%n])
			return err
		}}, nil
	case EllswiftECDH:
		encodings := swifts(parties)
		return Prepared{Run: func(i int, out *[64]byte) error {
			i %= n
			secret, err := ellswift.V2Ecdh(secrets[i], encodings[(i+1)%n], encodings[i], i%2 == 0)
			if err == nil {
				copy(out[:], secret[:])
			}
			return err
		}}, nil
	}
	return Prepared{}, ErrNotSupported
}
