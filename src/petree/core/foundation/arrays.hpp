// Arrays of Python as plain views, checked at the door.
//
// The loops know views: a pointer and a shape. Whether an object of Python is an array of the right type, shape and
// layout is decided here, once a call, and refused in a sentence that names the argument.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace petree {

namespace nb = nanobind;

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

namespace door {

template <class T>
std::string type_name() {
    using Plain = std::remove_const_t<T>;
    if (std::is_same_v<Plain, Flag>) return "bool";
    std::string kind = std::is_floating_point_v<Plain> ? "float" : std::is_signed_v<Plain> ? "int" : "uint";
    return kind + std::to_string(8 * sizeof(T));
}

// Whether a format of Python's buffers means this type, in the byte order of this machine.
template <class T>
bool is_format_of(const char* format, Py_ssize_t item_size) {
    using Plain = std::remove_const_t<T>;
    if (format == nullptr || item_size != static_cast<Py_ssize_t>(sizeof(T))) return false;
    if (*format == '@' || *format == '=' || *format == (std::endian::native == std::endian::little ? '<' : '>')) {
        ++format;
    }
    if (*format == '\0' || format[1] != '\0') return false;
    const std::string kinds = std::is_same_v<Plain, Flag>            ? "?"
                              : std::is_floating_point_v<Plain>      ? "fd"
                              : std::is_signed_v<Plain>              ? "bhilqn"
                                                                     : "BHILQN";
    return kinds.find(*format) != std::string::npos;
}

// An object of Python that lends its memory for as long as this lives.
template <class View>
class Lent {
  public:
    Lent(nb::handle object, const char* function, const char* name) {
        using T = typename View::Element;
        const int flags = PyBUF_FORMAT | PyBUF_STRIDES | (std::is_const_v<T> ? 0 : PyBUF_WRITABLE);
        if (PyObject_GetBuffer(object.ptr(), &buffer_, flags) != 0) {
            PyErr_Clear();
            complain(nb::exception_type::type_error, function, name, "it is no such array, or it is read-only");
        }
        try {
            check(function, name);
        } catch (...) {
            PyBuffer_Release(&buffer_);
            throw;
        }
        view_.data = static_cast<T*>(buffer_.buf);
        for (int k = 0; k < View::dimensions; ++k) view_.shape[k] = buffer_.shape[k];
    }
    ~Lent() { PyBuffer_Release(&buffer_); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

    const View& get() const { return view_; }

  private:
    void check(const char* function, const char* name) const {
        using T = typename View::Element;
        if (!is_format_of<T>(buffer_.format, buffer_.itemsize)) {
            complain(nb::exception_type::type_error, function, name, std::string("its type is ") + (buffer_.format ? buffer_.format : "unknown"));
        }
        if (buffer_.ndim != View::dimensions) {
            complain(nb::exception_type::value_error, function, name, "it has " + std::to_string(buffer_.ndim) + " dimensions");
        }
        if (!PyBuffer_IsContiguous(&buffer_, 'C')) complain(nb::exception_type::value_error, function, name, "it is not contiguous");
        if (reinterpret_cast<std::uintptr_t>(buffer_.buf) % alignof(T) != 0) {
            complain(nb::exception_type::value_error, function, name, "it is not aligned");
        }
    }

    [[noreturn]] void complain(nb::exception_type error, const char* function, const char* name, const std::string& reason) const {
        using T = typename View::Element;
        const std::string wanted = std::string(std::is_const_v<T> ? "" : " writable") + " array of " + type_name<T>();
        const std::string dimensions = View::dimensions == 1 ? "one dimension" : "two dimensions";
        const std::string sentence = std::string(function) + " needs a contiguous" + wanted + " in " + dimensions +
                                     " for '" + name + "': " + reason + ".";
        throw nb::builtin_exception(error, sentence.c_str());
    }

    Py_buffer buffer_{};
    View view_;
};

}  // namespace door
}  // namespace petree
