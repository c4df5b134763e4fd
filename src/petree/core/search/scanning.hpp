// The best test of one column at one node, from the class counts of the values present there.
//
// Candidates come in the order of generation: "is missing", then thresholds or categories ascending; a later one wins
// only by more than the tolerance. At a node with missing values each test is tried with them on its branch 1, then on
// its branch 0.
#pragma once

#include <array>
#include <limits>
#include <numeric>

#include "scores/score.hpp"
#include "search/counting.hpp"
#include "search/direction.hpp"

namespace petree {

inline constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// Scores that differ by no more than this, a case, are equal: rounding grows with the cases, not with the score.
inline constexpr double score_tolerance = 1e-12;

// What counts as a whole row of those that parts of rows make together.
inline constexpr double least_of_row = 1 - 1e-9;

// What a search is about beside the score: children have at least `min_rows` rows, and classes may have weights. Where only
// known values count (`known_only`), a test is worth what it gains among the rows whose value it asks for is known.
struct SearchRules {
    Index min_rows = 1;
    std::vector<double> class_weight;
    bool known_only = false;
};

// Whether missing values are among those that are listed, which have the last code.
inline bool lists_missing(const Listed& listed, Index missing_code) {
    return listed.size > 0 && Index{listed.codes[listed.size - 1]} == missing_code;
}

// What is left of the totals of a node without a line of counts.
template <class Total, class Cell>
void leave_out(const Total* totals, const Cell* line, Index width, std::vector<Total>& rest) {
    rest.resize(width);
    for (Index c = 0; c < width; ++c) rest[c] = std::max(totals[c] - static_cast<Total>(line[c]), Total{0});
}

struct Value {
    double value;
    double weight;  // of the first branch
};

struct Chosen {
    double value;
    Index which = -1;        // of the values present; -1 for none
    Index missing = UNSEEN;  // the branch of missing values
};

// What is known of a node while its columns are looked at. Where the number of classes is known to the compiler
// (`fixed`) sums stay in registers; 0 is any number.
template <class Score, class Measure, int fixed>
class NodeScan {
  public:
    using Cell = typename Measure::Cell;
    using Total = typename Measure::Total;

    // `totals` are the class counts of the node and, where rows are counted apart, their number.
    NodeScan(const Score& score, const SearchRules& rules, const Total* totals, Index n_classes, std::vector<Total>& scratch)
        : score_(score),
          class_weight_(rules.class_weight.empty() ? nullptr : rules.class_weight.data()),
          min_rows_(least_rows(rules.min_rows)),
          n_classes_(n_classes),
          totals_(totals),
          n_rows_(rows_of(totals)),
          weight_(weight_of(totals)),
          tolerance_(score_tolerance * weight_) {
        scratch.resize(2 * width());
        start_ = scratch.data();
        branch_ = scratch.data() + width();
    }

    Index n_classes() const { return fixed > 0 ? fixed : n_classes_; }
    Index width() const { return n_classes() + Measure::counts_rows; }
    Total n_rows() const { return n_rows_; }
    double weight() const { return weight_; }
    double tolerance() const { return tolerance_; }
    // From here on, the share of the second class must go this way between the two sides of a cut.
    void set_direction(Index sign) { sign_ = sign; }
    Total* start() { return start_; }
    Total* branch() { return branch_; }

    // Rows behind a line of counts.
    template <class Count>
    PETREE_INLINE Total rows_of(const Count* line) const {
        if constexpr (Measure::counts_rows) {
            return line[n_classes()];
        } else {
            Index rows = 0;
            for (Index c = 0; c < n_classes(); ++c) rows += static_cast<Index>(line[c]);
            return rows;
        }
    }
    bool is_large(Total rows) const { return rows >= min_rows_; }
    PETREE_INLINE bool divides(Total rows) const { return rows >= min_rows_ && n_rows_ - rows >= min_rows_; }

    // Whether the share of the second class goes the right way from a branch of lower values to the rest of the node.
    PETREE_INLINE bool goes_right(const Total* branch) const {
        if constexpr (fixed != 2) return true;  // only two classes have a direction
        return keeps_direction(sign_, branch[0], branch[1], totals_[0] - branch[0], totals_[1] - branch[1]);
    }

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

    // Let the branch under test begin with the missing values, or with nothing; its number of rows.
    Total begin_branch(const Cell* missing) {
        for (Index c = 0; c < width(); ++c) start_[c] = missing ? static_cast<Total>(missing[c]) : Total{0};
        return missing ? rows_of(missing) : Total{0};
    }

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
    // C4.5 asks for two children with enough rows.
    bool has_two_large(const Cell* counts, const Listed& listed) const {
        Index n_large = 0;
        for (Index k = 0; k < listed.size; ++k) n_large += is_large(rows_of(counts + Index{listed.lines[k]} * width()));
        return n_large >= 2;
    }

