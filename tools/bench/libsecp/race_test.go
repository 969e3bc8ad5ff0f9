//go:build race

package libsecp

func init() { raceDetector = true }
