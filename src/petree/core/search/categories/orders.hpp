// The orders of the categories of a column at a node, of which sets are the cuts.
//
// The categories present at a node are put in order, and the sets are the cuts of that order, as thresholds are those of
// numbers. For two classes one order, by the share of a class, holds the best of all sets (Breiman et al. 1984, section
// 4.2.2, for scores that are concave); for more there is an order by the share of each class, and one by the first
// principal component of the shares. Up to five categories all sets are the cuts of a few orders, whatever the classes.
// Classes are those of the rows that have a value: whichever side missing values are
// on, what they add to it is the same for all sets.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "search/counting.hpp"
#include "tables/columns.hpp"

namespace petree {

// At a node of more classes than this the most frequent ones have an order.
inline constexpr Index most_class_orders = 32;

// Orders of three, four and five categories whose cuts are all sets of them: of a set and what is left one has at most two.
inline constexpr int most_exhausted = 5;
inline constexpr std::array<std::array<std::array<int, most_exhausted>, most_exhausted>, 3> exhaustive_orders{{
    {{{0, 1, 2}, {1, 0, 2}}},
    {{{0, 1, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}}},
    {{{0, 1, 3, 2, 4}, {1, 2, 4, 3, 0}, {2, 3, 0, 4, 1}, {3, 4, 1, 0, 2}, {4, 0, 2, 1, 3}}},
}};

// Number of orders by the shares of so many classes, and of all orders at most.
inline Index count_class_orders(Index n_classes) { return n_classes <= 2 ? 1 : std::min(n_classes, most_class_orders) + 1; }
inline Index count_orders(Index n_classes) {
    return n_classes <= 2 ? 1 : std::max(count_class_orders(n_classes), Index{most_exhausted});
}

// The orders of the categories of a column at a node.
class CategoryOrders {
  public:
    CategoryOrders() : ordered_(most_narrow_bins + 1) {}

    // Begin with a node of so many classes, and their weights where there are any.
    void begin(Index n_classes, const std::vector<double>& class_weight) {
        n_of_node_ = n_classes;
        class_weight_ = class_weight.empty() ? nullptr : class_weight.data();
    }

    // Look at a column: the first `n_present` of the listed lines are categories, one behind them missing values.
    template <class Cell>
    void look_at(const Cell* counts, const Listed& listed, Index n_present, Index width) {
        listed_ = &listed;
        n_present_ = n_present;
        find_classes(counts, width);
        n_orders_ = count_orders_of_column();
        if (is_exhausted()) return;
        shares_.resize(n_present * n_classes());
        sizes_.resize(n_present);
        for (Index k = 0; n_orders_ && k < n_present; ++k) note_shares(counts + Index{listed.lines[k]} * width, k);
    }

    Index size() const { return n_orders_; }

    // The listed lines in one of the orders, asked for one after the other; missing values stay behind.
    const Listed& order(Index which) {
        if (is_exhausted()) {
            list([&](Index k) { return Index{exhaustive_orders[n_present_ - 3][which][k]}; });
        } else if (which < static_cast<Index>(frequent_.size()) || n_orders_ == 1) {
            sort_by([&](Index k) { return shares_[k * n_classes() + frequent_[which]]; });
        } else {
            find_component();
            sort_by([&](Index k) { return (product(k, component_.data()) + 2) / 4; });
        }
        return ordered_;
    }

  private:
    // Shares that are no further apart than this part of 1 are equal, but for a few on either side of a border.
    static constexpr double share_steps = 0x1p40;
    static constexpr int place_bits = 16;
    static constexpr int most_iterations = 30;
    static constexpr double least_change = 1e-24;

    Index n_classes() const { return static_cast<Index>(classes_.size()); }
    bool is_exhausted() const { return n_classes() > 2 && n_present_ > 2 && n_present_ <= most_exhausted; }

    Index count_orders_of_column() const {
        if (n_present_ < 2 || !n_classes()) return 0;
        if (is_exhausted()) return n_present_ == most_exhausted ? Index{most_exhausted} : n_present_ - 1;
        return n_present_ == 2 ? 1 : count_class_orders(n_classes());
    }

    // Find the classes that the categories have: one that stands in rows with missing values alone divides none of them.
    template <class Cell>
    void find_classes(const Cell* counts, Index width) {
        totals_.assign(n_of_node_, 0.0);
        for (Index k = 0; k < n_present_; ++k) {
            const Cell* line = counts + Index{listed_->lines[k]} * width;
            for (Index c = 0; c < n_of_node_; ++c) totals_[c] += static_cast<double>(line[c]);
        }
        classes_.clear();
        weights_.clear();
        for (Index c = 0; c < n_of_node_; ++c) {
            if (!(totals_[c] > 0)) continue;
            classes_.push_back(c);
            weights_.push_back(class_weight_ ? class_weight_[c] : 1.0);
        }
        choose_frequent();
    }

    // Which of the classes present have an order, ascending.
    void choose_frequent() {
        frequent_.resize(classes_.size());
        std::iota(frequent_.begin(), frequent_.end(), Index{0});
        if (n_classes() <= most_class_orders) return;
        const auto is_more = [&](Index a, Index b) { return totals_[classes_[a]] > totals_[classes_[b]]; };
        std::stable_sort(frequent_.begin(), frequent_.end(), is_more);
        frequent_.resize(most_class_orders);
        std::sort(frequent_.begin(), frequent_.end());
    }

