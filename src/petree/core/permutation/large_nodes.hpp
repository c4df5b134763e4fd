// Permutation tests of nodes of any size: tests are bit sets over the cases of the node.
//
// So are the cases of each class under a permutation; the cases of a class on one side of a test are the bits that both
// have. Tests are listed once, as far as there is room for them, and permutations drawn a few at a time.
#pragma once

#include "foundation/bits.hpp"
#include "foundation/interrupts.hpp"
#include "permutation/draws.hpp"
#include "permutation/gains.hpp"

namespace petree {

// Listed tests (see `TestBits`), and which of the drawn permutations reach the needed gain by one of them.
class TestBlocks {
  public:
    // Make room for so many tests of a node, and for a batch of permutations; what earlier nodes needed is used again.
    void begin(const NeededGain& needed, Index n_tests, Index n_words, Index batch) {
        needed_ = &needed;
        n_words_ = n_words;
        room_ = n_tests;
        n_labels_ = needed.n_classes() - 1;
        n_listed_ = 0;
        lengthen(bits_, (n_tests + lanes - 1) / lanes * n_words * lanes);
        lengthen(sizes_, n_tests);
        lengthen(below_, n_tests);
        lengthen(above_, n_tests);
        lengthen(floors_, n_tests);
        lengthen(labels_, batch * n_labels_ * n_words);
        is_reached.resize(batch);
    }

    bool is_full() const { return n_listed_ == room_; }
    void forget() { n_listed_ = 0; }

    // Add a test by the words of one of its branches.
    template <class WordOf>
    void add(Index left_size, WordOf word_of) {
        const Index t = n_listed_++;
        if (needed_->n_classes() == 2) {
            below_[t] = static_cast<Word>(needed_->below(left_size));
            above_[t] = static_cast<Word>(needed_->above(left_size));
        } else {
            sizes_[t] = static_cast<Word>(left_size);
            floors_[t] = needed_->floor(left_size);
        }
        Word* block = bits_.data() + t / lanes * n_words_ * lanes + t % lanes;
        for (Index word = 0; word < n_words_; ++word) block[word * lanes] = word_of(word);
    }

    // The words of a class under a permutation.
    Word* label(Index permutation, Index c) { return labels_.data() + (permutation * n_labels_ + c) * n_words_; }

    // Note which of the first permutations reach the needed gain by one of the listed tests.
    void mark(Index n_drawn, Interrupts& interrupts) {
        const TestBits tests{bits_.data(), n_listed_, n_words_};
        const ManyClassLimits limits = needed_->limits(sizes_.data(), floors_.data());
        for (Index r = 0; r < n_drawn; ++r) {
            if (is_reached[r]) continue;
            is_reached[r] = n_labels_ == 1 ? loops_.any_large_of_two(tests, {below_.data(), above_.data()}, label(r, 0))
                                           : loops_.any_large(tests, limits, label(r, 0));
            interrupts.after(n_listed_ * n_labels_ * n_words_ / 4);
        }
    }

    std::vector<std::uint8_t> is_reached;

  private:
    static constexpr Index lanes = TestBits::lanes;

    template <class T>
    static void lengthen(std::vector<T>& room, Index size) {
        if (static_cast<Index>(room.size()) < size) room.resize(size);
    }

    const BitLoops& loops_ = bit_loops();
    const NeededGain* needed_ = nullptr;
    Index n_words_ = 0;
    Index room_ = 0;
    Index n_labels_ = 0;
    Index n_listed_ = 0;
    std::vector<Word> bits_;
    std::vector<Word> sizes_;
    std::vector<Word> below_;
    std::vector<Word> above_;
    std::vector<double> floors_;
    std::vector<Word> labels_;
};

class LargeNode {
  public:
    LargeNode(const Rows& rows, Index min_rows) : rows_(rows), min_rows_(min_rows) {}

