// C2SP CCTV: digests over many key generations and signatures, and over the rounding functions of every field element.

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "hash/sha3.hpp"
#include "kat/families.hpp"
#include "kat/mldsa_cases.hpp"
#include "mldsa/field.hpp"

namespace postern::kat {

namespace {

using namespace mldsa;

Status accumulated(const Scheme& s, std::size_t repetitions, const Bytes& expected) {
    hash::Shake128 seeds, all;
    for (std::size_t i = 0; i < repetitions; ++i) {
        std::array<std::uint8_t, 32> seed{};
        seeds.squeeze(seed);
        const auto pair = generate(s, Seed(seed));
        all.absorb(pair.public_key.bytes());
        all.absorb(sign(pair.private_key, Message({}), {}, Randomness::deterministic()));
    }
    std::array<std::uint8_t, 32> digest{};
    all.squeeze(digest);
    return expect_equal("digest", digest, expected);
}

/// Decimal lines into SHAKE128.
class LineHasher {
  public:
    void line(std::int32_t value) {
        if (buffer_.size() - used_ < 16) flush();
        char* end = std::to_chars(buffer_.data() + used_, buffer_.data() + buffer_.size(), value).ptr;
        *end++ = '\n';
        used_ = static_cast<std::size_t>(end - buffer_.data());
    }
    std::array<std::uint8_t, 32> finish() {
        flush();
        std::array<std::uint8_t, 32> digest{};
        xof_.squeeze(digest);
        return digest;
    }

  private:
    void flush() {
        xof_.absorb({reinterpret_cast<const std::uint8_t*>(buffer_.data()), used_});
        used_ = 0;
    }
    hash::Shake128 xof_;
    std::array<char, 168 * 64> buffer_{};
    std::size_t used_ = 0;
};

template <std::int32_t Gamma2>
void rounding(LineHasher& out, std::int32_t r) {
    const std::int32_t low = low_bits<Gamma2>(r);
    out.line(high_bits<Gamma2>(r));
    out.line(use_hint<Gamma2>(1, r));
    out.line(low);
    out.line(absolute(low));
}

Status field_operations(const Bytes& expected) {
    LineHasher out;
    for (std::int32_t r = 0; r < q; ++r) {
        const auto centred = to_centred(r);
        const auto parts = power2round(r);
        out.line(centred);
        out.line(absolute(centred));
        out.line(parts.high);
        out.line(parts.low < 0 ? parts.low + q : parts.low);
        rounding<(q - 1) / 88>(out, r);
        rounding<(q - 1) / 32>(out, r);
    }
    return expect_equal("digest", out.finish(), expected);
}

void run_cctv(const Document& d, Run& run) {
    for (const auto& [set, digests] : d.json().at("keygenSign").items()) {
        const Scheme& s = mldsa_scheme(set);
        for (const auto& [count, digest] : digests.items()) {
            std::size_t repetitions = 0;
            if (std::from_chars(count.data(), count.data() + count.size(), repetitions).ec != std::errc{})
                throw Malformed(fmt::format("'{}' is not a number of repetitions", count));
            if (repetitions > 1000) {
                run.skip("thousands to millions of repetitions");
                continue;
            }
            const Bytes expected = hex_bytes(digest.get_ref<const std::string&>(), count);
            run.native(fmt::format("{}, {} repetitions", set, count), "key generation and signing",
                       [&] { return accumulated(s, repetitions, expected); });
        }
    }
    const Bytes expected = hex_field(d.json(), "fieldOperations");
    run.native("fieldOperations", "field operations", [&] { return field_operations(expected); });
}

constexpr Kind kKinds[] = {
    {"mldsa-cctv-accumulated", [](const Document& d) { return d.has("keygenSign") && d.has("fieldOperations"); }, run_cctv},
};

}  // namespace

std::span<const Kind> mldsa_cctv_kinds() { return kKinds; }

}  // namespace postern::kat
