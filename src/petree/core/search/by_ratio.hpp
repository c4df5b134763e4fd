// The best test of each open node by the ratio of its score to its split information.
//
// The choice looks at all candidates of a node: only those whose score is at least the mean, less a slack, may win. So one
// call sees all columns, narrow and wide, and keeps a list of the candidates of the node.
#pragma once

#include <cmath>

#include "search/by_value.hpp"
#include "search/candidates.hpp"

namespace petree {

// Candidates whose score is at least the mean less `slack` may win. Where candidates are whole columns (`by_column`) each
// column offers its best cut alone. C4.5's rules about cuts hold where `is_restricted`; a column of at least `many_values`
// categories is left out of the mean.
struct RatioRules {
    double slack;
    bool by_column;
    bool is_restricted;
    double many_values;
};

template <class Score, class Measure>
class RatioSearch {
  public:
    using Cell = typename Measure::Cell;
    using Total = typename Measure::Total;

    RatioSearch(const Score& score, const SearchRules& rules, const RatioRules& ratio, const NLogN& n_log_n, const Rows& rows,
                Index most_rows)
        : score_(score),
          rules_(rules),
          ratio_(ratio),
          n_log_n_(n_log_n),
          rows_(rows),
          narrow_(rows, 0, rows.columns.n_narrow, width()),
          wide_(rows, rows.columns.n_narrow, rows.columns.size(), most_rows, width()) {}

    // The best test of a node; its value is the ratio times the cases.
    void search(const Nodes& nodes, Index node, double& value, Test& test, Interrupts& interrupts) {
        fill_totals<Measure>(rows_, nodes, node, totals_);
        orders_.begin(rows_.n_classes, rules_.class_weight);
        candidates_.clear();
        const std::uint8_t* allowed = nodes.allowed_at(node);
        with_scan<Score, Measure>(score_, rules_, totals_.data(), rows_.n_classes, scratch_, [&](auto& scan) {
            const double unsplit = scan.unsplit();
            narrow_.begin(rows_.classes.data, nodes.start(node), nodes.stop(node), width(), interrupts);
            wide_.begin(rows_.classes.data, nodes.start(node), nodes.stop(node), width(), interrupts);
            for (Index place : rows_.columns.places) {  // in the user's order, which decides ties
                const bool is_allowed = !allowed || allowed[rows_.columns.numbers[place]];
                if (rows_.columns.is_narrow(place)) {
                    enter_column(scan, narrow_, place, unsplit, is_allowed, interrupts);
                } else {
                    enter_column(scan, wide_, place, unsplit, is_allowed, interrupts);
                }
                interrupts.after(nodes.n_rows(node));
            }
            value = candidates_.choose(scan.weight(), ratio_.slack, test) * scan.weight();
        });
    }

  private:
    Index width() const { return rows_.n_classes + Measure::counts_rows; }

    // w log2 w of a weight, which is whole where there is a table.
    double bits(double weight) const {
        return n_log_n_.size && !Measure::counts_rows ? n_log_n_(static_cast<Index>(weight)) : n_log_n_(weight);
    }
    // What a division in two tells; rows that are left out, since their value is missing, are a third part (C4.5).
    double information(double whole, double part) const {
        return bits(whole + left_out_) - bits(part) - bits(whole - part) - bits(left_out_);
    }

    template <class Scan, class Counter>
    void enter_column(Scan& scan, Counter& counter, Index place, double unsplit, bool is_allowed, Interrupts& interrupts) {
        if (!counter.varies(place)) return;
        const Listed& listed = counter.list(place);
        const bool is_known = !rules_.known_only || !lists_missing(listed, rows_.columns.missing_code(place));
        if (is_allowed && is_known) {
            scan.set_direction(rows_.columns.signs[place]);
            enter_tests(scan, counter.counts(), listed, place, unsplit, interrupts);
        } else if (is_allowed) {
            enter_known(scan.weight(), counter.counts(), listed, place, interrupts);
        }
        counter.clear();
    }

    // Enter the candidates of a column with missing values, valued among the rows that have one there.
    void enter_known(double weight, const Cell* counts, const Listed& listed, Index place, Interrupts& interrupts) {
        leave_out(totals_.data(), counts + Index{listed.lines[listed.size - 1]} * width(), width(), known_totals_);
        known_.take(listed, listed.size - 1);
        with_scan<Score, Measure>(score_, rules_, known_totals_.data(), rows_.n_classes, known_scratch_, [&](auto& known) {
            known.set_direction(rows_.columns.signs[place]);
            left_out_ = weight - known.weight();
            enter_tests(known, counts, known_, place, known.unsplit(), interrupts);
            left_out_ = 0.0;
        });
    }

