package main

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"path"
	"regexp"
	"strings"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A plant is an error in the library: the only occurrence of old in a file is replaced by new.
type plant struct {
	what, file, old, new string
	packages             string // the packages whose targets must find the error, or "" for the package of the file
}

// plants lists errors that make the library or the command accept wrong input, refuse valid input or return a wrong
// result. Fuzz targets must find each of them.
var plants = []plant{
	{"DER with a superfluous zero", "ecdsa/der.go", `if v[1] < 0x80 {`, `if false {`, ""},
	{"DER with trailing bytes", "ecdsa/der.go", `d.text == "" && offset != len(b)`, `false`, ""},
	{"DER of a negative integer", "ecdsa/der.go", `if v[0] >= 0x80 {`, `if false {`, ""},
	{"DER with an empty integer", "ecdsa/der.go", "if n == 0 {\n\t\treturn 0,", "if false {\n\t\treturn 0,", ""},
	{"compact signature with any s", "ecdsa/signature.go", `if !sig.scalar(&s, 32) {`, `if sig.scalar(&s, 32); false {`, ""},
	{"header byte 35", "ecdsa/signature.go", `b[0] > 34`, `b[0] > 35`, ""},
	{"recovery id 4", "ecdsa/signature.go", `b[64] > 3`, `b[64] > 4`, ""},
	{"Ethereum's v 29", "ecdsa/signature.go", `case v == 27 || v == 28:`, `case v >= 27 && v <= 29:`, ""},
	{"text in upper case", "internal/schemes/hextext/hextext.go", `'a' <= c && c <= 'f':`, `'a' <= c|0x20 && c|0x20 <= 'f':`, "."},
	{"the last bytes of a long hash", "ecdsa/ecdsa.go", `return hash[:32:32]`, `return hash[len(hash)-32:]`, ""},
	{"an empty hash", "ecdsa/ecdsa.go", `if len(hash) == 0 {`, `if false {`, ""},
	{"a digest of 33 bytes", "ecdsa/ecdsa.go", `if len(digest) != 32 {`, `if len(digest) != 32 && len(digest) != 33 {`, ""},
	{"high s in VerifyLowS", "ecdsa/ecdsa.go", `return sig.IsLowS() && Verify(`, `return Verify(`, ""},
	{"high s in a batch", "ecdsa/batch.go", `return ok && !(b.LowSOnly && b.high[i])`, `return ok`, ""},
	{"a recovery id without its lowest bit", "ecdsa/recover.go", `b[0] = 2 | v&1`, `b[0] = 2`, ""},
	{"v of ecrecover in more than a byte", "ethereum/precompile.go", `[31]byte(in[inputV:]) != [31]byte{} || `, ``, ""},
	{"any case of an address", "ethereum/address.go", `if lower && upper && `, `if false && lower && upper && `, ""},
	{"extra entropy ignored", "ecdsa/ecdsa.go", `if entropy != nil {`, `if false {`, ""},
	{"parity of a key that is not lifted", "internal/ecmult/rootless.go", `return verdict(y.Mul(&y, &u.n).IsOdd() == odd)`, `return Yes`, "./ecdsa"},
	{"parity of R, for a key that is not lifted", "internal/ecmult/rootless.go", `return verdict(y.IsOdd() == 0)`, `return Yes`, "./schnorr"},
	{"r + n not tried for a key that is not lifted", "internal/schemes/verify/verify.go", `return onlyX(&q.R, r) && setX(&q.X, a)`, "onlyX(&q.R, r)\n\treturn setX(&q.X, a)", "./internal/schemes/verify ./ecdsa"},
	{"r + n of 257 bits", "ecdsa/recover.go", `return carry != 0`, `return false`, ""},
	{"r + n never tried", "internal/schemes/verify/xmodn.go", `x.Add(&x, &order)`, `x.Add(&x, &x)`, "./internal/schemes/verify ./ecdsa"},
	{"hybrid encoding", "curve/point.go", `if b[0] != 4 {`, `if b[0] != 4 && b[0] != 6 {`, ". ./curve ./ecdh"},
	{"point off the curve", "curve/point.go", `if a.IsOnCurve() == 0 {`, `if false {`, ". ./curve ./ecdh"},
	{"y of p or more", "curve/point.go", `if a.Y.SetBytes((*[32]byte)(b[33:])) == 0 {`, `if a.Y.SetBytes((*[32]byte)(b[33:])) == 2 {`, ". ./curve ./ecdh"},
	{"x of p or more", "curve/point.go", `if x.SetBytes(b) == 0 {`, `if x.SetBytes(b) == 2 {`, ". ./curve ./signer"},
	{"scalar of n or more", "curve/scalar.go", `if t.SetBytes((*[32]byte)(b)) == 0 {`, `if t.SetBytes((*[32]byte)(b)) == 2 {`, ". ./curve ./schnorr"},
	{"the private key 0", "private.go", `err != nil || d.IsZero() == 1`, `err != nil`, ". ./ecdh ./signer"},
	{"tweak of 33 bytes", "tweak.go", "if len(t) != 32 {\n\t\treturn", "if t = t[:min(32, len(t))]; len(t) != 32 {\n\t\treturn", ""},
	{"parity of a tweak ignored", "xonly.go", ` && p.IsYOdd() == odd`, ``, ""},
	{"R with odd y", "internal/schemes/verify/verify.go", `p.X.Equal(r) != 0 && p.Y.IsOdd() == 0`, `p.X.Equal(r) != 0`, "./internal/schemes/verify ./schnorr"},
	{"R at infinity", "internal/schemes/verify/verify.go", "if sum.IsInfinity() != 0 {\n\t\treturn false", "if sum.IsInfinity() != 0 {\n\t\treturn true", "./internal/schemes/verify ./schnorr"},
	{"signature of 65 bytes", "schnorr/schnorr.go", "if len(sig) != Size {\n\t\treturn false\n\t}\n\tpoint",
		"if sig = sig[:min(Size, len(sig))]; len(sig) != Size {\n\t\treturn false\n\t}\n\tpoint", ""},
	{"end of a long message ignored", "schnorr/schnorr.go", `challengeTag.Sum(rx, px, msg)`, `challengeTag.Sum(rx, px, msg[:min(150, len(msg))])`, ""},
	{"a batch that is not verified", "internal/schemes/verify/schnorr.go", `whole := *sum; whole.IsInfinity() == 0; {`, `whole := *sum; whole.IsInfinity() > 1; {`, "./internal/schemes/verify ./schnorr"},
	{"auxiliary randomness ignored", "schnorr/schnorr.go", `aux = *o.AuxRand`, ``, ""},
	{"parity of a shared point", "ecdh/ecdh.go", `b := point.Bytes()`, `b := point.Negate(point).Bytes()`, ""},
	{"salt of NIP-44", "ecdh/ecdh.go", `salt = "nip44-v2"`, `salt = "nip44-v1"`, ""},
	{"key lost when another is refused", "signer/p256k1.go", `priv, err := p256k1.ParsePrivateKey(sec)`, "s.Zero()\n\tpriv, err := p256k1.ParsePrivateKey(sec)", ""},
	{"own parity in an agreement", "signer/p256k1.go", `point.CondNegate(point, s.priv.PublicKey().Point().IsYOdd())`, `point`, ""},
	{"DER length not in the shortest form", "keyformat/der.go", `len(in) > 2 && in[2] >= 0x80:`, `len(in) > 2:`, ""},
	{"bytes after a key", "keyformat/der.go", `if len(b) > 0 {`, `if false {`, ""},
	{"any curve", "keyformat/der.go", `case string(name) == secp256k1:`, `case string(name) != "":`, ""},
	{"any algorithm", "keyformat/der.go", `if string(name) != ecPublicKey {`, `if false {`, ""},
	{"any version", "keyformat/der.go", `len(v) != 1 || v[0] != want`, `len(v) != 1`, ""},
	{"bits of no byte in a public key", "keyformat/der.go", `len(bits) < 1 || bits[0] != 0`, `len(bits) < 1`, ""},
	{"short secret without a public key", "keyformat/private.go", `pub == nil || len(d) == 0`, `len(d) == 0`, ""},
	{"another public key beside", "keyformat/private.go", `pub != nil && !pub.Equal`, `false && !pub.Equal`, ""},
	{"attributes ignored", "keyformat/private.go", `p.end(key, "the private key")`, ``, ""},
	{"another end of a PEM block", "keyformat/pem.go", `; ok && name == label {`, `; ok && name != "" {`, ""},
	{"text after a PEM block", "keyformat/pem.go", `if len(l) > 0 {`, `if false {`, ""},
	{"base64 without padding", "keyformat/pem.go", `!ok || len(text)%4 != 0`, `!ok`, ""},
	{"bits of no byte in base64", "keyformat/base64.go", `bad |= -(buffer & (1<<n - 1))`, `bad |= 0`, ""},
	{"a member twice", "keyformat/jwk.go", `!= nil || m[name] != nil {`, `!= nil {`, ""},
	{"a private JWK as a public one", "keyformat/jwk.go", `if m["d"] != nil {`, `if false {`, ""},
	{"operations of another use", "keyformat/jwk.go", `if o != "sign" && o != "verify" {`, `if false {`, ""},
	{"high s in ES256K refused", "keyformat/es256k.go", `return ecdsa.Verify(`, `return ecdsa.VerifyLowS(`, ""},
	{"hex in upper case", "nostr/wire/hex.go", `each * 0xf0`, `each * 0xd0`, ""},
	{"half of a character in a line of the usual shape", "nostr/wire/scan.go", `!utf8.Valid(`, `false && !utf8.Valid(`, ""},
	{"slash with a backslash in an id", "nostr/wire/object.go", `case '"', '\\',`, `case '/', '"', '\\',`, ""},
	{"high s on a line", "cmd/p256k1/internal/check/row.go", `if c.LowS && `, `if false && `, ""},
	{"signature that leads to another key", "cmd/p256k1/internal/check/row.go", `case !recovered.Equal(pub):`, `case false && !recovered.Equal(pub):`, ""},
	{"event with another id", "nostr/wire/event.go", `if e.Sum == e.ID {`, `if true {`, ""},
	{"line a byte too long", "cmd/p256k1/internal/bulk/batch.go", "rest = after\n\t\t\tif len(line) > max {", "rest = after\n\t\t\tif len(line) > max+1 {", ""},
	{"row of CSV with a value too many", "cmd/p256k1/internal/check/csv.go", `if n != len(fields) {`, `if n < len(fields) {`, ""},
	{"line feeds in a payload", "nostr/nip44/nip44.go", `return c == '\r' || c == '\n'`, `return false && c == 0`, ""},
	{"bech32 in both cases", "nostr/nip19/nip19.go", `wrong := lower & upper`, `wrong := lower & upper & 0`, ""},
	{"padding of bech32", "nostr/nip19/nip19.go", `wrong |= acc & (1<<bits - 1)`, `wrong |= acc & 0`, ""},
	{"public nonce with bytes after it", "protocols/internal/nonce/nonce.go", `if len(b) != Size {`, `if len(b) < Size {`, "./protocols/musig2"},
	{"public nonce at infinity", "protocols/internal/nonce/nonce.go", `if infinity && [33]byte(half)`, `if [33]byte(half)`, "./protocols/musig2"},
	{"partial signature of n or more", "curve/scalar.go", `if t.SetBytes((*[32]byte)(b)) == 0 {`, `if t.SetBytes((*[32]byte)(b)) == 2 {`, "./protocols/musig2"},
	{"message of a proof ignored", "protocols/dleq/dleq.go", `s.m = opts.Message[:]`, `s.m = nil`, ""},
	{"sender's key that is not hashed in the script", "protocols/silentpayments/input.go", `bytes.Equal(hash160(key), hash)`, `len(key) > 0`, ""},
	{"sender's key of 65 bytes", "protocols/silentpayments/input.go", `if len(b) != 33 {`, `if len(b) != 33 && len(b) != 65 {`, ""},
	{"input beside H", "protocols/silentpayments/input.go", `bytes.Equal(control[1:33], unspendable)`, `false`, ""},
	{"tweak with any prefix", "protocols/silentpayments/scan.go", `prefix&^1 != 2`, `prefix == 4`, ""},
	{"parity of a tweak ignored", "protocols/silentpayments/scan.go", `int(prefix&1)`, `0`, ""},
	{"any proof of a blind signature", "protocols/cashu/dleq.go", `c.Point()) == p.E`, `c.Point()) != [32]byte{}`, ""},
	{"a proof of JSON that is cut", "protocols/cashu/dleq.go", `*i = b`, `copy(i[:31], b[:])`, ""},
	{"hash to the curve that leaves counters out", "protocols/cashu/cashu.go", `uint32(counter+i)`, `uint32(counter+i&^2)`, ""},
	{"any signature of a secret", "protocols/cashu/cashu.go", `valid = p.ScalarMult(&d, y.Point()).Equal(c.Point())`, `valid = 1; p.ScalarMult(&d, y.Point())`, ""},
	{"dealing with bytes after it", "protocols/frost/reshare.go", `len(b) == 0 || len(b)%33 != 0`, `len(b) < 33`, ""},
	{"part of a key at infinity", "protocols/frost/reshare.go", `if i > 0 && [33]byte(half)`, `if [33]byte(half)`, ""},
	{"public nonce of FROST at infinity", "protocols/internal/nonce/nonce.go", `if infinity && [33]byte(half)`, `if [33]byte(half)`, "./protocols/frost"},
	{"proof of possession not verified", "protocols/chilldkg/participant.go", `i != p.id && !proves(`, `false && !proves(`, ""},
	{"wrong share signed for", "protocols/chilldkg/participant.go", `err != nil || share.Public().Point().Equal(public) != 1 {`, `err != nil {`, ""},
	{"public shares of another sum", "protocols/chilldkg/participant.go", `if public.Equal(&w.public) != 1 {`, `if false {`, ""},
	{"recovery data that nobody signed", "protocols/chilldkg/recover.go", `certificate); bad >= 0 {`, `certificate); bad >= 1<<30 {`, ""},
	{"proof of a pre-signature not verified", "protocols/adaptor/ecdsa.go", ` || !p.proves(point)`, ``, ""},
	{"pre-signature with s' = 0", "protocols/adaptor/ecdsa.go", `p.s1.IsZero()|p.x.IsZero()`, `p.x.IsZero()`, ""},
	{"any pre-signature", "protocols/adaptor/schnorr.go", ` && left.Equal(&right) == 1`, ``, ""},
	{"one coefficient for all signatures", "protocols/halfagg/halfagg.go", `if c.n == 1 {`, `if c.n >= 1 {`, ""},
	{"aggregate of none with s of n", "protocols/halfagg/halfagg.go", `aggregate[32*n:]); err != nil {`, `aggregate[32*n:]); err != nil && n > 0 {`, ""},
	{"40 digits shown", "cmd/p256k1/internal/show/show.go", `{40,}`, `{41,}`, ""},
	{"control characters in a name", "cmd/p256k1/internal/show/show.go", ` || !printable(name)`, ``, ""},
	{"all but one member of gzip left out", "cmd/p256k1/internal/unpack/unpack.go", `return gzip.NewReader(r)`,
		"z, err := gzip.NewReader(r)\n\tif err == nil {\n\t\tz.Multistream(false)\n\t}\n\treturn z, err", ""},
	{"line feed in a secret key", "cmd/p256k1/internal/cli/secret.go", `bytes.TrimSpace(text)`, `bytes.TrimRight(text, " ")`, ""},
}

