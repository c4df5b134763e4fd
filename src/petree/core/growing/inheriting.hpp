// Nodes whose larger child takes over what was counted, less the rows of the smaller one.
//
// A test "x = v" takes one of very many categories from the others. Counted anew, a chain of such tests would look at
// all rows on every level; here a level costs the rows that leave, and a look at the groups of categories
// (`CategoryGroups`) and at the bins of narrow columns.
#pragma once

#include <unordered_map>

#include "growing/work.hpp"
#include "search/categories/groups.hpp"
#include "tables/by_code.hpp"

namespace petree {

// The class counts of a node by the values of every column: lines of narrow columns one after the other.
struct NodeTables {
    std::vector<Whole::Cell> narrow;
    std::vector<CategoryGroups> wide;
};

// What stands in the tables of a node (`tables`), where it has any; else its rows are counted.
class InheritedCounter {
  public:
    using Cell = Whole::Cell;

    InheritedCounter(const Rows& rows, Block block, const std::vector<Index>& first_line, NodeTables* const& tables,
                     WideCounter<Whole>& wide)
        : rows_(rows),
          first_line_(first_line),
          tables_(tables),
          narrow_(rows, block.first, std::max(block.first, std::min(block.last, rows.columns.n_narrow)), rows.n_classes),
          wide_(wide) {}

    void begin(const std::uint16_t* classes, Index start, Index stop, Index width, Interrupts& interrupts) {
        if (tables_) return;
        narrow_.begin(classes, start, stop, width, interrupts);
        wide_.begin(classes, start, stop, width, interrupts);
    }

    bool varies(Index place) const { return tables_ || !rows_.columns.is_narrow(place) || narrow_.varies(place); }

    const Listed& list(Index place) {
        is_narrow_ = rows_.columns.is_narrow(place);
        if (!tables_) return is_narrow_ ? narrow_.list(place) : wide_.list(place);
        return is_narrow_ ? list_bins(place) : list_categories(place - rows_.columns.n_narrow);
    }
    const Cell* counts() { return tables_ ? counts_ : is_narrow_ ? narrow_.counts() : wide_.counts(); }
    void clear() {
        if (tables_) return;
        is_narrow_ ? narrow_.clear() : wide_.clear();
    }

  private:
    const Listed& list_bins(Index place) {
        const Index line = first_line_[place];
        counts_ = tables_->narrow.data();
        list_filled(counts_ + line * rows_.n_classes, rows_.columns.n_bins[place] + 1, rows_.n_classes, line, listed_);
        return listed_;
    }
    const Listed& list_categories(Index column) {
        CategoryGroups& groups = tables_->wide[column];
        groups.list(listed_);
        counts_ = groups.counts();
        return listed_;
    }

    const Rows& rows_;
    const std::vector<Index>& first_line_;
    NodeTables* const& tables_;
    NarrowCounter<Whole> narrow_;
    WideCounter<Whole>& wide_;
    Listed listed_{most_narrow_bins + 1};
    const Cell* counts_ = nullptr;
    bool is_narrow_ = true;
};

// Which columns are searched together, as wave by wave, so that the same tests win: nodes of at least `many_rows` rows
// have blocks of their own.
struct Blocks {
    std::vector<Block> of_small;
    std::vector<Block> of_large;
    Index many_rows;
};

// Whole counts; wide columns offer "x = v" alone.
template <class Score>
class InheritingWork {
  public:
    using Total = Whole::Total;
    static constexpr bool counts_rows = false;

