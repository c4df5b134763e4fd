// Buntine's quality of all tests of a node, from the class counts of the values present there.
//
// `ln Q(test) = ln P(test) + sum of ln w_leaf + ln B(n^k + a) - ln B(a) over the children`. A number competes by the
// integral over its cuts and offers the best of them; the difference of the two is what the choice of the cut costs.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

#include "foundation/interrupts.hpp"
#include "foundation/random.hpp"
#include "options/evidence.hpp"
#include "search/direction.hpp"
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

// Counts nodes and rates the tests of a block of columns, whose codes stand in one matrix.
template <class Code>
class QualityScan {
  public:
    QualityScan(const Rows& rows, const Evidence& evidence, Matrix<Code> codes, Block block)
        : rows_(rows),
          evidence_(evidence),
          codes_(codes),
          first_place_(block.first),
          first_column_(std::is_same_v<Code, std::uint8_t> ? block.first : block.first - rows.columns.n_narrow),
          n_columns_(block.last - block.first),
          width_(evidence.width()) {
        Index line = 0;
        for (Index place = 0; place < block.last; ++place) {
            if (place >= block.first) centre_start_.push_back(line);
            line += rows.columns.n_bins[place] + 1;
        }
        const Index first_line = centre_start_.empty() ? 0 : centre_start_[0];
        for (const Index start : centre_start_) line_start_.push_back(start - first_line);
        counts_.assign((line - first_line) * width_, 0.0);
        drawn_.resize(n_columns_);
        std::iota(drawn_.begin(), drawn_.end(), Index{0});
        order_ = drawn_;
        totals_.resize(width_);
        first_.resize(width_);
        rest_.resize(width_);
        lowest_.resize(n_columns_);
        highest_.resize(n_columns_);
    }

    // Let columns be drawn from this order of all of them, so that what is drawn depends on no other.
    void draw_from(Vector<const Index> order) { order_.assign(order.data, order.data + order.size()); }

    // Let tests be only of these columns, by their numbers; of all where there is nothing.
    void allow(const std::uint8_t* columns) { allowed_ = columns; }

    const double* totals() const { return totals_.data(); }
    // The logarithm of what the counted node is worth as a leaf.
    double ln_leaf() const { return evidence_.ln_leaf + evidence_.of(totals_.data()); }

    // Count the classes and the rows of a node; whether it may be divided: a pure or a small one may not.
    template <class RowOf>
    bool count_node(RowOf row_of, Index n_rows) {
        std::fill(totals_.begin(), totals_.end(), 0.0);
        for (Index k = 0; k < n_rows; ++k) {
            const Index row = row_of(k);
            totals_[rows_.classes[row]] += weight_of(row);
            totals_[width_ - 1] += static_cast<double>(rows_.copies_of(row));
        }
        Index n_present = 0;
        for (Index c = 0; c + 1 < width_; ++c) n_present += totals_[c] > 0;
        return n_present > 1 && totals_[width_ - 1] >= static_cast<double>(2 * evidence_.min_rows);
    }

    // The best tests of a node that has been counted.
    template <class RowOf>
    void rate(RowOf row_of, Index n_rows, BestTests& best, Interrupts& interrupts) {
        rate_some(row_of, n_rows, n_columns_, 0, best, interrupts);
    }

    // The same of no more than so many columns that tell rows of the node apart; a key draws them.
    template <class RowOf>
    void rate_some(RowOf row_of, Index n_rows, Index most, Word key, BestTests& best, Interrupts& interrupts) {
        best.clear();
        if (n_rows == 0) return;
        weigh_node();
        Random random(key);
        Index n_telling = 0;
        for (Index first = 0; first < n_columns_ && n_telling < most;) {
            const Index last = std::min(n_columns_, first + most - n_telling);
            if (most < n_columns_) draw_columns(first, last, random);
            count_columns(row_of, n_rows, first, last, interrupts);
            for (; first < last; ++first) n_telling += rate_counted(drawn_[first], best, interrupts);
        }
    }

