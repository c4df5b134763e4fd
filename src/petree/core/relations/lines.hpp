// Codes that are kept for rows, in lines: one for all rows that are alike. The lowest of an example's codes counts.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "foundation/interrupts.hpp"

namespace petree::relations {

using Number = std::int32_t;

// Give the next line, from `first` on, to each group of some rows that has none, which is 0; these groups are written
// into `added`, and the line of each row into `found`. Returns how many groups were added.
inline Index number_lines(Vector<const Number> rows, Vector<const Number> groups, Vector<Number> lines, Index first,
                          Vector<Number> found, Vector<Number> added, Interrupts& interrupts) {
    require(first > 0, "'first' must be a line behind the first one, which stands for none.");
    require(first <= std::numeric_limits<Number>::max() - added.length(), "'first' must leave numbers for all of 'added'.");
    require(found.length() == rows.length(), "'found' needs an element for each row.");
    Index n_added = 0;
    for (Index i = 0; i < rows.length(); ++i) {
        const Number row = rows[i];
        require(row >= 0 && row < groups.length(), "'rows' must be rows that have a group.");
        const Number group = groups[row];
        require(group >= 0 && group < lines.length(), "'groups' must be groups that may have lines.");
        interrupts.after(2);
        if (!lines[group]) {
            require(n_added < added.length(), "'added' is too short for all groups without a line.");
            lines[group] = static_cast<Number>(first + n_added);
            added[n_added++] = group;
        }
        found[i] = lines[group];
    }
    return n_added;
}

// Columns of a table that stand side by side, and the first of their codes in a line.
struct Run {
    Index column;
    Index code;
    Index length;
};

inline std::vector<Run> runs_of(Vector<const Index> columns) {
    std::vector<Run> runs;
    for (Index j = 0; j < columns.length(); ++j) {
        if (runs.empty() || runs.back().column + runs.back().length != columns[j]) runs.push_back({columns[j], j, 0});
        ++runs.back().length;
    }
    return runs;
}

// Bytes may lie anywhere, so the compiler must be told that these do not overlap.
inline void flip(const std::uint8_t* __restrict from, const std::uint8_t* __restrict flips, std::uint8_t* __restrict to,
                 Index length) {
    for (Index j = 0; j < length; ++j) to[j] = from[j] ^ flips[j];
}

inline void lower(std::uint8_t* __restrict lowest, const std::uint8_t* __restrict found, Index length) {
    for (Index j = 0; j < length; ++j) lowest[j] = found[j] < lowest[j] ? found[j] : lowest[j];
}

// Lower the codes of examples in some columns to those of the lines that their answers have. Answers of one example
// stand together; a column that is written from the other end, for the highest counts in it, has 255 in `flips`.
inline void mark_lines(Vector<const Number> owners, Vector<const Number> lines, Matrix<const std::uint8_t> codes,
                       Vector<const Index> columns, Vector<const std::uint8_t> flips, Matrix<std::uint8_t> table,
                       Interrupts& interrupts) {
    const Index width = codes.width();
    require(owners.length() == lines.length(), "'owners' and 'lines' need an element for each answer.");
    require(columns.length() == width && flips.length() == width, "'columns' and 'flips' need an element for each code.");
    for (Index j = 0; j < width; ++j)
        require(columns[j] >= 0 && columns[j] < table.width(), "'columns' must be columns of the table.");
    const std::vector<Run> runs = runs_of(columns);
    std::vector<std::uint8_t> memory(static_cast<std::size_t>(width));
    std::uint8_t* const lowest = memory.data();
    for (Index i = 0; i < owners.length();) {
        const Number owner = owners[i];
        require(owner >= 0 && owner < table.length(), "'owners' must be examples of the table.");
        std::uint8_t* const kept = table.row(owner);
        for (const Run& run : runs) flip(kept + run.column, flips.data + run.code, lowest + run.code, run.length);
        for (; i < owners.length() && owners[i] == owner; ++i) {
            require(lines[i] > 0 && lines[i] < codes.length(), "'lines' must be lines that have codes.");
            lower(lowest, codes.row(lines[i]), width);
            interrupts.after(2 + width / 16);
        }
        for (const Run& run : runs) flip(lowest + run.code, flips.data + run.code, kept + run.column, run.length);
        interrupts.after(2 + width);
    }
}

}  // namespace petree::relations
