// Package browser looks at pages in Chromium. It is for tests only.
package browser

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

//go:embed layout.js
var script string

var result = regexp.MustCompile(`(?s)<pre id="result">(.*?)</pre>`)

// CheckLayout shows a page at the widths of a phone, a small and a large screen, in
// several fonts. It fails the test for each label that sticks out, or collides with
// another one or with a bar or point, and for a page that is wider than its window. At
// least so many labels must be seen.
func CheckLayout(t *testing.T, page string, labels int) {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	embedded, err := json.Marshal(page) // which escapes what would end the script
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "layout.html")
	harness := fmt.Sprintf("<!doctype html><meta charset=utf-8><body><script type=application/json id=page>%s</script><script>%s</script>", embedded, script)
	if err := os.WriteFile(file, []byte(harness), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--window-size=1720,2000", "--virtual-time-budget=60000", "--dump-dom", "file://"+file)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := result.FindSubmatch(out)
	if found == nil {
		t.Fatalf("no result in %.2000s", out)
	}
	var seen struct {
		Seen       int
		Complaints []string
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(string(found[1]))), &seen); err != nil {
		t.Fatal(err)
	}
	const widthsAndFonts = 12
	if seen.Seen < labels*widthsAndFonts {
		t.Errorf("%d labels were seen, want %d in each of %d views", seen.Seen, labels, widthsAndFonts)
	}
	for i, complaint := range seen.Complaints {
		if i == 40 {
			t.Errorf("and %d more", len(seen.Complaints)-i)
			break
		}
		t.Error(complaint)
	}
}
