#include <CCryptoBoringSSL.h>

#define PEER_HAS_OLD_CURVES 0
#include "calls.h"

const struct peer_library peer_boringssl = PEER_CALLS;
