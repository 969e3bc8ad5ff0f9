//go:build !exhaustive

package exhaustive

import (
	"fmt"
	"os"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/evidence/internal/small"

	// These imports run this test again after a change in the library: the test cache does not see what the go commands
	// below read.
	_ "p256k1.mleku.dev/v2/ecdh"
	_ "p256k1.mleku.dev/v2/ecdsa"
	_ "p256k1.mleku.dev/v2/protocols/adaptor"
	_ "p256k1.mleku.dev/v2/protocols/cashu"
	_ "p256k1.mleku.dev/v2/protocols/dleq"
	_ "p256k1.mleku.dev/v2/protocols/halfagg"
	_ "p256k1.mleku.dev/v2/protocols/silentpayments"
	_ "p256k1.mleku.dev/v2/schnorr"
)

// Every run tests the list orders; a run with -short tests only the first two. P256K1_LONG=1 adds longOrders.
var (
	orders     = []int{7, 13, 199}
	longOrders = []int{3319, 10903}
)

// root is the folder of the library.
const root = "../../.."

// TestOrders runs the tests of all orders.
func TestOrders(t *testing.T) {
	all := orders
	switch {
	case os.Getenv("P256K1_LONG") == "1":
		all = append(all, longOrders...)
	case testing.Short():
		all = all[:2]
	}
	for _, order := range all {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			t.Parallel()
			library := libtest.Must(small.Patch(root))
			output, err := library.Go(t, fmt.Sprintf("exhaustive,order%d", order), "-v", "-count=1", "-timeout=4h")
			patch.Results(t, output, err, 29)
		})
	}
}