    // As `SmallNode::count`.
    Verdict count(const std::vector<Index>& cases, NeededGain& needed, Random random, Index n_permutations, Index allowed,
                  Verdict verdict, Interrupts& interrupts) {
        const Index size = needed.size();
        const Index n_words = words_for(size);
        const Index n_tests = count_tests(size);
        const Index batch = n_tests * n_words <= most_words ? usual_batch : large_batch;
        blocks_.begin(needed, std::max<Index>(1, std::min(n_tests, most_words / n_words)), n_words, batch);
        order_.resize(size);
        for (Index k = 0; k < size; ++k) order_[k] = k;
        for (Index k = 0; k < verdict.tried; ++k) {
            draw_to_front(random, order_.data(), size, needed.n_drawn());
            interrupts.after(needed.n_drawn());
        }
        bool is_listed = false;  // all tests, from an earlier batch
        while (verdict.tried < n_permutations && verdict.found <= allowed) {
            const Index n_drawn = std::min(batch, n_permutations - verdict.tried);
            for (Index r = 0; r < n_drawn; ++r) {
                draw_labels(random, needed, r, n_words);
                blocks_.is_reached[r] = 0;
                interrupts.after(size);
            }
            if (!is_listed) is_listed = list_tests(cases, needed, n_drawn, n_words, interrupts);
            blocks_.mark(n_drawn, interrupts);
            for (Index r = 0; r < n_drawn && verdict.found <= allowed; ++r) {
                verdict.found += blocks_.is_reached[r];
                ++verdict.tried;
            }
        }
        return verdict;
    }

  private:
    // Words of bit sets of tests that are held at a time.
    static constexpr Index most_words = Index{1} << 19;
    // Permutations drawn at a time: a hopeless node is done after about twelve. More where tests are listed anew each time.
    static constexpr Index usual_batch = 8;
    static constexpr Index large_batch = 32;
    static constexpr Index most_lines = most_narrow_bins + 1;  // codes whose cases are collected at a time

    // Tests that a node of so many cases may have.
    Index count_tests(Index size) const {
        Index n_tests = 0;
        for (Index n_bins : rows_.columns.n_bins) n_tests += 2 * std::min(n_bins, size) + 1;
        return n_tests;
    }

    // Bit sets of all classes but the last under the next permutation.
    void draw_labels(Random& random, const NeededGain& needed, Index permutation, Index n_words) {
        draw_to_front(random, order_.data(), needed.size(), needed.n_drawn());
        Index k = 0;
        for (Index c = 0; c + 1 < needed.n_classes(); ++c) {
            Word* label = blocks_.label(permutation, c);
            std::fill_n(label, n_words, Word{0});
            for (const Index end = k + needed.totals()[c]; k < end; ++k) label[word_of(order_[k])] |= bit_of(order_[k]);
        }
    }

    // -- the tests of a node -------------------------------------------------------------------------------------------

    // List the tests of all columns; whether they all are in the list. A full list is marked and begun anew.
    bool list_tests(const std::vector<Index>& cases, NeededGain& needed, Index n_drawn, Index n_words,
                    Interrupts& interrupts) {
        sets_.assign(most_lines * n_words, 0);
        blocks_.forget();
        bool are_all_listed = true;
        for (Index place = 0; place < rows_.columns.size(); ++place) {
            branch_.assign(n_words, 0);
            missing_.assign(n_words, 0);
            const auto list = [&](Index n_lines) {
                for (Index i = 0; i < n_lines; ++i) {
                    are_all_listed &= list_line(lines_[i], place, needed, n_drawn, n_words, interrupts);
                }
            };
            if (rows_.columns.is_narrow(place)) {
                const Index n_lines = group_narrow(cases, place, n_words);
                are_all_listed &= list_missing(needed, n_drawn, n_words, interrupts);
                list(n_lines);
            } else {
                sort_wide(cases, place);
                are_all_listed &= list_missing(needed, n_drawn, n_words, interrupts);
                for (std::size_t first = 0; first < keys_.size();) list(group_wide(first, n_words));
            }
            interrupts.after(needed.size());
        }
        return are_all_listed;
    }

    // Collect the cases of each code in its line of the sets, and those without a value; the lines of the codes there are,
    // ascending, come in `lines_`: how many.
    Index group_narrow(const std::vector<Index>& cases, Index place, Index n_words) {
        const Index missing_code = rows_.columns.missing_code(place);
        Word present[4] = {0, 0, 0, 0};
        for (std::size_t k = 0; k < cases.size(); ++k) {
            const Index code = rows_.narrow(cases[k], place);
            const Index word = word_of(static_cast<Index>(k));
            if (code == missing_code) {
                missing_[word] |= bit_of(static_cast<Index>(k));
            } else {
                present[code >> 6] |= bit_of(code);
                sets_[code * n_words + word] |= bit_of(static_cast<Index>(k));
            }
        }
        Index n_lines = 0;
        for (Index word = 0; word < 4; ++word) {
            for_each_bit(present[word], [&](Index bit) { lines_[n_lines++] = word * bits_per_word + bit; });
        }
        return n_lines;
    }

