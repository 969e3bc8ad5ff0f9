// Package chart draws the results of a race: for each scenario a bar chart by
// version and a timeline by date of release, and a page with all of them.
package chart

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"p256k1.mleku.dev/bench/plug/race"
	"p256k1.mleku.dev/bench/plug/subject"
	"p256k1.mleku.dev/bench/plug/work"
)

// SystemSuffix is the end of the labels of libraries that the system has installed.
const SystemSuffix = " (system)"

// PageName is the file of the page with all charts.
const PageName = "plug.html"

// titles are what the charts of a scenario are about.
var titles = map[work.Scenario]string{
	work.ECDSAVerify:   "ECDSA verification on secp256k1",
	work.ECDSASign:     "ECDSA signing on secp256k1",
	work.SchnorrVerify: "Schnorr verification (BIP-340)",
	work.SchnorrSign:   "Schnorr signing (BIP-340)",
	work.ECDH:          "ECDH on secp256k1",
	work.Derive:        "Deriving a public key on secp256k1",
	work.Recover:       "ECDSA public key recovery on secp256k1",
}

// Write draws the rows that have a time into files in dir, which it makes if
// need be, and returns their names. The caption, below each chart, says where
// the figures come from.
func Write(dir, caption string, rows []*race.Result) (files []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	save := func(name string, content []byte) error {
		file := filepath.Join(dir, name)
		files = append(files, file)
		return os.WriteFile(file, content, 0o644)
	}
	p := page{Caption: caption}
	for _, scenario := range work.Scenarios {
		var all, timed []*race.Result
		for _, r := range rows {
			if r.Scenario != scenario {
				continue
			}
			all = append(all, r)
			if r.Status == race.OK && r.Each() > 0 {
				timed = append(timed, r)
			}
		}
		if len(timed) == 0 {
			continue
		}
		arrange(timed)
		s := section{Title: titles[scenario], Scenario: scenario}
		bars, err := barChart(timed)
		if err != nil {
			return files, fmt.Errorf("chart: %w", err)
		}
		timeline, err := timeline(timed)
		if err != nil {
			return files, fmt.Errorf("chart: %w", err)
		}
		for _, d := range []struct {
			name, subtitle string
			plot           *plot.Plot
			h              vg.Length
		}{
			{"bars", "CPU time of one operation: less is better. The darker, the slower.", bars, vg.Length(110 + 21*len(timed))},
			{"timeline", "CPU time of one operation by date of release, on a logarithmic scale: lower is better.", timeline, 460},
		} {
			if d.plot == nil {
				continue
			}
			const w = 860
			h := d.h
			render := func(c vg.Canvas) {
				canvas := draw.NewCanvas(c, w, h)
				canvas.SetColor(color.White)
				canvas.Fill(canvas.Rectangle.Path())
				canvas.FillText(small(grey), vg.Point{X: canvas.Min.X + margin, Y: canvas.Min.Y + margin}, caption)
				title := bold(sized(15, ink))
				title.YAlign = draw.YTop
				canvas.FillText(title, vg.Point{X: canvas.Min.X + margin, Y: canvas.Max.Y - margin}, s.Title)
				subtitle := sized(11, grey)
				subtitle.YAlign = draw.YTop
				canvas.FillText(subtitle, vg.Point{X: canvas.Min.X + margin, Y: canvas.Max.Y - margin - 20}, d.subtitle)
				d.plot.Draw(draw.Crop(canvas, margin, -margin, 2*margin+smallSize, -margin-42))
			}
			base := fmt.Sprintf("%s-%s", scenario, d.name)

			svg := vgsvg.NewWith(vgsvg.UseWH(w, h))
			render(svg)
			var b bytes.Buffer
			if _, err := svg.WriteTo(&b); err != nil {
				return files, err
			}
			// The fonts that SVG names are those that the layout was computed with, or
			// fonts of the same widths.
			content := strings.ReplaceAll(b.String(), "font-family:Liberation Sans;", "font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;")
			if err := save(base+".svg", []byte(content)); err != nil {
				return files, err
			}
			s.Charts = append(s.Charts, inline(content, s.Title+", "+d.name))

			img := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(144))
			render(img)
			b.Reset()
			if _, err := (vgimg.PngCanvas{Canvas: img}).WriteTo(&b); err != nil {
				return files, err
			}
			if err := save(base+".png", b.Bytes()); err != nil {
				return files, err
			}
		}
		s.Rows = tableRows(all)
		p.Sections = append(p.Sections, s)
	}
	if len(p.Sections) == 0 {
		return nil, fmt.Errorf("chart: there is no figure to draw")
	}
	b, err := p.render()
	if err != nil {
		return files, err
	}
	return files, save(PageName, b)
}

// family orders and names what a library belongs to.
func family(r *race.Result) int {
	switch r.Identity.Kind {
	case subject.KindOpenSSL:
		return 0
	case subject.KindLibsecp:
		return 1
	}
	return familyOwn
}

const familyOwn = 2

var familyNames = [3]string{"OpenSSL", "libsecp256k1", "p256k1"}

// familyColors are blue, vermilion and bluish green of Okabe and Ito's palette,
// which all sorts of eyes can tell apart.
var familyColors = [3]color.NRGBA{{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}}

var (
	ink  = color.NRGBA{0x22, 0x22, 0x22, 0xff}
	grey = color.NRGBA{0x70, 0x70, 0x70, 0xff}
	pale = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}
)

// arrange sorts by family, then by date, this library last.
func arrange(rows []*race.Result) {
	slices.SortStableFunc(rows, func(a, b *race.Result) int {
		return cmp.Or(cmp.Compare(family(a), family(b)), a.Library.Date.Compare(b.Library.Date))
	})
}

func each(r *race.Result) float64 { return float64(r.Median().Nanoseconds()) / 1e3 / float64(r.N) }

// format writes microseconds with three figures or all before the point.
func format(us float64) string {
	switch {
	case us >= 99.95:
		return fmt.Sprintf("%.0f", us)
	case us >= 9.995:
		return fmt.Sprintf("%.1f", us)
	}
	return fmt.Sprintf("%.2f", us)
}

// viridis has nine colours of matplotlib's map of that name, even in lightness
// also for the colour-blind.
var viridis = []color.NRGBA{
	{0x44, 0x01, 0x54, 0xff}, {0x47, 0x2d, 0x7b, 0xff}, {0x3b, 0x52, 0x8b, 0xff}, {0x2c, 0x72, 0x8e, 0xff}, {0x21, 0x91, 0x8c, 0xff},
	{0x28, 0xae, 0x80, 0xff}, {0x5e, 0xc9, 0x62, 0xff}, {0xad, 0xdc, 0x30, 0xff}, {0xfd, 0xe7, 0x25, 0xff},
}

// shade is the colour of a place in [0, 1], dark at 0. It leaves out the map's
// brightest end, which is faint on white.
func shade(t float64) color.NRGBA {
	t = min(max(t, 0), 1) * float64(len(viridis)-2)
	i := min(int(t), len(viridis)-2)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (t-float64(i))*(float64(b)-float64(a)))) }
	a, b := viridis[i], viridis[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}
