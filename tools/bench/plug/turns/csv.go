package turns

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Columns are those of WriteCSV. runtime, min and max are seconds of CPU time for
// n operations: the median, least and greatest over the rounds. us_per_op is the
// median for one operation in microseconds. These four are empty, and status says
// why, if a library failed. date is year, month and day, or empty.
var Columns = []string{"version", "date", "runtime", "scenario", "n", "rounds", "min", "max", "us_per_op",
	"kind", "api", "status", "detail", "bitcoin_core", "path"}

// WriteCSV writes the rows under a line of Columns.
func WriteCSV(w io.Writer, rows []*Result) error {
	out := csv.NewWriter(w)
	if err := out.Write(Columns); err != nil {
		return err
	}
	for _, r := range rows {
		var runtime, least, greatest, each string
		if r.Status == OK && len(r.Times) > 0 {
			least, greatest = seconds(slices.Min(r.Times)), seconds(slices.Max(r.Times))
			runtime = seconds(r.Median())
			each = strconv.FormatFloat(float64(r.Median().Nanoseconds())/1e3/float64(r.N), 'f', 3, 64)
		}
		date := ""
		if !r.Library.Date.IsZero() {
			date = r.Library.Date.Format(time.DateOnly)
		}
		err := out.Write([]string{r.Library.Label, date, runtime, string(r.Scenario), strconv.Itoa(r.N),
			strconv.Itoa(len(r.Times)), least, greatest, each, r.Identity.Kind, r.Identity.API, string(r.Status),
			strings.Join(strings.Fields(r.Detail), " "), r.Library.BitcoinCore, r.Library.Path})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
