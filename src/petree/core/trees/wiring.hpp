// Which nodes of a tree hang on which: the splits of every node, and the children of every split.
//
// Checked once, so that the loops over trees need not: children stand behind their parents, and nothing leads out of
// the tree. A node with several splits has options; then a node may also have several parents.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "foundation/views.hpp"

namespace petree::trees {

using Node = std::int32_t;

class Wiring {
  public:
    // As in `petree.tree.Tree`: where the splits of each node start, where the children of each split, and these.
    Wiring(Vector<const Node> split_start, Vector<const Node> child_start, Vector<const Node> children)
        : split_start_(split_start.data, split_start.data + split_start.length()),
          child_start_(child_start.data, child_start.data + child_start.length()),
          children_(children.data, children.data + children.length()) {
        require(split_start_.size() > 1, "A tree needs a node, and 'split_start' one element more than nodes.");
        require(is_rising(split_start_, n_splits()), "'split_start' must rise from 0 to the number of splits.");
        const bool is_right = is_rising(child_start_, children.length());
        require(is_right, "'child_start' must rise from 0 to the number of children.");
        for (Index node = 0; node < n_nodes(); ++node) {
            for (Index split = first_split(node); split < last_split(node); ++split) {
                require(!children_of(split).empty(), "Every split needs a child.");
                for (const Node child : children_of(split)) {
                    const bool is_behind = child > node && child < n_nodes();
                    require(is_behind, "Children must be nodes that stand behind their parents.");
                }
            }
        }
    }

    Index n_nodes() const { return static_cast<Index>(split_start_.size()) - 1; }
    Index n_splits() const { return static_cast<Index>(child_start_.size()) - 1; }
    Index n_children() const { return static_cast<Index>(children_.size()); }

    // The splits of a node are those from the first on, before the last.
    Index first_split(Index node) const { return split_start_[node]; }
    Index last_split(Index node) const { return split_start_[node + 1]; }
    bool is_leaf(Index node) const { return first_split(node) == last_split(node); }

    std::span<const Node> children_of(Index split) const {
        return {children_.data() + child_start_[split], children_.data() + child_start_[split + 1]};
    }

    // Where the children of a split stand among those of all splits.
    Index first_place(Index split) const { return child_start_[split]; }

    void require_no_options() const {
        for (Index node = 0; node < n_nodes(); ++node) {
            require(last_split(node) - first_split(node) <= 1, "This tree has nodes with several splits.");
        }
    }

    // The parent of each node, -1 of the root; refused where a node has several, or none.
    std::vector<Node> parents() const {
        require_no_options();
        std::vector<Node> parents(n_nodes(), -1);
        for (Index node = 0; node < n_nodes(); ++node) {
            if (is_leaf(node)) continue;
            for (const Node child : children_of(first_split(node))) {
                require(parents[child] < 0, "Every node but the root must have one parent, and one has several.");
                parents[child] = static_cast<Node>(node);
            }
        }
        const bool all = std::none_of(parents.begin() + 1, parents.end(), [](Node parent) { return parent < 0; });
        require(all, "Every node but the root must have one parent, and one has none.");
        return parents;
    }

  private:
    static bool is_rising(const std::vector<Node>& starts, Index last) {
        return !starts.empty() && starts.front() == 0 && starts.back() == last &&
               std::is_sorted(starts.begin(), starts.end());
    }

    std::vector<Node> split_start_;
    std::vector<Node> child_start_;
    std::vector<Node> children_;
};

}  // namespace petree::trees
