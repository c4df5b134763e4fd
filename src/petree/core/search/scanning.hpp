// The best test of one column at one node, from the class counts of the values present there.
//
// Candidates come in the order of generation: "is missing", then thresholds or categories ascending; a later one wins
// only by more than the tolerance. At a node with missing values each test is tried with them on its branch 1, then on
// its branch 0.
#pragma once

#include <array>

#include "search/direction.hpp"
#include "search/values.hpp"

namespace petree {

struct Chosen {
    double value;
    Index which = -1;        // of the values present; -1 for none
    Index missing = UNSEEN;  // the branch of missing values
};

// What is known of a node while its columns are looked at.
template <class Score, class Measure, int fixed>
class NodeScan : public NodeValues<Score, Measure, fixed> {
  public:
    using Values = NodeValues<Score, Measure, fixed>;
    using typename Values::Cell;
    using typename Values::Total;
    using Values::multiway;
    using Values::n_classes;
    using Values::pair;
    using Values::totals;
    using Values::weight;
    using Values::width;

    NodeScan(const Score& score, const SearchRules& rules, const Total* totals, Index n_classes, std::vector<Total>& scratch)
        : Values(score, rules, totals, n_classes),
          min_rows_(least_rows(rules.min_rows)),
          n_rows_(rows_of(totals)),
          tolerance_(score_tolerance * weight()) {
        scratch.resize(2 * width());
        start_ = scratch.data();
        branch_ = scratch.data() + width();
    }

    Total n_rows() const { return n_rows_; }
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
        return keeps_direction(sign_, branch[0], branch[1], totals()[0] - branch[0], totals()[1] - branch[1]);
    }

    // Let the branch under test begin with the missing values, or with nothing; its number of rows.
    Total begin_branch(const Cell* missing) {
        for (Index c = 0; c < width(); ++c) start_[c] = missing ? static_cast<Total>(missing[c]) : Total{0};
        return missing ? rows_of(missing) : Total{0};
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

    Total min_rows_;
    Total n_rows_;
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
