package operations

import (
	"bytes"
	"encoding"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
)

// What packages fmt, log/slog and encoding call of types, by way of interfaces, so that Covers has to name the methods.

// covers returns those of the methods that the type of v has.
func covers(v any, methods ...string) (names []string) {
	t := reflect.TypeOf(v)
	for _, m := range methods {
		if _, ok := t.MethodByName(m); ok {
			names = append(names, strings.TrimPrefix(t.String(), "*")+"."+m)
		}
	}
	return names
}

// hiding are the methods of types of secrets.
var hiding = []string{"Format", "LogValue", "MarshalBinary", "MarshalText", "UnmarshalBinary", "UnmarshalText"}

// hides is the operation of a type of secrets: none of its texts shows anything, and it cannot be read.
func hides[T interface {
	encoding.TextMarshaler
	encoding.TextUnmarshaler
	slog.LogValuer
}](v func(in *In) T) Op {
	var zero T
	name := reflect.TypeOf(zero).String()
	return Op{
		Name: name + ", hidden", Allocs: Varies, Public: "secrets, at which it does not look",
		Covers: covers(zero, hiding...),
		Run: func(in *In, out *Out) {
			shared := v(in)
			_, err := shared.MarshalText()
			out.Refused(err)
			out.Refused(shared.UnmarshalText(in.Msg))
			if b, ok := any(shared).(interface {
				encoding.BinaryMarshaler
				encoding.BinaryUnmarshaler
			}); ok {
				_, err := b.MarshalBinary()
				out.Refused(err)
				out.Refused(b.UnmarshalBinary(in.Msg))
			}
			logged := shared.LogValue().String()
			if _, ok := any(shared).(fmt.Formatter); ok {
				out.True(fmt.Sprintf("%v %x %#v", any(shared), any(shared), any(shared)) == logged+" "+logged+" "+logged)
			}
			out.Values(logged)
		},
	}
}

// writes is the operation of a type with texts and a binary form: what v returns is written, and read into another one.
func writes[T interface {
	fmt.Stringer
	fmt.Formatter
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.TextAppender
	encoding.TextMarshaler
	encoding.BinaryUnmarshaler
	encoding.TextUnmarshaler
}](v func(in *In) T) Op {
	var zero T
	t := reflect.TypeOf(zero)
	return Op{
		Name: t.String() + ", written", Allocs: Varies, Public: "public keys and signatures",
		Covers: covers(zero, "AppendBinary", "AppendText", "Format", "MarshalBinary", "MarshalText", "String", "UnmarshalBinary", "UnmarshalText"),
		Run: func(in *In, out *Out) {
			shared := v(in)
			text, binary := must(shared.MarshalText()), must(shared.MarshalBinary())
			before := []byte("before")
			out.True(bytes.Equal(must(shared.AppendText(before)), append(before, text...)))
			out.True(bytes.Equal(must(shared.AppendBinary(before)), append(before, binary...)))
			out.Values(text, binary, shared.String(), fmt.Sprintf("%v %x %d", shared, shared, shared))
			own := reflect.New(t.Elem()).Interface().(T)
			check(own.UnmarshalText(text))
			out.True(bytes.Equal(must(own.MarshalBinary()), binary))
			out.Refused(own.UnmarshalBinary(in.Msg))
			check(own.UnmarshalBinary(binary))
			out.True(bytes.Equal(must(own.MarshalText()), text))
		},
	}
}

// texts is writes for a type with a text form alone, and with Bytes.
func texts[T any, P interface {
	*T
	encoding.TextMarshaler
	encoding.TextUnmarshaler
}](v func(in *In) P) Op {
	return Op{
		Name: reflect.TypeFor[T]().String() + ", written", Allocs: Varies, Public: "public nonces, partial signatures and proofs",
		Covers: covers(P(nil), "MarshalText", "UnmarshalText"),
		Run: func(in *In, out *Out) {
			text := must(v(in).MarshalText())
			own := P(new(T))
			check(own.UnmarshalText(text))
			out.Values(text)
			out.True(bytes.Equal(must(own.MarshalText()), text))
			out.Refused(own.UnmarshalText(text[1:]))
		},
	}
}
