// How the columns of a table are coded.
//
// A column of at most 255 bins is narrow, a byte a value; others are wide. Narrow columns stand first, then wide ones:
// that is a column's place, while tests name it by its number in the user's order. Missing values have the code behind
// the last bin.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "foundation/bits.hpp"
#include "foundation/conditions.hpp"

namespace petree {

inline constexpr Index most_narrow_bins = 255;
inline constexpr Index most_bins = (Index{1} << 32) - 2;

// The last code whose centre is not above the middle of those of two codes, and that lies below the upper one.
inline Index code_below_middle(const double* centres, Index below, Index above) {
    const double middle = centres[below] / 2 + centres[above] / 2;
    return std::upper_bound(centres + below + 1, centres + above, middle) - centres - 1;
}

struct Columns {
    // By place: bins, the kind of test that the column offers, and its number in the user's order.
    std::vector<Index> n_bins;
    std::vector<Index> kinds;
    std::vector<Index> numbers;
    // Also by place: whether the share of the second class must not fall (1) or rise (-1) from one side of a cut to the other.
    std::vector<Index> signs;
    // By number: the place.
    std::vector<Index> places;
    // By place: where the centres of the bins begin, for a column that offers thresholds. No centres at all: cuts stay
    // behind the lower code.
    std::vector<Index> first_centre;
    std::vector<double> centres;
    Index n_narrow = 0;

    Index size() const { return static_cast<Index>(n_bins.size()); }
    bool is_narrow(Index place) const { return place < n_narrow; }
    Index missing_code(Index place) const { return n_bins[place]; }
    bool offer_sets() const { return std::find(kinds.begin(), kinds.end(), IN) != kinds.end(); }

    bool have_directions() const {
        return std::any_of(signs.begin(), signs.end(), [](Index sign) { return sign != 0; });
    }

    // The code after which the middle of a gap lies, between two neighbouring codes of a node.
    Index middle_cut(Index place, Index below, Index above) const {
        if (centres.empty() || above == below + 1) return below;
        return code_below_middle(centres.data() + first_centre[place], below, above);
    }

    static Columns of(Vector<const Index> n_bins, Vector<const Index> kinds, Vector<const std::int32_t> numbers,
                      Vector<const Index> signs, Vector<const double> centres) {
        const Index n = n_bins.size();
        require(kinds.size() == n && numbers.size() == n && signs.size() == n,
                "'n_bins', 'kinds', 'numbers' and 'signs' must have the same length.");
        Columns columns;
        columns.places.assign(n, -1);
        columns.centres.assign(centres.data, centres.data + centres.size());
        Index n_centres = 0;
        for (Index place = 0; place < n; ++place) {
            const Index bins = n_bins[place];
            const Index kind = kinds[place];
            const Index number = numbers[place];
            const Index sign = signs[place];
            require(bins >= 0 && bins <= most_bins, "A column must have 0 to 2^32 - 2 bins.");
            require(kind == THRESHOLD || kind == EQUALS || kind == IN || kind == MULTIWAY,
                    "A column offers thresholds, values, sets of values or all values.");
            require(kind != IN || bins <= most_narrow_bins, "A column of more than 255 values offers no sets.");
            require(number >= 0 && number < n && columns.places[number] < 0, "'numbers' must be an order of the columns.");
            require(sign >= -1 && sign <= 1, "The sign of a column is -1, 0 or 1.");
            require(sign == 0 || kind == THRESHOLD, "Only a column that offers thresholds has a sign.");
            columns.n_bins.push_back(bins);
            columns.kinds.push_back(kind);
            columns.numbers.push_back(number);
            columns.signs.push_back(sign);
            columns.places[number] = place;
            columns.first_centre.push_back(n_centres);
            if (kind == THRESHOLD) n_centres += bins;
        }
        require(centres.size() == 0 || centres.size() == n_centres,
                "There must be a centre for each bin of the columns that offer thresholds, or none.");
        return columns;
    }
};

// A set of codes of a narrow column.
class CodeSet {
  public:
    void add(Index code) { words_[word_of(code)] |= bit_of(code); }
    bool holds(Index code) const { return code <= most_narrow_bins && (words_[word_of(code)] & bit_of(code)); }

  private:
    std::array<Word, 4> words_{};
};

// A test of a node: the column by its number, the kind, behind which code it cuts or for which it asks, the branch of
// missing values, and the codes of the first branch where it asks for a set.
struct Test {
    Index column = -1;
    Index kind = 0;
    Index cut = 0;
    Index missing = UNSEEN;
    CodeSet inside{};
};
inline constexpr Index test_fields = 8;
static_assert(sizeof(Test) == test_fields * sizeof(Index));

// The tests of some nodes as Python holds them, a line each.
inline Test* as_tests(Matrix<Index> lines) {
    require(lines.width() == test_fields, "A test has eight fields.");
    return reinterpret_cast<Test*>(lines.data);
}
inline const Test* as_tests(Matrix<const Index> lines) {
    require(lines.width() == test_fields, "A test has eight fields.");
    return reinterpret_cast<const Test*>(lines.data);
}

// The branch that a code takes.
inline Index branch_of(Index code, const Test& test, Index missing_code) {
    if (code == missing_code) return test.missing;
    switch (test.kind) {
        case THRESHOLD:
            return code > test.cut;
        case MULTIWAY:
            return code;
        case IS_MISSING:
            return 1;
        case IN:
            return !test.inside.holds(code);
        default:
            return code != test.cut;
    }
}

// Number of children of a test on a column of so many bins.
inline Index count_children(const Test& test, Index n_bins) {
    return test.kind == MULTIWAY ? n_bins + (test.missing != UNSEEN) : 2;
}

}  // namespace petree
