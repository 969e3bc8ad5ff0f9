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
	for _, side := range []asmtest.Where{asmtest.After, asmtest.Before} {
		x, y := asmtest.New[Element](t, side), asmtest.New[Element](t, side)
		for n := 1; n <= N; n++ {
			scalars, items, points := asmtest.Slice[laneScalar](t, n, side), asmtest.Slice[laneElement](t, n, side), asmtest.Slice[lanePoint](t, n, side)
			p := asmtest.New[Affine](t, side)
			loadScalars(x, scalars)
			loadElements(x, items)
			loadPointsVartime(p, points)
			storePoints(points, x, y)
		}

		c, k, table := asmtest.New[classes](t, side), asmtest.New[halves](t, side), asmtest.New[multiples](t, side)
		d, g, generator := asmtest.New[pointDigits](t, side), asmtest.New[generatorDigits](t, side), asmtest.New[tables.Generator](t, side)
		f, m, z := asmtest.New[isomorphism](t, side), asmtest.New[multiple](t, side), asmtest.New[Element](t, side)
		classesOnce.Do(buildClasses)
		*c, *generator = digitClasses, *tables.RegularGeneratorVartime()
		for i := range all[:min(len(all), oracle.Cases(100))] {
			*k = all[i]
			recodePointVartime(d, k, c)
			recodeGeneratorVartime(g, k, c)
			prefetchVartime(generator, g)
			for place := range recode.RegularPointDigits {
				gatherPointVartime(x, y, table, d, place)
			}
			for place := range recode.RegularGeneratorDigits {
				gatherGeneratorVartime(x, y, generator, g, place, f)
			}
			mulN(x, y, z)
			split(k, x)
		}
		completeVartime(m)
		completeRescaledVartime(m, z, x)
		// Look up the first and the last entries.
		for i := range N {
			d.x[0][i], d.y[0][i] = uint64(8*i), uint64(8*i)
			d.x[1][i] = uint64((entryRows*recode.RegularPointEntries-1)*rowBytes + 8*i)
			d.y[1][i] = d.x[1][i]
			g.offset[0][i], g.offset[1][i] = 0, 64*(recode.RegularGeneratorEntries-1)
		}
		for place := range 2 {
			gatherPointVartime(x, y, table, d, place)
			gatherGeneratorVartime(x, y, generator, g, place, f)
		}
	}
}
