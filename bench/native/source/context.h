/* The crate patches the functions that call malloc, and most of their
 * declarations, out of libsecp256k1. Every source file is compiled with this
 * header included first. It names the struct rather than including
 * secp256k1.h, because secp256k1.c insists on being first to do that. */
#ifndef P256K1_BENCH_CONTEXT_H
#define P256K1_BENCH_CONTEXT_H

struct secp256k1_context_struct;

struct secp256k1_context_struct *secp256k1_context_clone(const struct secp256k1_context_struct *ctx);
void secp256k1_context_destroy(struct secp256k1_context_struct *ctx);

#endif
