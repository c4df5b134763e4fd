// What the quality of tests depends on, and open nodes, as Python holds them.
#pragma once

#include "foundation/door.hpp"
#include "options/evidence.hpp"
#include "options/opening.hpp"

namespace petree {

class HeldEvidence : public Evidence {
  public:
    using Numbers = door::Handed<Vector<const double>>;

    HeldEvidence(Numbers given_alphas, door::Handed<Matrix<const double>> given_log_gammas, double given_power,
                 double given_ln_leaf, Numbers given_ln_tests, Numbers given_centres, Numbers given_class_weight,
                 Index given_min_rows)
        : alphas_(given_alphas.object, "Evidence", "alphas"),
          log_gammas_(given_log_gammas.object, "Evidence", "log_gammas"),
          ln_tests_(given_ln_tests.object, "Evidence", "ln_tests"),
          centres_(given_centres.object, "Evidence", "centres"),
          class_weight_(given_class_weight.object, "Evidence", "class_weight") {
        alphas = alphas_.get();
        log_gammas = log_gammas_.get();
        power = given_power;
        ln_leaf = given_ln_leaf;
        ln_tests = ln_tests_.get();
        centres = centres_.get();
        class_weight = class_weight_.get();
        min_rows = given_min_rows;
    }

  private:
    door::Lent<Vector<const double>> alphas_;
    door::Lent<Matrix<const double>> log_gammas_;
    door::Lent<Vector<const double>> ln_tests_;
    door::Lent<Vector<const double>> centres_;
    door::Lent<Vector<const double>> class_weight_;
};

class HeldOpenNodes : public OpenNodes {
  public:
    HeldOpenNodes(door::Handed<Vector<const std::int32_t>> given_members, door::Handed<Matrix<const Index>> given_slices,
                  door::Handed<Vector<const Index>> given_levels, door::Handed<Vector<const Word>> given_draws)
        : members_(given_members.object, "OpenNodes", "members"),
          slices_(given_slices.object, "OpenNodes", "slices"),
          levels_(given_levels.object, "OpenNodes", "levels"),
          draws_(given_draws.object, "OpenNodes", "draws") {
        members = members_.get();
        slices = slices_.get();
        levels = levels_.get();
        draws = draws_.get();
    }

  private:
    door::Lent<Vector<const std::int32_t>> members_;
    door::Lent<Matrix<const Index>> slices_;
    door::Lent<Vector<const Index>> levels_;
    door::Lent<Vector<const Word>> draws_;
};

}  // namespace petree
