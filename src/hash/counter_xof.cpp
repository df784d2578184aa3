#include "hash/counter_xof.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/secure.hpp"

namespace postern::hash {

template <std::size_t CounterBytes>
KeccakCounterXof<CounterBytes>::~KeccakCounterXof() {
    secure_wipe(state_);
    secure_wipe(block_);
}

template <std::size_t CounterBytes>
void KeccakCounterXof<CounterBytes>::reset() noexcept {
    hash_ = Keccak256{};
    secure_wipe(state_);
    secure_wipe(block_);
    position_ = 32;
    counter_ = 0;
    squeezing_ = false;
}

template <std::size_t CounterBytes>
void KeccakCounterXof<CounterBytes>::absorb(ByteView data) {
    if (squeezing_) throw std::logic_error("a XOF cannot absorb after squeezing");
    hash_.update(data);
}

template <std::size_t CounterBytes>
void KeccakCounterXof<CounterBytes>::squeeze(std::span<std::uint8_t> out) {
    if (!squeezing_) {
        state_ = hash_.finish();
        squeezing_ = true;
    }
    while (!out.empty()) {
        if (position_ == block_.size()) {
            std::array<std::uint8_t, CounterBytes> counter{};
            for (std::size_t i = 0; i < 8; ++i) counter[CounterBytes - 1 - i] = static_cast<std::uint8_t>(counter_ >> (8 * i));
            ++counter_;
            hash_.update(state_);
            hash_.update(counter);
            block_ = hash_.finish();
            position_ = 0;
        }
        const std::size_t take = std::min(out.size(), block_.size() - position_);
        std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(position_), take, out.begin());
        position_ += take;
        out = out.subspan(take);
    }
}

template class KeccakCounterXof<32>;
template class KeccakCounterXof<8>;

}  // namespace postern::hash
