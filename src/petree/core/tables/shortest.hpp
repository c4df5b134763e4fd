// The number between two neighbouring values of a column that is shortest to write: a cut that people can read.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace petree {

// Powers of ten that are exact: a multiple of one, or a number divided by one, is rounded once, as its text is when read.
inline constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int last_power = 22;
// Whole numbers of so many digits are exact.
constexpr int most_digits = 15;

// Half way between two values, or the upper one where the middle rounds to the lower.
inline double midpoint(double lower, double upper) {
    double middle = (lower + upper) / 2;
    if (!std::isfinite(middle)) middle = lower / 2 + upper / 2;
    return middle > lower ? middle : upper;
}

inline double times_power(double number, int exponent) {
    return exponent < 0 ? number / powers_of_ten[-exponent] : number * powers_of_ten[exponent];
}

// The place of the first digit of a positive number: 0 for 1 to 9.99, -1 for 0.1 to 0.99; far away only about so.
inline int first_place(double number) {
    int place = static_cast<int>(std::floor(std::log10(number)));
    if (place <= -last_power || place >= last_power) return place;
    // a logarithm may be rounded across a power of ten
    if (number < times_power(1, place)) --place;
    else if (number >= times_power(1, place + 1)) ++place;
    return place;
}

// The number of fewest digits in a gap, of these one with the fewest behind the point, nearest the middle; or the middle
// where fifteen digits are not enough.
//
// The numbers of so many digits on either side of the middle are tried; those further away lie beyond the gap if these do.
// Only the next power of ten, which no gap has two of, can have fewer digits behind the point.
inline double shortest_in(double lower, double upper) {
    const double middle = midpoint(lower, upper);
    if (lower < 0 && upper >= 0) return 0;
    if (!std::isfinite(middle) || std::abs(middle) < std::numeric_limits<double>::min()) return middle;
    const int place = first_place(std::abs(middle));
    if (place < 0 && place + 1 >= -last_power) {
        const double power = std::copysign(times_power(1, place + 1), middle);
        if (power > lower && power <= upper) return power;
    }
    for (int n_digits = 1; n_digits <= most_digits; ++n_digits) {
        const int exponent = place - n_digits + 1;
        if (std::abs(exponent) > last_power) continue;
        const double times = std::floor(times_power(middle, -exponent));
        const double below = times_power(times, exponent);
        const double above = times_power(times + 1, exponent);
        const bool is_nearer = middle - below <= above - middle;
        if (below > lower && (is_nearer || above > upper)) return below;
        if (above <= upper) return above;
    }
    return middle;
}

// The shortest number above one value and not above another: as they are, and as they are in 32 bits if they differ there.
inline double shortest_between(double lower, double upper) {
    const double above = std::max(lower, static_cast<double>(static_cast<float>(lower)));
    const double up_to = std::min(upper, static_cast<double>(static_cast<float>(upper)));
    return above < up_to ? shortest_in(above, up_to) : shortest_in(lower, upper);
}

}  // namespace petree