var failingTarget = regexp.MustCompile(`(?m)^--- FAIL: (Fuzz\w+) `)

// findPlants plants the errors one by one, and runs the seeds of the targets.
func (s *session) findPlants(ctx context.Context) {
	root := must.Get(goCommand(ctx, "list", "-m", "-f", "{{.Dir}}", "p256k1.mleku.dev/v2"))
	found := 0
	for _, p := range plants {
		targets, err := p.find(ctx, strings.TrimSpace(root), s.scratch)
		must.Do(ctx.Err())
		if err != nil {
			must.Do(fmt.Errorf("planting %q: %w", p.what, err))
		}
		if len(targets) > 0 {
			found++
			s.print("%-36s %s", p.what, strings.Join(targets, " "))
		} else {
			s.failures++
			s.print("%-36s NOT FOUND", p.what)
		}
	}
	s.print("result: fuzz: %d of %d planted errors are found by the seeds of the targets", found, len(plants))
}

// find returns the targets that fail if the error is planted.
func (p *plant) find(ctx context.Context, root, scratch string) (targets []string, err error) {
	defer must.Recover(&err)
	change := must.Get(patch.New(root))
	must.Do(change.Edit(p.file, "", p.old, p.new))
	overlay := must.Get(change.Write(scratch))
	packages := strings.Fields(cmp.Or(p.packages, "./"+path.Dir(p.file)))
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1", "-vet=off", "-run=^Fuzz", "-overlay=" + overlay}, packages...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	for _, m := range failingTarget.FindAllSubmatch(out, -1) {
		targets = append(targets, string(m[1]))
	}
	if err != nil && len(targets) == 0 {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return targets, nil
}
