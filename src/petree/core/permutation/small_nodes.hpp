// Permutation tests of nodes of at most 64 cases, where a set of cases is a single word.
//
// Nearly all nodes of a tree are that small, and the tests of such a node take longer to list than to try. So nothing is
// allocated for a node, and what happens once a test happens in registers.
#pragma once

#include "foundation/bits.hpp"
#include "foundation/interrupts.hpp"
#include "permutation/draws.hpp"
#include "permutation/gains.hpp"

namespace petree {

class SmallNode {
  public:
    static constexpr Index most_cases = bits_per_word;

    SmallNode(const Rows& rows, Index min_rows) : rows_(rows), min_rows_(min_rows) {}

    // Permutations of the labels of some cases (rows of the table) that bring a test to the needed gain, and how many were
    // tried, after some before: up to `n_permutations`, or one more than `allowed` found.
    Verdict count(const std::vector<Index>& cases, NeededGain& needed, Random random, Index n_permutations, Index allowed,
                  Verdict verdict, Interrupts& interrupts) {
        list_tests(cases, needed);
        if (tests_.empty()) return {verdict.found, n_permutations};
        const TestBits tests{tests_.data(), static_cast<Index>(tests_.size()), 1};
        const ManyClassLimits limits = needed.limits(sizes_.data(), floors_.data());
        for (Index k = 0; k < needed.size(); ++k) order_[k] = k;
        for (Index k = 0; k < verdict.tried; ++k) {
            draw_to_front(random, order_, needed.size(), needed.n_drawn());
            interrupts.after(needed.n_drawn());
        }
        while (verdict.tried < n_permutations && verdict.found <= allowed) {
            draw_to_front(random, order_, needed.size(), needed.n_drawn());
            collect_labels(needed);
            verdict.found += needed.n_classes() == 2 ? loops_.any_small_of_two(tests, {below_.data(), above_.data()}, labels_[0])
                                                     : loops_.any_small(tests, limits, labels_);
            ++verdict.tried;
            interrupts.after(needed.n_drawn() + tests.n_tests * needed.n_classes() / 4);
        }
        return verdict;
    }

  private:
    // Tests are remembered at one of 2^slot_bits places each, so that most of those that are the same are listed once.
    static constexpr int slot_bits = 7;

    // -- the tests of a node -------------------------------------------------------------------------------------------

    // List the tests that permutations can bring there, each by the cases of its smaller branch.
    void list_tests(const std::vector<Index>& cases, NeededGain& needed) {
        const Index size = needed.size();
        const Word everything = ~Word{0} >> (most_cases - size);
        const Columns& columns = rows_.columns;
        tests_.clear();
        sizes_.clear();
        below_.clear();
        above_.clear();
        floors_.clear();
        std::fill(std::begin(seen_), std::end(seen_), Word{0});
        for (Index place = 0; place < columns.size(); ++place) {
            Index highest = -1;
            Index n_groups = columns.is_narrow(place) ? group_narrow(cases, place, highest) : group_wide(cases, place, highest);
            const Word missing = highest == columns.missing_code(place) ? groups_[n_groups - 1] : 0;
            n_groups -= missing != 0;
            Word branch = 0;  // with the missing values, and nothing else, this is the test "is missing"
            if (missing) list_test(missing, everything, needed);
            for (Index group = 0; group < n_groups; ++group) {
                branch = groups_[group] | (columns.kinds[place] == THRESHOLD ? branch : 0);
                list_test(branch, everything, needed);
                if (missing) list_test(branch | missing, everything, needed);
            }
        }
    }

    void list_test(Word test, Word everything, NeededGain& needed) {
        const Index size = needed.size();
        Index left_size = count_bits(test);
        if (left_size < min_rows_ || size - left_size < min_rows_) return;
        if (2 * left_size > size || (2 * left_size == size && (test & 1))) {
            test ^= everything;
            left_size = size - left_size;
        }
        const std::size_t slot = (test * golden) >> (64 - slot_bits);
        if (seen_[slot] == test || !needed.is_worth_trying(left_size)) return;
        seen_[slot] = test;
        tests_.push_back(test);
        if (needed.n_classes() == 2) {
            below_.push_back(static_cast<Word>(needed.below(left_size)));
            above_.push_back(static_cast<Word>(needed.above(left_size)));
        } else {
            sizes_.push_back(static_cast<Word>(left_size));
            floors_.push_back(needed.floor(left_size));
        }
    }

    // Sets of the cases of each code, ascending; how many, and the highest code.
    Index group_narrow(const std::vector<Index>& cases, Index place, Index& highest) {
        Word present[4] = {0, 0, 0, 0};
        for (std::size_t k = 0; k < cases.size(); ++k) {
            const std::uint8_t code = rows_.narrow(cases[k], place);
            present[code >> 6] |= bit_of(code);
            by_code_[code] |= bit_of(static_cast<Index>(k));
        }
        Index n_groups = 0;
        for (Index word = 0; word < 4; ++word) {
            for_each_bit(present[word], [&](Index bit) {
                highest = word * bits_per_word + bit;
                groups_[n_groups] = by_code_[highest];
                by_code_[highest] = 0;
                ++n_groups;
            });
        }
        return n_groups;
    }

    // The same of a column with any number of codes, by insertion.
    Index group_wide(const std::vector<Index>& cases, Index place, Index& highest) {
        Index n_groups = 0;
        for (std::size_t k = 0; k < cases.size(); ++k) {
            const Index code = rows_.wide(cases[k], place - rows_.columns.n_narrow);
            Index at = n_groups;
            while (at > 0 && group_codes_[at - 1] > code) --at;
            if (at > 0 && group_codes_[at - 1] == code) {
                groups_[at - 1] |= bit_of(static_cast<Index>(k));
                continue;
            }
            std::copy_backward(groups_ + at, groups_ + n_groups, groups_ + n_groups + 1);
            std::copy_backward(group_codes_ + at, group_codes_ + n_groups, group_codes_ + n_groups + 1);
            groups_[at] = bit_of(static_cast<Index>(k));
            group_codes_[at] = code;
            ++n_groups;
        }
        if (n_groups) highest = group_codes_[n_groups - 1];
        return n_groups;
    }

    // The cases of each class but the last under a permutation.
    void collect_labels(const NeededGain& needed) {
        Index k = 0;
        for (Index c = 0; c + 1 < needed.n_classes(); ++c) {
            Word label = 0;
            for (const Index end = k + needed.totals()[c]; k < end; ++k) label |= bit_of(order_[k]);
            labels_[c] = label;
        }
    }

    const BitLoops& loops_ = bit_loops();
    const Rows& rows_;
    Index min_rows_;
    std::vector<Word> tests_;
    std::vector<Word> sizes_;
    std::vector<Word> below_;
    std::vector<Word> above_;
    std::vector<double> floors_;
    Word seen_[1 << slot_bits] = {};
    Word by_code_[256] = {};
    Word groups_[most_cases + 1] = {};
    Index group_codes_[most_cases + 1] = {};
    Word labels_[most_cases] = {};
    Index order_[most_cases] = {};
};

}  // namespace petree
