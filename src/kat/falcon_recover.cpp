// Our own vectors of falcon-recover-512 (tests/vectors/falcon): key and signature from the seed, point, address.

#include <nlohmann/json.hpp>
#include <postern/falcon_codec.hpp>
#include <postern/falcon_recovery.hpp>
#include <postern/falcon_scheme.hpp>

#include "core/hex.hpp"
#include "kat/families.hpp"
#include "kat/run.hpp"

namespace postern::kat {

namespace {

using namespace falcon;

Status check(const nlohmann::json& test) {
    const Scheme& scheme = *find_scheme("falcon-recover-512");
    const Bytes message = hex_field(test, "message");
    const Bytes wanted = hex_field(test, "signature");
    const Bytes seed = hex_field(test, "seed");
    if (seed.size() != 48) throw Malformed("a seed has 48 bytes");
    const auto pair = generate(scheme, seed);
    if (auto e = expect_equal("publicKey", pair.public_key, hex_field(test, "publicKey")); !e) return e;
    const auto signature = sign(scheme, pair.private_key, message, scheme.codec, true);
    if (!signature) return signature.error();
    if (auto e = expect_equal("signature", *signature, wanted); !e) return e;
    const auto decoded = decode_recoverable(wanted);
    if (!decoded) return decoded.error();
    const auto point = recover_point(decoded->key, decoded->signature.salt, message);
    const auto head = test.at("pointHead").get<std::vector<int>>();
    for (std::size_t i = 0; i < head.size() && i < point.size(); ++i)
        if (point[i] != head[i]) return Error{"point differs"};
    const auto address = recover(scheme, message, wanted, scheme.codec);
    if (!address) return address.error();
    if (auto e = expect_equal("address", *address, hex_field(test, "address")); !e) return e;
    Bytes other = message;
    other.push_back(0);
    return recover(scheme, other, wanted, scheme.codec) ? Status(Error{"another message is accepted"}) : ok();
}

constexpr Kind kKinds[] = {{"falcon-recover",
                            [](const Document& d) {
                                return d.tests_have({"pointHead", "address", "signature", "seed"});
                            },
                            [](const Document& d, Run& run) {
                                std::size_t index = 0;
                                for (const auto& test : d.json().at("tests"))
                                    run.native("test " + std::to_string(index++), "key recovery", [&] { return check(test); });
                            }}};

}  // namespace

std::span<const Kind> falcon_recover_kinds() { return kKinds; }

}  // namespace postern::kat
