package measure

import (
	"fmt"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// Protocols is the group of the operations that are built on the others.
const Protocols = "protocols"

// protocolOps are those, with the sizes that they have. Targets are ratios to libsecp256k1: to its
// own benchmark program, or to the library called from here where that program has no such row.
func protocolOps() (ops []Op) {
	add := func(name string, size int, op Op) {
		op.Group = Protocols
		op.protocol, op.size = name, size
		op.step = (*worker).protocol
		if op.Name == "" {
			op.Name = name
		}
		if op.Benchmark == "" {
			op.Benchmark = benchmarkOf(op.Name)
		}
		ops = append(ops, op)
	}
	same := func(v float64) Op { return Op{Portable: 1, Assembly: v} }
	for _, n := range []int{2, 100, 1000} {
		op := Op{}
		if n < 1000 {
			op = same(0.6)
		}
		op.Name, op.Benchmark = fmt.Sprintf("%s-%d", engine.Musig2Aggregate, n), fmt.Sprintf("Musig2Aggregate/n=%d", n)
		op.Title, op.What = fmt.Sprintf("MuSig2, aggregate %d keys", n), "from parsed public keys to their aggregate, compressed"
		add(engine.Musig2Aggregate, n, op)
	}
	add(engine.Musig2Nonces, 100, Op{
		Title: "MuSig2, aggregate 100 nonces", What: "from bytes of public nonces to those of their sum",
	})
	op := same(0.55)
	op.Title, op.What = "MuSig2, sign", "begin the session of two signers, sign, and verify the partial signature: "+
		"libsecp256k1 verifies only if it is asked to, as here; btcec aggregates the keys again"
	add(engine.Musig2Sign, 0, op)
	add(engine.Musig2Verify, 0, Op{
		Title: "MuSig2, verify", What: "from bytes of a partial signature and a nonce; btcec aggregates the keys again",
	})
	op = same(0.65)
	op.Program, op.Varied = "ellswift_encode", true
	op.Title, op.What = "ElligatorSwift, encode", "a parsed public key, with given randomness; btcec draws it, and encodes x"
	add(engine.EllswiftEncode, 0, op)
	op.Program = "ellswift_decode"
	op.Title, op.What = "ElligatorSwift, decode", "64 bytes, to a compressed public key"
	add(engine.EllswiftDecode, 0, op)
	op.Program = "ellswift_ecdh"
	op.Title, op.What = "ElligatorSwift, ECDH", "the shared secret of BIP-324, of two encodings"
	add(engine.EllswiftECDH, 0, op)

	op = Op{Portable: 1, Assembly: 0.6}
	op.Title, op.What = "Silent payments, scan a tweak", "from the bytes of a tweak to whether one of two outputs is to the wallet, or to its change; "+
		"libsecp256k1 scans a transaction whose keys and outputs are parsed, and looks for no change"
	add(engine.SilentScan, 1, op)
	for _, n := range Sizes[1:] {
		op := Op{
			Name: fmt.Sprintf("silent-scan-batch-%d", n), Benchmark: fmt.Sprintf("SilentScanBatch/n=%d", n), Base: engine.SilentScan,
			Batch: n, Family: "silent-scan-batch",
			Title: fmt.Sprintf("Silent payments, scan tweaks of %d", n), What: "the same, with many tweaks",
		}
		if n == 256 {
			op.Portable, op.Assembly, op.Lanes = 1, 0.6, 0.2
		}
		add(engine.SilentScan, n, op)
	}

	const calculated = "libsecp256k1 has none: its time is that of the multiplications alone, "
	op = same(0.6)
	op.Title, op.What = "DLEQ, prove", "a·B and the proof of BIP-374; "+calculated+"two of secp256k1_ecdh and one of secp256k1_ec_pubkey_create"
	add(engine.DLEQProve, 0, op)
	op.Title, op.What = "DLEQ, verify", "parsed points and a proof; "+calculated+"three of secp256k1_ec_pubkey_tweak_mul, without that of G"
	add(engine.DLEQVerify, 0, op)
	for _, n := range Sizes[1:4] {
		add(engine.DLEQVerify, n, Op{
			Name: fmt.Sprintf("dleq-verify-batch-%d", n), Benchmark: fmt.Sprintf("DleqVerifyBatch/n=%d", n), Base: engine.DLEQVerify,
			Batch: n, Family: "dleq-verify-batch",
			Title: fmt.Sprintf("DLEQ, verify, batch of %d", n), What: "the same, with many proofs",
		})
	}
	add(engine.CashuBlind, 0, Op{
		Title: "Cashu, blind", What: "a secret of 32 bytes, of which 16 candidates for the point are tried",
	})
	op = same(0.6)
	op.Title, op.What = "Cashu, sign", "C_ and the proof of NUT-12; "+calculated+"two of secp256k1_ecdh and one of secp256k1_ec_pubkey_create"
	add(engine.CashuSign, 0, op)
	const unhashed = ", without the hash of the secret to the curve"
	add(engine.CashuUnblind, 0, Op{
		Title: "Cashu, unblind", What: "blind again, verify the proof, and C; " + calculated +
			"three of secp256k1_ec_pubkey_tweak_mul, one of secp256k1_ecdh and one of secp256k1_ec_pubkey_create" + unhashed,
	})
	add(engine.CashuVerify, 0, Op{
		Title: "Cashu, verify by the mint", What: "a secret and C, by the mint's key; " + calculated + "one of secp256k1_ecdh" + unhashed,
	})
	add(engine.HashToCurve, 0, Op{Title: "Hash to curve", What: "32 bytes, by RFC 9380's secp256k1_XMD:SHA-256_SSWU_RO_"})
	add(engine.EncodeToCurve, 0, Op{Title: "Encode to curve", What: "32 bytes, by RFC 9380's secp256k1_XMD:SHA-256_SSWU_NU_"})
	return ops
}

// benchmarkOf makes "EllswiftEncode" of "ellswift-encode".
func benchmarkOf(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// prepare loads the inputs of an operation of a protocol.
func (w *worker) prepare(op Op) error {
	if _, ok := w.prepared[op.Name]; ok {
		return nil
	}
	p, ok := w.session.(engine.Protocols)
	if !ok {
		return engine.ErrNotSupported
	}
	var parties []engine.Party
	for i := range w.corpus {
		in := &w.corpus[i]
		parties = append(parties, engine.Party{Secret: &in.Secret, Digest: &in.Digest, Pub: &in.Pub, Peer: &in.Peer})
	}
	prepared, err := p.PrepareProtocol(op.protocol, op.size, parties)
	if err != nil {
		return err
	}
	if w.prepared == nil {
		w.prepared = map[string]engine.Prepared{}
	}
	w.prepared[op.Name] = prepared
	return nil
}

// refill makes what n calls of an operation use up, which is not timed.
func (w *worker) refill(op Op, n int) error {
	if p := w.prepared[op.Name]; p.Refill != nil {
		return p.Refill(n)
	}
	return nil
}

// UsesUp reports whether each call uses up what has to be made before.
func (op Op) UsesUp() bool {
	return op.protocol == engine.Musig2Sign || op.protocol == engine.EllswiftECDH
}
