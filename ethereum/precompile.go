package ethereum

// ecrecover's input: a hash, v, r and s, 32 bytes each.
const (
	inputV = 32 * (iota + 1)
	inputR
	inputS
	inputSize
)

// Ecrecover computes what the precompiled contract at address 1 does (Yellow Paper, appendix E). It appends the address
// in 32 bytes, after 12 zeros, to dst and returns the result, or returns dst if there is no sender. An input of any
// length is cut to 128 bytes, or padded to them with zeros on the right: the hash, v, which is 27 or 28 in 32 bytes, r
// and s. s may be high. Ecrecover does not allocate if dst has room and there is a sender.
func Ecrecover(dst, input []byte) []byte {
	var in [inputSize]byte
	copy(in[:], input)
	v := in[inputR-1]
	if [31]byte(in[inputV:]) != [31]byte{} || v != 27 && v != 28 {
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
