package toy

func isMagic(b []byte) bool {
	if string(b) != "magic" {
		return false
	}
	if len(b) == 5 {
		return true
	}
	return false
}
