// What the program asks of Valgrind's memcheck. Without Valgrind a request does nothing and costs a few instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Whether the program runs under Valgrind.
int memcheck_is_running(void);

/// From now on memcheck takes these bytes for undefined, and everything that is computed from them.
void memcheck_make_undefined(const void *bytes, size_t count);

/// From now on memcheck takes these bytes for defined.
void memcheck_make_defined(const void *bytes, size_t count);

/// How many of these bytes have at least one undefined bit.
size_t memcheck_count_undefined(const void *bytes, size_t count);
