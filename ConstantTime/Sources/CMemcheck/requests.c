#include "memcheck_requests.h"

#include <valgrind/memcheck.h>

int memcheck_is_running(void) { return RUNNING_ON_VALGRIND != 0; }

void memcheck_make_undefined(const void *bytes, size_t count) { (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, count); }

void memcheck_make_defined(const void *bytes, size_t count) { (void)VALGRIND_MAKE_MEM_DEFINED(bytes, count); }

size_t memcheck_count_undefined(const void *bytes, size_t count) {
    size_t undefined = 0;
    for (size_t index = 0; index < count; index++) {
        uint8_t bits = 0;
        // Another answer than 1 means that memcheck could not tell: the byte does not count.
        if (VALGRIND_GET_VBITS((const uint8_t *)bytes + index, &bits, 1) == 1 && bits != 0) undefined++;
    }
    return undefined;
}
