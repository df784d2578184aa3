#include "contracts/registry_pins.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/hex.hpp"

namespace postern::contracts {

namespace {

Hash32 hash_from(std::string_view hex) {
    const auto bytes = from_hex(hex);
    if (!bytes || bytes->size() != 32) throw std::logic_error("a pinned hash is not 32 bytes of hex");
    Hash32 hash{};
    std::copy(bytes->begin(), bytes->end(), hash.begin());
    return hash;
}

}  // namespace

Hash32 RegistryPin::init() const { return hash_from(init_hash); }
Hash32 RegistryPin::code() const { return hash_from(code_hash); }
evm::Address RegistryPin::address() const { return create2_address(kFactory, Hash32{}, init()); }

const std::vector<RegistryPin>& registry_pins() {
    static const std::vector<RegistryPin> pins{
#include "contracts/registry_pins.inc"
    };
    return pins;
}

const RegistryPin& registry_pin(std::string_view contract) {
    for (const auto& pin : registry_pins()) {
        if (pin.contract == contract) return pin;
    }
    throw std::invalid_argument("the registry '" + std::string(contract) + "' is not pinned (make artifacts)");
}

Bytes creation_code_after(const RegistryPin& registry, ByteView runtime) {
    if (runtime.size() > 0xffff) throw std::invalid_argument("creation_code_after: runtime code too long");
    // PUSH20 registry, EXTCODEHASH, PUSH32 hash, EQ, PUSH1 go, JUMPI, PUSH0, PUSH0, REVERT,
    // go: JUMPDEST, PUSH2 size, DUP1, PUSH1 from, PUSH0, CODECOPY, PUSH0, RETURN
    constexpr std::uint8_t go = 62, from = 73;
    Bytes code(from + runtime.size());
    auto to = code.begin();
    const auto put = [&to](std::initializer_list<std::uint8_t> bytes) { to = std::copy(bytes.begin(), bytes.end(), to); };
    const auto address = registry.address();
    const auto code_hash = registry.code();
    put({0x73});
    to = std::copy(address.begin(), address.end(), to);
    put({0x3f, 0x7f});
    to = std::copy(code_hash.begin(), code_hash.end(), to);
    put({0x14, 0x60, go, 0x57, 0x5f, 0x5f, 0xfd, 0x5b});
    put({0x61, static_cast<std::uint8_t>(runtime.size() >> 8), static_cast<std::uint8_t>(runtime.size())});
    put({0x80, 0x60, from, 0x5f, 0x39, 0x5f, 0xf3});
    std::copy(runtime.begin(), runtime.end(), to);
    return code;
}

}  // namespace postern::contracts
