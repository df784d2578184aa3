// The Falcon rows of postern bench.

#include <array>
#include <postern/falcon.hpp>
#include <postern/falcon_recovery.hpp>
#include <stdexcept>

#include "cli/bench.hpp"

namespace postern::cli {

using falcon::Scheme;
using Kind = Scheme::Kind;

namespace {

constexpr std::size_t kBatch = 32;
constexpr std::size_t kMessageBytes = 32;

/// A message that was not there before.
class Messages {
  public:
    const Bytes& next() {
        ++counter_;
        for (std::size_t i = 0; i < 4; ++i) message_[i] = static_cast<std::uint8_t>(counter_ >> 8 * i);
        return message_;
    }

  private:
    Bytes message_ = Bytes(kMessageBytes);
    std::uint32_t counter_ = 0;
};

void require(bool holds) {
    if (!holds) throw std::logic_error("a signature made while measuring does not verify");
}

template <class P>
void bench_plain_expanded(std::vector<BenchRow>& rows, const Scheme& s, double seconds, const falcon::PrivateKey<P>& key) {
    Messages messages;
    const falcon::ExpandedPrivateKey<P> signer(key);
    const falcon::ExpandedPublicKey<P> verifier(key.public_key());
    rows.push_back(measure(s.name, "sign", "expanded", seconds, [&] { (void)falcon::sign<P>(signer, messages.next(), s.policy); }));
    std::vector<Bytes> texts;
    for (std::size_t i = 0; i < kBatch; ++i) texts.push_back(messages.next());
    const std::vector<ByteView> views(texts.begin(), texts.end());
    std::vector<falcon::Signature<P>> signatures;
    rows.push_back(measure(
        s.name, "sign", "batch", seconds, [&] { signatures = falcon::sign_batch<P>(signer, views, s.policy); }, kBatch));
    rows.push_back(measure(s.name, "verify", "expanded", seconds,
                           [&] { require(falcon::verify<P>(verifier, texts[0], signatures[0], s.policy).has_value()); }));
    std::vector<falcon::VerifyItem<P>> items;
    for (std::size_t i = 0; i < kBatch; ++i) items.push_back({&verifier, texts[i], &signatures[i]});
    rows.push_back(measure(
        s.name, "verify", "batch", seconds,
        [&] {
            for (const bool valid : falcon::verify_batch<P>(items, s.policy)) require(valid);
        },
        kBatch));
    rows.push_back(measure(s.name, "expand-public", "wire", seconds, [&] { const falcon::ExpandedPublicKey<P> once(key.public_key()); }));
    rows.push_back(measure(s.name, "expand-private", "wire", seconds, [&] { const falcon::ExpandedPrivateKey<P> once(key); }));
}

void bench_recovery_expanded(std::vector<BenchRow>& rows, const Scheme& s, double seconds,
                             const falcon::PrivateKey<falcon::Falcon512>& key) {
    Messages messages;
    const falcon::ExpandedPrivateKey<falcon::Falcon512> signer(key);
    if (s.kind == Kind::recoverable) {
        rows.push_back(measure(s.name, "sign", "expanded", seconds, [&] { (void)falcon::sign_recoverable(signer, messages.next()); }));
        const Bytes message = messages.next();
        const auto signature = falcon::sign_recoverable(signer, message);
        rows.push_back(measure(s.name, "recover", "decoded", seconds, [&] { require(falcon::recover(message, signature).has_value()); }));
    } else {
        rows.push_back(
            measure(s.name, "sign", "expanded", seconds, [&] { (void)falcon::sign_epervier(signer, messages.next(), s.policy); }));
        const Bytes message = messages.next();
        const auto signature = falcon::sign_epervier(signer, message, s.policy);
        rows.push_back(measure(s.name, "recover", "decoded", seconds,
                               [&] { require(falcon::epervier_recover(message, signature, s.policy).has_value()); }));
    }
}

template <class P>
std::vector<BenchRow> bench_degree(const Scheme& s, double seconds) {
    Messages messages;
    std::vector<BenchRow> rows;
    std::uint8_t seeds = 0;
    rows.push_back(measure(s.name, "keygen", "seed", seconds, [&] { (void)falcon::PrivateKey<P>::from_seed(Bytes(48, seeds++)); }));
    const auto pair = falcon::generate(s, Bytes(48, 1));
    const auto key = falcon::PrivateKey<P>::decode(pair.private_key);
    rows.push_back(measure(s.name, "sign", "wire", seconds, [&] { (void)falcon::sign(s, pair.private_key, messages.next(), s.codec); }));
    const Bytes message = messages.next();
    const auto signature = falcon::sign(s, pair.private_key, message, s.codec);
    rows.push_back(measure(s.name, "verify", "wire", seconds, [&] {
        const auto verdict = falcon::verify(s, pair.public_key, message, *signature, s.codec);
        require(verdict && verdict->valid);
    }));
    if (s.kind == Kind::plain) {
        bench_plain_expanded<P>(rows, s, seconds, *key);
    } else if constexpr (P::logn == 9) {
        rows.push_back(
            measure(s.name, "recover", "wire", seconds, [&] { require(falcon::recover(s, message, *signature, s.codec).has_value()); }));
        bench_recovery_expanded(rows, s, seconds, *key);
    }
    return rows;
}

}  // namespace

std::vector<BenchRow> bench_falcon(const Scheme& s, double seconds) {
    return s.logn == 9 ? bench_degree<falcon::Falcon512>(s, seconds) : bench_degree<falcon::Falcon1024>(s, seconds);
}

}  // namespace postern::cli
