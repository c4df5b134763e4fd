// Class counts by code of the open nodes of a tree, over the rows of a partition: whole numbers, so that partitions add up
// to the same sums in any order.
#pragma once

#include <vector>

#include "partitions/routing.hpp"

namespace petree::partitions {

// Rows by slot: those of slot s stand at starts[s]:starts[s + 1]; rows without one are left out.
struct BySlot {
    std::vector<std::uint32_t> rows;
    std::vector<Index> starts;

    BySlot(Vector<const std::int32_t> slots, Index n_slots) : starts(n_slots + 1, 0) {
        for (Index row = 0; row < slots.size(); ++row) {
            require(slots[row] >= -1 && slots[row] < n_slots, "There is no such slot.");
            if (slots[row] >= 0) ++starts[slots[row] + 1];
        }
        for (Index slot = 0; slot < n_slots; ++slot) starts[slot + 1] += starts[slot];
        rows.resize(starts[n_slots]);
        std::vector<Index> heads(starts.begin(), starts.end() - 1);
        for (Index row = 0; row < slots.size(); ++row) {
            if (slots[row] >= 0) rows[heads[slots[row]]++] = static_cast<std::uint32_t>(row);
        }
    }
};

template <class Code>
void require_known_codes(const Columns& columns, Matrix<const Code> codes, Index first_place) {
    std::vector<Code> highest(codes.width(), 0);
    for (Index row = 0; row < codes.length(); ++row) {
        const Code* line = codes.row(row);
        for (Index column = 0; column < codes.width(); ++column) highest[column] = std::max(highest[column], line[column]);
    }
    for (Index column = 0; column < codes.width(); ++column) {
        require(Index{highest[column]} <= columns.n_bins[first_place + column], "A code is beyond those of its column.");
    }
}

// Ask for memory that is read soon.
inline void prefetch([[maybe_unused]] const void* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place);
#endif
}

// A column that is counted: where its codes stand in a row, and where its lines begin.
struct Counted {
    Index column;
    Index line;
};

// Add some rows to the cells of one slot. Words wrap around where sums are too large for whole numbers, which amounts that
// make sense never are.
template <class Code>
void add_rows(Matrix<const Code> codes, const std::vector<Counted>& counted, Vector<const std::uint16_t> classes,
              Vector<const Index> amounts, const std::uint32_t* first, const std::uint32_t* last, Word* cells, Index width,
              bool counts_rows) {
    constexpr Index ahead = 16;  // rows of a slot lie apart, so that they are asked for before they are needed
    if (counted.empty()) return;
    for (const std::uint32_t* row = first; row != last; ++row) {
        if (last - row > ahead) prefetch(codes.row(row[ahead]));
        const Code* line = codes.row(*row);
        const Word amount = amounts.size() ? static_cast<Word>(amounts[*row]) : 1;
        Word* of_class = cells + classes[*row];
        for (const Counted& one : counted) of_class[(one.line + line[one.column]) * width] += amount;
        if (!counts_rows) continue;
        Word* of_rows = cells + width - 1;
        for (const Counted& one : counted) ++of_rows[(one.line + line[one.column]) * width];
    }
}

// Add to the cells of each slot, a line for each code of each column by place, missing values last, what its rows amount to
// by class; where `counts_rows`, the last cell of a line has their number. No amounts are 1 each. Of each slot the columns are
// counted whose places `asked` marks; where it has no lines, all are.
inline void count_cells(const Columns& columns, Matrix<const std::uint8_t> narrow, Matrix<const std::uint32_t> wide,
                        Vector<const std::uint16_t> classes, Vector<const Index> amounts, Vector<const std::int32_t> slots,
                        Matrix<const std::uint8_t> asked, bool counts_rows, Matrix<Index> cells, Interrupts& interrupts) {
    const Codes codes(columns, narrow, wide);
    require(classes.size() == codes.size() && slots.size() == codes.size(), "There must be a class and a slot for each row.");
    require(amounts.size() == 0 || amounts.size() == codes.size(), "'amounts' must be empty or have one for each row.");
    require(codes.size() < (Index{1} << 32), "A partition has fewer than 2^32 rows.");
    std::vector<Index> lines{0};
    for (Index place = 0; place < columns.size(); ++place) lines.push_back(lines.back() + columns.n_bins[place] + 1);
    const Index n_lines = lines.back();
    require(n_lines > 0 && cells.length() % n_lines == 0, "There must be a line for each code of each column of a slot.");
    const Index n_classes = cells.width() - counts_rows;
    for (Index row = 0; row < classes.size(); ++row) require(classes[row] < n_classes, "There is no such class.");
    require_known_codes(columns, narrow, 0);
    require_known_codes(columns, wide, narrow.width());
    const Index n_slots = cells.length() / n_lines;
    const bool counts_all = asked.length() == 0;
    require(counts_all || (asked.length() == n_slots && asked.width() == columns.size()),
            "'asked' must be empty or have a mark for each column of each slot.");
    const BySlot by_slot(slots, n_slots);
    constexpr Index together = 4096;
    for (Index slot = 0; slot < n_slots; ++slot) {
        std::vector<Counted> of_narrow;
        std::vector<Counted> of_wide;
        for (Index place = 0; place < columns.size(); ++place) {
            if (!counts_all && !asked(slot, place)) continue;
            if (place < narrow.width()) {
                of_narrow.push_back({place, lines[place]});
            } else {
                of_wide.push_back({place - narrow.width(), lines[place]});
            }
        }
        Word* of_slot = reinterpret_cast<Word*>(cells.data) + slot * n_lines * cells.width();
        for (Index start = by_slot.starts[slot]; start < by_slot.starts[slot + 1]; start += together) {
            const std::uint32_t* first = by_slot.rows.data() + start;
            const std::uint32_t* last = by_slot.rows.data() + std::min(start + together, by_slot.starts[slot + 1]);
            add_rows(narrow, of_narrow, classes, amounts, first, last, of_slot, cells.width(), counts_rows);
            add_rows(wide, of_wide, classes, amounts, first, last, of_slot, cells.width(), counts_rows);
            interrupts.after((last - first) * columns.size());
        }
    }
}

}  // namespace petree::partitions
