// The tests at the splits of a tree, and the branch that a value takes.
//
// NaN is a missing value, infinity a category that was never seen. A row gets stuck where its value is missing and the
// node saw none missing, or where its category was never seen.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "foundation/bits.hpp"
#include "foundation/conditions.hpp"
#include "trees/wiring.hpp"

namespace petree::prediction {

using trees::Node;
using trees::Wiring;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
// The branch of a row that gets stuck; the same as that of missing values where none were seen.
inline constexpr Node STUCK = UNSEEN;
// Larger columns do not fit a step of the router beside its marks.
inline constexpr std::int32_t MOST_COLUMNS = 1 << 30;

struct Test {
    double value = 0.0;  // the threshold, or the category that is asked for
    std::int32_t column = 0;
    std::int32_t kind = 0;
    Node missing = STUCK;
    Node n_branches = 0;
    std::int32_t first_member = 0;  // where the members of the set start that is asked for, and where they end
    std::int32_t last_member = 0;
};

// What Python knows of the tests, an element a split.
struct Conditions {
    Vector<const std::uint8_t> kind;
    Vector<const std::int32_t> column;
    Vector<const double> value;
    Vector<const std::int32_t> missing;
    Vector<const std::int32_t> member_start;  // where the members of a set start in `members`; one element more
    Vector<const double> members;
};

class Tests {
  public:
    explicit Tests(const Conditions& given)
        : members_(given.members.data, given.members.data + given.members.length()) {
        const Index n = given.kind.length();
        require(given.column.length() == n && given.value.length() == n && given.missing.length() == n &&
                    given.member_start.length() == n + 1,
                "'kind', 'column', 'value' and 'missing' need an element for each split, 'member_start' one more.");
        const std::vector<std::int32_t> starts(given.member_start.data, given.member_start.data + n + 1);
        require(starts[0] == 0 && starts[n] == given.members.length() && std::is_sorted(starts.begin(), starts.end()),
                "'member_start' must rise from 0 to the number of members.");
        tests_.reserve(n);
        for (Index split = 0; split < n; ++split) {
            tests_.push_back(read(given, split, starts[split], starts[split + 1]));
        }
    }

    Index size() const { return static_cast<Index>(tests_.size()); }
    const Test& operator[](Index split) const { return tests_[split]; }

    // One more than the last column that is asked.
    Index width() const {
        Index width = 0;
        for (const Test& test : tests_) width = std::max<Index>(width, test.column + 1);
        return width;
    }

    // The same tests with as many branches as the splits have children.
    Tests with_branches(const Wiring& wiring) const {
        require(size() == wiring.n_splits(), "There must be as many tests as splits.");
        Tests tests = *this;
        for (Index split = 0; split < size(); ++split) {
            Test& test = tests.tests_[split];
            test.n_branches = static_cast<Node>(wiring.children_of(split).size());
            require(test.kind == MULTIWAY || test.n_branches == 2, "A test with two answers needs two children.");
            require(test.missing < test.n_branches, "Missing values must go to a child.");
        }
        return tests;
    }

    // The branch of a value, or `STUCK`; a number that is no branch of a multiway test was never seen.
    Node branch_of(double value, const Test& test) const {
        if (std::isnan(value)) return test.missing;
        if (test.kind == IS_MISSING) return 1;
        if (value == infinity) return STUCK;
        if (test.kind == THRESHOLD) return value >= test.value;
        if (test.kind == EQUALS) return value != test.value;
        if (test.kind == IN) return !is_member(value, test);
        if (!(value >= 0 && value < test.n_branches)) return STUCK;
        const Node branch = static_cast<Node>(value);
        return branch == value ? branch : STUCK;
    }

    // Whether all members of a set fit a word of bits, and that word.
    bool has_low_codes(const Test& test) const {
        const auto is_low = [](double member) {
            return member >= 0 && member < static_cast<double>(bits_per_word) && member == std::floor(member);
        };
        return std::all_of(members_.begin() + test.first_member, members_.begin() + test.last_member, is_low);
    }
    Word low_codes(const Test& test) const {
        Word word = 0;
        for (std::int32_t k = test.first_member; k < test.last_member; ++k) word |= bit_of(static_cast<Index>(members_[k]));
        return word;
    }

  private:
    Test read(const Conditions& given, Index split, std::int32_t first_member, std::int32_t last_member) {
        Test test;
        test.kind = given.kind[split];
        test.column = given.column[split];
        test.value = given.value[split];
        test.missing = test.kind == IS_MISSING ? 0 : given.missing[split];
        test.first_member = first_member;
        test.last_member = last_member;
        require(test.kind < QUERY, "A test must be about a column: a threshold, a category, a set, or missing values.");
        require(test.column >= 0 && test.column < MOST_COLUMNS, "Columns must be counted from 0, below 2**30.");
        require(!std::isnan(test.value), "What a value is compared with must not be NaN.");
        require(test.missing >= STUCK, "Missing values must go to a child, or nowhere: -1.");
        const bool is_set = test.kind == IN;
        require(is_set || test.first_member == test.last_member, "Only a test for a set of categories has members.");
        for (std::int32_t k = test.first_member; k < test.last_member; ++k) {
            require(std::isfinite(members_[k]), "Members of a set must be finite.");
            require(k == test.first_member || members_[k - 1] < members_[k], "Members of a set must rise.");
        }
        return test;
    }

    bool is_member(double value, const Test& test) const {
        return std::binary_search(members_.begin() + test.first_member, members_.begin() + test.last_member, value);
    }

    std::vector<Test> tests_;
    std::vector<double> members_;
};

}  // namespace petree::prediction
