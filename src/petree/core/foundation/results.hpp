// Arrays whose length only the loops know, handed to Python without a copy.
#pragma once

#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

#include "foundation/arrays.hpp"

namespace petree {

// Lines of `width` numbers each, as many as come.
template <class T, int N>
struct Made {
    std::vector<T> data;
    Index width = 1;

    Index length() const { return width == 0 ? 0 : static_cast<Index>(data.size()) / width; }
};

template <class T, int N>
nb::object to_python(Made<T, N>&& made) {
    const std::size_t length = made.length(), width = made.width;
    auto kept = std::make_unique<std::vector<T>>(std::move(made.data));
    T* data = kept->data();
    nb::capsule owner(kept.get(), [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
    kept.release();
    if constexpr (N == 1) {
        return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {length}, owner));
    } else {
        return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(data, {length, width}, owner));
    }
}

}  // namespace petree
