// Count classes by column value at a node: a line of class counts for each code, and a list of the codes present.
//
// A node is a slice `start:stop` of the rows, which stand together. What was counted is cleared again line by line, so
// that nothing is ever visited that is not there.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "foundation/bits.hpp"
#include "foundation/interrupts.hpp"
#include "search/measures.hpp"
#include "tables/rows.hpp"

namespace petree {

// The codes present in a column, ascending, and their lines in the counts.
struct Listed {
    std::vector<std::uint32_t> codes;
    std::vector<std::uint32_t> lines;
    Index size = 0;

    explicit Listed(Index room) : codes(room), lines(room) {}
    void make_room(Index room) {
        if (room <= static_cast<Index>(codes.size())) return;
        codes.resize(room);
        lines.resize(room);
    }
    // Take over the first so many of others.
    void take(const Listed& others, Index n) {
        make_room(n);
        std::copy_n(others.codes.begin(), n, codes.begin());
        std::copy_n(others.lines.begin(), n, lines.begin());
        size = n;
    }
    // The next higher of the codes.
    Index above(Index code) const {
        return Index{*std::upper_bound(codes.begin(), codes.begin() + size, static_cast<std::uint32_t>(code))};
    }
    void add(Index code, Index line) {
        codes[size] = static_cast<std::uint32_t>(code);
        lines[size] = static_cast<std::uint32_t>(line);
        ++size;
    }
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

// Add rows of one column to the lines from `base` on.
template <class Measure, class Code>
void count_rows(const Rows& rows, const std::uint16_t* classes, Matrix<Code> codes, Index column, Index start, Index stop,
                typename Measure::Cell* base, Index width) {
    const Index stride = codes.width();
    const Code* code = codes.data + start * stride + column;
    if constexpr (Measure::counts_rows) {
        for (Index row = start; row < stop; ++row, code += stride) {
            auto* line = base + Index{*code} * width;
            line[classes[row]] += rows.weights[row];
            line[width - 1] += rows.part_of(row);
        }
    } else if (rows.have_copies()) {
        for (Index row = start; row < stop; ++row, code += stride) {
            base[Index{*code} * width + classes[row]] += rows.copies[row];
        }
    } else {
        for (Index row = start; row < stop; ++row, code += stride) ++base[Index{*code} * width + classes[row]];
    }
}

// List the codes below `n_codes` with any count.
template <class Cell>
void list_filled(const Cell* base, Index n_codes, Index width, Index first_line, Listed& listed) {
    listed.size = 0;
    for (Index code = 0; code < n_codes; ++code) {
        const Cell* line = base + code * width;
        for (Index c = 0; c < width; ++c) {
            if (line[c] != 0) {
                listed.add(code, first_line + code);
                break;
            }
        }
    }
}

// Set the listed lines to zero.
template <class Cell>
void clear_lines(Cell* counts, Index width, const Listed& listed) {
    for (Index k = 0; k < listed.size; ++k) {
        std::fill_n(counts + Index{listed.lines[k]} * width, width, Cell{0});
    }
}

// Narrow columns, each with lines of its own; those of a large node are counted side by side, so that its rows are read
// once.
template <class Measure>
class NarrowCounter {
  public:
    using Cell = typename Measure::Cell;

    NarrowCounter(const Rows& rows, Index first_place, Index last_place, Index width)
        : rows_(rows), first_(first_place), last_(last_place), listed_(most_narrow_bins + 1) {
        Index n_lines = 0;
        for (Index place = first_; place < last_; ++place) {
            first_line_.push_back(n_lines);
            n_lines += rows.columns.n_bins[place] + 1;
        }
        counts_.assign(n_lines * width, Cell{0});
        varies_.resize(last_ - first_);
    }

    // Begin with a node, whose classes are `classes` and whose lines have so many cells.
    void begin(const std::uint16_t* classes, Index start, Index stop, Index width, Interrupts& interrupts) {
        classes_ = classes;
        start_ = start;
        stop_ = stop;
        width_ = width;
        is_counted_ = stop - start > block_rows;
        if (!is_counted_) return find_varying();
        for (Index block = start; block < stop; block += block_rows) {
            const Index block_stop = std::min(block + block_rows, stop);
            for (Index place = first_; place < last_; ++place) {
                count_rows<Measure>(rows_, classes, rows_.narrow, place, block, block_stop, base_of(place), width);
            }
            interrupts.after((block_stop - block) * (last_ - first_));
        }
    }

    // Whether a column has more than one code at the node; of large nodes it is not asked.
    bool varies(Index place) const { return is_counted_ || varies_[place - first_]; }

    const Listed& list(Index place) {
        const Index n_bins = rows_.columns.n_bins[place];
        if (!is_counted_) {
            count_rows<Measure>(rows_, classes_, rows_.narrow, place, start_, stop_, base_of(place), width_);
        }
        if (stop_ - start_ < dense_rows_per_bin * n_bins) {
            list_by_bits(place);
        } else {
            list_filled(base_of(place), n_bins + 1, width_, first_line_[place - first_], listed_);
        }
        return listed_;
    }

    Cell* counts() { return counts_.data(); }
    void clear() { clear_lines(counts_.data(), width_, listed_); }

  private:
    // A node with this many rows for each bin fills most bins, so that looking at all of them beats a bit set.
    static constexpr Index dense_rows_per_bin = 2;
    // Rows counted column after column while they are in the first-level cache.
    static constexpr Index block_rows = 1024;

    static constexpr Index word_bytes = sizeof(Word);

