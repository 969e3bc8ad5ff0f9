package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestStatuses compares the exit statuses in the help of the command p256k1, and on pages, with those of
// testdata/usage.txt, which the command's own test compares with those that it returns.
func TestStatuses(t *testing.T) {
	const folder = "cmd/p256k1/internal/cli/"
	usage := "\n" + read(t, folder+"testdata/usage.txt")
	const good, bad, missing, sig = "verify testdata/range/good.jsonl", "verify testdata/range/bad.jsonl", "verify missing.jsonl", " --sig 00"
	stated := regexp.MustCompile(`\b([0-2]) (?:if|where|also)\b|: ([0-2])\.|, and ([0-2]) if|status(?: of the last is)? ([0-2])\b`)
	compared := make(map[string][]int) // by page, the places of statuses
	for _, c := range []struct{ page, pattern, command string }{
		{folder + "run.go", `status: (\d) if all is well`, good},
		{folder + "run.go", `; (\d) if a signature or anything else that was checked is bad`, bad},
		{folder + "run.go", `; (\d) if the usage is wrong`, "key"},
		{folder + "run.go", `gives (\d) where it is what verify checks, a line of a file`, bad},
		{folder + "run.go", `It gives (\d) where it is anything else: a key`, "key show testdata/range/0.hex"},
		{folder + "verify.go", `status: (\d) if everything is good`, good},
		{folder + "verify.go", `, (\d) if a line is bad or unreadable`, bad},
		{folder + "verify.go", `, (\d) if a file cannot be read`, missing},
		{folder + "verify.go", `the status is (\d) also if the signature is malformed`, `verify --digest \w{64} --pub \w{66}` + sig},
		{folder + "verify.go", `, and (\d) if the key`, `verify --digest \w{64} --pub 00` + sig},
		{folder + "verify.go", `, and (\d) if the key or the digest is`, `verify --digest 00 --pub \w{66}` + sig},
		{folder + "verify.go", `are files that cannot be read: (\d)`, "verify testdata/header.csv"},
		{folder + "replace.go", `status: (\d) if the lines are printed`, "replace ../../../../tools --local ../../../.."},
		{folder + "replace.go", `; (\d) if the program requires nothing`, "replace ../.."},
		{folder + "replace.go", `; (\d) if something is wrong`, "replace ."},
		{folder + "sign.go", `status: (\d) if no key can be recovered`, `recover --digest \w{64} --sig 0{63}5\w{66}`},
		{"CHANGELOG.md", `ends with status (\d) if a file contains nothing to check`, "verify"},
		{"scale/main.go", `status: (\d) if everything is good`, good},
		{"scale/main.go", `, (\d) if a line is bad or unreadable`, bad},
		{"scale/main.go", `, (\d) if a file cannot be read or has nothing to check`, "verify"},
		{"scale/README.md", `the exit status of the last is (\d)`, bad},
	} {
		texts, place := groups(t, c.page, c.pattern)
		if texts == nil {
			continue
		}
		if !slices.Contains(compared[c.page], place[0]) {
			compared[c.page] = append(compared[c.page], place[0])
		}
		found := regexp.MustCompile(`\n(\d) ` + strings.ReplaceAll(c.command, ".", `\.`) + " [→⇒] ").FindStringSubmatch(usage)
		if found == nil || found[1] != texts[1] {
			t.Errorf("%s: %q, but testdata/usage.txt has %q", c.page, texts[0], found)
		}
	}
	for _, name := range tree(t) {
		if strings.HasPrefix(name, "internal/") {
			continue
		}
		text := published(t, name)
		all := stated.FindAllStringSubmatch(strings.Join(strings.Fields(text), " "), -1)
		switch {
		case !regexp.MustCompile(`(?i)\bstatus`).MatchString(text) || len(compared[name]) == len(all):
		case strings.HasPrefix(name, "tools/") && len(all) == 1: // a tool exits by itself, or by package must
			text := read(t, name)
			if strings.Contains(text, "must.Main(") {
				text = read(t, "tools/internal/must/must.go")
			}
			if !strings.Contains(text, "os.Exit("+all[0][4]+")") {
				t.Errorf("%s has %q, and no such os.Exit", name, all[0][0])
			}
		default:
			t.Errorf("%s: %d statuses, and %d are compared", name, len(all), len(compared[name]))
		}
	}
}