    template <class Cell>
    void note_shares(const Cell* line, Index k) {
        double* shares = shares_.data() + k * n_classes();
        double size = 0.0;
        for (Index c = 0; c < n_classes(); ++c) {
            shares[c] = static_cast<double>(line[classes_[c]]) * weights_[c];
            size += shares[c];
        }
        const double factor = size > 0 ? size : 1.0;
        for (Index c = 0; c < n_classes(); ++c) shares[c] /= factor;
        sizes_[k] = size;
    }

    // Sort the categories by a number from 0 to 1, equal ones by code.
    template <class Function>
    void sort_by(Function number_of) {
        keys_.resize(n_present_);
        for (Index k = 0; k < n_present_; ++k) {
            const double number = number_of(k);
            const double steps = number > 0 ? std::min(number, 1.0) * share_steps + 0.5 : 0.0;
            keys_[k] = static_cast<Word>(steps) << place_bits | static_cast<Word>(k);
        }
        std::sort(keys_.begin(), keys_.end());
        turn_round();
        list([&](Index k) { return place_of(keys_[k]); });
    }

    // Put the categories in order, given the place of each; missing values stay behind.
    template <class Function>
    void list(Function place_at) {
        ordered_.size = 0;
        for (Index k = 0; k < n_present_; ++k) ordered_.add(listed_->codes[place_at(k)], listed_->lines[place_at(k)]);
        if (listed_->size > n_present_) ordered_.add(listed_->codes[n_present_], listed_->lines[n_present_]);
    }

    static Index place_of(Word key) { return static_cast<Index>(key & ((Word{1} << place_bits) - 1)); }
    static bool are_equal(Word one, Word other) { return one >> place_bits == other >> place_bits; }

    // Let an order begin at the end that has the lower code, so that it depends neither on which of two classes comes
    // first nor on the sign of a component. Equal categories stay in the order of their codes.
    void turn_round() {
        const auto ends_here = [&](std::size_t k) { return k == 0 || !are_equal(keys_[k - 1], keys_[k]); };
        std::size_t last_group = keys_.size() - 1;
        while (!ends_here(last_group)) --last_group;
        if (place_of(keys_[last_group]) >= place_of(keys_[0])) return;
        std::reverse(keys_.begin(), keys_.end());
        for (std::size_t start = 0, k = 1; k <= keys_.size(); ++k) {
            if (k < keys_.size() && !ends_here(k)) continue;
            std::reverse(keys_.begin() + static_cast<Index>(start), keys_.begin() + static_cast<Index>(k));
            start = k;
        }
    }

    double product(Index k, const double* direction) const {
        const double* line = shares_.data() + k * n_classes();
        double sum = 0.0;
        for (Index c = 0; c < n_classes(); ++c) sum += line[c] * direction[c];
        return sum;
    }

    // The first principal component of the class shares, weighted by the sizes of the categories. What the shares are above
    // their mean takes their place.
    void find_component() {
        centre_shares();
        begin_component();
        for (int iteration = 0; iteration < most_iterations; ++iteration) {
            next_.assign(n_classes(), 0.0);
            for (Index k = 0; k < n_present_; ++k) {
                const double factor = sizes_[k] * product(k, component_.data());
                for (Index c = 0; c < n_classes(); ++c) next_[c] += factor * shares_[k * n_classes() + c];
            }
            if (!normalise(next_)) return;
            double change = 0.0;
            for (Index c = 0; c < n_classes(); ++c) change += (next_[c] - component_[c]) * (next_[c] - component_[c]);
            component_.swap(next_);
            if (change < least_change) return;
        }
    }

    void centre_shares() {
        next_.assign(n_classes(), 0.0);
        double total = 0.0;
        for (Index k = 0; k < n_present_; ++k) {
            total += sizes_[k];
            for (Index c = 0; c < n_classes(); ++c) next_[c] += sizes_[k] * shares_[k * n_classes() + c];
        }
        if (!(total > 0)) return;
        for (Index k = 0; k < n_present_; ++k) {
            for (Index c = 0; c < n_classes(); ++c) shares_[k * n_classes() + c] -= next_[c] / total;
        }
    }

    // The category that adds most to the variance is where the iteration begins.
    void begin_component() {
        Index begin = 0;
        double most = 0.0;
        for (Index k = 0; k < n_present_; ++k) {
            const double variance = sizes_[k] * product(k, shares_.data() + k * n_classes());
            if (variance > most) {
                begin = k;
                most = variance;
            }
        }
        const double* line = shares_.data() + begin * n_classes();
        component_.assign(line, line + n_classes());
        if (!normalise(component_)) component_.assign(n_classes(), 0.0);
    }

    // Whether a vector has any length; then it is 1.
    static bool normalise(std::vector<double>& vector) {
        double square = 0.0;
        for (const double one : vector) square += one * one;
        const double length = std::sqrt(square);
        if (!(length > 0)) return false;
        for (double& one : vector) one /= length;
        return true;
    }

    Index n_of_node_ = 0;
    const double* class_weight_ = nullptr;
    std::vector<double> totals_;   // of the classes in all categories
    std::vector<Index> classes_;   // that the categories have
    std::vector<double> weights_;  // of these
    std::vector<Index> frequent_;  // which of these have an order
    std::vector<double> shares_;   // of the classes in each category
    std::vector<double> sizes_;    // of the categories
    std::vector<double> component_;
    std::vector<double> next_;
    std::vector<Word> keys_;
    Listed ordered_;
    const Listed* listed_ = nullptr;
    Index n_present_ = 0;
    Index n_orders_ = 0;
};

}  // namespace petree
