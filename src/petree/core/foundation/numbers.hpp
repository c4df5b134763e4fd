// Logarithms, powers and the gamma function, the same to the last bit on every machine.
//
// The functions of the standard library differ from one library to the next, and with the instruction set. These are
// made of sums, products and quotients alone, which IEEE 754 fixes (the build forbids fused multiplications). Errors
// are below 0.55 units of the last place, but for logarithms near 0: below one there.
#pragma once

#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

// Where sums are rounded otherwise than to double, or indices have 32 bits, trees would be others: such a build is refused.
static_assert(FLT_EVAL_METHOD == 0 && sizeof(void*) == 8);

namespace petree {

namespace numbers {

// An unevaluated sum of two numbers, the second below half a unit of the first.
struct Pair {
    double high;
    double low;
};

constexpr Pair exact_sum(double a, double b) {
    const double sum = a + b;
    const double part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
}

constexpr Pair halves(double a) {
    const double scaled = 134217729.0 * a;  // 2^27 + 1
    const double high = scaled - (scaled - a);
    return {high, a - high};
}

constexpr Pair exact_product(double a, double b) {
    const double product = a * b;
    const Pair x = halves(a);
    const Pair y = halves(b);
    return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

constexpr Pair operator+(Pair a, Pair b) {
    const Pair sum = exact_sum(a.high, b.high);
    return exact_sum(sum.high, sum.low + a.low + b.low);
}

constexpr Pair operator*(Pair a, Pair b) {
    const Pair product = exact_product(a.high, b.high);
    return exact_sum(product.high, product.low + a.high * b.low + a.low * b.high);
}

constexpr Pair operator/(Pair a, Pair b) {
    const double first = a.high / b.high;
    const Pair rest = a + Pair{-first, 0.0} * b;
    return exact_sum(first, rest.high / b.high);
}

// ln((1 + s) / (1 - s)) of a small s.
constexpr Pair log_of_ratio(Pair s) {
    const Pair square = s * s;
    Pair sum{0.0, 0.0};
    for (int k = 33; k > 0; k -= 2) sum = sum * square + Pair{1.0, 0.0} / Pair{static_cast<double>(k), 0.0};
    return Pair{2.0, 0.0} * s * sum;
}

// ln 2 is three times ln(5/4) plus ln(128/125).
constexpr Pair ln2 = Pair{3.0, 0.0} * log_of_ratio(Pair{1.0, 0.0} / Pair{9.0, 0.0}) +
                     log_of_ratio(Pair{3.0, 0.0} / Pair{253.0, 0.0});
constexpr Pair inverse_ln2 = Pair{1.0, 0.0} / ln2;

// -- logarithms --------------------------------------------------------------------------------------------------------

// A number is 2^e m with m near the centre 1 + i/128, so that its logarithm is e times that of 2, that of the centre (from a
// table) and that of 1 + z, where z is the difference of m and the centre, which is exact, divided by the centre.
constexpr int n_centres = 129;

// A logarithm whose first part has 40 binary places, so that whole numbers can be added to it exactly.
constexpr Pair cut(Pair value) {
    const double grid = 6755399441055744.0 / 1099511627776.0;  // 1.5 * 2^52 / 2^40
    const double high = (value.high + grid) - grid;
    return {high, (value.high - high) + value.low};
}

struct Centre {
    double value;
    double reciprocal;
    Pair log;
};

// Centres with logarithms to the base of which `inverse` is the reciprocal natural logarithm. That of 2, the last centre, must
// be the very number that exponents are multiplied by.
constexpr std::array<Centre, n_centres> make_centres(Pair inverse, Pair log_of_two) {
    std::array<Centre, n_centres> centres{};
    Pair sum{0.0, 0.0};
    for (int i = 0; i < n_centres; ++i) {
        const double value = 1.0 + i / 128.0;
        if (i > 0) sum = sum + log_of_ratio(Pair{1.0, 0.0} / Pair{255.0 + 2.0 * i, 0.0});  // of neighbouring centres
        centres[i] = {value, 1.0 / value, cut(sum * inverse)};
    }
    centres[n_centres - 1].log = cut(log_of_two);
    return centres;
}

inline constexpr std::array<Centre, n_centres> natural_centres = make_centres({1.0, 0.0}, ln2);
inline constexpr std::array<Centre, n_centres> binary_centres = make_centres(inverse_ln2, {1.0, 0.0});

struct Parts {
    double exponent;
    const Centre& centre;
    double rest;  // z
};

inline Parts take_apart(double x, const std::array<Centre, n_centres>& centres) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    int exponent = -1023;
    if (bits >> 52 == 0) {  // too small for a full mantissa
        bits = std::bit_cast<std::uint64_t>(x * 0x1p54);
        exponent -= 54;
    }
    exponent += static_cast<int>(bits >> 52);
    const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFFull;
    const Centre& centre = centres[(fraction + (1ull << 44)) >> 45];
    const double m = std::bit_cast<double>(fraction | 0x3FF0000000000000ull);
    return {static_cast<double>(exponent), centre, (m - centre.value) * centre.reciprocal};
}

// ln(1 + z) - z of |z| <= 2^-8.
inline double log_tail(double z) {
    const double first = -1.0 / 2.0 + z * (1.0 / 3.0);
    const double second = -1.0 / 4.0 + z * (1.0 / 5.0);
    const double third = -1.0 / 6.0 + z * (1.0 / 7.0);
    const double square = z * z;
    return square * (first + square * (second + square * third));
}

inline bool is_ordinary(double x) { return x > 0 && x < std::numeric_limits<double>::infinity(); }

inline double log_of_others(double x) {
    if (x == 0) return -std::numeric_limits<double>::infinity();
    return x > 0 ? x : std::numeric_limits<double>::quiet_NaN();
}

inline Pair log_pair(double x) {
    const Parts parts = take_apart(x, natural_centres);
    constexpr Pair whole = cut(ln2);
    const Pair& centre = parts.centre.log;
    const double high = parts.exponent * whole.high + centre.high;
    const Pair sum = exact_sum(high, parts.rest);
    const double low = (parts.exponent * whole.low + centre.low) + (sum.low + log_tail(parts.rest));
    return exact_sum(sum.high, low);
}

}  // namespace numbers

inline double natural_log(double x) {
    return numbers::is_ordinary(x) ? numbers::log_pair(x).high : numbers::log_of_others(x);
}

inline double binary_log(double x) {
    using namespace numbers;
    if (!is_ordinary(x)) return log_of_others(x);
    const Parts parts = take_apart(x, binary_centres);
    const Pair& centre = parts.centre.log;
    const double high = parts.exponent + centre.high;
    // 1 / ln 2 in two parts: the first has few binary places, so that its product with a number near 1 is exact
    constexpr double first = 23.0 / 16.0;
    constexpr double second = (inverse_ln2.high - first) + inverse_ln2.low;
    const double product = parts.rest * first;
    const double small = parts.rest * second + inverse_ln2.high * log_tail(parts.rest);
    // `high` is 0 or larger than what is added to it, so that a short exact sum will do
    const double sum = high + product;
    const double lost = product - (sum - high);
    return sum + (small + (lost + centre.low));
}

// -- powers of e -------------------------------------------------------------------------------------------------------

namespace numbers {

constexpr int n_steps = 128;

// 2^(i / 128).
constexpr std::array<Pair, n_steps> make_powers() {
    const Pair x = ln2 / Pair{128.0, 0.0};
    Pair step{1.0, 0.0};
    for (int k = 12; k > 0; --k) step = Pair{1.0, 0.0} + step * x / Pair{static_cast<double>(k), 0.0};
    std::array<Pair, n_steps> powers{};
    powers[0] = {1.0, 0.0};
    for (int i = 1; i < n_steps; ++i) powers[i] = powers[i - 1] * step;
    return powers;
}

inline constexpr std::array<Pair, n_steps> powers = make_powers();

}  // namespace numbers

inline double power_of_e(double x) {
    using namespace numbers;
    if (!(x > -746.0)) return x <= -746.0 ? 0.0 : x;
    if (x > 710.0) return std::numeric_limits<double>::infinity();
    constexpr Pair step = cut(ln2 / Pair{128.0, 0.0});
    constexpr double rounder = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves a whole number
    const double k = (x * (128.0 * inverse_ln2.high) + rounder) - rounder;
    const double rest = (x - k * step.high) - k * step.low;
    const double tail = rest * rest * (1.0 / 2.0 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0))));
    const int whole = static_cast<int>(k);
    const Pair& power = powers[whole & (n_steps - 1)];
    const double value = power.high + (power.low + power.high * (rest + tail));
    return std::ldexp(value, whole >> 7);
}

