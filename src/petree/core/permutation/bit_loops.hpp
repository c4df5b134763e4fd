// The loops over bit sets, in variants for instruction sets: nearly all time of permutation tests is spent here, and a
// processor that counts bits by itself is several times as fast.
//
// `bit_loops.cpp` is compiled once for each variant, into functions that use nothing but pointers and numbers: no function
// that another file shares may be compiled for an instruction set that not every processor has.
#pragma once

#include "foundation/views.hpp"

namespace petree {

// Tests of a node by the cases in one branch, as words. Those of small nodes are single words; others stand in blocks of
// `lanes`, in which the first words of all tests come first, then the second ones: so several tests are compared at a time.
struct TestBits {
    static constexpr Index lanes = 64;
    const Word* words;
    Index n_tests;
    Index n_words;  // a test
};

// With two classes a test gets to the needed gain with fewer cases of the rarer one than `below`, or at least `above`.
struct TwoClassLimits {
    const Word* below;
    const Word* above;
};

// With more classes the sum of what each class adds (`terms` from its `starts` on, by its number of cases in the branch, the
// last class getting what the others leave of the branch) must reach the floor of the test.
struct ManyClassLimits {
    Index n_classes;
    const double* terms;
    const Index* starts;
    const Word* sizes;
    const double* floors;
};

// Whether any test gets to the needed gain, given the cases of the classes under a permutation: of the rarer of two, or of
// all but the last, `n_words` each.
struct BitLoops {
    bool (*any_small_of_two)(TestBits, TwoClassLimits, Word rare);
    bool (*any_small)(TestBits, ManyClassLimits, const Word* labels);
    bool (*any_large_of_two)(TestBits, TwoClassLimits, const Word* rare);
    bool (*any_large)(TestBits, ManyClassLimits, const Word* labels);
};

// The loops for this processor; the environment variable PETREE_INSTRUCTIONS names others, for comparisons.
const BitLoops& bit_loops();
const char* instructions();

}  // namespace petree
