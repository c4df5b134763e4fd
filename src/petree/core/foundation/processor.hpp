// What the processor offers, asked of it directly: not every compiler brings the library that would answer.
#pragma once

#include <array>
#include <initializer_list>

#if defined(_M_X64) && !defined(__clang__)
#include <intrin.h>
#elif defined(__x86_64__) || defined(_M_X64)
#include <cpuid.h>
#endif

namespace petree::processor {

#if defined(__x86_64__) || (defined(_M_X64) && !defined(_M_ARM64EC))

struct Registers {
    unsigned a, b, c, d;
};

// A page of what the processor says of itself; zeros where it has no such page.
inline Registers describe(unsigned page) {
#if defined(_M_X64) && !defined(__clang__)
    std::array<int, 4> answer{};
    __cpuid(answer.data(), static_cast<int>(page & 0x80000000u));
    if (static_cast<unsigned>(answer[0]) < page) return {};
    __cpuidex(answer.data(), static_cast<int>(page), 0);
    return {static_cast<unsigned>(answer[0]), static_cast<unsigned>(answer[1]), static_cast<unsigned>(answer[2]),
            static_cast<unsigned>(answer[3])};
#else
    Registers answer{};
    return __get_cpuid_count(page, 0, &answer.a, &answer.b, &answer.c, &answer.d) ? answer : Registers{};
#endif
}

// Which registers the operating system saves when it switches threads.
inline unsigned saved_registers() {
#if defined(_M_X64) && !defined(__clang__)
    return static_cast<unsigned>(_xgetbv(0));
#else
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
#endif
}

inline bool has(unsigned description, std::initializer_list<int> bits) {
    for (int bit : bits) {
        if ((description >> bit & 1) == 0) return false;
    }
    return true;
}

inline bool has_avx2() {
    constexpr int popcnt = 23, osxsave = 27, avx = 28, bmi = 3, avx2 = 5, bmi2 = 8, lzcnt = 5;
    constexpr unsigned wide_registers = 0b110;
    return has(describe(1).c, {popcnt, osxsave, avx}) && (saved_registers() & wide_registers) == wide_registers &&
           has(describe(7).b, {bmi, avx2, bmi2}) && has(describe(0x80000001u).c, {lzcnt});
}

#else

inline bool has_avx2() { return false; }

#endif

}  // namespace petree::processor