    // Best test of a column that beats the best one so far; whether there is one.
    bool scan_column(const Cell* counts, const Listed& listed, Index kind, Index missing_code, double& best, Test& test,
                     Interrupts& interrupts) {
        if (listed.size < 2) return false;
        bool is_better = false;
        const bool has_missing = lists_missing(listed, missing_code);
        const Cell* missing = has_missing ? counts + Index{listed.lines[listed.size - 1]} * width() : nullptr;
        const Index n_present = listed.size - has_missing;
        if (has_missing && divides(rows_of(missing))) {
            const double value = pair(missing).value;
            if (value > best + tolerance_) {
                best = value;
                test = {test.column, IS_MISSING, 0, 0};
                is_better = true;
            }
        }
        if (kind == MULTIWAY) {
            if (!has_two_large(counts, listed)) return is_better;
            const double value = multiway(counts, listed, interrupts);
            if (!(value > best + tolerance_)) return is_better;
            best = value;
            test = {test.column, MULTIWAY, 0, has_missing ? missing_code : UNSEEN};
            return true;
        }
        if (n_present < 2) return is_better;  // a lone value against the missing ones is the test "is missing"
        const Chosen chosen = scan_binary(counts, listed, kind, n_present, missing, best);
        if (chosen.which < 0) return is_better;
        best = chosen.value;
        test = {test.column, kind, Index{listed.codes[chosen.which]}, chosen.missing};
        return true;
    }

  private:
    // Sums of parts come with residues of rounding.
    static Total least_rows(Index rows) {
        if constexpr (Measure::counts_rows) return static_cast<Total>(rows - 1) + least_of_row;
        return static_cast<Total>(rows);
    }

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

    // Best binary test of a column, with the branch of its missing values.
    Chosen scan_binary(const Cell* counts, const Listed& listed, Index kind, Index n_present, const Cell* missing,
                       double best) {
        const Chosen without = scan_values(counts, listed, kind, n_present, nullptr, best);
        if (!missing) return without;
        const Chosen with = scan_values(counts, listed, kind, n_present, missing, best);
        const bool is_earlier = with.which < without.which && with.value >= without.value - tolerance_;
        if (with.which >= 0 && (without.which < 0 || with.value > without.value + tolerance_ || is_earlier)) {
            return {with.value, with.which, 0};
        }
        return {without.value, without.which, 1};
    }

    Chosen scan_values(const Cell* counts, const Listed& listed, Index kind, Index n_present, const Cell* missing,
                       double best) {
        const Total rows = begin_branch(missing);
        if constexpr (fixed == 2) {  // only two classes have a direction
            if (kind == THRESHOLD && sign_ != 0) return scan_tests<true, true>(counts, listed, n_present - 1, rows, best);
        }
        if (kind == THRESHOLD) return scan_tests<true, false>(counts, listed, n_present - 1, rows, best);
        // Of two values without missing ones the second makes the division of the first again, which has won by then.
        const bool are_alike = n_present == 2 && listed.size == 2;
        return scan_tests<false, false>(counts, listed, are_alike ? 1 : n_present, rows, best);
    }

    // Best `x < t`, after which of the present values it cuts, or best `x = v`. This loop knows nothing of missing values,
    // for speed: a choice made inside would cost more than the rest. Cuts may have a direction.
    template <bool are_thresholds, bool are_directed>
    Chosen scan_tests(const Cell* counts, const Listed& listed, Index n_tests, Total start_rows, double best) {
        std::array<Total, fixed + 1> registers{};  // the branch, where its width is known
        Total* branch = fixed > 0 ? registers.data() : branch_;
        Chosen chosen{best};
        Total rows = start_rows;
        for (Index c = 0; c < width(); ++c) branch[c] = start_[c];
        for (Index k = 0; k < n_tests; ++k) {
            const Cell* line = counts + Index{listed.lines[k]} * width();
            if (!are_thresholds) rows = start_rows;
            for (Index c = 0; c < width(); ++c) {
                branch[c] = (are_thresholds ? branch[c] : start_[c]) + static_cast<Total>(line[c]);
                if constexpr (!Measure::counts_rows) rows += static_cast<Total>(line[c]);
            }
            if constexpr (Measure::counts_rows) rows = branch[n_classes()];
            if (!divides(rows)) continue;
            if constexpr (are_directed) {
                if (!goes_right(branch)) continue;
            }
            const double value = pair(branch).value;
            if (value > chosen.value + tolerance_) {
                chosen.value = value;
                chosen.which = k;
            }
        }
        return chosen;
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
    Total min_rows_;
    Index n_classes_;
    const Total* totals_;
    Total n_rows_;
    double weight_;
    double tolerance_;
    Index sign_ = 0;
    Total* start_ = nullptr;
    Total* branch_ = nullptr;
};

// Call a function with a scan of a node; nodes of few classes, which most are, have loops of their own.
template <class Score, class Measure, class Function>
void with_scan(const Score& score, const SearchRules& rules, const typename Measure::Total* totals, Index n_classes,
               std::vector<typename Measure::Total>& scratch, Function function) {
    const auto call = [&]<int fixed>() {
        NodeScan<Score, Measure, fixed> scan(score, rules, totals, n_classes, scratch);
        function(scan);
    };
    if (n_classes == 2) return call.template operator()<2>();
    if constexpr (!Measure::counts_rows) {
        if (n_classes == 3) return call.template operator()<3>();
    }
    return call.template operator()<0>();
}

}  // namespace petree
