// The rooms of the extension: `rooms.inc` lists them, each has a `bindings.cpp` that says what Python may call.
#pragma once

#include "foundation/door.hpp"

namespace petree {

#define PETREE_ROOM(name, doc) void bind_##name(nb::module_& module);
#include "rooms.inc"
#undef PETREE_ROOM

}  // namespace petree
