// From a message to mu: contexts, pre-hashing, streaming.

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <postern/mldsa.hpp>
#include <stdexcept>

#include "hash/sha3.hpp"
#include "mldsa/engine.hpp"

namespace postern::mldsa {

namespace {

struct PreHashInfo {
    PreHash algorithm;
    std::string_view name;
    std::size_t digest_bytes;
    std::uint8_t oid_arc;  ///< last arc of 2.16.840.1.101.3.4.2.x
    const EVP_MD* (*openssl)();
};

constexpr std::array<PreHashInfo, 12> kPreHashes{{
    {PreHash::sha2_224, "sha2-224", 28, 4, EVP_sha224},
    {PreHash::sha2_256, "sha2-256", 32, 1, EVP_sha256},
    {PreHash::sha2_384, "sha2-384", 48, 2, EVP_sha384},
    {PreHash::sha2_512, "sha2-512", 64, 3, EVP_sha512},
    {PreHash::sha2_512_224, "sha2-512/224", 28, 5, EVP_sha512_224},
    {PreHash::sha2_512_256, "sha2-512/256", 32, 6, EVP_sha512_256},
    {PreHash::sha3_224, "sha3-224", 28, 7, nullptr},
    {PreHash::sha3_256, "sha3-256", 32, 8, nullptr},
    {PreHash::sha3_384, "sha3-384", 48, 9, nullptr},
    {PreHash::sha3_512, "sha3-512", 64, 10, nullptr},
    {PreHash::shake_128, "shake-128", 32, 11, nullptr},
    {PreHash::shake_256, "shake-256", 64, 12, nullptr},
}};

const PreHashInfo& info(PreHash algorithm) {
    const auto* it = std::find_if(kPreHashes.begin(), kPreHashes.end(), [&](const auto& p) { return p.algorithm == algorithm; });
    if (it == kPreHashes.end()) throw std::invalid_argument("no such pre-hash function");
    return *it;
}

/// The sponge of a SHA-3 or SHAKE pre-hash.
hash::Sponge sponge_of(PreHash algorithm) {
    switch (algorithm) {
        case PreHash::shake_128:
            return {168, 0x1f, 24};
        case PreHash::shake_256:
            return {136, 0x1f, 24};
        default:
            return {200 - 2 * info(algorithm).digest_bytes, 0x06, 24};
    }
}

std::unique_ptr<detail::MuState> start(const Scheme& scheme, const KeyHash& tr, std::uint8_t domain, const Context& context) {
    auto state = scheme.engine->start_mu(tr);
    const std::array<std::uint8_t, 2> head{domain, static_cast<std::uint8_t>(context.bytes().size())};
    state->absorb(head);
    state->absorb(context.bytes());
    return state;
}

}  // namespace

namespace detail {
struct PreHashState {
    virtual ~PreHashState() = default;
    virtual void update(ByteView part) = 0;
    virtual void finish(std::span<std::uint8_t> digest) = 0;
};

namespace {

struct SpongeState final : PreHashState {
    explicit SpongeState(PreHash algorithm) : sponge(sponge_of(algorithm)) {}
    void update(ByteView part) override { sponge.absorb(part); }
    void finish(std::span<std::uint8_t> digest) override { sponge.squeeze(digest); }
    hash::Sponge sponge;
};

struct Sha2State final : PreHashState {
    explicit Sha2State(const EVP_MD* function) : ctx(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
        if (!ctx || EVP_DigestInit_ex(ctx.get(), function, nullptr) != 1) throw std::runtime_error("OpenSSL cannot start a SHA-2 hash");
    }
    void update(ByteView part) override {
        if (EVP_DigestUpdate(ctx.get(), part.data(), part.size()) != 1) throw std::runtime_error("OpenSSL SHA-2 failed");
    }
    void finish(std::span<std::uint8_t> digest) override {
        unsigned size = 0;
        std::array<std::uint8_t, EVP_MAX_MD_SIZE> out{};
        if (EVP_DigestFinal_ex(ctx.get(), out.data(), &size) != 1 || size != digest.size())
            throw std::runtime_error("OpenSSL SHA-2 failed");
        std::copy_n(out.begin(), size, digest.begin());
    }
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> ctx;
};

}  // namespace
}  // namespace detail

std::span<const PreHash> prehashes() noexcept {
    static constexpr auto all = [] {
        std::array<PreHash, kPreHashes.size()> list{};
        for (std::size_t i = 0; i < list.size(); ++i) list[i] = kPreHashes[i].algorithm;
        return list;
    }();
    return all;
}

std::string_view name(PreHash algorithm) noexcept { return info(algorithm).name; }

std::optional<PreHash> find_prehash(std::string_view name) noexcept {
    const auto same = [&](std::string_view other) {
        return std::equal(name.begin(), name.end(), other.begin(), other.end(),
                          [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
    };
    for (const auto& p : kPreHashes) {
        if (same(p.name)) return p.algorithm;
    }
    return std::nullopt;
}

Result<MessageDigest> MessageDigest::from(PreHash algorithm, ByteView bytes) {
    const auto& p = info(algorithm);
    if (bytes.size() != p.digest_bytes) {
        return Error{"digest is " + std::to_string(bytes.size()) + " bytes, " + std::string(p.name) + " gives " +
                     std::to_string(p.digest_bytes)};
    }
    return MessageDigest(algorithm, Bytes(bytes.begin(), bytes.end()));
}

PreHasher::PreHasher(PreHash algorithm) : algorithm_(algorithm) {
    const auto& p = info(algorithm);
    if (p.openssl != nullptr) {
        state_ = std::make_unique<detail::Sha2State>(p.openssl());
    } else {
        state_ = std::make_unique<detail::SpongeState>(algorithm);
    }
}
PreHasher::~PreHasher() = default;
PreHasher::PreHasher(PreHasher&&) noexcept = default;
PreHasher& PreHasher::operator=(PreHasher&&) noexcept = default;

void PreHasher::update(ByteView part) {
    if (!state_) throw std::logic_error("the pre-hash is finished");
    state_->update(part);
}

MessageDigest PreHasher::finish() {
    if (!state_) throw std::logic_error("the pre-hash is finished");
    Bytes digest(info(algorithm_).digest_bytes);
    state_->finish(digest);
    state_.reset();
    return {algorithm_, std::move(digest)};
}

MessageDigest prehash(PreHash algorithm, const Message& message) {
    PreHasher hasher(algorithm);
    hasher.update(message.bytes());
    return hasher.finish();
}

MuHasher::MuHasher(const Scheme& scheme, const KeyHash& tr, const Context& context) : state_(start(scheme, tr, 0x00, context)) {}
MuHasher::MuHasher(std::unique_ptr<detail::MuState> state) : state_(std::move(state)) {}
MuHasher MuHasher::formatted(const Scheme& scheme, const KeyHash& tr) { return MuHasher(scheme.engine->start_mu(tr)); }
MuHasher::~MuHasher() = default;
MuHasher::MuHasher(MuHasher&&) noexcept = default;
MuHasher& MuHasher::operator=(MuHasher&&) noexcept = default;

void MuHasher::update(ByteView part) {
    if (!state_) throw std::logic_error("mu is finished");
    state_->absorb(part);
}

Mu MuHasher::finish() {
    if (!state_) throw std::logic_error("mu is finished");
    const Mu mu = state_->finish();
    state_.reset();
    return mu;
}

Mu prehash_mu(const Scheme& scheme, const KeyHash& tr, const MessageDigest& digest, const Context& context) {
    auto state = start(scheme, tr, 0x01, context);
    // DER of the object identifier 2.16.840.1.101.3.4.2.x (the NIST hash algorithms).
    const std::array<std::uint8_t, 11> oid{0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, info(digest.algorithm()).oid_arc};
    state->absorb(oid);
    state->absorb(digest.bytes());
    return state->finish();
}

}  // namespace postern::mldsa
