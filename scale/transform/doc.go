// Package transform has p256k1's verification as transforms of Apache Beam, for pipelines on any runner.
//
// A pipeline's own work for an element also takes time, and in batches a signature takes only a few microseconds.
// So files are read and verified in parts of many lines, and transforms of single elements collect those of a
// bundle.
package transform
