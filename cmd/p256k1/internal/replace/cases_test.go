package replace

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

var update = flag.Bool("update", false, "write what is printed into testdata")

// TestCases runs the files of testdata. Each has a description, the commands, the files of programs, and the expected
// output and files. $DIR is the folder of the programs, $FULL the full path of the clone, $CLONE the relative path that
// leads to the clone, and $VERSION the version of the library that the clone's modules require. In a command, ␣ stands
// for a space, and ¶ stands before the first word of each paragraph to compare, if only some are compared.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			want := read(t, name)
			got := play(t, want)
			if *update {
				libtest.Check(t, os.WriteFile(name, []byte(got), 0o666))
			} else if got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
}

var begin = regexp.MustCompile(`(?m)^-- (.+) --\n`)

// play runs the commands of a case, and returns the case with their output and with the files that they leave.
func play(t *testing.T, text string) string {
	text, _, _ = strings.Cut(text, "-- printed --\n")
	full := libtest.Must(resolved(clone))
	version := requiredVersion(t)
	dir := t.TempDir()
	expand := strings.NewReplacer("$DIR", dir, "$FULL", full, "$VERSION", version, "␣", " ").Replace
	// hide returns text in which $CLONE replaces the path from a folder to the clone.
	hide := func(folder, text string) string {
		from, err := resolved(folder)
		if err != nil {
			return text
		}
		relative := libtest.Must(filepath.Rel(from, full))
		return strings.ReplaceAll(text, filepath.ToSlash(relative), "$CLONE")
	}
	files := begin.FindAllStringSubmatchIndex(text, -1)
	before := make([]string, len(files))
	for i, f := range files {
		end := len(text)
		if i+1 < len(files) {
			end = files[i+1][0]
		}
		before[i] = expand(text[f[1]:end])
		write(t, filepath.Join(dir, text[f[2]:f[3]]), before[i])
	}

	t.Setenv("GOWORK", "")
	var b strings.Builder
	for line := range strings.Lines(text[:files[0][0]]) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		b.WriteString(line)
		o, program, toWrite := Options{Release: "v0.1.0"}, dir, false
		var paragraphs []string
		words := strings.Fields(command)
		if name, value, ok := strings.Cut(words[0], "="); ok {
			t.Setenv(name, expand(value))
			continue
		}
		for i := 1; i < len(words); i++ {
			switch words[i] {
			case "-w":
				toWrite = true
			case "--decred":
				o.Decred = true
			case "--devel":
				o.Release = ""
			case "--local":
				i++
				o.Local = expand(words[i])
			default:
				if first, ok := strings.CutPrefix(words[i], "¶"); ok {
					paragraphs = append(paragraphs, expand(first))
					continue
				}
				program = filepath.Join(dir, words[i])
			}
		}
		printed, err := run(t, program, o, toWrite)
		if err != nil {
			printed = "error: " + err.Error() + "\n"
		}
		if err == nil && len(paragraphs) > 0 {
			all := strings.Split(strings.TrimSuffix(printed, "\n"), "\n\n")
			printed = strings.Join(slices.DeleteFunc(all, func(p string) bool {
				return !slices.ContainsFunc(paragraphs, func(first string) bool { return strings.HasPrefix(p, first) })
			}), "\n") + "\n"
		}
		b.WriteString(hide(program, printed))
	}
	for i, f := range files {
		name := text[f[2]:f[3]]
		if after := read(t, dir, name); after != before[i] {
			b.WriteString("-- " + name + " now has --\n" + hide(filepath.Join(dir, filepath.Dir(name)), strings.TrimPrefix(after, before[i])))
		}
	}
	return text + "-- printed --\n" + strings.NewReplacer(dir, "$DIR", full, "$FULL", version, "$VERSION").Replace(b.String())
}
