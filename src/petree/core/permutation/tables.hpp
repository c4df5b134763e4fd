// Samples of cases, and random tables of given margins; a node's random numbers follow from its key.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "foundation/interrupts.hpp"
#include "foundation/numbers.hpp"
#include "foundation/random.hpp"

namespace petree::permutation {

// A node has at most so many cases, so that products of two numbers of cases fit an integer.
inline constexpr Index MOST_CASES = Index{1} << 31;
// Logarithms of table probabilities that differ by no more than this, relative to their size, are equal.
inline constexpr double TOLERANCE = 1e-12;

// Whether starts rise within an array of so many elements.
inline bool are_starts(Vector<const Index> starts, Index n) {
    return starts.length() > 0 && starts[0] >= 0 && starts[starts.length() - 1] <= n &&
           std::is_sorted(starts.data, starts.data + starts.length());
}

// Which cases of each node are among n_drawn of all n_cases, drawn without replacement anew for every node.
// Node i has the cases from `starts[i]` on, up to `starts[i + 1]`, and takes them first: the draws that are left then fall
// on cases that do not reach it, which need no drawing.
inline void select(Vector<const Word> keys, Vector<const Index> starts, Index n_cases, Index n_drawn,
                   Vector<Flag> is_drawn) {
    require(starts.length() == keys.length() + 1, "'starts' needs one element more than 'keys'.");
    require(are_starts(starts, is_drawn.length()), "'starts' must rise, up to the number of cases in 'is_drawn'.");
    require(0 <= n_drawn && n_drawn <= n_cases && n_cases <= Index{1} << 53,
            "'n_drawn' cases must be drawn from 'n_cases', and there are at most 2**53.");
    for (Index node = 0; node < keys.length(); ++node) {
        Random random(keys[node]);
        Index n_open = n_cases;
        Index n_left = n_drawn;
        for (Index place = starts[node]; place < starts[node + 1]; ++place) {
            is_drawn[place] = random.next_share() * static_cast<double>(n_open) < static_cast<double>(n_left);
            n_left -= is_drawn[place];
            --n_open;
        }
    }
}

// Logarithms of factorials: a list of the first, the others are worked out.
struct LogFactorials {
    Vector<const double> listed;

    double operator()(Index n) const {
        return n < listed.length() ? listed[n] : log_gamma(static_cast<double>(n) + 1.0);
    }
};

// How many of n_drawn cases are marked, by the place of a share of 1 among the chances; numbers are tried by turns above
// and below the most probable one.
inline Index hypergeometric(double share, Index n_marked, Index n_other, Index n_drawn, const LogFactorials& logs) {
    const Index lowest = std::max<Index>(0, n_drawn - n_other);
    const Index highest = std::min(n_marked, n_drawn);
    const Index likeliest = (n_drawn + 1) * (n_marked + 1) / (n_marked + n_other + 2);
    const Index middle = std::min(std::max(likeliest, lowest), highest);
    const double chance = power_of_e(logs(n_marked) + logs(n_other) + logs(n_drawn) + logs(n_marked + n_other - n_drawn) -
                                     logs(n_marked + n_other) - logs(middle) - logs(n_marked - middle) -
                                     logs(n_drawn - middle) - logs(n_other - n_drawn + middle));
    share -= chance;
    Index down = middle;
    Index up = middle;
    double chance_down = chance;
    double chance_up = chance;
    const auto real = [](Index n) { return static_cast<double>(n); };
    while (share >= 0 && (down > lowest || up < highest)) {
        if (up < highest) {
            chance_up *= real(n_marked - up) / real(up + 1) * real(n_drawn - up) / real(n_other - n_drawn + up + 1);
            ++up;
            share -= chance_up;
            if (share < 0) return up;
        }
        if (down > lowest) {
            chance_down *= real(down) / real(n_marked - down + 1) * real(n_other - n_drawn + down) / real(n_drawn - down + 1);
            --down;
            share -= chance_down;
            if (share < 0) return down;
        }
    }
    return middle;
}

inline Index draw_hypergeometric(double share, Index n_marked, Index n_other, Index n_drawn,
                                 Vector<const double> log_factorials) {
    const auto is_count = [](Index n) { return 0 <= n && n <= MOST_CASES; };
    require(is_count(n_marked) && is_count(n_other) && is_count(n_drawn) && n_marked + n_other <= MOST_CASES &&
                n_drawn <= n_marked + n_other,
            "'n_drawn' cases must be drawn from those that are marked and the others, at most 2**31.");
    return hypergeometric(share, n_marked, n_other, n_drawn, {log_factorials});
}

// A table of class counts, a line a child, and random tables of the same margins.
class Margins {
  public:
    Margins(Matrix<const Index> counts, Index first, Index last, const LogFactorials& logs)
        : logs_(logs), sizes_(last - first, 0), totals_(counts.width(), 0), left_(counts.width()) {
        for (Index child = first; child < last; ++child) {
            for (Index c = 0; c < counts.width(); ++c) {
                const Index count = counts(child, c);
                require(0 <= count && count <= MOST_CASES - n_cases_,
                        "Counts must not be negative, and a node has at most 2**31 cases.");
                n_cases_ += count;
                sizes_[child - first] += count;
                totals_[c] += count;
                observed_ += logs_(count);
            }
        }
    }

