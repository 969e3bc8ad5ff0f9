package operations

import (
	"bytes"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestNil prints and logs a nil pointer to each type with text or binary forms.
func TestNil(t *testing.T) {
	for _, of := range described {
		none := reflect.Zero(reflect.PointerTo(of)).Interface()
		for _, format := range libtest.Formats() {
			if text := fmt.Sprintf(format, none); strings.Contains(text, "PANIC") || strings.Contains(text, "secret") || strings.Contains(text, "hidden") {
				t.Errorf("%s of a nil *%v: %s", format, of, text)
			}
		}
		var text, object bytes.Buffer
		slog.New(slog.NewTextHandler(&text, nil)).With("one", none).Info("", slog.Group("group", "two", none))
		slog.New(slog.NewJSONHandler(&object, nil)).With("one", none).Info("", slog.Group("group", "two", none))
		if !strings.HasSuffix(text.String(), " one=<nil> group.two=<nil>\n") || !strings.HasSuffix(object.String(), `,"one":null,"group":{"two":null}}`+"\n") {
			t.Errorf("nil *%v: %s%s", of, &text, &object)
		}
	}
}
