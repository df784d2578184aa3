#include "falcon/hash_to_point.hpp"
#include "hash/sha3.hpp"

namespace postern::falcon {

namespace {

/// Four points at once; the messages have equal length.
template <class P>
std::array<Poly<P>, 4> four_points(const std::array<const VerifyItem<P>*, 4>& items) {
    hash::Shake256X4 xof;
    xof.absorb({items[0]->signature->salt, items[1]->signature->salt, items[2]->signature->salt, items[3]->signature->salt});
    xof.absorb({items[0]->message, items[1]->message, items[2]->message, items[3]->message});
    std::array<Poly<P>, 4> c;
    std::array<std::size_t, 4> filled{};
    std::array<std::array<std::uint8_t, hash::Shake256::kRate>, 4> blocks;
    while (filled[0] < P::n || filled[1] < P::n || filled[2] < P::n || filled[3] < P::n) {
        xof.squeeze({blocks[0], blocks[1], blocks[2], blocks[3]});
        for (std::size_t i = 0; i < 4; ++i) filled[i] += read_point_words(std::span(c[i]).subspan(filled[i]), blocks[i]);
    }
    return c;
}

}  // namespace

template <class P>
std::vector<bool> verify_batch(std::span<const VerifyItem<P>> items, HashToPoint policy) {
    std::vector<bool> verdicts(items.size());
    std::size_t i = 0;
    while (i < items.size()) {
        const std::size_t length = items[i].message.size();
        const bool four = policy == HashToPoint::shake256 && i + 4 <= items.size() && items[i + 1].message.size() == length &&
                          items[i + 2].message.size() == length && items[i + 3].message.size() == length;
        if (!four) {
            verdicts[i] = verify<P>(*items[i].key, items[i].message, *items[i].signature, policy).has_value();
            ++i;
            continue;
        }
        const auto points = four_points<P>({&items[i], &items[i + 1], &items[i + 2], &items[i + 3]});
        for (const auto& c : points) {
            verdicts[i] = verify_point<P>(*items[i].key, c, items[i].signature->s2).has_value();
            ++i;
        }
    }
    return verdicts;
}

template std::vector<bool> verify_batch<Falcon512>(std::span<const VerifyItem<Falcon512>>, HashToPoint);
template std::vector<bool> verify_batch<Falcon1024>(std::span<const VerifyItem<Falcon1024>>, HashToPoint);

}  // namespace postern::falcon
