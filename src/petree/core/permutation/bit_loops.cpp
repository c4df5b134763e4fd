#include "permutation/bit_loops.hpp"

namespace petree::PETREE_INSTRUCTIONS {
namespace {

Word count_bits(Word word) {
#if defined(__GNUC__)
    return static_cast<Word>(__builtin_popcountll(word));
#else
    word = word - ((word >> 1) & 0x5555555555555555ull);
    word = (word & 0x3333333333333333ull) + ((word >> 2) & 0x3333333333333333ull);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return (word * 0x0101010101010101ull) >> 56;
#endif
}

Index smaller(Index a, Index b) { return a < b ? a : b; }

bool any_small_of_two(TestBits tests, TwoClassLimits limits, Word rare) {
    constexpr Index together = 16;  // compared without a branch between them
    for (Index first = 0; first < tests.n_tests; first += together) {
        const Index last = smaller(first + together, tests.n_tests);
        Word n_reaching = 0;
        for (Index t = first; t < last; ++t) {
            const Word left = count_bits(tests.words[t] & rare);
            n_reaching += (left < limits.below[t]) | (left >= limits.above[t]);
        }
        if (n_reaching) return true;
    }
    return false;
}

bool any_small(TestBits tests, ManyClassLimits limits, const Word* labels) {
    const Index last = limits.n_classes - 1;
    for (Index t = 0; t < tests.n_tests; ++t) {
        Word rest = limits.sizes[t];
        double sum = 0.0;
        for (Index c = 0; c < last; ++c) {
            const Word left = count_bits(tests.words[t] & labels[c]);
            sum += limits.terms[limits.starts[c] + static_cast<Index>(left)];
            rest -= left;
        }
        if (sum + limits.terms[limits.starts[last] + static_cast<Index>(rest)] >= limits.floors[t]) return true;
    }
    return false;
}

// How many cases each test of a block has in common with the cases of a class.
void count_common(const Word* block, Index n_words, const Word* label, Word* counts) {
    for (Index k = 0; k < TestBits::lanes; ++k) counts[k] = 0;
    for (Index word = 0; word < n_words; ++word) {
        const Word cases = label[word];
        const Word* line = block + word * TestBits::lanes;
        for (Index k = 0; k < TestBits::lanes; ++k) counts[k] += count_bits(line[k] & cases);
    }
}

bool any_large_of_two(TestBits tests, TwoClassLimits limits, const Word* rare) {
    Word left[TestBits::lanes];
    for (Index first = 0; first < tests.n_tests; first += TestBits::lanes) {
        const Index n = smaller(TestBits::lanes, tests.n_tests - first);
        count_common(tests.words + first * tests.n_words, tests.n_words, rare, left);
        Word n_reaching = 0;
        for (Index k = 0; k < n; ++k) n_reaching += (left[k] < limits.below[first + k]) | (left[k] >= limits.above[first + k]);
        if (n_reaching) return true;
    }
    return false;
}

bool any_large(TestBits tests, ManyClassLimits limits, const Word* labels) {
    Word left[TestBits::lanes];
    Word rest[TestBits::lanes];
    double sums[TestBits::lanes];
    const Index last = limits.n_classes - 1;
    for (Index first = 0; first < tests.n_tests; first += TestBits::lanes) {
        const Index n = smaller(TestBits::lanes, tests.n_tests - first);
        for (Index k = 0; k < n; ++k) {
            rest[k] = limits.sizes[first + k];
            sums[k] = 0.0;
        }
        for (Index c = 0; c < last; ++c) {
            count_common(tests.words + first * tests.n_words, tests.n_words, labels + c * tests.n_words, left);
            for (Index k = 0; k < n; ++k) {
                sums[k] += limits.terms[limits.starts[c] + static_cast<Index>(left[k])];
                rest[k] -= left[k];
            }
        }
        const double* terms = limits.terms + limits.starts[last];
        Word n_reaching = 0;
        for (Index k = 0; k < n; ++k) n_reaching += sums[k] + terms[rest[k]] >= limits.floors[first + k];
        if (n_reaching) return true;
    }
    return false;
}

}  // namespace

extern const BitLoops loops;
const BitLoops loops = {any_small_of_two, any_small, any_large_of_two, any_large};

}  // namespace petree::PETREE_INSTRUCTIONS
