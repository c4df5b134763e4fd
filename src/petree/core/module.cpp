// The extension: every room adds its functions to a module of its own.
#include "rooms.hpp"

NB_MODULE(_core, module) {
    using namespace petree;
    module.doc() = "The compiled loops of petree.";
    nb::set_leak_warnings(false);  // what a program still holds when it ends is no fault of its user
    module.def("set_main_thread", &Interrupts::set_main_thread, nb::arg("thread"),
               "Say which thread handles signals: the loops of that one look for them.");
    nb::exception<Stopped>(module, "Stopped", PyExc_BaseException);
#define PETREE_ROOM(name, doc)                                  \
    {                                                           \
        nb::module_ room = module.def_submodule(#name, doc);    \
        bind_##name(room);                                      \
    }
#include "rooms.inc"
#undef PETREE_ROOM
}
