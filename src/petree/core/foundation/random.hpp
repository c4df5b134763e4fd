// Random numbers that follow from a key alone (SplitMix64).
#pragma once

#include <cstdint>

namespace petree {

inline constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ull;

// A number every bit of which depends on every bit of another: the finaliser of SplitMix64.
inline std::uint64_t scramble(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// A key that depends on another key and on a value; the same as `petree.keys.mix`.
inline std::uint64_t mix_keys(std::uint64_t key, std::uint64_t value) { return scramble((key ^ value) + golden); }

class Random {
  public:
    explicit Random(std::uint64_t key) : state_(key) {}

    std::uint64_t next() {
        state_ += golden;
        return scramble(state_);
    }
    // A number in [0, 1).
    double next_share() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    // A whole number below a bound of at most 32 bits.
    std::int64_t next_below(std::uint64_t bound) { return static_cast<std::int64_t>(((next() >> 32) * bound) >> 32); }

  private:
    std::uint64_t state_;
};

}  // namespace petree
