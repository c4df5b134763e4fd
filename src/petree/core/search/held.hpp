// Nodes and searches as Python holds them: the arrays stay alive as long as they do.
#pragma once

#include "foundation/door.hpp"
#include "search/search.hpp"

namespace petree {

class HeldNodes : public Nodes {
  public:
    HeldNodes(door::Handed<Matrix<const Index>> slices_of_rows, door::Handed<Matrix<const double>> class_counts,
              door::Handed<Vector<const Index>> n_rows, door::Handed<Matrix<const std::uint8_t>> allowed_columns)
        : slices_(slices_of_rows.object, "Nodes", "slices"),
          counts_(class_counts.object, "Nodes", "counts"),
          sizes_(n_rows.object, "Nodes", "sizes"),
          allowed_(allowed_columns.object, "Nodes", "allowed") {
        slices = slices_.get();
        counts = counts_.get();
        sizes = sizes_.get();
        allowed = allowed_.get();
    }

  private:
    door::Lent<Matrix<const Index>> slices_;
    door::Lent<Matrix<const double>> counts_;
    door::Lent<Vector<const Index>> sizes_;
    door::Lent<Matrix<const std::uint8_t>> allowed_;
};

class HeldSearch {
  public:
    HeldSearch(const std::string& score, door::Handed<Vector<const double>> parameters,
               door::Handed<Vector<const double>> n_log_n, Index min_rows, door::Handed<Vector<const double>> class_weight,
               bool per_case, bool known_only)
        : table_(n_log_n.object, "Search", "n_log_n") {
        const door::Lent<Vector<const double>> lent_parameters(parameters.object, "Search", "parameters");
        const door::Lent<Vector<const double>> lent_weight(class_weight.object, "Search", "class_weight");
        require(min_rows >= 1 && min_rows < (Index{1} << 53), "A child must have at least one row.");
        const auto as_vector = [](Vector<const double> view) {
            return std::vector<double>(view.data, view.data + view.size());
        };
        const NLogN table{table_.get().data, table_.get().size()};
        SearchRules rules{min_rows, as_vector(lent_weight.get()), known_only};
        search_ = make_search(score, {as_vector(lent_parameters.get()), table}, std::move(rules), per_case);
    }

    const Search& get() const { return *search_; }

    // The search, for rows of as many classes as there are weights.
    const Search& on(const Rows& rows) const {
        const std::size_t n_weights = search_->rules().class_weight.size();
        require(n_weights == 0 || static_cast<Index>(n_weights) == rows.n_classes, "There must be a weight for each class.");
        return *search_;
    }

  private:
    door::Lent<Vector<const double>> table_;
    std::unique_ptr<Search> search_;
};

}  // namespace petree
