#include "contracts/registry_shell.hpp"

#include <stdexcept>

#include "hash/sha3.hpp"

namespace postern::contracts {

using codegen::Kernel;
using codegen::Label;
using codegen::Op;
using codegen::V;

namespace {

const codegen::AbiFunction kRegister{"register", {{"publicKey", "bytes"}, {"part", "uint256"}}, {{"at", "address"}}, "nonpayable"};
const codegen::AbiFunction kBlob{"blob", {{"keyHash", "bytes32"}}, {{"at", "address"}}, "view"};
const codegen::AbiFunction kPartOf{
    "part", {{"keyHash", "bytes32"}, {"index", "uint256"}}, {{"at", "address"}, {"registered", "bool"}}, "view"};

constexpr std::string_view kEvent = "PartRegistered(bytes32,uint256,address)";
constexpr Op kLog3 = evm::op_log(3);

std::uint32_t error_selector(std::string_view name) { return codegen::AbiFunction{std::string(name), {}, {}, ""}.selector(); }

}  // namespace

std::vector<codegen::AbiFunction> RegistryShell::functions() { return {kRegister, kBlob, kPartOf}; }

std::vector<Op> registry_opcodes() { return {Op::TLOAD, Op::TSTORE, Op::CREATE2}; }

RegistryShell::RegistryShell(Kernel& k, BlobShape shape, std::uint64_t blob)
    : k_(k),
      shape_(std::move(shape)),
      blob_(blob),
      revert_(k.exit_label()),
      wrong_length_(k.exit_label()),
      no_such_part_(k.exit_label()),
      parts_missing_(k.exit_label()),
      degenerate_(k.exit_label()),
      creation_failed_(k.exit_label()),
      callback_(k.label()),
      register_(k.label()),
      view_blob_(k.label()),
      view_part_(k.label()),
      derive_(k.label()) {
    if (shape_.part_sizes.empty() || shape_.part_sizes.size() > 16) throw std::invalid_argument("a registry makes 1 to 16 parts");
    for (std::size_t i = 0; i < shape_.part_sizes.size(); ++i) sizes_ |= U256{shape_.part_sizes[i]} << static_cast<unsigned>(16 * i);
}

void RegistryShell::emit(const std::function<void()>& expand) {
    emit_dispatch();
    emit_callback();
    emit_register(expand);
    emit_views();
    emit_derive();
    emit_failures();
}

void RegistryShell::emit_dispatch() {
    k_.begin_region("dispatch");
    k_.op(Op::CALLVALUE);
    k_.jumpi(revert_);
    k_.op(Op::CALLDATASIZE);
    k_.op(Op::ISZERO);
    k_.jumpi(callback_);
    k_.push(36);
    k_.op(Op::CALLDATASIZE);
    k_.op(Op::LT);
    k_.jumpi(revert_);
    k_.push(0);
    k_.op(Op::CALLDATALOAD);
    const V selector = k_.with(Op::SHR, 224);
    const std::pair<codegen::AbiFunction, Label> entries[] = {{kRegister, register_}, {kBlob, view_blob_}, {kPartOf, view_part_}};
    for (const auto& [function, label] : entries) {
        k_.dup(selector);
        k_.with(Op::EQ, function.selector());
        k_.jumpi(label);
    }
    k_.jump(revert_);
    k_.end_region();
}

/// The init code of a part asks for its bytes. They are there while a part is being created and at no other time.
void RegistryShell::emit_callback() {
    k_.set_stack({});
    k_.bind(callback_);
    k_.begin_region("callback");
    k_.push(0);
    const V size = k_.op(Op::TLOAD);
    k_.dup(size);
    k_.op(Op::ISZERO);
    k_.jumpi(revert_);
    V at = k_.forget(k_.push(0));
    const Label loop = k_.label();
    k_.bind(loop);
    for (unsigned u = 0; u < 4; ++u) {
        k_.dup(at);
        k_.with(Op::ADD, 32 * u + 1);
        k_.op(Op::TLOAD);
        k_.dup(at);
        if (u != 0) k_.with(Op::ADD, 32 * u);
        k_.op(Op::MSTORE);
    }
    at = k_.with(Op::ADD, 128);
    k_.dup(size);
    k_.dup(at);
    k_.op(Op::LT);
    k_.jumpi(loop);
    k_.pop();
    k_.push(0);
    k_.terminate(Op::RETURN);
    k_.end_region();
}

void RegistryShell::emit_register(const std::function<void()>& expand) {
    k_.set_stack({});
    k_.argument();  // the selector
    k_.bind(register_);
    k_.begin_region("arguments");
    k_.pop();
    k_.push(4 + 64);
    k_.op(Op::CALLDATASIZE);
    k_.op(Op::LT);
    k_.jumpi(revert_);
    k_.push(4);
    k_.op(Op::CALLDATALOAD);
    k_.dup(k_.top());
    k_.with(Op::SHR, 32);
    k_.jumpi(revert_);
    const V from = k_.with(Op::ADD, 36);
    k_.op(Op::CALLDATASIZE);
    k_.dup(from);
    k_.op(Op::GT);
    k_.jumpi(revert_);
    // The length is exact before anything is hashed.
    k_.push(32);
    k_.dup(from);
    k_.op(Op::SUB);
    k_.op(Op::CALLDATALOAD);
    k_.with(Op::XOR, shape_.key_bytes);
    k_.jumpi(wrong_length_);
    k_.op(Op::CALLDATASIZE);
    k_.dup(from);
    k_.with(Op::ADD, shape_.key_bytes);
    k_.op(Op::GT);
    k_.jumpi(revert_);
    k_.push(shape_.key_bytes);
    k_.raise(from);
    k_.push(kKey);
    k_.op(Op::CALLDATACOPY);
    k_.push(shape_.part_sizes.size());
    k_.push(36);
    const V part = k_.op(Op::CALLDATALOAD);
    k_.dup(part);
    k_.mstore(kPart);
    k_.op(Op::LT);
    k_.op(Op::ISZERO);
    k_.jumpi(no_such_part_);
    k_.push(shape_.key_bytes);
    k_.push(kKey);
    k_.op(Op::KECCAK256);
    k_.mstore(kKeyHash);
    // A part that is there was made here, from this key: nothing is left to do.
    k_.mload(kPart);
    k_.call(derive_, 1, 1);
    const V at = k_.top();
    k_.dup(at);
    k_.mstore(kAt);
    const Label absent = k_.label();
    k_.op(Op::EXTCODESIZE);
    k_.op(Op::ISZERO);
    k_.jumpi(absent);
    k_.mload(kAt);
    return_word();
    k_.set_stack({});
    k_.bind(absent);
    emit_links();
    k_.end_region();
    expand();
    emit_create();
}

/// Part 0 is the last: it names the others, which have to be there.
void RegistryShell::emit_links() {
    const Label later = k_.label();
    k_.mload(kPart);
    k_.jumpi(later);
    k_.mload(kKeyHash);
    k_.mstore(blob_ + 1);
    for (unsigned part = 1; part < shape_.part_sizes.size(); ++part) {
        k_.push(part);
        k_.call(derive_, 1, 1);
        k_.dup(k_.top());
        k_.with(Op::SHL, 96);
        k_.mstore(blob_ + shape_.links_offset + 20 * (part - 1));
        k_.op(Op::EXTCODESIZE);
        k_.with(Op::XOR, shape_.part_sizes[part]);
        k_.jumpi(parts_missing_);
    }
    k_.bind(later);
}

void RegistryShell::emit_create() {
    k_.begin_region("create");
    k_.mload(kPart);
    k_.call(derive_, 1, 1);  // the salt and the init code of this part once more
    k_.mload(kPart);
    size_of_part(k_.top());
    k_.swap(1);
    k_.pop();
    const V size = k_.top();
    k_.dup(size);
    k_.push(0);
    k_.op(Op::TSTORE);
    V at = k_.forget(k_.push(0));
    const Label loop = k_.label();
    k_.bind(loop);
    for (unsigned u = 0; u < 4; ++u) {
        k_.dup(at);
        k_.with(Op::ADD, blob_ + 32 * u);
        k_.op(Op::MLOAD);
        k_.dup(at);
        k_.with(Op::ADD, 32 * u + 1);
        k_.op(Op::TSTORE);
    }
    at = k_.with(Op::ADD, 128);
    k_.dup(size);
    k_.dup(at);
    k_.op(Op::LT);
    k_.jumpi(loop);
    k_.pop();
    k_.pop();
    k_.mload(kSalt);
    k_.push(kPartInitBytes);
    k_.push(kInit);
    k_.push(0);
    k_.op(Op::CREATE2);
    k_.dup(k_.top());
    k_.op(Op::ISZERO);
    k_.jumpi(creation_failed_);
    k_.op(Op::XOR);  // with the derived address
    k_.jumpi(creation_failed_);
    k_.push(0);
    k_.push(0);
    k_.op(Op::TSTORE);
    k_.mload(kAt);
    k_.mstore(0);
    k_.mload(kPart);
    k_.mload(kKeyHash);
    k_.push(load_be(hash::keccak256(kEvent)));
    k_.push(32);
    k_.push(0);
    k_.op(kLog3);
    k_.mload(kAt);
    return_word();
    k_.end_region();
}

void RegistryShell::emit_views() {
    k_.begin_region("views");
    k_.set_stack({});
    k_.argument();
    k_.bind(view_blob_);
    k_.pop();
    k_.push(4);
    k_.op(Op::CALLDATALOAD);
    k_.mstore(kKeyHash);
    k_.push(0);
    k_.call(derive_, 1, 1);
    k_.dup(k_.top());
    k_.op(Op::EXTCODESIZE);
    k_.op(Op::ISZERO);
    k_.op(Op::ISZERO);
    k_.op(Op::MUL);
    return_word();

    k_.set_stack({});
    k_.argument();
    k_.bind(view_part_);
    k_.pop();
    k_.push(68);
    k_.op(Op::CALLDATASIZE);
    k_.op(Op::LT);
    k_.jumpi(revert_);
    k_.push(4);
    k_.op(Op::CALLDATALOAD);
    k_.mstore(kKeyHash);
    k_.push(36);
    const V index = k_.op(Op::CALLDATALOAD);
    k_.push(shape_.part_sizes.size());
    k_.dup(index);
    k_.op(Op::LT);
    k_.op(Op::ISZERO);
    k_.jumpi(no_such_part_);
    k_.call(derive_, 1, 1);
    k_.dup(k_.top());
    k_.mstore(0);
    k_.op(Op::EXTCODESIZE);
    k_.op(Op::ISZERO);
    k_.op(Op::ISZERO);
    k_.mstore(0x20);
    k_.push(64);
    k_.push(0);
    k_.terminate(Op::RETURN);
    k_.end_region();
}

/// Subroutine: [part] -> [its address]. Leaves salt and init code in memory. The key's hash stands at kKeyHash.
void RegistryShell::emit_derive() {
    k_.begin_region("derive");
    k_.set_stack({});
    const V part = k_.argument();
    k_.argument();
    k_.bind(derive_);
    k_.raise(part);
    k_.dup(part);
    k_.push(tag_word(shape_, 0));
    k_.op(Op::OR);
    k_.mstore(kKeyHash - 32);
    k_.push(64);
    k_.push(kKeyHash - 32);
    k_.op(Op::KECCAK256);
    k_.mstore(kSalt);
    size_of_part(part);
    k_.with(Op::SHL, kPartInitSizeShift);
    k_.push(part_init_template());
    k_.op(Op::OR);
    k_.mstore(kInit);
    k_.push(kPartInitBytes);
    k_.push(kInit);
    k_.op(Op::KECCAK256);
    k_.mstore(kInitHash);
    k_.op(Op::ADDRESS);
    k_.with(Op::OR, U256{0xff} << 160);
    k_.mstore(kCreator);
    k_.pop();
    k_.push(85);
    k_.push(kCreator + 11);
    k_.op(Op::KECCAK256);
    k_.with(Op::AND, U256::mask(160));
    k_.swap(1);
    k_.jump_dynamic();
    k_.end_region();
}

void RegistryShell::size_of_part(V part) {
    k_.push(sizes_);
    k_.dup(part);
    k_.with(Op::SHL, 4);
    k_.op(Op::SHR);
    k_.with(Op::AND, 0xffff);
}

void RegistryShell::return_word() {
    k_.mstore(0);
    k_.push(32);
    k_.push(0);
    k_.terminate(Op::RETURN);
}

void RegistryShell::emit_failures() {
    k_.begin_region("failures");
    const std::pair<Label, std::string_view> failures[] = {{wrong_length_, "WrongKeyLength"},
                                                           {no_such_part_, "NoSuchPart"},
                                                           {parts_missing_, "PartsMissing"},
                                                           {degenerate_, "DegenerateKey"},
                                                           {creation_failed_, "CreationFailed"}};
    for (const auto& [label, name] : failures) {
        k_.bind(label);
        k_.push(U256{error_selector(name)} << 224);
        k_.mstore(0);
        k_.push(4);
        k_.push(0);
        k_.terminate(Op::REVERT);
    }
    k_.bind(revert_);
    k_.push(0);
    k_.push(0);
    k_.terminate(Op::REVERT);
    k_.end_region();
}

}  // namespace postern::contracts
