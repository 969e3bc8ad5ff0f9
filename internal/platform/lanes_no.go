//go:build !(purego && lanes)

package platform

const lanesInGo = false