  private:
    // A cut whose quality is smaller by a factor of e to the power of this does not count in the integral, if it is narrow.
    static constexpr double negligible = 45.0;
    static constexpr double impossible = -std::numeric_limits<double>::infinity();

    // Draw columns to some places of the list, among those that are not before them; they stand in their own order.
    void draw_columns(Index first, Index last, Random& random) {
        if (first == 0) drawn_ = order_;
        for (Index k = first; k < last; ++k) std::swap(drawn_[k], drawn_[k + random.next_below(n_columns_ - k)]);
        std::sort(drawn_.begin() + first, drawn_.begin() + last);
    }

    // Rate the tests of a column that has been counted; whether it tells rows apart.
    bool rate_counted(Index column, BestTests& best, Interrupts& interrupts) {
        const bool tells = lowest_[column] < highest_[column];
        if (tells && (!allowed_ || allowed_[rows_.columns.numbers[first_place_ + column]])) rate_column(column, best);
        clear_column(column);
        interrupts.after(highest_[column] - lowest_[column] + 1);
        return tells;
    }

    double weight_of(Index row) const {
        const double weight = rows_.weight_of(row);
        return evidence_.class_weight.size() ? weight * evidence_.class_weight[rows_.classes[row]] : weight;
    }
    double* line(Index column, Index code) { return counts_.data() + (line_start_[column] + code) * width_; }
    Index n_bins(Index column) const { return rows_.columns.n_bins[first_place_ + column]; }

    // Count the columns at some places of the list, each into lines of its own; note the range of their codes.
    template <class RowOf>
    void count_columns(RowOf row_of, Index n_rows, Index first, Index last, Interrupts& interrupts) {
        for (Index k = first; k < last; ++k) {
            lowest_[drawn_[k]] = std::numeric_limits<Index>::max();
            highest_[drawn_[k]] = -1;
        }
        for (Index k = 0; k < n_rows; ++k) {
            const Index row = row_of(k);
            const Index label = rows_.classes[row];
            const double weight = weight_of(row);
            const double size = static_cast<double>(rows_.copies_of(row));
            const Code* codes = codes_.row(row) + first_column_;
            for (Index k_column = first; k_column < last; ++k_column) {
                const Index column = drawn_[k_column];
                const Index code = codes[column];
                double* counts = line(column, code);
                counts[label] += weight;
                counts[width_ - 1] += size;
                lowest_[column] = std::min(lowest_[column], code);
                highest_[column] = std::max(highest_[column], code);
            }
            interrupts.after(2 * (last - first));
        }
    }

    void clear_column(Index column) {
        std::fill(line(column, lowest_[column]), line(column, highest_[column] + 1), 0.0);
    }

    // Keep what a column has to offer: "is missing", then its other tests.
    void rate_column(Index column, BestTests& best) {
        const Index place = first_place_ + column;
        const Index number = rows_.columns.numbers[place];
        const double ln_test = evidence_.ln_tests[place];
        const bool has_missing = highest_[column] == n_bins(column);
        if (has_missing) {
            fill(line(column, n_bins(column)));
            best.keep({{number, IS_MISSING, 0, 0}, ln_test + pair_quality(), 0.0});
        }
        switch (rows_.columns.kinds[place]) {
            case EQUALS:
                rate_values(column, has_missing, best);
                break;
            case MULTIWAY:
                best.keep({{number, MULTIWAY, 0, has_missing ? n_bins(column) : UNSEEN},
                           ln_test + multiway_quality(column, has_missing),
                           0.0});
                break;
            default:
                rate_cuts(column, has_missing, best);
        }
    }

    // Note what the classes of the node are worth, and their sum.
    void weigh_node() {
        worth_ = 0.0;
        sum_ = 0.0;
        for (Index c = 0; c + 1 < width_; ++c) {
            if (!(totals_[c] > 0 && evidence_.alphas[c] > 0)) continue;
            worth_ += worth_of(c, totals_[c]);
            sum_ += totals_[c];
        }
    }
    // What so many cases of a class are worth, without what depends on the sum over the classes.
    double worth_of(Index label, double count) const {
        return evidence_.alphas[label] > 0 ? evidence_.log_gamma_of(label, count) - evidence_.log_gammas(label, 0) : 0.0;
    }

