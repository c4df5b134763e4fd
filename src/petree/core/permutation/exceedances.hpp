// How often the best gain of a node is reached when its class labels are permuted.
//
// Test outcomes are worked out once for all permutations, and a node is done as soon as its verdict is certain.
#pragma once

#include "permutation/large_nodes.hpp"
#include "permutation/small_nodes.hpp"
#include "search/search.hpp"

namespace petree {

// Nodes whose gains are tried: their rows, random keys and gains, how many permutations to try, and of how many found a
// verdict is certain.
struct Trials {
    Matrix<const Index> slices;
    Vector<const Word> keys;
    Vector<const double> gains;
    Vector<const Index> n_permutations;
    Index allowed;

    Index size() const { return slices.length(); }
    void check(const Rows& rows) const {
        check_slices(rows, slices);
        require(keys.size() == size() && gains.size() == size() && n_permutations.size() == size(),
                "There must be a key, a gain and a number of permutations for each node.");
    }
};

// What is known of the nodes: their parents (-1 for none) and inner children, and what was found and tried so far (-1:
// nothing).
struct Progress {
    Vector<const std::int32_t> parents;
    Vector<Index> n_inner_children;
    Vector<Index> found;
    Vector<Index> tried;

    void check(const Trials& trials) const {
        const Index n = trials.size();
        require(parents.size() == n && n_inner_children.size() == n && found.size() == n && tried.size() == n,
                "There must be a parent, a number of inner children, and what was found and tried for each node.");
    }
};

// Rows of a node by their place in the training table, each as often as it has copies.
inline void list_cases(const Rows& rows, Index start, Index stop, std::vector<Index>& cases) {
    std::vector<Word> keys(stop - start);
    for (Index row = start; row < stop; ++row) keys[row - start] = Word{rows.order[row]} << 32 | static_cast<Word>(row);
    std::sort(keys.begin(), keys.end());
    cases.clear();
    for (const Word key : keys) {
        const Index row = static_cast<Index>(key & 0xFFFFFFFF);
        cases.insert(cases.end(), rows.copies_of(row), row);
    }
}

// Permutations of some nodes' labels under which a test gains at least as much as the node's own best test, children before
// parents. A node is done when more than are allowed are found: it is a leaf then, and its parent is told. Nodes that still
// have inner children are left out.
inline void count_exceedances(const Search& search, const Rows& rows, const Trials& trials, const Progress& progress,
                              Vector<const Index> nodes, Interrupts& interrupts) {
    SmallNode small(rows, search.rules().min_rows);
    LargeNode large(rows, search.rules().min_rows);
    NeededGain needed;
    std::vector<Index> cases;
    std::vector<Index> counts;
    for (Index k = 0; k < nodes.size(); ++k) {
        const Index node = nodes[k];
        require(node >= 0 && node < trials.size(), "There is no such node.");
        if (progress.n_inner_children[node]) continue;
        Verdict verdict{std::max<Index>(progress.found[node], 0), std::max<Index>(progress.tried[node], 0)};
        const Index n_permutations = trials.n_permutations[node];
        if (verdict.found <= trials.allowed && verdict.tried < n_permutations) {
            list_cases(rows, trials.slices(node, 0), trials.slices(node, 1), cases);
            counts.assign(rows.n_classes, 0);
            for (const Index row : cases) ++counts[rows.classes[row]];
            needed.begin(counts, trials.gains[node], search.n_log_n());
            const Random random(trials.keys[node]);
            if (needed.n_classes() < 2) {
                verdict.tried = n_permutations;  // a pure node: permutations change nothing
            } else if (needed.size() <= SmallNode::most_cases) {
                verdict = small.count(cases, needed, random, n_permutations, trials.allowed, verdict, interrupts);
            } else {
                verdict = large.count(cases, needed, random, n_permutations, trials.allowed, verdict, interrupts);
            }
            interrupts.after(100 * needed.size());
            progress.found[node] = verdict.found;
            progress.tried[node] = verdict.tried;
            const Index parent = progress.parents[node];
            require(parent < trials.size(), "There is no such parent.");
            if (verdict.found > trials.allowed && parent >= 0) {
                require(progress.n_inner_children[parent] > 0, "More children end than their parent has.");
                --progress.n_inner_children[parent];
            }
        } else {
            progress.found[node] = verdict.found;
            progress.tried[node] = verdict.tried;
        }
    }
}

}  // namespace petree
