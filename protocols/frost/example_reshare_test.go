package frost_test

import (
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/frost"
)

// After a break-in, two participants reshare the key to four participants, any three of whom can sign.
func ExampleResharing() {
	key := must(p256k1.GenerateKey())
	group, shares, err := frost.Deal(key, 2, 3, nil)
	if err != nil {
		log.Fatal(err)
	}
	resharing := must(frost.NewResharing(must(group.Signers(0, 2)), 3, 4, nil))

	// Each old signer sends its dealing to all participants, and one sub-share to each new participant alone.
	var dealings []frost.Dealing
	sent := make([][]*p256k1.PrivateKey, 4)
	for _, share := range []*frost.Share{shares[0], shares[2]} {
		dealing, subs, err := resharing.Deal(share)
		if err != nil {
			log.Fatal(err)
		}
		dealings = append(dealings, dealing)
		for i, sub := range subs {
			sent[i] = append(sent[i], sub)
		}
	}

	// New participant 3 checks and adds up the sub-shares that it received.
	share := must(resharing.Share(3, dealings, sent[3]))
	next := must(resharing.Group(dealings))
	fmt.Println(next.Threshold(), next.Participants(), next.Has(share), next.PublicKey().Equal(key.PublicKey()))

	// The backup of the new share is its ID, the secret bytes of its key and the public group. When all participants
	// have a backup, they destroy the old shares and their backups, and the host keys if the key is from
	// protocols/chilldkg.
	backup := share.Key().Bytes()
	restored := must(next.Share(share.ID(), must(p256k1.ParsePrivateKey(backup))))
	fmt.Println(restored.Key().Equal(share.Key()))
	for _, old := range shares {
		old.Zero()
	}
	// Output:
	// 3 4 true true
	// true
}

// Participants 1 and 2 restore the share that participant 0 has lost.
func ExampleRepair() {
	key := must(p256k1.GenerateKey())
	group, shares, err := frost.Deal(key, 2, 3, nil)
	if err != nil {
		log.Fatal(err)
	}
	repair := must(frost.NewRepair(group, []uint32{1, 2}, 0))
	of1, of2 := must(repair.Split(shares[1])), must(repair.Split(shares[2]))
	sum1 := must(repair.Add([]*p256k1.PrivateKey{of1[0], of2[0]})) // computed by participant 1
	sum2 := must(repair.Add([]*p256k1.PrivateKey{of1[1], of2[1]})) // computed by participant 2
	share := must(repair.Share([]*p256k1.PrivateKey{sum1, sum2}))
	fmt.Println(share.ID(), share.Key().Equal(shares[0].Key()))
	// Output: 0 true
}
