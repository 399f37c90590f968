// What Embedded Swift expects around it, for a module that imports nothing: memory, and arithmetic that WebAssembly has
// no instruction for. There is one thread. Whoever asks for more memory than there is gets a trap, and the page throws
// the instance away.

typedef __SIZE_TYPE__ size_t;
typedef unsigned int u32;
typedef unsigned long long u64;

// --- Bytes -----------------------------------------------------------------------------------------------------------

// Compiled with bulk memory and -fno-builtin: the builtins become instructions and not calls of themselves.
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int value, size_t count) { return __builtin_memset(to, value, count); }

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left, *b = right;
    while (count && *a == *b) a++, b++, count--;
    return count ? *a - *b : 0;
}

// --- Allocator -------------------------------------------------------------------------------------------------------

// Before every block stands its size, header included, and whether it is in use. Small blocks are kept by size when they
// are free. Large ones are kept in the order of their addresses, so that neighbours grow together again: a document of
// megabytes goes through a dozen arrays, one after the other.

enum { grain = 16, small_limit = 1024, page = 65536, least_growth = 16 };
enum { in_use = 0x1B10C4ED, is_free = 0x0F4EEB10 };

typedef struct block {
    size_t size;
    u32 state;
    struct block *next;  // while it is free
    u32 unused;
} block;

extern unsigned char __heap_base;
static block *small[small_limit / grain + 1];
static block *large;
static size_t top, end;  // between them lies memory that was never used

static block *fresh(size_t size) {
    if (!top) {
        top = ((size_t)&__heap_base + grain - 1) & ~(size_t)(grain - 1);
        end = __builtin_wasm_memory_size(0) * page;
    }
    if (size > end - top) {
        size_t pages = (size - (end - top) + page - 1) / page;
        if (pages < least_growth) pages = least_growth;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) __builtin_trap();
        end += pages * page;
    }
    block *made = (block *)top;
    top += size;
    return made;
}

// The first free block that is large enough; what it has too much stays free.
static block *reused(size_t size) {
    for (block **link = &large; *link; link = &(*link)->next) {
        block *found = *link;
        if (found->size < size) continue;
        if (found->size - size > small_limit) {
            block *rest = (block *)((char *)found + size);
            *rest = (block){found->size - size, is_free, found->next, 0};
            *link = rest;
            found->size = size;
        } else {
            *link = found->next;
        }
        return found;
    }
    return 0;
}

void *malloc(size_t count) {
    if (count > 0x7FFFFFFF) __builtin_trap();
    size_t size = (count + sizeof(block) + grain - 1) & ~(size_t)(grain - 1);
    block *made;
    if (size <= small_limit && (made = small[size / grain])) {
        small[size / grain] = made->next;
    } else {
        made = size > small_limit ? reused(size) : 0;
        if (!made) {
            made = fresh(size);
            made->size = size;
        }
    }
    made->state = in_use;
    return made + 1;
}

static void keep(block *freed) {
    block *before = 0, *after = large;
    while (after && after < freed) before = after, after = after->next;
    freed->next = after;
    if (after && (char *)freed + freed->size == (char *)after) {
        freed->size += after->size;
        freed->next = after->next;
    }
    if (!before) {
        large = freed;
    } else if ((char *)before + before->size == (char *)freed) {
        before->size += freed->size;
        before->next = freed->next;
        freed = before;
    } else {
        before->next = freed;
    }
}

void free(void *pointer) {
    if (!pointer) return;
    block *freed = (block *)pointer - 1;
    if (freed->state != in_use) __builtin_trap();  // given back twice, or written over
    freed->state = is_free;
    if (freed->size > small_limit) {
        keep(freed);
    } else {
        freed->next = small[freed->size / grain];
        small[freed->size / grain] = freed;
    }
}

// Nothing of ours needs more than `malloc` gives.
int posix_memalign(void **pointer, size_t alignment, size_t count) {
    if (alignment > grain) __builtin_trap();
    *pointer = malloc(count);
    return 0;
}

// --- Stack protection ------------------------------------------------------------------------------------------------

// The stack lies below everything else (--stack-first), so that running out of it traps. This catches what writes past
// an array on it.
size_t __stack_chk_guard = 0x5EAF00D5;
void __stack_chk_fail(void) { __builtin_trap(); }

// --- Arithmetic ------------------------------------------------------------------------------------------------------

// The lower 128 bits of a product of 128-bit numbers, by halves of 32 bits.
void __multi3(u64 product[2], u64 a_low, u64 a_high, u64 b_low, u64 b_high) {
    u64 a0 = (u32)a_low, a1 = a_low >> 32, b0 = (u32)b_low, b1 = b_low >> 32;
    u64 low = a0 * b0;
    u64 middle = a1 * b0 + (low >> 32);
    u64 cross = a0 * b1 + (u32)middle;
    product[0] = cross << 32 | (u32)low;
    product[1] = a1 * b1 + (middle >> 32) + (cross >> 32) + a_low * b_high + a_high * b_low;
}
