#include "relations/joins.hpp"
#include "relations/lines.hpp"
#include "relations/marks.hpp"
#include "relations/sums.hpp"
#include "rooms.hpp"

namespace petree {

void bind_relations(nb::module_& module) {
    door::define(module, "count_matches", &relations::count_matches, {"rows", "starts", "stops", "linked"},
                 "Number of answers after a join.");
    door::define(module, "match", &relations::match,
                 {"rows", "starts", "stops", "linked", "came_from", "matched", "stop"},
                 "For each answer after a join the answer that it came from, and the row that was joined.");
    door::define(module, "index_rows", &relations::index_rows, {"keys", "bounds", "rows", "stop"},
                 "Rows in the order of their keys, and the bounds of those of each key.");
    door::define(module, "mark_values", &relations::mark_values,
                 {"owners", "rows", "codes", "places", "first", "table", "stop"},
                 "Write 0 where an example has an answer with the value of a column.");
    door::define(module, "mark_lowest", &relations::mark_lowest,
                 {"owners", "rows", "codes", "bins", "column", "table", "stop"},
                 "Write the lowest bin of an example's answers into a column.");
    door::define(module, "mark_highest", &relations::mark_highest,
                 {"owners", "rows", "codes", "bins", "column", "table", "stop"},
                 "Write the highest bin of an example's answers into a column.");
    door::define(module, "number_lines", &relations::number_lines,
                 {"rows", "groups", "lines", "first", "found", "added", "stop"},
                 "Give the next lines to the groups of some rows that have none; how many these are.");
    door::define(module, "mark_lines", &relations::mark_lines,
                 {"owners", "lines", "codes", "columns", "flips", "table", "stop"},
                 "Write the lowest codes of the lines of an example's answers, column by column.");
    door::define(module, "sum_by_owner", &relations::sum_by_owner, {"owners", "values", "sums", "stop"},
                 "Write the sum of the values of each owner, exact but for one rounding.");
}

}  // namespace petree