    static Word load_word(const std::uint8_t* bytes) {
        Word word;
        std::memcpy(&word, bytes, word_bytes);
        return word;
    }

    Cell* base_of(Index place) { return counts_.data() + first_line_[place - first_] * width_; }

    // Small nodes have one code in many a nominal column, which offers no test: rows are compared, many columns at a time.
    void find_varying() {
        const Index n = last_ - first_;
        const Index stride = rows_.narrow.width();
        const std::uint8_t* first = rows_.narrow.data + start_ * stride + first_;
        const std::uint8_t* code = first;
        std::uint8_t* varies = varies_.data();
        std::fill_n(varies, n, std::uint8_t{0});
        for (Index row = start_ + 1; row < stop_; ++row) {
            code += stride;
            Index k = 0;
            for (; k + word_bytes <= n; k += word_bytes) {
                const Word differs = load_word(varies + k) | (load_word(code + k) ^ load_word(first + k));
                std::memcpy(varies + k, &differs, word_bytes);
            }
            for (; k < n; ++k) varies[k] |= static_cast<std::uint8_t>(code[k] ^ first[k]);
            // Numbers differ soon; to look after 1, 2, 4, 8 ... rows costs little where a category never does.
            const Word n_seen = static_cast<Word>(row - start_);
            if (std::has_single_bit(n_seen) && std::find(varies, varies + n, 0) == varies + n) return;
        }
    }

    void list_by_bits(Index place) {
        Word words[4] = {0, 0, 0, 0};
        const Index stride = rows_.narrow.width();
        const std::uint8_t* code = rows_.narrow.data + start_ * stride + place;
        for (Index row = start_; row < stop_; ++row, code += stride) words[*code >> 6] |= Word{1} << (*code & 63);
        listed_.size = 0;
        const Index first_line = first_line_[place - first_];
        for (Index word = 0; word < 4; ++word) {
            for_each_bit(words[word], [&](Index bit) {
                const Index present = word * bits_per_word + bit;
                listed_.add(present, first_line + present);
            });
        }
    }

    const Rows& rows_;
    Index first_;
    Index last_;
    std::vector<Index> first_line_;
    std::vector<Cell> counts_;
    std::vector<std::uint8_t> varies_;  // by column, not 0 where it does
    Listed listed_;
    const std::uint16_t* classes_ = nullptr;
    Index start_ = 0;
    Index stop_ = 0;
    Index width_ = 1;
    bool is_counted_ = false;
};

// Wide columns, one after the other: by a table of all codes where rows are many, else by sorting the rows.
template <class Measure>
class WideCounter {
  public:
    using Cell = typename Measure::Cell;

    WideCounter(const Rows& rows, Index first_place, Index last_place, Index most_rows, Index width)
        : rows_(rows), listed_(n_lines(rows, first_place, last_place, most_rows)) {
        counts_.assign(listed_.codes.size() * width, Cell{0});
        keys_.resize(most_rows);
    }

    void begin(const std::uint16_t* classes, Index start, Index stop, Index width, Interrupts&) {
        classes_ = classes;
        start_ = start;
        stop_ = stop;
        width_ = width;
    }

    bool varies(Index) const { return true; }

    const Listed& list(Index place) {
        const Index column = place - rows_.columns.n_narrow;
        const Index n_bins = rows_.columns.n_bins[place];
        if (rows_per_table_ * (stop_ - start_) >= n_bins + 1) {
            count_rows<Measure>(rows_, classes_, rows_.wide, column, start_, stop_, counts_.data(), width_);
            list_filled(counts_.data(), n_bins + 1, width_, 0, listed_);
        } else {
            list_sorted(column);
        }
        return listed_;
    }

    Cell* counts() { return counts_.data(); }
    void clear() { clear_lines(counts_.data(), width_, listed_); }

  private:
    // A table of all codes is looked through where a row stands for no more than this many codes.
    static constexpr Index rows_per_table_ = 4;

    // Lines of counts that any node of so many rows may need.
    static Index n_lines(const Rows& rows, Index first_place, Index last_place, Index most_rows) {
        Index most = 0;
        for (Index place = first_place; place < last_place; ++place) most = std::max(most, rows.columns.n_bins[place] + 1);
        return first_place == last_place ? 0 : std::max(most_rows, std::min(most, rows_per_table_ * most_rows));
    }

    void list_sorted(Index column) {
        const Index size = stop_ - start_;
        for (Index k = 0; k < size; ++k) keys_[k] = Word{rows_.wide(start_ + k, column)} << 32 | static_cast<Word>(k);
        std::sort(keys_.begin(), keys_.begin() + size);
        listed_.size = 0;
        for (Index k = 0; k < size; ++k) {
            const Index code = static_cast<Index>(keys_[k] >> 32);
            const Index row = start_ + static_cast<Index>(keys_[k] & 0xFFFFFFFF);
            if (k == 0 || listed_.codes[listed_.size - 1] != code) listed_.add(code, listed_.size);
            Cell* line = counts_.data() + (listed_.size - 1) * width_;
            if constexpr (Measure::counts_rows) {
                line[classes_[row]] += rows_.weights[row];
                line[width_ - 1] += rows_.part_of(row);
            } else {
                line[classes_[row]] += static_cast<Cell>(rows_.copies_of(row));
            }
        }
    }

    const Rows& rows_;
    Listed listed_;
    std::vector<Cell> counts_;
    std::vector<Word> keys_;
    const std::uint16_t* classes_ = nullptr;
    Index start_ = 0;
    Index stop_ = 0;
    Index width_ = 1;
};

}  // namespace petree