    // Let the first branch be a line of the counts, and the second the rest of the node.
    void fill(const double* counts) {
        std::fill(first_.begin(), first_.end(), 0.0);
        std::copy(totals_.begin(), totals_.end(), rest_.begin());
        first_sum_ = 0.0;
        first_worth_ = 0.0;
        rest_worth_ = worth_;
        extend(counts);
    }
    // Let a line move from the second branch to the first: only its own classes are worth something else then.
    void extend(const double* counts) {
        for (Index c = 0; c + 1 < width_; ++c) {
            if (counts[c] == 0) continue;
            first_worth_ -= worth_of(c, first_[c]);
            rest_worth_ -= worth_of(c, rest_[c]);
            first_[c] += counts[c];
            rest_[c] = std::max(totals_[c] - first_[c], 0.0);  // not below 0 by rounding
            first_worth_ += worth_of(c, first_[c]);
            rest_worth_ += worth_of(c, rest_[c]);
            if (evidence_.alphas[c] > 0) first_sum_ += counts[c];
        }
        first_[width_ - 1] += counts[width_ - 1];
        rest_[width_ - 1] = totals_[width_ - 1] - first_[width_ - 1];
    }

    // Whether the share of the second class goes the column's way between these branches.
    bool goes_right(Index column) const {
        return keeps_direction(rows_.columns.signs[first_place_ + column], first_[0], first_[1], rest_[0], rest_[1]);
    }

    // Quality of dividing a node into these branches; minus infinity if one is too small.
    double pair_quality() const {
        const double least = static_cast<double>(evidence_.min_rows);
        if (first_[width_ - 1] < least || rest_[width_ - 1] < least) return impossible;
        const double sums = evidence_.of_sum(first_sum_) + evidence_.of_sum(std::max(sum_ - first_sum_, 0.0));
        return 2 * evidence_.ln_leaf + evidence_.power * (first_worth_ + rest_worth_ - sums);
    }

    // Keep the tests `x = v`. The last of two values divides the rows as the first does, and a lone one as "is missing":
    // there is no second test.
    void rate_values(Index column, bool has_missing, BestTests& best) {
        const Index place = first_place_ + column;
        const Index first = lowest_[column];
        const Index last = std::min(highest_[column], n_bins(column) - 1);
        Index n_present = 0;
        Index n_seen = 0;
        for (Index code = first; code <= last; ++code) n_present += line(column, code)[width_ - 1] > 0;
        for (Index code = first; code <= last; ++code) {
            if (line(column, code)[width_ - 1] == 0) continue;
            ++n_seen;
            if (n_seen == n_present && n_present <= 2) break;
            fill(line(column, code));
            double value = pair_quality();
            Index missing = has_missing ? 1 : UNSEEN;
            if (has_missing) {
                extend(line(column, n_bins(column)));
                const double other = pair_quality();
                if (other > value + quality_tolerance) {
                    value = other;
                    missing = 0;
                }
            }
            best.keep({{rows_.columns.numbers[place], EQUALS, code, missing}, evidence_.ln_tests[place] + value, 0.0});
        }
    }

    // Quality of one branch a value; minus infinity unless two are large enough, or if "is missing" divides alike.
    double multiway_quality(Index column, bool has_missing) {
        double value = 0.0;
        Index n_large = 0;
        Index n_values = 0;
        for (Index code = lowest_[column]; code <= highest_[column]; ++code) {
            const double* counts = line(column, code);
            if (!(counts[width_ - 1] > 0)) continue;
            value += evidence_.of(counts);
            n_large += counts[width_ - 1] >= static_cast<double>(evidence_.min_rows);
            n_values += code < n_bins(column);
        }
        if (n_large < 2 || n_values < 2) return impossible;
        return value + static_cast<double>(n_bins(column) + has_missing) * evidence_.ln_leaf;
    }

