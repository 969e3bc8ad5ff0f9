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
)

// options has the options of the kernel. They clear processor features for which Bochs reports sizes that the kernel
// does not accept, because the kernel would otherwise turn off AVX. The oldest interrupt controller is enough. The
// clock need not be measured, because it ticks once per instruction.
const options = "console=ttyS0 rdinit=/init panic=-1 nokaslr mitigations=off acpi=off pci=off noapic " +
	"tsc=reliable tsc_early_khz=100000 lpj=400000 no_timer_check clearcpuid=pku,xsaves,xsavec,fsrm random.trust_cpu=on"

// disc makes the CD in dir, and returns its path.
func disc(ctx context.Context, dir string, args []string, verbose bool) error {
	kernel, err := kernel(ctx)
	if err != nil {
		return err
	}
	if err := build(ctx, filepath.Join(dir, "init")); err != nil {
		return err
	}
	job, err := json.Marshal(struct{ Arguments, Environment []string }{args[1:], environment(os.Environ())})
	if err != nil {
		return err
	}
	var files archive
	for _, directory := range []string{"proc", "sys", "dev", "tmp"} {
		files.add(directory, 0o041777, nil)
	}
	files.add("dev/console", 0o020600, nil)
	files.add("job", 0o100644, job)
	for name, path := range map[string]string{"init": filepath.Join(dir, "init"), "program": args[0]} {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files.add(name, 0o100755, b)
	}
	say := " quiet loglevel=3"
	if verbose {
		say = ""
	}
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, "files"), files.end(), 0o600); err != nil {
		return err
	}
	config := "default /linux initrd=/files " + options + say + "\n"
	if err := os.WriteFile(filepath.Join(root, "isolinux.cfg"), []byte(config), 0o600); err != nil {
		return err
	}
	for name, path := range map[string]string{
		"linux":        kernel,
		"isolinux.bin": "/usr/lib/ISOLINUX/isolinux.bin",
		"ldlinux.c32":  "/usr/lib/syslinux/modules/bios/ldlinux.c32",
	} {
		b, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(root, name), b, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return command(ctx, dir, "xorriso", "-as", "mkisofs", "-quiet", "-o", "disc", "-b", "isolinux.bin", "-c", "catalogue",
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
func kernel(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "p256k1", "emulate")
	path := filepath.Join(dir, "linux")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	out, err := exec.CommandContext(ctx, "apt-cache", "depends", "--important", "linux-image-cloud-amd64").Output()
	_, name, found := strings.Cut(string(out), "Depends: ")
	if err != nil || !found {
		return "", fmt.Errorf("apt-cache knows no linux-image-cloud-amd64: %w", err)
	}
	name = strings.Fields(name)[0]
	work, err := os.MkdirTemp("", "emulate")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if err := command(ctx, work, "apt-get", "-q", "download", name); err != nil {
		return "", err
	}
	packages, err := filepath.Glob(filepath.Join(work, "*.deb"))
	if err != nil || len(packages) != 1 {
		return "", fmt.Errorf("%d packages for %s: %w", len(packages), name, err)
	}
	if err := command(ctx, work, "dpkg", "-x", packages[0], "."); err != nil {
		return "", err
	}
	b, err := os.ReadFile(filepath.Join(work, "boot", strings.Replace(name, "linux-image-", "vmlinuz-", 1)))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(path+".new", b, 0o600); err != nil {
		return "", err
	}
	return path, os.Rename(path+".new", path)
}

// build builds the program guest, which is the first process of the machine.
func build(ctx context.Context, path string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", path, "p256k1.mleku.dev/v2/tools/evidence/emulate/guest")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func command(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
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
