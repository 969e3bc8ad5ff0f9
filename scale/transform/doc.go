// Package transform implements p256k1's verification as transforms of Apache Beam, for pipelines on any runner.
//
// A pipeline spends time on each element, and in a batch a signature takes only a few microseconds. So files are read
// and verified in parts of many lines, and transforms of single elements collect the elements of a bundle.
package transform
