package rules

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// parallel lists the exported functions that take several slices with one element for each item. TestLengths fails if
// a function is missing from the list.
var parallel = map[string]any{
	"curve.LiftXBatch":                       curve.LiftXBatch,
	"curve.ScalarBaseMultBatch":              curve.ScalarBaseMultBatch,
	"curve.ScalarMultBatch":                  curve.ScalarMultBatch,
	"curve.DoubleScalarBaseMultBatchVartime": curve.DoubleScalarBaseMultBatchVartime,
	"curve.DoubleScalarMultBatchVartime":     curve.DoubleScalarMultBatchVartime,
	"curve.MultiScalarMultBatchVartime":      curve.MultiScalarMultBatchVartime,
	"curve.MultiScalarMultVartime":           (*curve.Point).MultiScalarMultVartime,
	"ecdh.NIP44ConversationKeyBatch":         ecdh.NIP44ConversationKeyBatch,
	"ecdsa.RecoverBatch":                     ecdsa.RecoverBatch,
	"ecdsa.SignBatch":                        ecdsa.SignBatch,
	"schnorr.SignBatch":                      schnorr.SignBatch,
}

// TestLengths checks the rule that package p256k1 documents for functions of several slices: if the slices differ in
// length, the function panics with a message that contains its name.
func TestLengths(t *testing.T) {
	missing := make(map[string]bool)
	m, _ := loadModule(t)
	for _, p := range m {
		objects, methods := exported(p)
		for _, list := range methods {
			for _, f := range list {
				objects = append(objects, f)
			}
		}
		for _, object := range objects {
			f, ok := object.(*types.Func)
			if !ok {
				continue
			}
			slices := 0
			for param := range f.Signature().Params().Variables() {
				s, ok := param.Type().(*types.Slice)
				if ok && !types.Identical(s.Elem(), types.Typ[types.Byte]) {
					slices++
				}
			}
			if slices > 1 {
				missing[p.Name()+"."+f.Name()] = true
			}
		}
	}
	for name, f := range parallel {
		testLengths(t, name, reflect.ValueOf(f))
		delete(missing, name)
	}
	for name := range missing {
		t.Errorf("%s takes several slices and is not in the list parallel", name)
	}
}

// testLengths calls f with empty slices and then, for each slice, with one element in this slice and none in the
// others.
func testLengths(t *testing.T, name string, f reflect.Value) {
	pkg, function, _ := strings.Cut(name, ".")
	in := f.Type().NumIn()
	call := func(longer int) (text string) {
		args := make([]reflect.Value, in)
		for i := range args {
			switch typ := f.Type().In(i); {
			case typ.Kind() == reflect.Pointer:
				args[i] = reflect.New(typ.Elem())
			case i == longer:
				args[i] = reflect.MakeSlice(typ, 1, 1)
			default:
				args[i] = reflect.MakeSlice(typ, 0, 0)
			}
		}
		defer func() { text = fmt.Sprint(recover()) }()
		f.Call(args)
		return ""
	}
	if text := call(-1); text != fmt.Sprint(nil) {
		t.Errorf("%s of empty slices panics: %s", name, text)
	}
	for i := range in {
		if f.Type().In(i).Kind() != reflect.Slice {
			continue
		}
		if text := call(i); !strings.HasPrefix(text, pkg+": "+function+" of ") || !strings.Contains(text, "1") || !strings.Contains(text, "0") {
			t.Errorf("%s with a longer argument %d: panic %q", name, i, text)
		}
	}
}
