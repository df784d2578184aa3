#include "conformance/rsp.hpp"

#include <lzma.h>
#include <openssl/evp.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace postern::test {

namespace {

std::string unxz(const std::string& packed) {
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, UINT64_MAX, 0) != LZMA_OK) throw std::runtime_error("xz");
    std::string out;
    std::array<std::uint8_t, 1 << 16> chunk{};
    stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    stream.avail_in = packed.size();
    lzma_ret state = LZMA_OK;
    while (state == LZMA_OK) {
        stream.next_out = chunk.data();
        stream.avail_out = chunk.size();
        state = lzma_code(&stream, LZMA_FINISH);
        out.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - stream.avail_out);
    }
    lzma_end(&stream);
    if (state != LZMA_STREAM_END) throw std::runtime_error("xz data is damaged");
    return out;
}

}  // namespace

std::vector<RspEntry> read_rsp(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (path.extension() == ".xz") text = unxz(text);
    std::istringstream lines(text);
    std::vector<RspEntry> entries;
    bool open = false;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty()) open = false;
        const auto equals = line.find(" =");
        if (line.empty() || line[0] == '#' || equals == std::string::npos) continue;
        if (!open) entries.emplace_back();
        open = true;
        entries.back()[line.substr(0, equals)] = equals + 3 <= line.size() ? line.substr(equals + 3) : "";
    }
    return entries;
}

NistDrbg::NistDrbg(const Bytes& seed48) {
    std::array<std::uint8_t, 48> seed{};
    if (seed48.size() != seed.size()) throw std::runtime_error("the seed of the DRBG has 48 bytes");
    std::copy(seed48.begin(), seed48.end(), seed.begin());
    update(seed);
}

std::array<std::uint8_t, 16> NistDrbg::block() {
    for (std::size_t i = 16; i-- > 0;) {
        if (++counter_[i] != 0) break;
    }
    std::array<std::uint8_t, 16> out{};
    const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> ctx(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    int size = 0;
    if (EVP_EncryptInit_ex(ctx.get(), EVP_aes_256_ecb(), nullptr, key_.data(), nullptr) != 1 ||
        EVP_EncryptUpdate(ctx.get(), out.data(), &size, counter_.data(), 16) != 1) {
        throw std::runtime_error("AES");
    }
    return out;
}

void NistDrbg::update(const std::array<std::uint8_t, 48>& provided) {
    std::array<std::uint8_t, 48> next{};
    for (std::size_t i = 0; i < 48; i += 16) {
        const auto b = block();
        for (std::size_t j = 0; j < 16; ++j) next[i + j] = static_cast<std::uint8_t>(b[j] ^ provided[i + j]);
    }
    std::copy_n(next.begin(), 32, key_.begin());
    std::copy_n(next.begin() + 32, 16, counter_.begin());
}

Bytes NistDrbg::draw(std::size_t size) {
    Bytes out;
    while (out.size() < size) {
        const auto b = block();
        out.insert(out.end(), b.begin(), b.end());
    }
    out.resize(size);
    update({});
    return out;
}

}  // namespace postern::test
