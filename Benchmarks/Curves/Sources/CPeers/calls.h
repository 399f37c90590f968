// The calls of a library, for whichever library's headers were included before: both keep the names of old OpenSSL.
//
// These are the lowest calls that a program is offered, without the layers above that cost time too.

#include "peers.h"
#include <stdlib.h>
#include <string.h>

struct peer_key {
    EC_KEY *key;
    EC_POINT *point;
};

static int curve_number(const char *curve) {
    if (!strcmp(curve, "secp256r1")) return NID_X9_62_prime256v1;
    if (!strcmp(curve, "secp384r1")) return NID_secp384r1;
    if (!strcmp(curve, "secp521r1")) return NID_secp521r1;
#if PEER_HAS_OLD_CURVES
    if (!strcmp(curve, "secp192r1")) return NID_X9_62_prime192v1;
    if (!strcmp(curve, "secp192k1")) return NID_secp192k1;
#endif
    return NID_undef;
}

static void peer_release(struct peer_key *key) {
    EC_POINT_free(key->point);
    EC_KEY_free(key->key);
    free(key);
}

static struct peer_key *peer_make(const char *curve, const uint8_t *scalar, size_t length, const uint8_t *point,
                                  size_t point_length) {
    int number = curve_number(curve);
    if (number == NID_undef) return NULL;
    struct peer_key *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    BIGNUM *secret = BN_bin2bn(scalar, length, NULL);
    made->key = EC_KEY_new_by_curve_name(number);
    const EC_GROUP *group = made->key ? EC_KEY_get0_group(made->key) : NULL;
    EC_POINT *own = group ? EC_POINT_new(group) : NULL;
    made->point = group ? EC_POINT_new(group) : NULL;
    int done = secret && own && made->point && EC_KEY_set_private_key(made->key, secret)
        && EC_POINT_mul(group, own, secret, NULL, NULL, NULL) && EC_KEY_set_public_key(made->key, own)
        && EC_POINT_oct2point(group, made->point, point, point_length, NULL);
    BN_clear_free(secret);
    EC_POINT_free(own);
    if (done) return made;
    peer_release(made);
    return NULL;
}

static int peer_agree(const struct peer_key *key, uint8_t *secret, size_t length) {
    return ECDH_compute_key(secret, length, key->point, key->key, NULL) == (int)length;
}

// How long the digest is: as strong as the order, of which r and s have the length.
static size_t digest_of(const uint8_t *message, size_t message_length, size_t length, uint8_t *digest) {
    if (length <= 32) return SHA256(message, message_length, digest) ? 32 : 0;
    if (length <= 48) return SHA384(message, message_length, digest) ? 48 : 0;
    return SHA512(message, message_length, digest) ? 64 : 0;
}

static int peer_sign(const struct peer_key *key, const uint8_t *message, size_t message_length, uint8_t *signature,
                     size_t length) {
    uint8_t digest[64];
    size_t digest_length = digest_of(message, message_length, length, digest);
    ECDSA_SIG *made = ECDSA_do_sign(digest, digest_length, key->key);
    if (!made) return 0;
    const BIGNUM *r, *s;
    ECDSA_SIG_get0(made, &r, &s);
    int done = BN_bn2binpad(r, signature, length) == (int)length
        && BN_bn2binpad(s, signature + length, length) == (int)length;
    ECDSA_SIG_free(made);
    return done;
}

static int peer_verify(const struct peer_key *key, const uint8_t *message, size_t message_length,
                       const uint8_t *signature, size_t length) {
    uint8_t digest[64];
    size_t digest_length = digest_of(message, message_length, length, digest);
    ECDSA_SIG *parts = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, length, NULL), *s = BN_bin2bn(signature + length, length, NULL);
    if (!parts || !r || !s || !ECDSA_SIG_set0(parts, r, s)) {
        BN_free(r);
        BN_free(s);
        ECDSA_SIG_free(parts);
        return 0;
    }
    int valid = ECDSA_do_verify(digest, digest_length, parts, key->key) == 1;
    ECDSA_SIG_free(parts);
    return valid;
}

#define PEER_CALLS {peer_make, peer_agree, peer_sign, peer_verify, peer_release}