    InheritingWork(const Score& score, const SearchRules& rules, Rows& rows, const Blocks& blocks, const Nodes& nodes)
        : rows_(rows),
          by_code_(rows, nodes.size() ? Slice{nodes.start(0), nodes.stop(nodes.size() - 1)} : Slice{0, 0}),
          divider_(rows, by_code_.tags()),
          wide_(rows, rows.columns.n_narrow, rows.columns.size(), nodes.most_rows(), rows.n_classes),
          many_rows_(blocks.many_rows) {
        Index n_lines = 0;
        for (Index place = 0; place < rows.columns.n_narrow; ++place) {
            first_line_.push_back(n_lines);
            n_lines += rows.columns.n_bins[place] + 1;
        }
        n_cells_ = n_lines * rows.n_classes;
        least_rows_ = std::max(least_rows_, n_cells_ / std::max<Index>(1, rows.columns.n_narrow));
        add_searches(score, rules, blocks.of_small, of_small_);
        add_searches(score, rules, blocks.of_large, of_large_);
    }
    InheritingWork(const InheritingWork&) = delete;
    InheritingWork& operator=(const InheritingWork&) = delete;

    FoundTest search(Index start, Index stop, const std::vector<Total>& totals, Interrupts& interrupts) {
        tables_ = stop - start >= least_rows_ ? &tables_of(start, stop, interrupts) : nullptr;
        FoundTest best{};
        for (Search& search : stop - start >= many_rows_ ? of_large_ : of_small_) {
            const FoundTest found =
                search.search(rows_.classes.data, start, stop, totals.data(), rows_.n_classes, interrupts);
            if (found.test.column >= 0 && (best.test.column < 0 || wins(found, best))) best = found;
        }
        return best;
    }

    // Move the rows of a node to its children; returns the rows looked at.
    Index divide(const Parent& parent, const Test& test, const Children& children) {
        const Index n_seen = divide_rows(parent, test, children);
        const Index middle = children.stops[0];
        const bool first_is_small = middle - parent.start <= parent.stop - middle;
        const Slice small = first_is_small ? Slice{parent.start, middle} : Slice{middle, parent.stop};
        const Slice large = first_is_small ? Slice{middle, parent.stop} : Slice{parent.start, middle};
        hand_down(parent.start, small, large, is_impure(children.counts.row(first_is_small)));
        return n_seen;
    }

    // A node stays a leaf.
    void leave(Index start) { kept_.erase(start); }

  private:
    using Search = ValueSearch<Score, Whole, InheritedCounter>;

    void add_searches(const Score& score, const SearchRules& rules, const std::vector<Block>& blocks,
                      std::vector<Search>& searches) {
        for (const Block& block : blocks) {
            searches.emplace_back(score, rules, rows_, block, InheritedCounter(rows_, block, first_line_, tables_, wide_));
        }
    }

    // Better, or as good and earlier in the order of the columns.
    static bool wins(const FoundTest& found, const FoundTest& best) {
        return found.value > best.value + found.tolerance() ||
               (found.value >= best.value - found.tolerance() && found.test.column < best.test.column);
    }

    bool is_impure(const double* counts) const {
        return std::count_if(counts, counts + rows_.n_classes, [](double count) { return count > 0; }) > 1;
    }

    NodeTables& tables_of(Index start, Index stop, Interrupts& interrupts) {
        const auto [place, is_new] = kept_.try_emplace(start);
        if (is_new) count(start, stop, place->second, interrupts);
        return place->second;
    }

    void count(Index start, Index stop, NodeTables& tables, Interrupts& interrupts) {
        const std::uint16_t* classes = rows_.classes.data;
        tables.narrow.assign(n_cells_, 0);
        for (Index place = 0; place < rows_.columns.n_narrow; ++place) {
            count_rows<Whole>(rows_, classes, rows_.narrow, place, start, stop, line_of(tables, place), rows_.n_classes);
        }
        wide_.begin(classes, start, stop, rows_.n_classes, interrupts);
        for (Index place = rows_.columns.n_narrow; place < rows_.columns.size(); ++place) {
            const Listed& listed = wide_.list(place);
            tables.wide.emplace_back(listed, wide_.counts(), rows_.columns.missing_code(place), rows_.n_classes);
            wide_.clear();
        }
        interrupts.after((stop - start) * rows_.columns.size());
    }

