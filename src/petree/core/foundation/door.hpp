// How a loop becomes a function of Python.
//
// A loop is a plain function of views, numbers and records. `define` opens what Python hands over, with the interpreter's
// lock held, releases the lock, and calls it. Arrays that a loop made (`Made`) become arrays of numpy.
#pragma once

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <tuple>
#include <utility>

#include "foundation/arrays.hpp"
#include "foundation/interrupts.hpp"
#include "foundation/results.hpp"
#include "foundation/unlocked.hpp"

namespace petree::door {

// An array as Python hands it over: any object, looked at only when it is opened.
template <class View>
struct Handed {
    nb::handle object;
};

// What is opened, and the words for a refusal.
template <class Outside>
struct Opening {
    Outside outside;
    const char* function;
    const char* name;
};

// What a parameter of a loop is at the door, and how it is opened.
template <class T>
struct Parameter {
    using Outside = T;
    T inside;
    Parameter(Opening<T> opening) : inside(opening.outside) {}
    T get() { return inside; }
};

template <class T, int N>
struct Parameter<Array<T, N>> {
    using Outside = Handed<Array<T, N>>;
    Lent<Array<T, N>> inside;
    Parameter(Opening<Outside> opening) : inside(opening.outside.object, opening.function, opening.name) {}
    Array<T, N> get() { return inside.get(); }
};

template <>
struct Parameter<Interrupts&> {
    using Outside = Handed<Array<const std::uint8_t, 1>>;
    Lent<Array<const std::uint8_t, 1>> flag;
    Interrupts inside;
    Parameter(Opening<Outside> opening)
        : flag(opening.outside.object, opening.function, opening.name), inside(flag.get()) {}
    Interrupts& get() { return inside; }
};

// An array on its way to Python.
template <class T, int N>
struct Returned {
    nb::object object;
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

template <class T>
auto outward(T&& result) {
    return std::forward<T>(result);
}
template <class T, int N>
Returned<T, N> outward(Made<T, N>&& result) {
    return {to_python(std::move(result))};
}
template <class... Parts>
auto outward(std::tuple<Parts...>&& results) {
    return std::apply([](auto&&... part) { return std::make_tuple(outward(std::move(part))...); }, std::move(results));
}

template <class Result, class... Arguments, std::size_t... k>
void define(nb::module_& module, const char* function_name, Result (*function)(Arguments...),
            const std::array<const char*, sizeof...(Arguments)>& names, const char* doc, std::index_sequence<k...>) {
    module.def(
        function_name,
        [function, function_name, names](typename Parameter<Arguments>::Outside... outside) {
            std::tuple<Parameter<Arguments>...> inside(
                Opening<typename Parameter<Arguments>::Outside>{outside, function_name, names[k]}...);
            if constexpr (std::is_void_v<Result>) {
                Unlocked unlocked;
                function(std::get<k>(inside).get()...);
            } else {
                Result result = [&] {
                    Unlocked unlocked;
                    return function(std::get<k>(inside).get()...);
                }();
                return outward(std::move(result));
            }
        },
        nb::arg(names[k])..., doc);
}

template <class Result, class... Arguments>
void define(nb::module_& module, const char* function_name, Result (*function)(Arguments...),
            const std::array<const char*, sizeof...(Arguments)>& names, const char* doc) {
    define(module, function_name, function, names, doc, std::index_sequence_for<Arguments...>());
}

}  // namespace petree::door

namespace nanobind::detail {

template <class T>
struct array_name;
#define PETREE_ARRAY_NAME(type, name)                  \
    template <>                                        \
    struct array_name<type> {                          \
        static constexpr auto value = const_name(name); \
    };
PETREE_ARRAY_NAME(std::uint8_t, "numpy.typing.NDArray[numpy.uint8]")
PETREE_ARRAY_NAME(std::uint16_t, "numpy.typing.NDArray[numpy.uint16]")
PETREE_ARRAY_NAME(std::uint32_t, "numpy.typing.NDArray[numpy.uint32]")
PETREE_ARRAY_NAME(std::uint64_t, "numpy.typing.NDArray[numpy.uint64]")
PETREE_ARRAY_NAME(std::int32_t, "numpy.typing.NDArray[numpy.int32]")
PETREE_ARRAY_NAME(std::int64_t, "numpy.typing.NDArray[numpy.int64]")
PETREE_ARRAY_NAME(double, "numpy.typing.NDArray[numpy.float64]")
PETREE_ARRAY_NAME(petree::Flag, "numpy.typing.NDArray[numpy.bool_]")
#undef PETREE_ARRAY_NAME

template <class T, int N>
struct type_caster<petree::door::Handed<petree::Array<T, N>>> {
    using Object = petree::door::Handed<petree::Array<T, N>>;
    NB_TYPE_CASTER(Object, array_name<std::remove_const_t<T>>::value)

    bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
        value.object = source;
        return true;
    }
};

template <class T, int N>
struct type_caster<petree::door::Returned<T, N>> {
    using Object = petree::door::Returned<T, N>;
    NB_TYPE_CASTER(Object, array_name<T>::value)

    static handle from_cpp(Object&& returned, rv_policy, cleanup_list*) noexcept { return returned.object.release(); }
};

}  // namespace nanobind::detail
