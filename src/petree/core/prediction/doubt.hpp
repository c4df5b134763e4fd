// Answers of all leaves to a row, where a test is doubted and then goes every way.
//
// Each row walks by itself, since most ways soon weigh nothing.
#pragma once

#include <vector>

#include "foundation/interrupts.hpp"
#include "prediction/router.hpp"

namespace petree::prediction {

struct Doubt {
    double share;  // how much a test is doubted
    double least;  // ways of less weight are not followed: the node that they lead to answers for its leaves
};

class DoubtfulWalk {
  public:
    DoubtfulWalk(const Router& router, Doubt doubt, Matrix<const double> says)
        : router_(router), doubt_(doubt), says_(says) {}

    // Follow all ways of one row; the number of steps. A branch weighs ``(1 - doubt) * [taken] + doubt * share``. Every
    // way is followed to a leaf by the branches taken; the others are ways of their own, to be followed later.
    Index follow(const double* row, double* answer) {
        answer_ = answer;
        std::fill_n(answer_, says_.width(), 0.0);
        waiting_.assign(1, {0, 1.0});
        Index n_steps = 0;
        while (!waiting_.empty()) {
            Way way = waiting_.back();
            waiting_.pop_back();
            while (!router_.is_leaf(way.node)) {
                ++n_steps;
                const Node branch = set_others_aside(row, way);
                if (branch == STUCK) break;
                way.node = router_.first_child(way.node) + branch;
                way.say *= 1 - doubt_.share + doubt_.share * router_.share(way.node);
            }
            if (router_.is_leaf(way.node)) add(way);
        }
        return n_steps;
    }

  private:
    struct Way {
        Index node;
        double say;
    };

    // The branch that a row takes, while the others wait; all of them of a row that is stuck.
    Node set_others_aside(const double* row, Way way) {
        const Step& step = router_.step(way.node);
        const double value = row[step.column()];
        if (Router::is_usual(step, value)) {
            const Node branch = step.branch_of(value);
            set_aside(step.first_child + 1 - branch, doubt_.share * way.say);
            return branch;
        }
        const Node branch = router_.branch_of(way.node, row);
        const double doubted = branch == STUCK ? way.say : doubt_.share * way.say;
        const Index taken = router_.first_child(way.node) + branch;  // none of the children where the row is stuck
        for (Index child = router_.first_child(way.node); child < router_.last_child(way.node); ++child) {
            if (branch == STUCK || child != taken) set_aside(child, doubted);
        }
        return branch;
    }

    void set_aside(Index node, double doubted) {
        const double weight = doubted * router_.share(node);
        if (weight < doubt_.least) {
            add({node, weight});
        } else {
            waiting_.push_back({node, weight});
        }
    }

    void add(Way way) {
        const double* says = says_.row(way.node);
        for (Index c = 0; c < says_.width(); ++c) answer_[c] += way.say * says[c];
    }

    const Router& router_;
    Doubt doubt_;
    Matrix<const double> says_;
    double* answer_ = nullptr;
    std::vector<Way> waiting_;
};

// Mean of what the leaves say of each row, each test doubted by the same share.
inline void answer_in_doubt(const Router& router, Matrix<const double> table, double doubt, double least,
                            Matrix<const double> says, Matrix<double> answers, Interrupts& interrupts) {
    router.require_columns(table.width());
    require(says.length() == router.n_nodes(), "'says' needs a line for each node.");
    require(answers.length() == table.length() && answers.width() == says.width(),
            "'answers' needs a line for each row, as wide as 'says'.");
    DoubtfulWalk walk(router, {doubt, least}, says);
    for (Index row = 0; row < table.length(); ++row) {
        const Index n_steps = walk.follow(table.row(row), answers.row(row));
        interrupts.after(n_steps * (5 + says.width()));
    }
}

}  // namespace petree::prediction
