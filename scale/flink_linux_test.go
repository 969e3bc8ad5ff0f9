package main

// This file runs the pipeline on Apache Flink: on a cluster of processes, some of which are killed.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	killing(t, ctx, os.Getenv(inside))
}

// outside builds and downloads the programs that the test needs, and starts the test in its own namespaces.
func outside(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), limit+10*time.Minute)
	defer cancel()
	cache := libtest.Must(os.UserCacheDir())
	pom := libtest.Must(filepath.Abs("flink/pom.xml"))
	cache = filepath.Join(cache, "p256k1-scale")
	libtest.Check(t, os.MkdirAll(cache, 0o700))
	dir, err := os.MkdirTemp(cache, "run-") // not in /tmp, which is another folder inside the namespaces
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	jars := filepath.Join(cache, "flink-1.19-beam-2.70.0")
	mustRun(t, ctx, "", "mvn", "-q", "-B", "-f", pom, "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory="+jars)
	libtest.Check(t, os.Symlink(jars, filepath.Join(dir, "jars")))
	mustRun(t, ctx, "", "go", "build", "-o", filepath.Join(dir, "scale"), ".")
	mustRun(t, ctx, "", "go", "build", "-o", filepath.Join(dir, "boot"), "github.com/apache/beam/sdks/v2/go/container")
	mustRun(t, ctx, "../cmd/p256k1", "go", "build", "-o", filepath.Join(dir, "p256k1"), ".")

	self := libtest.Must(os.Executable())
	args := []string{"--user", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc", "--kill-child", self,
		"-test.run=^TestKills$", "-test.v", "-flink", fmt.Sprintf("-events=%d", *events), fmt.Sprintf("-kills=%t", *kills)}
	cmd := exec.CommandContext(ctx, "unshare", args...)
	cmd.Env = append(os.Environ(), inside+"="+dir)
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

func mustRun(t *testing.T, ctx context.Context, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=") // the command needs the workspace, even if this test runs without it
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
}

// config is the configuration of Flink. The memory sizes are the sizes that the scripts of a Flink distribution would
// compute.
const config = `jobmanager.rpc.address: 127.0.0.1
jobmanager.rpc.port: 6123
rest.address: 127.0.0.1
rest.port: 8081
taskmanager.host: 127.0.0.1
taskmanager.numberOfTaskSlots: 2
taskmanager.cpu.cores: 2.0
taskmanager.memory.task.heap.size: 384m
taskmanager.memory.task.off-heap.size: 64m
taskmanager.memory.framework.heap.size: 64m
taskmanager.memory.framework.off-heap.size: 64m
taskmanager.memory.managed.size: 128m
taskmanager.memory.network.min: 256m
taskmanager.memory.network.max: 256m
taskmanager.memory.jvm-metaspace.size: 128m
taskmanager.memory.jvm-overhead.min: 64m
taskmanager.memory.jvm-overhead.max: 64m
heartbeat.interval: 1000
heartbeat.timeout: 10000
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 10
restart-strategy.fixed-delay.delay: 1 s
io.tmp.dirs: %[1]s/tmp
`

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
	file, err := os.Create(log)
	if err != nil {
		c.t.Fatal(err)
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
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
	if err := c.get("/jobs", &jobs); err != nil {
		c.t.Fatal(err)
	}
	for _, job := range jobs.Jobs {
		var exceptions struct {
			History struct {
				Entries []struct{ ExceptionName string }
			} `json:"exceptionHistory"`
		}
		if err := c.get("/jobs/"+job.ID+"/exceptions", &exceptions); err != nil {
			c.t.Fatal(err)
		}
		for _, e := range exceptions.History.Entries {
			c.t.Logf("Flink says: %s", e.ExceptionName)
		}
		n += len(exceptions.History.Entries)
	}
	return n
}

// process has the kernel's information about a process.
type process struct {
	pid, parent int
	name        string
	ticks       int64 // processor time, in hundredths of a second
}

func processes() (all []process) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		if err != nil {
			continue // the process has ended
		}
		open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
		fields := strings.Fields(string(text[end+1:]))
		if fields[0] == "Z" {
			continue
		}
		p := process{name: string(text[open+1 : end])}
		p.pid, _ = strconv.Atoi(strings.TrimSpace(string(text[:open])))
		p.parent, _ = strconv.Atoi(fields[1])
		user, _ := strconv.ParseInt(fields[11], 10, 64)
		system, _ := strconv.ParseInt(fields[12], 10, 64)
		p.ticks = user + system
		all = append(all, p)
	}
	return all
}

// workers returns the Beam workers that a process has started through Beam's program boot.
func workers(of int) (all []process) {
	list := processes()
	for _, boot := range list {
		if boot.parent != of || boot.name != "boot" {
			continue
		}
		for _, p := range list {
			if p.parent == boot.pid && p.name == "worker" {
				all = append(all, p)
			}
		}
	}
	return all
}

// busy returns a worker that has used a second of processor time since it started.
func busy(of int) (worker process, ok bool) {
	for _, p := range workers(of) {
		if p.ticks >= 100 {
			return p, true
		}
	}
	return worker, false
}

