package curve

import "p256k1.mleku.dev/v2/internal/platform"

// Backend names the code that computes on this processor, for people to read, for example in a report of a program's
// speed. The name may change with every version.
func Backend() string { return platform.Name() }