    // Enter all candidates of a column, in the order of generation.
    template <class Scan>
    void enter_tests(Scan& scan, const Cell* counts, const Listed& listed, Index place, double unsplit,
                     Interrupts& interrupts) {
        if (listed.size < 2) return;
        const Index n_bins = rows_.columns.n_bins[place];
        const Index kind = rows_.columns.kinds[place];
        const Index column = rows_.columns.numbers[place];
        const bool has_missing = lists_missing(listed, n_bins);
        const Cell* missing = has_missing ? counts + Index{listed.lines[listed.size - 1]} * scan.width() : nullptr;
        const Index n_present = listed.size - has_missing;
        if (has_missing && scan.divides(scan.rows_of(missing))) {
            const Value pair = scan.pair(missing);
            candidates_.enter({pair.value - unsplit, information(scan.weight(), pair.weight), true, column, IS_MISSING, 0, 0});
        }
        if (kind == MULTIWAY) {
            enter_multiway(scan, counts, listed, place, unsplit, interrupts);
        } else if (kind == IN) {
            enter_sets(scan, counts, listed, n_present, missing, column, unsplit, interrupts);
        } else if (n_present >= 2 && ratio_.by_column) {
            enter_best_cut(scan, counts, listed, n_present, missing, column, unsplit);
        } else if (n_present >= 2) {
            const std::size_t first = candidates_.size();
            enter_values(scan, counts, listed, n_present, nullptr, {column, kind, 0, has_missing ? 1 : UNSEEN}, unsplit, first);
            if (has_missing) enter_values(scan, counts, listed, n_present, missing, {column, kind, 0, 0}, unsplit, first);
            for (std::size_t k = first; kind == THRESHOLD && k < candidates_.size(); ++k) {
                Candidate& one = candidates_[k];
                one.cut = rows_.columns.middle_cut(place, one.cut, listed.above(one.cut));
            }
        }
    }

    template <class Scan>
    void enter_multiway(Scan& scan, const Cell* counts, const Listed& listed, Index place, double unsplit,
                        Interrupts& interrupts) {
        if (!scan.has_two_large(counts, listed)) return;
        const Index n_bins = rows_.columns.n_bins[place];
        const bool has_missing = lists_missing(listed, n_bins);
        double information = bits(scan.weight() + left_out_) - bits(left_out_);
        for (Index k = 0; k < listed.size; ++k) {
            information -= bits(scan.weight_of(counts + Index{listed.lines[k]} * scan.width()));
        }
        candidates_.enter({scan.multiway(counts, listed, interrupts) - unsplit, information,
                           static_cast<double>(n_bins) < ratio_.many_values, rows_.columns.numbers[place], MULTIWAY, 0,
                           has_missing ? n_bins : UNSEEN});
    }

    // Enter the sets that the orders of a column's categories give: the cuts of each order.
    template <class Scan>
    void enter_sets(Scan& scan, const Cell* counts, const Listed& listed, Index n_present, const Cell* missing, Index column,
                    double unsplit, Interrupts& interrupts) {
        orders_.look_at(counts, listed, n_present, scan.width());
        for (Index which = 0; which < orders_.size(); ++which) {
            const Listed& ordered = orders_.order(which);
            const std::size_t first = candidates_.size();
            enter_values(scan, counts, ordered, n_present, nullptr, {column, THRESHOLD, 0, missing ? 1 : UNSEEN}, unsplit, first);
            if (missing) enter_values(scan, counts, ordered, n_present, missing, {column, THRESHOLD, 0, 0}, unsplit, first);
            for (std::size_t k = first; k < candidates_.size(); ++k) {
                Candidate& one = candidates_[k];
                candidates_.give_set(one, as_set(scan, counts, ordered, n_present, {column, THRESHOLD, one.cut, one.missing}));
            }
            interrupts.after(n_present * scan.n_classes());
        }
    }

    // Enter the binary tests of a column from the line `first` on, those without enough rows as impossible. With
    // missing values on branch 0 (`missing` their line) a test replaces itself with them on branch 1 if it is better.
    template <class Scan>
    void enter_values(Scan& scan, const Cell* counts, const Listed& listed, Index n_present, const Cell* missing, Test test,
                      double unsplit, std::size_t first) {
        const Total start_rows = scan.begin_branch(missing);
        const bool are_thresholds = test.kind == THRESHOLD;
        Total rows = start_rows;
        std::copy(scan.start(), scan.start() + scan.width(), scan.branch());
        for (Index k = 0; k < n_present - are_thresholds; ++k) {
            const Cell* line = counts + Index{listed.lines[k]} * scan.width();
            for (Index c = 0; c < scan.width(); ++c) {
                scan.branch()[c] = (are_thresholds ? scan.branch()[c] : scan.start()[c]) + static_cast<Total>(line[c]);
            }
            rows = (are_thresholds ? rows : start_rows) + scan.rows_of(line);
            test.cut = listed.codes[k];
            Candidate candidate{minus_infinity, 0.0, true, test.column, test.kind, test.cut, test.missing};
            if (scan.divides(rows) && scan.goes_right(scan.branch())) {
                const Value pair = scan.pair(scan.branch());
                candidate.value = pair.value - unsplit;
                candidate.information = information(scan.weight(), pair.weight);
            }
            if (!missing) {
                candidates_.enter(candidate);
            } else if (candidate.value > candidates_[first + k].value + scan.tolerance()) {
                candidates_[first + k] = candidate;
            }
        }
    }

