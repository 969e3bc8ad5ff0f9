package main

// A count says what has been done of an operation: its first chunks.
type count struct {
	Chunks  int
	Cases   map[string]int // by backend
	Checked int            // with math/big
	Outside int            // not checked, being outside of the contract
}

func (n *count) add(m count) {
	n.Chunks += m.Chunks
	if n.Cases == nil {
		n.Cases = map[string]int{}
	}
	for name, cases := range m.Cases {
		n.Cases[name] += cases
	}
	n.Checked += m.Checked
	n.Outside += m.Outside
}

// most returns the number of cases on the backend that had most of them.
func (n *count) most() (cases int) {
	for _, c := range n.Cases {
		cases = max(cases, c)
	}
	return cases
}
