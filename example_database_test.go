package p256k1_test

import (
	"database/sql/driver"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
)

// keyColumn is a public key in a column of bytes. A key that is nil or was never set is NULL.
type keyColumn struct{ *p256k1.PublicKey }

// Value implements driver.Valuer.
func (c keyColumn) Value() (driver.Value, error) {
	if b := c.Bytes(); b != nil {
		return b, nil
	}
	return nil, nil
}

// Scan implements sql.Scanner.
func (c *keyColumn) Scan(column any) (err error) {
	b, ok := column.([]byte)
	switch {
	case column == nil:
		c.PublicKey = nil
	case !ok:
		return fmt.Errorf("a public key from %T", column)
	default:
		c.PublicKey, err = p256k1.ParsePublicKey(b)
	}
	return err
}

// Package database/sql refuses the types of this module, which does not import it. A program stores the Bytes of a key,
// or wraps the key in a type such as keyColumn.
func Example_database() {
	key, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	defer key.Zero()
	var stored driver.Valuer = keyColumn{key.PublicKey()}
	column, err := stored.Value()
	if err != nil {
		log.Fatal(err)
	}
	var read keyColumn
	fmt.Println(read.Scan(column), read.Equal(key.PublicKey()))
	fmt.Println(read.Scan(nil), read.PublicKey == nil)
	fmt.Println(read.Scan([]byte{4}))
	// Output:
	// <nil> true
	// <nil> true
	// p256k1: public key: wrong length: 1 bytes, want 33 or 65
}
