// Random orders of the cases of a node.
#pragma once

#include <algorithm>
#include <vector>

#include "foundation/views.hpp"
#include "foundation/random.hpp"

namespace petree {

// Move `n_drawn` of the cases, drawn at random, to the front. The rest stays as earlier draws left it: any order is as
// random as another. For a permutation of labels all cases but those of the most frequent class are drawn, class after
// class; it gets what the others leave.
inline void draw_to_front(Random& random, Index* cases, Index size, Index n_drawn) {
    for (Index i = 0; i < n_drawn; ++i) {
        const Index j = i + random.next_below(static_cast<std::uint64_t>(size - i));
        std::swap(cases[i], cases[j]);
    }
}

// Permutations of the classes of a node with these class counts: a line for each permutation, a column for each case.
inline void draw_classes(std::uint64_t key, Vector<const Index> totals, Matrix<std::uint16_t> classes) {
    Index n_cases = 0;
    Index most = 0;
    require(totals.size() > 0 && totals.size() <= 65536, "There must be 1 to 65536 classes.");
    for (Index c = 0; c < totals.size(); ++c) {
        require(totals[c] >= 0 && totals[c] <= classes.width(), "A class has more cases than there are.");
        n_cases += totals[c];
        if (totals[c] > totals[most]) most = c;
    }
    require(n_cases == classes.width(), "There must be a column for each case.");
    std::vector<Index> cases(n_cases);
    for (Index k = 0; k < n_cases; ++k) cases[k] = k;
    Random random(key);
    for (Index r = 0; r < classes.length(); ++r) {
        draw_to_front(random, cases.data(), n_cases, n_cases - totals[most]);
        std::uint16_t* line = classes.row(r);
        std::fill_n(line, n_cases, static_cast<std::uint16_t>(most));
        Index k = 0;
        for (Index c = 0; c < totals.size(); ++c) {
            if (c == most) continue;
            for (const Index end = k + totals[c]; k < end; ++k) line[cases[k]] = static_cast<std::uint16_t>(c);
        }
    }
}

}  // namespace petree
