package operations

import (
	"bytes"
	"fmt"
	"reflect"
)

// textual lists the methods that packages fmt, log/slog and encoding call through interfaces. TestEncoders calls them
// on every type, and the operations of texts on types that have a text.
var textual = []string{"AppendBinary", "AppendText", "Format", "LogValue", "MarshalBinary", "MarshalText", "String", "UnmarshalBinary", "UnmarshalText"}

// described lists the types for which texts was called.
var described []reflect.Type

// texts returns the operation of a type with text or binary forms, which is no secret. It writes the text of the value
// that v returns and reads the text into another value.
func texts[T any](v func(in *In) *T) Op {
	described = append(described, reflect.TypeFor[T]())
	name := reflect.TypeFor[T]().String()
	return onPublic(name+", as text", Varies, "public values", func(in *In, out *Out) {
		shared, target := any(v(in)), new(T)
		if _, ok := shared.(fmt.Formatter); ok {
			out.Values(fmt.Sprintf("%v %x %#v", shared, shared, shared))
		}
		if s, ok := shared.(fmt.Stringer); ok {
			out.Values(s.String())
		}
		for _, form := range []string{"Text", "Binary"} {
			marshal, ok := method[func() ([]byte, error)](shared, "Marshal"+form)
			if !ok {
				continue
			}
			unmarshal, _ := method[func([]byte) error](target, "Unmarshal"+form)
			b, err := marshal()
			check(err)
			out.Refused(unmarshal(in.Msg))
			out.Refused(unmarshal(b[1:]))
			check(unmarshal(b))
			again, _ := method[func() ([]byte, error)](target, "Marshal"+form)
			out.True(bytes.Equal(must(again()), b))
			if appended, ok := method[func([]byte) ([]byte, error)](shared, "Append"+form); ok {
				out.True(bytes.Equal(must(appended([]byte("before"))), append([]byte("before"), b...)))
			}
			out.Values(b)
		}
	})
}

// method returns the method of v with this name, if v has one.
func method[F any](v any, name string) (f F, ok bool) {
	if m := reflect.ValueOf(v).MethodByName(name); m.IsValid() {
		f, ok = m.Interface().(F)
	}
	return f, ok
}
