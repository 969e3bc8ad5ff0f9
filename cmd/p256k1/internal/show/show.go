// Package show makes text of strangers safe to print: names of files, arguments, and text in files. The results cannot
// forge a line, move the cursor of a terminal, hide or reverse text next to them, or reveal a key.
package show

import (
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Name returns the name of a file unchanged if the name is unambiguous, and otherwise as a quoted Go string. It quotes
// the empty name, and names with characters that are not printable, bytes that are not UTF-8, space at an end, a
// quotation mark at the beginning, or ": ", which ends a name in a report.
func Name(name string) string {
	if name == "" || name[0] == '"' || strings.TrimSpace(name) != name || strings.Contains(name, ": ") || !printable(name) {
		return strconv.Quote(name)
	}
	return name
}

// Shell returns a word in the syntax of a POSIX shell: in single quotation marks, unless it consists of letters, digits
// and signs without a meaning. If Text changes the word, the result is another word.
func Shell(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(Text(word), "'", `'\''`) + "'"
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./@%+=:,-]+$`)

// Text returns text in which Go escape sequences replace characters that are not printable, and bytes that are not
// UTF-8.
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

// Error returns the text of an error in the form of Text, and the names of files in it in the form of Name.
func Error(err error) string {
	text := err.Error()
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		named := *path
		named.Path = Name(path.Path)
		text = strings.Replace(text, path.Error(), named.Error(), 1)
	}
	return Text(text)
}

// JSON returns valid JSON with \u escape sequences for characters that are not printable. If there are none, it returns
// b itself.
func JSON(b []byte) []byte {
	plain := true
	for _, c := range b {
		plain = plain && (' ' <= c && c < 0x7f || c == '\n')
	}
	if plain {
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

func appendUnit(b []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}

func printable(text string) bool {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return false
			}
		}
		if !strconv.IsPrint(r) {
			return false
		}
	}
	return true
}

// isPrint reports whether a rune, decoded from the given number of bytes, can be shown. Format characters, which
// reverse text or are invisible, are not printable.
func isPrint(r rune, size int) bool {
	return strconv.IsPrint(r) && (r != utf8.RuneError || size > 1)
}

// secretLike matches text that may be a secret key, or most of one: the Base64 of 32 bytes; a run of letters and digits
// as long as in hexadecimal, WIF, base58 and bech32; an nsec of any length; hexadecimal digits in groups.
var secretLike = regexp.MustCompile(`[0-9A-Za-z+/_-]{43}=|[0-9A-Za-z]{40,}|(?i:nsec1[0-9a-z]*)|(?i:(?:[0-9a-f]{2,8}[ :_-]){7,}[0-9a-f]{2,8})`)

// Withheld replaces text that is not repeated.
const Withheld = "(not repeated: it may be a secret key)"

// Redact returns text without anything that looks like a secret key, in case the user has typed a key in place of a
// file name or a command.
func Redact(text string) string {
	return secretLike.ReplaceAllString(text, Withheld)
}