    // Rows with known values that a cut must leave on both sides: C4.5 asks for a tenth of a class, from 2 to 25.
    Total least_known(Total known) const {
        if (!ratio_.is_restricted) return static_cast<Total>(rules_.min_rows);
        const double tenth = 0.1 * static_cast<double>(known) / static_cast<double>(rows_.n_classes);
        const double least = std::ceil(std::min(std::max(tenth, 2.0), 25.0));
        return static_cast<Total>(std::max(static_cast<double>(rules_.min_rows), least));
    }

    // Enter the best threshold of a column, by its value, as the column's only candidate.
    template <class Scan>
    void enter_best_cut(Scan& scan, const Cell* counts, const Listed& listed, Index n_present, const Cell* missing,
                        Index column, double unsplit) {
        const Total n_missing = missing ? scan.rows_of(missing) : Total{0};
        const Total known = scan.n_rows() - n_missing;
        const Total least = least_known(known);
        Candidate candidate{minus_infinity, 0.0, true, column, THRESHOLD, -1, UNSEEN};
        double best_weight = 0.0;
        Total rows = 0;
        Index n_cuts = 0;
        Total* without = scan.start();  // the branch without the missing values, and with them
        Total* with = scan.branch();
        std::fill_n(without, scan.width(), Total{0});
        for (Index k = 0; k < n_present - 1; ++k) {
            const Cell* line = counts + Index{listed.lines[k]} * scan.width();
            rows += scan.rows_of(line);
            for (Index c = 0; c < scan.width(); ++c) {
                without[c] += static_cast<Total>(line[c]);
                with[c] = without[c] + (missing ? static_cast<Total>(missing[c]) : Total{0});
            }
            if (ratio_.is_restricted && std::min(rows, known - rows) < least) continue;
            ++n_cuts;
            for (Index side = 1; side >= (missing ? 0 : 1); --side) {  // missing values on branch 1, then on branch 0
                if (!scan.divides(side ? rows : rows + n_missing) || !scan.goes_right(side ? without : with)) continue;
                const Value pair = scan.pair(side ? without : with);
                if (pair.value > candidate.value + scan.tolerance()) {
                    candidate.value = pair.value;
                    candidate.cut = listed.codes[k];
                    candidate.missing = missing ? side : UNSEEN;
                    best_weight = pair.weight;
                }
            }
        }
        if (candidate.cut < 0) return;
        candidate.cut = rows_.columns.middle_cut(rows_.columns.places[column], candidate.cut, listed.above(candidate.cut));
        candidate.value -= unsplit;
        if (ratio_.is_restricted) candidate.value -= Score::cut_penalty(n_cuts);
        candidate.information = information(scan.weight(), best_weight);
        candidates_.enter(candidate);
    }

    const Score& score_;
    const SearchRules& rules_;
    const RatioRules& ratio_;
    const NLogN& n_log_n_;
    const Rows& rows_;
    NarrowCounter<Measure> narrow_;
    WideCounter<Measure> wide_;
    std::vector<Total> scratch_;
    std::vector<Total> totals_;
    // Of the column with missing values at hand, where only known ones count: its other codes, what the node has there, and
    // the weight of the rows without a value.
    Listed known_{0};
    std::vector<Total> known_totals_;
    std::vector<Total> known_scratch_;
    double left_out_ = 0.0;
    Candidates candidates_;
    CategoryOrders orders_;
};

template <class Measure, class Score>
void best_by_ratio(const Score& score, const SearchRules& rules, const RatioRules& ratio, const NLogN& n_log_n,
                   const Rows& rows, const Nodes& nodes, const Best& best, Interrupts& interrupts) {
    RatioSearch<Score, Measure> search(score, rules, ratio, n_log_n, rows, nodes.most_rows());
    for (Index node = 0; node < nodes.size(); ++node) {
        search.search(nodes, node, best.values(node, 0), best.tests[node], interrupts);
        best.values(node, 1) = 0.0;
    }
}

}  // namespace petree
