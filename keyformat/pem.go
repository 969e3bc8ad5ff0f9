package keyformat

import (
	"bytes"

	"p256k1.mleku.dev/v2"
)

// These are the labels of PEM blocks.
const (
	labelPKCS8      = "PRIVATE KEY"
	labelEC         = "EC PRIVATE KEY"
	labelParameters = "EC PARAMETERS"
	labelEncrypted  = "ENCRYPTED PRIVATE KEY"
	labelPKIX       = "PUBLIC KEY"
)

// ParsePrivateKeyPEM returns the private key in a file with one PEM block (RFC
// 7468): PRIVATE KEY (PKCS #8) or EC PRIVATE KEY (SEC 1). The block EC PARAMETERS that OpenSSL writes before EC
// PRIVATE KEY is accepted. Text may come before the first block, but only empty lines may follow the last block.
// Lines may have any length and end with LF or CR LF. The error is ErrPEM, ErrEncrypted, or an error that
// ParsePKCS8PrivateKey or ParseECPrivateKey returns.
func ParsePrivateKeyPEM(data []byte) (*p256k1.PrivateKey, error) {
	return wiping(func() (*p256k1.PrivateKey, error) { return parsePEM(data) })
}

func parsePEM(data []byte) (*p256k1.PrivateKey, error) {
	p := parser{what: "PEM private key"}
	p.preamble(&data)
	label, der := p.block(&data)
	if label == labelParameters {
		p.curve(der, false)
		clear(der) // may be a private key
		p.emptyLines(&data)
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
// MarshalPKCS8PrivateKey returns it. The error is p256k1.ErrNoKey if key is nil, was wiped or was never set.
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

// ParsePublicKeyPEM returns the public key in a file with one PEM block PUBLIC KEY
// (RFC 7468), which contains a SubjectPublicKeyInfo. Text may come before the block, but only empty lines may follow
// it. Lines may have any length and end with LF or CR LF. The error is ErrPEM, an error that ParsePKIXPublicKey
// returns, or ErrEncrypted if the first block is encrypted as in RFC 1421.
func ParsePublicKeyPEM(data []byte) (*p256k1.PublicKey, error) {
	p := parser{what: "PEM public key"}
	p.preamble(&data)
	label, der := p.block(&data)
	defer clear(der) // may be a private key
	if label != labelPKIX {
		p.fail(ErrPEM, "a block %s, want %s", quote(label), labelPKIX)
	}
	p.lastBlock(data)
	if p.err != nil {
		return nil, p.err
	}
	return ParsePKIXPublicKey(der)
}

// MarshalPublicKeyPEM returns a PEM block PUBLIC KEY that contains the SubjectPublicKeyInfo of the key, as
// MarshalPKIXPublicKey returns it. The error is p256k1.ErrNoKey if pub is nil or was never set.
func MarshalPublicKeyPEM(pub *p256k1.PublicKey) ([]byte, error) {
	der, err := MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil, err
	}
	return marshalPEM(labelPKIX, der), nil
}

var (
	dashes   = []byte("-----")
	procType = []byte("Proc-Type:")
	begin    = []byte("-----BEGIN ")
	end      = []byte("-----END ")
)

// preamble skips the lines before the first line that begins with dashes.
func (p *parser) preamble(data *[]byte) {
	for len(*data) > 0 && !bytes.HasPrefix(*data, dashes) {
		line(data)
	}
}

// emptyLines skips empty lines.
func (p *parser) emptyLines(data *[]byte) {
	rest := *data
	for len(rest) > 0 && len(line(&rest)) == 0 {
		*data = rest
	}
}

// lastBlock fails unless data consists of empty lines.
func (p *parser) lastBlock(data []byte) {
	p.emptyLines(&data)
	if len(data) > 0 {
		p.fail(ErrPEM, "data after the block of the key")
	}
}

// block removes a PEM block from the front of data and returns its label and, in a new
// slice, its contents.
func (p *parser) block(data *[]byte) (label string, contents []byte) {
	if p.err != nil {
		return "", nil
	}
	label, ok := boundary(line(data), begin)
	if !ok {
		p.fail(ErrPEM, "no line that begins a block")
		return "", nil
	}
	if bytes.HasPrefix(*data, procType) { // RFC 1421
		p.fail(ErrEncrypted, "decrypt it first")
		return "", nil
	}
	text := buffer(len(*data))
	for {
		if len(*data) == 0 {
			p.fail(ErrPEM, "no line that ends the block %s", quote(label))
			break
		}
		l := line(data)
		if of, ok := boundary(l, end); ok {
			if of != label {
				p.fail(ErrPEM, "the block begins as %s and ends as %s", quote(label), quote(of))
			}
			break
		}
		if len(l) == 0 {
			p.fail(ErrPEM, "an empty line within the block")
		}
		text = append(text, l...)
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

// line removes a line from the front of data and returns it without the end of line.
func line(data *[]byte) []byte {
	l, rest := *data, []byte(nil)
	if i := bytes.IndexByte(l, '\n'); i >= 0 {
		l, rest = l[:i], l[i+1:]
		if i > 0 && l[i-1] == '\r' {
			l = l[:i-1]
		}
	}
	*data = rest
	return l
}

// boundary returns the label of a line that begins or ends a block.
func boundary(line, with []byte) (label string, ok bool) {
	if !bytes.HasPrefix(line, with) || !bytes.HasSuffix(line[len(with):], dashes) {
		return "", false
	}
	return string(line[len(with) : len(line)-len(dashes)]), true
}

func marshalPEM(label string, der []byte) []byte {
	const perLine = 48 // bytes, 64 digits
	lines := (len(der) + perLine - 1) / perLine
	size := len("-----BEGIN -----\n-----END -----\n") + 2*len(label) + (len(der)+2)/3*4 + lines
	pem := buffer(size) // large enough, because a slice that grows leaves a copy of the key behind
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
