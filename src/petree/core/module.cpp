// The extension: every room adds its functions to a module of its own.
#include "rooms.hpp"

namespace {

// What the processor offers, for the choice among the variants.
bool has_avx2() {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

}  // namespace

NB_MODULE(PETREE_VARIANT, module) {
    using namespace petree;
    module.doc() = "The compiled loops of petree.";
    nb::set_leak_warnings(false);  // what a program still holds when it ends is no fault of its user
    main_thread = nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
    nb::exception<Stopped>(module, "Stopped", PyExc_BaseException);
    module.def("has_avx2", &has_avx2, "Whether this processor can run the variant for AVX2.");
#define PETREE_ROOM(name, doc)                                  \
    {                                                           \
        nb::module_ room = module.def_submodule(#name, doc);    \
        bind_##name(room);                                      \
    }
#include "rooms.inc"
#undef PETREE_ROOM
}
