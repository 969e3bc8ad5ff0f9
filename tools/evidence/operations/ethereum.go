package operations

import (
	"context"
	"errors"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ethereum"
)

// transaction returns a hash, its signature by Key, and the address of Key.
func transaction(in *In) (hash [32]byte, sig [65]byte, sender ethereum.Address) {
	sig = [65]byte(in.Recoverable().BytesEthereum())
	return [32]byte(in.Digest), sig, must(ethereum.AddressOf(in.Pub()))
}

var ethereums = []Op{
	onPublic("ethereum.Address", Varies, "addresses", func(in *In, out *Out) {
		_, _, a := transaction(in)
		out.True(must(ethereum.ParseAddress(a.String())) == a)
		out.Refused(failure(ethereum.AddressOf(nil)))
	}),
	texts(func(in *In) *ethereum.Address { _, _, a := transaction(in); return &a }),
	onPublic("ethereum.Keccak256", 0, "messages", func(in *In, out *Out) {
		out.True(ethereum.Keccak256(in.Digest) != ethereum.PersonalHash(in.Digest))
		out.True(ethereum.TypedDataHash([32]byte(in.Digest), [32]byte(in.Digest)) != ethereum.Keccak256(in.Digest))
	}),
	onPublic("ethereum.Sender", 0, signatures, func(in *In, out *Out) {
		hash, sig, want := transaction(in)
		out.True(must(ethereum.Sender(hash, sig)) == want)
		out.True(must(ethereum.Recoverer{AllowHighS: true}.Sender(hash, sig)) == want)
		parity, chain, protected, err := ethereum.LegacyV(uint64(sig[64]))
		check(err)
		out.True(chain == 0 && !protected && must(ethereum.TypedV(uint64(parity))) == sig[64]-27)
	}),
	onPublic("ethereum.Senders", 2, signatures, func(in *In, out *Out) {
		hash, sig, want := transaction(in)
		dst, hashes, sigs := make([]ethereum.Address, many), slices.Repeat([][32]byte{hash}, many), slices.Repeat([][65]byte{sig}, many)
		check(ethereum.Senders(dst, hashes, sigs))
		out.True(dst[0] == want && dst[many-1] == want)
	}),
	onPublic("ethereum.Recoverer.Senders", Varies, signatures, func(in *In, out *Out) {
		hash, sig, want := transaction(in)
		dst, hashes, sigs := make([]ethereum.Address, many), slices.Repeat([][32]byte{hash}, many), slices.Repeat([][65]byte{sig}, many)
		sigs[3] = [65]byte{}
		err := ethereum.Recoverer{}.Senders(context.Background(), dst, hashes, sigs)
		var failures p256k1.Failures
		out.True(errors.As(err, &failures) && len(failures) == 1 && failures[0].Index == 3 && dst[4] == want)
		check(ethereum.Recoverer{Workers: 2}.Each(context.Background(), many, func(i int, h *[32]byte, s *[65]byte) error {
			*h, *s = hash, sig
			return nil
		}, func(i int, a ethereum.Address, err error) { dst[i] = a }))
		out.True(dst[3] == want)
	}),
	onPublic("ethereum.Ecrecover", 3, signatures, func(in *In, out *Out) {
		hash, sig, want := transaction(in)
		input := slices.Concat(hash[:], make([]byte, 31), sig[64:], sig[:64])
		out.True(ethereum.Address(ethereum.Ecrecover(nil, input)[12:]) == want)
	}),
}
