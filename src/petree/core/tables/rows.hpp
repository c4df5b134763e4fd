// The rows of a coded table: codes, class, weight and place of each, which move together when rows are divided.
#pragma once

#include "foundation/views.hpp"
#include "tables/columns.hpp"

namespace petree {

// Rows of weight 1, rows that stand for whole copies (`copies` is not empty), or rows of any weight (`weights` is not
// empty). Of rows that were divided among several branches, `parts` says how much of a row is there; it is empty where none
// was. `order` says which rows of the training table they are.
class Rows {
  public:
    Columns columns;
    Index n_classes;
    Matrix<std::uint8_t> narrow;
    Matrix<std::uint32_t> wide;
    Vector<std::uint16_t> classes;
    Vector<std::uint32_t> copies;
    Vector<double> weights;
    Vector<double> parts;
    Vector<std::uint32_t> order;

    Index size() const { return classes.size(); }
    bool are_weighted() const { return weights.size() > 0; }
    bool have_copies() const { return copies.size() > 0; }
    bool are_divided() const { return parts.size() > 0; }
    // How many rows a row of any weight counts for.
    double part_of(Index row) const { return are_divided() ? parts[row] : 1.0; }
    Index copies_of(Index row) const { return have_copies() ? copies[row] : 1; }
    double weight_of(Index row) const {
        return are_weighted() ? weights[row] : have_copies() ? static_cast<double>(copies[row]) : 1.0;
    }

    // Refuse what the loops could not read. They rely on it from here on: nobody else may write into the arrays, and rows
    // must not be divided while another thread reads the same ones.
    void check() {
        columns.n_narrow = narrow.width();
        const Index n = size();
        require(n_classes >= 1 && n_classes <= 65536, "There must be 1 to 65536 classes.");
        require(narrow.length() == n && wide.length() == n && order.size() == n,
                "'narrow', 'wide', 'classes' and 'order' must have a line for each row.");
        require(n_classes == 2 || !columns.have_directions(), "Columns have signs only where there are two classes.");
        require(narrow.width() + wide.width() == columns.size(), "There must be codes for every column.");
        require(copies.size() == 0 || copies.size() == n, "'copies' must be empty or have a number for each row.");
        require(weights.size() == 0 || weights.size() == n, "'weights' must be empty or have a number for each row.");
        require(copies.size() == 0 || weights.size() == 0, "Rows have copies or weights, not both.");
        require(parts.size() == 0 || weights.size() == n, "Only rows of any weight have parts.");
        require(parts.size() == 0 || parts.size() == n, "'parts' must be empty or have a number for each row.");
        for (Index row = 0; row < parts.size(); ++row) {
            require(parts[row] >= 0 && parts[row] <= 0x1p53, "A part of a row is out of range.");
        }
        Index cases = copies.size() ? 0 : n;
        for (Index row = 0; row < copies.size(); ++row) cases += copies[row];
        require(std::max(n, cases) < (Index{1} << 32), "There must be fewer than 2^32 cases.");
        check_codes();
    }

  private:
    void check_codes() const {
        std::uint16_t highest = 0;
        for (Index row = 0; row < size(); ++row) highest = std::max(highest, classes[row]);
        require(highest < n_classes, "A class is out of range.");
        for (Index place = 0; place < columns.n_narrow; ++place) {
            require(columns.n_bins[place] <= most_narrow_bins, "A narrow column has at most 255 bins.");
        }
        require(are_in_range(narrow, 0) && are_in_range(wide, columns.n_narrow), "A code is behind the bins of its column.");
    }
    template <class Code>
    bool are_in_range(Matrix<Code> codes, Index first_place) const {
        const Index width = codes.width();
        std::vector<Code> highest(width, 0);
        for (Index row = 0; row < codes.length(); ++row) {
            const Code* line = codes.row(row);
            for (Index column = 0; column < width; ++column) highest[column] = std::max(highest[column], line[column]);
        }
        for (Index column = 0; column < width; ++column) {
            if (Index{highest[column]} > columns.n_bins[first_place + column]) return false;
        }
        return true;
    }
};

// A node is a slice `start:stop` of the rows.
struct Slice {
    Index start;
    Index stop;
};

// The slice of a node; refused where there are no such rows.
inline Slice slice_of(const Rows& rows, Matrix<const Index> slices, Index node) {
    require(slices.width() == 2, "A slice of rows has a start and a stop.");
    const Slice slice{slices(node, 0), slices(node, 1)};
    require(slice.start >= 0 && slice.start <= slice.stop && slice.stop <= rows.size(), "A node has rows that are not there.");
    return slice;
}

inline void check_slices(const Rows& rows, Matrix<const Index> slices) {
    for (Index node = 0; node < slices.length(); ++node) slice_of(rows, slices, node);
}

}  // namespace petree
