package cpu

import "golang.org/x/sys/cpu"

func additions(n int)
func mulChained(n int)
func mulFree(n int)
func pairChained(n int)
func pairFree(n int)
func shortChained(n int)
func shortFree(n int)
func carryChained(n int)
func carryFree(n int)

func instructions() []instruction {
	list := []instruction{
		{"IMUL 64 x 64, low half", mulChained, mulFree},
		{"IMUL 32 x 32, low half", shortChained, shortFree},
		{"ADC (free: after ADD)", carryChained, carryFree},
	}
	if cpu.X86.HasBMI2 {
		list = append(list, instruction{"MULX: both halves", pairChained, pairFree})
	}
	return list
}
