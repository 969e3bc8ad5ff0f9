// Package secrets says which functions handle secrets, for tools that must run all of them.
package secrets

import (
	"go/types"
	"regexp"
	"slices"
)

// named matches the names that results have if they are secret bytes. public matches the names of parameters that are
// public bytes; bytes with another name count as a secret.
var (
	named  = regexp.MustCompile(`^(priv|privateKey|privKey|privKeyBytes|privkey|sec|seckey|secret|key|scalar|tweak|ikm)(32)?$`)
	public = regexp.MustCompile(`^(aggregate|aux|auxData|b|compact|contents|data|der|digests?|domainSeparator|dst|encoding|id|` +
		`input|line|(key|struct)?[hH]ash(es)?|message(Hash)?|msg|msghash|out|output|payload|pkbuf|point|proof|pub|pub[kK]ey(Str)?|` +
		`(combined|pub)Nonces?|random|recovery|scriptRoot|serialized|sig|sigs|sigDER|sigStr|signature|t|tags?|text|tweaks|` +
		`values?|version|want)?(32|64)?$`)
)

// wiped lists the methods that types of secrets have: they can be wiped, or hide their values in logs.
var wiped = []string{"Zero", "Clear", "LogValue"}

// Handles reports whether the receiver, a parameter or a result of f is a secret, by its type, or, if it is bytes, by
// its name.
func Handles(f *types.Func) bool {
	parameters := slices.Collect(f.Signature().Params().Variables())
	all := slices.AppendSeq(slices.Clone(parameters), f.Signature().Results().Variables())
	if receiver := f.Signature().Recv(); receiver != nil {
		all = append(all, receiver)
	}
	return slices.ContainsFunc(all, Holds) || slices.ContainsFunc(parameters, func(v *types.Var) bool {
		return types.Identical(element(v), types.Typ[types.Byte]) && !public.MatchString(v.Name())
	})
}

// Holds reports whether a variable has the type of a secret, or holds bytes and is named after a secret.
func Holds(v *types.Var) bool {
	methods := types.NewMethodSet(types.NewPointer(element(v)))
	return slices.ContainsFunc(wiped, func(name string) bool { return methods.Lookup(nil, name) != nil }) ||
		(types.Identical(element(v), types.Typ[types.Byte]) && named.MatchString(v.Name()))
}

// element returns the type of v without its pointers, arrays, slices and maps.
func element(v *types.Var) types.Type {
	element := v.Type()
	for e, ok := element.(interface{ Elem() types.Type }); ok; e, ok = element.(interface{ Elem() types.Type }) {
		element = e.Elem()
	}
	return element
}
