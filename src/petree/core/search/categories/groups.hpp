// The categories of a column at one node, those with the same class counts in one group.
//
// A test "x = v" is worth what the class counts of v are worth, so of each group only the first category can win. There
// are few groups where there are very many categories, since each of these has few rows.
#pragma once

#include <functional>
#include <unordered_map>

#include "foundation/random.hpp"
#include "search/counting.hpp"

namespace petree {

class CategoryGroups {
  public:
    using Cell = Whole::Cell;

    // From the codes present at a node and their lines of counts.
    CategoryGroups(const Listed& listed, const Cell* counts, Index missing_code, Index width)
        : missing_code_(missing_code), width_(width), lines_(width, 0), line_(width) {
        groups_.emplace_back();  // line 0 is that of missing values
        for (Index k = 0; k < listed.size; ++k) {
            const Cell* line = counts + Index{listed.lines[k]} * width;
            if (Index{listed.codes[k]} == missing_code) {
                std::copy_n(line, width, lines_.begin());
                for (Index c = 0; c < width; ++c) groups_[0].n_cases += line[c];
            } else {
                codes_.push_back(listed.codes[k]);
                enter(line);
            }
        }
    }

    // A row leaves the node.
    void remove(Index code, Index class_code, Cell copies) {
        if (code == missing_code_) {
            lines_[class_code] -= copies;
            groups_[0].n_cases -= copies;
            return;
        }
        if (!copies) return;
        const Index member = std::lower_bound(codes_.begin(), codes_.end(), code) - codes_.begin();
        const Index old = group_of_[member];
        const Word hash = groups_[old].hash - copies * weight_of(class_code);
        const Index n_cases = groups_[old].n_cases - copies;
        std::copy_n(lines_.begin() + old * width_, width_, line_.begin());
        line_[class_code] -= copies;
        leave(old);
        group_of_[member] = n_cases ? static_cast<std::uint32_t>(group_with(hash, n_cases)) : 0;
        if (n_cases) join(member);
    }

    // The first category of each group, ascending, and missing values; a group that is all there is has two, as a test
    // needs something to tell apart.
    void list(Listed& listed) {
        firsts_.clear();
        for (std::size_t group = 1; group < groups_.size(); ++group) {
            if (groups_[group].n_members) firsts_.push_back(Word{first_member(group)} << 32 | group);
        }
        std::sort(firsts_.begin(), firsts_.end());
        if (firsts_.size() == 1 && groups_[firsts_[0] & 0xFFFFFFFF].n_members > 1) firsts_.push_back(firsts_[0]);
        listed.make_room(static_cast<Index>(firsts_.size()) + 1);
        listed.size = 0;
        for (Word first : firsts_) listed.add(codes_[first >> 32], static_cast<Index>(first & 0xFFFFFFFF));
        if (groups_[0].n_cases) listed.add(missing_code_, 0);
    }
    const Cell* counts() const { return lines_.data(); }

  private:
    // A group knows its members by a heap, in which those that left may still stand.
    struct Group {
        Word hash = 0;
        Index n_cases = 0;  // of each member
        Index n_members = 0;
        std::vector<std::uint32_t> heap;
    };

    static Word weight_of(Index class_code) { return scramble(static_cast<Word>(class_code) + golden); }

    void enter(const Cell* line) {
        Word hash = 0;
        Index n_cases = 0;
        for (Index c = 0; c < width_; ++c) {
            hash += line[c] * weight_of(c);
            n_cases += line[c];
        }
        std::copy_n(line, width_, line_.begin());
        group_of_.push_back(static_cast<std::uint32_t>(group_with(hash, n_cases)));
        join(static_cast<Index>(group_of_.size()) - 1);
    }

    // The group whose counts are those in `line_`, made if there is none.
    Index group_with(Word hash, Index n_cases) {
        const auto [first, last] = by_hash_.equal_range(hash);
        for (auto one = first; one != last; ++one) {
            if (std::equal(line_.begin(), line_.end(), lines_.begin() + Index{one->second} * width_)) return one->second;
        }
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(groups_.size()));
            groups_.emplace_back();
            lines_.resize(groups_.size() * width_);
        }
        const std::uint32_t group = free_.back();
        free_.pop_back();
        std::copy(line_.begin(), line_.end(), lines_.begin() + Index{group} * width_);
        groups_[group] = {hash, n_cases, 0, {}};
        by_hash_.emplace(hash, group);
        return group;
    }

    void join(Index member) {
        Group& group = groups_[group_of_[member]];
        ++group.n_members;
        group.heap.push_back(static_cast<std::uint32_t>(member));
        std::push_heap(group.heap.begin(), group.heap.end(), std::greater<>{});
    }

    void leave(Index number) {
        Group& group = groups_[number];
        if (--group.n_members) return;
        auto place = by_hash_.find(group.hash);
        while (Index{place->second} != number) ++place;
        by_hash_.erase(place);
        group.heap.clear();
        free_.push_back(static_cast<std::uint32_t>(number));
    }

    std::uint32_t first_member(std::size_t number) {
        std::vector<std::uint32_t>& heap = groups_[number].heap;
        while (group_of_[heap.front()] != number) {
            std::pop_heap(heap.begin(), heap.end(), std::greater<>{});
            heap.pop_back();
        }
        return heap.front();
    }

    Index missing_code_;
    Index width_;
    std::vector<std::uint32_t> codes_;     // of the members, ascending
    std::vector<std::uint32_t> group_of_;  // of each member; 0 where no case is left
    std::vector<Group> groups_;
    std::vector<Cell> lines_;  // counts of each group
    std::vector<std::uint32_t> free_;
    std::unordered_multimap<Word, std::uint32_t> by_hash_;
    std::vector<Cell> line_;
    std::vector<Word> firsts_;
};

}  // namespace petree
