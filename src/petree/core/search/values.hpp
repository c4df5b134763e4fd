// What a split of a node is worth, from the class counts of its children.
#pragma once

#include <numeric>

#include "scores/score.hpp"
#include "search/counting.hpp"
#include "search/rules.hpp"

namespace petree {

struct Value {
    double value;
    double weight;  // of the first branch
};

// A node's own counts, and the values of splits of it. Where the number of classes is known to the compiler (`fixed`) sums
// stay in registers; 0 is any number.
template <class Score, class Measure, int fixed>
class NodeValues {
  public:
    using Cell = typename Measure::Cell;
    using Total = typename Measure::Total;

    // `totals` are the class counts of the node and, where rows are counted apart, their number.
    NodeValues(const Score& score, const SearchRules& rules, const Total* totals, Index n_classes)
        : score_(score),
          class_weight_(rules.class_weight.empty() ? nullptr : rules.class_weight.data()),
          n_classes_(n_classes),
          totals_(totals),
          weight_(weight_of(totals)) {}

    Index n_classes() const { return fixed > 0 ? fixed : n_classes_; }
    Index width() const { return n_classes() + Measure::counts_rows; }
    const Total* totals() const { return totals_; }
    double weight() const { return weight_; }

    // Weight of a line of counts as the score sees it.
    template <class Count>
    double weight_of(const Count* line) const {
        double weight = 0.0;
        for (Index c = 0; c < n_classes(); ++c) weight += static_cast<double>(line[c]) * (class_weight_ ? class_weight_[c] : 1.0);
        return weight;
    }

    // Value of two children: a line of counts, and what it leaves of the node.
    template <class Count>
    PETREE_INLINE Value pair(const Count* line) const {
        if (class_weight_) {
            return sum_pair<double>(
                [&](Index c) { return static_cast<double>(line[c]) * class_weight_[c]; },
                [&](Index c) { return static_cast<double>(totals_[c]) * class_weight_[c]; },
                [&](Index c) { return static_cast<double>(totals_[c] - static_cast<Total>(line[c])) * class_weight_[c]; });
        }
        return sum_pair<Total>([&](Index c) { return static_cast<Total>(line[c]); }, [&](Index c) { return totals_[c]; },
                               [&](Index c) { return totals_[c] - static_cast<Total>(line[c]); });
    }

    // Value of one child, a line of counts, beside an empty one.
    template <class Count>
    double alone(const Count* line) const {
        if (class_weight_) {
            return sum_alone<double>([&](Index c) { return static_cast<double>(line[c]) * class_weight_[c]; },
                                     [&](Index c) { return static_cast<double>(totals_[c]) * class_weight_[c]; },
                                     weight_of(line));
        }
        Total total = 0;
        for (Index c = 0; c < n_classes(); ++c) total += static_cast<Total>(line[c]);
        return sum_alone<Total>([&](Index c) { return static_cast<Total>(line[c]); }, [&](Index c) { return totals_[c]; },
                                total);
    }
    double unsplit() const { return alone(totals_); }

    // Value of a split into one child for each present value.
    double multiway(const Cell* counts, const Listed& listed, Interrupts& interrupts) const {
        if constexpr (Score::ranks_children) {
            return ranked_children(counts, listed, interrupts);
        } else {
            double value = 0.0;
            for (Index k = 0; k < listed.size; ++k) value += alone(counts + Index{listed.lines[k]} * width());
            return value;
        }
    }

  private:
    template <class Number, class Count, class Node, class Other>
    PETREE_INLINE Value sum_pair(Count count_of, Node node_of, Other other_of) const {
        Sums sums;
        Totals<Number> totals{0, 0, 0.0, n_classes()};
        if constexpr (Score::needs_totals) {
            for (Index c = 0; c < n_classes(); ++c) {
                totals.count += count_of(c);
                totals.other += other_of(c);
            }
        }
        for (Index c = 0; c < n_classes(); ++c) {
            const Number count = count_of(c);
            const Number node = node_of(c);
            const OneClass<Number> one{count, node - count, node};
            if constexpr (!Score::needs_totals) {
                totals.count += one.count;
                totals.other += one.other;
            }
            score_.add(sums, totals, one);
        }
        totals.node = static_cast<double>(totals.count + totals.other);
        return {score_.value(sums, totals), static_cast<double>(totals.count)};
    }

    template <class Number, class Count, class Node>
    double sum_alone(Count count_of, Node node_of, Number total) const {
        Sums sums;
        const Totals<Number> totals{total, 0, weight_, n_classes()};
        for (Index c = 0; c < n_classes(); ++c) {
            score_.add(sums, totals, OneClass<Number>{count_of(c), 0, node_of(c)});
        }
        return score_.value(sums, totals);
    }

    // Hand and Till's measure less 1/2, times the cases: for each class the children are ranked by its probability.
    double ranked_children(const Cell* counts, const Listed& listed, Interrupts& interrupts) const {
        const Index n_children = listed.size;
        std::vector<double> weights(n_children);
        std::vector<double> estimates(n_children);
        std::vector<Index> order(n_children);
        for (Index k = 0; k < n_children; ++k) weights[k] = weight_of(counts + Index{listed.lines[k]} * width());
        double total = 0.0;
        Index n_pairs = 0;
        for (Index i = 0; i < n_classes(); ++i) {
            if (totals_[i] <= 0) continue;
            const double factor = class_weight_ ? class_weight_[i] : 1.0;
            for (Index k = 0; k < n_children; ++k) {
                const double count = static_cast<double>(counts[Index{listed.lines[k]} * width() + i]) * factor;
                estimates[k] = (count + score_.added) / (weights[k] + static_cast<double>(n_classes()) * score_.added);
            }
            std::iota(order.begin(), order.end(), Index{0});
            std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return estimates[a] < estimates[b]; });
            for (Index j = 0; j < n_classes(); ++j) {
                if (j == i || totals_[j] <= 0) continue;
                total += rank_two_classes(counts, listed, estimates, order, i, j) / static_cast<double>(totals_[i]) /
                         static_cast<double>(totals_[j]);
                ++n_pairs;
                interrupts.after(n_children);
            }
        }
        return n_pairs ? score_.scale * weight_ * (total / static_cast<double>(n_pairs) - 0.5) : 0.0;
    }

    // Pairs of a case of class i and one of class j of which the first is ranked higher, equal ranks counting half.
    double rank_two_classes(const Cell* counts, const Listed& listed, const std::vector<double>& estimates,
                            const std::vector<Index>& order, Index i, Index j) const {
        double below = 0.0;  // cases of class j in children ranked lower
        double wins = 0.0;
        std::size_t start = 0;
        while (start < order.size()) {
            std::size_t stop = start;
            double here = 0.0;
            double other = 0.0;
            const double limit = estimates[order[start]] + equal_shares;
            while (stop < order.size() && estimates[order[stop]] <= limit) {
                const Cell* line = counts + Index{listed.lines[order[stop]]} * width();
                here += static_cast<double>(line[i]);
                other += static_cast<double>(line[j]);
                ++stop;
            }
            wins += here * (below + other / 2);
            below += other;
            start = std::max(stop, start + 1);
        }
        return wins;
    }

    const Score& score_;
    const double* class_weight_;
    Index n_classes_;
    const Total* totals_;
    double weight_;
};

}  // namespace petree
