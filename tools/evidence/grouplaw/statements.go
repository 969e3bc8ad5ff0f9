package main

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed statements.txt
var statementsText string

// statement is a sentence of a proof file, with the text of its proof.
type statement struct{ kind, name, text, proof string }

var (
	remark   = regexp.MustCompile(`\(\*|\*\)`)
	sentence = regexp.MustCompile(`(?s)(.*?)\.(?:\s|$)`)
	heading  = regexp.MustCompile(`^(\w+)(?: +\(?([\w']+))?`)
	word     = regexp.MustCompile(`[\w']+`)
	spaces   = regexp.MustCompile(`\s+`)
)

// statements returns the sentences of a proof file without comments. Proofs belong to the sentences that they prove.
func statements(text []byte) (all []statement) {
	var code strings.Builder
	depth, end := 0, 0
	for _, mark := range remark.FindAllIndex(text, -1) {
		if depth == 0 {
			code.Write(text[end:mark[0]])
		}
		end = mark[1]
		if text[mark[0]] == '(' {
			depth++
		} else {
			depth--
		}
	}
	code.Write(text[end:])
	proving := false
	for _, m := range sentence.FindAllStringSubmatch(code.String(), -1) {
		text := strings.TrimSpace(spaces.ReplaceAllString(m[1], " "))
		last := len(all) - 1
		switch {
		case text == "Proof":
			proving = true
		case !proving:
			if h := heading.FindStringSubmatch(text); h != nil {
				all = append(all, statement{kind: h[1], name: h[2], text: text})
			}
		case text == "Defined": // the proof is part of the definition
			all[last].text += all[last].proof
			fallthrough
		case text == "Qed", text == "Admitted":
			proving = false
		default:
			all[last].proof += ". " + text
		}
	}
	return all
}

var (
	readable = regexp.MustCompile(`^(Theorem|Hypothes[ie]s|Variables?|Context|Notation|Infix|Section|End|Open|Arguments|Inductive|Record)$`)
	hashed   = regexp.MustCompile(`^(Definition|Fixpoint|Let)$`)
)

// pinned returns the text of statements.txt: all theorems, and what they may be about: hypotheses, variables, notations
// and types, and hashes of definitions. Lemmas and proofs may change.
func pinned(files map[string][]byte) string {
	var b strings.Builder
	for _, name := range order {
		if name == "Formulas" || name == "Constants" {
			continue
		}
		fmt.Fprintf(&b, "%s.v\n", name)
		for _, s := range statements(files[name]) {
			switch {
			case readable.MatchString(s.kind):
				fmt.Fprintf(&b, "\t%s.\n", s.text)
			case hashed.MatchString(s.kind):
				fmt.Fprintf(&b, "\t%s %s %s\n", s.kind, s.name, hash(s.text))
			}
		}
	}
	return b.String()
}

// hash returns eight digits that change with the text.
func hash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:8] }

// unchanged returns an error with the first line that differs from statements.txt.
func unchanged(files map[string][]byte) error {
	old, new := strings.Split(statementsText, "\n"), strings.Split(pinned(files), "\n")
	i := 0
	for i < min(len(old), len(new))-1 && old[i] == new[i] {
		i++
	}
	if old[i] == new[i] && len(old) == len(new) {
		return nil
	}
	return fmt.Errorf("statements.txt:%d: a theorem, or what it is about, has changed: review it, then run \"go test "+
		"./tools/evidence/grouplaw -run TestStatements -update\"\n- %s\n+ %s", i+1, old[i], new[i])
}
