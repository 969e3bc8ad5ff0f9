package main

import (
	"net"
	"strconv"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"golang.org/x/sys/unix"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestConfined checks that the runner's socket accepts connections only through the loopback interface. A connection to
// another address of this machine would pass through that interface, too, so the test asks the kernel for the option.
func TestConfined(t *testing.T) {
	libtest.Check(t, startPrism(t.Context()))
	_, port, err := net.SplitHostPort(*jobopts.Endpoint)
	libtest.Check(t, err)
	fd := libtest.Must(listener(libtest.Must(strconv.Atoi(port))))
	if device, err := unix.GetsockoptString(fd, unix.SOL_SOCKET, unix.SO_BINDTODEVICE); device != "lo" || err != nil {
		t.Errorf("the runner listens on %q, %v", device, err)
	}
	libtest.Must(net.Dial("tcp", *jobopts.Endpoint)).Close()
}
