// Arrays as the loops know them: views, a pointer and a shape.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

// For what happens once for every candidate: there a call costs more than what is done.
#if defined(_MSC_VER)
#define PETREE_INLINE __forceinline
#define PETREE_APART __declspec(noinline)
#else
#define PETREE_INLINE inline __attribute__((always_inline))
#define PETREE_APART __attribute__((noinline))
#endif

namespace petree {

using Index = std::int64_t;
using Word = std::uint64_t;

// A truth value of numpy; any byte but 0 is true, so that no array can hold a value that C++ forbids.
struct Flag {
    std::uint8_t byte;
    Flag() = default;
    Flag(bool value) : byte(value) {}
    operator bool() const { return byte != 0; }
};

// A view of an array of one or two dimensions that lies in memory row after row.
template <class T, int N>
struct Array {
    using Element = T;
    static constexpr int dimensions = N;

    T* data = nullptr;
    std::array<Index, N> shape{};

    Index size() const {
        Index product = 1;
        for (Index length : shape) product *= length;
        return product;
    }
    Index length() const { return shape[0]; }
    Index width() const
        requires(N == 2)
    {
        return shape[1];
    }
    T& operator[](Index i) const
        requires(N == 1)
    {
        return data[i];
    }
    T& operator()(Index i, Index j) const
        requires(N == 2)
    {
        return data[i * shape[1] + j];
    }
    T* row(Index i) const
        requires(N == 2)
    {
        return data + i * shape[1];
    }
};

template <class T>
using Vector = Array<T, 1>;
template <class T>
using Matrix = Array<T, 2>;

// Refuse an argument: a ValueError with this sentence.
[[noreturn]] inline void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

inline void require(bool holds, const char* sentence) {
    if (!holds) refuse(sentence);
}

}  // namespace petree
