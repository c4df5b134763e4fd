// The options of a node, and what lies on their branches, wherever the node stands in an order of growing.
//
// There is one list of rows a level, so that a lookahead needs no memory of its own. A node is known by the sum of random
// keys of its rows and by its level.
#pragma once

#include <deque>

#include "foundation/random.hpp"
#include "foundation/results.hpp"
#include "options/quality.hpp"

namespace petree {

// When a node is split, and by how many tests: a test is kept if its quality is at least e to the power of `ln_factor` of the
// best one's; nodes below `option_depth` keep the best alone; qualities look `lookahead` plies ahead. Each node looks at no
// more than `n_columns` columns, drawn by a key that follows from `seed` and the columns and sizes on the way to the node; if
// `draws_tests`, so is the one test that each of these offers, by its quality.
struct OptionRules {
    Index max_depth;
    Index max_options;
    Index option_depth;
    double ln_factor;
    Index lookahead;
    Index max_nodes;
    Index n_columns;
    bool draws_tests;
    Word seed;
};

// The node and test of a split, with its number of children.
inline constexpr Index option_split_fields = 6;

// The rows of a level, and what was found for the node that was looked at last: its class counts, its tests, best first, and
// where the branches of the test that divided it last begin among the rows of the next level.
struct FoundLevel {
    explicit FoundLevel(Index most_tests) : tests(most_tests) {}
    std::vector<std::int32_t> rows;
    Word draw = 0;  // what its columns are drawn by
    std::vector<double> totals;
    BestTests tests;
    std::vector<Index> bounds;
};

template <class Code>
class OptionFinder {
  public:
    // Columns are drawn by their places in the `order`, wherever they stand in the table.
    OptionFinder(const Rows& rows, const Evidence& evidence, Matrix<Code> codes, Vector<const Index> order,
                 const OptionRules& rules)
        : rows_(rows),
          codes_(codes),
          evidence_(evidence),
          rules_(rules),
          scan_(rows, evidence, codes, {0, codes.width()}) {
        scan_.draw_from(order, rules.draws_tests);
        if (!shares_nodes()) return;
        for (Index row = 0; row < rows.size(); ++row) row_keys_.push_back(mix_keys(0, static_cast<Word>(row) + 1));
    }

    FoundLevel& level(Index number) {
        const Index most_tests = rules_.lookahead == 1 ? rules_.max_options : std::max(rules_.max_options, beam);
        while (static_cast<Index>(levels_.size()) <= number) levels_.emplace_back(most_tests);
        return levels_[number];
    }

    // Only with several tests at a node can rows come to the same node by two ways.
    bool shares_nodes() const { return rules_.max_options > 1; }

    // The key of a set of rows at a level; the sum of random keys needs only little mixing.
    Word key_of(Index number, Index start, Index stop) {
        if (!shares_nodes()) return 0;
        const std::vector<std::int32_t>& rows = level(number).rows;
        Word key = static_cast<Word>(number) * golden;
        for (Index k = start; k < stop; ++k) key += row_keys_[rows[k]];
        key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9ull;
        return key ^ (key >> 27);
    }

    // What the columns of the nodes below a test are drawn by; each adds its own size.
    Word draw_below(const FoundLevel& here, const Test& test) const {
        return mix_keys(here.draw, scan_.rank(rows_.columns.places[test.column]));
    }

    // Find the best tests of some rows of a level, best first; how many are good enough.
    Index find_options(Index number, Index start, Index stop, Word draw, Interrupts& interrupts) {
        look_ahead(std::min(rules_.lookahead, rules_.max_depth - number), number, start, stop, draw, interrupts);
        BestTests& tests = level(number).tests;
        if (!tests.size()) return 0;
        for (Index k = 1; k < tests.size(); ++k) tests.move_up(k);
        const Index most = std::min(tests.size(), number < rules_.option_depth ? rules_.max_options : 1);
        const double least = tests[0].quality + rules_.ln_factor - quality_tolerance;
        Index n_good = 0;
        while (n_good < most && tests[n_good].quality >= least) ++n_good;
        return n_good;
    }

    // Write some rows of a level to the next one, branch after branch, in their order.
    void divide_rows(Index number, Index start, Index stop, const Test& test) {
        level(number + 1);
        FoundLevel& here = levels_[number];
        std::vector<std::int32_t>& next = levels_[number + 1].rows;
        const Index column = rows_.columns.places[test.column];
        const Index missing_code = rows_.columns.missing_code(column);
        const Index n_branches = count_children(test, missing_code);
        if (static_cast<Index>(next.size()) < stop - start) next.resize(stop - start);
        const auto branch_at = [&](Index k) { return branch_of(codes_(here.rows[k], column), test, missing_code); };
        here.bounds.assign(n_branches + 1, 0);
        for (Index k = start; k < stop; ++k) ++here.bounds[branch_at(k)];
        for (Index branch = 0; branch < n_branches; ++branch) here.bounds[branch + 1] += here.bounds[branch];
        for (Index k = stop - 1; k >= start; --k) {  // from behind: each branch is filled down to where it begins
            const Index place = --here.bounds[branch_at(k)];
            next[place] = here.rows[k];
        }
    }

    // Count some rows of a level into its totals; whether they may be divided.
    bool count_rows(Index number, Index start, Index stop) {
        const bool is_open = scan_.count_node(rows_at(number, start), stop - start);
        level(number).totals.assign(scan_.totals(), scan_.totals() + evidence_.width());
        return is_open;
    }

  private:
    // Tests of a node that a lookahead of several plies compares, at least.
    static constexpr Index beam = 4;

    auto rows_at(Index number, Index start) {
        return [rows = level(number).rows.data() + start](Index k) { return Index{rows[k]}; };
    }

    // Find the best tests of some rows, with qualities of so many plies; the best value, which is the logarithm of what the
    // rows are worth as a leaf, or split by a test whose children look on.
    double look_ahead(Index plies, Index number, Index start, Index stop, Word draw, Interrupts& interrupts) {
        FoundLevel& here = level(number);
        BestTests& tests = here.tests;
        const bool is_open = count_rows(number, start, stop);
        here.draw = mix_keys(draw, static_cast<Word>(here.totals.back()));
        tests.clear();
        double best = scan_.ln_leaf();
        if (plies > 0 && is_open) {
            scan_.rate_some(rows_at(number, start), stop - start, rules_.n_columns, here.draw, tests, interrupts);
        }
        for (Index k = 0; k < tests.size(); ++k) {
            if (plies > 1) {
                RatedTest& one = tests[k];
                one.quality = evidence_.ln_tests[rows_.columns.places[one.test.column]] + one.penalty;
                divide_rows(number, start, stop, one.test);
                const std::vector<Index> bounds = level(number).bounds;
                for (std::size_t branch = 0; branch + 1 < bounds.size(); ++branch) {
                    one.quality += look_ahead(plies - 1, number + 1, bounds[branch], bounds[branch + 1],
                                              draw_below(here, one.test), interrupts);
                }
            }
            best = std::max(best, tests[k].quality);
        }
        return best;
    }

    const Rows& rows_;
    Matrix<Code> codes_;
    const Evidence& evidence_;
    OptionRules rules_;
    QualityScan<Code> scan_;
    std::vector<Word> row_keys_;
    std::deque<FoundLevel> levels_;  // a deque: levels stay where they are as deeper ones come
};

}  // namespace petree
