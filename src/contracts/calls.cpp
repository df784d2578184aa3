#include <algorithm>
#include <postern/contracts.hpp>
#include <stdexcept>

#include "contracts/provenance.hpp"
#include "core/u256.hpp"
#include "hash/sha3.hpp"

namespace postern::contracts {

void link(KeyBlob& blob, std::span<const evm::Address> others) {
    if (others.size() + 1 != blob.parts.size()) throw std::invalid_argument("link: one address for each part after the first");
    auto to = blob.parts.front().begin() + static_cast<std::ptrdiff_t>(blob.links_offset);
    for (const auto& address : others) to = std::copy(address.begin(), address.end(), to);
}

Bytes creation_code(ByteView runtime) {
    if (runtime.size() > 0xffff) throw std::invalid_argument("creation_code: runtime code too long");
    const auto hi = static_cast<std::uint8_t>(runtime.size() >> 8), lo = static_cast<std::uint8_t>(runtime.size());
    // PUSH2 size, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, RETURN
    const std::array<std::uint8_t, 10> prefix{0x61, hi, lo, 0x80, 0x60, 10, 0x5f, 0x39, 0x5f, 0xf3};
    Bytes code(prefix.size() + runtime.size());
    std::copy(runtime.begin(), runtime.end(), std::copy(prefix.begin(), prefix.end(), code.begin()));
    return code;
}

evm::Address deterministic_address(ByteView creation_code) { return create2_address(kFactory, Hash32{}, hash::keccak256(creation_code)); }

void place_companions(evm::State& state, const Contract& contract) {
    for (const Companion& c : contract.companions) state.set_code(c.address, c.runtime);
}

namespace {

class AbiEncoder {
  public:
    AbiEncoder(std::uint32_t selector, std::size_t arguments) : head_(4 + 32 * arguments) {
        for (int i = 0; i < 4; ++i) head_[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(selector >> (24 - 8 * i));
    }
    void word(ByteView right_aligned) {
        std::copy(right_aligned.begin(), right_aligned.end(),
                  head_.begin() + static_cast<std::ptrdiff_t>(position_ + 32 - right_aligned.size()));
        position_ += 32;
    }
    void bytes(ByteView data) {
        word(to_be_bytes(U256{head_.size() - 4 + tail_.size()}));
        const auto size = to_be_bytes(U256{data.size()});
        tail_.insert(tail_.end(), size.begin(), size.end());
        tail_.insert(tail_.end(), data.begin(), data.end());
        tail_.resize((tail_.size() + 31) / 32 * 32);
    }
    Bytes finish() && {
        head_.insert(head_.end(), tail_.begin(), tail_.end());
        return std::move(head_);
    }

  private:
    Bytes head_, tail_;
    std::size_t position_ = 4;
};

constexpr evm::Address kVerifier{0x70, 0x6f, 0x73, 0x74, 0x65, 0x72, 0x6e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
/// Where a key lies that no registry makes.
constexpr evm::Address kKey{0x70, 0x6f, 0x73, 0x74, 0x65, 0x72, 0x6e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0};
constexpr evm::Address kCaller{0x70, 0x6f, 0x73, 0x74, 0x65, 0x72, 0x6e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0};

std::uint32_t selector_of(Door door) {
    switch (door) {
        case Door::erc7913:
            return 0x024ad318;
        case Door::message:
            return 0x5ade6633;
        case Door::context:
            return 0x067874cf;
    }
    return 0;
}

}  // namespace

Bytes encode_call(Door door, ByteView key, ByteView message, ByteView signature, ByteView context) {
    if (door != Door::context && !context.empty()) throw std::invalid_argument("encode_call: this door takes no context");
    AbiEncoder abi(selector_of(door), door == Door::context ? 4 : 3);
    switch (door) {
        case Door::erc7913:
            if (message.size() != 32) throw std::invalid_argument("encode_call: the ERC-7913 door takes 32-byte messages");
            abi.bytes(key);
            abi.word(message);
            abi.bytes(signature);
            break;
        case Door::message:
            if (key.size() != 20) throw std::invalid_argument("encode_call: the message door takes an address");
            abi.word(key);
            abi.bytes(message);
            abi.bytes(signature);
            break;
        case Door::context:
            abi.bytes(key);
            abi.bytes(message);
            abi.bytes(signature);
            abi.bytes(context);
            break;
    }
    return std::move(abi).finish();
}

bool accepts(Door door, const evm::ExecutionResult& result) {
    if (!result.success() || result.output.size() != 32) return false;
    const U256 expected = door == Door::erc7913 ? U256{selector_of(door)} << 224 : U256{1};
    return load_be(result.output) == expected;
}

Verdict call_verifier(evm::State& state, const evm::Address& verifier, const Contract& contract, Door door, ByteView calldata, bool profile,
                      std::uint64_t gas) {
    evm::Profile profiler;
    evm::Options options;
    options.fork = contract.fork;
    options.keep_changes = false;
    if (profile) {
        profiler.set_regions(verifier, contract.info.name, evm::RegionMap(contract.regions));
        for (const Companion& c : contract.companions) profiler.set_regions(c.address, c.name, evm::RegionMap(c.regions));
        options.profile = &profiler;
    }
    evm::Message message;
    message.from = kCaller;
    message.to = verifier;
    message.data.assign(calldata.begin(), calldata.end());
    message.gas = gas;
    Verdict verdict;
    verdict.result = evm::call(state, message, options);
    verdict.accepted = accepts(door, verdict.result);
    if (profile) verdict.regions = profiler.by_region();
    return verdict;
}

Result<Verdict> run_verifier(const Contract& contract, ByteView public_key, ByteView message, ByteView signature, ByteView context,
                             std::optional<Door> door, bool profile) {
    if (contract.info.entry_points.empty()) return Error{"contract '" + contract.info.name + "' verifies nothing"};
    evm::State state;
    state.set_code(kVerifier, contract.runtime);
    place_companions(state, contract);
    Bytes key(public_key.begin(), public_key.end());
    if (contract.info.key_form != KeyForm::wire) {
        auto blob = expand_key(contract.info.scheme, public_key, contract.info.key_form);
        if (!blob) return blob.error();
        const bool registered = find_registry(blob->scheme, blob->form).has_value();
        const evm::Address address = registered ? place_key(state, std::move(*blob)) : place_key(state, std::move(*blob), kKey);
        key.assign(address.begin(), address.end());
    }
    const auto has = [&doors = contract.info.entry_points](Door d) {
        return std::any_of(doors.begin(), doors.end(), [d](const EntryPoint& e) { return e.door == d; });
    };
    // The message door names the key by its address: not every contract has it.
    const Door any_message = has(Door::message) ? Door::message : Door::context;
    const Door chosen = door ? *door : !context.empty() ? Door::context : message.size() == 32 ? Door::erc7913 : any_message;
    if (!has(chosen)) return Error{"the contract '" + contract.info.name + "' has no such door"};
    if (chosen == Door::erc7913 && message.size() != 32) return Error{"the ERC-7913 door takes a message of 32 bytes"};
    if (chosen != Door::context && !context.empty()) return Error{"only the context door takes a context"};
    return call_verifier(state, kVerifier, contract, chosen, encode_call(chosen, key, message, signature, context), profile);
}

}  // namespace postern::contracts
