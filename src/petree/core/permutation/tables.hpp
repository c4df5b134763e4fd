// Samples of cases, and random tables of given margins; a node's random numbers follow from its key.
#pragma once

#include <algorithm>
#include <vector>

#include "foundation/interrupts.hpp"
#include "foundation/numbers.hpp"
#include "foundation/random.hpp"

namespace petree::permutation {

// A node has at most so many cases, so that products of two numbers of cases fit an integer.
inline constexpr Index MOST_CASES = Index{1} << 31;
// Logarithms of table probabilities that differ by no more than this, relative to their size, are equal.
inline constexpr double TOLERANCE = 1e-12;

// What belongs to a node: the elements from `start` on, before `stop`.
struct Span {
    Index start;
    Index stop;

    Span(Vector<const Index> starts, Index node, Index n_elements) : start(starts[node]), stop(starts[node + 1]) {
        require(0 <= start && start <= stop && stop <= n_elements, "'starts' must rise from 0 to what there is.");
    }
};

// Which cases of each node are among n_drawn of all n_cases, drawn without replacement anew for every node.
// Node i has the cases from `starts[i]` on, up to `starts[i + 1]`, and takes them first: the draws that are left then
// fall on cases that do not reach it, which need no drawing.
inline void select(Vector<const Word> keys, Vector<const Index> starts, Index n_cases, Index n_drawn,
                   Vector<Flag> is_drawn) {
    require(starts.length() == keys.length() + 1, "'starts' needs one element more than 'keys'.");
    const auto is_count = [](Index n) { return 0 <= n && n <= Index{1} << 53; };
    require(is_count(n_cases) && is_count(n_drawn), "'n_cases' and 'n_drawn' must be between 0 and 2**53.");
    for (Index node = 0; node < keys.length(); ++node) {
        const Span cases(starts, node, is_drawn.length());
        Random random(keys[node]);
        Index n_open = n_cases;
        Index n_left = n_drawn;
        for (Index place = cases.start; place < cases.stop; ++place) {
            const bool is_taken = random.next_share() * static_cast<double>(n_open) < static_cast<double>(n_left);
            is_drawn[place] = is_taken;
            n_left -= is_taken;
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

// How many of n_drawn cases are marked, by the place of a share of 1 among the chances; numbers are tried by turns
// above and below the most probable one.
inline Index hypergeometric(double share, Index n_marked, Index n_other, Index n_drawn, const LogFactorials& logs,
                            Interrupts& interrupts) {
    const Index lowest = std::max<Index>(0, n_drawn - n_other);
    const Index highest = std::min(n_marked, n_drawn);
    const Index likeliest = (n_drawn + 1) * (n_marked + 1) / (n_marked + n_other + 2);
    const Index middle = std::min(std::max(likeliest, lowest), highest);
    const double chance =
        power_of_e(logs(n_marked) + logs(n_other) + logs(n_drawn) + logs(n_marked + n_other - n_drawn) -
                   logs(n_marked + n_other) - logs(middle) - logs(n_marked - middle) - logs(n_drawn - middle) -
                   logs(n_other - n_drawn + middle));
    share -= chance;
    Index down = middle;
    Index up = middle;
    double chance_down = chance;
    double chance_up = chance;
    const auto real = [](Index n) { return static_cast<double>(n); };
    while (share >= 0 && (down > lowest || up < highest)) {
        interrupts.after(10);
        if (up < highest) {
            chance_up *= real(n_marked - up) / real(up + 1) * real(n_drawn - up) / real(n_other - n_drawn + up + 1);
            ++up;
            share -= chance_up;
            if (share < 0) return up;
        }
        if (down > lowest) {
            chance_down *=
                real(down) / real(n_marked - down + 1) * real(n_other - n_drawn + down) / real(n_drawn - down + 1);
            --down;
            share -= chance_down;
            if (share < 0) return down;
        }
    }
    return middle;
}

inline Index draw_hypergeometric(double share, Index n_marked, Index n_other, Index n_drawn,
                                 Vector<const double> log_factorials, Interrupts& interrupts) {
    const auto is_count = [](Index n) { return 0 <= n && n <= MOST_CASES; };
    require(is_count(n_marked) && is_count(n_other) && is_count(n_drawn) && n_marked + n_other <= MOST_CASES &&
                n_drawn <= n_marked + n_other,
            "'n_drawn' cases must be drawn from those that are marked and the others, at most 2**31.");
    return hypergeometric(share, n_marked, n_other, n_drawn, {log_factorials}, interrupts);
}

// A table of class counts, a line a child, and random tables of the same margins.
class Margins {
  public:
    Margins(Matrix<const Index> counts, Span lines, const LogFactorials& logs)
        : logs_(logs), sizes_(lines.stop - lines.start, 0), totals_(counts.width(), 0), left_(counts.width()) {
        for (Index child = lines.start; child < lines.stop; ++child) {
            for (Index c = 0; c < counts.width(); ++c) {
                const Index count = counts(child, c);
                require(0 <= count && count <= MOST_CASES - n_cases_,
                        "Counts must not be negative, and a node has at most 2**31 cases.");
                n_cases_ += count;
                sizes_[child - lines.start] += count;
                totals_[c] += count;
                observed_ += logs_(count);
            }
        }
        std::sort(totals_.begin(), totals_.end());  // whatever the classes are called
    }

    // Sum of the log factorials of the table itself, which falls with its chance.
    double observed() const { return observed_; }

    // The same of a random table.
    double draw(Random& random, Interrupts& interrupts) {
        left_ = totals_;
        Index n_left = n_cases_;
        double sum = 0.0;
        for (const Index size : sizes_) {
            Index n_open = size;
            Index n_other = n_left;
            n_left -= n_open;
            for (Index& left : left_) {
                n_other -= left;
                interrupts.after(20);
                Index count = std::max<Index>(0, n_open - n_other);
                if (count < std::min(left, n_open)) {
                    count = hypergeometric(random.next_share(), left, n_other, n_open, logs_, interrupts);
                }
                left -= count;
                n_open -= count;
                sum += logs_(count);
            }
        }
        return sum;
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
// that are allowed the rest is not drawn. The children of node i are the lines from `starts[i]` to `starts[i + 1]`.
inline void improbable_tables(Matrix<const Index> children, Vector<const Index> starts, Vector<const Word> keys,
                              Vector<const double> log_factorials, Index n_tables, Index allowed, Vector<Index> found,
                              Interrupts& interrupts) {
    require(starts.length() == keys.length() + 1, "'starts' needs one element more than 'keys'.");
    require(found.length() == keys.length(), "'found' needs a number for each node.");
    for (Index node = 0; node < keys.length(); ++node) {
        Margins margins(children, Span(starts, node, children.length()), {log_factorials});
        Random random(keys[node]);
        const double bound = margins.observed() * (1 - TOLERANCE);
        Index n_improbable = 0;
        for (Index n_tried = 0; n_tried < n_tables && n_improbable <= allowed; ++n_tried) {
            n_improbable += margins.draw(random, interrupts) >= bound;
            interrupts.after(10);
        }
        found[node] = n_improbable;
    }
}

}  // namespace petree::permutation
