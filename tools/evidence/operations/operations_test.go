package operations

import "testing"

// TestEveryOperation runs every operation twice on the same inputs. Both runs give the same results, which meet the
// conditions of the operation and agree with its oracle.
func TestEveryOperation(t *testing.T) {
	for _, seed := range []string{"a", "b", "c"} {
		in, out := Seeded(seed), NewOut()
		for _, o := range All {
			var results [2]string
			for i := range results {
				if err := o.Check(in, out, true); err != nil {
					t.Error(err)
				}
				results[i] = out.Results().Stable()
			}
			if results[0] != results[1] {
				t.Errorf("%s: %s\nthen\n%s", o.Name, results[0], results[1])
			}
		}
	}
}
