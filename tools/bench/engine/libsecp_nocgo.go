//go:build !(libsecp_cgo && cgo)

package engine

import "errors"

func openLibsecpCgo() (Engine, error) {
	return nil, errors.New("not in this build")
}

func cgoOverhead() (ns float64, ok bool) { return 0, false }
