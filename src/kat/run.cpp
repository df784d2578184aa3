#include "kat/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/hex.hpp"

namespace postern::kat {

void Run::record(const std::string& id, const Status& outcome) {
    if (outcome) {
        ++report_.passed;
        return;
    }
    ++report_.failed;
    report_.failures.push_back({id, outcome.error().message});
}

void Run::skip(std::string_view reason, std::size_t cases) {
    if (cases == 0) return;
    report_.skipped += cases;
    report_.reasons[std::string(reason)] += cases;
}

void Run::native(const std::string& id, std::string_view what, const std::function<Status()>& body) {
    if (with_contract()) return skip(what);
    record(id, body());
}

void Run::verify(const std::string& id, const VerifyCase& test) {
    if (!with_contract()) return record(id, expect_verdict(test.native(), test.valid));
    const ContractRunner& contract = *options_.contract;
    if (contract.scheme != test.scheme) return skip("another scheme: " + test.scheme);
    if (test.public_key.size() != test.public_key_bytes) return skip("key of the wrong size");
    const auto accepted = contract.accepts(test.public_key, test.message, test.signature, test.context);
    if (!accepted) return record(id, accepted.error());
    record(id, expect_verdict({*accepted, "the contract refuses"}, test.valid));
}

Status expect_equal(std::string_view what, ByteView actual, ByteView expected) {
    if (std::equal(actual.begin(), actual.end(), expected.begin(), expected.end())) return ok();
    if (actual.size() != expected.size()) return Error{fmt::format("{}: {} bytes, expected {}", what, actual.size(), expected.size())};
    const auto at = static_cast<std::size_t>(std::mismatch(actual.begin(), actual.end(), expected.begin()).first - actual.begin());
    const std::size_t shown = std::min<std::size_t>(8, actual.size() - at);
    return Error{fmt::format("{} differs from byte {} on: {}, expected {}", what, at, to_hex(actual.subspan(at, shown)),
                             to_hex(expected.subspan(at, shown)))};
}

Status expect_verdict(const mldsa::Verdict& verdict, bool valid) {
    if (verdict.valid == valid) return ok();
    return Error{valid ? "must be accepted, but: " + verdict.reason : std::string("must be refused, but was accepted")};
}

}  // namespace postern::kat
