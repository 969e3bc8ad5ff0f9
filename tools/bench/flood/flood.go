// Package flood implements the commands "bench flood" and "bench pool", which measure batches whose items an attacker
// writes, and pools.
package flood

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// New returns the command flood.
func New() *cobra.Command {
	var worst bool
	var rounds int
	var all []*variant
	cmd := &cobra.Command{
		Use:   "flood",
		Short: "Measure what invalid items cost batches",
		Long: `flood measures, in a minute, batches of which a share is invalid.

Each figure is processor time per item, divided by the time of one by one: first
of valid items, which is what a program without an attacker pays, then of the
same items, of which one by one refuses malformed ones at nearly no cost. The
column "same" is the second divisor over the first. The batches are called so:

  fresh   for the first time
  clean   after calls with 512 valid items or more, which are not timed
  stead   again and again with the same share
  alter   with valid items and with the share in turn`,
		Example: "  go run ./tools/bench flood\n  go run ./tools/bench flood --worst --rounds 2",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return measure.InTurns(cmd, rounds, func() (turns []measure.Turn) {
				all = variants(worst)
				for _, v := range all {
					turns = append(turns, measure.Turn{Name: v.row, Run: v.measure})
				}
				return turns
			}, func(w io.Writer) { write(w, all) })
		},
	}
	cmd.Flags().BoolVar(&worst, "worst", false, "make Schnorr signatures invalid in all ways and places; the worst figure counts")
	cmd.Flags().IntVar(&rounds, "rounds", 5, "number of turns of each figure; the median counts, because chance decides what a sample finds")
	return cmd
}

// A turn measures at least so many different items, for at least so much processor time.
var leastItems, leastTime = 1024, 40 * time.Millisecond

// columns are the ways to verify: valid items one by one, the same items one by one, fresh, clean, stead and alter. The
// weights say how much of the time of a call with valid items counts, and of the call with invalid items after it. A
// call whose weight is negative is left out.
var columns = [6][2]float64{{1, -1}, {-1, 1}, {-1, 1}, {0, 1}, {-1, 1}, {.5, .5}}

// fresh is the column in which each call has a new batch. The columns before it are one by one.
const fresh = 2

// A variant is a number of items in a call, and a way to spoil a share of them.
type variant struct {
	subject
	row          string
	valid, flood [][]item // calls
	invalid      []int    // how many items of each call in flood are invalid
	verify       [len(columns)]func(call []item) int
	times        [len(columns)][]float64 // of each turn, in ns per item
}

// variants returns the variants of all rows.
func variants(worst bool) (all []*variant) {
	inputs := engine.NewInputs("flood", leastItems)
	for _, s := range subjects {
		kinds, clustered := s.kinds[:1], []bool{false}
		if worst {
			kinds, clustered = s.kinds, []bool{false, true}
		}
		for _, n := range s.sizes {
			for _, share := range s.shares {
				for _, kind := range kinds {
					for _, c := range clustered {
						all = append(all, s.variant(n, share, kind, c, inputs))
					}
				}
			}
		}
	}
	return all
}

// variant returns a variant in which one of share items is invalid, or none if share is 0.
func (s subject) variant(n, share int, kind string, clustered bool, inputs []engine.Input) *variant {
	text := cmp.Or(map[int]string{0: "0", 1: "1"}[share], fmt.Sprint("1/", share))
	v := &variant{subject: s, row: fmt.Sprintf("%-9s %4d %-6s", s.name, n, text)}
	for done := 0; done < leastItems; done += n {
		call, bad := make([]item, n), 0
		for i := range call {
			call[i] = s.sign(&inputs[(done+i)%len(inputs)])
		}
		if share > 0 {
			bad = (done+n)/share - done/share
		}
		places := rand.Perm(n)
		if clustered {
			slices.Sort(places)
			places = places[rand.IntN(n-bad+1):]
		}
		flood := slices.Clone(call)
		for _, i := range places[:bad] {
			flood[i] = call[i].spoil(kind, call[(i+1)%n])
		}
		v.valid, v.flood, v.invalid = append(v.valid, call), append(v.flood, flood), append(v.invalid, bad)
	}
	for i := range columns {
		v.verify[i] = s.batch()
		if i < fresh {
			v.verify[i] = s.oneByOne
		}
	}
	return v
}

// measure gives each column a turn.
func (v *variant) measure() {
	for column, weights := range columns {
		var sum, items float64
		for start := measure.CPUTime(); items == 0 || measure.CPUTime()-start < leastTime; {
			for c := range v.flood {
				if column == fresh {
					v.verify[column] = v.batch()
				}
				for k, call := range [][]item{v.valid[c], v.flood[c]} {
					calls := 1
					switch {
					case weights[k] < 0:
						calls = 0
					case weights[k] == 0: // enough for a batch to forget a flood
						calls = (len(call) + 511) / len(call)
					}
					for range calls {
						begin := measure.CPUTime()
						got := v.verify[column](call)
						sum += weights[k] * float64(measure.CPUTime()-begin)
						if want := k * v.invalid[c]; got != want {
							must.Fail("%s: %d of %d items are found to be invalid, and not %d", v.row, got, len(call), want)
						}
					}
				}
				items += float64(len(v.flood[c]))
			}
		}
		v.times[column] = append(v.times[column], sum/items)
	}
}

// write prints a line for each row, with the worst figures of its variants.
func write(w io.Writer, all []*variant) {
	const ways = " fresh clean stead alter"
	fmt.Fprintf(w, "%22s÷ valid, one by one     ÷ the same, one by one\n%14s invalid%s%s  same\n", "", "n", ways, ways)
	for len(all) > 0 {
		var figures [2*len(columns) - 3]float64
		row := all[0].row
		for ; len(all) > 0 && all[0].row == row; all = all[1:] {
			var t [len(columns)]float64
			for i, times := range all[0].times {
				t[i] = measure.Quantile(times, .5)
			}
			for i, weights := range columns[fresh:] {
				figures[i] = max(figures[i], t[i+fresh]/t[0])
				figures[i+4] = max(figures[i+4], t[i+fresh]/(max(weights[0], 0)*t[0]+weights[1]*t[1]))
			}
			figures[8] = max(figures[8], t[1]/t[0])
		}
		fmt.Fprintf(w, "%s %s\n", row, strings.Trim(fmt.Sprintf("%5.2f", figures), "[]"))
	}
}
