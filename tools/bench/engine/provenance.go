package engine

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
)

const ofThisTree = "of this source tree"

// moduleVersion returns the version of a module that this program contains.
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

// FileSHA256 returns the hash of a file in hexadecimal. It returns "" if the file cannot be read, or if the path is a
// name for the system's loader.
func FileSHA256(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}
