// Random numbers of rows from what stands in them.
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

// Make the key of each row depend on its number in every column; each column is a line.
inline void mix_columns(Matrix<const double> numbers, Vector<Word> keys) {
    require(keys.length() == numbers.width(), "'keys' needs a key for each row.");
    for (Index column = 0; column < numbers.length(); ++column) {
        const double* line = numbers.row(column);
        for (Index row = 0; row < keys.length(); ++row) keys[row] = mix_keys(keys[row], bits_of(line[row]));
    }
}

}  // namespace petree::tables
