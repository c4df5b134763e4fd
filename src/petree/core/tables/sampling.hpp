// The rows of nodes that belong to a sample.
#pragma once

#include "foundation/interrupts.hpp"
#include "foundation/results.hpp"
#include "foundation/views.hpp"

namespace petree {

// Where rows stand whose band is not below `least`, one node's after the other's; fills how many each node has. `order` has
// the row at each place, `bands` the band of each row.
inline Made<Index, 1> list_sampled(Vector<const std::uint32_t> order, Vector<const std::uint8_t> bands,
                                   Matrix<const Index> slices, Index least, Vector<Index> n_sampled, Interrupts& interrupts) {
    require(slices.width() == 2 && n_sampled.length() == slices.length(), "There must be a number for each slice.");
    Made<Index, 1> places;
    for (Index node = 0; node < slices.length(); ++node) {
        const Index start = slices(node, 0);
        const Index stop = slices(node, 1);
        require(start >= 0 && start <= stop && stop <= order.length(), "There is no such slice of the rows.");
        const std::size_t n_before = places.data.size();
        for (Index place = start; place < stop; ++place) {
            require(static_cast<Index>(order[place]) < bands.length(), "'bands' needs one for each row.");
            if (bands[order[place]] >= least) places.data.push_back(place);
        }
        n_sampled[node] = static_cast<Index>(places.data.size() - n_before);
        interrupts.after(stop - start);
    }
    return places;
}

}  // namespace petree
