package keyformat_test

import (
	"bytes"
	"crypto"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/keyformat"
)

// TestOpenSSLFiles reads files that OpenSSL 3.0.19 wrote for the private key of the examples (opensslKey) and for its
// public key.
func TestOpenSSLFiles(t *testing.T) {
	for _, c := range []struct {
		command, file string
		err           error
	}{
		{"openssl ecparam -name secp256k1 -genkey", opensslKey, nil},
		{"openssl pkcs8 -topk8 -nocrypt", `-----BEGIN PRIVATE KEY-----
MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgMlohFDVLXgVhC4RAYXZd
jTlX5MWiFtePToo3spNkVFuhRANCAATyrZ0j2/EJQAxSxC+997cqcW2gfkYVCUp8
VBesi2aNx5gGi+LzHTMqrIs0mTD28vwxjEeF6S1pLqYx/xu/wpG6
-----END PRIVATE KEY-----
`, nil},
		{"openssl ec -conv_form compressed", `-----BEGIN EC PRIVATE KEY-----
MFQCAQEEIDJaIRQ1S14FYQuEQGF2XY05V+TFohbXj06KN7KTZFRboAcGBSuBBAAK
oSQDIgAC8q2dI9vxCUAMUsQvvfe3KnFtoH5GFQlKfFQXrItmjcc=
-----END EC PRIVATE KEY-----
`, nil},
		{"openssl ec -conv_form compressed | openssl pkcs8 -topk8 -nocrypt", `-----BEGIN PRIVATE KEY-----
MGQCAQAwEAYHKoZIzj0CAQYFK4EEAAoETTBLAgEBBCAyWiEUNUteBWELhEBhdl2N
OVfkxaIW149Oijeyk2RUW6EkAyIAAvKtnSPb8QlADFLEL733typxbaB+RhUJSnxU
F6yLZo3H
-----END PRIVATE KEY-----
`, nil},
		{"openssl ec -no_public", `-----BEGIN EC PRIVATE KEY-----
MC4CAQEEIDJaIRQ1S14FYQuEQGF2XY05V+TFohbXj06KN7KTZFRboAcGBSuBBAAK
-----END EC PRIVATE KEY-----
`, nil},
		{"openssl ec -no_public | openssl pkcs8 -topk8 -nocrypt", `-----BEGIN PRIVATE KEY-----
MD4CAQAwEAYHKoZIzj0CAQYFK4EEAAoEJzAlAgEBBCAyWiEUNUteBWELhEBhdl2N
OVfkxaIW149Oijeyk2RUWw==
-----END PRIVATE KEY-----
`, nil},
		{"openssl ec -no_public -text", `Private-Key: (256 bit)
priv:
    32:5a:21:14:35:4b:5e:05:61:0b:84:40:61:76:5d:
    8d:39:57:e4:c5:a2:16:d7:8f:4e:8a:37:b2:93:64:
    54:5b
ASN1 OID: secp256k1
-----BEGIN EC PRIVATE KEY-----
MC4CAQEEIDJaIRQ1S14FYQuEQGF2XY05V+TFohbXj06KN7KTZFRboAcGBSuBBAAK
-----END EC PRIVATE KEY-----
`, nil},
		{"openssl ec -param_enc explicit", `-----BEGIN EC PRIVATE KEY-----
MIIBUQIBAQQgMlohFDVLXgVhC4RAYXZdjTlX5MWiFtePToo3spNkVFuggeMwgeAC
AQEwLAYHKoZIzj0BAQIhAP////////////////////////////////////7///wv
MEQEIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABCAAAAAAAAAAAAAA
AAAAAAAAAAAAAAAAAAAAAAAAAAAABwRBBHm+Zn753LusVaBilc6HCwcCm/zbLc4o
2VnygVsW+BeYSDradyajxGVdpPv8DhEIqP0XtEimhVQZnEfQj/sQ1LgCIQD/////
///////////////+uq7c5q9IoDu/0l6M0DZBQQIBAaFEA0IABPKtnSPb8QlADFLE
L733typxbaB+RhUJSnxUF6yLZo3HmAaL4vMdMyqsizSZMPby/DGMR4XpLWkupjH/
G7/Ckbo=
-----END EC PRIVATE KEY-----
`, keyformat.ErrExplicitParameters},
		{"openssl pkcs8 -topk8 -passout pass:x", `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiQ5Jm3fXNz/gICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELDUfSByDddyggtkbzw+jfAEgZCE
hHtwensC+QQ6DPLK30pvgN/MoCr1T1Vqoa2w9aaXr+G7UHIyk61AycmH7AQFt0Jg
IeW2bXypSoXY9CL+T1s1YInkrl+x25FcIt+bQ+8p3d6rCHJnX+6HXPXQRrjhtT1y
mYoWMSR0+RJBhMbRhQaKFtyH74+qxFZQDP5Oka4XCbJaZGD8UcflxcSX+282oPQ=
-----END ENCRYPTED PRIVATE KEY-----
`, keyformat.ErrEncrypted},
		{"openssl ec -aes128 -passout pass:x", `-----BEGIN EC PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-128-CBC,F50BD48AD4832EAD9D912747FF75321D

xSMJ1l4tiFmDi3g0Kdx1MPkR8hsS9SberLHk7ZH2HVXrJS6yuDD0/QO547/d4Z8s
1BgWBzjKFbOrD+lDhmBezq2QzDri0wM7/trz023iqQpeyojQ3Maot+/K9NmpsMGN
ASw89oIZGoiFlxUqVqSrgjWuswuWhlfReDLkmEkokr4=
-----END EC PRIVATE KEY-----
`, keyformat.ErrEncrypted},
	} {
		k, err := keyformat.ParsePrivateKeyPEM([]byte(c.file))
		if !errors.Is(err, c.err) || (err == nil && !k.Equal(libtest.Private(t, oracle.Int(libtest.Unhex("325a2114354b5e05610b844061765d8d3957e4c5a216d78f4e8a37b29364545b"))))) {
			t.Errorf("%s: %v, want %v", c.command, err, c.err)
		}
	}
	for _, c := range []struct {
		command, file string
		err           error
	}{
		{"openssl ec -pubout", `-----BEGIN PUBLIC KEY-----
MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAE8q2dI9vxCUAMUsQvvfe3KnFtoH5GFQlK
fFQXrItmjceYBovi8x0zKqyLNJkw9vL8MYxHhektaS6mMf8bv8KRug==
-----END PUBLIC KEY-----
`, nil},
		{"openssl ec -pubout -conv_form compressed", `-----BEGIN PUBLIC KEY-----
MDYwEAYHKoZIzj0CAQYFK4EEAAoDIgAC8q2dI9vxCUAMUsQvvfe3KnFtoH5GFQlK
fFQXrItmjcc=
-----END PUBLIC KEY-----
`, nil},
		{"openssl ec -pubout -conv_form hybrid", `-----BEGIN PUBLIC KEY-----
MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAG8q2dI9vxCUAMUsQvvfe3KnFtoH5GFQlK
fFQXrItmjceYBovi8x0zKqyLNJkw9vL8MYxHhektaS6mMf8bv8KRug==
-----END PUBLIC KEY-----
`, p256k1.ErrPrefix},
	} {
		pub, err := keyformat.ParsePublicKeyPEM([]byte(c.file))
		if !errors.Is(err, c.err) || (err == nil && !pub.Equal(key().PublicKey())) {
			t.Errorf("%s: %v, want %v", c.command, err, c.err)
		}
	}
}

