/* The three functions on contexts that the crate leaves out, over the
 * preallocated variants that it keeps. Contract: include/secp256k1.h. */
#include <stdlib.h>

#include "../include/secp256k1.h"
#include "../include/secp256k1_preallocated.h"

SECP256K1_API secp256k1_context *secp256k1_context_create(unsigned int flags) {
    void *prealloc = malloc(secp256k1_context_preallocated_size(flags));
    secp256k1_context *ctx;
    if (prealloc == NULL) {
        return NULL;
    }
    ctx = secp256k1_context_preallocated_create(prealloc, flags);
    if (ctx == NULL) {
        free(prealloc);
    }
    return ctx;
}

SECP256K1_API secp256k1_context *secp256k1_context_clone(const secp256k1_context *ctx) {
    size_t size = secp256k1_context_preallocated_clone_size(ctx);
    void *prealloc;
    if (size == 0) { /* the static context: already reported */
        return NULL;
    }
    prealloc = malloc(size);
    if (prealloc == NULL) {
        return NULL;
    }
    return secp256k1_context_preallocated_clone(ctx, prealloc);
}

SECP256K1_API void secp256k1_context_destroy(secp256k1_context *ctx) {
    if (ctx == NULL) {
        return;
    }
    secp256k1_context_preallocated_destroy(ctx);
    free(ctx);
}
