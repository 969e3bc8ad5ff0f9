//go:build !386 && !arm && !mips && !mipsle && !(purego && limbs32)

package field

func add(v, a, b *Element) { add64(v, a, b) }
func sub(v, a, b *Element) { sub64(v, a, b) }
