package p256k1_test

import (
	"crypto"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

func fromHex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		log.Fatal(err)
	}
	return b
}

// One key signs with ECDSA and with Schnorr signatures.
func Example() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	defer key.Zero()
	digest := sha256.Sum256([]byte("a message"))

	sig, err := ecdsa.Sign(key, digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.Verify(key.PublicKey(), digest[:], sig))

	sig64, err := schnorr.Sign(key, digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schnorr.Verify(key.PublicKey().XOnly(), digest[:], sig64[:]))

	// Output:
	// true
	// true
}

func ExampleGenerateKey() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(key.Bytes()), len(key.PublicKey().Bytes()), len(key.PublicKey().XOnly().Bytes()))
	fmt.Println(key) // does not show the key
	// Output:
	// 32 33 32
	// p256k1.PrivateKey(secret)
}

// Many keys are generated or parsed in one call, which takes less time per key.
func ExampleGenerateKeys() {
	keys, err := p256k1.GenerateKeys(100)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(keys), keys[0].Equal(keys[1]))
	for _, key := range keys {
		key.Zero()
	}
	// Output: 100 false
}

func ExampleParsePrivateKeys() {
	three := fromHex("0000000000000000000000000000000000000000000000000000000000000003")
	keys, err := p256k1.ParsePrivateKeys([][]byte{three, three})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(keys), keys[0].Equal(keys[1]))

	keys, err = p256k1.ParsePrivateKeys([][]byte{three, make([]byte, 32)})
	fmt.Println(keys[0] != nil, keys[1] != nil, errors.Is(err, p256k1.ErrRange), err)
	// Output:
	// 2 true
	// true false true p256k1: private key: out of range: zero or not below the group order (index 1)
}

func ExampleParsePrivateKey() {
	key, err := p256k1.ParsePrivateKey(fromHex("0000000000000000000000000000000000000000000000000000000000000003"))
	if err != nil {
		log.Fatal(err)
	}
	pub := key.PublicKey()
	fmt.Printf("%x\n", pub.Bytes())
	fmt.Printf("%x\n", pub.BytesUncompressed())
	fmt.Printf("%x\n", pub.XOnly().Bytes())

	// Zero and integers that are not below the group order are not keys.
	_, err = p256k1.ParsePrivateKey(make([]byte, 32))
	fmt.Println(errors.Is(err, p256k1.ErrRange), err)
	_, err = p256k1.ParsePrivateKey([]byte("not 32 bytes"))
	fmt.Println(errors.Is(err, p256k1.ErrLength), err)

	// Output:
	// 02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9
	// 04f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9388f7b0f632de8140fe337e62a37f3566500a99934c2231b6cb9fd7584b8e672
	// f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9
	// true p256k1: private key: out of range: zero or not below the group order
	// true p256k1: private key: wrong length: 12 bytes, want 32
}

func ExampleParsePublicKey() {
	compressed, err := p256k1.ParsePublicKey(fromHex("02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"))
	if err != nil {
		log.Fatal(err)
	}
	uncompressed, err := p256k1.ParsePublicKey(compressed.BytesUncompressed())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(compressed.Equal(uncompressed), compressed.Equal(compressed.Negate()))

	_, err = p256k1.ParsePublicKey(fromHex("020000000000000000000000000000000000000000000000000000000000000005"))
	fmt.Println(errors.Is(err, p256k1.ErrNotOnCurve), err)
	hybrid := compressed.BytesUncompressed()
	hybrid[0] = 6
	_, err = p256k1.ParsePublicKey(hybrid)
	fmt.Println(errors.Is(err, p256k1.ErrPrefix), err)

	// Output:
	// true false
	// true p256k1: public key: x is not on the curve
	// true p256k1: public key: unknown prefix 06 of 65 bytes, want 04
}

