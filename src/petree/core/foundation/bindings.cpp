#include "foundation/numbers.hpp"

#include "rooms.hpp"

namespace petree {
namespace {

template <double (*function)(double)>
void apply(Vector<const double> values, Vector<double> results) {
    require(values.size() == results.size(), "'values' and 'results' must have the same length.");
    for (Index k = 0; k < values.size(); ++k) results[k] = function(values[k]);
}

}  // namespace

void bind_numbers(nb::module_& module) {
    door::define(module, "binary_log", &apply<binary_log>, {"values", "results"}, "Logarithms to the base 2.");
    door::define(module, "natural_log", &apply<natural_log>, {"values", "results"}, "Logarithms to the base e.");
    door::define(module, "power_of_e", &apply<power_of_e>, {"values", "results"}, "e to the power of each value.");
    door::define(module, "log_gamma", &apply<log_gamma>, {"values", "results"},
                 "Logarithms of the gamma function of positive values.");
}

}  // namespace petree
