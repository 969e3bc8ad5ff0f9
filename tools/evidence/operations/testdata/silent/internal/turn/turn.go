// Package turn decides about each condition, and each tag of a switch, of the library.
package turn

// Now says that a condition must be reversed, or that a tag must have the zero value, which is mostly none of the cases.
var Now = func(place string) bool { return false }

func If(place string, condition bool) bool { return condition != Now(place) }

func Tag[T any](place string, tag T) T {
	if Now(place) {
		tag = *new(T)
	}
	return tag
}
