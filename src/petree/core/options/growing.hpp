// Option trees: every node keeps several tests, and rows that are reached by other tests in another order are one node.
//
// Growing goes depth first with one list of rows a level, so that memory for rows does not depend on how many nodes there
// are. A node is known by the sum of random keys of its rows and by its level.
#pragma once

#include <deque>

#include "foundation/random.hpp"
#include "foundation/results.hpp"
#include "options/quality.hpp"

namespace petree {

// When a node is split, and by how many tests: a test is kept if its quality is at least e to the power of `ln_factor` of the
// best one's; nodes below `option_depth` keep the best alone; qualities look `lookahead` plies ahead. Each node looks at no
// more than `n_columns` columns, drawn by a key that follows from `seed` and the columns and sizes on the way to the node.
struct OptionRules {
    Index max_depth;
    Index max_options;
    Index option_depth;
    double ln_factor;
    Index lookahead;
    Index max_nodes;
    Index n_columns;
    Word seed;
};

// The levels and counts (classes, then rows) of the nodes; the node and test of each split, with its number of children;
// what the cuts of splits cost; and the children, those of one split after those of another.
struct OptionTree {
    std::vector<Index> levels;
    std::vector<double> counts;
    std::vector<Index> splits;
    std::vector<double> penalties;
    std::vector<Index> children;
};
inline constexpr Index option_split_fields = 6;

// Numbers of nodes by their keys, by open addressing.
class NodesByKey {
  public:
    // The number of a node, or -1.
    Index find(Word key) const { return numbers_[place_of(key)]; }

    void add(Word key, Index number) {
        if (2 * (n_nodes_ + 1) > numbers_.size()) lengthen();
        const std::size_t place = place_of(key);
        keys_[place] = key;
        numbers_[place] = number;
        ++n_nodes_;
    }

  private:
    std::size_t place_of(Word key) const {
        std::size_t place = key & (numbers_.size() - 1);
        while (numbers_[place] >= 0 && keys_[place] != key) place = (place + 1) & (numbers_.size() - 1);
        return place;
    }
    void lengthen() {
        const std::vector<Word> keys = std::move(keys_);
        const std::vector<Index> numbers = std::move(numbers_);
        keys_.assign(2 * keys.size(), 0);
        numbers_.assign(2 * keys.size(), -1);
        for (std::size_t k = 0; k < keys.size(); ++k) {
            if (numbers[k] < 0) continue;
            const std::size_t place = place_of(keys[k]);
            keys_[place] = keys[k];
            numbers_[place] = numbers[k];
        }
    }

    std::size_t n_nodes_ = 0;
    std::vector<Word> keys_ = std::vector<Word>(256);
    std::vector<Index> numbers_ = std::vector<Index>(256, -1);
};

template <class Code>
class OptionGrower {
  public:
    // Columns are drawn by their places in the `order`, wherever they stand in the table.
    OptionGrower(const Rows& rows, const Evidence& evidence, Matrix<Code> codes, Vector<const Index> order,
                 const OptionRules& rules)
        : rows_(rows),
          codes_(codes),
          evidence_(evidence),
          rules_(rules),
          scan_(rows, evidence, codes, {0, codes.width()}),
          ranks_(order.size()) {
        scan_.draw_from(order);
        for (Index rank = 0; rank < order.size(); ++rank) ranks_[order[rank]] = static_cast<Word>(rank);
        if (!shares_nodes()) return;
        for (Index row = 0; row < rows.size(); ++row) row_keys_.push_back(mix_keys(0, static_cast<Word>(row) + 1));
    }

    // Grow the whole tree; whether it fits into so many nodes.
    bool grow(Interrupts& interrupts) {
        std::vector<std::int32_t>& rows = level(0).rows;
        rows.resize(rows_.size());
        for (Index row = 0; row < rows_.size(); ++row) rows[row] = static_cast<std::int32_t>(row);
        open_node(0, 0, rows_.size(), key_of(0, 0, rows_.size()), rules_.seed, interrupts);
        while (at_ >= 0 && n_nodes() <= rules_.max_nodes) go_on(interrupts);
        return n_nodes() <= rules_.max_nodes;
    }

    OptionTree& tree() { return tree_; }

  private:
    // Tests of a node that a lookahead of several plies compares, at least.
    static constexpr Index beam = 4;

    // The node under way at a level: its slice of the level's rows, its tests and the number of those that are good enough,
    // where the branches of the test under way begin among the rows of the next level, and the children so far.
    struct Level {
        explicit Level(Index most_tests) : tests(most_tests) {}
        std::vector<std::int32_t> rows;
        Word key = 0;
        Word draw = 0;  // what its columns are drawn by
        Index start = 0;
        Index stop = 0;
        std::vector<double> totals;
        BestTests tests;
        Index n_tests = 0;
        Index test = 0;
        Index branch = 0;
        std::vector<Index> bounds;
        std::vector<std::vector<Index>> children;
    };

