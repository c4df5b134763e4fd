// Which variant of the loops over bit sets this processor can run.
#include <cstdlib>
#include <cstring>

#include "permutation/bit_loops.hpp"

namespace petree {

#define PETREE_DECLARE(variant)      \
    namespace variant {              \
    extern const BitLoops loops;     \
    }
PETREE_DECLARE(baseline)
#ifdef PETREE_X86_64
PETREE_DECLARE(popcnt)
PETREE_DECLARE(avx512)
#endif
#undef PETREE_DECLARE

namespace {

struct Variant {
    const char* name;
    bool can_run;
    const BitLoops& loops;
};

const BitLoops& choose() {
#ifdef PETREE_X86_64
    __builtin_cpu_init();
    const bool has_popcnt = __builtin_cpu_supports("popcnt");
    const bool has_avx512 = has_popcnt && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                            __builtin_cpu_supports("avx512vpopcntdq");
    const Variant variants[] = {
        {"avx512", has_avx512, avx512::loops}, {"popcnt", has_popcnt, popcnt::loops}, {"baseline", true, baseline::loops}};
#else
    const Variant variants[] = {{"baseline", true, baseline::loops}};
#endif
    const char* wanted = std::getenv("PETREE_INSTRUCTIONS");
    for (const Variant& variant : variants) {
        if (variant.can_run && (!wanted || std::strcmp(wanted, variant.name) == 0)) return variant.loops;
    }
    return baseline::loops;
}

}  // namespace

const BitLoops& bit_loops() {
    static const BitLoops& chosen = choose();
    return chosen;
}

}  // namespace petree