// Public keys are hexadecimal text in JSON, XML and logs, and for package fmt.
func ExamplePublicKey_MarshalText() {
	type account struct {
		Name string
		Key  p256k1.PublicKey
	}
	var a account
	err := json.Unmarshal([]byte(`{"Name": "Alice", "Key": "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"}`), &a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %.8s %X\n", a.Name, a.Key, a.Key)
	b, err := json.Marshal(a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(b))

	// A key that was never set has no text form.
	_, err = json.Marshal(account{Name: "Bob"})
	fmt.Println(errors.Is(err, p256k1.ErrNoKey), account{Name: "Bob"}.Key)
	err = a.Key.UnmarshalText([]byte("02F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9"))
	fmt.Println(errors.Is(err, p256k1.ErrHex), err)

	// Output:
	// Alice 02f9308a 02F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9
	// {"Name":"Alice","Key":"02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"}
	// true p256k1.PublicKey(unset)
	// true p256k1: public key: not lower-case hexadecimal: upper-case digit at byte 2
}

// A public key and its x-only key are appended to a log line and to a binary record.
func ExamplePublicKey_AppendText() {
	key, err := p256k1.ParsePrivateKey(fromHex("0000000000000000000000000000000000000000000000000000000000000003"))
	if err != nil {
		log.Fatal(err)
	}
	pub, x := key.PublicKey(), key.PublicKey().XOnly()

	line, err := pub.AppendText([]byte("key="))
	if err != nil {
		log.Fatal(err)
	}
	line, err = x.AppendText(append(line, " x="...))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
	fmt.Println(string(line) == "key="+pub.String()+" x="+x.String())

	record, err := pub.AppendBinary([]byte{1})
	if err != nil {
		log.Fatal(err)
	}
	record, err = x.AppendBinary(record)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(record))

	// Output:
	// key=02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9 x=f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9
	// true
	// 66
}

// An Ethereum address is the last 20 bytes of the Keccak-256 of both coordinates. The hash function is in
// golang.org/x/crypto/sha3, for example.
func ExamplePublicKey_BytesUncompressed() {
	address := func(pub *p256k1.PublicKey, newKeccak256 func() hash.Hash) []byte {
		h := newKeccak256()
		h.Write(pub.BytesUncompressed()[1:]) // x and y, without the 04
		return h.Sum(nil)[12:]
	}

	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	// Ethereum uses sha3.NewLegacyKeccak256 in place of sha256.New.
	fmt.Println(len(address(key.PublicKey(), sha256.New)))
	// Output: 20
}

// The table for a validator's key is computed once.
func ExamplePublicKey_Precomputed() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	pub := key.PublicKey().Precomputed()
	for _, block := range []string{"one", "two"} {
		digest := sha256.Sum256([]byte(block))
		sig, err := ecdsa.Sign(key, digest[:], nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(ecdsa.Verify(pub, digest[:], sig))
	}
	fmt.Println(pub.Equal(key.PublicKey()))
	// Output:
	// true
	// true
	// true
}

func ExampleXOnlyPublicKey_Precomputed() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	pub := key.PublicKey().XOnly().Precomputed()
	msg := []byte("an announcement of an oracle")
	sig, err := schnorr.Sign(key, msg, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schnorr.Verify(pub, msg, sig[:]))
	// Output: true
}

// The two points with the same x coordinate have the same x-only key, which stands for the point with even y.
func ExampleParseXOnlyPublicKey() {
	x, err := p256k1.ParseXOnlyPublicKey(fromHex("f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"))
	if err != nil {
		log.Fatal(err)
	}
	even := x.PublicKey()
	fmt.Println(even.IsYOdd(), even.Negate().IsYOdd())
	fmt.Println(even.XOnly().Equal(x), even.Negate().XOnly().Equal(x))
	// Output:
	// false true
	// true true
}

