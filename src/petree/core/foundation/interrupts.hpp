// Long loops that can be left: by an interrupt of the user, or because another thread failed.
#pragma once

#include <chrono>

#include "foundation/arrays.hpp"

namespace petree {

// Another thread, or the end of the interpreter, asked the loops to stop.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped"; }
};

// The thread that handles signals; Python alone knows it, so it is asked when the extension is loaded.
inline unsigned long main_thread = 0;

class Interrupts {
  public:
    // With the interpreter's lock held. `stop` is a flag that all threads of a job read.
    explicit Interrupts(Array<const std::uint8_t, 1> stop)
        : stop_(stop.data), is_main_(PyThread_get_thread_ident() == main_thread) {
        require(stop.size() == 1, "The flag 'stop' must have one element.");
    }

    // Note some work, in elementary steps of about a nanosecond; now and then look whether to go on.
    void after(Index work) {
        left_ -= work;
        if (left_ < 0) look();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr Index steps_between_looks = 1'000'000;
    static constexpr auto between_signals = std::chrono::milliseconds(50);

    void look() {
        left_ = steps_between_looks;
        if (*stop_) throw Stopped();
        if (!is_main_ || Clock::now() < next_) return;
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        next_ = Clock::now() + between_signals;
    }

    const volatile std::uint8_t* stop_;  // another thread may write it at any time
    bool is_main_;
    Index left_ = steps_between_looks;
    Clock::time_point next_ = Clock::now() + between_signals;
};

}  // namespace petree
