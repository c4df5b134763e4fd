// Divide the rows of nodes among their children, in place.
//
// All that is known of a row moves together, so that the rows of every node stay side by side and later counting reads
// memory in order.
#pragma once

#include "foundation/interrupts.hpp"
#include "tables/rows.hpp"

namespace petree {

// Where children are written: where their rows stop, their class counts and sizes.
struct Children {
    Vector<Index> stops;
    Matrix<double> counts;
    Vector<Index> sizes;
};

class Divider {
  public:
    // `tags`, where there are any, move with the rows.
    explicit Divider(Rows& rows, std::uint32_t* tags = nullptr) : rows_(rows), tags_(tags) {}

    // Move the rows of one node to its children, from `first_child` on; fills their stops, counts and sizes.
    void divide(Index start, Index stop, const Test& test, Index first_child, Index n_children, const Children& children) {
        count(start, stop, test, first_child, n_children, children);
        exchange(start, first_child, n_children, children);
    }

    // Fill the same without moving any row.
    void count(Index start, Index stop, const Test& test, Index first_child, Index n_children, const Children& children) {
        branches_.resize(std::max<std::size_t>(branches_.size(), stop - start));
        heads_.assign(n_children, 0);
        for (Index child = first_child; child < first_child + n_children; ++child) {
            std::fill_n(children.counts.row(child), children.counts.width(), 0.0);
            children.sizes[child] = 0;
        }
        note_branches(start, stop, test, first_child, n_children, children);
        Index position = 0;
        for (Index branch = 0; branch < n_children; ++branch) {
            const Index size = heads_[branch];
            heads_[branch] = position;
            position += size;
            children.stops[first_child + branch] = start + position;
        }
    }

    // Move the rows at these places, ascending, to the front of a node that begins at `start`: the same exchanges, without
    // a look at the other rows.
    void bring_forward(Index start, const std::vector<Index>& places) {
        const Index n_places = static_cast<Index>(places.size());
        const Index n_home = std::lower_bound(places.begin(), places.end(), start + n_places) - places.begin();
        Index here = start;
        Index home = 0;
        for (Index away = n_home; away < n_places; ++away, ++here) {
            for (; home < n_home && places[home] == here; ++home) ++here;
            swap_rows(here, places[away]);
        }
    }

  private:
    void note_branches(Index start, Index stop, const Test& test, Index first_child, Index n_children,
                       const Children& children) {
        const Index place = rows_.columns.places[test.column];
        if (rows_.columns.is_narrow(place)) {
            note_branches(rows_.narrow, place, start, stop, test, first_child, n_children, children);
        } else {
            note_branches(rows_.wide, place - rows_.columns.n_narrow, start, stop, test, first_child, n_children, children);
        }
    }

    template <class Code>
    void note_branches(Matrix<Code> codes, Index column, Index start, Index stop, const Test& test, Index first_child,
                       Index n_children, const Children& children) {
        const Index missing_code = rows_.columns.missing_code(rows_.columns.places[test.column]);
        for (Index row = start; row < stop; ++row) {
            const Index branch = branch_of(codes(row, column), test, missing_code);
            if (branch < 0 || branch >= n_children) refuse("A row takes a branch that its test does not have.");
            branches_[row - start] = static_cast<std::uint32_t>(branch);
            ++heads_[branch];
            const Index child = first_child + branch;
            children.counts(child, rows_.classes[row]) += rows_.weight_of(row);
            children.sizes[child] += rows_.copies_of(row);
        }
    }

    // Exchange rows until every one stands in the range of its own child: the in-place permutation of American flag sort.
    void exchange(Index start, Index first_child, Index n_children, const Children& children) {
        for (Index branch = 0; branch < n_children; ++branch) {
            const Index end = children.stops[first_child + branch] - start;
            while (heads_[branch] < end) {
                const Index here = heads_[branch];
                const Index to = branches_[here];
                if (to == branch) {
                    ++heads_[branch];
                    continue;
                }
                Index there = heads_[to];
                while (branches_[there] == to) ++there;  // rows already at home need not move
                swap_rows(start + here, start + there);
                std::swap(branches_[here], branches_[there]);
                heads_[to] = there + 1;
            }
        }
    }

    void swap_rows(Index first, Index second) {
        std::swap_ranges(rows_.narrow.row(first), rows_.narrow.row(first) + rows_.narrow.width(), rows_.narrow.row(second));
        std::swap_ranges(rows_.wide.row(first), rows_.wide.row(first) + rows_.wide.width(), rows_.wide.row(second));
        std::swap(rows_.classes[first], rows_.classes[second]);
        std::swap(rows_.order[first], rows_.order[second]);
        if (rows_.have_copies()) std::swap(rows_.copies[first], rows_.copies[second]);
        if (rows_.are_weighted()) std::swap(rows_.weights[first], rows_.weights[second]);
        if (rows_.are_divided()) std::swap(rows_.parts[first], rows_.parts[second]);
        if (tags_) std::swap(tags_[first], tags_[second]);
    }

    Rows& rows_;
    std::uint32_t* tags_;
    std::vector<std::uint32_t> branches_;  // of the rows of the node
    std::vector<Index> heads_;             // where each branch is filled next
};

}  // namespace petree
