#include "prediction/confusion.hpp"
#include "prediction/contributions.hpp"
#include "prediction/doubt.hpp"
#include "prediction/leaves.hpp"
#include "prediction/nearest.hpp"
#include "prediction/options.hpp"
#include "rooms.hpp"

namespace petree {
namespace {

using prediction::OptionRouter;
using prediction::Router;
using prediction::Surrogates;
using prediction::Tests;
using trees::Wiring;
template <class T>
using Given = door::Handed<Vector<const T>>;
template <class T>
using Opened = door::Lent<Vector<const T>>;

void make_tests(Tests* self, Given<std::uint8_t> kind, Given<std::int32_t> column, Given<double> value,
                Given<std::int32_t> missing, Given<std::int32_t> member_start, Given<double> members) {
    const Opened<std::uint8_t> kinds(kind.object, "Tests", "kind");
    const Opened<std::int32_t> columns(column.object, "Tests", "column");
    const Opened<double> values(value.object, "Tests", "value");
    const Opened<std::int32_t> branches(missing.object, "Tests", "missing");
    const Opened<std::int32_t> starts(member_start.object, "Tests", "member_start");
    const Opened<double> all_members(members.object, "Tests", "members");
    const prediction::Conditions conditions{kinds.get(),    columns.get(), values.get(),
                                            branches.get(), starts.get(),  all_members.get()};
    new (self) Tests(conditions);
}

void make_surrogates(Surrogates* self, const Tests& tests, Given<std::int32_t> start, Given<std::uint8_t> turned) {
    const Opened<std::int32_t> starts(start.object, "Surrogates", "start");
    const Opened<std::uint8_t> are_turned(turned.object, "Surrogates", "turned");
    new (self) Surrogates(tests, starts.get(), are_turned.get());
}

void make_router(Router* self, const Tests& tests, const Wiring& wiring, Given<double> weights, const Surrogates& surrogates) {
    const Opened<double> opened(weights.object, "Router", "weights");
    new (self) Router(tests, wiring, opened.get(), surrogates);
}

void make_option_router(OptionRouter* self, const Tests& tests, const Wiring& wiring, Given<double> stay,
                        Given<double> go, Given<double> weights) {
    const Opened<double> stays(stay.object, "OptionRouter", "stay");
    const Opened<double> goes(go.object, "OptionRouter", "go");
    const Opened<double> opened(weights.object, "OptionRouter", "weights");
    new (self) OptionRouter(tests, wiring, stays.get(), goes.get(), opened.get());
}

Made<double, 1> shares(const Router& router) { return {router.shares()}; }

}  // namespace

void bind_prediction(nb::module_& module) {
    nb::class_<Tests>(module, "Tests", "The tests of a tree, one a split.")
        .def("__init__", &make_tests, nb::arg("kind"), nb::arg("column"), nb::arg("value"), nb::arg("missing"),
             nb::arg("member_start"), nb::arg("members"));
    nb::class_<Surrogates>(module, "Surrogates", "Tests that stand in for those of a tree where values are missing.")
        .def("__init__", &make_surrogates, nb::arg("tests"), nb::arg("start"), nb::arg("turned"));
    nb::class_<Router>(module, "Router", "A tree without options, packed for sending rows down.")
        .def("__init__", &make_router, nb::arg("tests"), nb::arg("wiring"), nb::arg("weights"), nb::arg("surrogates"));
    nb::class_<OptionRouter>(module, "OptionRouter", "A tree with options, and how its posterior is shared out.")
        .def("__init__", &make_option_router, nb::arg("tests"), nb::arg("wiring"), nb::arg("stay"), nb::arg("go"),
             nb::arg("weights"));
    door::define(module, "shares", &shares, {"router"},
                 "Part of each node in the training weight of it and its siblings.");
    door::define(module, "find_leaves", &prediction::find_leaves, {"router", "table", "leaves", "stop"},
                 "Leaf of each row; of a blend the heaviest.");
    door::define(module, "find_parts", &prediction::find_parts, {"router", "table", "stop"},
                 "The leaves that rows end in, and how much of each row: rows, leaves and shares.");
    door::define(module, "answer", &prediction::answer, {"router", "table", "says", "answers", "stop"},
                 "What the leaf of each row says, or a blend of several.");
    door::define(module, "answer_confused", &prediction::answer_confused,
                 {"router", "table", "factor", "says", "answers", "stop"},
                 "What all leaves say of each row, where a failed test costs a leaf this factor.");
    door::define(module, "answer_in_doubt", &prediction::answer_in_doubt,
                 {"router", "table", "doubt", "least", "says", "answers", "stop"},
                 "What all leaves say of each row, where a test is doubted and then goes every way.");
    door::define(module, "mix_rows", &prediction::mix_rows, {"router", "table", "says", "mixed", "stop"},
                 "What the nodes of a tree with options say of each row, by the mass that stays there.");
    door::define(module, "find_ends", &prediction::find_ends, {"router", "table", "most", "stop"},
                 "Nodes where the trees of the first rows end, and how much of each row: starts of rows, nodes, masses.");
    door::define(module, "stays_of_unknown", &prediction::stays_of_unknown, {"router"},
                 "How much of a row of which nothing is known stays at each node.");
    door::define(module, "count_ways", &prediction::count_ways, {"router"},
                 "The number of ways from the root to any node.");
    door::define(module, "most_columns", &prediction::most_columns, {"router", "stop"},
                 "The most different columns that are asked on one way.");
    door::define(module, "find_contributions", &prediction::find_contributions,
                 {"router", "table", "says", "points", "weights", "contributions", "stop"},
                 "How much each column adds to what is said of each class, by Gauss's rule with these points.");
    door::define(module, "find_nearest", &prediction::find_nearest,
                 {"router", "table", "classes", "verdicts", "found", "stop"},
                 "The nearest leaf of another class than each row's verdict, and how many columns would change.");
}

}  // namespace petree
