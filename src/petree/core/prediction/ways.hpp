// All ways down a tree, with or without options, walked one after the other, for some rows side by side.
//
// What is kept of a way stands by levels, so that memory grows with the depth alone. Where nodes are shared a node is
// visited once for each way to it.
#pragma once

#include <vector>

#include "foundation/interrupts.hpp"
#include "foundation/results.hpp"
#include "prediction/lanes.hpp"
#include "prediction/options.hpp"

namespace petree::prediction {

// One step of a way: from a node by one branch of one of its splits.
struct WayStep {
    Node node = 0;         // where it leads
    Index split = -1;      // what was asked; nothing at the root
    Node branch = 0;
    Index column = 0;      // that was asked
    Index above = 0;       // level of the step before that asked the same column, 0 where none did
    double share = 1.0;    // of the node in the training weight of it and its siblings
    double unknown = 1.0;  // how much passes all steps so far that ask the column if it is unknown: their shares
    double say = 1.0;      // how much of the posterior goes this way, by the options that were taken
};

class Ways {
  public:
    explicit Ways(const OptionRouter& router)
        : router_(router), depth_(deepest(router.wiring())), steps_(depth_ + 1), turns_(depth_ + 1),
          last_asked_(router.tests().width(), 0) {}

    Index depth() const { return depth_; }
    const WayStep& step(Index level) const { return steps_[level]; }

    // Call `enter` of a visitor with the level of each step, and `leave` when all ways behind it have been walked.
    template <class Visitor>
    void walk(Visitor& visitor) {
        const Wiring& wiring = router_.wiring();
        Index level = 0;
        turns_[0] = {wiring.first_split(0), 0};
        visitor.enter(0);
        while (level >= 0) {
            Turn& turn = turns_[level];
            if (turn.split == wiring.last_split(steps_[level].node)) {
                visitor.leave(level);
                if (level > 0) last_asked_[steps_[level].column] = steps_[level].above;
                --level;
                continue;
            }
            const Turn taken = turn;
            const bool is_last = taken.branch + 1 == static_cast<Node>(wiring.children_of(taken.split).size());
            turn = is_last ? Turn{taken.split + 1, 0} : Turn{taken.split, taken.branch + 1};
            if (!(steps_[level].say * router_.go(taken.split) > 0)) continue;
            ++level;
            set_step(level, taken);
            turns_[level] = {wiring.first_split(steps_[level].node), 0};
            visitor.enter(level);
        }
    }

  private:
    // What is next at a node.
    struct Turn {
        Index split = 0;
        Node branch = 0;
    };

    static Index deepest(const Wiring& wiring) {
        std::vector<Index> levels(wiring.n_nodes(), 0);
        for (Index node = 0; node < wiring.n_nodes(); ++node) {
            for (Index split = wiring.first_split(node); split < wiring.last_split(node); ++split) {
                for (const Node child : wiring.children_of(split)) {
                    levels[child] = std::max(levels[child], levels[node] + 1);
                }
            }
        }
        return *std::max_element(levels.begin(), levels.end());
    }

    void set_step(Index level, Turn turn) {
        WayStep& step = steps_[level];
        step.node = router_.wiring().children_of(turn.split)[turn.branch];
        step.split = turn.split;
        step.branch = turn.branch;
        step.column = router_.tests()[turn.split].column;
        step.above = last_asked_[step.column];
        step.share = router_.share(turn.split, turn.branch);
        step.unknown = (step.above > 0 ? steps_[step.above].unknown : 1.0) * step.share;
        step.say = steps_[level - 1].say * router_.go(turn.split);
        last_asked_[step.column] = level;
    }

    const OptionRouter& router_;
    Index depth_;
    std::vector<WayStep> steps_;
    std::vector<Turn> turns_;
    std::vector<Index> last_asked_;  // level of the last step that asked each column
};

// How much of each of some rows takes a step: all or nothing, or what goes there of a row that gets stuck.
inline void take_step(const OptionRouter& router, const WayStep& step, const LanesOfRows& rows, double if_stuck,
                      double* taken) {
    const Test& test = router.tests()[step.split];
    const Lanes& values = rows.of(step.column);
    const bool is_first = step.branch == 0;
    if (rows.is_known(step.column) && test.kind == THRESHOLD) {
        for (Index lane = 0; lane < LANES; ++lane) taken[lane] = (values[lane] < test.value) == is_first;
    } else if (rows.is_known(step.column) && test.kind == EQUALS) {
        for (Index lane = 0; lane < LANES; ++lane) taken[lane] = (values[lane] == test.value) == is_first;
    } else {
        for (Index lane = 0; lane < LANES; ++lane) {
            const Node branch = router.tests().branch_of(values[lane], test);
            taken[lane] = branch == STUCK ? if_stuck : static_cast<double>(branch == step.branch);
        }
    }
}

// How much of a row of which nothing is known stays at each node.
inline Made<double, 1> stays_of_unknown(const OptionRouter& router) {
    const Wiring& wiring = router.wiring();
    Made<double, 1> mass{std::vector<double>(wiring.n_nodes(), 0.0)};
    mass.data[0] = 1.0;
    for (Index node = 0; node < wiring.n_nodes(); ++node) {
        for (Index split = wiring.first_split(node); split < wiring.last_split(node); ++split) {
            const auto children = wiring.children_of(split);
            const double goes = mass.data[node] * router.go(split);
            for (Node k = 0; k < static_cast<Node>(children.size()); ++k) {
                mass.data[children[k]] += goes * router.share(split, k);
            }
        }
        mass.data[node] *= router.stay(node);
    }
    return mass;
}

// The number of ways from the root to any node, which may be more than fits an integer.
inline double count_ways(const OptionRouter& router) {
    const Wiring& wiring = router.wiring();
    std::vector<double> ways(wiring.n_nodes(), 0.0);
    ways[0] = 1.0;
    double total = 0.0;
    for (Index node = 0; node < wiring.n_nodes(); ++node) {
        total += ways[node];
        for (Index split = wiring.first_split(node); split < wiring.last_split(node); ++split) {
            for (const Node child : wiring.children_of(split)) ways[child] += ways[node];
        }
    }
    return total;
}

// The most different columns that are asked on one way.
inline Index most_columns(const OptionRouter& router, Interrupts& interrupts) {
    struct Counter {
        const Ways& ways;
        Interrupts& interrupts;
        std::vector<Index> n_columns;
        Index most = 0;
        void enter(Index level) {
            interrupts.after(10);
            if (level > 0) n_columns[level] = n_columns[level - 1] + (ways.step(level).above == 0);
            most = std::max(most, n_columns[level]);
        }
        void leave(Index) {}
    };
    Ways ways(router);
    Counter counter{ways, interrupts, std::vector<Index>(ways.depth() + 1, 0)};
    ways.walk(counter);
    return counter.most;
}

}  // namespace petree::prediction
