// Package figure draws the figures of the reports with gonum.org/v1/plot: bars
// with intervals, ratios, and releases by date. In a page their colours are
// variables, which know of dark mode and print, and their text is as wide as the
// layout was made for, whatever font the reader has.
package figure

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"regexp"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Widths of figures, in the points that text is measured in. In a page they are
// pixels if the place is as wide.
const (
	Phone  = 340
	Screen = 860
)

// A Figure is a drawing of fixed size.
type Figure struct {
	plot          *plot.Plot
	width, height vg.Length
	legend        []plot.Legend // each of one entry
	description   string        // for those who do not see it
}

// newPlot is a plot without background, lines of axes and titles.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle.Width = 0
		a.Tick.LineStyle.Width = 0
		a.Padding = 0
	}
	p.X.Tick.Label = aligned(style(11, muted), text.XCenter, text.YTop)
	p.Y.Tick.Label = aligned(style(11, muted), text.XRight, text.YCenter)
	return p
}

// rules are the lines behind a plot.
func rules(vertical, horizontal bool) *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = draw.LineStyle{}, draw.LineStyle{}
	if vertical {
		g.Vertical = draw.LineStyle{Color: grid, Width: 1}
	}
	if horizontal {
		g.Horizontal = draw.LineStyle{Color: grid, Width: 1}
	}
	return g
}

const (
	legendRow = vg.Length(18)
	legendGap = vg.Length(14)
)

// addLegend adds an entry to the legend, which stands above the plot.
func (f *Figure) addLegend(name string, thumbs ...plot.Thumbnailer) {
	l := plot.NewLegend()
	l.Left, l.Top = true, true
	l.ThumbnailWidth = 14
	l.Padding = 3
	l.TextStyle = style(11, ink)
	l.Add(name, thumbs...)
	f.legend = append(f.legend, l)
}

func (f *Figure) draw(c draw.Canvas) {
	x, y := vg.Length(0), vg.Length(0)
	for i := range f.legend {
		l := &f.legend[i]
		size := l.Rectangle(c).Size()
		if x > 0 && x+size.X > c.Max.X-c.Min.X {
			x, y = 0, y+legendRow
		}
		l.Draw(draw.Crop(c, x, 0, 0, -y))
		x += size.X + legendGap
	}
	if len(f.legend) > 0 {
		y += legendRow + 4
	}
	f.plot.Draw(draw.Crop(c, 0, 0, 0, -y))
}

// Inline returns the figure as SVG that scales with its place in a page with the
// style Style.
func (f *Figure) Inline() template.HTML {
	c := vgsvg.NewWith(vgsvg.UseWH(f.width, f.height))
	f.draw(draw.New(c))
	s := source(c)
	s = s[strings.Index(s, "<svg"):]
	s = svgSize.ReplaceAllLiteralString(s, fmt.Sprintf(`<svg role="img" aria-label="%s"`, html.EscapeString(f.description)))
	s = svgSpaces.ReplaceAllLiteralString(s, "") // HTML knows what svg is
	s = svgFamily.ReplaceAllLiteralString(s, "")
	s = svgColour.ReplaceAllStringFunc(s, func(hex string) string {
		for _, c := range theme {
			if strings.EqualFold(c.light, hex) {
				return "var(--" + c.name + ")"
			}
		}
		panic("figure: a colour that is not of the theme: " + hex)
	})
	return template.HTML(strings.TrimSpace(s)) // made here, from labels that vgsvg escapes
}

// A Frame is what stands around a figure in a file of its own.
type Frame struct{ Title, Subtitle, Caption string }

const frameMargin = vg.Length(10)

// size is that of the file.
func (f *Figure) size() (w, h vg.Length) { return f.width + 2*frameMargin, f.height + 80 }

func (f *Figure) drawFramed(canvas vg.Canvas, frame Frame) {
	w, h := f.size()
	c := draw.NewCanvas(canvas, w, h)
	c.SetColor(paper)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, frameMargin, -frameMargin, frameMargin, -frameMargin)
	c.FillText(aligned(bold(style(15, ink)), text.XLeft, text.YTop), vg.Point{X: c.Min.X, Y: c.Max.Y}, frame.Title)
	c.FillText(aligned(style(11, muted), text.XLeft, text.YTop), vg.Point{X: c.Min.X, Y: c.Max.Y - 20}, frame.Subtitle)
	c.FillText(style(8, muted), c.Min, frame.Caption)
	f.draw(draw.Crop(c, 0, 0, 16, -44))
}

// SVG returns the figure in its frame, on white, as a file.
func (f *Figure) SVG(frame Frame) []byte {
	w, h := f.size()
	c := vgsvg.NewWith(vgsvg.UseWH(w, h))
	f.drawFramed(c, frame)
	// The file may stand in a page whose fonts are others: those of the same widths.
	return []byte(strings.ReplaceAll(source(c), "font-family:Liberation Sans;", "font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;"))
}

// PNG returns the figure in its frame, on white, at two pixels a point.
func (f *Figure) PNG(frame Frame) ([]byte, error) {
	w, h := f.size()
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(144))
	f.drawFramed(c, frame)
	var b bytes.Buffer
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(&b)
	return b.Bytes(), err
}

var (
	svgText   = regexp.MustCompile(`(<text [^>]*?)(\s+style="[^"]*")>([^<]*)</text>`)
	svgPoints = regexp.MustCompile(`font-size:([0-9.]+)px`)
	svgSize   = regexp.MustCompile(`<svg width="[^"]*" height="[^"]*"`)
	svgSpaces = regexp.MustCompile(`\s+xmlns(:xlink)?="[^"]*"`)
	svgFamily = regexp.MustCompile(`font-family:[^;]*;font-variant:[^;]*;|font-style:normal;|font-weight:normal;`)
	svgColour = regexp.MustCompile(`#[0-9A-Fa-f]{6}`)
)

// source returns the SVG. Each text gets the length that it was laid out with,
// for browsers that have another font.
func source(c *vgsvg.Canvas) string {
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		panic("figure: " + err.Error()) // a buffer takes all
	}
	return svgText.ReplaceAllStringFunc(b.String(), func(element string) string {
		m := svgText.FindStringSubmatch(element)
		size, err := strconv.ParseFloat(svgPoints.FindStringSubmatch(m[2])[1], 64)
		if err != nil {
			panic("figure: size of text: " + m[2])
		}
		s := style(vg.Length(size), color.Black)
		if strings.Contains(m[2], "font-weight:bold") {
			s.Font.Weight = xfont.WeightBold
		}
		return fmt.Sprintf(`%s textLength="%.2f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`,
			m[1], s.Width(html.UnescapeString(m[3])).Points(), m[2], m[3])
	})
}
