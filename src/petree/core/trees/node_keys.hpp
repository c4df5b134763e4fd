// Keys of random numbers from parents to children, through a whole tree.
#pragma once

#include "foundation/random.hpp"
#include "trees/wiring.hpp"

namespace petree::trees {

// Fill in the keys of all nodes below the root, which has one; the same as `petree.keys.child_keys` level by level.
inline void chain_keys(const Wiring& wiring, Vector<const Word> condition_keys, Vector<Word> keys) {
    require(condition_keys.length() == wiring.n_splits(), "'condition_keys' needs a key for each split.");
    require(keys.length() == wiring.n_nodes(), "'keys' needs a key for each node.");
    for (Index node = 0; node < wiring.n_nodes(); ++node) {
        for (Index split = wiring.first_split(node); split < wiring.last_split(node); ++split) {
            const Word key = mix_keys(keys[node], condition_keys[split]);
            Word branch = 0;
            for (const Node child : wiring.children_of(split)) keys[child] = mix_keys(key, branch++);
        }
    }
}

}  // namespace petree::trees