    // Sum of the log factorials of the table itself, which falls with its chance.
    double observed() const { return observed_; }

    // The same of a random table.
    double draw(Random& random) {
        left_ = totals_;
        Index n_left = n_cases_;
        double sum = 0.0;
        for (const Index size : sizes_) {
            Index n_open = size;
            Index n_other = n_left;
            n_left -= n_open;
            for (Index& left : left_) {
                n_other -= left;
                Index count = std::max<Index>(0, n_open - n_other);
                if (count < std::min(left, n_open)) {
                    count = hypergeometric(random.next_share(), left, n_other, n_open, logs_);
                }
                left -= count;
                n_open -= count;
                sum += logs_(count);
            }
        }
        return sum;
    }

    // To draw a cell takes a number of steps that grows with the square root of the cases.
    Index steps_of_draw() const {
        const double n_cells = static_cast<double>(sizes_.size() * totals_.size());
        return static_cast<Index>(n_cells * (20.0 + std::sqrt(static_cast<double>(n_cases_))));
    }

  private:
    LogFactorials logs_;
    std::vector<Index> sizes_;
    std::vector<Index> totals_;
    std::vector<Index> left_;
    Index n_cases_ = 0;
    double observed_ = 0.0;
};

// Of so many random tables with the margins of each node's own, those that are no more probable than it; beyond those
// that are allowed the rest is not drawn. The children of node i are the lines from `starts[i]` on, up to `starts[i + 1]`.
inline void improbable_tables(Matrix<const Index> children, Vector<const Index> starts, Vector<const Word> keys,
                              Vector<const double> log_factorials, Index n_tables, Index allowed, Vector<Index> found,
                              Interrupts& interrupts) {
    require(starts.length() == keys.length() + 1, "'starts' needs one element more than 'keys'.");
    require(are_starts(starts, children.length()), "'starts' must rise, up to the number of children.");
    require(found.length() == keys.length(), "'found' needs a number for each node.");
    for (Index node = 0; node < keys.length(); ++node) {
        Margins margins(children, starts[node], starts[node + 1], {log_factorials});
        Random random(keys[node]);
        const double bound = margins.observed() * (1 - TOLERANCE);
        const Index steps = margins.steps_of_draw();
        found[node] = 0;
        for (Index n_tried = 0; n_tried < n_tables && found[node] <= allowed; ++n_tried) {
            found[node] += margins.draw(random) >= bound;
            interrupts.after(steps);
        }
    }
}

}  // namespace petree::permutation
