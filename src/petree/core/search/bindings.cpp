#include "options/by_evidence.hpp"
#include "options/held.hpp"
#include "rooms.hpp"
#include "search/held.hpp"
#include "tables/held.hpp"

namespace petree {

std::unique_ptr<Search> make_search(const std::string& name, const ScoreSettings& settings, SearchRules rules, bool per_case) {
#define PETREE_SCORE(score) \
    if (name == #score) return make_##score(settings, std::move(rules), per_case);
#include "scores/list.inc"
#undef PETREE_SCORE
    refuse("There is no score called '" + name + "'.");
}

namespace {

void find_by_value(const HeldSearch& search, const HeldRows& rows, const HeldNodes& nodes, Index first, Index last,
                   Matrix<double> values, Matrix<Index> tests, Interrupts& interrupts) {
    const Block block{first, last};
    block.check(rows);
    nodes.check(rows);
    search.on(rows).by_value(rows, nodes, block, Best::of(nodes, values, tests), interrupts);
}

void find_by_ratio(const HeldSearch& search, const RatioRules& ratio, const HeldRows& rows, const HeldNodes& nodes,
                   Matrix<double> values, Matrix<Index> tests, Interrupts& interrupts) {
    nodes.check(rows);
    search.on(rows).by_ratio(ratio, rows, nodes, Best::of(nodes, values, tests), interrupts);
}

void find_by_evidence(const HeldEvidence& evidence, const HeldRows& rows, const HeldNodes& nodes, Index first, Index last,
                      Matrix<double> values, Matrix<Index> tests, Interrupts& interrupts) {
    const Block block{first, last};
    block.check(rows);
    nodes.check(rows);
    evidence.check(rows);
    require(!rows.columns.offer_sets(), "Buntine's quality is not defined for sets of categories.");
    best_by_evidence(evidence, rows, block, nodes, Best::of(nodes, values, tests), interrupts);
}

using Grown = std::tuple<Made<Index, 2>, Made<double, 2>, Made<Index, 1>, Made<Index, 2>, Made<double, 1>>;

Grown made_of(Waves waves, const Rows& rows) {
    return {{std::move(waves.nodes), node_fields},
            {std::move(waves.counts), rows.n_classes},
            {std::move(waves.levels)},
            {std::move(waves.splits), split_fields},
            {std::move(waves.values)}};
}

// Which columns a child may test is not known here.
void require_all_columns(const Nodes& nodes) {
    require(nodes.allowed.length() == 0, "Nodes that are grown at once may test all columns.");
}

Grown grow(const HeldSearch& search, HeldRows& rows, const HeldNodes& nodes, Index most_waves, double min_gain,
           Interrupts& interrupts) {
    nodes.check(rows);
    require_all_columns(nodes);
    require(rows.wide.width() == 0, "Only narrow columns can be grown at once.");
    return made_of(search.on(rows).grow(rows, nodes, most_waves, min_gain, interrupts), rows);
}

std::vector<Block> blocks_of(const Rows& rows, Matrix<const Index> lines) {
    require(lines.width() == 2, "A block of columns has a first and a last one.");
    std::vector<Block> blocks;
    for (Index line = 0; line < lines.length(); ++line) {
        blocks.push_back({lines(line, 0), lines(line, 1)});
        blocks.back().check(rows);
    }
    return blocks;
}

Grown grow_inheriting(const HeldSearch& search, HeldRows& rows, const HeldNodes& nodes, Index most_waves, double min_gain,
                      Matrix<const Index> small_blocks, Matrix<const Index> large_blocks, Index many_rows,
                      Interrupts& interrupts) {
    nodes.check(rows);
    require_all_columns(nodes);
    require(!rows.are_weighted(), "Only whole counts can be handed down.");
    for (Index place = rows.columns.n_narrow; place < rows.columns.size(); ++place) {
        require(rows.columns.kinds[place] == EQUALS, "Only wide columns that offer values can be handed down.");
    }
    for (Index place = 0; place < rows.columns.n_narrow; ++place) {
        require(rows.columns.kinds[place] != MULTIWAY, "Only nodes with two children can be handed down.");
    }
    for (Index node = 1; node < nodes.size(); ++node) {
        require(nodes.start(node) >= nodes.stop(node - 1), "Nodes must stand one after the other.");
    }
    const Blocks blocks{blocks_of(rows, small_blocks), blocks_of(rows, large_blocks), many_rows};
    return made_of(search.on(rows).grow_inheriting(rows, nodes, most_waves, min_gain, blocks, interrupts), rows);
}

}  // namespace

void bind_search(nb::module_& module) {
    nb::class_<HeldNodes>(module, "Nodes",
                          "Open nodes: slices of rows, class counts, numbers of rows, and columns that may be tested.")
        .def(nb::init<door::Handed<Matrix<const Index>>, door::Handed<Matrix<const double>>,
                      door::Handed<Vector<const Index>>, door::Handed<Matrix<const std::uint8_t>>>(),
             nb::arg("slices"), nb::arg("counts"), nb::arg("sizes"), nb::arg("allowed"));
    nb::class_<HeldSearch>(module, "Search", "A search for tests by a score, with its parameters and a table of n log2 n.")
        .def(nb::init<const std::string&, door::Handed<Vector<const double>>, door::Handed<Vector<const double>>, Index,
                      door::Handed<Vector<const double>>, bool, bool>(),
             nb::arg("score"), nb::arg("parameters"), nb::arg("n_log_n"), nb::arg("min_rows"), nb::arg("class_weight"),
             nb::arg("per_case"), nb::arg("known_only"));
    nb::class_<RatioRules>(module, "RatioRules", "Which candidates may win by their ratio.")
        .def(nb::init<double, bool, bool, double>(), nb::arg("slack"), nb::arg("by_column"), nb::arg("is_restricted"),
             nb::arg("many_values"));
    door::define(module, "best_by_value", &find_by_value,
                 {"search", "rows", "nodes", "first", "last", "values", "tests", "stop"},
                 "Best test of each node among the columns at some places, all narrow or all wide.");
    door::define(module, "best_by_ratio", &find_by_ratio, {"search", "ratio", "rows", "nodes", "values", "tests", "stop"},
                 "Best test of each node by the ratio of its score to its split information.");
    door::define(module, "best_by_evidence", &find_by_evidence,
                 {"evidence", "rows", "nodes", "first", "last", "values", "tests", "stop"},
                 "Best test of each node by Buntine's quality, and what its cut costs.");
    door::define(module, "order_categories", &order_categories, {"counts", "n_categories", "orders", "stop"},
                 "Orders of the categories of a column, whose cuts are the sets to look at.");
    door::define(module, "grow", &grow, {"search", "rows", "nodes", "most_waves", "min_gain", "stop"},
                 "Split some nodes, their children, and so on: nodes, counts, levels, splits and their values.");
    door::define(module, "grow_inheriting", &grow_inheriting,
                 {"search", "rows", "nodes", "most_waves", "min_gain", "small_blocks", "large_blocks", "many_rows", "stop"},
                 "The same where columns may be wide, and larger children take over the counts of their parent.");
}

}  // namespace petree
