// The candidates of one node, of which the choice by a ratio looks at all.
#pragma once

#include <vector>

#include "search/nodes.hpp"
#include "search/rules.hpp"

namespace petree {

// A split of less information than this does not divide its cases in earnest.
inline constexpr double least_information = 1e-3;

struct Candidate {
    double value;        // times the cases
    double information;  // times the cases
    bool is_counted;     // in the mean
    // The test without its set, since most have none: of kind `IN`, `cut` says which of the sets it is.
    Index column;
    Index kind;
    Index cut;
    Index missing;
};

// Candidates in the order of generation, and the sets of those that have one.
class Candidates {
  public:
    std::size_t size() const { return candidates_.size(); }
    Candidate& operator[](std::size_t k) { return candidates_[k]; }
    void clear() {
        candidates_.clear();
        sets_.clear();
    }
    void enter(const Candidate& one) { candidates_.push_back(one); }
    // Let a candidate be a test of this set.
    void give_set(Candidate& one, Test set) {
        one.kind = IN;
        one.cut = static_cast<Index>(sets_.size());
        sets_.push_back(std::move(set));
    }

    // The (first) best ratio among the candidates at the mean or above, and its test.
    double choose(double weight, double slack, Test& test) const {
        const double limit = mean_value() - (slack + score_tolerance) * weight;
        double best = minus_infinity;
        test = Test{};
        for (const Candidate& one : candidates_) {
            if (one.value >= limit && one.information > least_information * weight) {
                const double ratio = one.value / one.information;
                if (ratio > best + score_tolerance) {
                    best = ratio;
                    test = one.kind == IN ? sets_[one.cut] : Test{one.column, one.kind, one.cut, one.missing};
                }
            }
        }
        return best;
    }

  private:
    // Mean over the possible candidates that count for it, or over all if none does.
    double mean_value() const {
        double total = 0.0, total_of_all = 0.0;
        Index number = 0, number_of_all = 0;
        for (const Candidate& one : candidates_) {
            if (!(one.value > minus_infinity)) continue;
            total_of_all += one.value;
            ++number_of_all;
            if (one.is_counted) {
                total += one.value;
                ++number;
            }
        }
        if (number) return total / static_cast<double>(number);
        return number_of_all ? total_of_all / static_cast<double>(number_of_all) : 0.0;
    }

    std::vector<Candidate> candidates_;
    std::vector<Test> sets_;
};

}  // namespace petree
