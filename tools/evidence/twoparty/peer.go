package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

const folder = "tools/evidence/twoparty"

// octets are bytes. In JSON they are hexadecimal, and nil is null.
type octets []byte

func (b octets) MarshalJSON() ([]byte, error) {
	if b == nil {
		return []byte("null"), nil
	}
	return json.Marshal(hex.EncodeToString(b))
}

func (b *octets) UnmarshalText(text []byte) (err error) {
	*b, err = hex.DecodeString(string(text))
	return err
}

type raw = json.RawMessage

// split decodes an array of values of different types.
func split(array raw, values ...any) {
	if err := json.Unmarshal(array, &values); err != nil {
		panic(difference(err.Error()))
	}
}

// A kept value has no encoding and stays in the other program. Number refers to the value, and Fields has the parts of
// the value that have an encoding.
type kept[T any] struct {
	Number int `json:"kept"`
	Fields T   `json:"fields,omitempty"`
}

// A fault is an error of the other implementation.
type fault struct {
	Text   string         `json:"text"`
	Blamed *int           `json:"blamed"`
	Error  kept[struct{}] `json:"error"`
}

func (f *fault) String() string {
	if f == nil {
		return "no error"
	}
	return f.Text
}

// A peer is a running program with another implementation. It answers each line, [operation, arguments…], with a line,
// {"value": …} or {"fault": …}.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(name string, args ...string) (*peer, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &peer{cmd, in, bufio.NewReader(out)}, cmd.Start()
}

func (p *peer) close() error {
	p.in.Close()
	return p.cmd.Wait()
}

// try calls an operation, which may fail. A name without a dot gets the counterpart's prefix.
func try[T any](s *session, op string, args ...any) (value T, failed *fault) {
	if !strings.Contains(op, ".") {
		op = s.ops + op
	}
	line := must(json.Marshal(append([]any{op}, args...)))
	must(s.in.Write(append(line, '\n')))
	answer := must(s.out.ReadBytes('\n'))
	reply := struct {
		Value *T
		Fault *fault
	}{Value: &value}
	if err := json.Unmarshal(answer, &reply); err != nil {
		panic(difference(fmt.Sprintf("%s: %v in %s", op, err, answer)))
	}
	return value, reply.Fault
}

// ask calls an operation, which must not fail.
func ask[T any](s *session, op string, args ...any) T {
	value, failed := try[T](s, op, args...)
	if failed != nil {
		panic(difference(op + " of the other implementation fails: " + failed.Text))
	}
	return value
}

// references maps each reference in Python to a file that its folder must have.
var references = map[string]string{"bip445": "frost_ref/signing.py", "chilldkg": "chilldkg_ref/chilldkg.py", "bip458": "halfagg.py"}

// reference returns a function that starts a reference in Python, in the folder given by its flag.
func reference(name string) func(map[string]*string) (*peer, error) {
	return func(folders map[string]*string) (*peer, error) {
		if _, err := os.Stat(filepath.Join(*folders[name], references[name])); err != nil {
			return nil, fmt.Errorf("-%s names no folder of the reference: %w", name, err)
		}
		return start("python3", "-B", filepath.Join(folder, "reference.py"), *folders[name])
	}
}

func noble(map[string]*string) (*peer, error) {
	if _, err := os.Stat("tools/js/node_modules/@noble/curves"); err != nil {
		return nil, errors.New("run npm ci --prefix tools/js")
	}
	return start("node", filepath.Join(folder, "noble.js"))
}

func rust(map[string]*string) (*peer, error) {
	program, err := build()
	if err != nil {
		return nil, err
	}
	return start(program)
}

// build builds the Rust program, once, with modules of libsecp256k1-zkp that its crate leaves out.
var build = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	target := filepath.Join(cache, "p256k1", "twoparty")
	cmd := exec.Command("cargo", "build", "--release", "--locked", "--target-dir", target)
	cmd.Dir = filepath.Join(folder, "rust")
	cmd.Env = append(os.Environ(), "CFLAGS=-DENABLE_MODULE_EXTRAKEYS=1 -DENABLE_MODULE_SCHNORRSIG=1 "+
		"-DENABLE_MODULE_SCHNORRSIG_HALFAGG=1 -DENABLE_MODULE_MUSIG=1")
	cmd.Stderr = os.Stderr // cargo's progress: compiling takes minutes the first time
	return filepath.Join(target, "release", "twoparty"), cmd.Run()
})
