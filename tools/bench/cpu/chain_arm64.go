package cpu

func additions(n int)
func mulChained(n int)
func mulFree(n int)
func highChained(n int)
func highFree(n int)
func shortChained(n int)
func shortFree(n int)
func pairChained(n int)
func pairFree(n int)
func carryChained(n int)
func carryFree(n int)

func instructions() []instruction {
	return []instruction{
		{"MUL: low half", mulChained, mulFree},
		{"UMULH: high half", highChained, highFree},
		{"UMULL: 32 x 32", shortChained, shortFree},
		{"MUL and UMULH (chained: + ADD)", pairChained, pairFree},
		{"ADCS (free: after ADDS)", carryChained, carryFree},
	}
}
