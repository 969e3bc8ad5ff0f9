package figure

import (
	"fmt"
	"html/template"
	"image/color"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// theme are the variables of the pages' style, in light and in dark mode. In a
// figure each stands for itself by its value in light mode, which no other has.
var theme = []struct{ name, light, dark string }{
	{"paper", "#fffffe", "#101317"},
	{"card", "#f6f7f9", "#191d23"},
	{"ink", "#16191d", "#e8eaed"},
	{"muted", "#5b6470", "#9aa4b1"},
	{"grid", "#dfe3e8", "#2e353e"},
	{"warn", "#8a4b00", "#ffc266"},
	{"warn-paper", "#fff3df", "#33260f"},
	{"e0", "#0b6bcb", "#58a6ff"},
	{"e1", "#c8590a", "#f0883e"},
	{"e2", "#a06a9d", "#c79bc4"},
	{"e3", "#23824a", "#4fc27d"},
	{"e4", "#8c8f94", "#868d97"},
	{"e5", "#b08900", "#e3b341"},
	{"e6", "#c2385d", "#ff7b98"},
	{"e7", "#2d8f93", "#56c7cb"},
}

// Style is the part of a page's style that figures need, and the page may use.
func Style() template.CSS {
	var light, dark strings.Builder
	for _, c := range theme {
		fmt.Fprintf(&light, "--%s: %s; ", c.name, c.light)
		fmt.Fprintf(&dark, "--%s: %s; ", c.name, c.dark)
	}
	return template.CSS(fmt.Sprintf(`:root { color-scheme: light dark; %s}
@media (prefers-color-scheme: dark) { :root { %s} }
@media print { :root { color-scheme: light; %s} }
svg { display: block; width: 100%%; height: auto; }
svg text { font-family: "Liberation Sans", Arimo, Arial, Helvetica, sans-serif; }
svg path { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
`, &light, &dark, &light))
}

// themed returns the colour of a variable.
func themed(name string) color.RGBA {
	for _, c := range theme {
		if c.name == name {
			return parse(c.light)
		}
	}
	panic("figure: no colour " + name)
}

func parse(hex string) color.RGBA {
	c := color.RGBA{A: 0xff}
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		panic("figure: colour " + hex)
	}
	return c
}

// Colours is how many there are to tell things apart.
const Colours = 8

// Colour is one of these; after the last comes the first again.
func Colour(i int) color.Color { return themed(fmt.Sprintf("e%d", i%Colours)) }

var (
	paper = themed("paper")
	ink   = themed("ink")
	muted = themed("muted")
	grid  = themed("grid")
)

// style is that of text. Liberation Sans has the widths of Arial and Helvetica.
func style(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
	}
}

func bold(s text.Style) text.Style {
	s.Font.Weight = xfont.WeightBold
	return s
}

func aligned(s text.Style, x text.XAlignment, y text.YAlignment) text.Style {
	s.XAlign, s.YAlign = x, y
	return s
}
