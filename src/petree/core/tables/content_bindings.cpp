#include "rooms.hpp"
#include "tables/content.hpp"

namespace petree {

void bind_content(nb::module_& module) {
    door::define(module, "mix_columns", &tables::mix_columns, {"numbers", "keys"},
                 "Make the key of each row depend on its number in every column, a line each.");
}

}  // namespace petree
