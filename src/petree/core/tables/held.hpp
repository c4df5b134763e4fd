// Rows as Python holds them: the arrays stay alive as long as they do.
#pragma once

#include "foundation/door.hpp"
#include "tables/rows.hpp"

namespace petree {

class HeldRows : public Rows {
  public:
    HeldRows(const Columns& given_columns, Index given_n_classes, door::Handed<Matrix<std::uint8_t>> narrow_codes,
             door::Handed<Matrix<std::uint32_t>> wide_codes, door::Handed<Vector<std::uint16_t>> class_codes,
             door::Handed<Vector<std::uint32_t>> row_copies, door::Handed<Vector<double>> row_weights,
             door::Handed<Vector<double>> row_parts, door::Handed<Vector<std::uint32_t>> row_order)
        : narrow_(narrow_codes.object, "Rows", "narrow"),
          wide_(wide_codes.object, "Rows", "wide"),
          classes_(class_codes.object, "Rows", "classes"),
          copies_(row_copies.object, "Rows", "copies"),
          weights_(row_weights.object, "Rows", "weights"),
          parts_(row_parts.object, "Rows", "parts"),
          order_(row_order.object, "Rows", "order") {
        columns = given_columns;
        n_classes = given_n_classes;
        narrow = narrow_.get();
        wide = wide_.get();
        classes = classes_.get();
        copies = copies_.get();
        weights = weights_.get();
        parts = parts_.get();
        order = order_.get();
        check();
    }

  private:
    door::Lent<Matrix<std::uint8_t>> narrow_;
    door::Lent<Matrix<std::uint32_t>> wide_;
    door::Lent<Vector<std::uint16_t>> classes_;
    door::Lent<Vector<std::uint32_t>> copies_;
    door::Lent<Vector<double>> weights_;
    door::Lent<Vector<double>> parts_;
    door::Lent<Vector<std::uint32_t>> order_;
};

}  // namespace petree
