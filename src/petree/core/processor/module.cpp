// Which variant of the extension this processor can run: a module of its own, so that only one variant is loaded.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#if defined(__x86_64__) || (defined(_M_X64) && !defined(_M_ARM64EC))
#define PETREE_X86_64
#ifdef _MSC_VER
#include <intrin.h>
#else
#include <cpuid.h>
#endif
#endif

namespace {

#ifdef PETREE_X86_64

// What the processor says of itself, in registers a, b, c and d. It is asked directly, because the functions that
// compilers have for it need a library that not all of them bring.
struct Page {
    int registers[4] = {0, 0, 0, 0};

    explicit Page(unsigned number) {
#ifdef _MSC_VER
        __cpuid(registers, static_cast<int>(number & 0x80000000u));
        const bool is_known = static_cast<unsigned>(registers[0]) >= number;
        if (is_known) __cpuidex(registers, static_cast<int>(number), 0);
#else
        const bool is_known = __get_cpuid_max(number & 0x80000000u, nullptr) >= number;
        if (is_known) __cpuid_count(number, 0, registers[0], registers[1], registers[2], registers[3]);
#endif
        if (!is_known) *this = Page();
    }
    bool has(int which, int bit) const { return (static_cast<unsigned>(registers[which]) >> bit & 1u) != 0; }

  private:
    Page() = default;
};

constexpr int b = 1, c = 2;

// Whether the operating system keeps these registers apart for every thread.
bool are_saved(const Page& first, unsigned wanted) {
    if (!first.has(c, 27)) return false;
#ifdef _MSC_VER
    const unsigned saved = static_cast<unsigned>(_xgetbv(0));
#else
    unsigned saved, rest;
    __asm__("xgetbv" : "=a"(saved), "=d"(rest) : "c"(0));
#endif
    return (saved & wanted) == wanted;
}

bool has_avx2(const Page& first, const Page& seventh) {
    const Page extended(0x80000001u);
    const bool has_bits = first.has(c, 23) && seventh.has(b, 3) && seventh.has(b, 8) && extended.has(c, 5);
    return has_bits && first.has(c, 28) && seventh.has(b, 5) && are_saved(first, 0x06);
}

// The foundation, and the instructions on bytes, on double words, on shorter registers, and for counting bits.
bool has_avx512(const Page& first, const Page& seventh) {
    const bool has_all = seventh.has(b, 16) && seventh.has(b, 30) && seventh.has(b, 17) && seventh.has(b, 31);
    return has_all && seventh.has(c, 14) && are_saved(first, 0xE6);
}

const char* best_variant() {
    const Page first(1), seventh(7);
    if (!has_avx2(first, seventh)) return "baseline";
#ifdef _MSC_VER
    return "avx2";
#else
    return has_avx512(first, seventh) ? "avx512" : "avx2";
#endif
}

#else

const char* best_variant() { return "baseline"; }

#endif

PyObject* best_variant_of(PyObject*, PyObject*) { return PyUnicode_FromString(best_variant()); }

PyMethodDef methods[] = {
    {"best_variant", best_variant_of, METH_NOARGS, "The name of the best variant that this processor can run."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef_Slot slots[] = {
#ifdef Py_MOD_GIL_NOT_USED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_processor", "What this processor can run.", 0, methods, slots, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit__processor() { return PyModuleDef_Init(&definition); }
