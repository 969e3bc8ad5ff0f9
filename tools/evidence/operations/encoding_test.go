package operations

import (
	"bytes"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

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
