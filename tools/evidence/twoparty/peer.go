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

	"p256k1.mleku.dev/v2/tools/internal/must"
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
	must.Do(json.Unmarshal(array, &values))
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

func start(name string, args ...string) (_ *peer, err error) {
	defer must.Recover(&err)
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	p := &peer{cmd, must.Get(cmd.StdinPipe()), bufio.NewReader(must.Get(cmd.StdoutPipe()))}
	return p, cmd.Start()
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
	line := must.Get(json.Marshal(append([]any{op}, args...)))
	must.Get(s.in.Write(append(line, '\n')))
	answer := must.Get(s.out.ReadBytes('\n'))
	reply := struct {
		Value *T
		Fault *fault
	}{Value: &value}
	if err := json.Unmarshal(answer, &reply); err != nil {
		must.Fail("%s: %v in %s", op, err, answer)
	}
	return value, reply.Fault
}

// ask calls an operation, which must not fail.
func ask[T any](s *session, op string, args ...any) T {
	value, failed := try[T](s, op, args...)
	if failed != nil {
		must.Fail("%s of the other implementation fails: %s", op, failed.Text)
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

func rust(map[string]*string) (_ *peer, err error) {
	defer must.Recover(&err)
	return start(build())
}

// build builds the Rust program, once, with modules of libsecp256k1-zkp that its crate leaves out.
var build = sync.OnceValue(func() string {
	target := filepath.Join(must.Get(os.UserCacheDir()), "p256k1", "twoparty")
	cmd := exec.Command("cargo", "build", "--release", "--locked", "--target-dir", target)
	cmd.Dir = filepath.Join(folder, "rust")
	cmd.Env = append(os.Environ(), "CFLAGS=-DENABLE_MODULE_EXTRAKEYS=1 -DENABLE_MODULE_SCHNORRSIG=1 "+
		"-DENABLE_MODULE_SCHNORRSIG_HALFAGG=1 -DENABLE_MODULE_MUSIG=1")
	cmd.Stderr = os.Stderr // cargo's progress: compiling takes minutes the first time
	must.Do(cmd.Run())
	return filepath.Join(target, "release", "twoparty")
})
