package replace

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestFullDisk lets a write fail in the middle of the lines, in a process of its own whose files may not grow beyond a
// limit. The go.mod must stay as it was.
func TestFullDisk(t *testing.T) {
	const name, limit = "P256K1_FULL_DISK", 1 << 10
	if dir := os.Getenv(name); dir != "" {
		libtest.Check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}))
		refuse(t, dir, released, "file too large")
		return
	}
	text := program + "// " + strings.Repeat("x", limit-len(program)-20) + "\n"
	dir := folder(t, "go.mod", text)
	c := exec.Command(os.Args[0], "-test.run=TestFullDisk$")
	c.Env = append(c.Environ(), name+"="+dir)
	if out, err := c.CombinedOutput(); err != nil || read(t, dir, "go.mod") != text {
		t.Errorf("%v, %s\n%s", err, out, read(t, dir, "go.mod"))
	}
}
