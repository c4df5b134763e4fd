// Grow what is left of a tree at once.
//
// This is the growing loop itself, wave by wave, without going back to Python between waves: there a wave costs a quarter
// of a millisecond, more than all the work in a small table, or in a level that takes one category from the others.
#pragma once

#include "foundation/results.hpp"
#include "growing/work.hpp"

namespace petree {

// Nodes are split at most `most_waves` times, and where the score (a case, with `per_case`) is at least `min_gain`.
struct Growth {
    Index most_waves;
    double min_gain;
    bool per_case;
};

// Nodes, the given ones first, as lines of (start, stop, size), with their class counts and levels; splits with the node
// that they split, their number of children and their test; and the values of the splits.
struct Waves {
    std::vector<Index> nodes;
    std::vector<double> counts;
    std::vector<Index> levels;
    std::vector<Index> splits;
    std::vector<double> values;
};
inline constexpr Index node_fields = 3;
inline constexpr Index split_fields = 2 + test_fields;

// The loop; how tests are found and rows divided is left to `Work`.
template <class Work>
class WaveGrower {
  public:
    using Total = typename Work::Total;

    WaveGrower(const SearchRules& rules, const Growth& growth, Rows& rows, Work& work)
        : rules_(rules), growth_(growth), rows_(rows), work_(work) {}

    Waves grow(const Nodes& nodes, Interrupts& interrupts) {
        for (Index node = 0; node < nodes.size(); ++node) {
            add_node(nodes.start(node), nodes.stop(node), nodes.sizes[node], nodes.counts.row(node), 0);
        }
        Index first = 0;
        for (Index wave = 0; wave < growth_.most_waves && first < n_nodes(); ++wave) {
            const Index last = n_nodes();
            const Index first_split = static_cast<Index>(waves_.values.size());
            for (Index node = first; node < last; ++node) {
                if (is_open(node)) split(node, interrupts);
            }
            divide_wave(first_split, wave + 1, interrupts);
            first = last;
        }
        return std::move(waves_);
    }

  private:
    Index n_nodes() const { return static_cast<Index>(waves_.levels.size()); }
    Index* node(Index number) { return waves_.nodes.data() + number * node_fields; }
    double* counts(Index number) { return waves_.counts.data() + number * rows_.n_classes; }

    void add_node(Index start, Index stop, Index size, const double* counts, Index level) {
        waves_.nodes.insert(waves_.nodes.end(), {start, stop, size});
        waves_.counts.insert(waves_.counts.end(), counts, counts + rows_.n_classes);
        waves_.levels.push_back(level);
    }

    // Whether a node may be split: impure, and large enough for two children.
    bool is_open(Index number) {
        Index n_present = 0;
        for (Index c = 0; c < rows_.n_classes; ++c) n_present += counts(number)[c] > 0;
        return n_present > 1 && node(number)[2] >= 2 * rules_.min_rows;
    }

    // Find the best test of a node, and note it if it is good enough.
    void split(Index number, Interrupts& interrupts) {
        const Index start = node(number)[0];
        totals_.assign(counts(number), counts(number) + rows_.n_classes);
        if constexpr (Work::counts_rows) totals_.push_back(static_cast<Total>(node(number)[2]));
        const auto [value, weight, test] = work_.search(start, node(number)[1], totals_, interrupts);
        const double score = growth_.per_case ? value / weight : value;
        // a score of exactly the least one is enough, whatever the rounding
        if (test.column < 0 || (growth_.min_gain > 0 && score < growth_.min_gain - score_tolerance)) {
            work_.leave(start);
            return;
        }
        const Index n_bins = rows_.columns.n_bins[rows_.columns.places[test.column]];
        const Index n_children = count_children(test, n_bins);
        waves_.splits.insert(waves_.splits.end(), {number, n_children});
        const Index* fields = reinterpret_cast<const Index*>(&test);
        waves_.splits.insert(waves_.splits.end(), fields, fields + test_fields);
        waves_.values.push_back(value);
    }

    // Divide the rows of the nodes that were split in this wave.
    void divide_wave(Index first_split, Index level, Interrupts& interrupts) {
        const Index n_splits = static_cast<Index>(waves_.values.size());
        for (Index split = first_split; split < n_splits; ++split) {
            const Index* line = waves_.splits.data() + split * split_fields;
            const Index number = line[0];
            const Index n_children = line[1];
            const Test test = *reinterpret_cast<const Test*>(line + 2);
            const Index start = node(number)[0];
            stops_.assign(n_children, 0);
            sizes_.assign(n_children, 0);
            child_counts_.assign(n_children * rows_.n_classes, 0.0);
            const Children children{{stops_.data(), {n_children}},
                                    {child_counts_.data(), {n_children, rows_.n_classes}},
                                    {sizes_.data(), {n_children}}};
            const Parent parent{start, node(number)[1], node(number)[2], counts(number)};
            interrupts.after(work_.divide(parent, test, children));
            Index child_start = start;
            for (Index child = 0; child < n_children; ++child) {
                add_node(child_start, stops_[child], sizes_[child], children.counts.row(child), level);
                child_start = stops_[child];
            }
        }
    }

    const SearchRules& rules_;
    Growth growth_;
    Rows& rows_;
    Work& work_;
    Waves waves_;
    std::vector<Total> totals_;
    std::vector<Index> stops_;
    std::vector<Index> sizes_;
    std::vector<double> child_counts_;
};

}  // namespace petree
