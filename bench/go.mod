module p256k1.mleku.dev/bench

go 1.26

replace p256k1.mleku.dev => ../

require (
	github.com/ebitengine/purego v0.11.3
	p256k1.mleku.dev v0.0.0
)
