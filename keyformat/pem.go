package keyformat

import (
	"bytes"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/secret"
)

// These are the labels of PEM blocks.
const (
	labelPKCS8      = "PRIVATE KEY"
	labelEC         = "EC PRIVATE KEY"
	labelParameters = "EC PARAMETERS"
	labelEncrypted  = "ENCRYPTED PRIVATE KEY"
	labelPKIX       = "PUBLIC KEY"

	labelCertificate = "CERTIFICATE"
)

// ParsePrivateKeyPEM returns the private key in a file with one PEM block (RFC 7468): PRIVATE KEY (PKCS #8) or EC
// PRIVATE KEY (SEC 1). The block EC PARAMETERS that OpenSSL writes before EC PRIVATE KEY is accepted. Text may come
// before a block, such as the output of “openssl ec -text”, but only white space may follow the key's block. Lines may
// have any length, end with LF, CR LF or CR, and contain white space (the lax form of RFC 7468, section 3), but the
// lines BEGIN and END must be lines of their own. The base64 must have its padding. The error is ErrPEM, ErrEncrypted,
// or an error that ParsePKCS8PrivateKey or ParseECPrivateKey returns.
func ParsePrivateKeyPEM(data []byte) (*p256k1.PrivateKey, error) {
	return wiping(func() (*p256k1.PrivateKey, error) { return parsePEM(data) })
}

func parsePEM(data []byte) (*p256k1.PrivateKey, error) {
	p := parser{what: "PEM private key"}
	label, der := p.block(&data)
	if label == labelParameters {
		p.curve(der, false)
		clear(der) // may be a private key
		if p.err == nil && !bytes.Contains(data, begin) {
			p.fail(ErrPEM, "%s alone, without a key", labelParameters)
		}
		label, der = p.block(&data)
		if label != labelEC {
			p.fail(ErrPEM, "%s is not followed by %s", labelParameters, labelEC)
		}
	}
	defer clear(der)
	switch label {
	case labelPKCS8, labelEC:
	case labelEncrypted:
		p.fail(ErrEncrypted, "decrypt it first")
	case labelPKIX, labelCertificate:
		p.fail(ErrPEM, "a block %s, want %s or %s: it has no private key", quote(label), labelPKCS8, labelEC)
	default:
		p.fail(ErrPEM, "a block %s, want %s or %s", quote(label), labelPKCS8, labelEC)
	}
	p.lastBlock(data)
	if p.err != nil {
		return nil, p.err
	}
	if label == labelEC {
		return parseEC(der)
	}
	return parsePKCS8(der)
}

// MarshalPrivateKeyPEM returns a PEM block PRIVATE KEY that contains the PKCS #8 encoding of the key, as
// MarshalPKCS8PrivateKey returns it. The error is p256k1.ErrNoKey if key is invalid.
func MarshalPrivateKeyPEM(key *p256k1.PrivateKey) ([]byte, error) {
	return wiping(func() ([]byte, error) {
		der, err := marshalPKCS8(key)
		if err != nil {
			return nil, err
		}
		defer clear(der)
		return marshalPEM(labelPKCS8, der), nil
	})
}

// ParsePublicKeyPEM returns the public key in a file with one PEM block PUBLIC KEY (RFC 7468), which contains a
// SubjectPublicKeyInfo. Text may come before the block, but only white space may follow it. ParsePrivateKeyPEM says
// what the lines may contain. The error is ErrPEM, an error that ParsePKIXPublicKey returns, or ErrEncrypted if the
// first block is encrypted.
func ParsePublicKeyPEM(data []byte) (*p256k1.PublicKey, error) {
	p := parser{what: "PEM public key"}
	label, der := p.block(&data)
	defer clear(der) // may be a private key
	switch label {
	case labelPKIX:
	case labelEncrypted:
		p.fail(ErrEncrypted, "and a private key: want %s", labelPKIX)
	case labelPKCS8, labelEC:
		p.fail(ErrPEM, "a block %s, want %s: ParsePrivateKeyPEM reads private keys", quote(label), labelPKIX)
	case labelCertificate:
		p.fail(ErrPEM, "a block %s, want %s: “openssl x509 -pubkey” writes the key of a certificate", quote(label), labelPKIX)
	default:
		p.fail(ErrPEM, "a block %s, want %s", quote(label), labelPKIX)
	}
	p.lastBlock(data)
	if p.err != nil {
		return nil, p.err
	}
	return ParsePKIXPublicKey(der)
}

// MarshalPublicKeyPEM returns a PEM block PUBLIC KEY that contains the SubjectPublicKeyInfo of the key, as
// MarshalPKIXPublicKey returns it. The error is p256k1.ErrNoKey if pub is invalid.
func MarshalPublicKeyPEM(pub *p256k1.PublicKey) ([]byte, error) {
	der, err := MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil, err
	}
	return marshalPEM(labelPKIX, der), nil
}

var (
	dashes = []byte("-----")
	begin  = []byte("-----BEGIN ")
	end    = []byte("-----END ")
)

// lastBlock fails unless data consists of white space.
func (p *parser) lastBlock(data []byte) {
	for len(data) > 0 {
		l := line(&data)
		if label, ok := boundary(l, begin); ok {
			p.fail(ErrPEM, "another block, %s, after the block of the key", quote(label))
		}
		if len(l) > 0 {
			p.fail(ErrPEM, "data after the block of the key")
		}
	}
}

