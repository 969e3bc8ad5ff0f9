package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// vectorFiles are the files for which Vectors.v prints rows, in its order. The tests named TestModel read them.
var vectorFiles = []string{"internal/scalar/testdata/split.txt", "internal/recode/testdata/digits.txt", "internal/modinv/testdata/divsteps.txt"}

// vectors returns the rows that Rocq computes in a directory that has the compiled files before Vectors.v, for each of
// vectorFiles. A row is a line of lists, and a list has hexadecimal integers between commas.
func vectors(dir string) (rows [][]byte, err error) {
	defer must.Recover(&err)
	out := must.Get(compile(dir, "Vectors", must.Get(proofs.ReadFile("Vectors.v"))))
	for _, text := range strings.Split(out, "     = ")[1:] {
		text, _, _ = strings.Cut(text, "\n     :")
		var list [][][]*big.Int
		must.Do(json.Unmarshal([]byte(strings.ReplaceAll(text, ";", ",")), &list))
		b := []byte("# Made by \"go run ./tools/evidence/grouplaw -vectors\" from Vectors.v. DO NOT EDIT.\n")
		for _, row := range list {
			var groups []string
			for _, group := range row {
				groups = append(groups, strings.ReplaceAll(strings.Trim(fmt.Sprintf("%x", group), "[]"), " ", ","))
			}
			b = append(b, strings.Join(groups, " ")+"\n"...)
		}
		rows = append(rows, b)
	}
	if len(rows) != len(vectorFiles) {
		must.Fail("Vectors.v prints %d lists", len(rows))
	}
	return rows, nil
}

// checkVectors returns an error if a file of the repository does not have the rows that Rocq computes.
func checkVectors(dir string) error {
	rows, err := vectors(dir)
	for i, name := range vectorFiles[:len(rows)] {
		text, readErr := os.ReadFile(name)
		if readErr != nil || !bytes.Equal(text, rows[i]) {
			return fmt.Errorf("%s does not have the rows of Vectors.v: run \"go run ./tools/evidence/grouplaw -vectors\" (%v)", name, readErr)
		}
	}
	return err
}

// writeVectors compiles what Vectors.v needs, and writes the files.
func writeVectors(dir string, files map[string][]byte) (err error) {
	defer must.Recover(&err)
	for _, name := range []string{"Constants", "Divsteps", "Digits", "Tables", "Classes"} {
		must.Get(compile(dir, name, files[name]))
	}
	for i, rows := range must.Get(vectors(dir)) {
		must.Do(os.WriteFile(vectorFiles[i], rows, 0o644))
	}
	return nil
}
