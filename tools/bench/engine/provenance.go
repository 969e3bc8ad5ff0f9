package engine

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

const ofThisTree = "of this source tree"

// moduleVersion returns the version of a module that this program is built of.
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path != path {
			continue
		}
		if m.Version == "" || m.Version == "(devel)" || m.Replace != nil {
			return ofThisTree
		}
		return m.Version
	}
	return "unknown"
}

// mappedFile returns the file that is mapped at an address of this process, with
// links resolved, or "" if that cannot be told.
func mappedFile(address uintptr) string {
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		columns := strings.Fields(lines.Text())
		if len(columns) < 6 {
			continue
		}
		first, last, _ := strings.Cut(columns[0], "-")
		lo, err1 := strconv.ParseUint(first, 16, 64)
		hi, err2 := strconv.ParseUint(last, 16, 64)
		if err1 == nil && err2 == nil && lo <= uint64(address) && uint64(address) < hi {
			return strings.Join(columns[5:], " ")
		}
	}
	return ""
}

// sharedLibrary returns which file was loaded, and its hash. The name is what the
// loader was asked for.
func sharedLibrary(name string, address uintptr) (path, sum string) {
	path = name
	if file := mappedFile(address); file != "" {
		path = file
	}
	return path, FileSHA256(path)
}

// FileSHA256 returns the hash of a file in hexadecimal, or "" if that cannot be read.
func FileSHA256(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
