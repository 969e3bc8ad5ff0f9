package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/internal/must"
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

// host serves the repositories v1.git and v2.git in a folder, as the domain will serve them: over HTTPS, with its own
// certificate. It returns the environment for go commands, with a proxy on the loopback interface that connects only to
// the domain.
func host(ctx context.Context, dir string) (env []string) {
	git := must.Get(exec.LookPath("git"))
	programs := must.Get(command(ctx, dir, nil, git, "--exec-path"))
	if _, err := os.Stat(filepath.Join(strings.TrimSpace(programs), "git-http-backend")); err != nil || runtime.GOOS == "darwin" {
		must.Fail("%w: it needs git http-backend, and a system that takes certificates from a file", errUntried)
	}
	certificate := certify()
	name := filepath.Join(dir, "certificate.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]}
	must.Do(os.WriteFile(name, pem.EncodeToMemory(block), 0o666))

	repositories := &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Root: "/git",
		Env: []string{"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1"},
	}
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("go-get") == "1" {
			fmt.Fprintf(w, "<!DOCTYPE html>\n<head>%s</head>\n", goImport(r.URL.Path))
		} else {
			repositories.ServeHTTP(w, r)
		}
	}))
	site.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	site.StartTLS()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != domain+":443" {
			http.Error(w, "only "+domain+" is served", http.StatusForbidden)
			return
		}
		w.WriteHeader(http.StatusOK)
		server, err := net.Dial("tcp", site.Listener.Addr().String())
		if err != nil {
			return
		}
		defer server.Close()
		client, rest, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer client.Close()
		go io.Copy(server, rest)
		io.Copy(client, server)
	}))
	context.AfterFunc(ctx, func() { proxy.CloseClientConnections(); proxy.Close(); site.CloseClientConnections(); site.Close() })
	return []string{
		"HTTPS_PROXY=" + proxy.URL, "https_proxy=" + proxy.URL, "NO_PROXY=", "no_proxy=",
		"SSL_CERT_FILE=" + name, "SSL_CERT_DIR=" + dir, "GIT_SSL_CAINFO=" + name,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	}
}

// certify returns a self-signed certificate for the domain.
func certify() tls.Certificate {
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{domain}, NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
	}
	text := must.Get(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))
	return tls.Certificate{Certificate: [][]byte{text}, PrivateKey: key}
}
