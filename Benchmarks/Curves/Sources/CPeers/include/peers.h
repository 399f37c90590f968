#ifndef COUNTERSIGN_PEERS_H
#define COUNTERSIGN_PEERS_H

#include <stddef.h>
#include <stdint.h>

// OpenSSL and BoringSSL through the same calls. They stay C: their structures never come to Swift.

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// A private key, and the point of another key.
struct peer_key;

// The calls of one library. Each returns 1, or 0 if the library refused.
struct peer_library {
    // The private key is a big-endian number, the point is uncompressed. NULL if the library has no such curve.
    struct peer_key *_Nullable (*_Nonnull make)(const char *curve, const uint8_t *scalar, size_t length,
                                                const uint8_t *point, size_t point_length);
    // The x coordinate of the product of the private key and the point.
    int (*agree)(const struct peer_key *key, uint8_t *secret, size_t length);
    // Hashes the message with SHA-256, SHA-384 or SHA-512, and signs: r and s, each of `length` bytes.
    int (*sign)(const struct peer_key *key, const uint8_t *message, size_t message_length, uint8_t *signature,
                size_t length);
    // Hashes the message and checks a signature by this key.
    int (*verify)(const struct peer_key *key, const uint8_t *message, size_t message_length, const uint8_t *signature,
                  size_t length);
    void (*release)(struct peer_key *key);
};

extern const struct peer_library peer_openssl;
extern const struct peer_library peer_boringssl;

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
