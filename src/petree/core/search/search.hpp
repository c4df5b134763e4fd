// A search for tests by one score: all that depends on the score, compiled for it.
#pragma once

#include <memory>
#include <string>

#include "growing/inheriting.hpp"
#include "growing/waves.hpp"
#include "search/by_ratio.hpp"
#include "search/by_value.hpp"

namespace petree {

class Search {
  public:
    Search(SearchRules rules, NLogN n_log_n, bool per_case)
        : rules_(std::move(rules)), n_log_n_(n_log_n), per_case_(per_case) {}
    virtual ~Search() = default;

    const SearchRules& rules() const { return rules_; }
    const NLogN& n_log_n() const { return n_log_n_; }

    virtual void by_value(const Rows&, const Nodes&, Block, const Best&, Interrupts&) const = 0;
    virtual void by_ratio(const RatioRules&, const Rows&, const Nodes&, const Best&, Interrupts&) const = 0;
    virtual Waves grow(Rows&, const Nodes&, Index most_waves, double min_gain, Interrupts&) const = 0;
    virtual Waves grow_inheriting(Rows&, const Nodes&, Index most_waves, double min_gain, const Blocks&,
                                  Interrupts&) const = 0;

  protected:
    SearchRules rules_;
    NLogN n_log_n_;
    bool per_case_;
};

template <class Score>
class SearchBy final : public Search {
  public:
    SearchBy(const ScoreSettings& settings, SearchRules rules, bool per_case)
        : Search(std::move(rules), settings.n_log_n, per_case), score_(settings) {}

    void by_value(const Rows& rows, const Nodes& nodes, Block block, const Best& best,
                  Interrupts& interrupts) const override {
        if (rows.are_weighted()) {
            best_by_value<Fractional>(score_, rules_, rows, nodes, block, best, interrupts);
        } else {
            best_by_value<Whole>(score_, rules_, rows, nodes, block, best, interrupts);
        }
    }
    void by_ratio(const RatioRules& ratio, const Rows& rows, const Nodes& nodes, const Best& best,
                  Interrupts& interrupts) const override {
        if constexpr (!Score::has_ratio) {
            refuse("This score has no search by ratio.");
        } else if (rows.are_weighted()) {
            best_by_ratio<Fractional>(score_, rules_, ratio, n_log_n_, rows, nodes, best, interrupts);
        } else {
            best_by_ratio<Whole>(score_, rules_, ratio, n_log_n_, rows, nodes, best, interrupts);
        }
    }
    Waves grow(Rows& rows, const Nodes& nodes, Index most_waves, double min_gain, Interrupts& interrupts) const override {
        const Growth growth{most_waves, min_gain, per_case_};
        return rows.are_weighted() ? grow_plain<Fractional>(rows, nodes, growth, interrupts)
                                   : grow_plain<Whole>(rows, nodes, growth, interrupts);
    }
    Waves grow_inheriting(Rows& rows, const Nodes& nodes, Index most_waves, double min_gain, const Blocks& blocks,
                          Interrupts& interrupts) const override {
        InheritingWork<Score> work(score_, rules_, rows, blocks, nodes);
        return WaveGrower(rules_, Growth{most_waves, min_gain, per_case_}, rows, work).grow(nodes, interrupts);
    }

  private:
    template <class Measure>
    Waves grow_plain(Rows& rows, const Nodes& nodes, const Growth& growth, Interrupts& interrupts) const {
        PlainWork<Score, Measure> work(score_, rules_, rows);
        return WaveGrower(rules_, growth, rows, work).grow(nodes, interrupts);
    }

    Score score_;
};

// A search by the score of this name.
std::unique_ptr<Search> make_search(const std::string& name, const ScoreSettings& settings, SearchRules rules, bool per_case);

#define PETREE_SCORE(name) std::unique_ptr<Search> make_##name(const ScoreSettings&, SearchRules, bool per_case);
#include "scores/list.inc"
#undef PETREE_SCORE

// Compiles the search for a score; stands at the end of the score's file.
#define PETREE_COMPILE_SCORE(name, Score)                                                                          \
    std::unique_ptr<Search> make_##name(const ScoreSettings& settings, SearchRules rules, bool per_case) {         \
        return std::make_unique<SearchBy<Score>>(settings, std::move(rules), per_case);                            \
    }

}  // namespace petree
