// The extension: every room adds its functions to a module of its own.
#include "foundation/processor.hpp"
#include "rooms.hpp"

NB_MODULE(PETREE_VARIANT, module) {
    using namespace petree;
    module.doc() = "The compiled loops of petree.";
    main_thread = nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
    nb::exception<Stopped>(module, "Stopped", PyExc_BaseException);
    module.def("has_avx2", &processor::has_avx2, "Whether this processor can run the variant for AVX2.");
#define PETREE_ROOM(name, doc)                                  \
    {                                                           \
        nb::module_ room = module.def_submodule(#name, doc);    \
        bind_##name(room);                                      \
    }
#include "rooms.inc"
#undef PETREE_ROOM
}
