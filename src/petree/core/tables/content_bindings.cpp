#include "rooms.hpp"
#include "tables/content.hpp"

namespace petree {

void bind_content(nb::module_& module) {
    door::define(module, "add_to_columns", &tables::add_to_columns, {"numbers", "rows", "copies", "columns"},
                 "Add to the key of each column its numbers, a line, mixed with the keys of their rows.");
    door::define(module, "add_to_rows", &tables::add_to_rows, {"numbers", "columns", "rows"},
                 "Add to the key of each row its numbers, mixed with the keys of their columns, a line each.");
}

}  // namespace petree
