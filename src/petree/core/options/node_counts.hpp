// The class counts of a node, and those of the values of its columns.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "foundation/interrupts.hpp"
#include "options/evidence.hpp"

namespace petree {

// Counts one node after the other. The codes of a block of columns stand in one matrix; columns are known by their number in
// the block. A line of counts has a cell for each class, then plain rows.
template <class Code>
class NodeCounts {
  public:
    NodeCounts(const Rows& rows, const Evidence& evidence, Matrix<Code> codes, Block block)
        : rows_(rows),
          evidence_(evidence),
          codes_(codes),
          first_place_(block.first),
          first_column_(std::is_same_v<Code, std::uint8_t> ? block.first : block.first - rows.columns.n_narrow),
          width_(evidence.width()),
          totals_(evidence.width()),
          lowest_(block.last - block.first),
          highest_(block.last - block.first) {
        Index n_lines = 0;
        for (Index place = block.first; place < block.last; ++place) {
            line_start_.push_back(n_lines);
            n_lines += rows.columns.n_bins[place] + 1;
        }
        counts_.assign(n_lines * width_, 0.0);
    }

    const double* totals() const { return totals_.data(); }
    double* line(Index column, Index code) { return counts_.data() + (line_start_[column] + code) * width_; }
    double n_rows(Index column, Index code) { return line(column, code)[width_ - 1]; }
    Index n_bins(Index column) const { return rows_.columns.n_bins[first_place_ + column]; }
    Index lowest(Index column) const { return lowest_[column]; }
    Index highest(Index column) const { return highest_[column]; }
    // The highest code that is a value.
    Index highest_value(Index column) const { return std::min(highest_[column], n_bins(column) - 1); }

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

    // Count some columns, each into lines of its own, and note the range of their codes.
    template <class RowOf>
    void count_columns(RowOf row_of, Index n_rows, std::span<const Index> columns, Interrupts& interrupts) {
        for (const Index column : columns) {
            lowest_[column] = std::numeric_limits<Index>::max();
            highest_[column] = -1;
        }
        for (Index k = 0; k < n_rows; ++k) {
            const Index row = row_of(k);
            const Index label = rows_.classes[row];
            const double weight = weight_of(row);
            const double size = static_cast<double>(rows_.copies_of(row));
            const Code* codes = codes_.row(row) + first_column_;
            for (const Index column : columns) {
                const Index code = codes[column];
                double* counts = line(column, code);
                counts[label] += weight;
                counts[width_ - 1] += size;
                lowest_[column] = std::min(lowest_[column], code);
                highest_[column] = std::max(highest_[column], code);
            }
            interrupts.after(2 * static_cast<Index>(columns.size()));
        }
    }

    void clear_column(Index column) {
        std::fill(line(column, lowest_[column]), line(column, highest_[column] + 1), 0.0);
    }

  private:
    double weight_of(Index row) const {
        const double weight = rows_.weight_of(row);
        return evidence_.class_weight.size() ? weight * evidence_.class_weight[rows_.classes[row]] : weight;
    }

    const Rows& rows_;
    const Evidence& evidence_;
    Matrix<Code> codes_;
    Index first_place_;
    Index first_column_;  // in the matrix
    Index width_;
    std::vector<double> totals_;
    std::vector<Index> line_start_;
    std::vector<double> counts_;
    std::vector<Index> lowest_;
    std::vector<Index> highest_;
};

}  // namespace petree
