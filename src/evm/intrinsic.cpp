// What a transaction costs before its first instruction: EIP-2028, 2930, 3860, 7623, 7702; EIP-2780, 7976, 8037, 8038.

#include <algorithm>

#include "evm/schedule.hpp"

namespace postern::evm {

namespace {

constexpr std::uint64_t kPerAuthorization = 25000;  // PER_EMPTY_ACCOUNT_COST, EIP-7702
// EIP-8037: calldata of one tuple, signature recovery, a cold access and two warm ones.
constexpr std::uint64_t kPerAuthorizationAmsterdam = 101 * 16 + 3000 + 3000 + 2 * 100;

}  // namespace

IntrinsicGas intrinsic_gas(Fork fork, const Transaction& tx) {
    const bool amsterdam = fork == Fork::amsterdam;
    const bool creates = !tx.to.has_value();
    const auto bytes = static_cast<std::uint64_t>(tx.data.size());
    const auto zeros = static_cast<std::uint64_t>(std::count(tx.data.begin(), tx.data.end(), std::uint8_t{0}));
    const std::uint64_t tokens = zeros + 4 * (bytes - zeros);

    std::uint64_t base = 21000;
    if (amsterdam) {
        base = 12000;
        if (creates) {
            base += 12000;
        } else if (*tx.to != tx.from) {
            base += 3000;
            if (tx.value != Word{}) base += 6000;
        }
    }
    std::uint64_t gas = base + 4 * tokens;
    if (creates) {
        if (!amsterdam) gas += 32000;
        gas += 2 * ((bytes + 31) / 32);
    }
    for (const AccessListEntry& entry : tx.access_list) {
        gas += amsterdam ? 2900 : 2400;
        gas += (amsterdam ? 2000 : 1900) * static_cast<std::uint64_t>(entry.storage_keys.size());
    }
    if (tx.authorization_list) {
        gas += (amsterdam ? kPerAuthorizationAmsterdam : kPerAuthorization) * static_cast<std::uint64_t>(tx.authorization_list->size());
    }
    std::uint64_t floor = 0;
    if (fork >= Fork::prague) floor = base + (amsterdam ? 64 * bytes : 10 * tokens);
    return {gas, floor};
}

}  // namespace postern::evm
