#include "hash/sponge.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "core/secure.hpp"
#include "hash/keccak_p.hpp"

namespace postern::hash {

namespace {

static_assert(std::endian::native == std::endian::little, "lanes are read as little-endian words");

void check(std::size_t rate, unsigned rounds) {
    if (rate == 0 || rate >= 200 || rate % 8 != 0 || rounds == 0 || rounds > 24) throw std::invalid_argument("not a Keccak sponge");
}

void xor_byte(std::uint64_t& lane, std::size_t byte_in_lane, std::uint8_t value) noexcept {
    lane ^= static_cast<std::uint64_t>(value) << (8 * byte_in_lane);
}

std::uint64_t load_lane(const std::uint8_t* p) noexcept {
    std::uint64_t v = 0;
    std::memcpy(&v, p, 8);
    return v;
}

}  // namespace

Sponge::Sponge(std::size_t rate, std::uint8_t suffix, unsigned rounds) : rate_(rate), rounds_(rounds), suffix_(suffix) {
    check(rate, rounds);
}

Sponge::~Sponge() { secure_wipe(state_); }

void Sponge::reset() noexcept {
    secure_wipe(state_);
    position_ = 0;
    squeezing_ = false;
}

void Sponge::absorb(ByteView data) {
    if (squeezing_) throw std::logic_error("a sponge cannot absorb after squeezing");
    const std::uint8_t* p = data.data();
    std::size_t n = data.size();
    while (n != 0) {
        if (position_ % 8 == 0 && n >= 8) {
            // Whole lanes up to the end of the block.
            const std::size_t lanes = std::min((rate_ - position_) / 8, n / 8);
            for (std::size_t i = 0; i < lanes; ++i) state_[position_ / 8 + i] ^= load_lane(p + 8 * i);
            position_ += 8 * lanes;
            p += 8 * lanes;
            n -= 8 * lanes;
        } else {
            xor_byte(state_[position_ / 8], position_ % 8, *p);
            ++position_;
            ++p;
            --n;
        }
        if (position_ == rate_) {
            keccak_p1600(state_, rounds_);
            position_ = 0;
        }
    }
}

void Sponge::pad() noexcept {
    xor_byte(state_[position_ / 8], position_ % 8, suffix_);
    xor_byte(state_[rate_ / 8 - 1], 7, 0x80);
    squeezing_ = true;
    position_ = rate_;
}

void Sponge::squeeze(std::span<std::uint8_t> out) {
    if (!squeezing_) pad();
    while (!out.empty()) {
        if (position_ == rate_) {
            keccak_p1600(state_, rounds_);
            position_ = 0;
        }
        const std::size_t take = std::min(out.size(), rate_ - position_);
        std::memcpy(out.data(), reinterpret_cast<const std::uint8_t*>(state_.data()) + position_, take);
        position_ += take;
        out = out.subspan(take);
    }
}

template <std::size_t Lanes>
SpongeLanes<Lanes>::SpongeLanes(std::size_t rate, std::uint8_t suffix, unsigned rounds) : rate_(rate), rounds_(rounds), suffix_(suffix) {
    check(rate, rounds);
}

template <std::size_t Lanes>
SpongeLanes<Lanes>::~SpongeLanes() {
    secure_wipe(states_);
}

template <std::size_t Lanes>
void SpongeLanes<Lanes>::permute() noexcept {
    if constexpr (Lanes == 4) {
        keccak_p1600_x4(states_, rounds_);
    } else {
        keccak_p1600_x8(states_, rounds_);
    }
    position_ = 0;
}

template <std::size_t Lanes>
void SpongeLanes<Lanes>::absorb(const std::array<ByteView, Lanes>& data) {
    if (squeezing_) throw std::logic_error("a sponge cannot absorb after squeezing");
    const std::size_t n = data[0].size();
    for (const auto& d : data) {
        if (d.size() != n) throw std::invalid_argument("absorption in step needs inputs of one length");
    }
    for (std::size_t i = 0; i < n;) {
        if (position_ % 8 == 0 && n - i >= 8) {
            // Whole lanes up to the end of the block.
            const std::size_t words = std::min(rate_ - position_, n - i) / 8;
            for (std::size_t s = 0; s < Lanes; s += 4) {
                keccak_absorb_x4(states_.data() + Lanes * (position_ / 8) + s, Lanes, words,
                                 {data[s].data() + i, data[s + 1].data() + i, data[s + 2].data() + i, data[s + 3].data() + i});
            }
            position_ += 8 * words;
            i += 8 * words;
        } else {
            for (std::size_t s = 0; s < Lanes; ++s) xor_byte(states_[Lanes * (position_ / 8) + s], position_ % 8, data[s][i]);
            ++position_;
            ++i;
        }
        if (position_ == rate_) permute();
    }
}

template <std::size_t Lanes>
void SpongeLanes<Lanes>::squeeze(const std::array<std::span<std::uint8_t>, Lanes>& out) {
    if (!squeezing_) {
        for (std::size_t s = 0; s < Lanes; ++s) {
            xor_byte(states_[Lanes * (position_ / 8) + s], position_ % 8, suffix_);
            xor_byte(states_[Lanes * (rate_ / 8 - 1) + s], 7, 0x80);
        }
        squeezing_ = true;
        position_ = rate_;
    }
    const std::size_t n = out[0].size();
    for (const auto& o : out) {
        if (o.size() != n) throw std::invalid_argument("squeezing in step needs outputs of one length");
    }
    for (std::size_t i = 0; i < n;) {
        if (position_ == rate_) permute();
        if (position_ % 8 == 0 && n - i >= 8) {
            const std::size_t words = std::min(rate_ - position_, n - i) / 8;
            for (std::size_t s = 0; s < Lanes; s += 4) {
                keccak_extract_x4(states_.data() + Lanes * (position_ / 8) + s, Lanes, words,
                                  {out[s].data() + i, out[s + 1].data() + i, out[s + 2].data() + i, out[s + 3].data() + i});
            }
            position_ += 8 * words;
            i += 8 * words;
        } else {
            for (std::size_t s = 0; s < Lanes; ++s) {
                out[s][i] = static_cast<std::uint8_t>(states_[Lanes * (position_ / 8) + s] >> (8 * (position_ % 8)));
            }
            ++position_;
            ++i;
        }
    }
}

template class SpongeLanes<4>;
template class SpongeLanes<8>;

}  // namespace postern::hash
