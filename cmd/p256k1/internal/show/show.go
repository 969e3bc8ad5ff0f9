// Package show makes untrusted text safe to print: names of files, arguments, and the contents of files. Its results
// cannot forge a line, move the cursor of a terminal, or hide or reverse adjacent text. Redact withholds keys.
package show

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Name returns the name of a file unchanged if the name is unambiguous, and otherwise as a quoted Go string. It quotes
// the empty name, and names with unprintable characters, bytes that are not UTF-8, leading or trailing white space, a
// leading quotation mark, or ": ", which ends a name in a report.
func Name(name string) string {
	if name == "" || name[0] == '"' || strings.TrimSpace(name) != name || strings.Contains(name, ": ") || !printable(name) {
		return strconv.Quote(name)
	}
	return name
}

// Shell quotes a word for a POSIX shell: it puts the word in single quotation marks, unless the word consists only of
// letters, digits and characters that are not special to the shell. If Text would change the word, Shell quotes the
// changed word.
func Shell(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(Text(word), "'", `'\''`) + "'"
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./@%+=:,-]+$`)

// Text returns text with Go escape sequences in place of unprintable characters and bytes that are not UTF-8.
func Text(text string) string {
	if printable(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if isPrint(r, size) {
			b.WriteString(text[:size])
		} else {
			quoted := strconv.Quote(text[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return b.String()
}

// Error returns the message of an error in the form that Text returns, with file names in the form that Name returns.
func Error(err error) string {
	text := err.Error()
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		named := *path
		named.Path = Name(path.Path)
		text = strings.Replace(text, path.Error(), named.Error(), 1)
	}
	return Text(text)
}

// JSON returns b, which must be valid JSON, with \u escape sequences in place of unprintable characters other than
// newlines. If b is printable ASCII and newlines, JSON returns b itself.
func JSON(b []byte) []byte {
	if !bytes.ContainsFunc(b, func(r rune) bool { return (r < ' ' && r != '\n') || r >= 0x7f }) {
		return b
	}
	var out []byte
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == '\n' || isPrint(r, size):
			out = append(out, b[:size]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = appendUnit(appendUnit(out, hi), lo)
		default:
			out = appendUnit(out, r)
		}
		b = b[size:]
	}
	return out
}

func appendUnit(b []byte, unit rune) []byte { return fmt.Appendf(b, `\u%04x`, unit) }

func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) })
}

// isPrint reports whether a rune, decoded from size bytes, is printable. Format characters are not printable, because
// they reverse text or are invisible.
func isPrint(r rune, size int) bool { return strconv.IsPrint(r) && (r != utf8.RuneError || size > 1) }

// secretLike matches text that may be a secret key, or most of a key: the Base64 of 32 bytes, a run of letters and
// digits as long as a key in hexadecimal, WIF, base58 or bech32, an nsec of any length, or hexadecimal digits in
// groups.
var secretLike = regexp.MustCompile(`[0-9A-Za-z+/_-]{43}=|[0-9A-Za-z]{40,}|(?i:nsec1[0-9a-z]*)|(?i:(?:[0-9a-f]{2,8}[ :_-]){7,}[0-9a-f]{2,8})`)

// Withheld takes the place of text that may be a secret key.
const Withheld = "(not repeated: it may be a secret key)"

// Redact returns text without anything that looks like a secret key, in case the user has typed a key in place of a
// file name or a command.
func Redact(text string) string { return secretLike.ReplaceAllString(text, Withheld) }

// Grouped returns n ≥ 0 with commas between groups of three digits, such as 18,590.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count returns n ≥ 0 and the noun, which is in the plural unless n is 1, such as 2 files.
func Count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Grouped(n) + " " + noun
}