// noBlock fails because no line of data begins a block, and says why if that is known.
func (p *parser) noBlock(data []byte) {
	place := bytes.Index(data, begin)
	var der parser
	rest := data
	der.element(&rest, sequence, "")
	switch {
	case len(data) == 0:
		p.fail(ErrPEM, "no line that begins a block: the input is empty")
	case bytes.Contains(data, []byte("-\x00-\x00-")):
		p.fail(ErrPEM, "UTF-16, convert it to UTF-8 first")
	case place < 0 && der.err == nil && len(rest) == 0:
		p.fail(ErrPEM, "no line that begins a block: DER is read by the functions without PEM in their names")
	case place < 0:
		p.fail(ErrPEM, "no line that begins a block")
	case bytes.Contains(data[place:], []byte(`\n`)) || bytes.Contains(data[place:], []byte(`\r`)):
		p.fail(ErrPEM, `the lines end with \n as two characters, as in an environment variable: replace them by line ends`)
	case bytes.Contains(data[place:], end):
		p.fail(ErrPEM, "the line with -----BEGIN has more text: it and the line with -----END must be lines of their own")
	default:
		p.fail(ErrPEM, "the line with -----BEGIN has more text or fewer hyphens than “-----BEGIN …-----”")
	}
}

// block removes the first PEM block and the text before it from the front of data. It returns the label of the block
// and, in a new slice, its contents.
func (p *parser) block(data *[]byte) (label string, contents []byte) {
	if p.err != nil {
		return "", nil
	}
	*data = bytes.TrimPrefix(*data, []byte("\ufeff")) // the mark with which some editors begin a file
	whole, ok := *data, false
	for !ok && len(*data) > 0 {
		label, ok = boundary(line(data), begin)
	}
	if !ok {
		p.noBlock(whole)
		return "", nil
	}
	text := secret.Make[byte](len(*data))[:0]
	for p.err == nil {
		if len(*data) == 0 {
			p.fail(ErrPEM, "no line that ends the block %s", quote(label))
			break
		}
		l := line(data)
		if name, ok := boundary(l, end); ok && name == label {
			break
		}
		p.within(label, l)
		for _, c := range l {
			if !isSpace(c) {
				text = append(text, c)
			}
		}
	}
	digits := text
	for range 2 {
		if n := len(digits); n > 0 && digits[n-1] == '=' {
			digits = digits[:n-1]
		}
	}
	contents, ok = base64std.appendBytes(text[:0], digits)
	if !ok || len(text)%4 != 0 {
		p.fail(ErrPEM, "the block is not base64 with its padding")
	}
	if p.err != nil {
		clear(text)
		return "", nil
	}
	clear(text[len(contents):])
	return label, contents
}

// within fails for a line of the block that cannot be base64, if it is of a known kind.
func (p *parser) within(label string, l []byte) {
	name, ends := boundary(l, end)
	_, begins := boundary(l, begin)
	switch {
	case ends:
		p.fail(ErrPEM, "the block begins as %s and ends as %s", quote(label), quote(name))
	case begins:
		p.fail(ErrPEM, "no line that ends the block %s before the next block", quote(label))
	case bytes.Contains(l, end):
		p.fail(ErrPEM, "the line with -----END has more text or fewer hyphens than “-----END …-----”")
	case bytes.IndexByte(l, ':') < 0:
	case bytes.Contains(l, []byte("ENCRYPTED")) || bytes.HasPrefix(l, []byte("DEK-Info")): // RFC 1421
		p.fail(ErrEncrypted, "decrypt it first")
	default:
		p.fail(ErrPEM, "a header within the block, which RFC 7468 does not allow")
	}
	if bytes.IndexByte(l, '\\') >= 0 {
		p.fail(ErrPEM, `a backslash within the block: line ends must not be written as \n`)
	}
}

// line removes a line from the front of data and returns it without the end of line, and without white space at its
// beginning and end.
func line(data *[]byte) []byte {
	l, rest := *data, []byte(nil)
	for i, c := range l {
		if c == '\n' || c == '\r' {
			l, rest = l[:i], bytes.TrimPrefix(l[i:], []byte("\r"))
			rest = bytes.TrimPrefix(rest, []byte("\n"))
			break
		}
	}
	*data = rest
	for len(l) > 0 && isSpace(l[0]) {
		l = l[1:]
	}
	for len(l) > 0 && isSpace(l[len(l)-1]) {
		l = l[:len(l)-1]
	}
	return l
}

// isSpace reports whether c is white space within a line (RFC 7468, figure 2).
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' }

// boundary returns the label of a line that begins or ends a block. A label contains no two hyphens in a row.
func boundary(line, marker []byte) (label string, ok bool) {
	if !bytes.HasPrefix(line, marker) || !bytes.HasSuffix(line[len(marker):], dashes) {
		return "", false
	}
	name := line[len(marker) : len(line)-len(dashes)]
	if bytes.Contains(name, dashes[:2]) {
		return "", false
	}
	return string(name), true
}

func marshalPEM(label string, der []byte) []byte {
	const perLine = 48 // bytes, 64 digits
	lines := (len(der) + perLine - 1) / perLine
	size := len("-----BEGIN -----\n-----END -----\n") + 2*len(label) + (len(der)+2)/3*4 + lines
	pem := secret.Make[byte](size)[:0] // large enough, because a slice that grows leaves a copy of the key behind
	pem = append(append(append(append(pem, begin...), label...), dashes...), '\n')
	for len(der) > 0 {
		n := min(perLine, len(der))
		pem = base64std.appendBase64(pem, der[:n])
		for range (3 - n%3) % 3 {
			pem = append(pem, '=')
		}
		pem, der = append(pem, '\n'), der[n:]
	}
	return append(append(append(append(pem, end...), label...), dashes...), '\n')
}