    Index n_nodes() const { return static_cast<Index>(tree_.levels.size()); }
    Level& level(Index number) {
        const Index most_tests = rules_.lookahead == 1 ? rules_.max_options : std::max(rules_.max_options, beam);
        while (static_cast<Index>(levels_.size()) <= number) levels_.emplace_back(most_tests);
        return levels_[number];
    }
    auto rows_at(Index number, Index start) {
        return [rows = level(number).rows.data() + start](Index k) { return Index{rows[k]}; };
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

    // One step: the next branch of the node under way, its next test, or the node above.
    void go_on(Interrupts& interrupts) {
        Level& here = level(at_);
        if (here.test == here.n_tests) {
            const Index number = finish_node(here);
            --at_;
            if (at_ >= 0) hand_up(level(at_), number);
        } else if (here.branch + 1 == static_cast<Index>(here.bounds.size())) {
            begin_test(at_, here.test + 1);
        } else {
            const Index start = here.bounds[here.branch];
            const Index stop = here.bounds[here.branch + 1];
            const Word key = key_of(at_ + 1, start, stop);
            const Index known = shares_nodes() ? known_.find(key) : -1;
            if (known >= 0) {
                hand_up(here, known);
            } else {
                open_node(at_ + 1, start, stop, key, draw_below(here, here.tests[here.test].test), interrupts);
            }
            interrupts.after(stop - start);
        }
    }

    // What the columns of the nodes below a test are drawn by; each adds its own size.
    Word draw_below(const Level& here, const Test& test) const {
        return mix_keys(here.draw, ranks_[rows_.columns.places[test.column]]);
    }

    // Lay out a node that was met for the first time: find its tests, and begin with the first.
    void open_node(Index number, Index start, Index stop, Word key, Word draw, Interrupts& interrupts) {
        Level& here = level(number);
        here.key = key;
        here.start = start;
        here.stop = stop;
        here.n_tests = find_options(number, start, stop, draw, interrupts);
        here.children.resize(std::max<std::size_t>(here.children.size(), here.n_tests));
        at_ = number;
        begin_test(number, 0);
    }

    // Divide the rows of a node by one of its tests, if it has so many.
    void begin_test(Index number, Index test) {
        Level& here = level(number);
        here.test = test;
        here.branch = 0;
        if (test == here.n_tests) return;
        divide_rows(number, here.start, here.stop, here.tests[test].test);
        here.children[test].clear();
    }

    // Note a child of the node under way, and go on to its next branch.
    static void hand_up(Level& here, Index number) {
        here.children[here.test].push_back(number);
        ++here.branch;
    }

    // Note a node whose children are all there, with its splits; its number.
    Index finish_node(const Level& here) {
        const Index number = n_nodes();
        if (shares_nodes()) known_.add(here.key, number);
        tree_.levels.push_back(at_);
        tree_.counts.insert(tree_.counts.end(), here.totals.begin(), here.totals.end());
        for (Index k = 0; k < here.n_tests; ++k) {
            const Test& test = here.tests[k].test;
            const std::vector<Index>& children = here.children[k];
            tree_.splits.insert(tree_.splits.end(), {number, test.column, test.kind, test.cut, test.missing,
                                                     static_cast<Index>(children.size())});
            tree_.penalties.push_back(here.tests[k].penalty);
            tree_.children.insert(tree_.children.end(), children.begin(), children.end());
        }
        return number;
    }

    // Write some rows of a level to the next one, branch after branch, in their order.
    void divide_rows(Index number, Index start, Index stop, const Test& test) {
        level(number + 1);
        Level& here = levels_[number];
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

    // Find the best tests of some rows, with qualities of so many plies; the best value, which is the logarithm of what the
    // rows are worth as a leaf, or split by a test whose children look on.
    double look_ahead(Index plies, Index number, Index start, Index stop, Word draw, Interrupts& interrupts) {
        Level& here = level(number);
        BestTests& tests = here.tests;
        const bool is_open = scan_.count_node(rows_at(number, start), stop - start);
        here.totals.assign(scan_.totals(), scan_.totals() + evidence_.width());
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

    // Find the best tests of a node, best first; how many are good enough.
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

    const Rows& rows_;
    Matrix<Code> codes_;
    const Evidence& evidence_;
    OptionRules rules_;
    QualityScan<Code> scan_;
    std::vector<Word> ranks_;  // of the columns in the order from which they are drawn
    std::vector<Word> row_keys_;
    std::deque<Level> levels_;  // a deque: levels stay where they are as deeper ones come
    Index at_ = 0;              // the level under way
    NodesByKey known_;
    OptionTree tree_;
};

}  // namespace petree