// Secrets are written and read only explicitly.
func ExamplePrivateKey_MarshalText() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	_, err = json.Marshal(map[string]any{"key": key})
	fmt.Println(errors.Is(err, p256k1.ErrMarshal))

	type file struct {
		Key []byte // base64 in JSON
	}
	secret := key.Bytes()
	defer clear(secret)
	text, err := json.Marshal(file{secret})
	if err != nil {
		log.Fatal(err)
	}

	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		log.Fatal(err)
	}
	defer clear(f.Key)
	same, err := p256k1.ParsePrivateKey(f.Key)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Equal(key))
	// Output:
	// true
	// true
}

// Keys have the methods that package crypto requires.
func ExamplePrivateKey_Public() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	var private interface { // as package crypto describes private keys
		Public() crypto.PublicKey
		Equal(x crypto.PrivateKey) bool
	} = key
	fmt.Printf("%T %v\n", private.Public(), private.Equal(key))

	other, err := p256k1.ParsePrivateKey(key.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(key.Equal(other), key.PublicKey().Equal(other.Public()))
	// Output:
	// *p256k1.PublicKey true
	// true true
}

// All schemes refuse a wiped key.
func ExamplePrivateKey_Zero() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	key.Zero()
	_, err = schnorr.Sign(key, []byte("a message"), nil)
	fmt.Println(errors.Is(err, p256k1.ErrNoKey), err)
	// Output: true p256k1: private key: no key: nil, wiped or never set
}

// Use gives a custom protocol access to the key: Schnorr's identification computes s = k + e·d for a nonce k and a
// challenge e.
func ExamplePrivateKey_Use() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	nonce, err := p256k1.GenerateKey() // use each nonce once
	if err != nil {
		log.Fatal(err)
	}
	e := new(curve.Scalar).SetUint64(17) // the verifier chooses it

	k, err := nonce.Scalar()
	if err != nil {
		log.Fatal(err)
	}
	defer k.Zero()
	var s curve.Scalar
	err = key.Use(func(d curve.Scalar) error {
		s.Mul(e, &d).Add(&s, k)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}

	// s·G = R + e·P
	var want, sum curve.Point
	want.ScalarMult(e, key.PublicKey().Point())
	want.Add(&want, nonce.PublicKey().Point())
	fmt.Println(sum.ScalarBaseMult(&s).Equal(&want))
	// Output: 1
}

// A child key is derived as in BIP-32: the owner tweaks the private key, and everyone who has the extended public key
// can compute the same child's public key, unless the child is hardened.
func ExamplePrivateKey_TweakAdd() {
	mac := func(key []byte, data ...[]byte) (left, right []byte) {
		h := hmac.New(sha512.New, key)
		for _, b := range data {
			h.Write(b)
		}
		sum := h.Sum(nil)
		return sum[:32], sum[32:]
	}

	// This is the master key of BIP-32's test vector 2.
	secret, chain := mac([]byte("Bitcoin seed"), fromHex("fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a2"+
		"9f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542"))
	master, err := p256k1.ParsePrivateKey(secret)
	if err != nil {
		log.Fatal(err)
	}
	public := master.PublicKey()

	// This is child 0. If TweakAdd returns an error, BIP-32 says to use the next index.
	tweak, _ := mac(chain, public.Bytes(), []byte{0, 0, 0, 0})
	child, err := master.TweakAdd(tweak)
	if err != nil {
		log.Fatal(err)
	}
	childPublic, err := public.TweakAdd(tweak)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(child.PublicKey().Equal(childPublic))
	fmt.Printf("%x\n", childPublic.Bytes())

	// The sum of the key and its negative is zero, which is not a key.
	_, err = child.TweakAdd(child.Negate().Bytes())
	fmt.Println(errors.Is(err, p256k1.ErrInfinity), err)

	// Output:
	// true
	// 02fc9e5af0ac8d9b3cecfe2a888e2117ba3d089d8585886c9c826b6b22a98d12ea
	// true p256k1: tweaked private key: point at infinity: zero
}

