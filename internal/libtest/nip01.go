package libtest

import (
	"fmt"
	"strings"
)

// Everything is a text with every kind of character that serializers of events treat differently.
const Everything = "plain \"quoted\" back\\slash /slash/ \n\r\t\b\f \x00\x01\x0b\x1b\x1f\x7f\u0080 <b>&amp;'</b> \u2028\u2029 ünïcødé 日本 😀\U0010ffff \ufffd"

// NIP01Escapes replaces characters by the escape sequences that NIP-01 lists.
var NIP01Escapes = strings.NewReplacer("\n", `\n`, `"`, `\"`, `\`, `\\`, "\r", `\r`, "\t", `\t`, "\b", `\b`, "\f", `\f`)

// NIP01Serialization is a second implementation of NIP-01's serialization. Its arguments are decoded strings, not JSON.
func NIP01Serialization(pubkey string, createdAt, kind int64, tags [][]string, content string, escapes *strings.Replacer) string {
	quote := func(s string) string { return `"` + escapes.Replace(s) + `"` }
	var lists []string
	for _, tag := range tags {
		var quoted []string
		for _, s := range tag {
			quoted = append(quoted, quote(s))
		}
		lists = append(lists, "["+strings.Join(quoted, ",")+"]")
	}
	return fmt.Sprintf("[0,%s,%d,%d,[%s],%s]", quote(pubkey), createdAt, kind, strings.Join(lists, ","), quote(content))
}

// OtherSerializer serializes events with escape sequences that NIP-01 does not have. Controls says whether errors give
// a hint about these escape sequences.
type OtherSerializer struct {
	Escapes  *strings.Replacer
	Controls bool
}

// OtherSerializers returns serializers that deviate from NIP-01, by name.
func OtherSerializers() map[string]OtherSerializer {
	var controls []string
	for c := range byte(' ') {
		if !strings.ContainsRune("\n\r\t\b\f", rune(c)) {
			controls = append(controls, string(rune(c)), fmt.Sprintf(`\u%04x`, c))
		}
	}
	named := []string{"\n", `\n`, `"`, `\"`, `\`, `\\`, "\r", `\r`, "\t", `\t`, "\b", `\b`, "\f", `\f`}
	return map[string]OtherSerializer{
		"JSON.stringify":         {strings.NewReplacer(append(controls, named...)...), true},
		"HTML":                   {strings.NewReplacer(append([]string{"<", `\u003c`, ">", `\u003e`, "&", `\u0026`}, named...)...), false},
		"U+2028":                 {strings.NewReplacer(append([]string{"\u2028", `\u2028`}, named...)...), false},
		"slash":                  {strings.NewReplacer(append([]string{"/", `\/`}, named...)...), false},
		"ASCII":                  {strings.NewReplacer(append([]string{"ü", `\u00fc`}, named...)...), false},
		"DEL":                    {strings.NewReplacer(append([]string{"\x7f", `\u007f`}, named...)...), false},
		"no escape for \\b, \\f": {strings.NewReplacer(append(named[:10:10], "\b", `\u0008`, "\f", `\u000c`)...), false},
	}
}
