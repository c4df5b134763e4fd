// What a split score is to the loops of the search.
//
// The value of a split is higher the better; that of an unsplit node is the same function with all cases in one child,
// and the difference of the two is the score times the weight of the node. A score is a struct with
//
//   add(sums, totals, one)        add one class to the four running sums
//   value(sums, totals)           the value of two children from their sums over the classes
//
// and says whether `add` wants to know the total weights of the children (`needs_totals`; else `totals` has but those of
// the classes so far, and `totals.node` is for `value` alone), and whether a class without cases adds nothing
// (`ignores_absent`). The value of a split into many children is the sum of the values of each child beside an empty one,
// so that of two must be such a sum, too; where it is not, `code` in Python gives None for multiway tests, which are then
// scored in Python. (`ranks_children` is the other way out, and MAUC's alone: its loop is in search/values.hpp.) Loops
// are compiled for each score by itself, so that no score pays for another. `Number` is `Index` for whole counts, else
// double.
#pragma once

#include <vector>

#include "foundation/numbers.hpp"
#include "foundation/views.hpp"

namespace petree {

struct Sums {
    double first = 0.0;
    double second = 0.0;
    double third = 0.0;
    double fourth = 0.0;
};

// The weight of one class in a child, in the other child, and in the node.
template <class Number>
struct OneClass {
    Number count;
    Number other;
    Number node;
};

// The weights of a child, of the other child and of the node, and the number of classes.
template <class Number>
struct Totals {
    Number count;
    Number other;
    double node;
    Index n_classes;
};

// n log2 n: whole counts look it up where the table reaches, fractional ones compute it.
struct NLogN {
    const double* table = nullptr;
    Index size = 0;

    PETREE_INLINE double operator()(Index count) const {
        return static_cast<Word>(count) < static_cast<Word>(size) ? table[count] : beyond(static_cast<double>(count));
    }
    double operator()(double count) const { return count > 0 ? count * binary_log(count) : 0.0; }  // no residue of rounding

  private:
    static PETREE_APART double beyond(double count) { return count > 0 ? count * binary_log(count) : 0.0; }
};

// What the score of a search is made of.
struct ScoreSettings {
    std::vector<double> parameters;
    NLogN n_log_n;

    double parameter(std::size_t k) const {
        require(k < parameters.size(), "The score lacks a parameter.");
        return parameters[k];
    }
};

// Most scores need nothing of these.
struct PlainScore {
    static constexpr bool needs_totals = false;
    static constexpr bool ignores_absent = false;
    static constexpr bool ranks_children = false;
    static constexpr bool has_ratio = false;  // whether some score in Python goes by its ratio to the split information
    // What the choice among so many cuts costs, in the units of the score: C4.5 corrects the gain by it.
    static double cut_penalty(Index) { return 0.0; }
};

// Shares that differ by no more than this are equal.
inline constexpr double equal_shares = 1e-12;

}  // namespace petree
