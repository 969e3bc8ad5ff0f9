// Package must ends a command, or a part of it, at the first error. A function that calls Do or Get need not return
// errors. Its caller, or a caller of its caller, defers Return:
//
//	func run(name string) (err error) {
//		defer must.Return(&err)
//		text := must.Get(os.ReadFile(name))
//		…
//	}
package must

type failure struct{ error }

// Do panics if err is not nil.
func Do(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Get returns v. It panics if err is not nil.
func Get[T any](v T, err error) T {
	Do(err)
	return v
}

// Return, which is deferred, ends a panic of Do or Get and sets *err to the error. Other panics continue.
func Return(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.error
	default:
		panic(r)
	}
}
