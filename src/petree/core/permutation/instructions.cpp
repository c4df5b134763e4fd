// Which variant of the loops over bit sets this processor can run.
#include <cstdlib>
#include <cstring>

#include "permutation/bit_loops.hpp"
#ifdef PETREE_X86_64
#include "permutation/processor.hpp"
#endif

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
    const bool has_popcnt = processor::has_popcnt();
    const bool has_avx512 = has_popcnt && processor::has_avx512();
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
