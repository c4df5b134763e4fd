// Random numbers of rows and columns from what stands in them: sums, so that no order matters.
#pragma once

#include <algorithm>
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

// Mix into the key of each row its codes, column after column.
template <class Code>
void mix_codes(Matrix<const Code> codes, Vector<Word> rows) {
    require(rows.length() == codes.length(), "'rows' needs a key for each row.");
    for (Index row = 0; row < rows.length(); ++row) {
        const Code* line = codes.row(row);
        Word key = rows[row];
        for (Index first = 0; first < codes.width(); first += 8 / sizeof(Code)) {
            const Index n_codes = std::min<Index>(8 / sizeof(Code), codes.width() - first);
            Word word = 0;
            for (Index k = 0; k < n_codes; ++k) word |= static_cast<Word>(line[first + k]) << (8 * sizeof(Code) * k);
            key = mix_keys(key, word);
        }
        rows[row] = key;
    }
}

// In how many samples, each a half of the one before, a row of each key is: as many as its mixed key has leading zeros.
inline void count_halvings(Vector<const Word> keys, Vector<const Word> seed, Vector<std::uint8_t> bands) {
    require(bands.length() == keys.length(), "'bands' needs one for each key.");
    require(seed.length() == 1, "'seed' is one key.");
    for (Index row = 0; row < keys.length(); ++row) {
        bands[row] = static_cast<std::uint8_t>(std::countl_zero(mix_keys(seed[0], keys[row])));
    }
}

}  // namespace petree::tables
