#include "permutation/exceedances.hpp"
#include "rooms.hpp"
#include "search/held.hpp"
#include "tables/held.hpp"

namespace petree {
namespace {

class HeldTrials : public Trials {
  public:
    HeldTrials(door::Handed<Matrix<const Index>> slices_of_rows, door::Handed<Vector<const Word>> random_keys,
               door::Handed<Vector<const double>> observed, door::Handed<Vector<const Index>> wanted, Index most_allowed)
        : slices_(slices_of_rows.object, "Trials", "slices"),
          keys_(random_keys.object, "Trials", "keys"),
          gains_(observed.object, "Trials", "gains"),
          n_permutations_(wanted.object, "Trials", "n_permutations") {
        slices = slices_.get();
        keys = keys_.get();
        gains = gains_.get();
        n_permutations = n_permutations_.get();
        allowed = most_allowed;
    }

  private:
    door::Lent<Matrix<const Index>> slices_;
    door::Lent<Vector<const Word>> keys_;
    door::Lent<Vector<const double>> gains_;
    door::Lent<Vector<const Index>> n_permutations_;
};

class HeldProgress : public Progress {
  public:
    HeldProgress(door::Handed<Vector<const std::int32_t>> node_parents, door::Handed<Vector<Index>> inner_children,
                 door::Handed<Vector<Index>> were_found, door::Handed<Vector<Index>> were_tried)
        : parents_(node_parents.object, "Progress", "parents"),
          n_inner_children_(inner_children.object, "Progress", "n_inner_children"),
          found_(were_found.object, "Progress", "found"),
          tried_(were_tried.object, "Progress", "tried") {
        parents = parents_.get();
        n_inner_children = n_inner_children_.get();
        found = found_.get();
        tried = tried_.get();
    }

  private:
    door::Lent<Vector<const std::int32_t>> parents_;
    door::Lent<Vector<Index>> n_inner_children_;
    door::Lent<Vector<Index>> found_;
    door::Lent<Vector<Index>> tried_;
};

void exceedances(const HeldSearch& search, const HeldRows& rows, const HeldTrials& trials, const HeldProgress& progress,
                 Vector<const Index> nodes, Interrupts& interrupts) {
    trials.check(rows);
    progress.check(trials);
    require(!rows.are_weighted(), "Permutations need whole counts.");
    require(!rows.columns.offer_sets(), "Sets of categories have to be sought anew under each permutation.");
    count_exceedances(search.get(), rows, trials, progress, nodes, interrupts);
}

Made<Index, 1> cases_of(const HeldRows& rows, Index start, Index stop) {
    require(start >= 0 && start <= stop && stop <= rows.size(), "A node has rows that are not there.");
    Made<Index, 1> cases;
    list_cases(rows, start, stop, cases.data);
    return cases;
}

}  // namespace

void bind_permutation(nb::module_& module) {
    module.def("instructions", &instructions, "The variant of the loops over bit sets that is used.");
    nb::class_<HeldTrials>(module, "Trials", "Nodes whose gains are tried against permutations.")
        .def(nb::init<door::Handed<Matrix<const Index>>, door::Handed<Vector<const Word>>, door::Handed<Vector<const double>>,
                      door::Handed<Vector<const Index>>, Index>(),
             nb::arg("slices"), nb::arg("keys"), nb::arg("gains"), nb::arg("n_permutations"), nb::arg("allowed"));
    nb::class_<HeldProgress>(module, "Progress", "What is known of the nodes, and what was found and tried so far.")
        .def(nb::init<door::Handed<Vector<const std::int32_t>>, door::Handed<Vector<Index>>, door::Handed<Vector<Index>>,
                      door::Handed<Vector<Index>>>(),
             nb::arg("parents"), nb::arg("n_inner_children"), nb::arg("found"), nb::arg("tried"));
    door::define(module, "exceedances", &exceedances, {"search", "rows", "trials", "progress", "nodes", "stop"},
                 "Count the permutations of some nodes' labels that reach their gain, children before parents.");
    door::define(module, "cases_of", &cases_of, {"rows", "start", "stop"},
                 "Rows of a node by their place in the training table, each as often as it has copies.");
    door::define(module, "draw_classes", &draw_classes, {"key", "totals", "classes"},
                 "Permutations of the classes of a node with these class counts, a line each.");
}

}  // namespace petree
