// Package flood implements the command "bench flood", which measures batches whose items an attacker writes.
package flood

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// options are the flags.
type options struct {
	sizes         []int
	kinds, places []string
	items, rounds int
	turn          time.Duration
	others        bool
}

// New returns the command flood.
func New() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "flood",
		Short: "Measure what invalid items cost batches",
		Long: `flood measures, in a minute, batches of which a share is invalid.

Each figure is processor time per item, divided by the time of one by one: first
of valid items, which is what a program without an attacker pays, then of the
same items, of which one by one refuses malformed ones at nearly no cost. The
column "same" is the second divisor over the first. The batches are called so:

  fresh   for the first time
  clean   after a call with valid items, which is not timed
  stead   again and again with the same share
  alter   with valid items and with the share in turn

With several kinds or places, each figure is the worst of them.`,
		Example: "  go run ./tools/bench flood\n  go run ./tools/bench flood --kind all --place all --rounds 2",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return run(cmd, o) },
	}
	f := cmd.Flags()
	f.IntSliceVar(&o.sizes, "n", subjects[0].sizes, "numbers of Schnorr signatures in a call")
	f.StringSliceVar(&o.kinds, "kind", kinds[:1], "how Schnorr signatures are invalid: all, or "+strings.Join(kinds, ", "))
	f.StringSliceVar(&o.places, "place", places[:1], "where the invalid ones are: all, or "+strings.Join(places, ", "))
	f.IntVar(&o.items, "items", 1024, "least number of different items in a turn")
	f.IntVar(&o.rounds, "rounds", 5, "number of turns of each figure; the quickest tenth counts")
	f.DurationVar(&o.turn, "turn", 40*time.Millisecond, "least duration of a turn")
	f.BoolVar(&o.others, "others", true, "also measure ECDSA and Nostr")
	return cmd
}

// choose returns the names that a flag selects among all.
func choose(flag string, chosen, all []string) []string {
	for _, name := range chosen {
		if name == "all" {
			return all
		} else if !slices.Contains(all, name) {
			must.Fail("--%s: %q is not among all, %s", flag, name, strings.Join(all, ", "))
		}
	}
	return chosen
}

// columns are the ways to verify: valid items one by one, the same items one by one, fresh, clean, stead and alter. The
// weights say how much of the time of a call with valid items counts, and of the call with invalid items after it. A
// call whose weight is negative is left out.
var columns = [6]struct{ valid, flood float64 }{{1, -1}, {-1, 1}, {-1, 1}, {0, 1}, {-1, 1}, {.5, .5}}

// fresh is the column in which each call has a new batch. The columns before it are one by one.
const fresh = 2

// A variant is a number of items in a call, and a way to spoil a share of them.
type variant struct {
	*subject
	row          string
	valid, flood [][]item // calls
	invalid      []int    // how many items of each call in flood are invalid
	verify       [len(columns)]func(call []item) int
	times        [len(columns)][]float64 // of each turn, in ns per item
}