// killing is the part of the test that runs inside the namespaces.
func killing(t *testing.T, ctx context.Context, dir string) {
	mustRun(t, ctx, "", "ip", "link", "set", "lo", "up")
	c := &cluster{t, ctx, dir}
	for _, name := range []string{"tmp", "artifacts"} {
		libtest.Check(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	mustRun(t, ctx, "", "mount", "--bind", dir+"/tmp", "/tmp") // Beam's program boot leaves a file in /tmp for each worker
	for _, name := range []string{"config.yaml", "flink-conf.yaml"} {
		write(t, filepath.Join(dir, name), fmt.Appendf(nil, config, dir))
	}
	input := filepath.Join(dir, "events.jsonl")
	file := libtest.Must(os.Create(input))
	defer file.Close()
	sample := exec.CommandContext(ctx, filepath.Join(dir, "p256k1"), "sample", "-n", strconv.Itoa(*events), "--bad", "1234", "--kind", "nostr", "--seed", "flink")
	sample.Stdout = file
	libtest.Check(t, sample.Run())

	c.java("jobmanager", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", "--configDir", dir, "--executionMode", "cluster")
	var managers [2]*exec.Cmd
	for i := range managers {
		managers[i], _ = c.java(fmt.Sprintf("taskmanager%d", i), "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "--configDir", dir)
	}
	_, log := c.java("jobserver", "org.apache.beam.runners.flink.FlinkJobServerDriver", "--flink-master=127.0.0.1:8081", "--flink-conf-dir="+dir,
		"--job-host=127.0.0.1", "--job-port=0", "--artifact-port=0", "--expansion-port=0", "--artifacts-dir="+dir+"/artifacts")
	c.wait("the task managers", 3*time.Minute, func() bool { return c.slots() == 4 })
	endpoint := ""
	c.wait("the job server", 3*time.Minute, func() bool {
		text, _ := os.ReadFile(log)
		if match := regexp.MustCompile(`JobService started on (localhost:\d+)`).FindSubmatch(text); match != nil {
			endpoint = string(match[1])
		}
		return endpoint != ""
	})

	output := filepath.Join(dir, "output")
	environment := libtest.Must(json.Marshal(map[string]string{"command": filepath.Join(dir, "boot")}))
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "scale"), "verify", "--input", input, "--output", output, "--part", "2000000", "--jobs", "1",
		"--runner=flink", "--endpoint="+endpoint, "--parallelism=2", "--worker_binary="+dir+"/scale", "--environment_type=PROCESS", "--environment_config="+string(environment))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	libtest.Check(t, cmd.Start())
	var failed error
	ended := make(chan struct{})
	t.Cleanup(func() {
		if t.Failed() {
			cmd.Process.Signal(syscall.SIGQUIT) // makes the Go program print the stacks of its goroutines
			<-ended
			t.Logf("scale: %s", out.Bytes())
		}
	})
	go func() {
		failed = cmd.Wait()
		close(ended)
	}()
	running := func() bool {
		select {
		case <-ended:
			return false
		default:
			return true
		}
	}
	if *kills {
		// A task manager with a busy worker first loses this worker, and is killed later.
		var victim process
		first := 0
		c.wait("a busy worker", 3*time.Minute, func() (ok bool) {
			for i, m := range managers {
				if victim, ok = busy(m.Process.Pid); ok || !running() {
					first = i
					break
				}
			}
			return ok || !running()
		})
		if !running() {
			t.Fatalf("the job ended before anything was killed: %s", out.Bytes())
		}
		kill(t, victim.pid)
		c.wait("the failure of its task", time.Minute, func() bool { return !running() || c.failures() >= 1 })
		second := managers[first]
		c.wait("a busy worker after that", 3*time.Minute, func() bool {
			for _, m := range managers {
				if p, ok := busy(m.Process.Pid); ok && p.pid != victim.pid {
					second = m
					return true
				}
			}
			return !running()
		})
		if !running() {
			t.Fatalf("the job ended before a task manager was killed: %s", out.Bytes())
		}
		kill(t, second.Process.Pid)
		c.wait("the loss of a task manager", time.Minute, func() bool { return c.slots() == 2 || !running() })
	}
	spent := make(map[int]time.Duration) // processor time of workers
	c.wait("the end of the job", 10*time.Minute, func() bool {
		for _, m := range managers {
			for _, p := range workers(m.Process.Pid) {
				spent[p.pid] = time.Duration(p.ticks) * 10 * time.Millisecond
			}
		}
		return !running()
	})
	t.Logf("%v: %s", time.Since(start), out.Bytes())
	var all time.Duration
	for _, d := range spent {
		all += d
	}
	if !*kills {
		t.Logf("%d events, %d workers, %v of their processor time: %.0f events a second of it", *events, len(spent), all, float64(*events)/all.Seconds())
	}
	if exit, ok := errors.AsType[*exec.ExitError](failed); !ok || exit.ExitCode() != 1 { // some lines are bad
		t.Fatalf("scale: %v", failed)
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
