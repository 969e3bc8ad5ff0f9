//go:build goexperiment.jsonv2 && go1.27

package rules

import jsonv2 "encoding/json/v2"

func init() {
	encodings = append(encodings, format{"encoding/json/v2",
		func(v any) ([]byte, error) { return jsonv2.Marshal(v) },
		func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) },
		encodings[0].bad})
}
