// Which tests hold for every example, noted in a table of small codes.
//
// A test holds for an example if it does for any of its answers. Answers have an example each (`owners`) and a row; the
// row has a code, negative where its value is missing; and the code has a place or a bin, negative where it has none.
#pragma once

#include <limits>

#include "foundation/interrupts.hpp"

namespace petree::relations {

using Code = std::int32_t;

struct Answers {
    Vector<const std::int32_t> owners;
    Vector<const std::int32_t> rows;
    Vector<const Code> codes;   // of rows
    Vector<const Code> lookup;  // of codes: a place or a bin
};

// Call a function with the example and the place or bin of each answer that has one.
template <class Function>
void for_each_value(const Answers& answers, Index n_examples, Interrupts& interrupts, Function function) {
    require(answers.owners.length() == answers.rows.length(), "'owners' and 'rows' need an element for each answer.");
    for (Index i = 0; i < answers.owners.length(); ++i) {
        const std::int32_t owner = answers.owners[i];
        const std::int32_t row = answers.rows[i];
        require(owner >= 0 && owner < n_examples, "'owners' must be examples of the table.");
        require(row >= 0 && row < answers.codes.length(), "'rows' must be rows that have a code.");
        interrupts.after(2);
        const Code code = answers.codes[row];
        if (code < 0) continue;
        require(code < answers.lookup.length(), "'codes' must be codes that have a place or a bin.");
        const Code found = answers.lookup[code];
        if (found >= 0) function(owner, found);
    }
}

inline void require_column(Index column, Matrix<std::uint8_t> table) {
    require(column >= 0 && column < table.width(), "The table has no such column.");
}

// Write 0 where an example has an answer with the value of a column: that of place p in column `first + p`.
inline void mark_values(Vector<const std::int32_t> owners, Vector<const std::int32_t> rows, Vector<const Code> codes,
                        Vector<const Code> places, Index first, Matrix<std::uint8_t> table, Interrupts& interrupts) {
    require(first >= 0 && first <= table.width(), "The table has no such column.");
    for_each_value({owners, rows, codes, places}, table.length(), interrupts, [&](Index owner, Index place) {
        require_column(first + place, table);
        table(owner, first + place) = 0;
    });
}

// Write the lowest bin of an example's answers into a column, which starts at the highest.
inline void mark_lowest(Vector<const std::int32_t> owners, Vector<const std::int32_t> rows, Vector<const Code> codes,
                        Vector<const Code> bins, Index column, Matrix<std::uint8_t> table, Interrupts& interrupts) {
    require_column(column, table);
    for_each_value({owners, rows, codes, bins}, table.length(), interrupts, [&](Index owner, Index bin) {
        if (bin < table(owner, column)) table(owner, column) = static_cast<std::uint8_t>(bin);
    });
}

// The same with the highest bin, in a column that starts at 0.
inline void mark_highest(Vector<const std::int32_t> owners, Vector<const std::int32_t> rows, Vector<const Code> codes,
                         Vector<const Code> bins, Index column, Matrix<std::uint8_t> table, Interrupts& interrupts) {
    require_column(column, table);
    for_each_value({owners, rows, codes, bins}, table.length(), interrupts, [&](Index owner, Index bin) {
        require(bin <= std::numeric_limits<std::uint8_t>::max(), "'bins' must fit one byte.");
        if (bin > table(owner, column)) table(owner, column) = static_cast<std::uint8_t>(bin);
    });
}

}  // namespace petree::relations
