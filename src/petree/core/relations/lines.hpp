// Codes that are kept for rows, in lines: one for all rows that are alike. The lowest of an example's codes counts.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "foundation/interrupts.hpp"

namespace petree::relations {

using Number = std::int32_t;

// Give the next line, from `first` on, to each group that has none, which is 0; the groups are written into `added`.
// Returns how many there are.
inline Index number_lines(Vector<const Number> groups, Vector<Number> lines, Index first, Vector<Number> added,
                          Interrupts& interrupts) {
    require(first > 0, "'first' must be a line behind the first one, which stands for none.");
    require(first <= std::numeric_limits<Number>::max() - added.length(), "'first' must leave numbers for all of 'added'.");
    Index n_added = 0;
    for (Index i = 0; i < groups.length(); ++i) {
        const Number group = groups[i];
        require(group >= 0 && group < lines.length(), "'groups' must be groups that may have lines.");
        interrupts.after(2);
        if (lines[group]) continue;
        require(n_added < added.length(), "'added' is too short for all groups without a line.");
        lines[group] = static_cast<Number>(first + n_added);
        added[n_added++] = group;
    }
    return n_added;
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
    std::vector<std::uint8_t> lowest(static_cast<std::size_t>(width));
    for (Index i = 0; i < owners.length();) {
        const Number owner = owners[i];
        require(owner >= 0 && owner < table.length(), "'owners' must be examples of the table.");
        std::uint8_t* const kept = table.row(owner);
        for (Index j = 0; j < width; ++j) lowest[j] = kept[columns[j]] ^ flips[j];
        for (; i < owners.length() && owners[i] == owner; ++i) {
            require(lines[i] > 0 && lines[i] < codes.length(), "'lines' must be lines that have codes.");
            const std::uint8_t* const found = codes.row(lines[i]);
            for (Index j = 0; j < width; ++j) lowest[j] = found[j] < lowest[j] ? found[j] : lowest[j];
            interrupts.after(2 + width / 16);
        }
        for (Index j = 0; j < width; ++j) kept[columns[j]] = lowest[j] ^ flips[j];
        interrupts.after(2 + width);
    }
}

}  // namespace petree::relations
