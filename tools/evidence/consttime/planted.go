package consttime

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// plants are leaks which change no result, and the lines in the library to put them
// behind.
var plants = []struct {
	file, after, text string
	leaks             []Finding
}{
	{"internal/scalar/scalar.go", "func (v *Scalar) Add(a, b *Scalar) *Scalar {\n", `
		if a.l0 > 12345 {
			planted = planted*planted + 1
		}
`, []Finding{{"branch", Place{"scalar.(*Scalar).Add", "if a.l0 > 12345 {"}}}},
	{"internal/ecmult/lookup.go", "index := (window ^ negative) & (n - 1)\n", `
		planted += table[index].x[1]
`, []Finding{{"index", Place{"ecmult.lookupGeneric", "planted += table[index].x[1]"}}}},
	{"internal/field/arith.go", "func (v *Element) Negate(a *Element) *Element {\n", `
		planted = ^planted / (a.l1 | 1)
`, []Finding{{"slow", Place{"field.(*Element).Negate", "planted = ^planted / (a.l1 | 1)"}}}},
	{"compat/btcec/v2/schnorr/sign.go", "func negateIf(v *btcec.ModNScalar, odd uint32) {\n", `
		if odd > 0 {
			planted = planted*planted + 1
		}
`, []Finding{{"branch", Place{"schnorr.negateIf", "if odd > 0 {"}}}},
	{"compat/btcec/v2/schnorr/musig2/sign.go", "\tk.Add(&k, k2.Mul(&k2, &v.b))\n", `
		if k.IsHigh() == 1 {
			planted = planted*planted + 1
		}
`, []Finding{{"branch", Place{"musig2.(*keySet).sign", "if k.IsHigh() == 1 {"}}}},
	{"internal/scalar/scalar_amd64.s", "TEXT ·mulBroadwell(SB), NOSPLIT, $0-24\n", `
		MOVQ    a+8(FP), SI
		CMPQ    (SI), $12345
		JHI     planted
	planted:
		MOVBQZX (SI), BX
		LEAQ    (BX)(BX*1), CX
		ADDQ    SP, CX
		MOVQ    (CX), AX
		MOVQ    AX, -8(SP)
		XORL    DX, DX
		INCQ    BX
		DIVQ    BX
`, []Finding{
		{"branch", Place{"scalar.mulBroadwell", "JHI planted"}},
		{"index", Place{"scalar.mulBroadwell", "MOVQ (CX), AX"}},
		{"slow", Place{"scalar.mulBroadwell", "DIVQ BX"}},
	}},
}

// Plant returns an overlay for Build that puts leaks into the library at root, and
// what they are: for tests of the commands.
func Plant(root string) (overlay map[string]string, leaks []Finding, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return nil, nil, err
	}
	overlay = make(map[string]string)
	for _, p := range plants {
		name := filepath.Join(root, p.file)
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		text := string(b)
		if strings.Count(text, p.after) != 1 {
			return nil, nil, fmt.Errorf("%s does not have one line %q", p.file, p.after)
		}
		text = strings.Replace(text, p.after, p.after+p.text, 1)
		if filepath.Ext(name) == ".go" {
			text += "\nvar planted uint64\n"
		}
		overlay[name] = text
		leaks = append(leaks, p.leaks...)
	}
	return overlay, leaks, nil
}
