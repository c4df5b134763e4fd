// Which class counts bring a binary test to a given gain.
//
// The value of a test, `sum n_ic log n_ic - sum n_i log n_i` over its branches i and the classes c, rises with its gain.
#pragma once

#include "permutation/bit_loops.hpp"
#include "scores/score.hpp"
#include "search/scanning.hpp"

namespace petree {

// What permutations of a node's labels must reach, by the number of cases in one branch of a test.
class NeededGain {
  public:
    // `counts` are the class counts of the node, `gain` is in bits a case.
    void begin(const std::vector<Index>& counts, double gain, const NLogN& n_log_n) {
        n_log_n_ = n_log_n;
        order_classes(counts);
        needed_ = (gain - score_tolerance) * static_cast<double>(size_) - n_log_n(size_);
        for (Index total : totals_) needed_ += n_log_n(total);
        worth_.assign(size_ + 1, Worth::unknown);
        if (n_classes() == 2) {
            lower_.resize(size_ + 1);
            upper_.resize(size_ + 1);
        } else {
            floors_.resize(size_ + 1);
            fill_pairs();
        }
    }

    Index size() const { return size_; }
    Index n_classes() const { return static_cast<Index>(totals_.size()); }
    // Counts of the classes present, the most frequent one last.
    const std::vector<Index>& totals() const { return totals_; }
    // Cases that a permutation draws: all but those of the most frequent class.
    Index n_drawn() const { return size_ - totals_.back(); }

    // Whether a permutation can bring a test with a branch of this size there; what it takes is worked out the first time.
    bool is_worth_trying(Index left_size) {
        if (worth_[left_size] == Worth::unknown) {
            const bool can_reach = n_classes() == 2 ? find_limits(left_size) : find_floor(left_size);
            worth_[left_size] = can_reach ? Worth::sometimes : Worth::never;
        }
        return worth_[left_size] == Worth::sometimes;
    }

    // With two classes: the test gets there with fewer cases of the rarer one in the branch than `below`, or with at least
    // `above` of them.
    Index below(Index left_size) const { return lower_[left_size] + 1; }
    Index above(Index left_size) const { return upper_[left_size]; }

    // With more: the sum of what each class adds must reach the floor.
    double floor(Index left_size) const { return floors_[left_size]; }
    // The limits of tests of these sizes and floors.
    ManyClassLimits limits(const Word* sizes, const double* floors) const {
        return {n_classes(), terms_.data(), starts_.data(), sizes, floors};
    }

  private:
    enum class Worth : std::uint8_t { unknown, never, sometimes };

    void order_classes(const std::vector<Index>& counts) {
        const auto most = std::max_element(counts.begin(), counts.end());  // the first of equals
        totals_.clear();
        size_ = 0;
        for (auto count = counts.begin(); count != counts.end(); ++count) {
            size_ += *count;
            if (count != most && *count) totals_.push_back(*count);
        }
        totals_.push_back(*most);
    }

    void fill_pairs() {
        terms_.resize(size_ + n_classes());
        starts_.resize(n_classes());
        Index start = 0;
        for (Index c = 0; c < n_classes(); ++c) {
            starts_[c] = start;
            for (Index k = 0; k <= totals_[c]; ++k) terms_[start + k] = n_log_n_(k) + n_log_n_(totals_[c] - k);
            start += totals_[c] + 1;
        }
    }

    // Value of a test of a two-class node that has `left` of the cases of the rarer class in its first branch.
    double value_of_two(Index left, Index left_size) const {
        const Index rare = totals_[0];
        double value = n_log_n_(left) + n_log_n_(left_size - left);
        value += n_log_n_(rare - left) + n_log_n_(size_ - rare - left_size + left);
        return value - n_log_n_(left_size) - n_log_n_(size_ - left_size);
    }

    // The value falls up to the expected number and rises from there, so both limits are found by halving. Limits that
    // cannot occur say that no permutation gets there.
    bool find_limits(Index left_size) {
        const Index rare = totals_[0];
        const Index least = std::max<Index>(0, left_size + rare - size_);
        const Index most = std::min(left_size, rare);
        const Index middle = std::min(std::max(left_size * rare / size_, least), most);
        Index low = least - 1;
        Index high = middle + 1;
        while (high - low > 1) {
            const Index k = (low + high) >> 1;  // rounds down below 0 as well
            (value_of_two(k, left_size) >= needed_ ? low : high) = k;
        }
        lower_[left_size] = low;
        low = middle;
        high = most + 1;
        while (high - low > 1) {
            const Index k = (low + high) >> 1;
            (value_of_two(k, left_size) >= needed_ ? high : low) = k;
        }
        upper_[left_size] = high;
        return lower_[left_size] >= least || high <= most;
    }

    // A gain is at most the split information of the test.
    bool find_floor(Index left_size) {
        floors_[left_size] = needed_ + n_log_n_(left_size) + n_log_n_(size_ - left_size);
        double most = 0.0;
        for (Index total : totals_) most += n_log_n_(total);
        return most >= floors_[left_size];
    }

    NLogN n_log_n_;
    double needed_ = 0.0;
    Index size_ = 0;
    std::vector<Index> totals_;
    std::vector<Worth> worth_;
    std::vector<Index> lower_;
    std::vector<Index> upper_;
    std::vector<double> floors_;
    std::vector<double> terms_;
    std::vector<Index> starts_;
};

// How far the permutations of a node have come.
struct Verdict {
    Index found;
    Index tried;
};

}  // namespace petree
