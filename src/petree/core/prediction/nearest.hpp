// The nearest leaf of another class: the one for which the fewest columns of a row would have to change.
//
// A column has to change for a leaf if its value fails any of the tests on the way that ask it, or cannot answer it. Of leaves for which
// equally many have to change, the one with the most training weight is taken, and of these the first.
#pragma once

#include <limits>
#include <vector>

#include "foundation/interrupts.hpp"
#include "prediction/ways.hpp"

namespace petree::prediction {

class NearestLeaves {
  public:
    // `classes` has what every node answers, -1 where a node is not to be found.
    NearestLeaves(const OptionRouter& router, Vector<const Index> classes, Index n_columns, Interrupts& interrupts)
        : router_(router),
          classes_(classes),
          interrupts_(interrupts),
          ways_(router),
          rows_(n_columns),
          passes_(ways_.depth() + 1),
          changes_(ways_.depth() + 1) {
        passes_[0].fill(true);
        changes_[0].fill(0);
    }

    // Look for leaves that answer otherwise than the verdicts on some rows.
    void find(Matrix<const double> table, Vector<const Index> verdicts, Index start, Index stop) {
        rows_.read(table, start, stop);
        for (Index row = start; row < stop; ++row) verdicts_[row - start] = verdicts[row];
        leaves_.fill(-1);
        fewest_.fill(std::numeric_limits<Index>::max());
        ways_.walk(*this);
    }

    // The leaf, -1 where there is none, and the number of columns that change.
    Index leaf(Index lane) const { return leaves_[lane]; }
    Index n_changes(Index lane) const { return leaves_[lane] < 0 ? 0 : fewest_[lane]; }

    // What the walk calls.
    void enter(Index level) {
        interrupts_.after(4 * LANES);
        const WayStep& step = ways_.step(level);
        if (level > 0) take(level, step);
        if (!router_.wiring().is_leaf(step.node) || classes_[step.node] < 0) return;
        for (Index lane = 0; lane < LANES; ++lane) {
            if (classes_[step.node] != verdicts_[lane] && is_nearer(step.node, changes_[level][lane], lane)) {
                leaves_[lane] = step.node;
                fewest_[lane] = changes_[level][lane];
            }
        }
    }
    void leave(Index) {}

  private:
    // Whether the rows pass the step, and all steps before that ask its column.
    void take(Index level, const WayStep& step) {
        Lanes taken;
        take_step(router_, step, rows_, 0.0, taken.data());
        for (Index lane = 0; lane < LANES; ++lane) {
            const bool before = passes_[step.above][lane];
            passes_[level][lane] = before && taken[lane] > 0;
            changes_[level][lane] = changes_[level - 1][lane] + (before && !passes_[level][lane]);
        }
    }

    bool is_nearer(Node leaf, Index n_changes, Index lane) const {
        if (n_changes != fewest_[lane] || leaves_[lane] < 0) return n_changes < fewest_[lane];
        const double more = router_.weight(leaf) - router_.weight(leaves_[lane]);
        return more > 0 || (more == 0 && leaf < leaves_[lane]);
    }

    const OptionRouter& router_;
    Vector<const Index> classes_;
    Interrupts& interrupts_;
    Ways ways_;
    LanesOfRows rows_;
    std::vector<std::array<bool, LANES>> passes_;    // of each level
    std::vector<std::array<Index, LANES>> changes_;  // of each level
    std::array<Index, LANES> verdicts_{};
    std::array<Index, LANES> leaves_{};
    std::array<Index, LANES> fewest_{};
};

// The nearest leaf of another class than each row's verdict, or -1, and the number of columns that would change.
inline void find_nearest(const OptionRouter& router, Matrix<const double> table, Vector<const Index> classes,
                         Vector<const Index> verdicts, Matrix<Index> found, Interrupts& interrupts) {
    router.require_columns(table.width());
    require(classes.length() == router.wiring().n_nodes(), "'classes' needs an element for each node.");
    require(verdicts.length() == table.length(), "'verdicts' needs an element for each row.");
    require(found.length() == table.length() && found.width() == 2, "'found' needs a line of two for each row.");
    NearestLeaves nearest(router, classes, table.width(), interrupts);
    for (Index start = 0; start < table.length(); start += LANES) {
        const Index stop = std::min(start + LANES, table.length());
        nearest.find(table, verdicts, start, stop);
        for (Index row = start; row < stop; ++row) {
            found(row, 0) = nearest.leaf(row - start);
            found(row, 1) = nearest.n_changes(row - start);
        }
    }
}

}  // namespace petree::prediction
