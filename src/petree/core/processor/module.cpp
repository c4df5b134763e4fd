// Which variant of the extension this processor can run: a module of its own, so that only one variant is loaded.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#include <immintrin.h>
#endif

namespace {

const char* best_variant() {
#if defined(__GNUC__) && defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("bmi2")) {
        return "baseline";
    }
    const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                            __builtin_cpu_supports("avx512vpopcntdq");
    return has_avx512 ? "avx512" : "avx2";
#elif defined(_MSC_VER) && defined(_M_X64)
    int leaf[4];
    __cpuid(leaf, 0);
    if (leaf[0] < 7) return "baseline";
    __cpuid(leaf, 1);
    const bool has_popcount = leaf[2] & (1 << 23);
    const bool has_saved_state = (leaf[2] & (1 << 27)) && (_xgetbv(0) & 6) == 6;
    __cpuidex(leaf, 7, 0);
    const bool has_avx2 = (leaf[1] & (1 << 5)) && (leaf[1] & (1 << 8));
    return has_popcount && has_saved_state && has_avx2 ? "avx2" : "baseline";
#else
    return "baseline";
#endif
}

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
