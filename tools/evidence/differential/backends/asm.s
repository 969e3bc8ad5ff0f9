// This file makes the compiler accept functions without a body: batch and lookup.
