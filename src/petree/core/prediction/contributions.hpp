// Shapley values of the columns: how much each adds to an answer, on average over all orders of learning their values.
//
// Of a column that is not known yet every branch is followed, by its share of the training weight. Of a way that asks d
// columns each lets through a factor, o if it is known and u if it is unknown. The average over all orders is an integral
// over t, the chance of a column to be known:
//
//     contribution of column j = sum over ways: say * integral of (o_j - u_j) * product over i != j of (t o_i + (1 - t) u_i)
//
// The product is a polynomial in t, which Gauss's rule with d / 2 points integrates exactly. No factor is negative, so
// that one of them can be divided out of a product without loss. What is said below a step is summed up on the way
// back. A step counts for its column, but for the ways on which the column is asked again: there that step counts.
#pragma once

#include <vector>

#include "foundation/interrupts.hpp"
#include "prediction/ways.hpp"

namespace petree::prediction {

// Chances of columns to be known, and their weights in the integral.
struct GaussRule {
    Vector<const double> points;
    Vector<const double> weights;
    Index size() const { return points.length(); }
};

// A factor that is no larger lets nothing through that could be seen in an answer.
inline constexpr double LEAST_FACTOR = 1e-200;

// What a product is multiplied with at one point of the rule: the factor of the last step's column.
struct Factor {
    double point;
    double unknown;
    const double* known;
    double of(Index lane) const { return point * known[lane] + (1 - point) * unknown; }
};

// The loops over lanes are functions by themselves, of pointers that lead to different places: so compilers make vectors
// of them.

// From the product of the steps before to that of all steps, and the inverse of the factor. What the column let through
// before (`inverse_above`) is taken out.
PETREE_APART inline void multiply(Factor factor, const double* __restrict before, const double* __restrict inverse_above,
                                  double* __restrict product, double* __restrict inverse) {
    for (Index lane = 0; lane < LANES; ++lane) {
        const double own = factor.of(lane);
        product[lane] = before[lane] * inverse_above[lane] * own;
        inverse[lane] = own > LEAST_FACTOR ? 1 / own : 0.0;
    }
}

// The same at a leaf: no inverse is needed, and what passes without the column is summed up over the points.
PETREE_APART inline void multiply_last(Factor factor, const double* __restrict before,
                                       const double* __restrict inverse_above, double weight,
                                       double* __restrict product, double* __restrict without) {
    for (Index lane = 0; lane < LANES; ++lane) {
        const double others = before[lane] * inverse_above[lane];
        product[lane] = others * factor.of(lane);
        without[lane] += weight * others;
    }
}

PETREE_APART inline void add_scaled(const double* __restrict terms, double scale, Index n, double* __restrict sums) {
    for (Index k = 0; k < n; ++k) sums[k] += scale * terms[k];
}

// The integral of what stands at the points without one factor, in each lane.
PETREE_APART inline void integrate(Vector<const double> weights, const double* __restrict terms,
                                   const double* __restrict inverse, double* __restrict integral) {
    std::fill_n(integral, LANES, 0.0);
    for (Index q = 0; q < weights.length(); ++q) {
        for (Index lane = 0; lane < LANES; ++lane) {
            integral[lane] += weights[q] * (terms[q * LANES + lane] * inverse[q * LANES + lane]);
        }
    }
}

class Contributions {
  public:
    Contributions(const OptionRouter& router, Matrix<const double> says, GaussRule rule, Index n_columns,
                  Interrupts& interrupts)
        : router_(router),
          says_(says),
          rule_(rule),
          interrupts_(interrupts),
          ways_(router),
          rows_(n_columns),
          n_points_(rule.size() * LANES),
          known_(ways_.depth() + 1),
          product_((ways_.depth() + 1) * n_points_, 1.0),
          inverse_(product_.size(), 1.0),
          sums_(product_.size() * says.width()),
          totals_(n_columns * says.width()) {
        known_[0].fill(1.0);
    }

    void find(Matrix<const double> table, Index start, Index stop) {
        rows_.read(table, start, stop);
        for (Lanes& total : totals_) total.fill(0.0);
        ways_.walk(*this);
    }

    // Of each column to what is said of each class, columns after one another.
    double total(Index place, Index lane) const { return totals_[place][lane]; }

    // What the walk calls.
    void enter(Index level) {
        const WayStep& step = ways_.step(level);
        interrupts_.after(n_points_ * (3 + 2 * says_.width()) + 30);
        if (level > 0) take(level, step);
        if (level > 0 && router_.wiring().is_leaf(step.node)) {
            end(level, step);
            return;
        }
        if (level > 0) go_on(level, step);
        begin_sums(level, step);
    }

