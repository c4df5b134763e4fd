// Answers of a query joined with the rows that fit them.
//
// A link knows for every row of one relation the rows of another that fit: `linked` from `starts[row]` on, up to
// `stops[row]`. Rows of the same key share these, so that a link is never longer than both relations. Rows come from
// arrays that anybody may have filled, so every one is checked where it is used.
#pragma once

#include <limits>

#include "foundation/interrupts.hpp"

namespace petree::relations {

using Row = std::int32_t;

class Link {
  public:
    Link(Vector<const Index> starts, Vector<const Index> stops, Vector<const Row> linked)
        : starts_(starts), stops_(stops), linked_(linked) {
        require(starts.length() == stops.length(), "'starts' and 'stops' must have the same length.");
    }

    struct Span {
        const Row* begin;
        const Row* end;
    };

    Span rows_that_fit(Row row) const {
        require(row >= 0 && row < starts_.length(), "'rows' must be rows that the link knows.");
        const Index start = starts_[row];
        const Index stop = stops_[row];
        require(0 <= start && start <= stop && stop <= linked_.length(), "'starts' and 'stops' must be places of linked rows.");
        return {linked_.data + start, linked_.data + stop};
    }

  private:
    Vector<const Index> starts_;
    Vector<const Index> stops_;
    Vector<const Row> linked_;
};

// Number of answers after a join, from the row of each answer before.
inline Index count_matches(Vector<const Row> rows, Vector<const Index> starts, Vector<const Index> stops,
                           Vector<const Row> linked) {
    const Link link(starts, stops, linked);
    Index total = 0;
    for (Index i = 0; i < rows.length(); ++i) {
        const Link::Span fitting = link.rows_that_fit(rows[i]);
        total += fitting.end - fitting.begin;
    }
    return total;
}

// For each answer after a join the answer that it came from, and the row that was joined.
inline void match(Vector<const Row> rows, Vector<const Index> starts, Vector<const Index> stops,
                  Vector<const Row> linked, Vector<Row> came_from, Vector<Row> matched, Interrupts& interrupts) {
    require(came_from.length() == matched.length(), "'came_from' and 'matched' must have the same length.");
    require(rows.length() <= std::numeric_limits<Row>::max(), "There are too many answers to number them.");
    const Link link(starts, stops, linked);
    Index at = 0;
    for (Index i = 0; i < rows.length(); ++i) {
        const Link::Span fitting = link.rows_that_fit(rows[i]);
        const Index n_fitting = fitting.end - fitting.begin;
        require(n_fitting <= matched.length() - at, "'matched' is too short for all that fits.");
        for (Index k = 0; k < n_fitting; ++k) {
            came_from[at + k] = static_cast<Row>(i);
            matched[at + k] = fitting.begin[k];
        }
        at += n_fitting;
        interrupts.after(5 + n_fitting);
    }
    require(at == matched.length(), "'matched' is longer than all that fits.");
}

// Rows in the order of their keys, and of their own among those of one key: those of key k stand from `bounds[k + 1]` to
// `bounds[k + 2]`. A row without a key, which is negative, stands nowhere: `bounds[0]` and `bounds[1]` are 0. Returns how many
// rows have keys.
inline Index index_rows(Vector<const Row> keys, Vector<Index> bounds, Vector<Row> rows, Interrupts& interrupts) {
    require(bounds.length() >= 2, "'bounds' must have room for all keys and two more.");
    require(rows.length() == keys.length(), "'rows' needs room for each key.");
    require(keys.length() <= std::numeric_limits<Row>::max(), "There are too many rows to number them.");
    const auto end_of = [bounds](Row key) -> Index& {
        require(key < bounds.length() - 2, "'keys' must have bounds, or be negative.");
        return bounds[key + 2];
    };
    for (Index k = 0; k < bounds.length(); ++k) bounds[k] = 0;
    for (Index i = 0; i < keys.length(); ++i) {
        if (keys[i] >= 0) ++end_of(keys[i]);
        interrupts.after(1);
    }
    // The first row of each key, from where its end moves on with every row that is written.
    Index total = 0;
    for (Index k = 2; k < bounds.length(); ++k) {
        const Index n_rows = bounds[k];
        bounds[k] = total;
        total += n_rows;
        interrupts.after(1);
    }
    for (Index i = 0; i < keys.length(); ++i) {
        if (keys[i] >= 0) {
            Index& end = end_of(keys[i]);
            require(end >= 0 && end < rows.length(), "'bounds' and 'rows' must not share memory with 'keys'.");
            rows[end++] = static_cast<Row>(i);
        }
        interrupts.after(2);
    }
    return total;
}

}  // namespace petree::relations
