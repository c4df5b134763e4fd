// Sets of cases as bits of words.
#pragma once

#include <bit>

#include "foundation/views.hpp"

namespace petree {

inline constexpr Index bits_per_word = 64;

// The bit of element k in its word.
inline Word bit_of(Index k) { return Word{1} << (k & (bits_per_word - 1)); }
inline Index word_of(Index k) { return k / bits_per_word; }
inline Index words_for(Index n) { return (n + bits_per_word - 1) / bits_per_word; }

// Number of set bits; in plain arithmetic, since not every processor counts them by itself.
inline Index count_bits(Word word) {
    word = word - ((word >> 1) & 0x5555555555555555ull);
    word = (word & 0x3333333333333333ull) + ((word >> 2) & 0x3333333333333333ull);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return static_cast<Index>((word * 0x0101010101010101ull) >> 56);
}

// Call a function with the position of every bit that is set, ascending.
template <class Function>
void for_each_bit(Word word, Function function) {
    while (word) {
        function(static_cast<Index>(std::countr_zero(word)));
        word &= word - 1;
    }
}

}  // namespace petree
