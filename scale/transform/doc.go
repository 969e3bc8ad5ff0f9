// Package transform implements the verification of p256k1 as Apache Beam transforms, for pipelines on any runner.
//
// A signature in a batch takes only a few microseconds, which is less than a pipeline spends on handling an element.
// So files are read and verified in parts of many lines, and transforms of single elements collect the elements of a
// bundle into batches.
package transform
