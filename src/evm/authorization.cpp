#include "evm/authorization.hpp"

#include <algorithm>
#include <set>

#include "evm/precompiles.hpp"
#include "hash/sha3.hpp"

namespace postern::evm {

namespace {

constexpr Gas kRefundForExisting = 25000 - 12500;  // PER_EMPTY_ACCOUNT_COST - PER_AUTH_BASE_COST
constexpr Gas kAccountWrite = 9000;                // EIP-8038

/// An integer as its shortest big-endian bytes, as an RLP string.
void append_rlp(Bytes& out, const U256& v) {
    const Word w = to_word(v);
    const unsigned n = v.byte_length();
    if (n == 1 && w[31] < 0x80) {
        out.push_back(w[31]);
        return;
    }
    out.push_back(static_cast<std::uint8_t>(0x80 + n));
    out.insert(out.end(), w.end() - n, w.end());
}

/// Half the order of secp256k1, rounded down (EIP-2).
constexpr U256 kHalfOrder{0x7fffffffffffffffULL, 0xffffffffffffffffULL, 0x5d576e7357a4501dULL, 0xdfe92f46681b20a0ULL};

}  // namespace

std::optional<Address> recover_authority(const Authorization& a) {
    if (a.y_parity > 1 || to_u256(a.s) > kHalfOrder) return std::nullopt;
    Bytes payload;
    append_rlp(payload, to_u256(a.chain_id));
    payload.push_back(0x94);
    payload.insert(payload.end(), a.address.begin(), a.address.end());
    append_rlp(payload, U256{a.nonce});
    Bytes message;
    message.reserve(payload.size() + 3);
    message.push_back(0x05);
    if (payload.size() < 56) {
        message.push_back(static_cast<std::uint8_t>(0xc0 + payload.size()));
    } else {
        message.push_back(0xf8);
        message.push_back(static_cast<std::uint8_t>(payload.size()));
    }
    message.insert(message.end(), payload.begin(), payload.end());

    const auto digest = hash::keccak256(ByteView(message));
    Bytes input(digest.begin(), digest.end());
    const Word v = word(27U + a.y_parity);
    for (const Word* part : {&v, &a.r, &a.s}) input.insert(input.end(), part->begin(), part->end());
    const Bytes out = precompile::ecrecover(input);
    if (out.empty()) return std::nullopt;
    return to_address(load_word(out.data()));
}

bool apply_authorizations(Machine& m, const Transaction& tx, GasMeter& meter) {
    const bool amsterdam = m.options.fork == Fork::amsterdam;
    Journal& journal = m.journal;
    std::set<Address> written;
    std::set<Address> indicator_paid;  // or there before the transaction
    for (const Authorization& a : *tx.authorization_list) {
        const U256 chain = to_u256(a.chain_id);
        if (!chain.is_zero() && chain != U256{m.options.block.chain_id}) continue;
        if (a.nonce == ~0ULL) continue;
        const std::optional<Address> authority = recover_authority(a);
        if (!authority) continue;
        journal.warm_account(*authority);
        const std::shared_ptr<const Code> code = journal.code(*authority);
        if (code->size() != 0 && !code->delegation()) continue;
        if (journal.nonce(*authority) != a.nonce) continue;

        const bool clears = a.address == Address{};
        if (amsterdam) {
            if (journal.dead(*authority) && !m.charge_state_gas(meter, m.schedule.state_new_account)) return false;
            const bool paid = *authority == tx.from || written.contains(*authority) || (*authority == tx.to && tx.value != Word{});
            if (!paid && !meter.pay(kAccountWrite)) return false;
            if (!written.contains(*authority) && code->size() != 0) indicator_paid.insert(*authority);
            if (!clears && indicator_paid.insert(*authority).second && !m.charge_state_gas(meter, m.schedule.state_authorization)) {
                return false;
            }
        } else if (!journal.dead(*authority)) {
            journal.refund += kRefundForExisting;
        }
        written.insert(*authority);
        journal.set_code(*authority, clears ? Code::empty() : std::make_shared<const Code>(delegation_code(a.address)));
        journal.set_nonce(*authority, a.nonce + 1);
    }
    return true;
}

}  // namespace postern::evm
