// Where the rows of each category stand, while rows move.
#pragma once

#include <algorithm>

#include "tables/rows.hpp"

namespace petree {

// Rows are known by where they stood at first: `tags` has that number at the place of each row, and moves with them.
class RowsByCode {
  public:
    // Only rows of the slice may move.
    RowsByCode(const Rows& rows, Slice slice) : tags_(rows.size()), places_(rows.size()), by_code_(rows.wide.width()) {
        for (Index row = 0; row < rows.size(); ++row) tags_[row] = static_cast<std::uint32_t>(row);
        note(0, rows.size());
        for (Index column = 0; column < rows.wide.width(); ++column) {
            by_code_[column].reserve(slice.stop - slice.start);
            for (Index row = slice.start; row < slice.stop; ++row) {
                by_code_[column].push_back(key_of(rows.wide(row, column)) | static_cast<Word>(row));
            }
            std::sort(by_code_[column].begin(), by_code_[column].end());
        }
    }

    std::uint32_t* tags() { return tags_.data(); }

    // Rows between two places have moved.
    void note(Index start, Index stop) {
        for (Index row = start; row < stop; ++row) places_[tags_[row]] = static_cast<std::uint32_t>(row);
    }

    // How many rows have a code.
    Index count(Index column, Index code) const {
        const auto [first, last] = range(column, code);
        return last - first;
    }

    // Add the places of those that stand in a slice.
    void collect(Index column, Index code, Slice slice, std::vector<Index>& places) const {
        const auto [first, last] = range(column, code);
        for (const Word* one = first; one != last; ++one) {
            const Index place = places_[*one & 0xFFFFFFFF];
            if (place >= slice.start && place < slice.stop) places.push_back(place);
        }
    }

  private:
    static Word key_of(Index code) { return static_cast<Word>(code) << 32; }

    std::pair<const Word*, const Word*> range(Index column, Index code) const {
        const Word* begin = by_code_[column].data();
        const Word* end = begin + by_code_[column].size();
        const Word* first = std::lower_bound(begin, end, key_of(code));
        return {first, std::lower_bound(first, end, key_of(code + 1))};
    }

    std::vector<std::uint32_t> tags_;
    std::vector<std::uint32_t> places_;
    std::vector<std::vector<Word>> by_code_;  // for each wide column the code and the tag of each row, ascending
};

}  // namespace petree
