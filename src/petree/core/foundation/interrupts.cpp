#include "foundation/interrupts.hpp"

#include <nanobind/nanobind.h>

namespace petree {
namespace {

constexpr Index steps_between_looks = 1'000'000;
constexpr auto between_signals = std::chrono::milliseconds(50);

unsigned long main_thread = 0;

}  // namespace

void Interrupts::set_main_thread(unsigned long thread) { main_thread = thread; }

Interrupts::Interrupts(Vector<const std::uint8_t> stop)
    : stop_(stop.data), is_main_(PyThread_get_thread_ident() == main_thread), next_(Clock::now() + between_signals) {
    require(stop.size() == 1, "The flag 'stop' must have one element.");
}

void Interrupts::look() {
    left_ = steps_between_looks;
    if (*stop_) throw Stopped();
    if (!is_main_ || Clock::now() < next_) return;
    nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    next_ = Clock::now() + between_signals;
}

}  // namespace petree