    // Sort the cases of a column with any number of codes; those without a value apart.
    void sort_wide(const std::vector<Index>& cases, Index place) {
        const Index missing_code = rows_.columns.missing_code(place);
        keys_.clear();
        for (std::size_t k = 0; k < cases.size(); ++k) {
            const Index code = rows_.wide(cases[k], place - rows_.columns.n_narrow);
            if (code == missing_code) {
                missing_[word_of(static_cast<Index>(k))] |= bit_of(static_cast<Index>(k));
            } else {
                keys_.push_back(static_cast<Word>(code) << 32 | k);
            }
        }
        std::sort(keys_.begin(), keys_.end());
    }

    // The next codes of a sorted column, a line each: how many.
    Index group_wide(std::size_t& first, Index n_words) {
        Index n_lines = 0;
        while (first < keys_.size() && n_lines < most_lines) {
            const Word code = keys_[first] >> 32;
            for (; first < keys_.size() && keys_[first] >> 32 == code; ++first) {
                const Index k = static_cast<Index>(keys_[first] & 0xFFFFFFFF);
                sets_[n_lines * n_words + word_of(k)] |= bit_of(k);
            }
            lines_[n_lines] = n_lines;
            ++n_lines;
        }
        return n_lines;
    }

    // The test "is missing", where any value is.
    bool list_missing(NeededGain& needed, Index n_drawn, Index n_words, Interrupts& interrupts) {
        n_missing_ = count_bits(missing_, n_words);
        if (!n_missing_) return true;
        return list_test(n_missing_, [&](Index word) { return missing_[word]; }, needed, n_drawn, interrupts);
    }

    // List the tests of a code of a column, whose line is cleared. The branch goes on from the codes before.
    bool list_line(Index line, Index place, NeededGain& needed, Index n_drawn, Index n_words,
                   Interrupts& interrupts) {
        const bool goes_on = rows_.columns.kinds[place] == THRESHOLD;
        Word* set = sets_.data() + line * n_words;
        for (Index word = 0; word < n_words; ++word) {
            branch_[word] = set[word] | (goes_on ? branch_[word] : 0);
            set[word] = 0;
        }
        const Index size = count_bits(branch_, n_words);
        interrupts.after(4 * n_words);
        bool are_listed = list_test(size, [&](Index word) { return branch_[word]; }, needed, n_drawn, interrupts);
        if (n_missing_) {
            are_listed &= list_test(size + n_missing_, [&](Index word) { return branch_[word] | missing_[word]; }, needed,
                                    n_drawn, interrupts);
        }
        return are_listed;
    }

    // List a test, unless it is not worth trying; whether there was room for it.
    template <class WordOf>
    bool list_test(Index left_size, WordOf word_of, NeededGain& needed, Index n_drawn,
                   Interrupts& interrupts) {
        if (left_size < min_rows_ || needed.size() - left_size < min_rows_ || !needed.is_worth_trying(left_size)) return true;
        const bool has_room = !blocks_.is_full();
        if (!has_room) {
            blocks_.mark(n_drawn, interrupts);
            blocks_.forget();
        }
        blocks_.add(left_size, word_of);
        return has_room;
    }

    static Index count_bits(const std::vector<Word>& words, Index n_words) {
        Index n = 0;
        for (Index word = 0; word < n_words; ++word) n += petree::count_bits(words[word]);
        return n;
    }

    const Rows& rows_;
    Index min_rows_;
    TestBlocks blocks_;
    Index n_missing_ = 0;
    std::vector<Index> order_;
    std::vector<Word> sets_;  // the cases of each code of a column
    std::vector<Word> branch_;
    std::vector<Word> missing_;
    std::vector<Word> keys_;
    Index lines_[most_lines] = {};
};

}  // namespace petree
