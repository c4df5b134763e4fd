// Option trees: every node keeps several tests, and rows that are reached by other tests in another order are one node.
//
// Growing goes depth first with one list of rows a level, so that memory for rows does not depend on how many nodes there
// are.
#pragma once

#include "options/finding.hpp"

namespace petree {

// The levels and counts (classes, then rows) of the nodes; the node and test of each split, with its number of children;
// what the cuts of splits cost; and the children, those of one split after those of another.
struct OptionTree {
    std::vector<Index> levels;
    std::vector<double> counts;
    std::vector<Index> splits;
    std::vector<double> penalties;
    std::vector<Index> children;
};

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
    OptionGrower(const Rows& rows, const Evidence& evidence, Matrix<Code> codes, Vector<const Index> order,
                 const OptionRules& rules)
        : n_rows_(rows.size()), max_nodes_(rules.max_nodes), seed_(rules.seed), finder_(rows, evidence, codes, order, rules) {}

    // Grow the whole tree; whether it fits into so many nodes.
    bool grow(Interrupts& interrupts) {
        std::vector<std::int32_t>& rows = finder_.level(0).rows;
        rows.resize(n_rows_);
        for (Index row = 0; row < n_rows_; ++row) rows[row] = static_cast<std::int32_t>(row);
        open_node(0, 0, n_rows_, finder_.key_of(0, 0, n_rows_), seed_, interrupts);
        while (at_ >= 0 && n_nodes() <= max_nodes_) go_on(interrupts);
        return n_nodes() <= max_nodes_;
    }

    OptionTree& tree() { return tree_; }

  private:
    // The node under way at a level: its slice of the level's rows, the number of tests that are good enough, the test and
    // the branch under way, and the children so far.
    struct UnderWay {
        Word key = 0;
        Index start = 0;
        Index stop = 0;
        Index n_tests = 0;
        Index test = 0;
        Index branch = 0;
        std::vector<std::vector<Index>> children;
    };

    Index n_nodes() const { return static_cast<Index>(tree_.levels.size()); }
    UnderWay& under_way(Index number) {
        while (static_cast<Index>(levels_.size()) <= number) levels_.emplace_back();
        return levels_[number];
    }

    // One step: the next branch of the node under way, its next test, or the node above.
    void go_on(Interrupts& interrupts) {
        UnderWay& here = under_way(at_);
        const FoundLevel& found = finder_.level(at_);
        if (here.test == here.n_tests) {
            const Index number = finish_node(here, found);
            --at_;
            if (at_ >= 0) hand_up(under_way(at_), number);
        } else if (here.branch + 1 == static_cast<Index>(found.bounds.size())) {
            begin_test(at_, here.test + 1);
        } else {
            const Index start = found.bounds[here.branch];
            const Index stop = found.bounds[here.branch + 1];
            const Word key = finder_.key_of(at_ + 1, start, stop);
            const Index known = finder_.shares_nodes() ? known_.find(key) : -1;
            if (known >= 0) {
                hand_up(here, known);
            } else {
                open_node(at_ + 1, start, stop, key, finder_.draw_below(found, found.tests[here.test].test), interrupts);
            }
            interrupts.after(stop - start);
        }
    }

    // Lay out a node that was met for the first time: find its tests, and begin with the first.
    void open_node(Index number, Index start, Index stop, Word key, Word draw, Interrupts& interrupts) {
        UnderWay& here = under_way(number);
        here.key = key;
        here.start = start;
        here.stop = stop;
        here.n_tests = finder_.find_options(number, start, stop, draw, interrupts);
        here.children.resize(std::max<std::size_t>(here.children.size(), here.n_tests));
        at_ = number;
        begin_test(number, 0);
    }

    // Divide the rows of a node by one of its tests, if it has so many.
    void begin_test(Index number, Index test) {
        UnderWay& here = under_way(number);
        here.test = test;
        here.branch = 0;
        if (test == here.n_tests) return;
        finder_.divide_rows(number, here.start, here.stop, finder_.level(number).tests[test].test);
        here.children[test].clear();
    }

    // Note a child of the node under way, and go on to its next branch.
    static void hand_up(UnderWay& here, Index number) {
        here.children[here.test].push_back(number);
        ++here.branch;
    }

    // Note a node whose children are all there, with its splits; its number.
    Index finish_node(const UnderWay& here, const FoundLevel& found) {
        const Index number = n_nodes();
        if (finder_.shares_nodes()) known_.add(here.key, number);
        tree_.levels.push_back(at_);
        tree_.counts.insert(tree_.counts.end(), found.totals.begin(), found.totals.end());
        for (Index k = 0; k < here.n_tests; ++k) {
            const Test& test = found.tests[k].test;
            const std::vector<Index>& children = here.children[k];
            tree_.splits.insert(tree_.splits.end(), {number, test.column, test.kind, test.cut, test.missing,
                                                     static_cast<Index>(children.size())});
            tree_.penalties.push_back(found.tests[k].penalty);
            tree_.children.insert(tree_.children.end(), children.begin(), children.end());
        }
        return number;
    }

    Index n_rows_;
    Index max_nodes_;
    Word seed_;
    OptionFinder<Code> finder_;
    std::deque<UnderWay> levels_;  // a deque: levels stay where they are as deeper ones come
    Index at_ = 0;                 // the level under way
    NodesByKey known_;
    OptionTree tree_;
};

}  // namespace petree
