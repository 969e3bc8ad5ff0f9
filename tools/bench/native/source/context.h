/* The crate patches the functions that call malloc, and their declarations, out
 * of libsecp256k1. Every source file is compiled with this header included
 * first. It names the struct rather than including secp256k1.h, because
 * secp256k1.c insists on being first to do that. */
#ifndef P256K1_BENCH_CONTEXT_H
#define P256K1_BENCH_CONTEXT_H

/* In some crates it is patched out of headers that still use it. */
#include <stdio.h>

/* Before 2021 the build system defined it, since then secp256k1.c does. */
#ifndef SECP256K1_BUILD
#define SECP256K1_BUILD
#endif

struct secp256k1_context_struct;

struct secp256k1_context_struct *secp256k1_context_create(unsigned int flags);
struct secp256k1_context_struct *secp256k1_context_clone(const struct secp256k1_context_struct *ctx);
void secp256k1_context_destroy(struct secp256k1_context_struct *ctx);

#endif
