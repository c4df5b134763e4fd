// What a processor of the kind x86-64 says of itself. It is asked directly, because the functions that compilers have for it
// need a library that not all of them bring.
#pragma once

#include <cpuid.h>

namespace petree::processor {

// A page of its description, in four registers; zeros where it has no such page.
struct Page {
    unsigned a = 0, b = 0, c = 0, d = 0;

    explicit Page(unsigned number) {
        if (__get_cpuid_max(0, nullptr) >= number) __cpuid_count(number, 0, a, b, c, d);
    }
};

inline bool has(unsigned flags, int bit) { return (flags >> bit & 1u) != 0; }

inline bool has_popcnt() { return has(Page(1).c, 23); }

// Whether the operating system keeps the wide registers of the threads apart.
inline bool are_wide_registers_saved() {
    constexpr unsigned wanted = 0xE6;
    if (!has(Page(1).c, 27)) return false;
    unsigned saved, rest;
    __asm__("xgetbv" : "=a"(saved), "=d"(rest) : "c"(0));
    return (saved & wanted) == wanted;
}

// The foundation, and the instructions on bytes, on double words, on shorter registers, and for counting bits.
inline bool has_avx512() {
    const Page page(7);
    const bool has_all = has(page.b, 16) && has(page.b, 30) && has(page.b, 17) && has(page.b, 31) && has(page.c, 14);
    return has_all && are_wide_registers_saved();
}

}  // namespace petree::processor