// variant returns a variant in which one of share items is invalid, or none if share is 0.
func (s *subject) variant(n, share, items int, kind, place string, inputs []engine.Input) *variant {
	v := &variant{subject: s, row: fmt.Sprintf("%-9s %4d %-6s", s.name, n, cmp.Or(map[int]string{0: "0", 1: "1"}[share], fmt.Sprintf("1/%d", share)))}
	for done := 0; done == 0 || done < items; done += n {
		call, bad := make([]item, n), 0
		for i := range call {
			call[i] = s.sign(&inputs[(done+i)%len(inputs)])
		}
		flood := slices.Clone(call)
		if share > 0 {
			bad = (done+n)/share - done/share
		}
		for _, i := range indexes(place, bad, n) {
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

// turn measures a column, at least for the given time.
func (v *variant) turn(column int, least time.Duration) {
	var sum, items float64
	for start := measure.CPUTime(); items == 0 || measure.CPUTime()-start < least; {
		for c := range v.flood {
			if column == fresh {
				v.verify[column] = v.batch()
			}
			count := func(weight float64, call []item, want int) {
				begin := measure.CPUTime()
				got := v.verify[column](call)
				sum += weight * float64(measure.CPUTime()-begin)
				if got != want {
					must.Fail("%s: %d of %d items are found to be invalid, and not %d", v.row, got, len(call), want)
				}
			}
			weights := columns[column]
			if weights.valid >= 0 {
				count(weights.valid, v.valid[c], 0)
			}
			if weights.flood >= 0 {
				count(weights.flood, v.flood[c], v.invalid[c])
			}
			items += float64(len(v.flood[c]))
		}
	}
	v.times[column] = append(v.times[column], sum/items)
}

// quickest returns the time that the quickest tenth of the turns do not exceed, or NaN if there were no turns.
func (v *variant) quickest(column int) float64 {
	times := slices.Sorted(slices.Values(v.times[column]))
	return append(times, math.NaN())[len(times)/10]
}

func run(cmd *cobra.Command, o options) (err error) {
	defer must.Recover(&err)
	if len(o.sizes) == 0 || min(slices.Min(o.sizes), o.items, o.rounds, int(o.turn)) < 1 {
		return errors.New("--n, --items, --rounds and --turn must be positive")
	}
	o.kinds, o.places = choose("kind", o.kinds, kinds), choose("place", o.places, places)
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	defer context.AfterFunc(ctx, stop)() // a second Ctrl-C ends the program as usual
	bar := progress.Start(cmd.ErrOrStderr(), "making signatures")
	defer bar.Stop()
	all := o.variants()
	for step := range o.rounds * len(all) {
		v := all[step%len(all)]
		bar.Set(step, o.rounds*len(all), v.row)
		for column := 0; column < len(columns) && ctx.Err() == nil; column++ {
			v.turn(column, o.turn)
		}
	}
	bar.Stop()
	write(cmd.OutOrStdout(), all, "Schnorr: "+strings.Join(o.kinds, ", ")+"; "+strings.Join(o.places, ", "))
	if ctx.Err() != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "interrupted: the figures are of fewer turns")
	}
	return ctx.Err()
}

// variants returns the variants of all rows, without figures.
func (o *options) variants() (all []*variant) {
	inputs := engine.NewInputs("flood", max(o.items, slices.Max(o.sizes)))
	list := slices.Clone(subjects)
	list[0].sizes, list[0].kinds, list[0].places = o.sizes, o.kinds, o.places
	if !o.others {
		list = list[:1]
	}
	for _, s := range list {
		for _, n := range s.sizes {
			for _, share := range s.shares {
				for _, kind := range s.kinds {
					for _, place := range s.places {
						all = append(all, s.variant(n, share, o.items, kind, place, inputs))
					}
				}
			}
		}
	}
	return all
}

// write prints a line for each row, with the worst figures of its variants.
func write(w io.Writer, all []*variant, spoiled string) {
	m := measure.DescribeMachine()
	fmt.Fprintf(w, "%s, %s, %s\n%s\n%s\n\n", m.Processor, m.Go, m.Commit, platform.Name(), spoiled)
	const ways = " fresh clean stead alter"
	fmt.Fprintf(w, "%22s÷ valid, one by one     ÷ the same, one by one\n%14s invalid%s%s  same\n", "", "n", ways, ways)
	for len(all) > 0 {
		var figures [2*len(columns) - 3]float64
		row := all[0].row
		for ; len(all) > 0 && all[0].row == row; all = all[1:] {
			v := all[0]
			valid, same := v.quickest(0), v.quickest(1)
			for i := fresh; i < len(columns); i++ {
				t, w := v.quickest(i), columns[i]
				figures[i-fresh] = max(figures[i-fresh], t/valid)
				figures[i+2] = max(figures[i+2], t/(max(w.valid, 0)*valid+w.flood*same))
			}
			figures[8] = max(figures[8], same/valid)
		}
		fmt.Fprintf(w, "%s %s\n", row, strings.ReplaceAll(strings.Trim(fmt.Sprintf("%5.2f", figures), "[]"), "NaN", "  -"))
	}
}
