package main

// This file runs the pipeline on Apache Flink: on a cluster of processes, some of which are killed.

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
)

var (
	onFlink = flag.Bool("flink", false, "run the tests that start a cluster of Flink; they need Java, Maven and unshare")
	events  = flag.Int("events", 1_000_000, "how many events to verify on Flink")
	kills   = flag.Bool("kills", true, "kill a worker and a task manager in the middle")
)

// inside names an environment variable that is set in the process that runs the test in namespaces of its own, and not
// set in the process that starts that process.
const inside = "P256K1_SCALE_INSIDE"

// limit is the time that the part of the test inside the namespaces may take.
const limit = 15 * time.Minute

// TestKills verifies events on two task managers, kills a worker and then a task manager with all its workers, and
// compares the output with the output of the command on one machine.
//
// All processes are in namespaces of their own. They see only the loopback interface, because Beam's job server listens
// on all interfaces. The kernel ends them when the test ends, for whatever reason.
func TestKills(t *testing.T) {
	if !*onFlink {
		t.Skip("NOT RUN: go test -run TestKills -flink starts a cluster of Flink")
	}
	if os.Getenv(inside) == "" {
		outside(t)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	c := cluster{t, ctx, os.Getenv(inside)}
	c.killing()
}

// outside builds and downloads the programs that the test needs, and starts the test in its own namespaces.
func outside(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), limit+10*time.Minute)
	defer cancel()
	cache := filepath.Join(libtest.Must(os.UserCacheDir()), "p256k1-scale")
	pom := libtest.Must(filepath.Abs("flink/pom.xml"))
	libtest.Check(t, os.MkdirAll(cache, 0o700))
	dir := libtest.Must(os.MkdirTemp(cache, "run-")) // not in /tmp, which is another folder inside the namespaces
	t.Cleanup(func() { os.RemoveAll(dir) })
	jars := filepath.Join(cache, "flink-1.19-beam-2.70.0")
	mustRun(t, ctx, "", "mvn", "-q", "-B", "-f", pom, "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory="+jars)
	libtest.Check(t, os.Symlink(jars, filepath.Join(dir, "jars")))
	mustRun(t, ctx, "", "go", "build", "-o", filepath.Join(dir, "scale"), ".")
	mustRun(t, ctx, "", "go", "build", "-o", filepath.Join(dir, "boot"), "github.com/apache/beam/sdks/v2/go/container")
	mustRun(t, ctx, "../cmd/p256k1", "go", "build", "-o", filepath.Join(dir, "p256k1"), ".")
	t.Setenv(inside, dir)
	mustRun(t, ctx, "", "unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc", "--kill-child",
		libtest.Must(os.Executable()), "-test.run=^TestKills$", "-test.v", "-flink",
		fmt.Sprintf("-events=%d", *events), fmt.Sprintf("-kills=%t", *kills))
}

// config is the configuration of Flink in the folder $DIR. The memory sizes are the sizes that the scripts of a Flink
// distribution would compute.
//
//go:embed flink/config.yaml
var config string

// jvm has the options that Flink and Beam need with Java 17.
var jvm = []string{"-Xmx640m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}

func init() {
	for _, p := range []string{"lang", "lang.invoke", "lang.reflect", "net", "nio", "text", "time", "util", "util.concurrent", "util.concurrent.atomic"} {
		jvm = append(jvm, "--add-opens=java.base/java."+p+"=ALL-UNNAMED")
	}
}

// A cluster has the processes of Flink and Beam in a folder.
type cluster struct {
	t   *testing.T
	ctx context.Context
	dir string
}

// java starts a Java class, and returns the process and the name of the file with its output.
func (c *cluster) java(name, class string, args ...string) (*exec.Cmd, string) {
	c.t.Helper()
	cmd := exec.CommandContext(c.ctx, "java", slices.Concat(jvm, []string{"-cp", c.dir + "/jars/*", class}, args)...)
	cmd.Dir = c.dir // workers that it starts write their options to this folder
	log := filepath.Join(c.dir, name+".log")
	file := libtest.Must(os.Create(log))
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	libtest.Check(c.t, cmd.Start())
	c.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if c.t.Failed() {
			text, _ := os.ReadFile(log)
			c.t.Logf("%s:\n%s", name, text[max(0, len(text)-3000):])
		}
	})
	return cmd, log
}

