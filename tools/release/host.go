package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
)

// domain is the host that tells the go command where the modules are.
const domain = "p256k1.mleku.dev"

// goImport returns the go-import tag of the page at a path. There is one tag, because the go command refuses a page
// with two tags whose prefixes both match. v1 is an earlier library in another repository.
func goImport(path string) string {
	prefix, repository := domain, "v1"
	if path == "/v2" || strings.HasPrefix(path, "/v2/") {
		prefix, repository = library, "v2"
	}
	return fmt.Sprintf(`<meta name="go-import" content="%s git https://%s/git/%s.git">`, prefix, domain, repository)
}

// host serves the pages of the domain, through a proxy on the loopback interface that serves nothing else. It returns
// the environment for go commands. In this environment, git takes the repositories v1.git and v2.git from a folder in
// place of the domain.
func host(ctx context.Context, dir string) (env []string) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != domain || r.FormValue("go-get") != "1" {
			http.Error(w, "only the pages of "+domain+" are served", http.StatusForbidden)
			return
		}
		fmt.Fprintf(w, "<!DOCTYPE html>\n<head>%s</head>\n", goImport(r.URL.Path))
	}))
	context.AfterFunc(ctx, proxy.Close)
	return []string{
		"HTTP_PROXY=" + proxy.URL, "http_proxy=" + proxy.URL, "HTTPS_PROXY=" + proxy.URL, "https_proxy=" + proxy.URL, "NO_PROXY=", "no_proxy=",
		"GOINSECURE=" + domain, // the proxy has no certificate, so the go command gets the pages over HTTP
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + dir + "/.insteadOf", "GIT_CONFIG_VALUE_0=https://" + domain + "/git/",
	}
}
