//go:build !(amd64 || arm64) || purego

package group

import "p256k1.mleku.dev/internal/field"

func doubleN(p, a *Jacobian, n int)                        { doubleNGeneric(p, a, n) }
func addMixed(p, a *Jacobian, x, y, h *field.Element)      { addMixedGeneric(p, a, x, y, h) }
func addDistinct(p, a, b *Jacobian, h *field.Element)      { addDistinctGeneric(p, a, b, h) }
func addMixedXYZZ(p, a *XYZZ, b *Affine, h *field.Element) { addMixedXYZZGeneric(p, a, b, h) }
func addCoZ(p, a, b *Affine, h *field.Element)             { addCoZGeneric(p, a, b, h) }
func doubleAdd(p, a *Jacobian, x, y, h *field.Element)     { doubleAddGeneric(p, a, x, y, h) }
func rescale(p, a *Affine, c *field.Element)               { rescaleGeneric(p, a, c) }
