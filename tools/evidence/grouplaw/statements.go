package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

//go:embed statements.txt
var statementsText string

// statement is a sentence of a proof file, with the text of its proof, if that is opaque.
type statement struct{ kind, name, text, proof string }

var (
	remark   = regexp.MustCompile(`\(\*|\*\)|"[^"]*"`)
	sentence = regexp.MustCompile(`(?s)(.*?)\.(?:\s|$)`)
	heading  = regexp.MustCompile(`^(\w*)(?: +\(?([\w']+))?`)
	command  = regexp.MustCompile(`^[-+*{}\s]*[A-Z#]`) // in a proof, where tactics have lower case
	word     = regexp.MustCompile(`[\w']+`)
	spaces   = regexp.MustCompile(`\s+`)
)

// statements returns the sentences of a proof file without comments. Proofs belong to the sentences that they prove.
func statements(text []byte) (all []statement) {
	var code strings.Builder
	depth, end := 0, 0
	for _, mark := range remark.FindAllIndex(text, -1) {
		if text[mark[0]] == '"' {
			continue // a string has no comment
		}
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
		case proving && text == "Defined": // the proof is part of the definition
			all[last].text += all[last].proof
			all[last].proof, proving = "", false
		case proving && (text == "Qed" || text == "Admitted"):
			proving = false
		case !proving || command.MatchString(text):
			h := heading.FindStringSubmatch(text)
			all = append(all, statement{kind: h[1], name: h[2], text: text})
		default:
			all[last].proof += ". " + text
		}
	}
	return all
}

// hashed matches the kinds of sentences of which statements.txt has a hash.
var hashed = regexp.MustCompile(`^(Definition|Fixpoint|Let|Lemma|Ltac)$`)

// pinned returns the text of statements.txt: all theorems, and whatever may change what they say, which is every other
// sentence except lemmas. Definitions and tactics are hashed. A lemma is left out if its proof is opaque and no other
// sentence mentions its name, which could be another meaning of the word. Proofs may change.
func pinned(files map[string][]byte) string {
	var b strings.Builder
	mentioned, all := map[string]bool{}, map[string][]statement{}
	for _, name := range order {
		all[name] = statements(files[name])
		for _, s := range all[name] {
			for _, w := range word.FindAllString(s.text, -1) {
				mentioned[w] = mentioned[w] || s.kind != "Lemma"
			}
		}
	}
	for _, name := range order {
		if name == "Formulas" || name == "Constants" {
			continue
		}
		fmt.Fprintf(&b, "%s.v\n", name)
		for _, s := range all[name] {
			switch {
			case s.kind == "Lemma" && s.proof != "" && !mentioned[s.name]:
			case hashed.MatchString(s.kind):
				fmt.Fprintf(&b, "\t%s %s %s\n", s.kind, s.name, must.Hash(s.text))
			default:
				fmt.Fprintf(&b, "\t%s.\n", s.text)
			}
		}
	}
	return b.String()
}

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
