#!/bin/bash
# Builds all fuzz targets in OSS-Fuzz's image. The command fuzz lists them.
set -euo pipefail

# The image's Go fetches the toolchain that go.mod asks for into the module cache. compile_native_go_fuzzer_v2 overlays
# a file of package testing, which the go command refuses for a file in the module cache.
goroot=$(go env GOROOT)
if [[ $goroot == "$(go env GOMODCACHE)"/* ]]; then
	export GOROOT=$SRC/go
	cp -r "$goroot" "$GOROOT"
	export PATH=$GOROOT/bin:$PATH GOTOOLCHAIN=local
fi

targets=$(go run ./tools/evidence/fuzz -list)
while read -r package target name; do
	compile_native_go_fuzzer_v2 "$package" "$target" "${name/./_}" </dev/null
done <<<"$targets"
