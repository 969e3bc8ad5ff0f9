package frost_test

import (
	"encoding/json"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/frost"
)

// A participant stores the group, which is public, as JSON, and its share, which is secret, separately. After a restart
// it reads both.
func ExampleGroup_MarshalText() {
	group, shares, err := frost.Deal(must(p256k1.GenerateKey()), 2, 3, nil)
	if err != nil {
		log.Fatal(err)
	}
	public := must(json.Marshal(map[string]*frost.Group{"wallet": group}))
	id, secret := shares[1].ID(), shares[1].Key().Bytes()

	var wallets map[string]*frost.Group
	if err := json.Unmarshal(public, &wallets); err != nil {
		log.Fatal(err)
	}
	share := must(frost.NewShare(id, must(p256k1.ParsePrivateKey(secret))))
	clear(secret)
	fmt.Println(wallets["wallet"].Has(share))
	_, err = json.Marshal(share)
	fmt.Println(err != nil)
	// Output:
	// true
	// true
}

// A dealer sends the group as bytes. Each participant checks the version and the lengths by parsing it, and that its
// share belongs to the group.
func ExampleParseGroup() {
	group, shares, err := frost.Deal(must(p256k1.GenerateKey()), 2, 3, nil)
	if err != nil {
		log.Fatal(err)
	}
	message := group.Bytes()

	received := must(frost.ParseGroup(message, nil))
	fmt.Println(len(message), received.Threshold(), received.Has(shares[0]))
	_, err = frost.ParseGroup(message[:len(message)-33], nil)
	fmt.Println(err)
	// Output:
	// 141 2 true
	// frost: group: wrong length: 108 bytes for 3 participants, want 141
}
