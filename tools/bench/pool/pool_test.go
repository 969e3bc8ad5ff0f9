package pool

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// TestPool runs the command, which fails if a verdict is wrong.
func TestPool(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		args []string
		err  string
	}{{t.Context(), nil, ""}, {t.Context(), []string{"--ecdsa"}, ""}, {ended, nil, context.Canceled.Error()}, {t.Context(), []string{"--rounds", "0"}, "positive"}} {
		var out bytes.Buffer
		cmd := New()
		cmd.SetArgs(append([]string{"--rounds", "1", "--turn", "1ms"}, c.args...))
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		err := cmd.ExecuteContext(c.ctx)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)), c.ctx == ended && !errors.Is(err, context.Canceled):
			t.Errorf("%q: %v, want %q", c.args, err, c.err)
		case c.err == "" && (err != nil || strings.Count(out.String(), "\n") != 24):
			t.Errorf("%q: %v\n%s", c.args, err, &out)
		}
	}
}
