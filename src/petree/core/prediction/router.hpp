// A tree without options, packed for sending rows down.
//
// What the usual step needs of a node is sixteen bytes (`Step`); the rest is read at other tests than thresholds and
// equality, and for missing values. Siblings stand side by side.
#pragma once

#include <bit>
#include <cstdint>

#include "foundation/bits.hpp"
#include "prediction/surrogates.hpp"

namespace petree::prediction {

// A node: where a row goes from it. From a leaf, and from where it gets stuck, a row goes to where it is, so that rows
// that walk side by side need not be told apart.
struct Step {
    double value;
    std::uint32_t column_and_marks;
    Node first_child;

    static constexpr std::uint32_t EQUALITY = 1u << 30;  // the test is ``=``, not ``<``
    static constexpr std::uint32_t OTHER = 1u << 31;     // the test is neither; of a set of low codes both marks are there
    static constexpr std::uint32_t COLUMN = EQUALITY - 1;

    Index column() const { return column_and_marks & COLUMN; }
    bool is_other() const { return column_and_marks & OTHER; }
    bool is_equality() const { return column_and_marks & EQUALITY; }
    bool is_set() const { return is_other() && is_equality(); }
    // The branch of a value that is known, of a test that is `<` or `=`, without a jump that would have to be guessed.
    Node branch_of(double x) const { return (x >= value) ^ (is_equality() & (x <= value)); }
    // The same of a set of low codes, which are the bits of `value`.
    Node branch_of_set(double x) const {
        if (!(x >= 0 && x < static_cast<double>(bits_per_word))) return 1;
        const Index code = static_cast<Index>(x);
        return !(std::bit_cast<Word>(value) & bit_of(code)) || static_cast<double>(code) != x;
    }
};
static_assert(sizeof(Step) == 16);

class Router {
  public:
    // `weights` are the training weights of the nodes.
    Router(const Tests& tests, const Wiring& wiring, Vector<const double> weights, const Surrogates& surrogates)
        : tests_(tests.with_branches(wiring)),
          surrogates_(surrogates),
          width_(std::max(tests_.width(), surrogates.width())),
          split_of_(wiring.n_nodes(), -1),
          weights_(weights.data, weights.data + weights.length()),
          shares_(wiring.n_nodes(), 1.0) {
        const std::vector<Node> parents = wiring.parents();
        require(weights.length() == wiring.n_nodes(), "'weights' needs a number for each node.");
        require(surrogates.n_splits() == tests_.size(), "There must be surrogates, or none, for each split.");
        steps_.reserve(wiring.n_nodes());
        for (Index node = 0; node < wiring.n_nodes(); ++node) {
            if (wiring.is_leaf(node)) {
                // asks what its parent asked, which is at hand
                const std::uint32_t column = node == 0 ? 0 : steps_[parents[node]].column_and_marks & Step::COLUMN;
                steps_.push_back({infinity, column, static_cast<Node>(node)});
            } else {
                add_inner(node, wiring);
            }
        }
    }

    Index n_nodes() const { return static_cast<Index>(steps_.size()); }
    const Step& step(Index node) const { return steps_[node]; }
    bool is_leaf(Index node) const { return split_of_[node] < 0; }
    Index first_child(Index node) const { return steps_[node].first_child; }
    Index last_child(Index node) const { return steps_[node].first_child + tests_[split_of_[node]].n_branches; }
    double weight(Index node) const { return weights_[node]; }
    // Part of each node in the training weight of it and its siblings; all alike where they have none.
    double share(Index node) const { return shares_[node]; }
    const std::vector<double>& shares() const { return shares_; }

    // Whether a row takes the usual step from a node, given its value there.
    static bool is_usual(const Step& step, double value) { return value < infinity && !step.is_other(); }

    // The branch that a row takes from an inner node, or `STUCK`.
    Node branch_of(Index node, const double* row) const {
        const Index split = split_of_[node];
        const Test& test = tests_[split];
        const double value = row[test.column];
        if (std::isnan(value)) {
            const Node branch = surrogates_.branch_of(split, row);
            if (branch != STUCK) return branch;
        }
        return tests_.branch_of(value, test);
    }

    void require_columns(Index n_columns) const {
        require(n_columns >= width_, "The table has fewer columns than the tests ask.");
    }

  private:
    void add_inner(Index node, const Wiring& wiring) {
        const Index split = wiring.first_split(node);
        const Test& test = tests_[split];
        const bool has_two = test.n_branches == 2 && test.kind != IS_MISSING;
        require(has_two || !surrogates_.are_of(split), "Only a test of a value with two branches has surrogates.");
        const auto children = wiring.children_of(split);
        double total = 0.0;
        for (std::size_t k = 0; k < children.size(); ++k) {
            require(children[k] == children[0] + static_cast<Node>(k), "Siblings must stand side by side.");
            total += weights_[children[k]];
        }
        for (const Node child : children) {
            shares_[child] = total > 0 ? weights_[child] / total : 1.0 / static_cast<double>(children.size());
        }
        const bool is_plain = test.kind == THRESHOLD || test.kind == EQUALS;
        const bool is_set = test.kind == IN && tests_.has_low_codes(test);
        const std::uint32_t mark = (is_plain ? 0 : Step::OTHER) | (test.kind == EQUALS || is_set ? Step::EQUALITY : 0);
        const double value = is_set ? std::bit_cast<double>(tests_.low_codes(test)) : test.value;
        steps_.push_back({value, static_cast<std::uint32_t>(test.column) | mark, children[0]});
        split_of_[node] = static_cast<Node>(split);
    }

    Tests tests_;  // one a split
    Surrogates surrogates_;
    Index width_;
    std::vector<Step> steps_;     // one a node
    std::vector<Node> split_of_;  // of each node, -1 of a leaf
    std::vector<double> weights_;
    std::vector<double> shares_;
};

}  // namespace petree::prediction
