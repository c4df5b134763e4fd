// Values counted in cells that do not depend on their order, nor on how they come in parts.
//
// A cell has the values whose first bits are the same, where bits are put so that their order is that of the numbers. So
// many of the last bits are left out that there are no more than so many cells, and no bit more: which it are follows from
// the set of values alone, since some values never need more cells than all. While none is left out each value has a cell.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>
#include <vector>

#include "foundation/random.hpp"
#include "foundation/results.hpp"

namespace petree {

struct Cell {
    double weight;
    double low;
    double high;
};

// Minus zero is zero.
inline Word ordered_bits(double value) {
    const Word bits = std::bit_cast<Word>(value + 0.0);
    return bits >> 63 ? ~bits : bits | (Word{1} << 63);
}

// With at least two cells one bit is enough.
inline constexpr Index most_left_out = 63;

inline bool is_lower(const Cell& one, const Cell& other) { return one.low < other.low; }

// The fewest bits, but no fewer than before, without which cells in their order are no more than `most`.
inline Index enough_left_out(const std::vector<Cell>& cells, Index left_out, Index most) {
    std::array<Index, 65> n_apart{};
    for (std::size_t k = 1; k < cells.size(); ++k) {
        ++n_apart[std::bit_width(ordered_bits(cells[k - 1].low) ^ ordered_bits(cells[k].low))];
    }
    Index n_cells = 1;
    for (Index bits = 64; bits > left_out; --bits) {
        n_cells += n_apart[bits];
        if (n_cells > most) return bits;
    }
    return left_out;
}

// Put those together, of cells in their order, that are the same without so many bits.
inline void unite(std::vector<Cell>& cells, Index left_out) {
    std::size_t n_cells = 0;
    for (const Cell& cell : cells) {
        Cell* last = n_cells ? &cells[n_cells - 1] : nullptr;
        if (last && ordered_bits(last->low) >> left_out == ordered_bits(cell.low) >> left_out) {
            last->weight += cell.weight;
            last->high = std::max(last->high, cell.high);
        } else {
            cells[n_cells++] = cell;
        }
    }
    cells.resize(n_cells);
}

// Cells found by their bits, by open addressing.
class CellTable {
  public:
    CellTable(Index most, Index left_out, Index n_values) : most_(most), left_out_(left_out) {
        const Index n_expected = std::min(most, n_values) + 1;
        while ((Index{1} << n_bits_) < 2 * n_expected) ++n_bits_;
        cells_.reserve(n_expected);
        fill();
    }

    void add(double value, double weight) {
        const std::size_t slot = slot_of(value);
        if (table_[slot]) {
            Cell& cell = cells_[table_[slot] - 1];
            cell.weight += weight;
            cell.low = std::min(cell.low, value);
            cell.high = std::max(cell.high, value);
            return;
        }
        cells_.push_back({weight, value, value});
        table_[slot] = static_cast<std::int32_t>(cells_.size());
        if (static_cast<Index>(cells_.size()) > most_) coarsen();
    }

    std::vector<Cell> sorted() {
        sort();
        return std::move(cells_);
    }

    Index left_out() const { return left_out_; }

  private:
    std::size_t slot_of(double value) const {
        const Word key = ordered_bits(value) >> left_out_;
        std::size_t slot = (key * golden) >> (64 - n_bits_);
        while (table_[slot] && ordered_bits(cells_[table_[slot] - 1].low) >> left_out_ != key) {
            slot = (slot + 1) & (table_.size() - 1);
        }
        return slot;
    }

    // Only those that have come since the last time are out of order.
    void sort() {
        const auto middle = cells_.begin() + static_cast<std::ptrdiff_t>(n_sorted_);
        std::sort(middle, cells_.end(), is_lower);
        std::inplace_merge(cells_.begin(), middle, cells_.end(), is_lower);
    }

    void coarsen() {
        sort();
        left_out_ = enough_left_out(cells_, left_out_, most_);
        unite(cells_, left_out_);
        n_sorted_ = cells_.size();
        fill();
    }

    void fill() {
        table_.assign(std::size_t{1} << n_bits_, 0);
        for (std::size_t k = 0; k < cells_.size(); ++k) table_[slot_of(cells_[k].low)] = static_cast<std::int32_t>(k + 1);
    }

    Index most_;
    int n_bits_ = 2;
    Index left_out_;
    std::size_t n_sorted_ = 0;
    std::vector<Cell> cells_;
    std::vector<std::int32_t> table_;
};

using MadeCells = std::tuple<Index, Made<double, 2>>;

inline MadeCells as_made(const std::vector<Cell>& cells, Index left_out) {
    Made<double, 2> made;
    made.width = 3;
    made.data.reserve(3 * cells.size());
    for (const Cell& cell : cells) made.data.insert(made.data.end(), {cell.weight, cell.low, cell.high});
    return {left_out, std::move(made)};
}

// How many bits are left out, no fewer than given, and the cells in their order; without weights each value weighs 1.
inline MadeCells cells_of(Vector<const double> values, Vector<const double> weights, Index left_out, Index most) {
    require(left_out >= 0 && left_out <= most_left_out, "There must be 0 to 63 bits that are left out.");
    require(most >= 2 && most <= (Index{1} << 26), "There must be 2 to 2^26 cells.");
    require(weights.size() == 0 || weights.size() == values.size(), "There must be a weight for each value, or none.");
    CellTable table(most, left_out, values.size());
    for (Index row = 0; row < values.size(); ++row) {
        require(values[row] == values[row], "A value is missing.");
        table.add(values[row] + 0.0, weights.size() ? weights[row] : 1.0);
    }
    return as_made(table.sorted(), table.left_out());
}

inline std::vector<Cell> read_cells(Matrix<const double> lines) {
    require(lines.length() == 0 || lines.width() == 3, "A cell must have a weight, a least and a greatest value.");
    std::vector<Cell> cells;
    cells.reserve(lines.length());
    for (Index k = 0; k < lines.length(); ++k) {
        const Cell cell{lines(k, 0), lines(k, 1), lines(k, 2)};
        require(cell.low <= cell.high && (cells.empty() || cells.back().high < cell.low), "Cells must be in their order.");
        cells.push_back(cell);
    }
    return cells;
}

// The cells of all values of which some are in these cells, and the others in those.
inline MadeCells join_cells(Matrix<const double> these, Index left_out, Matrix<const double> those, Index left_out_there,
                            Index most) {
    require(most >= 2, "There must be at least 2 cells.");
    require(std::min(left_out, left_out_there) >= 0 && std::max(left_out, left_out_there) <= most_left_out,
            "There must be 0 to 63 bits that are left out.");
    const std::vector<Cell> first = read_cells(these);
    const std::vector<Cell> second = read_cells(those);
    std::vector<Cell> all(first.size() + second.size());
    std::merge(first.begin(), first.end(), second.begin(), second.end(), all.begin(), is_lower);
    left_out = std::max(left_out, left_out_there);
    unite(all, left_out);
    left_out = enough_left_out(all, left_out, most);
    unite(all, left_out);
    return as_made(all, left_out);
}

}  // namespace petree
