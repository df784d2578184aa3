// Registering keys, seen from outside the contracts.

#include <algorithm>
#include <postern/contracts.hpp>
#include <postern/falcon_scheme.hpp>
#include <postern/mldsa.hpp>
#include <stdexcept>

#include "contracts/catalogue.hpp"
#include "contracts/falcon/key_blob.hpp"
#include "contracts/mldsa/key_blob.hpp"
#include "contracts/mldsa/key_rules.hpp"
#include "contracts/registry_pins.hpp"
#include "contracts/registry_shell.hpp"

namespace postern::contracts {

namespace {

const Row* registry_row(std::string_view scheme, KeyForm form) {
    for (const Row* row : catalogue()) {
        if (row->blob != nullptr && row->scheme == scheme && row->key_form == form) return row;
    }
    return nullptr;
}

}  // namespace

std::optional<Registry> find_registry(std::string_view scheme, KeyForm form) {
    const Row* row = registry_row(scheme, form);
    if (row == nullptr) return std::nullopt;
    const RegistryPin& pin = registry_pin(row->name);
    const BlobShape shape = row->blob(*row);
    return Registry{row->name, row->scheme, form, pin.address(), pin.init(), pin.code(), shape.key_bytes, shape.part_sizes};
}

std::vector<evm::Address> key_addresses(const Registry& registry, const evm::Word& key_hash) {
    const Row* row = registry_row(registry.scheme, registry.form);
    if (row == nullptr) throw std::invalid_argument("no registry for " + registry.scheme);
    const BlobShape shape = row->blob(*row);
    std::vector<evm::Address> out;
    for (unsigned part = 0; part < shape.part_sizes.size(); ++part) out.push_back(part_address(registry.address, shape, part, key_hash));
    return out;
}

void place_registry(evm::State& state, const Registry& registry) {
    auto contract = build_contract(registry.contract);
    if (!contract) throw std::runtime_error(contract.error().message);
    state.set_code(registry.address, std::move(contract->runtime));
}

std::vector<std::size_t> registration_order(const Registry& registry) {
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i <= registry.part_sizes.size(); ++i) order.push_back(i % registry.part_sizes.size());
    return order;
}

Bytes encode_register(ByteView public_key, std::size_t part) {
    static const std::uint32_t selector = RegistryShell::functions().front().selector();
    Bytes out(4 + 3 * 32);
    const auto put = [&out](std::size_t at, std::uint64_t value) {
        const auto word = to_be_bytes(U256{value});
        std::copy(word.begin(), word.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
    };
    for (std::size_t i = 0; i < 4; ++i) out[i] = static_cast<std::uint8_t>(selector >> (24 - 8 * i));
    put(4, 64);
    put(36, part);
    put(68, public_key.size());
    out.insert(out.end(), public_key.begin(), public_key.end());
    out.resize(4 + (out.size() - 4 + 31) / 32 * 32);
    return out;
}

namespace {

evm::Address place_at(evm::State& state, KeyBlob& blob, const std::vector<evm::Address>& addresses) {
    link(blob, std::span(addresses).subspan(1));
    for (std::size_t i = 0; i < blob.parts.size(); ++i) state.set_code(addresses[i], blob.parts[i]);
    return addresses.front();
}

}  // namespace

evm::Address place_key(evm::State& state, KeyBlob blob) {
    const auto registry = find_registry(blob.scheme, blob.form);
    if (!registry) throw std::invalid_argument("place_key: no registry for " + blob.scheme);
    return place_at(state, blob, key_addresses(*registry, blob.key_hash));
}

evm::Address place_key(evm::State& state, KeyBlob blob, const evm::Address& base) {
    std::vector<evm::Address> addresses;
    for (std::size_t i = 0; i < blob.parts.size(); ++i) {
        const auto word = to_be_bytes(load_be(base) + U256{i});
        std::copy(word.begin() + 12, word.end(), addresses.emplace_back().begin());
    }
    return place_at(state, blob, addresses);
}

Result<KeyBlob> expand_key(std::string_view scheme, ByteView public_key, KeyForm form) {
    if (const falcon::Scheme* f = falcon::find_scheme(scheme)) return falcon_evm::make_blob(*f, public_key, form);
    const mldsa::Scheme* s = mldsa::find_scheme(scheme);
    if (s == nullptr) return Error{"unknown scheme '" + std::string(scheme) + "'"};
    const auto registry = find_registry(scheme, form);
    if (!registry) return Error{"key form '" + std::string(name(form)) + "' is not available for " + std::string(scheme)};
    const auto key = mldsa::PublicKey::decode(*s, public_key);
    if (!key) return key.error();
    KeyBlob blob = mldsa_evm::make_blob(mldsa_evm::make_plan(*s), *key);
    const auto addresses = key_addresses(*registry, blob.key_hash);
    link(blob, std::span(addresses).subspan(1));
    return blob;
}

Status check_key(std::string_view scheme, ByteView public_key) {
    const mldsa::Scheme* s = mldsa::find_scheme(scheme);
    if (s == nullptr) return Error{"unknown scheme '" + std::string(scheme) + "'"};
    return mldsa_evm::check_key(*s, public_key);
}

}  // namespace postern::contracts
