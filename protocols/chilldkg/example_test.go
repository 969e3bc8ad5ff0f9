package chilldkg_test

import (
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/protocols/chilldkg"
)

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// Three participants make a key with which any two of them can sign.
func Example() {
	var hosts []*p256k1.PrivateKey
	var public []*p256k1.PublicKey
	for range 3 {
		host := must(p256k1.GenerateKey())
		hosts, public = append(hosts, host), append(public, host.PublicKey())
	}
	params := must(chilldkg.NewParams(2, public, nil))
	params = must(chilldkg.ParseParams(params.Bytes(), nil)) // all participants receive these, and compare params.Hash()

	var participants []*chilldkg.Participant
	var firsts []chilldkg.ParticipantMessage1
	for _, host := range hosts {
		p, message, err := chilldkg.NewParticipant(host, params)
		if err != nil {
			log.Fatal(err)
		}
		participants, firsts = append(participants, p), append(firsts, message)
	}
	coordinator, answer, err := chilldkg.NewCoordinator(params, firsts)
	if err != nil {
		log.Fatal(err)
	}
	var seconds []chilldkg.ParticipantMessage2
	for _, p := range participants {
		seconds = append(seconds, must(p.Sign(answer)))
	}
	certificate, _, err := coordinator.Finish(seconds)
	if err != nil {
		log.Fatal(err)
	}
	result := must(participants[1].Finish(certificate))
	fmt.Println(result.Group.Threshold(), result.Group.Participants(), result.Group.Has(result.Share))

	// A participant who has lost the share recovers it from the host key and the recovery data, which is not secret.
	// The other participants say with which group they sign today. After a resharing Recover refuses
	// (frost.ErrReshared), and all participants have destroyed their host keys.
	again, _, err := chilldkg.Recover(hosts[1], result.Recovery, result.Group)
	fmt.Println(again.Share.Key().Equal(result.Share.Key()), err)
	// Output:
	// 2 3 true
	// true <nil>
}