// needOpenSSL skips the test if the program openssl is not installed. Under CI it fails the test instead, because
// nobody would notice the skip.
func needOpenSSL(t *testing.T) {
	t.Helper()
	if runtime.GOARCH == "wasm" {
		t.Skip("WebAssembly starts no programs")
	}
	if _, err := exec.LookPath("openssl"); err != nil {
		const missing = "THERE IS NO openssl: keys and signatures were not exchanged with it"
		if os.Getenv("CI") == "true" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	if version := string(openssl(t, nil, "version")); !strings.HasPrefix(version, "OpenSSL ") && os.Getenv("CI") != "true" {
		t.Skipf("NOT OpenSSL BUT %s: keys and signatures were not exchanged with it", strings.TrimSpace(version))
	}
}

// openssl runs the program openssl and returns its output.
func openssl(t testing.TB, in []byte, args ...string) []byte {
	t.Helper()
	var out, diagnosis bytes.Buffer
	cmd := exec.Command("openssl", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &diagnosis
	if err := cmd.Run(); err != nil {
		t.Fatalf("openssl %s: %v\n%s", strings.Join(args, " "), err, diagnosis.Bytes())
	}
	return out.Bytes()
}

// TestOpenSSL checks that OpenSSL reads the keys that this package writes, and that this package reads the keys that
// OpenSSL writes.
func TestOpenSSL(t *testing.T) {
	needOpenSSL(t)
	bytesOf := must[[]byte](t)
	privateOf, publicOf := must[*p256k1.PrivateKey](t), must[*p256k1.PublicKey](t)

	// OpenSSL reads the keys that this package writes, and writes the same bytes.
	for _, d := range append(secrets(), oracle.New(t).ValidScalar()) {
		k := libtest.Private(t, d)
		pkcs8, ec, pkix := bytesOf(keyformat.MarshalPKCS8PrivateKey(k)), bytesOf(keyformat.MarshalECPrivateKey(k)), bytesOf(keyformat.MarshalPKIXPublicKey(k.PublicKey()))
		text, public := bytesOf(keyformat.MarshalPrivateKeyPEM(k)), bytesOf(keyformat.MarshalPublicKeyPEM(k.PublicKey()))
		for _, c := range []struct {
			in   []byte
			args string
			want []byte
		}{
			{text, "pkcs8 -topk8 -nocrypt -outform DER", pkcs8},
			{text, "pkcs8 -topk8 -nocrypt", text},
			{text, "ec -outform DER", ec},
			{text, "pkey -pubout -outform DER", pkix},
			{ec, "ec -inform DER -pubout", public},
			{pkcs8, "pkey -inform DER -pubout", public},
			{public, "pkey -pubin -outform DER", pkix},
			{pkix, "ec -inform DER -pubin", public},
			// Old versions of OpenSSL wrote a secret without its leading zeros.
			{form{false, true, 65, (d.BitLen() + 7) / 8}.marshal(d), "ec -inform DER -outform DER", ec},
		} {
			if got := openssl(t, c.in, strings.Fields(c.args)...); !bytes.Equal(got, c.want) {
				t.Errorf("openssl %s: %x, want %x", c.args, got, c.want)
			}
		}
		// This package reads the keys in the forms that OpenSSL writes.
		for _, args := range []string{"-no_public", "-conv_form compressed", "-conv_form uncompressed -text"} {
			written := openssl(t, text, append([]string{"ec"}, strings.Fields(args)...)...)
			if got := privateOf(keyformat.ParsePrivateKeyPEM(written)); !got.Equal(k) {
				t.Errorf("openssl ec %s: another key", args)
			}
			if args == "-conv_form uncompressed -text" { // text comes before the block
				_, written, _ = bytes.Cut(written, []byte("ASN1 OID: secp256k1\n"))
			}
			if got := privateOf(keyformat.ParsePrivateKeyPEM(openssl(t, written, "pkcs8", "-topk8", "-nocrypt"))); !got.Equal(k) {
				t.Errorf("openssl pkcs8 of ec %s: another key", args)
			}
		}
		compressed := openssl(t, text, "ec", "-pubout", "-conv_form", "compressed")
		if got := publicOf(keyformat.ParsePublicKeyPEM(compressed)); !got.Equal(k.PublicKey()) {
			t.Error("compressed: another public key")
		}
	}

	// Each command generates a key, which this package must read or refuse with an error of the given kind.
	const named = " -pkeyopt ec_param_enc:named_curve"
	for _, c := range []struct {
		args string
		kind error
	}{
		{"ecparam -name secp256k1 -genkey", nil},
		{"ecparam -name secp256k1 -genkey -noout", nil},
		{"ecparam -name secp256k1 -genkey -noout -conv_form compressed", nil},
		{"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1" + named, nil},
		{"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1 -pkeyopt ec_param_enc:explicit", keyformat.ErrExplicitParameters},
		{"ecparam -name secp256k1 -genkey -param_enc explicit", keyformat.ErrExplicitParameters},
		{"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1 -aes-256-cbc -pass pass:test", keyformat.ErrEncrypted},
		{"genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256" + named, keyformat.ErrCurve},
		{"ecparam -name prime256v1 -genkey", keyformat.ErrCurve},
		{"genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048", keyformat.ErrAlgorithm},
		{"genpkey -algorithm ED25519", keyformat.ErrAlgorithm},
	} {
		made := openssl(t, nil, strings.Fields(c.args)...)
		k, err := keyformat.ParsePrivateKeyPEM(made)
		if c.kind != nil {
			checkKind(t, err, c.kind)
			if c.kind != keyformat.ErrEncrypted {
				_, err = keyformat.ParsePublicKeyPEM(openssl(t, made, "pkey", "-pubout"))
				checkKind(t, err, c.kind)
			}
			continue
		}
		if err != nil {
			t.Errorf("openssl %s: %v", c.args, err)
			continue
		}
		if pub := publicOf(keyformat.ParsePublicKeyPEM(openssl(t, made, "pkey", "-pubout"))); !pub.Equal(k.PublicKey()) {
			t.Errorf("openssl %s: another public key", c.args)
		}
	}
}

// TestOpenSSLES256K lets OpenSSL verify signatures by this package, and lets SignES256K use a crypto.Signer that calls
// OpenSSL.
func TestOpenSSLES256K(t *testing.T) {
	needOpenSSL(t)
	dir := t.TempDir()
	keyFile, publicFile, sigFile := filepath.Join(dir, "key.pem"), filepath.Join(dir, "public.pem"), filepath.Join(dir, "signature")
	write := func(name string, b []byte) {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k := libtest.Private(t, oracle.New(t).ValidScalar())
	write(keyFile, must[[]byte](t)(keyformat.MarshalPrivateKeyPEM(k)))
	write(publicFile, must[[]byte](t)(keyformat.MarshalPublicKeyPEM(k.PublicKey())))
	module := signer{k.PublicKey(), func(_ io.Reader, digest []byte, _ crypto.SignerOpts) ([]byte, error) {
		return openssl(t, digest, "pkeyutl", "-sign", "-inkey", keyFile), nil
	}}
	for i := range 4 {
		input := fmt.Appendf(nil, "header.payload%d", i)
		for _, s := range []crypto.Signer{ecdsa.NewSigner(k, nil), module} {
			sig := must[[]byte](t)(keyformat.SignES256K(s, input))
			write(sigFile, must[ecdsa.Signature](t)(ecdsa.ParseCompact(sig)).DER())
			openssl(t, input, "dgst", "-sha256", "-verify", publicFile, "-signature", sigFile)
		}
	}
}

// TestPEMOthers changes PEM files in one or several places. If encoding/pem and OpenSSL both read the key of the
// changed file, this package must read the same key, except that only white space may follow the key's block, and that
// headers and damaged parameters, which OpenSSL skips, are refused.
func TestPEMOthers(t *testing.T) {
	needOpenSSL(t)
	r := oracle.New(t)
	d := r.ValidScalar()
	want := libtest.Private(t, d)
	ec := string(marshalPEM("EC PRIVATE KEY", form{false, true, 33, 32}.marshal(d)))
	files := []string{
		string(marshalPEM("PRIVATE KEY", form{true, false, 65, 32}.marshal(d))),
		"-----BEGIN EC PARAMETERS-----\nBgUrgQQACg==\n-----END EC PARAMETERS-----\n" + ec,
		"Private-Key: (256 bit)\npriv:\n    00:01:\nASN1 OID: secp256k1\n" + ec,
	}
	pieces := []string{" ", "\t", "\n", "\r", "\r\n", " \n", "\n\n", "\v", "\f", "\x00", "x", "=", "-", ":", "\\n", "#\n", "-----\n", "-----BEGIN\n"}
	dir := t.TempDir()
	asked, read := 0, 0
	// reads reports whether encoding/pem and OpenSSL read the key.
	reads := func(text string) bool {
		block, rest := pem.Decode([]byte(text))
		if block != nil && block.Type == "EC PARAMETERS" {
			block, _ = pem.Decode(rest)
		}
		if block == nil || block.Headers["Proc-Type"] != "" {
			return false
		}
		if scalar := referencePKCS8(block.Bytes); scalar == nil || scalar.Cmp(d) != 0 {
			if scalar = referenceEC(block.Bytes, true); scalar == nil || scalar.Cmp(d) != 0 {
				return false
			}
		}
		asked++
		name := filepath.Join(dir, "key.pem")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("openssl", "pkey", "-in", name, "-outform", "DER").Output()
		return err == nil && bytes.Contains(out, want.Bytes())
	}
	check := func(text string) {
		key, err := keyformat.ParsePrivateKeyPEM([]byte(text))
		if err == nil {
			read++
			if !key.Equal(want) {
				t.Fatalf("%q: another key", text)
			}
			return
		}
		checkKind(t, err, nil)
		after := strings.Contains(err.Error(), "after the block of the key")
		if header := strings.Contains(err.Error(), "a header within"); !after && !header && reads(text) {
			t.Errorf("%q: %v, but encoding/pem and OpenSSL read it", text, err)
		}
	}
	for _, file := range files {
		for i := 0; i <= len(file); i++ {
			inParameters := i > 0 && i < strings.Index(file, "-----BEGIN EC PRIVATE") && strings.HasPrefix(file, "-----BEGIN EC PARAM")
			for _, piece := range pieces {
				if inParameters && (strings.Trim(piece, " \t\r\n") != "" || (file[i] != '\n' && strings.HasPrefix(file[strings.LastIndex(file[:i], "\n")+1:], "--"))) {
					continue
				}
				check(file[:i] + piece + file[i:])
			}
			if i < len(file) && !inParameters {
				check(file[:i] + file[i+1:])
			}
		}
		for range 300 { // white space at several ends of lines, where the grammar allows it
			var b strings.Builder
			for line := range strings.Lines(file) {
				b.WriteString(strings.TrimSuffix(line, "\n") + pieces[r.IntN(2)] + pieces[2+r.IntN(5)])
			}
			text, before := b.String(), read
			check(text)
			if read == before {
				t.Errorf("%q is refused", text)
			}
		}
	}
	for _, text := range files { // OpenSSL and encoding/pem are asked in the right way
		if !reads(text) || !reads(strings.ReplaceAll(text, "\n", "  \r\n")) {
			t.Errorf("%q: encoding/pem or OpenSSL refuses it", text)
		}
	}
	t.Logf("result: %d files read; OpenSSL was asked about %d that are refused", read, asked)
}