    struct Integral {
        double value;  // minus infinity: there is no cut
        double best;   // quality of the best cut
        Index cut;
    };

    // Keep the test of a number, with missing values on the branch where it is better.
    void rate_cuts(Index column, bool has_missing, BestTests& best) {
        const Index place = first_place_ + column;
        Integral chosen{impossible, 0.0, 0};
        Index missing = UNSEEN;
        for (Index side = 0; side < 1 + has_missing; ++side) {  // missing values on branch 1, then on branch 0
            const Integral integral = integrate(column, side == 1);
            if (integral.value > chosen.value + quality_tolerance) {
                chosen = integral;
                missing = has_missing ? 1 - side : UNSEEN;
            }
        }
        best.keep({{rows_.columns.numbers[place], THRESHOLD, chosen.cut, missing},
                   evidence_.ln_tests[place] + chosen.value,
                   chosen.value - chosen.best});
    }

    // Integral of the quality over all cuts, the best one, and where it cuts. In an empty gap the cut nearest to its middle
    // is taken. Branch 0 may begin with the missing values.
    Integral integrate(Index column, bool with_missing) {
        const double* centres = evidence_.centres.data + centre_start_[column];
        const Index rows = width_ - 1;
        const Index first = lowest_[column];
        Index last = std::min(highest_[column], n_bins(column) - 1);
        while (last > first && line(column, last)[rows] == 0) --last;
        // halves, where the whole range would be infinite
        const double scale = centres[last] - centres[first] < std::numeric_limits<double>::infinity() ? 1.0 : 0.5;
        const double span = scale * centres[last] - scale * centres[first];
        fill(line(column, first));
        if (with_missing) extend(line(column, n_bins(column)));
        Index previous = first;
        Index below = 0;
        Index above = 0;
        double best = impossible;
        double total = 0.0;
        for (Index code = first + 1; code <= last; ++code) {
            if (line(column, code)[rows] == 0) continue;
            const double value = goes_right(column) ? pair_quality() : impossible;
            if (value > impossible) {
                const double width = (scale * centres[code] - scale * centres[previous]) / span;
                if (value > best) {  // all cuts so far weigh less
                    total = width + (total > 0 ? total * power_of_e(best - value) : 0.0);
                    if (value > best + quality_tolerance) {
                        below = previous;
                        above = code;
                    }
                    best = value;
                } else if (best - value < negligible || width > total) {
                    total += width * power_of_e(value - best);
                }
            }
            extend(line(column, code));
            previous = code;
        }
        if (total == 0) return {impossible, best, 0};
        return {best + natural_log(total), best, cut_between(centres, below, above)};
    }

    // The code behind which a cut in the middle between two codes lies.
    static Index cut_between(const double* centres, Index below, Index above) {
        const double middle = centres[below] / 2 + centres[above] / 2;
        while (below + 1 < above && centres[below + 1] < middle) ++below;
        return below;
    }

    const Rows& rows_;
    const Evidence& evidence_;
    Matrix<Code> codes_;
    Index first_place_;
    Index first_column_;  // in the matrix
    Index n_columns_;
    Index width_;                      // cells of a line: the classes, then plain rows
    std::vector<Index> centre_start_;  // by column: its first line among all centres,
    std::vector<Index> line_start_;    // and among the counts
    std::vector<double> counts_;
    std::vector<Index> drawn_;         // columns, those that were drawn first,
    std::vector<Index> order_;         // and as they stand before any is drawn
    std::vector<double> totals_;
    double worth_ = 0.0;  // of the classes of the node, and their sum
    double sum_ = 0.0;
    std::vector<double> first_;  // the same of the two branches of a test, with their counts
    std::vector<double> rest_;
    double first_worth_ = 0.0;
    double rest_worth_ = 0.0;
    double first_sum_ = 0.0;
    std::vector<Index> lowest_;
    std::vector<Index> highest_;
    const std::uint8_t* allowed_ = nullptr;
};

}  // namespace petree
