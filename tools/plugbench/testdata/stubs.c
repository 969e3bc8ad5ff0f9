// Functions of libsecp256k1 that every version has. They succeed without doing anything.
static int o;
void *secp256k1_context_create(unsigned f) { return &o; }
void secp256k1_context_destroy() {}
int secp256k1_context_randomize() { return 1; }
int secp256k1_ec_pubkey_parse() { return 1; }
int secp256k1_ec_pubkey_serialize() { return 1; }
int secp256k1_ecdsa_sign() { return 1; }
int secp256k1_ecdsa_signature_serialize_der() { return 1; }
int secp256k1_ecdsa_signature_parse_der() { return 1; }
