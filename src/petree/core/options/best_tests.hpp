// Tests with their qualities, best first.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "search/nodes.hpp"

namespace petree {

// Qualities that differ by no more than this are equal.
inline constexpr double quality_tolerance = 1e-9;

struct RatedTest {
    Test test;
    double quality;
    double penalty;  // what the choice of the cut costs
};

// The best tests of a node, best first, at most so many; the first of equals stays ahead.
class BestTests {
  public:
    explicit BestTests(Index most) : most_(most) {}

    void clear() { tests_.clear(); }
    Index size() const { return static_cast<Index>(tests_.size()); }
    RatedTest& operator[](Index k) { return tests_[k]; }
    const RatedTest& operator[](Index k) const { return tests_[k]; }

    void keep(const RatedTest& one) {
        if (!(one.quality > -std::numeric_limits<double>::infinity())) return;
        Index place = size();
        while (place > 0 && one.quality > tests_[place - 1].quality + quality_tolerance) --place;
        if (place >= most_) return;
        if (size() == most_) tests_.pop_back();
        tests_.insert(tests_.begin() + place, one);
    }

    // Move a test ahead of those that are worse.
    void move_up(Index place) {
        for (; place > 0 && tests_[place].quality > tests_[place - 1].quality + quality_tolerance; --place) {
            std::swap(tests_[place], tests_[place - 1]);
        }
    }

  private:
    Index most_;
    std::vector<RatedTest> tests_;
};

}  // namespace petree
