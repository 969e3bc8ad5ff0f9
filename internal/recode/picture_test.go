package recode

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "draw docs/digits.svg again")

// TestPicture checks that the picture in docs/digits.md shows the multiples in the table of a point.
func TestPicture(t *testing.T) {
	const file = "../../docs/digits.svg"
	want := picture()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s does not show the tables (%v): go test ./internal/recode -run Picture -update", file, err)
	}
}

// picture draws the digits of points in the complex plane.
func picture() []byte {
	const scale, width, height = 44, 520, 460
	position := func(z integer) (x, y float64) {
		return width/2 + scale*(float64(z.a)-float64(z.b)/2), height/2 - scale*math.Sqrt(3)/2*float64(z.b)
	}
	point := forms()[0]
	digits := point.all()
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" font-family="sans-serif" font-size="13">
<style>
.paper{fill:#fff} .other{fill:#bbb} .digit{fill:#fff;stroke:#36c;stroke-width:1.5} .entry{fill:#36c} .walk{stroke:#c50;stroke-width:2.5;fill:none}
.hexagon{stroke:#888;stroke-dasharray:5 4;fill:none} text{fill:#222}
@media (prefers-color-scheme: dark){.paper{fill:#111} .other{fill:#555} .digit{fill:#111;stroke:#7af} .entry{fill:#7af} .walk{stroke:#fa5} text{fill:#eee}}
</style>
<rect class="paper" width="%[1]d" height="%[2]d"/>
`, width, height)

	// The corners of the hexagon ‖z‖ = 9/2 have the absolute value 9/√3.
	fmt.Fprint(&b, `<polygon class="hexagon" points="`)
	for i := range 6 {
		angle := math.Pi/6 + float64(i)*math.Pi/3
		fmt.Fprintf(&b, "%.1f,%.1f ", width/2+scale*9/math.Sqrt(3)*math.Cos(angle), height/2-scale*9/math.Sqrt(3)*math.Sin(angle))
	}
	fmt.Fprint(&b, "\"/>\n<polyline class=\"walk\" points=\"")
	for _, z := range point.table {
		x, y := position(z)
		fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
	}
	fmt.Fprint(&b, "\"/>\n")
	for v := int64(-8); v <= 8; v++ {
		for u := int64(-10); u <= 10; u++ {
			z := integer{u, v}
			x, y := position(z)
			if x < 8 || x > width-8 || y < 8 || y > height-8 {
				continue
			}
			class, radius := "other", 2.5
			switch {
			case slices.Contains(point.table, z):
				class, radius = "entry", 7
			case slices.Contains(digits, z):
				class, radius = "digit", 5
			}
			fmt.Fprintf(&b, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", class, x, y, radius)
		}
	}
	names := []string{"1", "2+λ", "3+2λ", "3+λ", "3", "3−λ", "3−2λ", "4−λ"}
	for i, z := range point.table {
		x, y := position(z)
		x += 10
		if i == 1 {
			x -= 50 // to the left of the walk
		}
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y-8, names[i])
	}
	x, y := position(integer{})
	fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%.1f\">0</text>\n</svg>\n", x+6, y-6)
	return b.Bytes()
}
