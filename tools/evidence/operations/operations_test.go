package operations

import "testing"

// TestEveryOperation runs every operation twice on the same inputs. Both runs give the same results, which meet the
// conditions of the operation and agree with its oracle.
func TestEveryOperation(t *testing.T) {
	for _, seed := range []string{"a", "b", "c"} {
		in, out := Seeded(seed), NewOut()
		for _, o := range All {
			var first string
			for range 2 {
				if err := o.Check(in, out, true); err != nil {
					t.Error(err)
				}
				again := out.Results().Stable()
				if first == "" {
					first = again
				} else if first != again {
					t.Errorf("%s: %s\nthen\n%s", o.Name, first, again)
				}
			}
		}
	}
}
