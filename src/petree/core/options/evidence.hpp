// Cases counted by class, and how probable their classes are if the class probabilities have a Dirichlet prior.
#pragma once

#include <vector>

#include "foundation/numbers.hpp"
#include "tables/rows.hpp"

namespace petree {

// What the quality of tests depends on beside the cases. Columns are known by their place.
struct Evidence {
    // Dirichlet parameters with their sum behind them, and the logarithms of the gamma function of whole counts plus each.
    Vector<const double> alphas;
    Matrix<const double> log_gammas;
    // The evidence is raised to this power.
    double power;
    // Logarithms of the prior weights of a leaf, and of a test of each column.
    double ln_leaf;
    Vector<const double> ln_tests;
    // Where the values of each bin of a number lie: a line for every bin of every column, one more for missing values.
    Vector<const double> centres;
    // Weights of the classes, or nothing; the least size of a branch.
    Vector<const double> class_weight;
    Index min_rows;

    Index n_classes() const { return alphas.size() - 1; }
    Index width() const { return alphas.size(); }

    void check(const Rows& rows) const {
        require(n_classes() == rows.n_classes, "There must be a Dirichlet parameter for each class, and their sum.");
        require(log_gammas.length() == width() && log_gammas.width() >= 1, "There must be gamma functions for each parameter.");
        require(ln_tests.size() == rows.columns.size(), "There must be a weight of tests for each column.");
        require(class_weight.size() == 0 || class_weight.size() == rows.n_classes, "There must be a weight for each class.");
        require(min_rows >= 1 && min_rows < (Index{1} << 53), "A branch must have at least one row.");
        Index n_lines = 0;
        for (const Index n_bins : rows.columns.n_bins) n_lines += n_bins + 1;
        require(centres.size() == n_lines, "There must be a centre for each bin.");
    }

    // The logarithm of the gamma function of a count plus the parameter of a line; whole counts look it up where the table
    // reaches.
    double log_gamma_of(Index line, double count) const {
        if (count < static_cast<double>(log_gammas.width()) && count >= 0) {
            const Index whole = static_cast<Index>(count);
            if (static_cast<double>(whole) == count) return log_gammas(line, whole);
        }
        return log_gamma(count + alphas[line]);
    }

    // ln gamma(N + a) - ln gamma(a) of all classes together.
    double of_sum(double total) const { return log_gamma_of(n_classes(), total) - log_gammas(n_classes(), 0); }

    // power (ln B(n + a) - ln B(a)) of a line of class counts; a class of parameter 0 is none of the classes.
    double of(const double* counts) const {
        double total = 0.0;
        double value = 0.0;
        const Index last = n_classes();
        for (Index c = 0; c < last; ++c) {
            if (alphas[c] > 0) {
                total += counts[c];
                value += log_gamma_of(c, counts[c]) - log_gammas(c, 0);
            }
        }
        return power * (value - of_sum(total));
    }
};

}  // namespace petree
