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
    using Limits = std::numeric_limits<double>;
    if (!(number > Limits::min())) return -2 * last_power;  // also where there is no gap at all
    int place = static_cast<int>(std::floor(std::log10(std::min(number, Limits::max()))));
    if (place <= -last_power || place >= last_power) return place;
    // a logarithm may be rounded across a power of ten
    if (number < times_power(1, place)) --place;
    else if (number >= times_power(1, place + 1)) ++place;
    return place;
}

// The multiple of a power of ten that lies above `lower`, not above `upper`, and nearest the middle; NaN where none does.
inline double multiple_between(double lower, double upper, double middle, int exponent) {
    const double below = std::floor(times_power(middle, -exponent));
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const double times : {below, below + 1}) {
        const double multiple = times_power(times, exponent) + 0.0;  // zero, not minus zero
        const bool is_nearer = !(std::abs(multiple - middle) >= std::abs(best - middle));
        if (lower < multiple && multiple <= upper && is_nearer) best = multiple;
    }
    return best;
}

// The multiple of the largest power of ten in a gap, nearest its middle, or the middle where that is no shorter.
//
// A gap has a multiple of every power below its width. Multiples of a larger power are among those of a smaller one.
inline double shortest_in(double lower, double upper) {
    const double middle = midpoint(lower, upper);
    const int first = first_place(std::max(std::abs(lower), std::abs(upper)));
    const int coarsest = std::min(first, last_power);
    const int finest = std::max(first - most_digits + 1, -last_power);
    if (finest > coarsest || !std::isfinite(middle)) return middle;
    int exponent = std::clamp(first_place(upper - lower), finest, coarsest);
    double found = multiple_between(lower, upper, middle, exponent);
    while (std::isnan(found) && exponent > finest) found = multiple_between(lower, upper, middle, --exponent);
    if (std::isnan(found)) return middle;
    while (exponent < coarsest) {
        const double rounder = multiple_between(lower, upper, middle, ++exponent);
        if (std::isnan(rounder)) break;
        found = rounder;
    }
    return found;
}

// The shortest number above one value and not above another: as they are, and as they are in 32 bits if they differ there.
inline double shortest_between(double lower, double upper) {
    const double above = std::max(lower, static_cast<double>(static_cast<float>(lower)));
    const double up_to = std::min(upper, static_cast<double>(static_cast<float>(upper)));
    return above < up_to ? shortest_in(above, up_to) : shortest_in(lower, upper);
}

}  // namespace petree
