#include "rooms.hpp"
#include "tables/content.hpp"

namespace petree {

void bind_content(nb::module_& module) {
    door::define(module, "add_to_columns", &tables::add_to_columns, {"numbers", "rows", "copies", "columns"},
                 "Add to the key of each column its numbers, a line, mixed with the keys of their rows.");
    door::define(module, "add_to_rows", &tables::add_to_rows, {"numbers", "columns", "rows"},
                 "Add to the key of each row its numbers, mixed with the keys of their columns, a line each.");
    door::define(module, "mix_codes", &tables::mix_codes<std::uint8_t>, {"codes", "rows"},
                 "Mix into the key of each row its narrow codes.");
    door::define(module, "mix_wide_codes", &tables::mix_codes<std::uint32_t>, {"codes", "rows"},
                 "Mix into the key of each row its wide codes.");
    door::define(module, "count_halvings", &tables::count_halvings, {"keys", "seed", "bands"},
                 "In how many samples, each a half of the one before, a row of each key is.");
}

}  // namespace petree
