#include "permutation/tables.hpp"
#include "rooms.hpp"

namespace petree {

void bind_draws(nb::module_& module) {
    door::define(module, "select", &permutation::select, {"keys", "starts", "n_cases", "n_drawn", "is_drawn"},
                 "Which cases of each node are among so many, drawn without replacement anew for every node.");
    door::define(module, "draw_hypergeometric", &permutation::draw_hypergeometric,
                 {"share", "n_marked", "n_other", "n_drawn", "log_factorials"},
                 "How many of the cases drawn are marked, by the place of a share of 1 among the chances.");
    door::define(module, "improbable_tables", &permutation::improbable_tables,
                 {"children", "starts", "keys", "log_factorials", "n_tables", "allowed", "found", "stop"},
                 "Of random tables with the margins of each node's own, those that are no more probable than it.");
}

}  // namespace petree
