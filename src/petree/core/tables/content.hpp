// Random numbers of rows and columns from what stands in them: sums, so that no order matters.
#pragma once

#include <bit>

#include "foundation/views.hpp"
#include "foundation/random.hpp"

namespace petree::tables {

// The bits of a number: missing values are alike, whichever NaN they are, and minus zero is zero.
inline Word bits_of(double number) {
    if (number == 0) return 0;
    if (number != number) return 0x7FF8000000000000ull;
    return std::bit_cast<Word>(number);
}

// Add to the key of each column its numbers, mixed with the keys of their rows, each as often as the row says. Each
// column is a line.
inline void add_to_columns(Matrix<const double> numbers, Vector<const Word> rows, Vector<const Word> copies,
                           Vector<Word> columns) {
    require(columns.length() == numbers.length(), "'columns' needs a key for each column.");
    require(rows.length() == numbers.width(), "'rows' needs a key for each row.");
    require(copies.length() == numbers.width(), "'copies' needs a number for each row.");
    for (Index column = 0; column < columns.length(); ++column) {
        const double* line = numbers.row(column);
        Word sum = 0;
        for (Index row = 0; row < rows.length(); ++row) sum += copies[row] * mix_keys(rows[row], bits_of(line[row]));
        columns[column] += sum;
    }
}

// Add to the key of each row its numbers, mixed with the keys of their columns.
inline void add_to_rows(Matrix<const double> numbers, Vector<const Word> columns, Vector<Word> rows) {
    require(columns.length() == numbers.length(), "'columns' needs a key for each column.");
    require(rows.length() == numbers.width(), "'rows' needs a key for each row.");
    for (Index column = 0; column < columns.length(); ++column) {
        const double* line = numbers.row(column);
        const Word key = columns[column];
        for (Index row = 0; row < rows.length(); ++row) rows[row] += mix_keys(key, bits_of(line[row]));
    }
}

}  // namespace petree::tables
