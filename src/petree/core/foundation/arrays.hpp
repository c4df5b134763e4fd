// Arrays of Python, checked at the door.
//
// Whether an object of Python is an array of the right type, shape and layout is decided here, once a call, and refused in
// a sentence that names the argument.
#pragma once

#include <nanobind/nanobind.h>

#include <bit>
#include <type_traits>

#include "foundation/views.hpp"

namespace petree {

namespace nb = nanobind;

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