// A key is tweaked for Taproot's key path, with the first of BIP-341's wallet test vectors.
func ExamplePrivateKey_TweakAddXOnly() {
	internal, err := p256k1.ParsePrivateKey(fromHex("6b973d88838f27366ed61c9ad6367663045cb456e28335c109e30717ae0c6baa"))
	if err != nil {
		log.Fatal(err)
	}
	x := internal.PublicKey().XOnly()
	tweak := schnorr.TaggedHash("TapTweak", x.Bytes()) // with scripts, also the Merkle root, after the key

	// x.TweakAdd returns the key in the output, and internal.TweakAddXOnly returns the private key that spends the
	// output.
	output, err := x.TweakAdd(tweak[:])
	if err != nil {
		log.Fatal(err)
	}
	key, err := internal.TweakAddXOnly(tweak[:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", output.XOnly().Bytes())
	fmt.Println(key.PublicKey().Equal(output))

	// Script validation makes this check, with the parity from the control block.
	fmt.Println(x.CheckTweakAdd(tweak[:], output.XOnly().Bytes(), output.IsYOdd()))

	// Output:
	// 53a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343
	// true
	// true
}

// A wallet computes several child keys of an extended public key (BIP-32) in one call. The parent is the master key of
// BIP-32's test vector 2.
func ExamplePublicKey_TweakAddBatch() {
	public, err := p256k1.ParsePublicKey(fromHex("03cbcaa9c98c877a26977d00825c956a238e8dddfbd322cce4f74b0b5bd6ace4a7"))
	if err != nil {
		log.Fatal(err)
	}
	chain := fromHex("60499f801b896d83179a4374aeb7822aaeaceaa0db1f85ee3e904c4defbd9689")
	tweaks := make([][]byte, 100)
	for i := range tweaks {
		h := hmac.New(sha512.New, chain)
		h.Write(binary.BigEndian.AppendUint32(public.Bytes(), uint32(i)))
		tweaks[i] = h.Sum(nil)[:32]
	}
	children, err := public.TweakAddBatch(tweaks)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(children), children[0])
	// Output: 100 02fc9e5af0ac8d9b3cecfe2a888e2117ba3d089d8585886c9c826b6b22a98d12ea
}

// The owner of a key multiplies a blinded point by the key, without learning the point.
func ExamplePublicKey_TweakMul() {
	owner, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	factor, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	point, err := p256k1.ParsePublicKey(fromHex("02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"))
	if err != nil {
		log.Fatal(err)
	}

	blinded, err := point.TweakMul(factor.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	answer, err := blinded.TweakMul(owner.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	inverse, err := factor.Scalar()
	if err != nil {
		log.Fatal(err)
	}
	defer inverse.Zero()
	result, err := answer.TweakMul(inverse.Invert(inverse).Bytes())
	if err != nil {
		log.Fatal(err)
	}

	want, err := point.TweakMul(owner.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Equal(want))

	// Multiplying the private key gives the private key of the product.
	product, err := owner.TweakMul(factor.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	public, err := owner.PublicKey().TweakMul(factor.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(product.PublicKey().Equal(public))

	// Output:
	// true
	// true
}

// A key is split into two shares, each of which reveals nothing about the key.
func ExampleNewPrivateKey() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	share1, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	d2, err := share1.Scalar()
	if err != nil {
		log.Fatal(err)
	}
	defer d2.Zero()
	err = key.Use(func(d curve.Scalar) error {
		d2.Sub(&d, d2)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	share2, err := p256k1.NewPrivateKey(d2)
	if err != nil {
		log.Fatal(err)
	}

	// The sum of the public keys is the public key.
	var sum curve.Point
	sum.Add(share1.PublicKey().Point(), share2.PublicKey().Point())
	public, err := p256k1.NewPublicKey(&sum)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(public.Equal(key.PublicKey()))
	// Output: true
}
