package operations

import "testing"

// TestAlone runs every operation twice on the same inputs: the results are the same, as the operation wants them, and right.
func TestAlone(t *testing.T) {
	for _, seed := range []string{"a", "b", "c"} {
		in, out := Seeded(seed), NewOut()
		for _, o := range All {
			var first string
			for range 2 {
				out.Reset()
				o.Run(in, out)
				r := out.Results()
				if wrong := r.Wrong(); wrong != "" {
					t.Errorf("%s: %s", o.Name, wrong)
				} else if o.Oracle != nil {
					if _, right := o.Oracle(in, r); !right {
						t.Errorf("%s: not what the oracle computes: %s", o.Name, r.Stable())
					}
				}
				if first == "" {
					first = r.Stable()
				} else if first != r.Stable() {
					t.Errorf("%s: %s\nthen\n%s", o.Name, first, r.Stable())
				}
			}
		}
	}
}