// -- the gamma function ------------------------------------------------------------------------------------------------

// The logarithm of the gamma function of a positive number: Stirling's series from 12 on, and products below.
inline double log_gamma(double x) {
    using namespace numbers;
    if (!is_ordinary(x)) return x >= 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    constexpr Pair half_log_2_pi{0.9189385332046728, -3.8782941580672414e-17};
    Pair product{1.0, 0.0};
    Pair shifted{x, 0.0};
    for (double more = 1.0; shifted.high < 12.0; more += 1.0) {
        product = product * shifted;
        shifted = exact_sum(x, more);
    }
    const double inverse = 1.0 / shifted.high;
    const double square = inverse * inverse;
    // the numbers of Bernoulli B_2k / (2k (2k - 1))
    constexpr std::array<double, 9> terms = {
        1.0 / 12.0,          -1.0 / 360.0, 1.0 / 1260.0,            -1.0 / 1680.0,       1.0 / 1188.0,
        -691.0 / 360360.0, 1.0 / 156.0,  -3617.0 / 122400.0, 43867.0 / 244188.0};
    double series = 0.0;
    for (int k = static_cast<int>(terms.size()) - 1; k >= 0; --k) series = series * square + terms[k];
    Pair log = log_pair(shifted.high);
    log.low += shifted.low * inverse;
    const Pair less_half = exact_sum(shifted.high, -0.5) + Pair{shifted.low, 0.0};
    Pair sum = log * less_half + Pair{-shifted.high, -shifted.low} + half_log_2_pi + Pair{series * inverse, 0.0};
    if (x < 12.0) {
        const Pair other = log_pair(product.high);
        sum = sum + Pair{-other.high, -(other.low + product.low / product.high)};
    }
    return sum.high + sum.low;
}

}  // namespace petree
