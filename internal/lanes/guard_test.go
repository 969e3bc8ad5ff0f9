//go:build linux && amd64 && !purego

package lanes

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/tables"
)

// TestGuard puts operands next to pages without access, so that a routine which reads or writes beyond the operands
// crashes. It covers the routines that load and store slices, write and look up public digits, complete table entries,
// or compute modulo n.
func TestGuard(t *testing.T) {
	asmtest.Need(t, platform.IFMA, asmtest.AVX512)
	r := oracle.New(t)
	all, _ := numbers(r)
	for _, at := range []asmtest.Where{asmtest.After, asmtest.Before} {
		x, y := asmtest.New[Element](t, at), asmtest.New[Element](t, at)
		for n := 1; n <= N; n++ {
			scalars, items, points := asmtest.Slice[laneScalar](t, n, at), asmtest.Slice[laneElement](t, n, at), asmtest.Slice[lanePoint](t, n, at)
			p := asmtest.New[Affine](t, at)
			loadScalars(x, scalars)
			loadElements(x, items)
			loadPoints(p, points)
			storePoints(points, x, y)
		}

		c, k, table := asmtest.New[classes](t, at), asmtest.New[halves](t, at), asmtest.New[multiples](t, at)
		d, g, of := asmtest.New[pointDigits](t, at), asmtest.New[generatorDigits](t, at), asmtest.New[tables.Generator](t, at)
		f, m, z := asmtest.New[isomorphism](t, at), asmtest.New[multiple](t, at), asmtest.New[Element](t, at)
		classesOnce.Do(buildClasses)
		*c, *of = digitClasses, *tables.RegularGeneratorVartime()
		for i := range all[:min(len(all), oracle.Cases(100))] {
			*k = all[i]
			recodePointVartime(d, k, c)
			recodeGeneratorVartime(g, k, c)
			prefetchVartime(of, g)
			for place := range recode.RegularPointDigits {
				gatherPointVartime(x, y, table, d, place)
			}
			for place := range recode.RegularGeneratorDigits {
				gatherGeneratorVartime(x, y, of, g, place, f)
			}
			mulN(x, y, z)
			split(k, x)
		}
		complete(m)
		completeRescaled(m, z, x)
		// Look up the first and the last entries.
		for i := range N {
			d.x[0][i], d.y[0][i] = uint64(8*i), uint64(8*i)
			d.x[1][i] = uint64((entryRows*recode.RegularPointEntries-1)*rowBytes + 8*i)
			d.y[1][i] = d.x[1][i]
			g.at[0][i], g.at[1][i] = 0, 64*(recode.RegularGeneratorEntries-1)
		}
		for place := range 2 {
			gatherPointVartime(x, y, table, d, place)
			gatherGeneratorVartime(x, y, of, g, place, f)
		}
	}
}
