package ethereum

// The input of ecrecover consists of a hash, v, r and s, which have 32 bytes each.
const (
	inputV = 32 * (iota + 1)
	inputR
	inputS
	inputSize
)

// Ecrecover computes the result of the precompiled contract at address 1 (Yellow Paper, appendix E). It recovers the
// sender, appends 12 zero bytes and the 20-byte address to dst, and returns the extended slice, or dst if there is no
// sender. The input is truncated to 128 bytes, or padded with zeros on the right to 128 bytes. It consists of the hash,
// v, r and s, which have 32 bytes each. v must be 27 or 28, and s may be high. Ecrecover does not allocate memory if
// dst has enough capacity and there is a sender.
func Ecrecover(dst, input []byte) []byte {
	var in [inputSize]byte
	copy(in[:], input)
	v := in[inputR-1]
	if [31]byte(in[inputV:]) != [31]byte{} || (v != 27 && v != 28) {
		return dst
	}
	var sig [65]byte
	copy(sig[:], in[inputR:])
	sig[64] = v
	a, err := Recoverer{AllowHighS: true}.Sender([32]byte(in[:]), sig)
	if err != nil {
		return dst
	}
	return append(append(dst, make([]byte, 12)...), a[:]...)
}
