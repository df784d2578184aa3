#include <algorithm>
#include <postern/mldsa.hpp>
#include <string>

#include "core/random.hpp"
#include "core/secure.hpp"

namespace postern::mldsa {

namespace {

Status expect_size(const char* what, ByteView bytes, std::size_t size) {
    if (bytes.size() == size) return ok();
    return Error{std::string(what) + " is " + std::to_string(bytes.size()) + " bytes, expected " + std::to_string(size)};
}

}  // namespace

Result<Context> Context::from(ByteView bytes) {
    if (bytes.size() > max_context_bytes) return Error{"context is " + std::to_string(bytes.size()) + " bytes, at most 255 are allowed"};
    Context context;
    std::copy(bytes.begin(), bytes.end(), context.bytes_.begin());
    context.size_ = bytes.size();
    return context;
}

Secret32::~Secret32() { secure_wipe(bytes_); }

Seed::Seed(std::span<const std::uint8_t, 32> bytes) noexcept { std::copy(bytes.begin(), bytes.end(), bytes_.begin()); }

Seed Seed::random() {
    Seed seed;
    os_random(seed.bytes_);
    return seed;
}

Result<Seed> Seed::from(ByteView bytes) {
    if (auto fits = expect_size("seed", bytes, seed_bytes); !fits) return fits.error();
    return Seed(bytes.first<seed_bytes>());
}

Randomness::Randomness(std::span<const std::uint8_t, 32> bytes) noexcept { std::copy(bytes.begin(), bytes.end(), bytes_.begin()); }

Randomness Randomness::fresh() {
    Randomness rnd;
    os_random(rnd.bytes_);
    return rnd;
}

KeyHash::KeyHash(std::span<const std::uint8_t, tr_bytes> bytes) noexcept { std::copy(bytes.begin(), bytes.end(), bytes_.begin()); }

Mu::Mu(std::span<const std::uint8_t, mu_bytes> bytes) noexcept { std::copy(bytes.begin(), bytes.end(), bytes_.begin()); }

Result<Mu> Mu::from(ByteView bytes) {
    if (auto fits = expect_size("mu", bytes, mu_bytes); !fits) return fits.error();
    return Mu(bytes.first<mu_bytes>());
}

}  // namespace postern::mldsa
