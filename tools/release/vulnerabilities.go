package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// govulncheck is not among the requirements of this module, which need not follow its dependencies.
const govulncheck = "golang.org/x/vuln/cmd/govulncheck@v1.8.0"

// vulnerabilities looks for known vulnerabilities in what the published modules call. It says so if the data cannot be had.
func (r *release) vulnerabilities(ctx context.Context) error {
	skip := func(err error) error {
		r.say("govulncheck: DID NOT RUN: %v", err)
		return nil
	}
	database := cmp.Or(os.Getenv("GOVULNDB"), "https://vuln.go.dev")
	if strings.HasPrefix(database, "http") {
		if err := reach(ctx, database+"/index/db.json"); err != nil {
			return skip(err)
		}
	}
	env := append(os.Environ(), "GOBIN="+r.dir, "GOFLAGS=")
	if _, err := command(ctx, r.dir, env, "go", "install", govulncheck); err != nil {
		return skip(err)
	}
	for _, dir := range published {
		out, err := command(ctx, filepath.Join(r.root, dir), nil, filepath.Join(r.dir, "govulncheck"), "-db", database, "./...")
		if err != nil {
			return err
		}
		r.say("govulncheck: %s: %s", dir, strings.TrimSpace(out))
	}
	return nil
}

func reach(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	return nil
}
