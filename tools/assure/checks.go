package main

// checks are all pieces of evidence, cheap ones first.
var checks = []check{
	{
		name:  "vartime",
		shows: "no function that takes secrets reaches one named Vartime",
		short: []step{"go test -count=1 -v ./tools/vartime"},
	},
}
