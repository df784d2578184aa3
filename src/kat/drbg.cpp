#include "kat/drbg.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace postern::kat {

Drbg::Drbg(std::span<const std::uint8_t, 48> seed) { update(seed); }

std::array<std::uint8_t, 16> Drbg::next_block() {
    for (std::size_t i = v_.size(); i-- > 0 && ++v_[i] == 0;) {
    }
    const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> aes(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    std::array<std::uint8_t, 16> out{};
    int size = 0;
    if (!aes || EVP_EncryptInit_ex(aes.get(), EVP_aes_256_ecb(), nullptr, key_.data(), nullptr) != 1 ||
        EVP_EncryptUpdate(aes.get(), out.data(), &size, v_.data(), 16) != 1 || size != 16)
        throw std::runtime_error("AES-256 failed");
    return out;
}

void Drbg::update(std::span<const std::uint8_t, 48> provided) {
    std::array<std::uint8_t, 48> fresh{};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto block = next_block();
        for (std::size_t j = 0; j < 16; ++j) fresh[16 * i + j] = static_cast<std::uint8_t>(block[j] ^ provided[16 * i + j]);
    }
    std::copy_n(fresh.begin(), 32, key_.begin());
    std::copy_n(fresh.begin() + 32, 16, v_.begin());
}

Bytes Drbg::read(std::size_t size) {
    Bytes out;
    while (out.size() < size) {
        const auto block = next_block();
        out.insert(out.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(16, size - out.size())));
    }
    update(std::array<std::uint8_t, 48>{});
    return out;
}

}  // namespace postern::kat
