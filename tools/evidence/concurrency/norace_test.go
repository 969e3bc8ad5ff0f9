//go:build !race

package concurrency

const raceDetector = "off"
