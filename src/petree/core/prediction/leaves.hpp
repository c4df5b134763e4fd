// Rows sent down a tree to one leaf each.
//
// Where a row gets stuck the answer is a blend of all children, by their training weights.
#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "foundation/interrupts.hpp"
#include "foundation/results.hpp"
#include "prediction/lanes.hpp"
#include "prediction/router.hpp"

namespace petree::prediction {

// From where a row stands to where it goes next, at any test; the same place at a leaf and where it gets stuck.
PETREE_APART inline Node step_from(const Router& router, Node at, const double* row) {
    const Step& step = router.step(at);
    const double value = row[step.column()];
    if (step.is_set() && value < infinity) return step.first_child + step.branch_of_set(value);
    if (router.is_leaf(at)) return at;
    const Node branch = router.branch_of(at, row);
    return branch == STUCK ? at : step.first_child + branch;
}

// Where some rows end: at leaves, or at nodes where they get stuck. They walk side by side, so that one does not wait for
// another's memory.
inline std::array<Node, LANES> walk(const Router& router, const std::array<const double*, LANES>& rows,
                                    Interrupts& interrupts) {
    const Step* const steps = &router.step(0);
    std::array<Node, LANES> at{};
    Node moved = 1;
    Index n_rounds = 0;
    while (moved != 0) {
        moved = 0;
        ++n_rounds;
        for (Index lane = 0; lane < LANES; ++lane) {
            const Step step = steps[at[lane]];
            const double value = rows[lane][step.column()];
            const bool is_usual = Router::is_usual(step, value);
            const Node next = is_usual ? step.first_child + step.branch_of(value) : step_from(router, at[lane], rows[lane]);
            moved |= next ^ at[lane];
            at[lane] = next;
        }
    }
    interrupts.after(2 * LANES * n_rounds);
    return at;
}

// The leaves that answer for a row that got stuck, and how much each of them says.
class Blend {
  public:
    Blend(const Router& router, Interrupts& interrupts) : router_(router), interrupts_(interrupts) {}

    // Call a function with each leaf and its share.
    template <class Function>
    void for_each_leaf(const double* row, Index stuck_at, Function function) {
        waiting_.assign(1, {stuck_at, 1.0});
        while (!waiting_.empty()) {
            const Way way = waiting_.back();
            waiting_.pop_back();
            interrupts_.after(10);
            if (router_.is_leaf(way.node)) {
                function(way.node, way.share);
                continue;
            }
            const Node branch = router_.branch_of(way.node, row);
            if (branch == STUCK) {
                go_every_way(way);
            } else {
                waiting_.push_back({router_.first_child(way.node) + branch, way.share});
            }
        }
    }

    // The leaf that says most, the first of equals.
    Index heaviest(const double* row, Index stuck_at) {
        Index heaviest = -1;
        double most = -1.0;
        for_each_leaf(row, stuck_at, [&](Index leaf, double share) {
            if (heaviest < 0 || share > most || (share == most && leaf < heaviest)) {
                most = share;
                heaviest = leaf;
            }
        });
        return heaviest;
    }

  private:
    struct Way {
        Index node;
        double share;
    };

    // By the training weights of the children; all alike where they have none.
    void go_every_way(Way way) {
        const Index first = router_.first_child(way.node);
        const Index last = router_.last_child(way.node);
        double total = 0.0;
        for (Index child = first; child < last; ++child) total += router_.weight(child);
        for (Index child = first; child < last; ++child) {
            if (!(total > 0)) {
                waiting_.push_back({child, way.share / static_cast<double>(last - first)});
            } else if (router_.weight(child) > 0) {
                waiting_.push_back({child, way.share * router_.weight(child) / total});
            }
        }
    }

    const Router& router_;
    Interrupts& interrupts_;
    std::vector<Way> waiting_;
};

// Call a function with each row of a table and where it ends: the row's number, its values, and the node.
template <class Function>
void send_down(const Router& router, Matrix<const double> table, Interrupts& interrupts, Function function) {
    router.require_columns(table.width());
    std::array<const double*, LANES> rows{};
    for (Index start = 0; start < table.length(); start += LANES) {
        const Index stop = std::min(start + LANES, table.length());
        std::array<Node, LANES> ends{};
        if (router.n_nodes() > 1) {
            // at the end of the table the last row walks in several lanes
            for (Index lane = 0; lane < LANES; ++lane) rows[lane] = table.row(std::min(start + lane, stop - 1));
            ends = walk(router, rows, interrupts);
        }
        for (Index row = start; row < stop; ++row) function(row, table.row(row), ends[row - start]);
    }
}

// Leaf of each row; of a blend the heaviest.
inline void find_leaves(const Router& router, Matrix<const double> table, Vector<Index> leaves,
                        Interrupts& interrupts) {
    require(leaves.length() == table.length(), "'leaves' needs an element for each row.");
    Blend blend(router, interrupts);
    send_down(router, table, interrupts, [&](Index row, const double* values, Index end) {
        leaves[row] = router.is_leaf(end) ? end : blend.heaviest(values, end);
    });
}

// The leaves that rows end in, and how much of each row: several lines for a row that is a blend.
using Parts = std::tuple<Made<Index, 1>, Made<Index, 1>, Made<double, 1>>;

inline Parts find_parts(const Router& router, Matrix<const double> table, Interrupts& interrupts) {
    Made<Index, 1> rows;
    Made<Index, 1> leaves;
    Made<double, 1> shares;
    Blend blend(router, interrupts);
    send_down(router, table, interrupts, [&](Index row, const double* values, Index end) {
        blend.for_each_leaf(values, end, [&](Index leaf, double share) {
            rows.data.push_back(row);
            leaves.data.push_back(leaf);
            shares.data.push_back(share);
        });
    });
    return {std::move(rows), std::move(leaves), std::move(shares)};
}

// What the leaves say of each row, given what every node says.
inline void answer(const Router& router, Matrix<const double> table, Matrix<const double> says, Matrix<double> answers,
                   Interrupts& interrupts) {
    require(says.length() == router.n_nodes(), "'says' needs a line for each node.");
    require(answers.length() == table.length() && answers.width() == says.width(),
            "'answers' needs a line for each row, as wide as 'says'.");
    Blend blend(router, interrupts);
    const Index width = says.width();
    send_down(router, table, interrupts, [&](Index row, const double* values, Index end) {
        double* own = answers.row(row);
        if (router.is_leaf(end)) {
            for (Index c = 0; c < width; ++c) own[c] = says(end, c);
            return;
        }
        for (Index c = 0; c < width; ++c) own[c] = 0.0;
        blend.for_each_leaf(values, end, [&](Index leaf, double share) {
            for (Index c = 0; c < width; ++c) own[c] += share * says(leaf, c);
            interrupts.after(width);
        });
    });
}

}  // namespace petree::prediction
