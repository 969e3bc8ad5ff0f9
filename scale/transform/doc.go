// Package transform implements the verification of "p256k1 verify" as Apache Beam transforms, for pipelines on any
// runner.
//
// Verifying a signature in a batch takes only a few microseconds, which is less than a pipeline spends on handling an
// element. Therefore, files are read and verified in parts of many lines, and transforms of single elements collect the
// elements of a bundle into batches. The examples are in example_test.go.
package transform