    // Let the larger child have the tables, if it will be searched and is large enough.
    void hand_down(Index start, Slice small, Slice large, bool is_searched) {
        auto kept = kept_.extract(start);
        if (!kept || !is_searched || large.stop - large.start < least_rows_) return;
        remove(small, kept.mapped());
        kept.key() = large.start;
        kept_.insert(std::move(kept));
    }

    void remove(Slice slice, NodeTables& tables) {
        for (Index row = slice.start; row < slice.stop; ++row) {
            const Index class_code = rows_.classes[row];
            const auto copies = static_cast<Whole::Cell>(rows_.copies_of(row));
            for (Index place = 0; place < rows_.columns.n_narrow; ++place) {
                line_of(tables, place)[Index{rows_.narrow(row, place)} * rows_.n_classes + class_code] -= copies;
            }
            for (Index column = 0; column < rows_.wide.width(); ++column) {
                tables.wide[column].remove(rows_.wide(row, column), class_code, copies);
            }
        }
    }

    Whole::Cell* line_of(NodeTables& tables, Index place) const {
        return tables.narrow.data() + first_line_[place] * rows_.n_classes;
    }

    Index divide_rows(const Parent& parent, const Test& test, const Children& children) {
        if (find_first_branch(parent, test)) {
            divider_.bring_forward(parent.start, places_);
            const Index middle = parent.start + static_cast<Index>(places_.size());
            by_code_.note(parent.start, middle);
            for (Index place : places_) by_code_.note(place, place + 1);
            count_children_of(parent, middle, children);
            return middle - parent.start;
        }
        divider_.divide(parent.start, parent.stop, test, 0, 2, children);
        by_code_.note(parent.start, parent.stop);
        return parent.stop - parent.start;
    }

    // Whether the rows of the first branch can be looked up, and where they stand.
    bool find_first_branch(const Parent& parent, const Test& test) {
        const Index place = rows_.columns.places[test.column];
        if (rows_.columns.is_narrow(place)) return false;
        const Index column = place - rows_.columns.n_narrow;
        const Index missing_code = rows_.columns.missing_code(place);
        const bool with_missing = test.missing == 0;
        const Index cut = test.kind == IS_MISSING ? missing_code : test.cut;
        const bool both = with_missing && cut != missing_code;
        if (by_code_.count(column, cut) + (both ? by_code_.count(column, missing_code) : 0) >= parent.stop - parent.start) {
            return false;
        }
        places_.clear();
        by_code_.collect(column, cut, {parent.start, parent.stop}, places_);
        if (both) by_code_.collect(column, missing_code, {parent.start, parent.stop}, places_);
        std::sort(places_.begin(), places_.end());
        return true;
    }

    // The first child is counted; the second has the rest.
    void count_children_of(const Parent& parent, Index middle, const Children& children) {
        for (Index row = parent.start; row < middle; ++row) {
            children.counts(0, rows_.classes[row]) += rows_.weight_of(row);
            children.sizes[0] += rows_.copies_of(row);
        }
        for (Index c = 0; c < rows_.n_classes; ++c) children.counts(1, c) = parent.counts[c] - children.counts(0, c);
        children.sizes[1] = parent.size - children.sizes[0];
        children.stops[0] = middle;
        children.stops[1] = parent.stop;
    }

    Rows& rows_;
    RowsByCode by_code_;
    Divider divider_;
    WideCounter<Whole> wide_;
    Index many_rows_;
    Index n_cells_ = 0;
    // Smaller nodes are counted anew: tables would be larger than what they save.
    Index least_rows_ = 512;
    std::vector<Index> first_line_;
    NodeTables* tables_ = nullptr;  // of the node that is searched
    std::vector<Search> of_small_;
    std::vector<Search> of_large_;
    std::unordered_map<Index, NodeTables> kept_;  // of open nodes, by where their rows start
    std::vector<Index> places_;
};

}  // namespace petree
