package cli

import "regexp"

// secretLike matches what may be a secret key, or most of one.
var secretLike = regexp.MustCompile(`(?i)nsec1[0-9a-z]*|[0-9a-f]{40,}`)

// redact returns a message without anything that looks like a secret key, in
// case somebody has given one where a file name or a command belongs.
func redact(message string) string {
	return secretLike.ReplaceAllString(message, "(not repeated: it may be a secret key)")
}
