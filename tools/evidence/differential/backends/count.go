package main

// A count says what has been done of an operation.
type count struct {
	chunks  int
	cases   map[string]int // by backend
	checked int            // with math/big
	outside int            // not checked, being outside of the contract
}

func newCount() *count { return &count{cases: map[string]int{}} }

func (n *count) add(m *count) {
	n.chunks += m.chunks
	for name, cases := range m.cases {
		n.cases[name] += cases
	}
	n.checked += m.checked
	n.outside += m.outside
}

// most returns the number of cases on the backend that had most of them.
func (n *count) most() (cases int) {
	for _, c := range n.cases {
		cases = max(cases, c)
	}
	return cases
}