    void leave(Index level) {
        const WayStep& step = ways_.step(level);
        if (level == 0 || router_.wiring().is_leaf(step.node)) return;
        for (Index c = 0; c < says_.width(); ++c) {
            const double* below = sums(level, c);
            Lanes& total = totals_[step.column * says_.width() + c];
            add_difference(level, below, 1.0, total);
            if (step.above > 0) add_difference(step.above, below, -1.0, total);
            add_scaled(below, 1.0, n_points_, sums(level - 1, c));
        }
    }

  private:
    double* product(Index level) { return product_.data() + level * n_points_; }
    double* inverse(Index level) { return inverse_.data() + level * n_points_; }
    double* sums(Index level, Index c) { return sums_.data() + (level * says_.width() + c) * n_points_; }
    Factor factor(Index q, Index level, const WayStep& step) {
        return {rule_.points[q], step.unknown, known_[level].data()};
    }

    // How much of the rows passes the step, and all steps before that ask its column.
    void take(Index level, const WayStep& step) {
        Lanes& known = known_[level];
        take_step(router_, step, rows_, step.share, known.data());
        for (Index lane = 0; lane < LANES; ++lane) known[lane] *= known_[step.above][lane];
    }

    void go_on(Index level, const WayStep& step) {
        for (Index q = 0; q < rule_.size(); ++q) {
            const Index at = q * LANES;
            multiply(factor(q, level, step), product(level - 1) + at, inverse(step.above) + at, product(level) + at,
                     inverse(level) + at);
        }
    }

    // What an inner node says itself; what is said below it comes later.
    void begin_sums(Index level, const WayStep& step) {
        const double say = step.say * router_.stay(step.node);
        for (Index c = 0; c < says_.width(); ++c) {
            std::fill_n(sums(level, c), n_points_, 0.0);
            if (say > 0) add_scaled(product(level), say * says_(step.node, c), n_points_, sums(level, c));
        }
    }

    // A leaf: what it says is the same number at all points, times the product.
    void end(Index level, const WayStep& step) {
        Lanes own{};
        for (Index q = 0; q < rule_.size(); ++q) {
            const Index at = q * LANES;
            multiply_last(factor(q, level, step), product(level - 1) + at, inverse(step.above) + at, rule_.weights[q],
                          product(level) + at, own.data());
        }
        for (Index lane = 0; lane < LANES; ++lane) own[lane] *= known_[level][lane] - step.unknown;
        if (step.above > 0) add_difference(step.above, product(level), -1.0, own);
        const double say = step.say * router_.stay(step.node);
        for (Index c = 0; c < says_.width(); ++c) {
            const double said = say * says_(step.node, c);
            add_scaled(own.data(), said, LANES, totals_[step.column * says_.width() + c].data());
            add_scaled(product(level), said, n_points_, sums(level - 1, c));
        }
    }

    // Add what it makes of some terms whether the column of a step is known.
    void add_difference(Index level, const double* terms, double sign, Lanes& total) {
        Lanes integral;
        integrate(rule_.weights, terms, inverse(level), integral.data());
        const double unknown = ways_.step(level).unknown;
        for (Index lane = 0; lane < LANES; ++lane) {
            total[lane] += sign * integral[lane] * (known_[level][lane] - unknown);
        }
    }

    const OptionRouter& router_;
    Matrix<const double> says_;
    GaussRule rule_;
    Interrupts& interrupts_;
    Ways ways_;
    LanesOfRows rows_;
    Index n_points_;  // times the lanes
    // of each level, and but for the first of each point and lane
    std::vector<Lanes> known_;     // how much of a row passes all steps that ask the column of this one
    std::vector<double> product_;  // of the factors of all columns
    std::vector<double> inverse_;  // of the factor of the step's column
    std::vector<double> sums_;     // what is said from there on, of each class
    std::vector<Lanes> totals_;    // of each column and class
};

// How much each column adds to what is said of each class, given what every node says; columns after one another.
inline void find_contributions(const OptionRouter& router, Matrix<const double> table, Matrix<const double> says,
                               Vector<const double> points, Vector<const double> weights,
                               Matrix<double> contributions, Interrupts& interrupts) {
    router.require_columns(table.width());
    require(says.length() == router.wiring().n_nodes(), "'says' needs a line for each node.");
    require(points.length() == weights.length(), "'points' and 'weights' need the same length.");
    require(contributions.length() == table.length() && contributions.width() == table.width() * says.width(),
            "'contributions' needs a line for each row, with a number for each column and class.");
    Contributions found(router, says, {points, weights}, table.width(), interrupts);
    for (Index start = 0; start < table.length(); start += LANES) {
        const Index stop = std::min(start + LANES, table.length());
        found.find(table, start, stop);
        for (Index row = start; row < stop; ++row) {
            double* const own = contributions.row(row);
            for (Index k = 0; k < contributions.width(); ++k) own[k] = found.total(k, row - start);
        }
        interrupts.after(LANES * contributions.width());
    }
}

}  // namespace petree::prediction
