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

// A whole number as an integer; one that is too large for any counts as the lowest.
inline Word whole_bits_of(double number) {
    const bool fits = number >= -0x1p63 && number < 0x1p63;
    return fits ? static_cast<Word>(static_cast<Index>(number)) : Word{1} << 63;
}

// Make the key of each row depend on its number in every column; each column is a line, and some hold whole numbers.
inline void mix_columns(Matrix<const double> numbers, Vector<const Flag> is_whole, Vector<Word> keys) {
    require(is_whole.length() == numbers.length(), "'is_whole' needs a truth value for each column.");
    require(keys.length() == numbers.width(), "'keys' needs a key for each row.");
    for (Index column = 0; column < numbers.length(); ++column) {
        const double* line = numbers.row(column);
        if (is_whole[column]) {
            for (Index row = 0; row < keys.length(); ++row) keys[row] = mix_keys(keys[row], whole_bits_of(line[row]));
        } else {
            for (Index row = 0; row < keys.length(); ++row) keys[row] = mix_keys(keys[row], bits_of(line[row]));
        }
    }
}

}  // namespace petree::tables
