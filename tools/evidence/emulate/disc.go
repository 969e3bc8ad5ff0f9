//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// options has the options of the kernel. They clear processor features for which Bochs reports sizes that the kernel
// does not accept, because the kernel would otherwise turn off AVX. The oldest interrupt controller is enough. The
// clock need not be measured, because it ticks once per instruction.
const options = "console=ttyS0 rdinit=/init panic=-1 nokaslr mitigations=off acpi=off pci=off noapic " +
	"tsc=reliable tsc_early_khz=100000 lpj=400000 no_timer_check clearcpuid=pku,xsaves,xsavec,fsrm random.trust_cpu=on"

// disc makes the CD in dir.
func disc(ctx context.Context, dir string, args []string, verbose bool) {
	guest := filepath.Join(dir, "init")
	build(ctx, guest)
	var files archive
	for _, directory := range []string{"proc", "sys", "dev", "tmp"} {
		files.add(directory, 0o041777, nil)
	}
	files.add("dev/console", 0o020600, nil)
	job := struct{ Arguments, Environment []string }{args[1:], environment(os.Environ())}
	files.add("job", 0o100644, must.Get(json.Marshal(job)))
	files.add("init", 0o100755, must.Get(os.ReadFile(guest)))
	files.add("program", 0o100755, must.Get(os.ReadFile(args[0])))
	say := " quiet loglevel=3"
	if verbose {
		say = ""
	}
	root := filepath.Join(dir, "root")
	must.Do(os.Mkdir(root, 0o700))
	for name, content := range map[string][]byte{
		"files":        files.end(),
		"isolinux.cfg": []byte("default /linux initrd=/files " + options + say + "\n"),
		"linux":        must.Get(os.ReadFile(kernel(ctx))),
		"isolinux.bin": must.Get(os.ReadFile("/usr/lib/ISOLINUX/isolinux.bin")),
		"ldlinux.c32":  must.Get(os.ReadFile("/usr/lib/syslinux/modules/bios/ldlinux.c32")),
	} {
		must.Do(os.WriteFile(filepath.Join(root, name), content, 0o600))
	}
	command(ctx, dir, "xorriso", "-as", "mkisofs", "-quiet", "-o", "disc", "-b", "isolinux.bin", "-c", "catalogue",
		"-no-emul-boot", "-boot-load-size", "4", "-boot-info-table", "root")
}

// environment returns the part of the environment that is passed to the program.
func environment(all []string) []string {
	debug := "cpu.adx=off"
	list := []string{"HOME=/tmp", "PATH=/", "P256K1_EMULATED=1"}
	for _, v := range all {
		if s, ok := strings.CutPrefix(v, "GODEBUG="); ok && s != "" {
			debug = s + "," + debug
		} else if (strings.HasPrefix(v, "P256K1_") && !strings.HasPrefix(v, "P256K1_VECTORS=")) || strings.HasPrefix(v, "CI=") {
			list = append(list, v)
		}
	}
	return append(list, "GODEBUG="+debug)
}

// kernel returns the path of the kernel, which it downloads if it is not in the cache.
func kernel(ctx context.Context) string {
	dir := filepath.Join(must.Get(os.UserCacheDir()), "p256k1", "emulate")
	path := filepath.Join(dir, "linux")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	out := command(ctx, "", "apt-cache", "depends", "--important", "linux-image-cloud-amd64")
	_, name, found := strings.Cut(out, "Depends: ")
	if !found {
		must.Fail("apt-cache knows no linux-image-cloud-amd64")
	}
	name = strings.Fields(name)[0]
	work := must.Get(os.MkdirTemp("", "emulate"))
	defer os.RemoveAll(work)
	command(ctx, work, "apt-get", "-q", "download", name)
	packages := must.Get(filepath.Glob(filepath.Join(work, "*.deb")))
	if len(packages) != 1 {
		must.Fail("%d packages for %s", len(packages), name)
	}
	command(ctx, work, "dpkg", "-x", packages[0], ".")
	image := filepath.Join(work, "boot", strings.Replace(name, "linux-image-", "vmlinuz-", 1))
	must.Do(os.MkdirAll(dir, 0o700))
	must.Do(os.WriteFile(path+".new", must.Get(os.ReadFile(image)), 0o600))
	must.Do(os.Rename(path+".new", path))
	return path
}

// build builds the program guest, which is the first process of the machine.
func build(ctx context.Context, path string) {
	command(ctx, "", "env", "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64",
		"go", "build", "-ldflags=-s -w", "-o", path, "p256k1.mleku.dev/v2/tools/evidence/emulate/guest")
}

func command(ctx context.Context, dir, name string, args ...string) string {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	return must.Get(must.Output(cmd))
}

// archive is the kernel's first file system: a cpio archive in the format newc.
type archive struct {
	bytes.Buffer
	count int
}

func (a *archive) add(name string, mode int, content []byte) {
	a.count++
	major, minor := 0, 0
	if name == "dev/console" {
		major, minor = 5, 1
	}
	// Inode, mode, owner, group, links, time, size, device, device of the special file, length of the name, checksum.
	a.WriteString("070701")
	for _, v := range []int{a.count, mode, 0, 0, 1, 0, len(content), 0, 0, major, minor, len(name) + 1, 0} {
		fmt.Fprintf(a, "%08x", v)
	}
	a.WriteString(name + "\x00")
	a.pad()
	a.Write(content)
	a.pad()
}

func (a *archive) pad() {
	for a.Len()%4 != 0 {
		a.WriteByte(0)
	}
}

func (a *archive) end() []byte {
	a.add("TRAILER!!!", 0, nil)
	return a.Bytes()
}
