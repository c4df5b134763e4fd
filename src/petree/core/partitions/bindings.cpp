#include "partitions/counting.hpp"
#include "rooms.hpp"

namespace petree {

void bind_partitions(nb::module_& module) {
    door::define(module, "find_nodes", &partitions::find_nodes,
                 {"columns", "narrow", "wide", "tests", "first_child", "n_children", "nodes", "stop"},
                 "Move each row from the node where it is to the last one that it reaches; -1 where a test has no branch for it.");
    door::define(module, "count_cells", &partitions::count_cells,
                 {"columns", "narrow", "wide", "classes", "amounts", "slots", "asked", "counts_rows", "cells", "stop"},
                 "Add what the rows of each slot amount to, by column, code and class, to its cells; all columns, or those that "
                 "are asked for.");
}

}  // namespace petree
