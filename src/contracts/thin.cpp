#include "contracts/thin.hpp"

#include <stdexcept>

#include "contracts/catalogue.hpp"
#include "contracts/registry_pins.hpp"
#include "contracts/registry_shell.hpp"
#include "hash/sha3.hpp"

namespace postern::contracts {

using codegen::Kernel;
using codegen::Label;
using codegen::Op;
using codegen::V;

codegen::AbiFunction set_key_function() { return {"setKey", {{"publicKey", "bytes"}}, {{"key", "bytes"}}, "nonpayable"}; }

Pinned pinned_contract(std::string_view name) {
    const auto contract = build_contract(name);
    if (!contract) throw std::logic_error(contract.error().message);
    return {create2_address(kFactory, Hash32{}, hash::keccak256(contract->init)), hash::keccak256(contract->runtime)};
}

namespace {

/// Jumps to `otherwise` unless the pinned code is in place.
void emit_code_check(Kernel& k, const Pinned& target, Label otherwise) {
    k.push(load_be(target.address));
    k.op(Op::EXTCODEHASH);
    k.with(Op::XOR, load_be(target.code_hash));
    k.jumpi(otherwise);
}

/// After a call: [success] -> []. A failure, or an answer of any other size than one word, goes to `otherwise`.
void emit_answer_check(Kernel& k, Label otherwise) {
    k.op(Op::ISZERO);
    k.jumpi(otherwise);
    k.op(Op::RETURNDATASIZE);
    k.with(Op::XOR, 32);
    k.jumpi(otherwise);
}

constexpr std::size_t kKeyBytes = 1312;
constexpr std::size_t kKeyParts = 2;

/// Calldata goes on as it is; the answer comes back if it is exactly one of the two words of its door.
void emit_forward(Kernel& k, const Pinned& verifier, Label revert, std::uint32_t erc7913) {
    k.begin_region("forward");
    emit_code_check(k, verifier, revert);
    k.op(Op::CALLDATASIZE);
    k.push(0);
    k.push(0);
    k.op(Op::CALLDATACOPY);
    k.push(32);
    k.push(0);
    k.op(Op::CALLDATASIZE);
    k.push(0);
    k.push(load_be(verifier.address));
    k.op(Op::GAS);
    k.op(Op::STATICCALL);
    emit_answer_check(k, revert);
    // [answer, yes, no]: yes is 1 or the selector, no is 0 or 0xffffffff, both on the left of the word at the ERC-7913 door.
    const Label other = k.label(), known = k.label();
    k.mload(0);
    k.push(0);
    k.op(Op::CALLDATALOAD);
    k.with(Op::SHR, 224);
    k.with(Op::XOR, erc7913);
    k.jumpi(other);
    const std::vector<V> frame = k.stack();
    k.push(U256{erc7913} << 224);
    k.push(U256{0xffffffffU} << 224);
    k.jump(known);
    k.set_stack(frame);
    k.bind(other);
    k.push(1);
    k.push(0);
    k.bind(known);
    k.dup_at(2);
    k.op(Op::EQ);
    k.swap(1);
    k.dup_at(2);
    k.op(Op::EQ);
    k.op(Op::OR);
    k.op(Op::ISZERO);
    k.jumpi(revert);
    k.pop();
    k.push(32);
    k.push(0);
    k.terminate(Op::RETURN);
    k.end_region();
}

void emit_set_key(Kernel& k, const Pinned& registry, Label revert, Label pass_on) {
    // register(bytes,uint256) from byte 28 of memory on: selector, 64, part, length, key. Its answer at 0.
    constexpr std::uint64_t kCall = 28, kPart = 64, kKey = 128, kCallBytes = 4 + 96 + kKeyBytes;
    static_assert(kKeyBytes % 32 == 0);
    k.begin_region("setKey");
    k.push(36);
    k.op(Op::CALLDATASIZE);
    k.op(Op::LT);
    k.jumpi(revert);
    k.push(4);
    k.op(Op::CALLDATALOAD);
    k.dup(k.top());
    k.with(Op::SHR, 32);
    k.jumpi(revert);
    const V at = k.with(Op::ADD, 36);
    k.op(Op::CALLDATASIZE);
    k.dup(at);
    k.with(Op::ADD, kKeyBytes);
    k.op(Op::GT);
    k.jumpi(revert);
    k.push(32);
    k.dup(at);
    k.op(Op::SUB);
    k.op(Op::CALLDATALOAD);
    k.with(Op::XOR, kKeyBytes);
    k.jumpi(revert);
    k.push(kKeyBytes);
    k.raise(at);
    k.push(kKey);
    k.op(Op::CALLDATACOPY);
    emit_code_check(k, registry, revert);
    k.push(64);
    k.mstore(32);
    k.push(kKeyBytes);
    k.mstore(96);
    for (std::size_t n = 1; n <= kKeyParts; ++n) {
        k.push(n % kKeyParts);  // part 0 is the last
        k.mstore(kPart);
        k.push(RegistryShell::functions().front().selector());
        k.mstore(0);
        k.push(32);
        k.push(0);
        k.push(kCallBytes);
        k.push(kCall);
        k.push(0);
        k.push(load_be(registry.address));
        k.op(Op::GAS);
        k.op(Op::CALL);
        emit_answer_check(k, pass_on);
    }
    // abi.encode(bytes) of the 20 bytes of the first part's address
    k.mload(0);
    k.with(Op::SHL, 96);
    k.mstore(64);
    k.push(32);
    k.mstore(0);
    k.push(20);
    k.mstore(32);
    k.push(96);
    k.push(0);
    k.terminate(Op::RETURN);
    k.end_region();
}

codegen::Program generate_eth_compat(const Row& row, const codegen::AssembleOptions& options) {
    Kernel kernel(row.name);
    const RegistryPin& registry = registry_pin(row.calls.at(1));
    emit_eth_compat(kernel, pinned_contract(row.calls.at(0)), {registry.address(), registry.code()});
    return codegen::lower(kernel).assemble(options);
}

}  // namespace

const std::vector<Row>& thin_rows() {
    static const std::vector<Row> rows = [] {
        Row compat{"eth-ml-dsa-44-compat",         "eth-ml-dsa-44",     KeyForm::expanded,
                   {Door::erc7913, Door::context}, generate_eth_compat, {set_key_function()}};
        compat.calls = {"eth-ml-dsa-44", "eth-ml-dsa-44-registry"};
        return std::vector<Row>{std::move(compat)};
    }();
    return rows;
}

void emit_eth_compat(Kernel& k, const Pinned& verifier, const Pinned& registry) {
    const Label revert = k.exit_label(), pass_on = k.exit_label(), forward = k.label();
    const std::uint32_t erc7913 = entry_point(Door::erc7913).selector;
    k.begin_region("abi");
    k.op(Op::CALLVALUE);
    k.jumpi(revert);
    k.push(4);
    k.op(Op::CALLDATASIZE);
    k.op(Op::LT);
    k.jumpi(revert);
    k.push(0);
    k.op(Op::CALLDATALOAD);
    const V selector = k.with(Op::SHR, 224);
    for (const std::uint32_t door : {erc7913, entry_point(Door::context).selector}) {
        k.dup(selector);
        k.with(Op::EQ, door);
        k.jumpi(forward);
    }
    k.with(Op::XOR, set_key_function().selector());
    k.jumpi(revert);
    k.end_region();
    emit_set_key(k, registry, revert, pass_on);
    k.set_stack({});
    k.argument();
    k.bind(forward);
    k.pop();
    emit_forward(k, verifier, revert, erc7913);
    k.begin_region("answer");
    k.bind(pass_on);  // what the registry says is wrong
    k.op(Op::RETURNDATASIZE);
    k.push(0);
    k.push(0);
    k.op(Op::RETURNDATACOPY);
    k.op(Op::RETURNDATASIZE);
    k.push(0);
    k.terminate(Op::REVERT);
    k.bind(revert);
    k.push(0);
    k.push(0);
    k.terminate(Op::REVERT);
    k.end_region();
}

}  // namespace postern::contracts
