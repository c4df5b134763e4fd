// Open nodes of an option tree, in whatever order somebody wants them: their options, and the nodes on the branches.
#pragma once

#include <chrono>

#include "options/finding.hpp"

namespace petree {

// Where a path may be, so that nobody asks for a list of rows for each of a million levels.
inline constexpr Index most_levels = 1000;

// Lists of rows, and of each node its slice of them, its level, and what its columns are drawn by.
struct OpenNodes {
    Vector<const std::int32_t> members;
    Matrix<const Index> slices;
    Vector<const Index> levels;
    Vector<const Word> draws;

    Index size() const { return levels.size(); }
    void check(const Rows& rows) const {
        require(slices.length() == size() && slices.width() == 2, "'slices' must have a first and a last member for each node.");
        require(draws.size() == size(), "There must be a draw for each node.");
        for (Index node = 0; node < size(); ++node) {
            require(levels[node] >= 0 && levels[node] <= most_levels, "A level is out of range.");
            require(slices(node, 0) >= 0 && slices(node, 0) <= slices(node, 1) && slices(node, 1) <= members.size(),
                    "A slice is out of range.");
            for (Index k = slices(node, 0); k < slices(node, 1); ++k) {
                require(members[k] >= 0 && members[k] < rows.size(), "A member is no row.");
            }
        }
    }
};

// Of the splits the node, the test and the number of children, and what the cuts cost. Of the children, those of one split
// after those of another, the counts (classes, then rows), keys by which equal ones are known, what their columns are drawn
// by, and the rows of those that can be opened in their turn, with their number.
struct OpenedNodes {
    std::vector<Index> splits;
    std::vector<double> penalties;
    std::vector<double> counts;
    std::vector<Word> keys;
    std::vector<Word> draws;
    std::vector<Index> n_members;
    std::vector<std::int32_t> members;
};

template <class Code>
class OptionOpener {
  public:
    OptionOpener(const Rows& rows, const Evidence& evidence, Matrix<Code> codes, Vector<const Index> order,
                 const OptionRules& rules)
        : max_depth_(rules.max_depth), finder_(rows, evidence, codes, order, rules) {}

    // Open nodes until so many seconds are over; how many were opened.
    Index open(const OpenNodes& nodes, double seconds, Interrupts& interrupts) {
        const Clock::time_point begin = Clock::now();
        Index node = 0;
        while (node < nodes.size() && std::chrono::duration<double>(Clock::now() - begin).count() < seconds) {
            open_one(nodes, node, interrupts);
            ++node;
        }
        return node;
    }

    OpenedNodes& opened() { return opened_; }

  private:
    using Clock = std::chrono::steady_clock;

    void open_one(const OpenNodes& nodes, Index node, Interrupts& interrupts) {
        const Index number = nodes.levels[node];
        const Index n_rows = nodes.slices(node, 1) - nodes.slices(node, 0);
        FoundLevel& here = finder_.level(number);
        const std::int32_t* members = nodes.members.data + nodes.slices(node, 0);
        here.rows.assign(members, members + n_rows);
        const Index n_tests = finder_.find_options(number, 0, n_rows, nodes.draws[node], interrupts);
        for (Index k = 0; k < n_tests; ++k) {
            const Test& test = here.tests[k].test;
            finder_.divide_rows(number, 0, n_rows, test);
            const Index n_children = static_cast<Index>(here.bounds.size()) - 1;
            opened_.splits.insert(opened_.splits.end(), {node, test.column, test.kind, test.cut, test.missing, n_children});
            opened_.penalties.push_back(here.tests[k].penalty);
            const Word draw = finder_.draw_below(here, test);
            for (Index branch = 0; branch < n_children; ++branch) note_child(number + 1, here, branch, draw);
            interrupts.after(2 * n_rows);
        }
    }

    // Note a branch of the node at the level above, with its rows if it may be divided.
    void note_child(Index number, const FoundLevel& above, Index branch, Word draw) {
        const Index start = above.bounds[branch];
        const Index stop = above.bounds[branch + 1];
        const bool is_open = finder_.count_rows(number, start, stop) && number < max_depth_;
        const FoundLevel& found = finder_.level(number);
        opened_.counts.insert(opened_.counts.end(), found.totals.begin(), found.totals.end());
        opened_.keys.push_back(finder_.key_of(number, start, stop));
        opened_.draws.push_back(draw);
        opened_.n_members.push_back(is_open ? stop - start : 0);
        if (is_open) {
            opened_.members.insert(opened_.members.end(), found.rows.begin() + start, found.rows.begin() + stop);
        }
    }

    Index max_depth_;
    OptionFinder<Code> finder_;
    OpenedNodes opened_;
};

}  // namespace petree
