#include "rooms.hpp"
#include "tables/cells.hpp"
#include "tables/cuts.hpp"
#include "tables/dividing.hpp"
#include "tables/encoding.hpp"
#include "tables/held.hpp"
#include "tables/sampling.hpp"

namespace petree {
namespace {

Columns* make_columns(door::Handed<Vector<const Index>> n_bins, door::Handed<Vector<const Index>> kinds,
                      door::Handed<Vector<const std::int32_t>> numbers, door::Handed<Vector<const Index>> signs,
                      door::Handed<Vector<const double>> centres) {
    const door::Lent<Vector<const Index>> lent_bins(n_bins.object, "Columns", "n_bins");
    const door::Lent<Vector<const Index>> lent_kinds(kinds.object, "Columns", "kinds");
    const door::Lent<Vector<const std::int32_t>> lent_numbers(numbers.object, "Columns", "numbers");
    const door::Lent<Vector<const Index>> lent_signs(signs.object, "Columns", "signs");
    const door::Lent<Vector<const double>> lent_centres(centres.object, "Columns", "centres");
    return new Columns(
        Columns::of(lent_bins.get(), lent_kinds.get(), lent_numbers.get(), lent_signs.get(), lent_centres.get()));
}

void divide(HeldRows& rows, Matrix<const Index> slices, Matrix<const Index> tests, Vector<const Index> child_start,
            Vector<Index> child_stops, Matrix<double> child_counts, Vector<Index> child_sizes, bool moves,
            Interrupts& interrupts) {
    const Index n_nodes = slices.length();
    const Test* test = as_tests(tests);
    const Index n_children = child_stops.size();
    require(tests.length() == n_nodes && child_start.size() == n_nodes + 1, "There must be a test for each node.");
    require(child_counts.length() == n_children && child_sizes.size() == n_children && child_counts.width() == rows.n_classes,
            "There must be counts and a size for each child.");
    const Children children{child_stops, child_counts, child_sizes};
    Divider divider(rows);
    for (Index node = 0; node < n_nodes; ++node) {
        const Index first = child_start[node];
        const Index last = child_start[node + 1];
        require(first >= 0 && first <= last && last <= n_children, "There are no such children.");
        // read here, and checked here: what was written for the nodes before may stand in the same memory
        const Slice slice = slice_of(rows, slices, node);
        const Test one = test[node];
        require(one.column >= 0 && one.column < rows.columns.size(), "There is no such column.");
        if (moves) {
            divider.divide(slice.start, slice.stop, one, first, last - first, children);
        } else {
            divider.count(slice.start, slice.stop, one, first, last - first, children);
        }
        interrupts.after(2 * (slice.stop - slice.start));
    }
}

}  // namespace

void bind_tables(nb::module_& module) {
    nb::class_<Columns>(module, "Columns", "How the columns of a table are coded, narrow ones first.")
        .def(nb::new_(&make_columns), nb::arg("n_bins"), nb::arg("kinds"), nb::arg("numbers"), nb::arg("signs"),
             nb::arg("centres"));
    nb::class_<HeldRows>(module, "Rows", "The rows of a coded table.")
        .def(nb::init<const Columns&, Index, door::Handed<Matrix<std::uint8_t>>, door::Handed<Matrix<std::uint32_t>>,
                      door::Handed<Vector<std::uint16_t>>, door::Handed<Vector<std::uint32_t>>, door::Handed<Vector<double>>,
                      door::Handed<Vector<double>>, door::Handed<Vector<std::uint32_t>>>(),
             nb::arg("columns"), nb::arg("n_classes"), nb::arg("narrow"), nb::arg("wide"), nb::arg("classes"),
             nb::arg("copies"), nb::arg("weights"), nb::arg("parts"), nb::arg("order"));
    door::define(module, "divide", &divide,
                 {"rows", "slices", "tests", "child_start", "child_stops", "child_counts", "child_sizes", "moves", "stop"},
                 "Move the rows of nodes to their children, in place; fills the children's stops, counts and sizes. Where nothing "
                 "moves, these are what they would be.");
    door::define(module, "list_sampled", &list_sampled, {"order", "bands", "slices", "least", "n_sampled", "stop"},
                 "Where rows of nodes stand whose band is not below the least; fills how many each node has.");
    door::define(module, "encode_numbers", &encode_numbers<std::uint8_t>, {"values", "thresholds", "codes", "column"},
                 "Write the bin of each value into a column of narrow codes.");
    door::define(module, "encode_numbers_wide", &encode_numbers<std::uint32_t>, {"values", "thresholds", "codes", "column"},
                 "Write the bin of each value into a column of wide codes.");
    door::define(module, "find_bin_ends", &find_bin_ends<std::uint8_t>, {"values", "codes", "column", "lowest", "highest"},
                 "Lower the least and raise the greatest value of each bin to those of a column of narrow codes.");
    door::define(module, "find_bin_ends_wide", &find_bin_ends<std::uint32_t>,
                 {"values", "codes", "column", "lowest", "highest"},
                 "Lower the least and raise the greatest value of each bin to those of a column of wide codes.");
    door::define(module, "encode_categories", &encode_categories<std::uint8_t>, {"categories", "n_bins", "codes", "column"},
                 "Write categories, -1 for missing ones, into a column of narrow codes; how many are missing.");
    door::define(module, "encode_categories_wide", &encode_categories<std::uint32_t>,
                 {"categories", "n_bins", "codes", "column"},
                 "Write categories, -1 for missing ones, into a column of wide codes; how many are missing.");
    door::define(module, "weigh_cells", &weigh_cells, {"values", "weights", "lowest", "scale", "totals"},
                 "Add the weight of each value to its cell of a grid.");
    door::define(module, "rows_in_cells", &rows_in_cells, {"values", "lowest", "scale", "is_wanted", "rows"},
                 "List the rows whose cell of a grid is wanted; how many.");
    door::define(module, "grid_scale", &grid_scale, {"lowest", "highest", "n_cells"}, "Cells a unit of value.");
    door::define(module, "cut_between_few", &cut_between_few, {"values", "most"},
                 "Whether there are no more distinct values than `most`, and then the cuts between all of them.");
    door::define(module, "cuts_between", &cuts_between, {"lower", "upper"},
                 "The shortest decimal number above each of some values and not above another.");
    door::define(module, "keep_distinct", &keep_distinct, {"ordered", "up_to"},
                 "Move distinct values to the front, and write how many values there are up to each; how many are distinct.");
    door::define(module, "cut_at_quantiles", &cut_at_quantiles, {"distinct", "up_to", "total", "max_bins"},
                 "Cuts between bins of about equal weight.");
    door::define(module, "cells_of", &cells_of, {"values", "weights", "left_out", "most"},
                 "Values in cells, whatever their order: bits left out; weight, least and greatest value of each cell.");
    door::define(module, "join_cells", &join_cells, {"these", "left_out", "those", "left_out_there", "most"},
                 "The cells of all values of which some are in these cells, and the others in those.");
}

}  // namespace petree
