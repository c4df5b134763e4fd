// The best test of each open node by Buntine's quality.
#pragma once

#include "options/quality.hpp"
#include "search/nodes.hpp"

namespace petree {

template <class Code>
void search_by_evidence(const Evidence& evidence, const Rows& rows, Matrix<Code> codes, Block block, const Nodes& nodes,
                        const Best& best, Interrupts& interrupts) {
    QualityScan<Code> scan(rows, evidence, codes, block);
    BestTests kept(1);
    for (Index node = 0; node < nodes.size(); ++node) {
        const Index start = nodes.start(node);
        const auto row_of = [start](Index k) { return start + k; };
        scan.allow(nodes.allowed_at(node));
        scan.count_node(row_of, nodes.n_rows(node));
        scan.rate(row_of, nodes.n_rows(node), kept, interrupts);
        best.values(node, 0) = -std::numeric_limits<double>::infinity();
        best.values(node, 1) = 0.0;
        best.tests[node] = Test{};
        if (kept.size()) {
            best.tests[node] = kept[0].test;
            best.values(node, 0) = kept[0].quality - evidence.ln_leaf - evidence.of(scan.totals());
            best.values(node, 1) = kept[0].penalty;
        }
    }
}

// How much better than no test the best one among some columns is, the test, and (as second value) what its cut costs.
inline void best_by_evidence(const Evidence& evidence, const Rows& rows, Block block, const Nodes& nodes, const Best& best,
                             Interrupts& interrupts) {
    if (block.last <= rows.columns.n_narrow) {
        search_by_evidence(evidence, rows, rows.narrow, block, nodes, best, interrupts);
    } else {
        search_by_evidence(evidence, rows, rows.wide, block, nodes, best, interrupts);
    }
}

}  // namespace petree
