#include <openssl/ec.h>
