#include "options/growing.hpp"
#include "options/held.hpp"
#include "rooms.hpp"
#include "tables/held.hpp"

namespace petree {
namespace {

using Grown = std::tuple<bool, Made<Index, 1>, Made<double, 2>, Made<Index, 2>, Made<double, 1>, Made<Index, 1>>;

template <class Code>
Grown grow_from(const HeldEvidence& evidence, const HeldRows& rows, Matrix<Code> codes, Vector<const Index> order,
                const OptionRules& rules, Interrupts& interrupts) {
    OptionGrower<Code> grower(rows, evidence, codes, order, rules);
    const bool fits = grower.grow(interrupts);
    OptionTree& tree = grower.tree();
    return {fits,
            {std::move(tree.levels)},
            {std::move(tree.counts), evidence.width()},
            {std::move(tree.splits), option_split_fields},
            {std::move(tree.penalties)},
            {std::move(tree.children)}};
}

using Opened = std::tuple<Index, Made<Index, 2>, Made<double, 1>, Made<double, 2>, Made<Word, 1>, Made<Word, 1>,
                          Made<Index, 1>, Made<std::int32_t, 1>>;

template <class Code>
Opened open_by(OptionOpener<Code> opener, Index width, const OpenNodes& nodes, double seconds, Interrupts& interrupts) {
    const Index n_opened = opener.open(nodes, seconds, interrupts);
    OpenedNodes& opened = opener.opened();
    return {n_opened,
            {std::move(opened.splits), option_split_fields},
            {std::move(opened.penalties)},
            {std::move(opened.counts), width},
            {std::move(opened.keys)},
            {std::move(opened.draws)},
            {std::move(opened.n_members)},
            {std::move(opened.members)}};
}

void check_order(Vector<const Index> order, Index n_columns) {
    require(order.size() == n_columns, "'order' needs a line for each column.");
    std::vector<bool> is_there(n_columns);
    for (Index rank = 0; rank < n_columns; ++rank) {
        const Index column = order[rank];
        require(column >= 0 && column < n_columns && !is_there[column], "'order' must have each column once.");
        is_there[column] = true;
    }
}

void check_ground(const HeldEvidence& evidence, const HeldRows& rows, Vector<const Index> order, const OptionRules& rules) {
    evidence.check(rows);
    check_order(order, rows.columns.size());
    require(rows.narrow.width() == 0 || rows.wide.width() == 0, "Columns must be all narrow or all wide.");
    require(rows.size() < (Index{1} << 31), "There must be fewer than 2^31 rows.");
    require(rules.lookahead <= 100, "There must be at most 100 plies.");
}

Grown grow(const HeldEvidence& evidence, const HeldRows& rows, Vector<const Index> order, const OptionRules& rules,
           Interrupts& interrupts) {
    check_ground(evidence, rows, order, rules);
    if (rows.wide.width() == 0) return grow_from(evidence, rows, rows.narrow, order, rules, interrupts);
    return grow_from(evidence, rows, rows.wide, order, rules, interrupts);
}

Opened open(const HeldEvidence& evidence, const HeldRows& rows, Vector<const Index> order, const OptionRules& rules,
            const HeldOpenNodes& nodes, double seconds, Interrupts& interrupts) {
    check_ground(evidence, rows, order, rules);
    nodes.check(rows);
    const Index width = evidence.width();
    if (rows.wide.width() == 0) {
        return open_by(OptionOpener(rows, evidence, rows.narrow, order, rules), width, nodes, seconds, interrupts);
    }
    return open_by(OptionOpener(rows, evidence, rows.wide, order, rules), width, nodes, seconds, interrupts);
}

}  // namespace

void bind_options(nb::module_& module) {
    nb::class_<HeldEvidence>(module, "Evidence", "What the quality of tests depends on beside the cases.")
        .def(nb::init<HeldEvidence::Numbers, door::Handed<Matrix<const double>>, double, double, HeldEvidence::Numbers,
                      HeldEvidence::Numbers, HeldEvidence::Numbers, Index>(),
             nb::arg("alphas"), nb::arg("log_gammas"), nb::arg("power"), nb::arg("ln_leaf"), nb::arg("ln_tests"),
             nb::arg("centres"), nb::arg("class_weight"), nb::arg("min_rows"));
    nb::class_<OptionRules>(module, "OptionRules", "When a node is split, and by how many tests.")
        .def(nb::init<Index, Index, Index, double, Index, Index, Index, bool, Word>(), nb::arg("max_depth"),
             nb::arg("max_options"), nb::arg("option_depth"), nb::arg("ln_factor"), nb::arg("lookahead"), nb::arg("max_nodes"),
             nb::arg("n_columns"), nb::arg("draws_tests"), nb::arg("seed"));
    door::define(module, "grow", &grow, {"evidence", "rows", "order", "rules", "stop"},
                 "Grow an option tree whose columns are drawn from an order of them: whether it fits, then levels, counts, splits, "
                 "costs of cuts and children.");
    nb::class_<HeldOpenNodes>(module, "OpenNodes", "Nodes of an option tree that can be opened, with their rows.")
        .def(nb::init<door::Handed<Vector<const std::int32_t>>, door::Handed<Matrix<const Index>>,
                      door::Handed<Vector<const Index>>, door::Handed<Vector<const Word>>>(),
             nb::arg("members"), nb::arg("slices"), nb::arg("levels"), nb::arg("draws"));
    door::define(module, "open", &open, {"evidence", "rows", "order", "rules", "nodes", "seconds", "stop"},
                 "Open nodes until the time is over: how many were opened, their splits and costs of cuts; and of the children "
                 "the counts, keys, draws, how many rows they hand on, and these rows.");
}

}  // namespace petree