// wait waits until done returns true.
func (c *cluster) wait(what string, limit time.Duration, done func() bool) {
	c.t.Helper()
	for end := time.Now().Add(limit); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) || c.ctx.Err() != nil {
			c.t.Fatalf("waited %v for %s", limit, what)
		}
	}
	c.t.Logf("%s: %s", time.Now().Format(time.TimeOnly), what)
}

// get reads JSON from Flink's REST interface.
func (c *cluster) get(path string, v any) error {
	ctx, cancel := context.WithTimeout(c.ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:8081"+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(v)
}

// slots returns the number of slots that the task managers offer.
func (c *cluster) slots() int {
	var overview struct {
		Slots int `json:"slots-total"`
	}
	if c.get("/overview", &overview) != nil {
		return -1
	}
	return overview.Slots
}

// failures returns the number of failed attempts of tasks in all jobs.
func (c *cluster) failures() (n int) {
	var jobs struct{ Jobs []struct{ ID string } }
	libtest.Check(c.t, c.get("/jobs", &jobs))
	for _, job := range jobs.Jobs {
		var exceptions struct {
			History struct {
				Entries []struct{ ExceptionName string }
			} `json:"exceptionHistory"`
		}
		libtest.Check(c.t, c.get("/jobs/"+job.ID+"/exceptions", &exceptions))
		c.t.Logf("Flink says: %+v", exceptions.History.Entries)
		n += len(exceptions.History.Entries)
	}
	return n
}

// workers returns the Beam workers that the task managers have started through Beam's program boot: the seconds of
// processor time that each has used, by its process, and its task manager.
func (c *cluster) workers(managers []*exec.Cmd) (seconds map[int]int, manager map[int]*exec.Cmd) {
	out := libtest.Must(exec.CommandContext(c.ctx, "ps", "-eo", "pid=,ppid=,cputimes=,comm=").Output())
	parent, boot := make(map[int]int), make(map[int]bool)
	seconds, manager = make(map[int]int), make(map[int]*exec.Cmd)
	for line := range strings.Lines(string(out)) {
		var pid, above, used int
		var name string
		libtest.Must(fmt.Sscan(line, &pid, &above, &used, &name))
		parent[pid], boot[pid] = above, name == "boot"
		if name == "worker" {
			seconds[pid] = used
		}
	}
	for pid := range seconds {
		i := slices.IndexFunc(managers, func(m *exec.Cmd) bool { return m.Process.Pid == parent[parent[pid]] })
		if i < 0 || !boot[parent[pid]] {
			delete(seconds, pid)
		} else {
			manager[pid] = managers[i]
		}
	}
	return seconds, manager
}

// killing is the part of the test that runs inside the namespaces.
func (c *cluster) killing() {
	t, ctx, dir := c.t, c.ctx, c.dir
	mustRun(t, ctx, "", "ip", "link", "set", "lo", "up")
	for _, name := range []string{"tmp", "artifacts"} {
		libtest.Check(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	mustRun(t, ctx, "", "mount", "--bind", dir+"/tmp", "/tmp") // Beam's program boot leaves a file in /tmp for each worker
	for _, name := range []string{"config.yaml", "flink-conf.yaml"} {
		write(t, filepath.Join(dir, name), []byte(strings.ReplaceAll(config, "$DIR", dir)))
	}
	input, output := filepath.Join(dir, "events.jsonl"), filepath.Join(dir, "output")
	sample := exec.CommandContext(ctx, filepath.Join(dir, "p256k1"),
		"sample", "-n", strconv.Itoa(*events), "--bad", "1234", "--kind", "nostr", "--seed", "flink")
	write(t, input, libtest.Must(sample.Output()))

	c.java("jobmanager", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", "--configDir", dir, "--executionMode", "cluster")
	managers := make([]*exec.Cmd, 2)
	for i := range managers {
		managers[i], _ = c.java(fmt.Sprintf("taskmanager%d", i), "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "--configDir", dir)
	}
	_, log := c.java("jobserver", "org.apache.beam.runners.flink.FlinkJobServerDriver", "--flink-master=127.0.0.1:8081", "--flink-conf-dir="+dir,
		"--job-host=127.0.0.1", "--job-port=0", "--artifact-port=0", "--expansion-port=0", "--artifacts-dir="+dir+"/artifacts")
	c.wait("the task managers", 3*time.Minute, func() bool { return c.slots() == 4 })
	var endpoint [][]byte
	c.wait("the job server", 3*time.Minute, func() bool {
		endpoint = regexp.MustCompile(`JobService started on (localhost:\d+)`).FindSubmatch(libtest.Must(os.ReadFile(log)))
		return endpoint != nil
	})

	environment := libtest.Must(json.Marshal(map[string]string{"command": filepath.Join(dir, "boot")}))
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "scale"), "verify", "--input", input, "--output", output, "--part", "2000000", "--jobs", "1",
		"--runner=flink", fmt.Sprintf("--endpoint=%s", endpoint[1]), "--parallelism=2", "--worker_binary="+dir+"/scale",
		"--environment_type=PROCESS", fmt.Sprintf("--environment_config=%s", environment))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	libtest.Check(t, cmd.Start())
	var ended atomic.Bool
	done := make(chan error, 1)
	go func() {
		done <- cmd.Wait()
		ended.Store(true)
	}()
	t.Cleanup(func() {
		if t.Failed() {
			cmd.Process.Signal(syscall.SIGQUIT) // makes the Go program print the stacks of its goroutines
			for !ended.Load() {
				time.Sleep(100 * time.Millisecond)
			}
			t.Logf("scale: %s", out.Bytes())
		}
	})
	until := func(what string, limit time.Duration, f func() bool) {
		t.Helper()
		c.wait(what, limit, func() bool { return ended.Load() || f() })
		if ended.Load() {
			t.Fatalf("the job ended before this: %s", what)
		}
	}
	if *kills {
		// A task manager with a busy worker first loses this worker, and is killed later.
		victim, owner := 0, managers[0]
		busy := func() bool {
			seconds, manager := c.workers(managers)
			for pid, used := range seconds {
				if used >= 1 && pid != victim {
					victim, owner = pid, manager[pid]
					return true
				}
			}
			return false
		}
		until("a busy worker", 3*time.Minute, busy)
		kill(t, victim)
		until("the failure of its task", time.Minute, func() bool { return c.failures() >= 1 })
		until("a busy worker after that", 3*time.Minute, busy)
		kill(t, owner.Process.Pid)
		until("the loss of a task manager", time.Minute, func() bool { return c.slots() == 2 })
	}
	spent := make(map[int]int) // seconds of processor time of workers
	c.wait("the end of the job", 10*time.Minute, func() bool {
		seconds, _ := c.workers(managers)
		maps.Copy(spent, seconds)
		return ended.Load()
	})
	t.Logf("%v: %s", time.Since(start), out.Bytes())
	if !*kills {
		all := 0
		for _, used := range spent {
			all += used
		}
		t.Logf("%d events, %d workers, %d s of their processor time: %d events a second of it", *events, len(spent), all, *events/max(all, 1))
	}
	err := <-done
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 { // some lines are bad
		t.Fatalf("scale: %v", err)
	}
	if n := c.failures(); *kills && n < 2 {
		t.Errorf("%d failures: did the kills hit?", n)
	}
	w := want(t, exec.CommandContext(ctx, filepath.Join(dir, "p256k1"), "verify", "--json", input))
	if len(w.findings) != 1234 {
		t.Errorf("%d findings", len(w.findings))
	}
	w.check(t, output)
}

func kill(t *testing.T, pid int) {
	t.Helper()
	t.Logf("%s: kill -9 %d", time.Now().Format(time.TimeOnly), pid)
	libtest.Check(t, syscall.Kill(pid, syscall.SIGKILL))
}
