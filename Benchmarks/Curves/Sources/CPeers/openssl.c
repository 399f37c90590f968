// Its version 3 calls these old, and keeps them: the new ones do the same through more layers.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/ec.h>
#include <openssl/ecdh.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>

#define PEER_HAS_OLD_CURVES 1
#include "calls.h"

const struct peer_library peer_openssl = PEER_CALLS;
