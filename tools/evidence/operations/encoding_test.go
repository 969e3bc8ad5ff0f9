package operations

import (
	"bytes"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestEncoders checks that encoders and decoders refuse the zero value of each exported type with encoders, unless the
// type is an error or an operation reads and writes its text. A type with LogValue is a secret: its texts must not show
// the value.
func TestEncoders(t *testing.T) {
	refused := 0
	for _, v := range exportedTypes {
		exported := reflect.TypeOf(v).Elem()
		zero := reflect.New(exported).Interface()
		logger, hides := zero.(slog.LogValuer)
		if err, ok := zero.(error); ok && exported.Kind() == reflect.Struct {
			marshal, encodes := method[func() ([]byte, error)](zero, "MarshalText")
			if why := reflect.ValueOf(zero).Elem().FieldByName("Err"); encodes && why.IsValid() {
				why.Set(reflect.ValueOf(p256k1.ErrMarshal))
				if text, none := marshal(); none != nil || string(text) != err.Error() {
					t.Errorf("%v: %s, %v", exported, text, none)
				}
			}
		}
		if _, ok := zero.(error); ok || (!hides && slices.Contains(described, exported)) {
			continue
		}
		for _, form := range []string{"Text", "Binary"} {
			marshal, ok := method[func() ([]byte, error)](zero, "Marshal"+form)
			unmarshal, reads := method[func([]byte) error](zero, "Unmarshal"+form)
			if !ok && !reads {
				continue
			}
			refused++
			if _, err := marshal(); err == nil || unmarshal([]byte("00")) == nil {
				t.Errorf("%v: %s is not refused", exported, form)
			}
		}
		if _, ok := zero.(fmt.Formatter); ok && hides {
			hidden := logger.LogValue().String()
			if shown := fmt.Sprintf("%v %x %#v", zero, zero, zero); shown != hidden+" "+hidden+" "+hidden {
				t.Errorf("%v: %s", exported, shown)
			}
		}
	}
	t.Logf("result: encoders and decoders refuse %d forms", refused)
}

// TestNil prints and logs a nil pointer to each exported type with its own text.
func TestNil(t *testing.T) {
	for _, none := range exportedTypes {
		if _, ok := none.(fmt.Formatter); !ok {
			continue
		}
		for _, format := range libtest.Formats() {
			if text := fmt.Sprintf(format, none); strings.Contains(text, "PANIC") || strings.Contains(text, "secret") || strings.Contains(text, "hidden") {
				t.Errorf("%s of a nil %T: %s", format, none, text)
			}
		}
		var text, object bytes.Buffer
		slog.New(slog.NewTextHandler(&text, nil)).With("one", none).Info("", slog.Group("group", "two", none))
		slog.New(slog.NewJSONHandler(&object, nil)).With("one", none).Info("", slog.Group("group", "two", none))
		if !strings.HasSuffix(text.String(), " one=<nil> group.two=<nil>\n") || !strings.HasSuffix(object.String(), `,"one":null,"group":{"two":null}}`+"\n") {
			t.Errorf("nil %T: %s%s", none, &text, &object)
		}
	}
}

// TestHidden fills each exported type that can be wiped, or that hides its value, with the bytes of a secret, and
// prints it.
func TestHidden(t *testing.T) {
	secret := libtest.SecretKey(t).Bytes()
	parts, hidden := libtest.PartsOf(secret), 0
	for _, v := range exportedTypes {
		filled := reflect.New(reflect.TypeOf(v).Elem())
		_, wiped := method[func()](filled.Interface(), "Zero")
		if _, hides := filled.Interface().(slog.LogValuer); !wiped && !hides {
			continue
		}
		hidden++
		fill(filled.Elem(), secret, 3)
		seen := make(map[string]bool)
		for _, format := range libtest.Formats() {
			for _, v := range []any{filled.Interface(), filled.Elem().Interface()} {
				text := fmt.Sprintf(format, v)
				if !seen[text] && !strings.ContainsAny(format, "pw") && parts.In(text) {
					t.Errorf("%s of a %T: %s", format, v, text)
				}
				seen[text] = true
			}
		}
	}
	t.Logf("result: %d types of secrets show no value in any format", hidden)
}

// fill sets all numbers in v, and behind its pointers, to the first bytes of the secret. The options and the public key
// of a signer are not secret.
func fill(v reflect.Value, secret []byte, depth int) {
	switch kind := v.Kind(); {
	case kind == reflect.Struct:
		for i := range v.NumField() {
			field, name := v.Field(i), v.Type().Field(i).Name
			if !slices.Contains([]string{"mu", "opts", "pub"}, name) {
				fill(reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem(), secret, depth)
			}
		}
	case kind == reflect.Pointer && depth > 0:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), secret, depth-1)
	case kind == reflect.Slice && depth > 0:
		v.Set(reflect.MakeSlice(v.Type(), len(secret), len(secret)))
		fallthrough
	case kind == reflect.Array && (v.Type().Elem().Kind() != reflect.Uint8):
		for i := range v.Len() {
			fill(v.Index(i), secret[i%len(secret):], depth-1)
		}
	case kind == reflect.Array || (reflect.Int <= kind && kind <= reflect.Uintptr):
		copy(unsafe.Slice((*byte)(v.Addr().UnsafePointer()), v.Type().Size()), secret)
	}
}
