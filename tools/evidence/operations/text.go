package operations

import (
	"bytes"
	"fmt"
	"log/slog"
	"reflect"
)

// textual lists the methods that packages fmt, log/slog and encoding call through interfaces, so that Covers has to
// name them.
var textual = []string{"AppendBinary", "AppendText", "Format", "LogValue", "MarshalBinary", "MarshalText", "String", "UnmarshalBinary", "UnmarshalText"}

// described lists the types for which texts was called.
var described []reflect.Type

// texts returns the operation of a type with text or binary forms. It writes the text of the value that v returns and
// reads the text into another value. A type with LogValue is a secret: its texts must not show the value, and its
// encoders and decoders must fail.
func texts[T any](v func(in *In) *T) Op { return textsOf(v, false) }

// refuses returns the operation of a type that is no secret, but has no text form: its encoders and decoders must fail.
func refuses[T any]() Op { return textsOf(func(*In) *T { return new(T) }, true) }

func textsOf[T any](v func(in *In) *T, refuses bool) Op {
	described = append(described, reflect.TypeFor[T]())
	name := reflect.TypeFor[T]().String()
	o := onPublic(name+", as text", Varies, "public values, and secrets that it does not read", func(in *In, out *Out) {
		shared := v(in)
		target := new(T)
		logger, hides := any(shared).(slog.LogValuer)
		shown := ""
		if _, ok := any(shared).(fmt.Formatter); ok {
			shown = fmt.Sprintf("%v %x %#v", any(shared), any(shared), any(shared))
		}
		if hides {
			target = shared
			hidden := logger.LogValue().String()
			out.True(shown == "" || shown == hidden+" "+hidden+" "+hidden)
		}
		out.Values(shown)
		if s, ok := any(shared).(fmt.Stringer); ok {
			out.Values(s.String())
		}
		for _, form := range []string{"Text", "Binary"} {
			marshal, ok := method[func() ([]byte, error)](shared, "Marshal"+form)
			if !ok {
				continue
			}
			unmarshal, _ := method[func([]byte) error](target, "Unmarshal"+form)
			b, err := marshal()
			if hides || refuses {
				out.Refused(err)
				out.Refused(unmarshal(in.Msg))
				continue
			}
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
	for _, m := range textual {
		if _, ok := reflect.TypeFor[*T]().MethodByName(m); ok {
			o.Covers = append(o.Covers, name+"."+m)
		}
	}
	return o
}

// method returns the method of v with this name, if v has one.
func method[F any](v any, name string) (f F, ok bool) {
	if m := reflect.ValueOf(v).MethodByName(name); m.IsValid() {
		f, ok = m.Interface().(F)
	}
	return f, ok
}
