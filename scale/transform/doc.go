// Package transform has p256k1's verification as transforms of Apache Beam, for pipelines on any runner.
//
// What a pipeline does with an element costs time, too, and signatures take a few microseconds each in batches. So
// files are read and verified in parts of many lines, and transforms of single elements collect those of a bundle.
package transform
