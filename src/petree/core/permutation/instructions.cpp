// Which variant of the loops over bit sets this processor can run.
#include <cstdlib>
#include <cstring>
#include <iterator>

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

const Variant& choose() {
#ifdef PETREE_X86_64
    const bool has_popcnt = processor::has_popcnt();
    const bool has_avx512 = has_popcnt && processor::has_avx512();
    static const Variant variants[] = {
        {"avx512", has_avx512, avx512::loops}, {"popcnt", has_popcnt, popcnt::loops}, {"baseline", true, baseline::loops}};
#else
    static const Variant variants[] = {{"baseline", true, baseline::loops}};
#endif
    const char* wanted = std::getenv("PETREE_INSTRUCTIONS");
    for (const Variant& variant : variants) {
        if (variant.can_run && (!wanted || std::strcmp(wanted, variant.name) == 0)) return variant;
    }
    return *(std::end(variants) - 1);
}

const Variant& chosen() {
    static const Variant& variant = choose();
    return variant;
}

}  // namespace

const BitLoops& bit_loops() { return chosen().loops; }
const char* instructions() { return chosen().name; }

}  // namespace petree
