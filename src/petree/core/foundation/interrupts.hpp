// Long loops that can be left: by an interrupt of the user, or because another thread failed.
#pragma once

#include <chrono>
#include <exception>

#include "foundation/views.hpp"

namespace petree {

// Another thread, or the end of the interpreter, asked the loops to stop.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped"; }
};

class Interrupts {
  public:
    // With the interpreter's lock held. `stop` is a flag that all threads of a job read.
    explicit Interrupts(Vector<const std::uint8_t> stop);

    // Note some work, in elementary steps of about a nanosecond; now and then look whether to go on.
    void after(Index work) {
        left_ -= work;
        if (left_ < 0) look();
    }

    // Which thread handles signals: Python alone knows.
    static void set_main_thread(unsigned long thread);

  private:
    using Clock = std::chrono::steady_clock;

    // Throws `Stopped`, or what the handler of a signal raised.
    void look();

    const volatile std::uint8_t* stop_;  // another thread may write it at any time
    bool is_main_;
    Index left_ = 0;
    Clock::time_point next_;
};

}  // namespace petree
